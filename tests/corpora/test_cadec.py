from pathlib import Path

import pytest

from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import ALL, Request
from disconer.exceptions import InputError
from tests.corpora.downloads import folder_of, tar_of, zip_of

POST = "Took Zorva for a month. Severe joint and hip pain.\r\nCouldn't sleep."
FILES = {
    "cadec/text/ZORVA.1.txt": POST,
    "cadec/original/ZORVA.1.ann": (
        "T1\tDrug 5 10\tZorva\n"
        "#1\tAnnotatorNotes T1\t3378011000036103\n"
        "T2\tADR 45 49;24 36\tpain Severe joint\n"  # out of order
        "T3\tADR 24 30;41 49\tSevere hips pain\n"  # not what stands there
        "T4\tADR 52 66\tCouldn't sleep\n"
        "T5\tADR 52 166\tbeyond\n"
        "T6\tADR somewhere\t\n"
    ),
    "cadec/meddra/ZORVA.1.ann": "TT1\t10003239 24 36;45 49\tSevere joint pain\n",
    "cadec/text/ZORVA.2.txt": "Nothing to report.",
    "cadec/original/ZORVA.2.ann": "",
    "cadec/text/ZORVA.3.txt": "Never annotated.",
    "cadec/original/ZORVA.4.ann": "T1\tADR 0 4\tlost\n",
}


def built(path: Path, request: Request | None = None) -> BuiltCorpus:
    return build(find_corpus("cadec"), path, request or Request())


def mentions(found: BuiltCorpus) -> list[tuple[str, str, bool]]:
    return [
        (mention.label, mention.text, mention.is_discontinuous)
        for sentences in found.splits.values()
        for sentence in sentences
        for mention in sentence
    ]


@pytest.mark.parametrize("kind", ["folder", "CADEC.v2.zip", "CADEC.v2.tar.gz"])
def test_reads_the_owners_layout_and_tells_of_its_quirks(tmp_path: Path, kind: str) -> None:
    make = {"folder": folder_of, "CADEC.v2.zip": zip_of}.get(kind, tar_of)
    found = built(make(tmp_path / kind, FILES))
    assert mentions(found) == [
        ("ADR", "Severe joint pain", True),
        ("ADR", "Severe hip pain", True),
        ("ADR", "Couldn't sleep", False),
    ]
    assert found.ledger.counts() == {
        "skipped": {
            "annotations without a text": 1,
            "unparsable": 1,
            "out of range": 1,
            "a text without annotations": 1,
        },
        "changed": {"fragments out of order, sorted": 1, "text that differs from the offsets'": 1},
    }
    assert found.ledger.lines(verbose=True)[6:9] == [
        "skipped: annotations without a text: document ZORVA.4",
        "skipped: unparsable: document ZORVA.1 line 7",
        "skipped: out of range: document ZORVA.1 T5 ADR 52-166",
    ]
    assert found.other_types == {"Drug": 1}


@pytest.mark.parametrize("counted", [0, 1])
def test_byte_order_marks_and_blanks_in_front_move_nothing(tmp_path: Path, counted: int) -> None:
    """Whether the offsets count the mark of the text is told by the texts of the mentions."""
    line = f"T1\tADR {4 + counted} {8 + counted}\tpain\n"
    files = {"text/a.txt": "\ufeffBad pain", "original/a.ann": f"\ufeff {line}\ufeff{line}oddity\n#1\tNote T1\tx\n"}
    found = built(folder_of(tmp_path, files))
    assert mentions(found) == [("ADR", "pain", False)]
    assert found.ledger.counts()["skipped"] == {"unparsable": 1, "duplicate of another mention": 1}


def test_two_versions_side_by_side_are_not_mixed(tmp_path: Path) -> None:
    for name, extra in (("CADEC.zip", ""), ("CADEC.v2.zip", "T9\tADR 52 66\tCouldn't sleep\n")):
        changed = {"cadec/original/ZORVA.1.ann": f"{FILES['cadec/original/ZORVA.1.ann']}{extra}"}
        zip_of(tmp_path / name, FILES | changed)
    with pytest.raises(InputError, match="there are two versions here"):
        built(tmp_path)


def test_other_types_can_be_asked_for(tmp_path: Path) -> None:
    path = folder_of(tmp_path, FILES)
    assert mentions(built(path, Request(types=("Drug",)))) == [("Drug", "Zorva", False)]
    assert len(mentions(built(path, Request(types=(ALL,))))) == 4


def test_published_figures_are_compared_by_split_when_the_published_lists_are_used(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "raw", FILES)
    assert {difference.split for difference in built(path).comparison} == {ALL}
    lists = folder_of(tmp_path / "lists", {"train.id": "ZORVA.1\n", "dev.id": "ZORVA.2\n", "test.id": "ZORVA.9\n"})
    found = built(path, Request(split_dir=lists))
    assert found.documents == {"train": 1, "dev": 1}
    compared = {(difference.split, difference.figure): difference for difference in found.comparison}
    assert compared["train", "mentions"].published == 4_430
    assert compared["train", "mentions"].found == 3
    assert compared[ALL, "discontinuous"].published == 679
    assert found.ledger.counts()["changed"]["listed in the split folder but not in the download"] == 1


def test_another_download_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file of this corpus here: see disconer corpus --list"):
        built(folder_of(tmp_path, {"notes/a.txt": "x"}))
    with pytest.raises(InputError, match="no document of cadec was found here"):
        built(folder_of(tmp_path, {"original/a.ann": "x"}))
