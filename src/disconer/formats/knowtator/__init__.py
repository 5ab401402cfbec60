"""Knowtator's format: a folder of `name.txt` with the text and `name.txt.knowtator.xml` with the annotations.

`knowtator_annotations.py` shows the XML of both versions; what is written is the first. Annotations name their text,
which lies beside them or anywhere else below the folder, and a text may have annotations in several files. The id of a
class is the label. Ids of annotations are kept under the mentions' extra key `id`, and whatever else they say under
`knowtator`; annotations that mark no character are kept under the document's extra key `knowtator`. Offsets are the
truth and count UTF-16 code units, as Java does, unless the texts beside them agree better with code points; a text that
differs from what they point at is kept under the mention's extra key `text`, and written anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, located, shown
from disconer.formats.document_files import files_below, write_documents
from disconer.formats.file_names import identifier_of
from disconer.formats.files import read_text, reading_bytes
from disconer.formats.knowtator.annotations import AnnotatedText, Annotation, annotated_texts
from disconer.formats.knowtator.lines import annotation_lines
from disconer.formats.losses import Losses
from disconer.formats.surface import in_code_points
from disconer.formats.xml_files import root_tag, writable
from disconer.spans import Span
from disconer.tokenize import Layout, Split

_SUFFIX = ".knowtator.xml"
_ROOTS = ("annotations", "knowtator-project")


class _Files(NamedTuple):
    """The text of a document and the files with its annotations."""

    text: Path
    annotations: list[Path]


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or the one document that a file belongs to, in the order of their names."""
    root = path if path.is_dir() else path.parent
    documents = _documents(root)
    chosen = {name: files for name, files in documents.items() if path in (root, files.text, *files.annotations)}
    if not chosen:
        raise FormatError("there are no annotations here, so this is not Knowtator's format", path=path)
    for name, files in sorted(chosen.items()):
        yield _read_document(files, identifier_of(name), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    write_documents(documents, path, lambda document, name: _contents(document, name, losses))


def _contents(document: Document, name: str, losses: Losses) -> dict[str, str]:
    annotations = "".join(f"{line}\n" for line in annotation_lines(document, f"{name}.txt", losses))
    return {".txt": document.text, f".txt{_SUFFIX}": annotations}


def _documents(root: Path) -> dict[str, _Files]:
    """Put texts and annotations together, by the text's path below `root` without its ending.

    Texts without annotations are documents too, if they lie where annotated ones do: others may be somebody's notes.
    """
    files = sorted(files_below(root))
    texts: dict[str, list[Path]] = defaultdict(list)
    for path in files:
        if path.suffix.lower() != ".xml":
            texts[path.name].append(path)
    found: dict[Path, list[Path]] = defaultdict(list)
    for path in files:
        for text in _texts_of(path, texts):
            found[text].append(path)
    folders = {text.parent for text in found}
    for path in files:
        if path.suffix.lower() == ".txt" and path.parent in folders:
            found.setdefault(path, [])
    return _named(found, root)


def _named(found: Mapping[Path, list[Path]], root: Path) -> dict[str, _Files]:
    documents: dict[str, _Files] = {}
    for text, annotations in sorted(found.items()):
        is_plain = text.suffix.lower() == ".txt"
        name = (text.with_suffix("") if is_plain else text).relative_to(root).as_posix()
        if name in documents:
            raise FormatError(f"there is also {documents[name].text.name}: rename one of them", path=text)
        documents[name] = _Files(text, annotations)
    return documents


def _texts_of(path: Path, texts: Mapping[str, list[Path]]) -> list[Path]:
    """Find the texts that a file annotates; none when it is another file."""
    if path.name.lower().endswith(_SUFFIX):
        beside = path.with_name(path.name[: -len(_SUFFIX)])
        if beside in texts.get(beside.name, ()):
            return [beside]  # the file is called after its text, and need not be read to know that
    elif path.suffix.lower() == ".xml" and root_tag(path) in _ROOTS:
        beside = path.with_suffix(".txt")
    else:
        return []
    sources = dict.fromkeys(text.source or beside.name for text in _parsed(path))
    return [_found(source, path, texts.get(source, ())) for source in sources]


def _found(source: str, path: Path, candidates: Sequence[Path]) -> Path:
    beside = [text for text in candidates if text.parent == path.parent]
    if len(beside or candidates) == 1:
        return (beside or candidates)[0]
    if candidates:
        message = f"there are {len(candidates)} texts called {shown(source)}: put the right one beside its annotations"
    else:
        message = f"there is no text {shown(source)} beside these annotations or below the folder that was named"
    raise FormatError(message, path=path)


def _parsed(path: Path) -> list[AnnotatedText]:
    with reading_bytes(path) as stream:
        content = stream.read()
    return annotated_texts(content, path)


def _read_document(files: _Files, identifier: str, split: Split) -> Document:
    layout = Layout(read_text(files.text), split=split)
    found = [(annotation, path) for path in files.annotations for annotation in _annotations(path, files.text)]
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


def _annotations(path: Path, text: Path) -> list[Annotation]:
    """Give the annotations that a file has of one of its texts."""
    parsed = _parsed(path)
    chosen = parsed if len(parsed) == 1 else [each for each in parsed if each.source == text.name]
    return [annotation for each in chosen for annotation in each.annotations]


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
