"""Parquet files of BigBIO records, read and written a few rows at a time."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from disconer.extras import installed
from disconer.formats import arrow_rows
from disconer.formats.bigbio.passages import Record
from disconer.formats.bigbio.schema import KB, arrow_type
from disconer.formats.files import reading_bytes, replacing_path

_MAGIC = b"PAR1"
"""What every such file begins with."""
_ROW_GROUP = 1 << 22
"""How many bytes of rows make a group, which costs some kilobytes of the file and, until that is closed, of memory."""
_MANY_TABLES = 64
"""A table costs memory too, however few rows it has, so that so many are made one."""


def is_called_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def begins_as_parquet(path: Path) -> bool:
    """Tell by the first bytes of a file; what is read from a pipe would be gone."""
    if not path.is_file():
        return False
    with reading_bytes(path) as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def read_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Read records one by one, each with its number."""
    with installed("parquet"):
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 (only imported where it is needed)
    with reading_bytes(path) as stream:
        with arrow_rows.arrow_errors(path):
            file = ParquetFile(stream)
        yield from arrow_rows.records(file.iter_batches(arrow_rows.BATCH), path)


def write_records(records: Iterable[Record], path: Path) -> None:
    """Write a row for every record."""
    with installed("parquet"):
        import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)
        from pyarrow.parquet import ParquetWriter  # noqa: PLC0415
    schema = pa.schema(arrow_type(KB))
    with replacing_path(path) as temporary, ParquetWriter(temporary, schema) as writer:
        for group in _row_groups(records, schema):
            writer.write_table(group)


def _row_groups(records: Iterable[Record], schema: Any) -> Iterator[Any]:
    """Give tables of about the size of a group; as rows of Arrow's, records take far less memory."""
    import pyarrow as pa  # noqa: PLC0415

    held: list[Any] = []
    size = 0
    for batch in _batches(records):
        held.append(pa.Table.from_pylist(batch, schema))
        size += held[-1].nbytes
        if len(held) == _MANY_TABLES:
            held = [pa.concat_tables(held).combine_chunks()]
        if size >= _ROW_GROUP:
            yield pa.concat_tables(held)
            held, size = [], 0
    if held:
        yield pa.concat_tables(held)


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Give a few records at a time, fewer if their texts are long."""
    batch: list[Record] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += sum(len(text) for passage in record["passages"] for text in passage["text"])
        if len(batch) == arrow_rows.BATCH or characters >= _ROW_GROUP:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
