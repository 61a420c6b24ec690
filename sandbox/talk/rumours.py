"""Rumours: what of other people's matters is passed on in a talk, how it is changed on the way, and what it does to
whoever hears it. Also the lie somebody tells who is asked about what they hide."""

from __future__ import annotations

from functools import partial

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY
from sandbox.people import beliefs
from sandbox.people.beliefs import (
    CLUE,
    FIRSTHAND,
    GARBLED,
    ROW,
    STATED,
    TRUTH,
    WORST,
    Belief,
    BeliefUpdate,
    Fact,
    Slots,
)
from sandbox.people.claim_handlers import broken_by, claims_of
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_deck import HUSHED, LIE, PASS_ON, WARN
from sandbox.people.pressure_handlers import fact_of
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.wording import mentions_person
from sandbox.talk import subjects
from sandbox.talk.content import Content, feeling_change, tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import feature_values, pressures_run

FRESH = 3 * DAY  # for so long somebody passes on what they have heard
LASTING = (CLUE, TRUTH)  # facts that are no news: they are passed on at any time
EARS = 3  # to whom at most, and to those whose claims it breaks
TELLS = 0.45  # how often somebody who could tell a rumour does so, and not something of their own
TRUST = 0.3  # what nobody speaks of is told only to somebody liked or close by so much
LIES, SWAYS = 0.35, 0.25  # the sum of what speaks for a lie from which it is told, and how much chance adds
HIDDEN = frozenset(("secret", "crush", "guilt"))  # kinds for which somebody lies
BORES = frozenset(("debt", "promise", "rivalry", "ambition", "guilt", "worry"))  # kinds that end well without talk
TONES = {  # kind -> what hearing of it is like, while it has not ended
    "debt": "owed",
    "promise": "owed",
    "secret": "hidden",
    "guilt": "hidden",
    "suspicion": "hidden",
    "crush": "love",
    "grudge": ROW,
    "rivalry": "race",
    "ambition": "race",
    "worry": "worry",
}
FRIEND = 0.15  # feeling from which somebody is told what is said of them
CHILD, GROWN = 16, 18
CLOSEST = 5  # people next to somebody, who may be taken for them
HARM = frozenset(("debt", "promise", "secret", "grudge", "guilt", "suspicion"))  # kinds that speak against their holder
BLAMES, MINDS = 0.015, 0.05  # what it costs whom it is about, by how bad it is; and whoever is said to have spread it


def rumours_run(w: HasTalk) -> bool:
    """Whether rumours go round: pressures run, and the deck has words for them."""
    return pressures_run(w) and bool(w.drama.rumours.says)


def lead_content(
    w: HasTalk, lead: str, me: str, other: str, t: int, used: list[str], chance: Stream,
    held: list[Belief] | None = None,
) -> Content | None:  # fmt: skip
    """What a leading move is about: a rumour, if somebody has news or gossip and holds one, else what it is anyway.
    held: what is `tellable`, if that is known.
    """
    if lead in ("share_news", "gossip") and (found := tellable(w, me, other, t) if held is None else held):
        theirs = [b for b in found if _breaks(w, b, me, other)]  # nobody keeps that from them
        if theirs or chance.unit() < TELLS:
            return rumour_content(w, chance.choice((theirs or found)[-EARS:]), me, other, t, chance)
    return subjects.ordinary_content(w, lead, me, other, t, used, chance)


def possible_intents(w: HasTalk, me: str, other: str, t: int, held: list[Belief] | None = None) -> list[str]:
    """The intents that have something to be about; whoever holds a rumour for these ears can gossip. held: what is
    `tellable`, if that is known.
    """
    out = subjects.ordinary_intents(w, me, other, t)
    if "gossip" not in out and (tellable(w, me, other, t) if held is None else held):
        out.append("gossip")
    return out


