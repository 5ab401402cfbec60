"""Where a model runs: on which device, with how many threads."""

from enum import StrEnum

import torch

from disconer.exceptions import InputError


class Device(StrEnum):
    """What a user may ask for."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    MPS = "mps"


def mixed_precision(device: torch.device) -> bool:
    """Tell whether a device computes faster, and well enough, with bfloat16."""
    return device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)


def autocast(device: torch.device, enabled: bool | None = None) -> torch.autocast:
    """Give the context in which a model computes: mixed precision where the device has it, unless told otherwise."""
    return torch.autocast(device.type, torch.bfloat16, enabled=mixed_precision(device) if enabled is None else enabled)


def chosen(device: Device, threads: int | None = None) -> torch.device:
    """Give the device, the best there is if nobody minds, and set the number of threads."""
    if threads is not None:
        torch.set_num_threads(threads)
    there = {Device.CUDA: torch.cuda.is_available(), Device.MPS: torch.backends.mps.is_available(), Device.CPU: True}
    if device is Device.AUTO:
        device = next(candidate for candidate, is_there in there.items() if is_there)
    if not there[device]:
        raise InputError(f"this machine has no {device} that torch can use: try --device auto")
    return torch.device(device.value)
