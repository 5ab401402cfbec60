"""Corpora that disconer can build: one module each.

A public corpus is a module of its name with a `CORPUS`; it is only imported when it is asked for.
"""

from importlib import import_module

from disconer.corpora.corpus import PublicCorpus
from disconer.exceptions import InputError, quote
from disconer.foundation.nearest import did_you_mean_one_of

NAMES = ("cadec", "share13", "share14", "tac2017", "chia", "craft", "genia", "ddi2013", "parseme")
"""The public corpora, the paper's first."""


def find_corpus(name: str) -> PublicCorpus:
    """Find a public corpus by its name."""
    if name not in NAMES:
        raise InputError(f"there is no corpus {quote(name)}{did_you_mean_one_of(name, NAMES)}")
    corpus: PublicCorpus = import_module(f"disconer.corpora.{name}").CORPUS
    return corpus
