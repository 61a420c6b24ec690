"""What sways a voter to a side, and a contestant's chances: everything except chance, which outcomes.py adds.

The rules have names, and their sum is the decision.
"""

from __future__ import annotations

from sandbox.people.beliefs import strength_at
from sandbox.people.mood_queries import mood_of
from sandbox.people.needs import WORN, unmet_needs
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at, of, settles
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk, ScoredRule
from sandbox.town.plan import Decision

# A vote: weights of friends, mood, fondness for who was promised, conscientiousness in keeping promises,
# and debts or secrets; a sum below UNSURE is a matter of chance.
FRIENDS, HUMOUR, FOND, ORDERLY, WEIGHS, UNSURE = 0.3, 0.2, 0.5, 0.2, 0.65, 0.3
# A contest: weights of mood, a rival, the judge's liking, the judge's promise, and luck.
MOOD, RIVAL, LIKED, WORD, LUCK = 0.15, 0.15, 0.5, 0.3, 0.5
BELIEVED, SURE = 0.9, 10.0  # pull of a belief on a voter, and the strength at which the pull is full
DRAWN = {"promise": "has promised {about}", "debt": "owes {about}", "secret": "has something to hide"}


# ---- a vote


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


# ---- a contest


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
