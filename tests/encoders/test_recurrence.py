"""The LSTM behind an encoder, beside torch's own bidirectional one."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_sequence, unpack_sequence

from disconer.document import Document
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.recurrence import BidirectionalLSTM
from disconer.encoders.settings import EncoderSettings, Recurrence
from tests.models.given import batch_of

WIDTH = 6
TEXTS = "Severe joint and shoulder pain.", "Nausea", "No rash was seen after the second dose."


def torchs_own(ours: BidirectionalLSTM) -> nn.LSTM:
    """Put the weights of both directions into one of torch's."""
    theirs = nn.LSTM(ours.width, (ours.width + 1) // 2, bidirectional=True).to(torch.double)
    own = dict(theirs.named_parameters())
    with torch.no_grad():
        for direction, suffix in ((ours.forwards, ""), (ours.backwards, "_reverse")):
            for name, parameter in direction.named_parameters():
                own[name + suffix].copy_(parameter)
    return theirs


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), st.integers(0, 2**31))
def test_each_sentence_is_read_as_torch_reads_it_alone(lengths: list[int], seed: int) -> None:
    torch.manual_seed(seed)
    recurrence = BidirectionalLSTM(WIDTH).double().eval()
    sentences = [torch.randn(length, WIDTH, dtype=torch.double) for length in lengths]
    words = torch.cat(sentences)
    found = recurrence(words, batch_of(lengths))
    filled = [sentence for sentence in sentences if len(sentence)]
    if not filled:
        assert found.shape == (0, WIDTH)
        return
    packed, _ = torchs_own(recurrence)(pack_sequence(filled, enforce_sorted=False))
    expected = recurrence.normalisation(words + torch.cat(unpack_sequence(packed)))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-9)


def test_an_odd_width_stays_what_it_is() -> None:
    assert BidirectionalLSTM(5)(torch.randn(4, 5), batch_of([3, 1])).shape == (4, 5)


def test_a_sentence_is_read_alone_as_beside_others() -> None:
    encoder, tokenizer = load_encoder(EncoderSettings("tiny"))

    def read(*texts: str) -> torch.Tensor:
        sentences = [Document(text).sentences[0] for text in texts]
        with torch.inference_mode():
            return encoder.eval()(tokenizer.collate(tokenizer.tokenize(sentences)))  # type: ignore[no-any-return]

    torch.testing.assert_close(read(*TEXTS), torch.cat([read(text) for text in TEXTS]), rtol=0, atol=1e-5)


@pytest.mark.parametrize("recurrence", Recurrence)
def test_it_learns_behind_a_frozen_encoder(recurrence: Recurrence) -> None:
    encoder, _ = load_encoder(EncoderSettings("tiny", recurrence=recurrence, frozen=True))
    learning = {name for name, parameter in encoder.named_parameters() if parameter.requires_grad}
    of_lstm = {f"recurrence.{name}" for name, _ in BidirectionalLSTM(32).named_parameters()}
    assert learning == (of_lstm if recurrence is Recurrence.LSTM else set())
