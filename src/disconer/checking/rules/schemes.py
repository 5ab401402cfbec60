"""Mentions that no model could learn or find."""

from collections.abc import Iterator

from disconer.checking.corpus import Corpus
from disconer.checking.finding import Problem


def not_expressible(corpus: Corpus) -> Iterator[Problem]:
    """Find mentions that the scheme loses, and those that it reads into a sentence."""
    scheme = corpus.scheme
    for entry in corpus.entries:
        for sentence in entry.document.sentences:
            given = {sentence.word_mention(mention): mention for mention in sentence.mentions}
            decoded = scheme.oracle(given).mentions if given else {}
            for lost in sorted(given.keys() - decoded.keys()):
                yield Problem.of_mention(entry, given[lost], f"is lost by the {scheme.name} scheme")
            for invented in map(sentence.mention, sorted(decoded.keys() - given.keys())):
                yield Problem.of_mention(entry, invented, f"is not annotated, but the {scheme.name} scheme reads it")
