"""What marks are made of: which outcomes leave one, as a deck says it, and the event of it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.people.mood import OCC, Pad
from sandbox.town.plan import CONTEST, TAGS, VOTE

AVOID, STAY_IN, DO = "avoid", "stay_in", "do"
HABITS = (AVOID, STAY_IN, DO)
HOME, THEIRS = "home", "theirs"
PLACES = (HOME, THEIRS, *TAGS)
DECISIONS, WON = (CONTEST, VOTE), "won"  # kinds of outcome that occasions have, and the one way it goes
MADE, BROKEN = "made", "broken"  # ways a claim can go


class MarkRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which outcome leaves a mark, and of what kind. kind, how: a kind of pressure and its endings, a kind of claim and
    "made" or "broken", or "contest" or "vote" and "won". who: whose mark it is: a the holder of the pressure, the first
    of the claim, or who won; b whom it is about, the second, or who came next. at: of contests and votes, only at
    occasions of these blocks. after: only of pressures at least so old.

    emotion: what it is like to live with, and size: how far it moves the rest, on its largest axis; days: in which half
    of it is gone, and for which its habit lasts. habit: "avoid" the other, "stay_in" instead of going to what brings
    people together, or "do" the block `do` once a day, where: at "home" of an evening, where the other is then
    ("theirs"), or at a place with that tag, in a free hour.
    """

    kind: Annotated[str, meta("couple", most=40)]
    how: Annotated[tuple[Annotated[str, meta(most=40)], ...], meta("[broken]")]
    emotion: Annotated[str, meta("distress", options=OCC, what="emotion")]
    who: Annotated[tuple[Annotated[str, meta(options=("a", "b"), what="end")], ...], meta(usual=("a",))]
    size: Annotated[float, meta(low=0.2, high=0.5)] = 0.35
    days: Annotated[int, meta(low=1, high=7)] = 3
    habit: Annotated[str, meta(options=HABITS, blank=True, what="habit")] = ""
    do: Annotated[str, meta(most=40)] = ""
    where: Annotated[str, meta(options=PLACES, blank=True, what="place")] = ""
    at: tuple[Annotated[str, meta(most=40)], ...] = ()
    after: Annotated[int, meta(low=0, high=1000 * HOUR, unit=HOUR)] = 0


class Marked(Event, frozen=True, omit_defaults=True):
    """An outcome, the cause of this event, leaves its mark on the actor: the mood and its rest move by delta, of which
    half is gone after `half` seconds. why: the outcome, a clause; kind: of what, as of a `MarkRule`, as are habit, do
    and where; whom: the other.
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
