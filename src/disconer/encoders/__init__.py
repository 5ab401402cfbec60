"""Text into vectors: any Hugging Face transformer, the embedded default, ELMo, a tiny one for tests."""
