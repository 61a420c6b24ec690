"""The machine: a scenario becomes a world, steps turn it into events, a journal keeps them, a view shows it."""
