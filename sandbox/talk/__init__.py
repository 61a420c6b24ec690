"""Talk: who speaks to whom, how a conversation runs, and the lines it can use."""
