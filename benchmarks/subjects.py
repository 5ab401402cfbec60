"""What the benchmark of speed measures: models, texts, and the things that are done with them."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from benchmarks.corpora import CORPORA
from disconer import read
from disconer.document import Document, Sentence
from disconer.encoders.batch import Batch, group_by_cost
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings, Recurrence
from disconer.encoders.tokenizer import SubwordTokenizer, Tokenizer
from disconer.models.mac.network import Mac
from disconer.models.registry import ModelName
from disconer.models.settings import InnerKind, LearnedEdges, MacSettings
from disconer.recognizer import Recognizer
from disconer.runtime.engine import run_parallel
from disconer.runtime.torch_engine import TorchEngine
from disconer.schemes import EdgeSet, GridScheme

LONGEST = 15
"""Words of the longest segment, about what real corpora have."""
MOST_TEXTS = 1250
"""Sentences of a corpus: all of TAC's and Chia's dev, and less than half of CRAFT's."""
WORDS = "severe joint and shoulder pain was seen after the second dose of the study drug in patients with fever".split()


def disconer(*arguments: object) -> None:
    """Run the command line."""
    subprocess.run([sys.executable, "-m", "disconer", *map(str, arguments)], check=True)


def sample_run(folder: Path) -> Path:
    """Train for an epoch on the sample corpus, once: enough for a model that finds mentions."""
    run = folder / "run"
    if not run.exists():
        disconer("sample", folder / "corpus")
        data = ("--train", folder / "corpus" / "train.jsonl", "--dev", folder / "corpus" / "dev.jsonl")
        disconer("train", *data, "--out", run, "--epochs", 1, "--quiet")
    return run


def real_texts(folder: Path) -> dict[str, list[str]]:
    """Read the dev sentences of the real corpora, or of the sample corpus where those are not at hand."""
    files = {name: CORPORA / name / "dev.jsonl" for name in ("tac2017_adr", "chia", "craft")}
    if not CORPORA.is_dir():
        sample_run(folder)
        files = {"sample": folder / "corpus" / "dev.jsonl"}
    return {
        name: [sentence.text for document in read(path) for sentence in document.sentences][:MOST_TEXTS]
        for name, path in files.items()
    }


def text_of(words: int) -> str:
    """Make a text of so many words, which is one sentence."""
    return " ".join(WORDS[number % len(WORDS)] for number in range(words))


def sentences_of(texts: Sequence[str]) -> list[Sentence]:
    return [sentence for text in texts for sentence in Document(text).sentences]


def random_model(types: int, inner: InnerKind) -> TorchEngine:
    """Put an untrained head for so many types behind the embedded encoder: the default, or with an LSTM the paper's."""
    torch.manual_seed(0)
    sizes, encoder_settings = MacSettings(longest_segment=LONGEST), EncoderSettings()
    if inner is InnerKind.LSTM:
        sizes = replace(sizes, inner=inner, words=False, learned_edges=LearnedEdges.ALL)
        encoder_settings = replace(encoder_settings, recurrence=Recurrence.NONE)
    encoder, tokenizer = load_encoder(encoder_settings)
    labels = tuple(f"T{number}" for number in range(types))
    model = Mac(encoder, labels, GridScheme(edges=EdgeSet.ENDS), sizes).eval()
    return TorchEngine(model, tokenizer, labels, encoder_settings, sizes, ModelName.MAC)


def mac_of(engine: TorchEngine) -> Mac:
    if not isinstance(engine.model, Mac):
        raise TypeError("only Mac is measured")
    return engine.model


def forget_words(tokenizer: Tokenizer) -> None:
    """Let the tokenizer meet every word for the first time."""
    if isinstance(tokenizer, SubwordTokenizer):
        tokenizer.clear_cache()


def predict(recognizer: Recognizer, texts: Sequence[str]) -> None:
    """Go from raw text to mentions, with words that the tokenizer has not seen before."""
    forget_words(recognizer.engine.tokenizer)
    for _ in recognizer.pipe(map(Document, texts)):
        pass


def batches_of(engine: TorchEngine, texts: Sequence[str], budget: int | None = None) -> list[Batch]:
    """Lay out texts in the batches of prediction, the dearest first."""
    subwords = engine.tokenizer.tokenize(sentences_of(texts))
    batches = group_by_cost([sum(map(len, words)) for words in subwords], budget or engine.budget)
    return [engine.tokenizer.collate([subwords[index] for index in batch]) for batch in batches][::-1]


def encode(engine: TorchEngine, batches: Sequence[Batch]) -> None:
    """Run the encoder and nothing else, as many batches side by side as in prediction."""
    run_parallel(engine, torch.inference_mode()(engine.model.eval().encoder.encode), batches)


def step(model: nn.Module, loss: Callable[[], Tensor]) -> None:
    """Go forward and back."""
    model.train()
    loss().backward()  # type: ignore[no-untyped-call]
    model.zero_grad(set_to_none=True)
