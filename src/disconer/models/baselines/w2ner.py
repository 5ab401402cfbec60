"""W2NER: relations between all pairs of words, after Li et al. (2022), from the paper's equations.

An LSTM reads the encoder's words both ways. A pair of words is a conditional layer normalisation of the one by the
other, with vectors of their distance and of their triangle of the grid; convolutions of several dilations go over the
grid, and two predictors are added up: one reads the convolutions, the other (biaffine) the words themselves.

The grid has as many cells as a sentence has words, squared. Nothing wider than a convolution's channels is made of a
cell, as what comes before them is linear: the normalisation is a matrix product (pairs.py), and of distances and
triangles there are so few that each is read once. In prediction the grid is read in strips of rows, each with as many
rows beside it as the convolutions reach.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.recurrence import read_rows
from disconer.models.logits import Floats
from disconer.models.mac.pairs import ConditionalLayerNorm
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import W2nerSettings
from disconer.models.tensors import pad, sentence_lengths, to_float32, to_numpy, valid_positions
from disconer.passage import WordMention
from disconer.schemes.word_pairs import LabelledTail, WordPairScheme, WordRelations

_NOTHING, _FOLLOWING = 0, 1
"""Columns of the classes of a pair of words: no relation, NNW; THW of the labels come behind them."""
_FIRST_LABEL = 2
_DOUBLINGS = 9
"""Distances are told apart by their power of two: 1, 2 to 3, 4 to 7, … and all from 256 on."""
_MOST_CELLS_FOUND, _MOST_CELLS_LEARNED = 2**15, 2**18
"""Pairs that are read at once, in prediction and in training."""


class W2ner(Model):
    """A classifier of pairs of words."""

    scheme: WordPairScheme

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: WordPairScheme, settings: W2nerSettings
    ) -> None:
        super().__init__()
        width, channels = settings.width, settings.channels
        self.encoder = encoder
        self.scheme = scheme
        self.labels = tuple(labels)
        classes = _FIRST_LABEL + len(labels)
        self.dropout = nn.Dropout(settings.dropout)
        self.pair_dropout = nn.Dropout(settings.pair_dropout)
        self.predictor_dropout = nn.Dropout(settings.predictor_dropout)
        self.width = width
        self.forwards, self.backwards = (nn.LSTM(encoder.width, (width + 1) // 2, batch_first=True) for _ in range(2))
        self.normalisation = ConditionalLayerNorm(width)
        self.distances = nn.Embedding(2 * _DOUBLINGS + 1, settings.distance)
        self.regions = nn.Embedding(2, settings.region)
        self.reduce_pairs = nn.Linear(width, channels)
        self.reduce_distances = nn.Linear(settings.distance, channels, bias=False)
        self.reduce_regions = nn.Linear(settings.region, channels, bias=False)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, padding=dilation, dilation=dilation)
            for dilation in range(1, settings.convolutions + 1)
        )
        self.convolved = nn.Linear(settings.convolutions * channels, settings.hidden)
        self.convolved_classifier = nn.Linear(settings.hidden, classes)
        self.heads = nn.Linear(width, settings.biaffine)
        self.tails = nn.Linear(width, settings.biaffine)
        self.bilinear = nn.Parameter(torch.empty(classes, settings.biaffine, settings.biaffine))
        nn.init.xavier_normal_(self.bilinear)
        self.head_classifier = nn.Linear(settings.biaffine, classes)
        self.tail_classifier = nn.Linear(settings.biaffine, classes, bias=False)

    def forward(self, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Read the words of a batch once more, and lay them out by sentence; also tells which places hold a word."""
        rows, reversed_rows = (torch.from_numpy(rows).to(words.device) for rows in batch.word_rows)
        entering = words.to(self.heads.weight.dtype)
        with torch.autocast(words.device.type, enabled=False):
            behind = read_rows(self.forwards, entering, rows)
            ahead = read_rows(self.backwards, entering, reversed_rows)
        vectors = self.dropout(torch.cat((behind, ahead), 1)[:, : self.width])
        is_word = valid_positions(sentence_lengths(batch, words))
        return pad(vectors, is_word), is_word

    def logits(self, words: Tensor, is_word: Tensor, first: int, last: int) -> Tensor:
        """Score the pairs of some rows of padded sentences' grids: (sentence, row, word, class)."""
        reach = len(self.convolutions)
        top, bottom = max(first - reach, 0), min(last + reach, words.shape[1])
        cells = self._cells(words, is_word, slice(top, bottom))
        convolved = self._convolve(cells)[:, first - top : last - top]
        hidden = self.predictor_dropout(functional.gelu(self.convolved(convolved)))
        return to_float32(self.convolved_classifier(hidden)) + to_float32(self._biaffine(words, slice(first, last)))

    def _cells(self, words: Tensor, is_word: Tensor, rows: slice) -> Tensor:
        """The vectors of pairs, (sentence, row, word, channel), with nothing where a sentence has no words."""
        length = words.shape[1]
        numbers = torch.arange(length, device=words.device)
        steps = numbers[None] - numbers[rows, None]
        of_distances = self.reduce_distances(self.distances.weight)[distance_classes(steps)]
        of_regions = self.reduce_regions(self.regions.weight)[(steps > 0).long()]
        cells = functional.gelu(self.normalisation.square(words, self.reduce_pairs, rows) + of_distances + of_regions)
        is_cell = is_word[:, rows, None] & is_word[:, None]
        kept: Tensor = self.pair_dropout(cells) * is_cell[..., None]
        return kept

    def _convolve(self, cells: Tensor) -> Tensor:
        """Let each pair see those around it: (sentence, row, word, channels of all convolutions)."""
        pictures = cells.permute(0, 3, 1, 2)
        seen = [functional.gelu(convolution(pictures)) for convolution in self.convolutions]
        together: Tensor = torch.cat(seen, 1).permute(0, 2, 3, 1)
        return together

    def _biaffine(self, words: Tensor, rows: slice) -> Tensor:
        heads = self.predictor_dropout(functional.gelu(self.heads(words[:, rows])))
        tails = self.predictor_dropout(functional.gelu(self.tails(words)))
        products = torch.einsum("bid,cde,bje->bijc", heads, self.bilinear, tails)
        added: Tensor = products + self.head_classifier(heads)[:, :, None] + self.tail_classifier(tails)[:, None]
        return added

    def targets(self, mentions: Iterable[WordMention], words: int) -> Integers:  # noqa: ARG002
        """List the pairs of words that have a relation: first, second, class."""
        truth = self.scheme.encode(mentions)
        rows = [(*pair, _FOLLOWING) for pair in truth.following]
        rows += [(*pair, _FIRST_LABEL + self.labels.index(tail.label)) for pair, tail in truth.tails.items()]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[Integers]) -> Tensor:
        """The cross-entropy of the classes, averaged over the pairs of each sentence and over sentences."""
        padded, is_word = self(words, batch)
        expected = torch.zeros(*is_word.shape, is_word.shape[1], dtype=torch.long, device=padded.device)
        for number, rows in enumerate(targets):
            first, second, column = torch.from_numpy(rows).to(padded.device).unbind(1)
            expected[number, first, second] = column
        strips = list(divide_grids(len(is_word), is_word.shape[1], _MOST_CELLS_LEARNED))
        losses = [
            self._strip_loss(padded, is_word, expected, strip)
            if len(strips) == 1
            # Of a grid that is too large to be kept whole for the way back, each strip is read once more then.
            else checkpoint(self._strip_loss, padded, is_word, expected, strip, use_reentrant=False)
            for strip in strips
        ]
        return torch.stack(losses).sum() / len(targets) if losses else padded.sum()

    def _strip_loss(self, words: Tensor, is_word: Tensor, expected: Tensor, strip: "Strip") -> Tensor:
        words, is_word, expected = (tensor[strip.sentences] for tensor in (words, is_word, expected))
        logits = self.logits(words, is_word, strip.first, strip.last).permute(0, 3, 1, 2)
        surprise = functional.cross_entropy(logits, expected[:, strip.first : strip.last], reduction="none")
        is_cell = is_word[:, strip.first : strip.last, None] & is_word[:, None]
        return ((surprise * is_cell).sum((1, 2)) / is_word.sum(1).clamp(min=1) ** 2).sum()

    @property
    def search_space(self) -> SearchSpace:
        return [{"mention_threshold": (0.0, *THRESHOLDS)}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        classes = [None, "NNW", *((label,) for label in self.labels)]
        return {
            **linear_keys("convolved_classifier", classes),
            **linear_keys("head_classifier", classes),
            "tail_classifier.weight": [classes],
            "bilinear": [classes],
        }

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: WordPairScheme) -> list[WordRelations]:
        """Give every pair of words its most probable class."""
        words, is_word = self(self.encoder(batch), batch)
        found = [FoundRelations(scheme.most_relations + 1) for _ in batch.lengths]  # one too many is told as a cut
        for strip in divide_grids(len(is_word), is_word.shape[1], _MOST_CELLS_FOUND):
            own, places = words[strip.sentences], is_word[strip.sentences]
            # What is no number, of weights that are out of all proportion, is nothing.
            best, classes = self.logits(own, places, strip.first, strip.last).nan_to_num().softmax(-1).max(-1)
            for number, (scores, columns) in enumerate(zip(to_numpy(best), classes.cpu().numpy(), strict=True)):
                sentence = strip.sentences.start + number
                found[sentence].add(scores, columns, strip.first, int(batch.lengths[sentence]))
        return [own.relations(self.labels) for own in found]


