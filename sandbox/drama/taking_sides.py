"""How bystanders side in a showdown: by their claims, beliefs, likings and debts, and who spoke before them; whether
the two give way; and the showdown as an event. When it starts and how it is played: scene.py.

Every rule has a name, and their sum is the side; chance turns only the undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp, r6
from sandbox.core.text import spelt
from sandbox.people import pressure_rules
from sandbox.people.beliefs import HELD, SAW, BeliefUpdate, Fact, believe, strength_at
from sandbox.people.claim_handlers import between, claim_clause, claims_of
from sandbox.people.claim_model import StandingClaim
from sandbox.people.memory import Memories
from sandbox.people.model import set_due
from sandbox.people.paying import has
from sandbox.people.pressure_deck import VERDICTS, Showing
from sandbox.people.pressure_handlers import check_residents, happening, turn_feelings
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.ties import pair_key
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk, ScoredRule, Utterance
from sandbox.talk.pressure_aims import ending_pays, feature_values
from sandbox.talk.question_wishes import weigh_features

HOLDER, ABOUT, PEACE, BROKEN = "holder", "about", "peace", "broken"  # sides and verdicts; BROKEN is only a verdict
SIGNS = {HOLDER: 1.0, ABOUT: -1.0, PEACE: 0.0}
GROWN = 13  # least age in years
STRONG = 0.3  # least absolute feeling for one of the two that gives an informed person a stake
LIKING, OWN, OWED = 0.6, 0.4, 0.25  # weights: liking, own grievance against one, being indebted to one
KNEW, WORSE, TOLD, WRONG, NEWS = 0.1, 0.1, 0.15, 0.35, 0.1  # weights of beliefs about the matter, or of ignorance
HEEDS, MOST = 0.4, 0.5  # pull of liked earlier speakers: each, and at most together
SHRINKS = 0.25  # largest pull that nervous people hold back
UNSURE = 0.2  # absolute sum below which somebody is undecided
MILD = 0.4  # added chance, by agreeableness, that the undecided ask for peace
# Weights of whether one of the two gives way, by feature.
YIELDS = {"fond": 0.4, "agreeable": 0.5, "owing": 0.25, "pleased": 0.3, "roused": -0.2, "bold": -0.4}
TIDE, ASKED, BROKE = 0.25, 0.15, -3.0  # each opposing voice, each for peace, and lacking the money to give way


class SideChoice(NamedTuple):
    """Somebody's side: holder, about or peace; why: the rules; score: their sum (above 0: for the holder)."""

    who: str
    side: str
    score: float
    why: tuple[ScoredRule, ...]


def caller_of(showing: Showing, p: ActivePressure) -> str:
    """Which of the two raises such a matter."""
    return p.holder if showing.calls == HOLDER else p.about


def opponent(p: ActivePressure, who: str) -> str:
    """The other of the two."""
    return p.about if who == p.holder else p.holder


def sided_with(p: ActivePressure, s: SideChoice) -> tuple[str, str]:
    """Whom somebody supports and whom they oppose; meaningless for peace."""
    return (p.holder, p.about) if s.side == HOLDER else (p.about, p.holder)


def has_stake(w: HasTalk, p: ActivePressure, who: str, t: int) -> bool:
    """Whether somebody has a stake in a matter of two others: a pressure in its thread, a claim to one of them or to
    its subject, or knowledge of it with a strong feeling for one.
    """
    if w.cast[who].age < GROWN:
        return False
    if any(x.thread == p.thread and who in (x.holder, x.about) for x in w.pressures.open.values()):
        return True
    if any(c.terms and c.terms in p.stakes for c in claims_of(w, who)):
        return True
    two = (p.holder, p.about)
    if any(stands_by(w, who, v) for v in two):
        return True
    return _believes(w, p, who, t) and max(abs(tie_of(w, who, v).feeling) for v in two) >= STRONG


