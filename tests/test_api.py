"""The Python interface does what the commands do, with paths or with documents."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import disconer
from disconer import Document, InputError, Recognizer, Scores
from disconer.cli import main
from disconer.corpora.sample import sample
from disconer.exceptions import CannotHoldError, MismatchError
from disconer.models.settings import GraphSettings
from disconer.training.config import read_config
from tests.serve.page_recognizers import Ruled
from tests.training.processes import interrupt_at

SETTINGS: dict[str, Any] = {
    "encoder": "tiny", "epochs": 1, "width": 16, "head_rate": 5e-3, "device": "cpu", "threads": 1, "progress": False,
}  # fmt: skip
GAPPED = Document("Joint and back pain.", [("ADR", [(0, 5), (15, 19)]), ("ADR", [(10, 19)])], id="1")
CONTINUOUS = Document("Joint and back pain.", [("ADR", [(10, 19)])], id="1")


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[Document]]:
    return {name: documents[:40] for name, documents in sample().items()}


@pytest.fixture(scope="module")
def files(corpus: dict[str, list[Document]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api")
    for name, documents in corpus.items():
        disconer.write(documents, folder / f"{name}.jsonl")
    return folder


@pytest.fixture(scope="module")
def run(files: Path) -> Path:
    """A run that was trained from files, from Python."""
    disconer.train(files / "train.jsonl", str(files / "dev.jsonl"), files / "run", **SETTINGS)
    return files / "run"


def weights(run: Path) -> bytes:
    return (run / "model" / "model.safetensors").read_bytes()


def test_training_is_the_commands(run: Path, files: Path, tmp_path: Path) -> None:
    data = ["--train", str(files / "train.jsonl"), "--dev", str(files / "dev.jsonl")]
    settings = ["--encoder", "tiny", "--epochs", "1", "--set", "mac.width=16", "--set", "training.head_rate=0.005"]
    call = ["train", *data, "--out", str(tmp_path / "run"), *settings, "--threads", "1", "--device", "cpu", "--quiet"]
    assert main(call) == 0
    assert weights(tmp_path / "run") == weights(run)
    ours, theirs = ((one / "config.toml").read_text().splitlines() for one in (run, tmp_path / "run"))
    assert [line for line in ours if line not in theirs] == [line for line in ours if line.startswith("command")]


def test_documents_in_memory_train_as_their_files_do(
    corpus: dict[str, list[Document]], run: Path, tmp_path: Path
) -> None:
    recognizer = disconer.train(iter(corpus["train"]), corpus["dev"], tmp_path / "run", **SETTINGS)
    assert isinstance(recognizer, Recognizer)
    assert weights(tmp_path / "run") == weights(run)
    fingerprints = [
        re.findall("^fingerprint = .*$", (one / "config.toml").read_text(), re.MULTILINE)
        for one in (run, tmp_path / "run")
    ]
    assert fingerprints[0] == fingerprints[1]


def test_without_a_folder_only_the_recognizer_remains(
    corpus: dict[str, list[Document]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recognizer = disconer.train(corpus["train"], corpus["dev"], **SETTINGS)
    assert list(tmp_path.iterdir()) == []
    paths = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    for path, name in zip(paths, ("train", "dev"), strict=True):
        disconer.write(corpus[name], path)
    disconer.train(*paths, **SETTINGS).save_pretrained("from-files")
    call = "disconer.train('train.jsonl', 'dev.jsonl', **{'encoder.name': 'tiny', "
    assert call in (tmp_path / "from-files" / "MODEL_CARD.md").read_text()
    recognizer.save_pretrained(tmp_path / "model")
    again = disconer.load(tmp_path / "model", device="cpu")
    assert disconer.evaluate(again, corpus["dev"]) == disconer.evaluate(recognizer, corpus["dev"])
    with pytest.raises(InputError, match="needs its folder"):
        disconer.train(corpus["train"], corpus["dev"], resume=True)


def test_a_run_from_memory_is_resumed_with_the_same_documents(
    corpus: dict[str, list[Document]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = SETTINGS | {"seeds": 0}
    disconer.train(corpus["train"], corpus["dev"], tmp_path / "run", **first)
    disconer.train(corpus["train"], corpus["dev"], tmp_path / "run", **SETTINGS, seeds=(0, 1), resume=True)
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"seed-0", "seed-1"}
    with pytest.raises(InputError, match="the data, or the model to go on from, is not what this run began with"):
        disconer.train(corpus["train"][1:], corpus["dev"], tmp_path / "run", **first, resume=True)
    assert main(["train", "--out", str(tmp_path / "run"), "--resume", "--quiet"]) == 2
    assert "resume it from Python with the same documents" in capsys.readouterr().err


def test_settings_go_by_their_names(files: Path, tmp_path: Path) -> None:
    def call(**settings: Any) -> None:
        disconer.train(files / "train.jsonl", files / "dev.jsonl", tmp_path / "run", progress=False, **settings)

    with pytest.raises(InputError, match=r"there is no setting 'epoch': did you mean 'training\.epochs'"):
        call(epoch=3)
    with pytest.raises(InputError, match=r"the setting 'width' is that of another model: mac\.width, "):
        call(model="bioe", width=3)  # which it has not
    with pytest.raises(InputError, match=r"the setting 'history' is that of another model: trans\.history$"):
        call(model="bioe", history=3)
    with pytest.raises(InputError, match=r"the setting 'tags' is that of another model: scheme\.tags$"):
        call(model="bioe", tags="one")
    with pytest.raises(InputError, match=r"model must be one of .*did you mean 'mac'"):
        call(model="macc", width=3)
    for name in ("command", "fingerprint"):
        with pytest.raises(InputError, match=f"{name} is written by the run itself"):
            call(**{name: "mine"})
    with pytest.raises(InputError, match=r"model must be one of .*did you mean 'mac'"):
        call(model="maq")
    with pytest.raises(InputError, match=r"training\.epochs must be a whole number"):
        call(epochs="many")
    with pytest.raises(InputError, match=r"encoder\.window must lie at 0 or above"):
        call(**{"encoder.window": -1})
    with pytest.raises(InputError, match=r"training\.epochs must lie at 1 or above"):
        call(training={"epochs": np.int64(0)})
    with pytest.raises(InputError, match="device must be one of"):
        call(device="gpu", encoder="tiny")


def test_a_name_is_that_of_the_model_that_is_trained(files: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.toml").write_text('model = "graph"\n')
    data = files / "train.jsonl", files / "dev.jsonl"
    disconer.train(*data, tmp_path / "graph", config=tmp_path / "graph.toml", **SETTINGS)
    assert read_config(tmp_path / "graph").settings_of(GraphSettings).width == 16
    disconer.train(*data, tmp_path / "graph", resume=True, **SETTINGS)
    with pytest.raises(InputError, match=r"has graph\.width=16, and cannot go on with 256"):
        disconer.train(*data, tmp_path / "more", init=tmp_path / "graph", **SETTINGS | {"width": 256, "encoder": None})
    with pytest.raises(InputError, match=r"has graph\.width=16, and cannot go on with 256"):
        disconer.train(*data, tmp_path / "more", init=tmp_path / "graph", graph={"width": 256}, progress=False)
    with pytest.raises(InputError, match=r"has graph\.width=16, and cannot go on with 256"):
        disconer.train(
            *data, tmp_path / "more", **SETTINGS | {"init.model": tmp_path / "graph", "width": 256, "encoder": None}
        )
    (tmp_path / "init.toml").write_text(f'[init]\nmodel = "{tmp_path / "graph"}"\n')
    with pytest.raises(InputError, match=r"has graph\.width=16, and cannot go on with 256"):
        disconer.train(*data, tmp_path / "more", config=tmp_path / "init.toml", width=256)
    with pytest.raises(InputError, match=r"training\.epochs is given twice"):
        disconer.train(*data, tmp_path / "more", epochs=1, training={"epochs": 2})
    with pytest.raises(InputError, match="save it first"):
        disconer.train(*data, tmp_path / "more", init=disconer.load(tmp_path / "graph", device="cpu"))  # type: ignore[arg-type]


def test_the_card_says_the_command_that_does_the_same(run: Path, files: Path, tmp_path: Path) -> None:
    card = (run / "model" / "MODEL_CARD.md").read_text()
    assert "disconer train --train train.jsonl --dev dev.jsonl --out run --set encoder.name=tiny" in card
    (tmp_path / "mine.toml").write_text("[mac]\nwidth = 16\n")
    settings = {name: value for name, value in SETTINGS.items() if name not in ("epochs", "width")}
    data = files / "train.jsonl", files / "dev.jsonl"
    out = tmp_path / "runs" / "mine"  # whose folder is made
    disconer.train(*data, out, config=tmp_path / "mine.toml", training={"epochs": 1}, **settings)
    card = (out / "model" / "MODEL_CARD.md").read_text()
    assert "--config mine.toml" in card
    assert "--set training.epochs=1" in card


def test_the_card_of_a_run_from_memory_says_the_call(corpus: dict[str, list[Document]], tmp_path: Path) -> None:
    seeds = np.arange(1, 2)  # of numpy, as a notebook may have them
    disconer.train(corpus["train"], corpus["dev"], tmp_path / "run", **SETTINGS, seeds=seeds, every=np.int64(2))
    card = (tmp_path / "run" / "model" / "MODEL_CARD.md").read_text()
    assert "disconer.train(train, dev, out='run', " in card
    assert "'seeds': [1], " in card
    assert "'mac.width': 16" in card
    assert "'data.every': 2" in card
    assert ":memory:" not in card


def test_an_interruption_is_one(
    corpus: dict[str, list[Document]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_at(monkeypatch, epoch=2)
    with pytest.raises(KeyboardInterrupt, match="nothing is kept"):
        disconer.train(corpus["train"], corpus["dev"], **SETTINGS | {"epochs": 2})
    with pytest.raises(KeyboardInterrupt, match=r"is the best so far of seed 0: .*resume=True and the same documents"):
        disconer.train(corpus["train"], corpus["dev"], tmp_path / "run", **SETTINGS | {"epochs": 2})
    assert disconer.load(tmp_path / "run", device="cpu").labels


def test_what_is_no_document_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"documents are wanted here.*not dict: .*from_dataset"):
        disconer.score([{"text": "a"}], [GAPPED])  # type: ignore[list-item]
    assert disconer.score(GAPPED, GAPPED).all.f1 == 1
    calls: list[Callable[[Any], object]] = [
        lambda data: disconer.score(data, [GAPPED]),
        lambda data: disconer.convert(data, tmp_path / "out.jsonl"),
        lambda data: disconer.train([GAPPED], data, tmp_path / "run"),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"^documents are wanted here.*not NoneType"):
            call(None)
        with pytest.raises(InputError, match=r"^the path is empty"):
            call("")
    with pytest.raises(InputError, match=r"^documents: .*not dict"):
        disconer.convert([{"text": "a"}], tmp_path / "out.jsonl")  # type: ignore[list-item]
    with pytest.raises(InputError, match=r"^the path is empty"):
        disconer.convert([GAPPED], "")
    with pytest.raises(InputError, match=r"^the path is empty"):
        disconer.train([GAPPED], [GAPPED], "")
    with pytest.raises(InputError, match="the train documents: there is no sentence in it"):
        disconer.train([], [GAPPED], tmp_path / "run", encoder="tiny", progress=False)
    with pytest.raises(InputError, match="threads must be a whole number"):
        disconer.train([], [GAPPED], tmp_path / "run", threads=0)


def test_documents_are_not_taken_before_settings_are_checked(corpus: dict[str, list[Document]], tmp_path: Path) -> None:
    documents = iter(corpus["train"])
    with pytest.raises(InputError, match="there is no setting"):
        disconer.train(documents, corpus["dev"], tmp_path / "run", epoch=3)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="this is a file"):
        disconer.train(documents, corpus["dev"], tmp_path / "file", **SETTINGS)
    assert next(documents) is corpus["train"][0]


def test_a_run_from_files_goes_on_with_the_same_documents(
    corpus: dict[str, list[Document]], run: Path, files: Path
) -> None:
    disconer.train(corpus["train"], corpus["dev"], run, **SETTINGS, resume=True)
    assert read_config(run).data.train == str(files / "train.jsonl")


def test_evaluating_takes_a_model_or_its_path(run: Path, files: Path, corpus: dict[str, list[Document]]) -> None:
    scores = disconer.evaluate(run, files / "test.jsonl", device="cpu")
    assert isinstance(scores, Scores)
    recognizer = disconer.load(run, device="cpu")
    assert scores == disconer.evaluate(recognizer, corpus["test"])
    assert scores == disconer.score(corpus["test"], recognizer.pipe(corpus["test"]))
    lowest = disconer.evaluate(recognizer, corpus["test"], threshold=1.0)
    assert lowest.all.predicted <= scores.all.predicted


def test_evaluating_warns_where_not_everything_was_looked_for() -> None:
    class Cut(Ruled):
        def pipe(
            self, texts: Iterable[str | Document], threshold: float | None = None, context: int = 1
        ) -> Iterator[Document]:
            self.cut_sentences += 2
            return super().pipe(texts, threshold, context)

    with pytest.warns(UserWarning, match="2 sentences have too many possible mentions"):
        disconer.evaluate(Cut([]), [GAPPED])


def test_scoring_is_the_commands(tmp_path: Path) -> None:
    disconer.write([GAPPED], tmp_path / "gold.jsonl")
    disconer.write([CONTINUOUS], tmp_path / "predicted.jsonl")
    of_files = disconer.score(tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl")
    assert of_files == disconer.score([GAPPED], [CONTINUOUS])
    assert (of_files.all.precision, of_files.all.recall, of_files.disc_mentions.recall) == (1.0, 0.5, 0.0)
    assert main(["score", *(str(tmp_path / f"{name}.jsonl") for name in ("gold", "predicted")), "--quiet",
                 "--json", str(tmp_path / "scores.json")]) == 0  # fmt: skip
    assert json.loads((tmp_path / "scores.json").read_text()) == of_files.as_json()
    with pytest.raises(MismatchError, match="documents and documents: "):
        disconer.score([GAPPED], [])


def test_converting_counts_what_it_did(tmp_path: Path) -> None:
    done = disconer.convert([GAPPED], tmp_path / "brat", to="brat")
    assert (done.documents, done.mentions, done.differing) == (1, 2, 0)
    assert [[m.key for m in one] for one in disconer.read(tmp_path / "brat")] == [[m.key for m in GAPPED]]
    with pytest.raises(CannotHoldError):
        disconer.convert(tmp_path / "brat", tmp_path / "a.conll")
    assert disconer.convert(tmp_path / "brat", tmp_path / "a.conll", lossy=True).losses.lines()
    with pytest.raises(InputError, match=r"^split must be one of"):
        disconer.convert(tmp_path / "brat", tmp_path / "a.jsonl", split="nope")


def test_things_show_themselves_in_a_notebook() -> None:
    scores = disconer.score([Document("a b", [("<b>", [(0, 1)])])], [Document("a b")])
    table = scores._repr_html_()
    assert "&lt;b&gt;" in table
    assert "<b>" not in table
    assert "<td>0.0</td>" in table
    assert str(scores).splitlines()[0].split() == ["all", "mentions", "P", "–", "R", "0.0", "F1", "0.0"]
    errors = disconer.find_errors([GAPPED], [CONTINUOUS])
    assert [(error.mention.key, error.kind) for error in errors] == [(GAPPED.mentions[0].key, "missed")]
    assert errors.counts["missed"] == {"miss": 1}
    assert "missed ADR" in errors._repr_html_()
    assert repr(errors) == "<1 error in 1 sentence>"
    drawn = GAPPED.mentions[0]._repr_html_()
    assert drawn.count("<li ") == 1
    assert GAPPED._repr_html_().count("<li ") == 2
