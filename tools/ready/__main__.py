"""Make the distribution of a ready model: `python -m tools.ready NAME RUN DEV`.

`models/NAME/about.toml` says what cannot be measured. The run's model is exported with eight bits, scored on DEV before
and after, and written with a card into the package, which is then installed with `pip install --no-deps ./models/NAME`.
"""

import hashlib
import json
import sys
import tomllib
from pathlib import Path

import disconer
from disconer.runtime.export import export
from disconer.runtime.torch_engine import load_torch_engine
from disconer.storage.directory import find_model_directory
from disconer.storage.paths import CARD, FILES
from disconer.storage.ready import DESCRIPTION
from tools.ready.card import About, write_card

ROOT = Path(__file__).parents[2] / "models"


def make(name: str, run: str, dev: str) -> None:
    """Make the model of a name from a run."""
    about = About(**tomllib.loads((ROOT / name / "about.toml").read_text(encoding="utf-8")))
    folder = ROOT / name / f"disconer_{name}" / "model"
    engine = load_torch_engine(find_model_directory(run))
    export(engine, folder, "", int8=True)
    before, after = disconer.evaluate(run, dev), disconer.evaluate(folder, dev)
    card = write_card(name, about, engine.card, (before, after), disconer.load(folder))
    (folder / CARD).write_text(card, encoding="utf-8")
    present = [file for file in FILES if (folder / file).is_file()]
    measured = after.as_json()
    description = {
        "title": about.title,
        "data": about.data,
        "licence": about.licence,
        "examples": about.examples,
        "scores": {scope: measured[scope] for scope in ("all", "disc_sentences", "disc_mentions")},
        "sha256": {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in present},
    }
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{folder}: {sum((folder / file).stat().st_size for file in present) / 1e6:.1f} MB")  # noqa: T201


if __name__ == "__main__":
    make(*sys.argv[1:])
