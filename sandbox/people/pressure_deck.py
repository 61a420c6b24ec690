"""The drama deck, all of it data: the kinds of pressure, what they press towards, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter
from typing import Annotated
from zlib import crc32

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.fields import MANY, meta
from sandbox.people.claim_model import Breaking, ClaimChanges, Making
from sandbox.people.goal_deck import PlanStep
from sandbox.people.mark_model import MarkRule
from sandbox.people.mood import OCC
from sandbox.people.persona import KINDS, Clue
from sandbox.people.pressure_beginnings import Beginning, Child, Later, Name, Renewal, Signed, Spark, Weights

GIST = 3  # words that what is at stake must have before its first comma to be told without the rest
ENDED = "{ending}, over {stakes}"  # how an ending is told of a kind for which the deck has no words
ANSWERS = ("accept", "dodge", "refuse")
LIE = "lie"  # the fourth answer, where an exchange has words for it
AWAY = "away"  # how it is taken by who turns somebody away before a word is said: they have heard nothing
PARTS = ("holder", "about", "knower")
ABOUT = PARTS[1]
LISTENERS = ("holder", "about", "other", "authority")
SECRET = "secret"
HUSHED = frozenset((SECRET, "crush"))  # kinds that one does not speak of, and that nobody knows of by themselves
SPOKEN = (*KINDS, "row")  # what rumours are of
HEARD = ("self", "dear", "other", "lie", "clue")  # of whom somebody hears what they do not like to hear, or what shows

Stage = Annotated[int, meta(low=0, high=3)]
Emotion = Annotated[str, meta(options=OCC, blank=True, what="emotion")]


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer, or an hour that has passed, does to a pressure.

    by: change of intensity. stage: it rises to this stage, one at a time. end: an ending of its kind. tells: the
    listener then knows of it. later: seconds by which it is put off. actor, target: change of the actor's feeling for
    the target, and of the target's for the actor. children: pressures that come of it, by name. part: the holder pays
    a part of what is owed, if it is money and they have some, also where that is the end of it. makes, breaks: claims
    that come of it, and that end.
    """

    by: Signed = 0.0
    stage: Stage = 0
    end: Name = ""
    tells: bool = False
    later: Later = 0
    actor: Signed = 0.0
    target: Signed = 0.0
    children: tuple[Name, ...] = ()
    part: bool = False
    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()


