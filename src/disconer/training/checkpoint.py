"""The state of training after an epoch, kept so that a run cut off at any moment can go on as if it had not been.

The tensors of each epoch have a file of their own. `progress.json` names the one that counts and is put in place in one
stroke, after the tensors and before the previous ones are removed.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from torch.amp import GradScaler
from torch.optim import Optimizer

from disconer.exceptions import InputError
from disconer.foundation.files import read_text, replace_file
from disconer.storage.weights import collect_weights, fill_weights, load_tensors, save_tensors
from disconer.training.metrics import Epoch

_PROGRESS = "progress.json"
_OPTIMIZER = "optimizer."


@dataclass
class TrainingState:
    """What is known of a seed's training so far."""

    card: str = ""
    """The model card of the best epoch."""
    history: list[Epoch] = field(default_factory=list)


def save_checkpoint(
    folder: Path, objective: nn.Module, optimizer: Optimizer, scaler: GradScaler, state: TrainingState
) -> None:
    """Keep the weights, the optimizer's memory, how the loss is scaled, and the state."""
    folder.mkdir(exist_ok=True)
    tensors = collect_weights(objective)
    for number, memory in optimizer.state_dict()["state"].items():
        tensors |= {f"{_OPTIMIZER}{number}.{name}": value for name, value in memory.items()}
    name = f"epoch-{len(state.history)}.safetensors"
    save_tensors(tensors, folder / name)
    with replace_file(folder / _PROGRESS) as stream:
        json.dump({"tensors": name, "scaler": scaler.state_dict(), **asdict(state)}, stream, indent=2)
    for other in folder.glob("*.safetensors"):
        if other.name != name:
            other.unlink()


def load_checkpoint(folder: Path, objective: nn.Module, optimizer: Optimizer, scaler: GradScaler) -> TrainingState:
    """Take up the state that was kept last; where there is none, the very beginning."""
    if not (folder / _PROGRESS).is_file():
        return TrainingState()
    try:
        kept: dict[str, Any] = json.loads(read_text(folder / _PROGRESS))
        tensors, scale = load_tensors(folder / kept.pop("tensors")), kept.pop("scaler")
        state = TrainingState(**kept | {"history": [Epoch(**epoch) for epoch in kept["history"]]})
        memory = _below(tensors, _OPTIMIZER)
        fill_weights(objective, {key: value for key, value in tensors.items() if not key.startswith(_OPTIMIZER)})
        _remember(optimizer, memory)
        scaler.load_state_dict(scale)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RuntimeError):
        raise InputError(
            "the checkpoint is corrupt: delete this folder to begin the seed again", path=folder.parent
        ) from None
    return state


def _remember(optimizer: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        number, name = key.split(".")
        state.setdefault(int(number), {})[name] = value
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for index, memory in state.items():
        if any(value.dim() and value.shape != parameters[index].shape for value in memory.values()):
            raise ValueError("the memory belongs to other parameters")  # torch itself would crash
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
