"""What makes a day a story: what comes of deeds under pressure, what presses by itself, what comes from outside."""
