"""brat standoff: a folder of `name.txt` with the text and `name.ann` with the annotations.

    T1<TAB>ADR 0 6;16 21<TAB>Severe … pain

Only T lines are mentions. Relations, events, attributes, equivalences, notes and normalizations are kept as they
stand, under the document's extra key `brat`, and T ids under the mentions' extra key `id`, so that brat → brat and
brat → JSONL → brat lose nothing. The offsets are the truth: the text at the end of a T line is written anew, and kept
under the mention's extra key `text` where it differs from the text at the offsets.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from disconer.document import Document, Fragment, Mention
from disconer.exceptions import CannotHoldError, FormatError, located, shown
from disconer.formats.brat.lines import KeptLine, by_kind, kept_lines, without_dangling
from disconer.formats.document_files import files_below, named_documents, write_documents
from disconer.formats.file_names import identifier_of
from disconer.formats.files import BYTE_ORDER_MARK, read_text
from disconer.formats.losses import Losses
from disconer.formats.references import unique_identifiers
from disconer.spans import Span
from disconer.tokenize import Layout, Split
from disconer.tokenize.sentences import LINE_BREAK

_HELD_KEYS = frozenset(("brat", "id"))
_LEADING_BLANKS = re.compile(rf"\A[\s{BYTE_ORDER_MARK}]+")
_PAIR = "[0-9]{1,18} +[0-9]{1,18}"
_MENTION_LINE = re.compile(rf"(T[^\t ]*)\t([^\t ]+) +({_PAIR}(?: *; *{_PAIR})*) *(?:\t(.*))?")
_MENTION_ID = re.compile(r"T[^\t \r\n]*")


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


def mention_line(line: str) -> MentionLine | None:
    r"""Take a T line apart; None when it is not one.

    >>> mention_line("T1\tADR 0 6;16 21\tSevere pain")
    MentionLine(identifier='T1', label='ADR', spans=[(0, 6), (16, 21)], surface='Severe pain')
    """
    match = _MENTION_LINE.fullmatch(line)
    if not match:
        return None
    pairs = (pair.split() for pair in match[3].split(";"))
    return MentionLine(match[1], match[2], [(int(start), int(end)) for start, end in pairs], match[4])


def has_annotations(path: Path) -> bool:
    """Tell whether a text has an annotation file beside it."""
    return any(beside.suffix.lower() == ".ann" for beside in _beside(path))


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read every document below a folder, or the one document that a file belongs to, in the order of their names."""
    files = _paired(files_below(path), path) if path.is_dir() else _paired(_beside(path), path.parent)
    if not files:
        raise FormatError("there are no .txt files here, so this is not brat's format", path=path)
    for name, pair in sorted(files.items()):
        yield _read_document(pair, identifier_of(name), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a pair of files for every document, under its id or else its number."""
    write_documents(documents, path, lambda document, _: _contents(document, losses))


def files(documents: Iterable[Document], losses: Losses) -> Iterator[tuple[str, str]]:
    """Give the name and the content of every file that `write` would write."""
    for document, name in named_documents(documents):
        for ending, content in _contents(document, losses).items():
            yield name + ending, content


def _contents(document: Document, losses: Losses) -> dict[str, str]:
    annotations = "".join(f"{line}\n" for line in annotation_lines(document, losses))
    return {".txt": document.text, ".ann": annotations}


def annotation_lines(document: Document, losses: Losses) -> list[str]:
    """Give the lines of a document's `.ann` file."""
    kept = kept_lines(document.extras.get("brat", {}), losses)
    losses.note_extras(document, _HELD_KEYS if kept is not None else _HELD_KEYS - {"brat"})
    losses.note_id(document)
    losses.note_layout(document.layout, "brat")
    identifiers = _identifiers(document.mentions, kept or [], losses)
    lines = [_written_line(*pair) for pair in zip(identifiers, document.mentions, strict=True)]
    return lines + without_dangling(kept or [], identifiers, losses)


def _beside(path: Path) -> Iterator[Path]:
    """Find a file and those that are called the same but for the ending."""
    return (beside for beside in path.parent.iterdir() if beside.stem == path.stem)


def _paired(paths: Iterable[Path], root: Path) -> dict[str, _Files]:
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
    lines = list(numbered_lines(read_text(files.annotations) if files.annotations else ""))
    place = files.annotations or files.text
    found = [(number, _mention_line_of(line, place, number)) for number, line in lines if line.startswith("T")]
    others = by_kind(line for _, line in lines if not line.startswith("T"))
    with located(files.text):
        layout = Layout(without_foreign_mark(text, [line for _, line in found]), split=split)
        mentions = [_mention(line, layout, place, number) for number, line in found]
        return Document(layout, mentions, identifier, {"brat": others} if others else None)


def numbered_lines(content: str) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank, whichever line end the file uses."""
    lines = re.split(r"\r*\n" if "\n" in content else "\r", content)
    bare = (_LEADING_BLANKS.sub("", line) for line in lines)
    return ((number, line) for number, line in enumerate(bare, start=1) if line)


def _mention_line_of(line: str, path: Path, number: int) -> MentionLine:
    found = mention_line(line)
    if not found:
        raise FormatError("this T line is not 'T1<tab>Label start end;start end<tab>text'", path=path, line=number)
    return found


def _mention(line: MentionLine, layout: Layout, path: Path, number: int) -> Mention:
    extras = {"id": line.identifier}
    if line.surface is not None and line.surface.split() != _surface(layout.text, line).split():
        extras["text"] = line.surface
    with located(path, number):
        return Mention(line.label, line.spans, layout, extras=extras)


def _surface(text: str, line: MentionLine) -> str:
    return " ".join(text[start:end] for start, end in line.spans)


def without_foreign_mark(text: str, mentions: Sequence[MentionLine]) -> str:
    """Drop a byte order mark that the offsets do not count; they say so by where the mentions' texts are."""
    if not text.startswith(BYTE_ORDER_MARK):
        return text
    bare = text[1:]
    counted, uncounted = (sum(_surface(seen, line) == line.surface for line in mentions) for seen in (text, bare))
    return bare if uncounted > counted else text


def pieces(mention: Mention) -> list[tuple[Span, str]]:
    """Give the parts of a mention as brat has them, none of which goes on in another line, and their texts."""
    if re.search(r"[ \t\r\n]", mention.label):
        raise CannotHoldError(f"the label {shown(mention.label)} holds a blank, which brat labels cannot: rename it")
    text = mention.layout.text
    spans = [piece for fragment in mention.fragments for piece in _pieces(fragment, text)]
    return [((start, end), LINE_BREAK.sub(" ", text[start:end])) for start, end in spans]


def _written_line(identifier: str, mention: Mention) -> str:
    parts = pieces(mention)
    offsets = ";".join(f"{start} {end}" for (start, end), _ in parts)
    return f"{identifier}\t{mention.label} {offsets}\t{' '.join(text for _, text in parts)}"


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
    usable = [identifier if _MENTION_ID.fullmatch(identifier) else "" for identifier in wanted]
    taken = chain.from_iterable(line.references for line in kept)
    identifiers = unique_identifiers(usable, "T", taken)
    lost = sum(identifier not in ("", given) for identifier, given in zip(wanted, identifiers, strict=True))
    losses.note("ids of mentions that brat cannot use", lost)
    return identifiers
