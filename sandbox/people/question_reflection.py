"""Looking back in three steps: what to ask oneself, what follows, and what to feel, plan and keep of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer
from sandbox.core.questions import QuestionSpec, nobody
from sandbox.core.text import spelt
from sandbox.people.model import Insight, Note
from sandbox.people.mood import OCC
from sandbox.people.question_parts import LOOKS, MOVED, SHOWN, STIRRED, LookBack, ShownMemory, insight_fault, weightiest
from sandbox.people.wording import phrases

PEOPLE, TOPICS = 2, 1  # focus questions about them, if the mood asks none
HOUR, DAYTIME = 3600, 14 * 3600
NAMED = 4  # most people named in a thought; of more, the rest are "others"
OFTEN = 2  # different hours in which somebody was met, from which that is often
TELLING = 5  # least poignancy of a deed that is thought of
_DID = """ate came drank felt found fought gave got had heard held kept let lost made met paid put read said sang sat
sold spoke stood swept told took was went woke won wrote"""
DEEDS = frozenset(_DID.split())
THOUGHT = ("thought", "plan")
TALK_PLEASURE = 0.25  # pleasure that the talks between two looks back leave anybody with
SHORT, LONG = 12, 110  # characters of words that are kept


def _ways(key: str) -> tuple[str, ...]:
    """The templates of the words of looking back under a key."""
    return phrases("reflection")[key]


class Wonder(msgspec.Struct, frozen=True):
    """A focus question. about: the person it is about, topic: the matter; "" for none. tone: good or bad, if it asks
    what was so.
    """

    text: str
    about: str = ""
    topic: str = ""
    tone: Literal["", "good", "bad"] = ""


class Focus(LookBack, frozen=True):
    """These are the latest and weightiest memories: what are the most salient questions they raise?"""


class Focused(Answer, frozen=True):
    """Up to three focus questions."""

    questions: tuple[Wonder, ...]


class FindInsights(LookBack, frozen=True):
    """These memories bear on a focus question, the n-th: what follows? lately: what one has thought of late."""

    question: Wonder = Wonder("")
    lately: tuple[str, ...] = ()


class Insights(Answer, frozen=True):
    """A few insights, each with the ids of the memories shown that support it and its poignancy, 1..10."""

    insights: tuple[Insight, ...]


class Reflect(LookBack, frozen=True):
    """From these insights, what do you feel, what do you mean to do, and what will you remember?

    memories: those behind the insights; talks: memories of the talks since the last reflection, the oldest first.
    """

    insights: tuple[Insight, ...] = ()
    talks: tuple[ShownMemory, ...] = ()


class Reflection(Answer, frozen=True):
    """An emotion (an OCC name, "" for none) with its intensity in [0, 1]; planning notes; memorable moments."""

    emotion: str
    intensity: float
    notes: tuple[Note, ...] = ()
    moments: tuple[Insight, ...] = ()


def focus(q: Focus, chance: Stream) -> Focused:
    """Questions about the people and the matter that these memories are most about; if the mood has moved much, half
    of the times one about that in place of one of the people.
    """
    lived = [m for m in q.memories if m.kind not in THOUGHT]
    thoughts = [m for m in _of_late([*q.memories]) if m.kind == "thought"]
    people: dict[str, float] = {}
    topics: dict[str, float] = {}
    for m in lived:
        for who in m.about[:1]:
            people[who] = people.get(who, 0.0) + m.poignancy + 10.0 * abs(m.pleasure)
        if m.topic and m.kind == "chat" and m.topic not in q.names.values():
            topics[m.topic] = topics.get(m.topic, 0.0) + m.poignancy
    for who in people:  # what has been thought through today can wait
        people[who] /= 1 + sum(who in m.about for m in thoughts)
    for topic in topics:
        topics[topic] /= 1 + sum(topic in m.text for m in thoughts)
    out = []
    stirred = sum(m.pleasure for m in _of_late(lived))
    if abs(stirred) > STIRRED and chance.unit() < 0.5:
        glad = stirred > 0
        out.append(Wonder(chance.choice(_ways("ask_glad" if glad else "ask_low")), tone="good" if glad else "bad"))
    for who in _first(people, PEOPLE - len(out)):
        name = q.names[who]
        sort = _sort(q, who, [m for m in lived if m.about[:1] == (who,)])
        out.append(Wonder(chance.choice(_ways(f"ask.{sort}")).format(name=name), who))
    out += [Wonder(chance.choice(_ways("ask_topic")).format(topic=x), "", x) for x in _first(topics, TOPICS)]
    return Focused(tuple(out))


def find_insights(q: FindInsights, chance: Stream) -> Insights:
    """One to three thoughts that answer a focus question, none of them thought lately if that can be."""
    lived = [m for m in q.memories if m.kind not in THOUGHT]
    think = _Thinking(q, chance)
    if q.question.about:
        _of_person(think, q, [m for m in lived if m.about[:1] == (q.question.about,)])
    elif q.question.topic:
        _of_topic(think, q, [m for m in lived if m.topic == q.question.topic and m.about])
    else:
        _of_day(think, _of_late(lived))
    return Insights(tuple(think.found))


class _Thinking:
    """The insights that answer a focus question, as they are found."""

    def __init__(self, q: FindInsights, chance: Stream) -> None:
        self.q, self.chance = q, chance
        self.lately = {*q.lately}
        self.found: list[Insight] = []

    def add(
        self, pool: Sequence[str], evidence: Iterable[ShownMemory], poignancy: float, about: str = "", **words: str
    ) -> None:
        """Add a thought from a pool, one not thought of late if there is one. words: for the slots of the templates."""
        texts = [form.format(**words) for form in pool]
        mine = texts[self.q.n % 3 :: 3] if self.q.question.about else texts  # no two people in the same words
        fresh = [text for text in mine if text not in self.lately]
        fresh = fresh or [text for text in texts if text not in self.lately] or texts
        ids = tuple(m.id for m in evidence)[:6]
        self.found.append(Insight(self.chance.choice(fresh), ids, min(9, max(1, round(poignancy))), about))


def _of_person(think: _Thinking, q: FindInsights, mine: list[ShownMemory]) -> None:
    if not mine:
        return
    who, name, chance = q.question.about, q.names[q.question.about], think.chance
    sort = _sort(q, who, mine)
    felt = sum(m.pleasure for m in mine)
    behind = [m for m in mine if m.pleasure * felt > 0.0] if sort in ("good", "bad") else mine
    think.add(_ways(f"person.{sort}"), weightiest(behind), 5 + 6 * abs(felt), who, name=name)
    talks = [m for m in mine if m.kind == "chat" and m.topic and m.topic not in q.names.values()]
    if talks:
        topic = max(talks, key=lambda m: (m.poignancy, m.t, m.id)).topic
        same = [m for m in talks if m.topic == topic]
        if len(same) > 1 or chance.unit() < 0.5:
            think.add(_ways("again" if len(same) > 1 else "once"), same, 4, who, name=name, topic=topic)
    deeds = [m for m in mine if m.kind == "event" and m.poignancy >= TELLING and _deed(m) and ":" not in m.text]
    if deeds:
        best = weightiest(deeds)[0]
        think.add(_ways(f"did.{'good' if best.pleasure > 0 else 'bad'}"), [best], best.poignancy, who, did=best.text)


def _of_topic(think: _Thinking, q: FindInsights, told: list[ShownMemory]) -> None:
    assert q.persona is not None
    topic, people = q.question.topic, list(dict.fromkeys(q.names[m.about[0]] for m in told))
    if not told:
        return
    if len(people) > 1:
        pool = _ways("topic_two") + (_ways("topic_many") if len(people) > 2 else ())
        think.add(pool, told, 5, topic=topic, names=_listed(people))
    else:
        think.add(_ways("topic_one"), told, 4, told[0].about[0], topic=topic, name=people[0])
    opinion = q.persona.opinions.get(topic)
    if opinion is not None and opinion.stance:
        side = "for" if opinion.stance > 0 else "against"
        think.add(_ways("stance"), told, 3 + 4 * abs(opinion.stance), topic=topic, side=side, why=opinion.why)
    elif topic in q.persona.concerns:
        think.add(_ways("worry"), told, 6, topic=topic)


def _of_day(think: _Thinking, lived: list[ShownMemory]) -> None:
    total = sum(m.pleasure for m in lived)
    sort = think.q.question.tone or ("good" if total > 0 else "bad")
    moving = [m for m in weightiest(lived) if m.pleasure and (m.pleasure > 0) == (sort == "good")]
    for best in moving[:2]:
        weight = 5 + 6 * abs(best.pleasure)
        if best.kind == "chat" and best.about:
            who = best.about[0]
            think.add(_ways(f"day_who.{sort}"), [best], weight, who, name=think.q.names[who])
        elif _deed(best):
            think.add(_ways(f"day_did.{sort}"), [best], weight, *best.about[:1], did=best.text)
        else:
            think.add(_ways(f"day_why.{sort}"), [best], weight, *best.about[:1], why=best.text)


# ---- what to feel, plan and keep


def reflect(q: Reflect, chance: Stream) -> Reflection:
    """One emotion from the whole, what to see whom about, and the words that stay."""
    assert q.persona is not None
    total = sum(m.pleasure for m in {m.id: m for m in (*q.memories, *q.talks)}.values())
    emotion, size = _emotion(q, total, chance)
    return Reflection(emotion, size, tuple(_notes(q, chance)), tuple(_moments(q, chance)))


def _emotion(q: Reflect, total: float, chance: Stream) -> tuple[str, float]:
    """A time much better or worse than talk makes it for anybody moves one by that much; any other by a little."""
    assert q.persona is not None
    traits, more = q.persona.big_five, total - TALK_PLEASURE
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
            out[who] = Note(chance.choice(_ways("mend")).format(name=name), who, "", (m.id,))
        elif m.topic:
            out[who] = Note(chance.choice(_ways("see")).format(name=name, topic=m.topic), who, m.topic, (m.id,))
        if len(out) == 2:
            break
    return list(out.values())


def _moments(q: Reflect, chance: Stream) -> list[Insight]:
    """Words heard that moved one most, if any did."""
    for m in sorted(q.talks, key=lambda m: (-abs(m.pleasure), m.id))[:6]:
        words = m.text.partition(" And heard: ")[2]
        if m.about and SHORT <= len(words) <= LONG and '"' not in words:
            sort = "neither" if abs(m.pleasure) < MOVED / 2 else "good" if m.pleasure > 0 else "bad"
            text = chance.choice(_ways(f"kept.{sort}")).format(name=q.names[m.about[0]], words=words)
            return [Insight(text, (m.id,), min(9, 4 + round(8 * abs(m.pleasure))), m.about[0])]
    return []


def _reflect_fault(q: Reflect, a: Reflection) -> str:
    fine = (not a.emotion or a.emotion in OCC) and 0.0 <= a.intensity <= 1.0
    return insight_fault((*q.memories, *q.talks), a.moments) if fine else "no emotion there is"


# ---- what memories amount to


def _first(weights: dict[str, float], most: int) -> list[str]:
    return sorted(weights, key=lambda x: (-weights[x], x))[:most]


def _listed(names: list[str]) -> str:
    if len(names) > NAMED:
        return f"{', '.join(names[: NAMED - 1])} and {spelt(len(names) - NAMED + 1)} others"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _of_late(memories: list[ShownMemory]) -> list[ShownMemory]:
    """Those of the day: from its latest hour back."""
    since = max((m.t for m in memories), default=0) - DAYTIME
    return [m for m in memories if m.t >= since]


def _sort(q: LookBack, who: str, mine: Sequence[ShownMemory]) -> str:
    """How it stands with somebody, a sort of what is thought of people."""
    felt, feeling = sum(m.pleasure for m in mine), q.feelings.get(who, 0.0)
    if abs(felt) > MOVED:
        return "good" if felt > 0 else "bad"
    if feeling > 0.3 or feeling < -0.2:
        return "fond" if feeling > 0 else "sour"
    return "often" if len({m.t // HOUR for m in mine}) >= OFTEN else "new"


def _deed(m: ShownMemory) -> bool:
    """Whether a memory is a deed of one's own that lacks its subject: "had it out with Vera"."""
    first = m.text.split(maxsplit=1)[0]
    return first in DEEDS or (first.islower() and first.endswith("ed"))


FOCUS = QuestionSpec(
    question=Focus, answer=Focused, name="Focus", rule=focus,
    fault=lambda q, a: "" if all(x.text for x in a.questions) else "a question without words",
    samples=(Focus("ann", **SHOWN),), concerns=nobody, taken=False, asks="focus", asked=True,
)  # fmt: skip
FIND_INSIGHTS = QuestionSpec(
    question=FindInsights, answer=Insights, name="FindInsights", rule=find_insights,
    fault=lambda q, a: insight_fault(q.memories, a.insights),
    samples=(FindInsights("ann", question=Wonder("What is it with Bo?", "bo"), **SHOWN),),
    concerns=nobody, taken=False, asks="insight", asked=True,
)  # fmt: skip
REFLECT = QuestionSpec(
    question=Reflect, answer=Reflection, name="Reflect", rule=reflect, fault=_reflect_fault,
    samples=(Reflect("ann", insights=(Insight("Bo means well", (5,), 5, "bo"),), talks=LOOKS[:1], **SHOWN),),
    concerns=nobody, taken=False, asks="reflect", asked=True,
)  # fmt: skip
QUESTIONS = (FOCUS, FIND_INSIGHTS, REFLECT)