def stands_by(w: HasTalk, who: str, v: str) -> StandingClaim | None:
    """The strongest claim that makes somebody support another; None for none."""
    kinds = w.claim_deck.kinds
    found = (c for c in between(w, who, v) if kinds[c.kind].stands)
    return max(found, key=lambda c: kinds[c.kind].stands, default=None)


def _believes(w: HasTalk, p: ActivePressure, who: str, t: int) -> bool:
    b = w.beliefs.held.get(who, {}).get(p.id)
    return b is not None and strength_at(b, t, w.belief_parameters) >= HELD


def side_rules(
    w: HasTalk, p: ActivePressure, caller: str, who: str, t: int, before: Sequence[SideChoice] = ()
) -> list[ScoredRule]:
    """What draws somebody to the holder (above 0) or the other. before: the sides taken before theirs."""
    found = [rule for v, sign in ((p.holder, 1.0), (p.about, -1.0)) for rule in _drawn(w, who, v, sign, t)]
    found.append(_belief(w, p, caller, who, t))
    found += _heard(w, who, before)
    shy = SHRINKS * max(0.0, w.cast[who].big_five.neuroticism)
    found.append(ScoredRule("would rather keep out of it", -max(-shy, min(shy, sum_rules(found)))))
    return [ScoredRule(rule.name, r6(rule.value)) for rule in found if abs(rule.value) >= 0.02]


def _drawn(w: HasTalk, who: str, v: str, sign: float, t: int) -> Iterator[ScoredRule]:
    """The rules from somebody's relation to one of the two (sign: 1 the holder, -1 the other)."""
    name, claim = w.handbook.name(v), stands_by(w, who, v)
    if claim is not None:
        kind = w.claim_deck.kinds[claim.kind]
        yield ScoredRule(claim_clause(w.handbook, kind.says, claim), sign * kind.stands)
    feeling = tie_of(w, who, v).feeling
    yield ScoredRule(f"likes {name}" if feeling > 0 else f"does not like {name}", sign * LIKING * feeling)
    own, owed = 0.0, 0.0
    for x in pressure_rules.pressures_between(w.pressures, who, v):
        showing = w.drama.showdowns.get(x.kind)
        if showing is not None and caller_of(showing, x) == who:
            own = max(own, pressure_rules.intensity_at(x, t, w.pressure_parameters))
        elif showing is not None:
            owed = OWED
    yield ScoredRule(f"has something to settle with {name}, too", -sign * OWN * own)
    yield ScoredRule(f"has to be careful with {name}", sign * owed)


def _belief(w: HasTalk, p: ActivePressure, caller: str, who: str, t: int) -> ScoredRule:
    """The rule from what somebody believes of the matter: believers support whoever raises it."""
    sign = 1.0 if caller == p.holder else -1.0
    b = w.beliefs.held.get(who, {}).get(p.id)
    if b is None or not _believes(w, p, who, t):
        return ScoredRule("has never heard of it", -sign * NEWS if who not in p.known_by else 0.0)
    other = next((x for x in (b.a, b.b) if x and x not in (p.holder, p.about)), "")
    if other:
        return ScoredRule(f"believes that it was {w.handbook.name(other)}", -sign * WRONG)
    if b.source in (p.holder, p.about):
        told = TOLD if b.source == p.holder else -TOLD
        return ScoredRule(f"has it from {w.handbook.name(b.source)}", told + sign * WORSE * b.bad)
    how = "has seen it" if b.source == SAW else "has heard worse of it" if b.bad else "knows of it"
    return ScoredRule(how, sign * (KNEW + WORSE * b.bad))


def _heard(w: HasTalk, who: str, before: Sequence[SideChoice]) -> list[ScoredRule]:
    """The rule from the sides that liked people took before; named after the one who weighs most."""
    pulls = [(SIGNS[x.side] * HEEDS * max(0.0, tie_of(w, who, x.who).feeling), x.who) for x in before]
    pull = max(-MOST, min(MOST, sum(x for x, _ in pulls)))
    if not pull:
        return []
    loudest = max(pulls, key=lambda x: x[0] if pull > 0 else -x[0])[1]
    return [ScoredRule(f"has heard {w.handbook.name(loudest)}", pull)]


