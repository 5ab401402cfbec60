"""Named entity recognition where a mention may have gaps."""

from importlib.metadata import version

from disconer.document import Document, Fragment, Mention, Sentence
from disconer.exceptions import DisconerError, InputError, RunError
from disconer.formats import read, write
from disconer.loading import load
from disconer.tokenize import Split

__all__ = [
    "DisconerError",
    "Document",
    "Fragment",
    "InputError",
    "Mention",
    "RunError",
    "Sentence",
    "Split",
    "__version__",
    "load",
    "read",
    "write",
]

__version__ = version("disconer")