def tellable(w: HasTalk, me: str, other: str, t: int) -> list[Belief]:
    """What somebody might tell another, oldest first: what is fresh, not their own, and new to these ears."""
    out: list[Belief] = []
    if not rumours_run(w):
        return out
    tie = tie_of(w, me, other)
    trusts = max(tie.feeling, tie.closeness) >= TRUST
    for b in beliefs.current_beliefs(w.beliefs, me, t, w.belief_parameters):
        fact = w.beliefs.facts[b.fact]
        if (
            (t - b.since >= FRESH and fact.how not in LASTING)
            or other in b.told
            or other == b.source
            or _told_by(w, other, b.fact, me)
            or (len(b.told) >= EARS and not _breaks(w, b, me, other))
        ):
            continue
        if fact.kind in (BORES if fact.good else HUSHED if fact.how in ("", TRUTH) else ()) and (
            fact.good or not trusts
        ):
            continue
        if me in (b.a, b.b, fact.a, fact.b) or keeps(w, me, fact) or (b.source == "saw" and _was_there(w, other, b)):
            continue
        if other in (b.a, b.b, fact.a, fact.b) and not _may_warn(w, b, fact, me, other):
            continue
        says = beliefs.fact_sentence(w, fact, b.slots, me)
        if not says or (
            other in (b.a, b.b) and not (mentions_person(says, w.handbook.name(other)) or _breaks(w, b, me, other))
        ):
            continue  # nobody is warned of what others alone are named in
        out.append(b)
    return out


def _told_by(w: HasTalk, who: str, fact: str, me: str) -> bool:
    """Whether somebody has told me that themselves, who may have had it from another before."""
    theirs = w.beliefs.held.get(who, {}).get(fact)
    return theirs is not None and me in theirs.told


def keeps(w: HasTalk, me: str, fact: Fact) -> bool:
    """Whether somebody says nothing of a clue: they are in the secret themselves, or it is out."""
    if fact.how != CLUE or fact.matter in w.truths:
        return False
    p = w.pressures.open.get(fact.matter)
    return p is None or me in p.known_by


def owes_telling(w: HasTalk, me: str, other: str, held: list[Belief]) -> bool:
    """Whether something breaks a claim of the other, of what somebody would tell them."""
    return any(_breaks(w, b, me, other) for b in held)


def _breaks(w: HasTalk, belief: Belief, me: str, other: str) -> bool:
    """Whether what is believed breaks a claim of the listener."""
    of, fact = partial(claims_of, w), w.beliefs.facts[belief.fact]
    return any(broken_by(w.claim_deck.breaches, of, other, fact, belief.slots, me))


def breaks_claim(w: HasTalk, told: BeliefUpdate) -> bool:
    """Whether what somebody is told breaks a claim of theirs."""
    of, fact = partial(claims_of, w), known_fact(w, told.fact)
    return any(broken_by(w.claim_deck.breaches, of, told.who, fact, told.slots, told.source))


def _was_there(w: HasTalk, who: str, belief: Belief) -> bool:
    theirs = w.beliefs.held.get(who, {}).get(belief.fact)
    return theirs is not None and theirs.seq == belief.seq


def _may_warn(w: HasTalk, belief: Belief, fact: Fact, me: str, other: str) -> bool:
    """Whether somebody is told what is said of them: by a friend, if it is not so, or if they do not know of it yet; of
    what breaks something of theirs, by anybody who does not dislike them.
    """
    if other not in (belief.a, belief.b) or tie_of(w, me, other).feeling < (
        0.0 if _breaks(w, belief, me, other) else FRIEND
    ):
        return False
    p = w.pressures.open.get(fact.id)
    if p is not None and other == p.about:
        return p.kind != "secret" and not w.drama.kinds[p.kind].mutual and other not in p.known_by
    if p is not None and other == p.holder and p.kind in HIDDEN:
        return me != p.about
    return (belief.a, belief.b, belief.bad) != (fact.a, fact.b, fact.bad) and (fact.kind != "secret" or other != fact.b)


def rumour_content(w: HasTalk, belief: Belief, me: str, other: str, t: int, chance: Stream) -> Content:
    """A rumour as it is passed on, and what the listener then believes."""
    return told_as(w, belief, garble_fact(w, w.beliefs.facts[belief.fact], belief, me, other, t, chance), me, other, t)


