import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer.exceptions import FormatError
from disconer.formats.json_records import read_first_keys, read_records, write_array
from tests.strategies import JSON

RECORDS = st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=4)


def found(path: Path, content: str | bytes, key: str | None = None) -> list[tuple[int, dict[str, Any]]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_records(path, key))


@settings(max_examples=60)
@given(RECORDS, st.sampled_from([None, 2]), st.booleans())
def test_records_are_found_in_every_kind_of_file(
    tmp_path_factory: pytest.TempPathFactory, expected: list[dict[str, Any]], indent: int | None, is_ascii: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "records.json"
    head = {"infons": {"documents": [1]}, "n": -1.5e3, "x": None}
    kinds: list[tuple[object, str | None]] = [
        (expected, None),
        ({**head, "documents": expected, "after": 1}, "documents"),
    ]
    for value, key in kinds:
        written = json.dumps(value, indent=indent, ensure_ascii=is_ascii).encode(errors="backslashreplace")
        assert [record for _, record in found(path, written, key)] == expected
    lines = "\n".join(json.dumps(record) for record in expected)
    assert [record for _, record in found(path, lines)] == expected


def test_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    assert [line for line, _ in found(path, '\ufeff[\n{"a": "\\n"},\r\n\n {"b":\n 1}]')] == [2, 4]
    assert [line for line, _ in found(path, '{"x": 1,\n"documents":\n[{},\n{}]}', "documents")] == [3, 4]


def test_a_record_larger_than_what_is_read_at_a_time(tmp_path: Path) -> None:
    large = {"text": "é漢🙂" * 100_000, "numbers": list(range(50_000))}
    assert [record for _, record in found(tmp_path / "a.json", json.dumps([large, {}], ensure_ascii=False))] == [
        large,
        {},
    ]


def test_an_object_without_the_array_is_the_record_itself(tmp_path: Path) -> None:
    content = '{"id": "1"}\n{"id": "2", "documents": null}'
    assert [record["id"] for _, record in found(tmp_path / "a.json", content, "documents")] == ["1", "2"]


@pytest.mark.parametrize("content", ["", " \n\t", "[]", '{"documents": []}', "\ufeff"])
def test_nothing_is_no_record(tmp_path: Path, content: str) -> None:
    assert found(tmp_path / "a.json", content, "documents") == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"a": 1}', r"a\.json:1: this is not JSON: expected ','"),
        ('[{"a": 1}\n{"b": 2}]', r"a\.json:2: this is not JSON: expected ','"),
        ('[{"a":\n1, b}]', r"a\.json:2: this is not JSON \(Expecting property name"),
        ('{"a": 1, "documents": [{}}', "this is not JSON: expected ','"),
        ("[1]", "a record must be one JSON object"),
        ('"text"', "a record must be one JSON object"),
        ('[{"a": NaN}]', "'NaN' is not a number"),
        ('[{"a": 1e999}]', "'1e999' is not a number"),
        ('[{"a": ' + "9" * 5000 + "}]", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        (b'[{"a": "\xff"}]', r"a\.json:1: this is not UTF-8"),
        (b'[\n{"a": "\xe2\x82', r"a\.json:2: this is not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        found(tmp_path / "a.json", content, "documents")


def test_a_mistake_is_told_without_reading_on(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)  # nobody ever ends what is written there
    os.write(writer, b'[{"a": }, '.ljust(1 << 16))
    with pytest.raises(FormatError, match="this is not JSON"):
        next(read_records(tmp_path / "pipe"))
    os.close(writer)


def test_the_first_records_come_before_the_last_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1}, {"b": 2},' + " " * 1_000_000 + "nonsense", encoding="utf-8")
    reading = read_records(path)
    assert [next(reading)[1], next(reading)[1]] == [{"a": 1}, {"b": 2}]
    with pytest.raises(FormatError):
        next(reading)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('[{"a": {"no": 1}, "b": [{"no": 1}], "c": "no\\": {"}, {"d": 1}]', {"a", "b", "c"}),
        ('{"a" : 1}\n{"b": 2}', {"a"}),
        ('  \n{"a": "} \\\\", "b": 1', {"a", "b"}),
        ("", set()),
        ("[1, 2]", set()),
        ('{"a": "' + r"\"" * 1_000_000 + '", "b": 1}', {"a"}),  # only the beginning is looked at, and once
    ],
)
def test_the_keys_of_the_first_record_are_seen(tmp_path: Path, content: str, expected: set[str]) -> None:
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    assert set(read_first_keys(path)) == expected


@given(RECORDS)
def test_an_array_is_written_record_by_record(
    tmp_path_factory: pytest.TempPathFactory, expected: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.json"
    with write_array(path) as write:
        for record in expected:
            write(record)
    assert json.loads(path.read_bytes()) == expected
