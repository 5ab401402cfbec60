"""The tables say what the scores say, in every format."""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.document import Document
from disconer.report.contents import Contents
from disconer.report.table import Cell, ColumnGroup, Row, Table, mark_best
from disconer.report.table_formats import TABLE_FORMATS, as_csv, as_html, as_latex, as_markdown
from disconer.scoring import SCOPES, score_pairs, statistics

NASTY = st.text(st.sampled_from("ab \\&%$#_{}~^<>|\"'`*[]=+-@\n\r\té漢†★≥–"), max_size=12)


def table_of(contents: Contents, name: str) -> Table:
    return next(table for table in contents.tables if table.name == name)


def cells(table: Table) -> dict[str, list[str]]:
    return {row.name: [cell.text for cell in row.cells] for row in table.rows}


class TestPapersTables:
    def test_all_eight_are_there(self, contents: Contents) -> None:
        names = [table.name for table in contents.tables]
        assert {"data", "main", "discontinuous", "ablation", "overlap", "interval", "span", "speed"} <= set(names)
        assert len(set(names)) == len(names)

    def test_data(self, contents: Contents, gold: list[Document]) -> None:
        figures = statistics(gold)
        assert cells(table_of(contents, "data")) == {
            "S": [f"{figures.sentences:,}"],
            "M": [f"{figures.mentions:,}"],
            "D": [f"{figures.discontinuous:,}"],
            "P": [f"{figures.percent_discontinuous:.1f}"],
        }
        for name in ("overlap", "interval", "span"):
            counts = [int(row[0]) for row in cells(table_of(contents, name)).values()]
            assert sum(counts) == figures.discontinuous

    def test_main_results_are_those_of_the_median_seed(self, contents: Contents) -> None:
        result = contents.report.evaluations[0].results["Worse"]
        by_f1 = sorted(result.seeds, key=lambda seed: seed.scores.all.f1)
        assert result.median is by_f1[1]
        counts = by_f1[1].scores.all
        shown = [text.rstrip("*†") for text in cells(table_of(contents, "main"))["Worse"]]
        assert shown == [f"{100 * value:.1f}" for value in (counts.precision, counts.recall, counts.f1)]

    def test_a_system_that_is_far_worse_is_marked(self, contents: Contents) -> None:
        main = cells(table_of(contents, "main"))
        assert main["Worse"][2].endswith("*†")
        assert not main["Mac"][2].endswith("†")
        assert not main["Mac again"][2].endswith("†")

    def test_both_scopes_of_discontinuous_mentions(self, contents: Contents) -> None:
        scores = contents.report.evaluations[0].results["Mac"].median.scores
        expected = f"{100 * scores.disc_sentences.f1:.1f} / {100 * scores.disc_mentions.f1:.1f}"
        assert cells(table_of(contents, "discontinuous"))["Mac"][2] == expected

    def test_means_and_deviations(self, contents: Contents) -> None:
        seeds = contents.report.evaluations[0].results["Mac"].seeds
        values = [100 * seed.scores.all.f1 for seed in seeds]
        mean = sum(values) / 3
        deviation = (sum((value - mean) ** 2 for value in values) / 2) ** 0.5
        table = table_of(contents, "means")
        assert cells(table)["Mac"][2] == f"{mean:.1f} ± {deviation:.1f}"
        found = dict(zip(table.value_names(), table.values(table.rows[0]), strict=True))
        assert found["Sample (dev)", "F1", "mean"] == pytest.approx(mean / 100)
        assert found["Sample (dev)", "F1", "deviation"] == pytest.approx(deviation / 100)

    def test_programs_get_numbers_and_nothing_else(self, contents: Contents) -> None:
        for table in contents.tables:
            for row in table.rows:
                assert all(value is None or isinstance(value, int | float) for value in table.values(row))

    def test_what_was_chosen_on_the_scored_data_is_said(self, contents: Contents) -> None:
        assert "were chosen on the same data (Sample)" in table_of(contents, "main").caption

    def test_variants_stand_below_their_base(self, contents: Contents) -> None:
        table = table_of(contents, "ablation")
        assert [(row.name, row.is_indented) for row in table.rows] == [
            ("Mac", False), ("Worse", True), ("Mac again", True),
        ]  # fmt: skip
        assert "Worse: a=b" in table.caption

    def test_speed_is_the_mean_of_the_seeds(self, contents: Contents) -> None:
        assert cells(table_of(contents, "speed"))["Mac"] == ["200.0"]

    def test_breakdowns_are_those_of_the_scores(self, contents: Contents) -> None:
        found = contents.report.evaluations[0].results["Mac"].median.scores.breakdowns["overlap"]
        shown = cells(table_of(contents, "overlap-f1-sample"))
        expected = [f"{100 * one.f1:.1f}" if one.gold + one.predicted else "–" for one in found.values()]
        assert shown["Mac"] == expected
        assert [int(text) for text in shown["gold mentions"]] == [one.gold for one in found.values()]

    def test_errors_are_all_errors(self, contents: Contents) -> None:
        counts = contents.report.evaluations[0].results["Worse"].median.scores.all
        shown = [int(text) for text in cells(table_of(contents, "errors-sample"))["Worse"]]
        assert sum(shown) == counts.gold + counts.predicted - 2 * counts.correct

    def test_every_pair_is_compared(self, contents: Contents) -> None:
        table = table_of(contents, "significance-sample")
        assert [row.name for row in table.rows] == [
            "Mac against Worse", "Mac against Mac again", "Worse against Mac again",
        ]  # fmt: skip

    def test_json_has_every_number_and_no_text(self, contents: Contents, gold: list[Document]) -> None:
        written = json.dumps(contents.as_json(), ensure_ascii=False)
        found = json.loads(written)
        assert found["corpora"][0]["systems"]["Mac"]["answers"][0]["scores"]["all"]["gold"] > 0
        assert found["significance"]["Sample"][0].keys() == {"systems", *SCOPES}
        assert set(found["tables"]) == {table.name for table in contents.tables}
        assert not any(document.text in written for document in gold)


