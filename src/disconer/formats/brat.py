"""brat standoff: a folder of `name.txt` with the text and `name.ann` with the annotations.

    T1<TAB>ADR 0 6;16 21<TAB>Severe … pain

Only T lines are mentions. Relations, events, attributes, equivalences, notes and normalizations are kept as they
stand, under the document's extra key `brat`, and T ids under the mentions' extra key `id`, so that brat → brat and
brat → JSONL → brat lose nothing. The offsets are the truth: the text at the end of a T line is written anew, and kept
under the mention's extra key `text` where it differs from the text at the offsets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from disconer.document import Document, Fragment, Mention
from disconer.exceptions import CannotHoldError, FormatError, locate_errors, quote
from disconer.formats.brat_settings import BratSettings
from disconer.formats.document_files import from_file_name, list_files, name_documents, write_documents
from disconer.formats.losses import Losses
from disconer.formats.references import Referring, assign_identifiers, drop_dangling
from disconer.formats.surface import join_text
from disconer.foundation.files import BYTE_ORDER_MARK, read_text
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split
from disconer.tokenize.sentences import LINE_BREAK

_HELD_KEYS = frozenset(("brat", "id"))
_LEADING_BLANKS = re.compile(rf"\A[\s{BYTE_ORDER_MARK}]+")
_PAIR = "[0-9]{1,18} +[0-9]{1,18}"
_MENTION_LINE = re.compile(rf"(T[^\t ]*)\t([^\t ]+) +({_PAIR}(?: *; *{_PAIR})*) *(?:\t(.*))?")
_MENTION_ID = re.compile(r"T[^\t \r\n]*")
LINE_KINDS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "*": "equivalences",
    "#": "notes",
    "N": "normalizations",
}
_OTHER_LINES = "other lines"
_REFERENCE = re.compile(r"[A-Z#]+[0-9]+")
_UNWRITABLE = re.compile("T|\\Z|[\\s\ufeff]|.*[\n\r]", re.DOTALL)  # what a reader would take for something else


class _Files(NamedTuple):
    """The two files of a document; one without annotations has a single one."""

    text: Path
    annotations: Path | None


class MentionLine(NamedTuple):
    """What a T line says."""

    identifier: str
    label: str
    spans: list[Span]
    surface: str | None
    """The text at the end of the line; None when there is none."""


class MentionLines(NamedTuple):
    """Where the mentions of a document stand."""

    path: Path
    """Their file; that of the text if there is none."""
    numbers: Mapping[str, int]
    """The line of each T id, from 1 on."""


class _KeptLine(NamedTuple):
    """A line as it stood in its file, with its id and the ids that it refers to."""

    kind: str
    text: str
    identifier: str
    references: list[str]


def read_mention_line(line: str) -> MentionLine | None:
    r"""Take a T line apart; None when it is not one.

    >>> read_mention_line("T1\tADR 0 6;16 21\tSevere pain")
    MentionLine(identifier='T1', label='ADR', spans=[(0, 6), (16, 21)], surface='Severe pain')
    """
    match = _MENTION_LINE.fullmatch(line)
    if not match:
        return None
    pairs = (pair.split() for pair in match[3].split(";"))
    return MentionLine(match[1], match[2], [(int(start), int(end)) for start, end in pairs], match[4])


def has_annotations(path: Path) -> bool:
    """Tell whether a text has an annotation file beside it."""
    return any(beside.suffix.lower() == ".ann" for beside in _find_beside(path))


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or the one document that a file belongs to, in the order of their names."""
    files = _find_files(path)
    if not files:
        raise FormatError("there are no .txt files here, so this is not brat's format", path=path)
    for name, pair in sorted(files.items()):
        yield _read_document(pair, from_file_name(name), split)


def locate(path: Path) -> dict[str, MentionLines]:
    """Find where the mentions of every document stand, by the documents' ids: for people who look them up."""
    found = {}
    for name, pair in _find_files(path).items():
        lines: dict[str, int] = {}
        for number, line in number_lines(read_text(pair.annotations) if pair.annotations else ""):
            lines.setdefault(line.partition("\t")[0], number)
        found[from_file_name(name)] = MentionLines(pair.annotations or pair.text, lines)
    return found


def count(path: Path) -> int:
    """Count the texts below a folder; a file belongs to one document."""
    return sum(beside.suffix.lower() == ".txt" for beside in list_files(path)) if path.is_dir() else 1


