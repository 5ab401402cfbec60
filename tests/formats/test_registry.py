import errno
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from disconer import Document, InputError, read, write
from disconer.exceptions import CannotHoldError, FormatError, MissingExtraError, WriteError
from disconer.formats import FORMATS, WRITABLE, count_documents, detect_input, detect_output
from disconer.foundation.files import replace_file


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.jsonl", "jsonl"), ("a.ndjson", "jsonl"), ("A.JSONL", "jsonl"), ("a.inline", "inline"), ("a.txt", "inline"),
     ("folder", "brat"), ("-", "jsonl")],
)  # fmt: skip
def test_outputs_are_told_by_their_names(name: str, expected: str) -> None:
    assert detect_output(Path(name)).name == expected


def test_inputs_are_told_by_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b\n0,0 X\n\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("Just some text.\nAnd more.\nAnd more.", encoding="utf-8")
    assert detect_input(tmp_path / "a.txt").name == "inline"
    assert detect_input(tmp_path).name == "brat"
    with pytest.raises(FormatError, match="looks like none of inline, pubtator, conll"):
        detect_input(tmp_path / "b.txt")
    (tmp_path / "b.ann").touch()
    assert detect_input(tmp_path / "b.txt").name == "brat"


FILES = {"brat": "folder", "knowtator": "folder", "datasets": "folder", "bigbio": "a.parquet", "spacy": "a.spacy"}
"""Where formats go that are no text; the others may have names that say nothing."""
XML = ("bioc",)
TEXT = ("inline", "conll", "pubtator")
HOLDING_NO_GAPS = ("conll", "pubtator")


@pytest.mark.parametrize("name", WRITABLE)
def test_every_format_is_told_by_what_is_in_it_and_holds_mentions(tmp_path: Path, name: str) -> None:
    suffix = "xml" if name in XML else "txt" if name in TEXT else "json"
    path = tmp_path / FILES.get(name, f"a.{suffix}")
    text = "Severe joint and shoulder pain on Zoloric ."
    whole, gappy = ("Drug", [(34, 41)]), ("ADR", [(0, 12), (26, 30)])
    losses = write([Document(text, [whole, gappy], "1")], path, name, lossy=True)
    assert detect_input(path).name == name
    (document,) = read(path)
    assert document.text.strip() == text
    expected = ["Zoloric"] if name in HOLDING_NO_GAPS else ["Zoloric", "Severe joint pain"]
    assert sorted(mention.text for mention in document) == sorted(expected)
    assert sum(losses.left_out.values()) == 2 - len(expected)


@pytest.mark.parametrize("name", HOLDING_NO_GAPS)
def test_gaps_are_only_left_out_when_somebody_agrees(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotHoldError, match=r"mentions would be left out \(1 .*: add --lossy to accept that"):
        write([Document("Severe joint pain", [("ADR", [(0, 6), (13, 17)])], "1")], tmp_path / "a.txt", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if not format.is_streamable])
def test_what_is_no_stream_says_so(name: str) -> None:
    with pytest.raises(FormatError, match=f"{name} .*cannot come from a stream"):
        read("-", name)
    with pytest.raises(FormatError, match=f"{name} cannot be written to standard output"):
        write([], "-", name)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.json", '{"text": "x"}', "jsonl"),
        ("a.jsonl", '{"id": 1, "text": "x", "denotations": []}', "pubannotation"),
        ("a.jsonl", '{"text": "x", "entities": [], "denotations": [], "passages": [], "data": {}}', "jsonl"),
        ("a.json", "", "jsonl"),
        ("a.mac.json", "[]", "mac"),
        ("a.json", '[{"text": "", "annotator": 1, "annotation_id": 2, "lead_time": 3}]', "label-studio"),
        ("a.json", '{"PubTator3": [{"id": "1", "passages": []}]}', "bioc-json"),
        ("a.json", '[{"id": "1", "passages": []}]', "bioc-json"),
        ("a.json", '{"id": "1", "passages": [], "entities": []}', "bigbio"),
        ("a.xml", "<?xml version='1.0'?><collection/>", "bioc"),
        ("a.xml", "<annotations/>", "knowtator"),
        ("a.BIO", "", "conll"),
    ],
)
def test_files_of_one_ending_are_told_apart(tmp_path: Path, name: str, content: str, expected: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert detect_input(tmp_path / name).name == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html/>", "cannot tell the format of this XML: name it with --from"),
        ("", "this is not XML: no element found"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><collection/>", "this XML declares entities"),
    ],
)
def test_xml_that_is_none_of_ours_says_what_to_do(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "a.xml").write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=rf"a\.xml(:1)?: {message}"):
        detect_input(tmp_path / "a.xml")


def test_a_folder_of_knowtators_projects_is_not_taken_for_texts_without_annotations(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "1.txt").write_text("x", encoding="utf-8")
    assert detect_input(tmp_path).name == "brat"
    (tmp_path / "project.xml").write_text("<knowtator-project/>", encoding="utf-8")
    assert detect_input(tmp_path).name == "knowtator"


