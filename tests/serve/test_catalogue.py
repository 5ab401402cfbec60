"""The models of a server, by name."""

import json
import shutil
from pathlib import Path

import pytest

from disconer.exceptions import InputError
from disconer.recognizer import Recognizer
from disconer.serve.catalogue import Catalogue, _name_model


def test_a_name_may_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").mkdir()
    assert _name_model("a=b") == ("a=b", "a=b")  # a folder of that name
    assert _name_model("a=c=d") == ("a", "c=d")
    assert _name_model("/model") == ("model", "/model")
    for wrong in ("/", "a\nb=c", "x" * 65 + "=c"):
        with pytest.raises(InputError, match="give it a name"):
            _name_model(wrong)


def test_models_have_read_something_before_they_are_asked(model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    asked = Recognizer.__call__

    def watched(self: Recognizer, text: str) -> object:
        read.append(text)
        return asked(self, text)

    monkeypatch.setattr(Recognizer, "__call__", watched)
    catalogue = Catalogue.load([f"a={model_folder}"], "cpu", 1)
    assert len(read) == 1
    assert list(catalogue) == ["a"]


def test_it_knows_which_models_learned_from_invented_text(model_folder: Path, tmp_path: Path) -> None:
    invented = shutil.copytree(model_folder, tmp_path / "invented")
    (invented / "MODEL_CARD.md").write_text("---\ntags:\n- invented-text\n---\n", encoding="utf-8")
    catalogue = Catalogue.load([f"a={model_folder}", f"b={invented}"], "cpu", 1)
    assert [catalogue.learned_from_invented(name) for name in catalogue] == [False, True]


def test_a_version_changes_with_what_a_model_finds_and_nothing_else(model_folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model_folder, tmp_path / "copy")
    (copy / "MODEL_CARD.md").write_text("Another card.")
    first = Catalogue.load([f"a={model_folder}", f"b={copy}"], "cpu", 1)
    assert first.version("a").removeprefix("a-") == first.version("b").removeprefix("b-") != "a"
    config = json.loads((copy / "config.json").read_text())
    config["thresholds"] = dict.fromkeys(config["thresholds"], 0.25)
    (copy / "config.json").write_text(json.dumps(config))
    assert Catalogue.load([f"b={copy}"], "cpu", 1).version("b") != first.version("b")


def test_there_is_at_least_one() -> None:
    with pytest.raises(InputError):
        Catalogue({})
