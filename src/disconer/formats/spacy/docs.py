"""Docs: a document as spaCy holds it, with what spaCy has no room for in the user data."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError
from disconer.formats import jsonl
from disconer.formats.json_keys import unknown
from disconer.formats.json_records import limiting_depth, parsed
from disconer.formats.losses import Losses
from disconer.formats.references import as_identifier, unique_identifiers
from disconer.formats.spacy.groups import KEY, NOT_OURS, Record, entities_in, foreign_entities, group_of, our_keys
from disconer.formats.spacy.tokens import bare_doc, is_seen_as, tokens_of, words_and_sentences
from disconer.tokenize import Layout, Split


def doc_of(document: Document, vocabulary: Any, losses: Losses) -> Any:
    """Make the Doc of a document, and count what it cannot hold."""
    jsonl.note_reserved(document, losses)
    seen = Layout(document.text, tuple(tokens_of(document.layout)))
    held = [widened for mention in document if (widened := _widened(mention, seen, losses)).word_indices]
    losses.leave_out("that hold no token", len(document) - len(held))
    doc = bare_doc(document.layout, seen.words, vocabulary)
    _keep(doc, unknown(jsonl.record(document), ("text", "entities")), _fill(doc, held, KEY))
    return doc


def document_of(doc: Any, split: Split) -> Document:
    """Give the document that a Doc holds."""
    kept = _kept(doc)
    keys = our_keys(doc)
    entities = [entity for key in keys for entity in entities_in(doc, key, _about(kept))]
    record = {"text": doc.text, "entities": entities if keys else foreign_entities(doc)}
    if kept is not None:
        record = {**kept["document"], **record}
        # Whether words and sentences were given is only known as long as nobody has changed the tokens.
        bare = jsonl.document_of({key: record.get(key) for key in ("text", "words", "sentences")}, Split.AUTO)
        if is_seen_as(doc, bare.layout):
            return jsonl.document_of(record, split)
    return jsonl.document_of({**record, **words_and_sentences(doc)}, split)


def mentions_in(doc: Any, keys: Iterable[str]) -> tuple[Mention, ...]:
    """Give the mentions of groups of ours."""
    about = _about(_kept(doc))
    entities = [entity for key in keys for entity in entities_in(doc, key, about)]
    record = {"text": doc.text, "entities": entities, **words_and_sentences(doc)}
    return jsonl.document_of(record, Split.ALWAYS).mentions


def put(doc: Any, mentions: Sequence[Mention], key: str = KEY) -> None:
    """Make mentions, which begin and end where tokens do, the group of spans of that key."""
    about_mentions = _fill(doc, mentions, key)
    kept = _kept(doc) if key == KEY else None
    if kept is not None:
        _keep(doc, kept["document"], about_mentions)


def _fill(doc: Any, mentions: Sequence[Mention], key: str) -> Record:
    """Fill a group of spans, and give what is known beside the places and labels of the mentions, by their ids."""
    identifiers = unique_identifiers([as_identifier(mention.extras.get("id")) for mention in mentions], "m")
    doc.spans[key] = group_of(doc, mentions, identifiers)
    entities = jsonl.record(Document(doc.text, mentions))["entities"]
    abouts = (unknown(entity, ("label", "spans")) for entity in entities)
    return dict(zip(identifiers, abouts, strict=True))


def _widened(mention: Mention, seen: Layout, losses: Losses) -> Mention:
    """Give a mention whose fragments begin and end where tokens do."""
    widened = Mention(mention.label, mention.fragments, seen, mention.score, mention.extras).widened
    if widened.word_indices:
        losses.note("mentions widened to whole words", widened.fragments != mention.fragments)
        losses.note("mentions whose gap holds no word, closed", len(widened.fragments) < len(mention.fragments))
    return widened


def _keep(doc: Any, document: Record, mentions: Record) -> None:
    """Put into the user data what is known beside the text and the places and labels of the mentions."""
    with limiting_depth():
        doc.user_data[KEY] = json.dumps({"document": document, "mentions": mentions})


def _kept(doc: Any) -> dict[str, Record] | None:
    """Undo `_keep`; None without any."""
    written = doc.user_data.get(KEY)
    if written is None:
        return None
    try:
        kept = parsed(written)
    except (FormatError, TypeError):
        kept = {}
    if not all(isinstance(kept.get(key), dict) for key in ("document", "mentions")):
        raise FormatError(NOT_OURS)
    return kept


def _about(kept: dict[str, Record] | None) -> Record:
    return {} if kept is None else kept["mentions"]
