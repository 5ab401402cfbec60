from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError
from disconer.passage import WordMention
from disconer.schemes import SegmentScheme
from disconer.schemes.segments import LabelledSegment, SegmentPair, SegmentScores
from tests.strategies import word_mentions

SENTENCES = st.sets(word_mentions(9), max_size=6)
JOINT_PAIN = WordMention("ADR", ((0, 1), (4, 4)))
SHOULDER_PAIN = WordMention("ADR", ((0, 0), (3, 3), (4, 4)))


def test_segments_and_the_pairs_that_lie_in_one_mention() -> None:
    segments = SegmentScheme().encode([JOINT_PAIN])
    assert segments == SegmentScores(
        {LabelledSegment("ADR", 0, 1): 1.0, LabelledSegment("ADR", 4, 4): 1.0},
        {SegmentPair("ADR", (0, 1), (4, 4)): 1.0},
    )


def test_three_fragments_merge_when_all_pairs_do() -> None:
    assert set(SegmentScheme().oracle([SHOULDER_PAIN]).mentions) == {SHOULDER_PAIN}
    broken = SegmentScheme().encode([SHOULDER_PAIN])
    without = {pair: 1.0 for pair in broken.merges if pair.left != (0, 0) or pair.right != (4, 4)}
    found = SegmentScheme().decode(SegmentScores(broken.segments, without)).mentions
    assert {mention.segments for mention in found} == {((0, 0), (3, 3)), ((3, 3), (4, 4))}


def test_a_segment_that_merges_with_none_is_a_mention() -> None:
    lone = WordMention("ADR", ((2, 3),))
    assert set(SegmentScheme().oracle([lone]).mentions) == {lone}


def test_a_mention_that_is_also_a_part_of_another_is_lost() -> None:
    part = WordMention("ADR", ((4, 4),))
    assert set(SegmentScheme().oracle([JOINT_PAIN, part]).mentions) == {JOINT_PAIN}


def judged(mentions: set[WordMention]) -> set[WordMention]:
    """Say, with networkx, which mentions the segments of each label make."""
    found = set()
    for label in {mention.label for mention in mentions}:
        graph = nx.Graph()
        for _, segments in (mention for mention in mentions if mention.label == label):
            graph.add_nodes_from(segments)
            graph.add_edges_from(combinations(segments, 2))
        found |= {WordMention(label, tuple(sorted(clique))) for clique in nx.find_cliques(graph)}
    return found


@given(SENTENCES)
def test_mentions_are_the_cliques_of_what_merges(mentions: set[WordMention]) -> None:
    assert set(SegmentScheme().oracle(mentions).mentions) == judged(mentions)


def test_thresholds_decide_what_counts_and_the_least_certain_part_is_the_score() -> None:
    spans = {LabelledSegment("A", 0, 0): 0.8, LabelledSegment("A", 2, 2): 0.6, LabelledSegment("A", 5, 5): 0.4}
    segments = SegmentScores(spans, {SegmentPair("A", (0, 0), (2, 2)): 0.55})
    assert SegmentScheme().decode(segments).mentions == {WordMention("A", ((0, 0), (2, 2))): 0.55}
    apart = SegmentScheme(merge_threshold=0.6).decode(segments).mentions
    assert apart == {WordMention("A", ((0, 0),)): 0.8, WordMention("A", ((2, 2),)): 0.6}
    assert SegmentScheme().count(segments) == 2


def test_too_many_segments_are_cut_and_it_says_so() -> None:
    spans = {LabelledSegment("A", word, word): 1 - word / 100 for word in range(0, 20, 2)}
    decoding = SegmentScheme(most_segments=3).decode(SegmentScores(spans, {}))
    assert set(decoding.mentions) == {WordMention("A", ((word, word),)) for word in (0, 2, 4)}
    assert not decoding.complete


@pytest.mark.parametrize("fields", [{"budget": 0}, {"most_segments": 0}, {"merge_threshold": 0.0}])
def test_settings_that_make_no_sense_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(InputError):
        SegmentScheme(**fields)  # type: ignore[arg-type]
