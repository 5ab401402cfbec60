"""Vectors of words, from transformers made on the spot and from the embedded one."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    BertModel,
    FNetConfig,
    FNetModel,
    LayoutLMConfig,
    LayoutLMModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
)

from disconer.document import Document, Sentence
from disconer.encoders import settings as encoder_settings
from disconer.encoders.batch import windows
from disconer.encoders.encoder import TransformerEncoder
from disconer.encoders.pretrained import build_encoder, build_tiny, describe_architecture, load_encoder
from disconer.encoders.settings import EncoderSettings, Layers, Pooling, Recurrence, resolve_encoder
from disconer.encoders.tokenizer import SubwordTokenizer
from disconer.exceptions import InputError
from disconer.storage.weights import collect_weights, fill_weights


def sentence_of(text: str) -> Sentence:
    return Document(text).sentences[0]


def transformer_of(settings: EncoderSettings) -> tuple[TransformerEncoder, SubwordTokenizer]:
    encoder, tokenizer = load_encoder(settings)
    assert isinstance(encoder, TransformerEncoder)
    assert isinstance(tokenizer, SubwordTokenizer)
    return encoder, tokenizer


def vectors_of(settings: EncoderSettings, *texts: str, seed: int = 0) -> torch.Tensor:
    torch.manual_seed(seed)
    encoder, tokenizer = load_encoder(settings)
    with torch.inference_mode():
        return encoder.eval().encode(tokenizer.collate(tokenizer.tokenize([sentence_of(text) for text in texts])))


def test_the_embedded_encoder_is_found_and_is_what_it_says() -> None:
    place = resolve_encoder("minilm")
    assert isinstance(place, Path)
    assert hashlib.sha256((place / "model.safetensors").read_bytes()).hexdigest() == encoder_settings.EMBEDDED_SHA256


def test_without_the_wheel_the_embedded_encoder_comes_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_settings, "EMBEDDED_WHEEL", "no-such-wheel")
    assert resolve_encoder("minilm") == "sentence-transformers/all-MiniLM-L6-v2"


FROM_HUB = """
from disconer.encoders import settings
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings
settings.EMBEDDED_WHEEL = "no-such-wheel"
print(load_encoder(EncoderSettings())[0].width)
"""


@pytest.mark.parametrize("is_tampered", [False, True])
def test_what_the_hub_sends_is_checked_too(is_tampered: bool, tmp_path: Path) -> None:
    """Lay the wheel's files out as the hub's cache has them, so that the hub's own code finds them."""
    place = resolve_encoder("minilm")
    assert isinstance(place, Path)
    repository = tmp_path / "models--sentence-transformers--all-MiniLM-L6-v2"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0" * 40)
    shutil.copytree(place, repository / "snapshots" / ("0" * 40))
    if is_tampered:
        with (repository / "snapshots" / ("0" * 40) / "model.safetensors").open("r+b") as weights_file:
            weights_file.seek(-4, os.SEEK_END)
            weights_file.write(b"oops")
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FROM_HUB], env=environment, capture_output=True, text=True, check=False
    )
    if is_tampered:
        assert "the weights are not those of all-MiniLM-L6-v2" in done.stderr
    else:
        assert done.stdout == "384\n"


def test_tampered_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Tampered:
        def locate_file(self, _: str) -> Path:
            (tmp_path / "model.safetensors").write_bytes(b"something else")
            return tmp_path / "model.safetensors"

    monkeypatch.setattr(metadata, "distribution", lambda _: Tampered())
    with pytest.raises(InputError, match="reinstall"):
        resolve_encoder("minilm")


def test_word_vectors_are_those_of_the_transformer_itself() -> None:
    """Read the subwords with transformers alone and pool them by hand."""
    from transformers import AutoModel, AutoTokenizer  # noqa: PLC0415

    text = "Severe arthralgias and hepatosplenomegaly."
    place = resolve_encoder("minilm")
    tokenizer, model = AutoTokenizer.from_pretrained(place), AutoModel.from_pretrained(place).eval()
    words = list(sentence_of(text).words)
    encoded = tokenizer(words, is_split_into_words=True, return_tensors="pt")
    with torch.inference_mode():
        subwords = model(**encoded).last_hidden_state[0]
    of_word = [[at for at, word in enumerate(encoded.word_ids()) if word == number] for number in range(len(words))]
    assert max(map(len, of_word)) > 1
    expected = {
        Pooling.FIRST: torch.stack([subwords[at[0]] for at in of_word]),
        Pooling.MEAN: torch.stack([subwords[at].mean(0) for at in of_word]),
        Pooling.MAX: torch.stack([subwords[at].max(0).values for at in of_word]),
    }
    for pooling, vectors in expected.items():
        ours = vectors_of(EncoderSettings(pooling=pooling), text)
        torch.testing.assert_close(ours, vectors, rtol=1e-4, atol=1e-5)


