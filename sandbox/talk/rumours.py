"""Rumours: what is passed on about others in a talk, how it changes on the way, and its effect on the hearer. Also the
lie of somebody who is asked about what they hide.
"""

from __future__ import annotations

from functools import partial

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY
from sandbox.people import beliefs
from sandbox.people.claim_handlers import claims_of
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_deck import HUSHED, LIE, PASS_ON, WARN
from sandbox.people.pressure_handlers import fact_of
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.wording import mentions_person
from sandbox.talk import subjects
from sandbox.talk.content import WORST_RUMOUR, Content, feeling_change, tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import feature_values, pressures_run

FRESH = 3 * DAY  # how long a belief is passed on
LASTING = (beliefs.CLUE, beliefs.TRUTH)  # facts that stay tellable at any time
EARS = 3  # most listeners per belief, besides those whose claims it breaks
TELLS = 0.45  # chance to tell a rumour rather than something of one's own
TRUST = 0.3  # least feeling or closeness to be told something hushed
LIES, SWAYS = 0.35, 0.25  # sum of rules from which somebody lies, and spread of chance
HIDDEN = frozenset(("secret", "crush", "guilt"))  # kinds that people lie about
BORES = frozenset(("debt", "promise", "rivalry", "ambition", "guilt", "worry"))  # nobody talks about their good ending
TONES = {  # kind -> tone of a rumour about it before it has ended
    "debt": "owed",
    "promise": "owed",
    "secret": "hidden",
    "guilt": "hidden",
    "suspicion": "hidden",
    "crush": "love",
    "grudge": beliefs.ROW,
    "rivalry": "race",
    "ambition": "race",
    "worry": "worry",
}
FRIEND = 0.15  # least feeling for somebody to tell them what is said of them
CHILD, GROWN = 16, 18  # ages: minors are only mistaken for minors; love is for adults
CLOSEST = 5  # how many of the closest people may be mistaken for somebody
HARM = frozenset(("debt", "promise", "secret", "grudge", "guilt", "suspicion"))  # kinds that speak against their holder
BLAMES, MINDS = 0.015, 0.05  # loss of feeling for the one it is about, per badness; and for who spread it


def rumours_run(w: HasTalk) -> bool:
    """Whether rumours spread: pressures run, and the deck has words for them."""
    return pressures_run(w) and bool(w.drama.rumours.says)


def lead_content(
    w: HasTalk, lead: str, me: str, other: str, t: int, used: list[str], chance: Stream,
    held: list[beliefs.Belief] | None = None,
) -> Content | None:  # fmt: skip
    """The content of a leading move: by chance a rumour, if the move allows one, else ordinary content. held: the
    result of `tellable`, if known.
    """
    if lead in ("share_news", "gossip") and (found := tellable(w, me, other, t) if held is None else held):
        theirs = [b for b in found if _breaks(w, b, me, other)]  # a breach of the listener's claims comes first
        if theirs or chance.unit() < TELLS:
            return rumour_content(w, chance.choice((theirs or found)[-EARS:]), me, other, t, chance)
    return subjects.ordinary_content(w, lead, me, other, t, used, chance)


def possible_intents(w: HasTalk, me: str, other: str, t: int, held: list[beliefs.Belief] | None = None) -> list[str]:
    """The intents that have a subject, including gossip if there is a rumour to tell. held: the result of `tellable`,
    if known.
    """
    out = subjects.ordinary_intents(w, me, other, t)
    if "gossip" not in out and (tellable(w, me, other, t) if held is None else held):
        out.append("gossip")
    return out


def tellable(w: HasTalk, me: str, other: str, t: int) -> list[beliefs.Belief]:
    """Beliefs that somebody might tell another, oldest first: fresh, not about themselves, and new to the listener."""
    out: list[beliefs.Belief] = []
    if not rumours_run(w):
        return out
    tie = tie_of(w, me, other)
    trusts, theirs = max(tie.feeling, tie.closeness) >= TRUST, w.beliefs.held.get(other, {})
    for b in w.beliefs.held.get(me, {}).values():
        if other in b.told or other == b.source:
            continue
        fact, own = w.beliefs.facts[b.fact], theirs.get(b.fact)
        if (
            (t - b.since >= FRESH and fact.how not in LASTING)
            or (own is not None and me in own.told)  # though `me` may have had it from another before
            or beliefs.strength_at(b, t, w.belief_parameters) < beliefs.HELD
            or (len(b.told) >= EARS and not _breaks(w, b, me, other))
        ):
            continue
        if fact.kind in (BORES if fact.good else HUSHED if fact.how in ("", beliefs.TRUTH) else ()) and (
            fact.good or not trusts
        ):
            continue
        if me in (b.a, b.b, fact.a, fact.b) or keeps(w, me, fact):
            continue
        if b.source == beliefs.SAW and own is not None and own.seq == b.seq:  # both were there
            continue
        if other in (b.a, b.b, fact.a, fact.b) and not _may_warn(w, b, fact, me, other):
            continue
        if not beliefs.fact_template(w.handbook.drama, fact, b.bad, me):
            continue
        if other in (b.a, b.b) and not _breaks(w, b, me, other):
            says = beliefs.fact_sentence(w, fact, b.slots, me)
            if not mentions_person(says, w.handbook.name(other)):
                continue  # no warning if only others are named
        out.append(b)
    return out


