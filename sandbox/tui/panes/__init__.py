"""The panes of the screen. Each computes its lines from the view with pure functions, and redraws what changed."""