def test_a_mix_of_layers_begins_as_their_mean() -> None:
    torch.manual_seed(0)
    encoder, tokenizer = transformer_of(EncoderSettings("tiny", layers=Layers.MIX))
    batch = tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))
    encoder.eval()
    with torch.inference_mode():
        ours = encoder.encode(batch)
        layers = encoder.transformer(torch.from_numpy(batch.input_ids), output_hidden_states=True).hidden_states
    mean = torch.stack(layers).mean(0).flatten(0, 1)[batch.subword_positions][batch.word_starts]
    torch.testing.assert_close(ours, mean)


def test_the_mix_is_learned() -> None:
    encoder, tokenizer = transformer_of(EncoderSettings("tiny", layers=Layers.MIX))
    encoder(tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))).square().sum().backward()
    assert encoder.mix is not None
    assert encoder.mix.grad is not None
    assert encoder.mix.grad.abs().min() > 0


def test_of_a_frozen_encoder_only_the_mix_learns() -> None:
    settings = EncoderSettings("tiny", layers=Layers.MIX, recurrence=Recurrence.NONE, frozen=True)
    encoder, tokenizer = load_encoder(settings)
    encoder(tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))).square().sum().backward()
    assert [name for name, parameter in encoder.named_parameters() if parameter.requires_grad] == ["mix"]
    assert [name for name, parameter in encoder.named_parameters() if parameter.grad is not None] == ["mix"]


def test_vectors_of_subwords_stay_as_they_are_unless_they_should_learn() -> None:
    encoders = [load_encoder(EncoderSettings("tiny", frozen_embeddings=frozen))[0] for frozen in (True, False)]
    frozen, free = ({name for name, one in encoder.named_parameters() if one.requires_grad} for encoder in encoders)
    assert free - frozen == {"transformer.embeddings.word_embeddings.weight"}


def test_a_frozen_encoder_says_the_same() -> None:
    settings = EncoderSettings("tiny", layers=Layers.MIX)
    free, frozen = (vectors_of(one, "joint pain") for one in (settings, replace(settings, frozen=True)))
    assert torch.equal(free, frozen)


def test_without_a_mix_nothing_is_kept_for_the_way_back_through_a_frozen_encoder() -> None:
    encoder, tokenizer = load_encoder(EncoderSettings("tiny", recurrence=Recurrence.NONE, frozen=True))
    assert not encoder(tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))).requires_grad


@pytest.mark.parametrize("pooling", Pooling)
def test_a_sentence_does_not_depend_on_its_neighbours(pooling: Pooling) -> None:
    settings = EncoderSettings("tiny", pooling=pooling)
    texts = ["pain", "severe joint and shoulder pain in the evening", "no"]
    together = vectors_of(settings, *texts)
    alone = torch.cat([vectors_of(settings, text) for text in texts])
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-5)


def test_a_long_sentence_is_read_in_windows_and_stitched() -> None:
    """Every word's vector is that of the window it is taken from, read alone."""
    torch.manual_seed(0)
    encoder, tokenizer = load_encoder(EncoderSettings("tiny", window=22))
    encoder.eval()
    subwords = tokenizer.tokenize([sentence_of(" ".join("abcdefghij" * 5))])
    whole = encoder.encode(tokenizer.collate(subwords))
    assert len(whole) == 50
    for start, end, kept_start, kept_end in windows(50, 20):
        alone = encoder.encode(tokenizer.collate([subwords[0][start:end]]))
        expected = alone[kept_start - start : kept_end - start]
        torch.testing.assert_close(whole[kept_start:kept_end], expected, rtol=1e-4, atol=1e-5)


def test_a_word_longer_than_the_window_is_read_to_its_end() -> None:
    settings = EncoderSettings("tiny", pooling=Pooling.MEAN, window=16)
    one, other = (vectors_of(settings, "a" * 300 + end) for end in "xy")
    assert one.shape == (1, 32)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("window", [1, 2])
def test_a_window_without_room_for_a_subword_is_refused(window: int) -> None:
    with pytest.raises(InputError, match="above 2"):
        load_encoder(EncoderSettings("tiny", window=window))


