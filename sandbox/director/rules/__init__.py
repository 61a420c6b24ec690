"""What cards do, a rule for each sort of them."""
