"""Knowtator's format: a folder of `name.txt` with the text and `name.txt.knowtator.xml` with the annotations.

`annotations.py` shows the XML of both versions; what is written is the first. Annotations name their text, which lies
beside them or anywhere else below the folder, and a text may have annotations in several files, a file those of several
texts; both are looked for below the folder that is named, or that the file which is named lies in. The id of a
class is the label. Ids of annotations are kept under the mentions' extra key `id`, and whatever else they say under
`knowtator`; annotations that mark no character are kept under the document's extra key `knowtator`. Offsets are the
truth and count UTF-16 code units, as Java does, unless the texts beside them agree better with code points; a text that
differs from what they point at is kept under the mention's extra key `text`, and written anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, located, shown
from disconer.formats.document_files import write_documents
from disconer.formats.file_names import identifier_of
from disconer.formats.files import read_text
from disconer.formats.knowtator.annotations import Annotation
from disconer.formats.knowtator.files import SUFFIX, AnnotationFiles, documents_at
from disconer.formats.knowtator.lines import annotation_lines
from disconer.formats.losses import Losses
from disconer.formats.surface import in_code_points
from disconer.formats.xml_files import writable
from disconer.spans import Span
from disconer.tokenize import Layout, Split


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or those that a file belongs to, in the order of their names."""
    documents = documents_at(path)
    if not documents:
        raise FormatError("there are no annotations here, so this is not Knowtator's format", path=path)
    annotation_files = AnnotationFiles(used for files in documents.values() for used in files.annotations)
    for name, files in sorted(documents.items()):
        found = [(each, used) for used in files.annotations for each in annotation_files.annotations(used, files.text)]
        yield _document(files.text, found, identifier_of(name), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    write_documents(documents, path, lambda document, name: _contents(document, name, losses))


def _contents(document: Document, name: str, losses: Losses) -> dict[str, str]:
    annotations = "".join(f"{line}\n" for line in annotation_lines(document, f"{name}.txt", losses))
    return {".txt": document.text, f".txt{SUFFIX}": annotations}


def _document(text: Path, found: Sequence[tuple[Annotation, Path]], identifier: str, split: Split) -> Document:
    """Make a document of a text and its annotations, each with the file that it stands in."""
    layout = Layout(read_text(text), split=split)
    counted = iter(_counted([annotation for annotation, _ in found], layout.text))
    mentions, others = [], []
    for annotation, path in found:
        spans = [span for span in (next(counted) for _ in annotation.spans) if span[0] != span[1]]
        with located(path):
            _check(annotation)
            if spans:
                mentions.append(_mention(annotation, spans, layout))
            else:
                others.append({"id": annotation.identifier, "label": annotation.label, **annotation.details})
    return Document(layout, mentions, identifier, {"knowtator": others} if others else None)


def _check(annotation: Annotation) -> None:
    if annotation.problem:
        raise FormatError(f"the annotation {shown(annotation.identifier)} cannot be used: {annotation.problem}")


def _counted(annotations: Sequence[Annotation], text: str) -> list[Span]:
    """Give the spans of all annotations, one after the other, in code points."""
    spans = [span for annotation in annotations for span in annotation.spans]
    pieces = [piece for annotation in annotations for piece in annotation.pieces]
    return in_code_points(spans, pieces, writable(text), prefers_units=True)


def _mention(annotation: Annotation, spans: Sequence[Span], layout: Layout) -> Mention:
    extras: dict[str, Any] = {"id": annotation.identifier} if annotation.identifier else {}
    if annotation.details:
        extras["knowtator"] = annotation.details
    if not annotation.is_repeating(writable(layout.text[start:end]) for start, end in spans):
        extras["text"] = annotation.surface
    return Mention(annotation.label, spans, layout, extras=extras)
