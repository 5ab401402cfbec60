"""Texts of several requests, read together.

A model reads many short texts in a fraction of the time that they take one by one. So requests do not ask it
themselves: they leave their texts in a queue, from which one thread takes as many as fit together, one of each request
in turn, so that a small request never waits for all texts of a large one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

from disconer.document import Document
from disconer.recognizer import Recognizer
from disconer.serve.monitoring import Metrics, log_failure
from disconer.serve.settings import Batching

_LONGEST_ADVICE = 60
"""Seconds after which a client may well try again, whatever is waiting."""
_FIRST_GUESS = 10_000.0
"""Characters a second, before anything was read."""
_MEMORY = 0.8
"""How much of what was known of the speed is kept when something was read."""


class PredictOptions(NamedTuple):
    """How mentions are wanted; texts with the same options can be read together."""

    model: str
    threshold: float | None = None
    context: int = 1


@dataclass(eq=False)
class QueuedRequest:
    """The texts of a request on their way through the model."""

    options: PredictOptions
    documents: Sequence[Document]
    arrived: float
    future: asyncio.Future[None]
    taken: int = 0
    """Texts that were handed to the model."""
    predicted: list[Document] = field(default_factory=list)

    @property
    def is_taken(self) -> bool:
        return self.taken == len(self.documents)

    def add(self, outcome: Document | Exception) -> None:
        """Add what came of a text; outcomes come in the order of the texts."""
        if self.future.done():  # it was given up, or failed already
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
            return
        self.predicted.append(outcome)
        if len(self.predicted) == len(self.documents):
            self.future.set_result(None)


class Batcher:
    """Reads the texts of all requests, batch by batch."""

    def __init__(self, recognizers: Mapping[str, Recognizer], settings: Batching, metrics: Metrics) -> None:
        self._recognizers = recognizers
        self._settings = settings
        self._metrics = metrics
        self._waiting: list[QueuedRequest] = []
        self._arrival = asyncio.Event()
        self._speed = _FIRST_GUESS
        self._has_company = False
        """Whether the last batch had texts of several requests: if so, others are likely to come again."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disconer-model")
        self.is_predicting = False
        """Whether the model is at work, which nothing can stop."""

    async def extract(self, options: PredictOptions, documents: Sequence[Document]) -> list[Document]:
        """Find the mentions of texts; a request that is cancelled while waiting leaves the queue."""
        if not documents:
            return []
        loop = asyncio.get_running_loop()
        request = QueuedRequest(options, documents, loop.time(), loop.create_future())
        self._waiting.append(request)
        self._arrival.set()
        try:
            await request.future
        finally:
            if request in self._waiting:
                self._waiting.remove(request)
        return request.predicted

    def seconds_ahead(self) -> int:
        """Estimate how long what waits will take."""
        left = sum(len(document.text) for request in self._waiting for document in request.documents[request.taken :])
        return min(_LONGEST_ADVICE, max(1, ceil(left / self._speed)))

    async def run(self) -> None:
        """Read whatever comes, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._wait_for_texts()
                batch = self._take_batch()
                if not batch:
                    continue
                options, documents = batch[0][0].options, [document for _, document in batch]
                outcomes = await loop.run_in_executor(self._thread, self._predict, options, documents)
                for (request, _), outcome in zip(batch, outcomes, strict=True):
                    request.add(outcome)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _wait_for_texts(self) -> None:
        """Wait for a text, and then a moment for others, unless there were none the last time."""
        while not self._waiting:
            await self._wait_for_arrival()
        if not self._has_company:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._waiting[0].arrived + self._settings.wait):
                while self._waiting and not self._is_enough():
                    await self._wait_for_arrival()

    async def _wait_for_arrival(self) -> None:
        self._arrival.clear()
        await self._arrival.wait()

    def _is_enough(self) -> bool:
        texts = sum(len(request.documents) - request.taken for request in self._waiting)
        return texts >= self._settings.texts

    def _take_batch(self) -> list[tuple[QueuedRequest, Document]]:
        """Take texts that can be read together, one of each request in turn; who waits longest is first."""
        if not self._waiting:
            return []
        options = self._waiting[0].options
        turns = deque(request for request in self._waiting if request.options == options)
        batch: list[tuple[QueuedRequest, Document]] = []
        characters = 0
        while turns and len(batch) < self._settings.texts and characters < self._settings.characters:
            request = turns.popleft()
            document = request.documents[request.taken]
            batch.append((request, document))
            characters += len(document.text) + 1
            request.taken += 1
            if not request.is_taken:
                turns.append(request)
        self._has_company = any(request is not batch[0][0] for request, _ in batch)
        # Jobs with other options come next, and after them those that were served in part.
        served = [request for request in self._waiting if request.options == options and not request.is_taken]
        self._waiting = [request for request in self._waiting if request.options != options] + served
        return batch

    def _predict(self, options: PredictOptions, documents: list[Document]) -> list[Document | Exception]:
        """Read texts together or, where that fails, each alone: a text that cannot be read harms no other."""
        started = time.perf_counter()
        self.is_predicting = True
        try:
            outcomes = self._predict_together(options, documents)
        except Exception as error:
            log_failure("", error)
            outcomes = [self._predict_alone(options, document) for document in documents]
        self.is_predicting = False
        seconds = max(time.perf_counter() - started, 1e-6)
        characters = sum(len(document.text) for document in documents)
        self._speed = _MEMORY * self._speed + (1 - _MEMORY) * characters / seconds
        self._metrics.count_batch(options.model, len(documents), characters, seconds)
        return outcomes

    def _predict_alone(self, options: PredictOptions, document: Document) -> Document | Exception:
        try:
            return self._predict_together(options, [document])[0]
        except Exception as error:  # only the client that sent the text hears of it
            return error

    def _predict_together(self, options: PredictOptions, documents: list[Document]) -> list[Document | Exception]:
        recognizer = self._recognizers[options.model]
        cut = recognizer.cut_sentences
        found = list(recognizer.pipe(documents, options.threshold, options.context))
        self._metrics.count_found(options.model, sum(map(len, found)), recognizer.cut_sentences - cut)
        return [*found]
