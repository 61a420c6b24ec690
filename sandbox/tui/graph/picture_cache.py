"""Draws the graph and the grid of the pane of ties and the row above them; keeps the layout from picture to picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.segment import Segment

from sandbox.people.ties import Matrix
from sandbox.tui.graph import draw, scene
from sandbox.tui.graph.draw import LETTERS_GROUND, GraphLook
from sandbox.tui.graph.grid import Grid, grid, person_at
from sandbox.tui.graph.model import GOOD, ILL
from sandbox.tui.graph.scene import GraphScene, graph_scene
from sandbox.tui.graph.selection import TieSelection
from sandbox.tui.map.scene import glyphs
from sandbox.tui.view.cells import Box, Canvas, Inker, Styler
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.text_lines import Line, fit, ink, justify, width_of
from sandbox.tui.widgets.lines import tab_row

FULL, SMALLEST = 2000, 0.55  # cells from which all eligible ties are drawn; least share of them in smaller pictures
GRAPH, GRID, TABLES, HEARD = range(4)
TABS = ("Graph", "Grid", "Measures", "Who is heard")
SAYS = {GRAPH: "solid likes, dashed dislikes", GRID: "a row: what they feel for others"}


class TiePictures:
    """The drawing state. force: the graph's layout; pull: the attraction of each two nodes in it. chips: where each
    person's chip was last drawn.
    """

    def __init__(self, desk: TieSelection) -> None:
        self.desk = desk
        self.force: scene.GraphLayout | None = None
        self.pull: Matrix = np.zeros((0, 0))
        self.chips: dict[str, Box] = {}
        self._grid: Grid | None = None
        self._inks: dict[Styler, Inker] = {}

    # ---- the graph

    def graph(self, width: int, height: int, look: GraphLook, still: bool) -> list[list[Segment]]:
        """The graph as rows of segments. still: settle the layout at once, since nothing may move by itself."""
        desk = self.desk
        room = min(1.0, max(SMALLEST, width * height / FULL))
        found = graph_scene(desk.ties(), desk.names, desk.groups, desk.wanted()._replace(room=room))
        force = self._take(found, still)
        at = scene.fit_layout(force.at, draw.sizes(found.nodes, look), width, height)
        picture = draw.draw_graph(found.nodes, found.lines, at, width, height, look)
        self.chips = picture.chips
        return self._inked(picture.canvas, look)

    def _take(self, found: GraphScene, still: bool) -> scene.GraphLayout:
        """Continue the layout with the scene's nodes and pull; settle it at once if `still`."""
        people = tuple(node.id for node in found.nodes)
        if self.force is None or self.force.people != people or not np.array_equal(self.pull, found.pull):
            self.force = scene.begin_layout(people, found.pull, self.force)
            if still:
                self.force = scene.settle_layout(self.force, found.pull)
            self.pull = found.pull
        return self.force

    def drift(self) -> bool:
        """Make a step of the layout; return whether one was due."""
        if self.force is None or self.force.still:
            return False
        self.force = scene.step_layout(self.force, self.pull)
        return True

    # ---- the grid

    def heat(self, width: int, height: int, look: GraphLook) -> list[list[Segment]]:
        """The grid as rows of segments."""
        desk = self.desk
        other = desk.tie.b if desk.tie is not None else ""
        self._grid = grid(desk.ties(), desk.names, desk.groups, desk.who, other, width, height, look)
        return self._inked(self._grid.canvas, look)

    def under(self, tab: int, x: int, y: int) -> tuple[str, str]:
        """The person at a cell of the picture and, in the grid, that of its column; each "" if there is none."""
        if tab == GRID:
            return person_at(self._grid, x, y) if self._grid is not None else ("", "")
        return next((who for who, area in self.chips.items() if area.holds(x, y)), ""), ""

    def _inked(self, canvas: Canvas, look: GraphLook) -> list[list[Segment]]:
        ink_ = self._inks.setdefault(look.styler, Inker(look.styler))
        return ink_.segments(canvas, range(canvas.height))

    # ---- the row above

    def head(self, tab: int, width: int, bordered: bool) -> Line:
        """The row above: tabs, then the order of people or whose circle is shown. bordered: a border names the pane."""
        desk = self.desk
        out: Line = [] if bordered else [ink("Ties ", "accent", bold=True)]
        out += tab_row(TABS, tab, gap=" ")
        if tab not in SAYS:
            return fit(out, width)
        said = [desk.order, *([desk.which] if desk.which in (GOOD, ILL) and tab == GRAPH else [])]
        if desk.circle:
            said = [f"the circle of {desk.viewer.name(desk.who)}, {self._where()}"]
        right = [ink(" | ".join(said), "dim")]
        if width_of(out) + width_of(right) + len(SAYS[tab]) + 5 <= width:
            right = [ink(f"{SAYS[tab]}   ", "dim"), *right]
        return justify(out, right, width)

    def _where(self) -> str:
        edges, tie = self.desk.edges, self.desk.tie
        at = next((i for i, e in enumerate(edges) if tie is not None and e.b == tie.b), -1)
        return f"{at + 1} of {len(edges)}" if edges else "nobody"


def look_of(settings: Settings, colours: str | None) -> GraphLook:
    """The look by the settings. colours: Rich's name for what the terminal can show, None = no colours."""
    kind, palette, theme = glyphs(settings["glyphs"], colours), settings["palette"], settings.theme
    own: Sequence[int] = LETTERS_GROUND
    if kind == "pictures":
        own = [theme.colours[name] for name in ("pane", "text", "soft", "text")]
    ground, text, soft, bright = own
    named = palette == "grey" or kind != "pictures"
    return GraphLook(palette, kind, theme.dark, ground, text, soft, bright, named)
