"""The weights of one model into another of its kind, which may know other labels or longer segments."""

from collections.abc import Iterable

import torch
from torch import Tensor

from disconer.exceptions import InputError
from disconer.models.model import Model


def take_over(model: Model, source: Model) -> None:
    """Give a model what another has learned; what only the first has, such as a new label, stays as it is."""
    learned = dict(source.named_parameters())
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name not in learned:
                raise InputError("the model to go on from has other parts than this one")
            _fill(parameter, learned[name], _common_places(name, model, source))


def _fill(parameter: Tensor, learned: Tensor, places: list[tuple[list[int], list[int]]]) -> None:
    """Copy what stands at the same places, dimension by dimension; all of it where there are none."""
    free = len(places)
    if parameter.dim() != learned.dim() or parameter.shape[free:] != learned.shape[free:]:
        raise InputError("the model to go on from has parts of other sizes than this one")
    if not places:
        parameter.copy_(learned)
        return
    here, there = (_grid(places_of) for places_of in zip(*places, strict=True))
    parameter[here] = learned[there].to(parameter.device)


def _grid(places: Iterable[list[int]]) -> tuple[Tensor, ...]:
    """Give indices of everything that stands at listed places of every dimension."""
    return torch.meshgrid(*(torch.tensor(numbers, dtype=torch.long) for numbers in places), indexing="ij")


def _common_places(name: str, model: Model, source: Model) -> list[tuple[list[int], list[int]]]:
    """Give, for each dimension that depends on the data, where what both know stands in one and in the other."""
    found = []
    for mine, theirs in zip(model.meanings.get(name, ()), source.meanings.get(name, ()), strict=True):
        numbers = {meaning: number for number, meaning in enumerate(theirs)}
        common = [(number, numbers[meaning]) for number, meaning in enumerate(mine) if meaning in numbers]
        found.append(([here for here, _ in common], [there for _, there in common]))
    return found
