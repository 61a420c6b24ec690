"""Data of claims: the kinds in a deck, the state, and the events that change it.
A claim is a lasting social fact between people or about a place: a couple, a job, a home, an office, a membership.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.core.fields import MANY, meta, names
from sandbox.people.purse import Given, Sum

ENDS = ("a", "b")
ONES = ("a", "b", "terms", "where")
NOBODY, ANYBODY, OPEN = "nobody", "anybody", "open"
EITHER, TOLD = "either", "told"
WITH = BREAKER, THIRD, FELLOW = "breaker", "third", "fellow"
HOME, WORK, APART, OFFICE, CALENDAR, TRADE, BARRED = (
    "home", "work", "apart", "office", "calendar", "trade", "barred",
)  # fmt: skip
# What a claim can entail -> the kind whose rule reads it, and the field in which such a claim must be unique
ENTAILS = {
    HOME: ("lodges", "a"),
    WORK: ("employs", "b"),
    APART: ("couple", ""),
    OFFICE: ("role", "terms"),
    CALENDAR: ("member", ""),
    TRADE: ("owns", "terms"),
    BARRED: ("ban", ""),
}
AS_EVER = {"lodges": (HOME,), "employs": (WORK,)}  # in decks from before there was `entails`
ROLES = ("holder", "about", "actor", "target")  # people of a pressure, and of the deed that ends it
Sentence = Annotated[str, meta('"{a} and {b} are a couple"', most=160)]
Who = Annotated[str, meta(most=40), names("resident")]


class ClaimParameters(msgspec.Struct, frozen=True):
    """on: whether there are claims at all; if not, people live as their files say. breaches: whether a breach of a
    claim has consequences. entails: whether people live by what a claim entails as it is made and as it ends. worth:
    times what claims are worth to people (0: nobody feels it when one is made or ends).
    """

    on: bool = True
    breaches: bool = True
    entails: bool = True
    worth: Annotated[float, msgspec.Meta(ge=0, le=2)] = 1.0


TRAITS = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")
Weight = Annotated[float, meta(low=-1, high=1)]


class ClaimWorth(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it is worth to somebody that a claim of theirs stands, as a sum kept in [-1, 1]: base, a weight times each
    trait, and fond times their feeling for the other. wanted: what it takes, beside most of the base, from whoever
    planned to have it and sees another get it.
    """

    base: Weight = 0.0
    traits: dict[Annotated[str, meta(options=TRAITS, what="trait")], Weight] = {}
    fond: Weight = 0.0
    wanted: Annotated[float, meta(low=0, high=1)] = 0.0


class ClaimKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of claim. says, made, broken: sentences that it stands, was made, has ended; with {a}, {b}, {terms} and
    {where}.

    needs: the ends that must be a person. mutual: it means the same from both ends. hard: one's life depends on it:
    love, home, work, office, property. one: the field in which it is unique: at most one claim of the kind for each a,
    b, terms or place. private: only the two and whoever is told know of it. over: the end with authority over the
    other. stands: weight with which one supports the other in a conflict, 0 to 2. evenings: the two spend free evenings
    together. moves: days after which one moves in with the other until it is over (0: never). entails: what hangs on
    it: where one sleeps (home), a job and its wage (work), a roof, small talk and visits (apart, once it is over), the
    job that an office is named after (office), a group's occasions (calendar), coins and evening guests (trade), places
    that are shut to one (barred). lasts: days after which it ends by itself (0: never).
    leaves: end -> how it ended if the person at that end ended it: notice given, somebody put out.
    worth: end -> what it is worth to the person there (people/claim_worth.py).
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
    lasts: Annotated[int, meta(low=0, high=1000)] = 0
    entails: tuple[Annotated[str, meta(options=tuple(ENTAILS), what="thing that a claim entails")], ...] = ()
    leaves: Annotated[dict[Annotated[str, meta(options=ENDS, what="end")], Sentence], meta(alone=True)] = {}
    worth: dict[Annotated[str, meta(options=ENDS, what="end")], ClaimWorth] = {}

    def ended(self, claim: Claim | ClaimEvent) -> str:
        """The sentence template for how a claim ended: that of the end which ended it, else the general one."""
        by = getattr(claim, "by", "")
        end = "a" if by and by == claim.a else "b" if by and by == claim.b else ""
        return self.leaves.get(end, self.broken)


