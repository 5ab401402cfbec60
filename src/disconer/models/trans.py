"""Trans: mentions by transitions, after Dai et al. (2020), on a transformer or on ELMo.

What to do next is decided from the top three items of the stack, each with what it attends to in the sentence, the next
word, and what was done before, read by an LSTM.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from disconer.document import WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Integers, Packed
from disconer.models.items import TOP, ItemLayout, Merge, Walk, seen_rows
from disconer.models.model import THRESHOLDS, Choices, Model, of_layer, single
from disconer.models.padding import rectangle, sentence_lengths, sentence_starts, word_places
from disconer.models.settings import TransSettings
from disconer.schemes.transitions import Action, ActionKind, Item, State, TransitionScheme

_MOST_SCORES = 2**22
"""Of attention that are computed at once: a sentence may be as long as a book."""
_MOST_MERGES = 3
"""For every word: merging with a copy must be followed by something that reads a word or takes an item away."""


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

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor, Tensor]:
        """Give the table of a batch's words, their vectors as a rectangle, and which places of it hold a word."""
        vectors = self.words(self.dropout(self.encoder(packed)))
        is_word = word_places(sentence_lengths(packed, vectors))
        words = rectangle(vectors, is_word)
        attended = self._attended(words, words, is_word)[is_word]
        return torch.cat((self.nothing, torch.cat((vectors, attended), -1))), words, is_word

    def _attended(self, items: Tensor, words: Tensor, is_word: Tensor) -> Tensor:
        """Give what items, (sentences, items, width), attend to among the words of their sentences."""
        at_once = max(_MOST_SCORES // max(is_word.numel(), 1), 1)
        found = []
        for some in torch.split(self.attention(items), at_once, dim=1):
            scores = single(some @ words.transpose(1, 2)).masked_fill(~is_word[:, None], -torch.inf)
            found.append(scores.softmax(-1).to(words.dtype) @ words)
        return torch.cat(found, 1)

    def _merged(self, table: Tensor, merges: Sequence[Merge], words: Tensor, is_word: Tensor) -> Tensor:
        """Give the rows of new items, whose parts are in the table."""
        sentences, lower, upper = torch.tensor(merges, device=table.device).unbind(1)
        width = words.shape[-1]
        vectors = torch.tanh(self.merging(torch.cat((table[lower, :width], table[upper, :width]), -1)))
        attended = self._attended(vectors[:, None], words[sentences], is_word[sentences])[:, 0]
        return torch.cat((vectors, attended.to(vectors.dtype)), -1)

    def _logits(self, table: Tensor, rows: Tensor, history: Tensor) -> Tensor:
        """Score all actions, for steps that see these rows of the table."""
        seen = torch.cat((table[rows].flatten(1), history.to(table.dtype)), -1)
        logits: Tensor = self.classifier(self.dropout(torch.relu(self.hidden(seen))))
        return single(logits)

    def targets(self, mentions: Iterable[WordMention], words: int) -> TransTargets:
        """Follow the oracle through a sentence."""
        columns = {action: column for column, action in enumerate(self.actions)}
        state, actions, is_valid, seen = State(words), [], [], []
        for action in self.scheme.encode(mentions, words):
            actions.append(columns[action])
            is_valid.append(self._validity(state))
            seen.append((state.stack[: -TOP - 1 : -1], state.position))
            state.apply(action)
        valid = np.array(is_valid, dtype=np.bool_).reshape(-1, len(self.actions))
        return TransTargets(np.array(actions, dtype=np.int64), valid, seen, state.items)

    def _validity(self, state: State) -> list[bool]:
        kinds = state.valid()
        return [action.kind in kinds for action in self.actions]

    def loss(self, packed: Packed, targets: Sequence[TransTargets]) -> Tensor:
        """Give the cross-entropy of the true actions among the valid ones, summed over steps."""
        table, words, is_word = self(packed)
        rows, table = self._grown(table, packed, targets, words, is_word)
        logits = self._logits(table, rows, self._histories([target.actions for target in targets]))
        is_valid, actions = (
            torch.from_numpy(np.concatenate(arrays)).to(logits.device)
            for arrays in ([target.is_valid for target in targets], [target.actions for target in targets])
        )
        logits = logits.masked_fill(~is_valid, -torch.inf)
        return functional.cross_entropy(logits, actions, reduction="sum") / len(targets)

    def _histories(self, actions: Sequence[Integers]) -> Tensor:
        """Give what was done before each step of each sentence."""
        device = self.nothing.device
        before = [torch.from_numpy(own[:-1]).to(device) for own in actions]
        padded = nn.utils.rnn.pad_sequence(
            [functional.pad(own, (1, 0), value=len(self.actions)) for own in before], True
        )
        is_step = word_places(torch.tensor([len(own) for own in actions], device=device))
        return self._remembered(padded)[0][is_step]

    def _remembered(
        self, columns: Tensor, states: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Read actions; never in half precision, for which not every processor has an LSTM."""
        with torch.autocast(columns.device.type, enabled=False):
            found: tuple[Tensor, tuple[Tensor, Tensor]] = self.history(self.action_vectors(columns), states)
        return found

    def _grown(
        self, table: Tensor, packed: Packed, targets: Sequence[TransTargets], words: Tensor, is_word: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give the rows that each step sees, and the table with all items, made level by level."""
        starts = sentence_starts(packed)
        layout = ItemLayout([target.items for target in targets], starts, len(table))
        for level in layout.levels():
            table = torch.cat((table, self._merged(table, level, words, is_word)))
        seen = [
            seen_rows([layout.rows[number][item] for item in top], position, length, start)
            for number, (target, start, length) in enumerate(zip(targets, starts, packed.lengths.tolist(), strict=True))
            for top, position in target.seen
        ]
        return torch.tensor(seen, device=table.device), table

    @property
    def choices(self) -> Choices:
        return [{"mention_threshold": (0.0, *THRESHOLDS)}]

    @property
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        return {**of_layer("classifier", self.actions), "action_vectors.weight": [[*self.actions, None]]}

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: TransitionScheme) -> list[list[Action]]:  # noqa: ARG002
        """Do the most probable of what is valid, until nothing is left to do: a step for all sentences at a time."""
        table, words, is_word = self(packed)
        size = len(table)
        table = torch.cat((table, table.new_zeros(_MOST_MERGES * size, table.shape[1])))
        walks = [
            Walk(State(length), start)
            for length, start in zip(packed.lengths.tolist(), sentence_starts(packed), strict=True)
        ]
        memory = self.nothing.new_zeros(2, 1, len(walks), self.history.hidden_size)
        while alive := [number for number, walk in enumerate(walks) if walk.state.valid()]:
            decided = self._decide(table, [walks[number] for number in alive], memory, torch.tensor(alive))
            made = [(number, walks[number].follow(*done)) for number, done in zip(alive, decided, strict=True)]
            merges = [Merge(number, *parts) for number, parts in made if parts is not None]
            if merges:
                table[size : size + len(merges)] = self._merged(table, merges, words, is_word)
            for merge in merges:
                walks[merge.sentence].rows.append(size)
                size += 1
        return [walk.actions for walk in walks]

    def _decide(
        self, table: Tensor, walks: Sequence[Walk], memory: Tensor, numbers: Tensor
    ) -> list[tuple[Action, int]]:
        """Give the next action of each sentence, with its probability, and its column; remember what was done."""
        device = table.device
        first = len(self.actions)
        previous = torch.tensor([walk.columns[-1] if walk.columns else first for walk in walks], device=device)
        states = tuple(memory[:, :, numbers])
        history, states = self._remembered(previous[:, None], (states[0], states[1]))
        memory[:, :, numbers] = torch.stack(states)
        rows = torch.tensor([walk.seen() for walk in walks], device=device)
        is_valid = torch.tensor([self._validity(walk.state) for walk in walks], device=device)
        # What is no number, of weights that are out of all proportion, must not lead out of what is valid.
        logits = self._logits(table, rows, history[:, 0]).nan_to_num().masked_fill(~is_valid, -torch.inf)
        best, columns = logits.softmax(-1).max(-1)
        return [
            (self.actions[column]._replace(score=score), column)
            for score, column in zip(best.tolist(), columns.tolist(), strict=True)
        ]
