"""Rules about strings that are annotated in one way here and in another way there."""

import pytest

from disconer import Document
from tests.checking.given import found, joined, marked, texts

NAUSEA = [marked("⟨nausea⟩ again")] * 4


def test_a_place_that_is_not_annotated_is_found() -> None:
    (finding,) = found("missed-surface", *NAUSEA, marked("and Nausea too"))
    assert (finding.text, finding.label) == ("Nausea", "ADR")
    assert finding.message == "'Nausea' is a mention (ADR) in 4 of 5 places, but not in '…and Nausea too…'"


def test_places_are_only_missed_when_nearly_all_others_are_annotated() -> None:
    bare = Document("no nausea")
    assert texts("missed-surface", *NAUSEA[:3], bare) == []
    assert texts("missed-surface", *NAUSEA, bare, bare) == []
    assert texts("missed-surface", *NAUSEA, *NAUSEA, bare, bare) == ["nausea"] * 2


@pytest.mark.parametrize(
    "document",
    [
        marked("⟨bad nausea⟩ too"),
        joined("⟨nausea⟩, or not, ⟨again⟩"),
        Document("a nausea-like feeling"),
        Document("post-nausea"),
        Document("nausea's end"),
        Document("nauseas"),
        Document("nausea2"),
    ],
)
def test_parts_of_mentions_and_of_longer_words_are_not_missed(document: Document) -> None:
    assert texts("missed-surface", *NAUSEA, document) == []


@pytest.mark.parametrize(
    ("annotated", "bare", "missed"),
    [
        ("患者有⟨头痛⟩和发热", "昨天头痛了", "头痛"),
        ("ひどい⟨頭痛⟩がある", "また頭痛がした", "頭痛"),
        ("มี⟨ปวดหัว⟩มาก", "ไม่ปวดหัวแล้ว", "ปวดหัว"),
        ("他用⟨NAC⟩治疗", "用NAC治疗", "NAC"),
        ("한 ⟨두통⟩ 도", "한 두통이 도", None),
        ("他用⟨NAC⟩治疗", "用NACX治疗", None),
    ],
)
def test_scripts_without_blanks_have_no_longer_words(annotated: str, bare: str, missed: str | None) -> None:
    assert texts("missed-surface", *[marked(annotated)] * 6, Document(bare)) == [missed] * (missed is not None)


def test_the_longest_string_is_the_one_that_is_missed() -> None:
    failure = [marked("⟨failure⟩ of it")] * 4
    renal = [marked("⟨acute renal failure⟩")] * 4
    assert texts("missed-surface", *failure, *renal, Document("Acute  renal failure")) == ["Acute  renal failure"]


def test_words_of_two_sentences_are_no_string() -> None:
    renal = [marked("⟨renal failure⟩")] * 4
    assert texts("missed-surface", *renal, Document("It was renal\n\nFailure came")) == []


def test_the_case_of_short_capitals_matters() -> None:
    leukaemia = [marked("⟨ALL⟩ came back")] * 4
    assert texts("missed-surface", *leukaemia, Document("all came"), Document("ALL again")) == ["ALL"]


@pytest.mark.parametrize("text", ["⟨5⟩ days", "⟨>⟩ days", "⟨x⟩ days", "⟨20%⟩ days"])
def test_symbols_and_figures_are_not_missed(text: str) -> None:
    document = marked(text)
    assert texts("missed-surface", *[document] * 4, Document(document.text)) == []


def test_mentions_with_a_gap_are_no_strings_to_look_for() -> None:
    assert texts("missed-surface", *[joined("⟨back⟩ or so ⟨pain⟩")] * 4, Document("back pain")) == []


def test_two_labels_of_one_place_count_once() -> None:
    both = Document("nausea", [("ADR", [(0, 6)]), ("Drug", [(0, 6)])])
    assert texts("missed-surface", *[both] * 3, Document("nausea")) == []


def test_another_label_than_everywhere_else_is_found() -> None:
    usual = [marked("⟨ASA⟩ again", "Drug")] * 4
    (finding,) = found("label-differs", *usual, marked("⟨ASA⟩ here"))
    assert finding.message == "ADR 'ASA' is Drug in 4 of 5 mentions"


def test_a_place_with_two_labels_is_two_mentions() -> None:
    both = Document("ASA", [("Drug", [(0, 3)]), ("Test", [(0, 3)])])
    (finding,) = found("label-differs", *[marked("⟨ASA⟩", "Drug")] * 8, both, marked("⟨ASA⟩"))
    assert finding.message == "ADR 'ASA' is Drug in 9 of 11 mentions"


def test_a_label_is_only_expected_when_it_is_usual() -> None:
    usual, other = marked("⟨ASA⟩ again", "Drug"), marked("⟨ASA⟩ again")
    assert texts("label-differs", *[usual] * 3, other) == []
    assert texts("label-differs", *[usual] * 7, *[other] * 2) == []
    assert texts("label-differs", *[usual] * 8, *[other] * 2) == ["ASA"] * 2


def test_a_place_that_has_the_usual_label_too_is_fine() -> None:
    usual = [marked("⟨surgery⟩", "Procedure")] * 8
    both = Document("surgery", [("Procedure", [(0, 7)]), ("Reference", [(0, 7)])])
    assert texts("label-differs", *usual, both) == []


def test_strings_with_gaps_have_usual_labels_too() -> None:
    usual = [joined("⟨drug⟩ or alcohol ⟨abuse⟩", "Condition")] * 4
    assert texts("label-differs", *usual, marked("⟨drug abuse⟩")) == ["drug abuse"]
