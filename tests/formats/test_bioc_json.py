import json
from pathlib import Path
from typing import Any

import pytest
from bioc import biocjson

from disconer import Document, InputError, read, write
from disconer.formats import detect_input

DOCUMENT: dict[str, Any] = {
    "_id": "1|None",
    "id": "1",
    "infons": {},
    "passages": [
        {
            "infons": {"type": "title", "year": 1999},
            "offset": 0,
            "text": "Übler TNF-α",
            "sentences": [],
            "annotations": [
                {
                    "id": "2",
                    "infons": {"identifier": "7", "type": "Gene", "valid": True, "normalized": [7], "accession": None},
                    "text": "TNF-a",
                    "locations": [{"offset": 6, "length": 5}],
                }
            ],
            "relations": [],
        },
        {"infons": {"type": "abstract"}, "offset": 12, "text": "Bad joint and back pain", "annotations": [
            {"id": "3", "infons": {"type": "ADR"}, "text": "Bad joint pain",
             "locations": [{"offset": 12, "length": 9}, {"offset": 31, "length": 4}]}
        ]},
    ],
    "relations": [{"id": "R1", "infons": {"role1": {"type": "Gene"}}, "nodes": [{"refid": "0", "role": "0,1"}]}],
    "pmid": 1,
    "pmcid": None,
    "authors": ["A B"],
}  # fmt: skip


def written(path: Path, *values: object) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    return path


def changed(place: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """The document with another value at a place."""
    copy: Any = json.loads(json.dumps(DOCUMENT))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return {"source": "x", "documents": [{**DOCUMENT, "id": "0"}, copy]}


@pytest.mark.parametrize(
    "values",
    [
        [{"source": "PubTator", "documents": [DOCUMENT, DOCUMENT]}],
        [[{"source": "PubTator", "documents": [DOCUMENT]}, {"source": "PubTator", "documents": [DOCUMENT]}]],
        [{"PubTator3": [DOCUMENT, DOCUMENT]}],
        [[DOCUMENT, DOCUMENT]],
        [DOCUMENT, DOCUMENT],
    ],
)
def test_collections_and_bare_documents_are_read(tmp_path: Path, values: list[object]) -> None:
    first, second = read(written(tmp_path / "a.json", *values), "bioc-json")
    assert first == second
    assert first.text == "Übler TNF-α\nBad joint and back pain"
    assert [(mention.label, mention.text) for mention in first] == [("Gene", "TNF-α"), ("ADR", "Bad joint pain")]
    assert [mention.extras.get("text") for mention in first] == ["TNF-a", None]
    kept = first.extras["bioc"]
    assert (kept["pmid"], kept["pmcid"], kept["relations"]) == (1, None, DOCUMENT["relations"])
    assert kept.get("collection", {"source": "PubTator"}) == {"source": "PubTator"}


def test_everything_is_kept_through_jsonl(tmp_path: Path) -> None:
    collection = {"source": "PubTator", "date": "", "key": "k", "infons": {"a": 1}, "documents": [DOCUMENT]}
    assert write(read(written(tmp_path / "a.json", collection)), tmp_path / "a.jsonl").lines() == []
    assert write(read(tmp_path / "a.jsonl"), tmp_path / "b.bioc.json").lines() == []
    back = json.loads((tmp_path / "b.bioc.json").read_text())
    assert {**back, **collection, "documents": back["documents"]} == back
    assert stripped(back["documents"]) == stripped([DOCUMENT])
    biocjson.loads((tmp_path / "b.bioc.json").read_text())


def test_what_stands_behind_the_documents_is_kept(tmp_path: Path) -> None:
    collection = {"source": "s", "documents": [DOCUMENT, DOCUMENT], "infons": {"a": 1}, "key": "k"}
    first, last = read(written(tmp_path / "a.json", collection))
    assert first.extras["bioc"]["collection"] == {"source": "s"}
    assert last.extras["bioc"]["collection"] == {"source": "s", "infons": {"a": 1}, "key": "k"}
    assert write([first, last], tmp_path / "b.bioc.json").lines() == [
        "descriptions of BioC collections but the first's (1)"
    ]
    several = [{"documents": [DOCUMENT], "key": "k"}, {"documents": [DOCUMENT], "source": "s"}]
    found = [document.extras["bioc"]["collection"] for document in read(written(tmp_path / "c.json", several))]
    assert found == [{"key": "k"}, {"source": "s"}]
    (one,) = read(written(tmp_path / "d.json", {"PubTator3": [DOCUMENT], "version": "2"}), "bioc-json")
    assert one.extras["bioc"]["collection"] == {"version": "2"}


def stripped(value: Any) -> Any:
    """Leave out what says nothing: types that follow from the place, and empty lists and infons."""
    if isinstance(value, list):
        return [stripped(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: stripped(one) for key, one in value.items() if key != "bioctype" and one not in ([], {})}


def test_a_document_a_line_as_the_library_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.bioc.json"
    write([Document("One. Two.", [("X", [(0, 3), (5, 8)])], "d"), Document("")], path)
    with biocjson.iterwriter(str(tmp_path / "lines.json")) as writer:
        for document in biocjson.loads(path.read_text()).documents:
            writer.write(document)
    assert list(read(tmp_path / "lines.json", "bioc-json")) == list(read(path))


def test_collections_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    collection = {"source": "x", "documents": [DOCUMENT]}
    assert detect_input(written(tmp_path / "a.json", collection)).name == "bioc-json"
    assert detect_input(written(tmp_path / "b.json", [collection])).name == "bioc-json"


def test_offsets_may_be_text(tmp_path: Path) -> None:
    record = {"passages": [{"offset": "0", "text": "pain", "annotations": [
        {"locations": [{"offset": "0", "length": "4"}]}]}]}  # fmt: skip
    (document,) = read(written(tmp_path / "a.json", record), "bioc-json")
    assert [(mention.label, mention.text) for mention in document] == [("annotation", "pain")]


PASSAGE = ("passages", 0)
ANNOTATION = ("passages", 0, "annotations", 0)
LOCATION = (*ANNOTATION, "locations", 0)


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("passages",), {}, "'passages' must hold a list of objects"),
        (("passages",), ["x"], "'passages' must hold a list of objects"),
        (("id",), {}, "an id must be a string or a whole number"),
        (("id",), True, "an id must be a string or a whole number"),
        (("infons",), "x", "'infons' must hold an object"),
        (("annotations",), "x", "'annotations' must hold a list of objects"),
        (("relations",), "x", "'relations' must hold a list of objects"),
        (("relations",), [{"nodes": 5}], "'nodes' must hold a list of objects"),
        (("elsewhere",), [], "the key 'elsewhere' of a document means something else"),
        ((*PASSAGE, "offset"), None, "the offset must be a whole number"),
        ((*PASSAGE, "offset"), 1.5, "the offset must be a whole number"),
        ((*PASSAGE, "offset"), True, "the offset must be a whole number"),
        ((*PASSAGE, "offset"), -1, "begins before"),
        ((*PASSAGE, "offset"), 10**300, "leaves a gap that is too large"),
        ((*PASSAGE, "text"), 5, "the text must be a string"),
        ((*PASSAGE, "text"), "\ud83d" * 11, "half a surrogate pair"),
        ((*PASSAGE, "sentences"), [{}], "the offset must be a whole number"),
        ((*PASSAGE, "sentences"), [{"offset": 0, "text": []}], "the text must be a string"),
        ((*PASSAGE, "annotations"), [None], "'annotations' must hold a list of objects"),
        ((*ANNOTATION, "infons"), [1], "annotation '2': the key 'infons' must hold an object"),
        ((*ANNOTATION, "infons"), {"type": 5}, "annotation '2': a label must be a string"),
        ((*ANNOTATION, "infons"), {"type": "\ud83d"}, "annotation '2': a label has half a surrogate pair"),
        ((*ANNOTATION, "infons"), {"disconer": 5}, "annotation '2': what stands under 'disconer'"),
        ((*ANNOTATION, "locations"), "x", "'locations' must hold a list of objects"),
        ((*LOCATION, "offset"), None, "annotation '2': the offset must be a whole number"),
        ((*LOCATION, "offset"), 10**300, "annotation '2': the fragment"),
        ((*LOCATION, "offset"), -3, "annotation '2': the fragment -3-2 lies outside"),
        ((*LOCATION, "length"), None, "the length must be a whole number"),
        ((*LOCATION, "length"), -2, "annotation '2': the fragment 6-4 is empty or reversed"),
    ],
)
def test_wrong_types_are_named(tmp_path: Path, place: tuple[str | int, ...], value: object, complaint: str) -> None:
    path = written(tmp_path / "bad.json", changed(place, value))
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path))
    assert (caught.value.path, caught.value.line) == (path, 1)
    assert "document" in str(caught.value)


