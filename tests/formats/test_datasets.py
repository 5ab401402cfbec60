import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, Features, Value, load_from_disk
from datasets.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, read, write
from disconer.formats import bigbio, detect_input
from disconer.tokenize import Layout, Split
from tests.formats.extremes import LAYOUTS, nested
from tests.strategies import documents

SPANS = [[Value("int64")]]
TEXT = "Severe joint and shoulder pain."
ENTITY = {"label": "ADR", "spans": [[0, 12], [26, 30]]}


def saved(path: Path, *rows: dict[str, Any]) -> Path:
    Dataset.from_list(list(rows)).save_to_disk(path)
    return path


@settings(max_examples=30)
@given(documents=st.lists(documents(), max_size=2))
def test_everything_survives_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("datasets") / "out"
    losses = write(documents, path, "datasets")
    back = list(read(path))
    assert back == documents
    assert [document.layout.sentences for document in back] == [document.layout.sentences for document in documents]
    assert losses.lines() == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_words_and_sentences_come_back_whoever_found_them(tmp_path: Path, layout: Layout) -> None:
    write([Document(layout)], tmp_path / "out", "datasets")
    (back,) = read(tmp_path / "out")
    assert (back.layout.sentences, back.layout.words) == (layout.sentences, layout.words)


def test_unknown_keys_with_the_names_of_columns_survive_or_are_counted(tmp_path: Path) -> None:
    names = ("id", "text", "entities", "sentences", "words", "label", "spans", "score", "other_keys")
    extras = dict.fromkeys(names, 3)
    document = Document("a", [Mention("X", [(0, 1)], "a", extras=extras)], "d", extras)
    losses = write([document], tmp_path / "out", "datasets")
    (back,) = read(tmp_path / "out")
    assert back.extras == dict.fromkeys(("label", "spans", "score", "other_keys"), 3)
    assert back.mentions[0].extras == dict.fromkeys(("id", "text", "entities", "sentences", "words", "other_keys"), 3)
    assert losses.noted == {
        **{f"values of the key {name!r}": 1 for name in names[:5]},
        **{f"values of the mentions' key {name!r}": 1 for name in names[5:8]},
    }


def test_keys_that_are_nested_too_deeply_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        write([Document("a", extras={"k": nested()})], tmp_path / "out", "datasets")
    assert not list(tmp_path.iterdir())


def test_the_library_loads_what_is_written(tmp_path: Path) -> None:
    document = Document(TEXT, [("ADR", [(0, 12), (26, 30)])], 7, {"lang": "en"})
    write([document, Document("x", id="d")], tmp_path / "out", "datasets")
    dataset = load_from_disk(tmp_path / "out")
    assert dataset.features == Features(
        {
            "id": Value("string"),
            "text": Value("string"),
            "entities": [
                {"label": Value("string"), "spans": SPANS, "score": Value("float64"), "other_keys": Value("string")}
            ],
            "sentences": SPANS,
            "words": SPANS,
            "other_keys": Value("string"),
        }
    )
    assert dataset[0] == {
        "id": "7",
        "text": TEXT,
        "entities": [{**ENTITY, "score": None, "other_keys": None}],
        "sentences": None,
        "words": None,
        "other_keys": '{"id": 7, "lang": "en"}',
    }
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "data-00000-of-00001.arrow",
        "dataset_info.json",
        "state.json",
    ]


def test_folders_are_told_by_their_files(tmp_path: Path) -> None:
    write([Document(TEXT)], tmp_path / "out", "datasets")
    assert detect_input(tmp_path / "out").name == "datasets"


def test_no_documents_are_a_dataset_too(tmp_path: Path) -> None:
    write([], tmp_path / "out", "datasets")
    assert list(read(tmp_path / "out")) == []
    assert len(load_from_disk(tmp_path / "out")) == 0


def test_reads_datasets_of_others_with_the_columns_of_jsonl(tmp_path: Path) -> None:
    rows = [
        {"id": 3, "text": TEXT, "entities": [{**ENTITY, "by": "me"}], "source": "forum"},
        {"id": 4, "text": "x", "entities": [], "source": None},
    ]
    first, second = read(saved(tmp_path / "theirs", *rows))
    assert (first.id, first.text, first.extras) == (3, TEXT, {"source": "forum"})
    assert [(mention.text, mention.extras) for mention in first] == [("Severe joint pain", {"by": "me"})]
    assert (second.id, second.mentions) == (4, ())


def test_reads_bare_texts_whatever_format_they_were_saved_in(tmp_path: Path) -> None:
    dataset = Dataset.from_dict({"text": ["One. Two.", "x"], "n": [1, 2]}).with_format("numpy", columns=["n"])
    dataset.save_to_disk(tmp_path / "theirs")
    first, _ = read(tmp_path / "theirs")
    assert (first.text, first.extras, len(first.sentences)) == ("One. Two.", {"n": 1}, 1)


def test_reads_datasets_with_the_columns_of_bigbio(tmp_path: Path) -> None:
    row = {
        "id": "0",
        "document_id": "d",
        "passages": [{"id": "1", "type": "title", "text": ["Bad. Worse."], "offsets": [[0, 11]]}],
        "entities": [
            {"id": "2", "type": "X", "text": ["Bad", "Worse"], "offsets": [[0, 3], [5, 10]], "normalized": []}
        ],
    }
    path = saved(tmp_path / "theirs", row)
    (document,) = read(path)
    assert document == bigbio.read_document(row, Split.ALWAYS)
    assert (document.id, document.mentions[0].text, len(document.sentences)) == ("d", "Bad Worse", 2)
    assert [len(document.sentences) for document in read(path, split=Split.NEVER)] == [1]


