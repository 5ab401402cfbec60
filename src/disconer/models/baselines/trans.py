"""Trans: mentions by transitions, after Dai et al. (2020), on a transformer or on ELMo.

What to do next is decided from the top three items of the stack, each with what it attends to in the sentence, the next
word, and what was done before, read by an LSTM.

Every word and every item of a batch has a row in one table. Row 0 is empty: it stands for a free place of the stack, or
for the end of the words. Then come all words of the batch, and behind them the items that were merged.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import TransSettings
from disconer.models.tensors import pad, sentence_lengths, sentence_starts, to_float32, valid_positions
from disconer.passage import WordMention
from disconer.schemes.transitions import Action, ActionKind, Item, ParserState, TransitionScheme

TOP = 3
"""Items of the stack that are looked at."""
_EMPTY_ROW = 0
_MOST_SCORES = 2**22
"""Of attention that are computed at once: a sentence may be as long as a book."""
_MOST_MERGES = 3
"""For every word: merging with a copy must be followed by something that reads a word or takes an item away."""


class Merge(NamedTuple):
    """An item of a sentence that is made of two others, as rows of the table."""

    sentence: int
    lower: int
    upper: int


@dataclass
class Walk:
    """A sentence half read: its state, what was done, and the table's row of each of its items."""

    state: ParserState
    start: int
    """The number of its first word in the batch."""
    actions: list[Action] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def visible_rows(self) -> list[int]:
        """The rows that the next decision is made from."""
        top = [self.rows[item] for item in self.state.stack[: -TOP - 1 : -1]]
        return seen_rows(top, self.state.position, self.state.length, self.start)

    def follow(self, action: Action, column: int) -> tuple[int, int] | None:
        """Apply an action; where it merges two items, returns their rows, and the caller adds that of the new one."""
        known, word = len(self.state.items), self.state.position
        self.state.apply(action)
        self.actions.append(action)
        self.columns.append(column)
        if len(self.state.items) == known:
            return None
        parts = self.state.items[-1].parts
        if parts is None:
            self.rows.append(_word_row(self.start, word))
            return None
        return self.rows[parts[0]], self.rows[parts[1]]


class ItemLayout:
    """Which row of the table each item of a batch has, when all are known beforehand: words, then merges by depth."""

    def __init__(self, items: Sequence[Sequence[Item]], starts: Sequence[int], first_row: int) -> None:
        self.first_row = first_row
        self.rows: list[dict[int, int]] = [{} for _ in items]
        self.by_depth: dict[int, list[tuple[int, int, Item]]] = defaultdict(list)
        for sentence, own in enumerate(items):
            depths: list[int] = []
            for number, item in enumerate(own):
                depths.append(0 if item.parts is None else 1 + max(depths[part] for part in item.parts))
                if item.parts is None:
                    self.rows[sentence][number] = _word_row(starts[sentence], item.words.bit_length() - 1)
                else:
                    self.by_depth[depths[-1]].append((sentence, number, item))

    def levels(self) -> Iterator[list[Merge]]:
        """The merges, those that need no other of their level together; their rows are noted."""
        row = self.first_row
        for _, level in sorted(self.by_depth.items()):
            merges = []
            for sentence, number, item in level:
                lower, upper = (self.rows[sentence][part] for part in item.parts or ())
                merges.append(Merge(sentence, lower, upper))
                self.rows[sentence][number] = row
                row += 1
            yield merges


def _word_row(start: int, word: int) -> int:
    return _EMPTY_ROW + 1 + start + word


def seen_rows(top: Sequence[int], position: int, length: int, start: int) -> list[int]:
    """The rows that a decision is made from: the top of the stack, from the top down, and the next word."""
    front = _word_row(start, position) if position < length else _EMPTY_ROW
    return [*top, *[_EMPTY_ROW] * (TOP - len(top)), front]


@dataclass(frozen=True)
class TransTargets:
    """The decisions that lead to the true mentions, and what each is made from."""

    actions: Integers
    """Their columns."""
    is_valid: NDArray[np.bool_]
    """What could be done: (steps, columns)."""
    seen: list[tuple[list[int], int]]
    """The items on top of the stack, from the top down, and the number of the next word."""
    items: list[Item]


