"""Making friends by reward: people who post, comment and write to each other learn what pays (seed 000)."""
