"""The first row: whether time runs and why, the hour, who is played, the weather and the like, how many are awake and
their moods, alerts, the thinking minds and their cost, whether the town is saved. Also the footer and rows of tabs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from textual.events import Click
from textual.message import Message

from sandbox.core.plain import count_of
from sandbox.store.errors import Displaced
from sandbox.tui.map import overlay
from sandbox.tui.view import mind_progress
from sandbox.tui.view.action import GO_ON, LIST, LIVE, REPLAY, SHEET, Action, keys_of, shown_key
from sandbox.tui.view.replay_log import replay_words
from sandbox.tui.view.text_lines import Ink, Line, fit, ink, justify, of_mood, outside, width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, make_clickable, tab_row
from sandbox.tui.widgets.pane import Pane, PanePlace

WIDE = 60  # cells of width from which the day number fits, unless a name is very long
LEAST = 8  # cells always kept for what time does


def time_words(viewer: Viewer, width: int) -> Line:
    """What time does and why, cut to `width` cells. A click on it pauses or resumes."""
    fg: Ink = "alarm" if viewer.pace.fault is not None else "accent"
    words = replay_words(viewer) if viewer.replaying else mind_progress.waiting_words(viewer) or viewer.pace.words
    return make_clickable(fit([outside(words, fg, bold=True)], width), "does", "time.pause")


def who_one_is(viewer: Viewer) -> Line:
    """Who is played; nothing if nobody is. It is never cut."""
    played = viewer.world.played
    if not played.who or viewer.replaying:
        return []
    name = viewer.name(played.who)
    says = f"{name}, left alone" if played.aside else f"You are {name}"
    return [ink(" | ", "faint"), outside(says, "soft" if played.aside else "accent", bold=not played.aside)]


def status_line(viewer: Viewer, width: int) -> Line:
    """The row. If it is too narrow, the rarest moods are dropped first, then the right end piece by piece, then the day
    number; then what time does is cut. Date, hour and who is played always stay.
    """
    clock, t = viewer.world.clock, int(viewer.shown)
    words = clock.words(t)
    rows = viewer.people
    up = [row for row in rows if row.awake and row.id != viewer.knower]
    hour = [ink("  "), ink(words[:-5], "soft"), ink(words[-5:], bold=True)]
    day, who = [ink(f"  day {clock.day(t)}", "soft")], who_one_is(viewer)
    whole = time_words(viewer, width)
    spare = width - width_of([*hour, *day, *who])
    if spare < (LEAST if width >= WIDE else width_of(whole)):
        day = []
    left = [*time_words(viewer, max(LEAST, width - width_of([*hour, *day, *who]))), *hour, *day, *who]
    lasting = [ink(says, "link") for says in overlay.weather_words(viewer)]
    left += _as_fit(lasting, [ink(", ", "faint")], width - width_of(left))
    says = f"{len(rows) - 1} in sight" if viewer.knower else f"{len(up)} up {len(rows) - len(up)} asleep"
    people = [ink(" | ", "faint"), ink(says, "soft")]
    room = width - width_of(left)
    news = _news(viewer, short=False)
    if width_of(people) + width_of(news) > room:
        news = _news(viewer, short=True)
    if width_of(people) + width_of(news) > room:
        people = [] if width_of(people) > room else people
        news = [] if width_of(people) + width_of(news) > room else news
    room -= width_of(people) + width_of(news)
    right = _right(viewer, room - 2)
    if room < width_of(right) + 2:
        return fit([*left, *people, *news], width)
    counted = sorted(Counter(row.mood for row in up).items(), key=lambda m: (-m[1], m[0]))
    moods = [ink(f"{mood} {count}", of_mood(mood)) for mood, count in counted if people]
    return justify([*left, *people, *_as_fit(moods, [ink(" ")], room - width_of(right) - 2), *news], right, width)


def _news(viewer: Viewer, short: bool) -> Line:
    """The number of unread alerts: "! 2 alerts", short: "! 2"; a click opens them."""
    if not viewer.unread:
        return []
    says = f"{viewer.unread}" if short else count_of(viewer.unread, "alert")
    return [ink(" | ", "faint"), *make_clickable([ink(f"! {says}", "accent", bold=True)], "does", "go.alerts")]


def _as_fit(pieces: Line, between: Line, room: int) -> Line:
    """The first of these pieces, as many as fit, after a bar."""
    out: Line = []
    for piece in pieces:
        part = [*(between if out else [ink(" | ", "faint")]), piece]
        if width_of(out) + width_of(part) > room:
            break
        out += part
    return out


def _right(viewer: Viewer, room: int) -> Line:
    """Who is thinking and for how long, the cost so far, whether the town is saved; dropped from the left to fit."""
    thinking = viewer.session.thinking
    minds = mind_progress.thinking_words(viewer), mind_progress.spent_words(thinking.spent) if thinking else ""
    parts = [part for part in (*minds, save_status(viewer)) if part]
    while len(parts) > 1 and len("  ".join(parts)) > room:
        del parts[0]
    return [ink("  ".join(parts), "dim")]


def save_status(viewer: Viewer) -> str:
    """In words: whether and how the town is being saved."""
    if viewer.session.path is None:
        return "not saved"
    if viewer.fleeting:
        return "saved once played"
    if isinstance(viewer.pace.fault, Displaced):
        return "kept elsewhere" if viewer.pace.fault.kept is not None else "not saved"
    if viewer.session.save.displaced:
        return "file is gone"
    return "saved" if viewer.pace.fault is None and not viewer.pace.paced.full else "saved up to here"


class Status(LinesPane):
    """The first row of the screen."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [status_line(self.viewer, width)]


# ---- the last row


