"""What every other package stands on: time, chance, events, text, and the protocols between rooms."""
