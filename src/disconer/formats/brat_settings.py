"""What brat wants to know of a folder: `annotation.conf` has the types and `visual.conf` their colours.

Types are those that the documents have. brat takes names of letters, digits, `_` and `-`, so others are not listed.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from zlib import crc32

from disconer.document import Document

ANNOTATION, VISUAL = "annotation.conf", "visual.conf"
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_COLOURS = "#8fb8ff #ffb37a #9be08c #f5a3d7 #ffe066 #7fe0d8 #c9b1ff #ff9d9d #c8d66b #d0c4b0".split()
"""Behind black text; more types than these begin again."""


class BratSettings:
    """Collects the types of documents as they are written."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self._entities = dict.fromkeys(labels)
        self._events: dict[str, dict[str, None]] = defaultdict(dict)
        """The roles of each type."""
        self._relations: dict[str, dict[str, None]] = defaultdict(dict)
        """The two arguments of each type."""
        self._equivalences: dict[str, None] = {}
        self._attributes: dict[str, dict[str, None]] = defaultdict(dict)
        """The values of each type; none where it is there or not."""

    def add(self, document: Document, lines: Mapping[str, Iterable[str]]) -> None:
        """Take the types of a document, and those of the other lines of its file, by their kind."""
        self._entities |= dict.fromkeys(mention.label for mention in document)
        for kind, own in lines.items():
            for columns in (line.split("\t") for line in own):
                words = columns[1].split() if len(columns) > 1 else []
                if words:
                    self._add_line(kind, words)

    def _add_line(self, kind: str, words: list[str]) -> None:
        name, *rest = words
        if kind == "events":
            self._events[name.partition(":")[0]] |= dict.fromkeys(_role(word) for word in rest)
        elif kind == "relations":
            self._relations[name] |= dict.fromkeys(word.partition(":")[0] for word in rest)
        elif kind == "equivalences":
            self._equivalences[name] = None
        elif kind == "attributes":
            self._attributes[name] |= dict.fromkeys(rest[1:])

    def files(self) -> dict[str, str]:
        """The two files, by their names."""
        sections = {
            "entities": sorted(name for name in _usable(self._entities) if name not in self._events),
            "relations": [*self._describe_relations()],
            "events": [_describe_event(name, self._events[name]) for name in _usable(self._events)],
            "attributes": [_describe_attribute(name, self._attributes[name]) for name in _usable(self._attributes)],
        }
        names = sorted(_usable(self._entities))
        colours = [f"{name}\tbgColor:{colour}, borderColor:darken" for name, colour in _choose_colours(names).items()]
        defaults = ("SPAN_DEFAULT\tfgColor:black, bgColor:lightgrey, borderColor:darken", "ARC_DEFAULT\tcolor:black")
        return {ANNOTATION: _lay_out(sections), VISUAL: _lay_out({"labels": [], "drawing": [*defaults, *colours]})}

    def _describe_relations(self) -> Iterable[str]:
        for name in _usable(self._relations):
            yield f"{name}\t" + ", ".join(f"{argument}:<ENTITY>" for argument in _usable(self._relations[name]))
        for name in _usable(self._equivalences):
            yield f"{name}\tArg1:<ENTITY>, Arg2:<ENTITY>, <REL-TYPE>:symmetric-transitive"


def _choose_colours(names: Iterable[str]) -> dict[str, str]:
    """Choose colours, as far as possible the same for a name in every folder, and as long as there are some, others."""
    chosen: dict[str, str] = {}
    for number, name in enumerate(names):
        first = crc32(name.encode())
        free = (_COLOURS[(first + step) % len(_COLOURS)] for step in range(len(_COLOURS)))
        taken = list(chosen.values())[number - number % len(_COLOURS) :]
        chosen[name] = next(colour for colour in free if colour not in taken)
    return chosen


def _role(word: str) -> str:
    """The role that a word such as `Theme2:T4` of an event names: numbered ones are the same to brat."""
    return word.partition(":")[0].rstrip("0123456789")


def _describe_event(name: str, roles: Iterable[str]) -> str:
    arguments = ", ".join(f"{role}*:<ANY>" for role in _usable(roles))
    return f"{name}\t{arguments}" if arguments else name


def _describe_attribute(name: str, values: Iterable[str]) -> str:
    known = "|".join(_usable(values))
    return f"{name}\tArg:<ANY>" + (f", Value:{known}" if known else "")


def _usable(names: Iterable[str]) -> list[str]:
    return [name for name in names if _NAME.fullmatch(name)]


def _lay_out(sections: Mapping[str, Iterable[str]]) -> str:
    """Write sections; brat wants them all, also those that are empty."""
    return "\n\n".join("\n".join((f"[{title}]", *lines)) for title, lines in sections.items()) + "\n"
