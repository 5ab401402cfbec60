"""The names of what a run and a model directory hold."""

RUN_CONFIG = "config.toml"
"""Every setting of a run, resolved."""
METRICS = "metrics.jsonl"
"""A line an epoch, for each seed."""
CHECKPOINT = "checkpoint"
"""What a seed needs to go on."""
MODEL = "model"
"""A model directory: a seed's best epoch, and the run's choice among the seeds."""

CONFIG, TOKENIZER, CARD = "config.json", "tokenizer.json", "MODEL_CARD.md"
"""What every model directory holds; but that an encoder which reads letters has no tokenizer."""
WEIGHTS = "model.safetensors"
"""The weights of a model for torch."""
ENCODER, HEADS, EDGES = "encoder.onnx", "heads.onnx", "edges.safetensors"
"""The files of an exported model: pieces to vectors, vectors to segments and what edges are made of, and the latter."""
FILES = (CONFIG, TOKENIZER, CARD, WEIGHTS, ENCODER, HEADS, EDGES)
"""All that a model directory may hold."""


def seed_folder(seed: int) -> str:
    return f"seed-{seed}"
