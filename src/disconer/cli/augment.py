"""Make coordinations of a corpus' own mentions, as training does, to look at or to use elsewhere.

Examples:
  disconer augment train.jsonl --share 0.1 --draw         look at some
  disconer augment train.jsonl --seed 1 --epoch 2         those of the second epoch of seed 1
  disconer augment train/ --share 5 -o made.jsonl         five for every sentence with a discontinuous mention

"back pain" and "shoulder pain" share a word, so "back and shoulder pain" may stand in the place of either, and holds a
mention with a gap. A third are lists of whole mentions, "back pain and shoulder pain", so that not every list looks as
if it had gaps. Every training makes some in each epoch (training.coordinations) and never any of dev. What joins the
parts is learned from the corpus; without discontinuous mentions there is nothing to imitate, and none are made.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from math import isfinite

from disconer.cli.options import (
    add_input_options,
    add_output_options,
    add_quiet_option,
    as_path,
    as_positive,
    check_output_options,
    tell,
    write_documents,
)
from disconer.formats import read
from disconer.foundation.wording import count_of
from disconer.training.config import TrainingSettings
from disconer.training.coordinations import Coordinator

_SHARE = TrainingSettings().coordinations


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "data", metavar="DATA", type=as_path, help="an annotated file or folder, or - for standard input"
    )
    parser.add_argument(
        "--share", type=_as_share, default=_SHARE, metavar="N",
        help=f"how many for every sentence with a discontinuous mention (default: {_SHARE:g})",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="those of which seed (default: 0)")
    parser.add_argument("--epoch", type=as_positive, default=1, metavar="N", help="and of which epoch (default: 1)")
    add_output_options(parser, "coordinations")
    add_input_options(parser)
    add_quiet_option(parser, "how many were made, and what the output format could not hold")


def run(arguments: Namespace) -> None:
    check_output_options(arguments)
    documents = list(read(arguments.data, arguments.input_format, arguments.split))
    coordinator = Coordinator(sentence for document in documents for sentence in document.sentences)
    made = coordinator.draw_for_epoch(arguments.share, arguments.seed, arguments.epoch)
    write_documents(arguments, made, sorted({mention.label for document in made for mention in document}))
    if not arguments.quiet:
        have = count_of(coordinator.gapped, "sentence has", "sentences have")
        tell(f"{count_of(len(made), 'coordination')} made; {have} a discontinuous mention")


def _as_share(value: str) -> float:
    """Read a number from 0 on."""
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not isfinite(share) or share < 0:
        raise ArgumentTypeError(f"{value!r} is not a number from 0 on")
    return share
