"""Weights that another model takes over: all that both have a meaning for, and nothing else."""

from itertools import product

import pytest
import torch

from disconer.exceptions import InputError
from disconer.models.kinds import KINDS
from disconer.models.model import Model
from disconer.models.networks import network
from disconer.models.settings import MacSettings, ModelName
from disconer.models.transfer import take_over
from disconer.schemes import GridScheme, Scheme
from tests.models.given import GivenVectors, give, random_sentences

LONGEST, FRAGMENTS = 3, 2


def model_of(name: ModelName, labels: tuple[str, ...], longest: int = LONGEST, fragments: int = FRAGMENTS) -> Model:
    settings = KINDS[name].settings().settled(longest, fragments)
    scheme: Scheme = GridScheme() if isinstance(settings, MacSettings) else settings.scheme()  # type: ignore[attr-defined]
    model = network(name, GivenVectors(), labels, scheme, settings).double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model


@pytest.mark.parametrize("name", ModelName)
def test_what_both_mean_is_taken_over_and_the_rest_is_left(name: ModelName) -> None:
    old, new = model_of(name, ("ADR", "Drug")), model_of(name, ("ADR", "Dose", "Drug"), longest=5, fragments=3)
    before = {key: parameter.detach().clone() for key, parameter in new.named_parameters()}
    take_over(new, old)
    learned = dict(old.named_parameters())
    for key, parameter in new.named_parameters():
        meanings, theirs = new.meanings.get(key, ()), old.meanings.get(key, ())
        for place in product(*(enumerate(dimension) for dimension in meanings)):
            here = tuple(number for number, _ in place)
            is_common = all(what in known for (_, what), known in zip(place, theirs, strict=True))
            there = (
                tuple(known.index(what) for (_, what), known in zip(place, theirs, strict=True)) if is_common else ()
            )
            expected = learned[key][there] if is_common else before[key][here]
            assert torch.equal(parameter[here], expected), (key, place)


@pytest.mark.parametrize("name", ModelName)
def test_the_meanings_are_those_of_every_parameter_that_depends_on_the_data(name: ModelName) -> None:
    shapes, others = (
        {key: tuple(parameter.shape) for key, parameter in model_of(name, labels, longest).named_parameters()}
        for labels, longest in ((("ADR",), 3), (("ADR", "Drug", "Dose"), 4))
    )
    model = model_of(name, ("ADR",), 3)
    assert {key for key in shapes if shapes[key] != others[key]} == set(model.meanings) & set(shapes)
    for key, meanings in model.meanings.items():
        assert shapes[key][: len(meanings)] == tuple(map(len, meanings))
        assert all(len(set(dimension)) == len(dimension) for dimension in meanings)


def test_mac_says_the_same_of_the_labels_it_knew() -> None:
    torch.manual_seed(3)
    old, new = model_of(ModelName.MAC, ("ADR", "Drug")), model_of(ModelName.MAC, ("ADR", "Dose", "Drug"), longest=6)
    take_over(new, old)
    sentences = random_sentences(7, 4)
    answers = []
    for model in (old.eval(), new.eval()):
        packed = give(model, sentences)
        answers.append(model.outputs(packed, GridScheme().from_score(0.01)))
    for of_old, of_new in zip(*answers, strict=True):
        known = {
            cell: score
            for cell, score in of_new.segments.items()
            if cell.label != "Dose" and cell.last - cell.first < LONGEST
        }
        assert known.keys() == of_old.segments.keys()
        assert known == pytest.approx(of_old.segments)


def test_a_model_of_other_parts_is_refused() -> None:
    with pytest.raises(InputError, match="other parts"):
        take_over(model_of(ModelName.MAC, ("ADR",)), model_of(ModelName.COMB, ("ADR",)))
    narrow = network(ModelName.MAC, GivenVectors(), ("ADR",), GridScheme(), MacSettings(longest_segment=3, width=8))
    with pytest.raises(InputError, match="other sizes"):
        take_over(narrow.double(), model_of(ModelName.MAC, ("ADR",)))
