"""What people decide with a phone in their hand, as questions with their rules."""
