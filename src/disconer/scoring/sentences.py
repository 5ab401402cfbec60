"""Counts sentence by sentence, which tests of significance are made on."""

from collections import defaultdict
from collections.abc import Iterable

from disconer.document import Document, Mention
from disconer.scoring.counts import Counts
from disconer.scoring.keys import mention_keys
from disconer.scoring.pairing import Pair
from disconer.scoring.scores import SCOPES
from disconer.tokenize import Layout


def sentence_counts(pairs: Iterable[Pair]) -> dict[str, list[Counts]]:
    """Count every sentence in each scope; over all sentences the counts add up to the scores."""
    counts: dict[str, list[Counts]] = {scope: [] for scope in SCOPES}
    for gold, predicted in pairs:
        of_gold, of_predicted = _by_sentence(gold), _by_sentence(predicted)
        for index in _units(gold.layout):
            own, found = of_gold.get(index, []), of_predicted.get(index, [])
            everything = Counts.of(mention_keys(own), mention_keys(found))
            with_gaps = Counts.of(mention_keys(own, True), mention_keys(found, True))
            counts["all"].append(everything)
            counts["disc_sentences"].append(everything if with_gaps.gold else Counts())
            counts["disc_mentions"].append(with_gaps)
    return counts


def _units(layout: Layout) -> range:
    """Give the numbers of the sentences, and -1 where text stands before the first: a matter of the text alone."""
    has_more = layout.sentences[0][0] > 0 if layout.sentences else bool(layout.text)
    return range(-1 if has_more else 0, len(layout.sentences))


def _by_sentence(document: Document) -> dict[int, list[Mention]]:
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for mention in document:
        mentions[mention.home_sentence_index].append(mention)
    return mentions