class PressureWay(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a pressure presses somebody to do. do: an exchange. by: whose deed; to: with whom.

    stage, until: lowest and highest stage at which it is thought of. weight: utility per unit of intensity. every:
    seconds before the same person does it again. fond: least feeling for the listener. near: only when its hour is
    near, if it has one. away: what comes of it that the other will not hear a word (left out: it is felt as if they
    had dodged); what only has to be handed over is left with them. after: only once this exchange is shut to holder
    and about (people/pressure_attempts.py), or, of a knower, to them and the listener over a matter of their own.
    hears: only where `about` stands by. alone: only where nobody else hears it.
    """

    do: Annotated[str, meta("confront", most=40)]
    by: Annotated[str, meta(options=PARTS, what="part", usual="holder")]
    to: Annotated[str, meta(options=LISTENERS, what="listener", usual="about")]
    stage: Annotated[Stage, meta(key="from")]
    until: Annotated[Stage, meta(usual=3)]
    weight: Annotated[float, meta(low=-10, high=10, usual=1.0)]
    every: Annotated[Later, meta(usual=6 * HOUR)]
    fond: Annotated[Signed, meta(usual=-1.0)]
    near: bool
    accept: Effect
    dodge: Effect
    refuse: Effect
    lie: Effect = Effect()
    after: Name = ""
    hears: bool = False
    alone: bool = False
    away: Effect = Effect()

    def effect(self, answer: str) -> Effect:
        """What an answer does. Raises AttributeError for a word that is none."""
        found: Effect = getattr(self, answer)
        return found

    @property
    def endings(self) -> frozenset[str]:
        """The endings that it may lead to."""
        return frozenset(e.end for e in self.effects if e.end)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All that may come of it."""
        return self.accept, self.dodge, self.refuse, self.lie, self.away

    @property
    def offers(self) -> bool:
        """Whether its holder brings the other what settles it alike, whatever the other says to it short of no."""
        return (self.by, self.to) == ("holder", ABOUT) and bool(self.dodge.end) and self.dodge.end == self.accept.end


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a pressure can end. says: a sentence with {holder}, {about}, {stakes}. holder, about: emotions of the two.

    also: kind -> ending, of what else is open between them in the same thread: who makes it up is forgiven, too. pays:
    the holder then pays the other what is owed, if that is a sum of money. makes, breaks: claims that come of it, and
    that end by it. blames: whose doing a bad end is, "holder" or "about". below, else_: it only comes to this where one
    of the two feels less than that for the other by then, and it breaks a claim; else it comes to that other ending.
    """

    good: bool
    says: Annotated[str, meta('"{holder} and {about} have made it up"', most=160)]
    holder: Emotion = ""
    about: Emotion = ""
    also: dict[Annotated[str, meta(options=KINDS, what="kind of pressure")], Name] = {}
    pays: bool = False
    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()
    below: Signed = 0.0
    else_: Annotated[Name, meta(key="else")] = ""
    blames: Annotated[str, meta(options=PARTS[:2], what="part")] = "holder"


class Kind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of pressure. called: a word after "a"; says: what it is, in a sentence; shows: how it shows, a clause;
    wanted: what its holder wants of it, after "wanted to", with {about} and {stakes} ("" in saves of old).

    mutual: whether both know of it from the start. late: what happens when its hour has passed; offered: instead of
    that, where its holder had come to settle it by then and the other would not have it; ready: the ending then from
    stage 2 on; luck: another that is as likely. spent: the ending when its holder has tried all there is in
    vain ("" = none: it is never given up). goal: the ending by which its holder has what they want: the claim that this
    makes is wanted, and there is a plan for it ("" = none).

    Of one that may ask a fact: right, wrong: what its holder's belief does that whom it is about did it, or that
    somebody else did; beside: what it does that they believe something of that person that is not what they wondered
    about (no ending: as `right`); admits, clears: the endings by which that person owns up, or is cleared by their own
    word. Of one that is kept from somebody: found: what it does that they come to believe it, and admits the ending by
    its holder's word who was asked; clues: what shows of each.
    """

    called: Annotated[Name, meta(named=True)]
    says: Annotated[str, meta('"{holder} owes {about}: {stakes}"', most=160)]
    shows: Annotated[str, meta('"{holder} looks past {about}"', most=160)]
    mutual: bool
    ways: tuple[PressureWay, ...]
    ends: Annotated[dict[str, Ending], meta('{faded: {good: yes, says: "it is forgotten"}}')]
    late: Effect
    ready: Name = ""
    luck: Name = ""
    spent: Name = ""
    wanted: Annotated[str, meta('"be quits with {about} over {stakes}"', most=160)] = ""
    right: Effect = Effect()
    wrong: Effect = Effect()
    beside: Effect = Effect()
    admits: Name = ""
    clears: Name = ""
    found: Effect = Effect()
    clues: tuple[Clue, ...] = ()
    goal: Name = ""
    offered: Effect = Effect()


class Showing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a showdown may make of a pressure of a kind: a scene in which all who have a stake in it take sides.

    calls: who of the two raises it before everybody. holder, about: what comes of it if that one is found to be in the
    right; peace: if the two shake hands; broken: if neither gives way. In these the actor is who won (else who raised
    it), the target the other. sides: claims that it makes and breaks to take a side; there the actor takes that of the
    target, and about is who they speak against.
    """

    calls: Annotated[str, meta(options=PARTS[:2], what="part", usual="holder")]
    holder: Effect
    about: Effect
    peace: Effect
    broken: Effect
    sides: ClaimChanges = ClaimChanges()

    def effect(self, verdict: str) -> Effect:
        """What a verdict does. Raises AttributeError for a word that is none."""
        found: Effect = getattr(self, verdict)
        return found


class ExchangeKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something one comes to another for. move: what is said; replies: the move of each answer.

    wish, answer: feature -> weight, for whether one does it and how the other takes it; lie: for whether somebody with
    something to hide lies to it (empty: nobody does). hostile: it is a confrontation; kind: a kindness. seeks: whether
    one goes looking for the other. says: completes "{who} had come ..."; did: completes "{who} ...", with {to}; took:
    answer -> completes "{other} ..."; over: what it is about then follows as "over a borrowed ladder", else after a
    colon. unheard: completes "{who} ...", with {to}, where it is done though the other will not hear a word ("" = they
    came for it in vain). public: only before others, who come to know of what it is about. needs: kinds of
    claims one must have with the other, or share, one of them at least; bars: kinds that one or the other has with
    somebody else, as far as one knows, which makes the feature "barred" 1.
    """

    move: Annotated[str, meta("confront", most=160)]
    replies: Annotated[dict[str, str], meta("{accept: agree, dodge: dodge, refuse: disagree}")]
    wish: Weights
    answer: Weights
    hostile: bool
    seeks: bool
    says: Annotated[str, meta('"to have it out"', most=80)]
    did: Annotated[str, meta('"had it out with {to}"', most=80)]
    took: Annotated[
        dict[str, Annotated[str, meta(most=80)]],
        meta('{accept: "agreed", dodge: "would not say", refuse: "refused"}'),
    ]
    over: bool = False
    kind: bool = False
    public: bool = False
    lie: Weights = {}
    needs: tuple[Name, ...] = ()
    bars: tuple[Name, ...] = ()
    unheard: Annotated[str, meta(most=80)] = ""


class Rumours(msgspec.Struct, frozen=True):
    """What goes round. says: kind of pressure, or "row" -> four sentences, from how it is to the worst made of it;
    also: for each of these, in order, others that tellers use as well. ended: an ending, or a kind, -> sentences once
    it is over, around what became of it ({ending}, {stakes}, {holder}, {about}); tellers differ in which.

    bears: what comes of hearing it, as names of children: "self" where it is about the listener, "dear" or "other"
    where it is about somebody they like or do not, "lie" where a lie comes out. lie: feature -> weight, for whether
    somebody lies who is told what is said of them, and it is so.
    """

    says: dict[
        Annotated[str, meta(options=SPOKEN, what="kind of pressure")], tuple[Annotated[str, meta(most=200)], ...]
    ] = {}
    also: dict[
        Annotated[str, meta(options=SPOKEN, what="kind of pressure")],
        tuple[tuple[Annotated[str, meta(most=200)], ...], ...],
    ] = {}
    ended: dict[Annotated[str, meta(most=40)], tuple[Annotated[str, meta(most=200)], ...]] = {}
    bears: dict[Annotated[str, meta(options=HEARD, what="kind of hearsay")], Name] = {}
    lie: Weights = {}


class DramaDeck(msgspec.Struct, frozen=True):
    """The whole deck. mercy: the child by which somebody comes to be kind on a bad day ("" = none does). marks: what
    outcomes leave for days; of two that fit, the last. plans: kind of claim -> the steps that must be taken before it
    is to be had. showdowns: what scenes of many make of the kinds of pressure that may come to one.
    own: child -> the ways that it has instead of those of its kind. beginnings: what somebody who is played may begin,
    by the child that is born.
    """

    kinds: dict[Annotated[str, meta(options=KINDS, what="kind of pressure")], Kind] = {}
    exchanges: Annotated[dict[str, ExchangeKind], MANY] = {}
    children: Annotated[dict[str, Child], MANY] = {}
    renewal: Annotated[tuple[Renewal, ...], MANY] = ()
    sparks: Annotated[dict[str, Spark], MANY] = {}
    mercy: Name = ""
    rumours: Rumours = Rumours()
    marks: Annotated[tuple[MarkRule, ...], MANY] = ()
    plans: Annotated[dict[Name, tuple[Name, ...]], MANY] = {}
    steps: Annotated[dict[Name, PlanStep], MANY] = {}
    showdowns: dict[Annotated[str, meta(options=KINDS, what="kind of pressure")], Showing] = {}
    own: Annotated[dict[Name, tuple[PressureWay, ...]], MANY] = {}
    beginnings: Annotated[dict[str, Beginning], MANY] = {}


def child_of(id: str) -> str:
    """Which child of the deck a pressure that was born is. In older saves the ids end in a count: "rift_12"."""
    child, *rest = id.rsplit(".", 3)
    return child if len(rest) == 3 else id.rstrip("_").rpartition("_")[0]


def ways_of(deck: DramaDeck, id: str, kind: str) -> tuple[PressureWay, ...]:
    """What a pressure may press towards: the ways of its kind, or its own as the child that it was born as."""
    return deck.own.get(child_of(id)) or deck.kinds[kind].ways


def kindness(deck: DramaDeck) -> str:
    """The kind exchange that the child of mercy presses its holder to; "" if there is none."""
    child = deck.children.get(deck.mercy)
    if child is None:
        return ""
    for way in deck.kinds[child.kind].ways:
        fits = (way.by, way.to) == ("holder", "about") and way.stage <= child.stage <= way.until
        if fits and way.do in deck.exchanges and deck.exchanges[way.do].kind:
            return way.do
    return ""


VERDICTS = ("holder", "about", "peace", "broken")  # of a showdown
# What is said in a showdown: the one who raises it, the other, who takes a side or will not, and the last word.
CALL_OUT, STAND_FIRM, TAKE_SIDE, CALM_DOWN = "call_out", "stand_firm", "take_side", "calm_down"
CLIMB_DOWN, SHAKE_HANDS, WALK_OFF, HIT_BACK = "climb_down", "shake_hands", "walk_off", "hit_back"
SHOWN = (CALL_OUT, STAND_FIRM, TAKE_SIDE, CALM_DOWN, CLIMB_DOWN, SHAKE_HANDS, WALK_OFF, HIT_BACK)
SPOKEN_OF = (TAKE_SIDE, CALM_DOWN, HIT_BACK)  # of these, what is said by somebody else, or to them, of one of the two
# What is said where a rumour is passed on, to somebody or to the one it is about, and what that one says to it: the
# last is a lie.
PASS_ON, WARN, BRISTLE, COVER = "pass_on", "warn", "bristle", "cover_up"
COME_CLEAN = "come_clean"  # the answer of who admits what was kept from others


def moves_of(deck: DramaDeck) -> set[str]:
    """The moves that its exchanges and rumours make people say."""
    told = {PASS_ON, WARN, BRISTLE, COVER} if deck.rumours.says else set()
    told |= {*SHOWN} if deck.showdowns else set()
    return told | {move for x in deck.exchanges.values() for move in (x.move, *x.replies.values())}


def gist(stakes: str) -> str:
    """What is at stake, up to where it goes into particulars: so one speaks of it."""
    first = stakes.partition(", ")[0]
    return first if len(first.split()) >= GIST else stakes


def ending_template(deck: DramaDeck, kind: str, how: str, by: str = "") -> str:
    """How it is told that a pressure has ended so, with what it was about: the deck's words around the ending's own,
    unless these say that. by: what tells apart who tells which of them, "" = the first. "" for no such ending.
    """
    ending = deck.kinds[kind].ends.get(how) if kind in deck.kinds else None
    says = ending.says if ending is not None else ""
    if not says or "{stakes}" in says:
        return says
    return one_way(deck.rumours.ended.get(how) or deck.rumours.ended.get(kind) or (ENDED,), by).replace(
        "{ending}", says
    )


def one_way(ways: Sequence[str], by: str) -> str:
    """Which of several ways to say something is somebody's; by: what tells them apart, "" = the first."""
    return ways[crc32(by.encode()) % len(ways) if by else 0]


def heart(made: Child | None, stakes: str) -> str:
    """What is at stake in the matter that a child came of, without the words that it has put around it: those of a
    child of that child would stand around both.
    """
    for template in made.stakes if made is not None else ():
        parts = [
            re.escape(text) + {None: "", "stakes": "(?P<heart>.+)"}.get(slot, ".+?")
            for text, slot, *_ in Formatter().parse(template)
        ]
        found = re.fullmatch("".join(parts), stakes) if "{stakes}" in template else None
        if found is not None:
            return found["heart"]
    return stakes
