"""Make a synthetic corpus to try disconer with: train.jsonl, dev.jsonl and test.jsonl.

Examples:
  disconer sample sample/                             1,500, 250 and 250 sentences
  disconer sample other/ --seed 7                     other sentences of the same kind

The sentences are invented by a program and imitate forum posts of patients and drug labels. Scores on them say nothing
about real text. OUT must be a new or an empty folder.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.options import add_quiet_option, as_path, tell
from disconer.corpora.sample import sample
from disconer.exceptions import InputError
from disconer.formats import write
from disconer.foundation.files import create_folder, is_stream
from disconer.foundation.wording import count_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("output", metavar="OUT", type=as_path, help="a new folder")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which sentences to make (default: 0)")
    add_quiet_option(parser, "what was written")


def run(arguments: Namespace) -> None:
    if is_stream(arguments.output):
        raise InputError("a sample is a folder of files and cannot be written to standard output: name a folder")
    with create_folder(arguments.output) as folder:
        for split, documents in sample(arguments.seed).items():
            write(documents, folder / f"{split}.jsonl")
            if not arguments.quiet:
                mentions = sum(map(len, documents))
                tell(f"{split}.jsonl: {count_of(len(documents), 'sentence')} with {count_of(mentions, 'mention')}")
    if not arguments.quiet:
        tell(f"wrote {arguments.output}")
