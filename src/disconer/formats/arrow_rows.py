"""Rows of Arrow tables, which Parquet files and folders of datasets hold, seen as JSON records."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from disconer.exceptions import FormatError, InputError, located
from disconer.formats.json_records import parsed

BATCH = 64
"""How many rows are held at a time."""


def records(batches: Iterable[Any], path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the rows of tables one by one, each with its number, as JSON records."""
    with arrow_errors(path):
        for number, row in enumerate(_rows(batches), start=1):
            with located(path, number):
                yield number, as_json(row)


def as_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """See a row as a JSON record; what JSON has no form for, such as dates, is text."""
    return parsed(json.dumps(row, default=str))


def _rows(batches: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        batch.validate(full=True)  # a damaged file may have offsets that lead out of it, which nobody has looked at yet
        yield from batch.to_pylist()


@contextmanager
def arrow_errors(path: Path) -> Iterator[None]:
    """Turn what pyarrow raises when it reads into a line that names the file."""
    import pyarrow as pa  # noqa: PLC0415 (only imported where it is needed)

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise FormatError("this is not Parquet or Arrow, or it is damaged", path=path) from None
