"""The screen, in one order: app, commands, sheets, panes, graph, map, widgets, view, theme. A folder may import those
after it.
"""
