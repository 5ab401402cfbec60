"""What the benchmark of the server reads off its client, without asking anybody."""

from math import inf, isnan

import pytest
from benchmarks.drives import Drive, Drives
from benchmarks.wrk import Answer, check_installed, load_of, percentile

TOLD = """Running 2s test @ http://127.0.0.1:8000/v1/extract
  1 threads and 4 connections
Requests/sec:    123.45
{"failures": 2}
"""
ANSWERS = """200 500000 12500 -
503 700000 300 7
503 800000 300 -
200 2000000 20000 -
"""


def test_answers_are_told_from_refusals() -> None:
    load = load_of(TOLD, ANSWERS, 0.5)
    assert [answer.milliseconds for answer in load.found] == [12.5, 20]
    assert [answer.retry_after for answer in load.answers if answer.is_refused] == [7]
    assert load.errors == 4  # two that failed, one that was refused, and one that was refused without a word


def test_what_is_under_way_at_the_end_takes_no_time() -> None:
    assert load_of(TOLD, ANSWERS, 0.5).found_a_second == 2 / 2.0


def test_a_server_that_never_answers_does_nothing_a_second() -> None:
    load = load_of(TOLD, "", 0.5)
    assert (load.seconds, load.found_a_second) == (inf, 0)
    assert isnan(percentile(load.found, 50))


@pytest.mark.parametrize(("percent", "milliseconds"), [(1, 1), (50, 50), (99, 99), (100, 100)])
def test_percentiles_are_times_that_were_measured(percent: int, milliseconds: float) -> None:
    answers = [Answer(200, 0, number, None) for number in range(100, 0, -1)]
    assert percentile(answers, percent) == milliseconds


def test_ratios_are_taken_within_rounds() -> None:
    fast, slow = Drives([Drive(20), Drive(90), Drive(40)]), Drives([Drive(10), Drive(30), Drive(10)])
    assert fast.relative_to(slow) == "3.00 (2.00 to 4.00)"


def test_without_wrk_a_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit) as stopped:
        check_installed()
    assert stopped.value.code == 2
    assert "apt install wrk" in capsys.readouterr().err
