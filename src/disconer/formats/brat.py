"""brat standoff: a folder of `name.txt` with the text and `name.ann` with the annotations.

    T1<TAB>ADR 0 6;16 21<TAB>Severe … pain

Only T lines are mentions. Relations, events, attributes, equivalences, notes and normalizations are kept as they
stand, under the document's extra key `brat`, and T ids under the mentions' extra key `id`, so that brat → brat and
brat → JSONL → brat lose nothing. The offsets are the truth: the text at the end of a T line is written anew, and kept
under the mention's extra key `text` where it differs from the text at the offsets.
"""

import errno
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import quote, unquote

from disconer.document import Document, Fragment, Mention
from disconer.exceptions import CannotHoldError, FormatError, located, shown
from disconer.formats.files import read_text, replacing_folder, unreadable
from disconer.formats.losses import Losses
from disconer.tokenize import Layout, Span, Split
from disconer.tokenize.sentences import LINE_BREAK

KINDS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "*": "equivalences",
    "#": "notes",
    "N": "normalizations",
}
_OTHER = "other lines"
_HELD_KEYS = frozenset(("brat", "id"))
_BYTE_ORDER_MARK = "\ufeff"
_LEADING_BLANKS = re.compile(rf"\A[\s{_BYTE_ORDER_MARK}]+")
_PAIR = "[0-9]{1,18} +[0-9]{1,18}"
_MENTION_LINE = re.compile(rf"(T[^\t ]*)\t([^\t ]+) +({_PAIR}(?: *; *{_PAIR})*) *(?:\t(.*))?")
_MENTION_ID = re.compile(r"T[^\t \r\n]*")
_REFERENCE = re.compile(r"[A-Z#]+[0-9]+")
# What file systems or people stumble over in names, and folders that would be taken for files.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\xa0%\\:*?"<>|\u2028\u2029\ufeff]')
_FOLDER_LIKE_FILE = re.compile(r"\.(txt|ann)\Z", re.IGNORECASE)
_BAD_NAME = (errno.ENAMETOOLONG, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.EINVAL)


class _Files(NamedTuple):
    """The two files of a document; one without annotations has a single one."""

    text: Path
    annotations: Path | None


class KeptLine(NamedTuple):
    """A line that is not a mention, as it stood in its file."""

    kind: str
    text: str
    identifier: str
    references: list[str]


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or the one document that a file belongs to, in the order of their names."""
    if not path.is_dir():
        annotations = path.with_suffix(".ann")
        yield _read_document(_Files(path.with_suffix(".txt"), _if_there(annotations)), path.stem, split)
        return
    found = _find_files(path)
    if not found:
        raise FormatError("there are no .txt files in this folder, so it is not a brat folder", path=path)
    for name, files in sorted(found.items()):
        yield _read_document(files, _id_of(name), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    written: set[str] = set()
    with replacing_folder(path) as folder:
        for number, document in enumerate(documents, start=1):
            name = _file_name(document.id, number)
            if name in written:
                raise CannotHoldError(f"two documents have the id {shown(document.id)}, which names their files")
            written.add(name)
            with located(document.name(number)):
                annotations = "".join(f"{line}\n" for line in annotation_lines(document, losses))
            try:
                _write_document(folder.joinpath(*name.split("/")), document.text, annotations)
            except OSError as error:
                if error.errno not in _BAD_NAME:
                    raise
                reason = f"the id {shown(document.id)} cannot be the name of a file here: {error.strerror}"
                raise CannotHoldError(reason) from None


def annotation_lines(document: Document, losses: Losses) -> list[str]:
    """Give the lines of a document's `.ann` file."""
    kept = _kept_lines(document)
    losses.note_extras(document, _HELD_KEYS if kept is not None else _HELD_KEYS - {"brat"})
    losses.note("texts whose given words or sentences brat would find elsewhere", _is_seen_otherwise(document.layout))
    identifiers = _identifiers(document.mentions, kept or [], losses)
    lines = [_mention_line(*pair) for pair in zip(identifiers, document.mentions, strict=True)]
    return lines + _without_dangling(kept or [], identifiers, losses)


