"""How uncertain a model is, by hand and by properties."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import load
from disconer.passage import WordMention
from disconer.recognizer import as_document
from disconer.schemes import GridScheme
from disconer.schemes.grid import EdgeCell, Grids, SegmentCell, SegmentTag
from disconer.suggest.uncertainty import DECODED_THRESHOLDS, Uncertainty, entropy, measure, measure_sentences
from tests.strategies import word_mentions

SCHEMES = [GridScheme().with_min_score(threshold) for threshold in DECODED_THRESHOLDS]


def of_single(probabilities: Mapping[tuple[int, int], float]) -> Uncertainty:
    cells = {SegmentCell("ADR", SegmentTag.SINGLE, *place): value for place, value in probabilities.items()}
    return measure(Grids(cells, {}), SCHEMES)


def of_parts(nodes: float, edges: float) -> Uncertainty:
    """Measure the uncertainty of `joint … pain`, two parts and what joins them."""
    scheme, parts = GridScheme(), ((0, 0), (3, 3))
    tags = zip((SegmentTag.BEGIN, SegmentTag.INSIDE), parts, strict=True)
    segments = {SegmentCell("ADR", tag, *place): nodes for tag, place in tags}
    return measure(Grids(segments, dict.fromkeys(scheme.edge_cells("ADR", *parts), edges)), SCHEMES)


def test_what_is_certain_is_not_in_doubt() -> None:
    assert of_single({(0, 1): 1.0}).total == 0
    assert of_parts(1.0, 1.0).total == 0
    assert of_single({}) == Uncertainty(0, 0, 0, {})


def test_a_whole_mention_is_in_doubt_as_a_node_and_as_a_mention() -> None:
    found = of_single({(1, 2): 0.5})
    assert (found.nodes, found.edges) == (1, 0)
    assert found.cliques == pytest.approx(entropy(0.5))
    assert found.words == pytest.approx({1: 1.0, 2: 1.0})


def test_certain_parts_whose_edge_is_not_are_in_doubt() -> None:
    found = of_parts(nodes=1.0, edges=0.5)
    assert (found.nodes, found.edges) == (0, 1)
    assert found.cliques == pytest.approx(1)
    assert found.words == pytest.approx({0: 1.0, 3: 1.0})


def test_an_edge_counts_as_far_as_its_parts_are_there() -> None:
    assert of_parts(nodes=0.5, edges=0.5).edges == pytest.approx(0.25)


def test_cliques_are_in_doubt_where_mentions_may_combine() -> None:
    """Three parts, of which two pairs belong together for certain, and the third perhaps: one mention or two."""
    parts = ((0, 0), (2, 2), (4, 4))
    scheme = GridScheme()
    segments = {SegmentCell("ADR", SegmentTag.INSIDE, *part): 1.0 for part in parts}
    edges: dict[EdgeCell, float] = {}
    for one, other, probability in ((0, 1, 1.0), (1, 2, 1.0), (0, 2, 0.5)):
        edges |= dict.fromkeys(scheme.edge_cells("ADR", parts[one], parts[other]), probability)
    found = measure(Grids(segments, edges), SCHEMES)
    assert found.edges == pytest.approx(1)
    assert found.cliques == pytest.approx(3)  # the mention of all three, and each of the two that it is otherwise


@given(st.lists(word_mentions(12), max_size=4))
def test_gold_is_never_in_doubt(mentions: list[WordMention]) -> None:
    scheme = GridScheme()
    assert measure(scheme.encode(mentions), SCHEMES).total == 0


@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(5, 9)), st.floats(0.01, 1), max_size=6))
def test_the_words_share_all_bits(probabilities: dict[tuple[int, int], float]) -> None:
    found = of_single(probabilities)
    assert sum(found.words.values()) == pytest.approx(found.total)
    assert all(0 <= word <= 9 for word in found.words)


def test_every_sentence_has_its_own_doubt_whatever_stands_beside_it(model_folder: object) -> None:
    recognizer = load(str(model_folder))
    sentences = as_document("Severe joint and back pain. Nausea after 20 mg of Zoloric! No rash.").sentences
    together = measure_sentences(recognizer.engine, sentences)
    for sentence, found in zip(sentences, together, strict=True):
        (alone,) = measure_sentences(recognizer.engine, [sentence])
        assert alone.total == pytest.approx(found.total, rel=1e-3)
        assert set(found.words) <= set(range(len(sentence.words)))
    assert all(found.nodes > 0 for found in together)
