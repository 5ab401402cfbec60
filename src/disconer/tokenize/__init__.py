"""Text into words and sentences, with character offsets both ways."""

from disconer.tokenize.layout import Layout, Split
from disconer.tokenize.sentences import split_sentences
from disconer.tokenize.words import split_words

__all__ = ["Layout", "Split", "split_sentences", "split_words"]
