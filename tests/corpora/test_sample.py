"""The sample corpus: that it has what it is made for, and is the same everywhere."""

import re
from functools import cache
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, Mention, write
from disconer.corpora.sample import FORUM, LABEL, SIZES, sample
from disconer.corpora.sample.effects import FORUM_EFFECTS, LABEL_EFFECTS, Effects
from disconer.corpora.sample.phrases import Choices, Writer, distribute, phrase
from disconer.corpora.sample.words import DRUGS, words
from disconer.scoring import statistics

PINNED = "3d3860dc407e0e40f20a2c0638d4903bce8be701696edfa91af0970cb3ffdc88"
"""The hash of the files of seed 0, split after split: whoever changes the corpus on purpose changes it too."""
SEEDS = (0, 1, 2)
SEPARATE = ("graded_and_whole", "whole_and_graded", "compound_and_whole", "whole_and_compound", "begun_and_whole",
            "compound_and_graded_head", "felt_somewhere_and_whole", "compound_and_felt_somewhere")  # fmt: skip


made = cache(sample)


@pytest.fixture(params=SEEDS)
def corpus(request: pytest.FixtureRequest) -> dict[str, list[Document]]:
    return made(request.param)


@pytest.fixture(params=list(product(SEEDS, SIZES)), ids=lambda param: f"{param[1]} {param[0]}")
def split(request: pytest.FixtureRequest) -> list[Document]:
    seed, name = request.param
    return made(seed)[name]


def test_the_splits_have_their_sizes_and_ids(corpus: dict[str, list[Document]]) -> None:
    assert {name: len(documents) for name, documents in corpus.items()} == {"train": 1500, "dev": 250, "test": 250}
    assert [document.id for document in corpus["dev"]] == [f"dev-{number}" for number in range(1, 251)]


def test_every_document_says_that_it_is_invented(split: list[Document]) -> None:
    assert all(document.extras == {"invented": True} for document in split)


def test_a_seed_gives_the_same_bytes_everywhere(tmp_path: Path) -> None:
    digest = sha256()
    for name, documents in sample(seed=0).items():
        write(documents, tmp_path / f"{name}.jsonl")
        digest.update((tmp_path / f"{name}.jsonl").read_bytes())
    assert digest.hexdigest() == PINNED


def test_seeds_give_different_corpora() -> None:
    starts = {tuple(document.text for document in sample(seed)["test"][:5]) for seed in (-1, 0, 1, 2)}
    assert len(starts) == 4


def test_no_sentence_comes_twice(corpus: dict[str, list[Document]]) -> None:
    texts = [document.text.lower().rstrip(".!") for documents in corpus.values() for document in documents]
    assert len(set(texts)) == len(texts)


def test_every_kind_of_discontinuous_mention_is_in_every_split(split: list[Document]) -> None:
    figures = statistics(split).as_json()
    assert 10 < figures["percent_discontinuous"] < 15
    assert min(figures["overlap"].values()) >= 2
    assert min(*figures["interval"].values(), *figures["span"].values()) >= 1
    assert figures["fragments"]["3"] >= 2
    assert list(figures["fragments"]) == ["1", "2", "3"]


def test_mentions_are_whole_words_of_one_sentence_and_the_scheme_can_express_nearly_all(split: list[Document]) -> None:
    figures = statistics(split).as_json()
    assert figures["sentences"] == figures["documents"]
    assert figures["widened"] == figures["cross_sentence"] == figures["oracle_cut"] == 0
    assert figures["oracle_words"]["all"] >= 0.99
    assert figures["oracle_words"]["disc_mentions"] >= 0.95


def test_mentions_are_short_and_long_and_nested(split: list[Document]) -> None:
    lengths = {len(mention.word_indices) for document in split for mention in document}
    assert lengths >= {1, 2, 3, 4, 5, 6}
    nested = {
        inner.label == outer.label
        for document in split
        for inner, outer in product(document, document)
        if not outer.is_discontinuous and set(inner.word_indices) < set(outer.word_indices)
    }
    assert nested == {True, False}


