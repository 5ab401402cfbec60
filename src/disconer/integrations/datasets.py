"""Hugging Face datasets: rows as documents, documents as rows, and predictions as another column.

    documents = from_dataset(dataset)
    dataset = to_dataset(documents)
    dataset = annotate(disconer.load("run"), dataset, into="predictions")

The columns are those of the format `datasets`: `disconer.write(documents, folder, "datasets")` writes a folder of them
that `disconer train` and all other commands read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from disconer.document import Document
from disconer.exceptions import CannotHoldError, FormatError, InputError, locate_errors, quote
from disconer.formats import arrow_files, conll, datasets, jsonl
from disconer.formats.json_keys import drop_keys, list_at
from disconer.formats.losses import Losses
from disconer.foundation.checks import check_encodable
from disconer.foundation.extras import require_extra
from disconer.tokenize import Split

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer

_PLACE = "dataset"
"""What messages say that a row is a row of."""


def from_dataset(
    rows: Iterable[Mapping[str, Any]],
    *,
    text: str = "text",
    entities: str = "entities",
    id: str = "id",
    tokens: str = "tokens",
    tags: str | None = None,
    split: Split = Split.AUTO,
) -> Iterator[Document]:
    """Read the rows of a dataset one by one, streamed or not, or those of any list of dictionaries.

    Rows have the columns of JSONL, whatever they are called, or of BigBIO's `kb` schema. With `tags`, they have a list
    of words and one of tags such as `B-ADR`, which the dataset may know by numbers. Other columns become extras, but
    for those whose name is taken: with `id="pmid"`, a column `id` is left out.
    """
    _check_single(rows)
    names = {text: "text", entities: "entities", id: "id"}
    tagged = None if tags is None else _Tagged(tokens, tags, _tag_names(rows, tags))
    for number, row in enumerate(_as_plain(rows), start=1):
        with locate_errors(_PLACE, number):
            record = _rename(arrow_files.as_json_record(row), names)
            yield tagged.document(record) if tagged else datasets.choose_row_parser(record)(record, split)


def to_dataset(documents: Iterable[Document]) -> Any:
    """Convert documents to a `datasets.Dataset` in memory, with the columns that `from_dataset` reads."""
    with require_extra("datasets"):
        from datasets import Dataset  # noqa: PLC0415 (only imported where it is needed)
    losses, features = Losses(), datasets.make_features()
    rows = [datasets.to_row(document, losses) for document in documents]
    if losses.noted:
        raise CannotHoldError(f"a dataset has no column for {losses.lines()[0]}: rename them")
    return Dataset.from_dict({name: [row[name] for row in rows] for name in features}, features)


def annotate(
    recognizer: "Recognizer",
    dataset: Any,
    *,
    text: str = "text",
    into: str = "entities",
    threshold: float | None = None,
    context: int = 1,
    batch_size: int = 1000,
) -> Any:
    """Add what is found in a column of texts as one more column to a dataset, or to several under their names.

    That holds entities as JSONL has them, in the place of a column of its name. All other columns stay. A dataset
    that is streamed is annotated as it is read.
    """
    if isinstance(dataset, dict):
        one = partial(annotate, text=text, into=into, threshold=threshold, context=context, batch_size=batch_size)
        return type(dataset)({name: one(recognizer, each) for name, each in dataset.items()})
    if dataset.column_names and text not in dataset.column_names:
        raise InputError(f"the dataset has no column {quote(text)}: name one of {', '.join(dataset.column_names)}")

    def predict(texts: Sequence[str], indices: Sequence[int]) -> dict[str, list[Any]]:
        documents = [_document(one, index) for one, index in zip(texts, indices, strict=True)]
        predicted = recognizer.pipe(documents, threshold, context)
        return {into: [datasets.to_row(document, Losses())["entities"] for document in predicted]}

    options = _column_options(dataset, into)
    if getattr(dataset, "num_rows", None) == 0:  # the library would leave it as it is, without the column
        return dataset.from_dict({name: [] for name in options["features"]}, options["features"])
    return dataset.map(predict, with_indices=True, input_columns=[text], batched=True, batch_size=batch_size, **options)


@dataclass(frozen=True)
class _Tagged:
    """Columns of words and of the tag of each."""

    words: str
    tags: str
    names: Sequence[str]
    """What tags that are numbers stand for."""

    def document(self, record: dict[str, Any]) -> Document:
        """Read a row."""
        if not {self.words, self.tags} <= record.keys():
            columns = ", ".join(map(quote, record))
            raise FormatError(f"this needs the columns {quote(self.words)} and {quote(self.tags)}, and has {columns}")
        words, tags = list_at(record, self.words), [self._tag(tag) for tag in list_at(record, self.tags)]
        if len(words) != len(tags):
            raise FormatError(f"there are {len(words)} words and {len(tags)} tags")
        for word in words:
            check_encodable(word, "a word")
        found = conll.read_tagged_words(words, tags)
        others = drop_keys(record, {*jsonl.DOCUMENT_KEYS, self.words, self.tags})
        return Document(found.layout, found.mentions, record.get("id"), others)

    def _tag(self, tag: Any) -> str:
        if type(tag) is int and 0 <= tag < len(self.names):
            tag = self.names[tag]
        if not isinstance(tag, str) or not conll.TAG.fullmatch(tag):
            raise FormatError(f"expected a tag like O, B-ADR or I-ADR, or the number of one, not {quote(tag)}")
        return tag


def _tag_names(dataset: Any, column: str) -> Sequence[str]:
    """Look up what the numbers in a column of lists stand for."""
    feature = (getattr(dataset, "features", None) or {}).get(column)
    inner = feature[0] if isinstance(feature, list) else getattr(feature, "feature", None)
    return getattr(inner, "names", ())


def _rename(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Rename columns to the keys of JSONL, and leave out others that bear one of those."""
    chosen = {ours: row[name] for name, ours in names.items() if name in row}
    return drop_keys(row, {*names, *names.values()}) | chosen


def _check_single(dataset: object) -> None:
    if isinstance(dataset, Mapping):
        raise InputError(f"this holds several datasets: name one of them, e.g. [{quote(next(iter(dataset), 'train'))}]")


def _as_plain(rows: Any) -> Any:
    """Take rows of plain values: a dataset may have been told to yield those of some library."""
    return rows.with_format(None) if hasattr(rows, "with_format") else rows


def _document(text: str, index: int) -> Document:
    from disconer.recognizer import as_document  # noqa: PLC0415 (only where there is a recognizer)

    with locate_errors(_PLACE, index + 1):
        return as_document(text)


def _column_options(dataset: Any, into: str) -> dict[str, Any]:
    """Tell a dataset the type of the column, which it could not see in rows without mentions.

    One that is not streamed would also pickle the whole model, to find out whether it has met it before.
    """
    with require_extra("datasets"):
        from datasets import Dataset, Features  # noqa: PLC0415
    features = dataset.features and Features({**dataset.features, into: datasets.make_features()["entities"]})
    return {"features": features} | ({"new_fingerprint": uuid4().hex} if isinstance(dataset, Dataset) else {})
