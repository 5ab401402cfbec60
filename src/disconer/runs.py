"""The names of what a run and a model directory hold."""

RUN_CONFIG = "config.toml"
"""Every setting of a run, resolved."""
METRICS = "metrics.jsonl"
"""A line an epoch, for each seed."""
CHECKPOINT = "checkpoint"
"""What a seed needs to go on."""
MODEL = "model"
"""A model directory: a seed's best epoch, and the run's choice among the seeds."""


def seed_folder(seed: int) -> str:
    return f"seed-{seed}"
