"""BIOE: a linear-chain CRF on the encoder, over tags extended for gaps (Metke-Jimenez and Karimi 2016)."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor, nn

from disconer.encoders.batch import Batch, Integers
from disconer.encoders.encoder import WordEncoder
from disconer.models.model import THRESHOLDS, Model, ParameterKeys, SearchSpace, linear_keys
from disconer.models.settings import BioeSettings
from disconer.models.tensors import pad, sentence_lengths, to_float32, to_numpy, valid_positions
from disconer.passage import WordMention
from disconer.schemes.bioe import BioeScheme, Joining, SegmentKind, WordTag

_NEVER = -1e9
"""The score of what is not allowed: finite, so that gradients stay numbers."""


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
        self.chain = LinearChain(*_allowed_transitions(self.tags))

    def forward(self, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Score all tags, (sentences, words, tags); also tells which positions hold a word."""
        is_word = valid_positions(sentence_lengths(batch, words))
        return pad(to_float32(self.classifier(words)), is_word), is_word

    def targets(self, mentions: Iterable[WordMention], words: int) -> Integers:
        """The column of every word's tag."""
        columns = {tag: column for column, tag in enumerate(self.tags)}
        tagged = self.scheme.encode(mentions)
        found: Integers = torch.tensor([columns[tagged.get(word)] for word in range(words)]).numpy()
        return found

    def head_loss(self, words: Tensor, batch: Batch, targets: Sequence[Integers]) -> Tensor:
        """The negative log-likelihood of the true tagging."""
        scores, is_word = self(words, batch)
        tags = pad(torch.cat([torch.from_numpy(target) for target in targets]).to(scores.device), is_word)
        total = self.chain.log_partition(scores, is_word) - self.chain.log_weight(scores, is_word, tags)
        return total.sum() / len(targets)

    @property
    def search_space(self) -> SearchSpace:
        return [{"mention_threshold": (0.0, *THRESHOLDS), "joining": tuple(Joining)}]

    @property
    def parameter_keys(self) -> ParameterKeys:
        of_chain = {f"chain.{end}": [self.tags] for end in ("starting", "ending")}
        return {**linear_keys("classifier", self.tags), **of_chain, "chain.following": [self.tags, self.tags]}

    @torch.inference_mode()
    def outputs(self, batch: Batch, scheme: BioeScheme) -> list[dict[int, WordTag]]:  # noqa: ARG002
        """Predict the best tagging of each sentence, each tag with its probability."""
        scores, is_word = self(self.encoder(batch), batch)
        if not is_word.any():
            return [{} for _ in batch.lengths]
        best = self.chain.best(scores, is_word)
        # What is no number, of weights that are out of all proportion, is certain of nothing.
        certainty = self.chain.probabilities(scores, is_word).gather(2, best[..., None])[..., 0].nan_to_num()
        return [
            self._tag_words(columns[:length].tolist(), probabilities[:length].tolist())
            for columns, probabilities, length in zip(best.cpu(), to_numpy(certainty), batch.lengths, strict=True)
        ]

    def _tag_words(self, columns: Sequence[int], probabilities: Sequence[float]) -> dict[int, WordTag]:
        found = {}
        for word, (column, probability) in enumerate(zip(columns, probabilities, strict=True)):
            tag = self.tags[column]
            if tag is not None:
                found[word] = tag._replace(score=probability)
        return found


def _allowed_transitions(tags: Sequence[WordTag | None]) -> tuple[Tensor, Tensor]:
    """Tell which tag may stand behind which, and which may begin a sentence."""
    begun = {(tag.label, tag.kind): number for number, tag in enumerate(tags) if tag is not None}
    segments = torch.tensor([-1 if tag is None else begun[tag.label, tag.kind] for tag in tags])
    is_free = torch.tensor([tag is None or tag.is_first for tag in tags])
    return is_free | (segments[:, None] == segments), is_free


