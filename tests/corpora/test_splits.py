from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, InputError
from disconer.corpora.corpus import SPLITS, Article
from disconer.corpora.ledger import Ledger
from disconer.corpora.splits import split_articles
from tests.corpora.downloads import folder_of


def articles(*identifiers: str, split: str | None = None) -> list[Article]:
    return [Article(Document("x", id=identifier), identifier.partition("-")[0], split) for identifier in identifiers]


def names(found: dict[str, list[Article]]) -> dict[str, list[object]]:
    return {split: [article.document.id for article in split_articles] for split, split_articles in found.items()}


@given(st.sets(st.text(st.characters(codec="utf-8"), min_size=1, max_size=5), max_size=60))
def test_without_any_word_groups_are_dealt_70_15_15(groups: set[str]) -> None:
    found = split_articles(articles(*(group.replace("-", "_") for group in groups)), None, Ledger()).articles
    total = len({group.replace("-", "_") for group in groups})
    sizes = {split: len({article.group for article in found.get(split, [])}) for split in SPLITS}
    assert sum(sizes.values()) == total
    assert abs(10 * sizes["train"] - 7 * total) <= 5
    assert abs(sizes["dev"] - 0.15 * total) <= 1


def test_a_group_is_never_torn_apart_and_order_does_not_matter() -> None:
    found = [f"{patient}-{note}" for patient in "abcdefghijklmnopqrst" for note in range(3)]
    splits = names(split_articles(articles(*found), None, Ledger()).articles)
    again = names(split_articles(articles(*reversed(found)), None, Ledger()).articles)
    homes = Counter(str(identifier)[0] for identifiers in splits.values() for identifier in identifiers)
    assert set(homes.values()) == {3}
    assert {split: set(identifiers) for split, identifiers in again.items()} == {
        split: set(identifiers) for split, identifiers in splits.items()
    }
    assert [len(splits[split]) for split in SPLITS] == [42, 9, 9]


def test_the_owners_split_is_kept_and_dev_is_taken_from_train() -> None:
    training = articles(*map(str, range(50)), split="train")
    splits = split_articles([*training, *articles("t", split="test")], None, Ledger())
    assert {split: len(found) for split, found in splits.articles.items()} == {"train": 45, "dev": 5, "test": 1}
    assert splits.comparable == (("train", "dev"), ("test",))


def test_lists_decide_and_what_is_in_none_stays_or_is_told(tmp_path: Path) -> None:
    lists = folder_of(tmp_path, {"dev.ids": "b.txt\r\nnotes/c.ann\tx\n", "README": "dev", "old/train.txt": "a"})
    ledger = Ledger()
    owned = split_articles(articles("a", "b", "c", split="train"), lists, ledger)
    assert names(owned.articles) == {"train": ["a"], "dev": ["b", "c"]}
    assert owned.comparable == (("train",), ("dev",), ("test",))
    assert names(split_articles(articles("a", "b"), lists, ledger).articles) == {"dev": ["b"]}
    assert ledger.counts() == {
        "skipped": {"in no list of the split folder": 1},
        "changed": {"listed in the split folder but not in the download": 1},
    }
    assert ledger.lines(verbose=True)[2:] == [
        "skipped: in no list of the split folder: document a",
        "changed: listed in the split folder but not in the download: document notes/c",
    ]


def test_lists_may_name_groups_and_folders(tmp_path: Path) -> None:
    lists = folder_of(tmp_path, {"train.txt": "x/1\nNCT7\n", "dev.txt": "y/1\nz/2\n"})
    found = articles("x/1", "y/1", "2", "NCT7-inc", "NCT7-exc", "1")
    splits = split_articles(found, lists, Ledger()).articles
    assert names(splits) == {"train": ["x/1", "NCT7-inc", "NCT7-exc"], "dev": ["y/1", "2"]}


def test_what_is_in_no_set_of_its_owner_is_told(tmp_path: Path) -> None:
    ledger = Ledger()
    split_articles([*articles("a", split="test"), *articles("b")], None, ledger)
    assert ledger.lines(verbose=True)[1:] == ["skipped: in no set of its owner's: document b"]


def test_lists_that_make_no_sense_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder of lists"):
        split_articles(articles("a"), tmp_path / "no", Ledger())
    with pytest.raises(InputError, match=r"there is no list here: name them train\.txt"):
        split_articles(articles("a"), tmp_path, Ledger())
    folder_of(tmp_path, {"train.txt": "a\n", "valid.txt": "b\na\n"})
    with pytest.raises(InputError, match=r"valid\.txt:2: this document is also listed for train"):
        split_articles(articles("a"), tmp_path, Ledger())
    folder_of(tmp_path, {"valid.txt": "b\n"})
    with pytest.raises(InputError, match="none of these documents is in the download"):
        split_articles(articles("z"), tmp_path, Ledger())
