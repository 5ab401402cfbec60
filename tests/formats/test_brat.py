import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, read, write
from disconer.exceptions import CannotHoldError
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS, TEXTS, mentions

TEXT = "Severe joint and\nshoulder pain.\n"
ANNOTATIONS = """\
T1\tADR 0 12;26 30\tSevere joint pain
T2\tADR 26 30;0 6;17 25\tpain Severe shoulder
T3\tADR 0 12;26 30\tSevere joint pain
T4\tFinding 7 16;17 25\tjoint and shoulder
R1\tAND Arg1:T1 Arg2:T2\t
*\tOR T1 T2
A1\tNegated T1
M2\tLevel T2 High
E1\tADR:T1 Theme:T2
N1\tReference T1 ICD:E11\tsomething
#1\tAnnotatorNotes T1\ta note about T9
"""
LABELS = st.text(CHARACTERS.filter(lambda character: not character.isspace()), min_size=1, max_size=5)


def folder_with(tmp_path: Path, text: str | bytes, annotations: str | bytes) -> Path:
    folder = tmp_path / "brat"
    folder.mkdir()
    for name, content in (("d.txt", text), ("d.ann", annotations)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def annotations_of(folder: Path) -> list[str]:
    return (folder / "d.ann").read_text(encoding="utf-8").splitlines()


def test_reads_mentions_sorts_and_merges_their_fragments(tmp_path: Path) -> None:
    (document,) = read(folder_with(tmp_path, TEXT, ANNOTATIONS))
    assert document.id == "d"
    assert [mention.text for mention in document] == [
        "Severe joint pain",
        "Severe shoulder pain",
        "Severe joint pain",
        "joint and\nshoulder",
    ]
    assert [mention.is_discontinuous for mention in document] == [True, True, True, False]


def test_everything_is_kept_from_brat_to_brat(tmp_path: Path) -> None:
    losses = write(read(folder_with(tmp_path, TEXT, ANNOTATIONS)), tmp_path / "again")
    lines = annotations_of(tmp_path / "again")
    assert lines[0] == "T1\tADR 0 12;26 30\tSevere joint pain"
    assert lines[1] == "T2\tADR 0 6;17 30\tSevere shoulder pain"
    assert lines[3] == "T4\tFinding 7 16;17 25\tjoint and shoulder"
    assert sorted(lines[4:]) == sorted(ANNOTATIONS.splitlines()[4:])
    assert (tmp_path / "again" / "d.txt").read_bytes().decode() == TEXT
    assert losses.lines() == []


def test_everything_is_kept_through_jsonl(tmp_path: Path) -> None:
    write(read(folder_with(tmp_path, TEXT, ANNOTATIONS)), tmp_path / "a.jsonl")
    write(read(tmp_path / "a.jsonl"), tmp_path / "again")
    assert len(annotations_of(tmp_path / "again")) == len(ANNOTATIONS.splitlines())


def test_what_inline_cannot_hold_is_counted_by_kind(tmp_path: Path) -> None:
    losses = write(read(folder_with(tmp_path, TEXT, ANNOTATIONS)), tmp_path / "a.inline", lossy=True)
    for kind in ("relations", "equivalences", "events", "normalizations", "notes"):
        assert losses.noted[f"brat {kind}"] == 1
    assert losses.noted["brat attributes"] == 2


def test_lines_about_mentions_that_are_gone_go_too(tmp_path: Path) -> None:
    (document,) = read(folder_with(tmp_path, TEXT, ANNOTATIONS))
    losses = write([document.with_mentions(document.mentions[1:])], tmp_path / "again")
    assert [line.split("\t")[0] for line in annotations_of(tmp_path / "again")] == ["T2", "T3", "T4", "M2"]
    assert losses.noted.total() == 6


def test_new_mentions_get_ids_that_are_free(tmp_path: Path) -> None:
    (document,) = read(folder_with(tmp_path, TEXT, "T2\tADR 0 6\tSevere\nT2\tADR 7 12\tjoint\n"))
    new = Mention("ADR", [(26, 30)], document.layout)
    losses = write([document.with_mentions([new, *document])], tmp_path / "again")
    assert [line.split("\t")[0] for line in annotations_of(tmp_path / "again")] == ["T1", "T2", "T3"]
    assert losses.lines() == ["ids of mentions that brat cannot use (1)"]


def test_new_mentions_do_not_inherit_what_was_said_of_others(tmp_path: Path) -> None:
    (document,) = read(folder_with(tmp_path, TEXT, ANNOTATIONS))
    write([document.with_mentions([Mention("ADR", [(0, 6)], document.layout)])], tmp_path / "again")
    assert annotations_of(tmp_path / "again") == ["T3\tADR 0 6\tSevere"]


def test_ids_of_any_form_and_free_comments_are_kept(tmp_path: Path) -> None:
    lines = ["TT1\tADR 0 6\tSevere", "Tb\tADR 7 12\tjoint", "R1\tAND Arg1:TT1 Arg2:Tb\t", "#1\tjust a comment"]
    losses = write(read(folder_with(tmp_path, TEXT, "\n".join(lines))), tmp_path / "again")
    assert annotations_of(tmp_path / "again") == lines
    assert losses.lines() == []


def test_chains_of_references_fall_together(tmp_path: Path) -> None:
    events = [f"E{number}\tEv:E{number + 1}" for number in range(20_000)]
    document = Document("a", id="d", extras={"brat": {"events": events}})
    losses = write([document], tmp_path / "out")
    assert annotations_of(tmp_path / "out") == []
    assert losses.noted.total() == 20_000


@pytest.mark.parametrize(
    "value",
    [None, 5, "R1", [1], {"relations": 5}, {"relations": [5]}, {"relations": [""]}, {"notes": ["#1\tx\t\ud83d"]},
     {"relations": ["R1\tx\nT9\tX 0 1\ta"]}, {"relations": ["T9\tX 0 1\ta"]},
     {"relations": [" T9\tX 0 1\ta"]}, {"notes": ["\ufeffT9\tX 0 1\ta"]}],
)  # fmt: skip
def test_a_key_that_is_only_called_brat_is_an_unknown_key(tmp_path: Path, value: object) -> None:
    for target in (tmp_path / "out", tmp_path / "out.inline"):
        losses = write([Document("a", id="d", extras={"brat": value})], target)
        assert losses.noted.total() >= 1
    assert annotations_of(tmp_path / "out") == []


def test_a_text_that_differs_from_the_offsets_is_kept_for_people_to_see(tmp_path: Path) -> None:
    lines = "T1\tADR 0 6\tjoint\nT2\tADR 26 30;0 6\tpain Severe\nT3\tADR 7 25\tjoint and shoulder\n"
    (document,) = read(folder_with(tmp_path, TEXT, lines))
    assert [mention.extras.get("text") for mention in document] == ["joint", None, None]


@given(TEXTS, st.data())
def test_mentions_survive_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("brat") / "out"
    layout = Layout(text)
    found = data.draw(st.lists(mentions(layout, LABELS), max_size=4)) if text else []
    identifier = data.draw(
        st.text(CHARACTERS, min_size=1, max_size=8) | st.sampled_from(["../up", "/etc/x", ".", "..", "a//b"])
    )
    write([Document(layout, found, identifier)], folder, "brat")
    (back,) = read(folder, "brat")
    assert back.text == text
    assert back.id == identifier
    assert [mention.key for mention in back] == [mention.key for mention in found]
    lines = (path.read_bytes() for path in folder.rglob("*.ann"))
    assert sum(content.count(b"\n") for content in lines) == len(found)


def test_line_breaks_cut_fragments_as_in_brat(tmp_path: Path) -> None:
    text = "\nfoo bar \r\n\n  baz\n"
    write([Document(text, [("X", [(0, len(text))])], "d")], tmp_path / "out")
    assert annotations_of(tmp_path / "out") == ["T1\tX 0 9;12 18\t foo bar    baz "]


def test_files_lie_below_the_folder_whatever_the_ids_say(tmp_path: Path) -> None:
    hostile = [
        "a",
        "a.txt/b",
        "a.ann/c",
        "Ärzte/痛",
        ".//x",
        "../../up",
        "/etc/passwd",
        "..",
        ".hidden",
        "a/../../b",
        "a/b",
        "C:\\x",
        "nul\0",
        "a//b",
        "%2E%2E",
    ]
    (tmp_path / "deep").mkdir()
    write([Document("x", id=identifier) for identifier in hostile], tmp_path / "deep" / "er", "brat")
    assert {path.name for path in tmp_path.iterdir()} == {"deep"}
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"er"}
    assert sorted(str(document.id) for document in read(tmp_path / "deep" / "er")) == sorted(hostile)


