"""W2NER's relations: paths from head to tail, judged with networkx, and bounded whatever a model says."""

from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import InputError
from disconer.passage import WordMention
from disconer.schemes import WordPairScheme
from disconer.schemes.masks import runs
from disconer.schemes.word_pairs import LabelledTail, WordRelations
from tests.strategies import word_mentions

SENTENCES = st.sets(word_mentions(9), max_size=6)
JOINT_PAIN = WordMention("ADR", ((0, 1), (4, 4)))
SHOULDER_PAIN = WordMention("ADR", ((0, 0), (3, 4)))
PROBABILITIES = st.floats(0.01, 1)
WORDS = st.integers(0, 7)


def whole(mentions: Iterable[WordMention]) -> set[WordMention]:
    """See mentions as runs of words that do not touch."""
    return {
        WordMention(label, runs(sum((1 << last + 1) - (1 << first) for first, last in own))) for label, own in mentions
    }


def judged(relations: WordRelations) -> dict[WordMention, float]:
    """Say, with networkx, which mentions relations make, and how probable the least probable part of each is."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(10))
    graph.add_edges_from(pair for pair in relations.following if pair[0] < pair[1])
    found: dict[WordMention, float] = {}
    for (tail, head), (label, score) in relations.tails.items():
        paths = [[head]] if head == tail else nx.all_simple_paths(graph, head, tail)
        for path in paths if head <= tail else ():
            steps = [relations.following[pair] for pair in pairwise(path)]
            found[WordMention(label, runs(sum(1 << word for word in path)))] = min([score, *steps])
    return found


def test_words_lead_to_the_next_and_the_last_one_to_the_first() -> None:
    relations = WordPairScheme().encode([JOINT_PAIN, WordMention("Drug", ((2, 2),))])
    assert relations.following == {(0, 1): 1.0, (1, 4): 1.0}
    assert relations.tails == {(4, 0): LabelledTail("ADR", 1.0), (2, 2): LabelledTail("Drug", 1.0)}


def test_a_coordination_comes_back() -> None:
    assert set(WordPairScheme().oracle([JOINT_PAIN, SHOULDER_PAIN]).mentions) == {JOINT_PAIN, SHOULDER_PAIN}


def test_mentions_that_share_a_word_in_the_middle_combine() -> None:
    one, other = WordMention("A", ((0, 0), (2, 3), (5, 5))), WordMention("A", ((0, 0), (3, 5)))
    neither = {WordMention("A", ((0, 0), (2, 5))), WordMention("A", ((0, 0), (3, 3), (5, 5)))}
    assert set(WordPairScheme().oracle([one, other]).mentions) == {one, other} | neither


def test_of_labels_that_want_the_same_pair_of_words_the_first_is_kept() -> None:
    mentions = [WordMention("B", ((0, 0), (2, 2))), WordMention("A", ((0, 2),)), WordMention("A", ((0, 0), (2, 2)))]
    assert set(WordPairScheme().oracle(mentions[:2]).mentions) == {mentions[1]}  # and nothing is left of the other
    assert set(WordPairScheme().oracle(mentions).mentions) == set(mentions[1:])


@given(st.lists(word_mentions(9), min_size=1, max_size=1))
def test_a_single_mention_is_never_lost(mentions: list[WordMention]) -> None:
    assert set(WordPairScheme().oracle(mentions).mentions) == whole(mentions)


@given(SENTENCES)
def test_everything_annotated_is_found_but_for_labels_that_want_the_same_pair(mentions: set[WordMention]) -> None:
    found = set(WordPairScheme().oracle(mentions).mentions)
    kept = {
        one for one in whole(mentions)
        if not any(
            other.label < one.label
            and (other.segments[0][0], other.segments[-1][1]) == (one.segments[0][0], one.segments[-1][1])
            for other in whole(mentions)
        )
    }  # fmt: skip
    assert kept <= found
    assert found == set(judged(WordPairScheme().encode(mentions)))


@given(
    st.dictionaries(st.tuples(WORDS, WORDS), PROBABILITIES, max_size=20),
    st.dictionaries(st.tuples(WORDS, WORDS), st.builds(LabelledTail, st.sampled_from("AB"), PROBABILITIES), max_size=6),
    st.floats(0, 1),
)
def test_mentions_are_the_paths_and_a_score_is_that_of_the_least_probable_part(
    following: dict[tuple[int, int], float], tails: dict[tuple[int, int], LabelledTail], lowest: float
) -> None:
    relations = WordRelations(following, tails)
    decoding = WordPairScheme(mention_threshold=lowest).decode(relations)
    assert decoding.complete
    assert decoding.mentions == {mention: score for mention, score in judged(relations).items() if score >= lowest}


def everything(words: int) -> WordRelations:
    """The relations of a model that is entirely confused."""
    pairs = [(one, other) for one in range(words) for other in range(words)]
    return WordRelations(
        {pair: 0.5 + 0.1 / (1 + sum(pair)) for pair in pairs if pair[0] < pair[1]},
        {pair: LabelledTail("A", 0.9) for pair in pairs if pair[0] >= pair[1]},
    )


def test_a_grid_of_everything_is_cut_and_says_so() -> None:
    for scheme in (WordPairScheme(), WordPairScheme().quick()):
        decoding = scheme.decode(everything(70))
        assert not decoding.complete
        assert 0 < len(decoding.mentions) <= scheme.budget
    few = WordPairScheme(most_relations=3).decode(
        WordRelations({}, {(n, n): LabelledTail("A", 1 / (1 + n)) for n in range(5)})
    )
    assert (set(few.mentions), few.complete) == ({WordMention("A", ((n, n),)) for n in range(3)}, False)


def test_the_best_mentions_come_before_the_budget_is_used_up() -> None:
    relations = everything(40)
    sure = {(0, 7): 0.95, (7, 39): 0.94}
    relations = WordRelations({**relations.following, **sure}, {(39, 0): LabelledTail("A", 0.99)})
    decoding = WordPairScheme(budget=60).decode(relations)
    assert next(iter(decoding.mentions.items())) == (WordMention("A", ((0, 0), (7, 7), (39, 39))), 0.94)


def test_a_confused_tail_does_not_keep_certain_mentions_from_being_found() -> None:
    following = {(one, other): 0.35 for one in range(30) for other in range(one + 1, 30)} | {(31, 33): 0.98}
    tails = {(29, 0): LabelledTail("A", 0.99), (33, 31): LabelledTail("A", 0.98), (35, 35): LabelledTail("A", 0.97)}
    decoding = WordPairScheme(budget=1_000).decode(WordRelations(following, tails))
    assert list(decoding.mentions.items())[:2] == [
        (WordMention("A", ((31, 31), (33, 33))), 0.98), (WordMention("A", ((35, 35),)), 0.97),
    ]  # fmt: skip
    assert not decoding.complete


def test_what_is_looked_at_counts_as_well_as_what_is_followed() -> None:
    chain = {(word, word + 1): 1.0 for word in range(3_000)}
    tails = {(tail, 0): LabelledTail("A", 1.0) for tail in range(2_000, 3_000)}
    decoding = WordPairScheme(most_relations=5_000).decode(WordRelations(chain, tails))
    assert not decoding.complete
    quick = WordPairScheme(budget=10, most_relations=5).quick()
    assert (quick.budget, quick.most_relations) == (10, 5)


def test_a_tail_that_nothing_leads_to_costs_nothing() -> None:
    following = {(one, other): 0.9 for one in range(30) for other in range(one + 1, 30)}
    relations = WordRelations(following, {(40, 0): LabelledTail("A", 0.9), (3, 3): LabelledTail("A", 0.8)})
    assert WordPairScheme(budget=4).decode(relations).mentions == {WordMention("A", ((3, 3),)): 0.8}


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"most_relations": 1.5}, {"mention_threshold": 1.5}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        WordPairScheme(**wrong)  # type: ignore[arg-type]
