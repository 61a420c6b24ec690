"""What an occasion has decided: the event, what it changes, and what those remember who were there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.core.text import inside
from sandbox.people.memory import Memories
from sandbox.people.needs import feed
from sandbox.people.pressures.apply import REPUTE, HasPressures, somebody, turn_feelings
from sandbox.people.pressures.model import Turned
from sandbox.talk.model import Rule

VOTE, CONTEST, OFF = "vote", "contest", "off"
BY = "decided"  # how a pressure ended that an occasion has settled
ARTICLES = ("The ", "A ", "An ")
OWN, SEEN = 8, 6  # poignancy for those who took part, and for those who looked on


class Part(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's part in it. yes: how they voted, or whether they won; score: the sum of its rules, why."""

    who: str
    yes: bool
    score: float
    why: tuple[Rule, ...]


class Decided(Event, frozen=True):
    """An occasion has decided something. how: "vote", "contest", or "off" when too few had come.

    says: how it is told; about: the topic or the prize; parts: who took part (of a contest the winner first, then the
    second); there: who saw it, they among them; title: the occasion's; won: whether the vote was carried.
    """

    KIND: ClassVar[str] = "decided"
    occasion: str
    how: str
    title: str
    about: str
    says: str
    parts: tuple[Part, ...] = ()
    there: tuple[str, ...] = ()
    won: bool = False
    feelings: tuple[Turned, ...] = ()

    @property
    def news(self) -> str:
        """The news in short, as it stands within a sentence: "the mill meadow is sold, 4 to 3"."""
        news = self.says.partition(": ")[0].removesuffix(".")
        return news[:1].lower() + news[1:] if news.startswith(ARTICLES) else news


def decided(w: HasPressures, e: Decided, at: Stamp) -> None:
    somebody(w, *(p.who for p in e.parts), *e.there)
    if e.how not in (VOTE, CONTEST, OFF) or (e.how == CONTEST and not e.parts):
        raise ValueError(f"nothing can be decided so: {e.how}")
    turn_feelings(w, e.feelings, at)
    if e.how == CONTEST:
        feed(w.people.residents[e.parts[0].who].needs, at.t, w.need_parameters, standing=REPUTE)
    if e.how != OFF:
        w.pressures.last_turn = at.t


def remember_decided(m: Memories, e: Decided, at: Stamp) -> None:
    if e.how == OFF:
        return
    took = {p.who for p in e.parts}
    for who in e.there:
        weight = OWN if who in took else SEEN
        m.keep(who, at, "event", f"saw it settled: {e.news}", (), weight, topic=inside(e.title), form="outcome")


HANDLERS: dict[type[Event], Callable[..., None]] = {Decided: decided}
REMEMBER: dict[type[Event], Callable[[Memories, Any, Stamp], None]] = {Decided: remember_decided}