def told_as(w: HasTalk, belief: Belief, slots: Slots, me: str, other: str, t: int) -> Content:
    """A rumour in one version, and what the listener then believes."""
    fact = w.beliefs.facts[belief.fact]
    told = beliefs.learns(w, other, fact, slots, STATED if slots == belief.slots else GARBLED, me, t)
    a, b_, _, _ = slots
    third = a if a != other else b_
    name = w.handbook.name(third)
    says = {"rumour": beliefs.fact_sentence(w, fact, slots, me), "third": name}
    if fact.cause and other not in (a, b_):
        says["cause"] = beliefs.substitute_names(w, fact, slots, fact.cause)
    move = WARN if other in (a, b_) else PASS_ON
    return Content(name, "rumour", third, slots=says, move=move, told=told, tone=fact_tone(fact))


def fact_tone(fact: Fact) -> str:
    """Of what sort a fact is to whoever hears it: how it ended, a row, or what its kind is a matter of."""
    if fact.how == ROW:
        return ROW
    if fact.how in LASTING:
        return TONES[fact.kind]
    return ("good" if fact.good else "bad") if fact.how else TONES[fact.kind]


def garble_fact(w: HasTalk, fact: Fact, belief: Belief, me: str, other: str, t: int, chance: Stream) -> Slots:
    """What is said of a fact: as it is believed or, by chance, with another person, another place, or worse."""
    if chance.unit() >= beliefs.garbles(mood_of(w, me, t).a, t - belief.since, w.belief_parameters):
        return belief.slots
    ways: list[Slots] = []
    if belief.bad < WORST and fact.how in ("", ROW):
        ways.append((belief.a, belief.b, belief.where, belief.bad + 1))
    if belief.where and fact.how == ROW:
        elsewhere = sorted({place for _, place in w.leisure(me)} - {belief.where, fact.where})
        ways += [(belief.a, belief.b, chance.choice(elsewhere), belief.bad)] if elsewhere else []
    informed = belief.source in FIRSTHAND or belief.source in (fact.a, fact.b)  # they do not take one for another
    if (belief.a, belief.b) == (fact.a, fact.b) and not informed:
        second = bool(belief.b) and chance.unit() < 0.5
        found = mix_up_candidates(w, fact, belief.b if second else belief.a, {belief.a, belief.b, me, other})
        if fact.how in LASTING:  # their sentences may name others
            found = [who for who in found if w.handbook.name(who) not in fact.stakes]
        if found:
            who = chance.choice(found)
            ways.append(
                (belief.a, who, belief.where, belief.bad) if second else (who, belief.b, belief.where, belief.bad)
            )
    return chance.choice(ways) if ways else belief.slots


def mix_up_candidates(w: HasTalk, fact: Fact, who: str, not_: set[str]) -> list[str]:
    """Who may be taken for somebody: those closest to them, of about their age and, in love, free of each other."""
    ties = w.people.ties.get(who, {})
    homes = {w.cast[x].household for x in (fact.a, fact.b) if x and x != who}
    out = []
    for v in sorted(ties, key=lambda v: (-ties[v].closeness, v)):
        p = w.cast[v]
        if v in not_ or (p.age < CHILD) != (w.cast[who].age < CHILD):
            continue
        if fact.kind == "crush" and (p.age < GROWN or p.household in homes):
            continue
        out.append(v)
    return out[:CLOSEST]


# ---- asked about it


def answer_content(w: HasTalk, p: ActivePressure, me: str, other: str, t: int) -> Content | None:
    """What somebody who is asked about a person tells of them: the strongest of what they hold; None if they know
    nothing, or only what the other cannot be told."""
    if not rumours_run(w):
        return None
    held = tellable(w, me, other, t)
    asked = [*_lets_know(w, p, me, other), *(b for b in held if p.asks and w.beliefs.facts[b.fact].matter == p.asks)]
    found = asked or [b for b in held if p.about in (b.a, b.b) and other not in (b.a, b.b)]
    best = max(found, key=lambda b: beliefs.strength_at(b, t, w.belief_parameters), default=None)
    if best is None:
        return None
    third = best.a if asked else p.about
    fact = w.beliefs.facts[best.fact]
    told = beliefs.learns(w, other, fact, best.slots, STATED, me, t)
    says = {"rumour": beliefs.fact_sentence(w, fact, best.slots, me), "third": w.handbook.name(third)}
    return Content(p.stakes, "pressure", third, slots=says, told=told)


