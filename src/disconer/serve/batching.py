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
from disconer.serve import logs
from disconer.serve.metrics import Metrics
from disconer.serve.settings import Batching

_LONGEST_ADVICE = 60
"""Seconds after which a client may well try again, whatever is waiting."""
_FIRST_GUESS = 10_000.0
"""Characters a second, before anything was read."""
_MEMORY = 0.8
"""How much of what was known of the speed is kept when something was read."""


class Wish(NamedTuple):
    """How texts shall be read; those that wish the same can be read together."""

    model: str
    threshold: float | None = None
    context: int = 1


@dataclass(eq=False)
class Job:
    """The texts of a request on their way through the model."""

    wish: Wish
    documents: Sequence[Document]
    arrived: float
    future: asyncio.Future[None]
    taken: int = 0
    """Texts that were handed to the model."""
    answers: list[Document] = field(default_factory=list)

    @property
    def is_handed_over(self) -> bool:
        return self.taken == len(self.documents)

    def settle(self, answer: Document | Exception) -> None:
        """Take an answer; they come in the order of the texts."""
        if self.future.done():  # it was given up, or failed already
            return
        if isinstance(answer, Exception):
            self.future.set_exception(answer)
            return
        self.answers.append(answer)
        if len(self.answers) == len(self.documents):
            self.future.set_result(None)


class Batcher:
    """Reads the texts of all requests, batch by batch."""

    def __init__(self, recognizers: Mapping[str, Recognizer], settings: Batching, metrics: Metrics) -> None:
        self._recognizers = recognizers
        self._settings = settings
        self._metrics = metrics
        self._waiting: list[Job] = []
        self._arrival = asyncio.Event()
        self._speed = _FIRST_GUESS
        self._has_company = False
        """Whether the last batch had texts of several requests: if so, others are likely to come again."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disconer-model")
        self.is_reading = False
        """Whether the model is at work, which nothing can stop."""

    async def extract(self, wish: Wish, documents: Sequence[Document]) -> list[Document]:
        """Find the mentions of texts; whoever is cancelled while waiting leaves the queue."""
        if not documents:
            return []
        loop = asyncio.get_running_loop()
        job = Job(wish, documents, loop.time(), loop.create_future())
        self._waiting.append(job)
        self._arrival.set()
        try:
            await job.future
        finally:
            self._forget(job)
        return job.answers

    def seconds_ahead(self) -> int:
        """Guess how long what waits will take."""
        left = sum(len(document.text) for job in self._waiting for document in job.documents[job.taken :])
        return min(_LONGEST_ADVICE, max(1, ceil(left / self._speed)))

    async def run(self) -> None:
        """Read whatever comes, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._company()
                batch = self._batch()
                if not batch:
                    continue
                wish, documents = batch[0][0].wish, [document for _, document in batch]
                found = await loop.run_in_executor(self._thread, self._read, wish, documents)
                for (job, _), answer in zip(batch, found, strict=True):
                    job.settle(answer)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _company(self) -> None:
        """Wait for a text, and then a moment for others, unless there were none the last time either."""
        while not self._waiting:
            await self._next_arrival()
        if not self._has_company:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._waiting[0].arrived + self._settings.wait):
                while self._waiting and not self._is_enough():
                    await self._next_arrival()

    async def _next_arrival(self) -> None:
        self._arrival.clear()
        await self._arrival.wait()

    def _is_enough(self) -> bool:
        texts = sum(len(job.documents) - job.taken for job in self._waiting)
        return texts >= self._settings.texts

    def _batch(self) -> list[tuple[Job, Document]]:
        """Take texts that can be read together, one of each job in turn, beginning with who waits longest."""
        if not self._waiting:
            return []
        wish = self._waiting[0].wish
        turns = deque(job for job in self._waiting if job.wish == wish)
        batch: list[tuple[Job, Document]] = []
        characters = 0
        while turns and len(batch) < self._settings.texts and characters < self._settings.characters:
            job = turns.popleft()
            document = job.documents[job.taken]
            batch.append((job, document))
            characters += len(document.text) + 1
            job.taken += 1
            if not job.is_handed_over:
                turns.append(job)
        self._has_company = any(job is not batch[0][0] for job, _ in batch)
        # Those who wish something else come next, and those who were served in part after them.
        served = [job for job in self._waiting if job.wish == wish and not job.is_handed_over]
        self._waiting = [job for job in self._waiting if job.wish != wish] + served
        return batch

    def _forget(self, job: Job) -> None:
        if job in self._waiting:
            self._waiting.remove(job)

    def _read(self, wish: Wish, documents: list[Document]) -> list[Document | Exception]:
        """Read texts together or, where that fails, each alone: a text that cannot be read harms no other."""
        started = time.perf_counter()
        self.is_reading = True
        try:
            answers = self._found(wish, documents)
        except Exception as error:
            logs.tell_failure("", error)
            answers = [self._found_alone(wish, document) for document in documents]
        self.is_reading = False
        seconds = max(time.perf_counter() - started, 1e-6)
        characters = sum(len(document.text) for document in documents)
        self._speed = _MEMORY * self._speed + (1 - _MEMORY) * characters / seconds
        self._metrics.tell_batch(wish.model, len(documents), characters, seconds)
        return answers

    def _found_alone(self, wish: Wish, document: Document) -> Document | Exception:
        try:
            return self._found(wish, [document])[0]
        except Exception as error:  # whoever asked must hear of it, and nobody else
            return error

    def _found(self, wish: Wish, documents: list[Document]) -> list[Document | Exception]:
        recognizer = self._recognizers[wish.model]
        cut = recognizer.cut_sentences
        found = list(recognizer.pipe(documents, wish.threshold, wish.context))
        self._metrics.tell_found(wish.model, sum(map(len, found)), recognizer.cut_sentences - cut)
        return [*found]
