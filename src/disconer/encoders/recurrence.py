"""What reads a sentence once more behind its encoder: an LSTM over its words, forwards and backwards.

A small encoder was trained to sum up whole texts. What a word is to those around it the LSTM can tell the heads.
"""

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch

_DROPOUT = 0.1


class BidirectionalLSTM(nn.Module):
    """Adds to each word's vector what was read before it and after it, in its own sentence."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.forwards, self.backwards = (nn.LSTM(width, (width + 1) // 2, batch_first=True) for _ in range(2))
        self.dropout = nn.Dropout(_DROPOUT)
        self.normalisation = nn.LayerNorm(width)

    def forward(self, words: Tensor, batch: Batch) -> Tensor:
        """Read the words of a batch: (words, width)."""
        rows = (torch.from_numpy(rows).to(words.device) for rows in batch.word_rows)
        return self.read(words, *rows)

    def read(self, words: Tensor, rows: Tensor, reversed_rows: Tensor) -> Tensor:
        """Read words that stand in rows, a sentence each, and in the same rows turned round."""
        found = read_both_ways(self.forwards, self.backwards, self.dropout(words), rows, reversed_rows)[:, : self.width]
        added: Tensor = self.normalisation(words + self.dropout(found))
        return added


def read_both_ways(forwards: nn.LSTM, backwards: nn.LSTM, words: Tensor, rows: Tensor, reversed_rows: Tensor) -> Tensor:
    """Read words that stand in rows, and in the same rows turned round: what lies before a word, then what behind."""
    # Half of single precision is too little for a state that is carried on and on.
    entering = words.to(forwards.get_parameter("weight_ih_l0").dtype)
    with torch.autocast(words.device.type, enabled=False):
        return torch.cat((_read_rows(forwards, entering, rows), _read_rows(backwards, entering, reversed_rows)), 1)


def _read_rows(lstm: nn.LSTM, words: Tensor, rows: Tensor) -> Tensor:
    """Read rows of words, given by their numbers; the number behind the last word's stands for padding."""
    padding = words.new_zeros(1, words.shape[1])
    states, _ = lstm(torch.cat((words, padding))[rows])
    flat = states.flatten(0, 1)
    found: Tensor = flat.new_zeros(len(words) + 1, flat.shape[1]).index_copy(0, rows.flatten(), flat)
    return found[:-1]
