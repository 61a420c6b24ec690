"""The system of feeling outside talk: what somebody wakes with, what work and leisure do to them, whom they see.

It reads what has happened in this step, appraises some of it as an OCC emotion, and moves the mood
(spec/emotion.md; spec/facts.md).
"""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.people.live import HasWays
from sandbox.people.model import Chose, Felt, Noticed, Planned, Woke
from sandbox.people.mood import mood_at, moved
from sandbox.people.occ import delta
from sandbox.people.persona import Persona

ACTS = 0.16
FOND, COLD = 0.5, -0.25


class Appraisal(NamedTuple):
    """An OCC emotion with its intensity in [0, 1], why in words, and the person it has to do with ("" for none)."""

    emotion: str
    intensity: float
    why: str
    about: str = ""


# block -> what it can do to somebody when it goes well, and when it does not
GOOD: dict[str, tuple[Appraisal, ...]] = {
    "work": (
        Appraisal("pride", 0.6, "got a piece of work just right"),
        Appraisal("satisfaction", 0.5, "the work went smoothly"),
    ),
    "study": (
        Appraisal("pride", 0.5, "understood something at last"),
        Appraisal("hope", 0.5, "learnt something useful"),
    ),
    "market": (Appraisal("joy", 0.5, "struck a good bargain"), Appraisal("joy", 0.4, "the market was in full cry")),
    "walk": (
        Appraisal("relief", 0.6, "the air cleared their head"),
        Appraisal("joy", 0.4, "saw the river in a good light"),
    ),
    "read": (Appraisal("satisfaction", 0.5, "lost themselves in a page"),),
    "music": (Appraisal("joy", 0.7, "played it through without a slip"),),
    "choir": (Appraisal("gratification", 0.6, "the harmony held"),),
    "paint": (Appraisal("pride", 0.6, "got the light right"),),
    "garden": (Appraisal("hope", 0.5, "found the first shoots"),),
    "play": (Appraisal("joy", 0.7, "won by a whisker"),),
    "quiz": (
        Appraisal("gloating", 0.6, "knew the answer before anyone"),
        Appraisal("joy", 0.5, "laughed till it hurt"),
    ),
    "drink": (
        Appraisal("joy", 0.4, "the second glass was better than the first"),
        Appraisal("relief", 0.5, "the day was over"),
    ),
    "breakfast": (Appraisal("satisfaction", 0.4, "breakfast came out right"),),
    "lunch": (Appraisal("satisfaction", 0.4, "the soup was good"),),
    "supper": (Appraisal("satisfaction", 0.5, "a good supper"),),
    "rest": (Appraisal("relief", 0.5, "sat down at last"),),
    "fish": (Appraisal("satisfaction", 0.6, "something nearly bit"),),
    "feed_ducks": (Appraisal("joy", 0.5, "a duck took bread from the hand"),),
    "visit": (Appraisal("liking", 0.5, "was asked in without a word"),),
    "pray": (Appraisal("relief", 0.6, "found a quiet minute"),),
}
BAD: dict[str, tuple[Appraisal, ...]] = {
    "work": (
        Appraisal("distress", 0.7, "a job had to be done twice"),
        Appraisal("anger", 0.6, "was interrupted five times in an hour"),
        Appraisal("shame", 0.6, "made a silly mistake in front of people"),
    ),
    "study": (
        Appraisal("distress", 0.6, "could not make sense of it"),
        Appraisal("shame", 0.5, "was asked and did not know"),
    ),
    "market": (Appraisal("anger", 0.6, "was short-changed"), Appraisal("reproach", 0.6, "somebody pushed in")),
    "shop": (Appraisal("reproach", 0.6, "the prices had gone up again"),),
    "errand": (Appraisal("distress", 0.5, "went there for nothing"),),
    "council": (Appraisal("reproach", 0.8, "nobody kept to the point"), Appraisal("anger", 0.7, "was talked over")),
    "choir": (Appraisal("shame", 0.7, "came in a bar too soon"),),
    "music": (Appraisal("disappointment", 0.6, "could not get past bar nine"),),
    "play": (Appraisal("disappointment", 0.6, "lost, and not gracefully"),),
    "quiz": (Appraisal("shame", 0.6, "gave a wrong answer loudly"),),
    "chores": (Appraisal("resentment", 0.6, "always the one who clears up"),),
    "cook": (Appraisal("distress", 0.5, "it burnt while they looked away"),),
    "walk": (Appraisal("disappointment", 0.4, "stepped in it"),),
    "drink": (Appraisal("pity", 0.5, "watched the empty chair opposite"),),
    "visit": (Appraisal("disappointment", 0.6, "came at a bad moment"),),
}
NIGHT = frozenset(("rest", "walk", "read", "drink", "chores"))


