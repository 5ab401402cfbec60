"""What Python users call: load, train, evaluate, score, find_errors and convert, each as good as its command.

What runs a model is only imported when it is called, so that `import disconer` stays light.
"""

import shlex
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from enum import StrEnum
from functools import reduce
from operator import getitem
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from disconer.document import Document
from disconer.drawing.errors import Errors
from disconer.exceptions import InputError, RunError, locate_errors
from disconer.formats import as_documents
from disconer.formats.conversion import Conversion, convert
from disconer.foundation.checks import as_choice, check_named
from disconer.foundation.device import Device
from disconer.foundation.extras import require_extra
from disconer.foundation.files import make_parent
from disconer.foundation.progress import choose_display
from disconer.foundation.settings import as_mapping, find_setting, format_assignments, nest
from disconer.models.registry import ModelName
from disconer.schemes import GridScheme
from disconer.scoring import Scores, pair_documents, score_pairs
from disconer.scoring.pairing import Pair
from disconer.storage.paths import ENCODER
from disconer.tokenize import Split
from disconer.training.config import IN_MEMORY, OF_THE_RUN, Config, resolve_config

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer
    from disconer.training.metrics import Epoch

__all__ = ["Conversion", "convert", "evaluate", "find_errors", "load", "score", "train"]

Documents = Path | str | Document | Iterable[Document]
"""A path in any format, or the documents themselves."""

_DATA = ("data.train", "data.dev")
"""Settings that are arguments of their own."""


def load(model: Path | str, device: str = "auto", threads: int | None = None) -> "Recognizer":
    """Load a recognizer from a run, a model directory, or the name of a ready model or of one on the hub.

    Such a name may end in a revision: `owner/name@v1.0`. `Recognizer.from_pretrained` has more to say to the hub.
    `device` is auto, cpu, cuda or mps; `threads` limits how many a processor is used with.
    """
    with require_extra("onnx" if (Path(model) / ENCODER).is_file() else "torch"):
        from disconer import recognizer  # noqa: PLC0415 (numpy and the like, which most commands do without)
    return recognizer.load_recognizer(model, device, threads)


def train(
    train: Documents,
    dev: Documents,
    out: Path | str | None = None,
    *,
    model: str | None = None,
    encoder: Path | str | None = None,
    seeds: Iterable[int] | int | None = None,
    config: Path | str | None = None,
    init: Path | str | None = None,
    device: str = "auto",
    threads: int | None = None,
    progress: bool = True,
    resume: bool = False,
    **settings: Any,
) -> "Recognizer":
    """Train a model on annotated documents, as `disconer train` does, and return its recognizer.

    - `train` and `dev` are files or folders in any format, or documents; the best epoch and the thresholds are chosen
      on dev.
    - `out` is a new folder for the run, or with `resume` an old one; without it, only the recognizer remains.
    - `model` is mac (the default) or another that `disconer train --model` knows; `encoder` is minilm (the default), a
      folder, `elmo:FOLDER`, or a name on the hub.
    - A model is trained for each of `seeds` (0 by default); the recognizer is that of the median dev score.
    - `config` is a TOML file of settings, or one of ours: paper, trans-elmo, w2ner.
    - `init` is a model to go on from; train may have labels that it lacks.
    - `device` is auto, cpu, cuda or mps; `threads` limits how many a processor is used with; `progress` shows a bar.
    - `resume` goes on where the run in `out` was left off. Documents in memory must be given again, the same ones.
    - `settings` are all others of the configuration by their names, such as `epochs=8`. A name that several tables
      have is taken from `training`, then from the model's own; any full name will do: `**{"encoder.window": 256}`.

    Raises `InputError` where the data or the settings cannot be used, and `RunError` where training failed. After an
    interruption, `out` holds the best model so far, and the run can be resumed.
    """
    if out is None and resume:
        raise InputError("a run that goes on needs its folder: say which with out")
    check_named(train, dev, out)
    data = {name: one for name, one in (("train", train), ("dev", dev)) if isinstance(one, Path | str)}
    documents = {name: as_documents(one) for name, one in (("train", train), ("dev", dev)) if name not in data}
    named = {"model": model, "encoder.name": encoder, "init.model": _check_init(init), "seeds": _as_list(seeds)}
    named |= {f"data.{name}": data.get(name, IN_MEMORY) for name in ("train", "dev")}
    asked = {name: _as_plain(value) for name, value in named.items() if value is not None}
    resumed = Path(out) if out is not None and resume else None
    asked |= _name_settings(settings, _find_model(asked, settings, config, resumed), asked)
    resolved = resolve_config([nest(*one) for one in asked.items()], config, resumed)
    resolved = replace(resolved, command=_as_command(resolved, asked, config, out))
    with nullcontext(out) if out is not None else TemporaryDirectory() as scratch:
        folder = Path(scratch) if out is not None else Path(scratch) / "run"
        make_parent(folder)
        with _pass_interruptions_on(is_kept=out is not None):
            start_run(
                resolved, folder, asked, documents, device=device, threads=threads, progress=progress, resume=resume
            )
        return load(folder, device, threads)


