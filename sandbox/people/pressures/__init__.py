"""Pressures: what people want, owe, hide or resent, and what it makes them do (docs/mechanisms.md, Pressures)."""
