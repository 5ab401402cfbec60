"""The passages of a BioC document: put together to one text when it is read, and cut again when it is written.

Their *outlines* are what remains of them without texts and mentions: they say where passages and sentences lie, and
hold all that disconer does not know.
"""

from collections.abc import Iterable
from itertools import chain

from disconer.exceptions import FormatError, OffsetError
from disconer.formats.bioc.parts import Part, is_mention, number, parts, rest_of
from disconer.spans import Span
from disconer.tokenize import Layout, Split

_MOST_FILLING = 10_000_000
"""How many characters may be missing between passages: a typing error in an offset must not fill the memory."""
_BETWEEN_SENTENCES = " "
_BETWEEN_PASSAGES = "\n"
_OF_SENTENCES = frozenset(("bioctype", "offset", "length", "text", "annotations"))
"""The keys of a sentence that its outline says otherwise or not at all."""
_OF_PASSAGES = _OF_SENTENCES | {"sentences"}


def whole_text(passages: Iterable[Part]) -> str:
    """Put the texts of passages where their offsets say, with line feeds between them."""
    return _placed(((number(passage, "offset"), _text(passage)) for passage in passages), 0, _BETWEEN_PASSAGES)


def placed_texts(passages: Iterable[Part]) -> list[tuple[int, str]]:
    """Give the texts of passages, or else of their sentences, with their offsets and in their order."""
    bearers = chain.from_iterable([one] if _own_text(one) else parts(one, "sentences") for one in passages)
    return sorted((number(bearer, "offset"), _own_text(bearer)) for bearer in bearers if _own_text(bearer))


def sentence_spans(passages: list[Part], text: str, split: Split) -> list[Span] | None:
    """Give the sentences; None when no passage names any. Where only some do, those of the others are looked for."""
    named = [_named_spans(passage, text) for passage in passages]
    if not any(named):
        return None
    spans = (given or _found_spans(passage, split) for passage, given in zip(passages, named, strict=True))
    return sorted(chain.from_iterable(spans))


def outline_of(passage: Part) -> Part:
    """Give the outline of a passage."""
    sentences = [_outline(one, len(_own_text(one)), _OF_SENTENCES) for one in parts(passage, "sentences")]
    has_text = {"text": True} if sentences and passage.get("text") else {}
    outline = _outline(passage, len(_text(passage)), _OF_PASSAGES)
    return {**outline, **has_text, **rest_of({"sentences": sentences})}


def filled(outline: Part, text: str) -> Part:
    """Undo `outline_of`."""
    sentences = [_filled(sentence, text, _OF_SENTENCES) for sentence in parts(outline, "sentences")]
    passage = _filled(outline, text, _OF_PASSAGES)
    if sentences and not outline.get("text"):
        del passage["text"]
    return {
        "bioctype": "BioCPassage",
        **passage,
        "sentences": [{"bioctype": "BioCSentence", **one} for one in sentences],
    }


def plain_outlines(layout: Layout) -> list[Part]:
    """Outline the passages of a text that does not come from BioC.

    It is one passage, unless a reader would not find its sentences: then paragraphs are passages, and so is every
    other stretch outside the sentences that a reader would not fill in by itself.
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


def _outline(part: Part, length: int, known: frozenset[str]) -> Part:
    annotations = [annotation for annotation in parts(part, "annotations") if not is_mention(annotation)]
    outline = {"offset": number(part, "offset"), "length": length, **rest_of(part, known)}
    return {**outline, **rest_of({"annotations": annotations})}


def _filled(outline: Part, text: str, known: frozenset[str]) -> Part:
    """Undo `_outline`."""
    offset = number(outline, "offset")
    return {
        "infons": {},
        "offset": offset,
        "text": text[offset : offset + number(outline, "length")],
        "annotations": parts(outline, "annotations"),
        "relations": [],
        **rest_of(outline, known),
    }


def _text(passage: Part) -> str:
    """Give the text of a passage, its own or that of its sentences."""
    sentences = ((number(sentence, "offset"), _own_text(sentence)) for sentence in parts(passage, "sentences"))
    return _own_text(passage) or _placed(sentences, number(passage, "offset"), _BETWEEN_SENTENCES)


def _own_text(part: Part) -> str:
    text = part.get("text")
    if text is not None and not isinstance(text, str):
        raise FormatError("the text must be a string")
    return text or ""


def _placed(pieces: Iterable[tuple[int, str]], start: int, filling: str) -> str:
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


def _named_spans(passage: Part, text: str) -> list[Span]:
    spans = []
    for sentence in parts(passage, "sentences"):
        start, own = number(sentence, "offset"), _own_text(sentence)
        if text[start : start + len(own)] != own:
            raise OffsetError(f"the sentence at offset {start} is not what its passage says there")
        spans.append((start, start + len(own)))
    return [(start, end) for start, end in spans if start < end]


def _found_spans(passage: Part, split: Split) -> list[Span]:
    offset = number(passage, "offset")
    return [(offset + start, offset + end) for start, end in Layout(_text(passage), split=split).sentences]
