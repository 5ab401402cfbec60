"""From one format to another, with a count of what passed and what was lost."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from disconer.document import Document
from disconer.formats import Losses, as_documents, write
from disconer.tokenize import Split


@dataclass
class Conversion:
    """What became of documents on their way to a file."""

    documents: int = 0
    mentions: int = 0
    differing: int = 0
    """Mentions that came with a text of their own which is not the one at their offsets, as brat's may."""
    losses: Losses = field(default_factory=Losses)
    """What the target format could not hold."""

    def count(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Count documents on their way."""
        for document in documents:
            self.documents += 1
            self.mentions += len(document)
            self.differing += sum("text" in mention.extras for mention in document)
            yield document


def convert(
    input: Path | str | Document | Iterable[Document],
    output: Path | str,
    *,
    format: str | None = None,
    to: str | None = None,
    split: Split | str | None = None,
    lossy: bool = False,
) -> Conversion:
    """Write documents, of any format, in another; formats are told from the paths where they are not named.

    Raises `CannotHoldError` when mentions would be left out, unless `lossy` accepts that.
    """
    conversion = Conversion()
    conversion.losses = write(conversion.count(as_documents(input, format, split)), output, to, lossy)
    return conversion
