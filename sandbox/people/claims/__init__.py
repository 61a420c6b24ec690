"""Claims: what is so between people, and who holds what."""
