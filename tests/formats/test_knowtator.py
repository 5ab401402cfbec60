"""Knowtator's format: both versions are read, the first is written."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input, knowtator
from disconer.formats.knowtator.annotations import AnnotatedText, read_annotations
from disconer.formats.xml_files import is_writable
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS, TEXTS, mentions

TEXT = "Severe joint and\nshoulder pain.\n"
FIRST = """\
<?xml version="1.0" encoding="UTF-8"?>
<annotations textSource="d.txt">
  <annotation>
    <mention id="EHOST_Instance_1" />
    <annotator id="a1">Ann O. Tator</annotator>
    <span start="0" end="12" />
    <span start="26" end="30" />
    <spannedText>Severe joint ... pain</spannedText>
    <annotationComment>sure</annotationComment>
    <creationDate>Mon Jan 01 10:00:00 CET 2024</creationDate>
  </annotation>
  <annotation>
    <mention id="EHOST_Instance_2" />
    <span start="17" end="25" />
    <spannedText>shoulder</spannedText>
  </annotation>
  <annotation>
    <mention id="EHOST_Instance_3" />
  </annotation>
  <classMention id="EHOST_Instance_1">
    <mentionClass id="Disease_Disorder">Severe joint ... pain</mentionClass>
    <hasSlotMention id="disconer_Slot_1" />
    <hasSlotMention id="disconer_Slot_2" />
  </classMention>
  <stringSlotMention id="disconer_Slot_1">
    <mentionSlot id="CUI" />
    <stringSlotMentionValue value="C0003862" />
    <stringSlotMentionValue value="C0030193" />
  </stringSlotMention>
  <complexSlotMention id="disconer_Slot_2">
    <mentionSlot id="located in" />
    <complexSlotMentionValue value="EHOST_Instance_2" />
  </complexSlotMention>
  <classMention id="EHOST_Instance_2">
    <mentionClass id="UBERON:0001467">UBERON:0001467</mentionClass>
  </classMention>
  <classMention id="EHOST_Instance_3">
    <mentionClass id="Certainty">Certainty</mentionClass>
    <hasSlotMention id="disconer_Slot_3" />
  </classMention>
  <booleanSlotMention id="disconer_Slot_3">
    <mentionSlot id="whole" />
    <booleanSlotMentionValue value="true" />
  </booleanSlotMention>
</annotations>
"""
SECOND = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<knowtator-project>
  <document id="d" text-file="d.txt">
    <annotation annotator="Default" id="d-1" motivation="" type="identity">
      <class id="http://purl.obolibrary.org/obo/MONDO_0000001" label="disease"/>
      <span end="12" id="d-2" start="0">Severe joint</span>
      <span end="30" id="d-3" start="26">pain</span>
    </annotation>
    <annotation annotator="Default" id="d-4" type="identity">
      <class id="Part" label="Part"/>
      <span end="25" id="d-5" start="17">shoulder</span>
    </annotation>
    <graph-space id="relations">
      <vertex annotation="d-1" id="v1"/>
      <vertex annotation="d-4" id="v2"/>
      <triple annotator="Default" id="t1" object="v2" property="located in" quantifier="some" subject="v1" value=""/>
    </graph-space>
  </document>
  <document id="e" text-file="e.txt"/>
</knowtator-project>
"""
LABELS = st.text(CHARACTERS.filter(is_writable), min_size=1, max_size=6)
NAMES = st.text(CHARACTERS.filter(is_writable), min_size=1, max_size=6)
SLOTS = st.fixed_dictionaries(
    {"name": NAMES, "kind": st.sampled_from(["string", "integer", "boolean", "float"]), "values": st.lists(NAMES)}
)
DETAILS = st.fixed_dictionaries(
    {},
    optional={
        "annotator": NAMES,
        "annotator_id": NAMES,
        "class_name": st.just("longer than any label"),
        "comment": NAMES,
        "created": NAMES,
        "slots": st.lists(SLOTS, min_size=1, max_size=2),
    },
)


