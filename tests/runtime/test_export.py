"""Exported models: the mentions of the model they were made from, without torch."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from benchmarks.subjects import mac_of

from disconer import Document, InputError, RunError, load, read
from disconer.cli import main
from disconer.encoders import encoder as encoders
from disconer.encoders.settings import EncoderSettings, Layers, Pooling, Recurrence
from disconer.models.settings import InnerKind, MacSettings, PairKind
from disconer.recognizer import Recognizer
from disconer.runtime import onnx_engine
from disconer.runtime.export import export
from disconer.runtime.onnx_engine import OnnxEngine, load_onnx_engine
from disconer.runtime.torch_engine import TorchEngine, load_torch_engine
from disconer.schemes import EdgeSet, GridScheme
from disconer.storage.paths import EDGES, ENCODER, HEADS, REST
from disconer.storage.weights import collect_weights
from disconer.tokenize import Layout
from tests.models.given import talkative

TEXTS = [
    "Severe joint, shoulder and upper body pain.",
    "",
    "No pain. Some nausea and mild fever after the second dose of Zorvastin, then nothing.\n\nSlept well.",
    "Headache",
    "joint pain and nausea " * 4,
    "\x00 ؟ 🤒 naïve",
]
VARIANTS: list[tuple[EncoderSettings, MacSettings]] = [
    (EncoderSettings("tiny", pooling=Pooling.MAX), MacSettings(inner=InnerKind.LSTM)),
    (EncoderSettings("tiny", pooling=Pooling.MEAN, layers=Layers.MIX), MacSettings(longest_segment=9)),
    (EncoderSettings("tiny"), MacSettings(inner=InnerKind.NONE, pairs=PairKind.CONCATENATION, length_embedding=False)),
    (EncoderSettings("tiny"), MacSettings(words=False)),
    (EncoderSettings("tiny", recurrence=Recurrence.NONE), MacSettings()),
]


SCHEME = GridScheme(edges=EdgeSet.GAPS).with_thresholds(segment=0.52, node=0.53, edge=0.5)


def agree(one: Recognizer, other: Recognizer, texts: list[str]) -> int:
    """Make sure that two recognizers find the same, and say how much that is."""
    count = 0
    for ours, theirs in zip(one.pipe(texts), other.pipe(texts), strict=True):
        assert [mention.key for mention in ours] == [mention.key for mention in theirs]
        assert [mention.score for mention in ours] == pytest.approx([mention.score for mention in theirs], abs=2e-4)
        count += len(ours)
    return count


@pytest.mark.parametrize(("encoder", "sizes"), VARIANTS, ids=str)
def test_mentions_are_those_of_the_model(encoder: EncoderSettings, sizes: MacSettings, tmp_path: Path) -> None:
    engine = talkative(encoder, sizes, SCHEME)
    export(engine, tmp_path / "fast", "# A card\n")
    fast = load(tmp_path / "fast", threads=1)
    assert agree(Recognizer(engine), fast, TEXTS) > 10
    assert not len(fast(Document(Layout("...", (), ((0, 3),)))))  # no word at all
    card = (tmp_path / "fast" / "MODEL_CARD.md").read_text()
    assert card.startswith("# A card\n\n## Exported\n\nFor onnxruntime, in single precision. ")


def test_mentions_in_real_sentences_are_those_of_the_model(corpora: Path, tmp_path: Path) -> None:
    """With the embedded encoder, and with real sentences: numbers of every size, and long batches."""
    engine = talkative(EncoderSettings(), MacSettings(), SCHEME)
    export(engine, tmp_path / "fast", "")
    texts = [document.text for document in read(corpora / "tac2017_adr" / "dev.jsonl")][:60]
    assert agree(Recognizer(engine), load(tmp_path / "fast", threads=1), texts) > 100


def test_nothing_tells_where_it_was_made(exported_folder: Path) -> None:
    home = str(Path(torch.__file__).parents[2]).encode()
    for path in exported_folder.iterdir():
        assert home not in path.read_bytes()
        assert b"stack_trace" not in path.read_bytes()


def test_eight_bits_are_nearly_the_same(tmp_path: Path) -> None:
    engine = talkative(EncoderSettings("tiny"), MacSettings(inner=InnerKind.LSTM, longest_segment=9), SCHEME)
    export(engine, tmp_path / "small", "", int8=True)
    products = {node.op_type for node in onnx.load(tmp_path / "small" / ENCODER).graph.node if "Mat" in node.op_type}
    assert "MatMulInteger" in products
    batch = engine.tokenizer.collate(engine.tokenizer.tokenize(Document(TEXTS[0]).sentences))
    with torch.inference_mode():
        plain = mac_of(engine).head_outputs(engine.model.encoder(batch), batch).segments
    small = load_onnx_engine(tmp_path / "small", 1).head_outputs(batch).segments[: len(plain)]
    is_segment = np.add.outer(np.arange(len(plain)), np.arange(plain.shape[1])) < plain.shape[1]
    assert not np.array_equal(plain[is_segment], small[is_segment])
    np.testing.assert_allclose(plain[is_segment], small[is_segment], atol=0.15)


@pytest.mark.parametrize(("encoder", "sizes"), VARIANTS, ids=str)
def test_the_model_that_it_was_made_of_can_be_had_again(
    encoder: EncoderSettings, sizes: MacSettings, tmp_path: Path
) -> None:
    engine = talkative(encoder, sizes, SCHEME)
    export(engine, tmp_path / "fast", "")
    assert equal_weights(load_torch_engine(tmp_path / "fast"), engine)


def test_eight_bits_give_nearly_the_weights_again(tmp_path: Path) -> None:
    """The embeddings of subwords have eight bits too, and a scale a row; all that eight bits say is what comes back."""
    engine = talkative(EncoderSettings(), MacSettings(), SCHEME)
    export(engine, tmp_path / "small", "", int8=True)
    assert sum(path.stat().st_size for path in (tmp_path / "small").iterdir()) < 35e6
    again = load_torch_engine(tmp_path / "small")
    before, after = (collect_weights(one.model) for one in (engine, again))
    for name, weight in before.items():
        scale = weight.abs().amax()
        assert (after[name] - weight).abs().amax() <= scale / 64, name  # seven bits a number, or better
    small = load(tmp_path / "small", threads=1).engine
    assert isinstance(small, OnnxEngine)
    batch = engine.tokenizer.collate(engine.tokenizer.tokenize(Document(TEXTS[0]).sentences))
    with torch.inference_mode():
        restored = mac_of(again).head_outputs(again.model.encoder(batch), batch).segments
    np.testing.assert_allclose(restored, small.head_outputs(batch).segments, atol=0.5)


def equal_weights(one: TorchEngine, other: TorchEngine) -> bool:
    ours, theirs = (collect_weights(engine.model) for engine in (one, other))
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_what_is_missing_for_torch_is_said(exported_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(exported_folder, tmp_path / "old")
    (tmp_path / "old" / REST).unlink()  # as one that was exported before there was such a file
    with pytest.raises(InputError, match=r"incomplete, rest\.safetensors is missing"):
        load_torch_engine(tmp_path / "old")
    (tmp_path / "old" / REST).write_bytes(b"no weights")
    with pytest.raises(InputError, match="corrupt"):
        load_torch_engine(tmp_path / "old")


_HIDDEN = """
import sys
for name in ("torch", "transformers", "onnx", "onnxscript", "huggingface_hub"):
    sys.modules[name] = None
