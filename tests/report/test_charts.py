"""Charts are well-formed vector graphics, whatever the data."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.report.charts import COLOURS, Chart, Point, Series, draw_bars, draw_lines
from disconer.report.contents import Contents

SVG = "{http://www.w3.org/2000/svg}"
NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=20)
SHARES = st.none() | st.floats(0, 1)


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    bins = draw(st.lists(NAMES, max_size=5))
    places = range(len(bins)) if bins else [0.0, 0.3, 1.0]
    series = [
        Series(name, [Point(place, draw(SHARES), draw(NAMES)) for place in places])
        for name in draw(st.lists(NAMES, max_size=12, unique=True))
    ]
    return Chart("c", draw(NAMES), "x", "y", series, bins, draw(st.booleans()))


@given(charts())
def test_any_chart_is_well_formed_and_inside_its_frame(chart: Chart) -> None:
    for draw in (draw_bars, draw_lines) if chart.bins else (draw_lines,):
        root = ElementTree.fromstring(draw(chart))
        assert root.findtext(f"{SVG}title") == chart.title
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for element in root.iter():
            assert "style" not in element.attrib
            assert not any("nan" in value or "inf" in value for value in element.attrib.values())
        for bar in root.iter(f"{SVG}rect"):
            assert -10 <= float(bar.attrib["x"]) <= width
            assert 0 <= float(bar.attrib["y"]) <= height
            assert float(bar.attrib["height"]) >= 0


def test_a_bar_is_as_high_as_its_value() -> None:
    chart = Chart("c", "t", "x", "y", [Series("a", [Point(0, 0.5), Point(1, 1.0), Point(2, None)])], ["p", "q", "r"])
    notes = {bar.findtext(f"{SVG}title"): float(bar.attrib["height"]) for bar in _rects(draw_bars(chart), "title")}
    assert notes["a: 50.0"] == pytest.approx(notes["a: 100.0"] / 2, abs=0.1)
    assert len(notes) == 2


def _rects(drawing: str, having: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(drawing)
    return [one for one in root.iter(f"{SVG}rect") if (one.findtext(f"{SVG}{having}") or "").startswith("a: ")]


def test_no_two_series_look_alike() -> None:
    series = [Series(str(number), [Point(0, 0.1), Point(1, 0.2)]) for number in range(16)]
    root = ElementTree.fromstring(draw_lines(Chart("c", "t", "x", "y", series)))
    looks = [
        (one.attrib["stroke"], one.attrib.get("stroke-dasharray"))
        for one in root.iter(f"{SVG}path")
        if one.attrib.get("fill") == "none"
    ]
    assert len(looks) == 16
    assert len(set(looks)) == 16
    assert len(set(COLOURS)) == len(COLOURS)


def test_the_papers_figures_and_ours(contents: Contents) -> None:
    names = [figure.name for figure in contents.figures]
    assert names == [
        "overview-sample", "overlap-sample", "interval-sample", "span-sample", "curve-sample",
        "curve-discontinuous-sample", "calibration-sample",
    ]  # fmt: skip
    for figure in contents.figures:
        text = "".join(ElementTree.fromstring(figure.drawing).itertext())
        assert "Mac again" in text
        assert "n=" in text or not figure.name.startswith(("overlap", "interval", "span"))
