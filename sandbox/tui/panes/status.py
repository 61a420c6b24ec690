"""The first row: what time does and why, the hour, as whom one plays, what holds for a while, how many are up and how
they feel, alerts, what thinks and what that cost, whether it is saved.
"""

from __future__ import annotations

from collections import Counter

from sandbox.core.plain import count_of
from sandbox.store.errors import Displaced
from sandbox.tui.map import town_conditions
from sandbox.tui.view import mind_progress
from sandbox.tui.view.replay_log import replay_words
from sandbox.tui.view.text_lines import (
    ALARM,
    BLUE,
    DIM,
    FAINT,
    GOLD,
    SOFT,
    TEXT,
    Line,
    fit,
    ink,
    justify,
    of_mood,
    outside,
    width_of,
)
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, make_clickable

WIDE = 60  # cells in which the number of the day has room, unless a name is very long
LEAST = 8  # cells that what time does always has


def time_words(viewer: Viewer, width: int) -> Line:
    """What time does and why, in so many cells. A click on it pauses, or goes on."""
    fg = ALARM if viewer.pace.fault is not None else GOLD
    words = replay_words(viewer) if viewer.replaying else mind_progress.waiting_words(viewer) or viewer.pace.words
    return make_clickable(fit([outside(words, fg, bold=True)], width), "does", "time.pause")


def who_one_is(viewer: Viewer) -> Line:
    """As whom one plays, nothing as nobody. It always has room."""
    played = viewer.world.played
    if not played.who or viewer.replaying:
        return []
    name = viewer.name(played.who)
    says = f"{name}, left alone" if played.aside else f"You are {name}"
    return [ink(" | ", FAINT), outside(says, SOFT if played.aside else GOLD, bold=not played.aside)]


def status_line(viewer: Viewer, width: int) -> Line:
    """The row. In too little room the rarest moods go first, then the right end, piece by piece; then, where it is
    narrow, the number of the day, and what time does is cut: date, hour and whom one is stay in sight.
    """
    clock, t = viewer.world.clock, int(viewer.shown)
    words = clock.words(t)
    rows = viewer.view.rows(t)
    up = [row for row in rows if row.awake and row.id != viewer.knower]
    hour = [ink("  "), ink(words[:-5], SOFT), ink(words[-5:], TEXT, bold=True)]
    day, who = [ink(f"  day {clock.day(t)}", SOFT)], who_one_is(viewer)
    whole = time_words(viewer, width)
    spare = width - width_of([*hour, *day, *who])
    if spare < (LEAST if width >= WIDE else width_of(whole)):
        day = []
    left = [*time_words(viewer, max(LEAST, width - width_of([*hour, *day, *who]))), *hour, *day, *who]
    left += _weather(viewer, width - width_of(left))
    says = f"{len(rows) - 1} in sight" if viewer.knower else f"{len(up)} up {len(rows) - len(up)} asleep"
    people = [ink(" | ", FAINT), ink(says, SOFT)]
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
    moods = _moods(Counter(row.mood for row in up), room - width_of(right) - 2) if people else []
    return justify([*left, *people, *moods, *news], right, width)


def _news(viewer: Viewer, short: bool) -> Line:
    """How many alerts nobody has looked at: "! 2 alerts", short "! 2"; a click opens them."""
    if not viewer.unread:
        return []
    says = f"{viewer.unread}" if short else count_of(viewer.unread, "alert")
    return [ink(" | ", FAINT), *make_clickable([ink(f"! {says}", GOLD, bold=True)], "does", "go.alerts")]


def _weather(viewer: Viewer, room: int) -> Line:
    """What holds in the town for a while, as much of it as fits."""
    out: Line = []
    for says in town_conditions.weather_words(viewer):
        part = [ink(" | ", FAINT) if not out else ink(", ", FAINT), ink(says, BLUE)]
        if width_of(out) + width_of(part) > room:
            break
        out += part
    return out


def _moods(moods: Counter[str], room: int) -> Line:
    """As many as fit, the commonest first."""
    out: Line = []
    for mood, count in sorted(moods.items(), key=lambda m: (-m[1], m[0])):
        part = [ink(" ") if out else ink(" | ", FAINT), ink(f"{mood} {count}", of_mood(mood))]
        if width_of(out) + width_of(part) > room:
            break
        out += part
    return out


def _right(viewer: Viewer, room: int) -> Line:
    """Who thinks and for how long, what it has cost, whether the town is saved: the first two go first."""
    thinking = viewer.session.thinking
    parts = (
        [mind_progress.thinking_words(viewer), mind_progress.spent_words(thinking.spent)]
        if thinking is not None
        else []
    )
    parts = [part for part in (*parts, save_status(viewer)) if part]
    while len(parts) > 1 and len("  ".join(parts)) > room:
        del parts[0]
    return [ink("  ".join(parts), DIM)]


def save_status(viewer: Viewer) -> str:
    """What becomes of what is seen."""
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
    """Row 1."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [status_line(self.viewer, width)]
