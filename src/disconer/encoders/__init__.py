"""Text into vectors: any Hugging Face transformer, the embedded default, a tiny one for tests."""
