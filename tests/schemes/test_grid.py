import random
from collections.abc import Iterable
from itertools import combinations
from math import exp, log

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from disconer import InputError
from disconer.passage import Segment, WordMention
from disconer.schemes import EdgeRule, EdgeSet, GridScheme, LoneNode, Singles, TagSet
from disconer.schemes.grid import EdgeCell, EdgeTag, Grids, SegmentCell, SegmentTag
from tests.strategies import word_mentions

# Severe joint , shoulder and upper body pain .
JOINT_PAIN = WordMention("ADE", ((0, 1), (7, 7)))
SHOULDER_PAIN = WordMention("ADE", ((0, 0), (3, 3), (7, 7)))
UPPER_BODY_PAIN = WordMention("ADE", ((0, 0), (5, 7)))
UPPER_BODY = WordMention("POB", ((5, 6),))
JOINT = WordMention("POB", ((1, 1),))
PAPER = {JOINT_PAIN, SHOULDER_PAIN, UPPER_BODY_PAIN, UPPER_BODY, JOINT}
SENTENCES = st.sets(word_mentions(9), max_size=6)


def expressed(mentions: set[WordMention], scheme: GridScheme | None = None) -> set[WordMention]:
    decoding = (scheme or GridScheme()).oracle(mentions)
    assert decoding.complete
    return set(decoding.mentions)


def co_membership(mentions: set[WordMention], label: str) -> nx.Graph:
    """The segments of a label's discontinuous mentions, joined when they lie in one mention."""
    graph = nx.Graph()
    for mention in mentions:
        if mention.label == label and len(mention.segments) > 1:
            graph.add_edges_from(combinations(mention.segments, 2))
    return graph


def is_unambiguous(mentions: set[WordMention]) -> bool:
    """Judge, without the scheme's own code, whether DESIGN says that nothing may be lost."""
    for label in {mention.label for mention in mentions}:
        graph = co_membership(mentions, label)
        cliques = {tuple(sorted(clique)) for clique in nx.find_cliques(graph)}
        if cliques != {
            mention.segments for mention in mentions if mention.label == label and len(mention.segments) > 1
        }:
            return False
        segments = list(graph)
        if any(len({segment[end] for segment in segments}) < len(segments) for end in (0, 1)):
            return False
    return True


class TestEncode:
    def test_tags_the_example_of_the_paper(self) -> None:
        grids = GridScheme().encode(PAPER)
        assert set(grids.segments) == {
            SegmentCell("ADE", SegmentTag.BEGIN, 0, 1),
            SegmentCell("ADE", SegmentTag.BEGIN, 0, 0),
            SegmentCell("ADE", SegmentTag.INSIDE, 3, 3),
            SegmentCell("ADE", SegmentTag.INSIDE, 5, 7),
            SegmentCell("ADE", SegmentTag.INSIDE, 7, 7),
            SegmentCell("POB", SegmentTag.SINGLE, 5, 6),
            SegmentCell("POB", SegmentTag.SINGLE, 1, 1),
        }
        heads = {(cell.source, cell.target) for cell in grids.edges if cell.tag is EdgeTag.HEAD}
        tails = {(cell.source, cell.target) for cell in grids.edges if cell.tag is EdgeTag.TAIL}
        assert heads == {(0, 7), (7, 0), (0, 3), (3, 0), (3, 7), (7, 3), (0, 5), (5, 0)}
        assert tails == {(1, 7), (7, 1), (0, 3), (3, 0), (3, 7), (7, 3), (0, 7), (7, 0)}
        assert {cell.label for cell in grids.edges} == {"ADE"}

    def test_the_ends_of_gaps_may_be_tagged_too(self) -> None:
        grids = GridScheme(edges=EdgeSet.GAPS).encode(PAPER)
        gaps = {(cell.source, cell.target) for cell in grids.edges if cell.tag is EdgeTag.GAP}
        assert gaps == {(1, 7), (0, 3), (0, 7), (3, 7), (0, 5)}
        rest = {cell: score for cell, score in grids.edges.items() if cell.tag is not EdgeTag.GAP}
        assert rest == GridScheme().encode(PAPER).edges

    def test_one_class_has_one_tag(self) -> None:
        grids = GridScheme(TagSet.ONE).encode(PAPER)
        assert {cell.tag for cell in grids.segments} == {SegmentTag.ANY}

    @given(SENTENCES)
    def test_the_edge_target_is_symmetric(self, mentions: set[WordMention]) -> None:
        edges = GridScheme().encode(mentions).edges
        assert all(edge._replace(source=edge.target, target=edge.source) in edges for edge in edges)


