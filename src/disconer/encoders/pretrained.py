"""Encoders from elsewhere: the embedded one, any Hugging Face transformer, ELMo, or a tiny random one for tests."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import huggingface_hub
import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from disconer.document import Document
from disconer.encoders.characters import CharacterReader
from disconer.encoders.elmo import ElmoEncoder
from disconer.encoders.elmo_options import ElmoOptions, is_elmo
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.names import ELMO, EMBEDDED, EMBEDDED_ON_HUB, TINY, check_embedded, resolve
from disconer.encoders.reader import Reader, TextReader
from disconer.encoders.settings import EncoderSettings
from disconer.encoders.subwords import Subwords
from disconer.encoders.tiny import tiny
from disconer.encoders.transformer import Encoder
from disconer.exceptions import InputError, shown
from disconer.extras import installed

_DECODERS = ("bart", "mbart", "mvp")
"""Fill gaps too, but with a decoder behind the encoder."""
_USUAL_WINDOW = 512
"""For encoders that do not say how much they take at once."""


def pretrained(settings: EncoderSettings) -> tuple[WordEncoder, TextReader]:
    """Load an encoder and the reader that goes with it. No code that comes with it is ever run."""
    encoder, reader = _loaded(settings)
    if settings.frozen:
        encoder.freeze()
    return encoder, reader


def _loaded(settings: EncoderSettings) -> tuple[WordEncoder, TextReader]:
    if settings.name.startswith(ELMO):
        return _elmo(settings)
    if settings.name == TINY:
        transformer, subwords = tiny()
        return Encoder(transformer, settings), Reader(subwords, _window(settings, transformer, None))
    return _transformer(settings)


def _elmo(settings: EncoderSettings) -> tuple[ElmoEncoder, CharacterReader]:
    with installed("elmo"):
        from disconer.encoders import elmo_files  # noqa: PLC0415 (only where h5py is needed)

    reader = CharacterReader(settings.window or _USUAL_WINDOW)
    return elmo_files.load(Path(settings.name.removeprefix(ELMO))), reader


def _transformer(settings: EncoderSettings) -> tuple[Encoder, Reader]:
    place = resolve(settings.name)
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": isinstance(place, Path)}
    with _friendly_errors(settings.name):
        if settings.name == EMBEDDED and place == EMBEDDED_ON_HUB:
            downloaded = Path(huggingface_hub.hf_hub_download(place, "model.safetensors"))
            check_embedded(downloaded.resolve(), "delete this file")
        config = AutoConfig.from_pretrained(place, **options)
        _check_text_encoder(config.model_type, settings.name)
        config = type(config)(**_harmless(config.to_dict()))
        tokenizer = AutoTokenizer.from_pretrained(place, **options)
        transformer, report = AutoModel.from_pretrained(
            place, config=config, dtype=torch.float32, weights_only=True, output_loading_info=True, **options
        )
        _check_complete(report)
        if not tokenizer.is_fast:
            raise InputError(f"the tokenizer of {settings.name} has no fast version: use another encoder")
        special = tokenizer.unk_token_id, tokenizer.pad_token_id, tokenizer.mask_token_id
        subwords = Subwords.of(tokenizer.backend_tokenizer, *special)
        reader = Reader(subwords, _window(settings, transformer, tokenizer.model_max_length))
        encoder = Encoder(transformer, settings)
        check_pieces(subwords, encoder)
        _check_neighbours(encoder, reader)
    return encoder, reader


def untrained(architecture: Mapping[str, Any], settings: EncoderSettings) -> WordEncoder:
    """Build an encoder from the description of its architecture alone, for weights that are loaded afterwards."""
    if is_elmo(architecture):
        return ElmoEncoder(ElmoOptions.of(architecture))
    description = _harmless(architecture)
    with _friendly_errors(settings.name):
        model_type = description.pop("model_type")
        _check_text_encoder(model_type, settings.name)
        config = AutoConfig.for_model(model_type, **description)
        transformer = AutoModel.from_config(config, trust_remote_code=False)  # type: ignore[no-untyped-call]
    _window(settings, transformer, None)
    return Encoder(transformer, settings)


def architecture(encoder: WordEncoder) -> dict[str, Any]:
    """Describe an encoder's architecture, as `untrained` reads it; nothing that names code is kept."""
    if isinstance(encoder, ElmoEncoder):
        return encoder.options.architecture
    if isinstance(encoder, Encoder):
        return _harmless(encoder.transformer.config.to_dict())
    raise TypeError(f"an encoder of the type {type(encoder).__name__} cannot be described")


