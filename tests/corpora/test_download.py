import gzip
import io
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from disconer.corpora.archives import Budget
from disconer.corpora.download import open_download
from disconer.corpora.ledger import Ledger
from disconer.exceptions import FormatError, InputError
from tests.corpora.downloads import folder_of, tar_of, zip_of

FILES = {"corpus/text/a.txt": "Übel\r\n", "corpus/readme.pdf": "%PDF", "corpus/text/b.txt": "x"}
NAMES = ["corpus/text/a.txt", "corpus/text/b.txt"]


@pytest.mark.parametrize("kind", ["folder", "c.zip", "c.tar", "c.tar.gz", "c.tgz", "c.tar.bz2", "c.tar.xz"])
def test_folders_and_archives_give_the_files_that_are_wanted(tmp_path: Path, kind: str) -> None:
    make = {"folder": folder_of, "c.zip": zip_of}.get(kind, tar_of)
    with open_download(make(tmp_path / kind, FILES), r"\.txt") as download:
        assert sorted(download.files) == NAMES
        assert download.text("corpus/text/a.txt") == "Übel\r\n"
        assert download.lines("corpus/text/a.txt") == ["Übel", ""]
        assert list(download.find(r"text/(?P<id>\w)\.txt")) == NAMES


def test_archives_inside_folders_and_archives_are_opened(tmp_path: Path) -> None:
    inner = zip_of(tmp_path / "inner.zip", FILES).read_bytes()
    (tmp_path / "raw").mkdir()
    tar_of(tmp_path / "raw" / "outer.tar.gz", {"data/inner.zip": inner})
    with open_download(tmp_path / "raw", r"\.txt") as download:
        assert sorted(download.files) == [f"outer/data/inner/{name}" for name in NAMES]
        assert download.content("outer/data/inner/corpus/text/b.txt") == b"x"


def test_what_computers_leave_behind_is_not_looked_at(tmp_path: Path) -> None:
    hidden = {"__MACOSX/a.txt": "", ".git/a.txt": "", "._b.txt": "", "c.txt": "c"}
    for path in (zip_of(tmp_path / "c.zip", hidden), folder_of(tmp_path / "c", hidden)):
        with open_download(path, r"\.txt") as download:
            assert list(download.files) == ["c.txt"]


def test_bytes_that_are_not_utf8_leave_the_others_what_they_are(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.txt": b"caf\xe9 \x81 \x93x\x94",
        "b.txt": "38°C, café ".encode() + b"\x92s",
        "c.txt": "café",
    }
    ledger = Ledger()
    with open_download(folder_of(tmp_path / "c", files), r"\.txt", ledger) as download:
        assert [download.text(name) for name in files] == ["café \ufffd “x”", "38°C, café ’s", "café"]
        assert [download.text(name) for name in files][2] == "café"
    assert ledger.counts()["changed"] == {"bytes that are not UTF-8, read as Windows-1252": 2}


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    ledger = Ledger()
    with open_download(folder_of(tmp_path / "c", {"a.txt": "\ufeffx"}), r"\.txt", ledger) as download:
        assert [download.text("a.txt"), download.text("a.txt", keeps_mark=True)] == ["x", "\ufeffx"]
        assert download.lines("a.txt") == ["x"]
    assert ledger.counts()["changed"] == {"a byte order mark, left out": 1}


