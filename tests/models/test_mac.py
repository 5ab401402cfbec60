"""Mac against the paper's equations, in double precision, values and gradients."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from disconer.exceptions import InputError
from disconer.models.mac.grid_builder import pair_vectors
from disconer.models.mac.network import Mac
from disconer.models.mac.pairs import Concatenation, ConditionalLayerNorm
from disconer.models.settings import InnerKind, LearnedEdges, MacSettings, PairKind
from disconer.passage import WordMention
from disconer.schemes import EdgeSet, GridScheme, LoneNode, TagSet
from disconer.schemes.grid import EdgeCell, SegmentCell, SegmentTag
from tests.models import literal
from tests.models.given import WIDTH, GivenVectors, give, random_sentences

LABELS = ("ADR", "Drug")


def model_of(
    longest: int = 4,
    pairs: PairKind = PairKind.CLN,
    inner: InnerKind = InnerKind.LSTM,
    length_embedding: bool = True,
    words: bool = True,
    tags: TagSet = TagSet.BIS,
    edges: EdgeSet = EdgeSet.ENDS,
    learned_edges: LearnedEdges = LearnedEdges.ALL,
    labels: Sequence[str] = LABELS,
) -> Mac:
    """Make a small model in which nothing is zero."""
    sizes = MacSettings(
        width=5,
        pairs=pairs,
        inner=inner,
        length_embedding=length_embedding,
        words=words,
        learned_edges=learned_edges,
        longest_segment=longest,
        dropout=0.0,
    )
    model = Mac(GivenVectors(), labels, GridScheme(tags, edges=edges), sizes).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


MENTIONS = [
    [
        WordMention("ADR", ((0, 1), (3, 3))),
        WordMention("ADR", ((2, 3),)),
        WordMention("Drug", ((0, 0), (2, 2), (4, 4))),
    ],
    [WordMention("Drug", ((0, 0),))],
    [],
]
ABLATIONS: list[dict[str, object]] = [
    {},
    {"tags": TagSet.ONE},
    {"length_embedding": False},
    {"words": False},
    {"pairs": PairKind.CONCATENATION},
    {"inner": InnerKind.NONE},
    {"inner": InnerKind.SCAN},
    {"edges": EdgeSet.GAPS},
    {"edges": EdgeSet.GAPS, "learned_edges": LearnedEdges.SEGMENTS},
    {"pairs": PairKind.CONCATENATION, "learned_edges": LearnedEdges.SEGMENTS},
]


@pytest.mark.parametrize("changes", ABLATIONS, ids=str)
@pytest.mark.parametrize("longest", [2, 9])
def test_loss_and_gradients_are_the_papers(changes: dict[str, object], longest: int) -> None:
    torch.manual_seed(0)
    model = model_of(longest, **changes)  # type: ignore[arg-type]
    sentences = random_sentences(5, 1, 3)
    batch = give(model, sentences)
    vectors = cast("GivenVectors", model.encoder).vectors
    ours = model.loss(batch, [model.targets(mentions, 99) for mentions in MENTIONS])
    parameters = [*model.parameters()]
    our_gradients = torch.autograd.grad(ours, parameters)
    theirs = literal.loss(model, [vectors[:5], vectors[5:6], vectors[6:]], MENTIONS)  # type: ignore[arg-type]
    their_gradients = torch.autograd.grad(theirs, parameters)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-9)
    for one, other in zip(our_gradients, their_gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9)


@given(st.integers(1, 8), st.integers(1, 9), st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_a_square_of_logits_is_the_literal_formula_whichever_way_is_cheaper(length: int, tags: int, seed: int) -> None:
    torch.manual_seed(seed)
    words = torch.randn(2, length, WIDTH, dtype=torch.double)
    classifier = nn.Linear(WIDTH, tags).double()
    for module in (ConditionalLayerNorm(WIDTH).double(), Concatenation(WIDTH).double()):
        for parameter in module.parameters():
            nn.init.normal_(parameter)
        square = module.square(words, classifier)
        for sentence, i, j in product(range(2), range(length), range(length)):
            vector = literal.pair(module, words[sentence, i], words[sentence, j])
            torch.testing.assert_close(square[sentence, i, j], classifier(vector), rtol=1e-9, atol=1e-9)


def test_conditional_layer_norm_begins_as_layer_norm() -> None:
    words = torch.randn(4, WIDTH)
    module = ConditionalLayerNorm(WIDTH)
    parts = tuple(part.detach().numpy() for part in module.parts(words))
    vectors = pair_vectors(PairKind.CLN, parts, np.array([0, 3]), np.array([1, 1]))
    expected = nn.functional.layer_norm(words[1], (WIDTH,), eps=1e-6)
    torch.testing.assert_close(torch.from_numpy(vectors), expected.expand(2, WIDTH))


@given(st.integers(1, 12), st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_a_band_of_logits_is_the_literal_formula_whichever_way_is_cheaper(
    length: int, longest: int, tags: int, seed: int
) -> None:
    torch.manual_seed(seed)
    words = torch.randn(length, WIDTH, dtype=torch.double)
    weight = torch.randn(tags, WIDTH, dtype=torch.double)
    for module in (ConditionalLayerNorm(WIDTH).double(), Concatenation(WIDTH).double()):
        for parameter in module.parameters():
            nn.init.normal_(parameter)
        band = module.band(words, longest, weight)
        assert band.shape == (longest, length, tags)
        for steps, first in product(range(longest), range(length)):
            if first + steps < length:
                vector = literal.pair(module, words[first], words[first + steps])
                torch.testing.assert_close(band[steps, first], weight @ vector, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("changes", ABLATIONS, ids=str)
def test_prediction_reads_the_same_grids_that_training_writes(changes: dict[str, object]) -> None:
    torch.manual_seed(1)
    model = model_of(3, **changes).eval()  # type: ignore[arg-type]
    sentences = random_sentences(6, 2)
    scheme = model.scheme.with_thresholds(segment=0.4, node=0.3, edge=0.5)
    for words, grids in zip(sentences, model.outputs(give(model, sentences), scheme), strict=True):
        expected = {
            SegmentCell(label, tag, first, last): probability.item()
            for first in range(len(words))
            for last in range(first, min(first + 3, len(words)))
            for (label, tag), probability in zip(
                model.tags.segments, literal.segment_logits(model, words, first, last).sigmoid(), strict=True
            )
            if probability >= scheme.threshold(tag)
        }
        assert grids.segments.keys() == expected.keys()
        assert grids.segments == pytest.approx(expected, abs=1e-9)
        for cell, probability in grids.edges.items():
            logits = literal.edge_logits(model, words, cell.source, cell.target)
            assert probability == pytest.approx(logits[model.tags.edges.index((cell.label, cell.tag))].sigmoid().item())


@pytest.mark.parametrize("edges", EdgeSet)
def test_every_edge_that_decoding_could_read_is_computed(edges: EdgeSet) -> None:
    torch.manual_seed(2)
    model = model_of(3, edges=edges).eval()
    words = random_sentences(7)
    sparse = model.outputs(give(model, words), model.scheme.with_min_score(0.3))[0]
    everything = {
        EdgeCell(label, tag, i, j): literal.edge_logits(model, words[0], i, j)[column].sigmoid().item()
        for i, j in product(range(7), range(7))
        for column, (label, tag) in enumerate(model.tags.edges)
    }
    for lone_node in LoneNode:
        scheme = replace(model.scheme, lone_node=lone_node).with_min_score(0.3)
        full = scheme.decode(type(sparse)(sparse.segments, everything))
        assert any(len(mention.segments) > 1 for mention in full.mentions)
        assert scheme.decode(sparse).mentions == pytest.approx(dict(full.mentions), abs=1e-9)


@pytest.mark.parametrize("inner", InnerKind)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 4), st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_a_sentence_does_not_depend_on_its_neighbours(
    inner: InnerKind, lengths: list[int], longest: int, seed: int
) -> None:
    torch.manual_seed(seed)
    model = model_of(longest, inner=inner).eval()
    sentences = random_sentences(*lengths)
    scheme = model.scheme.with_min_score(0.3)
    together = model.outputs(give(model, sentences), scheme)
    for words, grids in zip(sentences, together, strict=True):
        alone = model.outputs(give(model, [words]), scheme)[0]
        assert grids.segments == pytest.approx(dict(alone.segments), abs=1e-12)
        assert grids.edges == pytest.approx(dict(alone.edges), abs=1e-12)
    losses = [model.loss(give(model, [words]), [model.targets([], 99)]).item() for words in sentences]
    whole = model.loss(give(model, sentences), [model.targets([], 99) for _ in sentences]).item()
    assert whole == pytest.approx(sum(losses) / len(losses), rel=1e-9)


def test_segments_beyond_the_limit_are_masked() -> None:
    """The band's loss is the full grid's, less the cells outside the band."""
    torch.manual_seed(3)
    model, wide = model_of(2), model_of(5)
    wide.load_state_dict({**model.state_dict(), "length.weight": torch.zeros(5, 5).double()}, strict=False)
    wide.length = model.length = None
    sentences = random_sentences(5)
    mentions = [WordMention("ADR", ((0, 3),)), WordMention("ADR", ((1, 2),))]
    narrow_loss = model.loss(give(model, sentences), [model.targets(mentions, 99)])
    assert narrow_loss.item() < wide.loss(give(wide, sentences), [wide.targets(mentions, 99)]).item()
    without = model.loss(give(model, sentences), [model.targets(mentions[1:], 99)])
    assert narrow_loss.item() == without.item()


def test_a_sentence_without_any_node_has_no_edge() -> None:
    model = model_of(words=False).eval()
    with torch.no_grad():
        model.segment_classifier.weight.zero_()
        for column, (_, tag) in enumerate(model.tags.segments):
            model.segment_classifier.bias[column] = 9.0 if tag is SegmentTag.SINGLE else -9.0
    grids = model.outputs(give(model, random_sentences(4)), model.scheme)[0]
    assert grids.segments
    assert not grids.edges


@pytest.mark.parametrize("words", [True, False])
def test_before_training_every_tag_is_as_rare_as_the_prior_says(words: bool) -> None:
    sizes = MacSettings(width=5, longest_segment=3, prior=0.002, words=words)
    model = Mac(GivenVectors(), LABELS, GridScheme(), sizes)
    tags = len(model.tags.segments)
    first = model.segment_classifier.bias if model.word_scores is None else model.word_scores.steps.bias[:tags]
    for bias in (first, model.edge_classifier.bias):
        assert bias.sigmoid().tolist() == pytest.approx([0.002] * len(bias), rel=1e-5)


def test_settings_may_be_names_and_are_refused_where_there_are_none() -> None:
    assert MacSettings(inner="lstm", pairs="cln") == MacSettings(inner=InnerKind.LSTM, pairs=PairKind.CLN)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="inner must be one of lstm, scan, none, not 'lstmm': did you mean 'lstm'"):
        MacSettings(inner="lstmm")  # type: ignore[arg-type]
