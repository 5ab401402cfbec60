"""The Hugging Face hub: how a model directory comes from there, and how it gets there."""

import errno
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disconer.exceptions import DisconerError, InputError, RunError, quote
from disconer.foundation.extras import require_extra
from disconer.storage.paths import CARD, FILES

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.errors import HfHubHTTPError

_CARD_ON_HUB = "README.md"
"""Where the hub looks for a model's card; nothing is ever read from it."""
_NAME = re.compile(r"(?P<name>[\w-][\w.-]*/[\w-][\w.-]*)(@(?P<revision>[\w-]+([./][\w-]+)*))?", re.ASCII)
_LOG_IN = "log in with `hf auth login`"


@dataclass(frozen=True)
class Access:
    """How the hub is asked for a model; what is left open is as huggingface_hub has it."""

    revision: str | None = None
    """A branch, a tag or a commit."""
    token: str | bool | None = None
    cache_dir: Path | str | None = None
    local_files_only: bool = False


@dataclass(frozen=True)
class Push:
    """Where on the hub a model goes, and how."""

    repo_id: str
    commit_message: str
    private: bool = True
    token: str | bool | None = None
    revision: str | None = None
    """A branch, which is made when there is none."""
    create_pr: bool = False

    def prepare_repository(self) -> str:
        """Make the repository unless it is there, and tell its full name; refuse one that more people would read."""
        if self.create_pr and self.revision:
            raise InputError("a pull request goes to the main branch: leave out revision, or create_pr")
        if not self.commit_message:
            raise InputError("a commit needs a message: say in commit_message what it brings")
        with _friendly_errors(self.repo_id):
            name: str = self._api().create_repo(self.repo_id, private=self.private, exist_ok=True).repo_id
            if self.private and not self._api().model_info(name).private:
                raise InputError(
                    f"{name} is public, so that everybody could read the model: name another repository, make it "
                    "private on the hub, or say private=False"
                )
            if self.revision:
                self._api().create_branch(name, branch=self.revision, exist_ok=True)
        return name

    def send(self, folder: Path, repository: str) -> str:
        """Put the files of a model directory into the repository, as one commit whose address is returned."""
        with _friendly_errors(repository):
            there = self._api().list_repo_files(repository, revision=self.revision)
            commit = self._api().create_commit(
                repository, list(_list_changes(folder, there)),
                commit_message=self.commit_message, revision=self.revision, create_pr=self.create_pr,
            )  # fmt: skip
        return str(commit.pr_url or commit.commit_url)

    def _api(self) -> "HfApi":
        from huggingface_hub import HfApi  # noqa: PLC0415

        return HfApi(token=self.token, **_library())


def _list_changes(folder: Path, there: Collection[str]) -> "Iterator[CommitOperationAdd | CommitOperationDelete]":
    """List what a commit consists of.

    The files of a model of the other kind, torch's or an exported one, must go: they would be loaded instead.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete  # noqa: PLC0415

    for name in FILES:
        if (folder / name).is_file():
            yield CommitOperationAdd(name, folder / name)
        elif name in there:
            yield CommitOperationDelete(name)
    if (folder / CARD).is_file() and (folder / CARD).stat().st_size:
        yield CommitOperationAdd(_CARD_ON_HUB, folder / CARD)


def is_hub_name(model: Path | str) -> bool:
    """Tell whether this could be a name on the hub; what begins like a folder that is there is a misspelt path."""
    return isinstance(model, str) and _NAME.fullmatch(model) is not None and not Path(model).parent.exists()


def download_model(model: str, access: Access) -> Path:
    """Fetch the model of this name, which may end in `@` and a revision, into the cache, unless it is there."""
    found = _NAME.fullmatch(model)
    if found is None:
        raise InputError(f"{quote(model)} is no name on the hub: those are like owner/name")
    if access.revision and found["revision"]:
        raise InputError(f"{model} names a revision already: leave out the other")
    with require_extra("torch"):
        from huggingface_hub import snapshot_download  # noqa: PLC0415 (a local model never comes near the network)
    with _friendly_errors(model):
        folder = snapshot_download(
            found["name"], revision=access.revision or found["revision"], token=access.token,
            cache_dir=access.cache_dir, local_files_only=access.local_files_only, allow_patterns=list(FILES),
            **_library(),
        )  # fmt: skip
    return Path(folder)


def _library() -> dict[str, Any]:
    """Name disconer and its version, for the hub's user agent."""
    return {"library_name": "disconer", "library_version": version("disconer")}


@contextmanager
def _friendly_errors(name: str) -> Iterator[None]:
    """Turn what can go wrong with the hub into a line; it holds nothing of theirs, where a token might be."""
    try:
        yield
    except DisconerError:
        raise
    except Exception as error:  # those of huggingface_hub's HTTP library have nothing else in common
        raise _as_line(error, name) from None


def _as_line(error: BaseException, name: str) -> DisconerError:
    from huggingface_hub import errors  # noqa: PLC0415

    if isinstance(error, errors.HfHubHTTPError):
        return _explain_refusal(error, name)
    if isinstance(error, errors.HFValidationError):
        return InputError(f"{quote(name)} is no name on the hub: those are like owner/name")
    if isinstance(error, errors.LocalTokenNotFoundError):
        return InputError(f"the hub wants to know who you are: {_LOG_IN}")
    if error.__cause__ is not None:
        return _as_line(error.__cause__, name)
    if isinstance(error, errors.LocalEntryNotFoundError | errors.OfflineModeIsEnabled):
        return InputError(f"{name} is not in the cache, and the hub is not to be asked: download it while online")
    return _explain_failure(error, name)


def _explain_failure(error: BaseException, name: str) -> RunError:
    """Say what came in between, on this machine or on the way."""
    if isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC):
        return RunError(f"{name}: the hub's cache cannot be used ({error.strerror}): make room, or name another folder")
    return RunError(f"{name}: the hub could not be asked ({type(error).__name__}): check the network and try again")


def _explain_refusal(error: "HfHubHTTPError", name: str) -> DisconerError:
    """Say why the hub does not do what it was asked for."""
    from huggingface_hub import errors  # noqa: PLC0415

    status = error.response.status_code
    if isinstance(error, errors.GatedRepoError):
        return InputError(f"{name} is open only to those who ask for it on its page on the hub; then {_LOG_IN}")
    if isinstance(error, errors.RepositoryNotFoundError):
        return InputError(f"{name} is no folder, and no model on the hub that you may see: check it, or {_LOG_IN}")
    if isinstance(error, errors.RevisionNotFoundError):
        return InputError(f"{name} has no such revision on the hub: name a branch, a tag or a commit of it")
    if status == 401:
        return InputError(f"the hub knows neither you nor your token: {_LOG_IN}")
    if status == 403:
        return InputError(f"your token does not allow this for {name}: {_LOG_IN}, with one that may")
    return RunError(f"{name}: the hub answered with status {status}: try again later")