def test_ids_that_are_numbers_become_text_and_are_counted(tmp_path: Path) -> None:
    assert write([Document("x", id=7)], tmp_path / "out").lines() == ["ids that are numbers, written as text (1)"]
    assert [document.id for document in read(tmp_path / "out")] == ["7"]


def test_documents_without_an_id_are_numbered(tmp_path: Path) -> None:
    write([Document("x", id="document-000002"), Document("y"), Document("z")], tmp_path / "out")
    assert [document.text for document in read(tmp_path / "out")] == ["x", "y", "z"]


def test_one_document_has_the_id_it_has_in_its_folder(tmp_path: Path) -> None:
    write([Document("x", id=":a")], tmp_path / "out")
    (text,) = (tmp_path / "out").glob("*.txt")
    assert [document.id for document in read(text)] == [document.id for document in read(tmp_path / "out")] == [":a"]


def test_endings_may_be_in_capitals_but_not_both(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, TEXT, ANNOTATIONS)
    (folder / "d.txt").rename(folder / "d.TXT")
    assert [len(document) for path in (folder, folder / "d.TXT", folder / "d.ann") for document in read(path)] == [
        4
    ] * 3
    (folder / "d.txt").touch()
    with pytest.raises(InputError, match=r"d\.txt: there is also d\.TXT"):
        list(read(folder))


