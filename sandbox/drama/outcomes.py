"""Occasions that decide something: what sways a voter and a contestant, a vote or a contest at its hour, and its
consequences. The system, its event and the memories of those present.

The rules of a decision have names, and their sum is the decision; chance turns a vote only for undecided voters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec

from sandbox.core.events import Event, Stamp, r6
from sandbox.core.protocols import Step
from sandbox.core.text import mid_sentence
from sandbox.drama.claims import change_claims
from sandbox.drama.consequences import PressureDeed, move_pressure
from sandbox.drama.marks import MarkCause, appraise_outcome
from sandbox.drama.new_pressures import MOST, bear, open_of
from sandbox.people.beliefs import strength_at
from sandbox.people.claim_effects import has_left
from sandbox.people.claim_worth import Stake
from sandbox.people.mark_model import WON
from sandbox.people.memory import Memories
from sandbox.people.mood_queries import mood_of
from sandbox.people.needs import WORN, feed_from, unmet_needs
from sandbox.people.planning import resolve
from sandbox.people.pressure_deck import Effect, gist
from sandbox.people.pressure_handlers import HasPressures, check_residents, turn_feelings
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.pressure_rules import SETTLED, intensity_at, of, settles
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.model import HasTalk, ScoredRule
from sandbox.talk.pressure_aims import pressures_run
from sandbox.town.plan import CONTEST, PLACED, VOTE, Decision, Occasion
from sandbox.town.ways import tile_at

# A vote: weights of friends, mood, fondness for who was promised, conscientiousness in keeping promises,
# and debts or secrets; a sum below UNSURE is a matter of chance.
FRIENDS, HUMOUR, FOND, ORDERLY, WEIGHS, UNSURE = 0.3, 0.2, 0.5, 0.2, 0.65, 0.3
# A contest: weights of mood, a rival, the judge's liking, the judge's promise, and luck.
MOOD, RIVAL, LIKED, WORD, LUCK = 0.15, 0.15, 0.5, 0.3, 0.5
BELIEVED, SURE = 0.9, 10.0  # pull of a belief on a voter, and the strength at which the pull is full
DRAWN = {"promise": "has promised {about}", "debt": "owes {about}", "secret": "has something to hide"}


# ---- what sways a voter


def vote_rules(w: HasTalk, decision: Decision, who: str, t: int) -> list[ScoredRule]:
    """The rules that sway a voter, yes above 0, no below; a sum within UNSURE of 0 leaves it to chance. A played person
    votes as they have said.
    """
    if w.played.who == who and decision.about in w.played.votes:
        return [ScoredRule("has made up their mind", 1.0 if w.played.votes[decision.about] else -1.0)]
    opinion = w.cast[who].opinions.get(decision.about)
    why = [ScoredRule(opinion.why if opinion else "has no opinion", opinion.stance if opinion else 0.0)]
    why += [_drawn(w, decision, p, t) for p in w.pressures.open.values() if p.holder == who and _side(decision, p)]
    why += _believed(w, decision, who, t)
    why += _friends(w, decision.about, who)
    pleased = mood_of(w, who, t).p
    why.append(ScoredRule("in good spirits" if pleased > 0 else "out of sorts", HUMOUR * pleased))
    return why


def _side(decision: Decision, p: ActivePressure) -> str:
    """The side to which a pressure draws its holder: "yes", "no" or ""."""
    return decision.sways.get(p.id) or (decision.settles.get(p.id, "") if p.kind == "promise" else "")


def _drawn(w: HasTalk, decision: Decision, p: ActivePressure, t: int) -> ScoredRule:
    """How strongly a pressure draws its holder to a side, as a rule."""
    x = intensity_at(p, t, w.pressure_parameters)
    if p.kind == "promise":
        fond = tie_of(w, p.holder, p.about).feeling if p.about else 0.0
        pull = max(0.0, FOND * fond + ORDERLY * w.cast[p.holder].big_five.conscientiousness)
    else:
        pull = WEIGHS * x
    name = DRAWN.get(p.kind, "it weighs on them").format(about=w.handbook.name(p.about))
    return ScoredRule(name, pull if _side(decision, p) == "yes" else -pull)


def _believed(w: HasTalk, decision: Decision, who: str, t: int) -> list[ScoredRule]:
    """How a voter's beliefs sway them, more the surer they are."""
    held = w.beliefs.held.get(who, {}) if w.pressure_parameters.truth else {}
    out = []
    for id, side in decision.beliefs.items():
        sure = strength_at(held[id], t, w.belief_parameters) / SURE if id in held else 0.0
        if sure:
            pull = BELIEVED * min(1.0, sure)
            out.append(ScoredRule(f"believes it: {gist(w.beliefs.facts[id].stakes)}", pull if side == "yes" else -pull))
    return out


