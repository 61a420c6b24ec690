"""What people are asked about their day: each question with its answer, the rule that gives one, and its spec."""
