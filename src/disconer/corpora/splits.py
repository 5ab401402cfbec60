"""Which document belongs to which split: by the user's lists, by the owner's split, or by a rule."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from pathlib import Path

from disconer.corpora.corpus import SPLITS, Article
from disconer.corpora.ledger import Ledger
from disconer.exceptions import InputError
from disconer.formats.files import read_lines

_SHARES = {"train": 70, "dev": 15, "test": 15}
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


def splits_of(articles: Sequence[Article], split_dir: Path | None, ledger: Ledger) -> Splits:
    """Put every article into a split."""
    lists = _listed(split_dir) if split_dir else {}
    chosen = [lists.get(_key(article)) or article.split for article in articles]
    comparable: tuple[tuple[str, ...], ...] = (("train",), ("dev",), ("test",))
    if not any(chosen):
        if lists:
            raise InputError("none of these documents is in the download: is this another corpus's?", path=split_dir)
        chosen = list(_by_rule(articles, _SHARES))
        comparable = (SPLITS,)
    elif "dev" not in chosen and "train" in chosen:
        training = [article for article, split in zip(articles, chosen, strict=True) if split == "train"]
        moved = dict(zip(map(_key, training), _by_rule(training, _DEV_SHARE), strict=True))
        chosen = [
            moved[_key(article)] if split == "train" else split for article, split in zip(articles, chosen, strict=True)
        ]
        comparable = (("train", "dev"), ("test",))
    return Splits(_gathered(articles, chosen, lists, ledger), comparable)


def _gathered(
    articles: Sequence[Article], chosen: Sequence[str | None], lists: dict[str, str], ledger: Ledger
) -> dict[str, list[Article]]:
    gathered: dict[str, list[Article]] = {split: [] for split in SPLITS}
    for article, split in zip(articles, chosen, strict=True):
        if split is None:
            ledger.skip("in no list of the split folder", f"document {article.document.id}")
        else:
            gathered[split].append(article)
    for missing in sorted(lists.keys() - {_key(article) for article in articles}):
        ledger.change("listed in the split folder but not in the download", f"document {missing}")
    return {split: found for split, found in gathered.items() if found}


def _by_rule(articles: Sequence[Article], shares: dict[str, int]) -> list[str]:
    """Deal groups to splits in the order of their ids' hashes, which no sorting of files or machine changes."""
    groups = sorted({article.group for article in articles}, key=lambda group: sha256(group.encode()).digest())
    ends = [round(len(groups) * share / 100) for share in accumulate(shares.values())]
    split_of_group = {
        group: next(split for split, end in zip(shares, ends, strict=True) if number < end)
        for number, group in enumerate(groups)
    }
    return [split_of_group[article.group] for article in articles]


def _listed(folder: Path) -> dict[str, str]:
    """Read which document is listed where: a file a split, called after it, an id at the beginning of each line."""
    if not folder.is_dir():
        raise InputError("there is no such folder of lists", path=folder)
    lists: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        split = next((_SPLIT_NAMES[part] for part in _parts(path.name) if part in _SPLIT_NAMES), None)
        if split is None or path.is_dir():
            continue
        for number, line in enumerate(read_lines(path), start=1):
            key = _bare(line)
            if key and lists.setdefault(key, split) != split:
                raise InputError(f"this document is also listed for {lists[key]}", path=path, line=number)
    if not lists:
        raise InputError("there is no list here: name them train.txt, dev.txt and test.txt, an id a line", path=folder)
    return lists


def _parts(name: str) -> list[str]:
    return "".join(character if character.isalpha() else " " for character in name.lower()).split()


def _key(article: Article) -> str:
    return _bare(str(article.document.id))


def _bare(name: str) -> str:
    """Reduce an id, or a line of a list, to what both have in common: no folders, no ending of a file."""
    bare = name.partition("\t")[0].strip().rpartition("/")[2]
    return _ENDING.sub("", bare)
