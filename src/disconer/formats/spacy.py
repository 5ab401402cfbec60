"""spaCy's DocBin: tokens and sentences, and mentions as a group of spans in which the fragments of one share an id.

`doc.spans["disconer"]` has a span for every fragment, with the mention's label and, as its `span_id`, the mention's id.
The group has a name of its own because what reads spaCy's default, `sc`, takes every span for a whole mention. What
spaCy has no room for stands in `doc.user_data["disconer"]` as JSON, so that nothing is lost but what cuts tokens.

Without such a group the spans of `sc` are read; or else those of another group, if it is the only one that has any; or
else the entities. Each is a mention, even where two share an id, which in spaCy's rulers is a pattern's. What stands in
a Doc beside what is read, such as entities beside a group, is not: it may say the same again. Several groups, with
neither `sc` nor entities, are an error. spaCy can only read and write a whole DocBin, so memory grows with the file.
"""

import gc
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, located, shown
from disconer.extras import installed
from disconer.formats import jsonl
from disconer.formats.files import reading_bytes, replacing_path
from disconer.formats.json_keys import unknown
from disconer.formats.json_records import limiting_depth, parsed
from disconer.formats.losses import Losses
from disconer.formats.references import as_identifier, unique_identifiers
from disconer.spans import Span
from disconer.tokenize import Layout, Split
from disconer.tokenize.words import split_words

_KEY = "disconer"
"""The name of the group of spans and of the entry in the user data."""
_DEFAULT_KEY = "sc"
_MOST_NAMES = 5
"""More names of groups than a message needs."""
_NOT_OURS = f"the entry {_KEY!r} of the user data is not what disconer writes there: remove it"

