"""What people are asked about talk: each question with its answer, the rule that gives one, and its spec."""
