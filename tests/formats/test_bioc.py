import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bioc import BioCCollection, biocjson, biocxml
from bioc.utils import get_text
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import Losses
from disconer.formats.bioc.documents import read_document, to_record
from disconer.tokenize import Layout
from tests.strategies import JSON, documents

EXAMPLE = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection>
<source>forum</source>
<date>20240229</date>
<key>forum.key</key>
<infon key="licence">none</infon>
<document>
  <id>d1</id>
  <infon key="language">en</infon>
  <passage>
    <infon key="type">title</infon>
    <offset>0</offset>
    <text>Aching &amp; tired</text>
    <annotation id="M1">
      <infon key="type">topic</infon>
      <text></text>
    </annotation>
    <annotation id="7">
      <infon key="type">ADR</infon>
      <infon key="identifier">MESH:0</infon>
      <location offset="0" length="6"/>
      <text>Aching</text>
    </annotation>
  </passage>
  <passage>
    <infon key="type">body</infon>
    <offset>15</offset>
    <sentence>
      <infon key="certain">yes</infon>
      <offset>15</offset>
      <text>Severe joint and shoulder pain.</text>
      <annotation id="8">
        <infon key="type">ADR</infon>
        <infon key="score">0.25</infon>
        <location offset="15" length="12"/>
        <location offset="41" length="4"/>
        <text>Severe joint pain</text>
      </annotation>
      <relation id="R1">
        <infon key="type">same</infon>
        <node refid="7" role="first"/>
        <node refid="8" role="second"/>
      </relation>
    </sentence>
    <sentence>
      <offset>48</offset>
      <text>Better now.</text>
    </sentence>
    <annotation id="9">
      <infon key="type">story</infon>
      <location offset="41" length="17"/>
      <text>pain.  Better now</text>
    </annotation>
  </passage>
  <annotation id="10">
    <infon key="type">both</infon>
    <location offset="0" length="6"/>
    <location offset="41" length="4"/>
    <text>Aching pain</text>
  </annotation>
  <relation id="R2">
    <node refid="R1" role="about"/>
  </relation>
</document>
</collection>
"""
TEXT = "Aching & tired\nSevere joint and shoulder pain.  Better now."
FORMATS = ("bioc", "bioc-json")
CHILDREN = {
    "collection": "source date key (infon )*(document )*",
    "document": "id (infon )*(passage )+(annotation )*(relation )*",
    "passage": "(infon )*offset (text |(sentence )*)(annotation )*(relation )*",
    "sentence": "(infon )*offset text (annotation )*(relation )*",
    "annotation": "(infon )*(location )*text ",
    "relation": "(infon )*(node )*",
}


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def document_xml(inner: str, identifier: str = "d1") -> str:
    return f"<collection><document><id>{identifier}</id>{inner}</document></collection>"


def passage_xml(text: str, inner: str = "", offset: object = 0) -> str:
    return f"<passage><offset>{offset}</offset><text>{text}</text>{inner}</passage>"


def annotation_xml(*spans: tuple[int, int], text: str = "", infons: str = '<infon key="type">X</infon>') -> str:
    locations = "".join(f'<location offset="{start}" length="{end - start}"/>' for start, end in spans)
    return f'<annotation id="T1">{infons}{locations}<text>{text}</text></annotation>'


def one(tmp_path: Path, inner: str, split: Split | None = None) -> Document:
    (document,) = read(written(tmp_path / "one.xml", document_xml(inner)), split=split)
    return document


def library_load(path: Path, format: str) -> BioCCollection:
    with path.open(encoding="utf-8") as stream:
        return biocxml.load(stream) if format == "bioc" else biocjson.load(stream)


def library_dump(collection: BioCCollection, path: Path, format: str) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        biocxml.dump(collection, stream) if format == "bioc" else biocjson.dump(collection, stream)
    return path


def cleaned(document: Document) -> Document:
    """Replace what XML has no way to write."""

    def clean(text: str) -> str:
        return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "x", text)

    old = document.layout
    layout = Layout(clean(old.text), old.given_words, old.given_sentences)
    mentions = [Mention(clean(one.label), one.fragments, layout, one.score, one.extras) for one in document]
    return Document(
        layout, mentions, clean(document.id) if isinstance(document.id, str) else document.id, document.extras
    )


def said(document: Document) -> tuple[Any, ...]:
    """All that a document says but for the ids of mentions, which writing assigns."""
    layout = document.layout
    mentions = sorted(
        json.dumps([one.label, [*map(list, one.fragments)], one.score, {**one.extras, "id": 0}], sort_keys=True)
        for one in document
    )
    return layout.text, layout.given_words, layout.sentences, document.id, document.extras, mentions


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40)
@given(drawn=st.lists(documents().map(cleaned), max_size=2))
def test_everything_survives_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, format: str, drawn: list[Document]
) -> None:
    path = tmp_path_factory.mktemp("bioc") / "documents"
    losses = write(drawn, path, format)
    assert [said(document) for document in read(path, format)] == [said(document) for document in drawn]
    assert losses.lines() == []


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40)
@given(document=documents().map(cleaned))
def test_the_library_reads_the_same_text_and_locations(
    tmp_path_factory: pytest.TempPathFactory, format: str, document: Document
) -> None:
    path = tmp_path_factory.mktemp("bioc") / "documents"
    write([document], path, format)
    (seen,) = library_load(path, format).documents
    assert get_text(seen)[1] == document.text
    containers = [seen, *seen.passages, *(sentence for passage in seen.passages for sentence in passage.sentences)]
    found = [annotation for container in containers for annotation in container.annotations]
    assert sorted(
        (one.infons["type"], [(at.offset, at.offset + at.length) for at in one.locations]) for one in found
    ) == sorted((one.label, [tuple(fragment) for fragment in one.fragments]) for one in document)
    if format == "bioc":
        check_order(ElementTree.parse(path).getroot())


def check_order(element: ElementTree.Element) -> None:
    """Check that the children of every element are those that BioC's document type names, in its order."""
    if element.tag in CHILDREN:
        assert re.fullmatch(CHILDREN[element.tag], "".join(f"{child.tag} " for child in element)), element.tag
    for child in element:
        check_order(child)


