"""The drama deck, all of it data: the kinds of pressure, what they press towards, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter
from typing import Annotated
from zlib import crc32

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.fields import MANY, meta, names
from sandbox.people.claim_model import Breaking, ClaimChanges, Making, PlanStep
from sandbox.people.mark_model import MarkRule
from sandbox.people.matter_model import FactKey
from sandbox.people.mood import OCC
from sandbox.people.persona import KINDS, Clue
from sandbox.people.pressure_beginnings import Beginning, Child, ChildName, Later, Name, Renewal, Signed, Spark, Weights

GIST = 3  # least words before the first comma of stakes for `gist` to cut them there
ENDED = "{ending}, over {stakes}"  # sentence around an ending if the deck has none
ANSWERS = ("accept", "dodge", "refuse")
LIE = "lie"  # the fourth answer, where an exchange has words for it
AWAY = "away"  # the answer of somebody who turns the other away before a word is said, and so hears nothing
PARTS = ("holder", "about", "knower")
ABOUT = PARTS[1]
LISTENERS = ("holder", "about", "other", "authority")
SECRET = "secret"
HUSHED = frozenset((SECRET, "crush"))  # kinds that people keep to themselves
RUMOURED = (*KINDS, "row")  # what rumours can be about
HEARD = ("self", "dear", "other", "lie", "clue")  # kinds of hearsay that have consequences (Rumours.bears)

Stage = Annotated[int, meta(low=0, high=3)]
Emotion = Annotated[str, meta(options=OCC, blank=True, what="emotion")]
KindName = Annotated[str, meta(options=KINDS, what="kind of pressure"), names("kind")]
ClaimName = Annotated[Name, names("claim made")]
EndingName = Annotated[Name, names("ending")]  # of the kind of pressure that it is about


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer, or a due time that has passed, does to a pressure.

    by: change of intensity. stage: it rises towards this stage, one at a time. end: an ending of its kind. tells: the
    listener learns of it. later: seconds by which the due time is put off. actor, target: change of the actor's feeling
    for the target, and of the target's for the actor. children: names of pressures it makes. part: the holder pays a
    part of a debt of money, if they have some, even if it ends by this. makes, breaks: claims that it makes and ends.
    """

    by: Signed = 0.0
    stage: Stage = 0
    end: EndingName = ""
    tells: bool = False
    later: Later = 0
    actor: Signed = 0.0
    target: Signed = 0.0
    children: tuple[ChildName, ...] = ()
    part: bool = False
    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()


