"""Models in folders and on the Hugging Face hub, a stand-in of which runs on this machine."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from huggingface_hub import constants

from disconer import DisconerError, InputError, RunError, load
from disconer.recognizer import Recognizer
from tests.storage.hub_server import OWNER, READING, WRITING, Hub, Repository, running

# huggingface_hub uploads in a way that its HTTP library no longer likes.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

NAME = f"{OWNER}/pain"
TEXT = "Severe joint, shoulder and upper body pain."
OF_TORCH = {"config.json", "tokenizer.json", "MODEL_CARD.md", "model.safetensors"}
OF_EXPORTED = {"config.json", "tokenizer.json", "MODEL_CARD.md", "encoder.onnx", "heads.onnx", "edges.safetensors"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that huggingface_hub takes for the only one there is; its owner is logged in."""
    with running() as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.address)
        template = f"{hub.address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "home" / "hub"))
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "home" / "token"))
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_PROGRESS_BARS", True)
        monkeypatch.setenv("HF_TOKEN", WRITING)
        yield hub
        huggingface_hub.close_session()


@pytest.fixture(params=["torch", "exported"])
def folder(request: pytest.FixtureRequest, model_folder: Path, exported_folder: Path, tmp_path: Path) -> Path:
    """A copy of a model of either kind, which may be broken."""
    return Path(shutil.copytree(model_folder if request.param == "torch" else exported_folder, tmp_path / "model"))


@pytest.fixture
def recognizer(model_folder: Path) -> Recognizer:
    return load(model_folder, "cpu", 1)


def found(recognizer: Recognizer) -> list[tuple[object, float | None]]:
    return [(mention.key, mention.score) for mention in recognizer(TEXT)]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# Folders


