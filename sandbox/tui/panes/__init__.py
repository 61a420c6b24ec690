"""The panes of the screen. Each makes its lines by pure functions from the view and draws what changed."""