def test_a_wider_window_than_the_transformer_takes_is_refused() -> None:
    with pytest.raises(InputError, match="takes 128 subwords"):
        load_encoder(EncoderSettings("tiny", window=129))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A transformer of the tiny kind, saved as anybody's on the hub."""
    transformer, tokenizer = build_tiny()
    transformer.save_pretrained(tmp_path)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=100,
    ).save_pretrained(tmp_path)  # fmt: skip
    return tmp_path


def told_by(folder: Path) -> str:
    """Load a folder that cannot be used, and catch the line that says why."""
    with pytest.raises(InputError) as caught:
        load_encoder(EncoderSettings(str(folder)))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_weights_that_leave_a_layer_random_are_refused(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    lacking = {name: tensor for name, tensor in tensors.items() if ".layer.1." not in name}
    assert len(lacking) < len(tensors)
    save_file(lacking, folder / "model.safetensors", {"format": "pt"})
    assert "are missing" in told_by(folder)


def test_a_tokenizer_with_more_subwords_than_the_encoder_has_vectors_is_refused(folder: Path) -> None:
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_tokens([f"word{number}" for number in range(1000)])
    tokenizer.save(str(folder / "tokenizer.json"))
    told = told_by(folder)
    assert "do not belong together" in told
    assert told.startswith("the encoder ")


SMALL: dict[str, Any] = {
    "vocab_size": 200, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
}  # fmt: skip


def test_a_transformer_that_reads_the_padding_is_refused(folder: Path) -> None:
    FNetModel(FNetConfig(**SMALL, use_tpu_fourier_optimizations=False)).save_pretrained(folder)
    assert "depends on the sentences beside it" in told_by(folder)


def test_a_transformer_that_fails_is_refused_before_anything_is_trained(folder: Path) -> None:
    LayoutLMModel(LayoutLMConfig(**SMALL)).save_pretrained(folder)
    assert "cannot be loaded" in told_by(folder)


def test_a_folder_is_an_encoder(folder: Path) -> None:
    encoder, tokenizer = transformer_of(EncoderSettings(str(folder)))
    assert tokenizer.window == 100
    assert tokenizer.special.before == (2,)
    saved = BertModel.from_pretrained(folder, add_pooling_layer=False)
    torch.testing.assert_close(collect_weights(encoder.transformer), collect_weights(saved))
    assert encoder(tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))).shape == (2, 32)


def test_positions_that_begin_behind_the_padding_are_counted(folder: Path) -> None:
    """Roberta's table of positions has room for two that no piece may use."""
    config = RobertaConfig(**SMALL, max_position_embeddings=34, pad_token_id=1)
    RobertaModel(config).save_pretrained(folder)
    encoder, tokenizer = load_encoder(EncoderSettings(str(folder)))
    assert tokenizer.window == 32
    vectors = encoder.eval()(tokenizer.collate(tokenizer.tokenize([sentence_of("pain " * 60)])))
    assert vectors.shape == (60, 16)


def test_an_encoder_is_rebuilt_from_its_description() -> None:
    settings = EncoderSettings("tiny", layers=Layers.MIX)
    encoder, tokenizer = load_encoder(settings)
    again = build_encoder(describe_architecture(encoder), settings)
    fill_weights(again, collect_weights(encoder))
    batch = tokenizer.collate(tokenizer.tokenize([sentence_of("joint pain")]))
    torch.testing.assert_close(again.eval()(batch), encoder.eval()(batch))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "cannot be loaded"),
        ({"config.json": "{}"}, "cannot be loaded"),
        ({"config.json": "nonsense"}, "cannot be loaded"),
        ({"config.json": '{"model_type": "t5"}'}, "only text encoders"),
    ],
)
def test_a_folder_that_is_no_encoder_gives_one_line(content: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        load_encoder(EncoderSettings(str(tmp_path)))
    assert "\n" not in str(caught.value)


def test_a_file_is_no_encoder(tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("")
    with pytest.raises(InputError, match="folder"):
        resolve_encoder(str(tmp_path / "weights"))


def test_a_name_that_the_hub_cannot_give_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="nobody/nothing") as caught:
        load_encoder(EncoderSettings("nobody/nothing"))
    assert "\n" not in str(caught.value)


def test_code_that_comes_with_an_encoder_is_not_run(folder: Path, tmp_path: Path) -> None:
    (folder / "config.json").write_text(
        '{"model_type": "mine", "auto_map": {"AutoConfig": "evil.Evil", "AutoModel": "evil.Evil"}}'
    )
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(InputError):
        load_encoder(EncoderSettings(str(folder)))
    assert not (tmp_path / "ran").exists()