def test_a_carriage_return_inside_a_line_does_not_cost_the_others(tmp_path: Path) -> None:
    lines = "T1\tADR 0 6\tSevere\r\r\n#1\tAnnotatorNotes T1\tfoo\rbar\nA1\tNegated T1\n"
    losses = write(read(folder_with(tmp_path, TEXT, lines)), tmp_path / "again")
    assert annotations_of(tmp_path / "again") == [
        "T1\tADR 0 6\tSevere",
        "#1\tAnnotatorNotes T1\tfoo bar",
        "A1\tNegated T1",
    ]
    assert losses.lines() == []


def test_two_documents_with_one_id_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="document 'x': another document has the same id"):
        write([Document("a", id="x"), Document("b", id="x")], tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_text_without_annotations_and_one_file_of_a_folder_will_do(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, TEXT, ANNOTATIONS)
    (folder / "sub").mkdir()
    (folder / "sub" / "plain.txt").write_text("nothing marked", encoding="utf-8")
    (folder / ".backup").mkdir()
    (folder / ".backup" / "old.txt").write_text("old", encoding="utf-8")
    assert [(document.id, len(document)) for document in read(folder)] == [("d", 4), ("sub/plain", 0)]
    assert [len(document) for document in read(folder / "d.ann")] == [4]
    assert [len(document) for document in read(folder / "d.txt")] == [4]


@pytest.mark.parametrize(("offsets", "expected"), [("1 5", "\ufeffpain"), ("0 4", "pain")])
def test_offsets_tell_whether_a_byte_order_mark_counts(tmp_path: Path, offsets: str, expected: str) -> None:
    folder = folder_with(tmp_path, "\ufeffpain", f"\ufeffT1\tADR {offsets}\tpain\n")
    (document,) = read(folder)
    assert document.text == expected
    assert document.mentions[0].text == "pain"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(tmp_path: Path, end: str) -> None:
    folder = folder_with(tmp_path, "foo bar", end.join(["T1\tX 0 3\tfoo", "  T2\tX 4 7\tbar", ""]))
    (document,) = read(folder)
    assert [mention.text for mention in document] == ["foo", "bar"]


def test_carriage_returns_count(tmp_path: Path) -> None:
    (document,) = read(folder_with(tmp_path, "a\r\nb", "T1\tX 3 4\tb\r\n"))
    assert document.mentions[0].text == "b"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("T1\tADR 0 99\tx", "outside the text"),
        ("T1\tADR 6 0\tx", "reversed"),
        ("T1\tADR 0 6;3 9\tx", "overlap"),
        ("T1\tADR\tx", "this T line is not"),
        ("T1 ADR 0 6 x", "this T line is not"),
        ("T1\tADR 0 6;\tx", "this T line is not"),
        ("T1\tADR 0 " + "9" * 5000 + "\tx", "this T line is not"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, complaint: str) -> None:
    folder = folder_with(tmp_path, TEXT, f"T9\tADR 0 6\tSevere\n{line}\n")
    with pytest.raises(InputError, match=complaint) as caught:
        list(read(folder))
    assert (caught.value.path, caught.value.line) == (folder / "d.ann", 2)


@pytest.mark.parametrize(("name", "line"), [("d.txt", 2), ("d.ann", 1)])
def test_text_that_is_not_utf8_is_named(tmp_path: Path, name: str, line: int) -> None:
    folder = folder_with(
        tmp_path, b"ok\n\xff" if name == "d.txt" else b"", b"T1\tX 0 1\t\xff" if name == "d.ann" else b""
    )
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(read(folder))
    assert (caught.value.path, caught.value.line) == (folder / name, line)


def test_annotations_without_a_text_and_folders_without_texts_are_errors(tmp_path: Path) -> None:
    (tmp_path / "lonely.ann").touch()
    with pytest.raises(InputError, match=r"lonely\.ann: there is no \.txt file"):
        list(read(tmp_path))
    (tmp_path / "lonely.ann").unlink()
    with pytest.raises(InputError, match=r"there are no \.txt files here"):
        list(read(tmp_path))


@pytest.mark.parametrize("label", ["Body part", "a\tb", "a\nb"])
def test_a_label_with_a_blank_is_an_error(tmp_path: Path, label: str) -> None:
    with pytest.raises(CannotHoldError, match=r"^document 'd': the label .* holds a blank"):
        write([Document("x", [(label, [(0, 1)])], "d")], tmp_path / "out")


def test_an_id_that_cannot_name_a_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match=r"document 'x+\.\.\.x+': its id cannot be the name of a file here"):
        write([Document("a", id="x" * 300)], tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_sentences_that_brat_would_find_anyway_are_no_loss(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "One. Two.", "")
    write(read(folder), tmp_path / "a.jsonl")
    assert '"sentences": [[0, 4], [5, 9]]' in (tmp_path / "a.jsonl").read_text()
    assert write(read(tmp_path / "a.jsonl"), tmp_path / "again").lines() == []
    odd = Document(Layout("One. Two.", given_sentences=((0, 9),)))
    assert write([odd], tmp_path / "odd").lines() == ["texts whose words or sentences brat would find elsewhere (1)"]


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path, TEXT, ANNOTATIONS)
    (folder / "secret").mkdir()
    look = os.scandir

    def refuse(place: str) -> object:  # root, whom tests often run as, may read everything
        if str(place).endswith("secret"):
            raise PermissionError(errno.EACCES, "Permission denied", place)
        return look(place)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match="secret: cannot be read: Permission denied"):
        list(read(folder))


