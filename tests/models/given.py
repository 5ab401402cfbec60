"""Models for tests: with given word vectors, and with random weights that find all sorts of mentions everywhere."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings
from disconer.models.mac.network import Mac
from disconer.models.model import Model
from disconer.models.registry import ModelName
from disconer.models.settings import MacSettings
from disconer.runtime.torch_engine import TorchEngine
from disconer.schemes import GridScheme

WIDTH = 6
LABELS = ("ADR", "Drug")


class GivenVectors(WordEncoder):
    """An encoder that has been told its output."""

    width = WIDTH

    def __init__(self) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.zeros(0, WIDTH))

    def encode(self, _: Batch) -> Tensor:
        return self.vectors


def batch_of(lengths: Sequence[int]) -> Batch:
    nothing = np.zeros(0, dtype=np.int64)
    return Batch(nothing, nothing.astype(np.bool_), nothing, nothing, np.array(lengths, dtype=np.int64))


def give(model: Model, sentences: Sequence[Tensor]) -> Batch:
    """Have the model read these word vectors."""
    cast("GivenVectors", model.encoder).vectors = nn.Parameter(torch.cat(list(sentences)))
    return batch_of([len(words) for words in sentences])


def random_sentences(*lengths: int) -> list[Tensor]:
    return [torch.randn(length, WIDTH, dtype=torch.double) for length in lengths]


def talkative(encoder_settings: EncoderSettings, sizes: MacSettings, scheme: GridScheme) -> TorchEngine:
    """Make one; its segments have up to three words unless the sizes say otherwise."""
    torch.manual_seed(0)
    sizes = replace(sizes, width=16, longest_segment=sizes.longest_segment or 3, prior=0.4)
    encoder, tokenizer = load_encoder(encoder_settings)
    model = Mac(encoder, LABELS, scheme, sizes)
    for module in (model.segment_pairs, model.edge_pairs, model.segment_classifier, model.edge_classifier):
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter, std=0.15)
    if model.word_scores is not None:
        for parameter in model.word_scores.parameters():
            torch.nn.init.normal_(parameter, std=0.05)
        torch.nn.init.constant_(model.word_scores.steps.bias, 2.0)  # so that no step makes a segment improbable
    return TorchEngine(model.eval(), tokenizer, LABELS, encoder_settings, sizes, ModelName.MAC)
