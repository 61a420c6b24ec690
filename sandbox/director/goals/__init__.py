"""Goals of the player: what the town may come to by an hour, chosen or not."""
