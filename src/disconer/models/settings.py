"""The sizes and parts of the models, as a user may choose them."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from disconer.foundation.settings import Checked, setting
from disconer.schemes import (
    BioeScheme,
    EdgeRule,
    EdgeSet,
    GridScheme,
    HypergraphScheme,
    Interpretation,
    Joining,
    LoneNode,
    Scheme,
    SegmentScheme,
    Singles,
    TagSet,
    TransitionScheme,
    WordPairScheme,
)
from disconer.schemes.hypergraph import MOST_COMPONENTS


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


class LearnedEdges(StrEnum):
    """Between which words Mac learns whether there is an edge."""

    ALL = "all"
    """All of a sentence: the paper's."""
    SEGMENTS = "segments"
    """Those that an annotated segment begins or ends with, whatever its label and tag: decoding asks for these when it
    finds the right segments."""


class TransNetwork(StrEnum):
    """What Trans decides from."""

    STACK = "stack"
    """The paper's."""
    PLAIN = "plain"
    """A smaller one: the top three items, and what each attends to."""


@dataclass(frozen=True)
class SchemeSettings(Checked):
    """How mentions become Mac's labels; other models have their own among their settings."""

    tags: TagSet = setting(TagSet.BIS, "bis, or one: a single class of segments, the paper's first ablation")
    lone_node: LoneNode = setting(
        LoneNode.NOTHING, "what a part without an edge becomes, nothing or a mention, unless dev decides"
    )
    edge_rule: EdgeRule = setting(EdgeRule.EITHER, "an edge needs H2H and T2T in either direction, or in their mean")
    edges: EdgeSet = setting(
        EdgeSet.GAPS, "ends: the paper's H2H and T2T; gaps: T2H over the gap too, which keeps mentions from combining"
    )
    singles: Singles = setting(
        Singles.APART, "segments tagged S are mentions at once (apart), or go into the graph too, as Algorithm 1 has it"
    )


@dataclass(frozen=True)
class ModelSettings(Checked, ABC):
    """The part of the configuration that belongs to one model."""

    def resolve(self, longest_segment: int, fragments: int, before: "ModelSettings | None" = None) -> Self:  # noqa: ARG002
        """Fill in what depends on the data: words of its segments, fragments of its mentions.

        What the model was made for that a run goes on from (`before`) it must still hold.
        """
        return self

    @abstractmethod
    def new_scheme(self, grid: SchemeSettings) -> Scheme:
        """The model's scheme, with thresholds that nobody has chosen yet."""

    @property
    def helper_weight(self) -> float:
        """How much a mention hypergraph counts that learns beside the model, on the same encoder; 0 without one."""
        return 0.0


@dataclass(frozen=True)
class SegmentModelSettings(ModelSettings):
    """What models that score every segment have in common."""

    longest_segment: int = setting(
        0, "words of the longest segment; 0 takes the length that 99.9% of the training data's keep to", minimum=0,
        is_resolved=True, is_chosen_anew=True,
    )  # fmt: skip

    def resolve(self, longest_segment: int, fragments: int, before: ModelSettings | None = None) -> Self:  # noqa: ARG002
        """Take the data's longest segment, unless another was chosen."""
        known = before.longest_segment if isinstance(before, SegmentModelSettings) else 1
        return replace(self, longest_segment=self.longest_segment or max(longest_segment, known))


@dataclass(frozen=True)
class MacSettings(SegmentModelSettings):
    """The sizes and parts of Mac."""

    width: int = setting(256, "width of the two task projections, the main lever on the cost of the heads", minimum=1)
    pairs: PairKind = setting(PairKind.CLN, "how two words become one vector: cln or concatenation")
    inner: InnerKind = setting(
        InnerKind.SCAN, "how the words of a segment become one vector: scan, lstm (the paper's) or none"
    )
    length_embedding: bool = setting(True, "add a vector for the length of a segment")
    words: bool = setting(
        True, "add what each word says by itself: that a segment begins, ends or goes on here", earlier=False
    )
    learned_edges: LearnedEdges = setting(
        LearnedEdges.SEGMENTS, "words between which edges are learned: segments (the ends of annotated ones) or all",
        is_chosen_anew=True, earlier=LearnedEdges.ALL,
    )  # fmt: skip
    prior: float = setting(
        0.01, "probability of every tag before anything is learned: tags are rare", 1e-9, 0.5, is_chosen_anew=True
    )
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", 0, 1, is_chosen_anew=True)
    helper: float = setting(
        1.0, "weight of a mention hypergraph (the table graph) that learns on the same encoder, in training only; 0 "
        "does without", minimum=0, is_chosen_anew=True, earlier=0.0,
    )  # fmt: skip

    def new_scheme(self, grid: SchemeSettings) -> GridScheme:
        return GridScheme(grid.tags, grid.lone_node, grid.edge_rule, grid.edges, grid.singles)

    @property
    def helper_weight(self) -> float:
        return self.helper


