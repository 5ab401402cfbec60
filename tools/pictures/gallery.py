"""All pictures, by the names of their files."""

from collections.abc import Iterator
from pathlib import Path

from tools.pictures import graphs, grids, measured, systems
from tools.pictures.example import COORDINATION, CROSSING, read_example
from tools.pictures.road import road

_EXAMPLES = Path(__file__).parents[2] / "examples"
_LEFT, _RIGHT = 110, 350
"""Where the segments that open mentions stand in a drawing of a graph, and where the others do."""
_COORDINATION_PLACES = {
    (0, 0): (_LEFT, 66), (0, 1): (_LEFT, 150),
    (5, 7): (_RIGHT, 34), (3, 3): (_RIGHT, 92), (7, 7): (_RIGHT, 150),
}  # fmt: skip
_CROSSING_PLACES = {(0, 1): (_LEFT, 66), (0, 0): (_LEFT, 126), (4, 4): (_RIGHT, 66), (3, 4): (_RIGHT, 126)}


def pictures() -> Iterator[tuple[str, str]]:
    """Draw them one by one."""
    yield "mentions.svg", graphs.mentions(COORDINATION)
    yield "road.svg", road(COORDINATION)
    yield "segments.svg", graphs.segments(COORDINATION)
    yield "segment-grid.svg", grids.segment_grid(COORDINATION)
    yield "segment-band.svg", grids.segment_grid(COORDINATION, longest=3)
    yield "edge-grid.svg", grids.edge_grid(COORDINATION)
    yield "segment-graph.svg", graphs.graph(COORDINATION, _COORDINATION_PLACES)
    yield "combinations.svg", graphs.combinations_that_nobody_drew(CROSSING, _CROSSING_PLACES)
    yield "standoff.svg", graphs.standoff(*read_example(_EXAMPLES / "brat" / "post-004.ann"))
    yield "accuracy.svg", measured.accuracy()
    yield "curve.svg", measured.curve()
    yield "epochs.svg", measured.epochs()
    for system in (systems.mac, systems.bioe, systems.hypergraph, systems.comb, systems.trans, systems.w2ner):
        yield f"system-{system.__name__}.svg", system(COORDINATION)
