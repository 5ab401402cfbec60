import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.drawing.looks import HUES, STROKES, Looks, style_sheet
from tests.strategies import LABELS

# How the colours of light reach those who lack one kind of cone (Machado, Oliveira and Fernandes 2009).
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    """Compute the red, green and blue light of a colour like #0061a8."""
    values = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def contrast(one: str, other: str) -> float:
    """Compute the contrast ratio as the web content accessibility guidelines define it."""
    darker, lighter = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """Compute the place of a colour in CIELAB, as somebody with that sight sees it."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in SIGHTS[sight]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_small_type_in_every_hue_is_legible(theme: str) -> None:
    background = re.search(r"\.dn-figure \{[^}]*background: light-dark\((#\w{6}), (#\w{6})\)", style_sheet())
    assert background
    for hue in HUES:
        assert contrast(getattr(hue, theme), background[1 if theme == "light" else 2]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_hues_differ_whatever_cones_one_has(theme: str, sight: str) -> None:
    places = [seen(getattr(hue, theme), sight) for hue in HUES]
    for one, other in combinations(places, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 15


@given(st.lists(LABELS, unique=True, max_size=len(HUES) * len(STROKES)))
def test_labels_look_different_as_long_as_they_can(labels: list[str]) -> None:
    looks = Looks(labels)
    assert len({looks[label] for label in labels}) == len(labels)
    assert all(looks[label].stroke == 0 for label in labels[: len(HUES)])


@given(LABELS, st.lists(LABELS, max_size=5))
def test_a_label_keeps_its_look(label: str, others: list[str]) -> None:
    looks = Looks([label])
    before = looks[label]
    for other in others:
        looks[other]
    assert looks[label] == before == Looks()[label]


def test_more_labels_than_looks_are_no_error() -> None:
    labels = [f"label {number}" for number in range(100)]
    looks = Looks(labels)
    assert len({looks[label] for label in labels}) == len(HUES) * len(STROKES)
