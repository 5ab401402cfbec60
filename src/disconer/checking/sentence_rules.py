"""Rules about documents and sentences: what comes twice, what crosses a sentence, what a scheme cannot express."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from disconer.checking.finding import CheckedCorpus, Entry, RuleHit, describe_mention
from disconer.document import Fragment, Mention, Sentence
from disconer.exceptions import quote
from disconer.passage import WordMention
from disconer.schemes import Scheme
from disconer.tokenize import Layout

LEAST_WORDS = 5
"""Sentences with fewer words, punctuation left out, are headings and items of lists, which come twice everywhere."""
_MOST_DIFFERENCES = 3
"""How many mentions a message names on either side."""
Annotation = frozenset[WordMention]


class _Occurrence(NamedTuple):
    """A sentence somewhere in the corpus."""

    entry: Entry
    sentence: Sentence

    @property
    def annotation(self) -> Annotation:
        return frozenset(map(self.sentence.word_mention, self.sentence.mentions))

    def hit(self, message: str) -> RuleHit:
        return RuleHit.of_span(self.entry, (self.sentence.start, self.sentence.end), message)


def find_crossing_mentions(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions that lie in no single sentence."""
    for entry in corpus.entries:
        for mention in entry.document.cross_sentence:
            yield RuleHit.of_mention(entry, mention, _why_in_no_sentence(mention))


def find_shared_sentences(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find sentences of a file that an earlier file has too, each at its first place."""
    for occurrences in _group_repeated(corpus):
        of_files: dict[str, list[_Occurrence]] = defaultdict(list)
        for occurrence in occurrences:
            of_files[occurrence.entry.file].append(occurrence)
        for own in list(of_files.values())[1:]:
            here = f"{quote(own[0].sentence.text)}, {_times(len(own))} in this file,"
            yield own[0].hit(f"{here} is in {occurrences[0].entry.place} too")


def find_differing_annotations(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find sentences whose words are annotated in another way elsewhere, more often or more fully."""
    for occurrences in _group_repeated(corpus):
        annotations = [occurrence.annotation for occurrence in occurrences]
        times = Counter(annotations)
        usual = max(times, key=lambda one: (times[one], len(one), sorted(one)))
        example = occurrences[annotations.index(usual)]
        for occurrence, annotation in zip(occurrences, annotations, strict=True):
            if annotation != usual:
                difference = _difference(occurrence.sentence, annotation, usual)
                yield occurrence.hit(f"{difference} in the same sentence of {example.entry.place}")


def find_same_ids(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find documents with the id of another one of their file."""
    seen: set[tuple[str, str]] = set()
    for entry in corpus.entries:
        if entry.document.id is None:
            continue
        key = entry.file, str(entry.document.id)
        if key in seen:
            yield RuleHit(entry, (), None, f"document {entry.number} has the id of another one")
        seen.add(key)


def find_inexpressible(corpus: CheckedCorpus) -> Iterator[RuleHit]:
    """Find mentions that the scheme loses or reads into a sentence, and sentences that it cannot decode in full."""
    for entry in corpus.entries:
        for sentence in entry.document.sentences:
            if sentence.mentions:
                yield from _scheme_hits(entry, sentence, corpus.scheme)


def _why_in_no_sentence(mention: Mention) -> str:
    if not any(_touches_a_sentence(mention.layout, fragment) for fragment in mention.fragments):
        return "lies in no sentence"
    return "reaches over the end of a sentence" if mention.word_indices else "holds no word"


def _touches_a_sentence(layout: Layout, fragment: Fragment) -> bool:
    last = layout.sentence_at(fragment.end - 1)
    return last >= 0 and fragment.start < layout.sentences[last][1]


def _group_repeated(corpus: CheckedCorpus) -> Iterator[list[_Occurrence]]:
    """Group the sentences whose words come more than once by these words."""
    by_words: dict[tuple[str, ...], list[_Occurrence]] = defaultdict(list)
    for entry in corpus.entries:
        for sentence in entry.document.sentences:
            words = sentence.words
            if sum(any(map(str.isalnum, word)) for word in words) >= LEAST_WORDS:
                by_words[tuple(map(str.casefold, words))].append(_Occurrence(entry, sentence))
    return (occurrences for occurrences in by_words.values() if len(occurrences) > 1)


def _difference(sentence: Sentence, here: Annotation, there: Annotation) -> str:
    """Say what two annotations of a sentence do not share."""
    return f"{_list_mentions(sentence, here - there)} here, but {_list_mentions(sentence, there - here)}"


def _list_mentions(sentence: Sentence, mentions: Iterable[WordMention]) -> str:
    in_order: Sequence[WordMention] = sorted(mentions, key=lambda one: (one.segments, one.label))
    named = [describe_mention(sentence.mention(one)) for one in in_order[:_MOST_DIFFERENCES]]
    left_out = len(in_order) - len(named)
    return ", ".join([*named, *([f"{left_out} more"] if left_out else [])]) or "nothing"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _scheme_hits(entry: Entry, sentence: Sentence, scheme: Scheme) -> Iterator[RuleHit]:
    given = {sentence.word_mention(mention): mention for mention in sentence.mentions}
    decoding = scheme.oracle(given)
    if decoding.complete:
        for lost in sorted(given.keys() - decoding.mentions.keys()):
            yield RuleHit.of_mention(entry, given[lost], f"is lost by the {scheme.name} scheme")
    else:  # what the search did not come to need not be lost
        says = f"{quote(sentence.text)} is too complicated for the {scheme.name} scheme to decode in full"
        yield RuleHit.of_span(entry, (sentence.start, sentence.end), says)
    for invented in map(sentence.mention, sorted(decoding.mentions.keys() - given.keys())):
        yield RuleHit.of_mention(entry, invented, f"is not annotated, but the {scheme.name} scheme reads it")