def test_reads_annotations_of_every_level(tmp_path: Path) -> None:
    (document,) = read(written(tmp_path / "a.xml", EXAMPLE))
    assert document.text == TEXT
    assert document.id == "d1"
    assert {(mention.label, mention.text) for mention in document} == {
        ("ADR", "Aching"),
        ("ADR", "Severe joint pain"),
        ("story", "pain.  Better now"),
        ("both", "Aching pain"),
    }
    assert [(mention.extras["id"], mention.score) for mention in document if mention.score] == [("8", 0.25)]
    assert [mention.extras["bioc"] for mention in document if "bioc" in mention.extras] == [
        {"infons": {"identifier": "MESH:0"}}
    ]
    sentences = [TEXT[start:end] for start, end in document.layout.sentences]
    assert sentences == ["Aching & tired", "Severe joint and shoulder pain.", "Better now."]


@pytest.mark.parametrize(
    "through", [(), ("jsonl",), ("bioc-json",), ("pubannotation",), ("jsonl", "bioc-json", "jsonl")]
)
def test_everything_is_kept_from_bioc_to_bioc(tmp_path: Path, through: tuple[str, ...]) -> None:
    path, format = written(tmp_path / "a.xml", EXAMPLE), "bioc"
    for number, following in enumerate((*through, "bioc")):
        target = tmp_path / str(number)
        assert write(read(path, format), target, following).lines() == []
        path, format = target, following
    assert path.read_text(encoding="utf-8") == EXAMPLE


def library_collection() -> BioCCollection:
    """Make what the library can say and the example does not."""
    collection = biocxml.loads(EXAMPLE)
    (document,) = collection.documents
    document.passages[0].relations = document.relations
    document.passages[1].text = get_text(document.passages[1])[1]
    document.infons["a < b"] = "\t\"quoted\" & 'single'\r\n"
    another = document_xml(passage_xml("Übel 🙂 ist mir", annotation_xml((5, 6), (11, 14), text="🙂 mir")))
    collection.add_document(biocxml.loads(another).documents[0])
    return collection


@pytest.mark.parametrize("format", FORMATS)
def test_what_the_library_writes_is_kept(tmp_path: Path, format: str) -> None:
    before = library_dump(library_collection(), tmp_path / "before", format)
    first, second = read(before, format)
    assert first.text == TEXT
    assert [(mention.text, mention.start) for mention in second] == [("🙂 mir", 5)]
    assert write([first, second], tmp_path / "after", format).lines() == []
    assert biocjson.dumps(library_load(tmp_path / "after", format)) == biocjson.dumps(library_load(before, format))