def folder_of(folder: Path, **contents: str | bytes) -> Path:
    """Write files whose names have `__` for a slash and `_` for a full stop."""
    for name, content in contents.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def annotation(spans: str, label: str = "X", surface: str = "") -> str:
    """Write the XML of the first version with one annotation."""
    repeated = f"<spannedText>{surface}</spannedText>" if surface else ""
    return (
        f'<annotations textSource="d.txt"><annotation><mention id="i"/>{spans}{repeated}</annotation>'
        f'<classMention id="i"><mentionClass id="{label}"/></classMention></annotations>'
    )


def said(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text) for mention in document]


def test_reads_the_first_version(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, d_txt=TEXT, d_txt_knowtator_xml=FIRST)
    assert detect_input(folder).name == "knowtator"
    (document,) = read(folder)
    assert document.id == "d"
    assert said(document) == [("Disease_Disorder", "Severe joint pain"), ("UBERON:0001467", "shoulder")]
    assert document.mentions[0].extras == {
        "id": "EHOST_Instance_1",
        "knowtator": {
            "annotator": "Ann O. Tator",
            "annotator_id": "a1",
            "class_name": "Severe joint ... pain",
            "comment": "sure",
            "created": "Mon Jan 01 10:00:00 CET 2024",
            "slots": [
                {"name": "CUI", "kind": "string", "values": ["C0003862", "C0030193"]},
                {"name": "located in", "kind": "complex", "values": ["EHOST_Instance_2"]},
            ],
        },
    }
    assert document.mentions[1].extras == {"id": "EHOST_Instance_2"}
    slot = {"name": "whole", "kind": "boolean", "values": ["true"]}
    assert document.extras == {"knowtator": [{"id": "EHOST_Instance_3", "label": "Certainty", "slots": [slot]}]}


def test_writes_what_it_reads(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "in", d_txt=TEXT, d_txt_knowtator_xml=FIRST)
    losses = write(read(folder), tmp_path / "out", "knowtator")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["d.txt", "d.txt.knowtator.xml"]
    assert (tmp_path / "out" / "d.txt").read_bytes().decode() == TEXT
    assert (tmp_path / "out" / "d.txt.knowtator.xml").read_text(encoding="utf-8") == FIRST
    assert losses.lines() == []


def test_everything_is_kept_through_jsonl(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "in", d_txt=TEXT, d_txt_knowtator_xml=FIRST)
    write(read(folder), tmp_path / "a.jsonl")
    write(read(tmp_path / "a.jsonl"), tmp_path / "out", "knowtator")
    assert (tmp_path / "out" / "d.txt.knowtator.xml").read_text(encoding="utf-8") == FIRST


def test_reads_the_second_version_and_writes_it_as_the_first(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "in", Articles__d_txt=TEXT, Articles__e_txt="Well.", Annotations__all_xml=SECOND)
    first, second = read(folder, "knowtator")
    assert (first.id, second.id, second.mentions) == ("Articles/d", "Articles/e", ())
    assert said(first) == [("http://purl.obolibrary.org/obo/MONDO_0000001", "Severe joint pain"), ("Part", "shoulder")]
    assert first.mentions[0].extras == {
        "id": "d-1",
        "knowtator": {
            "annotator": "Default",
            "class_name": "disease",
            "slots": [{"name": "located in", "kind": "complex", "values": ["d-4"]}],
        },
    }
    assert write([first], tmp_path / "out", "knowtator").lines() == []
    assert list(read(tmp_path / "out")) == [first]


def test_a_text_is_read_with_all_its_annotations_and_a_file_of_annotations_with_its_own(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, d_txt=TEXT, d_txt_knowtator_xml=FIRST, e_txt="Well.", f_xml=SECOND, plain_txt="x")
    expected = {
        "d.txt": [("d", 4)],
        "d.txt.knowtator.xml": [("d", 2)],
        "f.xml": [("d", 2), ("e", 0)],
        "e.txt": [("e", 0)],
        "plain.txt": [("plain", 0)],
    }
    for name, found in expected.items():
        assert [(document.id, len(document)) for document in read(folder / name, "knowtator")] == found
    assert detect_input(folder / "d.txt.knowtator.xml").name == "knowtator"