Record = dict[str, Any]


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, doc in enumerate(_docs(path), start=1):
        with located(path, number):
            with _spacy_errors():
                record = _record(doc)
            yield jsonl.document_of(record, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a Doc for every document."""
    with installed("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    vocabulary = Vocab()
    docs = (_doc(document, vocabulary, losses) for document in documents)
    content = DocBin(attrs=["SENT_START"], store_user_data=True, docs=docs).to_bytes()
    with replacing_path(path) as temporary:
        temporary.write_bytes(content)


def _docs(path: Path) -> Iterator[Any]:
    with installed("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    with reading_bytes(path) as stream:
        content = stream.read()
    with located(path), _spacy_errors():
        yield from DocBin().from_bytes(content).get_docs(Vocab())


@contextmanager
def _spacy_errors() -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception:  # for everything that may be wrong with the bytes it raises something else
        gc.enable()  # its reader turns the collector off, and when it fails leaves it so
        raise FormatError("this is not a DocBin of spaCy's, or it is damaged") from None


def _tokens(layout: Layout) -> list[Span]:
    """Cut a text into tokens: its words, those outside the words and sentences that were given, and what is between.

    >>> _tokens(Layout("Joint  pain ."))
    [(0, 5), (6, 7), (7, 11), (12, 13)]
    """
    tokens: list[Span] = []
    position = 0
    for start, end in (*layout.words, (len(layout.text), len(layout.text))):
        for word in (*split_words(layout.text, position, start), (start, end)):
            tokens += (span for span in (_between(layout.text, position, word[0]), word) if span[0] < span[1])
            position = word[1]
    return tokens


def _between(text: str, start: int, end: int) -> Span:
    """Give what lies between two words without the single spaces that spaCy counts as part of the token before them."""
    start += start > 0 and text.startswith(" ", start, end)
    return start, end - (end - start > 1 and text[end - 1] == " ")


def _sentence_starts(layout: Layout, tokens: Sequence[Span]) -> list[bool]:
    """Tell for each token whether a sentence begins with it; in spaCy one does with the first."""
    token_starts = [start for start, _ in tokens]
    beginning = {0, *(bisect_left(token_starts, start) for start, _ in layout.sentences)}
    return [index in beginning for index in range(len(tokens))]


def _doc(document: Document, vocabulary: Any, losses: Losses) -> Any:
    jsonl.note_reserved(document, losses)
    seen = Layout(document.text, tuple(_tokens(document.layout)))
    held = [mention for mention in document if _widened(mention, seen).word_indices]
    losses.leave_out("that hold no token", len(document) - len(held))
    doc = _bare_doc(document.layout, seen.words, vocabulary)
    identifiers = unique_identifiers([as_identifier(mention.extras.get("id")) for mention in held], "m")
    named = list(zip(held, identifiers, strict=True))
    doc.spans[_KEY] = [span for mention, identifier in named for span in _spans(mention, identifier, doc, seen, losses)]
    doc.user_data[_KEY] = _as_user_data(document.with_mentions(held), identifiers)
    return doc


def _bare_doc(layout: Layout, tokens: Sequence[Span], vocabulary: Any) -> Any:
    from spacy.tokens import Doc  # noqa: PLC0415

    end_of_text = (len(layout.text), len(layout.text))
    words = [layout.text[start:end] for start, end in tokens]
    spaces = [end < start for (_, end), (start, _) in pairwise((*tokens, end_of_text))]
    return Doc(vocabulary, words=words, spaces=spaces, sent_starts=list(_sentence_starts(layout, tokens)))


def _spans(mention: Mention, identifier: str, doc: Any, seen: Layout, losses: Losses) -> list[Any]:
    """Give a span for every fragment, widened where it cuts tokens."""
    from spacy.tokens import Span as DocSpan  # noqa: PLC0415

    fragments = _widened(mention, seen).fragments
    losses.note("mentions widened to whole words", fragments != mention.fragments)
    losses.note("mentions whose gap holds no word, closed", len(fragments) < len(mention.fragments))
    touched = (seen.words_between(start, end) for start, end in fragments)
    return [DocSpan(doc, found.start, found.stop, mention.label, span_id=identifier) for found in touched]


def _widened(mention: Mention, seen: Layout) -> Mention:
    """Give a mention whose fragments begin and end where tokens do."""
    return Mention(mention.label, mention.fragments, seen).widened


def _as_user_data(document: Document, identifiers: Iterable[str]) -> str:
    """Give everything but the text and the places and labels of the mentions."""
    record = unknown(jsonl.record(document), ("text",))
    entities = (unknown(entity, ("label", "spans")) for entity in record.pop("entities"))
    with limiting_depth():
        return json.dumps({"document": record, "mentions": dict(zip(identifiers, entities, strict=True))})


def _record(doc: Any) -> Record:
    """Give a Doc as a record of JSONL."""
    kept = _kept(doc.user_data)
    if kept is None:
        return {"text": doc.text, "entities": _entities(doc, {}), **_words_and_sentences(doc)}
    record = {**kept["document"], "text": doc.text, "entities": _entities(doc, kept["mentions"])}
    # Whether words and sentences were given is only known as long as nobody has changed the tokens.
    return record if _is_seen_as(doc, record) else {**record, **_words_and_sentences(doc)}


def _kept(user_data: Record) -> dict[str, Record] | None:
    """Undo `_as_user_data`; None without any."""
    written = user_data.get(_KEY)
    if written is None:
        return None
    try:
        kept = parsed(written)
    except (FormatError, TypeError):
        kept = {}
    if not all(isinstance(kept.get(key), dict) for key in ("document", "mentions")):
        raise FormatError(_NOT_OURS)
    return kept


def _is_seen_as(doc: Any, record: Record) -> bool:
    """Tell whether a record would become a Doc with the same tokens and sentences."""
    layout = jsonl.document_of({key: record.get(key) for key in ("text", "words", "sentences")}, Split.AUTO).layout
    tokens = _tokens(layout)
    starts = [token.i == 0 or bool(token.is_sent_start) for token in doc]
    return tokens == [_place(token) for token in doc] and _sentence_starts(layout, tokens) == starts


def _words_and_sentences(doc: Any) -> Record:
    """Give the tokens that are not white space, and what they are of the sentences, if any are marked."""
    if not doc.has_annotation("SENT_START"):
        return {"words": _words(doc), "sentences": None}
    sentences = [words for sentence in doc.sents if (words := _words(sentence))]
    return {"words": _words(doc), "sentences": [(words[0][0], words[-1][1]) for words in sentences]}


def _words(tokens: Iterable[Any]) -> list[Span]:
    return [_place(token) for token in tokens if not token.text.isspace()]


def _place(token: Any) -> Span:
    return token.idx, token.idx + len(token)


def _entities(doc: Any, about_mentions: Record) -> list[Record]:
    if _KEY not in doc.spans:
        return [_entity([span], {}) for span in _foreign_spans(doc)]
    mentions: dict[object, list[Any]] = {}
    for index, span in enumerate(doc.spans[_KEY]):
        mentions.setdefault((span.id, span.label) if span.id else index, []).append(span)
    return [_entity(fragments, about_mentions) for fragments in mentions.values()]


def _foreign_spans(doc: Any) -> Iterable[Any]:
    """Choose what is read of a Doc that disconer did not write."""
    groups = {name: group for name, group in doc.spans.items() if len(group)}
    if _DEFAULT_KEY in groups:
        return groups[_DEFAULT_KEY]  # type: ignore[no-any-return]
    if len(groups) > 1 and not doc.ents:
        names = ", ".join(map(shown, sorted(groups)[:_MOST_NAMES]))
        message = f"there are {len(groups)} groups of spans ({names}): rename the one to read to {_DEFAULT_KEY!r}"
        raise FormatError(message)
    return next(iter(groups.values())) if len(groups) == 1 else doc.ents


def _entity(fragments: Sequence[Any], about_mentions: Record) -> Record:
    first = fragments[0]
    about = about_mentions.get(first.id_, {"id": first.id_} if first.id_ else {})
    if not isinstance(about, dict):
        raise FormatError(_NOT_OURS)
    linked = {"kb_id": first.kb_id_} if first.kb_id_ else {}
    return {**linked, **about, "label": first.label_, "spans": [[span.start_char, span.end_char] for span in fragments]}