ACT, AS = "play.act", "play.as"  # actions for playing somebody
OPEN = "chosen.open"
TYPED = (("enter", "go"), ("esc", "close"))  # keys shown while text is typed
Usable: TypeAlias = Callable[[str, str], Sequence[Action[Any]]]  # (pane, live or replay) -> its actions


def footer_actions(
    where: str,
    rows: Sequence[Action[Any]],
    chosen: bool,
    keymap: Mapping[str, str],
    width: int,
    still: bool = False,
    turns: bool = True,
    waits: bool = False,
    played: Mapping[str, str] = MappingProxyType({}),
) -> list[Action[Any]]:
    """The actions that fit into the row, picked by rank, in the order of `rows` (the actions of the pane in focus).

    chosen: whether somebody is selected; still: nothing scrolls; turns: whether brackets lead anywhere;
    waits: whether a mind is being waited for; played: id of an action -> the label it has now instead of its own.
    """
    rows = [a._replace(label=played[a.id], rank=0) if a.id in played else a for a in rows]
    usable = [a for a in rows if a.label and keys_of(a, keymap)]
    usable = [a for a in usable if waits or a.id != GO_ON]
    if not chosen:
        lists = any(a.where == LIST for a in usable)
        usable = [a for a in usable if a.group != "Chosen" or a.id in played or (lists and a.id == OPEN)]
    usable = [a for a in usable if turns or not a.id.startswith("tab.")]
    if where == SHEET:
        usable = [a for a in usable if not (still and a.group == "Lists")]
    kept: list[Action[Any]] = []
    left = width + 1  # the last entry needs no blank after it
    for action in sorted(usable, key=lambda a: a.rank):
        need = width_of(_entry(action, keymap))
        if need <= left:
            kept.append(action)
            left -= need
    return [a for a in usable if a in kept]


def play_key_labels(viewer: Viewer) -> Mapping[str, str]:
    """The labels of the play keys, and of keys without a use, while somebody is played; none if nobody is, or in a
    replay.
    """
    if viewer.replaying or not viewer.world.played.who:
        return {}
    play = {ACT: "act", AS: "give back"} if viewer.plays else {AS: "take over"}
    return {**play, "list.sort": ""} if viewer.knower else play


def _entry(action: Action[Any], keymap: Mapping[str, str]) -> Line:
    return make_clickable(_key(shown_key(keys_of(action, keymap)[0]), action.label), "does", action.id)


def _key(key: str, label: str) -> Line:
    return [ink(f" {key}", "accent", bold=True), ink(f" {label} ", "soft")]


class KeyFooter(LinesPane):
    """The last row of the screen. where: kind of the pane in focus; still: the open sheet is in view as a whole; idle:
    nothing on it can be chosen; turns: whether brackets lead anywhere; typed: whether text is being typed in a prompt;
    chosen: whether a cursor is on somebody.
    """

    def __init__(self, viewer: Viewer, id: str, usable: Usable, where: str) -> None:
        super().__init__(viewer, id)
        self._usable = usable
        self.where = where
        self.still = True
        self.turns = self.idle = False
        self.typed = self.chosen = False

    def lines(self, width: int, height: int) -> list[Line]:
        viewer = self.viewer
        rows = self._usable(self.where, REPLAY if viewer.replaying else LIVE)
        chosen, waits = self.chosen or bool(viewer.selected), bool(viewer.asked)
        says = {**play_key_labels(viewer), **({OPEN: "watch"} if viewer.stages else {})}
        says |= {OPEN: ""} if self.where == SHEET and self.idle else {}
        more = (self.still, self.turns, waits, says)
        shown = footer_actions(self.where, rows, chosen, viewer.keys, width, *more)
        keys = [_key(*key) for key in TYPED] if self.typed else [_entry(action, viewer.keys) for action in shown]
        *line, last = [segment for key in keys for segment in key] or [ink("")]  # perhaps no key fits
        return [[*line, last._replace(text=last.text.rstrip())]]


# ---- rows of tabs


def tabs_line(places: Sequence[PanePlace], shown: str, news: Collection[str], digits: bool, width: int) -> Line:
    """` 1 Town  2 Timeline  3 Person `: the shown one reversed, a dot on those with news. digits: show the digits."""
    names = [f"{place.digit} {place.tab}" if digits else place.tab for place in places]
    own = next((i for i, place in enumerate(places) if place.name == shown), -1)
    return fit(tab_row(names, own, gap=" ", fresh=[i for i, x in enumerate(places) if x.name in news]), width)


class Tabs(LinesPane):
    """A row of tabs. places: one per tab; shown: the name of the pane in front."""

    digits = False

    @dataclass
    class Chosen(Message):
        """A tab was clicked."""

        pane: str

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.places: Sequence[PanePlace] = ()
        self.shown = ""

    def news(self) -> Collection[str]:
        """The names of the panes with something new since they were last in front."""
        return ()

    def lines(self, width: int, height: int) -> list[Line]:
        return [tabs_line(self.places, self.shown, self.news(), self.digits, width)]

    def on_click(self, event: Click) -> None:
        if (tab := event.style.meta.get("tab")) is not None:
            self.post_message(self.Chosen(self.places[tab].name))


class PaneStrip(Tabs):
    """The row of all panes above the footer of a small screen; a dot marks those with news."""

    digits = True

    def __init__(self, viewer: Viewer, id: str, panes: Collection[Pane], shown: str) -> None:
        super().__init__(viewer, id)
        self._panes = panes
        self.places = [pane.PLACE for pane in panes]
        self.shown = shown
        self._read: dict[str, int] = {}

    def news(self) -> Collection[str]:
        told = {pane.PLACE.name: pane.told for pane in self._panes}
        self._read[self.shown] = told[self.shown]
        return {name for name, much in told.items() if much > self._read.get(name, 0)}
