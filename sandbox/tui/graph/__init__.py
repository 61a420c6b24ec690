"""Who is what to whom: the pane of ties, as a graph, as a grid and in measures."""
