"""Hugging Face datasets: a folder as `Dataset.save_to_disk` writes it, with the records of JSONL as typed columns.

    id: string, text: string, entities: list of {label: string, spans: list of [start, end], score: float64,
    other_keys: string}, sentences and words: lists of [start, end], other_keys: string

`other_keys` holds the keys that disconer does not know as JSON, so that nothing is lost. Of the folders that others
saved, those with the columns of JSONL or with those of BigBIO's `kb` schema can be read.
"""

import json
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from disconer.document import Document
from disconer.exceptions import FormatError, locate_errors, quote
from disconer.formats import arrow_files, bigbio, jsonl
from disconer.formats.json_keys import drop_keys
from disconer.formats.json_records import limit_depth, parse_record
from disconer.formats.losses import Losses
from disconer.foundation.extras import require_extra
from disconer.foundation.files import create_folder
from disconer.tokenize import Split

Record = dict[str, Any]

_OTHERS = "other_keys"
_COLUMNS = ("text", "entities", "sentences", "words")
_ENTITY_COLUMNS = ("label", "spans", "score")
_STATE = "state.json"
"""A file that only the folder of a single dataset has."""


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read documents one by one; the rows are mapped into memory and not loaded."""
    dataset = _load_dataset(path)
    with locate_errors(path):
        document_of = choose_row_parser(dataset.column_names)
    for number, row in arrow_files.read_rows(dataset.with_format("arrow").iter(arrow_files.BATCH), path):
        with locate_errors(path, number):
            yield document_of(row, split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write a row for every document; like JSONL, the columns hold all but unknown keys of the same names."""
    with require_extra("datasets"):
        from datasets import Dataset  # noqa: PLC0415 (only imported where it is needed)
        from datasets.arrow_writer import ArrowWriter  # noqa: PLC0415
    with create_folder(path) as folder, _hide_progress_bars():
        rows = folder / "rows"
        rows.mkdir()
        with ArrowWriter(
            features=make_features(), path=str(rows / "rows.arrow"), writer_batch_size=arrow_files.BATCH
        ) as file:
            for document in documents:
                file.write(to_row(document, losses))
            file.finalize()
        dataset = Dataset.from_file(str(rows / "rows.arrow"))
        # Left to itself, it saves a dataset without rows as no file at all, which cannot be loaded.
        dataset.save_to_disk(str(folder), num_shards=None if len(dataset) else 1)
        del dataset
        shutil.rmtree(rows)


def choose_row_parser(columns: Collection[str]) -> Callable[[Record, Split], Document]:
    """Choose the function that reads rows with these columns."""
    if "passages" in columns and "entities" in columns:
        return _read_bigbio_row
    if "text" in columns:
        return _read_row
    message = "this needs the columns 'text' and 'entities', or BigBIO's 'passages' and 'entities', and has "
    raise FormatError(message + ", ".join(map(quote, columns)))


def _read_bigbio_row(row: Record, split: Split) -> Document:
    # Such rows are documents and not sentences, whether they have line breaks or not.
    return bigbio.read_document(row, Split.ALWAYS if split is Split.AUTO else split)


def make_features() -> Any:
    """Make the types of the columns."""
    from datasets import Features, Value  # noqa: PLC0415

    text, spans = Value("string"), [[Value("int64")]]
    entities = [{"label": text, "spans": spans, "score": Value("float64"), _OTHERS: text}]
    columns = {"id": text, "text": text, "entities": entities, "sentences": spans, "words": spans, _OTHERS: text}
    return Features(columns)


def _load_dataset(path: Path) -> Any:
    with require_extra("datasets"):
        from datasets import load_from_disk  # noqa: PLC0415 (only imported where it is needed)
    if not (path / _STATE).is_file():
        raise FormatError(_describe_missing(path), path=path)
    try:
        with _hide_progress_bars():
            return load_from_disk(str(path.absolute()))  # an absolute path is never taken for an address
    except Exception as error:  # for every file that is missing or damaged it raises something else
        raise FormatError(f"this dataset cannot be loaded ({quote(str(error))}): save it again", path=path) from None


def _describe_missing(path: Path) -> str:
    splits = sorted(state.parent.name for state in path.glob(f"*/{_STATE}"))
    if splits:
        example = "train" if "train" in splits else splits[0]
        return f"this holds several datasets: name one of them, e.g. {path / example}"
    return f"there is no {_STATE} here, so this is not what Dataset.save_to_disk writes"


@contextmanager
def _hide_progress_bars() -> Iterator[None]:
    from datasets.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars  # noqa: PLC0415

    were_disabled = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not were_disabled:
            enable_progress_bars()


def to_row(document: Document, losses: Losses) -> Record:
    """Convert a document to its columns, and count what they cannot hold."""
    jsonl.note_reserved(document, losses)
    record = jsonl.to_record(document)
    identifier = record.get("id")
    if isinstance(identifier, str):  # a number is also kept among the others, as the number that it is
        del record["id"]
    record["entities"] = [_to_columns(entity, _ENTITY_COLUMNS) for entity in record["entities"]]
    return {"id": None if identifier is None else str(identifier), **_to_columns(record, _COLUMNS)}


def _read_row(row: Record, split: Split) -> Document:
    """Undo `to_row`."""
    record = _merge_others(row)
    if isinstance(record.get("entities"), list):
        record["entities"] = [_merge_others(entity) for entity in record["entities"]]
    return jsonl.read_document(record, split)


def _to_columns(record: Record, columns: tuple[str, ...]) -> Record:
    others = drop_keys(record, columns)
    with limit_depth():
        written = json.dumps(others) if others else None
    return {column: record.get(column) for column in columns} | {_OTHERS: written}


def _merge_others(value: Any) -> Any:
    """Undo `_to_columns`; what is no object is left for others to complain about."""
    if not isinstance(value, dict):
        return value
    others = value.pop(_OTHERS, None)
    if others is not None and not isinstance(others, str):
        raise FormatError(f"the column {_OTHERS!r} must hold JSON as text")
    return value if others is None else value | parse_record(others)
