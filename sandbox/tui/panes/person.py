"""The person before us: how they feel and why, what they do and mean to do, and to whom they are tied."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from sandbox.core.text import clean
from sandbox.people.mood import Cause
from sandbox.people.words import MARKS
from sandbox.tui.ink import (
    BLUE,
    COOL,
    DIM,
    GOLD,
    SOFT,
    SOUR,
    TEXT,
    WARM,
    Line,
    apart,
    bar,
    fit,
    gauge,
    ink,
    of_mood,
    outside,
    width_of,
    wrap,
)
from sandbox.tui.panes.entries import EntriesPane, Entry
from sandbox.tui.viewer import Viewer

AXES = ("pleasure", "arousal", "dominance")
INDENT = 9
FLAT = 0.005  # pleasure moved by less is neither good nor bad
TIES = {"close": WARM, "friendly": TEXT, "cool": SOFT, "stranger": DIM, "sour": SOUR}


def age(seconds: float) -> str:
    """ "just now", "12 min ago", "3 h ago", "2 days ago"."""
    minutes = int(max(0.0, seconds) // 60)
    if minutes < 2:
        return "just now"
    if minutes < 90:
        return f"{minutes} min ago"
    hours = round(minutes / 60)
    return f"{hours} h ago" if hours < 36 else f"{round(hours / 24)} days ago"


def short_age(seconds: float) -> str:
    """The same in a narrow pane: "now", "12m", "3h", "2d"."""
    words = age(seconds)
    return "now" if words == "just now" else words.split()[0] + words.split()[1][0]


def title(viewer: Viewer, who: str) -> str:
    """Name, age and job."""
    p = viewer.world.cast[who]
    return clean(", ".join(part for part in (p.name, str(p.age), p.job) if part), 120)


def mood_words(viewer: Viewer, who: str, t: float) -> Line:
    """The mood as mark, colour and word. The screen's mood first, then the nearest term, if it says more."""
    row = viewer.view.row(who, t)
    colour = of_mood(row.mood)
    out = [ink(f"{MARKS[row.mood]} {row.mood}", colour, bold=True)]
    if not row.awake:
        return [*out, ink("  asleep", SOFT)]
    return out if row.word in (row.mood, "neutral") else [*out, ink(f"  {row.word}", colour)]


def size(cause: Cause) -> float:
    """How far a cause moved the mood."""
    return float((cause.p**2 + cause.a**2 + cause.d**2) ** 0.5)


def cause_words(cause: Cause) -> str:
    """A cause as a clause."""
    return "what came before" if cause.why == "older" else cause.why


def because(viewer: Viewer, who: str, t: float, most: int = 2) -> list[Cause]:
    """The largest causes by the ledger, in its order, that have words of their own."""
    out: dict[str, Cause] = {}
    for cause in viewer.view.causes(who, t):
        if cause.why != "older":
            out.setdefault(cause.why, cause)
    return list(out.values())[:most]


def _field(name: str, text: str, width: int, rows: int, fg: int = TEXT) -> list[Line]:
    parts = wrap(text, max(8, width - INDENT), rows)
    return [[ink((name if i == 0 else "").ljust(INDENT), DIM), ink(part, fg)] for i, part in enumerate(parts)]


def _cause(head: str, cause: Cause, t: float, width: int) -> list[Line]:
    """A cause in at most two rows: whether it pleased, what it was, how long ago."""
    when = short_age(t - cause.t)
    parts = wrap(cause.why, max(8, width - INDENT - 3 - len(when)), 2)
    sign = ink(". ", SOFT) if abs(cause.p) < FLAT else ink("+ ", WARM) if cause.p > 0 else ink("- ", COOL)
    out = [apart([ink(head.ljust(INDENT), DIM), sign, ink(parts[0])], [ink(when, DIM)], width)]
    return out + [[ink(" " * (INDENT + 2)), ink(part)] for part in parts[1:]]


