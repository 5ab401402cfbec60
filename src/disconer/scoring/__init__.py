"""Strict matching, the paper's breakdowns and data tables."""

from disconer.scoring.counts import Counts
from disconer.scoring.pairing import pair_documents
from disconer.scoring.scores import SCOPES, Scores, score_pairs
from disconer.scoring.statistics import Statistics, statistics

__all__ = ["SCOPES", "Counts", "Scores", "Statistics", "pair_documents", "score_pairs", "statistics"]
