"""What Prometheus is told: counts and times, no text."""

from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

MEDIA_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_TEXTS = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The counters of one server."""

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

    def tell_request(self, route: str, method: str, status: int, seconds: float) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def tell_batch(self, model: str, texts: int, characters: int, seconds: float) -> None:
        self._texts.labels(model).inc(texts)
        self._characters.labels(model).inc(characters)
        self._batch_texts.observe(texts)
        self._batch_seconds.observe(seconds)

    def tell_found(self, model: str, mentions: int, cut_sentences: int) -> None:
        self._mentions.labels(model).inc(mentions)
        self._cut.labels(model).inc(cut_sentences)

    def page(self) -> bytes:
        """Write everything as Prometheus reads it."""
        return generate_latest(self._registry)