def _find_files(folder: Path) -> dict[str, _Files]:
    """Find the pairs of files below a folder, hidden ones left out, by their path without its ending."""

    def refuse(error: OSError) -> NoReturn:
        raise unreadable(error.filename, error) from None

    texts: dict[str, Path] = {}
    annotations: dict[str, Path] = {}
    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(place, name) for name in names if not name.startswith(".")):
            kind = {".txt": texts, ".ann": annotations}.get(path.suffix.lower())
            if kind is not None:
                kind[path.relative_to(folder).with_suffix("").as_posix()] = path
    for name, path in sorted(annotations.items()):
        if name not in texts:
            raise FormatError("there is no .txt file with the text of these annotations", path=path)
    return {name: _Files(path, annotations.get(name)) for name, path in texts.items()}


def _if_there(path: Path) -> Path | None:
    return path if path.exists() or path.is_symlink() else None


def _read_document(files: _Files, identifier: str, split: Split) -> Document:
    text = read_text(files.text)
    content = read_text(files.annotations) if files.annotations else ""
    lines = list(_numbered_lines(content))
    place = files.annotations or files.text
    matches = [(number, _mention_match(line, place, number)) for number, line in lines if line.startswith("T")]
    others: dict[str, list[str]] = {}
    for _, line in lines:
        if not line.startswith("T"):
            others.setdefault(KINDS.get(line[0], _OTHER), []).append(line)
    with located(files.text):
        layout = Layout(_without_foreign_mark(text, [match for _, match in matches]), split=split)
        mentions = [_mention(match, layout, place, number) for number, match in matches]
        return Document(layout, mentions, identifier, {"brat": others} if others else None)


def _numbered_lines(content: str) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank, whichever line end the file uses."""
    lines = re.split(r"\r?\n" if "\n" in content else "\r", content)
    bare = (_LEADING_BLANKS.sub("", line) for line in lines)
    return ((number, line) for number, line in enumerate(bare, start=1) if line)


def _mention_match(line: str, path: Path, number: int) -> re.Match[str]:
    match = _MENTION_LINE.fullmatch(line)
    if not match:
        raise FormatError("this T line is not 'T1<tab>Label start end;start end<tab>text'", path=path, line=number)
    return match


def _mention(match: re.Match[str], layout: Layout, path: Path, number: int) -> Mention:
    extras = {"id": match[1]}
    if match[4] is not None and match[4].split() != _surface(layout.text, match).split():
        extras["text"] = match[4]
    with located(path, number):
        return Mention(match[2], _fragments(match), layout, extras=extras)


def _fragments(match: re.Match[str]) -> list[Span]:
    pairs = (pair.split() for pair in match[3].split(";"))
    return [(int(start), int(end)) for start, end in pairs]


def _surface(text: str, match: re.Match[str]) -> str:
    return " ".join(text[start:end] for start, end in _fragments(match))


def _without_foreign_mark(text: str, mentions: Sequence[re.Match[str]]) -> str:
    """Drop a byte order mark that the offsets do not count; they say so by where the mentions' texts are."""
    if not text.startswith(_BYTE_ORDER_MARK):
        return text
    bare = text[1:]
    counted, uncounted = (sum(_surface(seen, match) == match[4] for match in mentions) for seen in (text, bare))
    return bare if uncounted > counted else text


def _mention_line(identifier: str, mention: Mention) -> str:
    if re.search(r"[ \t\r\n]", mention.label):
        raise CannotHoldError(f"the label {shown(mention.label)} holds a blank, which brat labels cannot: rename it")
    text = mention.layout.text
    pieces = [piece for fragment in mention.fragments for piece in _pieces(fragment, text)]
    offsets = ";".join(f"{start} {end}" for start, end in pieces)
    surface = " ".join(LINE_BREAK.sub(" ", text[start:end]) for start, end in pieces)
    return f"{identifier}\t{mention.label} {offsets}\t{surface}"


def _pieces(fragment: Fragment, text: str) -> list[Span]:
    """Cut a fragment at the line breaks inside it, as brat does; those at its very ends stay with it."""
    pieces = []
    start = fragment.start
    for match in (*LINE_BREAK.finditer(text, fragment.start, fragment.end), None):
        end = match.start() if match else fragment.end
        if text[start:end].strip():
            pieces.append((start, end))
        start = match.end() if match else end
    if not pieces:
        return [(fragment.start, fragment.end)]
    pieces[0] = (fragment.start, pieces[0][1])
    pieces[-1] = (pieces[-1][0], fragment.end)
    return pieces