def test_one_file_does_not_need_the_others_of_its_folder(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, d_txt=TEXT, e_txt="Well.", d_xml=FIRST, all_xml=SECOND, x_spacy=b"\xff")
    folder_of(folder, bad_knowtator_xml="broken", lonely_knowtator_xml=FIRST.replace("d.txt", "gone.txt"))
    counts = {name: [len(document) for document in read(folder / name, "knowtator")] for name in ("d.xml", "d.txt")}
    assert counts == {"d.xml": [2], "d.txt": [4]}
    with pytest.raises(InputError, match="there are no annotations here, so this is not Knowtator's") as caught:
        list(read(folder / "x.spacy", "knowtator"))
    assert caught.value.path == folder / "x.spacy"
    with pytest.raises(InputError, match="this is not XML") as caught:
        list(read(folder / "bad.knowtator.xml"))
    assert caught.value.path == folder / "bad.knowtator.xml"
    with pytest.raises(InputError, match="this is not XML"):
        list(read(folder))


def project(*names: str) -> str:
    """Write a project of the second version in which every text has one annotation."""
    spans = '<annotation id="i"><class id="X"/><span start="0" end="4"/></annotation>'
    documents = (f'<document id="{name}" text-file="{name}.txt">{spans}</document>' for name in names)
    return f"<knowtator-project>{''.join(documents)}</knowtator-project>"


def test_files_are_parsed_as_often_however_many_texts_they_speak_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"text{number}" for number in range(9)]
    folder = folder_of(tmp_path, one_xml=project(*names), two_xml=project(*names[3:]))
    for name in names:
        folder_of(folder, **{f"{name}_txt": name})
    parsed: list[str] = []

    def counted(content: bytes, place: Path) -> list[AnnotatedText]:
        parsed.append(place.name)
        return read_annotations(content, place)

    monkeypatch.setattr(knowtator, "read_annotations", counted)
    assert [len(document) for document in read(folder, "knowtator")] == [1] * 3 + [2] * 6
    assert sorted(parsed) == ["one.xml"] * 2 + ["two.xml"] * 2  # once for the names, once for the annotations


def test_a_project_called_after_one_of_its_texts_speaks_of_the_others_too(tmp_path: Path) -> None:
    content = project("d", "e").replace(' id="d" text-file="d.txt"', "")
    folder = folder_of(tmp_path, d_txt=TEXT, e_txt="Well.", d_txt_knowtator_xml=content)
    assert [(document.id, len(document)) for document in read(folder)] == [("d", 1), ("e", 1)]


def test_a_copy_that_is_called_after_its_text_is_about_it_whatever_it_says(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, copy_txt=TEXT, copy_txt_knowtator_xml=FIRST)
    assert [(document.id, len(document)) for document in read(folder)] == [("copy", 2)]


def test_texts_may_lie_elsewhere_and_have_annotations_in_several_files(tmp_path: Path) -> None:
    chemicals, diseases = annotation('<span start="0" end="6"/>', "CHEBI:1"), annotation('<span start="26" end="30"/>')
    folder = folder_of(
        tmp_path,
        README_txt="About these files",
        articles__txt__d_txt=TEXT,
        articles__txt__plain_txt="Nothing is marked here.",
        articles__txt__d_copyright="Somebody's",
        concepts__CHEBI__d_txt_knowtator_xml=chemicals,
        concepts__MONDO__d_txt_knowtator_xml=diseases,
        ignored_xml="<other/>",
        also_xml="no XML at all",
    )
    first, second = read(folder)
    assert (first.id, said(first)) == ("articles/txt/d", [("CHEBI:1", "Severe"), ("X", "pain")])
    assert (second.id, second.mentions) == ("articles/txt/plain", ())
    folder_of(folder, concepts__d_txt=TEXT)
    with pytest.raises(InputError, match=r"CHEBI/d\.txt\.knowtator\.xml: there are 2 texts called 'd\.txt'"):
        list(read(folder))
    folder_of(folder, concepts__CHEBI__d_txt="Severe, too", concepts__MONDO__d_txt=TEXT)
    assert [document.id for document in read(folder)] == ["concepts/CHEBI/d", "concepts/MONDO/d"]


