"""The files of Knowtator's documents: which annotations belong to which text, and reading each of them once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from disconer.exceptions import FormatError, shown
from disconer.formats.document_files import files_below
from disconer.formats.files import reading_bytes
from disconer.formats.knowtator.annotations import PROJECT, ROOTS, Annotation, annotated_texts
from disconer.formats.xml_files import root_tag

SUFFIX = ".knowtator.xml"

_Texts = Mapping[str, Sequence[Path]]
"""Files that may be texts, by their names without folders."""


class Files(NamedTuple):
    """The text of a document and the files with its annotations."""

    text: Path
    annotations: list[Path]


class AnnotationFiles:
    """Annotation files, each parsed once and kept no longer than there are texts to come that it speaks of."""

    def __init__(self, uses: Iterable[Path]) -> None:
        self._uses = Counter(uses)
        self._parsed: dict[Path, dict[str, list[Annotation]]] = {}

    def annotations(self, path: Path, text: Path) -> list[Annotation]:
        """Give the annotations that a file has of one of its texts, for the only time."""
        by_text = self._parsed.pop(path, None) or _annotations_by_text(path)
        self._uses[path] -= 1
        if self._uses[path]:
            self._parsed[path] = by_text
        if text.name in by_text:
            return by_text.pop(text.name)
        # The file is called after its text, and says that it is about one which now is called otherwise.
        return [annotation for annotations in by_text.values() for annotation in annotations]


def documents_at(path: Path) -> dict[str, Files]:
    """Find the documents of a folder or of one file, by the text's path below the folder without its ending.

    A file with annotations has the documents it speaks of, with its own annotations only; a text is one document, with
    all annotations of it that are below its folder. Other files may be as broken as they like.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(files_below(root))
    texts: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        if file.suffix.lower() != ".xml":
            texts[file.name].append(file)
    if path.is_dir():
        return _named(_found_in(files, texts), root)
    if path.suffix.lower() == ".xml":
        return _named({text: [path] for text in _texts_of(path, texts)}, root)
    return _named(_found_about(path, files, texts), root)


def is_annotating(path: Path) -> bool:
    """Tell by its name, or else by its outermost element, whether a file is one of Knowtator's annotations."""
    return path.name.lower().endswith(SUFFIX) or (path.suffix.lower() == ".xml" and _root_tag(path) in ROOTS)


def _found_in(files: Sequence[Path], texts: _Texts) -> dict[Path, list[Path]]:
    """Put texts and annotations together.

    Texts without annotations are documents too, if they lie where annotated ones do: others may be somebody's notes.
    """
    found: dict[Path, list[Path]] = defaultdict(list)
    for path in filter(is_annotating, files):
        for text in _texts_of(path, texts):
            found[text].append(path)
    folders = {text.parent for text in found}
    for path in files:
        if path.suffix.lower() == ".txt" and path.parent in folders:
            found.setdefault(path, [])
    return found


def _found_about(text: Path, files: Sequence[Path], texts: _Texts) -> dict[Path, list[Path]]:
    """Find the annotations of one text; one without any is a document if there are annotations of others."""
    annotating = [path for path in files if is_annotating(path)]
    about = [path for path in annotating if _is_about(path, text, texts)]
    return {text: about} if about or (annotating and text.suffix.lower() == ".txt") else {}


def _is_about(path: Path, text: Path, texts: _Texts) -> bool:
    try:
        sources = _sources(path, texts)
    except FormatError:
        return False
    return text.name in sources and _found(text.name, path, texts) == text


def _named(found: Mapping[Path, list[Path]], root: Path) -> dict[str, Files]:
    documents: dict[str, Files] = {}
    for text, annotations in sorted(found.items()):
        is_plain = text.suffix.lower() == ".txt"
        name = (text.with_suffix("") if is_plain else text).relative_to(root).as_posix()
        if name in documents:
            raise FormatError(f"there is also {documents[name].text.name}: rename one of them", path=text)
        documents[name] = Files(text, annotations)
    return documents


def _root_tag(path: Path) -> str:
    """Give the tag of the outermost element; nothing when this is no XML, which others may call so."""
    try:
        return root_tag(path)
    except FormatError:
        return ""


def _texts_of(path: Path, texts: _Texts) -> list[Path]:
    return [_found(source, path, texts) for source in _sources(path, texts)]


def _sources(path: Path, texts: _Texts) -> list[str]:
    """Give the names of the texts that a file annotates."""
    name = _text_name(path)
    if (
        path.with_name(name) in texts.get(name, ())
        and path.name.lower().endswith(SUFFIX)
        and _root_tag(path) != PROJECT
    ):
        return [name]  # the file is called after its text, and need not be read to know that
    return list(_annotations_by_text(path))


def _text_name(path: Path) -> str:
    """Give the name that the text of a file has unless the file says otherwise."""
    return path.name[: -len(SUFFIX)] if path.name.lower().endswith(SUFFIX) else path.with_suffix(".txt").name


def _found(source: str, path: Path, texts: _Texts) -> Path:
    candidates = texts.get(source, ())
    beside = [text for text in candidates if text.parent == path.parent]
    if len(beside or candidates) == 1:
        return (beside or candidates)[0]
    if candidates:
        message = f"there are {len(candidates)} texts called {shown(source)}: put the right one beside its annotations"
    else:
        message = f"there is no text {shown(source)} beside these annotations or below the folder that was named"
    raise FormatError(message, path=path)


def _annotations_by_text(path: Path) -> dict[str, list[Annotation]]:
    with reading_bytes(path) as stream:
        content = stream.read()
    by_text: dict[str, list[Annotation]] = {}
    for text in annotated_texts(content, path):
        by_text.setdefault(text.source or _text_name(path), []).extend(text.annotations)
    return by_text