def test_writes_the_published_layout(tmp_path: Path) -> None:
    text = "Severe joint and shoulder pain."
    write([Document(text, [("ADR", [(0, 12), (26, 30)])], "d1")], tmp_path / "a.bioc.xml")
    assert (tmp_path / "a.bioc.xml").read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE collection SYSTEM "BioC.dtd">\n'
        "<collection>\n<source></source>\n<date></date>\n<key></key>\n"
        "<document>\n"
        "  <id>d1</id>\n"
        "  <passage>\n"
        "    <offset>0</offset>\n"
        "    <text>Severe joint and shoulder pain.</text>\n"
        '    <annotation id="T1">\n'
        '      <infon key="type">ADR</infon>\n'
        '      <location offset="0" length="12"/>\n'
        '      <location offset="26" length="4"/>\n'
        "      <text>Severe joint pain</text>\n"
        "    </annotation>\n"
        "  </passage>\n"
        "</document>\n"
        "</collection>\n"
    )


@pytest.mark.parametrize("format", FORMATS)
def test_sentences_that_a_reader_would_split_are_written(tmp_path: Path, format: str) -> None:
    document = Document(" Severe. Joint pain. ", [("X", [(1, 7), (9, 14)])], "d")
    assert write([document], tmp_path / "out", format).lines() == []
    (back,) = read(tmp_path / "out", format)
    assert (back.text, back.layout.sentences) == (document.text, ((1, 20),))
    (seen,) = library_load(tmp_path / "out", format).documents
    assert [one.text for passage in seen.passages for one in passage.sentences] == ["Severe. Joint pain."]
    (unsplit,) = read(written(tmp_path / "a.xml", document_xml(passage_xml("One. Two."))), split=Split.NEVER)
    write([unsplit], tmp_path / "out", format)
    assert [document.layout.sentences for document in read(tmp_path / "out", format)] == [((0, 9),)]


def test_mentions_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    (document,) = read(written(tmp_path / "a.xml", EXAMPLE))
    assert [mention.extras["id"] for mention in document] == ["7", "8", "9", "10"]


def test_given_sentences_become_sentences_and_paragraphs_passages(tmp_path: Path) -> None:
    text = "One. Two.\n\nThree.\t Four.\n"
    spans = tuple((text.index(word), text.index(word) + len(word)) for word in ("One.", "Two.", "Three.", "Four."))
    write([Document(Layout(text, given_sentences=spans))], tmp_path / "a.bioc.xml")
    (seen,) = library_load(tmp_path / "a.bioc.xml", "bioc").documents
    assert [(passage.offset, passage.text, [one.text for one in passage.sentences]) for passage in seen.passages] == [
        (0, "", ["One.", "Two."]),
        (11, "", ["Three."]),
        (17, "\t ", []),
        (19, "", ["Four."]),
        (24, "\n", []),
    ]


@pytest.mark.parametrize(("split", "expected"), [(Split.ALWAYS, 4), (Split.NEVER, 3)])
def test_sentences_are_looked_for_where_only_some_passages_name_them(
    tmp_path: Path, split: Split, expected: int
) -> None:
    named = "".join(
        f"<sentence><offset>{at}</offset><text>{text}</text></sentence>" for at, text in ((10, "C"), (12, "D"))
    )
    inner = passage_xml("One. Two.") + f"<passage><offset>10</offset>{named}</passage>"
    document = one(tmp_path, inner, split)
    assert document.text == "One. Two.\nC D"
    assert len(document.layout.sentences) == expected


def test_gaps_between_passages_are_filled_so_that_offsets_hold(tmp_path: Path) -> None:
    inner = (
        passage_xml("late", annotation_xml((20, 24), text="late"), 20)
        + passage_xml("early", offset=3)
        + passage_xml("", offset=4)
    )
    document = one(tmp_path, inner)
    assert document.text == "\n\n\nearly" + "\n" * 12 + "late"
    assert [mention.text for mention in document] == ["late"]
    write([document], tmp_path / "again.bioc.xml")
    seen = library_load(tmp_path / "again.bioc.xml", "bioc").documents[0]
    assert [(passage.offset, passage.text) for passage in seen.passages] == [(20, "late"), (3, "early"), (4, "")]


@pytest.mark.parametrize("text", ["joint", "shoulder … pain", "SEVERE pain", "TNF-a"])
def test_a_text_that_differs_from_the_offsets_is_kept_for_people_to_see(tmp_path: Path, text: str) -> None:
    document = one(tmp_path, passage_xml("Severe joint pain", annotation_xml((0, 6), (13, 17), text=text)))
    assert [mention.extras["text"] for mention in document] == [text]
    write([document], tmp_path / "again.bioc.xml")
    assert list(read(tmp_path / "again.bioc.xml")) == [document]


