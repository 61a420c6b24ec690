"""Bets of the player on what falls due: odds by the rules of the outcome, and a tally of points."""
