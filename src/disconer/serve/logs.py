"""The server's log: a JSON object a line, on standard error, and never a word of a text."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

from disconer.serve.exchange import Exchange

_LOG = logging.getLogger("disconer.serve")
_LAST_CALLS = 12
"""Of a traceback."""


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON; of an exception only what it is and where, for its message may hold text."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        line |= getattr(record, "fields", None) or {"event": _event(record.getMessage())}
        if record.exc_info and record.exc_info[1]:
            line |= _described(record.exc_info[1])
        return json.dumps(line)


def _event(message: str) -> str:
    """Give what others log, but for a traceback that somebody made a message of."""
    return "a failure outside of a request" if "Traceback" in message else message.strip()


def configure(quiet: bool) -> None:
    """Send everything that the server and what it runs on have to say to standard error, as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("disconer.serve", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING if quiet else level)


def tell_request(route: str, method: str, exchange: Exchange) -> None:
    """Write the line of a request."""
    fields = {
        "event": "request",
        "request_id": exchange.request_id,
        "method": method,
        "route": route,
        "status": exchange.status,
        "seconds": round(exchange.seconds, 4),
        **exchange.notes,
    }
    _LOG.info("request", extra={"fields": fields})


def tell_failure(request_id: str, error: BaseException) -> None:
    """Write what went wrong, without what the exception says."""
    fields = {"event": "failure", "request_id": request_id, **_described(error)}
    _LOG.error("failure", extra={"fields": fields})


def _described(error: BaseException) -> dict[str, Any]:
    calls = traceback.extract_tb(error.__traceback__)[-_LAST_CALLS:]
    return {
        "error": type(error).__name__,
        "calls": [f"{call.filename}:{call.lineno} {call.name}" for call in calls],
    }
