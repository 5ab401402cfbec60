import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from disconer import Document, InputError
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, FigureDifference, build
from disconer.corpora.corpus import Request
from disconer.exceptions import FormatError
from disconer.formats.xml_files import escape_text, quote_attribute
from tests.corpora.downloads import folder_of, tar_of, zip_of

SECTION = "\n\n    6 REACTIONS\n\n  Mild neck & back pain < 1%.\n  No rash é in rats.\n"
MENTIONS = """\
<Mention id="M1" section="S1" type="Severity" start="21" len="4" str="Mild" />
<Mention id="M2" section="S1" type="AdverseReaction" start="26,38" len="4,4" str="neck pain" />
<Mention id="M3" section="S1" type="AdverseReaction" start="33" len="9" str="back  pain" />
<Mention id="M4" section="S1" type="Negation" start="51" len="2" str="No" />
<Mention id="M5" section="S1" type="AdverseReaction" start="54" len="6" str="rash &#233;" />
<Mention id="M6" section="S1" type="Animal" start="64" len="4" str="mice" />
"""


def label(mentions: str = MENTIONS, section: str = SECTION, drug: str = "BRAVOL") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Label drug="{drug}" track="TAC2017_ADR">
  <Text>
    <Section name="adverse reactions" id="S1">{escape_text(section)}</Section>
    <Section name="boxed warnings" id="S2">    Stop at once.
</Section>
  </Text>
  <Mentions>
{mentions}</Mentions>
  <Relations><Relation id="RL1" type="Effect" arg1="M2" arg2="M1" /></Relations>
  <Reactions><Reaction id="AR1" str="neck pain"><Normalization id="AR1.N1" meddra_pt="Pain" /></Reaction></Reactions>
