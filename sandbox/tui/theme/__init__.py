"""The colours of the screen and of the town."""
