"""The sizes and parts of the models, as a user may choose them."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from disconer.schemes import BioeScheme, HypergraphScheme, Interpretation, Joining, SegmentScheme, TransitionScheme
from disconer.schemes.hypergraph import MOST_COMPONENTS
from disconer.settings import setting


class ModelName(StrEnum):
    """The models that can be trained."""

    MAC = "mac"
    BIOE = "bioe"
    GRAPH = "graph"
    COMB = "comb"
    TRANS = "trans"


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
    """A gated linear recurrence, far cheaper; docs/results/speed.md has the trade."""
    NONE = "none"
    """The paper's fourth ablation."""


@dataclass(frozen=True)
class ModelSettings:
    """What the settings of every model can do."""

    def settled(self, longest_segment: int, fragments: int) -> Self:  # noqa: ARG002
        """Settle what is left open: the data's segments have up to so many words, its mentions so many fragments."""
        return self


@dataclass(frozen=True)
class SegmentModelSettings(ModelSettings):
    """What models that score every segment have in common."""

    longest_segment: int = setting(
        0, "words of the longest segment; 0 takes the length that 99.9% of the training data's keep to", minimum=0
    )

    def settled(self, longest_segment: int, fragments: int) -> Self:  # noqa: ARG002
        """Take the data's longest segment, unless another was chosen."""
        return replace(self, longest_segment=self.longest_segment or longest_segment)


@dataclass(frozen=True)
class MacSettings(SegmentModelSettings):
    """The sizes and parts of Mac."""

    width: int = setting(256, "width of the two task projections, the main lever on the cost of the heads", minimum=1)
    pairs: PairKind = setting(PairKind.CLN, "how two words become one vector: cln or concatenation")
    inner: InnerKind = setting(
        InnerKind.SCAN, "how the words of a segment become one vector: scan, lstm (the paper's) or none"
    )
    length_embedding: bool = setting(True, "add a vector for the length of a segment")
    prior: float = setting(0.01, "probability of every tag before anything is learned: tags are rare", 1e-9, 0.5)
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", minimum=0, maximum=1)


@dataclass(frozen=True)
class BioeSettings(ModelSettings):
    """The parts of BIOE."""

    joining: Joining = setting(
        Joining.EACH, "a D segment makes a mention with each H segment, or one with all of them, unless dev decides"
    )
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", minimum=0, maximum=1)

    def scheme(self) -> BioeScheme:
        return BioeScheme(self.joining)


@dataclass(frozen=True)
class GraphSettings(ModelSettings):
    """The sizes and parts of the mention hypergraph."""

    width: int = setting(256, "width of what hyperedges are scored from", minimum=1)
    components: int = setting(
        0, f"components of a mention at most; 0 takes as many as the training data's have, {MOST_COMPONENTS} at most",
        minimum=0,
    )  # fmt: skip
    interpretation: Interpretation = setting(
        Interpretation.COVER, "mentions are all paths, or as few as cover every link, unless dev decides"
    )
    prior: float = setting(0.01, "probability that a mention begins at a word, before anything is learned", 1e-9, 0.5)
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", minimum=0, maximum=1)

    def settled(self, longest_segment: int, fragments: int) -> Self:  # noqa: ARG002
        """Take as many components as the data's mentions have, within reason, unless another number was chosen."""
        return replace(self, components=self.components or min(fragments, MOST_COMPONENTS))

    def scheme(self) -> HypergraphScheme:
        return HypergraphScheme(self.components or MOST_COMPONENTS, self.interpretation)


@dataclass(frozen=True)
class CombSettings(SegmentModelSettings):
    """The sizes of Comb."""

    width: int = setting(256, "width of both classifiers", minimum=1)
    prior: float = setting(0.01, "probability of every segment before anything is learned", 1e-9, 0.5)
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", minimum=0, maximum=1)

    def scheme(self) -> SegmentScheme:
        return SegmentScheme()


@dataclass(frozen=True)
class TransSettings(ModelSettings):
    """The sizes of Trans."""

    width: int = setting(256, "width of the items on the stack", minimum=1)
    history: int = setting(64, "width of what is remembered of the actions so far", minimum=1)
    dropout: float = setting(0.1, "share of a vector's elements left out in training", minimum=0, maximum=1)

    def scheme(self) -> TransitionScheme:
        return TransitionScheme()
