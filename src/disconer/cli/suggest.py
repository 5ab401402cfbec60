"""Choose what to annotate next: the sentences that teach a model the most for the time they take.

Examples:
  disconer suggest run/ unlabelled.jsonl -n 50 -o next.jsonl         fifty sentences, the best first
  disconer suggest run/ notes/ -n 50 -o next/ --to brat              as a folder to correct in brat
  disconer suggest run/ notes/ -n 5 -o next/ --to brat --whole       whole documents
  disconer suggest run/ unlabelled.jsonl -n 10 --draw                look at them

A sentence is chosen for what the model is in doubt about in it (segments, edges between them, and the mentions that
come of both), for its length, and for not being about the same words as those chosen before it. Each comes with what
the model finds there, to be corrected, and with the key suggestion, which says where it stands and what is in doubt.
Train with --init on what was corrected, and suggest again.
"""

from argparse import ArgumentParser, Namespace

from disconer.api import load
from disconer.cli.options import (
    add_input_options,
    add_model_argument,
    add_model_options,
    add_output_options,
    add_quiet_option,
    as_path,
    as_positive,
    check_output_options,
    tell,
    write_documents,
)
from disconer.formats import detect_text_input, read
from disconer.foundation.wording import count_of

_NUMBER = 20


def add_arguments(parser: ArgumentParser) -> None:
    add_model_argument(parser)
    parser.add_argument("input", metavar="UNLABELLED", type=as_path, help="a file, a folder, or - for standard input")
    parser.add_argument(
        "-n",
        "--number",
        type=as_positive,
        default=_NUMBER,
        metavar="N",
        help=f"how many to suggest; {_NUMBER} by default",
    )
    parser.add_argument("--whole", action="store_true", help="suggest whole documents, not sentences cut out of them")
    add_output_options(parser, "suggestions")
    add_input_options(parser)
    add_model_options(parser)
    add_quiet_option(parser, "how much was looked at, and what the output format could not hold")


def run(arguments: Namespace) -> None:
    check_output_options(arguments)
    input_format = arguments.input_format or detect_text_input(arguments.input).name
    documents = list(read(arguments.input, input_format, arguments.split))
    recognizer = load(arguments.model, arguments.device, arguments.threads)
    from disconer.suggest.suggestion import suggest_documents  # noqa: PLC0415 (numpy and the like, which --help does without)

    found = list(suggest_documents(recognizer, documents, arguments.number, arguments.whole))
    write_documents(arguments, found, recognizer.labels)
    if not arguments.quiet:
        sentences = sum(len(document.sentences) for document in documents)
        places = f"{count_of(len(documents), 'document')} with {count_of(sentences, 'sentence')}"
        tell(f"{count_of(len(found), 'suggestion')} of {places}")