@pytest.mark.parametrize("source", ["d.txt", "/home/me/d.txt", "C:\\notes\\d.txt", "../../d.txt"])
def test_a_source_is_a_name_and_leads_nowhere_else(tmp_path: Path, source: str) -> None:
    content = annotation('<span start="0" end="6"/>').replace("d.txt", source)
    folder = folder_of(tmp_path / "in", d_txt=TEXT, x_knowtator_xml=content)
    folder_of(tmp_path, d_txt="something else altogether")
    assert [said(document) for document in read(folder)] == [[("X", "Severe")]]


def test_annotations_without_a_source_are_called_after_their_text(tmp_path: Path) -> None:
    content = annotation('<span start="0" end="6"/>').replace(' textSource="d.txt"', "")
    folder = folder_of(tmp_path, texts__d_txt=TEXT, xml__d_txt_knowtator_xml=content)
    assert [said(document) for document in read(folder)] == [[("X", "Severe")]]


def test_fragments_are_sorted_and_merged_and_empty_ones_are_nothing(tmp_path: Path) -> None:
    spans = '<span start="26" end="30"/><span start="13" end="13"/><span start="7" end="12"/><span start="0" end="6"/>'
    folder = folder_of(tmp_path, d_txt=TEXT, d_txt_knowtator_xml=annotation(spans))
    (document,) = read(folder)
    assert [tuple(fragment) for fragment in document.mentions[0].fragments] == [(0, 12), (26, 30)]
    folder_of(tmp_path, d_txt_knowtator_xml=annotation('<span start="5" end="5"/>'))
    (document,) = read(folder)
    assert (document.mentions, document.extras) == ((), {"knowtator": [{"id": "i", "label": "X"}]})


@pytest.mark.parametrize(
    ("surface", "kept"),
    [("Severe ... pain", None), ("Severe pain", None), ("Severe\n...\npain", None), ("Severe", "Severe"), ("", None)],
)
def test_a_text_that_differs_from_the_offsets_is_kept_for_people_to_see(
    tmp_path: Path, surface: str, kept: str | None
) -> None:
    spans = '<span start="0" end="6"/><span start="26" end="30"/>'
    folder = folder_of(tmp_path, d_txt=TEXT, d_txt_knowtator_xml=annotation(spans, surface=surface))
    (document,) = read(folder)
    assert document.mentions[0].extras.get("text") == kept


@pytest.mark.parametrize(
    ("offsets", "surface", "expected"),
    [("2 6", "pain", "pain"), ("3 7", "pain", "pain"), ("3 7", "", "pain"), ("2 6", "gain", " pai")],
)
def test_offsets_count_utf16_unless_the_texts_say_otherwise(
    tmp_path: Path, offsets: str, surface: str, expected: str
) -> None:
    start, end = offsets.split()
    content = annotation(f'<span start="{start}" end="{end}"/>', surface=surface)
    (document,) = read(folder_of(tmp_path, d_txt="🙂 pain", d_txt_knowtator_xml=content))
    assert document.mentions[0].text == expected


def test_utf16_is_written(tmp_path: Path) -> None:
    write([Document("🙂 pain", [("X", [(2, 6)])], "d")], tmp_path / "out", "knowtator")
    assert '<span start="3" end="7" />' in (tmp_path / "out" / "d.txt.knowtator.xml").read_text()


