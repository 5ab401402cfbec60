"""The notebook of examples/ runs from top to bottom, on less data."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "quickstart.ipynb"
SMALLER = {
    "corpus = sample()": "corpus = {name: documents[:50] for name, documents in sample().items()}",
    "epochs=3": "epochs=1, threads=1",
}


def outputs(cell: Any) -> dict[str, str]:
    """What a cell shows, by kind; of several of a kind, the last."""
    found: dict[str, str] = {}
    for output in cell.outputs:
        assert output.output_type != "error"
        found |= output.get("data", {}) | ({"stream": output.text} if output.output_type == "stream" else {})
    return found


def test_the_notebook_runs_from_top_to_bottom() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells), "clear the outputs before committing"
    for text, smaller in SMALLER.items():
        assert sum(text in cell.source for cell in cells) == 1
        for cell in cells:
            cell.source = cell.source.replace(text, smaller)
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = [outputs(cell) for cell in cells]
    assert shown[0]["text/plain"].strip("'").count(".") == 2
    assert "dn-figure" in shown[1]["text/html"]
    assert not any("Warning" in output.get("text", "") for cell in cells for output in cell.outputs)
    assert "dev F1" in shown[2]["stream"]  # beside the bar, which is gone at the end
    assert shown[2]["text/plain"].startswith("('ADR'")
    assert "dn-figure" in shown[3]["text/html"]
    assert "<th>F1</th>" in shown[5]["text/html"]
    assert "errors in" in shown[7]["text/html"]
    assert "wrong boundary" in shown[8]["text/plain"]
