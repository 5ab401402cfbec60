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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.document import Document
from disconer.exceptions import FormatError, located
from disconer.formats import jsonl, leftovers
from disconer.formats.files import replacing_file
from disconer.formats.json_keys import list_at
from disconer.formats.json_records import limiting_depth, records
from disconer.formats.jsonl import note_reserved
from disconer.formats.losses import Losses
from disconer.formats.pubannotation.chains import Chains, Record
from disconer.formats.pubannotation.denotations import KEY, denotation_of, mention_of
from disconer.formats.pubannotation.references import (
    ABOUT,
    names_in,
    score_attributes,
    scores_and_others,
    without_dangling,
)
from disconer.formats.references import as_identifier, unique_identifiers
from disconer.tokenize import Split

_KNOWN = frozenset(("text", "denotations", leftovers.NAME))


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record in records(path):
        with located(path, line):
            yield _document(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a document a line."""
    with replacing_file(path) as stream:
        for number, document in enumerate(documents, start=1):
            with located(document.name(number)), limiting_depth():
                stream.write(json.dumps(_record(document, losses), ensure_ascii=False) + "\n")


def _document(record: Record, split: Split) -> Document:
    if record.get("tracks"):
        raise FormatError("these are the annotations of several projects ('tracks'): get those of one project")
    denotations = list_at(record, "denotations")
    if not all(isinstance(denotation, dict) for denotation in denotations):
        raise FormatError("a denotation must be an object")
    chains = Chains(denotations, list_at(record, "relations"))
    scores, attributes = scores_and_others(list_at(record, "attributes"), denotations)
    kept = _kept({**record, "relations": chains.other_relations, "attributes": attributes})
    text = {"text": record["text"]} if "text" in record else {}
    left = leftovers.of_document(record.get(leftovers.NAME, {}))
    shell = jsonl.document_of({"id": _identifier(record), **text, **({KEY: kept} if kept else {}), **left}, split)
    return shell.with_mentions(mention_of(members, shell.layout, scores) for members in chains.chained(denotations))


def _record(document: Document, losses: Losses) -> Record:
    kept = _checked(document.extras.get(KEY), document)
    wanted = [as_identifier(mention.extras.get("id")) for mention in document]
    identifiers = unique_identifiers(wanted, "T", names_in(kept))
    denotations = [denotation_of(*pair) for pair in zip(document, identifiers, strict=True)]
    others = without_dangling(kept, identifiers, losses)
    scores = score_attributes(document.mentions, identifiers, others.get("attributes", ()))
    left = leftovers.document_leftovers(document, (KEY,) if kept else ())
    note_reserved(document, losses)
    sentences = document.layout.sentences_unknown_to(Split.ALWAYS)
    if sentences is not None:
        left["sentences"] = sentences
    return {
        "text": document.text,
        **({} if document.id is None else {"sourceid": document.id}),
        "denotations": denotations,
        **others,
        **({"attributes": [*scores, *others.get("attributes", ())]} if scores else {}),
        **({leftovers.NAME: left} if left else {}),
    }


def _identifier(record: Record) -> Any:
    """Give the id of a document; parts of one are told apart by their numbers."""
    source, part = record.get("sourceid"), record.get("divid")
    return source if part is None or not isinstance(source, str | int) else f"{source}-{part}"


def _kept(record: Record) -> Record:
    """Give all that disconer does not know of a document."""
    known = _KNOWN if record.get("divid") is not None else _KNOWN | {"sourceid"}
    return {key: value for key, value in record.items() if key not in known and (value or key not in ABOUT)}


def _checked(kept: Any, document: Document) -> Record:
    """Give what was kept of a document, nothing when it is something else: anybody may have written it."""
    if not isinstance(kept, dict) or kept.keys() & _KNOWN or kept.get("tracks"):
        return {}
    if not all(isinstance(kept.get(key, []), list) for key in ABOUT):
        return {}
    is_named = ("sourceid" in kept or kept.get("divid") is not None) and _identifier(kept) != document.id
    mentions = [{"id": mention.extras.get("id")} for mention in document]
    is_chaining = Chains(mentions, list_at(kept, "relations")).other_relations != list_at(kept, "relations")
    return {} if is_named or is_chaining else kept
