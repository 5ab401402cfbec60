"""Strict matching, the paper's breakdowns and data tables."""

from disconer.scoring.counts import Counts
from disconer.scoring.pairing import paired
from disconer.scoring.scores import SCOPES, Scores, score
from disconer.scoring.statistics import Statistics, statistics

__all__ = ["SCOPES", "Counts", "Scores", "Statistics", "paired", "score", "statistics"]