</Label>
"""


def built(path: Path, **wishes: Any) -> BuiltCorpus:
    return build(find_corpus("tac2017"), path, Request(**wishes))


def all_of(found: BuiltCorpus) -> dict[str, Document]:
    return {str(document.id): document for documents in found.splits.values() for document in documents}


def spans(document: Document) -> list[tuple[str, list[list[int]]]]:
    return [(mention.label, [[*fragment] for fragment in mention.fragments]) for mention in document]


def test_every_section_is_a_document_and_offsets_count_from_its_very_beginning(tmp_path: Path) -> None:
    found = built(folder_of(tmp_path / "raw", {"train_xml/BRAVOL.xml": label()}), whole_documents=True)
    documents = all_of(found)
    assert list(documents) == ["BRAVOL#S1", "BRAVOL#S2"]
    assert documents["BRAVOL#S1"].text == SECTION
    assert spans(documents["BRAVOL#S1"]) == [
        ("Severity", [[21, 25]]),
        ("AdverseReaction", [[26, 30], [38, 42]]),
        ("AdverseReaction", [[33, 42]]),
        ("Negation", [[51, 53]]),
        ("AdverseReaction", [[54, 60]]),
        ("Animal", [[64, 68]]),
    ]
    assert [mention.text for mention in documents["BRAVOL#S1"]] == [
        "Mild", "neck pain", "back pain", "No", "rash é", "rats",
    ]  # fmt: skip
    assert documents["BRAVOL#S1"].mentions[1].extras == {"id": "M2"}
    assert documents["BRAVOL#S2"].mentions == ()
    assert found.ledger.counts() == {"skipped": {}, "changed": {"text that differs from the offsets'": 1}}
    assert found.ledger.changed[0].place == "document BRAVOL#S1 M6 Animal 64-68"


def test_sentences_are_named_by_their_place_in_the_section(tmp_path: Path) -> None:
    documents = all_of(built(folder_of(tmp_path / "raw", {"train_xml/BRAVOL.xml": label()})))
    assert list(documents) == ["BRAVOL#S1:6-17", "BRAVOL#S1:21-48", "BRAVOL#S1:51-69", "BRAVOL#S2:4-17"]
    assert spans(documents["BRAVOL#S1:21-48"])[1] == ("AdverseReaction", [[5, 9], [17, 21]])


def test_archives_in_a_folder_give_train_dev_and_test_by_drug(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    tar_of(raw / "train_xml.tar.gz", {f"train_xml/DRUG{number}.xml": label() for number in range(20)})
    tar_of(raw / "gold_xml.tar.gz", {"gold_xml/ZULU.xml": label(), "gold_xml/DRUG1.xml": label()})
    zip_of(raw / "unannotated_xml.zip", {"OTHER.xml": label(mentions="")})
    found = built(raw, whole_documents=True)
    assert found.documents == {"train": 36, "dev": 4, "test": 4}
    assert {str(document.id)[:4] for document in found.splits["test"]} == {"ZULU", "DRUG"}
    drugs = {split: {str(document.id)[:-3] for document in found.splits[split]} for split in ("train", "dev")}
    assert len(drugs["train"]) == 18
    assert len(drugs["dev"]) == 2
    assert not drugs["train"] & drugs["dev"]
    assert [(row.split, row.figure, row.found) for row in found.comparison] == [
        ("train + dev", "mentions", 120),
        ("test", "mentions", 12),
    ]


def test_an_archive_alone_says_by_its_name_what_it_holds(tmp_path: Path) -> None:
    gold = built(tar_of(tmp_path / "gold_xml.tar.gz", {"A.xml": label(), "B.xml": label()}))
    assert list(gold.splits) == ["test"]
    assert gold.comparison == [FigureDifference("test", "mentions", 14_625, 12)]


def test_a_label_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    raw = folder_of(tmp_path / "raw", {"train_xml/A.xml": label(), "copy/train_xml/A.xml": label()})
    found = built(raw, whole_documents=True)
    assert len(all_of(found)) == 2
    assert found.ledger.skipped == [("a second copy of a label", "file train_xml/A.xml")]


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ('section="S1" type="Animal" start="64" len="400"', "out of range"),
        ('section="S1" type="Animal" start="64" len="0"', "empty or reversed offsets"),
        ('section="S1" type="Animal" start="64,66" len="4"', "unparsable"),
        ('section="S1" type="Animal" start="64,66" len="2,2,2"', "unparsable"),
        ('section="S1" type="Animal" start="-1" len="4"', "unparsable"),
        ('section="S1" type="Animal" start="six" len="4"', "unparsable"),
        ('section="S1" type="Animal" start="99999999999999" len="4"', "unparsable"),
        ('section="S1" type="Animal" len="4"', "unparsable"),
        ('section="S1" type="" start="64" len="4"', "unparsable"),
        ('section="S9" type="Animal" start="64" len="4"', "of a section that is not there"),
        ('type="Animal" start="64" len="4"', "of a section that is not there"),
    ],
)
def test_mentions_that_cannot_be_used_are_told(tmp_path: Path, attributes: str, reason: str) -> None:
    content = label(f'{MENTIONS}<Mention id="M7" {attributes} str="rats" />')
    found = built(folder_of(tmp_path / "raw", {"train_xml/A.xml": content}), whole_documents=True)
    assert found.ledger.counts()["skipped"] == {reason: 1}
    assert "M7" in found.ledger.skipped[0].place
    assert len(all_of(found)["A#S1"]) == 6


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (label()[:-9], "this is not XML: no element found"),
        ("<Document/>", "this is no label of TAC 2017, whose outermost element is Label"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><Label>&b;</Label>', "this XML declares entities"),
        ("", "this is not XML"),
    ],
)
def test_files_of_something_else_are_an_error(tmp_path: Path, content: str, message: str) -> None:
    raw = folder_of(tmp_path / "raw", {"train_xml/A.xml": content})
    with pytest.raises(FormatError, match=message) as caught:
        built(raw)
    assert str(caught.value).startswith(f"{raw}/train_xml/A.xml")
    assert "\n" not in str(caught.value)


def test_a_download_without_labels_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document of tac2017 was found here"):
        built(folder_of(tmp_path / "raw", {"unannotated_xml/A.xml": label()}))


def test_the_real_sections_come_back_from_xml_as_they_are(corpora: Path, tmp_path: Path) -> None:
    with (corpora / "tac2017_adr" / "documents.dev.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    labels = defaultdict(list)
    for record in records:
        labels[record["id"].partition("#")[0]].append(record)
    raw = folder_of(tmp_path, {f"train_xml/{drug}.xml": as_label(drug, found) for drug, found in labels.items()})
    found = built(raw, whole_documents=True)
    assert {name: (document.text, spans(document)) for name, document in all_of(found).items()} == {
        record["id"]: (record["text"], [(entity["label"], entity["spans"]) for entity in record["entities"]])
        for record in records
    }
    assert found.ledger.counts() == {"skipped": {}, "changed": {}}


def as_label(drug: str, records: Iterable[dict[str, Any]]) -> str:
    """Write sections as the owner does."""
    sections, mentions = [], []
    for record in records:
        section = record["id"].partition("#")[2]
        sections.append(f'<Section name="" id="{section}">{escape_text(record["text"])}</Section>')
        for number, entity in enumerate(record["entities"], start=1):
            starts = ",".join(str(start) for start, _ in entity["spans"])
            lengths = ",".join(str(end - start) for start, end in entity["spans"])
            surface = quote_attribute(" ".join(record["text"][start:end] for start, end in entity["spans"]))
            mentions.append(
                f'<Mention id="M{number}" section="{section}" type="{entity["label"]}" start="{starts}" '
                f'len="{lengths}" str={surface} />'
            )
    return f'<Label drug="{drug}"><Text>{"".join(sections)}</Text><Mentions>{"".join(mentions)}</Mentions></Label>'
