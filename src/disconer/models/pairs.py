"""What two words make of each other: the paper's conditional layer normalisation, and its ablation.

Both give the vector of listed pairs of words, and the logits of a whole square of them. Conditional layer normalisation
is linear in each of its two sides once the other is fixed, so a square of logits is a matrix product:

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

    def normalised(self, words: Tensor) -> Tensor:
        return functional.layer_norm(words, words.shape[-1:], eps=_EPSILON)

    def cells(self, words: Tensor, conditions: Tensor, inputs: Tensor) -> Tensor:
        gains, biases = self.gain(words), self.bias(words)
        vectors: Tensor = gains[conditions] * self.normalised(words)[inputs] + biases[conditions]
        return vectors

    def square(self, words: Tensor, classifier: nn.Linear) -> Tensor:
        gains, normalised = self.gain(words), self.normalised(words)
        row_logits = classifier(self.bias(words))[:, :, None]
        tags, length = classifier.out_features, words.shape[1]
        if tags < length:  # the smaller of (words × tags × width) and (words × words × width) numbers is formed
            by_tag = (gains[:, :, None] * classifier.weight).flatten(1, 2)
            products = (by_tag @ normalised.transpose(1, 2)).unflatten(1, (length, tags)).transpose(2, 3)
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

    def cells(self, words: Tensor, conditions: Tensor, inputs: Tensor) -> Tensor:
        return torch.relu(self.condition(words)[conditions] + self.input(words)[inputs])

    def square(self, words: Tensor, classifier: nn.Linear) -> Tensor:
        logits: Tensor = classifier(torch.relu(self.condition(words)[:, :, None] + self.input(words)[:, None]))
        return logits