def start_run(
    config: Config,
    out: Path,
    asked: Collection[str],
    documents: Mapping[str, Iterable[Document]] | None = None,
    *,
    device: str,
    threads: int | None,
    progress: bool,
    resume: bool,
) -> dict[int, "Epoch"]:
    """Train as resolved settings say, `asked` for by name or not; what `train` and the command share.

    Returns the best epoch of each seed.
    """
    with require_extra("torch"):
        from disconer.foundation.hardware import choose_device  # noqa: PLC0415 (torch takes seconds to import)
        from disconer.training.run import Run  # noqa: PLC0415
    place = choose_device(as_choice(Device, device, "device"), threads)
    return Run(config, out, place, choose_display(not progress), documents or {}, asked).train(resume)


@contextmanager
def _pass_interruptions_on(is_kept: bool) -> Iterator[None]:
    """Let Ctrl-C end a loop over trainings, which may catch all their failures, and say what is left of this one."""
    try:
        yield
    except RunError as error:
        if not isinstance(error.__context__, KeyboardInterrupt):
            raise
        said = str(error) if is_kept else "interrupted; nothing is kept of a run without a folder: name out"
        raise KeyboardInterrupt(said) from None


def _find_model(
    asked: Mapping[str, Any], settings: Mapping[str, Any], config: Path | str | None, resumed: Path | None
) -> ModelName:
    """The model that is trained: as was asked, or as the one to go on from has it, or the configuration."""
    if "model" in asked:
        return as_choice(ModelName, asked["model"], "model")
    exact = {name: _as_plain(one) for name, one in settings.items() if "." in name or isinstance(one, Mapping)}
    resolved = resolve_config([nest(*one) for one in (*asked.items(), *exact.items())], config, resumed)
    if not resolved.init.model:
        return resolved.model
    with require_extra("torch"):
        from disconer.storage.directory import find_model_directory, read_description  # noqa: PLC0415 (numpy)
    return read_description(find_model_directory(resolved.init.model)).model


def _name_settings(settings: Mapping[str, Any], model: ModelName, asked: Collection[str]) -> dict[str, Any]:
    """Settings by their full names, those of tables too."""
    named: dict[str, Any] = {}
    others = [str(one) for one in ModelName if one is not model]
    if model.entry.scheme is not GridScheme:
        others.append("scheme")
    for name, value in settings.items():
        full = find_setting(Config, name, ("training", model), others)
        table = {f"{full}.{key}": one for key, one in value.items()} if isinstance(value, Mapping) else {full: value}
        for one, own in table.items():
            if one in named or one in asked:
                raise InputError(f"the setting {one} is given twice")
            if one in OF_THE_RUN:
                raise InputError(f"{one} is written by the run itself")
            named[one] = _as_plain(own)
    return named