class LinearChain(nn.Module):
    """A linear-chain conditional random field over tags (Lafferty et al. 2001); some sequences are forbidden."""

    is_forbidden: Tensor
    is_no_start: Tensor

    def __init__(self, may_follow: Tensor, may_start: Tensor) -> None:
        """Make a chain of tags; `may_follow[i, j]` tells whether tag j may stand behind tag i."""
        super().__init__()
        tags = len(may_start)
        self.following = nn.Parameter(torch.zeros(tags, tags))
        self.starting = nn.Parameter(torch.zeros(tags))
        self.ending = nn.Parameter(torch.zeros(tags))
        self.register_buffer("is_forbidden", ~may_follow, persistent=False)
        self.register_buffer("is_no_start", ~may_start, persistent=False)

    def log_partition(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """The logarithm of the summed weights of all taggings of each sentence."""
        return (self._forward(scores, is_word, lambda values: values.logsumexp(-2))[-1] + self.ending).logsumexp(-1)

    def log_weight(self, scores: Tensor, is_word: Tensor, tags: Tensor) -> Tensor:
        """The logarithm of the weight of one tagging of each sentence."""
        following, starting = self._masked_scores()
        of_tags = scores.gather(2, tags[..., None])[..., 0] * is_word
        steps = following[tags[:, :-1], tags[:, 1:]] * is_word[:, 1:]
        last = tags.gather(1, is_word.sum(1, keepdim=True) - 1)[:, 0]
        return of_tags.sum(1) + steps.sum(1) + starting[tags[:, 0]] + self.ending[last]

    def best(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """Find the tagging of the greatest weight of each sentence, by Viterbi's algorithm: (sentences, words)."""
        following, _ = self._masked_scores()
        messages = self._forward(scores, is_word, lambda values: values.amax(-2))
        lengths = is_word.sum(1)
        tags = (messages[-1] + self.ending).argmax(1)
        found = [tags]
        for word in reversed(range(1, scores.shape[1])):
            before = messages[word - 1] + following[:, tags].T
            tags = torch.where(word < lengths, before.argmax(1), tags)
            found.append(tags)
        return torch.stack(found[::-1], dim=1)

    def probabilities(self, scores: Tensor, is_word: Tensor) -> Tensor:
        """The probability of every tag of every word: (sentences, words, tags).

        Only the differences between the tags of a word matter. What all have in common is taken off at every word, or
        in a long sentence it would grow until single precision has no digits left for the differences.
        """
        forward = self._forward(scores, is_word, lambda values: _subtract_maximum(values.logsumexp(-2)))
        return (torch.stack(forward, dim=1) + self._backward(scores, is_word)).softmax(-1)

    def _forward(self, scores: Tensor, is_word: Tensor, combine: Callable[[Tensor], Tensor]) -> list[Tensor]:
        """Messages up to each tag, word by word; behind the end of a sentence, those of its last word."""
        following, starting = self._masked_scores()
        messages = [starting + scores[:, 0]]
        for word in range(1, scores.shape[1]):
            grown = combine(messages[-1][:, :, None] + following) + scores[:, word]
            messages.append(torch.where(is_word[:, word, None], grown, messages[-1]))
        return messages

    def _backward(self, scores: Tensor, is_word: Tensor) -> Tensor:
        following, _ = self._masked_scores()
        messages = [self.ending.expand(len(scores), -1)]
        for word in reversed(range(1, scores.shape[1])):
            grown = _subtract_maximum((following + (scores[:, word] + messages[-1])[:, None]).logsumexp(-1))
            messages.append(torch.where(is_word[:, word, None], grown, messages[-1]))
        return torch.stack(messages[::-1], dim=1)

    def _masked_scores(self) -> tuple[Tensor, Tensor]:
        """The scores of tags behind each other and at the beginning."""
        return self.following.masked_fill(self.is_forbidden, _NEVER), self.starting.masked_fill(
            self.is_no_start, _NEVER
        )


def _subtract_maximum(messages: Tensor) -> Tensor:
    return messages - messages.amax(-1, keepdim=True)
