"""The player as director: cards that bring causes into the town, and whom they touch."""
