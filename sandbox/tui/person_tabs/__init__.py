"""The tabs of a person: what they feel and do now, ties, memories, matters, life."""
