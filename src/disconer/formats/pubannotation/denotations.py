"""The denotations of a PubAnnotation document, which are its mentions."""

from collections.abc import Mapping, Sequence
from typing import Any

from disconer.document import Mention
from disconer.exceptions import FormatError
from disconer.formats import leftovers
from disconer.formats.json_keys import unknown
from disconer.formats.naming import speaking_of
from disconer.formats.pubannotation.chains import Record
from disconer.tokenize import Layout

KEY = "pubannotation"
"""The extra key of what disconer does not know."""
_KNOWN = frozenset(("id", "span", "begin", "end", "obj", leftovers.NAME))


def mention_of(members: Sequence[Record], layout: Layout, scores: Mapping[str, float]) -> Mention:
    """Read a mention from the denotations that make it up, of which the first names it."""
    denotation = members[0]
    with speaking_of("denotation", denotation):
        spans = [span for member in members for span in _spans(member)]
        kept = unknown(denotation, _KNOWN)
        extras = {"id": denotation["id"]} if "id" in denotation else {}
        extras |= {KEY: kept} if kept else {}
        left = leftovers.of_mention(denotation.get(leftovers.NAME, {}))
        score = scores.get(str(denotation.get("id")))
        return Mention(denotation.get("obj", ""), spans, layout, score, {**extras, **left})


def denotation_of(mention: Mention, identifier: str) -> Record:
    """Undo `mention_of`."""
    spans = [{"begin": start, "end": end} for start, end in mention.fragments]
    kept = mention.extras.get(KEY)
    others = kept if isinstance(kept, dict) and not kept.keys() & _KNOWN else {}
    held = {*(("id",) if mention.extras.get("id") == identifier else ()), *((KEY,) if others else ())}
    left = leftovers.mention_leftovers(mention, held)
    return {
        "id": identifier,
        "span": spans if len(spans) > 1 else spans[0],
        "obj": mention.label,
        **others,
        **({leftovers.NAME: left} if left else {}),
    }


def _spans(denotation: Record) -> list[tuple[Any, Any]]:
    span = denotation.get("span", denotation)
    spans = span if isinstance(span, list) else [span]
    if not all(isinstance(one, dict) for one in spans):
        raise FormatError("a denotation needs a span, or a list of them, with 'begin' and 'end'")
    return [(one.get("begin"), one.get("end")) for one in spans]
