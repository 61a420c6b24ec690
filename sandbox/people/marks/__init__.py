"""Marks: what an outcome leaves in the rest of a mood for days, and in what somebody does."""
