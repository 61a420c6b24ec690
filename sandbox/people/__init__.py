"""Who people are and what they carry: persona, mood, memory, plans, ties and feelings."""
