import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from disconer.corpora.download import Limits, opened
from disconer.exceptions import FormatError, InputError
from tests.corpora.downloads import folder_of, tar_of, zip_of

FILES = {"corpus/text/a.txt": "Übel\r\n", "corpus/readme.pdf": "%PDF", "corpus/text/b.txt": "x"}
NAMES = ["corpus/text/a.txt", "corpus/text/b.txt"]


@pytest.mark.parametrize("kind", ["folder", "c.zip", "c.tar", "c.tar.gz", "c.tgz", "c.tar.bz2", "c.tar.xz"])
def test_folders_and_archives_give_the_files_that_are_wanted(tmp_path: Path, kind: str) -> None:
    make = {"folder": folder_of, "c.zip": zip_of}.get(kind, tar_of)
    with opened(make(tmp_path / kind, FILES), r"\.txt") as download:
        assert sorted(download.files) == NAMES
        assert download.text("corpus/text/a.txt") == "Übel\r\n"
        assert download.lines("corpus/text/a.txt") == ["Übel", ""]
        assert list(download.matching(r"text/(?P<id>\w)\.txt")) == NAMES


def test_archives_inside_folders_and_archives_are_opened(tmp_path: Path) -> None:
    inner = zip_of(tmp_path / "inner.zip", FILES).read_bytes()
    (tmp_path / "raw").mkdir()
    tar_of(tmp_path / "raw" / "outer.tar.gz", {"data/inner.zip": inner})
    with opened(tmp_path / "raw", r"\.txt") as download:
        assert sorted(download.files) == [f"outer/data/inner/{name}" for name in NAMES]
        assert download.content("outer/data/inner/corpus/text/b.txt") == b"x"


def test_what_computers_leave_behind_is_not_looked_at(tmp_path: Path) -> None:
    hidden = {"__MACOSX/a.txt": "", ".git/a.txt": "", "._b.txt": "", "c.txt": "c"}
    for path in (zip_of(tmp_path / "c.zip", hidden), folder_of(tmp_path / "c", hidden)):
        with opened(path, r"\.txt") as download:
            assert list(download.files) == ["c.txt"]


def test_a_text_that_is_not_utf8_has_a_character_a_byte(tmp_path: Path) -> None:
    with opened(folder_of(tmp_path / "c", {"a.txt": b"caf\xe9 \x81 \x93x\x94"}), r"\.txt") as download:
        assert download.text("a.txt") == "café \ufffd “x”"


@pytest.mark.parametrize("name", ["../a.txt", "/a.txt", "a/../../b.txt", "C:/a.txt", "a\\..\\b.txt"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_entries_that_lead_out_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    path = {"zip": zip_of, "tar": tar_of}[kind](tmp_path / f"c.{kind}", {name: "x"})
    with pytest.raises(FormatError, match=rf"c\.{kind}: its entry .* leads out of the archive"), opened(path, ".*"):
        pass


def test_links_are_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "c.tar", "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            entry = tarfile.TarInfo(f"{kind.decode()}.txt")
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
        archive.addfile(tarfile.TarInfo("plain.txt"), io.BytesIO())
    with opened(tmp_path / "c.tar", r"\.txt") as download:
        assert list(download.files) == ["plain.txt"]


def test_bombs_are_refused_whatever_they_promise(tmp_path: Path) -> None:
    bomb = zip_of(tmp_path / "c.zip", {"a.txt": "0" * 1_000_000})
    message = "holds more than any corpus does"
    with opened(bomb, r"\.txt", Limits(size=999_999)) as download, pytest.raises(FormatError, match=message):
        download.content("a.txt")
    with opened(bomb, r"\.txt", Limits(size=1_000_000)) as download:
        assert len(download.content("a.txt")) == 1_000_000
    with pytest.raises(FormatError, match=message), opened(bomb, r"\.txt", Limits(entries=0)):
        pass
    tar = tar_of(tmp_path / "c.tar.gz", {"a.txt": "0" * 1_000_000})
    with pytest.raises(FormatError, match=message), opened(tar, r"\.txt", Limits(size=1000)):
        pass


def test_a_matryoshka_is_refused(tmp_path: Path) -> None:
    content = zip_of(tmp_path / "c.zip", {"a.txt": "x"}).read_bytes()
    for _ in range(4):
        content = zip_of(tmp_path / "c.zip", {"c.zip": content}).read_bytes()
    with pytest.raises(FormatError, match="archives in archives"), opened(tmp_path / "c.zip", r"\.txt"):
        pass


@pytest.mark.parametrize("name", ["c.zip", "c.tar", "c.tar.gz", "c.tar.bz2", "c.tar.xz"])
@pytest.mark.parametrize("keep", [0, 10, 60])
def test_broken_archives_are_named(tmp_path: Path, name: str, keep: int) -> None:
    whole = (zip_of if name == "c.zip" else tar_of)(tmp_path / name, FILES).read_bytes()
    (tmp_path / name).write_bytes(whole[:keep])
    with pytest.raises(FormatError, match=rf"{name}: this archive is broken"), opened(tmp_path / name, r"\.txt"):
        pass


def test_an_encrypted_archive_says_what_to_do(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "c.zip", {"a.txt": "x"})
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    path.write_bytes(content)
    assert zipfile.ZipFile(path).infolist()[0].flag_bits & 1
    with pytest.raises(FormatError, match="encrypted: unpack it"), opened(path, r"\.txt"):
        pass


def test_what_is_not_there_or_not_of_the_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"), opened(tmp_path / "no", ".*"):
        pass
    with pytest.raises(InputError, match="no file of this corpus here"), opened(tmp_path, ".*"):
        pass