def test_annotations_that_lead_nowhere_are_an_error(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, TEXT, "")
    (folder / "d.ann").unlink()
    (folder / "d.ann").symlink_to(tmp_path / "nowhere")
    for path in (folder, folder / "d.txt"):
        with pytest.raises(InputError, match=r"d\.ann: cannot be read"):
            list(read(path, "brat"))


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(InputError, match="not an empty folder"):
        write([Document("x")], tmp_path / "out")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "mine"]


def test_all_of_chia_comes_through(chia_brat: Path, tmp_path: Path) -> None:
    """Counted without our reader: every T, R and * line of 1,826 documents is there again after two conversions."""
    write(read(chia_brat), tmp_path / "chia.jsonl")
    losses = write(read(tmp_path / "chia.jsonl"), tmp_path / "again")
    # Of the 14 whose text differs from their offsets' 11 only do so in white space.
    assert losses.lines() == ["values of the mentions' key 'text' (3)"]
    files = sorted(chia_brat.rglob("*.ann"))
    assert len(files) == 1826
    total = 0
    for file in files:
        again = tmp_path / "again" / file.relative_to(chia_brat)
        text = file.with_suffix(".txt").read_bytes().decode()
        assert again.with_suffix(".txt").read_bytes().decode() == text
        before, after = (path.read_text(encoding="utf-8").splitlines() for path in (file, again))
        assert sorted(line for line in before if line[0] != "T") == sorted(line for line in after if line[0] != "T")
        mentions_before, mentions_after = (
            [covered(line, text) for line in lines if line[0] == "T"] for lines in (before, after)
        )
        assert mentions_before == mentions_after
        total += sum(line[0] == "T" for line in after)
    assert total == 41_088


