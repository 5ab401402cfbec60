"""Docs and documents: the way from one to the other, and `doc._.mentions`."""

from collections.abc import Iterable, Sequence

from spacy.tokens import Doc
from spacy.vocab import Vocab

from disconer.document import Document, Mention
from disconer.exceptions import InputError
from disconer.formats.losses import Losses
from disconer.formats.spacy import KEY, find_our_groups, make_doc, put_mentions, read_doc, read_mentions
from disconer.tokenize import Split

_EXTENSION = "mentions"


def register_extension() -> None:
    """Let Docs have `doc._.mentions`, unless another package gave them something of that name first."""
    if not Doc.has_extension(_EXTENSION):
        Doc.set_extension(_EXTENSION, getter=_mentions, setter=_set_mentions)


def to_document(doc: Doc) -> Document:
    """Convert a Doc to a document, which draws itself, gaps included, and can be written to any format.

    A Doc that disconer did not fill gives its spans, or else its entities, a mention each.
    """
    return read_doc(doc, Split.ALWAYS)


def to_doc(document: Document, vocab: Vocab, lossy: bool = False) -> Doc:
    """Convert a document to a Doc, whose tokens are its words and what is between them.

    Mentions that cut words are widened. Those that hold no word are an error, unless `lossy` leaves them out.
    """
    losses = Losses()
    doc: Doc = make_doc(document, vocab, losses)
    losses.check_consent(lossy)
    return doc


def joined(docs: Sequence[Doc]) -> Doc:
    """Join Docs as `Doc.from_docs` does, which knows nothing of ids and would make one mention of several.

    The scores come along too.
    """
    if not docs:
        raise InputError("there are no Docs to join")
    whole = Doc.from_docs([_without_entry(doc) for doc in docs])
    for key in dict.fromkeys(key for doc in docs for key in find_our_groups(doc)):
        put_mentions(whole, list(_shift_mentions(docs, key, whole)), key)
    return whole


def _without_entry(doc: Doc) -> Doc:
    """Leave out our entry in the user data, which cannot be joined: spaCy would warn of it and say what it holds."""
    if KEY not in doc.user_data:
        return doc
    bare = doc.copy()
    del bare.user_data[KEY]
    return bare


def _shift_mentions(docs: Iterable[Doc], key: str, whole: Doc) -> Iterable[Mention]:
    """Move the mentions of Docs to their places in the whole."""
    first = 0
    for doc in docs:
        shift = whole[first].idx if len(doc) else 0
        for mention in read_mentions(doc, [key]):
            fragments = [(start + shift, end + shift) for start, end in mention.fragments]
            yield Mention(mention.label, fragments, whole.text, mention.score, mention.extras)
        first += len(doc)


def _mentions(doc: Doc) -> tuple[Mention, ...]:
    """Read the mentions off the spans, so that they are whatever the spans are."""
    return read_mentions(doc, find_our_groups(doc))


def _set_mentions(doc: Doc, mentions: Iterable[Mention]) -> None:
    key, *others = find_our_groups(doc) or [KEY]
    put_mentions(doc, list(mentions), key)
    for other in others:
        del doc.spans[other]
