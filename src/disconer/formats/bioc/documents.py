"""BioC documents, as the objects they are in BioC's JSON, and the way between them and ours.

Annotations of the document, of its passages and of their sentences are mentions; the infon `type` is the label (without
one it is `annotation`), the infon `score` a score from 0 to 1, and several locations are fragments. Annotations that
cover no character, relations, all other infons and keys, and how the text is cut into passages are kept under the
document's extra key `bioc`; the ids of annotations under the mentions' extra key `id`, their other infons and keys
under the mentions' extra key `bioc`. What a file says of all its documents is kept with each of them; what stands
behind them, only with the last.

Offsets count code points; `convert_to_code_points` finds out where they do not.

What BioC has no place for is written as JSON into an infon `disconer`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.formats import jsonl
from disconer.formats.bioc.annotations import (
    KEY,
    choose_identifiers,
    find_dangling_relations,
    find_outside_references,
    pop_leftovers,
    read_mention,
    to_annotation,
    to_infon,
)
from disconer.formats.bioc.parts import (
    KINDS,
    LISTS,
    Part,
    check_part,
    drop_known,
    is_mention,
    list_annotations,
    parts_at,
    read_infons,
    read_number,
)
from disconer.formats.bioc.passages import (
    convert_to_code_points,
    fill,
    find_sentences,
    join_passages,
    outline,
    outline_plain,
)
from disconer.formats.json_records import limit_depth
from disconer.formats.losses import Losses
from disconer.formats.references import name_in_errors
from disconer.tokenize import Layout, Split

_COLLECTION: Part = {"bioctype": "BioCCollection", "source": "", "date": "", "key": "", "version": "1.0", "infons": {}}
"""What a file says of all its documents when there is nothing to say."""
_KNOWN = frozenset(("bioctype", "id", "passages", "annotations"))
_OWN = frozenset(("collection", "elsewhere"))
"""What is kept with a document and stands nowhere in it: its collection, and the ids of what it does not hold."""
_Any = TypeVar("_Any")


def delay_by_one(found: Iterable[_Any]) -> Iterator[_Any]:
    """Yield each item once the next was asked for, even when that one cannot be read.

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


def read_document(record: Part, collection: Part, split: Split) -> Document:
    """Read a document of a collection."""
    with name_in_errors("document", record):
        _check_document(record)
        record = convert_to_code_points(record)
        infons = read_infons(record)
        passages = parts_at(record, "passages")
        text = join_passages(passages)
        identifier = None if record.get("id") == "" else record.get("id")
        line = {"id": identifier, "text": text, "sentences": find_sentences(passages, text, split)}
        shell = jsonl.read_document({**line, **pop_leftovers(infons, jsonl.check_document_leftovers)}, split)
        kept = _collect_kept({**record, "infons": infons}, collection, shell.layout)
        mentions = [read_mention(one, shell.layout) for one in list_annotations(record) if is_mention(one)]
        return Document(shell.layout, mentions, shell.id, {**({KEY: kept} if kept else {}), **shell.extras})


def to_records(documents: Iterable[Document], losses: Losses) -> tuple[Part, Iterator[tuple[str, Part]]]:
    """Convert documents, each with its name; the collection's description is the first document's."""
    numbered = enumerate(documents, start=1)
    first = next(numbered, None)
    collection = _read_collection(first[1]) if first else {}

    def records() -> Iterator[tuple[str, Part]]:
        for at, document in chain([first] if first else (), numbered):
            name = document.name(at)
            with locate_errors(name), limit_depth():
                losses.note(
                    "descriptions of BioC collections but the first's", _read_collection(document) != collection
                )
                record = to_record(document, losses)
            yield name, record

    return {**_COLLECTION, **collection}, records()


def to_record(document: Document, losses: Losses) -> Part:
    """Undo `read_document`. What claims to come from BioC and does not fit is an unknown key like any other."""
    jsonl.note_reserved(document, losses)
    try:
        kept = _check_kept(document.extras.get(KEY, {}))
        _check_passages(kept, document.text)
    except InputError:
        return _fill_record(document, {}, frozenset(), losses)
    return _fill_record(document, kept, frozenset((KEY,)), losses)


def _check_document(record: Part) -> None:
    if "passages" not in record:
        raise FormatError("this is no BioC document: the key 'passages' is missing")
    taken = record.keys() & _OWN
    if taken:
        raise FormatError(f"the key {min(taken)!r} of a document means something else to disconer: rename or remove it")


