"""W2NER: relations between all pairs of words, after Li et al. (2022), from the paper's equations.

An LSTM reads the encoder's words both ways. A pair of words is a conditional layer normalisation of the one by the
other, with vectors of their distance and of their triangle of the grid; convolutions of several dilations go over the
grid, and two predictors are added up: one reads the convolutions, the other (biaffine) the words themselves.

The grid has as many cells as a sentence has words, squared. What comes before a pair's channels is linear: of long
sentences the normalisation is a matrix product (pairs.py), and of distances and triangles there are so few that each is
read once. Grids are read in tiles, each with as many cells around it as the convolutions reach; tiles in which no two
words are near enough for a relation are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt, log
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.recurrence import read_both_ways
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
_MOST_CELLS_FOUND, _MOST_CELLS_LEARNED = 2**15, 2**16
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
        self.width, self.window = width, settings.window
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
        nn.init.zeros_(self.convolved_classifier.bias)
        nothing = max(1 - (classes - 1) * settings.prior, settings.prior)
        nn.init.constant_(self.convolved_classifier.bias[_NOTHING : _NOTHING + 1], log(nothing / settings.prior))
        self.heads = nn.Linear(width, settings.biaffine)
        self.tails = nn.Linear(width, settings.biaffine)
        self.bilinear = nn.Parameter(torch.empty(classes, settings.biaffine, settings.biaffine))
        nn.init.xavier_normal_(self.bilinear)
        self.head_classifier = nn.Linear(settings.biaffine, classes)
        self.tail_classifier = nn.Linear(settings.biaffine, classes, bias=False)

    def forward(self, words: Tensor, batch: Batch) -> "PreparedWords":
        """Read the words of a batch once more, and make of them all that pairs need."""
        rows, reversed_rows = (torch.from_numpy(rows).to(words.device) for rows in batch.word_rows)
        vectors = read_both_ways(self.forwards, self.backwards, words, rows, reversed_rows)[:, : self.width]
        is_word = valid_positions(sentence_lengths(batch, words))
        padded = pad(vectors, is_word)
        heads, tails = (self.predictor_dropout(functional.gelu(layer(padded))) for layer in (self.heads, self.tails))
        return PreparedWords(is_word, *self.normalisation.parts(padded), heads, tails)

    def logits(self, words: "PreparedWords", tile: "Tile") -> Tensor:
        """Score the pairs of a tile of padded sentences' grids: (sentence, row, column, class)."""
        words = words.of(tile.sentences)
        around, inner = tile.widen(len(self.convolutions), words.is_word.shape[1])
        convolved = self._convolve(self._cells(words, around))[:, *inner]
        hidden = self.predictor_dropout(functional.gelu(self.convolved(convolved)))
        heads, tails = words.heads[:, tile.rows], words.tails[:, tile.columns]
        return to_float32(self.convolved_classifier(hidden)) + to_float32(self._biaffine(heads, tails))

    def _cells(self, words: "PreparedWords", tile: "Tile") -> Tensor:
        """The vectors of pairs, (sentence, row, column, channel), with nothing where a sentence has no words."""
        numbers = torch.arange(words.is_word.shape[1], device=words.is_word.device)
        steps = numbers[tile.columns] - numbers[tile.rows, None]
        of_distances = self.reduce_distances(self.distances.weight)[distance_classes(steps)]
        of_regions = self.reduce_regions(self.regions.weight)[(steps > 0).long()]
        conditions = words.gains[:, tile.rows], words.biases[:, tile.rows]
        pairs = self.normalisation.rectangle(*conditions, words.normalised[:, tile.columns], self.reduce_pairs)
        kept: Tensor = self.pair_dropout(functional.gelu(pairs + of_distances + of_regions))
        return kept * words.is_cell(tile)[..., None]

    def _convolve(self, cells: Tensor) -> Tensor:
        """Let each pair see those around it: (sentence, row, column, channels of all convolutions)."""
        pictures = cells.permute(0, 3, 1, 2)
        seen = [functional.gelu(convolution(pictures)) for convolution in self.convolutions]
        together: Tensor = torch.cat(seen, 1).permute(0, 2, 3, 1)
        return together

    def _biaffine(self, heads: Tensor, tails: Tensor) -> Tensor:
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
        prepared = self(words, batch)
        sentences, length = prepared.is_word.shape
        tiles = list(divide_grids(sentences, length, _MOST_CELLS_LEARNED, self.window))
        losses = [
            self._tile_loss(prepared, targets, tile)
            if len(tiles) == 1
            # Of a grid that is too large to be kept whole for the way back, each tile is read once more then.
            else checkpoint(self._tile_loss, prepared, targets, tile, use_reentrant=False)
            for tile in tiles
        ]
        return torch.stack(losses).sum() / len(targets) if losses else words.sum()

    def _tile_loss(self, words: "PreparedWords", targets: Sequence[Integers], tile: "Tile") -> Tensor:
        logits, own = self.logits(words, tile), words.of(tile.sentences)
        expected = torch.zeros(logits.shape[:3], dtype=torch.long, device=logits.device)
        for number, rows in enumerate(targets[tile.sentences]):
            first, second, column = torch.from_numpy(rows).to(logits.device).unbind(1)
            first, second = first - tile.rows.start, second - tile.columns.start
            inside = (first >= 0) & (first < expected.shape[1]) & (second >= 0) & (second < expected.shape[2])
            expected[number, first[inside], second[inside]] = column[inside]
        surprise = functional.cross_entropy(logits.permute(0, 3, 1, 2), expected, reduction="none")
        counted = surprise * (own.is_cell(tile) & tile.is_near(self.window, logits.device))
        return (counted.sum((1, 2)) / own.count_cells(self.window)).sum()

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
        words = self(self.encoder(batch), batch)
        found = [FoundRelations(scheme.most_relations + 1) for _ in batch.lengths]  # one too many is told as a cut
        for tile in divide_grids(len(words.is_word), words.is_word.shape[1], _MOST_CELLS_FOUND, self.window):
            # What is no number, of weights that are out of all proportion, is nothing.
            best, classes = self.logits(words, tile).nan_to_num().softmax(-1).max(-1)
            read = words.of(tile.sentences).is_cell(tile) & tile.is_near(self.window, classes.device)
            columns = torch.where(read, classes, _NOTHING).cpu().numpy()
            for own, scores, of_sentence in zip(found[tile.sentences], to_numpy(best), columns, strict=True):
                own.add(scores, of_sentence, tile)
        return [own.relations(self.labels) for own in found]


