"""ELMo: its files, what it says of words, and what in it learns."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import torch

from disconer.document import Document, Sentence
from disconer.encoders import elmo
from disconer.encoders.batch import windows
from disconer.encoders.elmo import ElmoEncoder, ElmoOptions
from disconer.encoders.pretrained import build_encoder, check_tokenizer, describe_architecture, load_encoder
from disconer.encoders.settings import EncoderSettings, Recurrence
from disconer.encoders.tokenizer import CharacterTokenizer, is_elmo
from disconer.exceptions import InputError, MissingExtraError
from disconer.storage.weights import collect_weights, fill_weights
from tests.encoders.published_elmo import OPTIONS, LiteralElmo, random_weights, with_option, without_option, write

TEXTS = ["Severe arthralgias and hepatosplenomegaly.", "pain", "No né gastro" + "x" * 60 + " in the evening, no pain"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small ELMo in files like the published."""
    write(tmp_path, OPTIONS, random_weights(OPTIONS))
    return tmp_path


def sentences_of(texts: Sequence[str]) -> list[Sentence]:
    return [Document(text).sentences[0] for text in texts]


def elmo_of(folder: Path, window: int = 0, frozen: bool = False) -> tuple[ElmoEncoder, CharacterTokenizer]:
    encoder, tokenizer = load_encoder(
        EncoderSettings(f"elmo:{folder}", recurrence=Recurrence.NONE, window=window, frozen=frozen)
    )
    assert isinstance(encoder, ElmoEncoder)
    assert isinstance(tokenizer, CharacterTokenizer)
    return encoder.eval(), tokenizer


def vectors_of(encoder: ElmoEncoder, tokenizer: CharacterTokenizer, *texts: str) -> torch.Tensor:
    with torch.inference_mode():
        return encoder(tokenizer.collate(tokenizer.tokenize(sentences_of(texts))))  # type: ignore[no-any-return]


VARIANTS = {
    "as published": OPTIONS,
    "tanh": with_option("char_cnn.activation", "tanh"),
    "without skips": with_option("lstm.use_skip_connections", False),
    "one layer": with_option("lstm.n_layers", 1),
    "three layers": with_option("lstm.n_layers", 3),
    "no highway": with_option("char_cnn.n_highway", 0),
    "counted without the padding word": with_option("char_cnn.n_characters", 261),
}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=list(VARIANTS))
def test_vectors_are_what_the_files_mean(options: dict[str, Any], tmp_path: Path) -> None:
    """Compare with loops over single numbers; a mix that is not even shows which layer is which."""
    literal = LiteralElmo(options, random_weights(options))
    write(tmp_path, options, literal.weights)
    encoder, tokenizer = elmo_of(tmp_path)
    mix = [0.3, -0.5, 0.9, 0.1][: options["lstm"]["n_layers"] + 1]
    with torch.no_grad():
        encoder.mix.copy_(torch.tensor(mix))
        encoder.gamma.fill_(1.5)
    encoder.double()
    mix = encoder.mix.tolist()
    found = vectors_of(encoder, tokenizer, *TEXTS)
    expected = [literal.vectors(list(sentence.words), mix, 1.5) for sentence in sentences_of(TEXTS)]
    np.testing.assert_allclose(found.numpy(), np.concatenate(expected), rtol=0, atol=1e-6)
    assert min(literal.bites.values()) > 10


def test_every_layer_is_what_the_files_mean(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    literal = LiteralElmo(OPTIONS, random_weights(OPTIONS))
    with torch.inference_mode():
        layers = encoder.double().layers(tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS[:1]))))
    expected = literal.layers(list(sentences_of(TEXTS[:1])[0].words))
    np.testing.assert_allclose(layers.numpy(), np.array(expected), rtol=0, atol=1e-6)


def test_the_mix_begins_as_the_mean_of_the_layers(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    batch = tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS)))
    torch.testing.assert_close(encoder(batch), encoder.layers(batch).mean(0))


