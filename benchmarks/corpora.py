"""Where the real corpora are, and how results are written down."""

import os
import platform
import re
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORPORA = ROOT.parent / "shared" / "corpora"
RESULTS = Path(__file__).parent / "results"


def corpora() -> Path:
    """Find the folder of real corpora, or stop with a line that says what is missing."""
    if not CORPORA.is_dir():
        sys.exit("the benchmarks need the real corpora, in ../shared/corpora beside this repository")
    return CORPORA


def chia_brat(folder: Path) -> Path:
    """Unpack Chia as its authors published it."""
    with zipfile.ZipFile(corpora() / "chia" / "brat.zip") as archive:
        archive.extractall(folder)
    return folder


def record(name: str, command: str, lines: list[str]) -> None:
    """Print a result and keep it, with the command that makes it and the machine that it was made on."""
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores{_processor()}"
    text = "\n".join([f"Made by `{command}` on {machine}.", "", *lines, ""])
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def _processor() -> str:
    """Name the processor, where the system tells."""
    told = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*:\s*(.+)", told.read_text()) if told.exists() else []
    return f" of {names[0]}" if names else ""


def markdown_table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Lay rows out as a table, the first column left, the others right."""
    rule = [":--", *["--:"] * (len(header) - 1)]
    return ["| " + " | ".join(row) + " |" for row in (header, rule, *rows)]
