import copy
import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from datasets import Dataset, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from disconer import Document, InputError, Mention, Split, read, write
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS, JSON, TEXTS, documents, mentions

SUFFIXES = ["parquet", "bigbio.json"]
TITLE = "Pain of hands and feet."
ABSTRACT = "Zorblax eased the pain 🙂 within a day."
NORMALIZED = [{"db_name": Value("string"), "db_id": Value("string")}]
PLACE = {"text": [Value("string")], "offsets": [[Value("int32")]]}
KB = Features(
    {
        "id": Value("string"),
        "document_id": Value("string"),
        "passages": [{"id": Value("string"), "type": Value("string"), **PLACE}],
        "entities": [{"id": Value("string"), "type": Value("string"), **PLACE, "normalized": NORMALIZED}],
        "events": [
            {
                "id": Value("string"),
                "type": Value("string"),
                "trigger": PLACE,
                "arguments": [{"role": Value("string"), "ref_id": Value("string")}],
            }
        ],
        "coreferences": [{"id": Value("string"), "entity_ids": [Value("string")]}],
        "relations": [
            {
                "id": Value("string"),
                "type": Value("string"),
                "arg1_id": Value("string"),
                "arg2_id": Value("string"),
                "normalized": NORMALIZED,
            }
        ],
    }
)


def entity(identifier: str, label: str, *places: tuple[int, int, str], **others: Any) -> dict[str, Any]:
    offsets = [[start, end] for start, end, _ in places]
    texts = [text for _, _, text in places]
    return {"id": identifier, "type": label, "text": texts, "offsets": offsets, "normalized": [], **others}


def passage(identifier: str, kind: str, start: int, text: str) -> dict[str, Any]:
    return {"id": identifier, "type": kind, "text": [text], "offsets": [[start, start + len(text)]]}


RECORD = {
    "id": "0",
    "document_id": "z-17",
    "passages": [passage("1", "title", 0, TITLE), passage("2", "abstract", 24, ABSTRACT)],
    "entities": [
        entity("3", "Symptom", (0, 4, "Pain"), (18, 22, "feet"), normalized=[{"db_name": "TOY", "db_id": "7"}]),
        entity("4", "Symptom", (0, 13, "Pain of hands")),
        entity("5", "Drug", (24, 31, "Zorblax")),
        entity("6", "Symptom", (42, 46, "pain")),
    ],
    "events": [
        {
            "id": "7",
            "type": "Relief",
            "trigger": {"text": ["eased"], "offsets": [[32, 37]]},
            "arguments": [{"role": "Cause", "ref_id": "5"}, {"role": "Theme", "ref_id": "6"}],
        }
    ],
    "coreferences": [{"id": "8", "entity_ids": ["3", "6"]}],
    "relations": [
        {"id": "9", "type": "treats", "arg1_id": "5", "arg2_id": "6", "normalized": [{"db_name": "T", "db_id": None}]}
    ],
}


def changed(**values: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RECORD), **values}


def in_json(folder: Path, *records: object) -> Path:
    path = folder / "some.bigbio.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def records_in(path: Path) -> list[Any]:
    if path.suffix == ".parquet":
        rows: list[Any] = parquet.read_table(path).to_pylist()
        return rows
    records: list[Any] = json.loads(path.read_text(encoding="utf-8"))
    return records