def side(who: str, why: Sequence[ScoredRule], agreeable: float, chance: Stream) -> SideChoice:
    """The side that somebody takes; the undecided ask for peace, or are turned by chance."""
    score = sum_rules(why)
    if abs(score) < UNSURE:
        if chance.unit() < 0.5 + MILD * agreeable:
            return SideChoice(who, PEACE, score, tuple(why))
        turned = UNSURE if chance.unit() < 0.5 + 0.5 * score / UNSURE else -UNSURE
        why, score = (*why, ScoredRule("in two minds to the last", r6(turned - score))), turned
    return SideChoice(who, HOLDER if score > 0 else ABOUT, score, tuple(why))


def yields(
    w: HasTalk, p: ActivePressure, who: str, end: str, sides: Sequence[SideChoice], t: int
) -> tuple[ScoredRule, ...]:
    """The rules of whether one of the two gives way: yes if the sum is 0 or more. end: the ending it would bring."""
    mine = HOLDER if who == p.holder else ABOUT
    found = weigh_features(YIELDS, feature_values(w, who, opponent(p, who), t, p))
    against = sum(x.side not in (mine, PEACE) for x in sides)
    backed, calm = sum(x.side == mine for x in sides), sum(x.side == PEACE for x in sides)
    if against:
        found.append(ScoredRule(f"{spelt(against)} against them", r6(TIDE * against)))
    if backed:
        found.append(ScoredRule(f"{spelt(backed)} on their side", r6(-TIDE * backed)))
    if calm:
        found.append(ScoredRule("is asked to make peace", r6(ASKED * calm)))
    if who == p.holder and ending_pays(w, p, end) and not has(w, who, p.amount):
        found.append(ScoredRule("has not got the money", BROKE))
    return tuple(found)


def sum_rules(rules: Sequence[ScoredRule]) -> float:
    """The sum of rules."""
    return r6(sum(rule.value for rule in rules))


def decide_showdown(
    w: HasTalk, p: ActivePressure, sides: Sequence[SideChoice], t: int
) -> tuple[str, str, tuple[ScoredRule, ...]]:
    """The verdict, who has the last word, and why: the side with more voices is right if the other gives way; with
    equal voices, or more for peace, the two make up if both give way. Otherwise it breaks.
    """
    showing = w.drama.showdowns[p.kind]
    count = {x: sum(s.side == x for s in sides) for x in SIGNS}
    right = HOLDER if count[HOLDER] > count[ABOUT] else ABOUT if count[ABOUT] > count[HOLDER] else ""
    if right and count[PEACE] <= count[right]:
        loser = p.about if right == HOLDER else p.holder
        why = yields(w, p, loser, showing.effect(right).end, sides, t)
        return (right if sum_rules(why) >= 0 else BROKEN), loser, why
    both = [(yields(w, p, who, showing.peace.end, sides, t), who) for who in (p.holder, p.about)]
    why, least = min(both, key=lambda x: (sum_rules(x[0]), x[1]))
    return (PEACE if sum_rules(why) >= 0 else BROKEN), least, why


# ---- a showdown as an event: what it does to the state, and the memories of those present


SHOWDOWN = "showdown"  # `how` of a pressure's event that a showdown brought about
WEEK = 7 * DAY  # period over which showdowns are counted
PACE = 30  # seconds per turn
TOOK_PART, LOOKED_ON = 8, 6  # poignancy for those who spoke, and for those who looked on


class ShowdownTurn(msgspec.Struct, frozen=True, array_like=True):
    """One thing said in it. to: to whom; side: holder, about or peace; why: the rules, with their sum in score (above
    0: for the holder; for one of the two: gives way).
    """

    line: Utterance
    to: str
    side: str
    score: float = 0.0
    why: tuple[ScoredRule, ...] = ()


