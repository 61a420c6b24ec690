"""Draws the town: from a floor plan, an hour and people to cells of the terminal. Knows no widgets."""
