"""Mentions that no model could learn or find."""

from collections.abc import Iterator

from disconer.checking.corpus import Corpus, Entry
from disconer.checking.finding import Problem
from disconer.document import Sentence
from disconer.exceptions import shown
from disconer.schemes import Scheme


def not_expressible(corpus: Corpus) -> Iterator[Problem]:
    """Find mentions that the scheme loses or reads into a sentence, and sentences that it cannot decode in full."""
    for entry in corpus.entries:
        for sentence in entry.document.sentences:
            if sentence.mentions:
                yield from _problems(entry, sentence, corpus.scheme)


def _problems(entry: Entry, sentence: Sentence, scheme: Scheme) -> Iterator[Problem]:
    given = {sentence.word_mention(mention): mention for mention in sentence.mentions}
    decoding = scheme.oracle(given)
    if decoding.complete:
        for lost in sorted(given.keys() - decoding.mentions.keys()):
            yield Problem.of_mention(entry, given[lost], f"is lost by the {scheme.name} scheme")
    else:  # what the search did not come to need not be lost
        says = f"{shown(sentence.text)} is too complicated for the {scheme.name} scheme to decode in full"
        yield Problem.of_span(entry, (sentence.start, sentence.end), says)
    for invented in map(sentence.mention, sorted(decoding.mentions.keys() - given.keys())):
        yield Problem.of_mention(entry, invented, f"is not annotated, but the {scheme.name} scheme reads it")
