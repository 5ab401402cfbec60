"""Model directories: what is in them, and what is said of those that are broken."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from disconer import load
from disconer.exceptions import InputError
from disconer.runtime.torch_engine import load_torch_engine
from disconer.storage.directory import find_model_directory
from disconer.storage.weights import collect_weights, load_tensors, save_tensors


@pytest.fixture
def folder(model_folder: Path, tmp_path: Path) -> Path:
    """A copy that may be broken."""
    return Path(shutil.copytree(model_folder, tmp_path / "model"))


def edit(folder: Path, **changes: Any) -> None:
    description = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(description | changes))


def test_a_directory_says_what_it_holds(folder: Path) -> None:
    description = json.loads((folder / "config.json").read_text())
    assert description["schema_version"] == 1
    assert description["labels"] == ["ADR", "Drug"]
    assert description["thresholds"] == {"segment": 0.52, "node": 0.45, "edge": 0.4}
    assert description["scheme"]["name"] == "grid"
    assert description["encoder"]["name"] == "tiny"
    assert description["encoder"]["window"] == 128
    assert {path.name for path in folder.iterdir()} == {
        "config.json", "model.safetensors", "tokenizer.json", "MODEL_CARD.md",
    }  # fmt: skip
    assert len({path.stat().st_mode for path in folder.iterdir()}) == 1


def test_saving_and_loading_keeps_everything(folder: Path, tmp_path: Path) -> None:
    once = load_torch_engine(folder)
    once.save(tmp_path / "again", "card")
    again = load_torch_engine(tmp_path / "again")
    torch.testing.assert_close(collect_weights(once.model), collect_weights(again.model), rtol=0, atol=0)
    assert (tmp_path / "again" / "config.json").read_text() == (folder / "config.json").read_text()
    assert again.model.scheme == once.model.scheme
    assert not again.model.training


@pytest.mark.parametrize(
    ("name", "kept"),
    [("/secret/bert", "bert"), ("elmo:/secret/elmo", "elmo:elmo"), ("../secret/bert", "bert"), ("a/b", "a/b")],
)
def test_where_an_encoder_was_is_not_told(name: str, kept: str, folder: Path, tmp_path: Path) -> None:
    found = load_torch_engine(folder)
    replace(found, encoder=replace(found.encoder, name=name)).save(tmp_path / "again")
    assert json.loads((tmp_path / "again" / "config.json").read_text())["encoder"]["name"] == kept


def test_saving_replaces_what_is_there(folder: Path) -> None:
    load_torch_engine(folder).save(folder, "another card")
    assert (folder / "MODEL_CARD.md").read_text() == "another card"
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_a_run_stands_for_its_model(folder: Path) -> None:
    assert find_model_directory(folder.parent) == folder
    assert find_model_directory(str(folder)) == folder


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_an_incomplete_directory_is_one_line(name: str, folder: Path) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=name) as caught:
        load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("keep", [0, 9, -40])
def test_a_truncated_file_is_one_line(name: str, keep: int, folder: Path) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:keep])
    with pytest.raises(InputError, match=name) as caught:
        load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": 2, "disconer_version": "9.0"}, r"9\.0.*upgrade"),
        ({"schema_version": "1"}, "newer"),
        ({"labels": ["ADR"]}, "another model"),
        ({"labels": 3}, "labels"),
        ({"labels": ["ADR", "ADR"]}, "each once"),
        ({"labels": ["ADR", ""]}, "empty"),
        ({"labels": ["ADR", 1]}, "string"),
        ({"model": "other"}, "upgrade"),
        ({"mac": {"width": 17, "longest_segment": 3}}, "another model"),
        ({"mac": {"width": "wide"}}, r"mac\.width"),
        ({"mac": {"width": 10**10, "longest_segment": 3}}, "damaged"),
        ({"mac": {"width": 10**6, "longest_segment": 3}}, "another model"),
        ({"mac": {"longest_segment": 0}}, "longest_segment"),
        ({"scheme": {"name": "grid", "tags": "none"}}, "tags"),
        ({"scheme": {"name": "grid", "most_nodes": 2.5}}, "whole numbers"),
        ({"scheme": {"name": "grid", "budget": float("nan")}}, "whole numbers"),
        ({"thresholds": {"segment": 2, "node": 0.5, "edge": 0.5}}, "threshold"),
        ({"thresholds": {}}, "thresholds"),
        ({"encoder": {}}, "damaged"),
    ],
)
def test_a_description_that_does_not_fit_is_one_line(changes: dict[str, Any], message: str, folder: Path) -> None:
    edit(folder, **changes)
    with pytest.raises(InputError, match=message) as caught:
        load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"window": 2}, "above 2"),
        ({"window": 1000}, "128 subwords"),
        ({"pieces": {"before": ["a"], "after": [], "unknown": 1, "padding": 0}}, "damaged|belong together"),
        ({"pieces": {"before": [2], "after": [3], "unknown": 10_000, "padding": 0}}, "belong together"),
    ],
)
def test_an_encoder_that_does_not_fit_is_one_line(changes: dict[str, Any], message: str, folder: Path) -> None:
    encoder = json.loads((folder / "config.json").read_text())["encoder"]
    edit(folder, encoder=encoder | changes)
    with pytest.raises(InputError, match=message) as caught:
        load(folder)
    assert "\n" not in str(caught.value)


def test_what_an_architecture_says_of_its_output_is_left_aside(folder: Path) -> None:
    encoder = json.loads((folder / "config.json").read_text())["encoder"]
    unusual = {"return_dict": False, "output_hidden_states": True, "chunk_size_feed_forward": 7}
    expected = load(folder)("Joint and back pain.", threshold=0.01)
    edit(folder, encoder=encoder | {"architecture": encoder["architecture"] | unusual})
    assert load(folder)("Joint and back pain.", threshold=0.01).mentions == expected.mentions


@pytest.mark.parametrize(
    "changes",
    [
        {"model_type": "detr", "use_pretrained_backbone": True, "use_timm_backbone": False, "backbone": "evil/repo"},
        {"attn_implementation": "evil/kernel"},
        {"_attn_implementation": "evil/kernel"},
        {"num_attention_heads": 0},
        {"num_hidden_layers": 10**9},
        {"hidden_size": "wide"},
        {"model_type": None},
    ],
)
def test_a_hostile_architecture_fetches_nothing(
    changes: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    encoder = json.loads((folder / "config.json").read_text())["encoder"]
    edit(folder, encoder=encoder | {"architecture": encoder["architecture"] | changes})
    try:
        load(folder)
    except InputError as error:
        told = str(error)
    else:
        told = ""
    assert "\n" not in told
    assert "network" not in told


def test_weights_that_are_no_numbers_are_refused(folder: Path) -> None:
    tensors = load_tensors(folder / "model.safetensors")
    save_tensors(tensors | {"edge_words.bias": torch.full((16,), float("nan"))}, folder / "model.safetensors")
    with pytest.raises(InputError, match="not all numbers"):
        load(folder)


def test_a_misspelt_path_is_not_looked_for_on_the_hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent.parent)
    with pytest.raises(InputError, match="no such run"):
        load(f"{folder.parent.name}/modle")


def test_a_swap_that_is_interrupted_puts_the_old_model_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename, calls = Path.rename, []

    def interrupted(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return rename(self, target)

    loaded = load_torch_engine(folder)
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loaded.save(folder, "another card")
    assert (folder / "MODEL_CARD.md").read_text() == "# A test\n"
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_code_named_in_a_directory_is_not_run(folder: Path, tmp_path: Path) -> None:
    description = json.loads((folder / "config.json").read_text())
    description["encoder"]["architecture"] |= {"model_type": "mine", "auto_map": {"AutoModel": "evil.Evil"}}
    (folder / "config.json").write_text(json.dumps(description))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(InputError):
        load(folder)
    assert not (tmp_path / "ran").exists()


def test_a_place_without_a_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such"):
        load(tmp_path / "nowhere")
    with pytest.raises(InputError, match="neither"):
        load(tmp_path)
    (tmp_path / "config.toml").write_text("")
    with pytest.raises(InputError, match="--resume"):
        load(tmp_path)


def test_a_local_model_never_touches_the_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    assert load(folder)("Joint pain.").text == "Joint pain."


def test_a_name_with_a_revision_is_downloaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object]] = []

    def download(name: str, **options: object) -> str:
        asked.append((name, options["revision"]))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    for name in ("somebody/some-model", "somebody/some-model@refs/pr/1"):
        assert find_model_directory(name) == folder
    assert asked == [("somebody/some-model", None), ("somebody/some-model", "refs/pr/1")]
    for name in ("somebody/some-model@", "somebody/some-model@x/../y", "@v1", "somebody/@v1"):
        with pytest.raises(InputError, match="no such run"):
            find_model_directory(name)


def test_a_name_on_the_hub_is_downloaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def download(name: str, **_: object) -> str:
        asked.append(name)
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert load("somebody/some-model").labels == ("ADR", "Drug")
    assert asked == ["somebody/some-model"]
