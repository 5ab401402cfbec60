"""The sizes and parts of the models, as a user may choose them."""

from dataclasses import dataclass
from enum import StrEnum

from disconer.settings import setting


class PairKind(StrEnum):
    """How two words become one vector."""

    CLN = "cln"
    """Conditional layer normalisation."""
    CONCATENATION = "concatenation"
    """The paper's third ablation."""


class InnerKind(StrEnum):
    """How the words of a segment become one vector."""

    LSTM = "lstm"
    """The paper's."""
    SCAN = "scan"
    """A gated linear recurrence, far cheaper; docs/speed.md has the trade."""
    NONE = "none"
    """The paper's fourth ablation."""


@dataclass(frozen=True)
class MacSettings:
    """The sizes and parts of Mac."""

    width: int = setting(256, "width of the two task projections, the main lever on the cost of the heads", minimum=1)
    pairs: PairKind = setting(PairKind.CLN, "how two words become one vector: cln or concatenation")
    inner: InnerKind = setting(
        InnerKind.SCAN, "how the words of a segment become one vector: scan, lstm (the paper's) or none"
    )
    length_embedding: bool = setting(True, "add a vector for the length of a segment")
    longest_segment: int = setting(
        0, "words of the longest segment; 0 takes the length that 99.9% of the training data's keep to", minimum=0
    )
    prior: float = setting(0.01, "probability of every tag before anything is learned: tags are rare", 1e-9, 0.5)
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", minimum=0, maximum=1)