def test_what_is_saved_is_the_whole_model(folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    recognizer = load(folder, "cpu", 1)
    recognizer.save_pretrained(tmp_path / "new" / "again")
    again = Recognizer.from_pretrained(tmp_path / "new" / "again", device="cpu", threads=1)
    assert found(again) == found(recognizer) != []
    assert names(tmp_path / "new" / "again") == names(folder) - {"notes.txt"}
    assert (tmp_path / "new" / "again" / "MODEL_CARD.md").read_text() == (folder / "MODEL_CARD.md").read_text()


def test_a_model_may_be_saved_where_it_was_loaded_from(folder: Path) -> None:
    recognizer = load(folder, "cpu", 1)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for _ in range(2):
        recognizer.save_pretrained(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert names(folder.parent) == {"model"}


def test_another_model_is_replaced(folder: Path, model_folder: Path, exported_folder: Path, tmp_path: Path) -> None:
    for other in (model_folder, exported_folder):
        load(other, "cpu", 1).save_pretrained(tmp_path / "out")
    load(folder, "cpu", 1).save_pretrained(tmp_path / "out")
    assert names(tmp_path / "out") == names(folder)


def test_nothing_but_a_model_is_ever_replaced(recognizer: Recognizer, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "thesis.tex").write_text("mine")
    for path in (tmp_path / "project", tmp_path / "project" / "thesis.tex"):
        with pytest.raises(InputError, match=r"holds other things|this is a file"):
            recognizer.save_pretrained(path)
    assert (tmp_path / "project" / "thesis.tex").read_text() == "mine"


def test_the_folder_that_one_is_in_is_not_replaced(
    recognizer: Recognizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InputError, match="the folder that you are in"):
        recognizer.save_pretrained(".")
    recognizer.save_pretrained("./model")
    assert names(Path("model")) == OF_TORCH
    assert Path.cwd() == tmp_path / "here"


def test_a_model_of_torch_outlives_its_folder(model_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(model_folder, tmp_path / "model")
    recognizer = load(tmp_path / "model", "cpu", 1)
    shutil.rmtree(tmp_path / "model")
    recognizer.save_pretrained(tmp_path / "again")
    assert found(load(tmp_path / "again", "cpu", 1)) == found(recognizer)


def gone(folder: Path) -> None:
    shutil.rmtree(folder)


def incomplete(folder: Path) -> None:
    (folder / "heads.onnx").unlink()


def retrained(folder: Path) -> None:
    (folder / "config.json").write_text((folder / "config.json").read_text().replace("0.52", "0.99"))


@pytest.mark.parametrize("change", [gone, incomplete, retrained])
def test_an_exported_model_whose_files_are_no_longer_there_cannot_be_saved(
    change: Callable[[Path], None], exported_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(exported_folder, tmp_path / "model")
    recognizer = load(tmp_path / "model", "cpu", 1)
    change(tmp_path / "model")
    with pytest.raises(InputError, match="no longer here: load it again"):
        recognizer.save_pretrained(tmp_path / "again")
    assert names(tmp_path) <= {"model"}


# The hub


def test_what_is_pushed_comes_back(hub: Hub, folder: Path) -> None:
    (folder / "train.jsonl").write_text("private")
    recognizer = load(folder, "cpu", 1)
    address = recognizer.push_to_hub(NAME)
    pushed = hub.repositories[NAME]
    assert pushed.private
    assert [commit.message for commit in pushed.branches["main"]] == ["initial commit", "Upload a disconer model"]
    assert address == f"{hub.address}/{NAME}/commit/{pushed.at('main').sha}"
    assert pushed.files.keys() - {".gitattributes"} == names(folder) - {"train.jsonl"} | {"README.md"}
    assert pushed.files["README.md"] == (folder / "MODEL_CARD.md").read_bytes()
    again = load(NAME, "cpu", 1)
    assert found(again) == found(recognizer) != []
    assert not any("README" in asked for asked in hub.asked)


def test_what_came_from_the_hub_can_be_saved_and_pushed_on(hub: Hub, folder: Path, tmp_path: Path) -> None:
    load(folder, "cpu", 1).push_to_hub(NAME)
    again = load(NAME, "cpu", 1)
    again.save_pretrained(tmp_path / "again")
    assert names(tmp_path / "again") == names(folder)
    assert not any(path.is_symlink() for path in (tmp_path / "again").iterdir())
    again.push_to_hub("another")
    assert hub.repositories[f"{OWNER}/another"].files == hub.repositories[NAME].files


def test_a_public_repository_needs_to_be_asked_for(hub: Hub, recognizer: Recognizer) -> None:
    recognizer.push_to_hub(NAME, private=False)
    assert not hub.repositories[NAME].private
    before = hub.repositories[NAME].at("main")
    with pytest.raises(InputError, match=r"somebody/pain is public.*private=False") as caught:
        recognizer.push_to_hub(NAME)
    assert "\n" not in str(caught.value)
    refused: list[dict[str, Any]] = [{"create_pr": True}, {"revision": "draft"}, {"private": None}]
    for options in refused:
        with pytest.raises(InputError, match="is public"):
            recognizer.push_to_hub(NAME, **options)
    assert hub.repositories[NAME].branches.keys() == {"main"}
    assert hub.repositories[NAME].at("main") == before


def test_a_private_repository_stays_private(hub: Hub, recognizer: Recognizer) -> None:
    recognizer.push_to_hub(NAME)
    recognizer.push_to_hub(NAME, private=False, commit_message="Again")
    assert hub.repositories[NAME].private


def test_files_of_the_other_kind_go_and_those_of_others_stay(
    hub: Hub, recognizer: Recognizer, exported_folder: Path
) -> None:
    load(exported_folder, "cpu", 1).push_to_hub(NAME)
    hub.repositories[NAME].files["LICENSE"] = b"mine"
    recognizer.push_to_hub(NAME)
    assert hub.repositories[NAME].files.keys() == OF_TORCH | {"README.md", ".gitattributes", "LICENSE"}
    assert load(NAME, "cpu", 1).engine.runtime == "torch"


def test_a_model_without_a_card_gets_none(hub: Hub, folder: Path) -> None:
    (folder / "MODEL_CARD.md").unlink()
    hub.repositories[NAME] = Repository(private=True)
    hub.repositories[NAME].files["README.md"] = b"written on the hub"
    load(folder, "cpu", 1).push_to_hub(NAME)
    assert hub.repositories[NAME].files["README.md"] == b"written on the hub"


def test_revisions_are_branches_to_push_to_and_to_load_from(hub: Hub, recognizer: Recognizer) -> None:
    recognizer.push_to_hub(NAME, revision="draft/2")
    repository = hub.repositories[NAME]
    assert repository.files.keys() == {".gitattributes"}
    commit = repository.at("draft/2").sha
    for again in (
        load(f"{NAME}@draft/2", "cpu", 1),
        load(f"{NAME}@{commit}", "cpu", 1),
        Recognizer.from_pretrained(NAME, revision="draft/2", device="cpu", threads=1),
    ):
        assert found(again) == found(recognizer)
    with pytest.raises(InputError, match="names a revision already"):
        Recognizer.from_pretrained(f"{NAME}@draft/2", revision="main")
    with pytest.raises(InputError, match="has no such revision"):
        load(f"{NAME}@v9")


def test_a_pull_request_leaves_the_main_branch_alone(hub: Hub, recognizer: Recognizer) -> None:
    assert recognizer.push_to_hub(NAME, create_pr=True) == f"{hub.address}/{NAME}/discussions/1"
    assert hub.repositories[NAME].files.keys() == {".gitattributes"}
    assert load(f"{NAME}@refs/pr/1", "cpu", 1).labels == recognizer.labels
    with pytest.raises(InputError, match="leave out revision"):
        recognizer.push_to_hub(NAME, create_pr=True, revision="draft")


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("hf_wrong", "knows neither you nor your token: log in with `hf auth login`"),
        ("hf_\nwrong", "could not be asked"),
        (False, "knows neither you nor your token: log in with `hf auth login`"),
        (READING, "your token does not allow this for somebody/pain: log in with `hf auth login`"),
    ],
)
def test_who_may_not_push_hears_so_in_one_line(
    token: str | bool, message: str, hub: Hub, recognizer: Recognizer
) -> None:
    with pytest.raises(DisconerError, match=message) as caught:
        recognizer.push_to_hub(NAME, token=token)
    check_line(caught.value)
    assert hub.repositories == {}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("somebody/nothing", {}, "no folder, and no model on the hub that you may see: check it, or log in"),
        (NAME, {"token": False}, "no folder, and no model on the hub that you may see: check it, or log in"),
        (NAME, {"token": "hf_wrong"}, "knows neither you nor your token"),
        (NAME, {"local_files_only": True}, "not in the cache"),
    ],
)
def test_who_may_not_load_hears_so_in_one_line(name: str, options: dict[str, Any], message: str, hub: Hub) -> None:
    hub.repositories[NAME] = Repository(private=True)
    with pytest.raises(InputError, match=message) as caught:
        Recognizer.from_pretrained(name, **options)
    check_line(caught.value)