@pytest.mark.parametrize(
    "text",
    ["", "Severe pain", "pain Severe", "Severe [...] pain", "Severe ... pain", "Severe … pain", "Severe joint\npain"],
)
def test_a_text_may_show_a_gap_in_any_way(tmp_path: Path, text: str) -> None:
    document = one(tmp_path, passage_xml("Severe joint pain", annotation_xml((13, 17), (0, 6), text=text)))
    assert [mention.extras for mention in document] == [{"id": "T1"}]


@pytest.mark.parametrize(
    ("infons", "label", "score", "kept"),
    [
        ("", "annotation", None, None),
        ('<infon key="type"></infon>', "annotation", None, None),
        ('<infon key="type"> a\tb </infon>', " a\tb ", None, None),
        ('<infon key="type">X</infon><infon key="score">1</infon>', "X", 1, None),
        ('<infon key="score">1e-3</infon>', "annotation", 0.001, None),
        ('<infon key="score">12.5</infon>', "annotation", None, {"score": "12.5"}),
        ('<infon key="score">nan</infon>', "annotation", None, {"score": "nan"}),
        ('<infon key="score">high</infon>', "annotation", None, {"score": "high"}),
        ('<infon key="k">1</infon><infon key="k">2</infon>', "annotation", None, {"k": ["1", "2"]}),
    ],
)
def test_infons_are_labels_scores_and_others(
    tmp_path: Path, infons: str, label: str, score: float | None, kept: dict[str, object] | None
) -> None:
    document = one(tmp_path, passage_xml("Severe", annotation_xml((0, 6), infons=infons)))
    (mention,) = document
    assert (mention.label, mention.score, mention.extras.get("bioc", {}).get("infons")) == (label, score, kept)
    assert write([document], tmp_path / "again.bioc.xml").lines() == []
    assert list(read(tmp_path / "again.bioc.xml")) == [document]


def test_ids_are_kept_and_new_ones_are_free(tmp_path: Path) -> None:
    (document,) = read(written(tmp_path / "a.xml", EXAMPLE.replace('refid="7"', 'refid="T1"')))
    new = [
        Mention("X", [(0, 6)], document.layout, extras=extras) for extras in ({}, {"id": ""}, {"id": 3}, {"id": "8"})
    ]
    write([document.with_mentions(new)], tmp_path / "again.bioc.xml")
    (back,) = read(tmp_path / "again.bioc.xml")
    assert [mention.extras["id"] for mention in back] == ["T2", "", 3, "8"]
    (seen,) = library_load(tmp_path / "again.bioc.xml", "bioc").documents
    assert [annotation.id for annotation in seen.passages[0].annotations] == ["M1", "T2", "T3", "3", "8"]
    assert [relation.id for relation in seen.relations] == ["R2"]


@pytest.mark.parametrize("format", FORMATS)
def test_an_id_is_borne_once_and_may_be_a_number(tmp_path: Path, format: str) -> None:
    layout = Layout("Bad pain")
    mentions = [Mention("X", [(0, 3)], layout, extras={"id": name}) for name in ("T1", "T1", 1, "T2")]
    relations = [{"id": "R1", "infons": {}, "nodes": [{"refid": name, "role": ""} for name in (1, "T1", "T3")]}]
    document = Document(layout, mentions, "d", {"bioc": {"relations": relations, "elsewhere": ["T3"]}})
    assert write([document], tmp_path / "out", format).lines() == []
    (seen,) = library_load(tmp_path / "out", format).documents
    assert [annotation.id for annotation in seen.passages[0].annotations] == ["T1", "T4", "1", "T2"]
    assert [mention.extras["id"] for mention in next(read(tmp_path / "out", format))] == ["T1", "T1", 1, "T2"]


@pytest.mark.parametrize("format", FORMATS)
def test_relations_go_with_the_mentions_that_they_refer_to(tmp_path: Path, format: str) -> None:
    (document,) = read(written(tmp_path / "a.xml", EXAMPLE))
    without = document.with_mentions(mention for mention in document if mention.extras["id"] != "7")
    assert write([without], tmp_path / "out", format).lines() == [
        "BioC relations that refer to something that is not there any more (2)"
    ]
    (seen,) = library_load(tmp_path / "out", format).documents
    assert seen.relations == [] == seen.passages[1].sentences[0].relations
    assert write(read(tmp_path / "out", format), tmp_path / "again", format).lines() == []