def _friends(w: HasTalk, topic: str, who: str) -> list[ScoredRule]:
    """How the opinions of liked people sway a voter, taken together; named after the most influential of them."""
    liked = [
        (tie.feeling, w.cast[v].opinions[topic].stance, v)
        for v, tie in w.people.ties.get(who, {}).items()
        if tie.feeling > 0 and topic in w.cast[v].opinions
    ]
    total = sum(f for f, _, _ in liked)
    if not total:
        return []
    pull = sum(f * stance for f, stance, _ in liked) / total
    loudest = max(liked, key=lambda x: x[0] * x[1] * (1 if pull > 0 else -1))[2]
    return [ScoredRule(f"likes {w.handbook.name(loudest)} and others", FRIENDS * pull)]


# ---- how well somebody does in a contest


def form(w: HasTalk, decision: Decision, who: str, t: int) -> list[ScoredRule]:
    """The rules of how well somebody does in a contest; luck adds up to LUCK, either way."""
    traits, mood = w.cast[who].big_five, mood_of(w, who, t)
    why = [
        ScoredRule("good at it" if decision.skill.get(who, 0.0) > 0 else "no good at it", decision.skill.get(who, 0.0))
    ]
    if decision.trait:
        why.append(ScoredRule(f"by nature ({decision.trait})", 0.5 * float(getattr(traits, decision.trait))))
    if decision.judge:
        name = w.handbook.name(decision.judge)
        why.append(ScoredRule(f"{name} likes them", LIKED * tie_of(w, decision.judge, who).feeling))
        if any(decision.settles.get(p.id) == who and p.holder == decision.judge for p in w.pressures.open.values()):
            why.append(
                ScoredRule(
                    f"{name} has promised", WORD * (1.0 + w.cast[decision.judge].big_five.conscientiousness) / 2.0
                )
            )
    why.append(ScoredRule("in good spirits" if mood.p > 0 else "out of sorts", MOOD * mood.p))
    why.append(ScoredRule("wide awake" if mood.a > 0 else "half asleep", MOOD * mood.a))
    rivals = [p for p in of(w.pressures, who) if p.kind == "rivalry" and settles(decision, p)]
    if rivals:
        x = max(intensity_at(p, t, w.pressure_parameters) for p in rivals)
        why.append(ScoredRule("has somebody to beat", RIVAL * x))
    if unmet_needs(w.people.residents[who].needs, t, w.need_parameters):
        why.append(ScoredRule(WORN, -MOOD))
    return why


OFF = "off"  # `how` of a decision that failed: too few came
BY = "decided"  # `how` of a pressure's ending by an occasion
ARTICLES = ("The ", "A ", "An ")
OWN, SEEN = 8, 6  # poignancy for those who took part, and for those who looked on
MINDS = 0.3  # least absolute stance (0..1) at which a vote's result pleases or hurts
KEEN = 0.6  # least worth of a contest to somebody who has something to settle by it
GLAD, SORE = 0.06, -0.08  # change in feeling of each side's surest voter for whoever decided the vote
KEPT = 0.12  # change in feeling for whoever kept a promise in public


class DecisionPart(msgspec.Struct, frozen=True, array_like=True):
    """One participant. yes: how they voted, or whether they won; score: the sum of the rules in `why`."""

    who: str
    yes: bool
    score: float
    why: tuple[ScoredRule, ...]


class Decided(Event, frozen=True):
    """An occasion has decided something. how: "vote", "contest", or "off" when too few came; title: of the occasion;
    about: the topic or prize; says: the announcement; parts: who took part (in a contest winner first, then second);
    there: all present; won: whether the vote was carried.
    """

    KIND: ClassVar[str] = "decided"
    occasion: str
    how: str
    title: str
    about: str
    says: str
    parts: tuple[DecisionPart, ...] = ()
    there: tuple[str, ...] = ()
    won: bool = False
    feelings: tuple[Turned, ...] = ()

    @property
    def news(self) -> str:
        """The news as part of a sentence: "the mill meadow is sold, 4 to 3"."""
        news = self.says.partition(": ")[0].removesuffix(".")
        return news[:1].lower() + news[1:] if news.startswith(ARTICLES) else news


def apply_decision(w: HasPressures, e: Decided, stamp: Stamp) -> None:
    check_residents(w, *(p.who for p in e.parts), *e.there)
    if e.how not in (VOTE, CONTEST, OFF) or (e.how == CONTEST and not e.parts):
        raise ValueError(f"nothing can be decided so: {e.how}")
    turn_feelings(w, e.feelings, stamp)
    if e.how == CONTEST:
        feed_from(w.people.residents[e.parts[0].who].needs, stamp.t, w.need_parameters, {"outcome": 1})
    if e.how != OFF:
        w.pressures.last_turn = stamp.t