def check_line(error: DisconerError) -> None:
    assert "\n" not in str(error)
    assert "hf_" not in str(error)
    assert error.__suppress_context__  # nothing of the other error is printed


def test_a_hub_that_fails_is_one_line(hub: Hub, recognizer: Recognizer) -> None:
    hub.failing = HTTPStatus.NOT_IMPLEMENTED
    for ask in (lambda: recognizer.push_to_hub(NAME), lambda: load(NAME)):
        with pytest.raises(RunError, match="answered with status 501: try again later") as caught:
            ask()
        check_line(caught.value)


def test_a_hub_that_is_not_there_is_one_line(hub: Hub, recognizer: Recognizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    for ask in (lambda: recognizer.push_to_hub(NAME), lambda: load(NAME)):
        with pytest.raises(RunError, match=r"could not be asked \(ConnectError\): check the network") as caught:
            ask()
        check_line(caught.value)


def test_a_commit_without_a_message_is_refused_before_anything_is_made(hub: Hub, recognizer: Recognizer) -> None:
    with pytest.raises(InputError, match="a commit needs a message"):
        recognizer.push_to_hub(NAME, commit_message="")
    assert hub.asked == []


def test_a_cache_that_cannot_be_used_is_not_the_networks_fault(
    hub: Hub, recognizer: Recognizer, tmp_path: Path
) -> None:
    recognizer.push_to_hub(NAME)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RunError, match=r"somebody/pain: the hub's cache cannot be used \(Not a directory\)") as caught:
        Recognizer.from_pretrained(NAME, cache_dir=tmp_path / "file")
    check_line(caught.value)


@pytest.mark.parametrize("name", ["", "a/b/c", "some body/x", "../x", "x" * 200])
def test_what_is_no_name_on_the_hub_is_one_line(name: str, hub: Hub, recognizer: Recognizer) -> None:
    with pytest.raises(DisconerError, match="no name on the hub") as caught:
        recognizer.push_to_hub(name)
    check_line(caught.value)
    assert hub.repositories == {}


def test_a_repository_of_others_is_one_line(hub: Hub) -> None:
    hub.repositories["somebody/llm"] = Repository(private=False)
    hub.repositories["somebody/llm"].files.update({"config.json": b'{"model_type": "llm"}', "code.py": b"evil()"})
    with pytest.raises(InputError, match=r"not the config.json of a disconer model|is missing"):
        load("somebody/llm")
    assert not any("code.py" in asked for asked in hub.asked)


def test_what_is_in_the_cache_is_used_without_the_network(hub: Hub, exported_folder: Path, tmp_path: Path) -> None:
    """In a process of its own, with the variables that people set."""
    recognizer = load(exported_folder, "cpu", 1)
    recognizer.push_to_hub(NAME)
    load(NAME)
    assert found(Recognizer.from_pretrained(NAME, local_files_only=True, device="cpu")) == found(recognizer)
    environment = os.environ | {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "HF_ENDPOINT": hub.address}
    hub.asked.clear()
    for name, status, output in ((NAME, 0, expected(recognizer)), (f"{OWNER}/other", 2, "")):
        done = subprocess.run(
            [sys.executable, "-m", "disconer", "predict", name, "-"],
            input=TEXT, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert (done.returncode, shown(done.stdout)) == (status, output)
        assert ("not in the cache" in done.stderr) == (status == 2)
        assert "Traceback" not in done.stderr
    assert hub.asked == []


def expected(recognizer: Recognizer) -> Any:
    document = recognizer(TEXT)
    return [[mention.label, [list(fragment) for fragment in mention.fragments]] for mention in document]


def shown(output: str) -> Any:
    return [[one["label"], one["spans"]] for one in json.loads(output)["entities"]] if output else ""
