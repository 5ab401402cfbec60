"""Encoders from elsewhere: the embedded one, any Hugging Face transformer, ELMo, or a tiny random one for tests."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from string import ascii_lowercase, digits, punctuation
from typing import Any

import huggingface_hub
import tokenizers
import torch
import transformers
from tokenizers import models, normalizers, pre_tokenizers, processors
from transformers import AutoConfig, AutoModel, AutoTokenizer, BertConfig, BertModel, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from disconer.document import Document
from disconer.encoders.elmo import ElmoEncoder, ElmoOptions
from disconer.encoders.encoder import TransformerEncoder, WordEncoder
from disconer.encoders.settings import (
    ELMO,
    EMBEDDED,
    EMBEDDED_ON_HUB,
    TINY,
    EncoderSettings,
    check_embedded,
    resolve_encoder,
)  # fmt: skip
from disconer.encoders.tokenizer import CharacterTokenizer, SpecialIds, SubwordTokenizer, Tokenizer, is_elmo
from disconer.exceptions import InputError, quote
from disconer.foundation.extras import require_extra

_DECODERS = ("bart", "mbart", "mvp")
"""Fill gaps too, but with a decoder behind the encoder."""
_USUAL_WINDOW = 512
"""For encoders that do not say how much they take at once."""


def load_encoder(settings: EncoderSettings) -> tuple[WordEncoder, Tokenizer]:
    """Load an encoder and the tokenizer that goes with it. No code that comes with it is ever run."""
    if settings.name.startswith(ELMO):
        encoder, tokenizer = _load_elmo(settings)
    else:
        encoder, tokenizer = _build_tiny(settings) if settings.name == TINY else _load_transformer(settings)
    encoder.add_recurrence(settings)
    encoder.freeze(settings)
    return encoder, tokenizer


def _load_elmo(settings: EncoderSettings) -> tuple[WordEncoder, Tokenizer]:
    with require_extra("elmo"):
        from disconer.encoders.elmo_files import load_elmo  # noqa: PLC0415 (only where h5py is needed)

    tokenizer = CharacterTokenizer(settings.window or _USUAL_WINDOW)
    return load_elmo(Path(settings.name.removeprefix(ELMO))), tokenizer


def _build_tiny(settings: EncoderSettings) -> tuple[WordEncoder, Tokenizer]:
    transformer, tokenizer = build_tiny()
    special = SpecialIds.from_tokenizer(tokenizer, unknown=1, padding=0)
    encoder = TransformerEncoder(transformer, settings)
    return encoder, SubwordTokenizer(tokenizer, special, _choose_window(settings, transformer, None))


def build_tiny() -> tuple[BertModel, tokenizers.Tokenizer]:
    """Make a transformer with random weights and a tokenizer that spells words: for tests, and to try a command."""
    letters = ascii_lowercase + digits + punctuation
    subwords = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *("##" + letter for letter in letters)]
    vocabulary = {subword: number for number, subword in enumerate(subwords)}
    word_piece = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=1000)  # noqa: S106
    tokenizer = tokenizers.Tokenizer(word_piece)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    config = BertConfig(
        vocab_size=len(subwords), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=128,
    )  # fmt: skip
    transformer = BertModel(config, add_pooling_layer=False)
    return transformer, tokenizer


def _load_transformer(settings: EncoderSettings) -> tuple[WordEncoder, Tokenizer]:
    place = resolve_encoder(settings.name)
    options: dict[str, Any] = {"trust_remote_code": False, "local_files_only": isinstance(place, Path)}
    with _friendly_errors(settings.name):
        if settings.name == EMBEDDED and place == EMBEDDED_ON_HUB:
            downloaded = Path(huggingface_hub.hf_hub_download(place, "model.safetensors"))
            check_embedded(downloaded.resolve(), "delete this file")
        config = AutoConfig.from_pretrained(place, **options)
        _check_text_encoder(config.model_type, settings.name)
        config = type(config)(**_strip_harmful(config.to_dict()))
        fast = AutoTokenizer.from_pretrained(place, **options)
        transformer, report = AutoModel.from_pretrained(
            place, config=config, dtype=torch.float32, weights_only=True, output_loading_info=True, **options
        )
        _check_complete(report)
        if not fast.is_fast:
            raise InputError(f"the tokenizer of {settings.name} has no fast version: use another encoder")
        special = SpecialIds.from_tokenizer(
            fast.backend_tokenizer, fast.unk_token_id, fast.pad_token_id, fast.mask_token_id
        )
        window = _choose_window(settings, transformer, fast.model_max_length)
        tokenizer = SubwordTokenizer(fast.backend_tokenizer, special, window)
        encoder = TransformerEncoder(transformer, settings)
        check_vocabulary(tokenizer, encoder)
        _check_neighbours(encoder, tokenizer)
    return encoder, tokenizer


def build_encoder(architecture: Mapping[str, Any], settings: EncoderSettings) -> WordEncoder:
    """Build an encoder from a description of its architecture alone, for weights that are loaded afterwards."""
    if is_elmo(architecture):
        encoder: WordEncoder = ElmoEncoder(ElmoOptions.from_json(architecture))
    else:
        encoder = _build_transformer(architecture, settings)
    encoder.add_recurrence(settings)
    return encoder


def _build_transformer(architecture: Mapping[str, Any], settings: EncoderSettings) -> TransformerEncoder:
    description = _strip_harmful(architecture)
    with _friendly_errors(settings.name):
        model_type = description.pop("model_type")
        _check_text_encoder(model_type, settings.name)
        config = AutoConfig.for_model(model_type, **description)
        transformer = AutoModel.from_config(config, trust_remote_code=False)
    _choose_window(settings, transformer, None)
    return TransformerEncoder(transformer, settings)


def describe_architecture(encoder: WordEncoder) -> dict[str, Any]:
    """Describe an encoder's architecture, as `build_encoder` reads it; nothing that names code is kept."""
    if isinstance(encoder, ElmoEncoder):
        return encoder.options.architecture
    if isinstance(encoder, TransformerEncoder):
        return _strip_harmful(encoder.transformer.config.to_dict())
    raise TypeError(f"an encoder of the type {type(encoder).__name__} cannot be described")


