"""The state of training after an epoch, kept so that a run cut off at any moment can go on as if it had not been.

The tensors of each epoch have a file of their own. `progress.json` names the one that counts and is put in place in one
stroke, after the tensors and before the previous ones are removed.
"""

import json
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer

from disconer.exceptions import InputError
from disconer.formats.files import read_text, replacing_file
from disconer.models import weights

_PROGRESS = "progress.json"


def save(folder: Path, model: nn.Module, optimizer: Optimizer, progress: dict[str, Any]) -> None:
    """Keep the weights, the optimizer's memory and what is known of the run so far."""
    folder.mkdir(exist_ok=True)
    tensors = {f"model.{name}": tensor for name, tensor in weights.of(model).items()}
    for number, memory in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value for name, value in memory.items()}
    name = f"epoch-{progress['epoch']}.safetensors"
    weights.save(tensors, folder / name)
    with replacing_file(folder / _PROGRESS) as stream:
        json.dump({"tensors": name, **progress}, stream, indent=2)
    for other in folder.glob("*.safetensors"):
        if other.name != name:
            other.unlink()


def load(folder: Path, model: nn.Module, optimizer: Optimizer) -> dict[str, Any] | None:
    """Take up the state that was kept last and give its progress; None when there is none."""
    if not (folder / _PROGRESS).is_file():
        return None
    try:
        progress: dict[str, Any] = json.loads(read_text(folder / _PROGRESS))
        tensors = weights.load(folder / progress.pop("tensors"))
        weights.fill(model, _below(tensors, "model."))
        state: dict[int, dict[str, Tensor]] = {}
        for key, value in _below(tensors, "optimizer.").items():
            number, name = key.split(".")
            state.setdefault(int(number), {})[name] = value
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError("the checkpoint is corrupt: delete its folder to begin this seed again", path=folder) from None
    return progress


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
