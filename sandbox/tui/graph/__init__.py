"""The pane of ties between people: as a graph, as a grid and in measures."""