@pytest.mark.parametrize("through", FORMATS)
def test_relations_that_never_referred_to_a_mention_stay(tmp_path: Path, through: str) -> None:
    written(tmp_path / "a.xml", EXAMPLE.replace('refid="7"', 'refid="0"').replace('refid="8"', 'refid="1"'))
    (document,) = read(tmp_path / "a.xml")
    assert document.extras["bioc"]["elsewhere"] == ["0", "1"]
    assert write([document.with_mentions([])], tmp_path / "out", through).lines() == []
    (back,) = read(tmp_path / "out", through)
    assert back.extras == document.extras


RESERVED = st.dictionaries(st.sampled_from(["text", "entities", "sentences", "words", "id"]), JSON, max_size=2)
RESERVED_OF_MENTIONS = st.dictionaries(st.sampled_from(["label", "spans", "score"]), JSON, max_size=2)
OWN = st.dictionaries(
    st.sampled_from(["bioc", "disconer", "infons", "passages", "annotations", "relations", "locations"]),
    JSON | st.dictionaries(st.sampled_from(["passages", "relations", "elsewhere", "collection"]), JSON),
    max_size=2,
)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40)
@given(document=documents().map(cleaned), own=OWN, reserved=RESERVED, of_mentions=RESERVED_OF_MENTIONS)
def test_keys_of_any_name_survive_but_for_those_of_jsonl(
    tmp_path_factory: pytest.TempPathFactory,
    format: str,
    document: Document,
    own: dict[str, object],
    reserved: dict[str, object],
    of_mentions: dict[str, object],
) -> None:
    path = tmp_path_factory.mktemp("bioc") / "documents"
    named = Document(document.layout, [], document.id, own)

    def with_reserved(mention: Mention) -> Mention:
        extras = {**mention.extras, **of_mentions}
        return Mention(mention.label, mention.fragments, document.layout, mention.score, extras)

    mentions = [*map(with_reserved, document)]
    losses = write([Document(document.layout, mentions, document.id, {**own, **reserved})], path, format)
    (back,) = read(path, format)
    assert said(back)[-1] == said(document)[-1]
    described = own.get("bioc")
    if not isinstance(described, dict):  # what fits BioC is put in order
        assert said(back)[:-1] == said(named)[:-1]
    lost = {line for line in losses.lines() if line.startswith("values of the ") and "BioC" not in line}
    count = len(mentions)
    assert lost == {
        *(f"values of the key {key!r} (1)" for key in reserved),
        *(f"values of the mentions' key {key!r} ({count})" for key in of_mentions if count),
    }


