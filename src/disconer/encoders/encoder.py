"""What every encoder can do, whatever it is inside."""

from abc import ABC, abstractmethod

from torch import Tensor, nn

from disconer.encoders.packing import Packed


class WordEncoder(nn.Module, ABC):
    """Gives one vector for every word of a batch.

    Its own weights are those of its parts. A learned mix of layers is a parameter of the encoder itself.
    """

    width: int
    """Of its vectors."""

    @abstractmethod
    def forward(self, packed: Packed) -> Tensor:
        """Give the vectors of all words, one sentence after the other, without padding."""

    def freeze(self) -> None:
        """Leave its own weights as they are from now on; a mix of layers goes on learning.

        Torch then keeps nothing of what goes on below the mix, and there is no way back through it.
        """
        for part in self.children():
            part.requires_grad_(False)
