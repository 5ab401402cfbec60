"""What every network of Trans does: learn from what the oracle does, and decide what to do, step by step."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.models.baselines.trans.items import (
    EMPTY_ROW,
    TOP,
    ItemLayout,
    Merge,
    Push,
    StackNodes,
    Table,
    count_kept,
    seen_rows,
    word_row,
)
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.tensors import sentence_starts, to_float32, valid_positions
from disconer.passage import WordMention
from disconer.schemes.transitions import Action, ActionKind, Item, ParserState, TransitionScheme

_MOST_SCORES = 2**22
"""Of attention that are computed at once: a sentence may be as long as a book."""


@dataclass
class Tables:
    """The vectors of a batch."""

    items: Table
    """Of words and of what was merged, by row."""
    nodes: Table
    """Of what lies on stacks, by row."""
    fronts: Tensor
    """Of words that are still to be read, by row."""
    words: Tensor
    """What is attended to, padded: (sentences, words, width)."""
    is_word: Tensor


@dataclass
class Walk:
    """A sentence half read: its state, what was done, and the rows of its items and of what lies on its stack."""

    state: ParserState
    start: int
    """The number of its first word in the batch."""
    actions: list[Action] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)
    """Items that lie on the stack already and have no node yet."""

    def visible_rows(self) -> list[int]:
        """The rows that the next decision is made from."""
        return seen_rows(self.nodes[: -TOP - 1 : -1], self.state.position, self.state.length, self.start)

    def follow(self, action: Action, column: int) -> tuple[int, int] | None:
        """Apply an action; where it merges two items, returns their rows, and the caller adds that of the new one."""
        known, word, before = len(self.state.items), self.state.position, list(self.state.stack)
        self.state.apply(action)
        self.actions.append(action)
        self.columns.append(column)
        kept = count_kept(before, self.state.stack)
        del self.nodes[kept:]
        self.pending = self.state.stack[kept:]
        if len(self.state.items) == known:
            return None
        parts = self.state.items[-1].parts
        if parts is None:
            self.items.append(word_row(self.start, word))
            return None
        return self.items[parts[0]], self.items[parts[1]]


@dataclass(frozen=True)
class TransTargets:
    """The decisions that lead to the true mentions, and what each is made from."""

    actions: Integers
    """Their columns."""
    is_valid: NDArray[np.bool_]
    """What could be done: (steps, columns)."""
    seen: list[tuple[list[int], int]]
    """The nodes on top of the stack, from the top down, and the number of the next word."""
    items: list[Item]
    nodes: list[tuple[int, int]]
    """As `StackNodes` has them."""


class Trans(Model):
    """A classifier of actions, and the vectors of items that grow with them."""

    scheme: TransitionScheme
    bottom = EMPTY_ROW
    """The row of the node that lies below all others."""
    history: nn.LSTM
    """Reads what was done so far."""
    action_vectors: nn.Embedding
    """The last one stands for the beginning."""
    classifier: nn.Linear

    def __init__(self, encoder: WordEncoder, labels: Sequence[str], scheme: TransitionScheme, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.scheme = scheme
        self.actions = [Action(kind) for kind in ActionKind if kind is not ActionKind.COMPLETE]
        self.actions += [Action(ActionKind.COMPLETE, label) for label in labels]
        self.dropout = nn.Dropout(dropout)

    @abstractmethod
    def begin(self, words: Tensor, batch: Batch) -> Tables:
        """Make the tables of a batch, from the encoder's vectors, with nothing but its words in them."""

    @abstractmethod
    def merge(self, tables: Tables, merges: Sequence[Merge]) -> Tensor:
        """Make the rows of new items, whose parts are in the table."""

    @abstractmethod
    def push(self, tables: Tables, pushes: Sequence[Push]) -> Sequence[int]:
        """Put items onto stacks, and give the rows of what lies there now."""

    @abstractmethod
    def hidden_layer(self, tables: Tables, rows: Tensor, history: Tensor) -> Tensor:
        """What decisions are read off: of steps that see these rows, three of nodes and one of a word."""

    def attend(self, queries: Tensor, words: Tensor, is_word: Tensor) -> Tensor:
        """Let queries, (sentences, queries, width), attend to the words of their sentences."""
        at_once = max(_MOST_SCORES // max(is_word.numel(), 1), 1)
        found = []
        for some in torch.split(queries, at_once, dim=1):
            scores = to_float32(some @ words.transpose(1, 2)).masked_fill(~is_word[:, None], -torch.inf)
            found.append(scores.softmax(-1).to(words.dtype) @ words)
        return torch.cat(found, 1)

    def _logits(self, tables: Tables, rows: Tensor, history: Tensor) -> Tensor:
        logits: Tensor = self.classifier(self.hidden_layer(tables, rows, history))
        return to_float32(logits)

    def targets(self, mentions: Iterable[WordMention], words: int) -> TransTargets:
        """Follow the oracle through a sentence."""
        columns = {action: column for column, action in enumerate(self.actions)}
        state, nodes, actions, is_valid, seen = ParserState(words), StackNodes(), [], [], []
        for action in self.scheme.encode(mentions, words):
            actions.append(columns[action])
            is_valid.append(self._is_valid(state))
            seen.append((nodes.stack[: -TOP - 1 : -1], state.position))
            state.apply(action)
            nodes.follow(state.stack)
        valid = np.array(is_valid, dtype=np.bool_).reshape(-1, len(self.actions))
        return TransTargets(np.array(actions, dtype=np.int64), valid, seen, state.items, nodes.nodes)

    def _is_valid(self, state: ParserState) -> list[bool]:
        kinds = state.valid_kinds()
        return [action.kind in kinds for action in self.actions]

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[TransTargets]) -> Tensor:
        """The cross-entropy of the true actions among the valid ones, summed over steps."""
        tables = self.begin(words, batch)
        rows = self._grow(tables, batch, targets)
        logits = self._logits(tables, rows, self._encode_histories([target.actions for target in targets]))
        is_valid, actions = (
            torch.from_numpy(np.concatenate(arrays)).to(logits.device)
            for arrays in ([target.is_valid for target in targets], [target.actions for target in targets])
        )
        logits = logits.masked_fill(~is_valid, -torch.inf)
        return functional.cross_entropy(logits, actions, reduction="sum") / len(targets)

    def _encode_histories(self, actions: Sequence[Integers]) -> Tensor:
        """Encode what was done before each step of each sentence."""
        device = self.classifier.weight.device
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

    def _grow(self, tables: Tables, batch: Batch, targets: Sequence[TransTargets]) -> Tensor:
        """Make all items and all that ever lies on stacks, level by level; give the rows that each step sees."""
        starts = sentence_starts(batch)
        layout = ItemLayout([target.items for target in targets], starts, len(tables.items.rows))
        for level in layout.levels():
            tables.items.add(self.merge(tables, level))
        node_rows = self._push_all(tables, layout, [target.nodes for target in targets])
        seen = [
            seen_rows([node_rows[number][node] for node in top], position, length, start)
            for number, (target, start, length) in enumerate(zip(targets, starts, batch.lengths.tolist(), strict=True))
            for top, position in target.seen
        ]
        return torch.tensor(seen, device=tables.words.device).view(-1, TOP + 1)

    def _push_all(
        self, tables: Tables, layout: ItemLayout, nodes: Sequence[Sequence[tuple[int, int]]]
    ) -> list[dict[int, int]]:
        """Push what ever lies on stacks, what lies equally high at a time; give the row of each node."""
        rows: list[dict[int, int]] = [{-1: self.bottom} for _ in nodes]
        by_height: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for sentence, own in enumerate(nodes):
            heights = {-1: -1}
            for node, (below, _) in enumerate(own):
                heights[node] = heights[below] + 1
                by_height[heights[node]].append((sentence, node))
        for _, level in sorted(by_height.items()):
            pushes = []
            for sentence, node in level:
                below, item = nodes[sentence][node]
                pushes.append(Push(sentence, rows[sentence][below], layout.rows[sentence][item]))
            for (sentence, node), row in zip(level, self.push(tables, pushes), strict=True):
                rows[sentence][node] = row
        return rows

    @property
    def search_space(self) -> SearchSpace:
        return [{"mention_threshold": (0.0, *THRESHOLDS)}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        return {**linear_keys("classifier", self.actions), "action_vectors.weight": [[*self.actions, None]]}

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: TransitionScheme) -> list[list[Action]]:  # noqa: ARG002
        """Do the most probable of what is valid, until nothing is left to do: a step for all sentences at a time."""
        tables = self.begin(self.encoder(batch), batch)
        walks = [
            Walk(ParserState(length), start)
            for length, start in zip(batch.lengths.tolist(), sentence_starts(batch), strict=True)
        ]
        memory = self.classifier.weight.new_zeros(2, 1, len(walks), self.history.hidden_size)
        while alive := [number for number, walk in enumerate(walks) if walk.state.valid_kinds()]:
            own = [walks[number] for number in alive]
            self._follow(tables, dict(zip(alive, own, strict=True)), self._decide(tables, own, memory, alive))
        return [walk.actions for walk in walks]

    def _follow(self, tables: Tables, walks: dict[int, Walk], decided: Sequence[tuple[Action, int]]) -> None:
        """Do what was decided, make the items that come of it, and put them onto the stacks."""
        made = [(number, walk.follow(*done)) for (number, walk), done in zip(walks.items(), decided, strict=True)]
        merges = [Merge(number, *parts) for number, parts in made if parts is not None]
        if merges:
            for merge, row in zip(merges, tables.items.add(self.merge(tables, merges)), strict=True):
                walks[merge.sentence].items.append(row)
        while waiting := [(number, walk) for number, walk in walks.items() if walk.pending]:
            pushes = [
                Push(number, walk.nodes[-1] if walk.nodes else self.bottom, walk.items[walk.pending.pop(0)])
                for number, walk in waiting
            ]
            for (_, walk), row in zip(waiting, self.push(tables, pushes), strict=True):
                walk.nodes.append(row)

    def _decide(
        self, tables: Tables, walks: Sequence[Walk], memory: Tensor, numbers: Sequence[int]
    ) -> list[tuple[Action, int]]:
        """Choose the next action of each sentence, with its probability, and its column; the memory is updated."""
        device = memory.device
        first = len(self.actions)
        previous = torch.tensor([walk.columns[-1] if walk.columns else first for walk in walks], device=device)
        own = torch.tensor(numbers, device=device)
        states = tuple(memory[:, :, own])
        history, states = self._encode_actions(previous[:, None], (states[0], states[1]))
        memory[:, :, own] = torch.stack(states)
        rows = torch.tensor([walk.visible_rows() for walk in walks], device=device)
        is_valid = torch.tensor([self._is_valid(walk.state) for walk in walks], device=device)
        # What is no number, of weights that are out of all proportion, must not lead out of what is valid.
        logits = self._logits(tables, rows, history[:, 0]).nan_to_num().masked_fill(~is_valid, -torch.inf)
        best, columns = logits.softmax(-1).max(-1)
        return [
            (self.actions[column]._replace(score=score), column)
            for score, column in zip(best.tolist(), columns.tolist(), strict=True)
        ]
