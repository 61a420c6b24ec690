"""Residents' phones: what they read and write on the feed, and the rules that link events in town and on the feed."""