@dataclass(frozen=True)
class BioeSettings(ModelSettings):
    """The parts of BIOE."""

    joining: Joining = setting(
        Joining.EACH, "a D segment makes a mention with each H segment, or one with all of them, unless dev decides",
        is_chosen_anew=True,
    )  # fmt: skip
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", 0, 1, is_chosen_anew=True)

    def new_scheme(self, grid: SchemeSettings) -> BioeScheme:  # noqa: ARG002
        return BioeScheme(self.joining)


@dataclass(frozen=True)
class GraphSettings(ModelSettings):
    """The sizes and parts of the mention hypergraph."""

    width: int = setting(256, "width of what hyperedges are scored from", minimum=1)
    components: int = setting(
        0, f"components of a mention at most; 0 takes as many as the training data's have, {MOST_COMPONENTS} at most",
        minimum=0, is_resolved=True, is_chosen_anew=True,
    )  # fmt: skip
    interpretation: Interpretation = setting(
        Interpretation.COVER, "mentions are all paths, or as few as cover every link, unless dev decides",
        is_chosen_anew=True,
    )  # fmt: skip
    prior: float = setting(
        0.01, "probability that a mention begins at a word, before anything is learned", 1e-9, 0.5, is_chosen_anew=True
    )
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", 0, 1, is_chosen_anew=True)

    def resolve(self, longest_segment: int, fragments: int, before: ModelSettings | None = None) -> Self:  # noqa: ARG002
        """Take as many components as the data's mentions have, within reason, unless another number was chosen."""
        known = before.components if isinstance(before, GraphSettings) else 1
        return replace(self, components=self.components or min(max(fragments, known), MOST_COMPONENTS))

    def new_scheme(self, grid: SchemeSettings) -> HypergraphScheme:  # noqa: ARG002
        return HypergraphScheme(self.components or MOST_COMPONENTS, self.interpretation)


@dataclass(frozen=True)
class CombSettings(SegmentModelSettings):
    """The sizes of Comb."""

    width: int = setting(256, "width of both classifiers", minimum=1)
    prior: float = setting(
        0.01, "probability of every segment before anything is learned", 1e-9, 0.5, is_chosen_anew=True
    )
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", 0, 1, is_chosen_anew=True)

    def new_scheme(self, grid: SchemeSettings) -> SegmentScheme:  # noqa: ARG002
        return SegmentScheme()


@dataclass(frozen=True)
class TransSettings(ModelSettings):
    """The sizes and parts of Trans."""

    network: TransNetwork = setting(
        TransNetwork.STACK, "what decisions are made from: stack (the paper's LSTM over the stack) or plain",
        earlier=TransNetwork.PLAIN,
    )  # fmt: skip
    width: int = setting(256, "width of words and of the items on the stack", minimum=1)
    layers: int = setting(2, "layers of the LSTM over the words, in the network stack", 1, 9)
    history: int = setting(64, "width of the vectors of actions", minimum=1)
    dropout: float = setting(0.1, "share of a vector's elements left out in training", 0, 1, is_chosen_anew=True)

    def new_scheme(self, grid: SchemeSettings) -> TransitionScheme:  # noqa: ARG002
        return TransitionScheme()


@dataclass(frozen=True)
class W2nerSettings(ModelSettings):
    """The sizes of W2NER."""

    width: int = setting(384, "width of the LSTM over the words, both ways together", minimum=2)
    distance: int = setting(20, "width of the vectors of distances between words", minimum=1)
    region: int = setting(20, "width of the vectors of the grid's two triangles", minimum=1)
    channels: int = setting(80, "width of a pair of words, and of each convolution over pairs", minimum=1)
    convolutions: int = setting(3, "convolutions side by side, of dilations 1, 2, …", 1, 9)
    hidden: int = setting(120, "width of the layer that reads the convolutions", minimum=1)
    biaffine: int = setting(256, "width of a word in the biaffine predictor", minimum=1)
    window: int = setting(
        512, "words that may lie between two with a relation, so that the cost of longer sentences grows with their "
        "length and not its square", minimum=1, is_chosen_anew=True,
    )  # fmt: skip
    prior: float = setting(
        0.01, "probability of every relation before anything is learned: relations are rare", 1e-9, 0.5,
        is_chosen_anew=True,
    )  # fmt: skip
    dropout: float = setting(0.1, "share of a word vector's elements left out in training", 0, 1, is_chosen_anew=True)
    pair_dropout: float = setting(0.1, "share of a pair's elements left out in training", 0, 1, is_chosen_anew=True)
    predictor_dropout: float = setting(
        0.1, "share of the elements left out in training that the predictors read", 0, 1, is_chosen_anew=True
    )

    def new_scheme(self, grid: SchemeSettings) -> WordPairScheme:  # noqa: ARG002
        return WordPairScheme()
