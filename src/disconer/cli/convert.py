"""Turn one format into another.

Examples:
  disconer convert annotations/ corpus.jsonl          a brat folder to JSONL
  disconer convert corpus.jsonl annotations/          and back
  disconer convert train.txt - --from inline          the field's three-line format, to standard output

What the target format cannot hold is counted and told. Mentions are only left out when you add --lossy.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.options import add_input_options, add_quiet_option, as_path, tell, watch
from disconer.formats import WRITABLE, count_documents, read
from disconer.formats.conversion import convert
from disconer.foundation.files import is_stream
from disconer.foundation.wording import count_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("input", metavar="IN", type=as_path, help="a file, a folder, or - for standard input")
    parser.add_argument("output", metavar="OUT", type=as_path, help="a file, a new folder, or - for standard output")
    add_input_options(parser)
    parser.add_argument(
        "--to", dest="output_format", choices=WRITABLE, metavar="FORMAT",
        help=f"the format of the output ({', '.join(WRITABLE)}); told from the name by default",
    )  # fmt: skip
    parser.add_argument("--lossy", action="store_true", help="accept that mentions the target cannot hold are left out")
    add_quiet_option(parser, "what was written and what the target format could not hold")


def run(arguments: Namespace) -> None:
    documents = watch(
        read(arguments.input, arguments.input_format, arguments.split), "converted", arguments,
        lambda: count_documents(arguments.input, arguments.input_format), is_printed=is_stream(arguments.output),
    )  # fmt: skip
    done = convert(documents, arguments.output, to=arguments.output_format, lossy=arguments.lossy)
    if arguments.quiet:
        return
    for line in done.losses.lines():
        tell(f"not in the output: {line}")
    if done.differing:
        tell(f"annotated text that differs from the text at its offsets ({done.differing:,})")
    found = f"{count_of(done.documents, 'document')} with {count_of(done.mentions, 'mention')}"
    tell(f"read {found}, wrote {arguments.output}")