def covered(line: str, text: str) -> tuple[str, str, frozenset[int]]:
    """A T line's id, label and visible characters."""
    identifier, middle, _ = line.split("\t", 2)
    label, offsets = middle.split(" ", 1)
    pairs = (map(int, pair.split()) for pair in offsets.split(";"))
    return identifier, label, frozenset(index for pair in pairs for index in range(*pair) if not text[index].isspace())


def test_a_folder_opens_in_brat_as_it_is(tmp_path: Path) -> None:
    """Its settings have every type that the files use, of mentions and of all else, and the colours of mentions."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text("Pain gone.")
    (source / "a.ann").write_text(
        "T1\tADR 0 4\tPain\nT2\tEnd 5 9\tgone\nE1\tEnd:T2 Of:T1 Of2:T1\nA1\tSure E1 High\nA2\tOdd T1\n"
        "R1\tSame Arg1:T1 Arg2:T2\n*\tAlike T1 T2\nT3\tB&B 0 4\tPain\n"
    )
    write(read(source), tmp_path / "out", "brat", labels=["Drug"])
    settings = _sections((tmp_path / "out" / "annotation.conf").read_text())
    assert settings == {
        "entities": ["ADR", "Drug"],
        "relations": [
            "Same\tArg1:<ENTITY>, Arg2:<ENTITY>",
            "Alike\tArg1:<ENTITY>, Arg2:<ENTITY>, <REL-TYPE>:symmetric-transitive",
        ],
        "events": ["End\tOf*:<ANY>"],
        "attributes": ["Sure\tArg:<ANY>, Value:High", "Odd\tArg:<ANY>"],
    }
    looks = _sections((tmp_path / "out" / "visual.conf").read_text())
    colours = {line.split("\t")[0]: line.split("bgColor:")[1] for line in looks["drawing"] if "bgColor:" in line}
    assert colours.keys() == {"SPAN_DEFAULT", "ADR", "Drug", "End"}
    assert len(set(colours.values())) == 4
    assert list(read(tmp_path / "out")) == list(read(source))


def _sections(content: str) -> dict[str, list[str]]:
    parts = [part.splitlines() for part in content.split("\n\n")]
    return {title.strip("[]"): lines for title, *lines in parts}
