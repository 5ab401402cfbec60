"""Which document belongs to which split: by the user's lists, by the owner's split, or by a rule."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from pathlib import Path

from disconer.corpora.corpus import SPLITS, Article
from disconer.corpora.ledger import Ledger
from disconer.exceptions import InputError, locate_errors
from disconer.foundation.files import read_lines

SHARES = {"train": 70, "dev": 15, "test": 15}
"""Percent of the groups, where neither owner nor user says anything."""
_DEV_SHARE = {"train": 90, "dev": 10}
"""Percent of the owner's training groups, where there is no development set."""
_ENDING = re.compile(r"\.(txt|ann|xml)$", re.IGNORECASE)
_SPLIT_NAMES = {"train": "train", "training": "train", "dev": "dev", "devel": "dev", "development": "dev",
                "valid": "dev", "validation": "dev", "test": "test"}  # fmt: skip


@dataclass(frozen=True)
class Splits:
    """The articles of each split."""

    articles: dict[str, list[Article]]
    comparable: tuple[tuple[str, ...], ...]
    """Splits that are others' too, and so can be compared with what is published; those that are only so together."""


def split_articles(articles: Sequence[Article], split_dir: Path | None, ledger: Ledger) -> Splits:
    """Put every article into a split."""
    lists = _Lists.read(split_dir) if split_dir else _Lists()
    chosen = [lists.find_split(article) or article.split for article in articles]
    comparable: tuple[tuple[str, ...], ...] = (("train",), ("dev",), ("test",))
    if not any(chosen):
        if split_dir:
            raise InputError("none of these documents is in the download: is this another corpus's?", path=split_dir)
        chosen = list(_split_by_hash(articles, SHARES))
        comparable = (SPLITS,)
    elif "dev" not in chosen and "train" in chosen:
        training = [index for index, split in enumerate(chosen) if split == "train"]
        for index, split in zip(
            training, _split_by_hash([articles[index] for index in training], _DEV_SHARE), strict=True
        ):
            chosen[index] = split
        comparable = (("train", "dev"), ("test",))
    for missing in lists.unused():
        ledger.change("listed in the split folder but not in the download", f"document {missing}")
    why = "in no list of the split folder" if split_dir else "in no set of its owner's"
    return Splits(_gather(articles, chosen, why, ledger), comparable)


def _gather(
    articles: Sequence[Article], chosen: Sequence[str | None], why_not: str, ledger: Ledger
) -> dict[str, list[Article]]:
    gathered: dict[str, list[Article]] = {split: [] for split in SPLITS}
    for article, split in zip(articles, chosen, strict=True):
        if split is None:
            ledger.skip(why_not, f"document {article.document.id}")
        else:
            gathered[split].append(article)
    return {split: found for split, found in gathered.items() if found}


def _split_by_hash(articles: Sequence[Article], shares: Mapping[str, int]) -> list[str]:
    split_of_group = deal_groups((article.group for article in articles), shares)
    return [split_of_group[article.group] for article in articles]


def deal_groups(groups: Iterable[str], shares: Mapping[str, int], seed: int = 0) -> dict[str, str]:
    """Deal groups to splits in the order of their names' hashes, which no sorting of files or machine changes.

    Shares are percent of the groups; another seed deals otherwise.
    """
    salt = f"{seed}/" if seed else ""
    ordered = sorted(set(groups), key=lambda group: sha256(f"{salt}{group}".encode()).digest())
    ends = [round(len(ordered) * share / 100) for share in accumulate(shares.values())]
    return {
        group: next(split for split, end in zip(shares, ends, strict=True) if number < end)
        for number, group in enumerate(ordered)
    }


@dataclass
class _Lists:
    """Which documents, or groups of them, a user lists for which split."""

    splits: dict[str, str] = field(default_factory=dict)
    """By what stands on a line, without the ending of a file."""
    bare: dict[str, set[str]] = field(default_factory=dict)
    """The lines by what is left of them without folders."""
    used: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, folder: Path) -> "_Lists":
        """Read a folder: a file a split, called after it, an id at the beginning of each line."""
        if not folder.is_dir():
            raise InputError("there is no such folder of lists", path=folder)
        lists = cls()
        for path in sorted(folder.iterdir()):
            split = next((_SPLIT_NAMES[part] for part in _split_letters(path.name) if part in _SPLIT_NAMES), None)
            if split and path.is_file():
                for number, line in enumerate(read_lines(path), start=1):
                    with locate_errors(path, number):
                        lists.add(_ENDING.sub("", line.partition("\t")[0].strip()), split)
        if not lists.splits:
            message = "there is no list here: name them train.txt, dev.txt and test.txt, an id a line"
            raise InputError(message, path=folder)
        return lists

    def add(self, listed: str, split: str) -> None:
        if listed and self.splits.setdefault(listed, split) != split:
            raise InputError(f"this document is also listed for {self.splits[listed]}")
        if listed:
            self.bare.setdefault(_strip_folders(listed), set()).add(listed)

    def find_split(self, article: Article) -> str | None:
        """Find an article by its id, by its id without folders if that is clear, or by its group."""
        identifier = _ENDING.sub("", str(article.document.id))
        alike = self.bare.get(_strip_folders(identifier), set())
        for listed in (identifier, *(alike if len(alike) == 1 else ()), article.group):
            if listed in self.splits:
                self.used.add(listed)
                return self.splits[listed]
        return None

    def unused(self) -> list[str]:
        return sorted(self.splits.keys() - self.used)


def _split_letters(name: str) -> list[str]:
    return "".join(character if character.isalpha() else " " for character in name.lower()).split()


def _strip_folders(name: str) -> str:
    return name.rpartition("/")[2]