class TestRoundTrip:
    @given(SENTENCES, st.sampled_from(EdgeSet))
    @example(PAPER - {UPPER_BODY_PAIN}, EdgeSet.ENDS)
    def test_is_exact_wherever_nothing_is_ambiguous(self, mentions: set[WordMention], edges: EdgeSet) -> None:
        decoded = expressed(mentions, GridScheme(edges=edges))
        if is_unambiguous(mentions):
            assert decoded == mentions
        # Ambiguous or not: continuous mentions are never lost, and what was joined stays joined.
        assert {mention for mention in mentions if len(mention.segments) == 1} <= decoded
        for mention in mentions:
            assert any(
                mention.label == found.label and set(mention.segments) <= set(found.segments) for found in decoded
            )

    def test_many_random_sentences_are_unambiguous_and_exact(self) -> None:
        generator = random.Random(7)
        exact = 0
        for _ in range(3000):
            mentions = {random_mention(generator, words=14) for _ in range(generator.randint(1, 4))}
            if is_unambiguous(mentions):
                exact += 1
                assert expressed(mentions) == mentions
                assert expressed(mentions, GridScheme(lone_node=LoneNode.MENTION)) == mentions
                assert expressed(mentions, GridScheme(edge_rule=EdgeRule.MEAN)) == mentions
                assert expressed(mentions, GridScheme(edges=EdgeSet.GAPS)) == mentions
        assert exact > 1000

    def test_what_the_scheme_cannot_express_is_known(self) -> None:
        # Three mentions of two segments each whose segments are joined pair by pair make one triangle.
        triangle = {WordMention("X", pair) for pair in combinations(((0, 0), (2, 2), (4, 4)), 2)}
        assert expressed(triangle) == {WordMention("X", ((0, 0), (2, 2), (4, 4)))}
        # H2H of one mention and T2T of another combine into edges that nobody drew.
        joint, shoulder = WordMention("X", ((0, 1), (4, 4))), WordMention("X", ((0, 0), (3, 4)))
        spurious = {WordMention("X", ((0, 0), (4, 4))), WordMention("X", ((0, 1), (3, 4)))}
        assert not is_unambiguous({joint, shoulder})
        assert expressed({joint, shoulder}) == {joint, shoulder, *spurious}
        assert expressed({joint, shoulder}, GridScheme(edges=EdgeSet.GAPS)) == {joint, shoulder}

    def test_tagged_gaps_express_the_example_of_the_paper(self) -> None:
        assert expressed(PAPER) != PAPER
        assert expressed(PAPER, GridScheme(edges=EdgeSet.GAPS)) == PAPER

    @given(SENTENCES)
    def test_tagged_gaps_only_take_edges_away_that_nobody_drew(self, mentions: set[WordMention]) -> None:
        """A graph of the test's own: the pairs of segments that all three tags speak for."""
        scheme = GridScheme(edges=EdgeSet.GAPS)
        discontinuous = {mention for mention in mentions if len(mention.segments) > 1}
        found = {mention for mention in expressed(discontinuous, scheme) if len(mention.segments) > 1}
        for label in {mention.label for mention in discontinuous}:
            drawn = [pair for m in discontinuous if m.label == label for pair in combinations(m.segments, 2)]
            heads = {(a[0], b[0]) for a, b in drawn}
            tails = {(a[1], b[1]) for a, b in drawn}
            gaps = {(a[1], b[0]) for a, b in drawn}
            graph = nx.Graph(
                (a, b)
                for a, b in combinations(sorted({segment for pair in drawn for segment in pair}), 2)
                if a[1] < b[0] and (a[0], b[0]) in heads and (a[1], b[1]) in tails and (a[1], b[0]) in gaps
            )
            assert all(graph.has_edge(*pair) for pair in drawn)
            cliques = {WordMention(label, tuple(sorted(clique))) for clique in nx.find_cliques(graph)}
            assert {mention for mention in found if mention.label == label} == cliques

    def test_a_long_text_has_more_segments_than_a_confused_model_may(self) -> None:
        starts = range(0, 800, 4)
        mentions = {WordMention("X", ((start, start), (start + 2, start + 2))) for start in starts}
        assert expressed(mentions) == mentions

    def test_a_span_that_is_a_mention_and_a_part_of_one_is_kept_unless_there_is_one_class(self) -> None:
        mentions = {WordMention("X", ((0, 0), (3, 3))), WordMention("X", ((3, 3),))}
        assert expressed(mentions) == mentions
        assert expressed(mentions, GridScheme(TagSet.ONE)) == {WordMention("X", ((0, 0), (3, 3)))}

    @given(SENTENCES)
    def test_one_class_decodes_like_the_papers_first_algorithm(self, mentions: set[WordMention]) -> None:
        grids = GridScheme(TagSet.ONE).encode(mentions)
        decoded = expressed(mentions, GridScheme(TagSet.ONE))
        assert {(mention.label, words_of(mention.segments)) for mention in decoded} == algorithm_1(grids)


