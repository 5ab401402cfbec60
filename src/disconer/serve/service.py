"""What the paths of a server share: its models, its limits, its metrics and its queue."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from fastapi import FastAPI, Request

from disconer.document import Document
from disconer.exceptions import InputError
from disconer.recognizer import as_document
from disconer.serve.batcher import Batcher, PredictOptions
from disconer.serve.catalogue import Catalogue
from disconer.serve.exchange import await_unless_gone, get_exchange
from disconer.serve.messages import ExtractRequest, Record
from disconer.serve.monitoring import Metrics
from disconer.serve.problems import Problem, invalid, too_large
from disconer.serve.settings import Batching, Limits


class Service:
    """What the paths of one server share."""

    def __init__(self, catalogue: Catalogue, limits: Limits, batching: Batching) -> None:
        self.catalogue = catalogue
        self.limits = limits
        self.metrics = Metrics()
        self.batcher = Batcher(catalogue, batching, self.metrics)
        self._batching: asyncio.Task[None] | None = None
        """What runs while the server does."""

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG002 (FastAPI's way to call it)
        """Read texts for as long as the server runs."""
        self._batching = asyncio.create_task(self.batcher.run())
        yield
        self._batching.cancel()
        with suppress(asyncio.CancelledError):
            await self._batching

    @property
    def is_ready(self) -> bool:
        return self._batching is not None and not self._batching.done()

    def options(self, question: ExtractRequest) -> PredictOptions:
        """Read how a request wants its mentions."""
        model = self.catalogue.default if question.model is None else question.model
        self.check_model(model)
        return PredictOptions(model, question.threshold, question.context)

    def check_model(self, name: str) -> None:
        """Raise when there is no such model."""
        if name not in self.catalogue:
            detail = "there is no model of this name: GET /v1/models lists them"
            raise Problem(HTTPStatus.NOT_FOUND, "unknown-model", detail)

    async def extract(
        self, request: Request, options: PredictOptions, records: Sequence[str | Record]
    ) -> list[Document]:
        """Find the mentions of texts for a request, within the limits and as long as the client waits for them."""
        self.check_texts([record if isinstance(record, str) else record.text for record in records])
        documents = await asyncio.to_thread(self._to_documents, records)
        notes = get_exchange(request.scope).notes
        characters = sum(len(document.text) for document in documents)
        notes.update(model=options.model, texts=len(documents), characters=characters)
        found = await await_unless_gone(request.receive, self.batcher.extract(options, documents))
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

    def _to_documents(self, records: Sequence[str | Record]) -> list[Document]:
        """Split texts into sentences and words, which takes a while, and check their number."""
        documents = to_documents(records)
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


def to_documents(records: Sequence[str | Record]) -> list[Document]:
    """Make documents of records; a plain text is split into sentences."""
    documents = []
    for number, record in enumerate(records):
        try:
            documents.append(as_document(record) if isinstance(record, str) else record.to_document())
        except InputError as error:  # of these, numbers are all that may come from a request
            raise invalid(f"number {number}: {error.message}") from None
    return documents
