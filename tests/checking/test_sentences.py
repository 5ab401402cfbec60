"""Rules about sentences."""

from disconer import Document
from disconer.checking import Corpus, Finding, check
from disconer.tokenize import Layout
from tests.checking.given import found, marked, texts

WORDS = "Stop the drug at once."


def shared(**files: list[Document]) -> list[Finding]:
    return check(Corpus.of({f"{name}.jsonl": documents for name, documents in files.items()}), ["shared-sentence"])


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
