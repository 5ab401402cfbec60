from pathlib import Path
from typing import Any

import pytest

from disconer import Document
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import Request
from disconer.exceptions import FormatError
from tests.corpora.downloads import folder_of, tar_of, zip_of

FIRST = "Loop and thiazide diuretics & Zapril® may interact."
SECOND = "No study of compound X (or xol)."


def document(identifier: str = "DDI-DrugBank.d1", entities: str | None = None) -> str:
    if entities is None:
        entities = """
        <entity id="DDI-DrugBank.d1.s0.e0" charOffset="0-3;18-26" type="group" text="Loop diuretics"/>
        <entity id="DDI-DrugBank.d1.s0.e1" charOffset="9-26" type="group" text="thiazide diuretics"/>
        <entity id="DDI-DrugBank.d1.s0.e2" charOffset="30-36" type="brand" text="Zapril®"/>
        <pair id="DDI-DrugBank.d1.s0.p0" e1="DDI-DrugBank.d1.s0.e0" e2="DDI-DrugBank.d1.s0.e2" ddi="false"/>"""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<document id="{identifier}">
    <sentence id="{identifier}.s0" text="{FIRST.replace("&", "&amp;")}">{entities}
    </sentence>
    <sentence id="{identifier}.s1" text=""/>
    <sentence id="{identifier}.s2" text="{SECOND}">
        <entity id="{identifier}.s2.e0" charOffset="12-21" type="drug_n" text="compound X"/>
    </sentence>
</document>
"""


def built(path: Path, **wishes: Any) -> BuiltCorpus:
    return build(find_corpus("ddi2013"), path, Request(**wishes))


def all_of(found: BuiltCorpus) -> dict[str, Document]:
    return {str(document.id): document for documents in found.splits.values() for document in documents}


def test_sentences_are_given_and_ends_are_inclusive(tmp_path: Path) -> None:
    raw = folder_of(tmp_path / "raw", {"DDICorpus/Train/DrugBank/Zapril_ddi.xml": document()})
    found = built(raw, whole_documents=True)
    (whole,) = all_of(found).values()
    assert whole.text == f"{FIRST}\n\n{SECOND}"
    assert whole.layout.given_sentences == ((0, 51), (53, 85))
    assert [(mention.label, mention.text) for mention in whole] == [
        ("group", "Loop diuretics"),
        ("group", "thiazide diuretics"),
        ("brand", "Zapril®"),
        ("drug_n", "compound X"),
    ]
    assert [[*fragment] for fragment in whole.mentions[0].fragments] == [[0, 4], [18, 27]]
    assert whole.mentions[3].extras == {"id": "DDI-DrugBank.d1.s2.e0"}
    assert found.ledger.counts() == {"skipped": {}, "changed": {}}


def test_a_sentence_a_line(tmp_path: Path) -> None:
    raw = folder_of(tmp_path / "raw", {"Train/MedLine/1.xml": document("DDI-MedLine.d7")})
    documents = all_of(built(raw))
    assert list(documents) == ["DDI-MedLine.d7:0-51", "DDI-MedLine.d7:53-85"]
    assert [mention.text for mention in documents["DDI-MedLine.d7:53-85"]] == ["compound X"]


def files(names: str = "Test for DrugNER task", interactions: str = "Test for DDI Extraction task") -> dict[str, str]:
    train = {f"DDICorpus/Train/DrugBank/{number}.xml": document(f"train{number}") for number in range(20)}
    return train | {
        f"DDICorpus/Test/{names}/DrugBank/a.xml": document("names1"),
        f"DDICorpus/Test/{names}/MedLine/b.xml": document("names2"),
        f"DDICorpus/Test/{interactions}/DrugBank/c.xml": document("interactions1"),
    }


@pytest.mark.parametrize("folders", [(), ("ner", "DDI_Extraction_task"), ("Test_DrugNER_task", "extraction")])
def test_the_test_set_is_that_of_names(tmp_path: Path, folders: tuple[str, ...]) -> None:
    found = built(zip_of(tmp_path / "DDICorpus-2013.zip", files(*folders)))
    assert found.documents == {"train": 18, "dev": 2, "test": 2}
    assert found.ledger.counts()["skipped"] == {"a document of the test set of interactions": 1}
    compared = {(row.split, row.figure): (row.published, row.found) for row in found.comparison}
    assert compared["train + dev", "documents"] == (714, 20)
    assert compared["train + dev", "sentences"] == (6_976, 40)
    assert compared["test", "mentions"][0] == 686


def test_without_a_test_set_of_names_that_of_interactions_is_one(tmp_path: Path) -> None:
    left = {name: content for name, content in files().items() if "DrugNER" not in name}
    found = built(tar_of(tmp_path / "ner.tar.gz", left))
    assert found.documents == {"train": 18, "dev": 2, "test": 1}
    assert found.ledger.skipped == []


def test_a_document_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    found = built(folder_of(tmp_path / "raw", {"Train/a.xml": document(), "copy/Train/a.xml": document()}))
    assert found.documents == {"train": 1}
    assert found.ledger.skipped == [("a second copy of a document", "file copy/Train/a.xml")]


def test_a_surface_tells_when_ends_are_exclusive(tmp_path: Path) -> None:
    entities = """<entity id="e0" charOffset="0-4;18-27" type="group" text="Loop diuretics"/>
                  <entity id="e1" charOffset="9-26" type="group" text="thiazide diuretics"/>
                  <entity id="e2" charOffset="31-36" type="brand" text="Zapril®"/>"""
    found = built(folder_of(tmp_path / "raw", {"Train/a.xml": document(entities=entities)}))
    first = all_of(found)["DDI-DrugBank.d1:0-51"]
    assert [mention.text for mention in first] == ["Loop diuretics", "thiazide diuretics", "april®"]
    assert found.ledger.changed == [
        ("offsets whose ends are exclusive", "sentence DDI-DrugBank.d1.s0 e0"),
        ("text that differs from the offsets'", "sentence DDI-DrugBank.d1.s0 e2 brand 31-37"),
    ]


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ('charOffset="45-51" type="drug"', "out of range"),
        ('charOffset="45-99" type="drug"', "out of range"),
        ('charOffset="9-5" type="drug"', "empty or reversed offsets"),
        ('charOffset="9" type="drug"', "unparsable"),
        ('charOffset="9-12;" type="drug"', "unparsable"),
        ('charOffset="9-99999999999" type="drug"', "unparsable"),
        ('type="drug"', "unparsable"),
        ('charOffset="9-12"', "unparsable"),
    ],
)
def test_entities_that_cannot_be_used_are_told(tmp_path: Path, attributes: str, reason: str) -> None:
    content = document(entities=f'<entity id="e9" {attributes} text="x"/>')
    found = built(folder_of(tmp_path / "raw", {"Train/a.xml": content}), types=("all",))
    assert found.ledger.counts()["skipped"] == {reason: 1}
    assert "e9" in found.ledger.skipped[0].place
    assert [len(each) for each in all_of(found).values()] == [0, 1]


@pytest.mark.parametrize("content", ["<corpus/>", "<document/>", document()[:-9], "drugs", ""])
def test_files_of_something_else_are_an_error(tmp_path: Path, content: str) -> None:
    raw = folder_of(tmp_path / "raw", {"Train/a.xml": content})
    with pytest.raises(FormatError) as caught:
        built(raw)
    assert str(caught.value).startswith(f"{raw}/Train/a.xml")
    assert "\n" not in str(caught.value)
