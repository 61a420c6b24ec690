"""What the screen knows of the town: the viewer, time, the log, the terminal, and words for it. No panes."""
