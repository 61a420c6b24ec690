"""Playing somebody on the screen: what there is to say and do, what waits for an answer, and time meanwhile."""
