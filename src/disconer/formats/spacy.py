"""spaCy's DocBin: tokens and sentences, and mentions as a group of spans in which the fragments of one share an id.

`doc.spans["disconer"]` has a span for every fragment, with the mention's label and, as its `span_id`, the mention's id.
The group has a name of its own because what reads spaCy's default, `sc`, takes every span for a whole mention. What
spaCy has no room for stands in `doc.user_data["disconer"]` as JSON, so that nothing is lost but what cuts tokens.

Groups that our component of a pipeline fills are called so too, whatever their keys, and are read alike. Without any,
the spans of `sc` are read; or else those of another group, if it is the only one that has any; or else the entities.
Each is a mention, even where two share an id, which in spaCy's rulers is a pattern's. What stands in a Doc beside what
is read, such as entities beside a group, is not: it may say the same again. Several groups, with neither `sc` nor
entities, are an error. spaCy can only read and write a whole DocBin, so memory grows with the file.
"""

import gc
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import nan
from pathlib import Path
from typing import Any

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, locate_errors, quote
from disconer.formats import jsonl
from disconer.formats.json_keys import drop_keys, read_score
from disconer.formats.json_records import limit_depth, parse_record
from disconer.formats.losses import Losses
from disconer.formats.references import as_identifier, assign_identifiers
from disconer.foundation.extras import require_extra
from disconer.foundation.files import open_bytes, replace_path
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split
from disconer.tokenize.words import split_words

KEY = "disconer"
"""The name of our groups of spans, and of the entry in the user data."""
_DEFAULT_KEY = "sc"
_SCORES = "scores"
"""Among a group's attributes, a number for every span: spaCy's span categorizer puts them there."""
_MOST_NAMES = 5
"""More names of groups than a message needs."""
_NOT_OURS = f"the entry {KEY!r} of the user data is not what disconer writes there: remove it"

