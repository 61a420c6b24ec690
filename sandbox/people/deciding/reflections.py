"""Looking back, the last step: what to feel, plan and keep of it."""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer
from sandbox.core.questions import QuestionSpec, nobody
from sandbox.people.deciding import musings as say
from sandbox.people.deciding.looks import LOOKS, MOVED, SHOWN, STIRRED, Look, LookBack, unfounded, weightiest
from sandbox.people.model import Insight, Note
from sandbox.people.occ import OCC

USUAL = 0.25  # pleasure that the talks between two looks back leave anybody with
SHORT, LONG = 12, 110  # characters of words that are kept


class Reflect(LookBack, frozen=True):
    """From these insights, what do you feel, what do you mean to do, and what will you remember?

    memories: those behind the insights; talks: memories of the talks since the last reflection, the oldest first.
    """

    insights: tuple[Insight, ...] = ()
    talks: tuple[Look, ...] = ()


class Reflection(Answer, frozen=True):
    """An emotion (an OCC name, "" for none) with its intensity in [0, 1]; planning notes; memorable moments."""

    emotion: str
    intensity: float
    notes: tuple[Note, ...] = ()
    moments: tuple[Insight, ...] = ()


def reflect(q: Reflect, chance: Stream) -> Reflection:
    """One emotion from the whole, what to see whom about, and the words that stay."""
    assert q.persona is not None
    total = sum(m.pleasure for m in {m.id: m for m in (*q.memories, *q.talks)}.values())
    emotion, size = _emotion(q, total, chance)
    return Reflection(emotion, size, tuple(_notes(q, chance)), tuple(_moments(q, chance)))


def _emotion(q: Reflect, total: float, chance: Stream) -> tuple[str, float]:
    """A time much better or worse than talk makes it for anybody moves one by that much; any other by a little."""
    assert q.persona is not None
    traits, more = q.persona.big_five, total - USUAL
    size = min(0.8, 0.3 + abs(more) / 2.0)
    if more > STIRRED / 2.0:
        return chance.choice(("gratification", "satisfaction", "gratitude", "joy")), size
    if more < -STIRRED / 2.0:
        if q.mood.d > 0.0:
            return ("resentment" if traits.agreeableness < 0.2 else "disappointment"), size
        return ("fear" if traits.neuroticism > 0.3 else "distress"), size
    if any(m.pleasure < -MOVED for m in q.memories):
        return "relief", 0.3  # it was not so bad
    if any(q.feelings.get(i.about, 0.0) > 0.5 for i in q.insights) and chance.unit() < 0.5:
        return "liking", 0.3
    return ("satisfaction" if traits.conscientiousness > 0.4 and q.mood.p > 0.0 else "hope"), 0.3


def _notes(q: Reflect, chance: Stream) -> list[Note]:
    """Whom to see about what: the weightiest talk with each, the two weightiest in all; none with the disliked."""
    out: dict[str, Note] = {}
    for m in weightiest(q.talks):
        who = m.about[0] if m.about else ""
        if who in out or not who or q.feelings.get(who, 0.0) < -0.1:
            continue
        name, ill = q.names[who], sum(x.pleasure for x in q.talks if x.about[:1] == (who,)) < -MOVED
        if ill:
            out[who] = Note(chance.choice(say.MEND).format(name=name), who, "", (m.id,))
        elif m.topic:
            out[who] = Note(chance.choice(say.SEE).format(name=name, topic=m.topic), who, m.topic, (m.id,))
        if len(out) == 2:
            break
    return list(out.values())


def _moments(q: Reflect, chance: Stream) -> list[Insight]:
    """Words heard that moved one most, if any did."""
    for m in sorted(q.talks, key=lambda m: (-abs(m.pleasure), m.id))[:6]:
        words = m.text.partition(" And heard: ")[2]
        if m.about and SHORT <= len(words) <= LONG and '"' not in words:
            sort = "" if abs(m.pleasure) < MOVED / 2 else "good" if m.pleasure > 0 else "bad"
            text = chance.choice(say.KEPT[sort]).format(name=q.names[m.about[0]], words=words)
            return [Insight(text, (m.id,), min(9, 4 + round(8 * abs(m.pleasure))), m.about[0])]
    return []


def _fault(q: Reflect, a: Reflection) -> str:
    fine = (not a.emotion or a.emotion in OCC) and 0.0 <= a.intensity <= 1.0
    return unfounded((*q.memories, *q.talks), a.moments) if fine else "no emotion there is"


REFLECT = QuestionSpec(
    question=Reflect, answer=Reflection, name="Reflect", rule=reflect, fault=_fault,
    samples=(Reflect("ann", insights=(Insight("Bo means well", (5,), 5, "bo"),), talks=LOOKS[:1], **SHOWN),),
    concerns=nobody, taken=False, asks="reflect", asked=True,
)  # fmt: skip
QUESTIONS = (REFLECT,)
