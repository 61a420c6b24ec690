"""A turn of a talk: the question for its words, what is then said, and the fast update of the moods of both."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.clock import part_of_day
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people import pressure_rules
from sandbox.people.impressions import word
from sandbox.people.mood import OCC, Pad, dampen, shift_mood, sum_deltas
from sandbox.people.mood import delta as occ_delta
from sandbox.people.mood_queries import mood_of, rest_of
from sandbox.people.needs import level
from sandbox.people.persona import Persona, Speech
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import COME_CLEAN
from sandbox.people.wording import as_told, object_told, use_nicknames
from sandbox.talk import move_rules
from sandbox.talk.appraise import MOVES
from sandbox.talk.content import (
    Content,
    act_words,
    age_word,
    impression_of,
    impression_word,
    met_today,
    partner_of,
    place_word,
    plan_words,
    relation,
    spoken_mood,
    tie_of,
)
from sandbox.talk.model import HasTalk, ScoredRule, Shift, Talk, Utterance
from sandbox.talk.phrase_kinds import kind_of
from sandbox.talk.pressure_aims import bound_by
from sandbox.talk.question_effects import Appraise, Appraised, HeardLine
from sandbox.talk.question_replies import Responded
from sandbox.talk.question_say import SPOKEN, Said, Say
from sandbox.talk.question_wishes import Partner
from sandbox.talk.sentiment import manner, sentiment

GROWN = 18  # years from which one is spoken to of one's parents by their names
WHY = 120  # letters of the reason of a mood


class TalkTurn(NamedTuple):
    """A turn being made: who says which moves about what. closing: it is part of the goodbye. aim: the pressure it is
    for; do: the exchange; answer: how the other took it. why: what made it another reply than is usual. silent: it
    has no words.
    """

    talk: Talk
    who: str
    other: str
    moves: list[str]
    content: Content
    closing: bool = False
    aim: str = ""
    do: str = ""
    answer: Responded | None = None
    why: tuple[ScoredRule, ...] = ()
    silent: bool = False


def say_question(step: Step, w: HasTalk, turn: TalkTurn, n: int, just: Said | None = None) -> Say:
    """The question for a turn's words. n: 0 = it leads, 1 = it answers. just: what the other has just said, whose
    variants would be an echo.
    """
    talk, me, other = turn.talk, turn.who, turn.other
    t = max(talk.at, step.now)
    persona = w.cast[me]
    pad = mood_of(w, me, t)
    partner = partner_of(w, me, other, t)
    left, went = impression_of(w, me, other, t), w.memories.spoken.impressions.went(talk.id, me)
    context = _setting(w, turn, partner, pad, t) | _course(w, turn, went, t) | _matter(w, turn)
    if n == 0 and talk.exchanges and turn.moves[-1] in move_rules.TURNS and not turn.closing:
        context["turns"] = "true"
    if turn.content.kind == "opinion":
        context["stance"] = "for" if turn.content.stance >= 0 else "against"
        context["sides"] = "opposed" if turn.content.opposed > 0.25 else "same"
    slots = _slots(w, turn, partner, t)
    spoken = w.memories.spoken
    avoid = {**spoken.said.get(me, {}), **dict.fromkeys(just.variants if just else (), t)}
    return Say(
        me, 0, tuple(turn.moves), persona.voice, context, persona.traits, slots, pad, avoid,
        spoken.heard(t), *_habits(w, persona), clean(just.text, SPOKEN) if just else "",
        2 * talk.exchanges + n, tuple(sorted(turn.content.theirs.intersection(slots))), other, left + went,
        answers=just.variants[-1] if just is not None and just.variants else "", now=t,
    )  # fmt: skip


def _setting(w: HasTalk, turn: TalkTurn, partner: Partner, pad: Pad, t: int) -> dict[str, str]:
    """The criteria for lines that every turn has: when and where it is, how the two are, and what it is about."""
    me, about = turn.who, _subject(turn.content)
    return {
        "hour": part_of_day(w.clock.second_of_day(t)),
        "mood": spoken_mood(pad),
        "listener_mood": partner.mood,
        "tie": partner.tie,
        "place": place_word(w, me, turn.talk.place),
        "with": relation(w.cast[me], w.cast[turn.other]),
        "first_today": "false" if met_today(w, me, turn.other, t) else "true",
        "arousal": "high" if pad.a > 0.35 else "low" if pad.a < -0.2 else "",
        "hurry": "true" if turn.talk.length <= 2 else "false",
        "age": age_word(w.cast[me].age),
        "topic_kind": turn.content.kind,
        "stance": "",
        "told": turn.content.tone,
        "is": kind_of(about) if about else "",
    }


def _course(w: HasTalk, turn: TalkTurn, went: float, t: int) -> dict[str, str]:
    """The criteria for lines that the course of the talk brings. went: how it has gone."""
    talk, me = turn.talk, turn.who
    out: dict[str, str] = {}
    if not talk.exchanges:
        out["left"] = impression_word(w, me, turn.other, t)
    if turn.closing:
        out["went"] = word(went)
    if talk.answer and (turn.closing or turn.content.kind == "pressure"):
        out["do"] = talk.do
    if turn.closing and talk.answer:
        hostile = w.drama.exchanges[talk.do].hostile
        out["after"] = move_rules.parting_tone(talk_reception(w, talk), hostile, talk.third)
        out["came"] = "true" if me == talk.who[talk.came] else "false"
    return out


def _matter(w: HasTalk, turn: TalkTurn) -> dict[str, str]:
    """The criteria for lines of a turn over a pressure, and of what there is between the two that it needs."""
    out: dict[str, str] = {}
    pressure = w.pressures.open.get(turn.aim or (turn.talk.aim if turn.content.kind == "pressure" else ""))
    if pressure is not None:
        out["pressure"], out["stage"] = pressure.kind, str(pressure.stage)
    if (held := bound_by(w, turn.do, turn.who, turn.other)).claim:
        out["claim"], out["end"] = held
    return out


def _slots(w: HasTalk, turn: TalkTurn, partner: Partner, t: int) -> dict[str, str]:
    """What fills the slots of its lines."""
    me, other = turn.who, turn.other
    slots = {
        "name": partner.name,
        "place": w.handbook.place(turn.talk.place),
        "act": act_words(w, me),
        "listener_act": act_words(w, other),
        "plan": plan_words(w, me, t),
        **{slot: slot_words(w, me, other, slot, text) for slot, text in turn.content.slots.items()},
    }
    if turn.content.topic and "topic" in slots:
        slots["topic"] = slot_words(w, me, other, "topic", turn.content.topic)
    return slots


def _subject(content: Content) -> str:
    """The phrase that a turn is about, "" for none."""
    return content.slots.get("matter", "") or content.slots.get("topic", "")


def _habits(w: HasTalk, persona: Persona) -> tuple[str, Speech]:
    """Their pet phrase and habits of speech: whoever is played has what the player gives them."""
    return ("", Speech()) if is_played(w, persona.id) else (persona.catchphrase, persona.speech)


def talk_reception(w: HasTalk, talk: Talk) -> str:
    """How what a talk was for has been taken, "" if it was for nothing. Nobody is glad of what they would rather not
    have heard, though they took it, nor asks on before whom it was said of.
    """
    x = w.drama.exchanges.get(talk.do)
    if x is None or talk.answer != "accept":
        return talk.answer
    answer = x.replies["accept"]
    sour = answer == COME_CLEAN or MOVES[answer].valence < 0.0 or (x.hostile and talk.third)
    return "dodge" if sour else "accept"


def slot_words(w: HasTalk, me: str, other: str, slot: str, text: str) -> str:
    """What fills a slot, as somebody says it to another: "I" and "you" for the two, and everybody as they call them."""
    if slot not in ("third", "name"):
        told = object_told if slot == "topic" else as_told
        text = told(text, w.handbook.name(me), w.handbook.name(other))
    return use_call_names(w, me, other, text)


def use_call_names(w: HasTalk, me: str, other: str, text: str) -> str:
    """A text as somebody says it to another: whom they call "Mum" or "Dad" is called so, and whom a child of the family
    calls so, to that child.
    """
    calls, child = w.cast[me].speech.calls, w.cast[other]
    if child.age < GROWN and child.household == w.cast[me].household:
        theirs = {
            x: call for x, call in child.speech.calls.items() if x in w.cast and w.cast[x].household == child.household
        }
        calls = {x: call for x, call in {**theirs, **calls}.items() if x != me}
    return use_nicknames(text, {w.handbook.name(who): call for who, call in calls.items()}) if calls else text


def utterance(w: HasTalk, turn: TalkTurn, said: Said) -> Utterance:
    words = clean(said.text, SPOKEN)
    move, valence = turn.moves[-1], MOVES[turn.moves[-1]].valence
    if not words:  # it is about what it would be about
        return Utterance(turn.who, "", move, turn.content.topic, turn.content.about, valence, (), turn.content.memory)
    topic, text = turn.content.topic, words.casefold()
    as_named = slot_words(w, turn.who, turn.other, "topic", topic).casefold()
    if turn.content.kind != "pressure" and as_named not in text:  # the line chosen never named it
        topic = ""
    memory = turn.content.memory
    if memory >= 0 and said.variants:  # nor what was remembered
        post, slots = turn.content.kind == "post", turn.content.slots
        tells = ("third",) if post else ("recall", "third_fact")
        told = [slot_words(w, turn.who, turn.other, slot, slots.get(slot, "")).casefold() for slot in tells]
        told += [as_named] * post
        memory = memory if any(x and x in text for x in told) else -1
    return Utterance(turn.who, words, move, topic, turn.content.about, valence, said.variants, memory)


def sound_of_line(step: Step, w: HasTalk, talk: Talk, line: Utterance, t: int) -> float:
    """How kind something sounds: by its words, and without any by the mood of whoever says it."""
    if line.text:
        return sentiment(line.text)
    return manner(mood_of(w, line.who, t).p, step.chance(talk.id, f"manner {line.who}", talk.exchanges))


def appraisal(w: HasTalk, who: str, lines: tuple[Utterance, ...], sounds: tuple[float, ...], t: int) -> Appraise:
    """The question what an exchange makes somebody feel. sounds: of each line, how kind."""
    heard = tuple(
        HeardLine(
            line.who == who,
            w.handbook.name(line.who),
            line.text,
            line.move,
            line.topic,
            0.0 if line.who == who else tie_of(w, who, line.who).feeling,
            kind,
        )
        for line, kind in zip(lines, sounds, strict=True)
    )
    other = next(line.who for line in lines if line.who != who)
    return Appraise(
        who, now=t, lines=heard, neuroticism=w.cast[who].big_five.neuroticism, stake=listener_stake(w, who, other, t)
    )


def listener_stake(w: HasTalk, me: str, other: str, t: int) -> float:
    """How much it matters to me what the other says, 1 as usual: by how close we are, how much I want company and
    regard, and what presses me about them.
    """
    needs, p = w.people.residents[me].needs, w.need_parameters
    wants = sum(1.0 - level(needs, name, t, p) for name in ("company", "standing"))
    about = (x for x in pressure_rules.pressures_between(w.pressures, me, other) if x.holder == me)
    presses = max((pressure_rules.intensity_at(x, t, w.pressure_parameters) for x in about), default=0.0)
    return 0.6 + 0.4 * tie_of(w, me, other).closeness + 0.3 * wants + 0.4 * presses


def shift(w: HasTalk, who: str, answer: Appraised, pad: Pad, t: int) -> Shift:
    """The fast update of one person: what they felt at what they said and heard."""
    p = w.mood_parameters
    felt = [occ_delta(e, min(1.0, max(0.0, x)), p.fast) for e, x in answer.felt if e in OCC]
    rest = rest_of(w, who, t)
    after, applied = shift_mood(pad, dampen(sum_deltas(felt, p.limit), pad, rest, p.dull))
    why = clean(answer.why, WHY)
    return Shift(who, applied, after, why or "small talk", answer.sort if why else "small_talk")
