"""Texts of several requests, read together."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from disconer.document import Document
from disconer.serve.batcher import Batcher, PredictOptions
from disconer.serve.monitoring import Metrics
from disconer.serve.settings import Batching
from tests.serve.recognizers import FINAL, Scripted

NO_WAIT = Batching(wait=0)


@asynccontextmanager
async def running(recognizer: Scripted, settings: Batching = NO_WAIT) -> AsyncIterator[Batcher]:
    batcher = Batcher({"a": recognizer, "b": recognizer}, settings, Metrics())
    task = asyncio.create_task(batcher.run())
    yield batcher
    task.cancel()


def asked(batcher: Batcher, *texts: str, options: PredictOptions | None = None) -> "asyncio.Task[list[Document]]":
    return asyncio.create_task(batcher.extract(options or PredictOptions("a"), [Document(text) for text in texts]))


async def held(recognizer: Scripted, batcher: Batcher) -> "asyncio.Task[list[Document]]":
    """Keep the model busy with a text, until it is let."""
    recognizer.is_open.clear()
    first = asked(batcher, "first text")
    await asyncio.to_thread(recognizer.is_reading.wait, 20)
    return first


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 30))


def test_what_comes_while_the_model_reads_is_read_together_afterwards() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer) as batcher:
            tasks = [await held(recognizer, batcher), *(asked(batcher, f"text {number}") for number in range(5))]
            await settled()
            recognizer.is_open.set()
            answers = await asyncio.gather(*tasks)
        assert recognizer.batches == [["first text"], [f"text {number}" for number in range(5)]]
        assert [document.text for (document,) in answers] == ["first text", *(f"text {number}" for number in range(5))]
        assert all(len(document) == 1 for (document,) in answers)

    run(test())


def test_a_text_waits_for_company_where_there_was_some() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer, Batching(wait=5.0, texts=3)) as batcher:
            await asyncio.gather(await held(recognizer, batcher), *_both(recognizer, batcher))
            tasks = [asked(batcher, "one two")]
            await asyncio.sleep(0.05)
            assert recognizer.batches[2:] == []
            tasks += [asked(batcher, "three four"), asked(batcher, "five six")]
            await asyncio.gather(*tasks)
        assert recognizer.batches[2:] == [["one two", "three four", "five six"]]

    run(test())


def _both(recognizer: Scripted, batcher: Batcher) -> "list[asyncio.Task[list[Document]]]":
    """Ask for two texts that will be read together."""
    asyncio.get_running_loop().call_later(0.05, recognizer.is_open.set)
    return [asked(batcher, "left text"), asked(batcher, "right text")]


def test_who_asks_alone_does_not_wait() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer, Batching(wait=600)) as batcher:
            await asked(batcher, "one two")
            await asked(batcher, "three four")
        assert recognizer.batches == [["one two"], ["three four"]]

    run(test())


def test_a_batch_has_so_many_texts_or_characters() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer, Batching(wait=0, texts=3, characters=30)) as batcher:
            await asked(batcher, *["a b"] * 4, "c " * 40, *["d " * 8] * 3)
        assert list(map(len, recognizer.batches)) == [3, 2, 2, 1]

    run(test())


def test_a_small_request_does_not_wait_for_the_whole_of_a_large_one() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer, Batching(wait=0, texts=4)) as batcher:
            await held(recognizer, batcher)
            large = asked(batcher, *(f"large {number}" for number in range(40)))
            await settled()
            small = asked(batcher, "small one", "small two")
            await settled()
            recognizer.is_open.set()
            await small
            assert not large.done()
            answers = await large
        assert [document.text for document in answers] == [f"large {number}" for number in range(40)]
        assert recognizer.batches[1] == ["large 0", "small one", "large 1", "small two"]

    run(test())


def test_options_that_differ_are_read_apart_and_take_turns() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer, Batching(wait=0, texts=2)) as batcher:
            await held(recognizer, batcher)
            plain = asked(batcher, *["plain one"] * 4)
            high = asked(batcher, *["high one"] * 4, options=PredictOptions("a", 0.9))
            other = asked(batcher, "other model", options=PredictOptions("b"))
            await settled()
            recognizer.is_open.set()
            found = await asyncio.gather(plain, high, other)
        kinds = [batch[0].split()[0] for batch in recognizer.batches[1:]]
        assert kinds == ["plain", "high", "other", "plain", "high"]
        assert [sum(map(len, documents)) for documents in found] == [4, 0, 1]

    run(test())


def test_who_goes_away_leaves_the_queue() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer) as batcher:
            await held(recognizer, batcher)
            leaving, staying = asked(batcher, "leaving now"), asked(batcher, "staying here")
            await settled()
            leaving.cancel()
            await settled()
            recognizer.is_open.set()
            await staying
        assert recognizer.batches == [["first text"], ["staying here"]]

    run(test())


def test_who_goes_away_while_being_read_harms_nobody() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer) as batcher:
            first = await held(recognizer, batcher)
            first.cancel()
            second = asked(batcher, "second text")
            recognizer.is_open.set()
            assert len(await second) == 1

    run(test())


def test_a_text_that_cannot_be_read_harms_no_other() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer) as batcher:
            await held(recognizer, batcher)
            good, bad, mixed = asked(batcher, "good one"), asked(batcher, "bad" + FINAL), asked(batcher, "x y", FINAL)
            await settled()
            recognizer.is_open.set()
            assert len(await good) == 1
            for failing in (bad, mixed):
                with pytest.raises(RuntimeError):
                    await failing
            assert len(await asked(batcher, "good again")) == 1

    run(test())


def test_the_advice_grows_with_what_waits() -> None:
    async def test() -> None:
        recognizer = Scripted()
        async with running(recognizer) as batcher:
            assert batcher.seconds_ahead() == 1
            await held(recognizer, batcher)
            tasks = [asked(batcher, "x" * 30_000) for _ in range(3)]
            await settled()
            some = batcher.seconds_ahead()
            tasks += [asked(batcher, "x" * 30_000) for _ in range(100)]
            await settled()
            assert 1 < some < batcher.seconds_ahead() == 60
            recognizer.is_open.set()
            await asyncio.gather(*tasks)

    run(test())
