"""Newcomers whom a player can move in as; the commands of playing a person, and their events. `by` is the played
person.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE, STEP_MAX, STEP_MIN, Clock, parse_moment
from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.director.bet_offers import HasBets
from sandbox.director.goal_domain import PlayerGoal
from sandbox.people.claim_model import Claim
from sandbox.people.model import Block
from sandbox.people.persona import Persona, Pressure
from sandbox.people.played import Taken, Words
from sandbox.people.pressure_model import Turned
from sandbox.people.purse import Sum


class Settling(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a newcomer brings. why: their purpose, completing "has come to town"; claims: that hold from then on;
    pressures: between them and others; goals: that a player may follow as them. Days are counted from their arrival.
    """

    why: Annotated[str, meta('"to live in the box room"', most=160)] = ""
    claims: tuple[Claim, ...] = ()
    pressures: tuple[Pressure, ...] = ()
    goals: tuple[PlayerGoal, ...] = ()


class Newcomer(msgspec.Struct, frozen=True):
    """Somebody who moves to town if a player wants to be them."""

    persona: Persona
    settling: Settling = Settling()


def goals_of(new: Newcomer, clock: Clock, came: int) -> Iterator[PlayerGoal]:
    """The goals of somebody who came at second `came`, with days counted by the town."""
    later = clock.day(came) - 1
    for aim in new.settling.goals:
        day, second = parse_moment(aim.by)
        yield replace(aim, by=f"day {day + later} {second // HOUR:02}:{second % HOUR // MINUTE:02}")


STEP = 10  # seconds of a step while somebody is played
LOOKS = 25 * MINUTE  # for which one looks for somebody to speak to
LONGEST = DAY  # duration of anything a player orders, at most

Stance = Literal["let_be", "speak", "expose"]
Tile = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class HasPlay(HasBets):
    """The part of a world that playing needs. next_seconds: length of the step after this one; newcomers: by id."""

    next_seconds: int
    newcomers: dict[str, Newcomer]


class Arrive(Command, frozen=True):
    """A newcomer moves to the town, and is played. who: which, "" for the first. Empty fields are as in their file.
    nature: up to three words of `data/natures.yaml`; home, work: addresses; secret: that nobody knows.
    """

    who: str = ""
    name: str = ""
    hair: str = ""
    skin: str = ""
    nature: str = ""
    home: str = ""
    job: str = ""
    work: str = ""
    secret: str = ""


class Play(Command, frozen=True):
    """Play `by` from now on; no mind decides for them."""


class GiveBack(Command, frozen=True):
    """Stop playing `by`."""

    AWAY: ClassVar[bool] = True


class SetAside(Command, frozen=True):
    """Let `by` decide for themselves for a while (on), or play them again."""

    on: bool


class Walk(Command, frozen=True):
    """`by` walks to a tile."""

    x: int
    y: int


class Bid(Command, frozen=True):
    """`by` goes to a place (an address, "home" or "work") and does something there. lasts: seconds, 0 for the usual
    time. beside: next to whom, "" for anywhere.
    """

    do: str
    where: str
    lasts: int = 0
    beside: str = ""


class Speak(Command, frozen=True):
    """`by` says something to somebody as soon as possible. do: an exchange of the deck, or an intent of ordinary talk;
    aim: the pressure (for gossip the fact) that it is about, "" for none; words: the player's, "" for generated ones.
    """

    whom: str
    do: str
    aim: str = ""
    words: str = ""


class Begin(Command, frozen=True):
    """`by` begins something new with somebody: one of the deck's beginnings. third: who else it is about; coins: the
    sum, if any; words: as in Speak.
    """

    whom: str
    what: str
    third: str = ""
    coins: int = 0
    words: str = ""


class Hand(Command, frozen=True):
    """`by` hands somebody coins. how: give, lend, or pay (what is owed)."""

    whom: str
    how: str
    coins: int


class Lean(Command, frozen=True):
    """`by` decides how to vote. opinion: the topic, "" for the next vote."""

    yes: bool
    opinion: str = ""


class PutBy(Command, frozen=True):
    """`by` saves the coins for the next step of what they want. matter: the pressure, "" for the first."""

    matter: str = ""


class Pin(Command, frozen=True):
    """`by` pins up a note on a board beside them."""

    words: str


class PhoneCommand(Command, frozen=True):
    """`by` uses their phone. do: look, post, message, follow, like, comment or repost; whom: to whom; card: about
    which.
    """

    do: str
    whom: str = ""
    card: int = -1
    words: str = ""


class Reply(Command, frozen=True):
    """`by` answers what was put to them. how: accept, dodge, refuse or lie."""

    how: str
    words: str = ""


