"""Datasets in memory: documents in and out, and predictions as a column."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, List, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, load, read, write
from disconer.integrations.datasets import annotate, from_dataset, to_dataset
from disconer.recognizer import Recognizer
from tests.strategies import documents

TEXT = "Severe joint and shoulder pain."
ENTITY = {"label": "ADR", "spans": [[0, 12], [26, 30]]}
TAGS = ClassLabel(names=["O", "B-ADR", "I-ADR", "B-Drug"])


@pytest.fixture(scope="module")
def recognizer(model_folder: Path) -> Recognizer:
    return load(model_folder, "cpu", 1)


def streamed(*rows: dict[str, Any]) -> IterableDataset:
    def generated() -> Iterator[dict[str, Any]]:
        yield from rows

    return IterableDataset.from_generator(generated)


@settings(max_examples=20)
@given(st.lists(documents(), max_size=3))
def test_everything_survives_a_round_trip(documents: list[Document]) -> None:
    dataset = to_dataset(documents)
    back = list(from_dataset(dataset))
    assert back == documents
    assert [one.layout.sentences for one in back] == [one.layout.sentences for one in documents]
    assert list(from_dataset(dataset.to_list())) == documents
    if documents:  # the library cannot stream nothing
        assert list(from_dataset(dataset.to_iterable_dataset())) == documents


def test_a_folder_of_the_same_rows_is_the_same_dataset(tmp_path: Path) -> None:
    document = Document(TEXT, [("ADR", [(0, 12), (26, 30)])], 7, {"lang": "en"})
    dataset = to_dataset([document])
    dataset.save_to_disk(tmp_path / "out")
    assert list(read(tmp_path / "out")) == [document]
    write([document], tmp_path / "ours", "datasets")
    assert Dataset.load_from_disk(tmp_path / "ours").to_list() == dataset.to_list()


def test_what_a_dataset_has_no_column_for_is_an_error() -> None:
    with pytest.raises(InputError, match=r"values of the key 'text' \(1\): rename them"):
        to_dataset([Document("a", extras={"text": 1})])


def test_columns_have_the_names_that_others_gave_them() -> None:
    row = {"pmid": 3, "note": TEXT, "spans": [ENTITY], "read": date(2020, 1, 2)}
    (document,) = from_dataset(Dataset.from_list([row]), text="note", entities="spans", id="pmid")
    assert (document.id, document.text, document.mentions[0].text) == (3, TEXT, "Severe joint pain")
    assert document.extras == {"read": "2020-01-02"}


@pytest.mark.parametrize("names", [["note", "text", "pmid", "id"], ["id", "pmid", "text", "note"]])
def test_columns_that_are_named_come_before_those_called_so(names: list[str]) -> None:
    row = {"note": TEXT, "text": "another", "pmid": "p1", "id": 7}
    (document,) = from_dataset([{name: row[name] for name in names}], text="note", id="pmid")
    assert (document.text, document.id, document.extras) == (TEXT, "p1", {})
    with pytest.raises(InputError, match="needs the columns"):
        list(from_dataset([{"text": "another"}], text="note"))


def test_texts_are_split_as_one_says() -> None:
    counts = [len(next(from_dataset([{"text": "One. Two."}], split=split)).sentences) for split in Split]
    assert dict(zip(Split, counts, strict=True)) == {Split.AUTO: 1, Split.ALWAYS: 2, Split.NEVER: 1}


def test_a_dataset_that_gives_tensors_gives_documents_too() -> None:
    dataset = to_dataset([Document(TEXT, [("ADR", [(0, 6)])])]).with_format("numpy")
    assert [mention.text for mention in next(from_dataset(dataset))] == ["Severe"]


def test_the_columns_of_bigbio_are_known() -> None:
    row = {
        "id": "0",
        "document_id": "d",
        "passages": [{"id": "1", "type": "title", "text": ["Bad. Worse."], "offsets": [[0, 11]]}],
        "entities": [
            {"id": "2", "type": "X", "text": ["Bad", "Worse"], "offsets": [[0, 3], [5, 10]], "normalized": []}
        ],
    }
    (document,) = from_dataset(Dataset.from_list([row]))
    assert (document.id, document.mentions[0].text, len(document.sentences)) == ("d", "Bad Worse", 2)


@pytest.mark.parametrize("streaming", [False, True])
def test_tags_may_be_numbers_that_the_dataset_explains(streaming: bool) -> None:
    features = Features({"tokens": List(Value("string")), "ner_tags": List(TAGS), "id": Value("int64")})
    rows = {"tokens": [["Bad", "joint", "pain", "from", "Zorvastin"]], "ner_tags": [[1, 2, 2, 0, 3]], "id": [5]}
    dataset = Dataset.from_dict(rows, features)
    (document,) = from_dataset(dataset.to_iterable_dataset() if streaming else dataset, tags="ner_tags")
    assert [(mention.label, mention.text) for mention in document] == [("ADR", "Bad joint pain"), ("Drug", "Zorvastin")]
    assert (document.id, len(document.sentences), len(document.layout.words)) == (5, 1, 5)


def test_tags_may_be_words() -> None:
    row = {"text": "kept elsewhere", "words": ["No", "joint pain"], "bio": ["O", "S-ADR"], "source": "forum"}
    (document,) = from_dataset([row], tokens="words", tags="bio")
    assert (document.text, document.mentions[0].text, document.extras) == (
        "No joint pain", "joint pain", {"source": "forum"},
    )  # fmt: skip
    assert list(from_dataset(to_dataset([document]))) == [document]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"sentence": "secret"}, "needs the columns 'text' and 'entities'.*'sentence'$"),
        ({"text": None}, "the text must be a string"),
        ({"text": "secret", "entities": [{**ENTITY, "spans": [[0, 99]]}]}, "outside the text"),
        ({"text": "secret", "entities": "x"}, "must hold a list"),
    ],
)
def test_bad_rows_are_named(row: dict[str, Any], complaint: str) -> None:
    rows = from_dataset([{"text": "fine"}, row])
    assert next(rows).text == "fine"
    with pytest.raises(InputError, match=complaint) as caught:
        next(rows)
    assert str(caught.value).startswith("dataset:2: ")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"tokens": ["a"]}, "needs the columns 'tokens' and 'tags', and has 'tokens'"),
        ({"tokens": ["a"], "tags": []}, "1 words and 0 tags"),
        ({"tokens": ["a"], "tags": [1]}, "or the number of one, not 1"),
        ({"tokens": ["a"], "tags": ["X"]}, "expected a tag like O"),
        ({"tokens": [1], "tags": ["O"]}, "a word must be a string"),
        ({"tokens": "a", "tags": ["O"]}, "must hold a list"),
    ],
)
def test_bad_tags_are_named(row: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=f"dataset:1: .*{complaint}"):
        list(from_dataset([row], tags="tags"))


def test_one_of_several_datasets_must_be_named() -> None:
    with pytest.raises(InputError, match=r"several datasets: name one of them, e\.g\. \['test'\]"):
        list(from_dataset(DatasetDict(test=to_dataset([]), train=to_dataset([]))))


def entities(document: Document) -> list[tuple[str, list[list[int]], float | None]]:
    return [(one.label, [list(fragment) for fragment in one.fragments], one.score) for one in document]


def predicted(row: dict[str, Any], column: str) -> list[tuple[str, list[list[int]], float | None]]:
    return [(one["label"], one["spans"], one["score"]) for one in row[column]]


def test_predictions_are_a_column_and_the_others_stay(recognizer: Recognizer) -> None:
    texts = ["", TEXT, "No pain. Some nausea."]
    dataset = Dataset.from_dict({"note": texts, "n": [1, 2, 3]})
    annotated = annotate(recognizer, dataset, text="note", into="found", batch_size=1)
    assert annotated.column_names == ["note", "n", "found"]
    assert (annotated["note"][:], annotated["n"][:]) == (texts, [1, 2, 3])
    expected = [entities(document) for document in recognizer.pipe(texts)]
    assert [predicted(row, "found") for row in annotated] == expected
    assert expected[0] == []
    assert len(expected[1]) > 1
    assert annotated.features["found"] == to_dataset([]).features["entities"]


def test_thresholds_are_those_of_pipe(recognizer: Recognizer) -> None:
    dataset = annotate(recognizer, Dataset.from_dict({"text": [TEXT]}), threshold=0.9)
    assert predicted(dataset[0], "entities") == entities(recognizer(TEXT, threshold=0.9))


def test_entities_that_are_there_are_replaced(recognizer: Recognizer) -> None:
    dataset = Dataset.from_dict({"text": [TEXT], "entities": ["none"]})
    assert predicted(annotate(recognizer, dataset)[0], "entities") == entities(recognizer(TEXT))


def test_several_datasets_and_those_that_are_streamed_are_annotated_too(recognizer: Recognizer) -> None:
    expected = entities(recognizer(TEXT))
    several = annotate(recognizer, DatasetDict(train=Dataset.from_dict({"text": [TEXT]})))
    assert predicted(several["train"][0], "entities") == expected
    stream = annotate(recognizer, streamed({"text": "", "n": 1}, {"text": TEXT, "n": 2}), into="found")
    assert [predicted(row, "found") for row in stream] == [[], expected]
    assert [row["n"] for row in stream] == [1, 2]


def test_a_dataset_without_rows_gets_the_column_too(recognizer: Recognizer) -> None:
    some = Dataset.from_dict({"text": [TEXT], "n": [1]})
    several = annotate(recognizer, DatasetDict(train=some, test=some.select([])))
    assert several["test"].features == several["train"].features
    assert len(several["test"]) == 0


def test_an_annotated_dataset_is_documents_again(recognizer: Recognizer) -> None:
    dataset = annotate(recognizer, to_dataset([Document(TEXT, [Mention("Old", [(0, 6)], TEXT)], "d")]))
    (document,) = from_dataset(dataset)
    assert (document.id, document.mentions) == ("d", recognizer(TEXT).mentions)


def test_a_column_that_is_not_there_and_rows_without_text_are_named(recognizer: Recognizer) -> None:
    with pytest.raises(InputError, match="no column 'note': name one of text, n"):
        annotate(recognizer, Dataset.from_dict({"text": [TEXT], "n": [1]}), text="note")
    with pytest.raises(InputError, match="dataset:2: the text must be a string"):
        annotate(recognizer, Dataset.from_dict({"text": [TEXT, None]}))
