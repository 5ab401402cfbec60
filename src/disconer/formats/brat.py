"""brat standoff: a folder of `name.txt` with the text and `name.ann` with the annotations.

    T1<TAB>ADR 0 6;16 21<TAB>Severe … pain

Only T lines are mentions. Relations, events, attributes, equivalences, notes and normalizations are kept as they
stand, under the document's extra key `brat`, and T ids under the mentions' extra key `id`, so that brat → brat and
brat → JSONL → brat lose nothing. The offsets are the truth: the text at the end of a T line is written anew.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from urllib.parse import quote, unquote

from disconer.document import Document, Fragment, Mention
from disconer.exceptions import CannotHoldError, FormatError, located
from disconer.formats.files import read_text, replacing_folder
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
_BYTE_ORDER_MARK = "\ufeff"
_PAIR = "[0-9]{1,18} +[0-9]{1,18}"
_MENTION_LINE = re.compile(rf"(T[^\t ]*)\t([^\t ]+) +({_PAIR}(?: *; *{_PAIR})*) *(?:\t(.*))?")
_MENTION_ID = re.compile(r"T\d+")
_FILE_NAME_SAFE = " !#$&'()+,;=@[]^{}~"


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or the one document that a file belongs to, in the order of their names."""
    if not path.is_dir():
        yield _read_document(path.with_suffix(".txt"), path.stem, split)
        return
    texts = sorted(text for text in path.rglob("*.txt") if not _is_hidden(text.relative_to(path)))
    for orphan in sorted(path.rglob("*.ann")):
        if not _is_hidden(orphan.relative_to(path)) and not orphan.with_suffix(".txt").exists():
            raise FormatError("there is no .txt file with the text of these annotations", path=orphan)
    if not texts:
        raise FormatError("there are no .txt files in this folder, so it is not a brat folder", path=path)
    for text in texts:
        relative = text.relative_to(path).with_suffix("")
        yield _read_document(text, _id_of(relative.as_posix()), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    written: set[str] = set()
    with replacing_folder(path) as folder:
        for number, document in enumerate(documents, start=1):
            name = _file_name(document.id, number)
            if name in written:
                raise CannotHoldError(f"two documents have the id {document.id!r}, which names their files")
            written.add(name)
            target = folder.joinpath(*name.split("/"))
            target.parent.mkdir(parents=True, exist_ok=True)
            _write_exactly(target.with_name(target.name + ".txt"), document.text)
            lines = [line + "\n" for line in annotation_lines(document, losses)]
            _write_exactly(target.with_name(target.name + ".ann"), "".join(lines))


def annotation_lines(document: Document, losses: Losses) -> list[str]:
    """Give the lines of a document's `.ann` file."""
    _count_losses(document, losses)
    identifiers = _identifiers(document.mentions)
    lines = [_mention_line(*pair) for pair in zip(identifiers, document.mentions, strict=True)]
    return lines + _other_lines(document, identifiers, losses)


def _mention_line(identifier: str, mention: Mention) -> str:
    if re.search(r"\s", mention.label):
        raise CannotHoldError(f"the label {mention.label!r} holds a blank, which brat labels cannot: rename it")
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


def _read_document(text_path: Path, identifier: str, split: Split) -> Document:
    text = read_text(text_path)
    annotations = text_path.with_suffix(".ann")
    content = read_text(annotations).removeprefix(_BYTE_ORDER_MARK) if annotations.exists() else ""
    lines = [(number, line) for number, line in enumerate(re.split(r"\r?\n", content), start=1) if line.strip()]
    matches = [(number, _mention_match(line, annotations, number)) for number, line in lines if line.startswith("T")]
    others: dict[str, list[str]] = {}
    for _, line in lines:
        if not line.startswith("T"):
            others.setdefault(KINDS.get(line[0], _OTHER), []).append(line)
    with located(text_path):
        layout = Layout(_without_foreign_mark(text, [match for _, match in matches]), split=split)
        mentions = [_mention(match, layout, annotations, number) for number, match in matches]
        return Document(layout, mentions, identifier, {"brat": others} if others else None)


def _mention_match(line: str, path: Path, number: int) -> re.Match[str]:
    match = _MENTION_LINE.fullmatch(line)
    if not match:
        raise FormatError("this T line is not 'T1<tab>Label start end;start end<tab>text'", path=path, line=number)
    return match


def _mention(match: re.Match[str], layout: Layout, path: Path, number: int) -> Mention:
    with located(path, number):
        return Mention(match[2], _fragments(match), layout, extras={"id": match[1]})


def _fragments(match: re.Match[str]) -> list[Span]:
    pairs = (pair.split() for pair in match[3].split(";"))
    return [(int(start), int(end)) for start, end in pairs]


def _without_foreign_mark(text: str, mentions: Sequence[re.Match[str]]) -> str:
    """Drop a byte order mark that the offsets do not count; they say so by where the mentions' texts are."""
    if not text.startswith(_BYTE_ORDER_MARK):
        return text
    bare = text[1:]
    counted, uncounted = (
        sum(_surface(candidate, match) == match[4] for match in mentions) for candidate in (text, bare)
    )
    return bare if uncounted > counted else text


def _surface(text: str, match: re.Match[str]) -> str:
    return " ".join(text[start:end] for start, end in _fragments(match))


def _identifiers(mentions: Sequence[Mention]) -> list[str]:
    """Keep the T ids that mentions came with, and number the others after them."""
    wanted = [str(mention.extras.get("id")) for mention in mentions]
    taken = {identifier for identifier in wanted if _MENTION_ID.fullmatch(identifier)}
    fresh = (f"T{number}" for number in count(1) if f"T{number}" not in taken)
    unused = set(taken)
    identifiers = []
    for identifier in wanted:
        identifiers.append(identifier if identifier in unused else next(fresh))
        unused.discard(identifier)
    return identifiers


def _other_lines(document: Document, identifiers: Iterable[str], losses: Losses) -> list[str]:
    """Give the kept lines, but for those that refer to a mention which is no longer there."""
    kept = document.extras.get("brat", {})
    lines = [(kind, line) for kind, group in kept.items() for line in group]
    while True:
        known = {*identifiers, *(line.split("\t")[0] for _, line in lines)}
        standing = []
        for kind, line in lines:
            if known.issuperset(_references(line)):
                standing.append((kind, line))
            else:
                losses.note(f"brat {kind} that refer to a mention that is not there")
        if len(standing) == len(lines):
            return [line for _, line in lines]
        lines = standing


def _references(line: str) -> list[str]:
    """Give the ids that a line refers to: all of a relation's, event's or equivalence's, the first of the others'."""
    columns = line.split("\t")
    tokens = columns[1].split() if len(columns) > 1 else []
    if line[0] in "RE*":
        return [token.rpartition(":")[2] for token in tokens[line[0] != "E" :]]
    return tokens[1:2] if line[0] in KINDS else []


def _count_losses(document: Document, losses: Losses) -> None:
    losses.note("scores", sum(mention.score is not None for mention in document))
    losses.note("texts with given words or sentences", document.layout.is_given)
    for mention in document:
        for key in mention.extras.keys() - {"id"}:
            losses.note(f"values of the mentions' key {key!r}")
    for key, value in document.extras.items():
        if key != "brat" or not isinstance(value, Mapping):
            losses.note(f"values of the key {key!r}")


def _file_name(identifier: str | int | None, number: int) -> str:
    """Make an id a path below the folder and nowhere else: what could lead out of it is percent-encoded."""
    if identifier is None or identifier == "":
        return f"document-{number:06}"
    parts = str(identifier).split("/")
    if "" in parts:
        return quote(str(identifier), safe=_FILE_NAME_SAFE)
    encoded = (quote(part, safe=_FILE_NAME_SAFE) for part in parts)
    return "/".join("%2E" + part[1:] if part.startswith(".") else part for part in encoded)


def _id_of(name: str) -> str:
    """Undo `_file_name`; a name it would not have made is an id as it stands."""
    identifier = unquote(name)
    return identifier if _file_name(identifier, 0) == name else name


def _is_hidden(relative: Path) -> bool:
    return any(part.startswith(".") for part in relative.parts)


def _write_exactly(path: Path, content: str) -> None:
    path.write_bytes(content.encode("utf-8"))
