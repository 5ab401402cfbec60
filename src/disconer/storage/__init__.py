"""A model on disk and on the Hugging Face hub."""
