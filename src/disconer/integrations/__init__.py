"""disconer inside the tools of others."""
