"""List the ready models: trained by us on public text, and found by name wherever a MODEL is asked for.

Examples:
  disconer models                                          what is there, and how well it does
  disconer models adr                                      a model's card: data, licence, scores, weaknesses
  disconer predict adr --text 'Hepatic and renal failure were reported.'
  disconer serve adr trials

A file or a folder of the same name comes first.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from disconer.cli.options import add_json_option, add_quiet_option, is_table_wanted, tell, write_json
from disconer.cli.tables import fill, format_percent
from disconer.exceptions import InputError
from disconer.foundation.characters import printable
from disconer.scoring import SCOPES
from disconer.storage.ready import NAMES, ReadyModel, install_command, list_ready_models


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a ready model (or any other), to read its card")
    add_json_option(parser)
    add_quiet_option(parser, "the list")


def run(arguments: Namespace) -> None:
    if arguments.name is not None:
        if arguments.json is not None:
            raise InputError("--json lists all ready models, and a card is no JSON: leave out one of them")
        from disconer.storage.directory import find_model_directory, read_card  # noqa: PLC0415 (numpy, just for a name)

        print(read_card(find_model_directory(arguments.name)).strip())
        return
    damaged: dict[str, str] = {}
    installed = list(list_ready_models(damaged.__setitem__))
    for name, problem in damaged.items():
        tell(f"{name}: {problem}")
    missing = [name for name in NAMES if name not in {model.name for model in installed} | damaged.keys()]
    if is_table_wanted(arguments):
        print("\n\n".join((*map(_describe, installed), *map(_describe_missing, missing))))
    listed = [model.as_json() for model in installed]
    write_json(arguments, {"models": listed, "not_installed": missing, "damaged": sorted(damaged)})


def _describe(model: ReadyModel) -> str:
    scores = ", ".join(f"{title} {format_percent(model.scores[scope]['f1'])}" for scope, title in SCOPES.items())
    lines = (
        f"{model.name}: {model.title}",
        f"  labels    {', '.join(model.labels)}",
        f"  data      {model.data}",
        f"  licence   {model.licence} (the data's)",
        f"  F1 (dev)  {scores}",
        f"  size      {model.size / 1e6:.0f} MB, version {model.version}",
        f"  where     {_shorten(model.folder)}",
    )
    return "\n".join(fill(printable(line), indent=" " * 12) for line in lines)


def _describe_missing(name: str) -> str:
    return f"{name}: not installed\n  install   {install_command(name)}"


def _shorten(folder: Path) -> str:
    """Say where a folder is, from here if it is below."""
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)