@settings(max_examples=50)
@given(TEXTS, st.data())
def test_mentions_survive_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("knowtator") / "out"
    layout = Layout(text, split=Split.ALWAYS)
    identifiers = data.draw(st.lists(NAMES, unique=True, max_size=3)) if text else []
    drawn = [(identifier, data.draw(mentions(layout, LABELS)), data.draw(DETAILS)) for identifier in identifiers]
    found = [
        Mention(mention.label, mention.fragments, layout, extras=extras_of(identifier, details))
        for identifier, mention, details in drawn
    ]
    name = data.draw(st.text(CHARACTERS, min_size=1, max_size=8) | st.sampled_from(["../up", "/etc/x", "..", "a//b"]))
    document = Document(layout, found, name)
    losses = write([document], folder, "knowtator")
    (back,) = read(folder, "knowtator")
    assert losses.lines() == []
    assert back == document
    assert back.layout.sentences == document.layout.sentences


def extras_of(identifier: str, details: dict[str, Any]) -> dict[str, Any]:
    return {"id": identifier, **({"knowtator": details} if details else {})}


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    layout = Layout("One. Two.", given_sentences=((0, 9),))
    slot = {"name": "part of", "kind": "complex", "values": ["a", "gone"]}
    found = [
        Mention("X", [(0, 3)], layout, 0.5, {"id": "a", "knowtator": {"slots": [slot]}, "note": 1}),
        Mention("X", [(5, 8)], layout, extras={"id": "a", "text": "Too"}),
        Mention("X", [(5, 8)], layout, extras={"id": 7}),
    ]
    losses = write([Document(layout, found, 7, {"lang": "en"})], tmp_path / "out", "knowtator")
    assert sorted(losses.lines()) == [
        "ids of annotations that Knowtator cannot use (2)",
        "ids that are numbers, written as text (1)",
        "links to annotations that are not there (1)",
        "scores (1)",
        "texts whose words or sentences Knowtator would find elsewhere (1)",
        "values of the key 'lang' (1)",
        "values of the mentions' key 'note' (1)",
        "values of the mentions' key 'text' (1)",
    ]
    (document,) = read(tmp_path / "out")
    assert [mention.extras["id"] for mention in document] == ["a", "disconer_Instance_1", "disconer_Instance_2"]
    assert document.mentions[0].extras["knowtator"] == {"slots": [{**slot, "values": ["a"]}]}


@pytest.mark.parametrize(
    "value",
    [None, 5, "x", [1], {"annotator": 3}, {"strange": "x"}, {"slots": {}}, {"slots": ["x"]}, {"comment": "\ud83d"},
     {"comment": "\0"}, {"slots": [{"name": "a", "kind": "b", "values": []}]},
     {"slots": [{"name": "a", "kind": "string", "values": [1]}]}, {"slots": [{"name": "a", "kind": [], "values": []}]}],
)  # fmt: skip
def test_a_key_that_is_only_called_knowtator_is_an_unknown_key(tmp_path: Path, value: object) -> None:
    mention = Mention("X", [(0, 1)], "a", extras={"knowtator": value})
    losses = write([Document("a", [mention], "d", {"knowtator": [value]})], tmp_path / "out", "knowtator")
    assert losses.noted == {"values of the mentions' key 'knowtator'": 1, "values of the key 'knowtator'": 1}
    assert [mention.extras for document in read(tmp_path / "out") for mention in document] == [
        {"id": "disconer_Instance_1"}
    ]


def test_characters_that_xml_cannot_write_may_be_in_texts_but_not_in_labels(tmp_path: Path) -> None:
    document = Document("a\x0cb\0", [("X", [(0, 4)])], "d")
    assert write([document], tmp_path / "out", "knowtator").lines() == []
    (back,) = read(tmp_path / "out")
    assert (back.text, back.mentions[0].key) == (document.text, document.mentions[0].key)
    assert "text" not in back.mentions[0].extras
    with pytest.raises(CannotHoldError, match=r"^document 'd': XML has no way to write the character U\+0000"):
        write([Document("a", [("\0", [(0, 1)])], "d")], tmp_path / "bad", "knowtator")
    assert not (tmp_path / "bad").exists()


