"""A turn of a talk: what may be said in it, the question for its words (`Say`), and the utterance they become."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from sandbox.core.clock import part_of_day
from sandbox.core.protocols import Answer, Question, Step
from sandbox.core.text import clean
from sandbox.people.claim_handlers import ROLE, claims_of, entails
from sandbox.people.claim_model import OFFICE
from sandbox.people.impressions import word
from sandbox.people.mood import Pad
from sandbox.people.mood_queries import mood_of
from sandbox.people.persona import Persona, Speech
from sandbox.people.played import SPOKEN, is_played
from sandbox.people.wording import as_told, object_told, use_nicknames
from sandbox.talk import move_rules
from sandbox.talk.content import (
    Content,
    act_words,
    age_word,
    impression_word,
    may_joke,
    met_today,
    partner_of,
    place_word,
    plan_words,
    spoken_mood,
    talk_stake,
)
from sandbox.talk.fact_turns import AGREE, EVADE, REFUSE, WANTS, FactTurn, fact_context
from sandbox.talk.lines import EFFECTS, kind_of, unfit_variants
from sandbox.talk.model import HasTalk, ScoredRule, Talk, Utterance, talk_reception
from sandbox.talk.pressure_aims import bound_by
from sandbox.talk.question_replies import Responded
from sandbox.talk.question_wishes import Partner


class Say(Question, frozen=True):
    """Put these moves into words, in order, as one turn. context: criterion -> value; slots: name -> words. avoid:
    variant the speaker used lately or just heard -> when; heard: line -> variant -> times the town has heard it,
    decaying by the day. just: what the other just said, if this answers it. turn: earlier turns in this talk; the
    leader's are even. other: the listener. theirs: slots only the listener knows about, to be left to what was said.
    left: impression of the last talks and this one. before: (who, words) so far, where more than two speak. answers:
    the variant answered, "" for none. wit: whether they may joke.
    """

    PUBLIC: ClassVar[bool] = False  # whether everybody reads it

    moves: tuple[str, ...] = ()
    voice: str = "plain"
    context: dict[str, str] = {}
    traits: tuple[str, ...] = ()
    slots: dict[str, str] = {}
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    avoid: dict[str, int] = {}
    heard: dict[str, dict[str, float]] = {}
    catchphrase: str = ""
    speech: Speech = Speech()
    just: str = ""
    turn: int = 0
    theirs: tuple[str, ...] = ()
    other: str = ""
    left: float = 0.0
    before: tuple[tuple[str, str], ...] = ()
    answers: str = ""
    wit: bool = True


class Said(Answer, frozen=True):
    """The words, and the variants used (empty if they are the speaker's own). closes: they want to end the talk."""

    text: str
    variants: tuple[str, ...] = ()
    closes: bool = False


_ENOUGH = """
    confront remind accuse expose complain_of ask_straight ask_around share_trouble leak own_up confide vent worry
    ask_about ask_on tell_on answer_about tell_what come_clean deny clear_up gasp
    react_gossip bristle pass_on warn
"""
ENOUGH = frozenset(_ENOUGH.split())  # moves that the fact alone makes, or takes up
OWN_WORDS = 0.5  # chance that somebody adds a line of their own to a fact
CLOSE = 0.5  # closeness from which formal people call each other by name
GROWN = 18  # least age to whom parents are called by name


class TalkTurn(NamedTuple):
    """A turn being made. moves, content: what is said about what. closing: part of the goodbye. aim: the pressure it is
    for; do: the exchange; answer: the other's. why: what made a reply unusual. silent: without words.
    fact: what it tells or asks of the matter.
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
    fact: FactTurn | None = None


def say_question(step: Step, w: HasTalk, turn: TalkTurn, n: int, just: Said | None = None) -> Say:
    """The question for a turn's words. n: 0 = it leads, 1 = it answers. just: what the other just said; its variants
    are avoided as echoes.
    """
    talk, me, other = turn.talk, turn.who, turn.other
    t = max(talk.at, step.now)
    persona = w.cast[me]
    pad = mood_of(w, me, t)
    partner = partner_of(w, me, other, t)
    spoken = w.memories.spoken
    went = spoken.impressions.went(talk.id, me)
    context = _setting(w, turn, partner, pad, t) | _course(w, turn, went, t) | _matter(w, turn)
    if n == 0 and talk.exchanges and turn.moves[-1] in move_rules.TURNS and not turn.closing:
        context["turns"] = "true"
    if turn.content.kind == "opinion":
        context["stance"] = "for" if turn.content.stance >= 0 else "against"
        context["sides"] = "opposed" if turn.content.opposed > 0.25 else "same"
    slots, moves, theirs = _slots(w, turn, partner, t), turn.moves, turn.content.theirs
    if turn.fact is not None:
        found, told, unknown = fact_context(w, turn.fact, me, other)
        theirs |= unknown
        context |= found | ({"do": turn.do} if turn.do else {})
        slots |= {slot: use_call_names(w, me, other, text) for slot, text in told.items()}
        moves = _fact_moves(step, turn, persona) if found else moves
    unfit = unfit_variants(w.files[me], persona) if persona.presumes else ()
    avoid = {**spoken.said.get(me, {}), **dict.fromkeys((*(just.variants if just else ()), *unfit), t)}
    return Say(
        me, 0, tuple(moves), persona.voice, context, persona.traits, slots, pad, avoid,
        spoken.heard(t), *_habits(w, persona), clean(just.text, SPOKEN) if just else "",
        2 * talk.exchanges + n, tuple(sorted(theirs.intersection(slots))), other, partner.left + went,
        answers=just.variants[-1] if just is not None and just.variants else "",
        wit=may_joke(w, me, _stake(w, turn, t), t), now=t,
    )  # fmt: skip


def _stake(w: HasTalk, turn: TalkTurn, t: int) -> float:
    """How much is at stake in a turn: of what it is about, of what it tells, and from how the talk went so far."""
    talk, matter = turn.talk, turn.fact.matter if turn.fact is not None else ""
    over = matter or turn.aim or turn.content.over
    return max(turn.content.stake, talk_stake(w, talk, over, t))


def _fact_moves(step: Step, turn: TalkTurn, persona: Persona) -> list[str]:
    """The moves of a turn about a fact: the stance to it, and after it the move itself where the fact does not say what
    is wanted, or where somebody has own lines for it.
    """
    assert turn.fact is not None
    *before, move = turn.moves
    stance = turn.fact.stance
    if move == stance or stance == EVADE:
        return [*before, stance]
    says = move not in ENOUGH and stance not in (*WANTS, AGREE, REFUSE)
    if not says and move in persona.own:
        says = step.chance(turn.talk.id, "own words", turn.talk.exchanges).unit() < OWN_WORDS
    return [*before, stance, *([move] if says else [])]


def _setting(w: HasTalk, turn: TalkTurn, partner: Partner, pad: Pad, t: int) -> dict[str, str]:
    """The line criteria of every turn: time, place, how the two are, and the subject."""
    me, about = turn.who, turn.content.slots.get("matter", "") or turn.content.slots.get("topic", "")
    return {
        "hour": part_of_day(w.clock.second_of_day(t)),
        "mood": spoken_mood(pad),
        "listener_mood": partner.mood,
        "tie": partner.tie,
        "place": place_word(w, me, turn.talk.place),
        "with": partner.relation,
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
    """The line criteria from the course of the talk. went: how it has gone."""
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
    """The line criteria of a turn about a pressure, and of the claim it needs."""
    out: dict[str, str] = {}
    pressure = w.pressures.open.get(turn.aim or (turn.talk.aim if turn.content.kind == "pressure" else ""))
    if pressure is not None:
        out["pressure"], out["stage"] = pressure.kind, str(pressure.stage)
    if (held := bound_by(w, turn.do, turn.who, turn.other)).claim:
        out["claim"], out["end"] = held
    return out


def _slots(w: HasTalk, turn: TalkTurn, partner: Partner, t: int) -> dict[str, str]:
    """The words for the slots of the turn's lines."""
    me, other = turn.who, turn.other
    slots = {
        "name": address(w, me, other, partner),
        "place": w.handbook.place(turn.talk.place),
        "act": act_words(w, me),
        "listener_act": act_words(w, other),
        "plan": plan_words(w, me, t),
        **{slot: slot_words(w, me, other, slot, text) for slot, text in turn.content.slots.items()},
    }
    if turn.content.topic and "topic" in slots:
        slots["topic"] = slot_words(w, me, other, "topic", turn.content.topic)
    return slots


def address(w: HasTalk, me: str, other: str, partner: Partner) -> str:
    """What somebody calls the other to their face: formal people who are not close go by the office that one holds."""
    if w.cast[me].voice != "formal" or partner.closeness >= CLOSE or w.cast[me].household == w.cast[other].household:
        return partner.name
    titles = (w.claim_deck.titles.get(c.terms, "") for c in claims_of(w, other, ROLE) if c.a == other)
    return next(filter(None, titles), partner.name) if entails(w, ROLE, OFFICE) else partner.name


def _habits(w: HasTalk, persona: Persona) -> tuple[str, Speech]:
    """The catchphrase and habits of speech; a played person has none, as the player words them."""
    return ("", Speech()) if is_played(w, persona.id) else (persona.catchphrase, persona.speech)


def slot_words(w: HasTalk, me: str, other: str, slot: str, text: str) -> str:
    """The words of a slot as `me` says them to `other`: "I" and "you" for the two, and call names for others."""
    if slot not in ("third", "name"):
        told = object_told if slot == "topic" else as_told
        text = told(text, w.handbook.name(me), w.handbook.name(other))
    return use_call_names(w, me, other, text)


def use_call_names(w: HasTalk, me: str, other: str, text: str) -> str:
    """A text with people called as the speaker calls them ("Mum"), and in speaking to a child of the household as the
    child does.
    """
    calls, child = w.cast[me].speech.calls, w.cast[other]
    if child.age < GROWN and child.household == w.cast[me].household:
        theirs = {
            x: call for x, call in child.speech.calls.items() if x in w.cast and w.cast[x].household == child.household
        }
        calls = {x: call for x, call in {**theirs, **calls}.items() if x != me}
    return use_nicknames(text, {w.handbook.name(who): call for who, call in calls.items()}) if calls else text


def utterance(w: HasTalk, turn: TalkTurn, said: Said) -> Utterance:
    """The utterance of a turn, with its topic and memory only if the words name them."""
    words = clean(said.text, SPOKEN)
    move, valence = turn.moves[-1], EFFECTS[turn.moves[-1]].valence
    if not words:  # keep the intended subject
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
    facts = turn.fact.names if turn.fact is not None else ()
    return Utterance(turn.who, words, move, topic, turn.content.about, valence, said.variants, memory, facts)
