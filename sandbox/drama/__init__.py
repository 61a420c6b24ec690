"""Drama: what follows from deeds done under pressure, pressures that act by themselves, and events from outside."""
