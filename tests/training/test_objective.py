"""What training minimises."""

from typing import Any

import pytest
import torch
from torch import Tensor

from disconer.encoders.batch import Batch
from disconer.models.model import Model
from disconer.models.registry import ModelName, build_network
from disconer.models.settings import GraphSettings, MacSettings, SchemeSettings
from disconer.passage import WordMention
from disconer.training.objective import Objective
from tests.models.given import GivenVectors, give, random_sentences

MENTIONS = [WordMention("ADR", ((0, 0), (2, 2))), WordMention("ADR", ((1, 2),))]


@pytest.fixture
def models() -> tuple[Model, Model]:
    torch.manual_seed(0)
    encoder = GivenVectors()
    grid = SchemeSettings()
    mac, graph = MacSettings(longest_segment=3, width=4), GraphSettings(components=2, width=4)
    return (
        build_network(ModelName.MAC, encoder, ["ADR"], mac.new_scheme(grid), mac).double().eval(),
        build_network(ModelName.GRAPH, encoder, ["ADR"], graph.new_scheme(grid), graph).double().eval(),
    )


def losses(objective: Objective) -> tuple[float, Any, Batch]:
    batch = give(objective.model, random_sentences(4, 2))
    targets = [objective.targets(MENTIONS, 4), objective.targets([], 2)]
    return objective.loss(batch, targets).item(), targets, batch


def test_without_a_helper_it_is_the_models_loss(models: tuple[Model, Model]) -> None:
    loss, targets, batch = losses(Objective(models[0]))
    assert loss == models[0].loss(batch, [own for own, _ in targets]).item()


def test_a_helper_adds_its_own_and_no_parameter_to_the_model(models: tuple[Model, Model]) -> None:
    before = [name for name, _ in models[0].named_parameters()]
    loss, targets, batch = losses(Objective(*models, weight=0.5))
    own, added = (model.loss(batch, [both[n] for both in targets]).item() for n, model in enumerate(models))
    assert loss == pytest.approx(own + 0.5 * added)
    assert [name for name, _ in models[0].named_parameters()] == before


def test_a_helper_never_counts_more_than_the_model(
    models: tuple[Model, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = models[1].head_loss

    def leap(words: Tensor, batch: Batch, targets: Any) -> Tensor:
        return 1e6 * plain(words, batch, targets)

    monkeypatch.setattr(models[1], "head_loss", leap)
    loss, targets, batch = losses(Objective(*models))
    assert loss == pytest.approx(2 * models[0].loss(batch, [own for own, _ in targets]).item())