class PressureWay(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a pressure presses somebody to do. do: an exchange. by: who does it; to: with whom.

    stage, until: lowest and highest stage at which it is considered. weight: utility per unit of intensity. every:
    seconds before the same person does it again. fond: least feeling for the listener. near: only when the due time is
    near, if there is one. away: effect if the other refuses to listen (left out: feelings change as for dodge);
    something that need only be handed over is left with them. after: only once this exchange is shut to holder and
    about (people/pressure_rules.py), or, for a knower, to them and the listener over a pressure of their own.
    hears: only if `about` is within hearing. alone: only if nobody else hears it.
    """

    do: Annotated[str, meta("confront", most=40), names("exchange")]
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
        """The effect of an answer. Raises AttributeError for an unknown one."""
        found: Effect = getattr(self, answer)
        return found

    @property
    def endings(self) -> frozenset[str]:
        """The endings it may lead to."""
        return frozenset(e.end for e in self.effects if e.end)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of all answers."""
        return self.accept, self.dodge, self.refuse, self.lie, self.away

    @property
    def offers(self) -> bool:
        """Whether the holder brings what settles the matter: accept and dodge lead to the same ending."""
        return (self.by, self.to) == ("holder", ABOUT) and bool(self.dodge.end) and self.dodge.end == self.accept.end


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a pressure can end. says: a sentence with {holder}, {about}, {stakes}. holder, about: emotions of the two.

    also: kind -> ending of other pressures open between them in the same thread. pays: the holder pays the other the
    sum owed, if it is money. makes, breaks: claims that it makes and ends. blames: who is to blame for a bad ending,
    "holder" or "about". below, else_: it needs a feeling of one for the other below this, and a claim that it breaks;
    otherwise the ending `else_` takes its place.
    """

    good: bool
    says: Annotated[str, meta('"{holder} and {about} have made it up"', most=160)]
    holder: Emotion = ""
    about: Emotion = ""
    also: dict[KindName, Name] = {}
    pays: bool = False
    makes: tuple[Making, ...] = ()
    breaks: tuple[Breaking, ...] = ()
    below: Signed = 0.0
    else_: Annotated[Name, meta(key="else"), names("ending")] = ""
    blames: Annotated[str, meta(options=PARTS[:2], what="part")] = "holder"


class Kind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of pressure. called: a noun after "a"; says: what it is, a sentence; shows: how it shows, a clause;
    wanted: what its holder wants, after "wanted to", with {about} and {stakes} ("" in old saves).

    mutual: whether both know of it from the start. late: effect when its due time has passed; offered: effect instead,
    if the holder had come to settle it and the other refused; ready: the ending then from stage 2 on; luck: another
    one, equally likely. spent: the ending when all attempts have failed ("" = it is never given up). goal: the ending
    that makes the claim its holder wants, for which they plan ("" = none).

    For a kind that asks a fact: right, wrong: effect when the holder believes that the suspected person did it, or that
    somebody else did; beside: effect when they believe something else about that person (no ending: as `right`);
    admits, clears: the endings when that person owns up, or is cleared by their own word. For a secret: found: effect
    when the person it is kept from believes it; admits: the ending when its holder owns up. clues: those of every
    pressure of the kind.
    """

    called: Annotated[Name, meta(named=True)]
    says: Annotated[str, meta('"{holder} owes {about}: {stakes}"', most=160)]
    shows: Annotated[str, meta('"{holder} looks past {about}"', most=160)]
    mutual: bool
    ways: tuple[PressureWay, ...]
    ends: Annotated[dict[str, Ending], meta('{faded: {good: yes, says: "it is forgotten"}}')]
    late: Effect
    ready: EndingName = ""
    luck: EndingName = ""
    spent: EndingName = ""
    wanted: Annotated[str, meta('"be quits with {about} over {stakes}"', most=160)] = ""
    right: Effect = Effect()
    wrong: Effect = Effect()
    beside: Effect = Effect()
    admits: EndingName = ""
    clears: EndingName = ""
    found: Effect = Effect()
    clues: tuple[Clue, ...] = ()
    goal: EndingName = ""
    offered: Effect = Effect()


class Showing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a showdown, a scene in which everybody with a stake takes sides, does to pressures of a kind.

    calls: which of the two raises it in public. holder, about: effect if that person is found to be right; peace: if
    the two shake hands; broken: if neither gives way. Here the actor is the winner (else the one who raised it), the
    target the other. sides: claims made and broken by taking a side; there the actor sides with the target, and about
    is the person they speak against.
    """

    calls: Annotated[str, meta(options=PARTS[:2], what="part", usual="holder")]
    holder: Effect
    about: Effect
    peace: Effect
    broken: Effect
    sides: ClaimChanges = ClaimChanges()

    def effect(self, verdict: str) -> Effect:
        """The effect of a verdict. Raises AttributeError for an unknown one."""
        found: Effect = getattr(self, verdict)
        return found


class ExchangeKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of exchange: something one person approaches another for. move: what is said; replies: answer -> its move.

    wish, answer: feature -> weight, for whether one does it and how the other answers; lie: for whether somebody with
    something to hide answers with a lie (empty: nobody does). hostile: a confrontation; kind: a kindness. seeks:
    whether one goes looking for the other. says: completes "{who} had come ..."; did: completes "{who} ...", with {to};
    took: answer -> completes "{other} ..."; over: the stakes follow as "over a borrowed ladder", else after a colon.
    unheard: completes "{who} ...", with {to}, if it is done although the other refuses to listen ("" = it is not).
    public: only before others, who learn what it is about. needs: kinds of claims, of which the two must have or share
    at least one; bars: kinds of claims of either with somebody else, as far as one knows, that set the feature "barred"
    to 1. facts: which facts of a matter are told first by it.
    """

    move: Annotated[str, meta("confront", most=160), names("move")]
    replies: Annotated[
        dict[str, Annotated[str, names("move")]], meta("{accept: agree, dodge: dodge, refuse: disagree}")
    ]
    wish: Weights
    answer: Weights
    hostile: bool
    seeks: bool
    says: Annotated[str, meta('"to have it out"', most=80)]
    did: Annotated[str, meta('"had it out with {to}"', most=80)]
    took: Annotated[
        dict[str, Annotated[str, meta(most=80)]], meta('{accept: "agreed", dodge: "would not say", refuse: "refused"}')
    ]
    over: bool = False
    kind: bool = False
    public: bool = False
    lie: Weights = {}
    needs: tuple[ClaimName, ...] = ()
    bars: tuple[ClaimName, ...] = ()
    unheard: Annotated[str, meta(most=80)] = ""
    facts: Annotated[tuple[FactKey, ...], meta(distinct="fact")] = ()


class Rumours(msgspec.Struct, frozen=True):
    """The wording and effects of rumours. says: kind of pressure, or "row" -> four sentences, from the truth to the
    worst exaggeration; also: alternatives for each of these four. ended: ending, or kind -> sentences once it is over,
    with {ending}, {stakes}, {holder}, {about}; each teller uses one of them. bears: kind of hearsay -> child it makes:

    "self" if it is about the listener, "dear" or "other" if about somebody they like or do not, "lie" if it reveals a
    lie. lie: feature -> weight, for whether somebody denies a true rumour about themselves.
    """

    says: dict[
        Annotated[str, meta(options=RUMOURED, what="kind of pressure")], tuple[Annotated[str, meta(most=200)], ...]
    ] = {}
    also: dict[
        Annotated[str, meta(options=RUMOURED, what="kind of pressure")],
        tuple[tuple[Annotated[str, meta(most=200)], ...], ...],
    ] = {}
    ended: dict[Annotated[str, meta(most=40)], tuple[Annotated[str, meta(most=200)], ...]] = {}
    bears: dict[Annotated[str, meta(options=HEARD, what="kind of hearsay")], ChildName] = {}
    lie: Weights = {}


class DramaDeck(msgspec.Struct, frozen=True):
    """The whole deck. mercy: the child that makes somebody be kind to a person on a bad day ("" = none). marks: rules
    for lasting marks; of several that fit, the last applies. plans: kind of claim -> the steps needed before it can be
    had. showdowns: kind of pressure -> what a showdown does to it. own: child -> its ways, instead of those of its
    kind. beginnings: child -> how a played person may begin it.
    """

    kinds: dict[Annotated[str, meta(options=KINDS, what="kind of pressure")], Kind] = {}
    exchanges: Annotated[dict[str, ExchangeKind], MANY] = {}
    children: Annotated[dict[str, Child], MANY] = {}
    renewal: Annotated[tuple[Renewal, ...], MANY] = ()
    sparks: Annotated[dict[str, Spark], MANY] = {}
    mercy: ChildName = ""
    rumours: Rumours = Rumours()
    marks: Annotated[tuple[MarkRule, ...], MANY] = ()
    plans: Annotated[dict[ClaimName, tuple[Annotated[Name, names("step")], ...]], MANY] = {}
    steps: Annotated[dict[Name, PlanStep], MANY] = {}
    showdowns: dict[KindName, Showing] = {}
    own: Annotated[dict[ChildName, tuple[PressureWay, ...]], MANY] = {}
    beginnings: Annotated[dict[Annotated[str, names("child")], Beginning], MANY] = {}


def child_of(id: str) -> str:
    """The deck's name for the child that a pressure's id belongs to. In old saves ids end in a count: "rift_12"."""
    child, *rest = id.rsplit(".", 3)
    return child if len(rest) == 3 else id.rstrip("_").rpartition("_")[0]


def ways_of(deck: DramaDeck, id: str, kind: str) -> tuple[PressureWay, ...]:
    """The ways of a pressure: those of its child in the deck if it has own ones, else those of its kind."""
    return deck.own.get(child_of(id)) or deck.kinds[kind].ways


def kindness(deck: DramaDeck) -> str:
    """The exchange flagged `kind` that the deck's `mercy` child presses its holder to; "" if there is none."""
    child = deck.children.get(deck.mercy)
    if child is None:
        return ""
    for way in deck.kinds[child.kind].ways:
        fits = (way.by, way.to) == ("holder", "about") and way.stage <= child.stage <= way.until
        if fits and way.do in deck.exchanges and deck.exchanges[way.do].kind:
            return way.do
    return ""


VERDICTS = ("holder", "about", "peace", "broken")  # of a showdown
# Moves in a showdown: of the one who raises it, of the other, of those who take a side or will not, and the last word.
CALL_OUT, STAND_FIRM, TAKE_SIDE, CALM_DOWN = "call_out", "stand_firm", "take_side", "calm_down"
CLIMB_DOWN, SHAKE_HANDS, WALK_OFF, HIT_BACK = "climb_down", "shake_hands", "walk_off", "hit_back"
SHOWN = (CALL_OUT, STAND_FIRM, TAKE_SIDE, CALM_DOWN, CLIMB_DOWN, SHAKE_HANDS, WALK_OFF, HIT_BACK)
SPOKEN_OF = (TAKE_SIDE, CALM_DOWN, HIT_BACK)  # those said by or to a third person about one of the two
# Moves for rumours: passed on to somebody, or to the person it is about; that person's two answers, the second a lie.
PASS_ON, WARN, BRISTLE, COVER = "pass_on", "warn", "bristle", "cover_up"
COME_CLEAN = "come_clean"  # the answer of somebody who admits a secret


def moves_of(deck: DramaDeck) -> set[str]:
    """All dialogue moves that a deck's exchanges, rumours and showdowns use."""
    told = {PASS_ON, WARN, BRISTLE, COVER} if deck.rumours.says else set()
    told |= {*SHOWN} if deck.showdowns else set()
    return told | {move for x in deck.exchanges.values() for move in (x.move, *x.replies.values())}


def gist(stakes: str) -> str:
    """Stakes in short: up to the first comma, if that leaves GIST words."""
    first = stakes.partition(", ")[0]
    return first if len(first.split()) >= GIST else stakes


def ending_template(deck: DramaDeck, kind: str, how: str, by: str = "") -> str:
    """The sentence template for an ending: its own if that names the stakes, else inside one of the deck's `ended`
    sentences. by: seed that picks which, "" = the first. "" if there is no such ending.
    """
    ending = deck.kinds[kind].ends.get(how) if kind in deck.kinds else None
    says = ending.says if ending is not None else ""
    if not says or "{stakes}" in says:
        return says
    return one_way(deck.rumours.ended.get(how) or deck.rumours.ended.get(kind) or (ENDED,), by).replace(
        "{ending}", says
    )


def one_way(ways: Sequence[str], by: str) -> str:
    """One of several wordings, always the same for the same seed `by`; "" = the first."""
    return ways[crc32(by.encode()) % len(ways) if by else 0]


def heart(made: Child | None, stakes: str) -> str:
    """The parent's stakes, recovered from a child's stakes by removing the template around them, so that templates do
    not nest when that child has a child.
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
