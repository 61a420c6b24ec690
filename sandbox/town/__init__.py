"""Where things are: tiles, areas, walks, sight, occasions."""
