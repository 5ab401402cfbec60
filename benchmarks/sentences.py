"""How many mentions do sentence splitters tear apart?

Compares disconer's rules with maintained libraries on real text: drug labels (TAC 2017 dev sections, as they are and
wrapped at 75 columns like clinical notes) and trial criteria (all of Chia). A splitter that never splits loses
nothing, so the length of the sentences is measured too.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import blingfire
import nltk.tokenize.punkt
import pysbd
import segtok.segmenter
import sentencex
import spacy
import syntok.segmenter

from benchmarks.corpora import chia_brat, corpora, markdown_table, record
from disconer import Document, read
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, split_sentences

Splitter = Callable[[str], list[Span]]
COLUMNS = 75


def main() -> None:
    labels = list(read(corpora() / "tac2017_adr" / "documents.dev.jsonl"))
    with tempfile.TemporaryDirectory() as folder:
        criteria = list(read(chia_brat(Path(folder))))
    lines: list[str] = []
    for title, documents in (
        ("Drug labels (TAC 2017 ADR, dev sections)", labels),
        (f"The same, wrapped at {COLUMNS} columns", [wrap_lines(document) for document in labels]),
        ("Trial criteria (all of Chia)", criteria),
    ):
        rows = [measure(name, splitter, documents) for name, splitter in splitters().items()]
        header = ["splitter", "mentions torn", "% torn", "sentences", "mean words", "99% have at most", "seconds"]
        lines += [f"## {title}", "", *markdown_table(header, rows), ""]
    record("sentences", "make bench", lines)


def splitters() -> dict[str, Splitter]:
    """Set up every splitter, each a function from a text to the spans of its sentences."""
    punkt: Any = nltk.tokenize.punkt.PunktSentenceTokenizer()  # its trained models need a download
    rules = pysbd.Segmenter(language="en", clean=False, char_span=True)
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    return {
        "disconer": split_sentences,
        "pysbd": lambda text: [(span.start, span.end) for span in rules.segment(text)],
        "syntok": split_by_syntok,
        "blingfire": lambda text: list(blingfire.text_to_sentences_and_offsets(text)[1]),
        "spaCy sentencizer": lambda text: [(span.start_char, span.end_char) for span in pipeline(text).sents],
        "sentencex": lambda text: find_spans(sentencex.segment("en", text), text),
        "segtok": lambda text: find_spans(segtok.segmenter.split_multi(text), text),
        "nltk punkt, untrained": lambda text: list(punkt.span_tokenize(text)),
    }


def split_by_syntok(text: str) -> list[Span]:
    sentences = (list(tokens) for paragraph in syntok.segmenter.analyze(text) for tokens in paragraph)
    return [(tokens[0].offset, tokens[-1].offset + len(tokens[-1].value)) for tokens in sentences]


def find_spans(sentences: Iterable[str], text: str) -> list[Span]:
    """Find the offsets of sentences that a library only gives as strings."""
    spans: list[Span] = []
    for sentence in filter(None, map(str.strip, sentences)):
        start = text.index(sentence, spans[-1][1] if spans else 0)
        spans.append((start, start + len(sentence)))
    return spans


def measure(name: str, splitter: Splitter, documents: list[Document]) -> list[str]:
    began = time.perf_counter()
    found = [splitter(document.text) for document in documents]
    seconds = time.perf_counter() - began
    mentions = torn = 0
    lengths: list[int] = []
    for document, spans in zip(documents, found, strict=True):
        seen = Document(Layout(document.text, given_sentences=tuple(spans)), document.mentions)
        mentions += len(seen.unique_mentions)
        torn += len(seen.cross_sentence)
        lengths += (len(words) for words in seen.layout.sentence_words)
    lengths.sort()
    mean, most = sum(lengths) / len(lengths), lengths[int(0.99 * len(lengths))]
    figures = [f"{torn:,} of {mentions:,}", f"{100 * torn / mentions:.2f}", f"{len(lengths):,}"]
    return [name, *figures, f"{mean:.1f}", f"{most}", f"{seconds:.2f}"]


def wrap_lines(document: Document) -> Document:
    """Break long lines at blanks, as clinical notes do; no offset moves."""
    text = "".join(wrap_line(line) for line in document.text.splitlines(keepends=True))
    return Document(text, document.mentions, document.id)


def wrap_line(line: str) -> str:
    breaks = set(line_breaks(line))
    return "".join("\n" if index in breaks else character for index, character in enumerate(line))


def line_breaks(line: str) -> Iterator[int]:
    start, blank = 0, None
    for index, character in enumerate(line.rstrip()):
        if character == " ":
            blank = index
        if index - start >= COLUMNS and blank is not None:
            yield blank
            start, blank = blank + 1, None


if __name__ == "__main__":
    main()