def _as_plain(value: Any) -> Any:
    """Paths and choices as text, numpy's numbers as Python's, in lists and tables too."""
    if isinstance(value, Path | StrEnum):
        return str(value)
    if isinstance(value, list | tuple):
        return [_as_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _as_plain(one) for name, one in value.items()}
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value


def _check_init(init: object) -> str | None:
    if init is not None and not isinstance(init, Path | str):
        raise InputError("init is the path or the name of a model: save it first, with save_pretrained")
    return None if init is None else str(init)


def _as_list(seeds: Iterable[int] | int | None) -> list[int] | None:
    if seeds is None:
        return None
    return [_as_plain(one) for one in dict.fromkeys(seeds if isinstance(seeds, Iterable) else [seeds])]


def _as_command(config: Config, asked: Iterable[str], file: Path | str | None, out: Path | str | None) -> str:
    """What does the same, for the model card: a command line, or a call where that has no words for it."""
    if out is None or IN_MEMORY in (config.data.train, config.data.dev):
        return _as_call(config, asked, file, out)
    flags = {"--train": config.data.train, "--dev": config.data.dev, "--config": file, "--out": out}
    words = [str(word) for flag, value in flags.items() if value is not None for word in (flag, value)]
    others = [name for name in asked if name not in _DATA]
    words += [word for one in format_assignments(config, others) for word in ("--set", one)]
    return shlex.join(["disconer", "train", *words])


def _as_call(config: Config, asked: Iterable[str], file: Path | str | None, out: Path | str | None) -> str:
    places = {"train": config.data.train, "dev": config.data.dev}
    words = [name if path == IN_MEMORY else repr(path) for name, path in places.items()]
    words += [f"{name}={str(value)!r}" for name, value in (("out", out), ("config", file)) if value is not None]
    values = as_mapping(config)
    others = {name: reduce(getitem, name.split("."), values) for name in asked if name not in _DATA}
    return f"disconer.train({', '.join([*words, *([f'**{others}'] if others else [])])})"


def evaluate(
    model: "Recognizer | Path | str",
    data: Documents,
    *,
    threshold: float | None = None,
    context: int = 1,
    format: str | None = None,
    split: Split | str | None = None,
    device: str = "auto",
    threads: int | None = None,
) -> Scores:
    """Predict annotated documents with a recognizer, or the model at a path, and score the predictions.

    `threshold` and `context` are those of `Recognizer.pipe`; `format` and `split` say how a path is read, `device` and
    `threads` where a model runs that is given by its path. Warns of sentences with too many possible mentions to find
    all of them.
    """
    gold = list(as_documents(data, format, split))
    recognizer = load(model, device, threads) if isinstance(model, Path | str) else model
    before = recognizer.cut_sentences
    scores = score_pairs(zip(gold, recognizer.pipe(gold, threshold, context), strict=True))
    if cut := recognizer.describe_cut(before):
        warnings.warn(cut, stacklevel=2)
    return scores


def score(
    gold: Documents, predicted: Documents, *, format: str | None = None, split: Split | str | None = None
) -> Scores:
    """Score predicted documents against gold ones, which are matched by id, or by order where there are no ids.

    >>> gold = [Document("Joint and back pain.", [("ADR", [(0, 5), (15, 19)])])]
    >>> score(gold, gold).disc_mentions.f1
    1.0
    """
    return score_pairs(read_pairs(gold, predicted, format, split))


def find_errors(
    gold: Documents, predicted: Documents, *, format: str | None = None, split: Split | str | None = None
) -> Errors:
    """Find what is wrong in predicted documents: every false positive and every miss, each with its kind."""
    return Errors(read_pairs(gold, predicted, format, split))


def read_pairs(gold: Documents, predicted: Documents, format: str | None, split: Split | str | None) -> list[Pair]:
    """Put annotated documents beside what was predicted for them."""
    both = [as_documents(one, format, split) for one in (gold, predicted)]
    names = (one if isinstance(one, Path | str) else "documents" for one in (gold, predicted))
    with locate_errors(" and ".join(map(str, names))):
        return pair_documents(*both)
