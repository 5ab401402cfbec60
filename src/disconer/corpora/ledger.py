"""What could not be taken over from a download as it is: nothing is dropped in silence."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from disconer.document import Mention
from disconer.exceptions import InputError, OffsetError
from disconer.formats.surface import join_text
from disconer.foundation.spans import Span, unite_spans
from disconer.tokenize import Layout


class LedgerEntry(NamedTuple):
    """Something that was skipped or changed."""

    reason: str
    place: str
    """Which document, and what in it: by ids and offsets, never by text, which may be private."""


@dataclass
class Ledger:
    """Everything that was skipped and everything that was changed, each with its place."""

    skipped: list[LedgerEntry] = field(default_factory=list)
    changed: list[LedgerEntry] = field(default_factory=list)
    _reported: set[LedgerEntry] = field(default_factory=set, repr=False)

    def skip(self, reason: str, place: str) -> None:
        """Report a mention, or a file, that is not in the output."""
        self.skipped.append(LedgerEntry(reason, place))

    def change(self, reason: str, place: str) -> None:
        """Report something that is in the output in another way than its owner wrote it, or that looks wrong."""
        self.changed.append(LedgerEntry(reason, place))

    def change_once(self, reason: str, place: str) -> None:
        """Report something once that may be met several times."""
        if LedgerEntry(reason, place) not in self._reported:
            self._reported.add(LedgerEntry(reason, place))
            self.change(reason, place)

    def make_mention(
        self, label: str, spans: Iterable[Span], layout: Layout, place: str, extras: dict[str, Any] | None = None
    ) -> Mention | None:
        """Make a mention of what an owner wrote; None, and reported, when there is no such place in the text."""
        spans = list(spans)
        written = f"{place} {label} {';'.join(f'{start}-{end}' for start, end in spans)}"
        joined = unite_spans(spans)
        if len(joined) < len(spans):
            self.change("fragments that overlap, joined", written)
        try:
            return Mention(label, joined, layout, extras=extras)
        except OffsetError:
            outside = any(start < 0 or end > len(layout.text) for start, end in spans)
            self.skip("out of range" if outside else "empty or reversed offsets", written)
        except InputError:
            self.skip("without a label, or with one that is no text", written)
        return None

    def compare(self, mention: Mention, spans: Iterable[Span], written: str, place: str) -> None:
        """Report a mention whose text, as its owner wrote it down, is not the one at its offsets in their order."""
        if written.split() != join_text(mention.layout.text, spans).split():
            self.change("text that differs from the offsets'", f"{place} {describe(mention)}")

    def counts(self) -> dict[str, dict[str, int]]:
        """How often each reason occurs."""
        return {
            name: dict(Counter(entry.reason for entry in entries).most_common())
            for name, entries in (("skipped", self.skipped), ("changed", self.changed))
        }

    def lines(self, verbose: bool) -> list[str]:
        """Say what was skipped and changed, a line a reason; and, if verbose, a line for every single one."""
        summary = [
            f"{name}: {reason} ({count:,})"
            for name, reasons in self.counts().items()
            for reason, count in reasons.items()
        ]
        entries = [("skipped", entry) for entry in self.skipped] + [("changed", entry) for entry in self.changed]
        return summary + [f"{name}: {reason}: {place}" for name, (reason, place) in entries if verbose]


def describe(mention: Mention) -> str:
    """Say which mention of a document this is."""
    return f"{mention.label} {';'.join(f'{start}-{end}' for start, end in mention.fragments)}"
