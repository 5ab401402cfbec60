"""Networks on an encoder: Mac, and the baselines that its paper compares it with; registry.py lists them."""
