"""What lies inside a segment: a recurrence that is started anew at every word and run as far as a segment may reach.

All segments of a length are advanced by a word together. A word's share of the gates does not depend on where a segment
began, so it is computed once a word and not once a segment.
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from disconer.models.mac.pairs import shift


class InnerLSTM(nn.Module):
    """The paper's: an LSTM over every segment."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Linear(width, 4 * width)
        self.states = nn.Linear(width, 4 * width, bias=False)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(width**-0.5), width**-0.5)

    def logits(self, words: Tensor, longest: int, weight: Tensor, remaining: Tensor | None = None) -> Tensor:
        """Score every segment of up to `longest` words: (length - 1, first word, tag).

        The logits of segments that would reach into the next sentence mean nothing. `remaining`, how many words of
        its sentence follow each word, itself included, saves the time for them.
        """
        if remaining is None:
            return torch.stack([state @ weight.T for state in self._states(words, longest)])
        found = []
        for firsts, state in self._states_within_sentences(words, longest, remaining):
            logits = state @ weight.T
            found.append(logits.new_zeros(len(words), len(weight)).index_copy(0, firsts, logits))
        return torch.stack(found)

    def _states(self, words: Tensor, longest: int) -> Iterator[Tensor]:
        first, *others = shift(self.words(words), longest)
        state, memory = _lstm_step(first, torch.zeros_like(words))
        yield state
        for later in others:
            state, memory = _lstm_step(later + self.states(state), memory)
            yield state

    def _states_within_sentences(
        self, words: Tensor, longest: int, remaining: Tensor
    ) -> Iterator[tuple[Tensor, Tensor]]:
        shares = self.words(words)
        firsts = torch.arange(len(words), device=words.device)
        state, memory = _lstm_step(shares, torch.zeros_like(words))
        yield firsts, state
        for length in range(2, longest + 1):
            alive = remaining[firsts] >= length
            firsts, state, memory = firsts[alive], state[alive], memory[alive]
            state, memory = _lstm_step(shares[firsts + length - 1] + self.states(state), memory)
            yield firsts, state


class InnerScan(nn.Module):
    """A gated linear recurrence, s ← f ⊙ s + (1 - f) ⊙ u: no matrix product a step, so it costs next to nothing."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.forget = nn.Linear(width, width)
        self.candidate = nn.Linear(width, width)

    def logits(self, words: Tensor, longest: int, weight: Tensor, remaining: Tensor | None = None) -> Tensor:  # noqa: ARG002
        """Score every segment, as the LSTM does."""
        forget = self.forget(words).sigmoid()
        entering = (1 - forget) * self.candidate(words)
        state = torch.zeros_like(entering)
        found = []
        for kept, entered in zip(shift(forget, longest), shift(entering, longest), strict=True):
            state = torch.addcmul(entered, kept, state)
            found.append(state @ weight.T)
        return torch.stack(found)


def _lstm_step(gates: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
    """Let an LSTM read a word; returns its state and its memory."""
    enter, forget, candidate, leave = gates.chunk(4, dim=1)
    memory = forget.sigmoid() * memory + enter.sigmoid() * candidate.tanh()
    return leave.sigmoid() * memory.tanh(), memory
