"""A scene staged: the room large, who speaks, their words one by one, what came of it."""
