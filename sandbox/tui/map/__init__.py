"""The picture of the town: from a floor plan, an hour and people to cells. Knows no widgets."""
