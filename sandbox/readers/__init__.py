"""Readers of the log: they turn events into sentences, tables and measures."""
