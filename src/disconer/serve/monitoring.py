"""The server's log, a JSON object a line on standard error, and its metrics for Prometheus: never a word of a text."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from disconer.serve.exchange import Exchange

METRICS_MEDIA_TYPE = CONTENT_TYPE_LATEST
_LOG = logging.getLogger("disconer.serve")
_LAST_CALLS = 12
"""Of a traceback."""
_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_TEXTS = (1, 2, 4, 8, 16, 32, 64)


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON; of an exception only its type and place, for its message may hold text."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        line |= getattr(record, "fields", None) or {"event": _clean_message(record.getMessage())}
        if record.exc_info and record.exc_info[1]:
            line |= _describe(record.exc_info[1])
        return json.dumps(line)


def _clean_message(message: str) -> str:
    """Keep what others log, unless it is a traceback that somebody made a message of."""
    return "a failure outside of a request" if "Traceback" in message else message.strip()


def configure_log(quiet: bool) -> None:
    """Send what the server and uvicorn have to say to standard error, as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("disconer.serve", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING if quiet else level)


def log_request(route: str, method: str, exchange: Exchange) -> None:
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


def log_failure(request_id: str, error: BaseException) -> None:
    """Write what went wrong, without what the exception says."""
    fields = {"event": "failure", "request_id": request_id, **_describe(error)}
    _LOG.error("failure", extra={"fields": fields})


def _describe(error: BaseException) -> dict[str, Any]:
    calls = traceback.extract_tb(error.__traceback__)[-_LAST_CALLS:]
    return {
        "error": type(error).__name__,
        "calls": [f"{call.filename}:{call.lineno} {call.name}" for call in calls],
    }


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        Info("disconer", "What is running", registry=registry).info({"version": version("disconer")})
        self._requests = Counter(
            "disconer_requests", "Requests answered", ("route", "method", "status"), registry=registry
        )
        self._seconds = Histogram(
            "disconer_request_seconds", "From a request to its answer", ("route",), buckets=_SECONDS, registry=registry
        )
        self._texts = Counter("disconer_texts", "Texts read", ("model",), registry=registry)
        self._characters = Counter("disconer_characters", "Characters read", ("model",), registry=registry)
        self._mentions = Counter("disconer_mentions", "Mentions found", ("model",), registry=registry)
        self._cut = Counter(
            "disconer_cut_sentences", "Sentences with too many possible mentions to find all", ("model",),
            registry=registry,
        )  # fmt: skip
        self._batch_texts = Histogram(
            "disconer_batch_texts", "Texts that were read together", buckets=_TEXTS, registry=registry
        )
        self._batch_seconds = Histogram(
            "disconer_batch_seconds", "To read texts together", buckets=_SECONDS, registry=registry
        )
        self.places = Gauge("disconer_places", "Requests that are taken at once", registry=registry)
        self.places_taken = Gauge("disconer_places_taken", "Requests under way", registry=registry)
        self.gone = Counter("disconer_clients_gone", "Clients that left before their answer", registry=registry)

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_batch(self, model: str, texts: int, characters: int, seconds: float) -> None:
        self._texts.labels(model).inc(texts)
        self._characters.labels(model).inc(characters)
        self._batch_texts.observe(texts)
        self._batch_seconds.observe(seconds)

    def count_found(self, model: str, mentions: int, cut_sentences: int) -> None:
        self._mentions.labels(model).inc(mentions)
        self._cut.labels(model).inc(cut_sentences)

    def write(self) -> bytes:
        """Write all metrics in the format of Prometheus."""
        return generate_latest(self._registry)
