"""What lies inside a segment: the paper's LSTM, started anew at every word and run as far as a segment may reach."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn


class InnerLSTM(nn.Module):
    """An LSTM over every segment at once.

    All segments of a length are advanced by a word together. A word's share of the gates does not depend on where a
    segment began, so it is computed once a word and not once a segment.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Linear(width, 4 * width)
        self.states = nn.Linear(width, 4 * width, bias=False)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(width**-0.5), width**-0.5)

    def forward(self, words: Tensor, remaining: Tensor, longest: int) -> Tensor:
        """Give the state of every segment of up to `longest` words, the one-word segments first, then those of two…

        `remaining` says of each word how many words of its sentence follow, itself included.
        """
        return torch.cat(list(self._steps(words, remaining, longest)))

    def _steps(self, words: Tensor, remaining: Tensor, longest: int) -> Iterator[Tensor]:
        shares = self.words(words)
        firsts = torch.arange(len(words), device=words.device)
        state = memory = words.new_zeros(len(words), words.shape[1])
        for length in range(1, longest + 1):
            if length > 1:
                alive = remaining[firsts] >= length
                firsts, state, memory = firsts[alive], state[alive], memory[alive]
                gates = shares[firsts + length - 1] + self.states(state)
            else:
                gates = shares
            enter, forget, candidate, leave = gates.chunk(4, dim=1)
            memory = forget.sigmoid() * memory + enter.sigmoid() * candidate.tanh()
            state = leave.sigmoid() * memory.tanh()
            yield state