def _identifiers(mentions: Sequence[Mention], kept: list[KeptLine], losses: Losses) -> list[str]:
    """Keep the T ids that mentions came with, and give the others numbers that nothing bears or refers to."""
    wanted = [str(mention.extras.get("id", "")) for mention in mentions]
    unused = {identifier for identifier in wanted if _MENTION_ID.fullmatch(identifier)}
    taken = unused.union(*(line.references for line in kept))
    fresh = (f"T{number}" for number in count(1) if f"T{number}" not in taken)
    identifiers = []
    for identifier in wanted:
        losses.note("ids of mentions that brat cannot use", identifier != "" and identifier not in unused)
        identifiers.append(identifier if identifier in unused else next(fresh))
        unused.discard(identifier)
    return identifiers


def _kept_lines(document: Document) -> list[KeptLine] | None:
    """Give the lines that came from brat; None when the key `brat` holds anything else."""
    kept = document.extras.get("brat", {})
    if not isinstance(kept, Mapping) or not all(isinstance(lines, list) for lines in kept.values()):
        return None
    found = [(kind, line) for kind, lines in kept.items() for line in lines]
    if not all(_is_other_line(line) for _, line in found):
        return None
    return [KeptLine(kind, line, line.split("\t")[0], _references(line)) for kind, line in found]


def _is_other_line(line: object) -> bool:
    if not isinstance(line, str) or re.match(rf"T|\Z|\s|{_BYTE_ORDER_MARK}", line) or re.search(r"[\n\r]", line):
        return False
    return line == line.encode(errors="replace").decode()


def _references(line: str) -> list[str]:
    """Give the ids that a line refers to: all of a relation's, event's or equivalence's, the first of the others'."""
    columns = line.split("\t")
    tokens = columns[1].split() if len(columns) > 1 else []
    if line[0] in "RE*":
        tokens = [token.rpartition(":")[2] for token in tokens[line[0] != "E" :]]
    else:
        tokens = tokens[1:2] if line[0] in KINDS else []
    return [token for token in tokens if _REFERENCE.fullmatch(token)]


def _without_dangling(lines: list[KeptLine], identifiers: Iterable[str], losses: Losses) -> list[str]:
    """Leave out the lines that refer to something which is not there, and in turn those that refer to them."""
    bearers = Counter([*identifiers, *(line.identifier for line in lines)])
    referring: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        for reference in line.references:
            referring[reference].append(index)
    missing = [reference for reference in referring if not bearers[reference]]
    removed: set[int] = set()
    while missing:
        for index in set(referring[missing.pop()]) - removed:
            removed.add(index)
            losses.note(f"brat {lines[index].kind} that refer to something that is not there")
            bearers[lines[index].identifier] -= 1
            if not bearers[lines[index].identifier]:
                missing.append(lines[index].identifier)
    return [line.text for index, line in enumerate(lines) if index not in removed]


def _is_seen_otherwise(layout: Layout) -> bool:
    """Tell whether somebody who reads the bare text back finds other words or sentences."""
    if not layout.is_given:
        return False
    found = Layout(layout.text, split=Split.ALWAYS)
    return (found.words, found.sentences) != (layout.words, layout.sentences)


def _file_name(identifier: str | int | None, number: int) -> str:
    """Make an id a path below the folder and nowhere else: what could lead out of it is percent-encoded."""
    if identifier is None or identifier == "":
        return f"document-{number:06}"
    encoded = _UNSAFE.sub(lambda match: quote(match[0], safe=""), str(identifier))
    *folders, name = encoded.split("/")
    if name == "" or "" in folders:
        folders, name = [], encoded.replace("/", "%2F")
    parts = (*(_FOLDER_LIKE_FILE.sub(r"%2E\1", folder) for folder in folders), name)
    return "/".join("%2E" + part[1:] if part.startswith(".") else part for part in parts)


def _id_of(name: str) -> str:
    """Undo `_file_name`; a name it would not have made is an id as it stands."""
    identifier = unquote(name)
    return identifier if _file_name(identifier, 0) == name else name


def _write_document(path: Path, text: str, annotations: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix, content in ((".txt", text), (".ann", annotations)):
        path.with_name(path.name + suffix).write_bytes(content.encode("utf-8"))
