"""Text into words: runs of letters, runs of digits, and every other visible character on its own.

Annotators mark parts of what white space separates ("pain" in "neck-pain", "BMP" in "BMP4"), so words are cut
finely: between letters, digits and punctuation, and where the case changes inside a word.
"""

import regex

from disconer.foundation.spans import Span

# Letters and digits keep the marks that combine with them, and the invisible joiners inside a word.
_MARKS = r"[\p{M}\u00AD\u200C\u200D]*+"
_UPPER = rf"\p{{Lu}}{_MARKS}"
# Scripts written without spaces: each character is a word, for want of anything better.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_LOWER = rf"[\p{{L}}--\p{{Lu}}--{_UNSPACED}]{_MARKS}"
# White space as str.isspace() has it (which counts four control characters more than the regex class), and
# invisible format characters such as the byte order mark.
_INVISIBLE = r"[\s\x1c-\x1f\p{Cf}]"

_WORD = regex.compile(
    "|".join(
        (
            rf"(?={_UNSPACED})\X",
            rf"(?:{_UPPER}){{2,}}+(?={_LOWER}(?!{_LOWER}))",  # the RNA of "RNAs"
            rf"(?:{_UPPER})+(?!{_LOWER})",  # the HTTP of "HTTPServer"
            rf"{_UPPER}(?:{_LOWER})*",  # the Server of "HTTPServer"
            rf"(?:{_LOWER})+",
            rf"(?:\p{{Nd}}{_MARKS})+",
            r"[\U0001F1E6-\U0001F1FF]{2}",  # a flag; \X would count all the flags before it
            rf"(?!{_INVISIBLE})\X",
        )
    ),
    regex.VERSION1,
)


def split_words(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Find the words of `text` between two offsets, in order; they never overlap and never hold white space.

    >>> [text[a:b] for text in ["BMP4-mRNAs, 5.1"] for a, b in split_words(text)]
    ['BMP', '4', '-', 'm', 'RNA', 's', ',', '5', '.', '1']
    """
    return [match.span() for match in _WORD.finditer(text, start, len(text) if end is None else end)]
