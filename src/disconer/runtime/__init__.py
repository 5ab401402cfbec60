"""Models without torch: how they are made, and what runs them."""
