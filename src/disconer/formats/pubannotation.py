"""PubAnnotation's JSON: an object for each document, with the text and the denotations in it.

    {"text": "Severe joint and shoulder pain.", "denotations": [
        {"id": "T1", "span": [{"begin": 0, "end": 12}, {"begin": 26, "end": 30}], "obj": "ADR"}]}

A mention with a gap is read from a list of spans ("bagging") or from denotations that are chained, and written as the
former: so it remains one denotation. A file holds an object, an array of them or, as PubAnnotation takes several
documents and as it is written, an object a line. Offsets count code points.

A score is the attribute `score` of a denotation. `sourceid` is the id of the document, together with `divid` if there
is one. Other keys are kept under the extra key `pubannotation` of the document and of its mentions, ids of denotations
under the mentions' extra key `id`. What PubAnnotation has no place for is written under the key `disconer`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, locate_errors, quote
from disconer.formats import jsonl
from disconer.formats.json_keys import drop_keys, list_at, read_score
from disconer.formats.json_records import limit_depth, read_records
from disconer.formats.losses import Losses
from disconer.formats.references import (
    Referring,
    as_identifier,
    assign_identifiers,
    drop_dangling,
    generate_names,
    name_in_errors,
)
from disconer.foundation.files import replace_file
from disconer.tokenize import Layout, Split

_KNOWN = frozenset(("text", "denotations", jsonl.LEFTOVERS))
_KEY = "pubannotation"
"""The extra key of what disconer does not know."""
_KNOWN_OF_DENOTATIONS = frozenset(("id", "span", "begin", "end", "obj", jsonl.LEFTOVERS))
_ABOUT = {"relations": ("subj", "obj"), "attributes": ("subj",), "modifications": ("obj",)}
"""Under which keys each says what it is about."""
_SCORE = "score"
Record = dict[str, Any]
_PREDICATE = "_lexicallyChainedTo"


class _Chains:
    """Denotations that are chained together: the older of PubAnnotation's two ways to write a gap.

        {"id": "T1", "span": {"begin": 0, "end": 12}, "obj": "_FRAGMENT"}
        {"id": "T2", "span": {"begin": 26, "end": 30}, "obj": "ADR"}
        {"pred": "_lexicallyChainedTo", "subj": "T2", "obj": "T1"}

    The last denotation of a chain is the mention, whatever those that it leads to are called; several may share one.
    """

    def __init__(self, denotations: Iterable[Record], relations: Iterable[Any]) -> None:
        self._bearers: dict[Any, list[Record]] = defaultdict(list)
        for denotation in denotations:
            if isinstance(denotation.get("id"), str):
                self._bearers[denotation["id"]].append(denotation)
        self.other_relations: list[Any] = []
        self._links: dict[str, list[str]] = defaultdict(list)
        for relation in relations:
            if self._is_link(relation):
                self._links[relation["subj"]].append(relation["obj"])
            else:
                self.other_relations.append(relation)
        self._fragments = {fragment for fragments in self._links.values() for fragment in fragments}

    def group(self, denotations: Iterable[Record]) -> Iterator[list[Record]]:
        """Group the denotations of every mention, the one that names it first."""
        unused = set(self._fragments)
        for denotation in denotations:
            identifier = denotation.get("id")
            if not self._is_fragment(identifier):
                members = self._members(identifier)
                unused -= members
                yield [denotation, *(bearer for member in sorted(members) for bearer in self._bearers[member])]
        if unused:
            raise FormatError(f"the chain of the denotation {quote(min(unused))} leads back to itself")

    def _is_link(self, relation: Any) -> bool:
        if not isinstance(relation, dict) or relation.get("pred") != _PREDICATE:
            return False
        ends = (relation.get("subj"), relation.get("obj"))
        return all(isinstance(end, str) and end in self._bearers for end in ends)

    def _is_fragment(self, identifier: Any) -> bool:
        return isinstance(identifier, str) and identifier in self._fragments

    def _members(self, identifier: Any) -> set[str]:
        """Find everything that a denotation leads to."""
        members: set[str] = set()
        ahead = [identifier] if isinstance(identifier, str) else []
        while ahead:
            following = set(self._links.get(ahead.pop(), ())) - members
            members |= following
            ahead += following
        return members


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record in read_records(path):
        with locate_errors(path, line):
            yield _read_document(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a document a line."""
    with replace_file(path) as stream:
        for number, document in enumerate(documents, start=1):
            with locate_errors(document.name(number)), limit_depth():
                stream.write(json.dumps(_to_record(document, losses), ensure_ascii=False) + "\n")