def _collect_kept(record: Part, collection: Part, layout: Layout) -> Part:
    """Collect everything about a document that is no mention and that a writer would not restore by itself."""
    outlines = [outline(passage) for passage in parts_at(record, "passages")]
    described = {key: value for key, value in collection.items() if value and value != _COLLECTION.get(key)}
    elsewhere = find_outside_references(record)
    return drop_known(
        {
            **({"collection": described} if described else {}),
            **({"elsewhere": elsewhere} if elsewhere else {}),
            **drop_known(record, _KNOWN),
            "passages": [] if outlines == outline_plain(layout) else outlines,
            "annotations": [one for one in parts_at(record, "annotations") if not is_mention(one)],
        }
    )


def _read_collection(document: Document) -> Part:
    try:
        return dict(_check_kept(document.extras.get(KEY, {})).get("collection", {}))
    except InputError:
        return {}


def _check_kept(kept: Any) -> Part:
    """Check what was kept of a BioC document: anybody may have written it."""
    if not isinstance(kept, dict) or not isinstance(kept.get("collection", {}), dict):
        raise FormatError("what was kept of a BioC document must be an object")
    check_part(kept, "document")
    check_part(kept.get("collection", {}), "collection")
    elsewhere = kept.get("elsewhere", [])
    if not isinstance(elsewhere, list) or not all(isinstance(one, str) for one in elsewhere):
        raise FormatError("what relations refer to elsewhere must be a list of ids")
    if (
        kept.keys() & {"id", "bioctype"}
        or "documents" in kept.get("collection", {})
        or jsonl.LEFTOVERS in read_infons(kept)
        or any(map(is_mention, list_annotations(kept)))
    ):
        raise FormatError("what was kept of a BioC document must not speak of what is known")
    return kept


def _check_passages(kept: Part, text: str) -> None:
    """Raise when passages that were kept are not those of a text."""
    if "passages" in kept and join_passages(fill(passage, text) for passage in parts_at(kept, "passages")) != text:
        raise FormatError("the passages are those of another text")


def _fill_record(document: Document, kept: Part, held: frozenset[str], losses: Losses) -> Part:
    identifiers = choose_identifiers(document.mentions, kept)
    dangling = find_dangling_relations(kept, [*identifiers, *kept.get("elsewhere", ())])
    losses.note("BioC relations that refer to something that is not there any more", len(dangling))
    outline = _copy_outline(
        {"passages": outline_plain(document.layout), **kept}, {id(relation) for relation in dangling}
    )
    for mention, identifier in zip(document.mentions, identifiers, strict=True):
        _find_home(outline, mention)["annotations"].append(to_annotation(mention, identifier))
    passages = [fill(passage, document.text) for passage in outline["passages"]]
    left = {**_collect_unfound(document, passages), **jsonl.document_leftovers(document, held)}
    return {
        "bioctype": "BioCDocument",
        "id": "" if document.id is None else str(document.id),
        "infons": {**read_infons(kept), **to_infon(left)},
        "passages": passages,
        "annotations": outline["annotations"],
        "relations": outline["relations"],
        **drop_known(kept, _KNOWN | _OWN | {"infons", "relations"}),
    }


def _copy_outline(outline: Part, dangling: set[int], tag: str = "document") -> Part:
    """Copy an outline so far that annotations can be added to it, without the relations that dangle."""
    copy: Part = {
        **outline,
        "annotations": list(parts_at(outline, "annotations")),
        "relations": [relation for relation in parts_at(outline, "relations") if id(relation) not in dangling],
    }
    for key in KINDS[tag].inner:
        if key in ("passages", "sentences"):
            copy[key] = [_copy_outline(one, dangling, LISTS[key]) for one in parts_at(outline, key)]
    return copy


def _find_home(outline: Part, mention: Mention) -> Part:
    """Find the innermost part that a mention lies in."""
    for key in ("passages", "sentences"):
        at = bisect_right(outline[key], mention.start, key=lambda part: read_number(part, "offset")) - 1
        if at < 0:
            return outline
        inner: Part = outline[key][at]
        if mention.end > read_number(inner, "offset") + read_number(inner, "length"):
            return outline
        outline = inner
    return outline


def _collect_unfound(document: Document, passages: list[Part]) -> Part:
    """Collect the id and the sentences where reading the record would yield others."""
    unfound: Part = {}
    sentences = document.layout.sentences_unknown_to(Split.ALWAYS)
    if find_sentences(passages, document.text, Split.ALWAYS) != (None if sentences is None else list(sentences)):
        unfound["sentences"] = sentences
    if document.id is not None and not (document.id and isinstance(document.id, str)):
        unfound["id"] = document.id
    return unfound
