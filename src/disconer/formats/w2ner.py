"""W2NER's JSON: an array of sentences, each with its words and, for every mention, the indices of its words.

    [{"sentence": ["Severe", "joint", "and", "shoulder", "pain"], "ner": [{"index": [0, 3, 4], "type": "ADR"}]}]

A record is a sentence; its words and its single sentence are given, so nothing re-splits them. Its text joins the words
by one space. All other keys survive, those with a name of JSONL's below the extra key `w2ner`; so do ids and
scores, which W2NER does not know but does not mind.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention, Sentence
from disconer.exceptions import CannotHoldError, FormatError, locate_errors
from disconer.formats import jsonl
from disconer.formats.json_keys import add_unknown, drop_keys, list_at, put_back, set_apart
from disconer.formats.json_records import read_records, write_array
from disconer.formats.losses import Losses
from disconer.formats.sentence_records import convert_documents, join_words, select_sentences
from disconer.foundation.spans import is_offset
from disconer.tokenize import Layout, Split

_SENTENCE_KEYS = frozenset(("id", "sentence", "ner"))
_MENTION_KEYS = frozenset(("index", "type", "score"))
_APART = "w2ner"


def read(path: Path, _split: Split) -> Iterator[Document]:
    """Read sentences one by one, each a document of its own."""
    for line, record in read_records(path):
        with locate_errors(path, line):
            yield _read_document(record)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write every sentence of every document as a record."""
    with write_array(path) as write_record:
        for of_document in convert_documents(documents, losses, _to_records):
            for record in of_document:
                write_record(record)


def _read_document(record: dict[str, Any]) -> Document:
    words = record.get("sentence")
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        raise FormatError("the key 'sentence' must hold a list of words, none of them empty or blank")
    layout = join_words(words)
    mentions = [_read_mention(entity, layout) for entity in list_at(record, "ner")]
    extras = set_apart(drop_keys(record, _SENTENCE_KEYS), jsonl.DOCUMENT_KEYS, _APART)
    return Document(layout, mentions, record.get("id"), extras)


def _read_mention(entity: Any, layout: Layout) -> Mention:
    if not isinstance(entity, dict) or "type" not in entity or not isinstance(entity.get("index"), list):
        raise FormatError("a mention must be an object with the keys 'index' and 'type'")
    indices = entity["index"]
    count = len(layout.words)
    if not indices or not all(is_offset(index) and 0 <= index < count for index in indices):
        raise FormatError(f"an 'index' must list words of the sentence, which are 0 to {count - 1}")
    fragments = [layout.words[index] for index in indices]
    extras = set_apart(drop_keys(entity, _MENTION_KEYS), jsonl.MENTION_KEYS, _APART)
    return Mention(entity["type"], fragments, layout, entity.get("score"), extras)


def _to_records(document: Document, losses: Losses) -> list[dict[str, Any]]:
    """Convert the sentences; what is said of the document can only stand with its single sentence."""
    sentences = select_sentences(document)
    written = [_to_record(sentence, losses) for sentence in sentences]
    if len(sentences) != 1:
        losses.note("ids", document.id is not None)
        losses.note_extras(document.with_mentions(()))
        return written
    known = {} if document.id is None else {"id": document.id}
    extras = put_back(document.extras, jsonl.DOCUMENT_KEYS, _APART, losses)
    return [add_unknown(known | written[0], extras, _SENTENCE_KEYS, losses)]


def _to_record(sentence: Sentence, losses: Losses) -> dict[str, Any]:
    _check_words(sentence)
    first = sentence.word_indices.start
    entities: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = {}
    for mention in sentence.mentions:
        indices = tuple(index - first for index in mention.word_indices)
        entities.setdefault((mention.label, indices), _to_entity(mention, indices, losses))
    return {"sentence": list(sentence.words), "ner": list(entities.values())}


def _check_words(sentence: Sentence) -> None:
    """Raise when a word is blank: a gap that holds no other word would close."""
    for (start, end), word in zip(sentence.word_spans, sentence.words, strict=True):
        if word.isspace():
            raise CannotHoldError(f"the word {start}-{end} is blank, which words of W2NER files cannot be")


def _to_entity(mention: Mention, indices: tuple[int, ...], losses: Losses) -> dict[str, Any]:
    entity: dict[str, Any] = {"index": list(indices), "type": mention.label}
    if mention.score is not None:
        entity["score"] = mention.score
    extras = put_back(mention.extras, jsonl.MENTION_KEYS, _APART, losses, "mentions' ")
    return add_unknown(entity, extras, _MENTION_KEYS, losses, "mentions' ")
