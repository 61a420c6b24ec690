"""The exchanges of a talk: what is said and answered in it, and what that does to the moods of both."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_model import Turned
from sandbox.talk.leading import next_lead
from sandbox.talk.model import Exchanged, HasTalk, Talk, Utterance
from sandbox.talk.played_talk import wait_for_player
from sandbox.talk.question_effects import Appraise, Appraised, appraise
from sandbox.talk.question_replies import Respond, Responded
from sandbox.talk.question_say import SPOKEN, Said
from sandbox.talk.replying import reply_to, respond_question
from sandbox.talk.rumours import hearer_feelings
from sandbox.talk.saying import TalkTurn, appraisal, say_question, shift, sound_of_line, utterance
from sandbox.talk.silent_talk import answers_unheard, leads_unheard

NO_WORDS = Said("")


async def run_exchanges(step: Step, w: HasTalk, ready: list[Talk], aloud: bool = False) -> list[tuple[Talk, int]]:
    """One exchange of each talk; returns the talks that said goodbye, with the second they end. aloud: with words."""
    led = [next_lead(step, w, talk) for talk in ready]
    if not aloud:
        led = [turn._replace(silent=leads_unheard(w, turn, max(turn.talk.at, step.now))) for turn in led]
    words = await _words(step, w, led)
    on = [(turn, first) for turn, first in zip(led, words, strict=True) if not wait_for_player(step, w, turn, first)]
    leads, said = [turn for turn, _ in on], [first for _, first in on]
    pressed = [(turn, words) for turn, words in zip(leads, said, strict=True) if turn.aim]
    answers: list[Responded] = await step.ask([_respond(step, w, turn, words) for turn, words in pressed])
    how = {turn.talk.id: answer for (turn, _), answer in zip(pressed, answers, strict=True)}
    replies = [
        reply_to(step, w, turn, how.get(turn.talk.id), first.text)._replace(silent=answers_unheard(step, w, turn))
        for turn, first in zip(leads, said, strict=True)
    ]
    answered = await _words(step, w, replies, said)
    spoken = [
        (utterance(w, lead, first), utterance(w, reply, second))
        for lead, first, reply, second in zip(leads, said, replies, answered, strict=True)
    ]
    felt = await _felt(step, w, leads, spoken)
    ending: list[tuple[Talk, int]] = []
    for k, (lead, reply, lines) in enumerate(zip(leads, replies, spoken, strict=True)):
        t = max(lead.talk.at, step.now)
        if lead.content.memory >= 0:
            step.recall(lead.who, (lead.content.memory,))
        event = _exchanged(w, lead, reply, lines, felt[k], t)
        if (said[k].closes or answered[k].closes) and not lead.closing:
            event = replace(event, closes=True)
        step.emit(event, t=t, actor=lead.who, causes=(lead.talk.seq, *_read_in(w, lead)))
        if lead.closing:
            ending.append((lead.talk, min(t + w.talk_parameters.exchange, step.end) - 1))
    return ending


def _exchanged(
    w: HasTalk, lead: TalkTurn, reply: TalkTurn, lines: tuple[Utterance, Utterance], felt: tuple[Appraised, ...], t: int
) -> Exchanged:
    """What was said and answered, as an event. felt: how it makes each of the two feel, if anybody feels here."""
    who = lead.talk.who
    moods = {x: mood_of(w, x, t) for x in who}
    shifts = tuple(shift(w, x, feels, moods[x], t) for x, feels in zip(who, felt, strict=False))
    told, feelings = _told(w, lead, reply)
    event = Exchanged(
        lead.talk.id, lead.talk.exchanges + 1, lead.moves[-1], lines, shifts, why=reply.why, told=told,
        feelings=feelings, over=lead.content.over,
    )  # fmt: skip
    if reply.answer is None:
        return event
    return replace(event, aim=lead.aim, do=lead.do, answer=reply.answer.how, why=reply.answer.why)


async def _words(step: Step, w: HasTalk, turns: list[TalkTurn], just: list[Said] | None = None) -> list[Said]:
    """The words of these turns; none of those that are silent. just: what each answers."""
    asked = [
        say_question(step, w, turn, int(just is not None), just[k] if just is not None else None)
        for k, turn in enumerate(turns)
        if not turn.silent
    ]
    said: list[Said] = await step.ask(asked)
    found = iter(said)
    return [NO_WORDS if turn.silent else next(found) for turn in turns]


def _respond(step: Step, w: HasTalk, lead: TalkTurn, words: Said) -> Respond:
    t = max(lead.talk.at, step.now)
    return respond_question(w, lead.aim, lead.do, lead.who, lead.other, t, clean(words.text, SPOKEN))


async def _felt(
    step: Step, w: HasTalk, leads: list[TalkTurn], spoken: list[tuple[Utterance, Utterance]]
) -> list[tuple[Appraised, ...]]:
    """What each exchange makes both of its people feel; nobody feels anything without the module of moods."""
    if not w.mood_parameters.on:
        return [() for _ in leads]
    found: list[tuple[Appraise, bool]] = []
    for lead, lines in zip(leads, spoken, strict=True):
        t, all_said = max(lead.talk.at, step.now), all(line.text for line in lines)
        sounds = tuple(sound_of_line(step, w, lead.talk, line, t) for line in lines)
        found += [(appraisal(w, who, lines, sounds, t), all_said) for who in lead.talk.who]
    worded: list[Appraised] = await step.ask([q for q, words in found if words])
    answered = iter(worded)
    answers = [next(answered) if words else appraise(q, step.chance(q.who, "manner")) for q, words in found]
    return [(answers[2 * k], answers[2 * k + 1]) for k in range(len(leads))]


def _told(w: HasTalk, *turns: TalkTurn) -> tuple[tuple[BeliefUpdate, ...], tuple[Turned, ...]]:
    """What people come to believe by what was said in these turns, and how their feelings turn with it."""
    found = [(turn.content.told, turn.content.slots["rumour"]) for turn in turns if turn.content.told is not None]
    return tuple(row for row, _ in found), tuple(f for row, says in found for f in hearer_feelings(w, row, says))


def _read_in(w: HasTalk, lead: TalkTurn) -> tuple[int, ...]:
    """The event by which somebody has read what they now speak of, if it is that."""
    if lead.content.kind != "post":
        return ()
    read = w.memories.streams[lead.who].node(lead.content.memory)
    return (read.seq,) if read is not None else ()
