"""Groups of spans: a span for every fragment of a mention, and the way back."""

from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import Any

from disconer.document import Mention
from disconer.exceptions import FormatError, InputError, shown
from disconer.formats.references import as_identifier
from disconer.formats.scores import score_of

KEY = "disconer"
"""The name of our groups of spans, and of the entry in the user data."""
_DEFAULT_KEY = "sc"
_SCORES = "scores"
"""Among a group's attributes, a number for every span: spaCy's span categorizer puts them there."""
_MOST_NAMES = 5
"""More names of groups than a message needs."""
NOT_OURS = f"the entry {KEY!r} of the user data is not what disconer writes there: remove it"

Record = dict[str, Any]


def group_of(doc: Any, mentions: Sequence[Mention], identifiers: Sequence[str]) -> Any:
    """Make a group of the fragments of mentions, which begin and end where tokens do."""
    import numpy as np  # noqa: PLC0415 (both only imported where they are needed)
    from spacy.tokens import SpanGroup  # noqa: PLC0415

    named = list(zip(mentions, identifiers, strict=True))
    spans = [span for mention, identifier in named for span in _spans(doc, mention, identifier)]
    is_scored = not mentions or any(mention.score is not None for mention in mentions)
    scores = [nan if mention.score is None else mention.score for mention in mentions for _ in mention.fragments]
    return SpanGroup(doc, name=KEY, spans=spans, attrs={_SCORES: np.array(scores, float)} if is_scored else {})


def _spans(doc: Any, mention: Mention, identifier: str) -> list[Any]:
    linked = as_identifier(mention.extras.get("kb_id"))
    spans = [doc.char_span(*fragment, mention.label, linked, span_id=identifier) for fragment in mention.fragments]
    if None in spans:
        start, end = mention.fragments[spans.index(None)]
        raise InputError(f"the fragment {start}-{end} begins or ends inside a token: widen it")
    return spans


def our_keys(doc: Any) -> list[str]:
    """Give the keys of the groups in which the fragments of a mention share an id."""
    return [key for key, group in doc.spans.items() if KEY in (key, group.name)]


def entities_in(doc: Any, key: str, about_mentions: Mapping[str, Any]) -> list[Record]:
    """Give the mentions of such a group, if it is there, as entities of JSONL."""
    mentions: dict[object, list[tuple[Any, float | None]]] = {}
    for index, (span, score) in enumerate(_scored(doc.spans.get(key, ()))):
        mentions.setdefault((span.id, span.label) if span.id else index, []).append((span, score))
    # What the user data say is of the group that was written with them.
    about = about_mentions if key == KEY else {}
    return [_entity([span for span, _ in parts], parts[0][1], about) for parts in mentions.values()]


def foreign_entities(doc: Any) -> list[Record]:
    """Give what is read of a Doc that disconer did not write."""
    return [_entity([span], score, {}) for span, score in _scored(_foreign_spans(doc))]


def _foreign_spans(doc: Any) -> Any:
    groups = {name: group for name, group in doc.spans.items() if len(group)}
    if _DEFAULT_KEY in groups:
        return groups[_DEFAULT_KEY]
    if len(groups) > 1 and not doc.ents:
        names = ", ".join(map(shown, sorted(groups)[:_MOST_NAMES]))
        message = f"there are {len(groups)} groups of spans ({names}): rename the one to read to {_DEFAULT_KEY!r}"
        raise FormatError(message)
    return next(iter(groups.values())) if len(groups) == 1 else doc.ents


def _scored(spans: Any) -> Iterable[tuple[Any, float | None]]:
    """Give spans with their scores; those of a group that somebody made longer or shorter belong to nobody."""
    scores: Any = getattr(spans, "attrs", {}).get(_SCORES)
    numbers = scores.tolist() if hasattr(scores, "tolist") else scores
    if not isinstance(numbers, list | tuple) or len(numbers) != len(spans):
        numbers = [None] * len(spans)
    return zip(spans, map(score_of, numbers), strict=True)


def _entity(fragments: Sequence[Any], score: float | None, about_mentions: Mapping[str, Any]) -> Record:
    first = fragments[0]
    about = about_mentions.get(first.id_, {"id": first.id_} if first.id_ else {})
    if not isinstance(about, dict):
        raise FormatError(NOT_OURS)
    linked = {"kb_id": first.kb_id_} if first.kb_id_ else {}
    scored = {} if score is None else {"score": score}
    spans = [[span.start_char, span.end_char] for span in fragments]
    return {**linked, **scored, **about, "label": first.label_, "spans": spans}
