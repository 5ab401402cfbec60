"""The passages of a BioC document: put together to one text when it is read, and cut again when it is written.

Their *outlines* are what remains of them without texts and mentions: they say where passages and sentences lie, and
hold all that disconer does not know.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate, chain

from disconer.exceptions import FormatError, InputError, OffsetError
from disconer.formats.bioc.annotations import is_exact
from disconer.formats.bioc.parts import (
    KINDS,
    LISTS,
    Part,
    drop_known,
    is_mention,
    list_annotations,
    parts_at,
    read_number,
)
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split

_MOST_FILLING = 10_000_000
"""How many characters may be missing between passages: a typing error in an offset must not fill the memory."""
_BETWEEN_SENTENCES = " "
_BETWEEN_PASSAGES = "\n"
_OF_SENTENCES = frozenset(("bioctype", "offset", "length", "text", "annotations"))
"""The keys of a sentence that its outline says otherwise or not at all."""
_OF_PASSAGES = _OF_SENTENCES | {"sentences"}
_Width = Callable[[str], int]
"""How many units a character counts for."""
_BROKEN = -1
"""So many annotations are right in a document that cannot be read."""


def join_passages(passages: Iterable[Part]) -> str:
    """Put the texts of passages where their offsets say, with line feeds between them."""
    return _place_texts(
        ((read_number(passage, "offset"), _passage_text(passage)) for passage in passages), 0, _BETWEEN_PASSAGES
    )


def list_texts(passages: Iterable[Part]) -> list[tuple[int, str]]:
    """List the texts of passages, or else of their sentences, by their offsets."""
    bearers = chain.from_iterable([one] if _own_text(one) else parts_at(one, "sentences") for one in passages)
    return sorted((read_number(bearer, "offset"), _own_text(bearer)) for bearer in bearers if _own_text(bearer))


def find_sentences(passages: list[Part], text: str, split: Split) -> list[Span] | None:
    """Find the sentences; None when no passage names any. Passages that name none are split where others do."""
    named = [_read_sentences(passage, text) for passage in passages]
    if not any(named):
        return None
    spans = (given or _split_sentences(passage, split) for passage, given in zip(passages, named, strict=True))
    return sorted(chain.from_iterable(spans))


def outline(passage: Part) -> Part:
    """Reduce a passage to its outline."""
    sentences = [_outline_part(one, len(_own_text(one)), _OF_SENTENCES) for one in parts_at(passage, "sentences")]
    has_text = {"text": True} if sentences and passage.get("text") else {}
    outline = _outline_part(passage, len(_passage_text(passage)), _OF_PASSAGES)
    return {**outline, **has_text, **drop_known({"sentences": sentences})}


def fill(outline: Part, text: str) -> Part:
    """Undo `outline`."""
    sentences = [_fill_part(sentence, text, _OF_SENTENCES) for sentence in parts_at(outline, "sentences")]
    passage = _fill_part(outline, text, _OF_PASSAGES)
    if sentences and not outline.get("text"):
        del passage["text"]
    return {
        "bioctype": "BioCPassage",
        **passage,
        "sentences": [{"bioctype": "BioCSentence", **one} for one in sentences],
    }


def outline_plain(layout: Layout) -> list[Part]:
    """Outline the passages of a text that does not come from BioC.

    It is one passage, unless splitting would not find its sentences: then paragraphs are passages, and so is every
    other stretch outside the sentences that reading would not fill in by itself.
    """
    outlines: list[Part] = []
    end = 0
    for start, stop in layout.sentences_unknown_to(Split.ALWAYS) or ():
        gap = layout.text[end:start]
        sentence = {"offset": start, "length": stop - start}
        if outlines and not gap.strip(_BETWEEN_SENTENCES):
            outlines[-1]["length"] = stop - outlines[-1]["offset"]
            outlines[-1]["sentences"].append(sentence)
        else:
            if gap.strip(_BETWEEN_PASSAGES):
                outlines.append({"offset": end, "length": start - end})
            outlines.append({**sentence, "sentences": [sentence]})
        end = stop
    if end < len(layout.text) or not outlines:
        outlines.append({"offset": end, "length": len(layout.text) - end})
    return outlines


def _outline_part(part: Part, length: int, known: frozenset[str]) -> Part:
    annotations = [annotation for annotation in parts_at(part, "annotations") if not is_mention(annotation)]
    outline = {"offset": read_number(part, "offset"), "length": length, **drop_known(part, known)}
    return {**outline, **drop_known({"annotations": annotations})}


def _fill_part(outline: Part, text: str, known: frozenset[str]) -> Part:
    """Undo `_outline_part`."""
    offset = read_number(outline, "offset")
    return {
        "infons": {},
        "offset": offset,
        "text": text[offset : offset + read_number(outline, "length")],
        "annotations": parts_at(outline, "annotations"),
        "relations": [],
        **drop_known(outline, known),
    }


def _passage_text(passage: Part) -> str:
    """The text of a passage, its own or that of its sentences."""
    sentences = ((read_number(sentence, "offset"), _own_text(sentence)) for sentence in parts_at(passage, "sentences"))
    return _own_text(passage) or _place_texts(sentences, read_number(passage, "offset"), _BETWEEN_SENTENCES)


def _own_text(part: Part) -> str:
    text = part.get("text")
    if text is not None and not isinstance(text, str):
        raise FormatError("the text must be a string")
    return text or ""


def _place_texts(pieces: Iterable[tuple[int, str]], start: int, filling: str) -> str:
    placed: list[str] = []
    end, missing = start, 0
    for offset, piece in sorted((offset, piece) for offset, piece in pieces if piece):
        if offset < end:
            raise OffsetError(f"the text at offset {offset} begins before the one in front of it ends, at {end}")
        missing += offset - end
        if missing > _MOST_FILLING:
            raise OffsetError(f"the text at offset {offset} leaves a gap that is too large: correct the offset")
        placed += filling * (offset - end), piece
        end = offset + len(piece)
    return "".join(placed)


def _read_sentences(passage: Part, text: str) -> list[Span]:
    spans = []
    for sentence in parts_at(passage, "sentences"):
        start, own = read_number(sentence, "offset"), _own_text(sentence)
        if text[start : start + len(own)] != own:
            raise OffsetError(f"the sentence at offset {start} is not what its passage says there")
        spans.append((start, start + len(own)))
    return [(start, end) for start, end in spans if start < end]


def _split_sentences(passage: Part, split: Split) -> list[Span]:
    offset = read_number(passage, "offset")
    return [(offset + start, offset + end) for start, end in Layout(_passage_text(passage), split=split).sentences]


def convert_to_code_points(document: Part) -> Part:
    """Convert a document's offsets to code points if more annotations are right in other units.

    BioC's description asks for bytes; PubMed Central, PubTator and the `bioc` library count code points, and programs
    in Java UTF-16 code units. These agree while a text is ASCII; where it is not, the texts of the annotations tell.
    """
    texts = list_texts(parts_at(document, "passages"))
    if all(text.isascii() for _, text in texts) or _count_right(document) in (_BROKEN, _count_texts(document)):
        return document
    views = (document, *(_convert(document, _Ruler(texts, width)) for width in (_bytes, _utf16_units)))
    return max(views, key=_count_right)


class _Ruler:
    """The way from offsets that count other units to code points."""

    def __init__(self, texts: list[tuple[int, str]], width: _Width) -> None:
        self._starts = [offset for offset, _ in texts]
        self._stretches: list[tuple[int, list[int]]] = []
        """For each text, how many code points stand before it, and how many units before each character of it."""
        units = code_points = 0
        for offset, text in texts:
            code_points += offset - units
            self._stretches.append((code_points, [0, *accumulate(map(width, text))]))
            units = offset + self._stretches[-1][1][-1]
            code_points += len(text)

    def code_point(self, offset: int) -> int:
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        code_points, units = self._stretches[at]
        inside = offset - self._starts[at]
        return code_points + bisect_right(units, inside) - 1 + max(0, inside - units[-1])


def _convert(part: Part, ruler: _Ruler, tag: str = "document") -> Part:
    converted = dict(part)
    for key in KINDS[tag].inner:
        if key in part and key != "relations":
            converted[key] = [_convert(one, ruler, LISTS[key]) for one in parts_at(part, key)]
    if "offset" in part:
        offset = read_number(part, "offset")
        converted["offset"] = ruler.code_point(offset)
        if "length" in part:
            converted["length"] = ruler.code_point(offset + read_number(part, "length")) - converted["offset"]
    return converted


def _count_right(document: Part) -> int:
    """Count the annotations whose text is the one at their offsets."""
    try:
        text = join_passages(parts_at(document, "passages"))
        return sum(is_mention(one) and is_exact(one, text) for one in list_annotations(document))
    except InputError:
        return _BROKEN


def _count_texts(document: Part) -> int:
    """Count the annotations that have a text."""
    return sum(is_mention(one) and bool(one.get("text")) for one in list_annotations(document))


def _bytes(character: str) -> int:
    return len(character.encode(errors="replace"))


def _utf16_units(character: str) -> int:
    return 1 + (character > "\uffff")
