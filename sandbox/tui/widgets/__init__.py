"""What panes and sheets are made of: a pane, lines, entries under a cursor, long lists, a sheet."""
