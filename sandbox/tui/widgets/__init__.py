"""Building blocks of the screen: panes, lines of text, lists with a cursor, long lists, sheets."""
