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
from typing import Any

from disconer.api import start_run
from disconer.cli.options import (
    add_input_options,
    add_model_options,
    add_quiet_option,
    as_path,
    as_positive,
    format_command_line,
    tell,
)
from disconer.exceptions import InputError
from disconer.foundation.extras import require_extra
from disconer.foundation.settings import as_toml, parse_assignment
from disconer.models.registry import ModelName
from disconer.storage.paths import MODEL
from disconer.training.config import Config, list_shipped_configs, resolve_config


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--train", metavar="F", help="annotated file or folder to learn from")
    parser.add_argument(
        "--dev", metavar="F", help="annotated file or folder to choose the best epoch and thresholds on"
    )
    parser.add_argument(
        "--out", type=as_path, metavar="RUN", help="a new folder for the run, or with --resume an old one"
    )
    models = [str(name) for name in ModelName]
    parser.add_argument(
        "--model", metavar="NAME", choices=models, help=f"what to train: {', '.join(models)} (default: mac)"
    )
    parser.add_argument(
        "--encoder", metavar="NAME", help="minilm (default), a folder, elmo:FOLDER, or a name on the hub"
    )
    parser.add_argument(
        "--config", metavar="C.toml", help=f"a file of settings, or one of ours: {', '.join(list_shipped_configs())}"
    )
    parser.add_argument(
        "--init", metavar="MODEL",
        help="go on from a model (as of other commands); train may have labels that it lacks",
    )  # fmt: skip
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="any setting; may repeat")
    parser.add_argument("--epochs", type=as_positive, metavar="N", help="passes over the training data at most")
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
    asked = _list_assignments(arguments)
    names = [one.partition("=")[0] for one in asked]
    resumed = arguments.out if arguments.resume else None
    config = resolve_config([parse_assignment(Config, one) for one in asked], arguments.config, resumed)
    if arguments.show:
        print(as_toml(_adapt(config, names)), end="")
        return
    if arguments.out is None or not config.data.train or not config.data.dev:
        raise InputError("a run needs --train, --dev and --out")
    config = replace(config, command=format_command_line())
    best = start_run(
        config, arguments.out, names,
        device=arguments.device, threads=arguments.threads, progress=not arguments.quiet, resume=arguments.resume,
    )  # fmt: skip
    if not arguments.quiet:
        for seed, epoch in best.items():
            tell(f"seed {seed}: best on dev was {epoch.line()}")
        tell(f"wrote {arguments.out / MODEL}")


def _list_assignments(arguments: Namespace) -> list[str]:
    """The settings that the flags ask for, as `name=value`."""
    flags: dict[str, Any] = {
        "model": arguments.model, "seeds": ",".join(map(str, dict.fromkeys(arguments.seed or ()))) or None,
        "data.train": arguments.train, "data.dev": arguments.dev, "init.model": arguments.init,
        "data.format": arguments.input_format, "data.split": arguments.split,
        "encoder.name": arguments.encoder, "training.epochs": arguments.epochs,
    }  # fmt: skip
    return [*(f"{name}={value}" for name, value in flags.items() if value is not None), *arguments.set]


def _adapt(config: Config, asked: Collection[str]) -> Config:
    """Fill in what the model decides that training goes on from."""
    if not config.init.model:
        return config
    with require_extra("torch"):
        from disconer.training.origin import Origin  # noqa: PLC0415 (torch takes seconds to import)
    return Origin.find(config.init.model).adapt(config, asked)
