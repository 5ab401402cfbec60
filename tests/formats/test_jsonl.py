import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, InputError, Split, read, write
from disconer.tokenize import Layout
from tests.strategies import documents


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@given(documents=st.lists(documents(), max_size=3))
def test_everything_survives_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "documents.jsonl"
    losses = write(documents, path)
    assert list(read(path)) == documents
    assert losses.lines() == []


def test_reads_the_contract(tmp_path: Path) -> None:
    path = written(
        tmp_path / "one.jsonl",
        {
            "id": "d1",
            "text": "Severe joint and shoulder pain.",
            "entities": [
                {"label": "ADR", "spans": [[0, 12], [26, 30]]},
                {"label": "ADR", "spans": [[0, 6], [17, 30]], "score": 0.25, "note": {"by": "me"}},
            ],
            "source": ["forum", 3],
        },
    )
    (document,) = read(path)
    assert document.id == "d1"
    assert [mention.text for mention in document] == ["Severe joint pain", "Severe shoulder pain"]
    assert [mention.score for mention in document] == [None, 0.25]
    assert document.extras == {"source": ["forum", 3]}
    assert document.mentions[1].extras == {"note": {"by": "me"}}


def test_writes_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write([Document("Übel 🙂", [("ADR", [(0, 4)])], "d1", {"lang": "de"})], path)
    assert path.read_bytes().decode() == (
        '{"id": "d1", "text": "Übel 🙂", "entities": [{"label": "ADR", "spans": [[0, 4]]}], "lang": "de"}\n'
    )


def test_fragments_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"text": "a b c", "entities": [{"label": "X", "spans": [[4, 5], [0, 1]]}]})
    (document,) = read(path)
    assert document.mentions[0].text == "a c"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_and_a_byte_order_mark_will_do(tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.jsonl"
    lines = (
        '{"text": "a\\r\\nb", "entities": [{"label": "X", "spans": [[3, 4]]}]}',
        '{"text": "c"}',
        "",
        '{"text": "d"}',
    )
    path.write_bytes(b"\xef\xbb\xbf" + end.join(lines).encode())
    first, *others = read(path)
    assert first.mentions[0].text == "b"
    assert others == [Document("c"), Document("d")]


def test_an_empty_file_holds_no_documents(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    assert list(read(path)) == []


@pytest.mark.parametrize("text", ["", " ", "\n\t\u00a0", "\ufeff"])
def test_documents_of_white_space_have_no_words(tmp_path: Path, text: str) -> None:
    (document,) = read(written(tmp_path / "a.jsonl", {"text": text}))
    assert document.text == text
    assert document.layout.words == ()


@pytest.mark.parametrize("text", ["One. Two.", "One.\nTwo."])
@pytest.mark.parametrize("split", list(Split))
def test_sentences_found_in_another_way_than_the_default_are_written_down(
    tmp_path: Path, text: str, split: Split
) -> None:
    (document,) = read(written(tmp_path / "a.jsonl", {"text": text}), split=split)
    write([document], tmp_path / "b.jsonl")
    (back,) = read(tmp_path / "b.jsonl")
    assert back.layout.sentences == document.layout.sentences


def test_sentences_that_a_reader_finds_anyway_are_not_written_down(tmp_path: Path) -> None:
    write([Document(Layout("One sentence", split=Split.ALWAYS))], tmp_path / "a.jsonl")
    assert "sentences" not in (tmp_path / "a.jsonl").read_text()


def test_half_a_surrogate_pair_in_an_unknown_key_survives(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"text": "é", "raw": "cut \ud83d"})
    write(read(path), tmp_path / "b.jsonl")
    assert [document.extras for document in read(tmp_path / "b.jsonl")] == [{"raw": "cut \ud83d"}]


GOOD = '{"text": "fine"}\n'


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not JSON"),
        ("[1]", "one JSON object"),
        ("{} {}", "not JSON"),
        ("{}", "'text' is missing"),
        ('{"text": 3}', "the text must be a string"),
        ('{"text": "a", "entities": {}}', "'entities' must hold a list"),
        ('{"text": "a", "entities": ["x"]}', "an entity must be an object"),
        ('{"text": "a", "entities": [{"label": "X"}]}', "'label' and 'spans'"),
        ('{"text": "a", "entities": [{"spans": [[0, 1]]}]}', "'label' and 'spans'"),
        ('{"text": "a", "entities": [{"label": 1, "spans": [[0, 1]]}]}', "a label must be a string"),
        ('{"text": "a", "entities": [{"label": "X", "spans": []}]}', "at least one fragment"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[0, 4]]}]}', "outside the text"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[2, 1]]}]}', "reversed"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[0, 2], [1, 3]]}]}', "overlap"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [0, 1]}]}', "pair of whole numbers"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[0, 1.5]]}]}', "pair of whole numbers"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[0, 1]], "score": 2}]}', "score"),
        ('{"text": "abc", "entities": [{"label": "X", "spans": [[0, 1]], "score": NaN}]}', "NaN"),
        ('{"text": "a", "n": 1e999}', "1e999"),
        ('{"text": "abc", "words": [[0, 9]]}', "the word 0-9 lies outside"),
        ('{"text": "abc", "sentences": [[0, 2], [1, 3]]}', "the sentence 1-3 begins before"),
        ('{"text": "a", "id": {}}', "an id must be"),
        ('{"text": "\\ud83d"}', "surrogate"),
        ('{"text": "a", "n": ' + "9" * 5000 + "}", "too many digits"),
        ('{"text": "a", "n": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(GOOD + line + "\n" + GOOD, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(path))
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(GOOD.encode() + '{"text": "café"}\n'.encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(read(path))
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(GOOD * 3 + "not JSON\n", encoding="utf-8")
    documents = read(path)
    assert [next(documents).text for _ in range(3)] == ["fine"] * 3