"""
_WITHOUT_TORCH = f"""{_HIDDEN}
from disconer.cli import main
sys.exit(main(sys.argv[1:]))
"""
_SERVED_WITHOUT_TORCH = f"""{_HIDDEN}
from fastapi.testclient import TestClient
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
with TestClient(create_app(Catalogue.load([sys.argv[1]], "auto", 1)), base_url="http://localhost") as client:
    print(client.get("/v1/models").json()["models"][0]["runtime"])
    print(client.post("/v1/extract", json={{"texts": sys.argv[2]}}).text)
"""


def test_neither_torch_nor_transformers_is_needed(exported_folder: Path, model_folder: Path, tmp_path: Path) -> None:
    gold = {"text": TEXTS[0], "entities": [{"label": "ADR", "spans": [[0, 12], [38, 42]]}]}
    (tmp_path / "in.jsonl").write_text(json.dumps(gold))
    without_torch = [sys.executable, "-c", _WITHOUT_TORCH]
    for command in (["predict", "-o", str(tmp_path / "out.jsonl")], ["evaluate", "--json", str(tmp_path / "f.json")]):
        arguments = [command[0], str(exported_folder), str(tmp_path / "in.jsonl"), *command[1:], "--quiet"]
        subprocess.run([*without_torch, *arguments], check=True)
    predicted = next(read(tmp_path / "out.jsonl"))
    assert [mention.key for mention in predicted] == [mention.key for mention in load(model_folder)(TEXTS[0])]
    refused = subprocess.run(
        [*without_torch, "predict", str(model_folder), str(tmp_path / "in.jsonl")],
        check=False, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert refused.returncode == 1
    assert "pip install 'disconer[torch]'" in refused.stderr


def test_it_is_served_without_torch(exported_folder: Path, model_folder: Path) -> None:
    command = [sys.executable, "-c", _SERVED_WITHOUT_TORCH, str(exported_folder), TEXTS[0]]
    runtime, answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert runtime == "onnx"
    spans = [entity["spans"] for entity in json.loads(answer)["documents"][0]["entities"]]
    assert spans == [[list(part) for part in mention.fragments] for mention in load(model_folder)(TEXTS[0])]


def test_what_was_exported_says_what_is_wrong_with_the_call(
    exported_folder: Path, model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(exported_folder), str(tmp_path / "again")]) == 2
    assert "exported already" in capsys.readouterr().err
    assert main(["export", str(model_folder), str(exported_folder)]) == 2
    assert "exists already" in capsys.readouterr().err
    with pytest.raises(InputError, match="processor"):
        load(exported_folder, device="cuda")
    assert not (tmp_path / "again").exists()


def test_what_cannot_be_exported_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NotImplementedError("no such operator\nwith many lines")

    engine = talkative(EncoderSettings("tiny"), MacSettings(longest_segment=65), SCHEME)
    with pytest.raises(InputError, match=r"mac\.longest_segment at most 64"):
        export(engine, tmp_path / "long", "")
    monkeypatch.setattr(torch.onnx, "export", fail)
    with pytest.raises(RunError, match=r"cannot be exported: no such operator$"):
        export(talkative(EncoderSettings("tiny"), MacSettings(), SCHEME), tmp_path / "broken", "")
    assert not list(tmp_path.iterdir())


def test_subwords_that_the_graph_does_not_know_are_one_line(exported_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported_folder, folder)
    config = json.loads((folder / "config.json").read_text())
    config["encoder"]["pieces"]["before"] = [10**9]
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(RunError, match="export the model again"):
        load(folder)("pain")


def _shortened(folder: Path, name: str) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: len(content) // 2])


def _with_another_label(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["labels"].append("Third")
    (folder / "config.json").write_text(json.dumps(config))


def _set(folder: Path, table: str, name: str, value: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    config[table][name] = value
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: _shortened(folder, ENCODER), "encoder.onnx: this graph is corrupt"),
        (lambda folder: _shortened(folder, HEADS), "heads.onnx: this graph is corrupt"),
        (lambda folder: shutil.copy(folder / ENCODER, folder / HEADS), "heads.onnx: this graph belongs to another"),
        (lambda folder: _shortened(folder, EDGES), "edges.safetensors: these weights are corrupt"),
        (lambda folder: (folder / EDGES).unlink(), "edges.safetensors is missing"),
        (lambda folder: _shortened(folder, "config.json"), "config.json"),
        (_with_another_label, "edges.safetensors: these weights belong to another model"),
        (lambda folder: _set(folder, "scheme", "tags", "one"), "heads.onnx: this graph belongs to another model"),
        (lambda folder: _set(folder, "mac", "pairs", "concatenation"), "heads.onnx: this graph belongs to another"),
        (lambda folder: _set(folder, "mac", "longest_segment", 2), "heads.onnx: this graph belongs to another model"),
    ],
)
def test_a_damaged_directory_is_one_line(
    damage: Callable[[Path], None], message: str, exported_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(exported_folder, folder)
    damage(folder)
    with pytest.raises(InputError, match=message):
        load(folder)


def test_a_sentence_as_long_as_a_book_is_read_some_rows_at_a_time(
    exported_folder: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(TEXTS[2].split() * 40)
    whole = load(exported_folder)(Document(text), threshold=0.6)
    monkeypatch.setattr(onnx_engine, "_MOST_SUBWORDS", 100)
    monkeypatch.setattr(encoders, "_MOST_SUBWORDS", {True: 100, False: 100})
    for folder in (exported_folder, model_folder):
        found = load(folder, device="cpu", threads=1)(Document(text), threshold=0.6)
        assert [mention.key for mention in found] == [mention.key for mention in whole]
    assert len(whole) > 10


def test_a_text_of_another_shape_than_the_traced_one(exported_folder: Path, model_folder: Path) -> None:
    """One word, no word, one sentence, many: nothing of the example that was traced is left in the graph."""
    ours, theirs = load(exported_folder, threads=1), load(model_folder, device="cpu", threads=1)
    assert not len(ours(Document(Layout("...", (), ((0, 3),)))))
    for text in ("pain", "", "joint pain", *TEXTS):
        agree(ours, theirs, [text])
    agree(ours, theirs, ["joint pain", "Headache"] * 50)