def remember_decision(memories: Memories, e: Decided, stamp: Stamp) -> None:
    if e.how == OFF:
        return
    took = {p.who for p in e.parts}
    for who in e.there:
        weight = OWN if who in took else SEEN
        memories.keep(
            who, stamp, "event", f"saw it settled: {e.news}", (), weight, topic=mid_sentence(e.title), form="outcome"
        )


HANDLERS: dict[type[Event], Callable[..., None]] = {Decided: apply_decision}
REMEMBER: dict[type[Event], Callable[[Memories, Any, Stamp], None]] = {Decided: remember_decision}


async def decide(step: Step, w: HasTalk) -> None:
    """Hold the votes and contests that the calendar has in this slice."""
    if not pressures_run(w) or not w.calendar.deciding:
        return
    day = w.clock.day(step.now)
    for o in w.calendar.on(day):
        if o.decides is not None and step.now <= w.calendar.hour(o, day) < step.end:
            _decide(step, w, o, o.decides)


def _decide(step: Step, w: HasTalk, occasion: Occasion, decision: Decision) -> None:
    if decision.settles and not occasion.on and not any(id in w.pressures.open for id in decision.settles):
        return  # recurring, and all it was to settle has ended
    there = attendees(w, occasion, step.now)
    able = [who for who in decision.who if who in there and not has_left(w, who, decision.of)]
    if len(able) < decision.least or (decision.judge and decision.judge not in there):
        step.emit(
            Decided(
                occasion.id, OFF, occasion.title, decision.about, _said(step, occasion, decision, "off"), there=there
            ),
            t=step.now,
        )
        return
    e = (_vote if decision.kind == VOTE else _contest)(step, w, occasion, decision, able, there)
    pending = [p for p in w.pressures.open.values() if settles(decision, p)]
    seq = step.emit(e, t=step.now)
    a, b = _foremost(e)
    appraise_outcome(
        step, w, MarkCause(e.how, WON, a, b, e.news, occasion.block), _stakes(w, decision, e), step.now, seq
    )
    for p in pending:
        _settle(step, w, decision, p, e, seq)
    _change(step, w, decision, e, seq)
    for child in decision.children if b and open_of(w, a) < MOST and open_of(w, b) < MOST else ():
        bear(step, w, child, (seq,), a, b, place=w.handbook.at(occasion.where), since=step.now)


def _said(step: Step, occasion: Occasion, decision: Decision, which: str) -> str:
    return step.chance(occasion.id, "says").choice(decision.says[which])


def attendees(w: HasTalk, occasion: Occasion, t: int) -> tuple[str, ...]:
    """Who is awake at an occasion's place, in cast order."""
    out = []
    for who, spot in w.town.spots.items():
        here = w.map.area_of[tile_at(spot, t, w.map.width)]
        if here == resolve(w.cast[who], occasion.where) and w.people.residents[who].awake:
            out.append(who)
    return tuple(out)


# ---- a vote


def _vote(
    step: Step, w: HasTalk, occasion: Occasion, decision: Decision, able: Sequence[str], there: tuple[str, ...]
) -> Decided:
    parts = tuple(ballot(step, w, decision, who) for who in able)
    yes = sum(p.yes for p in parts)
    no = len(parts) - yes
    won = yes > no
    last = min((p for p in parts if p.yes == won), key=_sure)
    said = _said(step, occasion, decision, "yes" if won else "no" if no > yes or "tie" not in decision.says else "tie")
    says = said.format(yes=yes, no=no, last=w.handbook.name(last.who))
    feelings: tuple[Turned, ...] = ()
    if 0 < yes < len(parts):
        a = max((p for p in parts if p.yes == won and p is not last), key=_sure, default=last)
        b = max((p for p in parts if p.yes != won), key=_sure)
        moves = ((a.who, GLAD), (b.who, SORE))
        feelings = tuple(
            feeling_change(w, u, last.who, by, mid_sentence(occasion.title)) for u, by in moves if u != last.who
        )
    return Decided(occasion.id, VOTE, occasion.title, decision.about, says, parts, there, won, feelings)


def ballot(step: Step, w: HasTalk, decision: Decision, who: str) -> DecisionPart:
    """How somebody votes, and why."""
    why = vote_rules(w, decision, who, step.now)
    score = sum(rule.value for rule in why)
    yes = score > 0
    if abs(score) < UNSURE:
        yes = step.chance(who, "vote").unit() < 0.5 + 0.5 * score / UNSURE
        why.append(ScoredRule("in two minds to the last", (UNSURE if yes else -UNSURE) - score))
    return _part(who, yes, why)


# ---- a contest


