"""Wording about people: name and job, mood and its causes, feelings for others, ages of events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from sandbox.core.clock import Clock
from sandbox.core.text import clean
from sandbox.people.guest_model import in_town
from sandbox.people.mood import Cause
from sandbox.people.mood_queries import against_nature, by_nature, cause_phrase, main_causes, moved_by, start_of_day
from sandbox.people.mood_words import COLOURS, MARKS, NO_NAME, UNNAMED, WORTH, along, colour, mood_and_term
from sandbox.people.wording import after_because, clause
from sandbox.tui.view.text_lines import Ink, Line, hung, ink, of_mood, signed_bar
from sandbox.tui.view.viewer import Viewer

INDENT = 9  # cells of the names in `field_lines`
AXES = ("pleasure", "arousal", "dominance")
TIES: dict[str, Ink] = {"close": "warm", "friendly": "text", "cool": "soft", "stranger": "dim", "sour": "sour"}
# (least feeling in [-1, 1], word, mark, ink); the first row that fits counts.
FEELINGS: tuple[tuple[float, str, str, Ink], ...] = (
    (0.7, "devoted", "+", "warm"),
    (0.4, "fond", "+", "warm"),
    (0.15, "warm", "+", "warm"),
    (-0.15, "even", ".", "soft"),
    (-0.4, "wary", "-", "sour"),
    (-0.7, "bitter", "-", "sour"),
    (-9.0, "hateful", "-", "sour"),
)
# Category of the mood somebody rests at -> words for their nature.
NATURES = {
    "joy": "cheerful by nature",
    "sad": "gloomy by nature",
    "angry": "hot-headed by nature",
    "afraid": "anxious by nature",
    "disgust": "hard to please by nature",
    "surprise": "easily stirred by nature",
    "contempt": "proud by nature",
    "calm": "calm by nature",
    "vague": "even-tempered by nature",
}


def _counted_age(seconds: float) -> tuple[int, str]:
    """An age as a number and its unit: 12 "min", 3 "h", 2 "days"; without a unit it is just now."""
    minutes = int(max(0.0, seconds) // 60)
    hours = round(minutes / 60)
    if minutes < 90:
        return minutes, "min" if minutes >= 2 else ""
    return (hours, "h") if hours < 36 else (round(hours / 24), "days")


def age(seconds: float, end: str = " ago", now: str = "just now") -> str:
    """ "just now", "12 min ago", "3 h ago", "2 days ago". end: what follows number and unit."""
    count, unit = _counted_age(seconds)
    return f"{count} {unit}{end}" if unit else now


def short_age(seconds: float) -> str:
    """An age for a narrow pane: "now", "12m", "3h", "2d"."""
    count, unit = _counted_age(seconds)
    return f"{count}{unit[0]}" if unit else "now"


def person_title(viewer: Viewer, who: str) -> str:
    """Name, age and job."""
    p = viewer.world.cast.get(who)
    if p is None:
        return clean(viewer.name(who), 120)
    return clean(", ".join(part for part in (p.name, str(p.age), p.job) if part), 120)


def mood_words(viewer: Viewer, who: str, t: float) -> Line:
    """The mood as mark, colour and words: its category, then the nearest term if that says more. For a person whose
    mind the player cannot see, only the mood that shows.
    """
    row = viewer.view.row(who, t)
    mood, term = (
        (row.mood, "") if viewer.hides(who) else mood_and_term(viewer.view.pad(who, t), viewer.settings.anchors)
    )
    fg = of_mood(mood)
    out = [ink(f"{MARKS[mood]} {UNNAMED if mood == COLOURS[NO_NAME] else mood}", fg, bold=True)]
    if not row.awake:
        return [*out, *([ink("  asleep", "soft")] if in_town(viewer.world, who) else [])]
    return [*out, ink(f"  {term}", fg)] if term else out


def size(cause: Cause) -> float:
    """How far a cause moved the mood, as a distance in pleasure, arousal, dominance."""
    return float((cause.p**2 + cause.a**2 + cause.d**2) ** 0.5)


def cause_words(clock: Clock, cause: Cause, t: float) -> str:
    """A cause as a clause."""
    return "what came before" if cause.sort == "older" else cause_phrase(clock, cause, t)


def has_age(cause: Cause) -> bool:
    """Whether a cause's age is shown beside it: one's nature has none, and the words of a mark say since when."""
    return bool(cause.seq) and cause.sort not in ("older", "mark")


AGAINST, DESPITE = "against", "despite"
REASONS = 2  # of a mood that are told


class MoodReason(NamedTuple):
    """A cause of a mood and its role. head: "because", "and", AGAINST for the largest opposing cause, or DESPITE if
    that comes first and only the person's nature follows.
    """

    head: str
    cause: Cause


def mood_reasons(viewer: Viewer, who: str, t: float) -> list[MoodReason]:
    """The causes of a mood, today's first (`people.mood_queries.main_causes`), the person's nature last.

    If there are fewer than REASONS, the largest opposing cause is added, before their nature if that stands alone.
    """
    pad, rest = viewer.view.pad(who, t), viewer.world.people.residents[who].mood.rest
    causes = viewer.view.causes(who, t)
    moved = moved_by(pad, rest)
    since = start_of_day(viewer.world, who)
    any_ = [c for c in main_causes(causes, moved, since, REASONS) if c.sort != "older"]
    nature = Cause(*rest, int(t), 0, NATURES[colour(rest)])
    if against_nature(pad, rest):
        more = main_causes(causes, pad, since, 1, pad)
        if more:
            return [MoodReason("because", more[0]), MoodReason("and", nature)]
        return [*(MoodReason(DESPITE, c) for c in any_[:1] if along(rest, c) < 0.0), MoodReason("because", nature)]
    found = [c for c in main_causes(causes, moved, since, REASONS, pad) if c.sort != "older"] or any_
    if len(found) < REASONS and (by_nature(pad, rest) or along(pad, nature) >= WORTH):
        found.append(nature)
    out = [MoodReason("and" if i else "because", cause) for i, cause in enumerate(found)]
    other = [c for c in causes if c.sort != "older" and along(moved, c) <= -WORTH]
    if not other or len(out) >= REASONS:
        return out
    against = min(other, key=partial(along, moved))
    return [MoodReason(DESPITE, against), *out] if found == [nature] else [*out, MoodReason(AGAINST, against)]


def reason_words(clock: Clock, reason: MoodReason, who: str, t: float) -> str:
    """A reason as the clause that follows its head. who: name of the person whose mood it is."""
    head, cause = reason
    if cause.sort in ("older", "mark"):
        return cause_words(clock, cause, t)
    if not cause.seq:
        return f"{who} is {cause.why}"
    return (clause if head in (AGAINST, DESPITE) else after_because)(cause.why, cause.sort, who)


def feeling_label(feeling: float) -> tuple[str, str, Ink]:
    """Word, mark and ink of a feeling in [-1, 1]."""
    return next((word, mark, fg) for least, word, mark, fg in FEELINGS if feeling >= least or least < -1)


def value_ink(value: float) -> Ink:
    """The ink of a number that is good above 0 and bad below."""
    return "warm" if value > 0 else "cool"


def axis_lines(values: Sequence[float], room: int, fg: Ink | None = None) -> list[Line]:
    """A mood or a change of it as one bar of `room` cells for each axis. fg: ink, None = by sign."""
    return [
        [
            ink(f"{name:10}", "dim"),
            *signed_bar(value, room, value_ink(value) if fg is None else fg),
            ink(f" {value:+z.2f}", "soft"),
        ]
        for name, value in zip(AXES, values, strict=True)
    ]


def field_lines(name: str, text: str, width: int, rows: int = 99, fg: Ink = "text") -> list[Line]:
    """A short name and beside it untrusted text, wrapped into at most `rows` lines."""
    return hung([ink(name.ljust(INDENT), "dim")], text, width, fg, most=rows)
