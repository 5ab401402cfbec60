"""Rules about where mentions begin and end, about gaps, and about copies."""

import pytest

from disconer import Document
from disconer.document import Mention
from disconer.tokenize import Layout
from tests.checking.given import found, joined, marked, texts


@pytest.mark.parametrize("text", ["bad ⟨pain ⟩now", "bad⟨ pain⟩", "⟨pain\u200b⟩ now", "⟨\ufeffpain⟩", "⟨pain\r\n⟩now"])
def test_a_blank_at_an_edge_is_found(text: str) -> None:
    assert len(texts("blank-edge", marked(text))) == 1


@pytest.mark.parametrize("text", ["⟨bad pain⟩ now", "⟨🏴󠁧󠁢󠁥󠁮󠁧󠁿⟩", "⟨می‌خواهم⟩"])
def test_blanks_and_invisible_characters_inside_a_mention_are_fine(text: str) -> None:
    assert texts("blank-edge", marked(text)) == []


def test_a_blank_at_an_edge_of_any_fragment_is_found_once() -> None:
    assert texts("blank-edge", joined("⟨bad ⟩neck and ⟨back ⟩pain")) == ["bad  back "]


@pytest.mark.parametrize(
    ("text", "cut"),
    [("bad ⟨pai⟩n", "'pain'"), ("⟨ad pain⟩", None), ("b⟨ad⟩ pain", "'bad'"), ("b⟨ad pai⟩n", "'bad' and 'pain'")],
)
def test_cut_words_are_named(text: str, cut: str | None) -> None:
    says = [finding.message for finding in found("cuts-word", marked(text))]
    assert [message.split(" cuts ")[1] for message in says] == ([] if cut is None else [cut])


@pytest.mark.parametrize("text", ["⟨neck⟩-pain", "⟨BMP⟩4", "⟨RNA⟩s", "⟨pain ⟩now", "⟨Hb⟩A1c"])
def test_parts_that_are_words_of_their_own_are_fine(text: str) -> None:
    assert texts("cuts-word", marked(text)) == []


def test_given_words_say_what_a_word_is() -> None:
    layout = Layout("neck-pain", ((0, 9),))
    assert texts("cuts-word", Document(layout, [("ADR", [(0, 4)])])) == ["neck"]


def test_a_prefix_that_is_left_out_everywhere_is_a_habit() -> None:
    words = ["natal", "operative", "partum", "menopausal"]
    cut = [marked(f"post⟨{word}⟩ care") for word in words]
    assert texts("cuts-word", *cut) == words
    assert texts("cuts-word", *cut, marked("Post⟨traumatic⟩ care")) == []


def test_a_single_letter_that_is_left_out_is_no_habit() -> None:
    assert len(texts("cuts-word", *[marked("⟨statin⟩s")] * 9)) == 9


@pytest.mark.parametrize(
    "text", ["⟨back pain,⟩ too", "⟨back pain;⟩ too", "see⟨: back pain⟩", "no⟨, pain⟩", "bad ⟨back pain.⟩", "so⟨.⟩ Then"]
)
def test_stray_punctuation_is_found(text: str) -> None:
    assert len(texts("punctuation-edge", marked(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "⟨E. coli⟩ was found",
        "⟨(+)-catechin⟩ in tea",
        "took ⟨.5 mg⟩ of it",
        "it was ⟨i.v.⟩",
        "a kind of ⟨Staphylococcus spp.⟩",
        "⟨Ca2+⟩ and ⟨5'⟩ and ⟨>3⟩ and ⟨20%⟩",
        "⟨Back pain.⟩",
        "Feeling sick.\n\n⟨Back pain.⟩\n\nNothing else.",
        "exclude ⟨those who cannot read, write, speak or understand English.⟩",
    ],
)
def test_punctuation_that_belongs_to_a_mention_is_fine(text: str) -> None:
    assert texts("punctuation-edge", marked(text)) == []


def test_a_mention_outside_all_sentences_does_no_harm() -> None:
    layout = Layout("pain. rest", given_sentences=())
    assert texts("punctuation-edge", Document(layout, [("ADR", [(0, 5)])])) == []


@pytest.mark.parametrize(
    ("text", "bracket"),
    [("liver ⟨failure)⟩", "')'"), ("⟨cancer (HCC⟩) and", "'('"), ("⟨(a) pain]⟩ x", "']'"), ("⟨“odd⟩” x", "'“'")],
)
def test_half_a_pair_of_brackets_is_found(text: str, bracket: str) -> None:
    (finding,) = found("half-bracket", marked(text))
    assert f"holds {bracket} without" in finding.message


@pytest.mark.parametrize(
    "text", ["⟨failure (liver)⟩", "⟨[1, 5)⟩", "⟨3) bleeding⟩", "⟨iv) bleeding⟩", "(⟨pain⟩)", "⟨1)⟩ pain"]
)
def test_whole_brackets_and_numbers_of_lists_are_fine(text: str) -> None:
    assert texts("half-bracket", marked(text)) == []


def test_brackets_may_close_in_another_fragment() -> None:
    assert texts("half-bracket", joined("⟨pain (⟩bad or ⟨mild)⟩")) == []


def test_a_text_that_is_not_the_one_at_the_offsets_is_found() -> None:
    layout = Layout("Bad back pain")
    spans = [(4, 8), (9, 13)]
    mentions = [Mention("ADR", [span], layout, extras={"text": text}) for span in spans for text in ("back", 7)]
    (finding,) = found("text-differs", Document(layout, mentions))
    assert finding.message == "ADR 'pain' is 'back' in its file"


@pytest.mark.parametrize(
    ("text", "written", "here", "there"),
    [
        ("pain " * 30 + "here", "pain " * 30 + "there", "'…pain pain here'", "'…pain pain there'"),
        ("p" * 100, "p" * 101, "'…pppppppppp'", "'…ppppppppppp'"),
        ("x" + "p" * 99, "y" + "p" * 99, f"'x{'p' * 49}…'", f"'y{'p' * 49}…'"),
    ],
)
def test_long_texts_are_shown_where_they_differ(text: str, written: str, here: str, there: str) -> None:
    layout = Layout(text)
    mention = Mention("ADR", [(0, len(text))], layout, extras={"text": written})
    (finding,) = found("text-differs", Document(layout, [mention]))
    assert finding.message == f"ADR {here} is {there} in its file"
    assert (finding.as_json()["text"], finding.as_json()["file_text"]) == (text, written)


def test_texts_are_compared_without_regard_to_spacing() -> None:
    layout = Layout("Bad back\n  pain")
    assert (
        texts("text-differs", Document(layout, [Mention("ADR", [(4, 15)], layout, extras={"text": "back pain"})])) == []
    )


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
