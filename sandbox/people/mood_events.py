"""The system of feeling outside talk: what somebody wakes with, what work and leisure do to them, whom they see.

It reads what has happened in this step, appraises some of it as an OCC emotion, and moves the mood
(docs/mechanisms.md, Appraised emotions). What comes of a doing is felt where it is done, and not on the way there.
"""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.core.text import mid_sentence
from sandbox.people.handbook import Outcomes
from sandbox.people.model import Chose, Felt, Noticed, Planned
from sandbox.people.mood import Sort, dampen, delta, shift_mood, sort_of
from sandbox.people.mood_queries import mood_of, rest_of
from sandbox.people.persona import Persona
from sandbox.people.planning import HasWays
from sandbox.town.model import Arrived

ACTS = 0.16  # chance that an act is appraised
FOND, COLD = 0.5, -0.25  # feelings from (or down to) which the sight of somebody may move one


class Appraisal(NamedTuple):
    """An OCC emotion with its intensity in [0, 1], why in words, the person it has to do with ("" for none), and of
    which sort its cause is.
    """

    emotion: str
    intensity: float
    why: str
    about: str = ""
    sort: Sort = "event"


NONE = Outcomes()
NIGHT = frozenset(("rest", "walk", "read", "drink", "chores"))


def waking(persona: Persona, occasion: str, chance: Stream) -> Appraisal | None:
    """What somebody wakes with: a concern, something to look forward to, or nothing."""
    n = persona.big_five.neuroticism
    x = chance.unit()
    if persona.concerns and x < 0.35 + 0.3 * n:
        return Appraisal(
            "fear" if n > 0.2 else "distress",
            0.35 + 0.15 * max(0.0, n),
            f"woke thinking about {chance.choice(persona.concerns)}",
            sort="waking",
        )
    if occasion and x < 0.75:
        return Appraisal("hope", 0.7, f"looking forward to {occasion}", sort="anticipation")
    return Appraisal("joy", 0.5, "slept well", sort="sleep") if x > 0.85 else None


def appraise_act(persona: Persona, block: str, outcomes: Outcomes, chance: Stream) -> Appraisal | None:
    """What an act may do to somebody: brooding when there is nothing else to think of, else how it went."""
    n = persona.big_five.neuroticism
    if block in NIGHT and persona.concerns and chance.unit() < 0.3 + 0.3 * n:
        why = f"could not stop thinking about {chance.choice(persona.concerns)}"
        return Appraisal("fear" if n > 0.2 else "distress", 0.7, why, sort="rumination")
    good, bad = outcomes.good, outcomes.bad
    wrong = 0.42 + 0.25 * n - 0.1 * persona.big_five.conscientiousness
    pick = bad if bad and (not good or chance.unit() < wrong) else good
    if not pick:
        return None
    found = chance.choice(pick)
    return Appraisal(found.feel, found.size, found.why, sort=sort_of(found.why))


def seeing(name: str, who: str, feeling: float, chance: Stream) -> Appraisal | None:
    """What the sight of somebody does: a pang for the disliked, warmth for the loved, mostly nothing."""
    x = chance.unit()
    if feeling <= COLD and x < 0.6:
        emotion = "anger" if x < 0.2 else "resentment" if x < 0.4 else "reproach"
        return Appraisal(emotion, min(1.0, 0.4 + abs(feeling)), f"the sight of {name}", who)
    if feeling >= FOND and x < 0.2:
        return Appraisal("liking", 0.4, f"the sight of {name}", who)
    return None


async def feel(step: Step, w: HasWays) -> None:
    """Appraise this step's events, at most one for each person."""
    if not w.mood_parameters.on:
        return
    moved_: set[str] = set()
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now:
            continue
        who = stamp.actor
        if who in moved_:
            continue
        found: Appraisal | None = None
        if isinstance(e, Chose | Arrived):
            act = w.people.residents[who].act
            if act is not None and act.block != "sleep" and act.until - act.seconds == stamp.t:  # it begins here
                chance = step.chance(who, "act", stamp.t)
                outcomes = w.handbook.deck.feelings.get(act.block, NONE)
                found = appraise_act(w.cast[who], act.block, outcomes, chance) if chance.unit() < ACTS else None
        elif isinstance(e, Noticed):
            chance = step.chance(who, "sight", stamp.t)
            ties = w.people.ties.get(who, {})
            for s in e.seen:
                tie = ties.get(s.who)
                if found is None and tie is not None:
                    found = seeing(w.handbook.name(s.who), s.who, tie.feeling, chance)
        elif isinstance(e, Planned) and not e.upset and len(e.blocks) > 1:
            plan = {b.do for b in e.blocks}
            ahead = (o for o in w.calendar.of(who, e.day) if o.from_ > w.clock.second_of_day(stamp.t))
            today = [o.title for o in ahead if o.block in plan]
            found = waking(w.cast[who], mid_sentence(today[0]) if today else "", step.chance(who, "waking", stamp.t))
        if found is not None:
            moved_.add(who)
            express(step, w, who, found, stamp.t, stamp.seq)


def express(step: Step, w: HasWays, who: str, a: Appraisal, t: int, cause: int) -> None:
    """Move a mood by an appraisal, where people have moods."""
    p, mood = w.mood_parameters, w.people.residents[who].mood
    if not p.on:
        return
    t = max(t, step.now, w.last.get(who, 0), mood.t)
    n = w.cast[who].big_five.neuroticism
    change = delta(a.emotion, min(1.0, a.intensity * (1.0 + 0.4 * n)), p.event)
    now = mood_of(w, who, t)
    after, applied = shift_mood(now, dampen(change, now, rest_of(w, who, t), p.dull))
    step.emit(Felt(applied, after, a.emotion, a.why, a.about, a.sort), t=t, actor=who, causes=(cause,))