def waking(p: Persona, occasion: str, chance: Stream) -> Appraisal | None:
    """What somebody wakes with: a concern, something to look forward to, or nothing."""
    n = p.big_five.neuroticism
    x = chance.unit()
    if p.concerns and x < 0.35 + 0.3 * n:
        return Appraisal(
            "fear" if n > 0.2 else "distress",
            0.7 + 0.3 * max(0.0, n),
            f"woke thinking about {chance.choice(p.concerns)}",
        )
    if occasion and x < 0.75:
        return Appraisal("hope", 0.7, f"looking forward to {occasion}")
    return Appraisal("joy", 0.5, "slept well") if x > 0.85 else None


def doing(p: Persona, block: str, chance: Stream) -> Appraisal | None:
    """What an act may do to somebody: brooding when there is nothing else to think of, else how it went."""
    n = p.big_five.neuroticism
    if block in NIGHT and p.concerns and chance.unit() < 0.3 + 0.3 * n:
        return Appraisal(
            "fear" if n > 0.2 else "distress", 0.7, f"could not stop thinking about {chance.choice(p.concerns)}"
        )
    good, bad = GOOD.get(block, ()), BAD.get(block, ())
    wrong = 0.42 + 0.25 * n - 0.1 * p.big_five.conscientiousness
    pick = bad if bad and (not good or chance.unit() < wrong) else good
    return chance.choice(pick) if pick else None


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
        who = stamp.actor
        if who in moved_:
            continue
        found: Appraisal | None = None
        if isinstance(e, Chose):
            if e.block != "sleep":
                chance = step.chance(who, "appraise", stamp.seq)
                found = doing(w.cast[who], e.block, chance) if chance.unit() < ACTS else None
        elif isinstance(e, Noticed):
            chance = step.chance(who, "appraise", stamp.seq)
            ties = w.people.ties.get(who, {})
            for s in e.seen:
                tie = ties.get(s.who)
                if found is None and tie is not None:
                    found = seeing(w.handbook.name(s.who), s.who, tie.feeling, chance)
        elif isinstance(e, Woke):
            today = w.calendar.of(who, w.clock.day(stamp.t))
            found = waking(
                w.cast[who], today[0].title.lower() if today else "", step.chance(who, "appraise", stamp.seq)
            )
        elif isinstance(e, Planned) and e.why:
            found = Appraisal("distress", 0.5, "running late")
        if found is not None:
            moved_.add(who)
            express(step, w, who, found, stamp.t, stamp.seq)


def express(step: Step, w: HasWays, who: str, a: Appraisal, t: int, cause: int) -> None:
    """Move a mood by an appraisal."""
    t = max(t, step.now, w.last.get(who, 0))
    p = w.mood_parameters
    n = w.cast[who].big_five.neuroticism
    change = delta(a.emotion, min(1.0, a.intensity * (1.0 + 0.4 * n)), p.fast)
    after, applied = moved(mood_at(w.people.residents[who].mood, t, p.half_life), change)
    step.emit(Felt(applied, after, a.emotion, a.why, a.about), t=t, actor=who, causes=(cause,))
