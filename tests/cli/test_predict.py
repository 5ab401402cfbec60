"""disconer predict."""

import io
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from disconer import load, read
from disconer.cli import main
from tests.cli.calls import in_terminal, run

TEXT = "Severe joint, shoulder and upper body pain. Slept well."


def predict(*arguments: object) -> int:
    return main(["predict", *map(str, arguments), "--device", "cpu"])


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_standard_input_is_plain_text_a_document_a_line(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, f"{TEXT}\n\nHeadache\n")
    assert predict(model_folder, "-", "--quiet") == 0
    output = capsys.readouterr()
    documents = lines_of(output.out)
    assert [document["text"] for document in documents] == [TEXT, "", "Headache"]
    assert documents[1]["entities"] == []
    assert documents[0]["entities"]
    assert all(0 <= entity["score"] <= 1 for document in documents for entity in document["entities"])
    assert output.err == ""


def test_jsonl_keeps_order_ids_and_unknown_keys(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records: list[dict[str, Any]] = [
        {"id": 3, "text": "Joint pain.", "entities": [{"label": "Old", "spans": [[0, 5]]}], "source": {"page": 9}},
        {"id": "x", "text": "None", "entities": []},
        {"id": 1, "text": "Joint and back pain in the evening after a long day of work"},
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert predict(model_folder, tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl") == 0
    found = lines_of((tmp_path / "out.jsonl").read_text())
    assert [(document["id"], document["text"]) for document in found] == [(r["id"], r["text"]) for r in records]
    assert found[0]["source"] == {"page": 9}
    assert not {entity["label"] for document in found for entity in document["entities"]} - {"ADR", "Drug"}
    assert "mentions in 3 documents" in capsys.readouterr().err


def test_text_files_and_folders_become_brat(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes" / "ward").mkdir(parents=True)
    (tmp_path / "notes" / "one.txt").write_text(TEXT + "\n", newline="")
    (tmp_path / "notes" / "ward" / "two.txt").write_text("Nausea\r\nand fever.\r\n", newline="")
    assert predict(model_folder, tmp_path / "notes", "-o", tmp_path / "annotated", "--quiet") == 0
    annotated = {document.id: document for document in read(tmp_path / "annotated")}
    assert annotated.keys() == {"one", "ward/two"}
    assert annotated["ward/two"].text == "Nausea\r\nand fever.\r\n"
    assert any(mention.is_discontinuous for mention in annotated["one"])
    assert ";" in (tmp_path / "annotated" / "one.ann").read_text()
    assert predict(model_folder, tmp_path / "notes" / "one.txt", "-o", tmp_path / "one.jsonl", "--quiet") == 0
    alone = next(read(tmp_path / "one.jsonl"))
    assert [mention.key for mention in alone] == [mention.key for mention in annotated["one"]]


class Page(HTMLParser):
    """Collects what a page's figures say."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: set[str] = set()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.labels |= {value for name, value in attrs if name == "data-label" and value}


def test_a_page_is_drawn_beside_the_predictions(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        "\n".join(json.dumps({"text": text}) for text in (TEXT, "<script>alert(1)</script> pain", "Joint pain"))
    )
    options = ("-o", tmp_path / "out.jsonl", "--html", tmp_path / "page.html", "--quiet")
    assert predict(model_folder, tmp_path / "in.jsonl", *options) == 0
    page = Page()
    text = (tmp_path / "page.html").read_text()
    page.feed(text)
    assert text.count("<figure") == 3
    assert page.labels == {"ADR", "Drug"}
    assert text.count("<script>") == text.count("<script") == 1  # its own
    assert "&lt;script&gt;alert(1)" in text
    assert len(lines_of((tmp_path / "out.jsonl").read_text())) == 3


def test_predictions_can_be_drawn_on_the_terminal(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, TEXT + "\n")
    assert predict(model_folder, "-", "--draw", "--quiet") == 0
    drawn = capsys.readouterr().out
    assert "Severe joint" in drawn
    assert "ADR" in drawn
    assert "\x1b" not in drawn


def test_texts_can_stand_in_the_call(model_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predict(model_folder, "--text", TEXT, "--text", "", "--text", "Joint\nand back pain.") == 0
    output = capsys.readouterr()
    documents = lines_of(output.out)
    assert [document["text"] for document in documents] == [TEXT, "", "Joint\nand back pain."]
    spans = [[list(fragment) for fragment in mention.fragments] for mention in load(model_folder)(TEXT)]
    assert [entity["spans"] for entity in documents[0]["entities"]] == spans
    assert output.err.endswith("mentions in 3 documents\n")
    assert predict(model_folder, "--text", "") == 0
    assert capsys.readouterr().err == "0 mentions in 1 document\n"


def test_what_is_drawn_is_written_only_where_that_is_asked_for(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, found = tmp_path / "page.html", tmp_path / "found.jsonl"
    call = (model_folder, "--text", TEXT, "--quiet")
    assert predict(*call, "--html", page) == 0
    assert capsys.readouterr().out == ""
    assert predict(*call, "--html", page, "--draw") == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith("Severe joint")
    assert "{" not in drawn
    assert predict(*call, "--draw", "-o", found) == 0
    assert capsys.readouterr().out == drawn
    assert lines_of(found.read_text())[0]["text"] == TEXT
    assert predict(*call, "--html", page, "-o", "-") == 0
    assert capsys.readouterr().out == found.read_text()
    assert predict(*call, "--html", page, "--to", "jsonl") == 0
    assert capsys.readouterr().out == found.read_text()
    assert predict(*call, "--html", "-") == 0
    assert capsys.readouterr().out == page.read_text()


def test_a_threshold_can_be_given(model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": TEXT}))
    counts = []
    for threshold in (0.3, 0.56, 0.99):
        assert predict(model_folder, tmp_path / "in.jsonl", "--threshold", threshold, "--quiet") == 0
        counts.append(len(lines_of(capsys.readouterr().out)[0]["entities"]))
    assert counts[0] > counts[1] > counts[2] == 0


def test_sentences_can_be_read_together(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(TEXT)
    documents = []
    for context in (1, 2):
        path = tmp_path / f"{context}.jsonl"
        assert predict(model_folder, tmp_path / "in.txt", "-o", path, "--context", context, "--quiet") == 0
        documents += [load(model_folder)(TEXT, context=context), next(read(path))]
    keys = [[mention.key for mention in document] for document in documents]
    assert keys[0] == keys[1] != keys[2] == keys[3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "in.jsonl"), "no such run"),
        (("{model}", "nowhere.jsonl"), "no such file"),
        (("{model}", "nowhere"), "no such file"),
        (("{model}", "in.jsonl", "--threshold", "0"), "above 0"),
        (("{model}", "in.jsonl", "--threads", "0"), "above 0"),
        (("{model}", "in.jsonl", "--context", "0"), "above 0"),
        (("{model}", "in.jsonl", "--draw", "-o", "-"), "--draw"),
        (("{model}", "in.jsonl", "--draw", "--to", "jsonl"), "--draw"),
        (("{model}", "in.jsonl", "--html", "-", "-o", "-"), "standard output"),
        (("{model}", "in.jsonl", "--html", "-", "--draw"), "standard output"),
        (("{model}",), "--text"),
        (("{model}", "in.jsonl", "--text", "Pain."), "--text"),
        (("{model}", "--text", "Pain.", "--from", "jsonl"), "--from"),
        (("{model}", "--text", "\udcff"), "half a surrogate pair"),
        (("{model}", "in.jsonl", "-o", "out.strange"), "--to"),
        (("{model}", "in.jsonl", "--to", "text"), "invalid choice"),
        (("{model}", "bad.jsonl", "-o", "out.jsonl"), "bad.jsonl:2"),
    ],
)
def test_wrong_calls_are_one_line_and_leave_nothing(
    arguments: tuple[str, ...], message: str, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_text(json.dumps({"text": TEXT}))
    Path("bad.jsonl").write_text(json.dumps({"text": TEXT}) + "\nnonsense\n")
    try:
        status = main(["predict", *(argument.format(model=model_folder) for argument in arguments)])
    except SystemExit as stop:
        status = int(str(stop.code))
    errors = capsys.readouterr().err
    assert status == 2
    assert errors.count("\n") == 1
    assert message in errors
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "bad.jsonl"}


def test_without_torch_there_is_a_friendly_line(model_folder: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nsys.modules['torch'] = None\nfrom disconer.cli import main\nraise SystemExit(main(sys.argv[1:]))"
    )
    (tmp_path / "in.txt").write_text("Pain.")
    command = [sys.executable, "-c", code, "predict", str(model_folder), str(tmp_path / "in.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "disconer: error: this needs torch: pip install 'disconer[torch]'\n"


def test_who_stops_looking_at_drawings_still_gets_what_is_written(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"id": n, "text": TEXT}) + "\n" for n in range(400)))
    command = [sys.executable, "-m", "disconer", "predict", str(model_folder), str(tmp_path / "in.jsonl"), "--draw"]
    with subprocess.Popen(
        [*command, "-o", str(tmp_path / "out.jsonl")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
    assert process.returncode == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 400


def test_beside_a_bar_drawings_go_where_they_were_sent(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"id": n, "text": TEXT}) + "\n" for n in range(400)))
    command = ["predict", model_folder, tmp_path / "in.jsonl", "--draw"]
    whole = run(*command).stdout
    with (tmp_path / "drawn.txt").open("wb") as stream:
        seen = in_terminal(100, *command, is_error=True, output=stream)
    assert (tmp_path / "drawn.txt").read_text() == whole
    assert "predicted" in seen