class PreparedWords(NamedTuple):
    """What the words of padded sentences bring into their pairs: (sentence, word, …)."""

    is_word: Tensor
    gains: Tensor
    biases: Tensor
    normalised: Tensor
    heads: Tensor
    tails: Tensor

    def of(self, sentences: slice) -> "PreparedWords":
        return PreparedWords(*(tensor[sentences] for tensor in self))

    def is_cell(self, tile: "Tile") -> Tensor:
        """Which pairs of a tile are of two words: (sentence, row, column)."""
        return self.is_word[:, tile.rows, None] & self.is_word[:, None, tile.columns]

    def count_cells(self, window: int) -> Tensor:
        """Count the pairs of each sentence that may have a relation, one at least."""
        words = self.is_word.sum(1)
        beyond = (words - window).clamp(min=0)
        return (words**2 - beyond * (beyond + 1)).clamp(min=1)


class Tile(NamedTuple):
    """A part of padded grids."""

    sentences: slice
    rows: slice
    columns: slice

    def widen(self, reach: int, length: int) -> tuple["Tile", tuple[slice, slice]]:
        """Add the cells around it that convolutions reach, and say where it lies among them."""
        wide = [slice(max(own.start - reach, 0), min(own.stop + reach, length)) for own in (self.rows, self.columns)]
        rows, columns = (
            slice(own.start - around.start, own.stop - around.start)
            for own, around in zip((self.rows, self.columns), wide, strict=True)
        )
        return Tile(self.sentences, *wide), (rows, columns)

    def is_near(self, window: int, device: torch.device) -> Tensor:
        """Which of its pairs are near enough to have a relation: (row, column)."""
        rows, columns = (torch.arange(own.start, own.stop, device=device) for own in (self.rows, self.columns))
        return (columns - rows[:, None]).abs() < window


class FoundRelations:
    """The relations of a sentence, gathered tile by tile: of either kind no more than so many, the most probable."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._following: Floats = np.empty((0, 4))
        self._tails: Floats = np.empty((0, 4))

    def add(self, scores: Floats, classes: Integers, tile: Tile) -> None:
        rows, words = np.nonzero(classes)
        found = classes[rows, words], scores[rows, words]
        rows, words = rows + tile.rows.start, words + tile.columns.start
        table = np.stack((rows, words, *found), 1).astype(np.float64)
        is_upper, is_following = rows < words, found[0] == _FOLLOWING
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


def divide_grids(sentences: int, length: int, most_cells: int, window: int) -> Iterator[Tile]:
    """Divide padded grids into tiles of so many cells at most, and leave out those where no pair is near enough."""
    at_once = max(most_cells // max(length * length, 1), 1)
    side = max(min(length, isqrt(most_cells)), 1)
    for start in range(0, sentences, at_once):
        for top in range(0, length, side):
            for left in range(0, length, side):
                if abs(left - top) < window + side:
                    rows, columns = (slice(first, min(first + side, length)) for first in (top, left))
                    yield Tile(slice(start, start + at_once), rows, columns)
