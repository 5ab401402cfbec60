"""What torch can run on here, and how."""

import torch

from disconer.exceptions import InputError, quote
from disconer.foundation.device import Device

_MIXED = {"bfloat16": torch.bfloat16, "float16": torch.float16}


def best_precision(device: torch.device) -> str:
    """Name the numbers that a device trains fastest with, and as well."""
    if has_bfloat16(device):
        return "bfloat16"
    return "float16" if device.type == "cuda" else "float32"


def has_bfloat16(device: torch.device) -> bool:
    """Tell whether a device has instructions for bfloat16."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device.type == "cpu" and hasattr(torch.cpu, "get_capabilities"):  # which older versions do not have
        capabilities = torch.cpu.get_capabilities()
        return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))
    return False


def autocast(device: torch.device, precision: str) -> torch.autocast:
    """The context in which a model computes, in single or in mixed precision."""
    return torch.autocast(device.type, _MIXED.get(precision), enabled=precision in _MIXED)


def choose_device(device: Device, threads: int | None = None) -> torch.device:
    """Choose the device, the best there is for `auto`, and set the number of threads."""
    if threads is not None:
        if type(threads) is not int or threads < 1:
            raise InputError(f"threads must be a whole number from 1 on, not {quote(threads)}")
        torch.set_num_threads(threads)
    there = {Device.CUDA: torch.cuda.is_available(), Device.MPS: torch.backends.mps.is_available(), Device.CPU: True}
    if device is Device.AUTO:
        device = next(candidate for candidate, is_there in there.items() if is_there)
    if not there[device]:
        raise InputError(f"this machine has no {device} that torch can use: try the device auto")
    return torch.device(device.value)
