"""The end of a talk: how both now feel about each other, how close they are, and whom it made late."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.people.planning import block_at
from sandbox.people.ties import closer, evidence, felt
from sandbox.talk.appraise import tone
from sandbox.talk.content import (
    mood_of,
    tie_of,
)
from sandbox.talk.model import (
    Closed,
    FeelAbout,
    FeltAbout,
    HasTalk,
    Relation,
    Talk,
)


async def close(step: Step, w: HasTalk, ending: list[tuple[Talk, int]]) -> None:
    """Close these talks, each at its second."""
    questions = []
    for talk, t in ending:
        for i in (0, 1):
            me, other = talk.who[i], talk.who[1 - i]
            traits = w.cast[me].big_five
            warmth = talk.warmth[1 - i] / max(1, talk.words[1 - i])
            questions.append(
                FeelAbout(
                    me,
                    i,
                    other,
                    tie_of(w, me, other).feeling,
                    warmth,
                    mood_of(w, me, t).p,
                    traits.agreeableness,
                    traits.neuroticism,
                )
            )
    answers: list[FeltAbout] = await step.ask(questions)
    for k, (talk, t) in enumerate(ending):
        words = _gist(talk)
        relations = tuple(_relation(w, talk, i, answers[2 * k + i].u, t, words) for i in (0, 1))
        mean = sum(talk.warmth) / max(1, sum(talk.words))
        late = tuple(who for who in talk.who if _late(w, who, t))
        topic = talk.topics[0] if talk.topics else ""
        step.emit(
            Closed(talk.id, talk.who, words, tone(mean, talk.worst), topic, relations, late),
            t=t,
            actor=talk.who[0],
            causes=(talk.seq,),
        )


def _gist(talk: Talk) -> str:
    if talk.topics:
        return " and ".join(talk.topics[:2])
    return {
        "chat": "how things are",
        "ask_plans": "the day's plans",
        "compliment": "nothing but good",
        "snap": "old sores",
    }.get(talk.intent, "this and that")


def _relation(w: HasTalk, talk: Talk, i: int, u: float, t: int, words: str) -> Relation:
    me, other = talk.who[i], talk.who[1 - i]
    tie = tie_of(w, me, other)
    p = w.tie_parameters
    warmth = talk.warmth[1 - i] / max(1, talk.words[1 - i])
    feeling, change = felt(tie.feeling, u, p)
    day = w.clock.day(t)
    e = evidence(1.0 if talk.told[1 - i] else 0.0, 0.0, warmth, 0.0)
    close, gained, today = closer(tie, day, e, p)
    return Relation(me, other, change, feeling, gained, close, today, f"talked about {words}")


def _late(w: HasTalk, who: str, t: int) -> bool:
    """Whether the talk made somebody miss the start of the next block by too much."""
    r = w.people.residents[who]
    if not r.plan:
        return False
    i = block_at(r, t)
    return i > r.block >= 0 and t - r.plan[i].start > w.plan_parameters.late * 60
