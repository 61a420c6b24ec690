"""Readers of the log: what happened, in sentences."""