def keeps(w: HasTalk, me: str, fact: beliefs.Fact) -> bool:
    """Whether somebody keeps a clue to themselves: they are in on the secret, or it is out."""
    if fact.how != beliefs.CLUE or fact.matter in w.truths:
        return False
    p = w.pressures.open.get(fact.matter)
    return p is None or me in p.known_by


def owes_telling(w: HasTalk, me: str, other: str, held: list[beliefs.Belief]) -> bool:
    """Whether something they could tell breaks a claim of the listener's."""
    return any(_breaks(w, b, me, other) for b in held)


def _breaks(w: HasTalk, belief: beliefs.Belief, me: str, other: str) -> bool:
    """Whether what is believed breaks a claim of the listener's."""
    fact, of = w.beliefs.facts[belief.fact], partial(claims_of, w)
    return bool(belief.b) and any(beliefs.broken_by(w.claim_deck.breaches, of, other, fact, belief.slots, me))


def breaks_claim(w: HasTalk, told: beliefs.BeliefUpdate) -> bool:
    """Whether what somebody is told breaks a claim of theirs."""
    of, fact = partial(claims_of, w), known_fact(w, told.fact)
    return any(beliefs.broken_by(w.claim_deck.breaches, of, told.who, fact, told.slots, told.source))


def _may_warn(w: HasTalk, belief: beliefs.Belief, fact: beliefs.Fact, me: str, other: str) -> bool:
    """Whether somebody is told what is said about them: by a friend, if it is false or they do not know it yet; if it
    breaks a claim of theirs, by anybody who does not dislike them.
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


def rumour_content(w: HasTalk, belief: beliefs.Belief, me: str, other: str, t: int, chance: Stream) -> Content:
    """A rumour, possibly garbled, and what the listener then believes."""
    return told_as(w, belief, garble_fact(w, w.beliefs.facts[belief.fact], belief, me, other, t, chance), me, other, t)


def told_as(w: HasTalk, belief: beliefs.Belief, slots: beliefs.Slots, me: str, other: str, t: int) -> Content:
    """A rumour in the given version, and what the listener then believes."""
    fact = w.beliefs.facts[belief.fact]
    told = beliefs.learns(w, other, fact, slots, beliefs.STATED if slots == belief.slots else beliefs.GARBLED, me, t)
    a, b_, _, _ = slots
    third = a if a != other else b_
    name = w.handbook.name(third)
    says = {"rumour": beliefs.fact_sentence(w, fact, slots, me), "third": name}
    if fact.cause and other not in (a, b_):
        says["cause"] = beliefs.substitute_names(w, fact, slots, fact.cause)
    move = WARN if other in (a, b_) else PASS_ON
    stake = rumour_stake(told)
    return Content(name, "rumour", third, slots=says, move=move, told=told, tone=fact_tone(fact), stake=stake)


def rumour_stake(told: beliefs.BeliefUpdate) -> float:
    """How much is at stake in a rumour that somebody is told."""
    return told.bad / WORST_RUMOUR


def fact_tone(fact: beliefs.Fact) -> str:
    """The kind of a fact for a listener: good or bad once it has ended, a row, or the tone of its kind."""
    if fact.how == beliefs.ROW:
        return beliefs.ROW
    if fact.how in LASTING:
        return TONES[fact.kind]
    return ("good" if fact.good else "bad") if fact.how else TONES[fact.kind]


def garble_fact(
    w: HasTalk, fact: beliefs.Fact, belief: beliefs.Belief, me: str, other: str, t: int, chance: Stream
) -> beliefs.Slots:
    """The version of a fact that is told: as believed or, by chance, with another person or place, or worse."""
    if chance.unit() >= beliefs.garbles(mood_of(w, me, t).a, t - belief.since, w.belief_parameters):
        return belief.slots
    ways: list[beliefs.Slots] = []
    if belief.bad < beliefs.WORST and fact.how in ("", beliefs.ROW):
        ways.append((belief.a, belief.b, belief.where, belief.bad + 1))
    if belief.where and fact.how == beliefs.ROW:
        elsewhere = sorted({place for _, place in w.leisure(me)} - {belief.where, fact.where})
        ways += [(belief.a, belief.b, chance.choice(elsewhere), belief.bad)] if elsewhere else []
    informed = belief.source in beliefs.FIRSTHAND or belief.source in (fact.a, fact.b)  # they cannot confuse the people
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


def mix_up_candidates(w: HasTalk, fact: beliefs.Fact, who: str, not_: set[str]) -> list[str]:
    """Who may be mistaken for somebody: their closest, of similar age and, in love, of another household."""
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


# ---- answers when asked


def answer_content(w: HasTalk, p: ActivePressure, me: str, other: str, t: int) -> Content | None:
    """What somebody tells when asked about a person: their strongest tellable belief; None if there is none."""
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
    told = beliefs.learns(w, other, fact, best.slots, beliefs.STATED, me, t)
    says = {"rumour": beliefs.fact_sentence(w, fact, best.slots, me), "third": w.handbook.name(third)}
    return Content(p.stakes, "pressure", third, slots=says, told=told, stake=rumour_stake(told))


def gone_round(w: HasTalk, fact: str) -> int:
    """How often a fact has been told, by anyone."""
    return sum(len(held[fact].told) for held in w.beliefs.held.values() if fact in held)


def _lets_know(w: HasTalk, p: ActivePressure, me: str, other: str) -> list[beliefs.Belief]:
    """The very thing that is asked about and hidden from the asker, if one likes the asker better than the one who
    hides it.
    """
    b, s = w.beliefs.held.get(me, {}).get(p.asks), w.pressures.open.get(p.asks)
    if b is None or s is None or other != s.about or me == s.holder:
        return []
    likes = tie_of(w, me, other).feeling
    return [b] if likes >= FRIEND and likes > tie_of(w, me, s.holder).feeling else []


def secret_to_cover(w: HasTalk, p: ActivePressure, do: str, me: str, other: str) -> ActivePressure | None:
    """The secret, one's own or another's, that an answer would reveal; None if there is none."""
    if LIE not in w.drama.exchanges[do].replies or not rumours_run(w):
        return None
    for s in sorted(w.pressures.open.values(), key=lambda s: s.id != p.asks):
        mine = s.holder == me or (me in s.known_by and s.holder == p.about)
        if s.kind in HIDDEN and mine and s.holder == p.about and s.holder != other and other not in s.known_by:
            return s
    return None


def denial_content(w: HasTalk, heard: Content, me: str, other: str, t: int, chance: Stream) -> Content | None:
    """The lie of somebody who is told a true rumour about themselves; None if they do not lie."""
    row = heard.told
    p = w.pressures.open.get(row.fact) if row is not None and heard.move == WARN else None
    if row is None or p is None or p.holder != me or p.kind not in HIDDEN or (row.a, row.b) != (me, p.about):
        return None
    weights, x = w.drama.rumours.lie, feature_values(w, me, other, t, p)
    if not weights or sum(weights[name] * x[name] for name in weights) + SWAYS * chance.normal() < LIES:
        return None
    return lie_content(w, p, me, other, t, chance)


def lie_content(w: HasTalk, s: ActivePressure, me: str, other: str, t: int, chance: Stream) -> Content | None:
    """A lie that hides a secret by attributing it to somebody else."""
    fact = fact_of(s)
    a = mix_up_candidates(w, fact, s.holder, {s.holder, s.about, me, other})
    if not a:
        return None
    who = chance.choice(a)
    about_ = s.about
    if about_ == other:  # must not reveal that it is hidden from the asker
        others = mix_up_candidates(w, fact, s.about, {s.holder, s.about, me, other, who})
        about_ = chance.choice(others) if others else ""
    slots = (who, about_, "", 0)
    told = beliefs.learns(w, other, fact, slots, beliefs.STATED, me, t, lie=True)
    says = {"rumour": beliefs.fact_sentence(w, fact, slots, me), "third": w.handbook.name(who)}
    return Content(s.stakes, "pressure", who, slots=says, told=told)


# ---- effects on the hearer


def harms(fact: beliefs.Fact) -> bool:
    """Whether a fact speaks against the person it is about."""
    return fact.how == beliefs.ROW or (not fact.good and fact.kind in HARM)


def known_fact(w: HasTalk, id: str) -> beliefs.Fact:
    """A fact that somebody believes, or the fact of an open pressure."""
    return w.beliefs.facts.get(id) or fact_of(w.pressures.open[id])


def hearer_feelings(w: HasTalk, row: beliefs.BeliefUpdate, says: str) -> tuple[Turned, ...]:
    """How the listener's feelings change: for the one it is about or, if that is they, for who spread it."""
    if not row.strength or not harms(known_fact(w, row.fact)):
        return ()
    if row.who in (row.a, row.b):
        mine = w.beliefs.held.get(row.source, {}).get(row.fact)
        whom, by = (mine.source, MINDS) if mine is not None and mine.source not in beliefs.FIRSTHAND else ("", 0.0)
        why = f"is said to have told {w.handbook.name(row.source)}: {says}"
    else:
        whom, by, why = row.a, BLAMES * (1 + row.bad), f"heard from {w.handbook.name(row.source)}: {says}"
    if not whom or whom == row.who:
        return ()
    turn = feeling_change(w, row.who, whom, -by, why)
    return (turn,) if turn.delta else ()
