"""Deck data of how pressures begin: as children of other pressures, from ordinary talk, from sparks, and by a played
person.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import DAY, HOUR
from sandbox.core.fields import meta, names
from sandbox.people.claim_model import NO_CLAIM, ROLES, ClaimChanges, Making
from sandbox.people.matter_model import Facts
from sandbox.people.needs import WORN
from sandbox.people.persona import KINDS, Persona
from sandbox.people.purse import Given

# feature -> wording when it speaks for a decision, and when against. Each is a number in [-1, 1] or [0, 1].
FEATURES: dict[str, tuple[str, str]] = {
    "base": ("in the nature of it", "it takes something"),
    "fond": ("fond of them", "does not like them"),
    "left": ("glad of their last talk", "sore from their last talk"),
    "close": ("trusts them", "hardly knows them"),
    "agreeable": ("kind-hearted", "hard-headed"),
    "outgoing": ("outgoing", "shy"),
    "nervous": ("nervous by nature", "steady by nature"),
    "orderly": ("takes things seriously", "takes things lightly"),
    "curious": ("curious by nature", "set in their ways"),
    "pleased": ("in good spirits", "in low spirits"),
    "roused": ("worked up", "too tired for it"),
    "bold": ("sure of themselves", "unsure of themselves"),
    "watched": ("others are there", "others are there"),
    "hurried": ("in a hurry", "in a hurry"),
    "pressed": ("it weighs on them", "it weighs on them"),
    "owing": ("knows they are in the wrong", "knows they are in the wrong"),
    "asked": ("has been asked before", "has been asked before"),
    "worn": (WORN, WORN),
    "dear": ("feels the same for them", "feels nothing of the kind"),
    "flush": ("can spare the money", "would be left with nothing"),
    "barred": ("knows what stands between them", "knows what stands between them"),
    "loses": ("would lose by it", "would lose by it"),
}

Weights = dict[Annotated[str, meta(options=FEATURES, what="feature")], Annotated[float, meta(low=-10, high=10)]]


BORN = ("actor", "target")  # the parts there are when ordinary talk makes a pressure
OTHER = "other"  # the third of a spark
SIDES = (*ROLES, OTHER)  # the parts of what a child comes of
TONES = ("warm", "plain", "tense", "hostile")
LEVELS = ("calm", "steady", "stormy")

Signed = Annotated[float, meta(low=-1, high=1)]
Later = Annotated[int, meta(low=0, high=1000 * HOUR, unit=HOUR)]
Name = Annotated[str, meta(most=40)]
ChildName = Annotated[Name, names("child")]
Age = Annotated[int, meta(low=0, high=200)]


class Role(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who something is for. jobs, traits: any of them; ages: lowest and highest; towards: role -> range of feeling."""

    jobs: tuple[Annotated[str, meta(most=60)], ...] = ()
    traits: tuple[Name, ...] = ()
    ages: Annotated[tuple[Age, Age], meta(usual=(0, 200), names=("youngest", "oldest"), pair="two ages")] = (0, 200)
    towards: dict[str, Annotated[tuple[Signed, Signed], meta(names=("least", "most"), pair="two feelings")]] = {}

    def suits(self, p: Persona) -> bool:
        """Whether a person has what it asks for, whatever they feel for the others."""
        return (
            (not self.jobs or p.job in self.jobs)
            and (not self.traits or not set(self.traits).isdisjoint(p.traits))
            and self.ages[0] <= p.age <= self.ages[1]
        )


class Renewal(msgspec.Struct, frozen=True, omit_defaults=True):
    """How ordinary talk starts something small. tone: of the talk; chance; weights: feature of the holder -> weight.

    roles: what the two must be, as for a spark.
    """

    tone: Annotated[str, meta("tense", options=TONES, what="tone")]
    child: Annotated[str, meta("slight", most=40), names("child")]
    chance: Annotated[float, meta(low=0, high=1, usual=0.1)]
    weights: Weights
    roles: dict[Annotated[str, meta(options=BORN, what="role")], Role] = {}