def write(documents: Iterable[Document], path: Path, losses: Losses, labels: Iterable[str] = ()) -> None:
    """Write a pair of files for every document, under its id or else its number, and what brat wants to know of all."""
    settings = BratSettings(labels)

    def contents_of(document: Document, _: str) -> dict[str, str]:
        lines = to_lines(document, losses)
        settings.add(document, _group_by_kind(line for line in lines if not line.startswith("T")))
        return _to_contents(document, lines)

    write_documents(documents, path, contents_of, settings.files)


def to_files(documents: Iterable[Document], losses: Losses) -> Iterator[tuple[str, str]]:
    """Convert documents to the names and contents of the files that `write` would write."""
    for document, name in name_documents(documents):
        for ending, content in _to_contents(document, to_lines(document, losses)).items():
            yield name + ending, content


def _to_contents(document: Document, lines: Iterable[str]) -> dict[str, str]:
    return {".txt": document.text, ".ann": "".join(f"{line}\n" for line in lines)}


def to_lines(document: Document, losses: Losses) -> list[str]:
    """Convert a document to the lines of its `.ann` file."""
    kept = _read_kept_lines(document.extras.get("brat", {}), losses)
    losses.note_extras(document, _HELD_KEYS if kept is not None else _HELD_KEYS - {"brat"})
    losses.note_id(document)
    losses.note_layout(document.layout, "brat")
    identifiers = _choose_identifiers(document.mentions, kept or [], losses)
    lines = [_to_line(*pair) for pair in zip(identifiers, document.mentions, strict=True)]
    return lines + _drop_dangling(kept or [], identifiers, losses)


def _find_files(path: Path) -> dict[str, _Files]:
    """Find the files of every document below a folder, or those of the document that a file belongs to."""
    return _pair_files(list_files(path), path) if path.is_dir() else _pair_files(_find_beside(path), path.parent)


def _find_beside(path: Path) -> Iterator[Path]:
    """Find a file and those that are called the same but for the ending."""
    return (beside for beside in path.parent.iterdir() if beside.stem == path.stem)


def _pair_files(paths: Iterable[Path], root: Path) -> dict[str, _Files]:
    """Put texts and annotations together, by their path below `root` without its ending."""
    texts: dict[str, Path] = {}
    annotations: dict[str, Path] = {}
    for path in sorted(paths):
        kind = {".txt": texts, ".ann": annotations}.get(path.suffix.lower())
        if kind is not None:
            name = path.relative_to(root).with_suffix("").as_posix()
            if name in kind:
                raise FormatError(f"there is also {kind[name].name}: rename one of them", path=path)
            kind[name] = path
    for name, path in annotations.items():
        if name not in texts:
            raise FormatError("there is no .txt file with the text of these annotations", path=path)
    return {name: _Files(path, annotations.get(name)) for name, path in texts.items()}


def _read_document(files: _Files, identifier: str, split: Split) -> Document:
    text = read_text(files.text)
    lines = list(number_lines(read_text(files.annotations) if files.annotations else ""))
    place = files.annotations or files.text
    found = [(number, _require_mention_line(line, place, number)) for number, line in lines if line.startswith("T")]
    others = _group_by_kind(line for _, line in lines if not line.startswith("T"))
    with locate_errors(files.text):
        layout = Layout(drop_foreign_mark(text, [line for _, line in found]), split=split)
        mentions = [_read_mention(line, layout, place, number) for number, line in found]
        return Document(layout, mentions, identifier, {"brat": others} if others else None)


def number_lines(content: str) -> Iterator[tuple[int, str]]:
    """Split into numbered lines, whichever line end the file uses; blank ones are skipped."""
    lines = re.split(r"\r*\n" if "\n" in content else "\r", content)
    bare = (_LEADING_BLANKS.sub("", line) for line in lines)
    return ((number, line) for number, line in enumerate(bare, start=1) if line)


def _require_mention_line(line: str, path: Path, number: int) -> MentionLine:
    found = read_mention_line(line)
    if not found:
        raise FormatError("this T line is not 'T1<tab>Label start end;start end<tab>text'", path=path, line=number)
    return found