def _harmless(description: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of a description what is not needed, or could make transformers fetch weights or code."""
    unwanted = ("attn_implementation", "experts_implementation", "backbone", "quantization", "auto_map", "name_or_path")
    unneeded = (
        "transformers_version", "architectures", "dtype",
        "return_dict", "output_hidden_states", "output_attentions", "chunk_size_feed_forward",
    )  # fmt: skip
    return {
        name: value
        for name, value in description.items()
        if name not in unneeded and not any(part in name for part in unwanted)
    }


def check_reader(reader: TextReader, encoder: WordEncoder) -> None:
    """Make sure that an encoder can read everything that a reader may give it."""
    if isinstance(reader, Reader) and isinstance(encoder, Encoder):
        check_pieces(reader.subwords, encoder)
    elif not (isinstance(reader, CharacterReader) and isinstance(encoder, ElmoEncoder)):
        raise ValueError("the reader and the encoder do not belong together")


def check_pieces(subwords: Subwords, encoder: Encoder) -> None:
    """Make sure that every piece the tokenizer may give has a vector."""
    known = encoder.transformer.get_input_embeddings().num_embeddings
    special = (*subwords.before, *subwords.after, subwords.unknown, subwords.padding)
    highest = max((*special, *subwords.tokenizer.get_vocab().values()))
    if not all(type(piece) is int and piece >= 0 for piece in special) or highest >= known:
        raise ValueError("the tokenizer and the encoder do not belong together")


def _check_complete(report: Mapping[str, Any]) -> None:
    """Refuse weights that leave a part of the encoder as random as it was made."""
    lacking = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    if lacking or report["mismatched_keys"]:
        raise ValueError(f"its weights do not fit its config.json, {len(lacking)} are missing")


@torch.inference_mode()
def _check_neighbours(encoder: Encoder, reader: Reader) -> None:
    """Refuse a transformer for which a sentence is not the same beside a longer one; a few ignore what is padding."""
    longer, shorter = (Document(text).sentences[0] for text in ("one two three four five six seven", "one two"))
    pieces = reader.pieces([longer, shorter])
    encoder.eval()
    alone, together = encoder(reader.pack(pieces[1:])), encoder(reader.pack(pieces))
    if not torch.allclose(alone, together[-len(alone) :], rtol=1e-3, atol=1e-4):
        raise ValueError("what it makes of a sentence depends on the sentences beside it")


def _check_text_encoder(model_type: object, name: str) -> None:
    """Refuse what is not a transformer that reads text in both directions, as those trained to fill gaps do."""
    if model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES or model_type in _DECODERS:
        raise InputError(f"the encoder {shown(name)} is of type {shown(model_type)}: only text encoders can be used")


def _window(settings: EncoderSettings, transformer: PreTrainedModel, limit_of_tokenizer: int | None) -> int:
    positions = getattr(transformer.config, "max_position_embeddings", None) or _USUAL_WINDOW
    table = getattr(getattr(transformer, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    if padding is not None:
        positions -= padding + 1  # the Roberta family counts positions from behind the padding's
    allowed = min(positions, limit_of_tokenizer or positions)
    if settings.window > allowed:
        raise InputError(f"encoder.window is {settings.window}, but {settings.name} takes {allowed} pieces at most")
    return settings.window or allowed


@contextmanager
def _friendly_errors(name: str) -> Iterator[None]:
    """Turn the many ways in which loading fails into a line, and keep its libraries from talking meanwhile."""
    ours, hubs = transformers.logging, huggingface_hub.logging
    verbosity = ours.get_verbosity(), hubs.get_verbosity()
    ours.set_verbosity(logging.CRITICAL)
    hubs.set_verbosity(logging.CRITICAL)
    ours.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"the encoder {shown(name)} cannot be loaded: {reason}") from None
    finally:
        ours.set_verbosity(verbosity[0])
        hubs.set_verbosity(verbosity[1])
        ours.enable_progress_bar()  # type: ignore[no-untyped-call]