class Breach(msgspec.Struct, frozen=True, omit_defaults=True, rename={"with_": "with"}):
    """A rule by which a deed breaches a claim, once the injured person, who has the claim, believes the deed.
    claim: its kind; holds: the injured person's end of it. with_: who is at the other end: the breaker, the third
    person involved, or "fellow": the breaker has a claim of the kind with the same terms, and one of kind `office`.

    fact, how: the pressure's kind in the believed fact, and what came of it ("open": that it exists; "row"). No fact:
    something of a's now belongs to the other. bad: least believed badness. by: which of the two people in the fact is
    the breaker; "told": a confidant who passed on what the claim's terms name. own: the deed was done to the injured
    person, not to a third.

    child: the kind of pressure it makes; stakes: that pressure's {stakes}; ends: why the claim ends then, a clause
    ("" = it stands). Both with {breaker}, {third} and {terms}.
    """

    claim: Annotated[str, meta("couple", most=40), names("claim")]
    child: Annotated[str, meta("jealous", most=40), names("child")]
    stakes: Annotated[str, meta('"{breaker} and {third}"', most=160)]
    fact: Annotated[str, meta(most=40), names("kind")] = ""
    how: tuple[Annotated[str, meta(most=40)], ...] = (OPEN,)
    by: Annotated[str, meta(options=(*ENDS, EITHER, TOLD), what="end")] = EITHER
    bad: Annotated[int, meta(low=0, high=3)] = 0
    holds: Annotated[str, meta(options=(*ENDS, EITHER), what="end")] = EITHER
    with_: Annotated[str, meta(options=WITH, what="part")] = WITH[0]
    own: bool = False
    office: Annotated[str, meta(most=40), names("claim")] = ""
    ends: Annotated[str, meta(most=160)] = ""


class Use(msgspec.Struct, frozen=True, omit_defaults=True):
    """What places are used as while a claim with these terms stands. places: addresses; says: what one sees there.

    label: the map's label for their sectors; shut: nobody plans to be there.
    """

    terms: Annotated[str, meta("sold", most=120), names("terms")]
    places: Annotated[
        tuple[Annotated[str, meta(reads="address"), names("area")], ...],
        meta("[Mill Meadow / meadow]"),
        msgspec.Meta(min_length=1),
    ]
    says: Annotated[str, meta('"a fence, and a board on it"', most=160)]
    label: Annotated[str, meta(most=40)] = ""
    shut: bool = False


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lasting social fact. a, b: people, "" for nobody; terms: its object (an office, a thing, an agreement);
    where: address of the place it is about.

    since: when it began if that was before the world starts, in words after "since"; known_by: who knows of a private
    claim besides the two.
    """

    id: Annotated[str, meta("greta_dov", most=80)]
    kind: Annotated[str, meta("couple", most=40), names("claim")]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address"), names("area")] = ""
    since: Annotated[str, meta(most=80)] = ""
    known_by: Annotated[tuple[str, ...], meta(distinct="person of the cast"), names("resident")] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The one or two people it is between."""
        return tuple(filter(None, (self.a, self.b) if self.a != self.b else (self.a,)))

    @property
    def of(self) -> tuple[str, ...]:
        """The keys of ClaimState.of that list it: its people, or "" if it is only about a place."""
        return self.people or ("",)


class StandingClaim(Claim, frozen=True, omit_defaults=True):
    """A claim that stands. seq: the event that made it, 0 if the world began with it; t: its second. within: it
    replaced a claim about the same house.
    """

    seq: Annotated[int, msgspec.Meta(ge=0)] = 0
    t: Annotated[int, msgspec.Meta(ge=0)] = 0
    within: bool = False


class ClaimDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A world's claims: their kinds, how they are breached, the initial ones, and the uses of places they set.
    offices: the terms of roles whose holder has authority over everybody. titles: the terms of roles -> what the holder
    is called to their face by formal people. trades: terms of property -> coins a week
    that they bring whoever has them, beside the evening guests of the one who had them first.
    """

    kinds: Annotated[dict[str, ClaimKind], MANY] = {}
    breaches: Annotated[tuple[Breach, ...], MANY] = ()
    claims: Annotated[tuple[Claim, ...], MANY] = ()
    uses: Annotated[tuple[Use, ...], MANY] = ()
    titles: dict[Annotated[str, names("terms")], Annotated[str, meta(most=40)]] = {}
    offices: Annotated[tuple[Annotated[str, meta(most=120)], ...], meta(distinct="office")] = ()
    trades: Annotated[dict[Annotated[str, names("terms")], Sum], MANY] = {}


class ClaimState(msgspec.Struct):
    """open: standing claims by id. of: person -> ids of their claims, oldest first; "" -> ids of those of nobody.
    was: pair -> kind -> the last mutual claim between them that has ended, its `t` the second of its end.
    """

    open: dict[str, StandingClaim] = msgspec.field(default_factory=dict)
    of: dict[str, list[str]] = msgspec.field(default_factory=dict)
    was: dict[str, dict[str, StandingClaim]] = msgspec.field(default_factory=dict)


class ClaimEvent(Event, frozen=True, omit_defaults=True):
    """A claim is made or ends; the actor is one of the two. a, b, terms, where: as in Claim. why: the reason, a clause.
    within: the claim replaces one about the same house (a change of rooms), so it is no news.
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
    """A claim is made."""

    KIND: ClassVar[str] = "claim_made"


class Broken(ClaimEvent, frozen=True, omit_defaults=True):
    """A claim has ended. instead: the claim that replaces it, "" if none does. by: which of the two people ended it, ""
    if neither. to: who has what it was about now, "" for nobody else.
    """

    KIND: ClassVar[str] = "claim_broken"
    instead: str = ""
    by: str = ""
    to: str = ""


# ---- what deeds and endings do to claims


class Making(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that a deed or an ending makes. a, b: roles of the people it is between (or nobody); terms: its object,
    with {stakes}; where: the place it is about. again: only restore a former claim of the kind between the two.
    """

    kind: Annotated[str, meta("couple", most=40), names("claim made")]
    a: Annotated[str, meta(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, meta(options=(*ROLES, NOBODY), what="part", usual="about")]
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address"), names("area")] = ""
    again: bool = False


NO_CLAIM = Making("", "holder", "about")  # default: no claim is wanted


class Breaking(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims of a kind that a deed or an ending ends: those that role a has with role b or shares with them (a then
    leaves what both belong to), or has with anybody.
    """

    kind: Annotated[str, meta("couple", most=40), names("claim made")]
    a: Annotated[str, meta(options=ROLES, what="part", usual="holder")]
    b: Annotated[str, meta(options=(*ROLES, ANYBODY), what="part", usual="about")]


class ClaimCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim of a kind and a person that must stand. b, terms: with whom, and its object; "" = any."""

    kind: Annotated[str, meta("couple", most=40), names("claim")]
    a: Annotated[str, meta("greta", most=40), names("resident")]
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""


class ClaimChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims that an ending makes and breaks."""

    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()


# ---- the steps towards a wanted claim, and the ways to take them


HELPERS = ("about", "near", "friend", "owner", "office", "member")  # whom a step of a plan can be taken with
Name = Annotated[str, meta(most=40)]


class StepMeans(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to take a step of a plan: a talk with somebody, or a free hour spent on it.

    do: the exchange; to: whom with: the person the goal is about, somebody near to them, a friend, the owner of what is
    at stake, the holder of an office, or a member of what is wanted. block: instead, what the free hour is spent on.
    alone: as in PressureWay. children, makes: pressures and claims that result besides.
    """

    do: Annotated[Name, names("exchange")] = ""
    to: Annotated[str, meta(options=HELPERS, what="listener", usual="about")] = "about"
    block: Annotated[Name, names("block of the day")] = ""
    alone: bool = False
    children: tuple[Annotated[Name, names("child")], ...] = ()
    makes: tuple[Making, ...] = ()


class PlanStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a plan. says: completes "{holder} has to ..."; done: the sentence once it is taken; both with {holder},
    {about}, {whom}, {stakes}.

    by: ways to take it; the first open one is used. first: steps that must come before. coins: sum to save for it,
    which takes the step as soon as the holder has it; `by` is for those who do not.
    """

    says: Annotated[str, meta('"practise in a free hour"', most=160)]
    done: Annotated[str, meta('"{holder} has practised"', most=160)]
    by: tuple[StepMeans, ...] = ()
    first: tuple[Annotated[Name, names("step")], ...] = ()
    coins: Given = 0
