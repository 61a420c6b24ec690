"""Memory: what they remember, newest or weightiest first, with its age, kind and weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandbox.core.text import clean
from sandbox.people.memory import Memories
from sandbox.people.memory_stream import Memory, MemoryStream
from sandbox.tui.panes.person_tab import Goes, PersonTab, remark_entry
from sandbox.tui.view.person_words import short_age
from sandbox.tui.view.text_lines import BLUE, DIM, GOLD, SOFT, TEXT, Line, ink, justify, outside, wrap_cells
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry

HEAD = 7  # "12m  : "
HEAVY = 6  # from that poignancy on a memory stands out
STALE = 600  # seconds of the town's time after which ages are told anew
KINDS = {"event": (".", SOFT), "chat": ('"', SOFT), "thought": (":", GOLD), "plan": (">", BLUE)}


class MemoryTab(PersonTab):
    """Each memory leads to its event. read: asks for memories to be read; a replay has none until then."""

    name = "Memory"

    def __init__(self, viewer: Viewer, goes: Goes, read: Callable[[], None]) -> None:
        super().__init__(viewer, goes)
        self.read = read
        self.weightiest = False
        self._fault: tuple[Memories | None, str] = (None, "")
        self._kept: tuple[object, list[Entry]] = (None, [])

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        memories = self.viewer.world.memories
        if self.lost:
            return [remark_entry(f"What they remember cannot be read: {self._fault[1]}", width)]
        if not memories.live:
            self.read()
            return [remark_entry("reading what they remember ...", width)]
        self.turn_to(who)
        stream = memories.streams[who]
        key = (stream, stream.count, width, self.weightiest, self.most, int(t) // STALE)
        if key != self._kept[0]:
            self._kept = (key, self._all(who, stream, t, width))
        return self._kept[1]

    @property
    def lost(self) -> bool:
        """Whether they could not be read where the town stands."""
        return self.viewer.world.memories is self._fault[0]

    def failed(self, why: str) -> None:
        """Reading them failed; they are not read again until the town stands at another moment."""
        self._fault = (self.viewer.world.memories, why)

    def turn_order(self) -> None:
        """Newest first, or weightiest first."""
        self.weightiest = not self.weightiest

    def _all(self, who: str, stream: MemoryStream, t: float, width: int) -> list[Entry]:
        if not len(stream):
            return [
                remark_entry(f"{self.viewer.name(who)} remembers nothing yet; a few steps will change that.", width)
            ]
        found = stream.weightiest(self.most) if self.weightiest else stream[: -self.most - 1 : -1]
        first, other = ("weightiest", "newest") if self.weightiest else ("newest", "weightiest")
        out = [Entry([justify([ink(f"{first} first", SOFT)], [ink(f"s {other} first", DIM)], width)])]
        out += [Entry(self._lines(n, t, width), self.goes.to_event(n.seq), n.id) for n in found]
        rest = self.rest(len(stream))
        return out if rest is None else [*out, rest]

    def _lines(self, node: Memory, t: float, width: int) -> list[Line]:
        mark, fg = KINDS.get(node.kind, (".", SOFT))
        text = clean(node.text, 600)
        others = [name for name in map(self.viewer.name, node.about) if name not in text]
        if others:
            text += f" ({', '.join(others)})"
        heavy = node.poignancy >= HEAVY
        parts = wrap_cells(text, max(8, width - HEAD - 3), 3)
        head = [ink(f"{short_age(t - node.t):>4} ", DIM), ink(f"{mark} ", fg, bold=True), outside(parts[0])]
        weight = ink(f"{node.poignancy:2d}", GOLD if heavy else DIM, bold=heavy)
        return [
            justify(head, [weight], width),
            *([ink(" " * HEAD), ink(part, TEXT if heavy else SOFT)] for part in parts[1:]),
        ]
