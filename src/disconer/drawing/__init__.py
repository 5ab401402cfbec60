"""The one renderer of gaps and overlaps: in a terminal, in HTML, in a notebook."""