def _read_document(record: Record, split: Split) -> Document:
    if record.get("tracks"):
        raise FormatError("these are the annotations of several projects ('tracks'): get those of one project")
    denotations = list_at(record, "denotations")
    if not all(isinstance(denotation, dict) for denotation in denotations):
        raise FormatError("a denotation must be an object")
    chains = _Chains(denotations, list_at(record, "relations"))
    scores, attributes = _split_scores(list_at(record, "attributes"), denotations)
    kept = _collect_kept({**record, "relations": chains.other_relations, "attributes": attributes})
    text = {"text": record["text"]} if "text" in record else {}
    left = jsonl.check_document_leftovers(record.get(jsonl.LEFTOVERS, {}))
    shell = jsonl.read_document(
        {"id": _read_identifier(record), **text, **({_KEY: kept} if kept else {}), **left}, split
    )
    return shell.with_mentions(_read_mention(members, shell.layout, scores) for members in chains.group(denotations))


def _to_record(document: Document, losses: Losses) -> Record:
    kept = _check_kept(document.extras.get(_KEY), document)
    wanted = [as_identifier(mention.extras.get("id")) for mention in document]
    identifiers = assign_identifiers(wanted, "T", _list_names(kept))
    denotations = [_to_denotation(*pair) for pair in zip(document, identifiers, strict=True)]
    others = _drop_dangling(kept, identifiers, losses)
    scores = _to_score_attributes(document.mentions, identifiers, others.get("attributes", ()))
    left = jsonl.document_leftovers(document, (_KEY,) if kept else ())
    jsonl.note_reserved(document, losses)
    sentences = document.layout.sentences_unknown_to(Split.ALWAYS)
    if sentences is not None:
        left["sentences"] = sentences
    return {
        "text": document.text,
        **({} if document.id is None else {"sourceid": document.id}),
        "denotations": denotations,
        **others,
        **({"attributes": [*scores, *others.get("attributes", ())]} if scores else {}),
        **({jsonl.LEFTOVERS: left} if left else {}),
    }


def _read_identifier(record: Record) -> Any:
    """Read the id of a document; parts of one have their number appended."""
    source, part = record.get("sourceid"), record.get("divid")
    return source if part is None or not isinstance(source, str | int) else f"{source}-{part}"


def _collect_kept(record: Record) -> Record:
    """Collect all that disconer does not know of a document."""
    known = _KNOWN if record.get("divid") is not None else _KNOWN | {"sourceid"}
    return {key: value for key, value in record.items() if key not in known and (value or key not in _ABOUT)}


def _check_kept(kept: Any, document: Document) -> Record:
    """Check what was kept of a document; empty when it is something else: anybody may have written it."""
    if not isinstance(kept, dict) or kept.keys() & _KNOWN or kept.get("tracks"):
        return {}
    if not all(isinstance(kept.get(key, []), list) for key in _ABOUT):
        return {}
    is_named = ("sourceid" in kept or kept.get("divid") is not None) and _read_identifier(kept) != document.id
    mentions = [{"id": mention.extras.get("id")} for mention in document]
    is_chaining = _Chains(mentions, list_at(kept, "relations")).other_relations != list_at(kept, "relations")
    return {} if is_named or is_chaining else kept


