"""Predictions that survive an interruption."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, InputError, read
from disconer.cli import main
from disconer.cli.journal import Journal
from disconer.recognizer import Recognizer
from disconer.tokenize import Layout
from tests.cli.test_predict import TEXT, predict
from tests.strategies import documents

MADE_BY = {"model": "a1", "threshold": None}


class Counting:
    """Finds the mentions that documents have anyway, and counts how often it was asked."""

    def __init__(self, known: list[Document], at_most: int = 1_000_000) -> None:
        self.known = {document.text: document for document in known}
        self.at_most = at_most
        self.asked = 0

    def __call__(self, texts: Iterator[Document]) -> Iterator[Document]:
        for document in texts:
            if self.asked == self.at_most:
                raise KeyboardInterrupt
            self.asked += 1
            yield document.with_mentions(self.known[document.text].mentions)


@given(st.lists(documents(), max_size=6, unique_by=lambda document: document.text), st.integers(0), st.data())
def test_wherever_it_was_cut_off_the_result_is_the_same(
    known: list[Document], interrupted_after: int, data: st.DataObject
) -> None:
    bare = [document.with_mentions(()) for document in known]
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "out", MADE_BY)
        written = list(islice(journal.predict(bare, Counting(known)), interrupted_after % (len(known) + 1)))
        content = journal.path.read_bytes() if journal.path.exists() else b""
        size = data.draw(st.integers(0, len(content)))
        journal.path.write_bytes(content[:size])  # a machine that lost its power
        again = Counting(known)
        assert list(journal.predict(bare, again)) == known
        assert again.asked >= len(known) - len(written)
        if size == len(content) and content:
            assert again.asked == len(known) - len(written)
        finished = Counting(known)
        assert list(journal.predict(bare, finished)) == known
        assert finished.asked == 0


def test_only_who_wrote_it_may_read_it_and_what_is_damaged_is_named(tmp_path: Path) -> None:
    known = [Document("One."), Document("Two.")]
    journal = Journal(tmp_path / "out", MADE_BY)
    list(journal.predict(known, Counting(known)))
    assert journal.path.stat().st_mode & 0o777 == 0o600
    for damage in (b"{]\n", b"\xff\n"):
        head, first, second = journal.path.read_bytes().splitlines(keepends=True)
        journal.path.write_bytes(head + damage + second)
        with pytest.raises(InputError, match=r"out\.partial:2: this line is damaged: delete this file"):
            list(journal.predict(known, Counting(known)))
        journal.path.write_bytes(head + first + second)


def test_what_the_journal_does_not_hold_comes_from_the_input(tmp_path: Path) -> None:
    known = [Document("One.", extras={"read": object()})]
    list(Journal(tmp_path / "out", MADE_BY).predict(known, Counting(known)))
    assert list(Journal(tmp_path / "out", MADE_BY).predict(known, Counting(known))) == known
    other = [Document(Layout("One.", ((0, 2), (2, 4))))]
    with pytest.raises(InputError, match="document 1 is another"):
        list(Journal(tmp_path / "out", MADE_BY).predict(other, Counting(other)))


def test_another_input_or_another_model_is_refused(tmp_path: Path) -> None:
    known = [Document("One."), Document("Two.")]
    list(Journal(tmp_path / "out", MADE_BY).predict(known, Counting(known)))
    for others in ([Document("One."), Document("Three.")], [Document("One.")]):
        with pytest.raises(InputError, match=r"document 2 is another than it was: delete this file"):
            list(Journal(tmp_path / "out", MADE_BY).predict(others, Counting(others)))
    with pytest.raises(InputError, match=r"out\.partial: this was predicted by another model"):
        list(Journal(tmp_path / "out", MADE_BY | {"threshold": 0.5}).predict(known, Counting(known)))


@pytest.mark.parametrize("output", ["out.jsonl", "out"])
def test_a_prediction_that_was_cut_off_goes_on(
    model_folder: Path, tmp_path: Path, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    for number in range(6):
        (tmp_path / "notes" / f"{number}.txt").write_text(f"{TEXT} {number}")
    assert predict(model_folder, tmp_path / "notes", "-o", tmp_path / f"whole-{output}") == 0
    whole = Recognizer.pipe
    asked: list[str] = []

    def interrupted(self: Recognizer, texts: Iterator[Document], **options: object) -> Iterator[Document]:
        for document in whole(self, texts, **options):  # type: ignore[arg-type]
            if len(asked) == 4:
                raise KeyboardInterrupt
            asked.append(document.text)
            yield document

    monkeypatch.setattr(Recognizer, "pipe", interrupted)
    arguments = [tmp_path / "notes", "-o", tmp_path / output, "--resume"]
    assert predict(model_folder, *arguments) == 1
    assert not (tmp_path / output).exists()
    assert (tmp_path / f"{output}.partial").exists()
    asked.clear()
    assert predict(model_folder, *arguments) == 0
    assert asked == [f"{TEXT} 4", f"{TEXT} 5"]
    assert list(read(tmp_path / output)) == list(read(tmp_path / f"whole-{output}"))
    assert not (tmp_path / f"{output}.partial").exists()
    assert main(["predict", str(model_folder), str(tmp_path / "notes"), "--resume"]) == 2
    assert "name it with -o" in capsys.readouterr().err