class Spark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A small thing from outside. says: a sentence with {roles}. cooldown: days. thing: what it brings, "" for nothing:
    it lies where the first of the roles stands. No decision knows of it.
    """

    says: Annotated[str, meta('"A letter for {actor} went to {target}"', most=240)]
    roles: Annotated[dict[Annotated[str, meta(options=(*BORN, OTHER), what="role")], Role], meta("{actor: {}}")]
    children: tuple[ChildName, ...]
    cooldown: Annotated[int, meta(low=0, high=1000, usual=5)]
    level: Annotated[str, meta(options=LEVELS, what="level")] = "calm"
    thing: Annotated[str, meta(most=40)] = ""


class Child(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pressure that comes of something. holder, about: parts ("holder", "about", "actor", "target", "other").

    due: seconds until it falls due (0 = never); at: the hour of a day (its second, 0 = any) it is then put off to.
    late: the ending then, in peace, if not that of its kind. stakes, cause: words with {names} of parts, {stakes} of
    the parent.
    amount: least and most coins of a debt, drawn by chance; {amount} is what came of it, in words. lends: `about` hands
    the coins over as it is born, if they have them. ends: ending -> the claims that it makes and breaks, beside those
    of its kind. asks: it asks what `about` keeps from its holder, if there is anything. wants: the claim that its
    holder wants, if neither its kind nor `ends` says it. facts: what there is to know of it.
    """

    kind: Annotated[str, meta("grudge", options=KINDS, what="kind of pressure"), names("kind")]
    holder: Annotated[str, meta("target", options=SIDES, what="part")]
    about: Annotated[str, meta("actor", options=SIDES, what="part")]
    intensity: Annotated[float, meta(low=0, high=1, usual=0.4)]
    stage: Annotated[int, meta(low=0, high=2)]
    due: Later
    stakes: Annotated[tuple[Annotated[str, meta(most=200)], ...], meta('["an apology"]')]
    cause: Annotated[tuple[Annotated[str, meta(most=200)], ...], meta('["{actor} was short with {target}"]')]
    amount: Annotated[
        tuple[Given, Given], meta(usual=(0, 0), names=("least", "most"), pair="a number of coins, or two")
    ] = (0, 0)
    lends: bool = False
    late: Name = ""
    at: Annotated[int, meta(low=0, high=DAY - 1, unit=HOUR)] = 0
    ends: dict[Name, ClaimChanges] = {}
    asks: bool = False
    wants: Making = NO_CLAIM
    facts: Facts = {}


class Beginning(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody who is played may begin with another: the child of the same name is born, and `do` is said.

    Of the child's parts the actor begins, the target is spoken to, and other is the third. says: completes "to ...";
    line: what is said without words of one's own, or before them if it does not name the {stakes} that they are; both
    with {third}, {amount}, {stakes}, a line also with {name}. roles: whom it is for. needs, lacks: kinds of claims of
    which the two have one, or none; free: kinds of pressure that are not open between them. third: who else it is
    about: anybody, somebody dear to the actor, or a foe of the target. of: {stakes} are the terms of a claim of that
    kind that the target has, or leads, and the actor has not. sums: coins to choose from. own: {stakes} are words
    of one's own, where there are some. sways: {stakes} are the next vote of the target, whose view of it moves by so
    much if they accept. weight: how soon it is offered.
    """

    says: Annotated[str, meta('"ask for a loan"', most=120)]
    do: Annotated[str, meta("ask_help", most=40)]
    line: Annotated[str, meta(most=240)] = ""
    roles: dict[Annotated[str, meta(options=BORN, what="role")], Role] = {}
    needs: tuple[Name, ...] = ()
    lacks: tuple[Name, ...] = ()
    free: tuple[Annotated[str, meta(options=KINDS, what="kind of pressure")], ...] = ()
    third: Annotated[str, meta(options=("anybody", "dear", "foe"), blank=True, what="third")] = ""
    of: Name = ""
    sums: tuple[Annotated[int, meta(low=1, high=1_000_000)], ...] = ()
    own: bool = False
    sways: Signed = 0.0
    weight: Annotated[float, meta(low=0, high=10, usual=1.0)] = 1.0
