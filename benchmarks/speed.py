"""Time and memory of prediction and training, beside the encoder alone and beside the paper's formulas as they stand.

    python -m benchmarks.speed                            everything; a model is trained on the sample corpus first
    python -m benchmarks.speed --model tac2017_adr=RUN    with a model that was trained on the corpus it is measured on
    python -m benchmarks.speed --sections text training   only some of it

All variants read the same sentences in the same batches, as many side by side, and take turns. Results go to
`benchmarks/results/`: tables to speed.md, figures to speed.json, and plots of those.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import torch
from torch import Tensor

from benchmarks import plots
from benchmarks.corpora import RESULTS, markdown_table, record
from benchmarks.literal import LiteralMac
from benchmarks.subjects import (
    batches_of,
    disconer,
    encode,
    forget_words,
    mac_of,
    predict,
    random_model,
    real_texts,
    sample_run,
    sentences_of,
    step,
    text_of,
)  # fmt: skip
from benchmarks.timing import Jobs, Seconds, run_in_turns
from disconer.document import Document
from disconer.encoders.batch import Batch, group_by_cost
from disconer.models.mac.network import Mac
from disconer.models.settings import InnerKind
from disconer.passage import SentenceWindow, WordMention
from disconer.recognizer import DocumentPart, Recognizer, load_recognizer
from disconer.runtime.engine import BUDGET
from disconer.runtime.torch_engine import TorchEngine, load_torch_engine
from disconer.storage.directory import find_model_directory

FLOOR, OURS, LITERAL = "encoder", "disconer", "literal"
TYPES, LENGTHS = (1, 5, 20), (10, 20, 50, 100, 200, 500)
DOCUMENT_LENGTHS = (10, 100, 500, 1_000, 10_000)
HEAD = """Every cell with ÷ is a ratio of times in the same round: median, lowest and highest of the rounds. disconer is
the default, run by torch in float32, "with lstm" the paper's model (its LSTM inside segments, none behind the
encoder, edges learned between all words); float32 and int8 are the same model exported; literal is a
direct implementation of the paper's formulas (`benchmarks/literal.py`)."""
LONGEST_LITERAL = 500
"""Words beyond which the literal formulas take the machine's memory and more."""
Table = list[dict[str, str]]
Section = dict[str, Any]


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    if arguments.child:
        _child(arguments.child[0], int(arguments.child[1]))
        return
    results = RESULTS / "speed.json"
    sections: dict[str, Section] = json.loads(results.read_text()) if results.exists() else {}
    made_by = f"torch {torch.__version__}, {arguments.threads} threads, {arguments.rounds} rounds, {date.today()}"
    with tempfile.TemporaryDirectory() as place:
        for name in arguments.sections or SECTIONS:
            measure, *_ = SECTIONS[name]
            sections[name] = {"made by": made_by, "table": measure(arguments, Path(place))}
            results.write_text(json.dumps(sections, indent=1) + "\n")
    plots.draw({name: section["table"] for name, section in sections.items()}, RESULTS)
    lines = [HEAD, ""]
    for name, (_, title, note) in SECTIONS.items():
        if name in sections:
            table = sections[name]["table"]
            lines += [f"## {title}", "", f"{note} ({sections[name]['made by']}.)", ""]
            lines += [*markdown_table(list(table[0]), [list(row.values()) for row in table]), ""]
    record("speed", "python -m benchmarks.speed", lines)


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "--model", nargs="+", default=[], metavar="CORPUS=RUN", help="instead of the sample corpus' model"
    )
    parser.add_argument("--sections", nargs="+", choices=SECTIONS)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2, metavar=("KIND", "WORDS"), help="of the memory section")
    return parser.parse_args()


def _run(arguments: Namespace, corpus: str, folder: Path) -> Path:
    """Find the run to measure with on a corpus: the one named, or else one that is trained on the sample corpus."""
    named = dict(pair.split("=", 1) for pair in arguments.model)
    return Path(named[corpus]) if corpus in named else sample_run(folder)


def real_text(arguments: Namespace, folder: Path) -> Table:
    """Predict on real sentences, from raw text to mentions, with torch and with what was exported."""
    return [
        _on_text(corpus, texts, _run(arguments, corpus, folder), arguments)
        for corpus, texts in real_texts(folder).items()
    ]


