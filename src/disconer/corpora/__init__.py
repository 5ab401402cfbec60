"""Corpora that disconer can build: one module each."""
