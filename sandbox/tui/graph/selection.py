"""The state of the pane of ties: the chosen moment, person, tie and order, and results that all tabs share."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from sandbox.core.clock import HOUR, Clock
from sandbox.people.ties import CRUSH, RIVALRY, BondSide, TieCause, bond_name
from sandbox.readers.tielines import BEFORE, Pair, TieChange, TieState, day_ends
from sandbox.tui.graph.metrics import GraphMeasurement, keep_group_numbers
from sandbox.tui.graph.model import LEAST, ORDERS, SHOWN, Edge, TownTies, people_in_order, present_ties
from sandbox.tui.graph.past import TieHistory, kinds_by_pair, signs
from sandbox.tui.graph.scene import Wanted
from sandbox.tui.view.text_lines import Line, ink, justify, width_of
from sandbox.tui.view.viewer import Viewer


class TieSelection:
    """The selection. circle: show only one person's ties; other: whom the chosen tie is with. order: one of ORDERS;
    which: one of SHOWN. fault: why the log cannot be read, or "".
    """

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.book = TieHistory(viewer)
        self.slider = DaySlider(viewer.world.clock)
        self.circle = False
        self.other = ""
        self.order, self.which = LEAST, SHOWN[0]
        self.fault = ""
        self.history: dict[int, GraphMeasurement] = {}  # second at which a day ended -> measures
        self.measured: GraphMeasurement | None = None  # of this moment, or the last one measured
        self.groups: Mapping[str, int] = {}
        self._measured_of: TownTies | None = None
        self._ties: tuple[object, TownTies] | None = None
        self._people: tuple[TownTies, str, list[str]] | None = None
        self._kinds: tuple[object, Mapping[Pair, tuple[str, ...]]] | None = None

    # ---- the moment

    @property
    def now(self) -> int:
        """The second at which the town stands; nothing later is shown."""
        return self.viewer.world.now

    @property
    def t(self) -> int | None:
        """The chosen past second, once the log is read up to it; None = now."""
        self.slider.hold(self.now)
        t = self.slider.t
        return t if t is not None and self.book.covers(t) else None

    @property
    def reading(self) -> str:
        """Words while the log is still being read or cannot be, else ""."""
        if self.fault:
            return self.fault
        return "reading the log ..." if self.slider.t is not None and self.t is None else ""

    def _moment(self) -> object:
        t = self.t
        view = self.viewer.view
        return (view, view.version, self.viewer.world.seq) if t is None else (t, self.viewer.knower)

    def ties(self) -> TownTies:
        """All ties at the chosen moment; the same object as long as they are equal."""
        now, t = self._moment(), self.t
        if self._ties is None or self._ties[0] != now:
            found = present_ties(self.viewer.world) if t is None else self.book.ties(t)
            if me := self.viewer.knower:
                found = found.only(me)
            before = self._ties[1] if self._ties is not None else None
            self._ties = (now, before if before is not None and before == found else found)
        return self._ties[1]

    def kinds(self) -> Mapping[Pair, tuple[str, ...]]:
        """Pair -> kinds of claim between them at the chosen moment."""
        now, t = self._moment(), self.t
        if self._kinds is None or self._kinds[0] != now:
            self._kinds = (
                now,
                kinds_by_pair(self.viewer.world.claims.open.values()) if t is None else self.book.kinds(t),
            )
        return self._kinds[1]

    # ---- the person and the tie

    @property
    def names(self) -> Mapping[str, str]:
        """First names of all people by id; untrusted text."""
        return {who: self.viewer.name(who) for who in self.viewer.world.cast}

    @property
    def people(self) -> list[str]:
        """All people in the chosen order."""
        ties = self.ties()
        if self._people is None or self._people[0] is not ties or self._people[1] != self.order:
            self._people = (ties, self.order, people_in_order(ties, self.order, self.names))
        return self._people[2]

    @property
    def who(self) -> str:
        """The person under the cursor: the selected one, else the first in the order; "" if the town is empty."""
        chosen = self.viewer.selected
        return chosen or next(iter(self.people), "")

    @property
    def edges(self) -> list[Edge]:
        """The ties of `who`, in the chosen order."""
        return self.ties().circle(self.who, self.order) if self.who else []

    @property
    def tie(self) -> Edge | None:
        """The chosen tie of `who`; None if no circle is shown or they have no ties."""
        if not self.circle:
            return None
        edges = self.edges
        return next((e for e in edges if e.b == self.other), edges[0] if edges else None)

    def wanted(self) -> Wanted:
        """The selection as the graph's scene needs it."""
        marks = {two: signs(found) for two, found in self.kinds().items()}
        return Wanted(self.who, self.circle, self.tie, self.which, marks)

    def turn_order(self) -> None:
        """Change to the next order."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]

    def turn_which(self) -> None:
        """Change which ties are shown."""
        self.which = SHOWN[(SHOWN.index(self.which) + 1) % len(SHOWN)]

    def bond(self, a: str, b: str) -> str:
        """The bond of two people in a word: from the log once it is read, else derived from the current numbers."""
        t = self.t
        own = bool(self.viewer.knower)  # what the other person feels is not known
        if (
            not own
            and (found := self.book.bond(a, b, self.now if t is None else t))
            and self.book.covers(t or self.now)
        ):
            return found
        world, edge = self.viewer.world, self.ties().edge(a, b)
        between = {*self.kinds().get((a, b), ())}
        held = (p for p in world.pressures.open.values() if p.kind in (CRUSH, RIVALRY) and not own)
        between |= {p.kind for p in held if {p.holder, p.about} == {a, b}}
        there, back = (BondSide(side.closeness, side.feeling) for side in (edge.there, edge.back))
        now = bond_name(there, back, between)
        return "acquainted" if now == "strangers" and not world.tie_parameters.strangers else now

    # ---- why

    def why(self, u: str, v: str, side: TieState) -> TieCause | TieChange | None:
        """The strongest cause of u's feeling for v in its present direction; None if none is known."""
        found: Sequence[TieCause | TieChange]
        if self.t is None:
            tie = self.viewer.world.people.ties.get(u, {}).get(v)
            found = tie.causes if tie is not None else ()
        else:
            found = self.book.moved(u, v, self.t)
        sign = -1.0 if side.feeling < 0.0 else 1.0
        felt = [m for m in found if m.what == "feeling" and m.delta * sign > 0.0 and m.why]
        return max(felt, key=lambda m: (m.delta * sign, m.t), default=None)

    # ---- measuring in the background

    def unmeasured(self) -> TownTies | None:
        """The current ties if they are not measured yet, else None."""
        ties = self.ties()
        return None if ties is self._measured_of else ties

    def take(self, ties: TownTies, found: GraphMeasurement) -> None:
        """Take in the measurement of ties."""
        self._measured_of, self.measured = ties, found
        self.groups = keep_group_numbers(self.groups, found.groups)

    def days(self) -> list[int]:
        """The seconds of ends of days not measured yet."""
        return [t for t in self.slider.moments(self.now) if t not in self.history]


