"""Knowtator's format: a folder of `name.txt` with the text and `name.txt.knowtator.xml` with the annotations.

`annotations.py` shows the XML of both versions; what is written is the first. Annotations name their text, which lies
beside them or anywhere else below the folder, and a text may have annotations in several files, a file those of several
texts; both are looked for below the folder that is named, or that the file which is named lies in. The id of a
class is the label. Ids of annotations are kept under the mentions' extra key `id`, and whatever else they say under
`knowtator`; annotations that mark no character are kept under the document's extra key `knowtator`. Offsets are the
truth and count UTF-16 code units, as Java does, unless the texts beside them agree better with code points; a text that
differs from what they point at is kept under the mention's extra key `text`, and written anew.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, locate_errors, quote
from disconer.formats.document_files import from_file_name, list_files, write_documents
from disconer.formats.knowtator.annotations import PROJECT, ROOTS, KnowtatorAnnotation, read_annotations, to_lines
from disconer.formats.losses import Losses
from disconer.formats.surface import to_code_points
from disconer.formats.xml_files import read_root_tag, replace_unwritable
from disconer.foundation.files import open_bytes, read_text
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split

_SUFFIX = ".knowtator.xml"

_Texts = Mapping[str, Sequence[Path]]
"""Files that may be texts, by their names without folders."""


class _Files(NamedTuple):
    """The text of a document and the files with its annotations."""

    text: Path
    annotations: list[Path]


class _AnnotationFiles:
    """Annotation files, each parsed once and kept until the last of its texts was read."""

    def __init__(self, uses: Iterable[Path]) -> None:
        self._uses = Counter(uses)
        self._parsed: dict[Path, dict[str, list[KnowtatorAnnotation]]] = {}

    def take_annotations(self, path: Path, text: Path) -> list[KnowtatorAnnotation]:
        """Take the annotations that a file has of one of its texts; they can be taken once."""
        by_text = self._parsed.pop(path, None) or _read_by_text(path)
        self._uses[path] -= 1
        if self._uses[path]:
            self._parsed[path] = by_text
        if text.name in by_text:
            return by_text.pop(text.name)
        # The file is called after its text, and says that it is about one which now is called otherwise.
        return [annotation for annotations in by_text.values() for annotation in annotations]


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or those that a file belongs to, in the order of their names."""
    documents = _find_documents(path)
    if not documents:
        raise FormatError("there are no annotations here, so this is not Knowtator's format", path=path)
    annotation_files = _AnnotationFiles(used for files in documents.values() for used in files.annotations)
    for name, files in sorted(documents.items()):
        found = [
            (each, used) for used in files.annotations for each in annotation_files.take_annotations(used, files.text)
        ]
        yield _read_document(files.text, found, from_file_name(name), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    write_documents(documents, path, lambda document, name: _to_contents(document, name, losses))


def _to_contents(document: Document, name: str, losses: Losses) -> dict[str, str]:
    annotations = "".join(f"{line}\n" for line in to_lines(document, f"{name}.txt", losses))
    return {".txt": document.text, f".txt{_SUFFIX}": annotations}


def _read_document(
    text: Path, found: Sequence[tuple[KnowtatorAnnotation, Path]], identifier: str, split: Split
) -> Document:
    """Make a document of a text and its annotations, each with the file that it stands in."""
    layout = Layout(read_text(text), split=split)
    counted = iter(_count_in_code_points([annotation for annotation, _ in found], layout.text))
    mentions, others = [], []
    for annotation, path in found:
        spans = [span for span in (next(counted) for _ in annotation.spans) if span[0] != span[1]]
        with locate_errors(path):
            _check_usable(annotation)
            if spans:
                mentions.append(_read_mention(annotation, spans, layout))
            else:
                others.append({"id": annotation.identifier, "label": annotation.label, **annotation.details})
    return Document(layout, mentions, identifier, {"knowtator": others} if others else None)


def _check_usable(annotation: KnowtatorAnnotation) -> None:
    if annotation.problem:
        raise FormatError(f"the annotation {quote(annotation.identifier)} cannot be used: {annotation.problem}")


def _count_in_code_points(annotations: Sequence[KnowtatorAnnotation], text: str) -> list[Span]:
    """Convert the spans of all annotations, in one list, to code points."""
    spans = [span for annotation in annotations for span in annotation.spans]
    surfaces = [surface for annotation in annotations for surface in annotation.surfaces]
    return to_code_points(spans, surfaces, replace_unwritable(text), prefers_units=True)


def _read_mention(annotation: KnowtatorAnnotation, spans: Sequence[Span], layout: Layout) -> Mention:
    extras: dict[str, Any] = {"id": annotation.identifier} if annotation.identifier else {}
    if annotation.details:
        extras["knowtator"] = annotation.details
    if not annotation.is_repeating(replace_unwritable(layout.text[start:end]) for start, end in spans):
        extras["text"] = annotation.surface
    return Mention(annotation.label, spans, layout, extras=extras)


def _find_documents(path: Path) -> dict[str, _Files]:
    """Find the documents of a folder or of one file, by the text's path below the folder without its ending.

    A file with annotations has the documents it is about, with its own annotations only; a text is one document, with
    all annotations of it that are below its folder. Other files may be as broken as they like.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(list_files(root))
    texts: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        if file.suffix.lower() != ".xml":
            texts[file.name].append(file)
    if path.is_dir():
        return _name_documents(_pair_files(files, texts), root)
    if path.suffix.lower() == ".xml":
        return _name_documents({text: [path] for text in _find_texts(path, texts)}, root)
    return _name_documents(_find_about(path, files, texts), root)


def _is_annotation_file(path: Path) -> bool:
    """Tell by its name, or else by its outermost element, whether a file is one of Knowtator's annotations."""
    return path.name.lower().endswith(_SUFFIX) or (path.suffix.lower() == ".xml" and _read_root_tag(path) in ROOTS)


def _pair_files(files: Sequence[Path], texts: _Texts) -> dict[Path, list[Path]]:
    """Put texts and annotations together.

    Texts without annotations are documents too, if they lie where annotated ones do: others may be somebody's notes.
    """
    found: dict[Path, list[Path]] = defaultdict(list)
    for path in filter(_is_annotation_file, files):
        for text in _find_texts(path, texts):
            found[text].append(path)
    folders = {text.parent for text in found}
    for path in files:
        if path.suffix.lower() == ".txt" and path.parent in folders:
            found.setdefault(path, [])
    return found


def _find_about(text: Path, files: Sequence[Path], texts: _Texts) -> dict[Path, list[Path]]:
    """Find the annotations of one text; one without any is a document if there are annotations of others."""
    annotating = [path for path in files if _is_annotation_file(path)]
    about = [path for path in annotating if _is_about(path, text, texts)]
    return {text: about} if about or (annotating and text.suffix.lower() == ".txt") else {}


def _is_about(path: Path, text: Path, texts: _Texts) -> bool:
    try:
        sources = _read_sources(path, texts)
    except FormatError:
        return False
    return text.name in sources and _find_text(text.name, path, texts) == text


def _name_documents(found: Mapping[Path, list[Path]], root: Path) -> dict[str, _Files]:
    documents: dict[str, _Files] = {}
    for text, annotations in sorted(found.items()):
        is_plain = text.suffix.lower() == ".txt"
        name = (text.with_suffix("") if is_plain else text).relative_to(root).as_posix()
        if name in documents:
            raise FormatError(f"there is also {documents[name].text.name}: rename one of them", path=text)
        documents[name] = _Files(text, annotations)
    return documents


def _read_root_tag(path: Path) -> str:
    """Read the tag of the outermost element; empty when this is not XML."""
    try:
        return read_root_tag(path)
    except FormatError:
        return ""


def _find_texts(path: Path, texts: _Texts) -> list[Path]:
    return [_find_text(source, path, texts) for source in _read_sources(path, texts)]


def _read_sources(path: Path, texts: _Texts) -> list[str]:
    """Name the texts that a file annotates."""
    name = _text_name(path)
    if (
        path.with_name(name) in texts.get(name, ())
        and path.name.lower().endswith(_SUFFIX)
        and _read_root_tag(path) != PROJECT
    ):
        return [name]  # the file is called after its text, and need not be read to know that
    return list(_read_by_text(path))


def _text_name(path: Path) -> str:
    """The name of a file's text, unless the file says otherwise."""
    return path.name[: -len(_SUFFIX)] if path.name.lower().endswith(_SUFFIX) else path.with_suffix(".txt").name


def _find_text(source: str, path: Path, texts: _Texts) -> Path:
    candidates = texts.get(source, ())
    beside = [text for text in candidates if text.parent == path.parent]
    if len(beside or candidates) == 1:
        return (beside or candidates)[0]
    if candidates:
        message = f"there are {len(candidates)} texts called {quote(source)}: put the right one beside its annotations"
    else:
        message = f"there is no text {quote(source)} beside these annotations or below the folder that was named"
    raise FormatError(message, path=path)


def _read_by_text(path: Path) -> dict[str, list[KnowtatorAnnotation]]:
    with open_bytes(path) as stream:
        content = stream.read()
    by_text: dict[str, list[KnowtatorAnnotation]] = {}
    for text in read_annotations(content, path):
        by_text.setdefault(text.source or _text_name(path), []).extend(text.annotations)
    return by_text
