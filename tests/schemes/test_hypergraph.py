from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError
from disconer.passage import WordMention
from disconer.schemes import HypergraphScheme, Interpretation
from disconer.schemes.hypergraph import Graph, Links, Node, walk_mention
from disconer.schemes.masks import runs, word_mask
from tests.strategies import word_mentions

SENTENCES = st.sets(word_mentions(7), max_size=5)


def merged(mentions: set[WordMention], components: int) -> set[WordMention]:
    """See mentions as runs of words that do not touch, without those of too many."""
    found = {WordMention(label, runs(word_mask(segments))) for label, segments in mentions}
    return {mention for mention in found if len(mention.segments) <= components}


def test_a_mention_is_a_path_through_components_and_gaps() -> None:
    graph = HypergraphScheme().encode([WordMention("A", ((1, 2), (5, 5)))])["A"]
    assert graph.starts == {1: 1.0}
    assert graph.links == {
        Node(1, 0, is_gap=False): {Links.INSIDE: 1.0},
        Node(2, 0, is_gap=False): {Links.GAP: 1.0},
        Node(3, 0, is_gap=True): {Links.GAP: 1.0},
        Node(4, 0, is_gap=True): {Links.INSIDE: 1.0},
        Node(5, 1, is_gap=False): {Links.END: 1.0},
    }


def test_mentions_share_nodes() -> None:
    mentions = [WordMention("A", ((0, 0), (2, 2))), WordMention("A", ((0, 1),)), WordMention("A", ((0, 0),))]
    links = HypergraphScheme().encode(mentions)["A"].links[Node(0, 0, is_gap=False)]
    assert set(links) == {Links.INSIDE, Links.GAP, Links.END}


def test_paths_that_cross_at_a_node_can_be_read_in_two_ways() -> None:
    """Two ways lead to a node and two lead on: four paths, of which two are enough to walk every link."""
    first, second = WordMention("A", ((0, 0), (3, 4))), WordMention("A", ((1, 1), (3, 3), (5, 5)))
    everything = HypergraphScheme(interpretation=Interpretation.ALL).oracle([first, second]).mentions
    few = HypergraphScheme(interpretation=Interpretation.COVER).oracle([first, second]).mentions
    assert {first, second} < set(everything)
    assert len(everything) == 4
    assert len(few) == 2


def test_mentions_of_too_many_components_are_left_out() -> None:
    three = WordMention("A", ((0, 0), (2, 2), (4, 4)))
    assert set(HypergraphScheme(components=3).oracle([three]).mentions) == {three}
    assert HypergraphScheme(components=2).oracle([three]).mentions == {}


@given(SENTENCES, st.integers(1, 4))
def test_all_paths_hold_every_mention(mentions: set[WordMention], components: int) -> None:
    scheme = HypergraphScheme(components, Interpretation.ALL)
    assert merged(mentions, components) <= set(scheme.oracle(mentions).mentions)


@given(SENTENCES)
def test_few_paths_walk_every_link_and_are_no_more_than_the_mentions(mentions: set[WordMention]) -> None:
    scheme = HypergraphScheme(components=4)
    graphs = scheme.encode(mentions)
    few = scheme.decode(graphs).mentions
    again = scheme.encode(few)
    assert again == graphs
    assert len(few) <= len(merged(mentions, 4))


@given(st.lists(word_mentions(6), min_size=1, max_size=1))
def test_a_single_mention_is_never_lost(mentions: list[WordMention]) -> None:
    for interpretation in Interpretation:
        scheme = HypergraphScheme(9, interpretation)
        assert set(scheme.oracle(mentions).mentions) == merged(set(mentions), 9)


def test_a_score_is_the_probability_of_the_path() -> None:
    graph = Graph({0: 0.5})
    for node, link in walk_mention(((0, 0), (2, 2))):
        graph.links[node][link] = 0.9
    decoding = HypergraphScheme().decode({"A": graph})
    assert decoding.mentions == pytest.approx({WordMention("A", ((0, 0), (2, 2))): 0.5 * 0.9**3})
    assert HypergraphScheme(mention_threshold=0.4).decode({"A": graph}).mentions == {}


@pytest.mark.parametrize("interpretation", Interpretation)
def test_a_graph_of_everything_is_cut_and_says_so(interpretation: Interpretation) -> None:
    mentions = {
        WordMention("A", tuple((word, word) for word in words))
        for size in (1, 2, 3)
        for words in combinations(range(0, 40, 2), size)
    }
    graphs = HypergraphScheme().encode(mentions)
    decoding = HypergraphScheme(interpretation=interpretation, budget=50).decode(graphs)
    assert not decoding.complete
    assert decoding.mentions


@pytest.mark.parametrize("fields", [{"components": 0}, {"budget": 0}, {"interpretation": "none"}])
def test_settings_that_make_no_sense_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InputError):
        HypergraphScheme(**fields)  # type: ignore[arg-type]
