"""The engine: a scenario becomes a world, steps produce events, a journal stores them, a view shows the world."""
