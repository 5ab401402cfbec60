"""What to annotate next: what a model is most in doubt about, and not the same again and again."""
