"""The transition system of Dai et al. (2020): mentions grow on a stack while the words of a sentence go by.

SHIFT moves the next word onto the stack, OUT drops it. COMPLETE takes the top of the stack off as a mention. REDUCE
merges the top two parts into one; LEFT-REDUCE leaves a copy of the lower one (s1) below what was merged, RIGHT-REDUCE
one of the upper one (s0), so that a part can go into several mentions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, NamedTuple

from disconer.passage import WordMention
from disconer.schemes.masks import runs, word_mask
from disconer.schemes.scheme import Decoding, Scheme, keep_best


class ActionKind(StrEnum):
    """What can be done."""

    SHIFT = "SHIFT"
    OUT = "OUT"
    COMPLETE = "COMPLETE"
    REDUCE = "REDUCE"
    LEFT_REDUCE = "LEFT-REDUCE"
    RIGHT_REDUCE = "RIGHT-REDUCE"


COPYING = (ActionKind.LEFT_REDUCE, ActionKind.RIGHT_REDUCE)
REDUCING = (ActionKind.REDUCE, *COPYING)


class Action(NamedTuple):
    """Something done, and with which probability; COMPLETE says the label of the mention."""

    kind: ActionKind
    label: str = ""
    score: float = 1.0


class Item(NamedTuple):
    """A part of a mention: a word, or two items that were merged."""

    words: int
    """A bit mask."""
    score: float
    """The lowest of the actions that made it."""
    parts: tuple[int, int] | None = None
    """The numbers of the items that were merged, the lower one first."""


@dataclass
class ParserState:
    """A sentence half read: all items there ever were, the stack of their numbers, and the next word."""

    length: int
    """Words of the sentence."""
    items: list[Item] = field(default_factory=list)
    stack: list[int] = field(default_factory=list)
    position: int = 0
    previous: ActionKind | None = None
    mentions: dict[WordMention, float] = field(default_factory=dict)

    def valid_kinds(self) -> set[ActionKind]:
        """What can be done now: nothing, when all words are read and the stack is empty."""
        kinds: set[ActionKind] = set()
        if self.position < self.length:
            kinds |= {ActionKind.SHIFT, ActionKind.OUT}
        if self.stack:
            kinds.add(ActionKind.COMPLETE)
        if len(self.stack) > 1 and not self._words(-2) & self._words(-1):
            kinds.update(COPYING if self.previous in COPYING else REDUCING)
        return kinds

    def apply(self, action: Action) -> None:
        """Do something that is valid."""
        kind, label, score = action
        if kind in (ActionKind.SHIFT, ActionKind.OUT):
            if kind is ActionKind.SHIFT:
                self._push(Item(1 << self.position, score))
            self.position += 1
        elif kind is ActionKind.COMPLETE:
            item = self.items[self.stack.pop()]
            keep_best(self.mentions, WordMention(label, runs(item.words)), min(item.score, score))
        else:
            self._merge(kind, score)
        self.previous = kind

    def _merge(self, kind: ActionKind, score: float) -> None:
        upper, lower = self.stack.pop(), self.stack.pop()
        if kind in COPYING:
            self.stack.append(lower if kind is ActionKind.LEFT_REDUCE else upper)
        above, below = self.items[upper], self.items[lower]
        self._push(Item(above.words | below.words, min(above.score, below.score, score), (lower, upper)))

    def _push(self, item: Item) -> None:
        self.stack.append(len(self.items))
        self.items.append(item)

    def _words(self, place: int) -> int:
        return self.items[self.stack[place]].words


@dataclass(frozen=True)
class TransitionScheme(Scheme):
    """The static oracle, and its inverse: doing what it says."""

    name: ClassVar[str] = "trans"
    mention_threshold: float = 0.0
    """A mention counts from this score on."""

    def __post_init__(self) -> None:
        self._check_thresholds()

    def encode(self, mentions: Iterable[WordMention], length: int | None = None) -> list[Action]:
        """List what to do for a sentence of this length; without one, it ends with its last mention."""
        pending = _PendingMentions.of(mentions)
        inside = pending.words
        state = ParserState(inside.bit_length() if length is None else length)
        actions: list[Action] = []
        while state.position < state.length:
            is_inside = inside >> state.position & 1
            state.apply(action := Action(ActionKind.SHIFT if is_inside else ActionKind.OUT))
            actions.append(action)
            for following in pending.actions(state):
                state.apply(following)
                actions.append(following)
        return actions

    def decode(self, labels: Sequence[Action]) -> Decoding:
        """Do what actions say."""
        state = ParserState(sum(action.kind in (ActionKind.SHIFT, ActionKind.OUT) for action in labels))
        for action in labels:
            state.apply(action)
        return Decoding(state.mentions).with_min_score(self.mention_threshold)


@dataclass
class _PendingMentions:
    """The mentions that are not complete yet, as labels and words."""

    mentions: set[tuple[int, str]]

    @classmethod
    def of(cls, mentions: Iterable[WordMention]) -> "_PendingMentions":
        return cls({(word_mask(segments), label) for label, segments in mentions})

    @property
    def words(self) -> int:
        covered = 0
        for words, _ in self.mentions:
            covered |= words
        return covered

    def actions(self, state: ParserState) -> Iterator[Action]:
        """What to do before the next word is read; each action must be applied before the next is asked for."""
        while action := self._next_action(state):
            yield action

    def _next_action(self, state: ParserState) -> Action | None:
        if not state.stack:
            return None
        top = state.items[state.stack[-1]].words
        own = min(((words, label) for words, label in self.mentions if words == top), default=None)
        if own is not None and self._count_holding(top) == sum(words == top for words, _ in self.mentions):
            self.mentions.discard(own)
            return Action(ActionKind.COMPLETE, own[1])
        if len(state.stack) < 2:
            return None
        return self._choose_reduction(state.items[state.stack[-2]].words, top)

    def _choose_reduction(self, lower: int, upper: int) -> Action | None:
        both = self._count_holding(lower | upper)
        if lower & upper or not both:
            return None
        if self._count_holding(lower) > both:
            return Action(ActionKind.LEFT_REDUCE)
        return Action(ActionKind.RIGHT_REDUCE if self._count_holding(upper) > both else ActionKind.REDUCE)

    def _count_holding(self, part: int) -> int:
        """Count the mentions that a part lies in."""
        return sum(part & ~words == 0 for words, _ in self.mentions)