def in_units(document: Document, width: Callable[[str], int]) -> dict[str, Any]:
    """Say a document with offsets that count something else, by counting what stands before each of them."""

    def count(offset: int) -> int:
        return width(document.text[:offset])

    def convert(part: Any) -> Any:
        if isinstance(part, list):
            return [convert(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        converted = {key: convert(value) for key, value in part.items()}
        if "offset" in part:
            converted["offset"] = count(part["offset"])
        if "length" in part:
            converted["length"] = count(part["offset"] + part["length"]) - converted["offset"]
        return converted

    converted: dict[str, Any] = convert(to_record(document, Losses()))
    return converted


WORDS = st.lists(st.sampled_from(["ache", "Übel", "🙂", "痛み", "α1", "x", "\n"]), min_size=1, max_size=12)
WIDTHS = {"utf-32-le": 4, "utf-16-le": 2, "utf-8": 1}
"""How many bytes a unit of each encoding has; those of UTF-32 are code points."""


@settings(max_examples=40)
@given(words=WORDS, are_sentences_given=st.booleans(), encoding=st.sampled_from(sorted(WIDTHS)))
def test_offsets_may_count_bytes_or_utf16_units(words: list[str], are_sentences_given: bool, encoding: str) -> None:
    text = " ".join(words)
    lines = tuple(match.span() for match in re.finditer(r"\S[^\n]*", text))
    layout = Layout(text, given_sentences=lines if are_sentences_given else None)
    document = Document(layout, [("X", [match.span()]) for match in re.finditer(r"\S+", text)], "d")
    record = in_units(document, lambda part: len(part.encode(encoding)) // WIDTHS[encoding])
    assert said(read_document(record, {}, Split.ALWAYS)) == said(document)


def test_what_only_json_has_is_counted(tmp_path: Path) -> None:
    record = {
        "id": "1",
        "pmid": 1,
        "infons": {"year": 1999, "tags": ["a", "b"], "none": None},
        "passages": [{"offset": 0, "text": "Pain", "annotations": [
            {"by": "me", "infons": {"type": "X", "normalized": [7]}, "locations": [{"offset": 0, "length": 4}]}
        ]}],
    }  # fmt: skip
    path = written(tmp_path / "a.bioc.json", json.dumps({"about": "x", "documents": [record]}))
    assert sorted(write(read(path), tmp_path / "a.bioc.xml").lines()) == [
        "infons that are not text, written as JSON (3)",
        "values of the BioC key 'about', which only its JSON has (1)",
        "values of the BioC key 'by', which only its JSON has (1)",
        "values of the BioC key 'pmid', which only its JSON has (1)",
    ]
    (back,) = read(tmp_path / "a.bioc.xml")
    assert back.extras["bioc"]["infons"] == {"year": "1999", "tags": ["a", "b"], "none": "null"}


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_describes_one_collection(tmp_path: Path, format: str) -> None:
    written(tmp_path / "a.xml", EXAMPLE)
    documents = [*read(tmp_path / "a.xml"), *read(tmp_path / "a.xml"), Document("x"), Document("y")]
    assert write(documents, tmp_path / "out", format).lines() == [
        "descriptions of BioC collections but the first's (2)"
    ]
    assert write(documents[2:], tmp_path / "out", format).lines() == []
    assert write([], tmp_path / "out", format).lines() == []
    assert list(read(tmp_path / "out", format)) == []


@pytest.mark.parametrize(
    "value",
    [None, 5, "x", [1], {"passages": 5}, {"passages": [5]}, {"passages": [{}]}, {"infons": 5}, {"collection": []},
     {"passages": [{"offset": 0, "length": 1}]}, {"passages": [{"offset": 0, "length": "x"}]},
     {"passages": [{"offset": 0, "length": 2}, {"offset": 1, "length": 1}]},
     {"passages": [{"offset": 0, "length": 2, "infons": [3]}]}, {"infons": {"disconer": "{}"}}, {"id": "other"},
     {"elsewhere": "x"}, {"elsewhere": [3]}, {"collection": {"documents": []}},
     {"collection": {"infons": 3}}, {"relations": [{"nodes": [3]}]}, {"relations": [{"infons": [3]}]},
     {"annotations": [{"locations": [{"offset": 0, "length": 1}]}]}],
)  # fmt: skip
@pytest.mark.parametrize("format", FORMATS)
def test_a_key_that_is_only_called_bioc_is_an_unknown_key(tmp_path: Path, format: str, value: object) -> None:
    document = Document("ab", id="d", extras={"bioc": value})
    assert write([document], tmp_path / "out", format).lines() == []
    assert list(read(tmp_path / "out", format)) == [document]


@pytest.mark.parametrize("value", [None, 5, [1], {}, {"infons": 5}, {"infons": {}}, {"id": "x"}, {"text": "x"}])
@pytest.mark.parametrize("format", FORMATS)
def test_so_is_a_key_of_a_mention(tmp_path: Path, format: str, value: object) -> None:
    layout = Layout("ab")
    document = Document(layout, [Mention("X", [(0, 1)], layout, extras={"id": "T1", "bioc": value})], "d")
    assert write([document], tmp_path / "out", format).lines() == []
    assert list(read(tmp_path / "out", format)) == [document]


@pytest.mark.parametrize(
    "infons", [{"type": "Y"}, {"score": "0.5"}, {"disconer": "{}"}, {}, {"k": "v"}, {"score": "high"}]
)
@pytest.mark.parametrize("score", [None, 0.25])
def test_infons_do_not_override_what_is_known(tmp_path: Path, infons: dict[str, str], score: float | None) -> None:
    layout = Layout("ab")
    document = Document(layout, [Mention("X", [(0, 1)], layout, score, {"id": "T1", "bioc": {"infons": infons}})], "d")
    write([document], tmp_path / "a.bioc.xml")
    assert list(read(tmp_path / "a.bioc.xml")) == [document]


@pytest.mark.parametrize("format", FORMATS)
def test_a_text_that_was_changed_loses_its_passages_only(tmp_path: Path, format: str) -> None:
    (document,) = read(written(tmp_path / "a.xml", EXAMPLE))
    changed = Document(document.text + "!", [("X", [(0, 6)])], document.id, document.extras)
    write([changed], tmp_path / "out", format)
    (back,) = read(tmp_path / "out", format)
    assert (back.text, back.extras) == (changed.text, changed.extras)


@pytest.mark.parametrize(
    ("inner", "complaint"),
    [
        ("", "'passages' is missing"),
        (passage_xml("abc", offset="x"), "the offset must be a whole number"),
        (passage_xml("abc", offset=""), "the offset must be a whole number"),
        (passage_xml("abc", offset="9" * 30), "the offset must be a whole number"),
        (passage_xml("abc", offset=10**17), "leaves a gap that is too large"),
        (passage_xml("abc", offset=6 * 10**6) + passage_xml("abc", offset=12 * 10**6), "a gap that is too large"),
        ("<passage><text>abc</text></passage>", "the offset must be a whole number"),
        (passage_xml("abc") + passage_xml("d", offset=2), "begins before the one in front of it ends"),
        (passage_xml("abc", "<sentence><offset>1</offset><text>ab</text></sentence>"), "is not what its passage says"),
        ("<passage><offset>5</offset><sentence><offset>1</offset><text>a</text></sentence></passage>", "begins before"),
        (passage_xml("abc", annotation_xml((0, 4))), "annotation 'T1': the fragment 0-4 lies outside the text"),
        (passage_xml("abc", annotation_xml((2, 1))), "the length must be a whole number"),
        (passage_xml("abc", annotation_xml((0, 2), (1, 3))), "annotation 'T1': the fragments 0-2 and 1-3 overlap"),
        (passage_xml("abc", annotation_xml((0, 1), (2, 2))), "annotation 'T1': the fragment 2-2 is empty"),
        (passage_xml("abc", '<annotation id="T1"><location offset="0"/></annotation>'), "the length must be"),
        (passage_xml("abc", '<annotation id="T1"><location length="1"/></annotation>'), "the offset must be"),
        (passage_xml("abc") + "<collection/>", "the key 'collection' of a document means something else"),
        ("<passage>" * 500 + "</passage>" * 500, "the offset must be a whole number"),
        (passage_xml("abc", "<text>d</text>"), "the text must be a string"),
        (passage_xml("abc") + '<infon key="disconer">[</infon>', "this is not JSON"),
        (passage_xml("abc") + '<infon key="disconer">{"text": "x"}</infon>', "was not written by disconer"),
        (passage_xml("abc") + '<infon key="disconer">{"words": 3}</infon>', "'words' must hold a list"),
        (passage_xml("a", annotation_xml((0, 1), infons='<infon key="disconer">{"spans": 1}</infon>')), "was not"),
    ],
)  # fmt: skip
def test_bad_documents_are_named(tmp_path: Path, inner: str, complaint: str) -> None:
    good = passage_xml("fine")
    path = written(tmp_path / "bad.xml", f"<collection><document>{good}</document>{document_xml(inner)[12:]}")
    with pytest.raises(InputError, match=rf"bad\.xml: document 'd1': .*{re.escape(complaint)}"):
        list(read(path))


def test_what_a_collection_says_behind_its_documents_is_kept_with_the_last(tmp_path: Path) -> None:
    document = document_xml(passage_xml("fine"))[12:-13]
    front, behind = '<infon key="a">1</infon>', '<infon key="a">2</infon><infon key="b">3</infon><key>k</key>'
    path = written(tmp_path / "a.xml", f"<collection>{front}{document}{document}{behind}</collection>")
    first, last = read(path)
    assert first.extras["bioc"]["collection"] == {"infons": {"a": "1"}}
    assert last.extras["bioc"]["collection"] == {"infons": {"a": ["1", "2"], "b": "3"}, "key": "k"}
    assert write([first, last], tmp_path / "b.bioc.xml").lines() == [
        "descriptions of BioC collections but the first's (1)"
    ]


def test_many_infons_of_a_name_are_kept(tmp_path: Path) -> None:
    infons = "".join(f'<infon key="k">{number}</infon>' for number in range(50_000))
    document = one(tmp_path, infons + passage_xml("fine"))
    assert document.extras["bioc"]["infons"]["k"] == [*map(str, range(50_000))]


@pytest.mark.parametrize("depth", [2, 50_000])
def test_what_is_nested_where_nothing_belongs_is_only_text(tmp_path: Path, depth: int) -> None:
    nested = "<passage>" * depth + "lost" + "</passage>" * depth
    document = one(tmp_path, passage_xml("fine", nested + nested))
    assert document.extras["bioc"]["passages"] == [{"offset": 0, "length": 4, "passage": ["lost", "lost"]}]
    assert write([document], tmp_path / "a.bioc.xml").lines() == [
        "values of the BioC key 'passage', which only its JSON has (1)"
    ]


def nest(depth: int, key: str | None) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value] if key is None else [{key: value}]
    return value


@pytest.mark.parametrize(
    "key", ["passages", "sentences", "annotations", "locations", "relations", "nodes", "documents"]
)
@pytest.mark.parametrize("format", FORMATS)
def test_parts_are_followed_only_where_they_belong(tmp_path: Path, format: str, key: str) -> None:
    sentence = {"offset": 0, "length": 2, "annotations": [{"id": "A", key: nest(300, key)}]}
    passage = {"offset": 0, "length": 2, "sentences": [{**sentence, "sentences": nest(300, "sentences")}]}
    kept = {"passages": [{**passage, "passages": nest(300, "passages")}]}
    document = Document(Layout("äb", given_sentences=((0, 2),)), id="d", extras={"bioc": kept})
    written(tmp_path / "a.jsonl", json.dumps({"id": "d", "text": "äb", "sentences": [[0, 2]], "bioc": kept}))
    lost = write(read(tmp_path / "a.jsonl"), tmp_path / "out", format).lines()
    assert format == "bioc" or lost == []
    (back,) = read(tmp_path / "out", format)
    assert back.text == document.text
    assert lost or back == document


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "extras", [{"k": nest(3000, None)}, {"bioc": {"infons": {"k": nest(3000, None)}}},
               {"bioc": {"collection": {"infons": {"k": nest(3000, None)}}}}]
)  # fmt: skip
def test_keys_that_are_nested_too_deeply_are_an_error(tmp_path: Path, format: str, extras: dict[str, object]) -> None:
    with pytest.raises(CannotHoldError, match="nested too deeply"):
        write([Document("x", id="d", extras=extras)], tmp_path / "out", format)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "this is not XML"),
        ("<collection>", "this is not XML"),
        ("plain", "this is not XML"),
        ("<annotations/>", "this XML is not BioC"),
        (document_xml(passage_xml("abc"))[12:-13], "this XML is not BioC"),
        (b"<collection>\xff</collection>", "this is not XML"),
        ('<collection><infons>x</infons><infon key="a">b</infon></collection>', "the element <infons> is none of BioC"),
        (document_xml("<passages>x</passages>" + passage_xml("abc")), "the element <passages> is none of BioC"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><collection/>', "declares entities"),
    ],
)
def test_files_that_are_no_bioc_are_errors(tmp_path: Path, content: str | bytes, complaint: str) -> None:
    path = written(tmp_path / "bad.xml", content)
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path, "bioc"))
    assert caught.value.path == path


