"""The server's log."""

import json
import logging

import pytest

from disconer.serve import monitoring
from disconer.serve.exchange import Exchange

SECRET = "Zyxwvut"


def failing() -> None:
    raise ValueError(SECRET)


def test_a_line_is_json_and_an_exception_is_told_without_its_message() -> None:
    try:
        failing()
    except ValueError as error:
        record = logging.LogRecord(
            "uvicorn.error", logging.ERROR, "", 0, "it broke", (), (ValueError, error, error.__traceback__)
        )
    line = monitoring.JsonLines().format(record)
    told = json.loads(line)
    assert (told["level"], told["event"], told["error"]) == ("error", "it broke", "ValueError")
    assert told["calls"][-1].endswith(" failing")
    assert told["time"].endswith("+00:00")
    assert SECRET not in line


@pytest.mark.parametrize(("quiet", "lines"), [(False, 1), (True, 0)])
def test_quiet_servers_keep_their_requests_to_themselves(
    quiet: bool, lines: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("disconer.serve", "uvicorn.error"):
        logger = logging.getLogger(name)
        for attribute in ("handlers", "propagate", "level"):
            monkeypatch.setattr(logger, attribute, getattr(logger, attribute))
    monitoring.configure_log(quiet)
    monitoring.log_request("/v1/extract", "POST", Exchange("id", status=200))
    assert len(capsys.readouterr().err.splitlines()) == lines
    monitoring.log_failure("id", ValueError(SECRET))
    error = capsys.readouterr().err
    assert json.loads(error)["error"] == "ValueError"
    assert SECRET not in error
