"""From the repository to a folder of HTML."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.site.assembly import ROOT, assemble

CONFIGURATION = ROOT / "mkdocs.yml"


def build(target: Path) -> int:
    """Build the site and give mkdocs' exit status, which is not 0 if a link, an anchor or a page is missing."""
    with TemporaryDirectory() as folder:
        assemble(Path(folder))
        return subprocess.run(_command(target), cwd=ROOT, env=_environment(folder), check=False).returncode  # noqa: S603


def _command(target: Path) -> list[str | Path]:
    return [
        sys.executable, "-m", "mkdocs", "build", "--strict", "--clean",
        "--config-file", CONFIGURATION, "--site-dir", target.absolute(),
    ]  # fmt: skip


def _environment(folder: str) -> dict[str, str]:
    """Say where the pages are, and that the theme's own advertisements are not wanted."""
    return os.environ | {"SITE_PAGES": folder, "NO_MKDOCS_2_WARNING": "1"}