class Leave(Command, frozen=True):
    """`by` ends their talk, and drops what they meant to say."""


class SeeAll(Command, frozen=True):
    """Show the player everything (on), or only what `by` knows."""

    on: bool


class Stand(Command, frozen=True):
    """`by` takes a stance on a turning point. how: let_be, speak or expose; words: the player's."""

    how: str
    words: str = ""


class PlayerAct(Event, frozen=True):
    """Base of the events that only a command of the player makes."""

    BY_HAND: ClassVar[bool] = True


class PlayBegan(PlayerAct, frozen=True):
    """The actor is played from now on. step: seconds of a step before that."""

    KIND: ClassVar[str] = "play_began"
    step: Annotated[int, msgspec.Meta(ge=STEP_MIN, le=STEP_MAX)]


class Settled(PlayBegan, frozen=True):
    """The actor has moved to town, and is played from now on. The fields are those of `Arrive`."""

    KIND: ClassVar[str] = "settled"
    who: str
    name: str
    hair: str
    skin: str
    nature: str
    home: str
    job: str
    work: str
    secret: str


class PlayEnded(PlayerAct, frozen=True):
    """The actor is no longer played."""

    KIND: ClassVar[str] = "play_ended"


class Aside(PlayerAct, frozen=True):
    """The played actor decides for themselves (on), or is played again."""

    KIND: ClassVar[str] = "play_aside"
    on: bool


class Headed(PlayerAct, frozen=True):
    """The played actor sets out for a tile."""

    KIND: ClassVar[str] = "headed"
    x: Tile
    y: Tile


class Bidden(PlayerAct, frozen=True):
    """The played actor goes to do something. block: what, where and until when."""

    KIND: ClassVar[str] = "bidden"
    block: Block


class Wished(PlayerAct, frozen=True):
    """The played actor means to say something. says: that in words; block: where they look for the other, None if in
    front of them. begin, third, coins: as in TalkWish.
    """

    KIND: ClassVar[str] = "wished"
    whom: str
    do: str
    aim: str
    words: Words
    until: int
    says: str
    block: Block | None = None
    begin: str = ""
    third: str = ""
    coins: Sum = 0


class Handed(Event, frozen=True):
    """The played actor offers somebody coins. how: give, lend or pay; taken: they are accepted. A payment is another
    event.
    """

    KIND: ClassVar[str] = "handed"
    whom: str
    how: str
    coins: Annotated[int, msgspec.Meta(ge=1)]
    taken: bool
    feelings: tuple[Turned, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return (self.whom,)


class Leaned(PlayerAct, frozen=True):
    """The played actor is for (yes) or against what is voted on."""

    KIND: ClassVar[str] = "leaned"
    opinion: str
    yes: bool


class Saving(PlayerAct, frozen=True):
    """The played actor saves coins for the next step of what they want. matter: the pressure."""

    KIND: ClassVar[str] = "saving"
    matter: str


class TookPhone(PlayerAct, frozen=True):
    """The played actor takes out their phone."""

    KIND: ClassVar[str] = "took_phone"


class Swayed(Event, frozen=True):
    """The actor's view of a vote changed from `before` to `after`. by: who persuaded them."""

    KIND: ClassVar[str] = "swayed"
    by: str
    opinion: str
    before: Annotated[float, msgspec.Meta(ge=-1, le=1)]
    after: Annotated[float, msgspec.Meta(ge=-1, le=1)]

    def touches(self) -> tuple[str, ...]:
        return (self.by,)


class WishOver(Event, frozen=True):
    """The played actor drops what they meant to say. why: a clause."""

    KIND: ClassVar[str] = "wish_over"
    whom: str
    why: str


class Replied(PlayerAct, frozen=True):
    """The played actor's answer to what was put to them."""

    KIND: ClassVar[str] = "replied"
    talk: str
    how: Taken
    words: Words


class TookLeave(PlayerAct, frozen=True):
    """The played actor wants to end the talk, and drops what they meant to say."""

    KIND: ClassVar[str] = "took_leave"


class SawAll(PlayerAct, frozen=True):
    """The player is shown everything from now on (on), or only what the actor knows."""

    KIND: ClassVar[str] = "saw_all"
    on: bool


class StanceTaken(PlayerAct, frozen=True, omit_defaults=True):
    """The played actor takes a stance on a turning point. matter, whom: of that. wish: what they mean to say, and to
    whom; None if they let it be.
    """

    KIND: ClassVar[str] = "stance_taken"
    stance: Stance
    matter: str = ""
    whom: str = ""
    wish: Wished | None = None
