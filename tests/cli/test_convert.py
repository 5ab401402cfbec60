"""disconer convert."""

import json
import re
from pathlib import Path

from tests.cli.calls import GOLD, assert_one_line, in_terminal, run


def test_convert_goes_from_any_format_to_any(gold: Path, tmp_path: Path) -> None:
    brat, inline, back = tmp_path / "brat", tmp_path / "out.inline", tmp_path / "back.jsonl"
    for source, target in ((gold, brat), (brat, inline), (inline, back), (brat, tmp_path / "b.jsonl")):
        done = run("convert", source, target)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
    assert (brat / "1.ann").read_text() == "T1\tADR 0 9;19 23\tBad joint pain\n"
    assert inline.read_text() == "Bad joint and back pain\n0,1,4,4 ADR\n\n"
    entity = json.loads(back.read_text())["entities"][0]
    assert entity == {"label": "ADR", "spans": [[0, 9], [19, 23]]}
    assert json.loads((tmp_path / "b.jsonl").read_text())["entities"][0]["spans"] == [[0, 9], [19, 23]]


def test_convert_reads_standard_input_and_writes_standard_output() -> None:
    done = run("convert", "-", "-", "--to", "inline", stdin=GOLD)
    assert done.returncode == 0
    assert done.stdout == "Bad joint and back pain\n0,1,4,4 ADR\n\n"
    assert "not in the output: ids (1)" in done.stderr


def test_what_is_not_there_is_named_whatever_the_output_is(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for output in (tmp_path / "full", tmp_path / "nowhere" / "out.jsonl"):
        done = run("convert", tmp_path / "missing.jsonl", output)
        assert done.returncode == 2
        assert "missing.jsonl: " in done.stderr


def test_convert_asks_before_mentions_are_left_out(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "a\\n\\nb", "entities": [{"label": "X", "spans": [[0, 4]]}]}\n', encoding="utf-8")
    done = run("convert", source, tmp_path / "a.inline")
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert "--lossy" in done.stderr
    assert not (tmp_path / "a.inline").exists()
    done = run("convert", source, tmp_path / "a.inline", "--lossy")
    assert done.returncode == 0
    assert "not in the output: mentions that lie in no single sentence (1)" in done.stderr
    assert "read 1 document with 1 mention," in done.stderr


def test_a_person_at_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    """And nobody else: a file or another program gets the lines that stay."""
    many, out = tmp_path / "many.jsonl", tmp_path / "out.jsonl"
    many.write_text(GOLD * 20_000, encoding="utf-8")
    assert re.search(r"converted [\d,]+/20,000 documents", in_terminal(80, "convert", many, out, is_error=True))
    done = run("convert", many, out)
    assert done.stderr == f"read 20,000 documents with 20,000 mentions, wrote {out}\n"
