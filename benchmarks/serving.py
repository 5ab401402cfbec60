"""How much a server answers, and how fast: texts of several requests read together, against one text at a time.

    python -m benchmarks.serving MODEL [--exported MODEL]

wrk asks on the loopback interface, on the same cores that the model needs. Servers that are compared run side by side
and are asked in turns. Takes about seven minutes with two models, and needs Linux. Results go to
`benchmarks/results/serving.md`.
"""

import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from benchmarks.corpora import record
from benchmarks.drives import Driver
from benchmarks.served import serve
from benchmarks.serving_tables import Bodies, endurance, overload, together, waits
from benchmarks.wrk import check_installed
from disconer import read
from disconer.corpora.sample import sample


def main() -> None:
    arguments = parse_arguments()
    check_installed()
    texts, driver = texts_of(arguments.texts), Driver(arguments.seconds, arguments.rounds)
    with tempfile.TemporaryDirectory() as place:
        bodies = Bodies(texts, Path(place))
        models = [model for model in (arguments.model, arguments.exported) if model]
        lines = [line for model in models for line in sections(model, driver, bodies, arguments.soak)]
    record("serving", command(arguments), [preface(texts, driver), *lines])


def parse_arguments() -> Namespace:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model", metavar="MODEL", help="a run or a model directory")
    parser.add_argument("--exported", metavar="MODEL", help="another one, say that which `disconer export` made of it")
    parser.add_argument("--texts", type=Path, metavar="FILE", help="what to ask for; the sample corpus by default")
    parser.add_argument("--seconds", type=int, default=2, metavar="N", help="of each measurement; 2 by default")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of each comparison; 3 by default")
    parser.add_argument(
        "--soak", type=int, default=20, metavar="SECONDS",
        help="how long to watch the memory of a server that is asked without a break; 20 by default, 0 for not at all",
    )  # fmt: skip
    return parser.parse_args()


def texts_of(path: Path | None) -> list[str]:
    documents = read(path) if path else (document for split in sample().values() for document in split)
    return [document.text for document in documents]


def sections(model: str, driver: Driver, bodies: Bodies, soak: int) -> list[str]:
    """Measure everything about a model."""
    with serve(model) as server:
        kind, runtime = server.model()
        memory = endurance(server, bodies, soak) if soak else []
    parts = [together(model, driver, bodies), waits(model, driver, bodies), overload(model, driver, bodies), memory]
    return ["", f"## A model of the kind {kind}, run by {runtime}", *(line for part in parts for line in part)]


def preface(texts: list[str], driver: Driver) -> str:
    characters = sum(map(len, texts)) / len(texts)
    return (
        f"{len(texts):,} texts of {characters:.0f} characters on average; {driver.rounds} rounds of {driver.seconds} s "
        "each. wrk, with one thread, asks over so many connections, each again as soon as it has its answer. It shares "
        f"the cores with the server, and took up to {driver.busiest:.2f} of one. Times are the client's, in "
        "milliseconds, of requests that were answered with 200; texts a second are the median of the rounds; "
        "ratios are taken within rounds: median, lowest, highest."
    )


def command(arguments: Namespace) -> str:
    """Write the command without its paths, which say nothing elsewhere."""
    paths = [*(["--exported MODEL"] if arguments.exported else []), *(["--texts FILE"] if arguments.texts else [])]
    numbers = [f"--{name} {getattr(arguments, name)}" for name in ("seconds", "rounds", "soak")]
    return " ".join(("python -m benchmarks.serving MODEL", *paths, *numbers))


if __name__ == "__main__":
    main()
