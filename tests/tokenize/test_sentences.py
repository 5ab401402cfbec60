from pathlib import Path

import pytest
from hypothesis import given

from disconer import Split, read
from disconer.tokenize import split_sentences
from tests.strategies import TEXTS


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\r\n ", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Rare, e.g. in children, i.e. Those under 5.", ["Rare, e.g. in children, i.e. Those under 5."]),
        ("See Fig. 3 and No. 5. Then stop.", ["See Fig. 3 and No. 5.", "Then stop."]),
        ("He said no. Then left.", ["He said no.", "Then left."]),
        ("Take 5.1 mg b.i.d. with food.", ["Take 5.1 mg b.i.d. with food."]),
        ("Dr. J. Smith saw him. OK.", ["Dr. J. Smith saw him.", "OK."]),
        ("It was hepatitis B. Patients died.", ["It was hepatitis B.", "Patients died."]),
        ("my knees hurt. it went away", ["my knees hurt.", "it went away"]),
        ("awful!!! never again", ["awful!!!", "never again"]),
        ("my legs ... and arms… hurt.. so bad", ["my legs ... and arms… hurt.. so bad"]),
        ("it hurt... Then it stopped", ["it hurt...", "Then it stopped"]),
        ("Seen on Jan. 5, by Smith et al. 2010.", ["Seen on Jan. 5, by Smith et al. 2010."]),
        ("Take max. 5 mg q.d. 3 times.", ["Take max. 5 mg q.d. 3 times."]),
        ("It began in May. 3 days later it ended.", ["It began in May.", "3 days later it ended."]),
        ('"Stop." She left. (Later.) Gone', ['"Stop."', "She left.", "(Later.)", "Gone"]),
        ("Rare. (  5.1  ) Monitor.", ["Rare. (  5.1  )", "Monitor."]),
        ("头痛。恶心！没有", ["头痛。", "恶心！", "没有"]),
    ],
)
def test_ends_sentences_where_people_do(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5.1 Liver injury\n\nHepatitis occurred", ["5.1 Liver injury", "Hepatitis occurred"]),
        ("Reported:\n* nausea\n* back pain", ["Reported:", "* nausea", "* back pain"]),
        ("1. Adults\n2. Children", ["1. Adults", "2. Children"]),
        ("nausea\nvomiting\nback pain", ["nausea", "vomiting", "back pain"]),
        ("one\r\n\r\ntwo\rthree", ["one", "two", "three"]),
        ("PAST MEDICAL HISTORY\nhypertension and a heart attack in 2010", [
            "PAST MEDICAL HISTORY",
            "hypertension and a heart attack in 2010",
        ]),
        ("Nausea           12%       3%\nback pain         4%       1%", [
            "Nausea           12%       3%",
            "back pain         4%       1%",
        ]),
    ],
)  # fmt: skip
def test_knows_headings_lists_and_tables(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_joins_the_lines_of_wrapped_prose() -> None:
    note = (
        "The patient is a 66-year-old man with a history of coronary\n"
        "disease and of diabetes who was seen by the service of\n"
        "Cardiology for pain in the chest. He was sent home after\n"
        "Tuesday with aspirin. He came back."
    )
    assert [sentence.replace("\n", " ") for sentence in sentences(note)] == [
        "The patient is a 66-year-old man with a history of coronary disease and of diabetes who was seen by the "
        "service of Cardiology for pain in the chest.",
        "He was sent home after Tuesday with aspirin.",
        "He came back.",
    ]


def test_a_line_that_had_room_for_the_next_word_was_meant_to_end() -> None:
    post = "my back hurts\nso bad that I could not sleep at all for three whole nights\nWeak legs too"
    assert sentences(post) == post.split("\n")


@pytest.mark.parametrize("hostile", [".", "e.g. ", "A. ", ". (1", "。", " ", "a\n", "((", "1", "x.y", "\t", "AB"])
def test_hostile_texts_take_no_more_than_their_length(hostile: str) -> None:
    """Anything worse than linear would keep this test from ever ending."""
    text = hostile * (1_000_000 // len(hostile)) + "x"
    covered = sum(end - start for start, end in split_sentences(text))
    assert 0 < covered <= len(text)


@given(TEXTS)
def test_sentences_hold_everything_but_white_space(text: str) -> None:
    found = split_sentences(text)
    covered = [index for start, end in found for index in range(start, end)]
    assert covered == sorted(set(covered))
    assert not "".join(text[index] for index in set(range(len(text))) - set(covered)).strip()
    assert all(text[start:end] == text[start:end].strip() for start, end in found)


def test_loses_under_one_percent_of_real_mentions(corpora: Path) -> None:
    documents = list(read(corpora / "tac2017_adr" / "documents.dev.jsonl", split=Split.ALWAYS))
    crossing = sum(len(document.cross_sentence) for document in documents)
    mentions = sum(len(document.unique_mentions) for document in documents)
    print(f"{crossing} of {mentions} mentions cross a sentence boundary")  # noqa: T201
    assert mentions == 1144
    assert crossing < 0.01 * mentions
    # Not by never splitting: there are about as many sentences as in the corpus' own sentence file.
    assert sum(len(document.sentences) for document in documents) > 1000