class Showdown(Event, frozen=True):
    """The actor has called somebody to account in public. id: the pressure; two: its holder and whom it is about;
    where: an address; about: the stakes; verdict: holder or about (who is in the right), peace or broken; says: the
    outcome, a sentence; there: the onlookers; pace: seconds between turns; told: new beliefs of all present; feelings:
    as changed.
    """

    KIND: ClassVar[str] = SHOWDOWN
    id: str
    two: tuple[str, str]
    where: str
    about: str
    verdict: str
    end: str
    says: str
    turns: tuple[ShowdownTurn, ...]
    there: tuple[str, ...] = ()
    pace: int = PACE
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return self.speakers

    @property
    def speakers(self) -> tuple[str, ...]:
        """All who spoke, in the order of their first turn."""
        return tuple(dict.fromkeys(turn.line.who for turn in self.turns))

    def stood_by(self, side: str) -> list[str]:
        """All but the two who took this side."""
        return [who for who in self.speakers if who not in self.two and self.side(who) == side]

    def side(self, who: str) -> str:
        """The side of one of the speakers."""
        return next(turn.side for turn in self.turns if turn.line.who == who)


def apply_showdown(w: HasTalk, e: Showdown, stamp: Stamp) -> None:
    check_residents(w, *e.two, *e.speakers, *e.there, *(turn.to for turn in e.turns))
    p = w.pressures.open[e.id]
    if e.verdict not in VERDICTS or e.two != (p.holder, p.about):
        raise ValueError(f"no such showdown can be: {e.verdict} {e.id}")
    believe(w, e.told, {"": came_of(w, p, e.end, e.where, stamp.seq)}, stamp)
    turn_feelings(w, e.feelings, stamp)
    state = w.showdowns
    state.held = {thread: t for thread, t in state.held.items() if stamp.t - t < WEEK} | {p.thread: stamp.t}
    for who in e.speakers:
        for other in e.speakers:
            if who < other:
                w.talk.last[pair_key(who, other)] = stamp.t
    over = stamp.t + e.pace * len(e.turns)
    for who in (*e.speakers, *e.there):
        if not w.people.residents[who].talk:
            set_due(w.people, who, max(over, w.people.residents[who].due))


def came_of(w: HasTalk, p: ActivePressure, end: str, where: str, seq: int = 0) -> Fact:
    """The outcome as a fact that can be known."""
    good = w.drama.kinds[p.kind].ends[end].good
    return happening(p, end, p.holder, p.about, where, 0 if good else 1, seq, good)


def remember_showdown(memories: Memories, e: Showdown, stamp: Stamp) -> None:
    name = memories.lexicon.name
    for turn in e.turns:
        memories.spoken.say(turn.line.who, turn.to, turn.line.variants, -1, stamp.t)
    two = f"{name(e.two[0])} and {name(e.two[1])}"
    for who in (*e.speakers, *e.there):
        others = tuple(x for x in (*e.two, *e.speakers) if x != who)
        if who in e.two:
            text = f"had it out with {name(others[0])} before everybody"
        elif who in e.there:
            text = f"saw {two} have it out before everybody"
        elif e.side(who) == PEACE:
            text = f"asked {two} before everybody to make peace"
        else:
            text = f"stood by {name(e.two[e.side(who) == ABOUT])} before everybody"
        words = f"{text}: {e.about}; {e.says}"
        memories.keep(
            who,
            stamp,
            "event",
            words,
            tuple(dict.fromkeys(others)),
            LOOKED_ON if who in e.there else TOOK_PART,
            form="deed",
        )


HANDLERS: dict[type[Event], Callable[..., None]] = {Showdown: apply_showdown}
REMEMBER: dict[type[Event], Callable[[Memories, Any, Stamp], None]] = {Showdown: remember_showdown}
