"""What claims are made of: their kinds, as a deck says them, their state, and the events that change it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.core.fields import MANY, said

ENDS = ("a", "b")
ONES = ("a", "b", "terms")
NOBODY, ANYBODY, OPEN = "nobody", "anybody", "open"
ROLES = ("holder", "about", "actor", "target")  # the parts of what comes of something
Sentence = Annotated[str, said('"{a} and {b} are a couple"', most=160)]
Who = Annotated[str, said(most=40)]


class ClaimKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of claim. says: how it is, in a sentence; made, broken: how it came to be, and how it ended; with {a},
    {b}, {terms} and {where}.

    needs: the ends that must be somebody. mutual: it is the same from both ends. hard: one's life hangs on it: love,
    home, work, office, property. one: of what there is one at most: a has one, b has one, or one has the same terms.
    private: nobody knows of it but the two and who is told. stands: how far one stands by the other of it where all
    take sides.
    """

    says: Sentence
    made: Sentence
    broken: Sentence
    needs: tuple[Annotated[str, said(options=ENDS, what="end")], ...] = ENDS
    mutual: bool = False
    hard: bool = False
    one: Annotated[str, said(options=ONES, blank=True, what="end")] = ""
    private: bool = False
    stands: Annotated[float, said(low=0, high=2)] = 0.0


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a claim is broken by a deed, for whoever has it and comes to believe that. claim: its kind.

    fact, how: the kind of pressure of what is believed, and what came of it ("open": that it is there). by: which of
    the two whom the fact is about has broken it. child: the pressure it makes; stakes: what its words call {stakes},
    with {breaker} and {third}.
    """

    claim: Annotated[str, said("couple", most=40)]
    fact: Annotated[str, said("crush", most=40)]
    how: Annotated[tuple[Annotated[str, said(most=40)], ...], said("[open, together]", usual=(OPEN,))]
    by: Annotated[str, said(options=(*ENDS, "either"), what="end", usual="either")]
    child: Annotated[str, said("jealous", most=40)]
    stakes: Annotated[str, said('"{breaker} and {third}"', most=160)]


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is so. a, b: people, "" for nobody; terms: what it is of (an office, a thing, what is agreed);
    where: the place it is about, an address.

    since: when it began if that was before the world starts, in words; known_by: of a private one, who knows of it
    besides the two.
    """

    id: Annotated[str, said("greta_dov", most=80)]
    kind: Annotated[str, said("couple", most=40)]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, said(most=120)] = ""
    where: Annotated[str, said(reads="address")] = ""
    since: Annotated[str, said(most=80)] = ""
    known_by: Annotated[tuple[str, ...], said(distinct="person of the cast")] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """Those it is between."""
        return tuple(who for who in dict.fromkeys((self.a, self.b)) if who)


class Held(Claim, frozen=True, omit_defaults=True):
    """A claim that stands. seq: the event that made it, 0 of those the world begins with; t: its second."""

    seq: Annotated[int, msgspec.Meta(ge=0)] = 0
    t: Annotated[int, msgspec.Meta(ge=0)] = 0


class ClaimDeck(msgspec.Struct, frozen=True):
    """What a world says of claims: the kinds there are, how they are broken, and those it begins with."""

    kinds: Annotated[dict[str, ClaimKind], MANY] = {}
    breaches: Annotated[tuple[Breach, ...], MANY] = ()
    claims: Annotated[tuple[Claim, ...], MANY] = ()


class ClaimState(msgspec.Struct):
    """open: what is so, by id. of: person -> the ids of theirs, in the order in which they came."""

    open: dict[str, Held] = msgspec.field(default_factory=dict)
    of: dict[str, list[str]] = msgspec.field(default_factory=dict)


class ClaimEvent(Event, frozen=True):
    """What is so changes; the actor is one of the two. a, b, terms, where: as of the claim. why: how it came to that, a
    clause.
    """

    id: str
    kind: str
    a: str = ""
    b: str = ""
    terms: str = ""
    where: str = ""
    why: str = ""


class Made(ClaimEvent, frozen=True):
    """A claim comes to be."""

    KIND: ClassVar[str] = "claim_made"


class Broken(ClaimEvent, frozen=True):
    """A claim is no longer so."""

    KIND: ClassVar[str] = "claim_broken"


# ---- what deeds and endings do to claims


class Making(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that comes of something. a, b: parts of those it is between (or nobody); terms: what it is of, with
    {stakes}; where: the place it is about.
    """

    kind: Annotated[str, said("couple", most=40)]
    a: Annotated[str, said(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, said(options=(*ROLES, NOBODY), what="part", usual="about")]
    terms: Annotated[str, said(most=120)] = ""
    where: Annotated[str, said(reads="address")] = ""


class Breaking(msgspec.Struct, frozen=True, omit_defaults=True):
    """Claims that end by something: those of a kind that a part has with another, or with anybody."""

    kind: Annotated[str, said("couple", most=40)]
    a: Annotated[str, said(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, said(options=(*ROLES, ANYBODY), what="part", usual="about")]


class Changes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ending makes and breaks."""

    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()
