"""Mac: network.py has logits and loss, grid_builder.py makes grids of the logits; schemes/grid.py decodes these."""
