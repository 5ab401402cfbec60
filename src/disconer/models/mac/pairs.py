"""What two words make of each other: the paper's conditional layer normalisation, and its ablation.

Both give the logits of a whole square of pairs of words, and of a band of it: each word with itself and those that
follow. Conditional layer normalisation is linear in each of its two sides once the other is fixed, so logits are matrix
products:

    w · (γᵢ ⊙ x̂ⱼ + λᵢ) + b  =  (w ⊙ γᵢ) · x̂ⱼ  +  (w · λᵢ + b)
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

_EPSILON = 1e-6
"""Keeps the root away from zero for a vector whose elements are all the same."""


class ConditionalLayerNorm(nn.Module):
    """Layer normalisation of one word whose gain and bias come from another word.

    It starts as plain layer normalisation: the condition's weights are zero, the gain is one.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Linear(width, width)
        self.bias = nn.Linear(width, width)
        for layer, bias in ((self.gain, 1.0), (self.bias, 0.0)):
            nn.init.zeros_(layer.weight)
            nn.init.constant_(layer.bias, bias)

    def parts(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What words bring into pairs: gain and bias on the side of the condition, themselves on the other."""
        return self.gain(words), self.bias(words), functional.layer_norm(words, words.shape[-1:], eps=_EPSILON)

    def band(self, words: Tensor, longest: int, weight: Tensor) -> Tensor:
        """The logits of each word with those up to `longest` - 1 words later: (distance, word, tag)."""
        gains, biases, normalised = self.parts(words)
        if len(weight) < longest:  # the smaller of (words × tags × width) and (words × longest × width) is formed
            by_tag = gains[:, None] * weight
            products = (by_tag @ _pad_end(normalised, longest).unfold(0, longest, 1)).permute(2, 0, 1)
        else:
            products = torch.stack([(gains * later) @ weight.T for later in shift(normalised, longest)])
        return products + biases @ weight.T

    def square(self, words: Tensor, classifier: nn.Linear) -> Tensor:
        """The logits of all pairs of words of padded sentences: (sentence, word, word, tag)."""
        return self.rectangle(*self.parts(words), classifier)

    def rectangle(self, gains: Tensor, biases: Tensor, normalised: Tensor, classifier: nn.Linear) -> Tensor:
        """The logits of all pairs of some conditions, given by what they bring, and some words of padded sentences."""
        row_logits = classifier(biases)[:, :, None]
        tags, length = classifier.out_features, normalised.shape[1]
        if tags < length:  # as in the band
            by_tag = (gains[:, :, None] * classifier.weight).flatten(1, 2)
            products = (by_tag @ normalised.transpose(1, 2)).view(len(gains), -1, tags, length).transpose(2, 3)
        else:
            products = (gains[:, :, None] * normalised[:, None]) @ classifier.weight.T
        logits: Tensor = products + row_logits
        return logits


class Concatenation(nn.Module):
    """The paper's ablation: relu(W[hᵢ; hⱼ] + b)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.condition = nn.Linear(width, width)
        self.input = nn.Linear(width, width, bias=False)

    def parts(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """What words bring into pairs, on the left and on the right."""
        return self.condition(words), self.input(words)

    def band(self, words: Tensor, longest: int, weight: Tensor) -> Tensor:
        conditions, inputs = self.parts(words)
        return torch.stack([torch.relu(conditions + later) @ weight.T for later in shift(inputs, longest)])

    def square(self, words: Tensor, classifier: nn.Linear) -> Tensor:
        conditions, inputs = self.parts(words)
        logits: Tensor = classifier(torch.relu(conditions[:, :, None] + inputs[:, None]))
        return logits


def _pad_end(words: Tensor, longest: int) -> Tensor:
    """Put zeros behind the last word, so that every word has `longest` - 1 that follow it."""
    return functional.pad(words, (0, 0, 0, longest - 1))


def shift(words: Tensor, longest: int) -> list[Tensor]:
    """The words themselves, those a word later, two words later…"""
    with_zeros = _pad_end(words, longest)
    return [with_zeros[steps : steps + len(words)] for steps in range(longest)]