def test_many_sentences_have_no_mention_or_none_with_a_gap(split: list[Document]) -> None:
    assert sum(not document.mentions for document in split) > 0.1 * len(split)
    assert sum(any(mention.is_discontinuous for mention in document) for document in split) < 0.25 * len(split)


def test_many_coordinations_are_not_to_be_combined(split: list[Document]) -> None:
    assert sum(map(is_coordination_of_wholes, split)) > 0.1 * len(split)


def is_coordination_of_wholes(document: Document) -> bool:
    """Tell whether "and" stands between two mentions of a label, and no mention has a gap."""
    ordered = sorted(document, key=lambda mention: mention.start)
    joined = (document.text[one.end : other.start] == " and " for one, other in pairwise(ordered))
    return any(joined) and not any(mention.is_discontinuous for mention in document)


@pytest.mark.parametrize("name", SEPARATE)
@pytest.mark.parametrize("effects", [FORUM_EFFECTS, LABEL_EFFECTS], ids=["forum", "label"])
def test_what_does_not_distribute_makes_two_mentions(effects: Effects, name: str) -> None:
    writer = Writer("any", is_training=False)
    for _ in range(50):
        said = getattr(effects, name)(writer)
        document = said.document(said.text, "1")
        adrs = [mention for mention in document if mention.label == "ADR"]
        assert " and ".join(mention.text for mention in adrs) == said.text
        assert len(adrs) == 2


def test_some_words_and_patterns_are_kept_out_of_training(corpus: dict[str, list[Document]]) -> None:
    texts = {name: "\n".join(document.text for document in documents).lower() for name, documents in corpus.items()}
    for name, text in texts.items():
        unseen = [drug.text for drug in DRUGS.unseen if drug.text.lower() in text]
        assert len(unseen) == (0 if name == "train" else len(DRUGS.unseen))
    for template in (*FORUM.unseen, *LABEL.unseen):
        longest = max(re.split(r"{\w+}", template), key=len).strip(" .").lower()
        assert [name for name, text in texts.items() if longest in text] == ["dev", "test"]


def test_text_reads_like_sentences(split: list[Document]) -> None:
    for document in split:
        assert not re.search(r"[{}]|  | [,.!?%]|\b(\w+) \1\b|\b(the|another) an?\b", document.text), document.text
        assert document.text == document.text.strip()


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True), min_size=1, max_size=3))
def test_distributed_makes_a_mention_of_every_choice(groups: list[list[str]]) -> None:
    said = distribute("X", *(part for group in groups for part in ([phrase(word) for word in group], " - ")))
    document = said.document(said.text, "1")
    assert sorted(mention.text for mention in document) == sorted(" ".join(choice) for choice in product(*groups))
    assert document.text == "".join(listing(group) + " - " for group in groups)


def listing(group: list[str]) -> str:
    return " and ".join([", ".join(group[:-1]), group[-1]]) if len(group) > 1 else group[0]


def test_mentions_inside_what_distributes_are_kept() -> None:
    said = distribute("X", [phrase("a")], " ", distribute("Y", [phrase("b")]), " ", [phrase("c")])
    found: list[Mention] = list(said.document(said.text, "1"))
    assert {(mention.label, mention.text) for mention in found} == {("X", "a c"), ("Y", "b")}


def test_a_writer_deals_everything_before_it_repeats() -> None:
    choices = Choices(tuple(range(10)), (10, 11))
    for is_training, items in ((True, range(10)), (False, range(12))):
        writer = Writer("any", is_training)
        for _ in range(20):
            assert sorted(writer.pick(choices) for _ in items) == list(items)
        assert all(one != other for one, other in pairwise(writer.pick(choices) for _ in range(200)))
        assert all(len(set(writer.pick_several(choices, 4))) == 4 for _ in range(50))


def test_words_are_read_with_their_number() -> None:
    read = words("lower back,\n knees+", "hip")
    assert [(entry.text, entry.is_plural) for entry in read.common] == [("lower back", False), ("knees", True)]
    assert [entry.text for entry in read.unseen] == ["hip"]
