"""Measure the report's page in a real browser: how long it takes to open, to filter and to turn a page.

    python -m benchmarks.report

10,000 sentences of the sample corpus, and invented systems that get about a third of the mentions wrong. Needs
chromium. The results are in `benchmarks/results/report.md`.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.browser import Visit, chromium, started
from tests.report.invented import make_report

from benchmarks.corpora import markdown_table, record
from disconer.corpora.sample import sample
from disconer.document import Document
from disconer.report.contents import Contents
from disconer.report.page import write_page

SENTENCES, SYSTEMS, ROUNDS = 10_000, 5, 7
ACTIONS = {
    "choose a system": "document.getElementById('dn-system').value = '3'",
    "choose a kind of error": "document.getElementById('dn-kind').value = '2'",
    "look for a word": "document.getElementById('dn-words').value = 'pain'",
    "show all": "document.getElementById('dn-filters').reset()",
}
"""What a user does to the filters."""
CHANGED = "document.getElementById('dn-filters').dispatchEvent(new Event('input'))"
TIMED = """() => {
    const started = performance.now();
    ACTION;
    document.getElementById("dn-cards").getBoundingClientRect();
    return performance.now() - started;
}"""


def main() -> None:
    if chromium() is None:
        sys.exit("this needs chromium: install it, or name it in the variable CHROMIUM")
    documents: list[Document] = []
    while len(documents) < SENTENCES:
        documents += sample(len(documents))["train"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        contents = make_report(
            documents[:SENTENCES], {f"System {number}": 0.2 + 0.05 * number for number in range(SYSTEMS)}
        )
        before = time.perf_counter()
        write_page(contents, path)
        seconds = time.perf_counter() - before
        rows = [[name, f"{median(times):.0f}", f"{max(times):.0f}"] for name, times in _times(path).items()]
        size = path.stat().st_size / 1e6
    text = (
        f"{SENTENCES:,} sentences, {SYSTEMS} systems, {_errors(contents):,} errors: a page of {size:.0f} MB, written "
        f"in {seconds:.0f} s. Chromium, {ROUNDS} rounds; times until everything is laid out."
    )
    record("report", "python -m benchmarks.report", [text, "", *markdown_table(["", "median ms", "longest ms"], rows)])


def _errors(contents: Contents) -> int:
    found = contents.report.evaluations[0].errors.values()
    return sum(len(own) for of_system in found for own in of_system)


def _times(path: Path) -> dict[str, list[float]]:
    steps = {name: f"{action}; {CHANGED}" for name, action in ACTIONS.items()}
    steps["next page"] = "document.getElementById('dn-next').click()"
    times: dict[str, list[float]] = {name: [] for name in ("open the page", *steps)}
    with started() as browser:
        for _ in range(ROUNDS):
            before = time.perf_counter()
            visit = Visit(browser, path)
            visit.page.locator(".dn-card").first.wait_for()
            times["open the page"].append(1000 * (time.perf_counter() - before))
            for name, action in steps.items():
                times[name].append(visit.page.evaluate(TIMED.replace("ACTION", action)))
            visit.page.close()
    return times


if __name__ == "__main__":
    main()
