"""Rules about what stands twice."""

from disconer import Document
from tests.checking.given import found, texts


def test_every_further_copy_of_a_mention_is_found() -> None:
    spans = [(0, 3), (9, 13)]
    copies = [("ADR", spans), ("ADR", spans[::-1]), ("ADR", spans), ("ADR", spans[:1]), ("Drug", spans)]
    assert texts("duplicate", Document("Bad back pain", copies)) == ["Bad pain"] * 2


def test_mentions_of_other_documents_are_no_copies() -> None:
    assert texts("duplicate", *[Document("pain", [("ADR", [(0, 4)])])] * 2) == []


def test_two_labels_that_seldom_share_a_mention_are_found() -> None:
    both = Document("pain", [("Drug", [(0, 4)]), ("ADR", [(0, 4)])])
    assert [finding.message for finding in found("double-label", both)] == [
        "ADR 'pain' is Drug too, two labels that share only this mention"
    ]
    assert len(texts("double-label", *[both] * 4)) == 4
    assert texts("double-label", *[both] * 5) == []


def test_nested_mentions_are_no_double_labels() -> None:
    assert texts("double-label", Document("bad pain", [("Drug", [(4, 8)]), ("ADR", [(0, 8)])])) == []


def test_documents_with_the_same_id_are_found() -> None:
    documents = [Document("a", id=identifier) for identifier in ("x", None, "y", None, "x", 1, "1")]
    findings = found("same-id", *documents)
    assert [finding.entry.number for finding in findings] == [5, 7]
    assert str(findings[0]) == "a.jsonl: document 'x': same-id: document 5 has the id of another one"
    assert findings[0].as_json() | {"sentence": None, "fragments": [], "text": ""} == findings[0].as_json()
