"""The screen: panes that pull from a view of the town, one table of keys, and the loop that lets time run."""
