"""Time and memory of prediction and training, beside the encoder alone and beside the paper's formulas as they stand.

    python -m benchmarks.speed                        everything; a model is trained on the sample corpus first
    python -m benchmarks.speed --model RUN            with the model of a run instead
    python -m benchmarks.speed --sections text train  only some

All variants read the same sentences in the same batches and take turns, so that a machine that slows down does so for
all of them; ratios are of medians. Results and plots go to `benchmarks/results/`.
"""

import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import torch

from benchmarks.corpora import CORPORA, markdown_table, record
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
from disconer.schemes import GridScheme

ROUNDS = 5
FLOOR = "encoder alone"
OURS = "disconer"
LITERAL = "the formulas as they stand"
LENGTHS = (10, 20, 50, 100, 200, 500)
TYPES = (1, 5, 20)
WORDS = "severe joint and shoulder pain was seen after the second dose of the study drug in patients with fever".split()


def alternating(jobs: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[float]]:
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
        [name, f"{median(times) / floor:.2f}", f"{sentences / median(times):,.0f}", f"{min(times):.2f} to {max(times):.2f}"]
        for name, times in seconds.items()
    ]


HEADER = ["", "times the encoder", "sentences a second", "seconds"]
