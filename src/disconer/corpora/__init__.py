"""Corpora that disconer can build: one module each.

A public corpus is a module of its name with a `CORPUS`; it is only imported when it is asked for.
"""

from importlib import import_module

from disconer.corpora.corpus import Corpus
from disconer.exceptions import InputError, shown
from disconer.nearest import did_you_mean_one_of

NAMES = ("cadec", "share13", "share14", "tac2017", "chia", "craft", "genia", "ddi2013", "parseme")
"""The public corpora, the paper's first."""


def corpus_named(name: str) -> Corpus:
    """Give one of the public corpora."""
    if name not in NAMES:
        raise InputError(f"there is no corpus {shown(name)}{did_you_mean_one_of(name, NAMES)}")
    corpus: Corpus = import_module(f"disconer.corpora.{name}").CORPUS
    return corpus