def test_a_record_of_another_format_is_not_read_as_one_without_mentions(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n{"text": "b", "denotations": [{}]}\n', encoding="utf-8")
    with pytest.raises(FormatError, match="record 2 looks like pubannotation, and the first did not: name the format"):
        list(read(path))
    assert len(list(read(path, "jsonl"))) == 2


def test_a_pipe_is_told_by_its_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mac.json")
    os.mkfifo(tmp_path / "pipe.json")
    assert detect_input(tmp_path / "pipe.mac.json").name == "mac"
    assert detect_input(tmp_path / "pipe.json").name == "jsonl"


def test_what_cannot_be_told_or_found_is_an_error(tmp_path: Path) -> None:
    for name in ("a.xyz", "a.ann"):
        with pytest.raises(
            FormatError, match="cannot tell the format from the name: use --to with one of jsonl, inline"
        ):
            write([], tmp_path / name)
    with pytest.raises(FormatError, match="there is no format 'xml': use one of jsonl, inline, brat"):
        write([], tmp_path / "a.jsonl", "xml")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "a.jsonl")
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        list(read(tmp_path, "jsonl"))
    with pytest.raises(InputError, match="no such folder to write into"):
        write([], tmp_path / "no" / "a.jsonl")
    with pytest.raises(InputError, match="this is a folder"):
        write([], tmp_path, "jsonl")


def failing() -> Iterator[Document]:
    yield Document("one", id="1")
    raise InputError("the second is bad")


@pytest.mark.parametrize("name", ["out.jsonl", "out.inline", "out"])
def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="the second is bad"):
        write(failing(), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_what_was_there_before_a_write_that_fails_is_still_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(InputError):
        write(failing(), path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_converted_onto_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    documents = [Document(f"text {number}", id=number) for number in range(1000)]
    write(documents, path)
    write(read(path), path)
    assert list(read(path)) == documents


def test_what_is_private_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.touch(mode=0o600)
    write([Document("x")], path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_empty_folder_is_filled_and_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write([Document("x", id="d")], ".")
    assert sorted(path.name for path in Path().iterdir()) == ["annotation.conf", "d.ann", "d.txt", "visual.conf"]
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code = "import sys; from disconer import Document, write; write([Document('x')], sys.argv[1], 'jsonl')"
    with subprocess.Popen([sys.executable, "-c", code, tmp_path / "pipe"]):
        assert (tmp_path / "pipe").read_text() == '{"text": "x", "entities": []}\n'


def test_a_split_may_be_given_by_its_name(tmp_path: Path) -> None:
    write([Document("One. Two.")], tmp_path / "a.jsonl")
    (document,) = read(tmp_path / "a.jsonl", split="always")
    assert len(document.sentences) == 2
    with pytest.raises(InputError, match="split must be one of auto, always, never, not 'often'"):
        read(tmp_path / "a.jsonl", split="often")


def test_moving_into_a_folder_is_undone_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out").mkdir()
    rename = Path.rename

    def failing_rename(self: Path, target: Path) -> Path:
        if self.name == "b.ann":
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing_rename)
    with pytest.raises(WriteError, match="Input/output error; nothing was left there"):
        write([Document("x", id="a"), Document("y", id="b")], tmp_path / "out")
    assert [path.name for path in tmp_path.rglob("*")] == ["out"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has a file that opens but cannot be read")
def test_a_read_that_fails_half_way_is_blamed_on_the_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="/proc/self/mem: cannot be read"):
        write(read("/proc/self/mem", "jsonl"), tmp_path / "out.jsonl")
    assert not list(tmp_path.iterdir())


def test_links_are_followed_and_modes_are_the_users(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "target.jsonl")
    write([Document("x")], tmp_path / "link.jsonl")
    (tmp_path / "plain").touch()
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "target.jsonl").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(WriteError, match="No space left on device"):
        write([Document("x" * 100_000)], "/dev/full", "jsonl")
    with replace_file(Path("/dev/null")) as stream:
        stream.write("x")
    assert not Path("/dev/null").is_file()


FILL = """
import resource, sys
from disconer import Document, write
from disconer.exceptions import WriteError
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
try:
    write((Document("x" * 1000, id=str(number)) for number in range(100)), *sys.argv[1:])
except WriteError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="this system cannot limit the size of files")
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("precious", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", FILL, path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{path}: could not be written: File too large; nothing was left there"
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(tmp_path.iterdir()) == [path]


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
    monkeypatch.chdir(tmp_path)
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


@pytest.mark.parametrize("format", ["jsonl", "text", "inline"])
def test_nothing_is_counted_that_can_be_read_only_once(tmp_path: Path, format: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert count_documents(tmp_path / "pipe", format) is None
