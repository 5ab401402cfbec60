"""All that the site consists of, put together in one folder.

Pages link to files of the repository, on disk and wherever a repository is shown. Those inside docs/ keep their place;
those outside are brought along, and links are made to lead to where they are then.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from disconer.drawing.looks import style_sheet
from tools.site.parts import PARTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PLACES = {
    DOCS: ".",
    ROOT / "benchmarks" / "results": "results/measurements",
    ROOT / "CHANGELOG.md": "project/changelog.md",
    ROOT / "CONTRIBUTING.md": "project/contributing.md",
    ROOT / "LICENSE": "project/LICENSE",
    ROOT: "files",
}
"""Where on the site files of the repository are; the first that holds a file decides."""
ALWAYS = (*sorted((ROOT / "benchmarks" / "results").glob("*.md")), ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md")
"""Pages outside docs/ that the site has, whether or not something links to them."""
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)(?=[)#])")
PART = re.compile(r"^<!-- made from the code: (\w+) -->$", re.MULTILINE)


def assemble(folder: Path) -> None:
    """Put everything into an empty folder."""
    shutil.copytree(DOCS, folder, dirs_exist_ok=True)
    _bring([*sorted(DOCS.rglob("*.md")), *ALWAYS], folder)
    assets = folder / "assets"
    (assets / "drawing.css").write_text(style_sheet(), encoding="utf-8")
    shutil.copy(ROOT / "src" / "disconer" / "serve" / "page" / "icon.svg", assets)


def _bring(sources: Iterable[Path], folder: Path) -> None:
    """Put files in their places, and everything outside docs/ that they link to, and so on."""
    waiting, seen = list(sources), set[Path]()
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        target = folder / place(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(page(source), encoding="utf-8")
            waiting += find_linked_files(source)
        elif source.is_dir():
            target.write_text(listing(source), encoding="utf-8")
        else:
            shutil.copy(source, target)


def place(source: Path) -> Path:
    """Tell where on the site a file is; a folder is a page that lists its files."""
    home = next(one for one in PLACES if source.is_relative_to(one))
    path = Path(PLACES[home]) / source.relative_to(home)
    return path / "index.md" if source.is_dir() else path


def page(source: Path) -> str:
    """Write a page as the site has it: with the parts that come from the code, and with links that lead there."""
    text = PART.sub(lambda found: PARTS[found[1]](), source.read_text(encoding="utf-8"))

    def move(link: re.Match[str]) -> str:
        target = _target(source, link[0])
        return os.path.relpath(place(target), place(source).parent) if target.exists() else link[0]

    return LINK.sub(move, text)


def find_linked_files(source: Path) -> Iterator[Path]:
    """Find the files that a page links to."""
    targets = (_target(source, link) for link in LINK.findall(source.read_text(encoding="utf-8")))
    return (target for target in targets if target.exists())


def _target(source: Path, link: str) -> Path:
    return Path(os.path.normpath(source.parent / link))


def listing(folder: Path) -> str:
    """Write the page that stands for a folder."""
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    return "\n".join((f"# {folder.name}", "", *(f"- [{name}]({name})" for name in files), ""))