def test_columns_that_are_missing_are_named(tmp_path: Path) -> None:
    complaint = (
        "needs the columns 'text' and 'entities', or BigBIO's 'passages' and 'entities', and has 'sentence', 'tags'"
    )
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(saved(tmp_path / "theirs", {"sentence": "a", "tags": [1]})))
    assert caught.value.path == tmp_path / "theirs"


def test_one_of_several_datasets_must_be_named(tmp_path: Path) -> None:
    splits = {name: Dataset.from_list([{"text": name}]) for name in ("test", "train", "validation")}
    DatasetDict(splits).save_to_disk(tmp_path / "all")
    with pytest.raises(InputError, match=r"all: this holds several datasets: name one of them, e\.g\. .*all/train$"):
        list(read(tmp_path / "all"))
    assert [document.text for document in read(tmp_path / "all" / "train")] == ["train"]


def test_what_is_no_dataset_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file"):
        with pytest.raises(InputError, match=r"there is no state\.json here"):
            list(read(path, "datasets"))


@pytest.mark.parametrize("name", ["data-00000-of-00001.arrow", "dataset_info.json", "state.json"])
@pytest.mark.parametrize("content", [b"", b"{}", b"[1", b"\xff\xfe", b"nonsense", None])
def test_files_that_are_damaged_or_missing_are_an_error(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = saved(tmp_path / "out", {"text": TEXT})
    if content is None:
        (path / name).unlink()
    else:
        (path / name).write_bytes(content)
    if (name, content) == ("dataset_info.json", b"{}"):  # says nothing, which is nothing wrong
        assert len(list(read(path))) == 1
        return
    with pytest.raises(InputError, match=r"out: (this dataset cannot be loaded|there is no state\.json)") as caught:
        list(read(path, "datasets"))
    assert "Severe" not in str(caught.value)


def test_offsets_that_lead_out_of_a_damaged_file_are_an_error(tmp_path: Path) -> None:
    path = saved(tmp_path / "out", {"text": "findme"})
    file = path / "data-00000-of-00001.arrow"
    content = bytearray(file.read_bytes())
    place = content.rindex((6).to_bytes(4, "little"), 0, content.index(b"findme"))
    content[place : place + 4] = (2**30).to_bytes(4, "little")
    file.write_bytes(content)
    with pytest.raises(InputError, match="this is not Parquet or Arrow, or it is damaged"):
        list(read(path))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"text": 3}, "the text must be a string"),
        ({"text": None}, "the text must be a string"),
        ({"text": "a", "id": 1.5}, "an id must be"),
        ({"text": "a", "entities": "x"}, "'entities' must hold a list"),
        ({"text": "a", "entities": ["x"]}, "an entity must be an object"),
        ({"text": "a", "entities": [{"start": 0}]}, "'label' and 'spans'"),
        ({"text": "a", "entities": [{"label": 1, "spans": [[0, 1]]}]}, "a label must be a string"),
        ({"text": "a", "entities": [{"label": "X", "spans": [[0, 9]]}]}, "outside the text"),
        ({"text": "a", "entities": [{"label": "X", "spans": [0, 1]}]}, "pair of whole numbers"),
        ({"text": "a", "entities": [{**ENTITY, "other_keys": 3}]}, "'other_keys' must hold JSON as text"),
        ({"text": "a", "words": [[0, 9]]}, "the word 0-9 lies outside"),
        ({"text": "a", "other_keys": 3}, "'other_keys' must hold JSON as text"),
        ({"text": "a", "other_keys": "{"}, "not JSON"),
        ({"text": "a", "other_keys": "[]"}, "one JSON object"),
        ({"text": "a", "weight": float("nan")}, "not a number"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, row: dict[str, Any], complaint: str) -> None:
    path = saved(tmp_path / "bad", row)
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path))
    assert (caught.value.path, caught.value.line) == (path, 1)


def test_rows_are_read_one_by_one(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"text": "fine", "words": []}, {"text": "fine", "words": [[0, 9]]}]
    documents = read(saved(tmp_path / "bad", *rows))
    assert next(documents).text == "fine"
    with pytest.raises(InputError, match=r"bad:2: the word 0-9"):
        next(documents)


def failing() -> Iterator[Document]:
    yield Document("one")
    raise InputError("the second is bad")


def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the second is bad"):
        write(failing(), tmp_path / "out", "datasets")
    assert not list(tmp_path.iterdir())


def test_datasets_of_many_rows_keep_their_order(tmp_path: Path) -> None:
    expected = [Document(f"text {number}", id=number) for number in range(200)]
    write(expected, tmp_path / "out", "datasets")
    assert list(read(tmp_path / "out")) == expected


OFFLINE = """
import socket, sys
from pathlib import Path
from disconer import Document, read, write
def refuse(*_): raise SystemExit("the network was touched")
socket.socket.connect = refuse
write([Document("x")], sys.argv[1], "datasets")
assert [document.text for document in read(sys.argv[1])] == ["x"]
"""


def test_neither_the_network_nor_the_users_cache_is_touched_and_nothing_is_said(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "XDG_"))}
    command: list[str | Path] = [sys.executable, "-W", "error", "-c", OFFLINE, tmp_path / "out"]
    done = subprocess.run(command, env={**clean, "HOME": str(home)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(home.rglob("*"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out"]


def test_whether_there_are_progress_bars_elsewhere_is_the_users_choice(tmp_path: Path) -> None:
    for choose, name in ((disable_progress_bars, "without"), (enable_progress_bars, "with")):
        choose()
        write([Document("x")], tmp_path / name, "datasets")
        assert are_progress_bars_disabled() is (name == "without")
