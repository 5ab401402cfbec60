"""Gold and predicted documents, put side by side."""

from collections.abc import Iterable

from disconer.document import Document
from disconer.exceptions import MismatchError, quote
from disconer.foundation.wording import count_of

Pair = tuple[Document, Document]


def pair_documents(gold: Iterable[Document], predicted: Iterable[Document]) -> list[Pair]:
    """Match predictions to gold by id, or by order where there are no ids; the texts must be the same.

    The prediction takes over gold's words and sentences, which all scopes and bins count.
    """
    gold, predicted = list(gold), list(predicted)
    pairs = enumerate(_match(gold, predicted), start=1)
    return [(one, _adopt_layout(one, other, number)) for number, (one, other) in pairs]


def _match(gold: list[Document], predicted: list[Document]) -> list[Pair]:
    if not any(_has_id(document) for document in gold) or not any(_has_id(document) for document in predicted):
        return _by_order(gold, predicted)
    if [str(document.id) for document in gold] == [str(document.id) for document in predicted]:
        return list(zip(gold, predicted, strict=True))
    return _by_id(gold, predicted)


def _has_id(document: Document) -> bool:
    return document.id is not None


def _by_order(gold: list[Document], predicted: list[Document]) -> list[Pair]:
    if len(gold) != len(predicted):
        raise MismatchError(
            f"gold has {count_of(len(gold), 'document')} and the predictions {len(predicted):,}, "
            "and without ids on both sides they are matched by order"
        )
    return list(zip(gold, predicted, strict=True))


def _by_id(gold: list[Document], predicted: list[Document]) -> list[Pair]:
    gold_by_id, predicted_by_id = _index(gold, "gold"), _index(predicted, "the predictions")
    for identifier in gold_by_id:
        if identifier not in predicted_by_id:
            raise MismatchError(f"the document {quote(identifier)} is missing from the predictions")
    for identifier in predicted_by_id:
        if identifier not in gold_by_id:
            raise MismatchError(f"the document {quote(identifier)} is in the predictions but not in gold")
    return [(document, predicted_by_id[identifier]) for identifier, document in gold_by_id.items()]


def _index(documents: list[Document], where: str) -> dict[str, Document]:
    index: dict[str, Document] = {}
    for number, document in enumerate(documents, start=1):
        if document.id is None:
            raise MismatchError(f"document {number} of {where} has no id, but others have")
        if str(document.id) in index:
            raise MismatchError(f"the id {quote(str(document.id))} stands twice in {where}")
        index[str(document.id)] = document
    return index


def _adopt_layout(gold: Document, predicted: Document, number: int) -> Document:
    if gold.text != predicted.text:
        difference = _difference(gold, predicted)
        raise MismatchError(f"{gold.name(number)} has another text in the predictions than in gold, {difference}")
    return gold.with_mentions(predicted.mentions)


def _difference(gold: Document, predicted: Document) -> str:
    pairs = zip(gold.text, predicted.text, strict=False)
    place = next((index for index, (one, other) in enumerate(pairs) if one != other), None)
    if place is None:
        return f"{len(predicted.text)} characters instead of {len(gold.text)}"
    return f"from character {place} on"
