"""The save: one SQLite file that keeps every event, and from which any step of a world can be rebuilt."""
