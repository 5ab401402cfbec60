"""BioC documents, as the objects they are in BioC's JSON, and the way between them and ours.

Annotations of the document, of its passages and of their sentences are mentions; the infon `type` is the label (without
one it is `annotation`), the infon `score` a score from 0 to 1, and several locations are fragments. Annotations that
cover no character, relations, all other infons and keys, and how the text is cut into passages are kept under the
document's extra key `bioc`; the ids of annotations under the mentions' extra key `id`, their other infons and keys
under the mentions' extra key `bioc`. What a file says of all its documents is kept with each of them; what stands
behind them, only with the last.

Offsets count code points; `units` finds out where they do not.

What BioC has no place for is written as JSON into an infon `disconer`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located
from disconer.formats import jsonl, leftovers
from disconer.formats.bioc.annotations import (
    KEY,
    annotation_of,
    leftovers_infon,
    mention_of,
    taken_leftovers,
)
from disconer.formats.bioc.parts import (
    KINDS,
    LISTS,
    Part,
    annotations_of,
    check,
    infons_of,
    is_mention,
    number,
    parts,
    rest_of,
)
from disconer.formats.bioc.passages import filled, outline_of, plain_outlines, sentence_spans, whole_text
from disconer.formats.bioc.relations import dangling_relations, identifiers_of, referred_to_elsewhere
from disconer.formats.bioc.units import in_code_points
from disconer.formats.json_records import limiting_depth
from disconer.formats.jsonl import note_reserved
from disconer.formats.losses import Losses
from disconer.formats.naming import speaking_of
from disconer.tokenize import Layout, Split

_COLLECTION: Part = {"bioctype": "BioCCollection", "source": "", "date": "", "key": "", "version": "1.0", "infons": {}}
"""What a file says of all its documents when there is nothing to say."""
_KNOWN = frozenset(("bioctype", "id", "passages", "annotations"))
_OWN = frozenset(("collection", "elsewhere"))
"""What is kept with a document and stands nowhere in it: its collection, and the ids of what it does not hold."""
_Any = TypeVar("_Any")


def one_behind(found: Iterable[_Any]) -> Iterator[_Any]:
    """Give each thing once the next was asked for, even when there is none that can be read.

    So what a collection says behind its last document is known when that document is made.
    """
    held: list[_Any] = []
    try:
        for one in found:
            yield from held
            held = [one]
    except InputError:
        yield from held
        raise
    yield from held


def document_of(record: Part, collection: Part, split: Split) -> Document:
    """Read a document of a collection."""
    with speaking_of("document", record):
        _check_document(record)
        record = in_code_points(record)
        infons = infons_of(record)
        passages = parts(record, "passages")
        text = whole_text(passages)
        identifier = None if record.get("id") == "" else record.get("id")
        line = {"id": identifier, "text": text, "sentences": sentence_spans(passages, text, split)}
        shell = jsonl.document_of({**line, **taken_leftovers(infons, leftovers.of_document)}, split)
        kept = _kept({**record, "infons": infons}, collection, shell.layout)
        mentions = [mention_of(one, shell.layout) for one in annotations_of(record) if is_mention(one)]
        return Document(shell.layout, mentions, shell.id, {**({KEY: kept} if kept else {}), **shell.extras})


def records_of(documents: Iterable[Document], losses: Losses) -> tuple[Part, Iterator[tuple[str, Part]]]:
    """Give what a file says of all its documents, which is what the first says, and each document with its name."""
    numbered = enumerate(documents, start=1)
    first = next(numbered, None)
    collection = _collection_of(first[1]) if first else {}

    def records() -> Iterator[tuple[str, Part]]:
        for at, document in chain([first] if first else (), numbered):
            name = document.name(at)
            with located(name), limiting_depth():
                losses.note("descriptions of BioC collections but the first's", _collection_of(document) != collection)
                record = record_of(document, losses)
            yield name, record

    return {**_COLLECTION, **collection}, records()


def record_of(document: Document, losses: Losses) -> Part:
    """Undo `document_of`. What claims to come from BioC and does not fit is an unknown key like any other."""
    note_reserved(document, losses)
    try:
        kept = _checked(document.extras.get(KEY, {}))
        _check_passages(kept, document.text)
    except InputError:
        return _record(document, {}, frozenset(), losses)
    return _record(document, kept, frozenset((KEY,)), losses)


def _check_document(record: Part) -> None:
    if "passages" not in record:
        raise FormatError("this is no BioC document: the key 'passages' is missing")
    taken = record.keys() & _OWN
    if taken:
        raise FormatError(f"the key {min(taken)!r} of a document means something else to disconer: rename or remove it")


def _kept(record: Part, collection: Part, layout: Layout) -> Part:
    """Give everything about a document that is no mention and that a writer would not find again by itself."""
    outlines = [outline_of(passage) for passage in parts(record, "passages")]
    described = {key: value for key, value in collection.items() if value and value != _COLLECTION.get(key)}
    elsewhere = referred_to_elsewhere(record)
    return rest_of(
        {
            **({"collection": described} if described else {}),
            **({"elsewhere": elsewhere} if elsewhere else {}),
            **rest_of(record, _KNOWN),
            "passages": [] if outlines == plain_outlines(layout) else outlines,
            "annotations": [one for one in parts(record, "annotations") if not is_mention(one)],
        }
    )


def _collection_of(document: Document) -> Part:
    try:
        return dict(_checked(document.extras.get(KEY, {})).get("collection", {}))
    except InputError:
        return {}


def _checked(kept: Any) -> Part:
    """Give what was kept of a BioC document, or raise when it is nothing of that sort: anybody may have written it."""
    if not isinstance(kept, dict) or not isinstance(kept.get("collection", {}), dict):
        raise FormatError("what was kept of a BioC document must be an object")
    check(kept, "document")
    check(kept.get("collection", {}), "collection")
    elsewhere = kept.get("elsewhere", [])
    if not isinstance(elsewhere, list) or not all(isinstance(one, str) for one in elsewhere):
        raise FormatError("what relations refer to elsewhere must be a list of ids")
    if (
        kept.keys() & {"id", "bioctype"}
        or "documents" in kept.get("collection", {})
        or leftovers.NAME in infons_of(kept)
        or any(map(is_mention, annotations_of(kept)))
    ):
        raise FormatError("what was kept of a BioC document must not speak of what is known")
    return kept


def _check_passages(kept: Part, text: str) -> None:
    """Raise when passages that were kept are not those of a text."""
    if "passages" in kept and whole_text(filled(passage, text) for passage in parts(kept, "passages")) != text:
        raise FormatError("the passages are those of another text")


def _record(document: Document, kept: Part, held: frozenset[str], losses: Losses) -> Part:
    identifiers = identifiers_of(document.mentions, kept)
    dangling = dangling_relations(kept, [*identifiers, *kept.get("elsewhere", ())])
    losses.note("BioC relations that refer to something that is not there any more", len(dangling))
    outline = _copied({"passages": plain_outlines(document.layout), **kept}, {id(relation) for relation in dangling})
    for mention, identifier in zip(document.mentions, identifiers, strict=True):
        _home(outline, mention)["annotations"].append(annotation_of(mention, identifier))
    passages = [filled(passage, document.text) for passage in outline["passages"]]
    left = {**_unfound(document, passages), **leftovers.document_leftovers(document, held)}
    return {
        "bioctype": "BioCDocument",
        "id": "" if document.id is None else str(document.id),
        "infons": {**infons_of(kept), **leftovers_infon(left)},
        "passages": passages,
        "annotations": outline["annotations"],
        "relations": outline["relations"],
        **rest_of(kept, _KNOWN | _OWN | {"infons", "relations"}),
    }


def _copied(outline: Part, dangling: set[int], tag: str = "document") -> Part:
    """Copy an outline so far that annotations can be added to it, without the relations that dangle."""
    copy: Part = {
        **outline,
        "annotations": list(parts(outline, "annotations")),
        "relations": [relation for relation in parts(outline, "relations") if id(relation) not in dangling],
    }
    for key in KINDS[tag].inner:
        if key in ("passages", "sentences"):
            copy[key] = [_copied(one, dangling, LISTS[key]) for one in parts(outline, key)]
    return copy


def _home(outline: Part, mention: Mention) -> Part:
    """Find the innermost part that a mention lies in."""
    for key in ("passages", "sentences"):
        at = bisect_right(outline[key], mention.start, key=lambda part: number(part, "offset")) - 1
        if at < 0:
            return outline
        inner: Part = outline[key][at]
        if mention.end > number(inner, "offset") + number(inner, "length"):
            return outline
        outline = inner
    return outline


def _unfound(document: Document, passages: list[Part]) -> Part:
    """Give the id and the sentences where a reader would find others."""
    unfound: Part = {}
    sentences = document.layout.sentences_unknown_to(Split.ALWAYS)
    if sentence_spans(passages, document.text, Split.ALWAYS) != (None if sentences is None else list(sentences)):
        unfound["sentences"] = sentences
    if document.id is not None and not (document.id and isinstance(document.id, str)):
        unfound["id"] = document.id
    return unfound