def _read_mention(members: Sequence[Record], layout: Layout, scores: Mapping[str, float]) -> Mention:
    """Read a mention from the denotations that make it up, of which the first names it."""
    denotation = members[0]
    with name_in_errors("denotation", denotation):
        spans = [span for member in members for span in _read_spans(member)]
        kept = drop_keys(denotation, _KNOWN_OF_DENOTATIONS)
        extras = {"id": denotation["id"]} if "id" in denotation else {}
        extras |= {_KEY: kept} if kept else {}
        left = jsonl.check_mention_leftovers(denotation.get(jsonl.LEFTOVERS, {}))
        score = scores.get(str(denotation.get("id")))
        return Mention(denotation.get("obj", ""), spans, layout, score, {**extras, **left})


def _to_denotation(mention: Mention, identifier: str) -> Record:
    """Undo `_read_mention`."""
    spans = [{"begin": start, "end": end} for start, end in mention.fragments]
    kept = mention.extras.get(_KEY)
    others = kept if isinstance(kept, dict) and not kept.keys() & _KNOWN_OF_DENOTATIONS else {}
    held = {*(("id",) if mention.extras.get("id") == identifier else ()), *((_KEY,) if others else ())}
    left = jsonl.mention_leftovers(mention, held)
    return {
        "id": identifier,
        "span": spans if len(spans) > 1 else spans[0],
        "obj": mention.label,
        **others,
        **({jsonl.LEFTOVERS: left} if left else {}),
    }


def _read_spans(denotation: Record) -> list[tuple[Any, Any]]:
    span = denotation.get("span", denotation)
    spans = span if isinstance(span, list) else [span]
    if not all(isinstance(one, dict) for one in spans):
        raise FormatError("a denotation needs a span, or a list of them, with 'begin' and 'end'")
    return [(one.get("begin"), one.get("end")) for one in spans]


def _split_scores(attributes: list[Any], denotations: Iterable[Record]) -> tuple[dict[str, float], list[Any]]:
    """Tell the scores, by the ids of what they are about, from all other attributes."""
    bearers = Counter(one["id"] for one in denotations if isinstance(one.get("id"), str))
    scores: dict[str, float] = {}
    others = []
    for attribute in attributes:
        about = attribute.get("subj") if isinstance(attribute, dict) and attribute.get("pred") == _SCORE else None
        score = read_score(attribute.get("obj")) if isinstance(about, str) and bearers[about] == 1 else None
        if score is None or about in scores:
            others.append(attribute)
        else:
            scores[str(about)] = score
    return scores, others


def _to_score_attributes(
    mentions: Sequence[Mention], identifiers: Sequence[str], others: Iterable[Any]
) -> list[Record]:
    """Convert the scores of mentions to attributes."""
    names = generate_names("A", {str(one.get("id")) for one in others if isinstance(one, dict)})
    return [
        {"id": next(names), "subj": identifier, "pred": _SCORE, "obj": mention.score}
        for mention, identifier in zip(mentions, identifiers, strict=True)
        if mention.score is not None
    ]


def _list_names(kept: Record) -> Iterator[str]:
    """List every id that is assigned or referred to."""
    for thing in (*_read_things(kept, "blocks"), *(thing for name in _ABOUT for thing in _read_things(kept, name))):
        yield from thing.references
        yield thing.identifier or ""


def _drop_dangling(kept: Record, identifiers: Iterable[str], losses: Losses) -> Record:
    """Leave out what is about something that is not there: PubAnnotation refuses it."""
    about = {name: kept[name] for name in _ABOUT if name in kept}
    things = {name: [(_read_thing(one, _ABOUT[name]), one) for one in found] for name, found in about.items()}
    blocks = (block.identifier for block in _read_things(kept, "blocks") if block.identifier is not None)
    return {**kept, **drop_dangling(things, chain(identifiers, blocks), "PubAnnotation", losses)}


def _read_things(kept: Record, name: str) -> list[Referring]:
    found = kept.get(name)
    return [_read_thing(one, _ABOUT.get(name, ())) for one in found] if isinstance(found, list) else []


def _read_thing(one: Any, keys: tuple[str, ...]) -> Referring:
    said = one if isinstance(one, dict) else {}
    identifier = said.get("id")
    about = [said[key] for key in keys if isinstance(said.get(key), str)]
    return Referring(identifier if isinstance(identifier, str) else None, about)