def gone_round(w: HasTalk, fact: str) -> int:
    """How often a fact has been told to somebody, whoever told it."""
    return sum(len(held[fact].told) for held in w.beliefs.held.values() if fact in held)


def _lets_know(w: HasTalk, p: ActivePressure, me: str, other: str) -> list[Belief]:
    """What is asked about and kept from the very one who asks, if one likes them more than the one who keeps it."""
    b, s = w.beliefs.held.get(me, {}).get(p.asks), w.pressures.open.get(p.asks)
    if b is None or s is None or other != s.about or me == s.holder:
        return []
    likes = tie_of(w, me, other).feeling
    return [b] if likes >= FRIEND and likes > tie_of(w, me, s.holder).feeling else []


def secret_to_cover(w: HasTalk, p: ActivePressure, do: str, me: str, other: str) -> ActivePressure | None:
    """What somebody would have to tell, or tell on, if they answered what they are asked."""
    if LIE not in w.drama.exchanges[do].replies or not rumours_run(w):
        return None
    for s in sorted(w.pressures.open.values(), key=lambda s: s.id != p.asks):
        mine = s.holder == me or (me in s.known_by and s.holder == p.about)
        if s.kind in HIDDEN and mine and s.holder == p.about and s.holder != other and other not in s.known_by:
            return s
    return None


def denial_content(w: HasTalk, heard: Content, me: str, other: str, t: int, chance: Stream) -> Content | None:
    """The lie of somebody who is told what is said of them, and it is so; None if they do not lie."""
    row = heard.told
    p = w.pressures.open.get(row.fact) if row is not None and heard.move == WARN else None
    if row is None or p is None or p.holder != me or p.kind not in HIDDEN or (row.a, row.b) != (me, p.about):
        return None
    weights, x = w.drama.rumours.lie, feature_values(w, me, other, t, p)
    if not weights or sum(weights[name] * x[name] for name in weights) + SWAYS * chance.normal() < LIES:
        return None
    return lie_content(w, p, me, other, t, chance)


def lie_content(w: HasTalk, s: ActivePressure, me: str, other: str, t: int, chance: Stream) -> Content | None:
    """A lie that hides a secret: the thing is told, and laid at somebody else's door."""
    fact = fact_of(s)
    a = mix_up_candidates(w, fact, s.holder, {s.holder, s.about, me, other})
    if not a:
        return None
    who = chance.choice(a)
    about_ = s.about
    if about_ == other:  # who is asking must not learn that it is kept from them
        others = mix_up_candidates(w, fact, s.about, {s.holder, s.about, me, other, who})
        about_ = chance.choice(others) if others else ""
    slots = (who, about_, "", 0)
    told = beliefs.learns(w, other, fact, slots, STATED, me, t, lie=True)
    says = {"rumour": beliefs.fact_sentence(w, fact, slots, me), "third": w.handbook.name(who)}
    return Content(s.stakes, "pressure", who, slots=says, told=told)


# ---- what hearing it does


def harms(fact: Fact) -> bool:
    """Whether it speaks against the person it is about."""
    return fact.how == ROW or (not fact.good and fact.kind in HARM)


def known_fact(w: HasTalk, id: str) -> Fact:
    """A fact that somebody holds a belief about, or that of an open pressure."""
    return w.beliefs.facts.get(id) or fact_of(w.pressures.open[id])


def hearer_feelings(w: HasTalk, row: BeliefUpdate, says: str) -> tuple[Turned, ...]:
    """How the listener's feelings turn: from whom it is about, or, if that is they themselves, from whoever told it
    first."""
    if not row.strength or not harms(known_fact(w, row.fact)):
        return ()
    if row.who in (row.a, row.b):
        mine = w.beliefs.held.get(row.source, {}).get(row.fact)
        whom, by = (mine.source, MINDS) if mine is not None and mine.source not in FIRSTHAND else ("", 0.0)
        why = f"is said to have told {w.handbook.name(row.source)}: {says}"
    else:
        whom, by, why = row.a, BLAMES * (1 + row.bad), f"heard from {w.handbook.name(row.source)}: {says}"
    if not whom or whom == row.who:
        return ()
    turn = feeling_change(w, row.who, whom, -by, why)
    return (turn,) if turn.delta else ()
