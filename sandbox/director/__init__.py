"""The player as director: cards that are causes in the town, and what they touch."""
