"""The row above the footer: the best thing happening now, as a sentence with its keys; for beginners a key to try."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandbox.core.text import clean
from sandbox.readers.timeline import OCCASION
from sandbox.tui.view.action import first_key
from sandbox.tui.view.lessons import hint
from sandbox.tui.view.row_words import row_headline, why_told
from sandbox.tui.view.speech import talk_mark
from sandbox.tui.view.text_lines import Line, fit, ink, of_mood, outside, width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, make_clickable

RECENT = 40 * 60  # seconds of town time for which a notable event counts as recent
GAP = 3  # cells between keys
ROOMY = 100  # cells of width from which a stop shows all its keys
WATCH = (("chosen.open", "watch"),)
# Keys suggested until they have been used once: id of an action -> its label, in order.
LESSONS = {
    "time.next": "next event",
    "chosen.open": "who is this",
    "chosen.why": "why",
    "chosen.talk": "the talk",
    "go.find": "find",
    "time.pause": "pause",
}
NEEDS_SOMEBODY = frozenset(("chosen.open", "chosen.why", "chosen.talk"))


class Now(NamedTuple):
    """A sentence, and the actions that fit it: (id, label) of each."""

    line: Line
    does: tuple[tuple[str, str], ...]


def now_line(viewer: Viewer, width: int, keymap: Mapping[str, str]) -> Line:
    """The row: the sentence, its keys, and at the right a key to try. The sentence is cut before its keys are.

    A click on a key runs its action; a click on the sentence runs that of the first key.
    """
    now = _best(viewer, keymap)
    if width < ROOMY and now.does[:1] == WATCH:  # the footer has the keys of talk and why
        now = now._replace(does=tuple(does for does in now.does if does[0] not in ("chosen.talk", "chosen.why")))
    keys = [(id, _key(id, says, keymap)) for id, says in now.does if first_key(id, keymap)]
    lesson = "" if viewer.stop is not None else _lesson(viewer, {id for id, _ in keys}, keymap)
    room = width - sum(GAP + width_of(line) for _, line in keys)
    taught = _key(lesson, LESSONS[lesson], keymap) if lesson else []
    if taught and room - GAP - width_of(taught) < min(width_of(now.line), width // 2):
        taught = []
    out = fit(now.line, room - (GAP + width_of(taught) if taught else 0))
    out = make_clickable(out, "does", keys[0][0]) if keys else out
    for _, line in keys:
        out = [*out, ink(" " * GAP), *line]
    return [*out, ink(" " * (width - width_of(taught) - width_of(out))), *taught] if taught else out


def _key(id: str, says: str, keymap: Mapping[str, str]) -> Line:
    return make_clickable([ink(first_key(id, keymap), "accent", bold=True), ink(f" {says}", "soft")], "does", id)


def _best(viewer: Viewer, keymap: Mapping[str, str]) -> Now:
    """The first that exists of: a hint for the played person, why time stopped, a quarrel under way, the line being
    spoken, the last notable event, the next occasion.
    """
    found = (tell(viewer) for tell in (_stop, _quarrel, _spoken, _recent))
    if line := hint(viewer, keymap):
        return Now(line, ())
    return next(filter(None, found), None) or _next(viewer)


def _stop(viewer: Viewer) -> Now | None:
    row = viewer.stop
    if row is None:
        return None
    line: Line = [ink(f"{row.mark} ", "accent", bold=True), outside(row_headline(row), bold=True)]
    if why := why_told(viewer, row):
        line += [ink("  "), outside(why, "soft")]
    talks = viewer.selected and row.talk and viewer.talk_of(viewer.selected) == row.talk
    about = (("chosen.talk", "talk"),) if talks else ()
    why_too = (("chosen.why", "why"),) if viewer.selected in row.who and row.mark != OCCASION else ()
    watch = WATCH if viewer.stages else ()
    return Now(line, (*watch, *about, *why_too, ("time.pause", "on")))


def _quarrel(viewer: Viewer) -> Now | None:
    """A quarrel that can be heard now: the chosen person's, else the worst. A replay shows none."""
    rows = [turn for turn in viewer.floor.at(viewer.shown) if talk_mark(turn) == "!" and viewer.open_talk(turn.talk)]
    if not rows or viewer.replaying:
        return None
    turn = max(rows, key=lambda turn: (viewer.selected in turn.who, turn.change, turn.talk))
    talk = viewer.open_talk(turn.talk)
    a, b = (viewer.name(who) for who in turn.who)
    where = viewer.world.handbook.at(talk.place) if talk is not None else ""
    chosen = viewer.selected in turn.who
    does = (("chosen.talk", "talk"),) if chosen else (("time.next", "watch"),)
    return Now([ink("! ", "accent", bold=True), outside(f"{a} and {b} are quarrelling {where}")], does)


def _spoken(viewer: Viewer) -> Now | None:
    spoken = viewer.spoken
    if spoken is None:
        return None
    fg = of_mood(viewer.view.row(spoken.line.who, viewer.shown).mood)
    who, to = outside(viewer.name(spoken.line.who), fg, bold=True), outside(viewer.name(spoken.to), "soft")
    line: Line = [who, ink(" to ", "dim"), to, ink("  “", "dim"), outside(spoken.line.text), ink("”", "dim")]
    return Now(line, (("chosen.talk", "talk"),) if viewer.selected in spoken.turn.who else ())


def _recent(viewer: Viewer) -> Now | None:
    t = viewer.shown
    rows = [row for row in viewer.chronicle.between(t - RECENT, t) if row.weight >= viewer.notable.line]
    if not rows:
        return None
    row = rows[-1]
    when = viewer.world.clock.hhmm(row.t)
    line: Line = [ink(f"{when} ", "dim"), ink(f"{row.mark} ", "accent", bold=True), outside(row.text)]
    return Now(line, (("time.last", "show"),))


def _next(viewer: Viewer) -> Now:
    clock, now = viewer.world.clock, int(viewer.shown)
    for day in (clock.day(now), clock.day(now) + 1):
        for occasion in viewer.calendar.on(day):
            t = clock.midnight(day) + occasion.from_
            if t > now:
                tomorrow = "" if day == clock.day(now) else "tomorrow "
                place = viewer.world.handbook.place(occasion.where)
                says = f"{tomorrow}{clock.hhmm(t)} {clean(occasion.title)}, {place}"
                return Now([ink("next ", "dim"), outside(says, "soft")], (("time.until", "until"),))
    return Now([ink("a quiet hour", "soft")], (("time.next", "next event"),))


def _lesson(viewer: Viewer, told: set[str], keymap: Mapping[str, str]) -> str:
    """The action of the first key that was never used and would do something now; "" if the row shows it already."""
    if not viewer.settings.on("hints") or viewer.plays:
        return ""
    useful = (id for id in LESSONS if viewer.selected or id not in NEEDS_SOMEBODY)
    useful = (id for id in useful if viewer.on_map or id != "chosen.open")  # a list's own cursor is what it opens
    useful = (id for id in useful if viewer.pace.running or id != "time.pause")
    lesson = next((id for id in useful if id not in viewer.learnt and first_key(id, keymap)), "")
    return "" if lesson in told else lesson


class NowLine(LinesPane):
    """The row above the footer."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [now_line(self.viewer, width, self.viewer.keys)]
