"""Cards by force: they change somebody directly instead of giving them a cause, and are marked so wherever shown."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import (
    DONE,
    CardRule,
    Touch,
    beliefs_from_card,
    fact_of,
    is_awake,
    mentioned_person,
    reach,
    slots_of,
)
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import bear
from sandbox.drama.seeking import is_available
from sandbox.people.beliefs import INFERRED, STATED, fact_sentence
from sandbox.people.model import Block
from sandbox.people.mood import OCC
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.wording import REASONLESS
from sandbox.talk.sentiment import sentiment
from sandbox.town.model import Placed

STAYS = 30 * MINUTE  # for which somebody stays where they were put
LEAST = 0.3  # smallest size of the feeling that a thought causes


def run_move(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Put somebody elsewhere without a walk."""
    d = waiting.dealt
    t = free_moment(step, w, d.to)
    tiles = w.map.areas[d.where].tiles
    tile = step.chance(d.to, "is put", t).choice(tiles)
    px, py = w.map.xy(tile)
    step.emit(Placed(px, py), t=t, actor=d.to, causes=(seq,))
    block = Block(t, t + STAYS, "rest", d.where, "did not know how it had come to that")
    says = f"was suddenly {w.handbook.at(d.where)}"
    reach(step, w, seq, d.to, "moved", says, block=block, poignancy=5)
    return DONE


def run_mood(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Give somebody an emotion without a cause."""
    d = waiting.dealt
    at = reach(step, w, seq, d.to, "moved", "felt otherwise, for no reason", poignancy=2)
    express(step, w, d.to, Appraisal(d.words or card.emotion, 1.0, REASONLESS), step.now, at)
    return DONE


def check_emotion(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError for an emotion that does not exist."""
    if (dealt.words or card.emotion) not in OCC:
        raise ValueError(f'there is no emotion "{dealt.words or card.emotion}"; choose from {", ".join(sorted(OCC))}')


def run_whisper(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Put a thought into somebody's mind."""
    d = waiting.dealt
    fact = fact_of(w, d)
    words = fact_sentence(w, fact, slots_of(fact, d)) if fact is not None else d.words
    whom = slots_of(fact, d)[0] if fact is not None else mentioned_person(w, d.words, d.to)
    rows = beliefs_from_card(w, d.to, d, STATED, INFERRED, step.now)
    about = "" if whom == d.to else whom
    at = reach(step, w, seq, d.to, "thought", f"thought all at once: {words}", told=rows, about=about, poignancy=8)
    tone = sentiment(words)
    emotion = "hope" if tone >= 0 else "fear"
    express(step, w, d.to, Appraisal(emotion, max(LEAST, abs(tone)), words, about), step.now, at)
    if about and card.children:
        bear(step, w, card.children[-1 if tone > 0 else 0], (at,), d.to, about)
    return DONE


def target_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Only whom it is done to."""
    yield Touch(dealt.to, "it is done to them", 1.0)


def check_thought(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError if there is no thought."""
    if not dealt.matter and not dealt.words:
        raise ValueError("a whisper says nothing; give it a matter, or words")


FORCE = {
    "move": CardRule(run_move, target_touches, needs=("to", "where"), force=True, one_room=True,
        ready=is_available, vain="could not be moved"),
    "mood": CardRule(run_mood, target_touches, check_emotion, needs=("to",), force=True, feeling=True,
        ready=is_awake, vain="never woke"),
    "whisper": CardRule(run_whisper, target_touches, check_thought, needs=("to",), force=True,
        ready=is_awake, vain="never woke"),
}  # fmt: skip