@pytest.mark.parametrize("value", [None, []])
@pytest.mark.parametrize("place", [("passages",), ("infons",), ("relations",), (*PASSAGE, "sentences"), ("id",)])
def test_nothing_may_be_said_in_any_way(tmp_path: Path, place: tuple[str | int, ...], value: object) -> None:
    path = written(tmp_path / "a.json", changed(place, None if place == ("id",) else value))
    assert len(list(read(path))) == 2


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{}", "this is no BioC document: the key 'passages' is missing"),
        ('{"documents": null}', "this is no BioC document"),
        ('{"documents": [5]}', "a record must be one JSON object"),
        ('{"documents": [{"passages": []}', "this is not JSON"),
        ('{"PubTator3": 5}', "'PubTator3' must hold a list of objects"),
        ("5", "a record must be one JSON object"),
        ("{", "this is not JSON"),
    ],
)
def test_files_that_are_no_bioc_are_errors(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path, "bioc-json"))
    assert (caught.value.path, caught.value.line) == (path, 1)


def test_an_empty_file_holds_no_documents(tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    assert list(read(tmp_path / "a.json", "bioc-json")) == []


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"documents": [' + f"{json.dumps(DOCUMENT)},\n" * 3 + "oops", encoding="utf-8")
    documents = read(path)
    assert [next(documents).id for _ in range(3)] == ["1"] * 3
    with pytest.raises(InputError, match="this is not JSON"):
        next(documents)


def test_control_characters_are_held(tmp_path: Path) -> None:
    document = Document("page\fbreak\x00", [("a\x1cb", [(0, 4)])], "\x00", {"raw": "\ud83d"})
    assert write([document], tmp_path / "a.bioc.json").lines() == []
    (back,) = read(tmp_path / "a.bioc.json")
    assert (back.text, back.id, back.extras) == (document.text, document.id, document.extras)
