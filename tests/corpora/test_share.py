"""ShARe 2013 and 2014, in the layout of PhysioNet's downloads; the notes are invented."""

from pathlib import Path

import pytest

from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import Request
from disconer.exceptions import InputError
from tests.corpora.downloads import Files, folder_of, tar_of, zip_of

NOTE = "Severe joint and hip pain.\nNo fever, no rash.\n"
TESTED = "Mild rash on arm.\nPain gone.\n"
ONE, TWO, THREE = "00001-000011-DISCHARGE_SUMMARY", "00001-000012-ECG_REPORT", "00002-000021-RADIOLOGY_REPORT"
FOUR, FIVE, SIX = "00003-000031-ECHO_REPORT", "00004-000041-DISCHARGE_SUMMARY", "00005-000051-ECHO_REPORT"


def knowtator(*annotations: str, source: str = ONE) -> str:
    return f'<annotations textSource="{source}.txt">{"".join(annotations)}</annotations>'


def disorder(identifier: str, spans: str, surface: str, cui: str = "C0000001") -> str:
    marked = "".join('<span start="{}" end="{}"/>'.format(*pair.split("-")) for pair in spans.split(","))
    return (
        f'<annotation><mention id="{identifier}"/>{marked}<spannedText>{surface}</spannedText></annotation>'
        f'<stringSlotMention id="{identifier}s"><mentionSlot id="associatedCode"/>'
        f'<stringSlotMentionValue value="{cui}"/></stringSlotMention>'
        f'<classMention id="{identifier}"><hasSlotMention id="{identifier}s"/>'
        f'<mentionClass id="Disease_Disorder">{surface}</mentionClass></classMention>'
    )


PIPED_2013 = (
    f"{ONE}.txt||Disease_Disorder||C0000001||21||25||0||12\n"  # out of order
    f"{ONE}.txt||Disease_Disorder||CUI-less||0||6||17||25\n"
    f"{ONE}.txt||Disease_Disorder||C0000002||30||35\n"
    f"{ONE}.txt||Disease_Disorder||C0000002||30||35\n"
    f"{ONE}.txt||Disease_Disorder||C0000003||30||350\n"
    f"{ONE}.txt||Disease_Disorder||C0000003||30\n"
    f"{TWO}.txt||Disease_Disorder||C0000003||0||4\n"
)
ARCHIVES_2013: dict[str, Files] = {
    "Task1TrainSetCorpus199.zip": {f"ALLREPORTS/{name}.txt": NOTE for name in (ONE, TWO, FOUR)},
    "Task1TrainSetGOLD199pipe.zip": {f"CLEFPIPEDELIMITED NoDuplicates 3:7:2013/{ONE}.pipe.txt": PIPED_2013},
    "Task1TrainSetGOLD199knowtatorehost.zip": {
        f"ALLSAVED/{TWO}.txt.knowtator.xml": knowtator(
            disorder("i1", "0-12,21-25", "Severe joint ... pain"),
            disorder("i2", "0-6,17-25", "Severe ... hop pain", "CUI-less"),
            disorder("i3", "40-44,44-44", "rash"),
            disorder("i4", "400-404", "rash"),
            disorder("i5", "a-b", "rash"),
            "<annotation><mention id='i6'/></annotation>",
            source=TWO,
        ),
    },
    "Task1TestSetCorpus100.zip": {f"ALLREPORTS/{THREE}.txt": TESTED, f"ALLREPORTS/{FIVE}.txt": TESTED},
    "Task1Gold_SN2011.tar.bz2": {f"Gold_SN2011/{THREE}.txt": f"{THREE}.txt||Disease_Disorder||C0000009||5||9"},
    "Task1Gold_SN2012.tar.bz2": {
        f"Gold_SN2012/{THREE}.txt": f"{THREE}.txt||Disease_Disorder||C0000008||5||9||13||16",
        f"Gold_SN2012/{FIVE}.txt": "",
        f"Gold_SN2012/{SIX}.txt": "",
    },
    "Task2TestSetGOLDpipe.zip": {f"pipe/{FIVE}.pipe.txt": f"{FIVE}.txt||Acronym_Abbreviation||C0000007||0||4"},
}
ATTRIBUTES = "|no|NULL|patient|NULL|no|NULL"
FILES_2014 = {
    f"2014ShAReCLEFeHealthTasks2_training_10Jan2014/2014ShAReCLEFeHealthTask2_training_corpus/{ONE}.txt": NOTE,
    f"2014ShAReCLEFeHealthTasks2_training_10Jan2014/2014ShAReCLEFeHealthTask2_training_pipedelimited/{ONE}.pipe.txt": (
        f"{ONE}.txt|0-12,21-25|C0000001{ATTRIBUTES}|\r\n"
        f"{ONE}.txt|17-25,0-6|CUI-less{ATTRIBUTES}|\r\n"
        f"{ONE}.txt|30-35|C0000002|yes|27-29|patient|NULL|\r\n"
        f"{ONE}.txt|30|C0000002{ATTRIBUTES}|\r\n"
    ),
    f"test_default_values_with_corpus/ShAReCLEFeHealth2104Task2_test_data_corpus/{THREE}.txt": TESTED,
    f"test_default_values_with_corpus/ShAReCLEFeHealth2014Task2_test_data_default_values/{THREE}.pipe.txt": (
        f"{THREE}.txt|5-9|C0000009{ATTRIBUTES}|\n"
    ),
    f"ShAReCLEFeHealth2014_test_data_gold/{THREE}.pipe.txt": f"{THREE}.txt|5-9,13-16|C0000008{ATTRIBUTES}|\n",
    f"ShAReCLEFeHealth2014_test_data_gold/{FOUR}.pipe.txt": f"{FOUR}.txt|5-9|C0000008{ATTRIBUTES}|\n",
    "LICENSE.txt": "not a note",
}


