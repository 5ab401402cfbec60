"""Time and memory of prediction and training, beside the encoder alone and beside the paper's formulas as they stand.

    python -m benchmarks.speed                        everything; a model is trained on the sample corpus first
    python -m benchmarks.speed --model RUN            with the model of a run instead
    python -m benchmarks.speed --sections text train  only some

All variants read the same sentences in the same batches and take turns, so that a machine that slows down does so for
all of them; ratios are of medians. Results go to `benchmarks/results/speed.md`.
"""

import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

import torch

from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.literal import LiteralMac
from disconer import read
from disconer.document import Document, Sentence
from disconer.encoders.packing import Packed, as_batches
from disconer.encoders.pretrained import pretrained
from disconer.encoders.settings import EncoderSettings
from disconer.models import trained as trained_models
from disconer.models.directory import find
from disconer.models.inference import BUDGET
from disconer.models.mac import Mac
from disconer.models.settings import InnerKind, MacSettings
from disconer.models.trained import Trained
from disconer.recognizer import Recognizer
from disconer.schemes import EdgeSet, GridScheme

ROUNDS = 5
FLOOR, LITERAL = "encoder alone", "formulas as they stand"
LENGTHS = (10, 20, 50, 100, 200, 500)
TYPES = (1, 5, 20)
LONGEST = 15
WORDS = "severe joint and shoulder pain was seen after the second dose of the study drug in patients with fever".split()
HEADER = ["", "times the encoder", "sentences a second", "seconds, fastest to slowest"]
Jobs = dict[str, Callable[[], object]]


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    if arguments.child:
        _child(*arguments.child)
        return
    sections = {"text": real_text, "lengths": by_length, "train": training, "memory": memory}
    lines = [f"{arguments.threads} threads, {ROUNDS} rounds after one to warm up.", ""]
    with tempfile.TemporaryDirectory() as place:
        model = arguments.model or _quickly_trained(Path(place))
        trained = trained_models.load(find(model))
        for name in arguments.sections or sections:
            lines += [*sections[name](trained), ""]
    record("speed", "python -m benchmarks.speed", lines)


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="a run or a model directory; by default one is trained on the sample corpus")
    parser.add_argument("--sections", nargs="+", choices=("text", "lengths", "train", "memory"))
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--child", nargs=2, metavar=("KIND", "WORDS"), help="of the memory section")
    return parser.parse_args()


def _quickly_trained(folder: Path) -> Path:
    """Train for an epoch on the sample corpus: enough for a model that finds mentions, which decoding needs."""
    disconer = [sys.executable, "-m", "disconer"]
    subprocess.run([*disconer, "sample", str(folder / "corpus")], check=True)
    data = ["--train", str(folder / "corpus" / "train.jsonl"), "--dev", str(folder / "corpus" / "dev.jsonl")]
    subprocess.run([*disconer, "train", *data, "--out", str(folder / "run"), "--epochs", "1"], check=True)
    return folder / "run"