@given(SENTENCES)
def test_with_singles_in_the_graph_three_classes_decode_like_the_papers_first_algorithm_too(
    mentions: set[WordMention],
) -> None:
    scheme = GridScheme(singles=Singles.GRAPH)
    decoded = scheme.decode(scheme.encode(mentions)).mentions
    found = {(mention.label, words_of(mention.segments)) for mention in decoded}
    assert found == algorithm_1(scheme.encode(mentions))


def test_a_single_that_is_a_part_of_another_mention_is_lost_in_the_graph_and_only_there() -> None:
    mentions = {WordMention("X", ((0, 0), (3, 3))), WordMention("X", ((3, 3),))}
    assert set(GridScheme().oracle(mentions).mentions) == mentions
    assert set(GridScheme(singles=Singles.GRAPH).oracle(mentions).mentions) == {WordMention("X", ((0, 0), (3, 3)))}


def random_mention(generator: random.Random, words: int) -> WordMention:
    cuts = sorted(generator.sample(range(words + 1), 2 * generator.randint(1, 3)))
    segments = tuple((start, end - 1) for start, end in zip(cuts[::2], cuts[1::2], strict=True))
    return WordMention(generator.choice("AB"), segments)


def words_of(segments: Iterable[Segment]) -> tuple[int, ...]:
    return tuple(sorted({word for first, last in segments for word in range(first, last + 1)}))


def algorithm_1(grids: Grids) -> set[tuple[str, tuple[int, ...]]]:
    """Transcribe the paper's Algorithm 1, label by label, with networkx for Algorithm 2."""
    entities = set()
    for label in {cell.label for cell in grids.segments}:
        graph = nx.Graph()
        graph.add_nodes_from((cell.first, cell.last) for cell in grids.segments if cell.label == label)
        for s in graph:
            for g in graph:
                heads, tails = EdgeCell(label, EdgeTag.HEAD, s[0], g[0]), EdgeCell(label, EdgeTag.TAIL, s[1], g[1])
                if s != g and heads in grids.edges and tails in grids.edges:
                    graph.add_edge(s, g)
        entities |= {(label, words_of(clique)) for clique in nx.find_cliques(graph)}
    return entities


def node(first: int, last: int, tag: SegmentTag = SegmentTag.INSIDE) -> SegmentCell:
    return SegmentCell("X", tag, first, last)


def edge(source: Segment, target: Segment, head: float, tail: float) -> dict[EdgeCell, float]:
    return {
        EdgeCell("X", EdgeTag.HEAD, source[0], target[0]): head,
        EdgeCell("X", EdgeTag.TAIL, source[1], target[1]): tail,
    }


def test_choices_may_be_given_by_their_names() -> None:
    by_name = GridScheme("one", "mention", "mean")  # type: ignore[arg-type]
    assert by_name == GridScheme(TagSet.ONE, LoneNode.MENTION, EdgeRule.MEAN)
    assert by_name.tags is TagSet.ONE
    with pytest.raises(InputError, match="tags must be one of bis, one, not 'two'"):
        GridScheme("two")  # type: ignore[arg-type]


