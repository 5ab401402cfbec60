"""The pictures of the documentation are what the schemes say, and what is committed is what was drawn."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.pictures.canvas import WIDTH
from tools.pictures.example import COORDINATION
from tools.pictures.gallery import pictures
from tools.pictures.graphs import collect_edges
from tools.pictures.grids import SCHEME

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = dict(pictures())
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PICTURES)
def test_the_committed_picture_is_what_is_drawn(name: str) -> None:
    assert (DOCS / "images" / name).read_text(encoding="utf-8") == PICTURES[name], "run python -m tools.pictures"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_read_by_everybody(name: str) -> None:
    root = ElementTree.fromstring(PICTURES[name])
    assert root.get("role") == "img"
    assert all((root.findtext(f"{SVG}{element}") or "").strip() for element in ("title", "desc"))
    assert "prefers-color-scheme:dark" in (root.findtext(f"{SVG}style") or "")
    height = float(root.attrib["height"])
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.attrib["x"]) < WIDTH
        assert 0 < float(text.attrib["y"]) < height


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_shown_on_a_page(name: str) -> None:
    assert any(f"images/{name}" in page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))


def test_the_graph_has_the_edges_that_lie_in_mentions() -> None:
    found = SCHEME.oracle(COORDINATION.mentions).mentions
    named = {tuple(map(COORDINATION.segment_text, pair)) for pair in collect_edges(found)}
    assert named == {
        ("Severe joint", "pain"),
        ("Severe", "shoulder"),
        ("Severe", "pain"),
        ("shoulder", "pain"),
        ("Severe", "upper body pain"),
    }


def test_pictures_say_how_much_each_scheme_gives_back() -> None:
    conclusions = {
        "system-mac.svg": ["with T2H edges: 3 of 3", "with the paper's edges: 3 of 3 mentions come back, and 1 wrong"],
        "system-bioe.svg": ["each D with each H: 0 of 3 mentions come back, and 6 wrong", "each D with all H: 3 of 3"],
        "system-hypergraph.svg": ["fewest paths: 2 of 3 mentions come back, and 1 wrong", "all paths: 3 of 3"],
        "system-comb.svg": ["cliques of what merges: 3 of 3"],
        "system-trans.svg": ["what is completed: 0 of 3"],
        "system-w2ner.svg": ["paths from head to tail: 3 of 3"],
    }
    for name, lines in conclusions.items():
        told = ElementTree.fromstring(PICTURES[name]).findtext(f"{SVG}desc") or ""
        assert re.findall("Read as (.*?)(?= Read as|$)", told)
        assert all(line in told for line in lines)
