"""Turn one format into another.

Examples:
  disconer convert annotations/ corpus.jsonl          a brat folder to JSONL
  disconer convert corpus.jsonl annotations/          and back
  disconer convert train.txt - --from inline          the field's three-line format, to standard output

What the target format cannot hold is counted and told. Mentions are only left out when you add --lossy.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator

from disconer.cli.options import add_input_options, add_quiet_option, as_path, tell
from disconer.document import Document
from disconer.formats import WRITABLE, read, write


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
    counter = _Counter()
    documents = counter.passing(read(arguments.input, arguments.input_format, arguments.split))
    losses = write(documents, arguments.output, arguments.output_format, arguments.lossy)
    if arguments.quiet:
        return
    for line in losses.lines():
        tell(f"not in the output: {line}")
    if counter.differing:
        tell(f"annotated text that differs from the text at its offsets ({counter.differing:,})")
    tell(f"read {counter.documents:,} documents with {counter.mentions:,} mentions, wrote {arguments.output}")


class _Counter:
    """Counts what passes by on its way to the output."""

    def __init__(self) -> None:
        self.documents = 0
        self.mentions = 0
        self.differing = 0
        """Mentions that came with a text of their own which is not the one at their offsets, as brat's may."""

    def passing(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.documents += 1
            self.mentions += len(document)
            self.differing += sum("text" in mention.extras for mention in document)
            yield document
