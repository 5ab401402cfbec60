"""BioC documents, as the objects they are in BioC's JSON, and the way between them and ours.

Annotations of the document, of its passages and of their sentences are mentions; the infon `type` is the label (without
one it is `annotation`), the infon `score` a score from 0 to 1, and several locations are fragments. Annotations that
cover no character, relations, all other infons and keys, and how the text is cut into passages are kept under the
document's extra key `bioc`; the ids of annotations under the mentions' extra key `id`, their other infons and keys
under the mentions' extra key `bioc`.

Offsets count code points; `bioc_units` finds out where they do not.

What BioC has no place for is written as JSON into an infon `disconer`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError
from disconer.formats import jsonl, leftovers
from disconer.formats.bioc.annotations import (
    KEY,
    annotation_of,
    identifiers_of,
    leftovers_infon,
    mention_of,
    taken_leftovers,
)
from disconer.formats.bioc.parts import (
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
from disconer.formats.bioc.units import in_code_points
from disconer.formats.losses import Losses
from disconer.formats.naming import speaking_of
from disconer.tokenize import Layout, Split

_COLLECTION: Part = {"bioctype": "BioCCollection", "source": "", "date": "", "key": "", "version": "1.0", "infons": {}}
"""What a file says of all its documents when there is nothing to say."""
_KNOWN = frozenset(("bioctype", "id", "passages", "annotations"))


def document_of(record: Part, collection: Part, split: Split) -> Document:
    """Read a document of a collection."""
    with speaking_of("document", record):
        if "passages" not in record:
            raise FormatError("this is no BioC document: the key 'passages' is missing")
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
            losses.note("descriptions of BioC collections but the first's", _collection_of(document) != collection)
            yield document.name(at), record_of(document)

    return {**_COLLECTION, **collection}, records()


def record_of(document: Document) -> Part:
    """Undo `document_of`. What claims to come from BioC and does not fit is an unknown key like any other."""
    try:
        return _record(document, _checked(document.extras.get(KEY, {})), frozenset((KEY,)))
    except InputError:
        return _record(document, {}, frozenset())


def _kept(record: Part, collection: Part, layout: Layout) -> Part:
    """Give everything about a document that is no mention and that a writer would not find again by itself."""
    outlines = [outline_of(passage) for passage in parts(record, "passages")]
    described = {key: value for key, value in collection.items() if value and value != _COLLECTION.get(key)}
    return rest_of(
        {
            **({"collection": described} if described else {}),
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
    check(kept)
    check(kept.get("collection", {}))
    if (
        kept.keys() & {"id", "bioctype"}
        or leftovers.NAME in infons_of(kept)
        or any(map(is_mention, annotations_of(kept)))
    ):
        raise FormatError("what was kept of a BioC document must not speak of what is known")
    return kept


def _record(document: Document, kept: Part, held: frozenset[str]) -> Part:
    outline = _copied({"passages": plain_outlines(document.layout), **kept})
    for mention, identifier in zip(document.mentions, identifiers_of(document.mentions, kept), strict=True):
        _home(outline, mention)["annotations"].append(annotation_of(mention, identifier))
    passages = [filled(passage, document.text) for passage in outline["passages"]]
    if whole_text(passages) != document.text:
        raise FormatError("the passages are those of another text")
    left = {**_unfound(document, passages), **leftovers.document_leftovers(document, held)}
    return {
        "bioctype": "BioCDocument",
        "id": "" if document.id is None else str(document.id),
        "infons": {**infons_of(kept), **leftovers_infon(left)},
        "passages": passages,
        "annotations": outline["annotations"],
        "relations": [],
        **rest_of(kept, _KNOWN | {"collection", "infons"}),
    }


def _copied(outline: Part) -> Part:
    """Copy an outline so far that annotations can be added to it."""
    inner: Part = {key: [_copied(one) for one in parts(outline, key)] for key in ("passages", "sentences")}
    return {**outline, **inner, "annotations": list(parts(outline, "annotations"))}


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
    given = document.layout.given_sentences
    if sentence_spans(passages, document.text, Split.ALWAYS) != (None if given is None else list(given)):
        unfound["sentences"] = given
    if document.id is not None and not (document.id and isinstance(document.id, str)):
        unfound["id"] = document.id
    return unfound
