"""A tiny random encoder, made on the spot: for tests, and to try a command without waiting."""

from string import ascii_lowercase, digits, punctuation

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from disconer.encoders.subwords import Subwords

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def tiny() -> tuple[BertModel, Subwords]:
    """Make a transformer with random weights and a tokenizer that spells words letter by letter."""
    letters = ascii_lowercase + digits + punctuation
    pieces = [*_SPECIAL, *letters, *("##" + letter for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=1000))  # noqa: S106
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    config = BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=128,
    )  # fmt: skip
    transformer = BertModel(config, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    return transformer, Subwords.of(tokenizer, unknown=1, padding=0)