def small(name: str, value: str) -> Table:
    rows = [Row(name, [Cell(value, value), Cell("1.5", 1.5, is_best=True)]), Row("x", [Cell(), Cell("0", 0)], True)]
    return Table("t", "Title", value, "Model", [ColumnGroup(name, ["one", value])], rows)


class TestFormats:
    @given(NASTY, NASTY)
    def test_csv_is_read_back_and_no_formula(self, name: str, value: str) -> None:
        lines = list(csv.reader(io.StringIO(as_csv(small(name, value)), newline="")))
        assert len(lines) == 3
        assert lines[1][0].removeprefix("'") == " ".join(name.split()).removeprefix("'")
        assert lines[1][2] == "1.5"
        assert lines[2][1] == ""
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for line in lines for cell in line)

    @given(NASTY, NASTY)
    def test_latex_has_nothing_but_our_commands(self, name: str, value: str) -> None:
        text = as_latex(small(name, value))
        allowed = r"textbackslash|textasciitilde|textasciicircum|textbar|textquotedbl|textbf|geq|pm|ldots|star|dagger"
        ours = rf"\\(begin|end|centering|small|toprule|midrule|bottomrule|multicolumn|caption|label|{allowed})\b"
        left = re.sub(rf"{ours}|\\\\$|\\[&%$#_{{}}]", "", text, flags=re.MULTILINE)
        assert "\\" not in left
        assert len([line for line in text.split("\n") if line.endswith(r"\\")]) == (4 if name else 3)
        assert _braces(text) == 0
        assert not any(line.lstrip().startswith("[") for line in text.split("\n"))

    @given(NASTY, NASTY)
    def test_markdown_stays_a_table(self, name: str, value: str) -> None:
        lines = as_markdown(small(name, value)).split("\n")
        rows = [line for line in lines if line.startswith("|")]
        assert [len(re.findall(r"(?<!\\)\|", re.sub(r"\\\\", "", row))) for row in rows] == [4] * 4

    @given(NASTY, NASTY)
    def test_html_shows_the_text_and_no_more_elements(self, name: str, value: str) -> None:
        page = _Text()
        page.feed(as_html(small(name, value)))
        assert page.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "bdi", "b"}
        assert page.cells.count("1.5") == 1
        assert name in page.cells

    def test_best_numbers_are_bold_everywhere(self) -> None:
        table = small("a", "b")
        assert "<b>1.5</b>" in as_html(table)
        assert r"\textbf{1.5}" in as_latex(table)
        assert "**1.5**" in as_markdown(table)

    def test_every_table_of_a_report_in_every_format(self, contents: Contents) -> None:
        for table in contents.tables:
            for form in TABLE_FORMATS.values():
                assert form(table)

    def test_numbers_that_are_printed_alike_are_both_best(self) -> None:
        rows = mark_best([Row("a", [Cell("1", 0.10001)]), Row("b", [Cell("1", 0.10002)]), Row("c", [Cell()])])
        assert [row.cells[0].is_best for row in rows] == [True, True, False]

    def test_a_row_that_does_not_fit_is_refused(self) -> None:
        with pytest.raises(ValueError, match="does not have 1 cells"):
            Table("t", "T", "", "", [ColumnGroup("", ["one"])], [Row("r", [])])


def _braces(text: str) -> int:
    bare = re.sub(r"\\[{}]", "", text)
    return bare.count("{") - bare.count("}")


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.is_open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag in ("bdi", "b", "td"):
            self.cells.append("")
            self.is_open = True

    def handle_endtag(self, tag: str) -> None:
        self.is_open = False

    def handle_data(self, data: str) -> None:
        if self.is_open:
            self.cells[-1] += data


def test_scores_are_those_of_the_scorer(contents: Contents) -> None:
    evaluation = contents.report.evaluations[0]
    assert evaluation.results["Mac"].median.scores == score_pairs(evaluation.pairs("Mac"))
