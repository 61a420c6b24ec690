"""The commands of whoever plays a person, and the events they become."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.clock import DAY, MINUTE, STEP_MAX, STEP_MIN
from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.director.bet_model import HasBets
from sandbox.people.model import Block
from sandbox.people.played import Taken, Words
from sandbox.people.pressure_model import Turned
from sandbox.people.purse import Sum
from sandbox.play.newcomers import Newcomer

STEP = 10  # seconds of a step while somebody is played
LOOKS = 25 * MINUTE  # that one looks for somebody to say something to
LONGEST = DAY  # that something lasts which a player has somebody do

Stance = Literal["let_be", "speak", "expose"]
Tile = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class HasPlay(HasBets):
    """The part of a world that this package's handlers and rules touch. next_seconds: of the step after this one;
    newcomers: who may come to live here, by id.
    """

    next_seconds: int
    newcomers: dict[str, Newcomer]


class Arrive(Command, frozen=True):
    """Have a newcomer of the world come to live in the town, and play them. who: which, "" for the first. What is
    empty of the rest is as their file has it. nature: up to three words of `data/natures.yaml`; home, work: addresses;
    secret: what nobody is to know.
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
    """Play `by` from now on: they decide nothing by themselves."""


class GiveBack(Command, frozen=True):
    """Play `by` no longer."""

    AWAY: ClassVar[bool] = True


class SetAside(Command, frozen=True):
    """Leave `by` to themselves for a while (on), or take them in hand again."""

    on: bool


class Walk(Command, frozen=True):
    """Have `by` walk to a tile."""

    x: int
    y: int


class Bid(Command, frozen=True):
    """Have `by` go to a place (an address of the map, or "home" or "work") and do something of a day's plan there.
    lasts: seconds, 0 for as long as such a thing usually takes. beside: next to whom, "" for anywhere.
    """

    do: str
    where: str
    lasts: int = 0
    beside: str = ""


class Speak(Command, frozen=True):
    """Have `by` say something to somebody as soon as they can. do: an exchange of the deck or an intent of plain talk;
    aim: the pressure, or of gossip the fact, that it is about, "" for none; words: their own, "" for those of the town.
    """

    whom: str
    do: str
    aim: str = ""
    words: str = ""


class Begin(Command, frozen=True):
    """Have `by` begin something with somebody that nothing presses them to: one of the deck's beginnings. third: who
    else it is about, coins: the sum, where there is one; words: as of Speak.
    """

    whom: str
    what: str
    third: str = ""
    coins: int = 0
    words: str = ""


class Hand(Command, frozen=True):
    """Have `by` hand somebody coins. how: give, lend, or pay (what is owed)."""

    whom: str
    how: str
    coins: int


class Lean(Command, frozen=True):
    """Have `by` make up their mind on what is voted on. opinion: its topic, "" for the next vote that they have."""

    yes: bool
    opinion: str = ""


class PutBy(Command, frozen=True):
    """Have `by` put the coins by that the next step of what they want takes. matter: the pressure, "" for the first."""

    matter: str = ""


class Pin(Command, frozen=True):
    """Have `by` pin up a note, where there is a board."""

    words: str


class PhoneCommand(Command, frozen=True):
    """Have `by` use their phone. do: look, post, message, follow, like, comment or repost; whom: to whom, card: about
    which.
    """

    do: str
    whom: str = ""
    card: int = -1
    words: str = ""


class Reply(Command, frozen=True):
    """What `by` says to what another has come for. how: accept, dodge, refuse or lie."""

    how: str
    words: str = ""


class Leave(Command, frozen=True):
    """Have `by` end the talk they are in, and give up what they meant to say."""


class SeeAll(Command, frozen=True):
    """Show whoever plays `by` all that is so (on), or only what `by` knows."""

    on: bool


class Stand(Command, frozen=True):
    """The stance that `by` takes in what has come to a head. how: let_be, speak or expose; words: their own."""

    how: str
    words: str = ""


class PlayBegan(Event, frozen=True):
    """The actor is played by hand from now on. step: seconds that a step had until then."""

    KIND: ClassVar[str] = "play_began"
    BY_HAND: ClassVar[bool] = True
    step: Annotated[int, msgspec.Meta(ge=STEP_MIN, le=STEP_MAX)]


