"""The town's people at their phones: what they read on the feed, what they write there, and the rules that tie street
and feed."""
