"""A linear-chain conditional random field over tags (Lafferty et al. 2001), batched over sentences."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

_NEVER = -1e9
"""The score of what is not allowed: finite, so that gradients stay numbers."""


class LinearChain(nn.Module):
    """Scores of tags beside each other, at the beginning and at the end; some can be forbidden."""

    is_forbidden: Tensor
    is_no_start: Tensor

    def __init__(self, may_follow: Tensor, may_start: Tensor) -> None:
        """Make a chain of tags; `may_follow[i, j]` tells whether tag j may stand behind tag i."""
        super().__init__()
        tags = len(may_start)
        self.following = nn.Parameter(torch.zeros(tags, tags))
        self.starting = nn.Parameter(torch.zeros(tags))
        self.ending = nn.Parameter(torch.zeros(tags))
        self.register_buffer("is_forbidden", ~may_follow, persistent=False)
        self.register_buffer("is_no_start", ~may_start, persistent=False)

    def log_partition(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """Give the logarithm of the summed weights of all taggings of each sentence."""
        return (self._forward(scores, is_word, lambda values: values.logsumexp(-2))[-1] + self.ending).logsumexp(-1)

    def log_weight(self, scores: Tensor, is_word: Tensor, tags: Tensor) -> Tensor:
        """Give the logarithm of the weight of one tagging of each sentence."""
        following, starting = self._allowed()
        of_tags = scores.gather(2, tags[..., None])[..., 0] * is_word
        steps = following[tags[:, :-1], tags[:, 1:]] * is_word[:, 1:]
        last = tags.gather(1, is_word.sum(1, keepdim=True) - 1)[:, 0]
        return of_tags.sum(1) + steps.sum(1) + starting[tags[:, 0]] + self.ending[last]

    def best(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """Give the tagging of the greatest weight of each sentence, by Viterbi's algorithm: (sentences, words)."""
        following, _ = self._allowed()
        messages = self._forward(scores, is_word, lambda values: values.amax(-2))
        lengths = is_word.sum(1)
        tags = (messages[-1] + self.ending).argmax(1)
        found = [tags]
        for word in reversed(range(1, scores.shape[1])):
            before = messages[word - 1] + following[:, tags].T
            tags = torch.where(word < lengths, before.argmax(1), tags)
            found.append(tags)
        return torch.stack(found[::-1], dim=1)

    def probabilities(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """Give the probability of every tag of every word: (sentences, words, tags).

        Only the differences between the tags of a word matter. What all have in common is taken off at every word, or
        in a long sentence it would grow until single precision has no digits left for the differences.
        """
        forward = self._forward(scores, is_word, lambda values: _without_maximum(values.logsumexp(-2)))
        return (torch.stack(forward, dim=1) + self._backward(scores, is_word)).softmax(-1)

    def _forward(self, scores: Tensor, is_word: Tensor, combine: Callable[[Tensor], Tensor]) -> list[Tensor]:
        """Give, word by word, what leads up to each tag; behind the end of a sentence, what led to its last word."""
        following, starting = self._allowed()
        messages = [starting + scores[:, 0]]
        for word in range(1, scores.shape[1]):
            grown = combine(messages[-1][:, :, None] + following) + scores[:, word]
            messages.append(torch.where(is_word[:, word, None], grown, messages[-1]))
        return messages

    def _backward(self, scores: Tensor, is_word: Tensor) -> Tensor:
        following, _ = self._allowed()
        messages = [self.ending.expand(len(scores), -1)]
        for word in reversed(range(1, scores.shape[1])):
            grown = _without_maximum((following + (scores[:, word] + messages[-1])[:, None]).logsumexp(-1))
            messages.append(torch.where(is_word[:, word, None], grown, messages[-1]))
        return torch.stack(messages[::-1], dim=1)

    def _allowed(self) -> tuple[Tensor, Tensor]:
        """Give the scores of tags behind each other and at the beginning."""
        return self.following.masked_fill(self.is_forbidden, _NEVER), self.starting.masked_fill(
            self.is_no_start, _NEVER
        )


def _without_maximum(messages: Tensor) -> Tensor:
    return messages - messages.amax(-1, keepdim=True)