def alternating(jobs: Jobs, rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Run jobs in turns, once to warm up and then several times, and give the seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(rounds + 1):
        for name, job in jobs.items():
            began = time.perf_counter()
            job()
            if number:
                seconds[name].append(time.perf_counter() - began)
    return seconds


def rows(seconds: dict[str, list[float]], sentences: int) -> list[list[str]]:
    """Say it relative to the floor first."""
    floor = median(seconds[FLOOR])
    return [
        [
            name, f"{median(times) / floor:.2f}", f"{sentences / median(times):,.0f}",
            f"{min(times):.3f} to {max(times):.3f}",
        ]
        for name, times in seconds.items()
    ]  # fmt: skip


def real_text(trained: Trained) -> list[str]:
    """Predict on real sentences, from raw text to mentions."""
    lines = []
    for corpus in ("tac2017_adr", "chia", "craft"):
        texts = [
            sentence.text for document in read(corpora() / corpus / "dev.jsonl") for sentence in document.sentences
        ]
        documents = [Document(text) for text in texts]
        packed = batches_of(trained, documents)
        jobs: Jobs = {
            FLOOR: lambda packed=packed: encode(trained, packed),
            "disconer, raw text to mentions": lambda texts=texts: list(Recognizer(trained).pipe(map(Document, texts))),
        }
        lines += [f"## Prediction: {corpus}, dev", "", *markdown_table(HEADER, rows(alternating(jobs), len(texts))), ""]
    return lines


def by_length(_: Trained) -> list[str]:
    """Predict on sentences of one length, with few and with many types."""
    table = []
    for types in TYPES:
        for length in LENGTHS:
            trained = random_model(types)
            documents = sentences_of(length, max(BUDGET // (2 * length), 2))
            packed = batches_of(trained, documents)
            literal = LiteralMac(mac_of(trained)).eval()
            jobs: Jobs = {
                FLOOR: lambda packed=packed, trained=trained: encode(trained, packed),
                "disconer": lambda documents=documents, trained=trained: list(Recognizer(trained).pipe(documents)),
                LITERAL: lambda packed=packed, literal=literal: [literal.mentions(batch) for batch in packed],
            }
            floor, ours, theirs = (median(times) for times in alternating(jobs, rounds=3).values())
            table.append(
                [f"{length}", f"{types}", f"{ours / floor:.2f}", f"{theirs / floor:.2f}", f"{theirs / ours:.1f}"]
            )
    header = ["words", "types", "disconer, times the encoder", LITERAL, "ratio of the two"]
    return ["## Prediction by length and number of types", "", *markdown_table(header, table)]


def training(_: Trained) -> list[str]:
    """Take training steps, without the optimizer's part, which is the same for all."""
    table = []
    for types in TYPES:
        for length in (10, 20, 50, 100):
            seconds = alternating(_steps(random_model(types), length), rounds=3)
            floor = median(seconds[FLOOR])
            table.append(
                [f"{length}", f"{types}", *(f"{median(seconds[name]) / floor:.2f}" for name in list(seconds)[1:])]
            )
    header = ["words", "types", "lstm", "scan", LITERAL]
    return ["## A training step, times the encoder's own", "", *markdown_table(header, table)]


def _steps(trained: Trained, length: int) -> Jobs:
    (packed,) = batches_of(trained, sentences_of(length, 12))
    model = mac_of(trained)
    scan = mac_of(random_model(len(trained.labels), InnerKind.SCAN))
    literal = LiteralMac(model)
    targets = [model.targets([])] * 12
    return {
        FLOOR: lambda: stepped(model, lambda: model.encoder(packed).sum()),
        "lstm": lambda: stepped(model, lambda: model.loss(packed, targets)),
        "scan": lambda: stepped(scan, lambda: scan.loss(packed, targets)),
        LITERAL: lambda: stepped(literal, lambda: literal.loss(packed, targets)),
    }


def memory(_: Trained) -> list[str]:
    """Let processes of their own predict on one text, and ask each for the most memory it had."""
    table = []
    for words in (10, 100, 500, 1000, 10_000):
        row = [f"{words:,}"]
        for kind in ("encoder", "disconer", "literal"):
            command = [sys.executable, "-m", "benchmarks.speed", "--child", kind, str(words)]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            row.append(done.stdout.strip() if done.returncode == 0 else "–")
        table.append(row)
    header = ["words in a text", "encoder alone", "disconer", LITERAL]
    return ["## The most memory of a process, MiB", "", *markdown_table(header, table)]


def _child(kind: str, words: str) -> None:
    trained = random_model(5)
    most = 500 if kind == "literal" else None  # which would take the machine's memory and more
    if most and int(words) > most:
        sys.exit(1)
    text = " ".join(WORDS[number % len(WORDS)] for number in range(int(words)))
    documents = [Document(text)]
    if kind == "encoder":
        encode(trained, batches_of(trained, documents))
    elif kind == "disconer":
        Recognizer(trained)(text)
    else:
        literal = LiteralMac(mac_of(trained)).eval()
        for batch in batches_of(trained, documents):
            literal.mentions(batch)
    print(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f}")


def mac_of(trained: Trained) -> Mac:
    if not isinstance(trained.model, Mac):
        raise TypeError("only Mac is measured")
    return trained.model


def random_model(types: int, inner: InnerKind = InnerKind.LSTM) -> Trained:
    """Put an untrained head for so many types behind the embedded encoder."""
    torch.manual_seed(0)
    encoder_settings, sizes = EncoderSettings(), MacSettings(longest_segment=LONGEST, inner=inner)
    encoder, reader = pretrained(encoder_settings)
    labels = tuple(f"T{number}" for number in range(types))
    model = Mac(encoder, labels, GridScheme(edges=EdgeSet.ENDS), sizes).eval()
    return Trained(model, reader, labels, encoder_settings, sizes)


def sentences_of(length: int, number: int) -> list[Document]:
    text = " ".join(WORDS[word % len(WORDS)] for word in range(length))
    return [Document(text)] * number


def batches_of(trained: Trained, documents: Iterable[Document]) -> list[Packed]:
    """Tokenise and pack sentences as prediction does."""
    sentences: list[Sentence] = [sentence for document in documents for sentence in document.sentences]
    pieces = trained.reader.pieces(sentences)
    batches = as_batches([sum(map(len, words)) for words in pieces], BUDGET)
    return [trained.reader.pack([pieces[index] for index in batch]) for batch in batches]


@torch.inference_mode()
def encode(trained: Trained, batches: Sequence[Packed]) -> None:
    """Run the encoder alone."""
    trained.model.eval()
    for packed in batches:
        trained.model.encoder(packed)


def stepped(model: Any, loss: Callable[[], torch.Tensor]) -> None:
    """Go forward and back."""
    model.train()
    loss().backward()
    model.zero_grad(set_to_none=True)


if __name__ == "__main__":
    main()
