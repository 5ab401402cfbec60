"""Makes a ready model of a run: `python -m tools.ready NAME RUN DEV`, a distribution in `models/NAME/`."""