def person_lines(viewer: Viewer, who: str, t: float, width: int, height: int) -> list[Line]:
    """Everything about a person that fits; ties and plan grow with the height."""
    view = viewer.view
    row, pad = view.row(who, t), view.pad(who, t)
    where = outside(f"{row.where}", SOFT)
    out: list[Line] = [apart(mood_words(viewer, who, t), [where], width)]
    for name, value in zip(AXES, pad, strict=True):
        fg = WARM if value > 0 else COOL
        out.append([ink(name.ljust(10), DIM), *bar(value, max(9, width - 17), fg), ink(f" {value:+.2f}", SOFT)])
    found = because(viewer, who, t)
    for i, cause in enumerate(found):
        out += _cause("because" if i == 0 else "and", cause, t, width)
    if not found:
        out.append([ink("because".ljust(INDENT), DIM), ink("nothing much has happened yet", SOFT)])
    out += _field("now", row.doing, width, 2)
    ahead = [step for step in view.agenda(who, t) if step[0]][1:]
    ties = [tie for tie in view.ties(who) if tie.kind != "stranger"]
    room = max(2, height - len(out))
    plan = max(1, min(len(ahead), room // 2))
    for i, (at, what, place, _) in enumerate(ahead[:plan]):
        text = [ink(("then" if i == 0 else "").ljust(INDENT), DIM), ink(f"{at} ", BLUE), outside(f"{what}, {place}")]
        out.append(fit(text, width))
    if not ahead:
        out.append([ink("then".ljust(INDENT), DIM), ink("no plan beyond this", SOFT)])
    for i, tie in enumerate(ties[: max(1, height - len(out))]):
        head = "tied to" if i == 0 else ""
        other = fit([outside(tie.name)], 9)
        text = [ink(head.ljust(INDENT), DIM), *other, ink(" " * (10 - width_of(other)))]
        text += [*gauge(tie.closeness, 6, TIES[tie.kind]), ink(f" {tie.kind}", TIES[tie.kind])]
        if tie.why:
            text += [ink("  "), outside(tie.why, DIM)]
        out.append(fit(text, width))
    if not ties:
        out.append([ink("tied to".ljust(INDENT), DIM), ink("nobody yet", SOFT)])
    return out


def nobody_lines(width: int) -> list[Line]:
    """What stands here while nobody is chosen."""
    text = "Nobody is chosen. Click somebody on the map, or press j in the town for the next person in view."
    return [[ink(part, SOFT)] for part in wrap(text, width)]


def card_lines(viewer: Viewer, who: str, t: float, width: int) -> list[Line]:
    """The chosen person in three rows, for a small screen."""
    row = viewer.view.row(who, t)
    name = [outside(title(viewer, who), GOLD, bold=True), ink("  "), *mood_words(viewer, who, t)]
    doing = f"{row.doing}, {row.where}" if "on the way" not in row.doing else row.doing
    found = because(viewer, who, t)
    why = "; ".join(f"{c.why} ({age(t - c.t)})" for c in found) or "nothing much has happened yet"
    return [
        apart(name, [ink("enter more", DIM)], width),
        fit([ink("now ", DIM), outside(doing)], width),
        fit([ink("because ", DIM), outside(why)], width),
    ]


class PersonPane(EntriesPane):
    """The chosen person."""

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.viewer
        who = viewer.selected
        bordered = self.outer_size.height != self.content_size.height
        self.border_title = Content(title(viewer, who) if who else "Person")
        self.border_subtitle = "following" if viewer.following else ""
        if not who:
            return [Entry(nobody_lines(width))]
        lines = person_lines(viewer, who, viewer.shown, width, self.content_size.height - (not bordered))
        if bordered:
            return [Entry(lines)]
        following = [ink("following", BLUE)] if viewer.following else []
        return [Entry([apart([outside(title(viewer, who), GOLD, bold=True)], following, width), *lines])]

    def turn(self, by: int) -> None:
        """The next tab, or the one before."""

    def copied_all(self) -> str:
        """The whole tab as text."""
        return "\n".join("".join(s.text for s in line).rstrip() for e in self._entries for line in e.lines)
