"""XML that anybody may have written: read with entity expansion off, element by element; escaped when written."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape

from disconer.exceptions import CannotHoldError, FormatError, InputError, locate_errors
from disconer.foundation.files import open_bytes

# Everything that XML 1.0 has no way to write, escaped or not.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A reader turns bare carriage returns into line feeds, and in attributes all of these into spaces.
_IN_TEXT = {"\r": "&#13;"}
_IN_ATTRIBUTES = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;", '"': "&quot;"}


def read_elements(path: Path, tags: Collection[str], deepest: int | None = None) -> Iterator[Element]:
    """Read the elements with these tags one by one, each whole and forgotten afterwards; none holds another.

    With `deepest` only those that lie no deeper: 0 is the outermost element, 1 its children. It comes last.
    """
    with open_bytes(path) as stream:
        yield from _iterate_elements(stream, tags, path, deepest)


def parse_elements(content: bytes, tags: Collection[str], place: Path | str) -> Iterator[Element]:
    """Read the elements with these tags of what is in memory one by one, as `read_elements` does."""
    return _iterate_elements(BytesIO(content), tags, place)


def parse_root(content: bytes, place: Path | str) -> Element:
    """Parse a whole document."""
    return next(_iterate_elements(BytesIO(content), (), place))


def read_root_tag(path: Path) -> str:
    """Read the tag of the outermost element."""
    from defusedxml.ElementTree import iterparse  # noqa: PLC0415 (imported where XML is read)

    with open_bytes(path) as stream, _translate_errors(path):
        return next((str(element.tag) for _, element in iterparse(stream, events=("start",))), "")


def child_text(parent: Element, tag: str) -> str:
    """The text of the first child with a tag; empty when there is none."""
    return parent.findtext(tag) or ""


def escape_text(text: str) -> str:
    """Escape text that stands between tags."""
    _check_writable(text)
    return escape(text, _IN_TEXT)


def quote_attribute(text: str) -> str:
    """Escape and quote the value of an attribute."""
    _check_writable(text)
    return f'"{escape(text, _IN_ATTRIBUTES)}"'


def is_writable(text: str) -> bool:
    """Tell whether XML has a way to write a text."""
    return not _UNWRITABLE.search(text)


def replace_unwritable(text: str) -> str:
    """Put another character in the place of each that XML has no way to write."""
    return _UNWRITABLE.sub("\ufffd", text)


def _check_writable(text: str) -> None:
    found = _UNWRITABLE.search(text)
    if found:
        raise CannotHoldError(f"XML has no way to write the character U+{ord(found[0]):04X}: remove it first")


def _iterate_elements(
    stream: BinaryIO, tags: Collection[str], place: Path | str, deepest: int | None = None
) -> Iterator[Element]:
    """Iterate over the elements with these tags; without any, only over the root."""
    from defusedxml.ElementTree import iterparse  # noqa: PLC0415 (imported where XML is read)

    open_elements: list[Element] = []
    kept = [0]
    """How many children that stay each open element has; the next one is taken from behind them."""
    with _translate_errors(place):
        for event, element in iterparse(stream, events=("start", "end")):
            if event == "start":
                open_elements.append(element)
                kept.append(0)
                continue
            open_elements.pop()
            kept.pop()
            if element.tag in tags and (deepest is None or len(open_elements) <= deepest):
                with locate_errors(place):
                    yield element
                if open_elements:
                    del open_elements[-1][kept[-1]]
                continue
            kept[-1] += 1
            if not tags and not open_elements:
                yield element


@contextmanager
def _translate_errors(place: Path | str) -> Iterator[None]:
    from defusedxml.common import DefusedXmlException  # noqa: PLC0415

    try:
        yield
    except ParseError as error:
        message = f"this is not XML: {str(error.msg).partition(':')[0]}"
        raise FormatError(message, path=place, line=error.position[0]) from None
    except DefusedXmlException:
        message = "this XML declares entities, which may hide a bomb or a theft: expand and remove them first"
        raise FormatError(message, path=place) from None
    except InputError:
        raise
    except (LookupError, ValueError):
        raise FormatError("this XML is in an encoding that cannot be read: convert it to UTF-8", path=place) from None
