"""Playing a person: what a player has somebody do, by the town's own moves and under everybody's rules."""
