"""What is measured of a server, as the parts of a page."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.corpora import markdown_table
from benchmarks.drives import Drive, Driver, Drives, Questions, write_bodies
from benchmarks.served import Server, serve
from benchmarks.wrk import Answer, Load, percentile, run_wrk
from disconer import load
from disconer.recognizer import Recognizer

CONNECTIONS = (1, 4, 16, 64)
LARGE, LARGE_CONNECTIONS = 64, 2
"""Texts of a large request, and over how many connections such requests come."""
PIPED = 10 * LARGE
"""Texts that are read without a server."""
ALONE = ("--batch-texts", "1", "--batch-wait", "0")
WAITS, WAIT_CONNECTIONS = ("0", "2", "5", "10"), (1, 4, 16)
"""Milliseconds that a text may wait for company, and how many ask."""
PLACES, CROWD = 16, 128
"""Requests that a server takes at once, and how many there are always."""
SOAK_CONNECTIONS, MOMENTS = 16, 10
"""How many ask for long, and how often memory is looked at."""


class Bodies:
    """What servers are asked, as files."""

    def __init__(self, texts: Sequence[str], folder: Path) -> None:
        groups = [texts[start : start + LARGE] for start in range(0, len(texts) - LARGE + 1, LARGE)]
        pages = [" ".join(group[: 1 + 2 * number]) for number, group in enumerate(groups)]
        self.texts = texts
        self.small = Questions(write_bodies(folder / "small", texts), 1)
        self.large = Questions(write_bodies(folder / "large", groups), LARGE_CONNECTIONS, LARGE)
        everything = [one for group, page in zip(groups, pages, strict=True) for one in (*group[:16], page, group)]
        self.mixed = Questions(write_bodies(folder / "mixed", everything), SOAK_CONNECTIONS)


def together(model: str, driver: Driver, bodies: Bodies) -> list[str]:
    """Compare texts of several requests that are read together with texts that are read alone."""
    recognizer = load(model, device="cpu")
    with serve(model) as joined, serve(model, *ALONE) as alone:
        driver.warm_up((joined, alone), bodies.small)
        asked = {f"{number} × 1 text": bodies.small.over(number) for number in CONNECTIONS}
        asked[f"{LARGE_CONNECTIONS} × {LARGE} texts"] = bodies.large
        found = {name: driver.compare({"joined": joined, "alone": alone}, one) for name, one in asked.items()}
        most = {
            "pipe": partial(run_pipe, recognizer, bodies.texts[:PIPED]),
            "joined": partial(driver.drive, joined, bodies.large),
        }
        ceiling = driver.run_in_turns(most)
        memory = [str(server.memory()) for server in (joined, alone)]
    header = ["connections × request", "texts a second", "one at a time", "ratio", "p50 / p90 / p99"]
    header += ["one at a time", "texts a batch", "errors"]
    rows = [comparison_row(name, drives["joined"], drives["alone"]) for name, drives in found.items()]
    share, rate = ceiling["joined"].relative_to(ceiling["pipe"]), ceiling["pipe"].texts_a_second
    return [
        "", "### Texts of several requests read together, and one at a time", "", *markdown_table(header, rows), "",
        f"In one process, without HTTP, `pipe` reads {rate:,.0f} of these texts a second; the server reads {share} "
        f"times as many in requests of {LARGE}. Memory: {memory[0]}; one at a time, {memory[1]}.",
    ]  # fmt: skip


def run_pipe(recognizer: Recognizer, texts: Sequence[str]) -> Drive:
    """Read texts without a server."""
    began = time.perf_counter()
    for _ in recognizer.pipe(texts):
        pass
    return Drive(len(texts) / (time.perf_counter() - began))


def comparison_row(name: str, joined: Drives, alone: Drives) -> list[str]:
    return [
        name, f"{joined.texts_a_second:,.0f}", f"{alone.texts_a_second:,.0f}", joined.relative_to(alone),
        times(joined.found), times(alone.found), f"{joined.texts_a_batch:.1f}", f"{joined.errors + alone.errors}",
    ]  # fmt: skip


def times(answers: Sequence[Answer]) -> str:
    return " / ".join(f"{percentile(answers, percent):.0f}" for percent in (50, 90, 99))


def waits(model: str, driver: Driver, bodies: Bodies) -> list[str]:
    """Let texts wait for company for different times."""
    with ExitStack() as stack:
        servers = {wait: stack.enter_context(serve(model, "--batch-wait", wait)) for wait in WAITS}
        driver.warm_up(servers.values(), bodies.small)
        found = [driver.compare(servers, bodies.small.over(number)) for number in WAIT_CONNECTIONS]
    rows = [[wait, *(cell for drives in found for cell in wait_cells(drives, wait))] for wait in WAITS]
    header = ["--batch-wait, ms"]
    for number in WAIT_CONNECTIONS:
        header += [f"{number} × 1 text: texts a second", f"relative to {WAITS[0]} ms", "p50"]
    return ["", "### How long texts wait for company", "", *markdown_table(header, rows)]


def wait_cells(drives: Mapping[str, Drives], wait: str) -> list[str]:
    own = drives[wait]
    return [f"{own.texts_a_second:,.0f}", own.relative_to(drives[WAITS[0]]), f"{percentile(own.found, 50):.1f}"]


def overload(model: str, driver: Driver, bodies: Bodies) -> list[str]:
    """Ask more than a server takes."""
    with serve(model, "--max-waiting", str(PLACES)) as server:
        driver.warm_up((server,), bodies.small)
        before = server.memory()
        server.forget_peak()
        load = run_wrk(server.extract_url, bodies.small.bodies, CROWD, 3 * driver.seconds)
        after = server.memory()
        alive = afterwards(server, bodies)
    header = ["", "requests", "a second", "p50 / p90 / p99", "longest"]
    rows = [crowd_row(name, answers, load) for name, answers in kinds(load.answers).items()]
    return [
        "", f"### {CROWD} connections at a server that takes {PLACES} requests at once", "",
        *markdown_table(header, rows), "",
        f"Connections that failed or waited in vain: {load.failures}. Memory: {before.megabytes:.0f} MB before, "
        f"then {after}. {alive}",
    ]  # fmt: skip


def kinds(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """Tell answers from refusals, and those from what must not be."""
    return {
        "answered": [answer for answer in answers if answer.is_found],
        "refused: 503 with Retry-After": [answer for answer in answers if answer.is_refused],
        "anything else": [answer for answer in answers if not answer.is_found and not answer.is_refused],
    }


def crowd_row(name: str, answers: Sequence[Answer], load: Load) -> list[str]:
    long = [times(answers), f"{percentile(answers, 100):.0f}"] if answers else ["", ""]
    return [name, f"{len(answers):,}", f"{len(answers) / load.seconds:,.0f}", *long]


def afterwards(server: Server, bodies: Bodies) -> str:
    """Say how a server is that had too much to do."""
    if not server.is_alive:
        return "Afterwards the server was dead."
    began = time.perf_counter()
    server.extract(bodies.texts[0])
    return f"Afterwards it answered a request within {1000 * (time.perf_counter() - began):.0f} ms."


def endurance(server: Server, bodies: Bodies, seconds: int) -> list[str]:
    """Ask a server for long, and watch its memory."""
    server.forget_peak()
    moments = [server.memory()]
    with ThreadPoolExecutor(1) as client:
        mixed = bodies.mixed
        asking = client.submit(run_wrk, server.extract_url, mixed.bodies, mixed.connections, seconds)
        for _ in range(MOMENTS):
            time.sleep(seconds / MOMENTS)
            moments.append(server.memory())
        load = asking.result()
    header = ["seconds", *(f"{number * seconds / MOMENTS:g}" for number in range(MOMENTS + 1))]
    return [
        "", f"### Memory of a server that is asked for {seconds} s without a break", "",
        *markdown_table(header, [["MB", *(f"{moment.megabytes:.0f}" for moment in moments)]]), "",
        f"{SOAK_CONNECTIONS} connections; single texts, long texts and requests of {LARGE} texts: "
        f"{len(load.found):,} requests were answered, {load.errors:,} were not. Memory at the end: {moments[-1]}.",
    ]  # fmt: skip