class FoundRelations:
    """The relations of a sentence, gathered strip by strip: of either kind no more than so many, the most probable."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._following: Floats = np.empty((0, 4))
        self._tails: Floats = np.empty((0, 4))

    def add(self, scores: Floats, classes: Integers, first: int, length: int) -> None:
        """Add the cells of a strip that begins with this row of the grid."""
        rows, words = np.nonzero(classes[: length - first, :length])
        columns = classes[rows, words]
        table = np.stack((rows + first, words, columns, scores[rows, words]), 1).astype(np.float64)
        is_upper, is_following = rows + first < words, columns == _FOLLOWING
        self._following = self._keep(self._following, table[is_upper & is_following])
        self._tails = self._keep(self._tails, table[~is_upper & ~is_following])

    def _keep(self, *tables: Floats) -> Floats:
        table = np.concatenate(tables)
        return table[np.argsort(-table[:, 3], kind="stable")[: self._most]]

    def relations(self, labels: Sequence[str]) -> WordRelations:
        following = {(int(row), int(word)): score for row, word, _, score in self._following.tolist()}
        tails = {
            (int(row), int(word)): LabelledTail(labels[int(column) - _FIRST_LABEL], score)
            for row, word, column, score in self._tails.tolist()
        }
        return WordRelations(following, tails)


def distance_classes(steps: Tensor) -> Tensor:
    """Number how far a word lies behind another (or before it, where that is below 0), coarser with the distance."""
    bounds = torch.tensor([2**power for power in range(_DOUBLINGS)], device=steps.device)
    return steps.sign() * torch.bucketize(steps.abs(), bounds, right=True) + _DOUBLINGS


class Strip(NamedTuple):
    """A part of padded grids: some sentences, the first row, and the row behind the last."""

    sentences: slice
    first: int
    last: int


def divide_grids(sentences: int, length: int, most_cells: int) -> Iterator[Strip]:
    """Divide padded grids into strips of so many cells at most, but for a single row."""
    at_once = max(most_cells // max(length * length, 1), 1)
    rows = max(most_cells // max(length, 1), 1)
    for start in range(0, sentences, at_once):
        for first in range(0, length, rows):
            yield Strip(slice(start, start + at_once), first, min(first + rows, length))