class Trans(Model):
    """A classifier of actions, and the vectors of items that grow with them.

    Every word and every item has a row in a table: its own vector, and what it attends to in its sentence.
    """

    scheme: TransitionScheme

    def __init__(
        self, encoder: WordEncoder, labels: Sequence[str], scheme: TransitionScheme, settings: TransSettings
    ) -> None:
        super().__init__()
        width = settings.width
        self.encoder = encoder
        self.scheme = scheme
        self.actions = [Action(kind) for kind in ActionKind if kind is not ActionKind.COMPLETE]
        self.actions += [Action(ActionKind.COMPLETE, label) for label in labels]
        self.dropout = nn.Dropout(settings.dropout)
        self.words = nn.Linear(encoder.width, width)
        self.nothing = nn.Parameter(torch.zeros(1, 2 * width))
        self.merging = nn.Linear(2 * width, width)
        self.attention = nn.Linear(width, width, bias=False)
        self.action_vectors = nn.Embedding(len(self.actions) + 1, settings.history)
        """The last one stands for the beginning."""
        self.history = nn.LSTM(settings.history, settings.history, batch_first=True)
        self.hidden = nn.Linear(2 * (TOP + 1) * width + settings.history, width)
        self.classifier = nn.Linear(width, len(self.actions))

    def forward(self, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """The table of a batch's words, their vectors padded, and which positions hold a word."""
        vectors = self.words(words)
        is_word = valid_positions(sentence_lengths(batch, vectors))
        padded = pad(vectors, is_word)
        attended = self._attend(padded, padded, is_word)[is_word]
        return torch.cat((self.nothing, torch.cat((vectors, attended), -1))), padded, is_word

    def _attend(self, items: Tensor, words: Tensor, is_word: Tensor) -> Tensor:
        """Let items, (sentences, items, width), attend to the words of their sentences."""
        at_once = max(_MOST_SCORES // max(is_word.numel(), 1), 1)
        found = []
        for some in torch.split(self.attention(items), at_once, dim=1):
            scores = to_float32(some @ words.transpose(1, 2)).masked_fill(~is_word[:, None], -torch.inf)
            found.append(scores.softmax(-1).to(words.dtype) @ words)
        return torch.cat(found, 1)

    def _merge(self, table: Tensor, merges: Sequence[Merge], words: Tensor, is_word: Tensor) -> Tensor:
        """The rows of new items, whose parts are in the table."""
        sentences, lower, upper = torch.tensor(merges, device=table.device).unbind(1)
        width = words.shape[-1]
        vectors = torch.tanh(self.merging(torch.cat((table[lower, :width], table[upper, :width]), -1)))
        attended = self._attend(vectors[:, None], words[sentences], is_word[sentences])[:, 0]
        return torch.cat((vectors, attended.to(vectors.dtype)), -1)

    def _logits(self, table: Tensor, rows: Tensor, history: Tensor) -> Tensor:
        """Score all actions, for steps that see these rows of the table."""
        seen = torch.cat((table[rows].flatten(1), history.to(table.dtype)), -1)
        logits: Tensor = self.classifier(self.dropout(torch.relu(self.hidden(seen))))
        return to_float32(logits)

    def targets(self, mentions: Iterable[WordMention], words: int) -> TransTargets:
        """Follow the oracle through a sentence."""
        columns = {action: column for column, action in enumerate(self.actions)}
        state, actions, is_valid, seen = ParserState(words), [], [], []
        for action in self.scheme.encode(mentions, words):
            actions.append(columns[action])
            is_valid.append(self._is_valid(state))
            seen.append((state.stack[: -TOP - 1 : -1], state.position))
            state.apply(action)
        valid = np.array(is_valid, dtype=np.bool_).reshape(-1, len(self.actions))
        return TransTargets(np.array(actions, dtype=np.int64), valid, seen, state.items)

    def _is_valid(self, state: ParserState) -> list[bool]:
        kinds = state.valid_kinds()
        return [action.kind in kinds for action in self.actions]

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[TransTargets]) -> Tensor:
        """The cross-entropy of the true actions among the valid ones, summed over steps."""
        table, padded, is_word = self(words, batch)
        rows, table = self._grow_table(table, batch, targets, padded, is_word)
        logits = self._logits(table, rows, self._encode_histories([target.actions for target in targets]))
        is_valid, actions = (
            torch.from_numpy(np.concatenate(arrays)).to(logits.device)
            for arrays in ([target.is_valid for target in targets], [target.actions for target in targets])
        )
        logits = logits.masked_fill(~is_valid, -torch.inf)
        return functional.cross_entropy(logits, actions, reduction="sum") / len(targets)

    def _encode_histories(self, actions: Sequence[Integers]) -> Tensor:
        """Encode what was done before each step of each sentence."""
        device = self.nothing.device
        before = [torch.from_numpy(own[:-1]).to(device) for own in actions]
        padded = nn.utils.rnn.pad_sequence(
            [functional.pad(own, (1, 0), value=len(self.actions)) for own in before], True
        )
        is_step = valid_positions(torch.tensor([len(own) for own in actions], device=device))
        return self._encode_actions(padded)[0][is_step]

    def _encode_actions(
        self, columns: Tensor, states: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Run the LSTM; never in half precision, which not every processor has one for."""
        with torch.autocast(columns.device.type, enabled=False):
            found: tuple[Tensor, tuple[Tensor, Tensor]] = self.history(self.action_vectors(columns), states)
        return found

    def _grow_table(
        self, table: Tensor, batch: Batch, targets: Sequence[TransTargets], words: Tensor, is_word: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The rows that each step sees, and the table with all items, made level by level."""
        starts = sentence_starts(batch)
        layout = ItemLayout([target.items for target in targets], starts, len(table))
        for level in layout.levels():
            table = torch.cat((table, self._merge(table, level, words, is_word)))
        seen = [
            seen_rows([layout.rows[number][item] for item in top], position, length, start)
            for number, (target, start, length) in enumerate(zip(targets, starts, batch.lengths.tolist(), strict=True))
            for top, position in target.seen
        ]
        return torch.tensor(seen, device=table.device), table

    @property
    def search_space(self) -> SearchSpace:
        return [{"mention_threshold": (0.0, *THRESHOLDS)}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        return {**linear_keys("classifier", self.actions), "action_vectors.weight": [[*self.actions, None]]}

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: TransitionScheme) -> list[list[Action]]:  # noqa: ARG002
        """Do the most probable of what is valid, until nothing is left to do: a step for all sentences at a time."""
        table, words, is_word = self(self.encoder(batch), batch)
        size = len(table)
        table = torch.cat((table, table.new_zeros(_MOST_MERGES * size, table.shape[1])))
        walks = [
            Walk(ParserState(length), start)
            for length, start in zip(batch.lengths.tolist(), sentence_starts(batch), strict=True)
        ]
        memory = self.nothing.new_zeros(2, 1, len(walks), self.history.hidden_size)
        while alive := [number for number, walk in enumerate(walks) if walk.state.valid_kinds()]:
            decided = self._decide(table, [walks[number] for number in alive], memory, torch.tensor(alive))
            made = [(number, walks[number].follow(*done)) for number, done in zip(alive, decided, strict=True)]
            merges = [Merge(number, *parts) for number, parts in made if parts is not None]
            if merges:
                table[size : size + len(merges)] = self._merge(table, merges, words, is_word)
            for merge in merges:
                walks[merge.sentence].rows.append(size)
                size += 1
        return [walk.actions for walk in walks]

    def _decide(
        self, table: Tensor, walks: Sequence[Walk], memory: Tensor, numbers: Tensor
    ) -> list[tuple[Action, int]]:
        """Choose the next action of each sentence, with its probability, and its column; the memory is updated."""
        device = table.device
        first = len(self.actions)
        previous = torch.tensor([walk.columns[-1] if walk.columns else first for walk in walks], device=device)
        states = tuple(memory[:, :, numbers])
        history, states = self._encode_actions(previous[:, None], (states[0], states[1]))
        memory[:, :, numbers] = torch.stack(states)
        rows = torch.tensor([walk.visible_rows() for walk in walks], device=device)
        is_valid = torch.tensor([self._is_valid(walk.state) for walk in walks], device=device)
        # What is no number, of weights that are out of all proportion, must not lead out of what is valid.
        logits = self._logits(table, rows, history[:, 0]).nan_to_num().masked_fill(~is_valid, -torch.inf)
        best, columns = logits.softmax(-1).max(-1)
        return [
            (self.actions[column]._replace(score=score), column)
            for score, column in zip(best.tolist(), columns.tolist(), strict=True)
        ]
