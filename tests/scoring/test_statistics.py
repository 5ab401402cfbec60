from pathlib import Path

import pytest
from hypothesis import given

from disconer import Document, Split, read
from disconer.schemes import GridScheme, TagSet
from disconer.scoring import statistics
from tests.strategies import documents

KEYS = [
    "sentences", "words", "mentions", "discontinuous", "percent_discontinuous", "overlap", "interval", "span",
    "fragments", "labels", "segment_length", "widened", "cross_sentence", "oracle", "oracle_words",
]  # fmt: skip


def test_counts_a_small_corpus() -> None:
    text = "Severe joint and shoulder pain.\n\nNausea"
    document = Document(
        text,
        [
            ("ADR", [(0, 12), (26, 30)]),
            ("ADR", [(0, 6), (17, 30)]),
            ("ADR", [(33, 37)]),  # cuts "Nausea"
            ("ADR", [(0, 6), (33, 39)]),  # crosses the sentences
            ("Grade", [(0, 6)]),
            ("Grade", [(0, 6)]),
        ],
    )
    figures = statistics([document]).as_json()
    assert set(KEYS) <= set(figures)
    assert {key: figures[key] for key in ("documents", "sentences", "words", "mentions", "discontinuous")} == {
        "documents": 1,
        "sentences": 2,
        "words": 7,
        "mentions": 5,
        "discontinuous": 3,
    }
    assert figures["percent_discontinuous"] == pytest.approx(60)
    assert figures["fragments"] == {"1": 2, "2": 3}
    assert figures["labels"] == {"ADR": 4, "Grade": 1}
    assert figures["segment_length"] == {"max": 2, "p99": 2, "p999": 2}
    assert (figures["widened"], figures["cross_sentence"]) == (1, 1)
    assert figures["overlap"] == {"no": 0, "left": 0, "right": 0, "multi": 3, "inner": 0}
    # Of five mentions four are expressed, one of them widened; and heads and tails of the first two combine into
    # two mentions nobody drew, "Severe … pain" and "Severe joint … shoulder pain".
    assert figures["oracle"]["all"] == pytest.approx(2 * 3 / (5 + 6))
    assert figures["oracle_words"]["all"] == pytest.approx(2 * 4 / (5 + 6))
    assert figures["oracle"]["disc_mentions"] == pytest.approx(2 * 2 / (3 + 4))


def test_an_empty_corpus_is_all_zeros() -> None:
    figures = statistics([]).as_json()
    assert figures["mentions"] == 0
    assert figures["segment_length"] == {"max": 0, "p99": 0, "p999": 0}
    assert figures["oracle"] == {"all": 0.0, "disc_mentions": 0.0}


def test_the_length_that_a_share_does_not_exceed() -> None:
    words = "w " * 100
    mentions = [("X", [(0, 2 * length - 1)]) for length in range(1, 101)]
    counted = statistics([Document(words, mentions)])
    assert [counted.segment_length(share) for share in (0.5, 0.99, 0.991, 1)] == [50, 99, 100, 100]


def test_a_sentence_too_complicated_for_the_budget_is_counted() -> None:
    document = Document("a b c", [("X", [(0, 1), (4, 5)])])
    assert statistics([document]).as_json()["oracle_cut"] == 0
    assert statistics([document], GridScheme(budget=1)).as_json()["oracle_cut"] == 1


def test_the_ceiling_depends_on_the_scheme() -> None:
    document = Document("a b c", [("X", [(0, 1), (4, 5)]), ("X", [(0, 1)])])
    assert statistics([document]).as_json()["oracle"]["all"] == 1
    assert statistics([document], GridScheme(TagSet.ONE)).as_json()["oracle"]["all"] < 1


@given(documents())
def test_breakdowns_add_up(document: Document) -> None:
    figures = statistics([document]).as_json()
    for name in ("overlap", "interval", "span"):
        assert sum(figures[name].values()) == figures["discontinuous"]
    assert sum(figures["fragments"].values()) == sum(figures["labels"].values()) == figures["mentions"]
    assert figures["oracle"]["all"] <= 1


@pytest.mark.parametrize(
    ("corpus", "file", "sentences", "mentions", "discontinuous"),
    [
        ("tac2017_adr", "train", 12_239, 12_961, 846),
        ("tac2017_adr", "dev", 1_088, 1_144, 86),
        ("chia", "train", 10_146, 33_556, 1_471),
        ("chia", "dev", 1_228, 4_118, 179),
        ("craft", "train", 14_341, 46_772, 917),
        ("craft", "dev", 2_780, 9_710, 154),
    ],
)
def test_agrees_with_the_record_of_real_corpora(
    corpora: Path, corpus: str, file: str, sentences: int, mentions: int, discontinuous: int
) -> None:
    counted = statistics(read(corpora / corpus / f"{file}.jsonl"))
    assert (counted.sentences, counted.mentions, counted.discontinuous) == (sentences, mentions, discontinuous)
    assert counted.segment_length(0.999) <= 17
    assert 0.93 <= counted.fragments[2] / counted.discontinuous <= 1
    assert counted.oracle_words.all.f1 > 0.998
    assert counted.oracle_words.disc_mentions.f1 > 0.95


def test_whole_documents_give_the_same_figures_as_their_sentences(corpora: Path) -> None:
    folder = corpora / "tac2017_adr"
    sentences = statistics(read(folder / "dev.jsonl"))
    whole = statistics(read(folder / "documents.dev.jsonl", split=Split.ALWAYS))
    assert whole.mentions == sentences.mentions
    assert whole.breakdowns == sentences.breakdowns
