"""Sentences that come twice, and mentions that do not fit into one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from disconer.checking.corpus import Corpus, Entry
from disconer.checking.finding import Problem, named_mention
from disconer.document import Fragment, Mention, Sentence, WordMention
from disconer.exceptions import shown
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

    def problem(self, message: str) -> Problem:
        return Problem.of_span(self.entry, (self.sentence.start, self.sentence.end), message)


def across_sentences(corpus: Corpus) -> Iterator[Problem]:
    """Find mentions that lie in no single sentence."""
    for entry in corpus.entries:
        for mention in entry.document.cross_sentence:
            yield Problem.of_mention(entry, mention, _why_in_no_sentence(mention))


def shared_sentences(corpus: Corpus) -> Iterator[Problem]:
    """Find sentences of a file that an earlier file has too, each at its first place."""
    for occurrences in _repeated(corpus):
        of_files: dict[str, list[_Occurrence]] = defaultdict(list)
        for occurrence in occurrences:
            of_files[occurrence.entry.file].append(occurrence)
        for own in list(of_files.values())[1:]:
            here = f"{shown(own[0].sentence.text)}, {_times(len(own))} in this file,"
            yield own[0].problem(f"{here} is in {occurrences[0].entry.place} too")


def annotated_differently(corpus: Corpus) -> Iterator[Problem]:
    """Find sentences whose words are annotated in another way elsewhere, more often or more fully."""
    for occurrences in _repeated(corpus):
        annotations = [occurrence.annotation for occurrence in occurrences]
        times = Counter(annotations)
        usual = max(times, key=lambda one: (times[one], len(one), sorted(one)))
        example = occurrences[annotations.index(usual)]
        for occurrence, annotation in zip(occurrences, annotations, strict=True):
            if annotation != usual:
                difference = _difference(occurrence.sentence, annotation, usual)
                yield occurrence.problem(f"{difference} in the same sentence of {example.entry.place}")


def _why_in_no_sentence(mention: Mention) -> str:
    if not any(_touches_a_sentence(mention.layout, fragment) for fragment in mention.fragments):
        return "lies in no sentence"
    return "reaches over the end of a sentence" if mention.word_indices else "holds no word"


def _touches_a_sentence(layout: Layout, fragment: Fragment) -> bool:
    last = layout.sentence_at(fragment.end - 1)
    return last >= 0 and fragment.start < layout.sentences[last][1]


def _repeated(corpus: Corpus) -> Iterator[list[_Occurrence]]:
    """Give the sentences whose words come more than once, all with the same words together."""
    by_words: dict[tuple[str, ...], list[_Occurrence]] = defaultdict(list)
    for entry in corpus.entries:
        for sentence in entry.document.sentences:
            words = sentence.words
            if sum(any(map(str.isalnum, word)) for word in words) >= LEAST_WORDS:
                by_words[tuple(map(str.casefold, words))].append(_Occurrence(entry, sentence))
    return (occurrences for occurrences in by_words.values() if len(occurrences) > 1)


def _difference(sentence: Sentence, here: Annotation, there: Annotation) -> str:
    """Say what two annotations of a sentence do not share."""
    return f"{_listed(sentence, here - there)} here, but {_listed(sentence, there - here)}"


def _listed(sentence: Sentence, mentions: Iterable[WordMention]) -> str:
    in_order: Sequence[WordMention] = sorted(mentions, key=lambda one: (one.segments, one.label))
    named = [named_mention(sentence.mention(one)) for one in in_order[:_MOST_DIFFERENCES]]
    left_out = len(in_order) - len(named)
    return ", ".join([*named, *([f"{left_out} more"] if left_out else [])]) or "nothing"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
