"""What claims are made of: their kinds, as a deck says them, their state, and the events that change it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.core.fields import MANY, meta

ENDS = ("a", "b")
ONES = ("a", "b", "terms", "where")
NOBODY, ANYBODY, OPEN = "nobody", "anybody", "open"
EITHER, TOLD = "either", "told"
WITH = BREAKER, THIRD, FELLOW = "breaker", "third", "fellow"
ROLES = ("holder", "about", "actor", "target")  # the parts of what comes of something
Sentence = Annotated[str, meta('"{a} and {b} are a couple"', most=160)]
Who = Annotated[str, meta(most=40)]


class ClaimParameters(msgspec.Struct, frozen=True):
    """Controls. on: whether there are claims at all, or people live as their files say. breaches: whether anybody makes
    something of a broken claim.
    """

    on: bool = True
    breaches: bool = True


class ClaimKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of claim. says: how it is, in a sentence; made, broken: how it came to be, and how it ended; with {a},
    {b}, {terms} and {where}.

    needs: the ends that must be somebody. mutual: it is the same from both ends. hard: one's life hangs on it: love,
    home, work, office, property. one: of what there is one at most: a has one, b has one, it has these terms, or is
    about this place. private: nobody knows of it but the two and who is told. over: the end that has a say over the
    other. stands: how far one stands by the other of it where all take sides. evenings: the two spend free ones
    together. moves: days after which the one moves in with the other (0: neither does), until it is over.
    leaves: how it ended, told of the end that had done with it: notice given, somebody put out.
    """

    says: Sentence
    made: Sentence
    broken: Sentence
    needs: tuple[Annotated[str, meta(options=ENDS, what="end")], ...] = ENDS
    mutual: bool = False
    hard: bool = False
    one: Annotated[str, meta(options=ONES, blank=True, what="end")] = ""
    private: bool = False
    over: Annotated[str, meta(options=ENDS, blank=True, what="end")] = ""
    stands: Annotated[float, meta(low=0, high=2)] = 0.0
    evenings: bool = False
    moves: Annotated[int, meta(low=0, high=1000)] = 0
    leaves: Annotated[dict[Annotated[str, meta(options=ENDS, what="end")], Sentence], meta(alone=True)] = {}

    def ended(self, claim: Claim | ClaimEvent) -> str:
        """How one of the kind ended, with slots: by whose word, if somebody had done with it."""
        by = getattr(claim, "by", "")
        end = "a" if by and by == claim.a else "b" if by and by == claim.b else ""
        return self.leaves.get(end, self.broken)


class Breach(msgspec.Struct, frozen=True, omit_defaults=True, rename={"with_": "with"}):
    """How a claim is broken by a deed, for whoever has it and comes to believe that. claim: its kind; holds: which end
    they are. with_: whom it is with: the breaker; the third, whom the deed was done to; or it is a fellow who broke it:
    one who has a claim of the kind with the same terms, and one of the kind `office` beside it.

    fact, how: the kind of pressure of what is believed, and what came of it ("open": that it is there; "row"). No fact:
    what was a's is the other's now. bad: how bad it is, as it is believed, at least. by: which of the two whom the fact
    is about has broken it; "told": whoever was told it in trust, by a claim with terms that its stakes hold. own: it is
    done to whoever minds, not to a third.

    child: the pressure it makes; stakes: what its words call {stakes}; ends: how it came that the claim is over then, a
    clause ("" = it stands). Both with {breaker}, {third} and {terms}.
    """

    claim: Annotated[str, meta("couple", most=40)]
    child: Annotated[str, meta("jealous", most=40)]
    stakes: Annotated[str, meta('"{breaker} and {third}"', most=160)]
    fact: Annotated[str, meta(most=40)] = ""
    how: tuple[Annotated[str, meta(most=40)], ...] = (OPEN,)
    by: Annotated[str, meta(options=(*ENDS, EITHER, TOLD), what="end")] = EITHER
    bad: Annotated[int, meta(low=0, high=3)] = 0
    holds: Annotated[str, meta(options=(*ENDS, EITHER), what="end")] = EITHER
    with_: Annotated[str, meta(options=WITH, what="part")] = WITH[0]
    own: bool = False
    office: Annotated[str, meta(most=40)] = ""
    ends: Annotated[str, meta(most=160)] = ""