def test_a_sentence_does_not_depend_on_its_neighbours_or_on_what_was_read_before(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    together = vectors_of(encoder, tokenizer, *TEXTS)
    alone = torch.cat([vectors_of(encoder, tokenizer, text) for text in TEXTS])
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-6)


def test_much_is_read_little_by_little(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, tokenizer = elmo_of(folder)
    at_once = vectors_of(encoder, tokenizer, *TEXTS)
    monkeypatch.setattr(elmo, "_WORDS_AT_ONCE", 3)
    monkeypatch.setattr(elmo, "_MOST_WORDS", 1)
    torch.testing.assert_close(vectors_of(encoder, tokenizer, *TEXTS), at_once, rtol=0, atol=1e-6)


def test_a_long_sentence_is_read_in_windows_and_stitched(folder: Path) -> None:
    """Every word's vector is that of the window it is taken from, read alone."""
    encoder, tokenizer = elmo_of(folder, window=12)
    words = "abcdefghij" * 3
    whole = vectors_of(encoder, tokenizer, " ".join(words))
    assert len(whole) == 30
    for start, end, kept_start, kept_end in windows(30, 10):
        alone = vectors_of(encoder, tokenizer, " ".join(words[start:end]))
        expected = alone[kept_start - start : kept_end - start]
        torch.testing.assert_close(whole[kept_start:kept_end], expected, rtol=0, atol=1e-6)


def test_as_many_words_are_read_at_once_as_transformers_usually_take_subwords(folder: Path) -> None:
    assert elmo_of(folder)[1].window == 512


def test_what_a_hidden_word_is_cannot_be_seen(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    found = []
    for text in ("severe joint pain", "severe shoulder pain"):
        batch = tokenizer.collate(tokenizer.tokenize(sentences_of([text])))
        found.append(encoder(batch.mask_subwords(np.array([False, True, False]), tokenizer.mask_id)))
    torch.testing.assert_close(*found, rtol=0, atol=0)
    assert not torch.allclose(found[0], vectors_of(encoder, tokenizer, "severe joint pain"))


def test_a_sentence_without_words_has_no_vectors(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    assert encoder(tokenizer.collate([[]])).shape == (0, encoder.width)


def test_the_width_is_that_of_the_vectors(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    assert vectors_of(encoder, tokenizer, "pain").shape == (1, encoder.width) == (1, 10)


def test_all_of_it_learns(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    encoder(tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS)))).square().sum().backward()
    for name, parameter in encoder.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_gradients_are_those_of_small_differences(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    encoder.double()
    batch = tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS[:2])))
    parameters = dict(encoder.named_parameters())
    chosen = {name: parameters[name] for name in ("backwards.lstms.1.state_weight", "gamma", "mix")}

    def loss(*values: torch.Tensor) -> torch.Tensor:
        called = torch.func.functional_call(encoder, dict(zip(chosen, values, strict=True)), (batch,))
        return called.square().sum()  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(loss, tuple(chosen.values()))


def test_of_a_frozen_encoder_only_the_mix_learns(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder, frozen=True)
    assert not encoder.layers(tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS)))).requires_grad
    vectors = encoder(tokenizer.collate(tokenizer.tokenize(sentences_of(TEXTS))))
    vectors.square().sum().backward()
    learning = {name for name, parameter in encoder.named_parameters() if parameter.requires_grad}
    assert learning == {name for name, parameter in encoder.named_parameters() if parameter.grad is not None}
    assert learning == {"mix", "gamma"}
    free, _ = elmo_of(folder)
    torch.testing.assert_close(vectors_of(free, tokenizer, *TEXTS), vectors.detach(), rtol=0, atol=1e-6)


