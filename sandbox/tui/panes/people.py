"""The list of people: mood mark, name, place, activity, recent mood; in an order to choose, favourites first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.core.text import clean
from sandbox.engine.view import PersonRow
from sandbox.people.guest_model import in_town
from sandbox.people.mood_words import MARKS
from sandbox.readers.talks import ROW
from sandbox.tui.panes.person_matters import trouble
from sandbox.tui.view import mind_progress
from sandbox.tui.view.action import Action
from sandbox.tui.view.recent_moods import sparkline
from sandbox.tui.view.text_lines import Ink, Line, as_text, ink, justify, of_mood, outside, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane, Entry
from sandbox.tui.widgets.lines import make_clickable
from sandbox.tui.widgets.pane import Pane, PanePlace, Region

CALM = 300  # seconds of town time for which an order stays, so that rows do not keep moving
SOURED = -0.2  # feeling, in [-1, 1], at or below which a tie adds to trouble
FOND = 0.5  # closeness, in [0, 1], from which a liked person counts as company
NAME, NAME_MOST = 4, 11  # least and most cells of a name


class ColumnWidths(NamedTuple):
    """Cells of the columns after mark and name; 0 = no such column. note: the value sorted by; felt: recent mood."""

    place: int
    doing: int
    note: int
    felt: int


PLACE, PLACE_MOST = 7, 18  # cells that a place needs to be recognisable, and the most it gets
FELT = 6  # cells of the recent mood in little room
DOING = 26  # cells for place and activity from which both are shown


def column_widths(width: int, name: int, noted: bool, longest: int = PLACE) -> ColumnWidths:
    """The columns that fit into `width` cells beside names of `name` cells. noted: whether the order has a note column;
    longest: cells of the longest place. The recent mood shrinks in favour of place and note.
    """
    usual = 18 if width >= 76 else 12 if width >= 36 else FELT
    note = 5 if noted else 0
    room = width - 3 - name - 1 - 1 - (note + 1 if noted else 0)
    least = 0 if noted else FELT
    felt = next((cells for cells in (usual, FELT, least) if room - cells >= longest), least)
    left = room - felt
    if noted and left < PLACE:
        return column_widths(width, name, False, longest)
    if left < DOING:
        return ColumnWidths(max(0, left), 0, note, felt)
    place = min(PLACE_MOST, max(left * 2 // 5, min(longest, (left - 1) // 2)))
    return ColumnWidths(place, left - place - 1, note, felt)


class PeoplePane(EntriesPane, Pane):
    """The list of people. Its cursor is on the chosen person; moving it chooses. alone: whether it has the whole
    screen. order: a key of ORDERS.
    """

    eager = True
    PLACE = PanePlace("people", "4", "People", "the people", "among the people", wide=Region.LIST, broad=Region.SIDE)
    ACTIONS: ClassVar[tuple[Action[PeoplePane], ...]] = (
        Action("list.sort", "s", "sort", "Sort by trouble, mood, talked about, lonely, name.",
               lambda pane: pane.next_sort(), "people: sort", rank=3),
    )  # fmt: skip

    class Moved(Message):
        """The cursor has moved to another person."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.alone = False
        self.order = "trouble"
        names = [cell_len(clean(viewer.name(who))) for who in viewer.world.cast]
        self._cells = max(NAME, min(NAME_MOST, max(names, default=0)))
        places = (viewer.world.handbook.place(address) for address in viewer.world.map.areas)
        self._longest = min(PLACE_MOST, max((cell_len(_short(place)) for place in places), default=0))
        self._sorted: tuple[object, list[str]] = (None, [])
        self._notes: dict[str, str] = {}
        self._chosen = ""  # who was chosen when it was last drawn

    # ---- what it shows

    def entries(self, width: int) -> Sequence[Entry]:
        return [Entry(([],), partial(self._go, who), who) for who in self.sorted()]

    def lines(self, width: int, height: int) -> Sequence[Line]:
        if self.viewer.selected != self._chosen:
            self._chosen = self.viewer.selected
            self._key = self._chosen or self._key
        out = super().lines(width, height - self.alone)
        self.entitle(f"People: {self._ordered.says}", f"{self.more} more, j or ↓" if self.more else "")
        if not self.alone:
            return out
        self._rows.insert(0, -1)
        return [self._header(width, self.bordered), *out]

    def drawn(self, index: int, line: Line, width: int, marked: bool) -> Line:
        return self._person(str(self._entries[index].key), width, "dim" if marked else "faint")

    def _shape(self, width: int) -> ColumnWidths:
        return column_widths(width, self._cells, self._ordered.note is not None, self._longest)

    @property
    def _ordered(self) -> Order:
        """The current order; by who is in sight if the view is limited to what one person knows."""
        return IN_SIGHT if self.viewer.knower else ORDERS[self.order]

    def _person(self, who: str, width: int, usual: Ink) -> Line:
        viewer, shape = self.viewer, self._shape(width)
        t = viewer.shown
        row = viewer.view.row(who, t)
        chosen = who == viewer.selected
        fg: Ink = "accent" if chosen else "text" if row.awake else "dim"
        away, seen = not in_town(viewer.world, who), viewer.view.shows(who, t)
        out = [
            ink(">" if chosen else " ", "accent", bold=True),
            ink(MARKS[row.mood] if seen or away else " ", of_mood(row.mood), bold=True),
            self._note(who),
            *_cell([outside(row.name, fg, bold=chosen)], self._cells),
        ]
        if shape.doing:
            out += _cell([outside("" if away or not seen else self._place(row), "soft")], shape.place)
            doing = row.doing if away or seen else row.where
            out += _cell([outside(doing, "text" if row.awake else "dim")], shape.doing)
        else:
            place = self._gone(who) if away else self._place(row) if row.awake else "asleep" if seen else row.doing
            out += _cell([outside(place, "soft" if row.awake else "dim")], shape.place)
        if shape.note:
            out.append(ink(f"{self._notes[who]:>{shape.note}} ", "link"))
        felt = viewer.pulses.felt(viewer.view, who, t, shape.felt) if not viewer.hides(who) else [None] * shape.felt
        return [*out, *sparkline(felt, usual, of_mood(row.mood))]

    def _note(self, who: str) -> Segment:
        """A mark if they are thinking, else one if they are a favourite, else a blank."""
        viewer = self.viewer
        if who in viewer.asked:
            return ink(mind_progress.thinking_mark(viewer), "link", bold=True)
        return ink("*" if who in viewer.favourites else " ", "accent", bold=True)

    def _gone(self, who: str) -> str:
        """When somebody left town, in short: "left Thu"."""
        world = self.viewer.world
        return f"left {world.clock.words(world.guests.stays[who].left)[:3]}"

    def _place(self, row: PersonRow) -> str:
        """Where somebody is, in short: "bakery"."""
        world = self.viewer.world
        address = world.map.area_of[int(row.y) * world.map.width + int(row.x)]
        return _short(world.handbook.place(address))

    def _header(self, width: int, bordered: bool) -> Line:
        """The names of the columns, and the order if no border shows it."""
        shape = self._shape(width)
        left = [ink("   "), *_cell([ink("name", "dim")], self._cells), *_cell([ink("place", "dim")], shape.place)]
        left.append(ink("does" if shape.doing else "", "dim"))
        key = "" if self.viewer.knower else "s "
        order = [] if bordered else [ink(f"{key}{self._ordered.says}", "accent")]
        order += [ink(f"  ↓{self.more}", "dim")] if self.more and not bordered else []
        before = width - shape.felt
        row = to_width(justify(left, order, before - 1), before)
        felt = ink("last 6 hours" if shape.felt > 6 else "felt", "dim")
        return make_clickable(to_width([*row, felt], width), "sorts", True)

    def take_room(self, alone: bool, small: bool) -> None:
        """Show a header over the columns if the list has the whole screen."""
        self.alone = alone

    def taken(self) -> str:
        """The chosen person's line as text."""
        if self.chosen is None:
            return ""
        return as_text([self._person(str(self.chosen.key), self.content_size.width, "dim")]).strip()

    # ---- order

    def next_sort(self) -> None:
        """Sort by the next order; not while only those in sight are known."""
        if self.viewer.knower:
            return
        names = list(ORDERS)
        self.order = names[(names.index(self.order) + 1) % len(names)]
        self.reset()
        self._chosen = ""  # so that the cursor stays on the chosen person
        self.pull()

    def sorted(self) -> list[str]:
        """All ids in the current order, favourites first, people out of town last. It stays for CALM seconds."""
        viewer = self.viewer
        t = viewer.shown
        away = [who for who in viewer.world.cast if not in_town(viewer.world, who)]
        town = (viewer.session.view, t // CALM, len(viewer.world.cast), *away)
        key = (self.order, viewer.knower, frozenset(viewer.favourites), *town)
        if key != self._sorted[0]:
            order, stars = self._ordered, viewer.favourites
            rank, note = order.rank(viewer, t), order.note
            people = sorted(viewer.world.cast, key=lambda who: (who in away, who not in stars, rank(who)))
            self._sorted = (key, people)
            self._notes = {who: note(viewer, who, t) for who in people} if note else {}
        return self._sorted[1]

    # ---- going to somebody

    @property
    def who(self) -> str:
        return str(self.chosen.key) if self.chosen is not None else next(iter(self.sorted()), "")

    def move(self, by: int) -> None:
        """Move the cursor, and choose the person it is on."""
        super().move(by)
        self.post_message(self.Moved())

    def _go(self, who: str) -> None:
        self.post_message(self.Went(who))

    def on_click(self, event: Click) -> None:
        """A click on the header sorts by the next order."""
        if event.style.meta.get("sorts"):
            self.next_sort()


def _short(place: str) -> str:
    """A place name for a list, without its article: "bakery"."""
    return clean(place, 80).removeprefix("the ")


def _cell(line: Line, width: int) -> Line:
    """A line cut or padded to a column of `width` cells, with a blank after it."""
    return [*to_width(line, width), ink(" ")]


# ---- orders: each returns, for second t, a function from a person to a rank; the lowest rank comes first

Rank = Callable[[str], object]


def _trouble(viewer: Viewer, t: float) -> Rank:
    """By the pressures on people, weighted by stage; among equals by bad mood, sour ties and today's quarrels."""
    clock = viewer.world.clock
    since = clock.midnight(clock.day(int(t)))
    rows = Counter(who for row in viewer.chronicle.between(since, t) if row.mark == ROW for who in row.who)
    ties = viewer.world.people.ties

    def rank(who: str) -> tuple[float, float]:
        sour = sum(-tie.feeling for tie in ties.get(who, {}).values() if tie.feeling <= SOURED)
        cross = 2.0 * max(0.0, -viewer.view.pad(who, t).p) + 0.5 * sour + 0.5 * rows[who]
        return -round(trouble(viewer, who, t), 1), -cross

    return rank


def hours_alone(viewer: Viewer, who: str, t: float) -> float:
    """Hours since somebody's last talk."""
    if viewer.world.people.residents[who].talk:
        return 0.0
    last = max((tie.last_talk for tie in viewer.world.people.ties.get(who, {}).values()), default=-1)
    return max(0.0, t - max(0, last)) / 3600.0


def _lonely(viewer: Viewer, t: float) -> Rank:
    """By the hours since the last talk, divided by 1 + the number of close, liked people."""
    ties = viewer.world.people.ties

    def rank(who: str) -> float:
        company = sum(tie.closeness >= FOND and tie.feeling > 0 for tie in ties.get(who, {}).values())
        return -hours_alone(viewer, who, t) / (1 + company)

    return rank


def _alone_words(viewer: Viewer, who: str, t: float) -> str:
    hours = hours_alone(viewer, who, t)
    return f"{hours * 60:.0f}m" if hours < 1.5 else f"{hours:.0f}h" if hours < 36 else f"{hours / 24:.0f}d"


def _trouble_words(viewer: Viewer, who: str, t: float) -> str:
    much = trouble(viewer, who, t)
    return f"{much:.1f}" if much >= 0.05 else ""


def _named_words(viewer: Viewer, who: str, t: float) -> str:
    times = viewer.pulses.named(who, t)
    return f"{times}x" if times else ""


class Order(NamedTuple):
    """An order of the list. says: its name. note: the words beside each person that show the value sorted by, None if
    the other columns show it.
    """

    says: str
    rank: Callable[[Viewer, float], Rank]
    note: Callable[[Viewer, str, float], str] | None = None


# fmt: off
ORDERS = {
    "trouble": Order("by trouble", _trouble, _trouble_words),
    "mood": Order("by mood", lambda viewer, t: lambda who: -viewer.view.pad(who, t).p,
                  lambda viewer, who, t: f"{viewer.view.pad(who, t).p:+z.2f}"),
    "talked about": Order("most talked about", lambda viewer, t: lambda who: -viewer.pulses.named(who, t),
                          _named_words),
    "lonely": Order("loneliest first", _lonely, _alone_words),
    "name": Order("by name", lambda viewer, t: lambda who: clean(viewer.world.cast[who].name).casefold()),
}
IN_SIGHT = Order("in sight first", lambda viewer, t: lambda who: not viewer.view.shows(who, t))
