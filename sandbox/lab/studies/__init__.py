"""Experiments that need no town: a feed and a crowd, driven step by step (docs/lab.md, studies)."""
