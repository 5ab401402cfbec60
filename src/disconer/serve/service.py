"""What the paths of a server share: its models, its limits, its counts, and what reads for it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from fastapi import FastAPI, Request

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.recognizer import as_document
from disconer.serve.batching import Batcher, Wish
from disconer.serve.catalogue import Catalogue
from disconer.serve.departure import unless_gone
from disconer.serve.exchange import exchange_of
from disconer.serve.messages import ExtractRequest, Record
from disconer.serve.metrics import Metrics
from disconer.serve.problems import Problem, invalid, too_large
from disconer.serve.settings import Batching, Limits


class Service:
    """What the paths of one server share."""

    def __init__(self, catalogue: Catalogue, limits: Limits, batching: Batching) -> None:
        self.catalogue = catalogue
        self.limits = limits
        self.metrics = Metrics()
        self.batcher = Batcher(catalogue, batching, self.metrics)
        self.reading: asyncio.Task[None] | None = None
        """What runs while the server does."""

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG002 (FastAPI's way to call it)
        """Read texts for as long as the server runs."""
        self.reading = asyncio.create_task(self.batcher.run())
        yield
        self.reading.cancel()
        with suppress(asyncio.CancelledError):
            await self.reading

    @property
    def is_ready(self) -> bool:
        return self.reading is not None and not self.reading.done()

    def wish(self, question: ExtractRequest) -> Wish:
        """Understand how texts shall be read."""
        model = self.catalogue.default if question.model is None else question.model
        self.check_model(model)
        return Wish(model, question.threshold, question.context)

    def check_model(self, name: str) -> None:
        """Raise when there is no such model."""
        if name not in self.catalogue:
            detail = "there is no model of this name: GET /v1/models lists them"
            raise Problem(HTTPStatus.NOT_FOUND, "unknown-model", detail)

    async def read(self, request: Request, wish: Wish, records: Sequence[str | Record]) -> list[Document]:
        """Find the mentions of texts for a request, within the limits and as long as somebody waits for them."""
        self.check_texts([record if isinstance(record, str) else record.text for record in records])
        documents = await asyncio.to_thread(self.documents, records)
        notes = exchange_of(request.scope).notes
        characters = sum(len(document.text) for document in documents)
        notes.update(model=wish.model, texts=len(documents), characters=characters)
        found = await unless_gone(request.receive, self.batcher.extract(wish, documents))
        notes["mentions"] = sum(map(len, found))
        return found

    def check_texts(self, texts: Sequence[str]) -> None:
        """Raise when there are too many texts, or too long ones."""
        self.check_number(len(texts))
        for number, text in enumerate(texts):
            if len(text) > self.limits.text_characters:
                most = f"{self.limits.text_characters:,}"
                detail = f"a text may have {most} characters, and number {number} has {len(text):,}: send it in parts"
                raise too_large("text-too-long", detail)

    def check_number(self, texts: int) -> None:
        """Raise when there are too many texts."""
        if texts > self.limits.texts:
            detail = f"a request may have {self.limits.texts:,} texts, and this has {texts:,}: send fewer at a time"
            raise too_large("too-many-texts", detail)

    def documents(self, records: Sequence[str | Record]) -> list[Document]:
        """Understand what shall be read; this takes a while."""
        documents = documents_of(records)
        for number, document in enumerate(documents):
            if len(document.layout.words) > self.limits.words:
                count = f"{len(document.layout.words):,}"
                detail = (
                    f"a text may have {self.limits.words:,} words, and number {number} has {count}: send it in parts"
                )
                raise too_large("text-too-long", detail)
        return documents

    def check_surface(self, documents: Sequence[Document]) -> None:
        """Raise when mentions repeat more text than a file should hold: brat writes each one's out."""
        most = self.limits.body_bytes * self.limits.surface_factor
        fragments = (fragment for document in documents for mention in document for fragment in mention.fragments)
        if sum(fragment.end - fragment.start for fragment in fragments) > most:
            detail = f"the mentions of one file may have {most:,} characters altogether: send fewer documents"
            raise too_large("text-too-long", detail)


def documents_of(records: Sequence[str | Record]) -> list[Document]:
    """Give the documents that records stand for; a plain text is split into sentences."""
    documents = []
    for number, record in enumerate(records):
        try:
            documents.append(as_document(record) if isinstance(record, str) else record.document())
        except InputError as error:  # of these, numbers are all that may come from a request
            raise invalid(f"number {number}: {error.message}") from None
    return documents