def _on_text(corpus: str, texts: list[str], run: Path, arguments: Namespace) -> dict[str, str]:
    engine = load_torch_engine(find_model_directory(run))
    batches = batches_of(engine, texts)
    with tempfile.TemporaryDirectory() as place:
        exported = {name: Path(place) / name for name in ("float32", "int8")}
        disconer("export", run, exported["float32"], "--quiet")
        disconer("export", run, exported["int8"], "--int8", "--quiet")
        recognizers = {
            OURS: Recognizer(engine),
            **{name: load_recognizer(path, threads=arguments.threads) for name, path in exported.items()},
        }
        jobs: dict[str, Callable[[], object]] = {FLOOR: partial(encode, engine, batches)}
        jobs |= {name: partial(predict, recognizer, texts) for name, recognizer in recognizers.items()}
        seconds = run_in_turns(jobs, arguments.rounds)
    return {
        "dev sentences of": f"{corpus} ({len(texts):,})",
        **{f"{name} ÷ {FLOOR}": seconds[name].relative_to(seconds[FLOOR]) for name in recognizers},
        f"{OURS} ÷ int8": seconds[OURS].relative_to(seconds["int8"]),
        **{f"{name}, sentences/s": f"{len(texts) / seconds[name].median:,.0f}" for name in jobs},
    }


def parts_of_prediction(arguments: Namespace, folder: Path) -> Table:
    """Take prediction apart, on one thread."""
    corpus, texts = next(iter(real_texts(folder).items()))
    engine = load_torch_engine(find_model_directory(_run(arguments, corpus, folder)))
    torch.set_num_threads(1)
    seconds = [_parts(engine, texts) for _ in range(arguments.rounds + 1)][1:]
    torch.set_num_threads(arguments.threads)
    shares = {name: Seconds([one[name] / sum(one.values()) for one in seconds]) for name in seconds[0]}
    return [
        {
            f"part, on {corpus}": name,
            "share": f"{share.median:.1%}",
            "lowest and highest": f"{min(share.rounds):.1%} to {max(share.rounds):.1%}",
        }
        for name, share in shares.items()
    ]


def _parts(engine: TorchEngine, texts: list[str]) -> dict[str, float]:
    """Predict step by step and give the seconds of each."""
    model, clock = mac_of(engine), Clock()
    scheme = model.scheme
    forget_words(engine.tokenizer)
    sentences = sentences_of(texts)
    clock.lap("words and sentences")
    subwords = engine.tokenizer.tokenize(sentences)
    batches = list(group_by_cost([sum(map(len, words)) for words in subwords], BUDGET))
    clock.lap("pieces")
    for indices in batches:
        batch = engine.tokenizer.collate([subwords[index] for index in indices])
        clock.lap("packing")
        with torch.inference_mode():
            words = model.encoder.encode(batch)
            clock.lap("encoder")
            if model.encoder.recurrence is not None:
                words = model.encoder.recurrence(words, batch)
            clock.lap("recurrence")
            outputs = model.head_outputs(words, batch)
        clock.lap("heads")
        grids = model.grid_builder().build(outputs, batch.lengths, scheme)
        clock.lap("reading segments and edges")
        decodings = [scheme.decode(grid) for grid in grids]
        clock.lap("decoding")
        for index, decoding in zip(indices, decodings, strict=True):
            DocumentPart(SentenceWindow(sentences[index].layout, 0, 0), range(1)).mentions(decoding)
        clock.lap("mentions")
    return clock.seconds