def _strip_harmful(description: Mapping[str, Any]) -> dict[str, Any]:
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


def check_tokenizer(tokenizer: Tokenizer, encoder: WordEncoder) -> None:
    """Make sure that an encoder can read everything that a tokenizer may give it."""
    if isinstance(tokenizer, SubwordTokenizer) and isinstance(encoder, TransformerEncoder):
        check_vocabulary(tokenizer, encoder)
    elif not (isinstance(tokenizer, CharacterTokenizer) and isinstance(encoder, ElmoEncoder)):
        raise ValueError("the tokenizer and the encoder do not belong together")


def check_vocabulary(tokenizer: SubwordTokenizer, encoder: TransformerEncoder) -> None:
    """Make sure that every subword the tokenizer may give has a vector."""
    known = encoder.transformer.get_input_embeddings().num_embeddings
    special = (
        *tokenizer.special.before, *tokenizer.special.after, tokenizer.special.unknown, tokenizer.special.padding,
    )  # fmt: skip
    highest = max((*special, *tokenizer.tokenizer.get_vocab().values()))
    if not all(type(one) is int and one >= 0 for one in special) or highest >= known:
        raise ValueError("the tokenizer and the encoder do not belong together")


def _check_complete(report: Mapping[str, Any]) -> None:
    """Refuse weights that leave a part of the encoder as random as it was made."""
    lacking = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    if lacking or report["mismatched_keys"]:
        raise ValueError(f"its weights do not fit its config.json, {len(lacking)} are missing")


@torch.inference_mode()
def _check_neighbours(encoder: TransformerEncoder, tokenizer: SubwordTokenizer) -> None:
    """Refuse a transformer for which a sentence is not the same beside a longer one; a few ignore what is padding."""
    longer, shorter = (Document(text).sentences[0] for text in ("one two three four five six seven", "one two"))
    subwords = tokenizer.tokenize([longer, shorter])
    encoder.eval()
    alone, together = encoder(tokenizer.collate(subwords[1:])), encoder(tokenizer.collate(subwords))
    if not torch.allclose(alone, together[-len(alone) :], rtol=1e-3, atol=1e-4):
        raise ValueError("what it makes of a sentence depends on the sentences beside it")


def _check_text_encoder(model_type: object, name: str) -> None:
    """Refuse what is not a transformer that reads text in both directions, as those trained to fill gaps do."""
    if model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES or model_type in _DECODERS:
        raise InputError(f"the encoder {quote(name)} is of type {quote(model_type)}: only text encoders can be used")


def _choose_window(settings: EncoderSettings, transformer: PreTrainedModel, limit_of_tokenizer: int | None) -> int:
    positions = getattr(transformer.config, "max_position_embeddings", None) or _USUAL_WINDOW
    table = getattr(getattr(transformer, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    if padding is not None:
        positions -= padding + 1  # the Roberta family counts positions from behind the padding's
    allowed = min(positions, limit_of_tokenizer or positions)
    if settings.window > allowed:
        raise InputError(f"encoder.window is {settings.window}, but {settings.name} takes {allowed} subwords at most")
    return settings.window or allowed


@contextmanager
def _friendly_errors(name: str) -> Iterator[None]:
    """Turn the many ways in which loading fails into a line, and keep its libraries from talking meanwhile."""
    ours, hubs = transformers.logging, huggingface_hub.logging
    verbosity = ours.get_verbosity(), hubs.get_verbosity()
    ours.set_verbosity(logging.CRITICAL)
    hubs.set_verbosity(logging.CRITICAL)
    ours.disable_progress_bar()
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"the encoder {quote(name)} cannot be loaded: {reason}") from None
    finally:
        ours.set_verbosity(verbosity[0])
        hubs.set_verbosity(verbosity[1])
        ours.enable_progress_bar()
