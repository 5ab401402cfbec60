"""Train a model on annotated sentences.

Examples:
  disconer train --train train.jsonl --dev dev.jsonl --out run/
  disconer train --train train/ --dev dev/ --out run/ --encoder emilyalsentzer/Bio_ClinicalBERT --seed 1 2 3
  disconer train --train train.jsonl --dev dev.jsonl --out run/ --resume           go on after an interruption
  disconer train --train train.jsonl --dev dev.jsonl --out run/ --config paper     the paper's own recipe
  disconer train --train more.jsonl --dev dev.jsonl --out better/ --init run/      go on with new annotations
  disconer train --train train.jsonl --dev dev.jsonl --out other/ --model bioe     a system to compare with
  disconer train --config paper --show                                             all settings, explained

A run holds config.toml, seed-S/{metrics.jsonl, checkpoint/, model/} for every seed, and model/, that of the seed with
the median dev score. Settings come from the configuration, and flags override it.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

from disconer.cli.options import (
    add_input_options,
    add_model_options,
    add_quiet_option,
    as_path,
    command_line,
    positive,
    tell,
)
from disconer.device import Device
from disconer.exceptions import InputError, located
from disconer.extras import installed
from disconer.models.settings import ModelName
from disconer.nearest import did_you_mean
from disconer.runs import MODEL, RUN_CONFIG
from disconer.settings import as_toml, assigned, from_mapping, merged, read_toml
from disconer.training.config import Config, shipped


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--train", metavar="F", help="annotated file or folder to learn from")
    parser.add_argument(
        "--dev", metavar="F", help="annotated file or folder to choose the best epoch and thresholds on"
    )
    parser.add_argument(
        "--out", type=as_path, metavar="RUN", help="a new folder for the run, or with --resume an old one"
    )
    parser.add_argument("--model", choices=[str(name) for name in ModelName], help="what to train (default: mac)")
    parser.add_argument(
        "--encoder", metavar="NAME", help="minilm (default), a folder, elmo:FOLDER, or a name on the hub"
    )
    parser.add_argument(
        "--config", metavar="C.toml", help=f"a file of settings, or one of ours: {', '.join(shipped())}"
    )
    parser.add_argument(
        "--init", metavar="MODEL",
        help="go on from a model (a run, a model directory or a name on the hub); train may have labels that it lacks",
    )  # fmt: skip
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="any setting; may repeat")
    parser.add_argument("--epochs", type=positive, metavar="N", help="passes over the training data at most")
    parser.add_argument(
        "--seed", type=int, nargs="+", action="extend", metavar="S",
        help="the run's seed (default: 0); several, and the median on dev is the run's model",
    )  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="go on where the run in RUN was left off")
    parser.add_argument("--show", action="store_true", help="print the resolved settings as TOML, and do nothing else")
    add_input_options(parser)
    add_model_options(parser)
    add_quiet_option(parser, "the progress and the scores")


def run(arguments: Namespace) -> None:
    config = _config(arguments)
    if config.init.model:
        config = _continued(config, [wish.partition("=")[0] for wish in _wishes(arguments)])
    if arguments.show:
        print(as_toml(config), end="")
        return
    if arguments.out is None or not config.data.train or not config.data.dev:
        raise InputError("a run needs --train, --dev and --out")
    with installed("torch"):
        from disconer.hardware import chosen  # noqa: PLC0415 (torch takes seconds to import)
        from disconer.training.progress import watcher  # noqa: PLC0415
        from disconer.training.run import Run  # noqa: PLC0415
    device = chosen(Device(arguments.device), arguments.threads)
    config = replace(config, command=command_line())
    best = Run(config, arguments.out, device, watcher(arguments.quiet)).train(arguments.resume)
    if not arguments.quiet:
        for seed, epoch in best.items():
            tell(f"seed {seed}: best on dev was {epoch.line()}")
        tell(f"wrote {arguments.out / MODEL}")


def _config(arguments: Namespace) -> Config:
    """Resolve the settings: those of the file, or of the run that goes on, and over them those of the flags."""
    overrides = [assigned(Config, wish) for wish in _wishes(arguments)]
    path, kept = _config_file(arguments), _kept_config(arguments)
    # Without any named, a run goes on with the seeds that it has.
    values = {"seeds": read_toml(kept).get("seeds", [0])} if kept is not None else {}
    if path is None:
        return from_mapping(Config, reduce(merged, overrides, values))
    with located(path):
        return from_mapping(Config, reduce(merged, (read_toml(path), *overrides), values))


def _wishes(arguments: Namespace) -> list[str]:
    """Give the settings that the flags ask for, as `name=value`."""
    flags: dict[str, Any] = {
        "model": arguments.model, "seeds": ",".join(map(str, dict.fromkeys(arguments.seed or ()))) or None,
        "data.train": arguments.train, "data.dev": arguments.dev, "init.model": arguments.init,
        "data.format": arguments.input_format, "data.split": arguments.split,
        "encoder.name": arguments.encoder, "training.epochs": arguments.epochs,
    }  # fmt: skip
    return [*(f"{name}={value}" for name, value in flags.items() if value is not None), *arguments.set]


def _continued(config: Config, asked: Collection[str]) -> Config:
    """Settle what the model that training goes on from decides."""
    with installed("torch"):
        from disconer.training.origin import Origin  # noqa: PLC0415
    return Origin.of(config.init.model).continued(config, asked)


def _config_file(arguments: Namespace) -> Path | None:
    if arguments.config is not None:
        path, ours = Path(arguments.config), shipped()
        if not path.exists() and len(path.parts) == 1 and not path.suffix:
            if arguments.config not in ours:
                raise InputError(f"there is no such file{did_you_mean(arguments.config, ours)}", path=path)
            return ours[arguments.config]
        return path
    return _kept_config(arguments)


def _kept_config(arguments: Namespace) -> Path | None:
    """Give the configuration of the run that is to go on, if there is one."""
    kept: Path | None = arguments.out / RUN_CONFIG if arguments.resume and arguments.out is not None else None
    return kept if kept is not None and kept.is_file() else None