class TestDecode:
    a, b, c = (0, 0), (2, 3), (5, 5)

    def test_a_score_is_the_minimum_over_nodes_and_edges(self) -> None:
        segments = {node(*self.a): 0.9, node(*self.b): 0.8, node(*self.c): 0.95}
        edges = edge(self.a, self.b, 0.7, 0.99) | edge(self.b, self.c, 0.9, 0.9) | edge(self.a, self.c, 0.6, 0.75)
        decoding = GridScheme().decode(Grids(segments, edges))
        assert decoding.mentions == {WordMention("X", (self.a, self.b, self.c)): 0.6}
        assert decoding.complete

    def test_the_better_direction_of_an_edge_counts(self) -> None:
        segments = {node(*self.a): 0.9, node(*self.b): 0.9}
        edges = edge(self.a, self.b, 0.6, 0.55) | edge(self.b, self.a, 0.8, 0.7)
        assert GridScheme().decode(Grids(segments, edges)).mentions == {WordMention("X", (self.a, self.b)): 0.7}

    def test_heads_and_tails_must_pass_in_the_same_direction(self) -> None:
        segments = {node(*self.a): 0.9, node(*self.b): 0.9}
        edges = edge(self.a, self.b, 0.9, 0.1) | edge(self.b, self.a, 0.1, 0.9)
        assert GridScheme().decode(Grids(segments, edges)).mentions == {}

    def test_the_mean_of_two_directions_is_that_of_their_logits(self) -> None:
        segments = {node(*self.a): 1.0, node(*self.b): 1.0}
        edges = edge(self.a, self.b, 0.9, 0.9) | edge(self.b, self.a, 0.2, 0.9)
        ((_, score),) = GridScheme(edge_rule=EdgeRule.MEAN).decode(Grids(segments, edges)).mentions.items()
        logit = (log(0.9 / 0.1) + log(0.2 / 0.8)) / 2
        assert score == pytest.approx(1 / (1 + exp(-logit)))
        assert GridScheme(edge_rule=EdgeRule.MEAN, edge_threshold=0.7).decode(Grids(segments, edges)).mentions == {}

    def test_two_routes_to_one_mention_give_the_higher_score(self) -> None:
        segments = {node(0, 0, SegmentTag.SINGLE): 0.6, node(0, 0): 0.8}
        decoding = GridScheme(lone_node=LoneNode.MENTION).decode(Grids(segments, {}))
        assert decoding.mentions == {WordMention("X", ((0, 0),)): 0.8}

    def test_a_node_tagged_twice_has_its_better_score(self) -> None:
        segments = {node(*self.a, SegmentTag.BEGIN): 0.9, node(*self.a): 0.6, node(*self.b): 0.8}
        assert list(GridScheme().decode(Grids(segments, edge(self.a, self.b, 1, 1))).mentions.values()) == [0.8]

    def test_a_lone_node_is_nothing_or_a_mention(self) -> None:
        grids = Grids({node(0, 1, SegmentTag.BEGIN): 0.7}, {})
        assert GridScheme().decode(grids).mentions == {}
        assert GridScheme(lone_node=LoneNode.MENTION).decode(grids).mentions == {WordMention("X", ((0, 1),)): 0.7}

    def test_nodes_that_share_a_word_get_no_edge_unless_there_is_one_class(self) -> None:
        edges = edge((0, 1), (1, 2), 1.0, 1.0)
        assert GridScheme().decode(Grids({node(0, 1): 1.0, node(1, 2): 1.0}, edges)).mentions == {}
        one_class = {node(0, 1, SegmentTag.ANY): 1.0, node(1, 2, SegmentTag.ANY): 1.0}
        assert GridScheme(TagSet.ONE).decode(Grids(one_class, edges)).mentions == {WordMention("X", ((0, 2),)): 1.0}

    def test_labels_do_not_mix(self) -> None:
        segments = {node(*self.a): 1.0, SegmentCell("Y", SegmentTag.INSIDE, *self.b): 1.0}
        assert GridScheme().decode(Grids(segments, edge(self.a, self.b, 1.0, 1.0))).mentions == {}

    def test_thresholds_are_reached_not_exceeded(self) -> None:
        grids = Grids({node(*self.a): 0.5, node(*self.b): 0.5}, edge(self.a, self.b, 0.5, 0.5))
        assert len(GridScheme().decode(grids).mentions) == 1
        assert not GridScheme(node_threshold=0.51).decode(grids).mentions
        assert not GridScheme(edge_threshold=0.51).decode(grids).mentions
        whole = Grids({SegmentCell("X", SegmentTag.SINGLE, *self.a): 0.5}, {})
        assert len(GridScheme(node_threshold=0.51).decode(whole).mentions) == 1
        assert not GridScheme(segment_threshold=0.51).decode(whole).mentions

    @pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1])
    def test_refuses_a_threshold_that_everything_or_nothing_reaches(self, threshold: float) -> None:
        with pytest.raises(InputError):
            GridScheme(segment_threshold=threshold)
        with pytest.raises(InputError):
            GridScheme(node_threshold=threshold)
        with pytest.raises(InputError):
            GridScheme(edge_threshold=threshold)

    @pytest.mark.parametrize("limits", [{"budget": 0}, {"most_nodes": -1}])
    def test_refuses_limits_that_leave_nothing(self, limits: dict[str, int]) -> None:
        with pytest.raises(InputError, match="from 1 on"):
            GridScheme(**limits)  # type: ignore[arg-type]

    def test_a_dense_graph_is_cut_and_says_so(self) -> None:
        parts = [[(3 * part + place, 3 * part + place) for place in range(3)] for part in range(20)]
        segments = {node(*segment): 0.9 for part in parts for segment in part}
        edges: dict[EdgeCell, float] = {}
        for one, other in combinations(parts, 2):
            for source in one:
                for target in other:
                    edges |= edge(source, target, 0.9, 0.9)
        decoding = GridScheme(budget=1000).decode(Grids(segments, edges))
        assert not decoding.complete
        assert 0 < len(decoding.mentions) <= 1000

    def test_more_nodes_than_allowed_are_cut_to_the_best_and_it_says_so(self) -> None:
        segments = {node(word, word): 0.5 + word / 100 for word in range(0, 40, 2)}
        scheme = GridScheme(lone_node=LoneNode.MENTION, most_nodes=5)
        decoding = scheme.decode(Grids(segments, {}))
        assert not decoding.complete
        assert {mention.segments[0][0] for mention in decoding.mentions} == {30, 32, 34, 36, 38}