Record = dict[str, Any]


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one."""
    for number, doc in enumerate(_read_docs(path), start=1):
        with locate_errors(path, number), _translate_errors():
            document = read_doc(doc, split)
        yield document


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a Doc for every document."""
    with require_extra("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    vocabulary = Vocab()
    docs = (make_doc(document, vocabulary, losses) for document in documents)
    content = DocBin(attrs=["SENT_START"], store_user_data=True, docs=docs).to_bytes()
    with replace_path(path) as temporary:
        temporary.write_bytes(content)


def _read_docs(path: Path) -> Iterator[Any]:
    with require_extra("spacy"):
        from spacy.tokens import DocBin  # noqa: PLC0415 (only imported where it is needed)
        from spacy.vocab import Vocab  # noqa: PLC0415
    with open_bytes(path) as stream:
        content = stream.read()
    with locate_errors(path), _translate_errors():
        yield from DocBin().from_bytes(content).get_docs(Vocab())


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception:  # for everything that may be wrong with the bytes it raises something else
        gc.enable()  # its reader turns the collector off, and when it fails leaves it so
        raise FormatError("this is not a DocBin of spaCy's, or it is damaged") from None


def make_doc(document: Document, vocabulary: Any, losses: Losses) -> Any:
    """Make the Doc of a document, and count what it cannot hold."""
    jsonl.note_reserved(document, losses)
    seen = Layout(document.text, tuple(_split_tokens(document.layout)))
    held = [widened for mention in document if (widened := _widen(mention, seen, losses)).word_indices]
    losses.leave_out("that hold no token", len(document) - len(held))
    doc = _make_bare_doc(document.layout, seen.words, vocabulary)
    _write_user_data(doc, drop_keys(jsonl.to_record(document), ("text", "entities")), _fill_group(doc, held, KEY))
    return doc


def read_doc(doc: Any, split: Split) -> Document:
    """Read the document that a Doc holds."""
    kept = _read_user_data(doc)
    keys = find_our_groups(doc)
    entities = [entity for key in keys for entity in _read_entities(doc, key, _about_mentions(kept))]
    record = {"text": doc.text, "entities": entities if keys else _read_foreign_entities(doc)}
    if kept is not None:
        record = {**kept["document"], **record}
        # Whether words and sentences were given is only known as long as nobody has changed the tokens.
        bare = jsonl.read_document({key: record.get(key) for key in ("text", "words", "sentences")}, Split.AUTO)
        if _is_seen_as(doc, bare.layout):
            return jsonl.read_document(record, split)
    return jsonl.read_document({**record, **_read_words_and_sentences(doc)}, split)


def read_mentions(doc: Any, keys: Iterable[str]) -> tuple[Mention, ...]:
    """Read the mentions of groups that disconer filled."""
    about = _about_mentions(_read_user_data(doc))
    entities = [entity for key in keys for entity in _read_entities(doc, key, about)]
    record = {"text": doc.text, "entities": entities, **_read_words_and_sentences(doc)}
    return jsonl.read_document(record, Split.ALWAYS).mentions


def put_mentions(doc: Any, mentions: Sequence[Mention], key: str = KEY) -> None:
    """Make mentions, which begin and end where tokens do, the group of spans of that key."""
    about_mentions = _fill_group(doc, mentions, key)
    kept = _read_user_data(doc) if key == KEY else None
    if kept is not None:
        _write_user_data(doc, kept["document"], about_mentions)


def _fill_group(doc: Any, mentions: Sequence[Mention], key: str) -> Record:
    """Fill a group of spans, and give what is known beside the places and labels of the mentions, by their ids."""
    identifiers = assign_identifiers([as_identifier(mention.extras.get("id")) for mention in mentions], "m")
    doc.spans[key] = _to_group(doc, mentions, identifiers)
    entities = jsonl.to_record(Document(doc.text, mentions))["entities"]
    abouts = (drop_keys(entity, ("label", "spans")) for entity in entities)
    return dict(zip(identifiers, abouts, strict=True))


def _widen(mention: Mention, seen: Layout, losses: Losses) -> Mention:
    """Widen a mention so that its fragments begin and end where tokens do."""
    widened = Mention(mention.label, mention.fragments, seen, mention.score, mention.extras).widened
    if widened.word_indices:
        losses.note("mentions widened to whole words", widened.fragments != mention.fragments)
        losses.note("mentions whose gap holds no word, closed", len(widened.fragments) < len(mention.fragments))
    return widened


def _write_user_data(doc: Any, document: Record, mentions: Record) -> None:
    """Put into the user data what is known beside the text and the places and labels of the mentions."""
    with limit_depth():
        doc.user_data[KEY] = json.dumps({"document": document, "mentions": mentions})


def _read_user_data(doc: Any) -> dict[str, Record] | None:
    """Undo `_write_user_data`; None without any."""
    written = doc.user_data.get(KEY)
    if written is None:
        return None
    try:
        kept = parse_record(written)
    except (FormatError, TypeError):
        kept = {}
    if not all(isinstance(kept.get(key), dict) for key in ("document", "mentions")):
        raise FormatError(_NOT_OURS)
    return kept


def _about_mentions(kept: dict[str, Record] | None) -> Record:
    return {} if kept is None else kept["mentions"]


def _to_group(doc: Any, mentions: Sequence[Mention], identifiers: Sequence[str]) -> Any:
    """Make a group of the fragments of mentions, which begin and end where tokens do."""
    import numpy as np  # noqa: PLC0415 (both only imported where they are needed)
    from spacy.tokens import SpanGroup  # noqa: PLC0415

    named = list(zip(mentions, identifiers, strict=True))
    spans = [span for mention, identifier in named for span in _to_spans(doc, mention, identifier)]
    is_scored = not mentions or any(mention.score is not None for mention in mentions)
    scores = [nan if mention.score is None else mention.score for mention in mentions for _ in mention.fragments]
    return SpanGroup(doc, name=KEY, spans=spans, attrs={_SCORES: np.array(scores, float)} if is_scored else {})


def _to_spans(doc: Any, mention: Mention, identifier: str) -> list[Any]:
    linked = as_identifier(mention.extras.get("kb_id"))
    spans = [doc.char_span(*fragment, mention.label, linked, span_id=identifier) for fragment in mention.fragments]
    if None in spans:
        start, end = mention.fragments[spans.index(None)]
        raise InputError(f"the fragment {start}-{end} begins or ends inside a token: widen it")
    return spans


def find_our_groups(doc: Any) -> list[str]:
    """Find the keys of the groups in which the fragments of a mention share an id."""
    return [key for key, group in doc.spans.items() if KEY in (key, group.name)]


def _read_entities(doc: Any, key: str, about_mentions: Mapping[str, Any]) -> list[Record]:
    """Read the mentions of such a group, if it is there, as entities of JSONL."""
    mentions: dict[object, list[tuple[Any, float | None]]] = {}
    for index, (span, score) in enumerate(_pair_scores(doc.spans.get(key, ()))):
        mentions.setdefault((span.id, span.label) if span.id else index, []).append((span, score))
    # What the user data say is of the group that was written with them.
    about = about_mentions if key == KEY else {}
    return [_to_entity([span for span, _ in parts], parts[0][1], about) for parts in mentions.values()]


def _read_foreign_entities(doc: Any) -> list[Record]:
    """Read the mentions of a Doc that disconer did not write."""
    return [_to_entity([span], score, {}) for span, score in _pair_scores(_choose_foreign_spans(doc))]


def _choose_foreign_spans(doc: Any) -> Any:
    groups = {name: group for name, group in doc.spans.items() if len(group)}
    if _DEFAULT_KEY in groups:
        return groups[_DEFAULT_KEY]
    if len(groups) > 1 and not doc.ents:
        names = ", ".join(map(quote, sorted(groups)[:_MOST_NAMES]))
        message = f"there are {len(groups)} groups of spans ({names}): rename the one to read to {_DEFAULT_KEY!r}"
        raise FormatError(message)
    return next(iter(groups.values())) if len(groups) == 1 else doc.ents


def _pair_scores(spans: Any) -> Iterable[tuple[Any, float | None]]:
    """Pair spans with their scores; those of a group that was made longer or shorter are ignored."""
    scores: Any = getattr(spans, "attrs", {}).get(_SCORES)
    numbers = scores.tolist() if hasattr(scores, "tolist") else scores
    if not isinstance(numbers, list | tuple) or len(numbers) != len(spans):
        numbers = [None] * len(spans)
    return zip(spans, map(read_score, numbers), strict=True)


def _to_entity(fragments: Sequence[Any], score: float | None, about_mentions: Mapping[str, Any]) -> Record:
    first = fragments[0]
    about = about_mentions.get(first.id_, {"id": first.id_} if first.id_ else {})
    if not isinstance(about, dict):
        raise FormatError(_NOT_OURS)
    linked = {"kb_id": first.kb_id_} if first.kb_id_ else {}
    scored = {} if score is None else {"score": score}
    spans = [[span.start_char, span.end_char] for span in fragments]
    return {**linked, **scored, **about, "label": first.label_, "spans": spans}


def _split_tokens(layout: Layout) -> list[Span]:
    """Cut a text into tokens: its words, those outside the words and sentences that were given, and what is between.

    >>> _split_tokens(Layout("Joint  pain ."))
    [(0, 5), (6, 7), (7, 11), (12, 13)]
    """
    tokens: list[Span] = []
    position = 0
    for start, end in (*layout.words, (len(layout.text), len(layout.text))):
        for word in (*split_words(layout.text, position, start), (start, end)):
            tokens += (span for span in (_trim_between(layout.text, position, word[0]), word) if span[0] < span[1])
            position = word[1]
    return tokens


def _make_bare_doc(layout: Layout, tokens: Sequence[Span], vocabulary: Any) -> Any:
    """Make a Doc that has nothing but tokens and sentences."""
    from spacy.tokens import Doc  # noqa: PLC0415 (only imported where it is needed)

    end_of_text = (len(layout.text), len(layout.text))
    words = [layout.text[start:end] for start, end in tokens]
    spaces = [end < start for (_, end), (start, _) in pairwise((*tokens, end_of_text))]
    return Doc(vocabulary, words=words, spaces=spaces, sent_starts=_mark_sentence_starts(layout, tokens))


def _is_seen_as(doc: Any, layout: Layout) -> bool:
    """Tell whether a text would become a Doc with the same tokens and sentences."""
    tokens = _split_tokens(layout)
    starts = [token.i == 0 or bool(token.is_sent_start) for token in doc]
    return tokens == _locate_tokens(doc) and _mark_sentence_starts(layout, tokens) == starts


def _read_words_and_sentences(doc: Any) -> dict[str, list[Span] | None]:
    """Read the tokens that are not white space as words, and sentences if any are marked."""
    if not doc.has_annotation("SENT_START"):
        return {"words": _locate_words(doc), "sentences": None}
    sentences = [words for sentence in doc.sents if (words := _locate_words(sentence))]
    return {"words": _locate_words(doc), "sentences": [(words[0][0], words[-1][1]) for words in sentences]}


def read_layout(doc: Any) -> Layout:
    """See the text of a Doc as its tokens and sentences; those that nobody marked are looked for."""
    seen = _read_words_and_sentences(doc)
    words, sentences = (None if spans is None else tuple(spans) for spans in (seen["words"], seen["sentences"]))
    return Layout(doc.text, words, sentences, Split.ALWAYS)


def _locate_tokens(tokens: Iterable[Any]) -> list[Span]:
    return [(token.idx, token.idx + len(token)) for token in tokens]


def _locate_words(tokens: Iterable[Any]) -> list[Span]:
    return _locate_tokens(token for token in tokens if not token.text.isspace())


def _trim_between(text: str, start: int, end: int) -> Span:
    """Trim what lies between two words by the single spaces that spaCy counts as part of the token before them."""
    start += start > 0 and text.startswith(" ", start, end)
    return start, end - (end - start > 1 and text[end - 1] == " ")


def _mark_sentence_starts(layout: Layout, tokens: Sequence[Span]) -> list[bool | int | None]:
    """Tell for each token whether a sentence begins with it; in spaCy one does with the first."""
    token_starts = [start for start, _ in tokens]
    beginning = {0, *(bisect_left(token_starts, start) for start, _ in layout.sentences)}
    return [index in beginning for index in range(len(tokens))]