def test_reads_the_schema(tmp_path: Path) -> None:
    (document,) = read(in_json(tmp_path, RECORD))
    assert document.text == f"{TITLE} {ABSTRACT}"
    assert document.id == "z-17"
    assert [(mention.label, mention.text) for mention in document] == [
        ("Symptom", "Pain feet"),
        ("Symptom", "Pain of hands"),
        ("Drug", "Zorblax"),
        ("Symptom", "pain"),
    ]
    assert document.mentions[0].extras == {"id": "3", "bigbio": {"normalized": [{"db_name": "TOY", "db_id": "7"}]}}
    assert document.mentions[1].extras == {"id": "4"}
    kept = document.extras["bigbio"]
    assert kept["passages"][1] == {"id": "2", "type": "abstract", "offsets": [[24, 24 + len(ABSTRACT)]]}
    assert [kept[key] for key in ("id", "events", "relations")] == [
        RECORD[key] for key in ("id", "events", "relations")
    ]
    assert len(document.sentences) == 2


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_writes_what_it_reads(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"again.{suffix}"
    losses = write(read(in_json(tmp_path, RECORD, changed(id="x"))), path)
    assert records_in(path) == [RECORD, changed(id="x")]
    assert losses.lines() == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_everything_is_kept_through_jsonl(tmp_path: Path, suffix: str) -> None:
    write(read(in_json(tmp_path, RECORD)), tmp_path / "a.jsonl")
    losses = write(read(tmp_path / "a.jsonl"), tmp_path / f"again.{suffix}")
    assert records_in(tmp_path / f"again.{suffix}") == [RECORD]
    assert losses.lines() == []


def test_parquet_has_exactly_the_types_of_the_schema(tmp_path: Path) -> None:
    write(read(in_json(tmp_path, RECORD)), tmp_path / "a.parquet")
    dataset = Dataset.from_parquet(str(tmp_path / "a.parquet"), cache_dir=str(tmp_path / "cache"))
    assert dataset.features == KB
    assert dataset[0] == RECORD
    write([], tmp_path / "empty.parquet")
    assert Features.from_arrow_schema(parquet.read_schema(tmp_path / "empty.parquet")) == KB


def test_reads_what_the_datasets_library_writes(tmp_path: Path) -> None:
    dataset = Dataset.from_list([RECORD, changed(id="x")], features=KB)
    dataset.to_parquet(tmp_path / "theirs.parquet")
    dataset.to_json(tmp_path / "theirs.json")
    ours = list(read(in_json(tmp_path, RECORD, changed(id="x"))))
    assert list(read(tmp_path / "theirs.parquet")) == ours
    assert list(read(tmp_path / "theirs.json")) == ours


@settings(max_examples=30)
@given(document=documents())
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_texts_and_mentions_survive_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, document: Document
) -> None:
    path = tmp_path_factory.mktemp("bigbio") / f"a.{suffix}"
    write([document], path)
    (back,) = read(path)
    assert back.text == document.text
    assert back.id == ("1" if document.id is None else str(document.id))
    assert [mention.key for mention in back] == [mention.key for mention in document]
    assert write([back], path).lines() == []
    assert list(read(path)) == [back]


