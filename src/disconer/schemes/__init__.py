"""Tagging schemes: mentions encoded as labels and decoded back, without a neural network.

grid (Mac; its graph in segment_graph, its cliques in cliques), bioe (BIOE), hypergraph (Graph; covers), segments
(Comb), transitions (Trans), word_pairs (W2NER).
"""

from disconer.schemes.bioe import BioeScheme, Joining
from disconer.schemes.cliques import maximal_cliques
from disconer.schemes.grid import EdgeRule, EdgeSet, GridScheme, LoneNode, Singles, TagSet
from disconer.schemes.hypergraph import HypergraphScheme, Interpretation
from disconer.schemes.scheme import Decoding, Scheme
from disconer.schemes.segments import SegmentScheme
from disconer.schemes.transitions import TransitionScheme
from disconer.schemes.word_pairs import WordPairScheme

__all__ = [
    "BioeScheme", "Decoding", "EdgeRule", "EdgeSet", "GridScheme", "HypergraphScheme", "Interpretation", "Joining",
    "LoneNode", "Scheme", "SegmentScheme", "Singles", "TagSet", "TransitionScheme", "WordPairScheme", "maximal_cliques",
]  # fmt: skip