def test_files_lie_below_the_folder_whatever_the_ids_say(tmp_path: Path) -> None:
    hostile = ["a", "a.txt/b", "a.txt.knowtator.xml/c", "../../up", "/etc/passwd", "..", ".hidden", "C:\\x", "a//b"]
    (tmp_path / "deep").mkdir()
    write([Document("x", id=identifier) for identifier in hostile], tmp_path / "deep" / "er", "knowtator")
    assert {path.name for path in tmp_path.iterdir()} == {"deep"}
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"er"}
    assert sorted(str(document.id) for document in read(tmp_path / "deep" / "er")) == sorted(hostile)


def test_two_documents_with_one_id_are_an_error_and_those_without_are_numbered(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="document 'x': another document has the same id"):
        write([Document("a", id="x"), Document("b", id="x")], tmp_path / "out", "knowtator")
    assert not list(tmp_path.iterdir())
    write([Document("a"), Document("b")], tmp_path / "out", "knowtator")
    assert [document.id for document in read(tmp_path / "out")] == ["document-000001", "document-000002"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (annotation('<span start="0" end="99"/>'), "the fragment 0-99 lies outside the text"),
        (annotation('<span start="6" end="0"/>'), "reversed"),
        (annotation('<span start="0" end="6"/><span start="3" end="9"/>'), "overlap"),
        (annotation('<span start="0"/>'), "the annotation 'i' cannot be used: offsets that are not whole numbers"),
        (annotation('<span start="-1" end="6"/>'), "not whole numbers"),
        (annotation(f'<span start="0" end="{"9" * 5000}"/>'), "not whole numbers"),
        (annotation('<span start="0" end="6"/>', label=""), "an annotation without a class"),
        ("<annotations><annotation/></annotations>", "the annotation '' cannot be used: an annotation without a class"),
        ("<html/>", "this is not Knowtator's XML: it begins with 'html'"),
        ("<annotations", "this is not XML"),
        ("", "this is not XML"),
        ('<!DOCTYPE x [<!ENTITY e "boom">]><annotations>&e;</annotations>', "declares entities"),
        (b"<annotations>\xff</annotations>", "this is not XML"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: str | bytes, complaint: str) -> None:
    folder = folder_of(tmp_path, d_txt=TEXT, d_txt_knowtator_xml=content)
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(folder, "knowtator"))
    assert caught.value.path == folder / "d.txt.knowtator.xml"


def test_missing_texts_folders_without_annotations_and_clashes_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no annotations here"):
        list(read(folder_of(tmp_path, note_txt="x"), "knowtator"))
    with pytest.raises(InputError, match=r"there is no text 'd\.txt' beside these annotations or below"):
        list(read(folder_of(tmp_path, d_txt_knowtator_xml=FIRST)))
    folder_of(tmp_path, d_txt=TEXT, d_TXT="other")
    with pytest.raises(InputError, match=r"there is also d\.TXT: rename one of them"):
        list(read(tmp_path))


def test_a_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, d_txt=b"ok\n\xff", d_txt_knowtator_xml=FIRST)
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(read(folder))
    assert (caught.value.path, caught.value.line) == (folder / "d.txt", 2)


def test_reading_is_lazy(tmp_path: Path) -> None:
    write([Document(f"text {number}", id=str(number)) for number in range(3)], tmp_path / "out", "knowtator")
    (tmp_path / "out" / "2.txt.knowtator.xml").write_text("broken", encoding="utf-8")
    documents = read(tmp_path / "out")
    assert [next(documents).id for _ in range(2)] == ["0", "1"]
    with pytest.raises(InputError, match="not XML"):
        next(documents)


def test_a_relation_that_marks_nothing_is_kept(tmp_path: Path) -> None:
    relation = '<classMention id="r"><mentionClass id="Cause"/></classMention></annotations>'
    content = annotation('<span start="0" end="6"/>').replace("</annotations>", relation).encode()
    (text,) = read_annotations(content, "here")
    assert [(each.identifier, each.label, each.spans) for each in text.annotations] == [
        ("i", "X", ((0, 6),)),
        ("r", "Cause", ()),
    ]
