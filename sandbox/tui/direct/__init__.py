"""What the player directs: which card, for whom or what, with which parts, from when."""
