"""The end of a talk: how both now feel about each other, how close they are, and whose plans it has upset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sandbox.core.chance import Stream
from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.core.protocols import Answer, Question, Step
from sandbox.core.questions import Concern, QuestionSpec
from sandbox.core.text import clean
from sandbox.people.claim_effects import stays_away
from sandbox.people.handlers import end, tie
from sandbox.people.mark_habits import is_hurt_by
from sandbox.people.memory import Memories, poignancy
from sandbox.people.model import Block, HasPeople, set_due
from sandbox.people.mood import CALM
from sandbox.people.mood_queries import mood_of, rest_of, tag_of
from sandbox.people.planning import block_at
from sandbox.people.played import is_played
from sandbox.people.question_plan import React, Reacted
from sandbox.people.ties import (
    change_feeling,
    closer,
    enter_tie_cause,
    like_reciprocity,
    liked_at,
    pair_key,
    tie_evidence,
)
from sandbox.talk.content import tie_of
from sandbox.talk.model import Closed, Declined, Exchanged, HasTalk, Relation, Replan, Talk
from sandbox.talk.question_effects import FeelAbout, FeltAbout, Rate, Rated, Summarise, Summary, talk_tone
from sandbox.talk.sentiment import sentiment

TOP_SCORE = 5  # top of the scale of Learning to Make Friends, appendix A
PLAIN, PER = 1.0, 6.0  # score for neutral words, and score per point of mean sentiment


class RateTie(Question, frozen=True):
    """By these words alone, how close are you to `other`? lines: (speaker's id, words). The answer changes the other's
    tie to you, just as your deeds do (spec: v rates u, and u's tie to v moves).
    """

    other: str = ""
    lines: tuple[tuple[str, str], ...] = ()


class RatedTie(Answer, frozen=True):
    """From 0 (nothing binds the two) to 5 (they are close)."""

    score: int


def rate_tie(q: RateTie, chance: Stream) -> RatedTie:
    """Rate the tie by how warm the other's words sound."""
    theirs = [sentiment(text) for who, text in q.lines if who == q.other]
    mean = sum(theirs) / len(theirs) if theirs else 0.0
    return RatedTie(max(0, min(TOP_SCORE, round(PLAIN + PER * mean))) if theirs else 0)


RATE_TIE = QuestionSpec(
    question=RateTie, answer=RatedTie, name="RateTie", rule=rate_tie,
    fault=lambda q, a: "" if 0 <= a.score <= TOP_SCORE else f"a score not in 0 to {TOP_SCORE}",
    samples=(RateTie("ann", other="bo", lines=(("ann", "Morning."), ("bo", "How lovely to see you."))),),
    concerns=lambda q: Concern(q.other), taken=False, asks="tie", asked=True,
)  # fmt: skip
QUESTIONS = (RATE_TIE,)


TALK = 3  # poignancy of talks in older saves, which lack it
GIST = 120  # most characters of the gist of a talk
# Intent -> whose news the talk is about: 0 = who began it, 1 = the other.
NEWS_OF = {"own_news": 0, "ask_after": 1}


async def close_talks(step: Step, w: HasTalk, ending: list[tuple[Talk, int]]) -> None:
    """Close these talks, each at its second."""
    sides = [(talk, t, i) for talk, t in ending for i in (0, 1)]
    felt_: list[FeltAbout] = await step.ask([_feel_about(w, talk, t, i) for talk, t, i in sides])
    summaries: list[Summary] = await step.ask([_summarise(w, talk, t) for talk, t in ending])
    gists = [clean(s.gist, GIST).rstrip(".") or "this and that" for s in summaries]
    tones = [talk_tone(talk.tone, talk.worst) for talk, _ in ending]
    rates = [
        Rate(talk.who[i], other=talk.who[1 - i], gist=gist, tone=how, now=t)
        for (talk, t), gist, how in zip(ending, gists, tones, strict=True)
        for i in (0, 1)
    ]
    rated: list[Rated] = await step.ask(rates)
    scores: list[RatedTie | None] = [None] * len(sides)
    if w.tie_parameters.text:
        scores = await step.ask([_rate_tie(w, talk, t, i) for talk, t, i in sides])
    upset = [react_question(w, talk, i, tones[k], t) for k, (talk, t) in enumerate(ending) for i in (0, 1)]
    reacted = iter(await step.ask([q for q in upset if q is not None]))
    reactions = [Reacted("keep") if q is None else next(reacted) for q in upset]
    for k, (talk, t) in enumerate(ending):
        both = slice(2 * k, 2 * k + 2)
        relations = tuple(_relation(w, talk, i, felt_[2 * k + i].u, t, gists[k], scores[2 * k + 1 - i]) for i in (0, 1))
        moods = tuple(tag_of(w, who, t) for who in talk.who)
        topic = talk.topics[0] if talk.topics else ""
        replans = _replans(w, talk, upset[both], reactions[both])
        stays = tuple(min(10, max(1, r.poignancy)) for r in rated[both])
        step.emit(
            Closed(talk.id, talk.who, gists[k], tones[k], topic, relations, replans, moods, stays),
            t=t,
            actor=talk.who[0],
            causes=(talk.seq,),
        )


def _feel_about(w: HasTalk, talk: Talk, t: int, i: int) -> FeelAbout:
    me, other = talk.who[i], talk.who[1 - i]
    traits = w.cast[me].big_five
    warmth = talk.kindness(1 - i)
    feeling, pleasure = tie_of(w, me, other).feeling, mood_of(w, me, t).p
    went = w.memories.spoken.impressions.went(talk.id, me)
    return FeelAbout(
        me, 0, other, feeling, warmth, pleasure, traits.agreeableness, traits.neuroticism, went, bool(talk.answer),
        now=t,
    )  # fmt: skip


def _summarise(w: HasTalk, talk: Talk, t: int) -> Summarise:
    of = NEWS_OF.get(talk.intent, -1)
    news = (f"{w.handbook.name(talk.who[of])}'s news",) if of >= 0 else ()
    return Summarise(talk.who[0], other=talk.who[1], topics=(*news, *talk.topics), intent=talk.intent, now=t)


def _rate_tie(w: HasTalk, talk: Talk, t: int, i: int) -> RateTie:
    return RateTie(talk.who[i], other=talk.who[1 - i], lines=tuple(w.memories.spoken.lines.get(talk.id, ())), now=t)


def _relation(w: HasTalk, talk: Talk, i: int, u: float, t: int, words: str, rated: RatedTie | None) -> Relation:
    me, other = talk.who[i], talk.who[1 - i]
    tie = tie_of(w, me, other)
    p = w.tie_parameters
    warmth = talk.kindness(1 - i)
    feeling, change = change_feeling(tie.feeling, u, p)
    day = w.clock.day(t)
    back = like_reciprocity(liked_at(tie, day), liked_at(tie_of(w, other, me), day))
    e = tie_evidence(float(talk.told[1 - i]), 0.0, warmth, back) if rated is None else rated.score / TOP_SCORE
    close, gained, today = closer(tie, day, e, p)
    return Relation(me, other, change, feeling, gained, close, today, f"talked about {words}")


def react_question(w: HasTalk, talk: Talk, i: int, how: str, t: int) -> React | None:
    """The question whether a talk upsets somebody's plan: by its length, by harsh words, or because they could join the
    other. None if there is nothing to ask.
    """
    me, other = talk.who[i], talk.who[1 - i]
    r = w.people.residents[me]
    if not r.plan or is_played(w, me):
        return None
    now = block_at(r, t)
    late = now > r.block >= 0 and t - r.plan[now].start > w.plan_parameters.late * 60
    hard = how in ("tense", "hostile")
    join = None if late or hard else _along(w, me, other, t)
    if not late and not hard and join is None:
        return None
    return React(me, 0, other, late, hard, rest_of(w, me, t).p - mood_of(w, me, t).p, how == "warm", join, now=t)


def _replans(w: HasTalk, talk: Talk, asked: Sequence[React | None], answers: Sequence[Reacted]) -> tuple[Replan, ...]:
    """The plans the talk has upset. If each could join the other, only one does."""
    out: list[Replan] = []
    for i, (q, answer) in enumerate(zip(asked, answers, strict=True)):
        if q is None or answer.do == "keep":
            continue
        me, name = talk.who[i], w.handbook.name(talk.who[1 - i])
        if answer.do == "change" and q.late:
            out.append(Replan(me, f"the talk with {name} ran over", late=True))
        elif answer.do == "change" and q.hard:
            out.append(Replan(me, f"the words with {name}", shaken=True))
        elif answer.do == "join" and q.join is not None and not out:
            out.append(Replan(me, f"to go along with {name}", join=q.join))
    return tuple(out)


def _along(w: HasTalk, me: str, other: str, t: int) -> Block | None:
    """The other's leisure plan of the next three hours that a friend, if free then, could join; None for none."""
    tie = tie_of(w, me, other)
    if tie.feeling < 0.2 or tie.closeness < 0.2 or is_hurt_by(w, me, other, t):
        return None
    mine = w.people.residents[me]
    for b in w.people.residents[other].plan:
        if t + 300 < b.start < t + 3 * HOUR and w.handbook.kind(b.do) == "leisure" and b.do != "visit":
            own = mine.plan[block_at(mine, b.start)]
            free = (
                w.handbook.kind(own.do) == "leisure"
                and own.where != b.where
                and not stays_away(w, me, b.where)
                and "home" not in w.map.areas[b.where].arena.tags
            )
            return Block(b.start, b.end, b.do, b.where, f"with {w.handbook.name(other)}") if free else None
    return None


# ---- what the end of a talk does to the state, and to memory


def related(w: HasPeople, relations: Iterable[Relation], stamp: Stamp) -> None:
    """Set ties to the values of an event, and enter the changes in their ledgers."""
    day = w.clock.day(stamp.t)
    for r in relations:
        t = tie(w.people, r.u, r.v)
        t.feeling, t.closeness, t.grown, t.day = r.feeling, r.closeness, r.grown, day
        if r.liked >= 0.0:
            t.liked, t.liked_day = r.liked, day
        enter_tie_cause(t, "feeling", r.feeling_delta, stamp, r.why)
        enter_tie_cause(t, "closeness", r.closeness_delta, stamp, r.why)


def closed(w: HasTalk, e: Closed, stamp: Stamp) -> None:
    del w.talk.open[e.talk]
    w.talk.last[pair_key(*e.who)] = stamp.t
    related(w, e.relations, stamp)
    for change in e.relations:
        t = tie(w.people, change.u, change.v)
        t.talks += 1
        t.last_talk = stamp.t
    for who in e.who:
        r = w.people.residents[who]
        r.talk = ""
        for change_of_plan in e.replans:
            if change_of_plan.who == who:
                r.upset = "overrun" if change_of_plan.late else "conflict" if change_of_plan.shaken else "invitation"
                r.replan, r.replan_cause, r.join = change_of_plan.why, stamp.seq, change_of_plan.join
                if change_of_plan.late:
                    end(w, who)
                    r.going = None
        set_due(w.people, who, max(stamp.t, r.act.until) if r.act is not None and r.going is None else stamp.t)


def remember_closed(memories: Memories, e: Closed, stamp: Stamp) -> None:
    memories.spoken.lines.pop(e.talk, None)
    memories.spoken.impressions.close(e.talk, e.who, memories.lexicon.cast, stamp.t)
    for i, who in enumerate(e.who):
        other = e.who[1 - i]
        after = e.moods[i] if e.moods else CALM
        text = f"talked with {memories.lexicon.name(other)} about {e.gist}"
        memories.keep(who, stamp, "chat", text, (other,), e.stays[i] if e.stays else TALK, after=after, topic=e.topic)


HANDLERS: dict[type[Event], Callable[..., None]] = {Closed: closed}


def remember_exchanged(memories: Memories, e: Exchanged, stamp: Stamp) -> None:
    shifts = {s.who: s for s in e.shifts}
    if memories.impressed:
        memories.spoken.impressions.exchange(e.talk, {s.who: s.delta.p for s in e.shifts})
    memories.spoken.lines.setdefault(e.talk, []).extend((line.who, line.text) for line in e.lines if line.text)
    for own, others in (e.lines, e.lines[::-1]):
        me, other = own.who, others.who
        memories.spoken.say(me, other, own.variants, own.memory, stamp.t)
        if not (own.text and others.text):
            continue  # an exchange without words is remembered only as part of the talk
        shift = shifts.get(me)
        delta, after = (shift.delta, shift.after) if shift else (CALM, CALM)
        text = f"told {memories.lexicon.name(other)}: {own.text} And heard: {others.text}"
        third = dict.fromkeys(line.about for line in e.lines if line.about and line.about not in (me, other))
        memories.keep(me, stamp, "chat", text, (other, *third), poignancy(1, delta), delta, after, form="words")


def remember_declined(memories: Memories, e: Declined, stamp: Stamp) -> None:
    name = memories.lexicon.name(stamp.actor)
    text = f"was turned away by {name}" if e.how == "refuse" else f"found {name} too busy to talk"
    memories.keep(
        e.other, stamp, "event", text, (stamp.actor,), 3 if e.how == "refuse" else 1, after=e.mood, form="deed"
    )


REMEMBER: dict[type[Event], Callable[..., None]] = {
    Exchanged: remember_exchanged, Declined: remember_declined, Closed: remember_closed,
}  # fmt: skip
