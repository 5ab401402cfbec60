"""Files of JSON records, read one record at a time however large they are, and written the same way.

A file may hold a record a line, one array of records, or one object with such an array under a key.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from disconer.exceptions import CannotHoldError, FormatError, locate_errors, quote
from disconer.foundation.files import read_pieces, replace_file

_BLANK = re.compile(r"[ \t\r\n]*")
_Found = tuple[int, Any, dict[str, Any]]
"""The line that a value begins on, the value, and what stands in front of it in the object around it."""
_LONGEST_TOKEN = 16
"""What is shorter than a name like -Infinity or an escape may be cut by the end of a piece."""
_HEAD_PIECES = 16
"""How much of a file is looked at to tell what it is."""
# A string may go on behind what is looked at; without backtracking, whatever it holds takes no more than linear time.
_HEAD_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"(\s*+:)?|\\?\Z)|[\[\]{}]', re.DOTALL)


def parse_record(line: str) -> dict[str, Any]:
    """Parse a line that holds one object."""
    return check_record(parse_json(line))


def parse_json(text: str) -> Any:
    """Parse JSON, and nothing that is none."""
    with _translate_errors():
        return _DECODER.decode(text)


def check_record(value: Any) -> dict[str, Any]:
    """Check that a value is an object."""
    if not isinstance(value, dict):
        raise FormatError("a record must be one JSON object, in JSONL one a line: for other formats see --from")
    return value


def read_records(path: Path, key: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read records one by one, each with the line it begins on: those of an array, of the array under `key` of an
    object, or one after the other.
    """
    return ((line, record) for line, record, _ in read_nested_records(path, key))


def read_nested_records(path: Path, key: str | None) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Read records like `read_records`, each with what stands beside the array in the object around it.

    That is one dictionary for all of them; what stands behind the array is in it when the last was read.
    """
    scanner = _Scanner(path)
    while scanner.peek():
        for line, value, around in scanner.read_elements(key) if scanner.peek() == "[" else scanner.read_values(key):
            with locate_errors(path, line):
                yield line, check_record(value), around


def read_first_keys(path: Path) -> frozenset[str]:
    """Read the keys of the first object in a file, as far as they are near its beginning."""
    head = "".join(islice(read_pieces(path), _HEAD_PIECES)).lstrip()
    keys: set[str] = set()
    depth = 0
    outermost = 2 if head.startswith("[") else 1
    for match in _HEAD_TOKEN.finditer(head):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if match[1] and depth == outermost:
            keys.add(match[0].rstrip(": \t\r\n")[1:-1])
        elif match[0] == "}" and depth < outermost:
            break
    return frozenset(keys)


@contextmanager
def limit_depth() -> Iterator[None]:
    """Say so when something is nested more deeply than Python can write."""
    try:
        yield
    except RecursionError:
        raise CannotHoldError("an unknown key is nested too deeply for JSON: remove it") from None


@contextmanager
def write_array(path: Path, opening: str = "[", closing: str = "]") -> Iterator[Callable[[Any], None]]:
    """Open an array, between an opening and a closing, and yield the function that writes a record."""
    with replace_file(path) as stream:
        stream.write(opening)
        separators = chain(("\n",), iter(lambda: ",\n", None))

        def write(record: Any) -> None:
            with limit_depth():
                stream.write(next(separators) + json.dumps(record, ensure_ascii=False))

        yield write
        stream.write(f"\n{closing}\n")


class _Scanner:
    """A file of JSON of which only the value that is being read is held."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pieces = read_pieces(path)
        self._text = ""
        self._position = 0
        self._line = 1
        """The line of the character at the position."""

    def peek(self) -> str:
        """The next character that is not blank, empty at the end of the file."""
        while True:
            self._advance(_BLANK.match(self._text, self._position).end())  # type: ignore[union-attr]
            if self._position < len(self._text) or not self._read_on(1):
                return self._text[self._position : self._position + 1]

    def read_value(self) -> tuple[int, Any]:
        """Read a value, with the line it begins on."""
        self.peek()
        line = self._line
        pieces = 1
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                if not _may_be_cut(error) or not self._read_on(pieces):
                    line += self._text.count("\n", self._position, error.pos)
                    raise FormatError(f"this is not JSON ({error.msg})", path=self._path, line=line) from None
                pieces *= 2
                continue
            except (FormatError, ValueError, RecursionError):
                with locate_errors(self._path, line), _translate_errors():
                    raise
            if end == len(self._text) and self._read_on(1):  # a number may go on
                continue
            self._advance(end)
            return line, value

    def read_elements(self, key: str | None = None) -> Iterator[_Found]:
        """Read the values of an array."""
        self._expect("[")
        while self.peek() != "]":
            yield from self.read_values(key)
            if self.peek() != "]":
                self._expect(",")
        self._expect("]")

    def read_values(self, key: str | None) -> Iterator[_Found]:
        """Read the values of the array under a key of an object; the value itself when there is no such array."""
        if key is None or self.peek() != "{":
            yield *self.read_value(), {}
            return
        self._expect("{")
        line = self._line
        others: dict[str, Any] = {}
        found = False
        while self.peek() != "}":
            if self.peek() != '"':
                raise FormatError("this is not JSON (Expecting property name)", path=self._path, line=self._line)
            name = self.read_value()[1]
            self._expect(":")
            if name == key and self.peek() == "[":
                found = True
                yield from ((at, value, others) for at, value, _ in self.read_elements())
            else:
                others[name] = self.read_value()[1]
            if self.peek() != "}":
                self._expect(",")
        self._expect("}")
        if not found:
            yield line, others, {}

    def _expect(self, character: str) -> None:
        if self.peek() != character:
            raise FormatError(f"this is not JSON: expected {character!r} here", path=self._path, line=self._line)
        self._advance(self._position + 1)

    def _advance(self, position: int) -> None:
        self._line += self._text.count("\n", self._position, position)
        self._position = position

    def _read_on(self, pieces: int) -> bool:
        """Read on and forget what was passed; tell whether there was anything more."""
        taken = "".join(islice(self._pieces, pieces))
        self._text, self._position = self._text[self._position :] + taken, 0
        return taken != ""


def _may_be_cut(error: json.JSONDecodeError) -> bool:
    """Tell whether an error may come of what is not read yet: it is at the end, or a string that has none."""
    return error.msg.startswith("Unterminated string") or error.pos > len(error.doc) - _LONGEST_TOKEN


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON ({error.msg} at column {error.colno})") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("this JSON has a number with too many digits") from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply") from None


def _refuse_constant(name: str) -> NoReturn:
    raise FormatError(f"{quote(name)} is not a number that JSON can hold: use another or null")


def _parse_float(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refuse_constant(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float)
