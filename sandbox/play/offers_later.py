"""What a played person can say to another later today, though not now, and from when: the same rules, applied to later
hours while everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE, Clock
from sandbox.people.pressure_deck import gist
from sandbox.play.acts import exchange_phrase
from sandbox.play.beginnings import beginning_phrase, every_wish, why_not
from sandbox.play.model import HasPlay
from sandbox.talk.pressure_aims import aims

HOURS = (1, 3, 6, 12, 24)  # hours ahead at which it is checked


class Later(NamedTuple):
    """Something that can be said from second `at` on. says: an infinitive without "to"; matter: as in TalkOffer."""

    says: str
    matter: str
    at: int


def from_time_words(clock: Clock, t: int) -> str:
    """From when something can be said, in words."""
    return f"from {clock.words(t)} on"


def later_offers(w: HasPlay, me: str, other: str) -> list[Later]:
    """What `me` can say to `other` within a day but not now, the soonest first: their matters, then beginnings."""
    return sorted((*_matters(w, me, other), *_begun(w, me, other)), key=lambda x: x.at)


def _matters(w: HasPlay, me: str, other: str) -> list[Later]:
    def open_at(t: int) -> set[tuple[str, str]]:
        return {(aim.pressure, aim.do) for aim in aims(w, me, other, t)}

    known, out, before = open_at(w.now), [], w.now
    for hours in HOURS:
        after = w.now + hours * HOUR
        found = open_at(after) - known
        known |= found
        for pressure, do in sorted(found):
            at = _first(lambda t, one=(pressure, do): one in open_at(t), before, after)  # type: ignore[misc]
            out.append(Later(exchange_phrase(w, do), gist(w.pressures.open[pressure].stakes), at))
        before = after
    return out


def _begun(w: HasPlay, me: str, other: str) -> list[Later]:
    """Each beginning once, with the first third person for whom it becomes possible."""
    out, seen = [], set()
    end = w.now + HOURS[-1] * HOUR
    for wish in every_wish(w, me, other):
        if wish.begin in seen or why_not(w, me, wish, end):
            continue
        seen.add(wish.begin)
        if why_not(w, me, wish):  # else it can be begun now
            at = _first(lambda t, one=wish: not why_not(w, me, one, t), w.now, end)  # type: ignore[misc]
            out.append(Later(beginning_phrase(w, me, wish), "", at))
    return out


def _first(holds: Callable[[int], bool], before: int, after: int) -> int:
    """The first full minute at which `holds` is true; it is false at `before` and true at `after`."""
    while after - before > MINUTE:
        middle = (before + after) // 2 // MINUTE * MINUTE
        if middle <= before:
            break
        before, after = (before, middle) if holds(middle) else (middle, after)
    return after
