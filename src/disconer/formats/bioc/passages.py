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
_OUTLINED = frozenset(("bioctype", "offset", "length", "text", "sentences", "annotations"))


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


def outline_of(part: Part) -> Part:
    """Give the outline of a passage or of a sentence."""
    outline = {"offset": number(part, "offset"), "length": len(_text(part)), **rest_of(part, _OUTLINED)}
    sentences = [outline_of(sentence) for sentence in parts(part, "sentences")]
    annotations = [annotation for annotation in parts(part, "annotations") if not is_mention(annotation)]
    if sentences and part.get("text"):
        outline["text"] = True
    return {**outline, **rest_of({"sentences": sentences, "annotations": annotations})}


def filled(outline: Part, text: str, kind: str = "BioCPassage") -> Part:
    """Undo `outline_of`."""
    offset, length = number(outline, "offset"), number(outline, "length")
    sentences = [filled(sentence, text, "BioCSentence") for sentence in parts(outline, "sentences")]
    part: Part = {"bioctype": kind, "infons": {}, "offset": offset}
    if not sentences or outline.get("text"):
        part["text"] = text[offset : offset + length]
    if kind == "BioCPassage":
        part["sentences"] = sentences
    annotations = parts(outline, "annotations")
    return {**part, "annotations": annotations, "relations": [], **rest_of(outline, _OUTLINED)}


def plain_outlines(layout: Layout) -> list[Part]:
    """Outline the passages of a text that does not come from BioC.

    It is one passage, unless its sentences are given: then paragraphs are passages, and so is every other stretch
    outside the sentences that a reader would not fill in by itself.
    """
    outlines: list[Part] = []
    end = 0
    for start, stop in layout.given_sentences or ():
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


def _text(part: Part) -> str:
    """Give the text of a part, its own or that of its sentences."""
    sentences = ((number(sentence, "offset"), _own_text(sentence)) for sentence in parts(part, "sentences"))
    return _own_text(part) or _placed(sentences, number(part, "offset"), _BETWEEN_SENTENCES)


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
        start, own = number(sentence, "offset"), _text(sentence)
        if text[start : start + len(own)] != own:
            raise OffsetError(f"the sentence at offset {start} is not what its passage says there")
        spans.append((start, start + len(own)))
    return [(start, end) for start, end in spans if start < end]


def _found_spans(passage: Part, split: Split) -> list[Span]:
    offset = number(passage, "offset")
    return [(offset + start, offset + end) for start, end in Layout(_text(passage), split=split).sentences]
