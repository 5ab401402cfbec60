import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, Mention
from disconer.drawing.terminal import draw, wrap_text
from disconer.foundation.characters import character_edges
from disconer.tokenize import Layout
from tests.strategies import documents, mentions

TEXT = "Severe joint, shoulder and upper body pain."
MARKS = "╰─╯┴┄"


def width_of(text: str) -> int:
    """Count columns by the Unicode tables alone."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in ("Mn", "Cf") for character in text)


# Characters on whose width all terminals agree, every one of them its own.
PLAIN_TEXTS = st.text(st.sampled_from("abcdefg  \n漢字é,"), min_size=1, max_size=80)


@st.composite
def plain_documents(draw_: st.DrawFn, at_most: int) -> Document:
    layout = Layout(draw_(PLAIN_TEXTS))
    return Document(layout, draw_(st.lists(mentions(layout, st.just("X")), min_size=1, max_size=at_most)))


def drawn_lines(document: Document, width: int) -> list[tuple[dict[int, int], list[str]]]:
    """Take a drawing apart: for each line of text which offset stands in which column, and the rows under it."""
    taken: list[tuple[dict[int, int], list[str]]] = []
    offset = 0
    for row in draw(document, width, colour=False).split("\n"):
        if any(mark in row for mark in MARKS):
            taken[-1][1].append(row)
            continue
        while not document.text.startswith(row, offset):  # white space at the end of a line is not shown
            assert document.text[offset].isspace()
            offset += 1
        columns: dict[int, int] = {}
        for place, character in enumerate(row):
            start = width_of(row[:place])
            columns |= dict.fromkeys(range(start, start + width_of(character)), offset + place)
        taken.append((columns, []))
        offset += len(row)
    assert not document.text[offset:].strip()
    return taken


class TestMarks:
    def test_every_mention_has_marks_and_a_label(self) -> None:
        fragments = [[(0, 12), (38, 42)], [(0, 6), (14, 22), (38, 42)], [(0, 6), (27, 42)]]
        layout = Layout(TEXT)
        document = Document(layout, [Mention("ADR", spans, layout, 0.5) for spans in fragments])
        assert draw(document, 80, colour=False).split("\n") == [
            TEXT,
            "╰──────────╯┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╰──╯ ADR 0.50",
            "╰────╯┄┄┄┄┄┄┄┄╰──────╯┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╰──╯ ADR 0.50",
            "╰────╯┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╰─────────────╯ ADR 0.50",
        ]

    def test_a_mention_goes_on_in_the_next_line(self) -> None:
        document = Document(TEXT, [("ADR", [(0, 6), (14, 42)])])
        assert draw(document, 24, colour=False).split("\n") == [
            "Severe joint, shoulder",
            "╰────╯┄┄┄┄┄┄┄┄╰ ADR ───",
            "and upper body pain.",
            "──────────────────╯ …ADR",
        ]

    def test_wide_and_combining_characters_keep_their_columns(self) -> None:
        text = "頭痛 cafe\u0301 👩\u200d⚕\ufe0f ok"
        document = Document(text, [("A", [(3, 8)]), ("B", [(9, 13)]), ("C", [(14, 16)])])
        assert draw(document, 40, colour=False).split("\n") == [
            text,
            "     ╰──╯ A  ╰╯ C",
            "          ╰╯ B",
        ]

    def test_a_name_stands_where_there_is_room(self) -> None:
        text = "a bc de fg"
        behind = Document(text, [("X", [(2, 4)])])
        before = Document(text, [("X", [(8, 10)])])
        inside = Document(text, [("X", [(0, 10)])])
        assert [draw(one, 10, colour=False).split("\n")[1] for one in (behind, before, inside)] == [
            "  ╰╯ X",
            "      X ╰╯",
            "╰ X ─────╯",
        ]

    def test_a_long_name_is_shortened(self) -> None:
        document = Document("pain here", [("AdverseReaction", [(0, 4)])])
        assert draw(document, 12, colour=False).split("\n") == ["pain here", "╰──╯ Advers…"]

    @given(plain_documents(at_most=1))
    def test_marks_stand_under_their_characters_and_all_have_one(self, document: Document) -> None:
        (mention,) = document
        parts = {offset for fragment in mention.fragments for offset in range(*fragment)}
        for columns, rows in drawn_lines(document, 200):
            row = (rows or [""])[0]
            for column, offset in columns.items():
                mark = row[column] if column < len(row) else " "
                if offset in parts:
                    assert mark in "╰─╯┴"
                elif mention.start <= offset < mention.end:
                    assert mark == "┄"
                else:
                    assert mark not in MARKS

    @given(plain_documents(at_most=4), st.integers(10, 30))
    def test_marks_of_many_mentions_in_narrow_lines_stand_under_something_they_mark(
        self, document: Document, width: int
    ) -> None:
        parts = {offset for mention in document for fragment in mention.fragments for offset in range(*fragment)}
        gaps = {offset for mention in document for offset in range(mention.start, mention.end)} - parts
        for columns, rows in drawn_lines(document, width):
            for column, mark in [pair for row in rows for pair in enumerate(row)]:
                if column in columns and mark in "╰─╯┴":
                    assert columns[column] in parts
            crossed = {columns[c] for row in rows for c, mark in enumerate(row) if mark == "┄" and c in columns}
            assert crossed <= gaps | parts


class TestLines:
    @given(plain_documents(at_most=4), st.integers(10, 40))
    def test_no_row_is_too_wide(self, document: Document, width: int) -> None:
        assert max(map(width_of, draw(document, width, colour=False).split("\n"))) <= width

    @given(documents(), st.integers(10, 40))
    def test_nothing_reaches_the_terminal_that_it_would_obey(self, document: Document, width: int) -> None:
        shown = draw(document, width, colour=False)
        assert all(character.isprintable() or character in "\n\u200c\u200d" for character in shown)

    @given(documents(), st.integers(10, 40))
    def test_lines_hold_every_character_once(self, document: Document, width: int) -> None:
        lines = list(wrap_text(document.text, character_edges(document.text), width))
        assert [line.start for line in lines[1:]] == [line.end for line in lines[:-1]]
        if document.text:
            assert (lines[0].start, lines[-1].end) == (0, len(document.text))
        assert all(line.columns[-1] <= width for line in lines)

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", []),
            ("one two three", ["one two", "three"]),
            ("one\r\n\r\ntwo\u2028three\n", ["one", "", "two", "three"]),
            ("abcdefghijklm", ["abcdefghij", "klm"]),
            ("ok 頭痛がする日", ["ok 頭痛が", "する日"]),
            ("a\tb\u00a0c", ["a    b c"]),
            ("\x1b[31mred", ["\\x1b[31mre", "d"]),
            ("\u0301x", ["◌\u0301x"]),
            ("\u200dx", ["\\u200dx"]),
            ("123456789   x", ["123456789", "x"]),
        ],
    )
    def test_wrapping(self, text: str, lines: list[str]) -> None:
        assert [line.shown for line in wrap_text(text, character_edges(text), 10)] == lines

    def test_a_text_without_mentions_is_just_shown(self) -> None:
        assert draw(Document(TEXT), 80, colour=False) == TEXT
        assert draw(Document(""), 80, colour=False) == ""

    def test_the_narrowest_terminals_get_ten_columns(self) -> None:
        assert draw(Document(TEXT), 0, colour=False) == draw(Document(TEXT), 10, colour=False)


class TestColour:
    @given(documents())
    def test_colour_adds_nothing_but_colour(self, document: Document) -> None:
        coloured = draw(document, 30, colour=True)
        assert re.sub(r"\x1b\[\d+m", "", coloured) == draw(document, 30, colour=False)

    def test_labels_differ_in_colour(self) -> None:
        document = Document("pain here", [("A", [(0, 4)]), ("B", [(5, 9)])])
        first, second = re.findall(r"\x1b\[([1-9]\d*)m", draw(document, 30, colour=True))
        assert first != second
