"""The pictures of the documentation, drawn from what our own schemes say; `python -m tools.pictures` makes them."""
