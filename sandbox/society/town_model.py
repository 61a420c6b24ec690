"""Who asks whom for help in a town: the parameters, the state, and the event of a round, which has the trials of a step
of the protocol (`model.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.core.protocols import Step
from sandbox.society.model import COORDINATES, Trial

KEPT = 12  # asks that are kept of each who was asked, the latest
ABOUT = 120  # letters of what an ask is about
Count = Annotated[int, Meta(ge=0)]
Amount = Annotated[float, Meta(ge=0)]
Triple = Annotated[list[Amount], Meta(min_length=len(COORDINATES), max_length=len(COORDINATES))]


class SocietyParameters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who asks whom for help (docs/society.md, In the town). type: what makes a resident one of type R
    (`town_types.py`), "" = none of this happens. target, source: delta and xi, what even somebody without mass weighs.
    trials: M, asks of a round. beta: added to what type R grants to type B, lift: as much more while a card says so;
    beta_on: to refusals, too (`all`), or only where something is `granted`.
    """

    type: Annotated[str, meta(most=200, empty=True)] = ""
    target: Annotated[float, Meta(ge=0.01, le=100)] = 1.5
    source: Annotated[float, Meta(ge=0.01, le=100)] = 1.5
    trials: Annotated[int, Meta(ge=1, le=8)] = 3
    beta: Annotated[float, Meta(ge=0, le=100)] = 0.0
    beta_on: Annotated[Literal["all", "granted"], meta(what="use of beta")] = "all"
    lift: Annotated[float, Meta(ge=0, le=100)] = 1.0


class AskedHelp(msgspec.Struct, frozen=True, array_like=True):
    """A trial of a round, of two numbered residents: who (asker, asked), when (t), for which exchange of the deck (do),
    about what.
    """

    trial: Trial
    asker: str
    asked: str
    t: Count
    do: Annotated[str, Meta(max_length=160)]
    about: Annotated[str, Meta(max_length=ABOUT)]


class HelpRound(Event, frozen=True):
    """A round is complete: so many have asked others for help. number: from 1 on. beta: what held of it. trials: source
    and target are numbers of residents. Its causes are the exchanges, in the same order, then what lifts beta.
    """

    KIND: ClassVar[str] = "help_round"
    number: Annotated[int, Meta(ge=1)]
    beta: Annotated[float, Meta(ge=0, le=200)]
    trials: Annotated[tuple[AskedHelp, ...], Meta(min_length=1)]


class PendingAsk(msgspec.Struct):
    """Somebody has asked another for help. seq: the event; source, target: residents; words: of the answer; valence:
    its warmth, in [-1, 1]; rounds: exchanges spent on it; said, replied: the first words of both.
    """

    seq: Count
    t: Count
    source: str
    target: str
    do: str
    about: str
    answer: str
    words: Count
    valence: float
    said: str
    replied: str
    rounds: Count = 1


class PastAsk(msgspec.Struct, frozen=True, array_like=True):
    """An ask as the one who was asked keeps it. seq: the exchange; given: the raw grant; added: what it added to their
    mass, summed over coordinates.
    """

    seq: Count
    t: Count
    source: str
    do: str
    about: str
    given: tuple[Amount, Amount, Amount]
    added: Amount


class Member(msgspec.Struct):
    """A resident. of_r: whether of type R. asked: mass where arcs end, by coordinate. times: how often they were asked;
    asks: the latest of these, newest last.
    """

    of_r: bool
    asked: Triple
    times: Count = 0
    asks: list[PastAsk] = []

    @property
    def mass(self) -> float:
        """All that was granted by them and credited, summed over coordinates."""
        return self.asked[0] + self.asked[1] + self.asked[2]


class PairGrants(msgspec.Struct):
    """What one type granted to another. given: raw, summed by coordinate; many: trials; granted: those not refused."""

    given: Triple
    many: Count = 0
    granted: Count = 0


class DayMark(msgspec.Struct, frozen=True, array_like=True):
    """How it stood after the last round of a day, at second t. share: of all that was credited, of type R; of_r: their
    share of the residents; number: of the round.
    """

    t: Count
    number: Count
    share: Annotated[float, Meta(ge=0, le=1)]
    of_r: Annotated[float, Meta(ge=0, le=1)]


class SocietyState(msgspec.Struct):
    """members: by id, numbered in this order. open: talk -> its asks; done: those whose talk is over, oldest first.
    number: rounds so far; betas: the sum of what held of them. pairs: target's type, then source's: RR, RB, BR, BB.
    days: the last round of each day.
    """

    members: dict[str, Member] = msgspec.field(default_factory=dict)
    open: dict[str, list[PendingAsk]] = msgspec.field(default_factory=dict)
    done: list[PendingAsk] = msgspec.field(default_factory=list)
    number: Count = 0
    betas: Amount = 0.0
    pairs: list[PairGrants] = msgspec.field(default_factory=list)
    days: list[DayMark] = msgspec.field(default_factory=list)

    @property
    def of_r(self) -> float:
        """The share of type R among the residents, 0 without any."""
        return sum(m.of_r for m in self.members.values()) / max(1, len(self.members))

    @property
    def share(self) -> float | None:
        """The share of type R in all that was credited, None before anything was."""
        whole = sum(m.mass for m in self.members.values())
        return sum(m.mass for m in self.members.values() if m.of_r) / whole if whole else None


class HasSociety:
    """The part of a world that this uses. turn_to: chooses by lot whom somebody turns to for help (drama/seeking.py),
    None while nothing of this happens.
    """

    society: SocietyState
    society_parameters: SocietyParameters
    turn_to: Callable[[Step, str, Sequence[str]], str] | None