def test_a_byte_order_mark_and_line_ends_will_do(tmp_path: Path) -> None:
    plain = list(read(written(tmp_path / "a.xml", EXAMPLE)))
    marked = written(tmp_path / "b.xml", b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert list(read(marked, "bioc")) == plain


def test_offsets_may_be_attributes_and_texts_may_hold_markup(tmp_path: Path) -> None:
    inner = '<passage offset="2"><infon key="k">a<b>c</b></infon><text>so<i>re</i></text></passage>'
    document = one(tmp_path, inner)
    assert document.text == "\n\nsore"
    assert document.extras["bioc"]["passages"] == [{"offset": 2, "length": 4, "infons": {"k": "ac"}}]


@pytest.mark.parametrize(
    "document",
    [
        Document("page\fbreak", id="d"),
        Document("x", [("a\x00b", [(0, 1)])], "d"),
        Document("\ufffe", id="d"),
        Document("x", id="d\x1c"),
    ],
)
def test_what_xml_cannot_write_is_an_error(tmp_path: Path, document: Document) -> None:
    with pytest.raises(CannotHoldError, match=r"^document 'd.*: XML has no way to write the character U\+"):
        write([document], tmp_path / "out.bioc.xml")
    assert not list(tmp_path.iterdir())


def test_control_characters_in_unknown_keys_are_held(tmp_path: Path) -> None:
    document = Document("x", id="d", extras={"raw": "\x00 \ud83d"})
    write([document], tmp_path / "a.bioc.xml")
    assert list(read(tmp_path / "a.bioc.xml")) == [document]


def test_reading_and_writing_are_lazy(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xml", f"<collection>{document_xml(passage_xml('fine'))[12:-13] * 3}<document><oops>")
    documents = read(path, "bioc")
    assert [next(documents).text for _ in range(3)] == ["fine"] * 3

    seen = []

    def passing() -> Iterator[Document]:
        for number in range(3):
            seen.append(number)
            yield Document(str(number))
        raise InputError("the fourth is bad")

    with pytest.raises(InputError, match="the fourth is bad"):
        write(passing(), tmp_path / "out.bioc.xml")
    assert (seen, [path.name for path in tmp_path.iterdir()]) == ([0, 1, 2], ["a.xml"])
