"""How much memory conversions take, and how long: what streams needs no more for a file ten times as long."""

import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpora import markdown_table, record
from disconer.corpora.sample import sample
from disconer.document import Document
from disconer.formats import WRITABLE, write

LONG = 1_000_000
"""Lines of the JSONL file that everybody asks about."""
SHORT = 5_000
"""Lines of the files of the other formats; the long ones have ten times as many."""
FILES = {"bigbio": "a.parquet", "brat": "brat", "datasets": "datasets", "knowtator": "knowtator"}
"""Where formats go; the others into a file of their own name."""
CHILD = "import resource, sys; from disconer.cli import main; status = main(sys.argv[1:]);"
CHILD += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss); sys.exit(status)"


class Cost(NamedTuple):
    """What a conversion took."""

    seconds: float
    megabytes: float


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lines = jsonl_row(folder)
        rows = [row for name in WRITABLE if name != "jsonl" for row in format_rows(name, folder)]
    header = ["conversion", "lines", "MB", "lines, ten times", "MB", "ratio", "lines a second"]
    text = [*markdown_table(header, [lines, *rows]), "", "MB is the largest memory of the whole process."]
    record("streaming", "python -m benchmarks.streaming", text)


def jsonl_row(folder: Path) -> list[str]:
    sources = [write_sentences(folder / f"{lines}.jsonl", lines) for lines in (LONG // 10, LONG)]
    return row("jsonl → jsonl", LONG // 10, *(convert(source, folder / "out.jsonl", "jsonl") for source in sources))


def format_rows(name: str, folder: Path) -> list[list[str]]:
    """Convert to a format and back, short and long."""
    there, back = [], []
    for lines in (SHORT, 10 * SHORT):
        source = write_sentences(folder / f"{lines}.jsonl", lines)
        target = folder / f"{lines}" / FILES.get(name, f"a.{name}")
        target.parent.mkdir(exist_ok=True)
        there.append(convert(source, target, name))
        back.append(convert(target, folder / "back.jsonl", "jsonl", name))
    return [row(f"jsonl → {name}", SHORT, *there), row(f"{name} → jsonl", SHORT, *back)]


def row(conversion: str, lines: int, small: Cost, large: Cost) -> list[str]:
    return [
        conversion, f"{lines:,}", f"{small.megabytes:.0f}", f"{10 * lines:,}", f"{large.megabytes:.0f}",
        f"{large.megabytes / small.megabytes:.2f}", f"{10 * lines / large.seconds:,.0f}",
    ]  # fmt: skip


def write_sentences(path: Path, lines: int) -> Path:
    """Write invented sentences with ids of their own."""
    if not path.exists():
        sentences = islice(cycle(sample()["train"]), lines)
        write((Document(found.layout, found, str(number)) for number, found in enumerate(sentences)), path)
    return path


def convert(source: Path, target: Path, to: str, source_format: str = "jsonl") -> Cost:
    """Convert in a process of its own."""
    arguments = ["convert", str(source), str(target), "--from", source_format, "--to", to, "--lossy", "--quiet"]
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", CHILD, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    kilobytes = int(done.stdout) if sys.platform != "darwin" else int(done.stdout) / 1024
    return Cost(time.perf_counter() - began, kilobytes / 1024)


if __name__ == "__main__":
    main()
