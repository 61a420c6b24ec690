"""Minds: whatever answers questions. They see typed values only, and never the world."""