class Use(msgspec.Struct, frozen=True, omit_defaults=True):
    """What places are while a claim stands. terms: the claim's; places: addresses; says: what one sees there.

    label: what the map calls their sectors; shut: nobody plans to be there.
    """

    terms: Annotated[str, meta("sold", most=120)]
    places: Annotated[
        tuple[Annotated[str, meta(reads="address")], ...], meta("[Mill Meadow / meadow]"), msgspec.Meta(min_length=1)
    ]
    says: Annotated[str, meta('"a fence, and a board on it"', most=160)]
    label: Annotated[str, meta(most=40)] = ""
    shut: bool = False


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is so. a, b: people, "" for nobody; terms: what it is of (an office, a thing, what is agreed);
    where: the place it is about, an address.

    since: when it began if that was before the world starts, in words after "since"; known_by: of a private one, who
    knows of it besides the two.
    """

    id: Annotated[str, meta("greta_dov", most=80)]
    kind: Annotated[str, meta("couple", most=40)]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address")] = ""
    since: Annotated[str, meta(most=80)] = ""
    known_by: Annotated[tuple[str, ...], meta(distinct="person of the cast")] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """Those it is between."""
        return tuple(filter(None, (self.a, self.b) if self.a != self.b else (self.a,)))

    @property
    def of(self) -> tuple[str, ...]:
        """Under whom it is kept: those it is between; "" if it is nobody's, but about a place."""
        return self.people or ("",)


class StandingClaim(Claim, frozen=True, omit_defaults=True):
    """A claim that stands. seq: the event that made it, 0 of those the world begins with; t: its second. within: it
    took the place of one about the same house.
    """

    seq: Annotated[int, msgspec.Meta(ge=0)] = 0
    t: Annotated[int, msgspec.Meta(ge=0)] = 0
    within: bool = False


class ClaimDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a world says of claims: the kinds there are, how they are broken, those it begins with, and what places are
    by them. offices: the terms of roles whose holder has a say over everybody.
    """

    kinds: Annotated[dict[str, ClaimKind], MANY] = {}
    breaches: Annotated[tuple[Breach, ...], MANY] = ()
    claims: Annotated[tuple[Claim, ...], MANY] = ()
    uses: Annotated[tuple[Use, ...], MANY] = ()
    offices: Annotated[tuple[Annotated[str, meta(most=120)], ...], meta(distinct="office")] = ()


class ClaimState(msgspec.Struct):
    """open: what is so, by id. of: person -> the ids of theirs, in the order in which they came; "" -> of nobody's.
    was: pair -> kind -> the last that was mutual between them and is no more.
    """

    open: dict[str, StandingClaim] = msgspec.field(default_factory=dict)
    of: dict[str, list[str]] = msgspec.field(default_factory=dict)
    was: dict[str, dict[str, StandingClaim]] = msgspec.field(default_factory=dict)


class ClaimEvent(Event, frozen=True, omit_defaults=True):
    """What is so changes; the actor is one of the two. a, b, terms, where: as of the claim. why: how it came to that, a
    clause. within: one takes the place of another about the same house, as who changes rooms: no news of a home.
    """

    id: str
    kind: str
    a: str = ""
    b: str = ""
    terms: str = ""
    where: str = ""
    why: str = ""
    within: bool = False


class Made(ClaimEvent, frozen=True, omit_defaults=True):
    """A claim comes to be."""

    KIND: ClassVar[str] = "claim_made"


class Broken(ClaimEvent, frozen=True, omit_defaults=True):
    """A claim is no longer so. instead: the claim that takes its place, "" if none does. by: who of the two had done
    with it, "" where it ended otherwise.
    """

    KIND: ClassVar[str] = "claim_broken"
    instead: str = ""
    by: str = ""


# ---- what deeds and endings do to claims


class Making(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that comes of something. a, b: parts of those it is between (or nobody); terms: what it is of, with
    {stakes}; where: the place it is about. again: only where there was one of the kind between them: that comes back.
    """

    kind: Annotated[str, meta("couple", most=40)]
    a: Annotated[str, meta(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, meta(options=(*ROLES, NOBODY), what="part", usual="about")]
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address")] = ""
    again: bool = False


NO_CLAIM = Making("", "holder", "about")  # what is wanted where no claim is


class Breaking(msgspec.Struct, frozen=True, omit_defaults=True):
    """Claims that end by something: those of a kind that a part has with another, or shares with them (a part then
    leaves what both belong to), or that it has with anybody.
    """

    kind: Annotated[str, meta("couple", most=40)]
    a: Annotated[str, meta(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, meta(options=(*ROLES, ANYBODY), what="part", usual="about")]


class ClaimCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that must stand: of a kind, of somebody. b, terms: with whom, and what it is of; "" = whatever it is."""

    kind: Annotated[str, meta("couple", most=40)]
    a: Annotated[str, meta("greta", most=40)]
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""


class ClaimChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ending makes and breaks."""

    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()