class Clock:
    """Adds up the time between calls, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now


def prediction(arguments: Namespace, _: Path) -> Table:
    """Predict on sentences of one length, with few types and with many."""
    table = []
    for types in TYPES:
        ours, paper = random_model(types, InnerKind.SCAN), random_model(types, InnerKind.LSTM)
        literal = LiteralMac(mac_of(paper)).eval()
        for length in LENGTHS:
            texts = [text_of(length)] * max(2 * BUDGET // length, 1)
            batch = paper.tokenizer.collate(paper.tokenizer.tokenize(sentences_of(texts)))
            jobs: Jobs = {
                FLOOR: partial(encode, ours, batches_of(ours, texts)),
                OURS: partial(predict, Recognizer(ours), texts),
                "disconer with lstm": partial(predict, Recognizer(paper), texts),
                LITERAL: partial(literal.mentions, batch),
            }
            rounds = arguments.rounds if length <= 100 else 2
            with torch.inference_mode():
                words = mac_of(ours).encoder.encode(batch)
            heads: Jobs = {
                OURS: partial(_read_heads, ours, batch, words),
                LITERAL: partial(literal.mentions, batch, words),
            }
            alone = run_in_turns(heads, rounds)
            row = _compare(length, types, run_in_turns(jobs, rounds))
            table.append({**row, "the same, without the encoder": alone[LITERAL].relative_to(alone[OURS])})
    return table


@torch.inference_mode()
def _read_heads(engine: TorchEngine, batch: Batch, words: Tensor) -> None:
    """Go from the vectors of words to mentions."""
    model = mac_of(engine)
    if model.encoder.recurrence is not None:
        words = model.encoder.recurrence(words, batch)
    for grids in model.grid_builder().build(model.head_outputs(words, batch), batch.lengths, model.scheme):
        model.scheme.decode(grids)


def training(arguments: Namespace, _: Path) -> Table:
    """Go forward and back; the optimizer's part is the same for all."""
    table = []
    for types in TYPES:
        ours, paper = (mac_of(random_model(types, inner)) for inner in (InnerKind.SCAN, InnerKind.LSTM))
        literal, tokenizer = LiteralMac(paper), random_model(types, InnerKind.SCAN).tokenizer
        for length in LENGTHS:
            texts = [text_of(length)] * min(max(600 // length, 1), 12)
            batch = tokenizer.collate(tokenizer.tokenize(sentences_of(texts)))
            targets = [ours.targets(mentions_of(length), length)] * len(texts)
            jobs: Jobs = {
                FLOOR: partial(step, ours, partial(_encode_batch, ours, batch)),
                OURS: partial(step, ours, partial(ours.loss, batch, targets)),
                "disconer with lstm": partial(step, paper, partial(paper.loss, batch, targets)),
                LITERAL: partial(step, literal, partial(literal.loss, batch, targets)),
            }
            table.append(_compare(length, types, run_in_turns(jobs, arguments.rounds if length <= 100 else 2)))
    return table


def mentions_of(length: int) -> list[WordMention]:
    """What is to be learned of a sentence: in every ten words two mentions, one of them with a gap."""
    return [
        WordMention("T0", segments)
        for first in range(0, length, 10)
        for segments in (((first, first + 1), (first + 4, first + 4)), ((first + 3, first + 4),))
    ]


def _encode_batch(model: Mac, batch: Batch) -> Tensor:
    total: Tensor = model.encoder.encode(batch).sum()
    return total


def _compare(length: int, types: int, seconds: dict[str, Seconds]) -> dict[str, str]:
    """Say it relative to the encoder, and the literal formulas relative to ours."""
    relative = {f"{name} ÷ {FLOOR}": seconds[name].relative_to(seconds[FLOOR]) for name in list(seconds)[1:]}
    ratio = seconds[LITERAL].relative_to(seconds[OURS])
    return {"words": f"{length}", "types": f"{types}", **relative, f"{LITERAL} ÷ {OURS}": ratio}


def memory(arguments: Namespace, _: Path) -> Table:
    """Let processes of their own read one text, and ask each for the most memory it had and for its time."""
    table = []
    for words in DOCUMENT_LENGTHS:
        row = {"words in one sentence": f"{words:,}"}
        for kind in (FLOOR, OURS, LITERAL):
            told = ["–", "–"]
            if kind != LITERAL or words <= LONGEST_LITERAL:
                command = [sys.executable, "-m", "benchmarks.speed", "--child", kind, str(words)]
                own = ["--threads", str(arguments.threads)]
                told = subprocess.run([*command, *own], check=True, capture_output=True, text=True).stdout.split()
            row |= {f"{kind}, MiB": told[0], f"{kind}, seconds": told[1]}
        table.append(row)
    return table


def _child(kind: str, words: int) -> None:
    """Read one text, the second time against the clock."""
    engine, text = random_model(5, InnerKind.LSTM if kind == LITERAL else InnerKind.SCAN), text_of(words)
    literal = LiteralMac(mac_of(engine)).eval() if kind == LITERAL else None
    for _ in range(2):
        began = time.perf_counter()
        if literal is not None:
            literal.mentions(engine.tokenizer.collate(engine.tokenizer.tokenize(sentences_of([text]))))
        elif kind == OURS:
            Recognizer(engine)(Document(text))
        else:
            encode(engine, batches_of(engine, [text]))
        seconds = time.perf_counter() - began
    print(f"{_most_memory():,.0f} {seconds:.3f}")


def _most_memory() -> float:
    """Read the most MiB that this process had; getrusage may count what its parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())[0]) / 1024
    return getrusage(RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


SECTIONS: dict[str, tuple[Callable[[Namespace, Path], Table], str, str]] = {
    "text": (
        real_text, "Prediction on real text",
        "From raw text to mentions, tokenising and decoding included, beside the encoder's forward pass over the same "
        "batches, packed beforehand, as many of them side by side.",
    ),
    "parts": (parts_of_prediction, "Where prediction spends its time", "Step by step, on one thread."),
    "prediction": (
        prediction, "Prediction by length and number of types",
        "Untrained heads, which find next to nothing: this is the cost of the grids. The literal formulas read all "
        "sentences as one batch.",
    ),
    "training": (
        training, "A training step by length and number of types",
        "Forward and back, in float32, without the optimizer's part, which is the same for all.",
    ),
    "memory": (
        memory, "The most memory of a process that reads one text",
        "Untrained heads for five types; the whole text is one sentence. Seconds are those of a second reading.",
    ),
}  # fmt: skip


if __name__ == "__main__":
    main()
