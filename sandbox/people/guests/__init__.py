"""People who come to town while it lives, and go again."""
