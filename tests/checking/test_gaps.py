"""Rules about gaps."""

import pytest

from disconer import Document
from tests.checking.given import found, joined, texts


@pytest.mark.parametrize("text", ["⟨neuro⟩-⟨pathy⟩", "⟨grade⟩ >= ⟨3⟩", "⟨pain⟩, ⟨bad⟩", "⟨pain⟩\u200b⟨bad⟩"])
def test_a_gap_without_a_word_is_found(text: str) -> None:
    assert len(texts("empty-gap", joined(text))) == 1


@pytest.mark.parametrize("text", ["⟨left⟩ and right ⟨hip⟩", "(⟨ES⟩) ⟨cells⟩", "⟨grade⟩ 3/⟨4⟩", "⟨bad pain⟩"])
def test_a_gap_that_leaves_something_out_is_fine(text: str) -> None:
    assert texts("empty-gap", joined(text)) == []


def test_a_wide_gap_is_found_from_eight_words_on() -> None:
    assert texts("wide-gap", joined("⟨worsening⟩ one two three four five six seven ⟨gout⟩")) == []
    (finding,) = found("wide-gap", joined("⟨worsening⟩ one two three, four five six seven ⟨gout⟩"))
    assert finding.message == "ADR 'worsening … gout' has a gap of 8 words"


def test_a_remark_in_brackets_explains_a_gap() -> None:
    assert texts("wide-gap", joined("⟨liver⟩ (one two three four five six seven) ⟨failure⟩")) == []


def test_a_coordination_explains_a_gap() -> None:
    text = "renal, hepatic, cardiac, thyroid, pulmonary or splenic disease"
    first, last = ("ADR", [(0, 5), (55, 62)]), ("ADR", [(47, 62)])
    assert texts("wide-gap", Document(text, [first])) == ["renal disease"]
    assert texts("wide-gap", Document(text, [first, last])) == []
    assert texts("wide-gap", Document(text, [first, ("Other", last[1])])) == ["renal disease"]
