"""The names of what a run and a model directory hold, and the names that people give them."""

from pathlib import Path

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
"""The files of an exported model: subwords to vectors, vectors to segments and the parts of edges, edge weights."""
REST = "rest.safetensors"
"""Of an exported model, the weights that no graph holds as they were: only who learns again needs them."""
FILES = (CONFIG, TOKENIZER, CARD, WEIGHTS, ENCODER, HEADS, EDGES, REST)
"""All that a model directory may hold."""


def seed_folder(seed: int) -> str:
    return f"seed-{seed}"


def split_name(text: str) -> tuple[str, str]:
    """Split `NAME=PATH`; the name is empty where there is none, or where a file is called so.

    >>> split_name("adr=runs/mac"), split_name("runs/mac")
    (('adr', 'runs/mac'), ('', 'runs/mac'))
    """
    name, equals, path = text.partition("=")
    return (name, path) if equals and name and path and not Path(text).exists() else ("", text)


def default_name(path: Path) -> str:
    """Name a model after its folder, and the model of a run after the run.

    >>> default_name(Path("runs/mac")), default_name(Path("runs/mac/model"))
    ('mac', 'mac')
    """
    whole = path.resolve()
    return whole.parent.name if whole.name == MODEL and whole.parent.name else whole.name
