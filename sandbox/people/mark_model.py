"""Data of marks, the lasting effects of outcomes on a mood: the deck's rules for them, and the event."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event
from sandbox.core.fields import meta, names
from sandbox.people.mood import OCC, Pad
from sandbox.town.plan import CONTEST, TAGS, VOTE

AVOID, STAY_IN, DO = "avoid", "stay_in", "do"
HABITS = (AVOID, STAY_IN, DO)
HOME, THEIRS = "home", "theirs"
PLACES = (HOME, THEIRS, *TAGS)
DECISIONS, WON = (CONTEST, VOTE), "won"  # outcomes of occasions: their kinds, and their only `how`
MADE, BROKEN = "made", "broken"  # `how` of outcomes that are claims


class MarkRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which outcome leaves a mark, and its effect. kind, how: a kind of pressure and its endings, a kind of claim and
    "made" or "broken", or "contest" or "vote" and "won". who: whose mark: a is the holder, the claim's a, or the
    winner; b the person it is about, the claim's b, or the runner-up. at: for contests and votes, only at occasions
    with these blocks. after: only for pressures at least this many seconds old.

    emotion, size: direction, and length on its largest axis, of the change of the mood's rest; days: half-life, and
    duration of the habit. habit: "avoid" the other, "stay_in" instead of going to occasions, or "do" the block `do`
    once a day, where: at "home" in the evening, or in a free hour where the other is ("theirs") or at a place with
    that tag.
    """

    kind: Annotated[str, meta("couple", most=40), names("outcome")]
    how: Annotated[tuple[Annotated[str, meta(most=40)], ...], meta("[broken]")]
    emotion: Annotated[str, meta("distress", options=OCC, what="emotion")]
    who: Annotated[tuple[Annotated[str, meta(options=("a", "b"), what="end")], ...], meta(usual=("a",))]
    size: Annotated[float, meta(low=0.2, high=0.5)] = 0.35
    days: Annotated[int, meta(low=1, high=7)] = 3
    habit: Annotated[str, meta(options=HABITS, blank=True, what="habit")] = ""
    do: Annotated[str, meta(most=40), names("block")] = ""
    where: Annotated[str, meta(options=PLACES, blank=True, what="place")] = ""
    at: tuple[Annotated[str, meta(most=40), names("block")], ...] = ()
    after: Annotated[int, meta(low=0, high=1000 * HOUR, unit=HOUR)] = 0


class Marked(Event, frozen=True, omit_defaults=True):
    """An outcome, the cause of this event, leaves a mark on the actor: mood and rest move by delta, which halves every
    `half` seconds. why: the outcome, a clause; kind, habit, do, where: as in `MarkRule`; whom: the other person.
    """

    KIND: ClassVar[str] = "marked"
    delta: Pad
    after: Pad
    emotion: str
    why: str
    half: Annotated[int, msgspec.Meta(ge=MINUTE, le=100 * DAY)]
    habit: str = ""
    whom: str = ""
    do: str = ""
    where: str = ""
    kind: str = ""
