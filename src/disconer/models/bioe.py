"""BIOE: a linear-chain CRF on the encoder, over tags extended for gaps (Metke-Jimenez and Karimi 2016)."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import torch
from torch import Tensor, nn

from disconer.document import WordMention
from disconer.encoders.encoder import WordEncoder
from disconer.encoders.packing import Integers, Packed
from disconer.models.chain import LinearChain
from disconer.models.model import THRESHOLDS, Choices, Model, numbers, of_layer, single
from disconer.models.padding import rectangle, sentence_lengths, word_places
from disconer.models.settings import BioeSettings
from disconer.schemes.bioe import BioeScheme, Joining, SegmentKind, WordTag


class Bioe(Model):
    """One tag a word; column 0 is O."""

    scheme: BioeScheme

    def __init__(self, encoder: WordEncoder, labels: Sequence[str], scheme: BioeScheme, settings: BioeSettings) -> None:
        super().__init__()
        self.encoder = encoder
        self.scheme = scheme
        self.tags: list[WordTag | None] = [None]
        self.tags += [
            WordTag(label, first, kind) for label in labels for kind in SegmentKind for first in (True, False)
        ]
        self.dropout = nn.Dropout(settings.dropout)
        self.classifier = nn.Linear(encoder.width, len(self.tags))
        self.chain = LinearChain(*_allowed(self.tags))

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor]:
        """Give the scores of all tags, (sentences, words, tags), and which places hold a word."""
        words = self.encoder(packed)
        is_word = word_places(sentence_lengths(packed, words))
        return rectangle(single(self.classifier(self.dropout(words))), is_word), is_word

    def targets(self, mentions: Iterable[WordMention], words: int) -> Integers:
        """Give the column of every word's tag."""
        columns = {tag: column for column, tag in enumerate(self.tags)}
        tagged = self.scheme.encode(mentions)
        found: Integers = torch.tensor([columns[tagged.get(word)] for word in range(words)]).numpy()
        return found

    def loss(self, packed: Packed, targets: Sequence[Integers]) -> Tensor:
        """Give the negative log-likelihood of the true tagging."""
        scores, is_word = self(packed)
        tags = rectangle(torch.cat([torch.from_numpy(target) for target in targets]).to(scores.device), is_word)
        total = self.chain.log_partition(scores, is_word) - self.chain.log_weight(scores, is_word, tags)
        return total.sum() / len(targets)

    @property
    def choices(self) -> Choices:
        return [{"mention_threshold": (0.0, *THRESHOLDS), "joining": tuple(Joining)}]

    @property
    def meanings(self) -> Mapping[str, Sequence[Sequence[Hashable]]]:
        of_chain = {f"chain.{end}": [self.tags] for end in ("starting", "ending")}
        return {**of_layer("classifier", self.tags), **of_chain, "chain.following": [self.tags, self.tags]}

    @torch.inference_mode()
    def outputs(self, packed: Packed, scheme: BioeScheme) -> list[dict[int, WordTag]]:  # noqa: ARG002
        """Give the best tagging of each sentence, each tag with its probability."""
        scores, is_word = self(packed)
        if not is_word.any():
            return [{} for _ in packed.lengths]
        best = self.chain.best(scores, is_word)
        # What is no number, of weights that are out of all proportion, is certain of nothing.
        certainty = self.chain.probabilities(scores, is_word).gather(2, best[..., None])[..., 0].nan_to_num()
        return [
            self._tagged(columns[:length].tolist(), probabilities[:length].tolist())
            for columns, probabilities, length in zip(best.cpu(), numbers(certainty), packed.lengths, strict=True)
        ]

    def _tagged(self, columns: Sequence[int], probabilities: Sequence[float]) -> dict[int, WordTag]:
        found = {}
        for word, (column, probability) in enumerate(zip(columns, probabilities, strict=True)):
            tag = self.tags[column]
            if tag is not None:
                found[word] = tag._replace(score=probability)
        return found


def _allowed(tags: Sequence[WordTag | None]) -> tuple[Tensor, Tensor]:
    """Tell which tag may stand behind which, and which may begin a sentence."""
    begun = {(tag.label, tag.kind): number for number, tag in enumerate(tags) if tag is not None}
    segments = torch.tensor([-1 if tag is None else begun[tag.label, tag.kind] for tag in tags])
    is_free = torch.tensor([tag is None or tag.is_first for tag in tags])
    return is_free | (segments[:, None] == segments), is_free