NAMES = st.none() | st.text(CHARACTERS, max_size=4)
LINKS = st.lists(st.fixed_dictionaries({"db_name": NAMES, "db_id": NAMES}), max_size=2)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a record with everything that the schema has room for."""
    texts = draw(st.lists(TEXTS, max_size=3))
    layout = Layout(text := " ".join(texts))
    starts = [len(" ".join(texts[:index])) + (index > 0) for index in range(len(texts))]
    found = draw(st.lists(mentions(layout), max_size=3)) if text else []
    placed = [(f"e{number}", mention) for number, mention in enumerate(found)]
    some = st.lists(st.sampled_from([identifier for identifier, _ in placed]), max_size=2) if placed else st.just([])
    arguments = st.builds(lambda names: [{"role": name[-1], "ref_id": name} for name in names], some)
    trigger = st.fixed_dictionaries({"text": st.lists(TEXTS, max_size=2), "offsets": st.just([[1, 0]])})
    event = st.fixed_dictionaries({"id": NAMES, "type": NAMES, "trigger": trigger, "arguments": arguments})
    return {
        "id": draw(st.text(CHARACTERS, min_size=1, max_size=4)),
        "document_id": draw(st.text(CHARACTERS, max_size=4)),
        "passages": [passage(draw(NAMES), draw(NAMES), *piece) for piece in zip(starts, texts, strict=True)],  # type: ignore[arg-type]
        "entities": [
            entity(
                identifier,
                mention.label,
                *((start, end, text[start:end]) for start, end in mention.fragments),
                normalized=draw(LINKS),
            )
            for identifier, mention in placed
        ],
        "events": draw(st.lists(event, max_size=2)),
        "coreferences": [{"id": draw(NAMES), "entity_ids": names} for names in draw(st.lists(some, max_size=2))],
        "relations": [
            {"id": draw(NAMES), "type": draw(NAMES), "arg1_id": name, "arg2_id": None, "normalized": draw(LINKS)}
            for name in draw(some)
        ],
    }


@settings(max_examples=30)
@given(record=records())
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_record_of_the_schema_survives(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, record: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("bigbio")
    losses = write(read(in_json(folder, record)), folder / f"again.{suffix}")
    assert records_in(folder / f"again.{suffix}") == [record]
    assert losses.lines() == []


@settings(max_examples=30)
@given(value=JSON | st.fixed_dictionaries({}, optional=dict.fromkeys((*RECORD, "normalized"), JSON)))
def test_whatever_stands_under_the_key_bigbio_is_written_or_counted(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    path = tmp_path_factory.mktemp("bigbio") / "a.parquet"
    layout = Layout("a b")
    document = Document(layout, [Mention("X", [(0, 1)], layout, extras={"bigbio": value})], "d", {"bigbio": value})
    losses = write([document], path)
    (back,) = read(path)
    assert [mention.key for mention in back] == [mention.key for mention in document]
    if not isinstance(value, dict) or value.keys() - RECORD.keys():
        assert losses.noted.total() >= 1


def test_passages_stand_at_their_offsets(tmp_path: Path) -> None:
    passages = [passage("2", "abstract", 30, "Zorblax eased the pain."), passage("1", "title", 2, TITLE)]
    mentioned = entity("3", "Drug", (30, 37, "Zorblax"))
    record = changed(passages=passages, entities=[mentioned], events=[], coreferences=[], relations=[])
    path = in_json(tmp_path, record)
    (document,) = read(path)
    assert document.text == f"  {TITLE}     Zorblax eased the pain."
    assert write(read(path), tmp_path / "again.bigbio.json").lines() == []
    assert records_in(tmp_path / "again.bigbio.json") == [record]


@pytest.mark.parametrize(
    "offsets",
    [[[0, 99]], [[10, 33]], [[2_000_000_000, 2_000_000_038]], None, [], [[24, 40], [41, 62]]],
    ids=["length", "overlap", "far away", "null", "none", "two"],
)
def test_passages_whose_offsets_are_wrong_are_joined_by_a_space(tmp_path: Path, offsets: object) -> None:
    passages = [passage("1", "title", 0, TITLE), {**passage("2", "abstract", 0, ABSTRACT), "offsets": offsets}]
    path = in_json(tmp_path, changed(passages=passages))
    assert [document.text for document in read(path)] == [f"{TITLE} {ABSTRACT}"]
    write(read(path), tmp_path / "again.bigbio.json")
    assert records_in(tmp_path / "again.bigbio.json") == [RECORD]


def test_texts_of_entities_tell_whether_the_offsets_of_passages_are_right(tmp_path: Path) -> None:
    passages = [passage("1", "title", 0, TITLE), passage("2", "abstract", 25, ABSTRACT)]
    (joined,) = read(in_json(tmp_path, changed(passages=passages)))
    assert joined.text == f"{TITLE} {ABSTRACT}"
    (placed,) = read(in_json(tmp_path, changed(passages=passages, entities=[])))
    assert placed.text == f"{TITLE}  {ABSTRACT}"


def test_lax_records_are_understood(tmp_path: Path) -> None:
    lax = {
        "id": 0,
        "passages": [{"id": 1, "type": "title", "text": TITLE}],
        "entities": [{"id": 3, "type": "Symptom", "text": "Pain", "offsets": [[0, 4]]}],
        "relations": [{"id": 5, "arg1_id": 3, "arg2_id": 3}],
        "events": None,
    }
    path = in_json(tmp_path, lax)
    (document,) = read(path)
    assert (document.id, document.text) == ("0", TITLE)
    assert document.mentions[0].extras == {"id": "3"}
    write([document], tmp_path / "again.parquet")
    (record,) = records_in(tmp_path / "again.parquet")
    assert record["relations"][0] == {"id": "5", "type": None, "arg1_id": "3", "arg2_id": "3", "normalized": []}
    assert record["document_id"] == "0"


def test_a_text_that_differs_from_the_offsets_is_kept_for_people_to_see(tmp_path: Path) -> None:
    entities = [
        entity("3", "X", (0, 4, "Pain of"), (18, 22, "feet")),
        entity("4", "X", (0, 4, "Pain feet"), (18, 22, "")),  # several loaders cut the text of an entity wrongly
    ]
    path = in_json(tmp_path, changed(entities=entities, events=[], coreferences=[], relations=[]))
    assert [mention.extras.get("text") for document in read(path) for mention in document] == ["Pain of feet", None]
    losses = write(read(path), tmp_path / "again.bigbio.json")
    assert losses.lines() == ["values of the mentions' key 'text' (1)"]


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    layout = Layout("Joint pain. More.", given_words=((0, 10),), given_sentences=((0, 17),))
    found = [
        Mention("A", [(0, 5)], layout, 0.5, {"id": "T1", "note": 1}),
        Mention("A", [(6, 10)], layout, None, {"id": 3}),
    ]
    document = Document(layout, found, 7, {"k": None, "bigbio": 3})
    losses = write([document], tmp_path / "a.parquet")
    assert set(losses.lines()) == {
        "scores (1)",
        "values of the mentions' key 'note' (1)",
        "values of the key 'k' (1)",
        "values of the key 'bigbio' (1)",
        "ids that are numbers, written as text (1)",
        "ids of mentions that BigBIO cannot use (1)",
        "texts whose words or sentences BigBIO would find elsewhere (1)",
    }


def test_keys_that_the_schema_does_not_know_survive_in_jsonl_and_are_counted_in_bigbio(tmp_path: Path) -> None:
    record = changed(split="train")
    record["passages"][0]["section"] = 2
    record["entities"][0]["by"] = "me"
    write(read(in_json(tmp_path, record)), tmp_path / "a.jsonl")
    (document,) = read(tmp_path / "a.jsonl")
    assert document.extras["bigbio"]["split"] == "train"
    assert document.extras["bigbio"]["passages"][0]["section"] == 2
    assert document.mentions[0].extras["bigbio"]["by"] == "me"
    assert set(write([document], tmp_path / "again.bigbio.json").lines()) == {
        "values of the key 'bigbio.split' (1)",
        "values of the key 'bigbio.section' (1)",
        "values of the mentions' key 'bigbio.by' (1)",
    }
    assert records_in(tmp_path / "again.bigbio.json") == [RECORD]


def test_ids_of_others_are_made_unique_among_documents(tmp_path: Path) -> None:
    layout = Layout("a b c")
    found = [Mention("X", [(0, 1)], layout, extras={"id": "T2"}), Mention("X", [(2, 3)], layout, extras={"id": "T2"})]
    losses = write([Document(layout, [*found, Mention("X", [(4, 5)], layout)], "d")] * 2, tmp_path / "a.bigbio.json")
    first, second = records_in(tmp_path / "a.bigbio.json")
    assert [mention["id"] for mention in first["entities"]] == ["1_T2", "1_T1", "1_T3"]
    assert [mention["id"] for mention in second["entities"]] == ["2_T2", "2_T1", "2_T3"]
    assert set(losses.lines()) == {
        "ids of mentions that BigBIO cannot use (2)",
        "ids of mentions that got the document's in front (2)",
    }


def test_what_speaks_of_mentions_that_are_gone_goes_too(tmp_path: Path) -> None:
    (document,) = read(in_json(tmp_path, RECORD))
    new = Mention("Symptom", [(0, 4)], document.layout)
    losses = write([document.with_mentions([*document.mentions[:3], new])], tmp_path / "again.bigbio.json")
    (record,) = records_in(tmp_path / "again.bigbio.json")
    assert [mention["id"] for mention in record["entities"]] == ["3", "4", "5", "0_T1"]
    assert record["events"] == record["coreferences"] == record["relations"] == []
    assert set(losses.lines()) == {
        f"BigBIO {kind} that refer to something that is not there (1)"
        for kind in ("events", "coreferences", "relations")
    }


def test_chains_of_references_fall_together(tmp_path: Path) -> None:
    events = [
        {"id": f"E{number}", "arguments": [{"role": "Theme", "ref_id": f"E{number + 1}"}]} for number in range(5_000)
    ]
    losses = write([Document("a", extras={"bigbio": {"events": events}})], tmp_path / "a.bigbio.json")
    assert losses.lines() == ["BigBIO events that refer to something that is not there (5,000)"]


def test_passages_that_do_not_fit_the_text_are_replaced_by_one(tmp_path: Path) -> None:
    (document,) = read(in_json(tmp_path, RECORD))
    losses = write([Document("Other.", id="d", extras={"bigbio": {"passages": document.extras["bigbio"]["passages"]}})],
                   tmp_path / "again.bigbio.json")  # fmt: skip
    (record,) = records_in(tmp_path / "again.bigbio.json")
    assert record["passages"] == [passage("1_text", "document", 0, "Other.")]
    assert losses.lines() == ["passages that do not fit the text (2)"]


def test_sentences_are_looked_for_unless_told_otherwise(tmp_path: Path) -> None:
    path = in_json(tmp_path, RECORD)
    assert [len(document.sentences) for document in read(path, split=Split.NEVER)] == [1]


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (3, "one JSON object"),
        ({}, "'passages' is missing"),
        ({"text": "a"}, "'passages' is missing"),
        (changed(passages={}), "'passages' must be a list"),
        (changed(passages=[3]), "'passages' lists must be an object"),
        (changed(passages=[{"text": [3.5]}]), "'text' lists must be a string"),
        (changed(passages=[{"text": [None]}]), "'text' lists must be a string"),
        (changed(passages=[{"text": "\ud83d"}]), "surrogate"),
        (changed(passages=[{"text": ["a"], "offsets": [0, 1]}]), "'offsets' lists must be a pair"),
        (changed(passages=[{"text": ["a"], "offsets": [[0, "1"]]}]), "'offsets' lists must be a pair"),
        (changed(passages=[{"text": ["a"], "offsets": [[0, 2**31]]}]), "'offsets' lists must be a pair"),
        (changed(document_id=[]), "'document_id' must be a string"),
        (changed(id=True), "'id' must be a string"),
        (changed(entities="x"), "'entities' must be a list"),
        (changed(entities=[None]), "'entities' lists must be an object"),
        (changed(entities=[{"id": "1", "offsets": [[0, 1]]}]), "needs a label"),
        (changed(entities=[{"id": "1", "type": None, "offsets": [[0, 1]]}]), "a label must be a string"),
        (changed(entities=[entity("1", "X", (0, 999, "Pain"))]), "the fragment 0-999 lies outside the text"),
        (changed(entities=[entity("1", "X", (-4, 3, "Pain"))]), "the fragment -4-3 lies outside the text"),
        (changed(entities=[entity("1", "X", (4, 3, ""))]), "empty or reversed"),
        (changed(entities=[entity("1", "X", (4, 4, ""), (5, 7, "of"))]), "empty or reversed"),
        (changed(entities=[entity("1", "X", (0, 4, "Pain"), (2, 6, "in o"))]), "overlap"),
        (changed(events=[{"trigger": []}]), "'trigger' must be an object"),
        (changed(coreferences=[{"entity_ids": [[]]}]), "'entity_ids' lists must be a string"),
        (changed(relations=[{"normalized": [{"db_id": {}}]}]), "'db_id' must be a string"),
    ],
)  # fmt: skip
def test_bad_records_are_named(tmp_path: Path, record: object, complaint: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(f"[{json.dumps(RECORD)},\n{json.dumps(record)}]", encoding="utf-8")
    documents = read(path, "bigbio")
    assert next(documents).id == "z-17"
    with pytest.raises(InputError, match=complaint) as caught:
        next(documents)
    assert (caught.value.path, caught.value.line) == (path, 2)
    assert TITLE[:4] not in str(caught.value)


def test_bad_rows_are_named_and_rows_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    bad = changed(entities=[entity("1", "X", (0, 999, "Pain"))])
    Dataset.from_list([RECORD, bad], features=KB).to_parquet(path)
    documents = read(path)
    assert next(documents).id == "z-17"
    with pytest.raises(InputError, match="lies outside the text") as caught:
        next(documents)
    assert (caught.value.path, caught.value.line) == (path, 2)


@pytest.mark.parametrize("cut", [0, 4, 100, -9])
def test_parquet_that_is_damaged_is_an_error(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.parquet"
    write([Document("a" * 100)], path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"a\.parquet: this is not Parquet or Arrow, or it is damaged"):
        list(read(path))


def test_parquet_that_is_something_else_is_an_error(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"sentence": ["a"]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet:1: the key 'passages' is missing"):
        list(read(tmp_path / "a.parquet"))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        list(read(tmp_path, "bigbio"))
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        list(read(tmp_path / "folder.parquet", "bigbio"))


def test_columns_of_others_become_json_or_an_error(tmp_path: Path) -> None:
    passages = [[passage("1", "title", 0, TITLE)]]
    parquet.write_table(pa.table({"passages": passages, "day": [date(2021, 3, 4)]}), tmp_path / "a.parquet")
    (document,) = read(tmp_path / "a.parquet")
    assert document.extras["bigbio"]["day"] == "2021-03-04"
    parquet.write_table(pa.table({"passages": passages, "weight": [float("nan")]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet:1: 'NaN' is not a number"):
        list(read(tmp_path / "a.parquet"))


def test_parquet_is_written_in_groups_of_some_size_however_many_rows_they_are(tmp_path: Path) -> None:
    for count, length, groups in ((2_000, 8, 1), (20, 500_000, 3)):
        texts = [f"{number:08}".ljust(length) for number in range(count)]
        write((Document(text, id=text[:8]) for text in texts), tmp_path / "a.parquet")
        file = parquet.ParquetFile(tmp_path / "a.parquet")
        assert file.num_row_groups == groups
        assert [document.text for document in read(tmp_path / "a.parquet")] == texts


def test_parquet_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    write(read(in_json(tmp_path, RECORD)), tmp_path / "a.parquet")
    (tmp_path / "a.parquet").rename(tmp_path / "table")
    assert [document.id for document in read(tmp_path / "table", "bigbio")] == ["z-17"]


def unplaced(identifier: str, **others: Any) -> dict[str, Any]:
    return {**entity(identifier, "Topic", normalized=[{"db_name": "TOY", "db_id": "1"}]), "text": ["pains"], **others}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_entities_that_mark_nothing_are_kept(tmp_path: Path, suffix: str) -> None:
    relation = {"id": "9", "type": "about", "arg1_id": "a", "arg2_id": "3", "normalized": []}
    entities = [*copy.deepcopy(RECORD["entities"]), unplaced("a"), unplaced("b", offsets=[[4, 4]])]
    record = changed(entities=entities, relations=[relation])
    lax = changed(entities=[*entities[:4], unplaced("a", offsets=None), entities[5]], relations=[relation])
    for written in (record, lax):
        write(read(in_json(tmp_path, written)), tmp_path / "a.jsonl")
        (document,) = read(tmp_path / "a.jsonl")
        assert (len(document), [one["id"] for one in document.extras["bigbio"]["entities"]]) == (4, ["a", "b"])
        assert write([document], tmp_path / f"again.{suffix}").lines() == []
        assert records_in(tmp_path / f"again.{suffix}") == [record]


def test_kept_entities_do_not_become_mentions_and_new_mentions_do_not_take_their_ids(tmp_path: Path) -> None:
    kept = [unplaced("0_T1"), entity("x", "Symptom", (0, 4, "Pain"))]
    document = Document(TITLE, [("Symptom", [(0, 4)])], "d", {"bigbio": {"id": "0", "entities": kept}})
    losses = write([document], tmp_path / "a.bigbio.json")
    (record,) = records_in(tmp_path / "a.bigbio.json")
    assert [(one["id"], one["type"]) for one in record["entities"]] == [("0_T2", "Symptom"), ("0_T1", "Topic")]
    assert losses.lines() == ["values of the key 'bigbio.entities' (1)"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path, suffix: str) -> None:
    path = in_json(tmp_path, *[RECORD] * 100, 3)
    with pytest.raises(InputError, match="one JSON object"):
        write(read(path), tmp_path / f"out.{suffix}")
    assert list(tmp_path.iterdir()) == [path]
