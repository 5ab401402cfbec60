"""What PubAnnotation says of its denotations: relations between them, attributes, and modifications.

Each says what it is about by an id. The attribute `score` is a mention's score.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from disconer.document import Mention
from disconer.formats.losses import Losses
from disconer.formats.naming import fresh_names
from disconer.formats.pubannotation.chains import Record
from disconer.formats.references import Referring, standing
from disconer.formats.scores import score_of

ABOUT = {"relations": ("subj", "obj"), "attributes": ("subj",), "modifications": ("obj",)}
"""Under which keys each says what it is about."""
_SCORE = "score"


def scores_and_others(attributes: list[Any], denotations: Iterable[Record]) -> tuple[dict[str, float], list[Any]]:
    """Tell the scores, by the ids of what they are about, from all other attributes."""
    bearers = Counter(one["id"] for one in denotations if isinstance(one.get("id"), str))
    scores: dict[str, float] = {}
    others = []
    for attribute in attributes:
        about = attribute.get("subj") if isinstance(attribute, dict) and attribute.get("pred") == _SCORE else None
        score = score_of(attribute.get("obj")) if isinstance(about, str) and bearers[about] == 1 else None
        if score is None or about in scores:
            others.append(attribute)
        else:
            scores[str(about)] = score
    return scores, others


def score_attributes(mentions: Sequence[Mention], identifiers: Sequence[str], others: Iterable[Any]) -> list[Record]:
    """Give the scores of mentions as attributes, beside others."""
    names = fresh_names("A", {str(one.get("id")) for one in others if isinstance(one, dict)})
    return [
        {"id": next(names), "subj": identifier, "pred": _SCORE, "obj": mention.score}
        for mention, identifier in zip(mentions, identifiers, strict=True)
        if mention.score is not None
    ]


def names_in(kept: Record) -> Iterator[str]:
    """Give every id that something bears or refers to."""
    for thing in (*_things(kept, "blocks"), *(thing for name in ABOUT for thing in _things(kept, name))):
        yield from thing.references
        yield thing.identifier or ""


def without_dangling(kept: Record, identifiers: Iterable[str], losses: Losses) -> Record:
    """Leave out what is about something that is not there: PubAnnotation refuses it."""
    about = {name: kept[name] for name in ABOUT if name in kept}
    things = {name: [(_thing(one, ABOUT[name]), one) for one in found] for name, found in about.items()}
    blocks = (block.identifier for block in _things(kept, "blocks") if block.identifier is not None)
    return {**kept, **standing(things, chain(identifiers, blocks), "PubAnnotation", losses)}


def _things(kept: Record, name: str) -> list[Referring]:
    found = kept.get(name)
    return [_thing(one, ABOUT.get(name, ())) for one in found] if isinstance(found, list) else []


def _thing(one: Any, keys: tuple[str, ...]) -> Referring:
    said = one if isinstance(one, dict) else {}
    identifier = said.get("id")
    about = [said[key] for key in keys if isinstance(said.get(key), str)]
    return Referring(identifier if isinstance(identifier, str) else None, about)
