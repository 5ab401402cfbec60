"""Rules about documents and sentences."""

import pytest

from disconer import Document
from disconer.checking import CheckedCorpus, Finding, check
from disconer.schemes import BioeScheme, GridScheme, Scheme
from disconer.tokenize import Layout
from tests.checking.given import found, marked, texts

WORDS = "Stop the drug at once."


def shared(**files: list[Document]) -> list[Finding]:
    return check(
        CheckedCorpus.of({f"{name}.jsonl": documents for name, documents in files.items()}), ["shared-sentence"]
    )


def test_a_sentence_of_two_files_is_found_in_the_later_one() -> None:
    train, dev = [Document(WORDS, id="t")], [Document("Never mind."), Document(f"It failed.\n\n{WORDS.upper()}")]
    (finding,) = shared(train=train, dev=dev)
    assert (finding.entry.file, finding.entry.number, finding.sentence) == ("dev.jsonl", 2, 2)
    assert finding.text == WORDS.upper()
    assert finding.message == "'STOP THE DRUG AT ONCE.', once in this file, is in train.jsonl: document 't' too"


def test_a_sentence_is_found_once_a_file() -> None:
    one, two = [Document(WORDS)], [Document(WORDS)] * 2
    findings = shared(train=two, dev=two, test=one)
    assert [finding.entry.file for finding in findings] == ["dev.jsonl", "test.jsonl"]
    assert "2 times in this file" in findings[0].message


def test_sentences_of_one_file_and_short_ones_are_fine() -> None:
    assert shared(train=[Document(WORDS)] * 2, dev=[Document("Go on.")]) == []
    assert shared(train=[Document("Stop, at once!!")], dev=[Document("Stop, at once!!")]) == []
    assert shared(train=[Document("Take more than 3 mg")], dev=[Document("Take less than 3 mg")]) == []


def test_the_spacing_of_sentences_does_not_matter() -> None:
    assert len(shared(train=[Document(WORDS)], dev=[Document("  Stop  the drug\tat once .")])) == 1


def test_words_with_blanks_are_other_words() -> None:
    text = "10 000 mg of it hurt"
    words = ((7, 9), (10, 12), (13, 15), (16, 20))
    joined, apart = ((0, 6), *words), ((0, 2), (3, 6), *words)
    documents = [Document(Layout(text, given), [("ADR", [(16, 20)])]) for given in (joined, apart)]
    assert shared(train=documents[:1], dev=documents[1:]) == []
    assert found("annotated-differently", *documents) == []
    assert len(shared(train=documents, dev=documents)) == 2


def test_files_with_the_same_sentence_are_not_compared_with_each_other() -> None:
    class Name(str):
        """A file's name that counts how often it is compared."""

        compared = 0

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str(self) == other

        __hash__ = str.__hash__

    document = Document(WORDS)
    findings = check(
        CheckedCorpus.of({Name(f"{number}.jsonl"): [document] for number in range(200)}), ["shared-sentence"]
    )
    assert len(findings) == 199
    assert Name.compared < 2_000


def test_a_sentence_that_is_annotated_in_another_way_is_found() -> None:
    usual, other = marked("It gave me ⟨bad pain⟩."), marked("It gave me bad ⟨pain⟩.")
    (finding,) = found("annotated-differently", usual, other, usual)
    assert finding.entry.number == 2
    assert finding.text == "It gave me bad pain."
    assert finding.message == "ADR 'pain' here, but ADR 'bad pain' in the same sentence of a.jsonl: document 1"


def test_of_two_annotations_the_fuller_one_is_expected() -> None:
    full, empty = marked("It gave me ⟨bad⟩ ⟨pain⟩."), marked("It gave me bad pain.")
    for documents in ((full, empty), (empty, full)):
        (finding,) = found("annotated-differently", *documents)
        assert finding.document == empty
        assert finding.message.startswith("nothing here, but ADR 'bad', ADR 'pain' in")


def test_long_differences_are_cut_short() -> None:
    (finding,) = found("annotated-differently", marked("⟨a1⟩ ⟨b1⟩ ⟨c1⟩ ⟨d1⟩ ⟨e1⟩"), marked("a1 b1 c1 d1 e1"))
    assert "'c1', 2 more in" in finding.message


def test_sentences_that_are_annotated_in_the_same_way_are_fine() -> None:
    documents = [
        marked("It gave me ⟨bad pain⟩."),
        marked("it  gave me ⟨bad  pain⟩ ."),
        marked("It gave us ⟨bad pain⟩."),
    ]
    assert found("annotated-differently", *documents) == []


