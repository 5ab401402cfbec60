"""The JSON of the code published with the Mac paper: an array of texts, their mentions by character offsets.

    [{"id": "train_0", "text": "Severe joint and shoulder pain.", "entity_list": [
        {"text": "Severe shoulder pain", "type": "ADR", "char_span": [0, 6, 17, 30]}]}]

A `char_span` lists start and end of every fragment, one after the other. `word_list` and `word2char_span` give the
words; where they contradict the text or each other, they are kept like any other unknown key, and words are found anew.
Unknown keys with a name of JSONL's stand below the extra key `mac`.
Sentences that splitting the text would not find again, and scores, stand under `sentences` and `score`, as in JSONL:
that code does not mind keys it does not know.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, OffsetError, locate_errors
from disconer.formats import jsonl
from disconer.formats.json_keys import add_unknown, drop_keys, list_at, put_back, set_apart
from disconer.formats.json_records import read_records, write_array
from disconer.formats.losses import Losses
from disconer.formats.sentence_records import locate_words
from disconer.formats.surface import is_same
from disconer.foundation.checks import check_encodable
from disconer.foundation.spans import Span, parse_spans
from disconer.tokenize import Layout, Split

_DOCUMENT_KEYS = frozenset(("id", "text", "entity_list"))
_WORD_KEYS = frozenset(("word_list", "word2char_span"))
_SENTENCES_KEY = "sentences"
_MENTION_KEYS = frozenset(("text", "type", "char_span", "score"))
_APART = "mac"


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for line, record in read_records(path):
        with locate_errors(path, line):
            yield _read_document(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write documents; they lose nothing."""
    with write_array(path) as write_record:
        for number, document in enumerate(documents, start=1):
            with locate_errors(document.name(number)):
                write_record(_to_record(document, losses))


def _read_document(record: dict[str, Any], split: Split) -> Document:
    text: Any = record.get("text")
    check_encodable(text, "the key 'text'")
    words = _read_words(record, text)
    sentences = _read_spans(record.get(_SENTENCES_KEY), text)
    layout = Layout(text, words, sentences, split)
    mentions = [_read_mention(entity, layout) for entity in list_at(record, "entity_list")]
    known = {*_DOCUMENT_KEYS, *(_WORD_KEYS if words is not None else ())}
    if sentences is not None:
        known.add(_SENTENCES_KEY)
    extras = set_apart(drop_keys(record, known), jsonl.DOCUMENT_KEYS, _APART)
    return Document(layout, mentions, record.get("id"), extras)


def _read_words(record: dict[str, Any], text: str) -> tuple[Span, ...] | None:
    """Read where the words are; None when the record does not say or contradicts itself."""
    words: Any = record.get("word_list")
    are_words = isinstance(words, list) and all(isinstance(word, str) for word in words)
    joined = locate_words(words) if are_words and " ".join(words) == text else None
    spans = record.get("word2char_span", joined)
    given = _read_spans(spans, text)
    if given is None or (words is not None and words != [text[start:end] for start, end in given]):
        return None
    return given


def _read_spans(value: object, text: str) -> tuple[Span, ...] | None:
    """Read a value as spans of a text; None when it is anything else."""
    try:
        return parse_spans(value, len(text), "stretch") if isinstance(value, list) else None
    except OffsetError:
        return None


def _read_mention(entity: Any, layout: Layout) -> Mention:
    if not isinstance(entity, dict) or "type" not in entity or not isinstance(entity.get("char_span"), list):
        raise FormatError("an entity must be an object with the keys 'type' and 'char_span'")
    offsets = entity["char_span"]
    if len(offsets) % 2:
        raise FormatError("a 'char_span' must list start and end of each fragment, one after the other")
    fragments = list(zip(offsets[::2], offsets[1::2], strict=True))
    extras = set_apart(drop_keys(entity, _MENTION_KEYS), jsonl.MENTION_KEYS, _APART)
    mention = Mention(entity["type"], fragments, layout, entity.get("score"), extras)
    if "text" not in entity or is_same(entity["text"], mention.text):
        return mention
    return Mention(mention.label, mention.fragments, layout, mention.score, {**mention.extras, "text": entity["text"]})


def _to_record(document: Document, losses: Losses) -> dict[str, Any]:
    record: dict[str, Any] = {} if document.id is None else {"id": document.id}
    record["text"] = document.text
    layout = document.layout
    if layout.given_words is not None:
        record["word_list"] = [layout.text[start:end] for start, end in layout.given_words]
        record["word2char_span"] = layout.given_words
    sentences = layout.sentences_unknown_to(Split.AUTO)
    if sentences is not None:
        record[_SENTENCES_KEY] = sentences
    record["entity_list"] = [_to_entity(mention, losses) for mention in document]
    extras = put_back(document.extras, jsonl.DOCUMENT_KEYS, _APART, losses)
    return add_unknown(record, extras, _DOCUMENT_KEYS, losses)


def _to_entity(mention: Mention, losses: Losses) -> dict[str, Any]:
    entity: dict[str, Any] = {
        "text": mention.text,
        "type": mention.label,
        "char_span": list(chain.from_iterable(mention.fragments)),
    }
    if mention.score is not None:
        entity["score"] = mention.score
    extras = put_back(mention.extras, jsonl.MENTION_KEYS, _APART, losses, "mentions' ")
    return add_unknown(entity, extras, _MENTION_KEYS, losses, "mentions' ")
