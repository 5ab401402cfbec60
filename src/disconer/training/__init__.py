"""From annotated sentences to a model: configuration, loop, checkpoints, threshold search, seeds."""
