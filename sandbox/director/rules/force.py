"""Cards by force: they change somebody instead of giving them a cause, and are marked as such wherever they show."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.director.deck import Card
from sandbox.director.model import Dealt, HasDirector, Waiting
from sandbox.director.rules.rule import DONE, Rule, Touch, fact_of, named, reach, slots_of, told
from sandbox.drama.births import bear
from sandbox.drama.deal import moment
from sandbox.drama.seeking import free
from sandbox.people.beliefs import INFERRED, STATED, sentence
from sandbox.people.feel import Appraisal, express
from sandbox.people.model import Block
from sandbox.people.mood import OCC
from sandbox.people.wording import REASONLESS
from sandbox.talk.sentiment import sentiment
from sandbox.town.model import Placed

STAYS = 30 * MINUTE  # where somebody is put
LEAST = 0.3


def move(step: Step, w: HasDirector, seq: int, x: Waiting, card: Card) -> str:
    """Somebody is elsewhere, without having walked."""
    d = x.dealt
    if not free(w, d.to):
        return "" if step.now < x.until else f"{w.handbook.name(d.to)} could not be moved"
    t = moment(step, w, d.to)
    tiles = w.map.areas[d.where].tiles
    tile = step.chance(d.to, "is put", t).choice(tiles)
    px, py = w.map.xy(tile)
    step.emit(Placed(px, py), t=t, actor=d.to, causes=(seq,))
    block = Block(t, t + STAYS, "rest", d.where, "did not know how it had come to that")
    says = f"was suddenly {w.handbook.at(d.where)}"
    reach(step, w, seq, d.to, "moved", says, block=block, poignancy=5)
    return DONE


def mood(step: Step, w: HasDirector, seq: int, x: Waiting, card: Card) -> str:
    """Somebody feels otherwise, for no reason."""
    d = x.dealt
    if not w.people.residents[d.to].awake:
        return "" if step.now < x.until else f"{w.handbook.name(d.to)} never woke"
    at = reach(step, w, seq, d.to, "moved", "felt otherwise, for no reason", poignancy=2)
    express(step, w, d.to, Appraisal(d.words or card.emotion, 1.0, REASONLESS), step.now, at)
    return DONE


def an_emotion(w: HasDirector, d: Dealt, card: Card) -> None:
    """It is one that there is."""
    if (d.words or card.emotion) not in OCC:
        raise ValueError(f'there is no emotion "{d.words or card.emotion}"; choose from {", ".join(sorted(OCC))}')


def whisper(step: Step, w: HasDirector, seq: int, x: Waiting, card: Card) -> str:
    """Somebody has a thought that is none of theirs."""
    d = x.dealt
    if not w.people.residents[d.to].awake:
        return "" if step.now < x.until else f"{w.handbook.name(d.to)} never woke"
    fact = fact_of(w, d)
    words = sentence(w, fact, slots_of(fact, d)) if fact is not None else d.words
    whom = slots_of(fact, d)[0] if fact is not None else named(w, d.words, d.to)
    rows = told(w, d.to, d, STATED, INFERRED, step.now)
    about = "" if whom == d.to else whom
    at = reach(step, w, seq, d.to, "thought", f"thought all at once: {words}", told=rows, about=about, poignancy=8)
    tone = sentiment(words)
    emotion = "hope" if tone >= 0 else "fear"
    express(step, w, d.to, Appraisal(emotion, max(LEAST, abs(tone)), words, about), step.now, at)
    if about and card.children:
        bear(step, w, card.children[-1 if tone > 0 else 0], (at,), d.to, about)
    return DONE


def them(w: HasDirector, d: Dealt, card: Card) -> Iterator[Touch]:
    """Nobody but whom it is done to."""
    yield Touch(d.to, "it is done to them", 1.0)


def a_thought(w: HasDirector, d: Dealt, card: Card) -> None:
    """There is something to think."""
    if not d.matter and not d.words:
        raise ValueError("a whisper says nothing; give it a matter, or words")


FORCE = {
    "move": Rule(move, them),
    "mood": Rule(mood, them, an_emotion),
    "whisper": Rule(whisper, them, a_thought),
}
