"""Pictures of what the benchmark of speed measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

mpl.use("svg")
mpl.rcParams.update({
    "svg.hashsalt": "disconer", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
})  # fmt: skip
COLOURS = {"encoder": "#9a9a9a", "disconer": "#0072b2", "disconer with lstm": "#56b4e9", "literal": "#d55e00",
           "float32": "#009e73", "int8": "#cc79a7"}  # fmt: skip
Table = Sequence[Mapping[str, str]]


def draw(tables: Mapping[str, Table], folder: Path) -> None:
    """Draw what there is."""
    for name in ("prediction", "training"):
        if name in tables:
            _by_length(tables[name], name, folder / f"speed-{name}.svg")
    if "memory" in tables:
        _by_document(tables["memory"], folder / "speed-memory.svg")
    if "text" in tables:
        _rates(tables["text"], folder / "speed-text.svg")


def _by_length(table: Table, name: str, path: Path) -> None:
    types = list(dict.fromkeys(row["types"] for row in table))
    figure, panels = plt.subplots(1, len(types), figsize=(3.4 * len(types), 3.4), sharey=True, squeeze=False)
    for panel, number in zip(panels[0], types, strict=True):
        rows = [row for row in table if row["types"] == number]
        words = [int(row["words"]) for row in rows]
        for column in (column for column in rows[0] if column.endswith("÷ encoder")):
            system = column.removesuffix(" ÷ encoder")
            _line(panel, words, [_number(row[column]) for row in rows], system)
        panel.axhline(1, color=COLOURS["encoder"], linewidth=1)
        panel.set(xscale="log", yscale="log", xlabel="words in a sentence", title=_types(number))
        panel.set_xticks(words, [str(length) for length in words])
        panel.minorticks_off()
        panel.set_yticks((1, 2, 5, 10, 20), ("1", "2", "5", "10", "20"))
    panels[0][0].set_ylabel(f"{name}: times the encoder alone")
    panels[0][0].legend(frameon=False)
    save(figure, path)


def _by_document(table: Table, path: Path) -> None:
    words = [int(row["words in one sentence"].replace(",", "")) for row in table]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    for system in ("encoder", "disconer", "literal"):
        for panel, what in ((left, "MiB"), (right, "seconds")):
            column = [row[f"{system}, {what}"] for row in table]
            there = [(length, _number(value)) for length, value in zip(words, column, strict=True) if value != "–"]
            _line(panel, [length for length, _ in there], [value for _, value in there], system)
    for panel, label in ((left, "most memory of the process, MiB"), (right, "seconds for the text")):
        panel.set(xscale="log", yscale="log", xlabel="words in one sentence", ylabel=label)
    left.axhline(1024, color="#bbbbbb", linestyle="--", linewidth=1)
    left.text(words[0], 1090, "1 GiB", color="#777777")
    right.legend(frameon=False)
    save(figure, path)


def _rates(table: Table, path: Path) -> None:
    systems = ("encoder", "disconer", "float32", "int8")
    names = {"encoder": "encoder alone, torch", "disconer": "disconer, torch", "float32": "disconer, exported",
             "int8": "disconer, exported, int8"}  # fmt: skip
    figure, panel = plt.subplots(figsize=(9, 3.4))
    for offset, system in enumerate(systems):
        rates = [_number(row[f"{system}, sentences/s"]) for row in table]
        places = [number + (offset - 1.5) * 0.2 for number in range(len(table))]
        panel.bar_label(panel.bar(places, rates, 0.19, color=COLOURS[system], label=names[system]), fmt="%.0f")
    panel.set_xticks(range(len(table)), [row["dev sentences of"] for row in table])
    panel.set_ylabel("sentences a second")
    panel.grid(visible=False, axis="x")
    panel.legend(frameon=False, ncols=len(systems), loc="lower center", bbox_to_anchor=(0.5, 1))
    save(figure, path)


def _line(panel: Axes, words: Sequence[int], values: Sequence[float], system: str) -> None:
    panel.plot(words, values, marker="o", markersize=4, color=COLOURS[system], label=system)


def save(figure: Figure, path: Path) -> None:
    """Write a picture that is the same whenever it is made of the same numbers."""
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _number(cell: str) -> float:
    """Read the median at the beginning of a cell."""
    return float(cell.split(maxsplit=1)[0].replace(",", ""))


def _types(number: str) -> str:
    return "1 type" if number == "1" else f"{number} types"