# ---- choosing the moment


START = BEFORE
TRACK = 40  # most cells of the track of days


class DaySlider:
    """Chooses the moment looked at. t: a past second, None = always now."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.t: int | None = None

    def moments(self, now: int) -> list[int]:
        """The stops: START (the world's beginning), then the ends of all days before now."""
        return [START, *day_ends(self._clock, now)[:-1]]

    def days(self, now: int, by: int) -> None:
        """Move by so many stops; beyond the last it is now."""
        stops = self.moments(now)
        if self.t is None:
            at = len(stops) + by
        else:
            at = (bisect_left(stops, self.t) if by < 0 else bisect_right(stops, self.t) - 1) + by
        self.t = stops[max(0, at)] if at < len(stops) else None

    def hours(self, now: int, by: int) -> None:
        """Move by so many hours."""
        t = (now if self.t is None else max(0, self.t)) + by * HOUR
        self.t = None if t >= now else max(START, t)

    def hold(self, now: int) -> None:
        """Go back to now if `t` is not past any more, as after a replay jumped back."""
        if self.t is not None and self.t >= now:
            self.t = None

    def words(self) -> str:
        """The chosen moment in words."""
        clock = self._clock
        if self.t is None:
            return "as it is now"
        if self.t == START:
            return "as the world began"
        if clock.second_of_day(self.t + 1) == 0:
            date = clock.at(self.t)
            return f"as day {clock.day(self.t)} ended, {date:%a} {date.day} {date:%b}"
        return f"as it was {clock.words(self.t)}, day {clock.day(self.t)}"

    def line(self, now: int, width: int, keys: str, ascii_only: bool, reading: str = "") -> Line:
        """The row to show: the moment in words, and a track with its place among the days so far."""
        said: Line = [ink(self.words(), "soft" if self.t is None else "accent", bold=self.t is not None)]
        if reading:
            said += [ink(f"  {reading}", "dim")]
        room = min(TRACK, width - width_of(said) - len(keys) - 8)
        if room < 6:
            return justify(said, [ink(keys, "accent")], width)
        track = self._track(now, room, ascii_only)
        return justify(said, [*track, ink(f" {keys}", "accent", bold=True), ink(" day", "soft")], width)

    def _track(self, now: int, room: int, ascii_only: bool) -> Line:
        def cell(t: int) -> int:
            return max(0, min(room - 1, round(max(0, t) / max(1, now) * (room - 1))))

        rail, tick, here = ("-", "+", "O") if ascii_only else ("─", "┼", "●")
        signs = [rail] * room
        for t in self.moments(now)[1:]:
            signs[cell(t)] = tick
        at = cell(now if self.t is None else self.t)
        return [ink("".join(signs[:at]), "dim"), ink(here, "accent", bold=True), ink("".join(signs[at + 1 :]), "faint")]