def test_half_precision_is_near_enough(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    exact = vectors_of(encoder, tokenizer, *TEXTS)
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(vectors_of(encoder, tokenizer, *TEXTS).float(), exact, rtol=0.1, atol=0.1)


def test_an_encoder_is_rebuilt_from_its_description(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    described = json.loads(json.dumps(describe_architecture(encoder)))
    assert is_elmo(described)
    assert described == {"model_type": "elmo", **OPTIONS}
    again = build_encoder(described, EncoderSettings(f"elmo:{folder}", recurrence=Recurrence.NONE))
    assert isinstance(again, ElmoEncoder)
    assert again.options == encoder.options
    fill_weights(again, collect_weights(encoder))
    torch.testing.assert_close(vectors_of(again, tokenizer, *TEXTS), vectors_of(encoder, tokenizer, *TEXTS))


def test_a_description_takes_no_memory_where_weights_take_none() -> None:
    """A model directory is checked in this way, whatever sizes somebody wrote into it."""
    largest = with_option("lstm.dim", 65_536, with_option("lstm.projection_dim", 65_536))
    with torch.device("meta"):
        encoder = build_encoder({"model_type": "elmo", **largest}, EncoderSettings("elmo:somewhere"))
    assert all(parameter.is_meta for parameter in encoder.parameters())


def test_a_tokenizer_and_an_encoder_must_belong_together(folder: Path) -> None:
    encoder, tokenizer = elmo_of(folder)
    other_encoder, other_tokenizer = load_encoder(EncoderSettings("tiny"))
    check_tokenizer(tokenizer, encoder)
    check_tokenizer(other_tokenizer, other_encoder)
    for wrong in ((tokenizer, other_encoder), (other_tokenizer, encoder)):
        with pytest.raises(ValueError, match="do not belong together"):
            check_tokenizer(*wrong)
    with pytest.raises(ValueError, match="CharacterTokenizer"):
        encoder(other_tokenizer.collate(other_tokenizer.tokenize(sentences_of(TEXTS))))


WRONG_OPTIONS: dict[str, list[Any]] = {
    "lstm.dim": [0, -1, True, 7.0, "7", None, 10**9, 10**400],
    "lstm.projection_dim": [0, 10**9],
    "lstm.n_layers": [0, 10**6],
    "lstm.cell_clip": [0, -3, float("nan"), float("inf"), None, "3", True],
    "lstm.proj_clip": [0, float("nan"), 10**400],
    "lstm.use_skip_connections": [1, "true", None],
    "char_cnn.activation": ["gelu", None, 3, []],
    "char_cnn.n_highway": [-1, 10**6],
    "char_cnn.embedding.dim": [0, 10**9],
    "char_cnn.n_characters": [260, 263],
    "char_cnn.max_characters_per_token": [49, 51, "50"],
    "char_cnn.filters": [
        [], {}, None, [3], [[1]], [[1, 2, 3]], [[0, 3]], [[51, 3]], [[1, 0]], [[1, 10**9]], [["1", 3]], [[1, 3]] * 51,
        [[1, 40_000], [2, 40_000]],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_OPTIONS)
def test_options_that_make_no_sense_are_refused(name: str) -> None:
    for value in WRONG_OPTIONS[name]:
        options = with_option(name, value)
        with pytest.raises(InputError, match=name.rpartition(".")[2]) as caught:
            build_encoder({"model_type": "elmo", **options}, EncoderSettings("elmo:somewhere"))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [*WRONG_OPTIONS, "lstm", "char_cnn", "char_cnn.embedding"])
def test_a_missing_option_is_named(name: str, folder: Path) -> None:
    (path,) = folder.glob("*options.json")
    path.write_text(json.dumps(without_option(name)))
    assert told_by(folder).startswith(f"{path}: the option {name}")


@pytest.mark.parametrize("table", ["lstm", "char_cnn"])
def test_a_table_of_options_must_be_one(table: str) -> None:
    with pytest.raises(InputError, match=f"{table}.* is missing"):
        ElmoOptions.from_json(with_option(table, [1]))


def told_by(folder: Path) -> str:
    """Load a folder that cannot be used, and catch the line that says why."""
    with pytest.raises(InputError) as caught:
        elmo_of(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert told_by(tmp_path / "nowhere").startswith(f"{tmp_path / 'nowhere'}: there is no such folder")


@pytest.mark.parametrize("ending", ["options.json", "weights.hdf5"])
def test_there_must_be_one_file_of_each_kind(ending: str, folder: Path) -> None:
    (path,) = folder.glob(f"*{ending}")
    (folder / f"another_{ending}").write_bytes(path.read_bytes())
    assert told_by(folder) == f"{folder}: there must be one file here whose name ends in {ending}, not 2"
    (folder / f"another_{ending}").unlink()
    path.unlink()
    assert told_by(folder) == f"{folder}: there must be one file here whose name ends in {ending}, not 0"


@pytest.mark.parametrize("text", ["nonsense", "", "[" * 100_000, "9" * 5000])
def test_options_that_are_no_json_are_refused(text: str, folder: Path) -> None:
    (path,) = folder.glob("*options.json")
    path.write_text(text)
    assert told_by(folder) == f"{path}: this is not JSON"


@pytest.mark.parametrize("text", ["[]", "3", "null", '"lstm"'])
def test_options_that_are_no_table_are_refused(text: str, folder: Path) -> None:
    (path,) = folder.glob("*options.json")
    path.write_text(text)
    assert "is missing" in told_by(folder)


@pytest.mark.parametrize("name", sorted(random_weights(OPTIONS)))
def test_weights_that_are_missing_or_of_another_shape_are_named(name: str, folder: Path) -> None:
    (path,) = folder.glob("*weights.hdf5")
    with h5py.File(path, "a") as file:
        shape = file[name].shape
        del file[name]
    assert told_by(folder) == f"{path}: the weights {name} are missing"
    with h5py.File(path, "a") as file:
        file[name] = np.zeros((*shape[:-1], shape[-1] + 1), dtype=np.float32)
    assert told_by(folder).startswith(f"{path}: the weights {name} have the shape ({', '.join(map(str, shape[:-1]))}")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full((9, 5), np.nan, dtype=np.float32), "are not all finite"),
        (np.full((9, 5), 1e300), "are not all finite"),
        (np.ones((9, 5), dtype=np.int64), "are no numbers with a fraction"),
        (np.full((9, 5), b"1.5"), "are no numbers with a fraction"),
    ],
)
def test_weights_that_are_no_numbers_are_refused(values: Any, reason: str, folder: Path) -> None:
    (path,) = folder.glob("*weights.hdf5")
    with h5py.File(path, "a") as file:
        del file["CNN_proj/W_proj"]
        file["CNN_proj/W_proj"] = values
    assert told_by(folder) == f"{path}: the weights CNN_proj/W_proj {reason}"


def test_a_group_in_the_place_of_weights_is_refused(folder: Path) -> None:
    (path,) = folder.glob("*weights.hdf5")
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        file.create_group("char_embed")
    assert told_by(folder) == f"{path}: the weights char_embed are missing"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_refused(share: float, folder: Path) -> None:
    (path,) = folder.glob("*weights.hdf5")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    assert told_by(folder) == f"{path}: these weights are corrupt or incomplete"


def test_a_file_that_is_no_hdf5_is_refused(folder: Path) -> None:
    (path,) = folder.glob("*weights.hdf5")
    path.write_text("<html>not found</html>")
    assert told_by(folder) == f"{path}: these weights are corrupt or incomplete"


def test_without_h5py_a_line_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "h5py", None)
    monkeypatch.delitem(sys.modules, "disconer.encoders.elmo_files", raising=False)
    monkeypatch.delattr("disconer.encoders.elmo_files", raising=False)
    with pytest.raises(MissingExtraError, match=r"h5py: pip install 'disconer\[elmo\]'"):
        elmo_of(folder)
