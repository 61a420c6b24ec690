"""The end of a talk: how both now feel about each other, how close they are, and whom it made late."""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.core.protocols import Step
from sandbox.people.model import Block
from sandbox.people.mood import tag
from sandbox.people.planning import block_at
from sandbox.people.ties import closer, evidence, felt
from sandbox.talk.appraise import tone
from sandbox.talk.content import (
    mood_of,
    tie_of,
)
from sandbox.talk.model import Closed, HasTalk, Relation, Replan, Talk
from sandbox.talk.questions import FeelAbout, FeltAbout

SORE = 0.08  # how far below its rest pleasure must be for hard words to upset a plan
ALONG = {"warm": 0.6, "plain": 0.15}  # chance to go along with the other, by the tone of the talk


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
        tone_ = tone(mean, talk.worst)
        moods = tuple(tag(w.people.residents[who].mood, t, w.mood_parameters.half_life) for who in talk.who)
        replans = _replans(step, w, talk, tone_, t)
        topic = talk.topics[0] if talk.topics else ""
        step.emit(
            Closed(talk.id, talk.who, words, tone_, topic, relations, replans, moods),
            t=t,
            actor=talk.who[0],
            causes=(talk.seq,),
        )


def _gist(talk: Talk) -> str:
    """What a talk was about, as a clause after "about"."""
    if talk.topics:
        first, *more = talk.topics
        return f"{first}, then {more[0]}" if more and "," not in first + more[0] else first
    return {
        "chat": "how things are",
        "ask_plans": "the day's plans",
        "compliment": "each other's good points",
        "tease": "nothing serious",
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


def _replans(step: Step, w: HasTalk, talk: Talk, how: str, t: int) -> tuple[Replan, ...]:
    """Whose plans the talk has upset: by its length, by its words, or because one goes along with the other."""
    out = []
    for i in (0, 1):
        me, other = talk.who[i], talk.who[1 - i]
        name = w.handbook.name(other)
        r = w.people.residents[me]
        if not r.plan:
            continue
        now = block_at(r, t)
        if now > r.block >= 0 and t - r.plan[now].start > w.plan_parameters.late * 60:
            out.append(Replan(me, f"the talk with {name} ran over", late=True))
        elif how in ("tense", "hostile") and mood_of(w, me, t).p < r.mood.rest.p - SORE:
            out.append(Replan(me, f"the words with {name}", shaken=True))
        elif how in ALONG and not out:
            join = _along(w, me, other, t)
            if join is not None and step.chance(me, "along").unit() < ALONG[how]:
                out.append(Replan(me, f"to go along with {name}", join=join))
    return tuple(out)


def _along(w: HasTalk, me: str, other: str, t: int) -> Block | None:
    """What the other goes to in the next hours for pleasure, if it is a friend's and one is free then."""
    tie = tie_of(w, me, other)
    if tie.feeling < 0.2 or tie.closeness < 0.2:
        return None
    mine = w.people.residents[me]
    for b in w.people.residents[other].plan:
        if t + 300 < b.start < t + 3 * HOUR and w.handbook.kind(b.do) == "leisure" and b.do != "visit":
            own = mine.plan[block_at(mine, b.start)]
            free = (
                w.handbook.kind(own.do) == "leisure"
                and own.where != b.where
                and "home" not in w.map.areas[b.where].arena.tags
            )
            return Block(b.start, b.end, b.do, b.where, f"with {w.handbook.name(other)}") if free else None
    return None
