"""State and wording that all panes share: the viewer, the pace of time, log queries, the terminal. No panes."""