@pytest.mark.parametrize("name", ["../a.txt", "/a.txt", "a/../../b.txt", "C:/a.txt", "C:\\a.txt", "a\\..\\..\\b.txt"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_entries_that_lead_out_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    path = {"zip": zip_of, "tar": tar_of}[kind](tmp_path / f"c.{kind}", {name: "x"})
    with (
        pytest.raises(FormatError, match=rf"c\.{kind}: its entry .* leads out of the archive"),
        open_download(path, ".*"),
    ):
        pass


def test_backslashes_are_folders(tmp_path: Path) -> None:
    with open_download(zip_of(tmp_path / "c.zip", {"corpus\\text\\a.txt": "x"}), r"\.txt") as download:
        assert list(download.files) == ["corpus/text/a.txt"]


def test_links_in_archives_are_told_and_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "c.tar", "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            entry = tarfile.TarInfo(f"{kind.decode()}.txt")
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
        archive.addfile(tarfile.TarInfo("plain.txt"), io.BytesIO())
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive_of_links:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive_of_links.writestr(link, "/etc/passwd")
        archive_of_links.writestr("plain.txt", "")
    for name, links in (("c.tar", 2), ("c.zip", 1)):
        ledger = Ledger()
        with open_download(tmp_path / name, r"\.txt", ledger) as download:
            assert list(download.files) == ["plain.txt"]
        assert ledger.counts()["skipped"] == {"a link inside an archive, not followed": links}


def test_folders_are_followed_wherever_they_lie_but_only_once(tmp_path: Path) -> None:
    folder_of(tmp_path / "elsewhere", {"b.txt": "b"})
    raw = folder_of(tmp_path / "raw", {"a.txt": "a"})
    (raw / "linked").symlink_to(tmp_path / "elsewhere")
    (raw / "round").symlink_to(raw)
    (raw / "dangling.txt").symlink_to(tmp_path / "nothing")
    os.mkfifo(raw / "pipe.zip")
    ledger = Ledger()
    with open_download(raw, r"\.txt", ledger) as download:
        assert sorted(download.files) == ["a.txt", "linked/b.txt"]
    assert [entry.place for entry in ledger.skipped] == ["file dangling.txt", "file pipe.zip"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_what_cannot_be_read_is_an_error_and_not_missing(tmp_path: Path) -> None:
    raw = folder_of(tmp_path / "raw", {"a.txt": "a", "more/b.txt": "b"})
    (raw / "more").chmod(0)
    with pytest.raises(InputError, match="more: cannot be read: Permission denied"), open_download(raw, r"\.txt"):
        pass


def test_bombs_are_refused_whatever_they_promise(tmp_path: Path) -> None:
    bomb = zip_of(tmp_path / "c.zip", {"a.txt": "0" * 1_000_000})
    message = "more in the archives than any corpus holds"
    for budget in (Budget(read=999_999), Budget(file=999_999)):
        with open_download(bomb, r"\.txt", budget=budget) as download, pytest.raises(FormatError, match=message):
            download.content("a.txt")
    with open_download(bomb, r"\.txt", budget=Budget(read=1_000_000)) as download:
        assert [len(download.content("a.txt")) for _ in range(3)] == [1_000_000] * 3
    with pytest.raises(FormatError, match=message), open_download(bomb, r"\.txt", budget=Budget(entries=0)):
        pass
    tar = tar_of(tmp_path / "c.tar.gz", {"a.txt": "0" * 1_000_000, "b.bin": "0" * 1_000_000})
    for budget in (Budget(read=1000), Budget(file=1000), Budget(passed=1_999_999)):
        with pytest.raises(FormatError, match=message), open_download(tar, r"\.txt", budget=budget):
            pass


def test_a_matryoshka_is_refused(tmp_path: Path) -> None:
    content = zip_of(tmp_path / "c.zip", {"a.txt": "x"}).read_bytes()
    for _ in range(4):
        content = zip_of(tmp_path / "c.zip", {"c.zip": content}).read_bytes()
    with pytest.raises(FormatError, match="archives in archives"), open_download(tmp_path / "c.zip", r"\.txt"):
        pass


@pytest.mark.parametrize("name", ["c.zip", "c.tar", "c.tar.gz", "c.tar.bz2", "c.tar.xz"])
@pytest.mark.parametrize("keep", [0, 10, 60])
def test_broken_archives_are_named(tmp_path: Path, name: str, keep: int) -> None:
    whole = (zip_of if name == "c.zip" else tar_of)(tmp_path / name, FILES).read_bytes()
    (tmp_path / name).write_bytes(whole[:keep])
    with pytest.raises(FormatError, match=rf"{name}: this archive is broken"), open_download(tmp_path / name, r"\.txt"):
        pass


@pytest.mark.parametrize("name", ["c.tar", "c.tar.gz"])
@pytest.mark.parametrize("damage", ["between entries", "inside a header", "a header", "the end"])
def test_a_tar_file_that_stops_early_is_not_taken_for_whole(tmp_path: Path, name: str, damage: str) -> None:
    whole = tar_of(tmp_path / "whole.tar", {f"{number}.txt": "x" for number in range(6)}).read_bytes()
    changed = {
        "between entries": whole[: 4 * 1024],
        "inside a header": whole[: 4 * 1024 + 100],
        "a header": whole[: 4 * 1024] + b"?" + whole[4 * 1024 + 1 :],
        "the end": whole[: 6 * 1024],
    }[damage]
    (tmp_path / name).write_bytes(gzip.compress(changed) if name.endswith("gz") else changed)
    with (
        pytest.raises(FormatError, match=rf"{name}: this archive stops before its end"),
        open_download(tmp_path / name, ".*"),
    ):
        pass


def test_a_wrong_checksum_is_noticed(tmp_path: Path) -> None:
    content = bytearray(tar_of(tmp_path / "c.tar.gz", FILES).read_bytes())
    content[-6] ^= 1
    (tmp_path / "c.tar.gz").write_bytes(content)
    with pytest.raises(FormatError, match="this archive is broken"), open_download(tmp_path / "c.tar.gz", r"\.txt"):
        pass


def test_names_that_are_no_text(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "c.zip", {"é.txt": "x"})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(FormatError, match="this archive is broken"), open_download(path, r"\.txt"):
        pass
    (tmp_path / "raw").mkdir()
    Path(os.fsdecode(bytes(tmp_path / "raw") + b"/\xff.txt")).write_text("x")
    with open_download(tmp_path / "raw", r"\.txt") as download:
        assert list(download.files) == ["?.txt"]
        assert download.text("?.txt") == "x"


def test_two_versions_are_an_error_and_two_copies_are_told(tmp_path: Path) -> None:
    raw = folder_of(tmp_path, {"1/text/a.txt": "x", "2/text/a.txt": "x"})
    ledger = Ledger()
    with open_download(raw, r"\.txt", ledger) as download:
        assert download.find_by_id(r"text/(?P<id>\w)\.txt") == {"a": "1/text/a.txt"}
    assert ledger.counts()["changed"] == {"a second copy of a file, not read": 1}
    folder_of(raw, {"2/text/a.txt": "y"})
    with open_download(raw, r"\.txt") as download, pytest.raises(InputError, match="two versions here, 1/text/"):
        download.find_by_id(r"text/(?P<id>\w)\.txt")


def test_an_encrypted_archive_says_what_to_do(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "c.zip", {"a.txt": "x"})
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    path.write_bytes(content)
    assert zipfile.ZipFile(path).infolist()[0].flag_bits & 1
    with pytest.raises(FormatError, match="encrypted: unpack it"), open_download(path, r"\.txt"):
        pass


def test_what_is_not_there_or_not_of_the_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"), open_download(tmp_path / "no", ".*"):
        pass
    with pytest.raises(InputError, match="no file of this corpus here"), open_download(tmp_path, ".*"):
        pass