def test_mentions_that_leave_their_sentence_are_found() -> None:
    assert texts("cross-sentence", marked("It ⟨hurt.\n\nA lot⟩ of it.")) == ["hurt.\n\nA lot"]
    assert texts("cross-sentence", marked("It ⟨hurt⟩.\n\nA ⟨lot⟩ of it.")) == []


def test_mentions_outside_all_sentences_are_found() -> None:
    layout = Layout("Title. It hurt.", given_sentences=((7, 15),))
    (finding,) = found("cross-sentence", Document(layout, [("ADR", [(0, 5)])]))
    assert finding.message == "ADR 'Title' lies in no sentence"
    assert finding.sentence is None


@pytest.mark.parametrize(
    ("spans", "says"),
    [
        ([(0, 5)], "lies in no sentence"),
        ([(0, 5), (18, 22)], "lies in no sentence"),
        ([(6, 7)], "lies in no sentence"),
        ([(0, 9)], "reaches over the end of a sentence"),
        ([(10, 14), (18, 22)], "reaches over the end of a sentence"),
        ([(9, 10)], "holds no word"),
    ],
)
def test_words_outside_all_sentences_are_told_from_those_of_two(spans: list[tuple[int, int]], says: str) -> None:
    words = ((0, 5), (7, 9), (10, 14), (14, 15), (18, 22))
    layout = Layout("Title. It hurt.   Note.", words, given_sentences=((7, 15),))
    (finding,) = found("cross-sentence", Document(layout, [("ADR", spans)]))
    assert finding.message.endswith(f"' {says}")


def test_a_place_between_two_sentences_is_in_none() -> None:
    layout = Layout("Fine. And then, bad: It hurt a lot.", given_sentences=((0, 5), (21, 35)))
    places = [(0, 4), (5, 6), (16, 19), (21, 28)]
    copies = [("ADR", [place]) for place in places for _ in range(2)]
    assert [finding.sentence for finding in found("duplicate", Document(layout, copies))] == [1, None, None, 2]


def test_documents_with_the_same_id_are_found() -> None:
    documents = [Document("a", id=identifier) for identifier in ("x", None, "y", None, "x", 1, "1")]
    findings = found("same-id", *documents)
    assert [finding.entry.number for finding in findings] == [5, 7]
    assert str(findings[0]) == "a.jsonl: document 'x': same-id: document 5 has the id of another one"
    assert findings[0].as_json() | {"sentence": None, "fragments": [], "text": ""} == findings[0].as_json()


def messages(document: Document, scheme: Scheme) -> list[str]:
    corpus = CheckedCorpus.of({"a.jsonl": [document]}, scheme)
    return [finding.message for finding in check(corpus, ["not-expressible"])]


def test_what_the_scheme_loses_and_what_it_invents_is_found() -> None:
    text = "left or right hip or knee"
    crossing = Document(text, [("ADR", [(0, 4), (14, 17)]), ("ADR", [(8, 13), (21, 25)])])
    assert messages(crossing, GridScheme()) == []
    said = messages(crossing, BioeScheme())
    assert any("is lost by the bioe scheme" in message for message in said)
    assert any("is not annotated, but the bioe scheme reads it" in message for message in said)


def test_a_sentence_that_is_too_complicated_is_told_once_and_its_mentions_are_not_lost() -> None:
    text = "bad neck and arm pain\n\nbad hip"
    document = Document(text, [("ADR", [(0, 3), (17, 21)]), ("ADR", [(4, 8), (13, 16)]), ("ADR", [(23, 30)])])
    (finding,) = check(CheckedCorpus.of({"a.jsonl": [document]}, GridScheme(budget=1)), ["not-expressible"])
    assert (finding.text, finding.label, finding.sentence) == ("bad neck and arm pain", None, 1)
    assert finding.message == "'bad neck and arm pain' is too complicated for the grid scheme to decode in full"
    assert messages(document, GridScheme()) == []


def test_thousands_of_mentions_in_a_sentence_take_no_time() -> None:
    mentions = [("ADR", [(start, start + 1), (start + 4, start + 5)]) for start in range(0, 6 * 3_000, 6)]
    assert messages(Document("a b c " * 3_000, mentions), GridScheme()) == []


def test_mentions_that_cut_words_are_judged_by_their_words() -> None:
    assert messages(Document("bad pain", [("ADR", [(4, 7)]), ("ADR", [(4, 8)])]), GridScheme()) == []