def download_2013(folder: Path, archives: dict[str, Files] = ARCHIVES_2013) -> Path:
    """Make the archives that are in PhysioNet's folder."""
    folder.mkdir()
    for name, files in archives.items():
        (zip_of if name.endswith(".zip") else tar_of)(folder / name, files)
    return folder


def built(name: str, path: Path, request: Request | None = None) -> BuiltCorpus:
    return build(find_corpus(name), path, request or Request(whole_documents=True))


def told(found: BuiltCorpus, split: str) -> dict[str, list[tuple[str, tuple[tuple[int, int], ...], object]]]:
    return {
        str(document.id): [
            (mention.text, tuple((start, end) for start, end in mention.fragments), mention.extras.get("cui"))
            for mention in document
        ]
        for document in found.splits[split]
    }


def test_share13_prefers_what_published_work_reads(tmp_path: Path) -> None:
    raw = download_2013(tmp_path / "download")
    marked = {f"ALLSAVED/{ONE}.txt.knowtator.xml": knowtator(disorder("i1", "30-35", "fever"))}
    zip_of(raw / "Task1TrainSetGOLD199knowtatorehost.zip", marked)
    assert told(built("share13", raw), "train")[ONE] == [("fever", ((30, 35),), "C0000001")]


def test_share13_reads_the_archives_of_the_download(tmp_path: Path) -> None:
    found = built("share13", download_2013(tmp_path / "download"))
    assert told(found, "train") == {
        ONE: [
            ("Severe joint pain", ((0, 12), (21, 25)), "C0000001"),
            ("Severe hip pain", ((0, 6), (17, 25)), "CUI-less"),
            ("fever", ((30, 35),), "C0000002"),
            ("fever", ((30, 35),), "C0000002"),
        ],
        TWO: [
            ("Severe joint pain", ((0, 12), (21, 25)), "C0000001"),
            ("Severe hip pain", ((0, 6), (17, 25)), "CUI-less"),
            ("rash", ((40, 44),), "C0000001"),
        ],
        FOUR: [],
    }
    assert told(found, "test") == {THREE: [("rash arm", ((5, 9), (13, 16)), "C0000008")], FIVE: []}
    assert found.ledger.counts() == {
        "skipped": {
            "out of range": 2,
            "annotations without a note": 1,
            "unparsable": 1,
            "a line about another note": 1,
            "offsets that are not whole numbers": 1,
            "an annotation without a class": 1,
        },
        "changed": {
            "fragments out of order, sorted": 1,
            "text that differs from the offsets'": 1,
            "empty fragments, left out": 1,
            "a note without annotations, taken for one without disorders": 1,
        },
    }
    assert f"skipped: unparsable: document {ONE} line 6" in found.ledger.lines(verbose=True)
    assert {mention.label for documents in found.splits.values() for each in documents for mention in each} == {
        "Disease_Disorder"
    }


def test_share13_may_be_one_archive_of_archives(tmp_path: Path) -> None:
    download = download_2013(tmp_path / "download")
    whole = {f"shareclef-1.0/{path.name}": path.read_bytes() for path in download.iterdir()}
    found, expected = built("share13", zip_of(tmp_path / "share.zip", whole)), built("share13", download)
    assert (found.splits, found.ledger.counts()) == (expected.splits, expected.ledger.counts())


