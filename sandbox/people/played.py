"""The state of the person the player controls: who it is, and what they mean to do next.

Rules decide nothing for a played person: no plan, no search, no talk begun, no phone. Everything else follows the rules
for everybody: what happens to them, how they feel, what others think of them and want from them.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Protocol

import msgspec

from sandbox.core.events import Event
from sandbox.people.purse import Sum

Taken = Literal["", "accept", "dodge", "refuse", "lie"]
# Intents about one fact: to tell it, to make it worse than it is, and to take back what one has told otherwise.
GOSSIP, TWIST, SET_RIGHT = TOLD_OF = ("gossip", "twist", "set_right")
WORDED = "worded"  # among the acts by hand: something was said in one's own words
GIVE, LEND, PAY = HANDED = ("give", "lend", "pay")  # what is done with coins, without a talk
SPOKEN = 300  # most letters of what somebody says in one turn
Words = Annotated[str, msgspec.Meta(max_length=SPOKEN)]


class TalkWish(msgspec.Struct, frozen=True):
    """What somebody played means to say to another, as soon as they can. do: an exchange of the deck, or an intent of
    ordinary talk; aim: the pressure that it is for, "" for none; words: their own, "" for those of the town; until: the
    second after which it is over; seq: the event by which it was wished. begin: what of the deck's beginnings it is, ""
    for none (`aim` is then the id of what is born of it); third: who else that is about; coins: a sum that is meant.
    """

    whom: str
    do: str
    aim: str
    words: Words
    until: int
    seq: int
    begin: str = ""
    third: str = ""
    coins: Sum = 0


class PutTo(Event, frozen=True):
    """In a talk another has come to the actor, who is played, for something: the talk waits for what they say. says: in
    which words, and variants: which of the town's lines these are; until: the second to which it waits.
    """

    KIND: ClassVar[str] = "put_to"
    talk: str
    other: str
    do: str
    aim: str
    says: str
    variants: tuple[str, ...]
    until: int


What = Literal["found", "betrayed", "broken", "losing", "due", "pressed"]


class CameToHead(Event, frozen=True, omit_defaults=True):
    """Something of the actor, who is played, has come to a head. what: a secret of theirs is found out; they have come
    to believe that somebody broke a claim of theirs; a claim of theirs is over, or about to be; the hour of a matter is
    near; or it presses so hard that something must come of it.

    matter: the pressure, "" for none; thread: it belongs to; whom: the other; stage: of the matter; says: what is over
    or about to be, a sentence without full stop; why: how it came to that, a clause.
    """

    KIND: ClassVar[str] = "came_to_head"
    what: What
    matter: str = ""
    thread: str = ""
    whom: str = ""
    stage: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    says: str = ""
    why: str = ""


class Crisis(msgspec.Struct, frozen=True):
    """Something that may be told as having come to a head. key: what is told once; t, seq: of the event it came by."""

    key: str
    t: int
    seq: int
    e: CameToHead


class CrisisState(msgspec.Struct):
    """What has come to a head for whoever is played. heads: what may be told of it, the oldest first; told: the keys of
    what was; at, seq: when the last came, and its event; point: that, until a stance is taken.
    """

    heads: list[Crisis] = []
    told: list[str] = []
    at: int = -1
    seq: int = 0
    point: CameToHead | None = None


class PlayedState(msgspec.Struct):
    """who: who is played, "" for nobody. aside: they are left to themselves for a while, as everybody is. step: seconds
    that a step had before. heading: the tile they set out for, -1 for none. put: what another has come to them for,
    until that is over; how: their answer to it, "" while there is none; words: that in their own words. leaves: they
    mean to end the talk. turning: what has come to a head for them. votes: what is voted on -> whether they are for it.
    sees_all: the player is shown all, and not only what they know. saves: the matter for which coins are being put by.

    What stays of the save's earlier play, whoever it was: since: the second at which somebody was first played; did:
    kinds of the acts by hand so far that a hint is given for, and WORDED; saw_all: the second at which all was first
    shown, -1 for never; given: `given_key` -> when coins were last given so that it warmed; begun: `begun_key` -> when
    that was last begun; lied: `given_key` -> facts of which that one was told what is not so, and not taken back.
    """

    who: str = ""
    aside: bool = False
    step: int = 0
    heading: int = -1
    wish: TalkWish | None = None
    put: PutTo | None = None
    how: Taken = ""
    words: Words = ""
    leaves: bool = False
    sees_all: bool = False
    since: int = -1
    did: list[str] = []
    saw_all: int = -1
    turning: CrisisState = msgspec.field(default_factory=CrisisState)
    given: dict[str, int] = {}
    begun: dict[str, int] = {}
    lied: dict[str, list[str]] = {}
    votes: dict[str, bool] = {}
    saves: str = ""


def given_key(me: str, whom: str) -> str:
    """Who gives coins to whom."""
    return f"{me} {whom}"


def begun_key(me: str, wish: TalkWish) -> str:
    """Who begins what, with whom and about whom."""
    return f"{me} {wish.do} {wish.whom} {wish.third}"


class HasPlayed(Protocol):
    """The part of a world that says who is played."""

    played: PlayedState


def is_played(w: HasPlayed, who: str) -> bool:
    """Whether somebody is played by hand now, and decides nothing by themselves."""
    return w.played.who == who and not w.played.aside


def wish_for(w: HasPlayed, whom: str) -> TalkWish | None:
    """What the played person means to say to `whom`, or None."""
    wish = w.played.wish
    means = wish is not None and wish.whom == whom and wish.do not in HANDED and not w.played.aside
    return wish if means else None


def pending_question(w: HasPlayed) -> PutTo | None:
    """What was put to the played person and is not answered yet, or None."""
    return w.played.put if not (w.played.how or w.played.aside) else None


def pressure_behind(do: str, aim: str) -> str:
    """The pressure that something is said for: what gossip is about is a fact, and presses nobody to it."""
    return "" if do in TOLD_OF else aim


def put_in(w: HasPlayed, talk: str) -> PutTo | None:
    """What was put to whoever is played in a talk, and is not over."""
    put = w.played.put
    return put if put is not None and put.talk == talk and not w.played.aside else None
