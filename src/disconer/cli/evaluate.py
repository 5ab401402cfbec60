"""Predict annotated data with a model, and score that the way the literature does.

Examples:
  disconer evaluate run/ test.jsonl
  disconer evaluate run/ test.jsonl --threshold 0.7 --json scores.json
  disconer evaluate run/ test.jsonl --errors              every error too, by kind and drawn in its sentence

MODEL is a run, a model directory, or the name of a ready model (disconer models) or of one on the Hugging Face hub.
"""

from argparse import ArgumentParser, Namespace

from disconer.api import load
from disconer.cli.options import (
    add_context_option,
    add_errors_option,
    add_input_options,
    add_json_option,
    add_model_argument,
    add_model_options,
    add_quiet_option,
    add_threshold_option,
    as_path,
    tell_if_cut,
    watch,
)
from disconer.cli.score import show
from disconer.formats import read


def add_arguments(parser: ArgumentParser) -> None:
    add_model_argument(parser)
    parser.add_argument("data", metavar="DATA", type=as_path, help="an annotated file or folder")
    add_errors_option(parser)
    add_threshold_option(parser)
    add_context_option(parser)
    add_input_options(parser)
    add_model_options(parser)
    add_json_option(parser)
    add_quiet_option(parser, "the tables")


def run(arguments: Namespace) -> None:
    gold = list(read(arguments.data, arguments.input_format, arguments.split))
    recognizer = load(arguments.model, arguments.device, arguments.threads)
    predicted = recognizer.pipe(gold, arguments.threshold, arguments.context)
    show(arguments, list(zip(gold, watch(predicted, "predicted", arguments, lambda: len(gold)), strict=True)))
    if not arguments.quiet:
        tell_if_cut(recognizer)
