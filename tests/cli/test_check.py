"""`disconer check`, as people and programs call it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from disconer.checking import RULES
from disconer.cli import main
from tests.cli.calls import WITHOUT_HEAVY_IMPORTS, assert_one_line, run

TRAIN = (
    '{"id": "t1", "text": "It gave me bad pain now.", "entities": [{"label": "ADR", "spans": [[11, 20]]}]}\n'
    '{"id": "t2", "text": "Pains, pains", "entities": [{"label": "ADR", "spans": [[0, 4]]}, '
    '{"label": "ADR", "spans": [[7, 11]]}]}\n'
)
DEV = '{"id": "d1", "text": "it gave me bad pain now.", "entities": []}\n'


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train.jsonl"
    path.write_text(TRAIN, encoding="utf-8")
    return path


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    path = tmp_path / "dev.jsonl"
    path.write_text(DEV, encoding="utf-8")
    return path


def test_findings_are_a_line_each_and_counted(train: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(train)]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[:3] == [
        f"{train}: document 't1': 11-20: blank-edge: ADR 'bad pain ' begins or ends with a blank",
        f"{train}: document 't2': 0-4: cuts-word: ADR 'Pain' cuts 'Pains'",
        f"{train}: document 't2': 7-11: cuts-word: ADR 'pain' cuts 'pains'",
    ]
    rows = dict(line.split() for line in lines[3:] if len(line.split()) == 2)
    assert rows == {name: {"blank-edge": "1", "cuts-word": "2"}.get(name, "0") for name in RULES}
    assert printed.err == ""


def test_several_files_are_compared(train: Path, dev: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(train), str(dev), str(train), "--rules", "shared-sentence", "--quiet"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{dev}: document 'd1': 0-24: shared-sentence: ")
    assert f"is in {train}: document 't1' too" in line


def test_json_holds_what_is_documented(train: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(train), "--rules", "cuts-word,duplicate", "--json", "-"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert list(results) == ["scheme", "files", "counts", "findings"]
    assert results["scheme"] == "grid"
    assert results["files"] == [str(train)]
    assert results["counts"] == {"cuts-word": 2, "duplicate": 0}
    assert results["findings"][0] == {
        "rule": "cuts-word", "severity": "warning", "file": str(train), "document": "t2", "number": 2, "sentence": 1,
        "fragments": [[0, 4]], "label": "ADR", "text": "Pain", "message": "ADR 'Pain' cuts 'Pains'",
        "file_text": None, "path": str(train), "line": None, "id": None,
    }  # fmt: skip
    assert main(["check", str(train), "--limit", "1", "--json", str(tmp_path / "f.json")]) == 0
    assert len(json.loads((tmp_path / "f.json").read_text())["findings"]) == 3


def test_rules_can_be_left_out(train: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(train), "--skip", "cuts-word,same-id"]) == 0
    printed = capsys.readouterr().out
    assert printed.count(": blank-edge: ") == 1
    assert "cuts-word" not in printed
    assert "same-id" not in printed


def test_a_limit_is_for_each_rule_and_the_table_counts_all(train: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(train), "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[3] for line in lines[:2]] == ["blank-edge", "cuts-word"]
    assert ["cuts-word", "2"] in [line.split() for line in lines[2:]]


def test_only_a_strict_check_fails(train: Path, dev: Path) -> None:
    assert run("check", train, "--quiet").returncode == 0
    done = run("check", train, "--quiet", "--strict")
    assert done.returncode == 1
    assert done.stderr == "disconer: error: 3 findings\n"
    assert len(done.stdout.splitlines()) == 3
    assert run("check", dev, "--strict").returncode == 0


def test_another_scheme_expresses_other_mentions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    spans = [[[0, 4], [14, 17]], [[8, 13], [21, 25]]]
    entities = [{"label": "ADR", "spans": own} for own in spans]
    path.write_text(json.dumps({"text": "left or right hip or knee", "entities": entities}), encoding="utf-8")
    counts = []
    for scheme in ("grid", "bioe"):
        assert main(["check", str(path), "--rules", "not-expressible", "--scheme", scheme, "--json", "-"]) == 0
        counts.append(json.loads(capsys.readouterr().out)["counts"]["not-expressible"])
    assert counts[0] == 0 < counts[1]


def test_standard_input_is_checked_too() -> None:
    done = run("check", "-", "--quiet", stdin=TRAIN)
    assert done.returncode == 0
    assert done.stdout.startswith("standard input: document 't1': 11-20: blank-edge: ")


def test_a_corpus_without_documents_has_no_findings(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert run("check", tmp_path / "empty.jsonl", "--strict").returncode == 0


def test_text_and_labels_can_neither_move_the_cursor_nor_break_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    record = {"text": "\x1b[31mpain\n\nbad", "entities": [{"label": "\x1b[2J\nX", "spans": [[5, 14]]}]}
    path.write_text(json.dumps(record), encoding="utf-8")
    assert main(["check", str(path), "--rules", "cross-sentence", "--quiet"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.isprintable()
    assert ": cross-sentence: " in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "no-such-file.jsonl"],
        ["check", "{train}", "--rules", "no-such-rule"],
        ["check", "{train}", "--rules", ""],
        ["check", "{train}", "--skip", ",".join(RULES)],
        ["check", "{train}", "--limit", "0"],
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(train: Path, arguments: list[str]) -> None:
    done = run(*(argument.format(train=train) for argument in arguments))
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert done.stdout == ""


def test_bad_input_is_one_line_with_its_place(train: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(TRAIN + "{]\n", encoding="utf-8")
    done = run("check", train, bad, "--json", tmp_path / "out.json")
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert f"{bad}:3: " in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out.json").exists()


def test_nothing_heavy_is_imported(train: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_HEAVY_IMPORTS, "check", str(train)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_in_a_brat_folder_it_names_the_file_the_line_and_the_t_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "notes" / "ward 3"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("It gave me bad pain now. Pains.")
    (folder / "a.ann").write_text("#1\tAnnotatorNotes T9\tsure?\n\nT9\tADR 11 20\tbad pain \nT1\tADR 25 29\tPain\n")
    findings = tmp_path / "findings.json"
    arguments = [
        "check",
        str(tmp_path / "notes"),
        "--rules",
        "blank-edge,cuts-word",
        "--quiet",
        "--json",
        str(findings),
    ]
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{folder}/a.ann:3: T9: 11-20: blank-edge: ADR 'bad pain ' begins or ends with a blank",
        f"{folder}/a.ann:4: T1: 25-29: cuts-word: ADR 'Pain' cuts 'Pains'",
    ]
    found = json.loads(findings.read_text())["findings"]
    assert [(one["path"], one["line"], one["id"]) for one in found] == [
        (f"{folder}/a.ann", 3, "T9"), (f"{folder}/a.ann", 4, "T1"),
    ]  # fmt: skip
    assert main(["check", str(folder / "a.txt"), "--from", "brat", "--rules", "cuts-word", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}/a.ann:4: T1: ")


def test_of_two_mentions_at_one_place_the_wrong_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n.txt").write_text("Bad back pain.")
    (tmp_path / "n.ann").write_text("T1\tADR 4 13\tback pain\nT2\tADR 0 3\tBad\nT3\tADR 4 13\tbock pain\n")
    assert main(["check", str(tmp_path), "--rules", "text-differs,duplicate", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [[f"{tmp_path}/n.ann:3", "T3"]] * 2


def test_lines_of_real_brat_files_hold_what_is_said(chia_brat: Path, tmp_path: Path) -> None:
    findings = tmp_path / "findings.json"
    assert main(["check", str(chia_brat), "--rules", "blank-edge,cuts-word", "--quiet", "--json", str(findings)]) == 0
    found = json.loads(findings.read_text())["findings"]
    assert len(found) > 100
    for one in found:
        line = Path(one["path"]).read_text(encoding="utf-8").split("\n")[one["line"] - 1]
        assert line.startswith(f"{one['id']}\t{one['label']} ")
