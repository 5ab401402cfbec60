"""Arrow tables, in Parquet files and in folders of datasets, read as JSON records and written a few rows at a time."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from disconer.exceptions import FormatError, InputError, locate_errors
from disconer.formats.json_records import parse_record
from disconer.foundation.extras import require_extra
from disconer.foundation.files import open_bytes, replace_path

BATCH = 64
"""How many rows are held at a time."""
_MAGIC = b"PAR1"
"""What every Parquet file begins with."""
_ROW_GROUP = 1 << 22
"""Bytes of a row group; each costs some kilobytes of the file and, until that is closed, of memory."""
_MOST_TABLES = 64
"""Tables held before they are combined: each costs memory, however few rows it has."""

Record = dict[str, Any]


def is_parquet(path: Path) -> bool:
    """Tell by the name of a file, or else by its first bytes; those of a pipe would be gone."""
    if is_called_parquet(path):
        return True
    if not path.is_file():
        return False
    with open_bytes(path) as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def is_called_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def read_parquet(path: Path) -> Iterator[tuple[int, Record]]:
    """Read records one by one, each with its number."""
    with require_extra("parquet"):
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 (only imported where it is needed)
    with open_bytes(path) as stream:
        with _translate_errors(path):
            file = ParquetFile(stream)
        yield from read_rows(file.iter_batches(BATCH), path)


def read_rows(batches: Iterable[Any], path: Path) -> Iterator[tuple[int, Record]]:
    """Read the rows of tables one by one, each with its number, as JSON records."""
    with _translate_errors(path):
        for number, row in enumerate(_iterate_rows(batches), start=1):
            with locate_errors(path, number):
                yield number, as_json_record(row)


def as_json_record(row: Mapping[str, Any]) -> Record:
    """Convert a row; what JSON has no form for, such as dates, becomes text."""
    return parse_record(json.dumps(row, default=str))


def _iterate_rows(batches: Iterable[Any]) -> Iterator[Record]:
    for batch in batches:
        batch.validate(full=True)  # a damaged file may have offsets that lead out of it, which nobody has looked at yet
        yield from batch.to_pylist()


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Turn what pyarrow raises when it reads into a line that names the file."""
    import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise FormatError("this is not Parquet or Arrow, or it is damaged", path=path) from None


def write_parquet(
    records: Iterable[Record], path: Path, make_type: Callable[[], Any], count_characters: Callable[[Record], int]
) -> None:
    """Write a row for every record; the Arrow type of a row is made once pyarrow is known to be installed."""
    with require_extra("parquet"):
        import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)
        from pyarrow.parquet import ParquetWriter  # noqa: PLC0415
    schema = pa.schema(make_type())
    with replace_path(path) as temporary, ParquetWriter(temporary, schema) as writer:
        for group in _group_rows(_batch_records(records, count_characters), schema):
            writer.write_table(group)


def _group_rows(batches: Iterable[list[Record]], schema: Any) -> Iterator[Any]:
    """Combine batches into tables of about the size of a row group; in Arrow, records take far less memory."""
    import pyarrow as pa  # noqa: PLC0415

    held: list[Any] = []
    size = 0
    for batch in batches:
        held.append(pa.Table.from_pylist(batch, schema))
        size += held[-1].nbytes
        if len(held) == _MOST_TABLES:
            held = [pa.concat_tables(held).combine_chunks()]
        if size >= _ROW_GROUP:
            yield pa.concat_tables(held)
            held, size = [], 0
    if held:
        yield pa.concat_tables(held)


def _batch_records(records: Iterable[Record], count_characters: Callable[[Record], int]) -> Iterator[list[Record]]:
    """Batch a few records at a time, fewer if their texts are long."""
    batch: list[Record] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += count_characters(record)
        if len(batch) == BATCH or characters >= _ROW_GROUP:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
