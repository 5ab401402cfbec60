"""spaCy's DocBin: tokens and sentences, and mentions as a group of spans in which the fragments of one share an id.

`doc.spans["disconer"]` has a span for every fragment, with the mention's label and, as its `span_id`, the mention's id.
The group has a name of its own because what reads spaCy's default, `sc`, takes every span for a whole mention. What
spaCy has no room for stands in `doc.user_data["disconer"]` as JSON, so that nothing is lost but what cuts tokens.

Groups that our component of a pipeline fills are called so too, whatever their keys, and are read alike. Without any,
the spans of `sc` are read; or else those of another group, if it is the only one that has any; or else the entities.
Each is a mention, even where two share an id, which in spaCy's rulers is a pattern's. What stands in a Doc beside what
is read, such as entities beside a group, is not: it may say the same again. Several groups, with neither `sc` nor
entities, are an error. spaCy can only read and write a whole DocBin, so memory grows with the file.
"""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from disconer.document import Document
from disconer.exceptions import FormatError, InputError, located
from disconer.extras import installed
from disconer.formats.files import reading_bytes, replacing_path
from disconer.formats.losses import Losses
from disconer.formats.spacy.docs import doc_of, document_of
from disconer.tokenize import Split


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, doc in enumerate(_docs(path), start=1):
        with located(path, number), _spacy_errors():
            document = document_of(doc, split)
        yield document


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a Doc for every document."""
    with installed("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    vocabulary = Vocab()
    docs = (doc_of(document, vocabulary, losses) for document in documents)
    content = DocBin(attrs=["SENT_START"], store_user_data=True, docs=docs).to_bytes()
    with replacing_path(path) as temporary:
        temporary.write_bytes(content)


def _docs(path: Path) -> Iterator[Any]:
    with installed("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    with reading_bytes(path) as stream:
        content = stream.read()
    with located(path), _spacy_errors():
        yield from DocBin().from_bytes(content).get_docs(Vocab())


@contextmanager
def _spacy_errors() -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception:  # for everything that may be wrong with the bytes it raises something else
        gc.enable()  # its reader turns the collector off, and when it fails leaves it so
        raise FormatError("this is not a DocBin of spaCy's, or it is damaged") from None