class Settled(PlayBegan, frozen=True):
    """The actor has come to live here, as the player would have them, and is played from now on. The fields are those
    of the command.
    """

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


class PlayEnded(Event, frozen=True):
    """The actor is played no longer."""

    KIND: ClassVar[str] = "play_ended"
    BY_HAND: ClassVar[bool] = True


class Aside(Event, frozen=True):
    """The actor, who is played, is left to themselves (on), or taken in hand again."""

    KIND: ClassVar[str] = "play_aside"
    BY_HAND: ClassVar[bool] = True
    on: bool


class Headed(Event, frozen=True):
    """The actor, who is played, sets out for a tile."""

    KIND: ClassVar[str] = "headed"
    BY_HAND: ClassVar[bool] = True
    x: Tile
    y: Tile


class Bidden(Event, frozen=True):
    """The actor, who is played, goes to do something. block: what, where and until when."""

    KIND: ClassVar[str] = "bidden"
    BY_HAND: ClassVar[bool] = True
    block: Block


class Wished(Event, frozen=True):
    """The actor, who is played, means to say something to another. says: that in words; block: where they look for
    them, None if they stand before them. begin, third, coins: as of Wish.
    """

    KIND: ClassVar[str] = "wished"
    BY_HAND: ClassVar[bool] = True
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
    """The actor, who is played, holds out coins to somebody. how: give, lend or pay; taken: whether they take them.
    What is paid then is an event of its own.
    """

    KIND: ClassVar[str] = "handed"
    whom: str
    how: str
    coins: Annotated[int, msgspec.Meta(ge=1)]
    taken: bool
    feelings: tuple[Turned, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return (self.whom,)


class Leaned(Event, frozen=True):
    """The actor, who is played, is for (yes) or against something that is voted on."""

    KIND: ClassVar[str] = "leaned"
    BY_HAND: ClassVar[bool] = True
    opinion: str
    yes: bool


class Saving(Event, frozen=True):
    """The actor, who is played, puts coins by for the next step of what they want. matter: the pressure."""

    KIND: ClassVar[str] = "saving"
    BY_HAND: ClassVar[bool] = True
    matter: str


class TookPhone(Event, frozen=True):
    """The actor, who is played, takes out their phone."""

    KIND: ClassVar[str] = "took_phone"
    BY_HAND: ClassVar[bool] = True


class Swayed(Event, frozen=True):
    """Somebody has moved the actor's view of a vote: to `after`. by: who leaned on them."""

    KIND: ClassVar[str] = "swayed"
    by: str
    opinion: str
    before: Annotated[float, msgspec.Meta(ge=-1, le=1)]
    after: Annotated[float, msgspec.Meta(ge=-1, le=1)]

    def touches(self) -> tuple[str, ...]:
        return (self.by,)


class WishOver(Event, frozen=True):
    """The actor, who is played, means to say it no longer. why: a clause."""

    KIND: ClassVar[str] = "wish_over"
    whom: str
    why: str


class Replied(Event, frozen=True):
    """What the actor, who is played, says to what was put to them."""

    KIND: ClassVar[str] = "replied"
    BY_HAND: ClassVar[bool] = True
    talk: str
    how: Taken
    words: Words


class TookLeave(Event, frozen=True):
    """The actor, who is played, means to end the talk, and to say nothing more."""

    KIND: ClassVar[str] = "took_leave"
    BY_HAND: ClassVar[bool] = True


class SawAll(Event, frozen=True):
    """Whoever plays the actor is shown all that is so from now on (on), or only what the actor knows."""

    KIND: ClassVar[str] = "saw_all"
    BY_HAND: ClassVar[bool] = True
    on: bool


class StanceTaken(Event, frozen=True, omit_defaults=True):
    """The actor, who is played, takes a stance in what has come to a head. matter, whom: as of that. wish: what they
    mean to say, and to whom; None if they let it be.
    """

    KIND: ClassVar[str] = "stance_taken"
    BY_HAND: ClassVar[bool] = True
    stance: Stance
    matter: str = ""
    whom: str = ""
    wish: Wished | None = None
