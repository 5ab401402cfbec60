"""What users see who have not installed the packages that some formats need."""

import sys
from pathlib import Path

import pytest

from disconer import Document, read, write
from disconer.exceptions import MissingExtraError

NEEDED = [
    ("a.parquet", "bigbio", "pyarrow", "parquet"),
    ("folder", "datasets", "datasets", "datasets"),
    ("folder", "datasets", "pyarrow", "datasets"),
    ("a.spacy", "spacy", "spacy", "spacy"),
]


class Without:
    """Finds modules as if a package were not installed."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, *_: object) -> None:
        if name == self.package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize(("name", "format", "package", "extra"), NEEDED)
def test_a_missing_package_is_a_line_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, format: str, package: str, extra: str
) -> None:
    write([Document("x")], tmp_path / name, format)
    for module in [module for module in sys.modules if module.split(".")[0] in {package, "datasets"}]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(sys, "meta_path", [Without(package), *sys.meta_path])
    expected = rf"^this needs {package}: pip install 'disconer\[{extra}\]'$"
    with pytest.raises(MissingExtraError, match=expected):
        list(read(tmp_path / name, format))
    (tmp_path / "new").mkdir()
    with pytest.raises(MissingExtraError, match=expected):
        write([Document("x")], tmp_path / "new" / name, format)
    assert not list((tmp_path / "new").iterdir())


def test_bigbio_in_json_needs_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write([Document("x", id="d")], tmp_path / "a.bigbio.json")
    assert [document.id for document in read(tmp_path / "a.bigbio.json")] == ["d"]
