"""Minds answer questions. They see typed values only, never the world."""
