from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.exceptions import CannotHoldError, FormatError
from disconer.formats.xml_files import (
    child_text,
    escape_text,
    parse_root,
    quote_attribute,
    read_elements,
    read_root_tag,
)
from tests.strategies import CHARACTERS

DOCTYPE = '<!DOCTYPE collection SYSTEM "BioC.dtd">'
HOSTILE = {
    "a bomb": '<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;&x;&x;">]><a>&y;</a>',
    "a theft": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "a parameter": '<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a/>',
}


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_elements_come_one_by_one_and_are_forgotten(tmp_path: Path) -> None:
    documents = "".join(f"<document><id>{number}</id><passage/></document>" for number in range(1000))
    path = written(tmp_path / "a.xml", f"<?xml version='1.0'?>{DOCTYPE}<collection><source/>{documents}</collection>")
    reading = read_elements(path, {"document"})
    first = next(reading)
    second = next(reading)
    assert [child_text(first, "id"), child_text(second, "id"), child_text(second, "nothing")] == ["0", "1", ""]
    assert len([first, second, *reading]) == 1000
    assert read_root_tag(path) == "collection"


def test_what_stands_between_elements_stays(tmp_path: Path) -> None:
    content = "".join(f"<other>{number}</other><document>{number}</document>" for number in range(5000))
    path = written(tmp_path / "a.xml", f"<a>{content}</a>")
    *documents, root = read_elements(path, {"document", "a"})
    assert [document.text for document in documents] == [str(number) for number in range(5000)]
    assert [child.text for child in root] == [str(number) for number in range(5000)]


def test_what_was_read_is_there_before_what_is_broken(tmp_path: Path) -> None:
    broken = f"<a><document>1</document>{' ' * 1_000_000}</b>"
    reading = read_elements(written(tmp_path / "a.xml", broken), {"document"})
    assert next(reading).text == "1"
    with pytest.raises(FormatError, match=r"a\.xml:1: this is not XML: mismatched tag"):
        next(reading)


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_entities_are_refused(tmp_path: Path, content: str) -> None:
    path = written(tmp_path / "a.xml", content)
    with pytest.raises(FormatError, match=r"a\.xml: this XML declares entities"):
        list(read_elements(path, {"a"}))
    with pytest.raises(FormatError, match="declares entities"):
        parse_root(content.encode(), "a.xml")
    with pytest.raises(FormatError, match="declares entities"):
        read_root_tag(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"a\.xml:1: this is not XML: no element found"),
        ("<a>", r"a\.xml:1: this is not XML: no element found"),
        ("<a>\n&nbsp;</a>", r"a\.xml:2: this is not XML: undefined entity"),
        (b"<a>\xff</a>", r"a\.xml:1: this is not XML: not well-formed"),
        ("<?xml version='1.0' encoding='nonsense'?><a/>", "encoding that cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = written(tmp_path / "a.xml", content)
    with pytest.raises(FormatError, match=message):
        list(read_elements(path, {"a"}))
    with pytest.raises(FormatError, match=message):
        parse_root(path.read_bytes(), path)


@given(st.text(CHARACTERS.filter(lambda character: character in "\t\n\r" or (" " <= character <= "\ufffd"))))
def test_what_is_escaped_is_read_back(text: str) -> None:
    element = fromstring(f"<a b={quote_attribute(text)}>{escape_text(text)}</a>")
    assert (element.text or "", element.get("b")) == (text, text)


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x1c", "\ufffe", "\uffff"])
def test_what_xml_cannot_write_is_refused(character: str) -> None:
    for write in (escape_text, quote_attribute):
        with pytest.raises(CannotHoldError, match=f"no way to write the character U\\+{ord(character):04X}"):
            write(f"a{character}b")
