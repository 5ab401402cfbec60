"""The documentation tells the truth: its code runs, top to bottom, and prints what a page says that it prints.

A page's blocks run in a folder of their own that has examples/, some of the sample corpus (train.jsonl, dev.jsonl,
test.jsonl), notes/, and run/, a run whose small model finds all sorts of things. What cannot run says why, in a comment
right before the block: `<!-- not run: … -->`.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.documentation.blocks import PAGES, Block, blocks, indented_blocks, name
from tests.documentation.reader import RUN, SHELL, Reader

SHOWN = {"text", "xml", "nginx"}
"""Languages of blocks that nobody runs: output, and files that other programs read."""
ADDRESS = "http://127.0.0.1:8000"
"""Where servers of pages are; a server of ours takes their place."""


def to_run(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.reason is None and block.language not in SHOWN]


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)], ids=name)
def test_code_works(
    page: Path, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    own = to_run(page)
    folder = shutil.copytree(scratch, tmp_path / "page")
    monkeypatch.chdir(folder)
    needs_commands = any(block.language in SHELL for block in own)
    reader = Reader(folder, request.getfixturevalue("commands") if needs_commands else folder)
    for block in own:
        address = request.getfixturevalue("server") if ADDRESS in block.code else ADDRESS
        reader.try_out(block._replace(code=block.code.replace(ADDRESS, address)))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_nothing_is_skipped_in_silence(page: Path) -> None:
    assert [block.place for block in blocks(page) if block.language not in SHOWN | RUN.keys()] == []
    assert list(indented_blocks(page)) == []


def test_a_page_that_lies_fails(tmp_path: Path) -> None:
    """The reader above notices a wrong output, a failing command and code that is not what it says."""
    reader = Reader(tmp_path, tmp_path)
    lies = {
        "console": "$ echo one\ntwo\n", "bash": "false\ntrue\n", "python": ">>> 1 + 1\n3\n", "json": "{…}\n",
        "toml": "[training]\nepoch = 3\n",
    }  # fmt: skip
    for language, code in lies.items():
        with pytest.raises((AssertionError, ValueError)):
            reader.try_out(Block("page:1", language, code, None))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("https://", "http://")):
            assert (page.parent / target).exists(), target
