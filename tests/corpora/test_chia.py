from itertools import chain
from pathlib import Path

import pytest

from disconer import InputError, read
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import ALL, Request
from tests.corpora.downloads import folder_of, places, zip_of

FILES = {
    "NCT00000001_inc.txt": "Renal or hepatic failure\r\nAge over 18",
    "NCT00000001_inc.ann": "T1\tCondition 0 5;17 24\tRenal failure\nT2\tCondition 9 24\thepatic failure\n*\tOR T1 T2\n"
    "T3\tPerson 26 29\tAge\nT4\tScope 0 24\tRenal or hepatic failure\n",
    "NCT00000001_exc.txt": "None",
    "NCT00000001_exc.ann": "",
}


def built(path: Path, request: Request | None = None) -> BuiltCorpus:
    return build(find_corpus("chia"), path, request or Request(types=(ALL,)))


def test_reads_both_criteria_of_a_trial_into_one_split(tmp_path: Path) -> None:
    found = built(folder_of(tmp_path, FILES))
    (sentences,) = found.splits.values()
    assert [sentence.id for sentence in sentences] == [
        "NCT00000001_exc:0-4", "NCT00000001_inc:0-24", "NCT00000001_inc:26-37",
    ]  # fmt: skip
    assert [mention.text for mention in sentences[1]] == [
        "Renal failure",
        "hepatic failure",
        "Renal or hepatic failure",
    ]


def test_two_versions_at_once_are_an_error(tmp_path: Path) -> None:
    zip_of(tmp_path / "chia_with_scope.zip", FILES)
    zip_of(
        tmp_path / "chia_without_scope.zip", FILES | {"NCT00000001_inc.ann": "T1\tCondition 0 5;17 24\tRenal failure\n"}
    )
    with pytest.raises(
        InputError, match=r"two versions here, chia_with_scope/NCT.* and chia_without_scope/NCT.*: name one"
    ):
        built(tmp_path)
    assert sum(map(len, built(tmp_path / "chia_with_scope.zip").splits.values())) == 3


def test_the_real_corpus_gives_what_others_made_of_it(corpora: Path) -> None:
    """Another program cut the same files into criteria; only the few mentions that cross its or ours may differ."""
    found = built(corpora / "chia" / "brat.zip", Request())
    ours = places(chain.from_iterable(found.splits.values()))
    theirs = places(chain.from_iterable(read(corpora / "chia" / f"{split}.jsonl") for split in ("train", "dev")))
    assert len(ours) == len(theirs) == 37_674
    assert len(ours & theirs) == 37_671
    assert sum(len(sentence) for sentences in found.splits.values() for sentence in sentences) == 37_674
    assert found.ledger.counts()["skipped"] == {"duplicate of another mention": 29, "cross-sentence": 5}
    assert found.ledger.counts()["changed"]["fragments out of order, sorted"] == 117
