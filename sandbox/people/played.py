"""Who of the town is played by hand, and what they mean to do: state that the rules of the town ask about.

Whoever is played decides nothing by themselves: no plan, no search, no talk begun, no phone. All else goes by the rules
of everybody: what befalls them, how they feel, what others think of them and come to them for.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Protocol

import msgspec

from sandbox.core.events import Event

Taken = Literal["", "accept", "dodge", "refuse", "lie"]
SPOKEN = 300  # letters that somebody played says in one turn
Words = Annotated[str, msgspec.Meta(max_length=SPOKEN)]


class Wish(msgspec.Struct, frozen=True):
    """What somebody played means to say to another, as soon as they can. do: an exchange of the deck, or an intent of
    ordinary talk; aim: the pressure that it is for, "" for none; words: their own, "" for those of the town; until: the
    second after which it is over; seq: the event by which it was wished.
    """

    whom: str
    do: str
    aim: str
    words: Words
    until: int
    seq: int


class Put(msgspec.Struct, frozen=True):
    """What another has come for in a talk, to which somebody played has to say something. other: who has come; says: in
    which words, and variants: which of the town's lines these are; until: the second to which the talk waits; how: the
    answer, "" while there is none; words: that answer in their own words.
    """

    talk: str
    other: str
    do: str
    aim: str
    says: str
    variants: tuple[str, ...]
    until: int
    how: Taken = ""
    words: Words = ""


class PlayedState(msgspec.Struct):
    """who: who is played, "" for nobody. aside: they are left to themselves for a while, as everybody is. step: seconds
    that a step had before. heading: the tile they set out for, -1 for none. leaves: they mean to end the talk.
    """

    who: str = ""
    aside: bool = False
    step: int = 0
    heading: int = -1
    wish: Wish | None = None
    put: Put | None = None
    leaves: bool = False


class HasPlayed(Protocol):
    """The part of a world that says who is played."""

    played: PlayedState


class PutTo(Event, frozen=True):
    """In a talk another has come to the actor, who is played, for something: the talk waits for what they say."""

    KIND: ClassVar[str] = "put_to"
    talk: str
    other: str
    do: str
    aim: str
    says: str
    variants: tuple[str, ...]
    until: int


def is_played(w: HasPlayed, who: str) -> bool:
    """Whether somebody is played by hand now, and decides nothing by themselves."""
    return w.played.who == who and not w.played.aside


def wish_for(w: HasPlayed, whom: str) -> Wish | None:
    """What whoever is played means to say to somebody."""
    wish = w.played.wish
    return wish if wish is not None and wish.whom == whom and not w.played.aside else None


def put_in(w: HasPlayed, talk: str) -> Put | None:
    """What was put to whoever is played in a talk, and is not over."""
    put = w.played.put
    return put if put is not None and put.talk == talk and not w.played.aside else None