def _contest(
    step: Step, w: HasTalk, occasion: Occasion, decision: Decision, able: Sequence[str], there: tuple[str, ...]
) -> Decided:
    parts = sorted((showing(step, w, decision, who) for who in able), key=lambda p: -p.score)
    first, second = parts[0].who, parts[1].who if len(parts) > 1 else ""
    says = _said(step, occasion, decision, "won").format(
        winner=w.handbook.name(first),
        second=w.handbook.name(second) if second else "nobody",
        judge=w.handbook.name(decision.judge),
        prize=decision.about,
    )
    placed = (DecisionPart(p.who, p.who == first, p.score, p.why) for p in parts)
    return Decided(occasion.id, CONTEST, occasion.title, decision.about, says, tuple(placed), there, True)


def showing(step: Step, w: HasTalk, decision: Decision, who: str) -> DecisionPart:
    """How somebody does in a contest, and why."""
    why, chance = form(w, decision, who, step.now), step.chance(who, "contest")
    why.append(ScoredRule("luck", LUCK * (chance.unit() + chance.unit() - 1.0)))
    return _part(who, False, why)


# ---- consequences


def _settle(step: Step, w: HasTalk, decision: Decision, p: ActivePressure, e: Decided, seq: int) -> None:
    """End a pressure by the decision, if that went for or against its holder."""
    good = went_well(decision, p, e)
    if good is None or p.id not in w.pressures.open:
        return
    kind = w.drama.kinds[p.kind]
    end = SETTLED[p.kind][0 if good else 1]
    effect = Effect(target=KEPT if good and p.kind == "promise" else 0.0)
    if end == kind.late.end:  # same ending as by a passed hour, so the same effects
        effect = Effect(actor=kind.late.actor, target=kind.late.target, children=kind.late.children)
    move_pressure(step, w, PressureDeed(p, effect, p.holder, p.about, BY, end=end, why=e.news), seq)


def went_well(decision: Decision, p: ActivePressure, e: Decided) -> bool | None:
    """Whether the decision went well for the holder; None if it does not concern them, as when neither took part."""
    wanted, took = decision.settles.get(p.id, ""), [x.who for x in e.parts]
    if e.how == VOTE:
        own = next((x.yes for x in e.parts if x.who == p.holder), None)
        if p.kind == "promise" and p.holder in decision.who:
            return None if own is None else own == (wanted == "yes")
        return e.won == (wanted == "yes")
    if wanted:
        return took[0] == wanted
    if p.kind == "rivalry":
        places = [took.index(x) if x in took else len(took) for x in (p.holder, p.about)]
        return None if places[0] == places[1] else places[0] < places[1]
    return took[0] == p.holder


def _change(step: Step, w: HasTalk, decision: Decision, e: Decided, seq: int) -> None:
    """Make and break the claims that this result changes."""
    how = "won" if e.how == CONTEST else "yes" if e.won else "no"
    placed = (*_foremost(e), decision.judge) if e.how == CONTEST else ()
    parts = {"": "", **{who: who for who in w.cast}, **dict(zip(PLACED, placed, strict=False))}
    change_claims(
        step, w, decision.makes.get(how, ()), decision.breaks.get(how, ()), parts, e.about, e.news, step.now, seq
    )


def _stakes(w: HasTalk, decision: Decision, e: Decided) -> list[Stake]:
    """What a decision is worth to whom: to the first two of a contest, more if they have something to settle by it, and
    to those present at a vote by how much they minded.
    """
    a, b = _foremost(e)
    ends = {a: ("a", b), b: ("b", a)}
    if e.how == CONTEST:
        keen = {p.holder for p in w.pressures.open.values() if settles(decision, p)}
        worth = {who: max(decision.worth, KEEN * (who in keen)) for who in (a, b) if who}
        return [Stake(who, x if who == a else -x, ends[who][1], ends[who][0]) for who, x in worth.items()]
    out = []
    for who in e.there:
        opinion = w.cast[who].opinions.get(decision.about)
        if opinion is not None and abs(opinion.stance) >= MINDS:
            value = decision.worth * abs(opinion.stance) * (1.0 if (opinion.stance > 0) == e.won else -1.0)
            out.append(Stake(who, value, "", ends.get(who, ("a" if value > 0.0 else "b", ""))[0]))
    return out


def _foremost(e: Decided) -> tuple[str, str]:
    """The winner and the second of a contest; of a vote, the surest on the winning and on the losing side."""
    if e.how == CONTEST:
        return e.parts[0].who, e.parts[1].who if len(e.parts) > 1 else ""
    sides = [max((p for p in e.parts if p.yes == x), key=_sure, default=None) for x in (e.won, not e.won)]
    a, b = (p.who if p is not None else "" for p in sides)
    return a, b


def _sure(p: DecisionPart) -> float:
    return abs(p.score)


def _part(who: str, yes: bool, why: Sequence[ScoredRule]) -> DecisionPart:
    rules = tuple(ScoredRule(rule.name, r6(rule.value)) for rule in why if rule.value)
    return DecisionPart(who, yes, r6(sum(rule.value for rule in rules)), rules)
