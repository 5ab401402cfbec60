"""Scores of mentions in formats that have no place of their own for them."""

from typing import Any


def score_of(value: Any) -> float | None:
    """Give the score that a value says, as a number or as text; None when it says something else."""
    try:
        score = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return score if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 else None
