"""What formats that hold everything must hold too: layouts of all kinds; and what nothing can hold."""

from typing import Any

from disconer.tokenize import Layout, Split

WORDS = ((0, 4), (5, 9))
LAYOUTS = [
    *(Layout("One. Two.", split=split) for split in Split),
    *(Layout("One. Two.\nThree\nfour.", split=split) for split in Split),
    *(Layout("One. Two.", given_words=WORDS, split=split) for split in Split),
    Layout("One. Two.", given_sentences=((0, 9),), split=Split.ALWAYS),
    Layout("One. Two.\nThree.", given_sentences=((0, 16),)),
    Layout("One. Two.", WORDS, WORDS),
    Layout("One. Two.", WORDS, ((0, 9),), Split.ALWAYS),
    Layout("One. Two.", (), ()),
]


def nested() -> Any:
    """Make a value that JSON cannot write."""
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    return value