def _read_mention(line: MentionLine, layout: Layout, path: Path, number: int) -> Mention:
    extras = {"id": line.identifier}
    if line.surface is not None and line.surface.split() != join_text(layout.text, line.spans).split():
        extras["text"] = line.surface
    with locate_errors(path, number):
        return Mention(line.label, line.spans, layout, extras=extras)


def drop_foreign_mark(text: str, mentions: Sequence[MentionLine]) -> str:
    """Drop a byte order mark that the offsets do not count; they say so by where the mentions' texts are."""
    if not text.startswith(BYTE_ORDER_MARK):
        return text
    bare = text[1:]
    counted, uncounted = (
        sum(join_text(seen, line.spans) == line.surface for line in mentions) for seen in (text, bare)
    )
    return bare if uncounted > counted else text


def split_by_line(mention: Mention) -> list[tuple[Span, str]]:
    """Split a mention where lines break, as brat does, into spans and their texts."""
    if re.search(r"[ \t\r\n]", mention.label):
        raise CannotHoldError(f"the label {quote(mention.label)} holds a blank, which brat labels cannot: rename it")
    text = mention.layout.text
    spans = [piece for fragment in mention.fragments for piece in _split_fragment(fragment, text)]
    return [((start, end), LINE_BREAK.sub(" ", text[start:end])) for start, end in spans]


def _to_line(identifier: str, mention: Mention) -> str:
    parts = split_by_line(mention)
    offsets = ";".join(f"{start} {end}" for (start, end), _ in parts)
    return f"{identifier}\t{mention.label} {offsets}\t{' '.join(text for _, text in parts)}"


def _split_fragment(fragment: Fragment, text: str) -> list[Span]:
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


def _choose_identifiers(mentions: Sequence[Mention], kept: list[_KeptLine], losses: Losses) -> list[str]:
    """Keep the T ids that mentions came with, and number the others, avoiding ids that are assigned or referred to."""
    wanted = [str(mention.extras.get("id", "")) for mention in mentions]
    usable = [identifier if _MENTION_ID.fullmatch(identifier) else "" for identifier in wanted]
    taken = chain.from_iterable(line.references for line in kept)
    identifiers = assign_identifiers(usable, "T", taken)
    lost = sum(identifier not in ("", given) for identifier, given in zip(wanted, identifiers, strict=True))
    losses.note("ids of mentions that brat cannot use", lost)
    return identifiers


def _group_by_kind(lines: Iterable[str]) -> dict[str, list[str]]:
    """Group lines for the extra key `brat` of a document."""
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kinds.setdefault(LINE_KINDS.get(line[0], _OTHER_LINES), []).append(line.replace("\r", " "))
    return kinds


def _read_kept_lines(kinds: Any, losses: Losses) -> list[_KeptLine] | None:
    """Undo `_group_by_kind`; None when the value, which anybody may have written, is something else."""
    if not isinstance(kinds, Mapping) or not all(isinstance(lines, list) for lines in kinds.values()):
        return None
    found = [(kind, line) for kind, lines in kinds.items() for line in lines]
    for kind, line in found:
        losses.note(f"brat {kind} that are no lines of an annotation file", not _is_keepable(line))
    return [
        _KeptLine(kind, line, line.split("\t")[0], _read_references(line)) for kind, line in found if _is_keepable(line)
    ]


def _drop_dangling(lines: list[_KeptLine], identifiers: Iterable[str], losses: Losses) -> list[str]:
    """Drop the lines that refer to something which is not there, and then those that refer to these."""
    things: dict[str, list[tuple[Referring, str]]] = {}
    for line in lines:
        things.setdefault(line.kind, []).append((Referring(line.identifier, line.references), line.text))
    return list(chain.from_iterable(drop_dangling(things, identifiers, "brat", losses).values()))


def _is_keepable(line: object) -> bool:
    return isinstance(line, str) and not _UNWRITABLE.match(line) and line == line.encode(errors="replace").decode()


def _read_references(line: str) -> list[str]:
    """Read the ids that a line refers to: all of a relation, event or equivalence, the first of other lines."""
    columns = line.split("\t")
    tokens = columns[1].split() if len(columns) > 1 else []
    if line[0] in "RE*":
        tokens = [token.rpartition(":")[2] for token in tokens[line[0] != "E" :]]
    else:
        tokens = tokens[1:2] if line[0] in LINE_KINDS else []
    return [token for token in tokens if _REFERENCE.fullmatch(token)]