def test_share13_may_be_unpacked_by_hand_so_that_only_the_folders_of_annotations_tell_the_sets(tmp_path: Path) -> None:
    unpacked: dict[str, str | bytes] = {}
    for archive, files in ARCHIVES_2013.items():
        reports = "ALLREPORTS 2" if "Test" in archive else "ALLREPORTS"
        if "Task2" not in archive:
            unpacked |= {name.replace("ALLREPORTS", reports): content for name, content in files.items()}
    found, expected = (
        built("share13", path)
        for path in (folder_of(tmp_path / "unpacked", unpacked), download_2013(tmp_path / "download"))
    )
    assert told(found, "test") == told(expected, "test")
    assert told(found, "train") | {FOUR: []} == told(expected, "train")
    assert found.ledger.counts()["skipped"]["a note of a set without annotations"] == 1


def test_share13_has_a_development_set_by_list_or_by_patient(tmp_path: Path) -> None:
    reports = {f"train/text/{patient:05}-00000{note}-ECG_REPORT.txt": NOTE for patient in range(20) for note in (1, 2)}
    pipes = {
        name.replace("text", "ann").replace(".txt", ".pipe"): f"{Path(name).name}||Disease_Disorder||C0000001||30||35"
        for name in reports
    }
    path = folder_of(tmp_path / "in", reports | pipes)
    by_rule = built("share13", path)
    patients = {split: {str(each.id)[:5] for each in documents} for split, documents in by_rule.splits.items()}
    assert {split: len(found) for split, found in patients.items()} == {"train": 18, "dev": 2}
    assert not patients["train"] & patients["dev"]
    lists = folder_of(tmp_path / "lists", {"dev.list": "00003-000001-ECG_REPORT.txt\n00004-000002-ECG_REPORT.txt"})
    by_list = built("share13", path, Request(split_dir=lists))
    assert by_list.documents == {"train": 38, "dev": 2}
    compared = {(each.split, each.figure): each for each in by_list.comparison}
    assert (compared["dev", "mentions"].published, compared["dev", "mentions"].found) == (669, 2)


def test_share13_leaves_out_a_set_without_annotations_and_tells_of_files_that_differ(tmp_path: Path) -> None:
    archives = {name: files for name, files in ARCHIVES_2013.items() if "Gold_SN" not in name and "Task2" not in name}
    archives["Task1TrainSetCorpus199 copy.zip"] = {f"ALLREPORTS/{ONE}.txt": NOTE + "More."}
    found = built("share13", download_2013(tmp_path / "download", archives))
    assert found.documents == {"train": 3}
    assert found.ledger.counts()["skipped"]["a note of a set without annotations"] == 2
    assert found.ledger.counts()["changed"]["a note with several texts that differ, the first taken"] == 1


@pytest.mark.parametrize("kind", ["folder", "share.zip", "share.tar.gz"])
def test_share14_reads_the_owners_layout(tmp_path: Path, kind: str) -> None:
    make = {"folder": folder_of, "share.zip": zip_of}.get(kind, tar_of)
    found = built("share14", make(tmp_path / kind, FILES_2014))
    assert told(found, "train") == {
        ONE: [
            ("Severe joint pain", ((0, 12), (21, 25)), "C0000001"),
            ("Severe hip pain", ((0, 6), (17, 25)), "CUI-less"),
            ("fever", ((30, 35),), "C0000002"),
        ],
    }
    assert told(found, "test") == {THREE: [("rash arm", ((5, 9), (13, 16)), "C0000008")]}
    assert found.ledger.counts() == {
        "skipped": {"unparsable": 1, "annotations without a note": 1},
        "changed": {"fragments out of order, sorted": 1},
    }
    assert {each.split for each in found.comparison} >= {"test"}


def test_share14_takes_the_templates_when_there_is_no_gold_standard(tmp_path: Path) -> None:
    files = {name: content for name, content in FILES_2014.items() if "gold" not in name}
    found = built("share14", folder_of(tmp_path, files))
    assert told(found, "test") == {THREE: [("rash", ((5, 9),), "C0000009")]}


def test_another_download_and_broken_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file of this corpus here"):
        built("share13", folder_of(tmp_path / "other", {"notes/a.txt": "x"}))
    broken = {f"train/{ONE}.txt": NOTE, f"train/{ONE}.txt.knowtator.xml": "<annotations"}
    with pytest.raises(InputError, match=rf"train/{ONE}\.txt\.knowtator\.xml:1: this is not XML"):
        built("share13", folder_of(tmp_path / "broken", broken))
    with pytest.raises(InputError, match=r"there are no mentions of the type Disease_Disorder here"):
        built("share14", folder_of(tmp_path / "empty", {f"train/{ONE}.txt": NOTE, f"train/ann/{ONE}.txt": "\n"}))
    bomb = '<!DOCTYPE x [<!ENTITY e "boom">]><annotations>&e;</annotations>'
    with pytest.raises(InputError, match="declares entities"):
        built("share13", folder_of(tmp_path / "bomb", {**broken, f"train/{ONE}.txt.knowtator.xml": bomb}))
