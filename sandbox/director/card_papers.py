"""Cards that carry a message: letters, notes on a board, a planted rumour, news for all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import (
    DONE,
    CardRule,
    Touch,
    beliefs_from_card,
    fact_of,
    mentioned_person,
    paper_text,
    reach,
    slots_of,
    spawn_pressures,
    stir,
)
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.drama.new_pressures import bear
from sandbox.drama.seeking import is_available
from sandbox.people.beliefs import CAUGHT, OVERHEARD, PAPER, SEEN, STATED
from sandbox.people.guest_model import in_town
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.perceive import area_at
from sandbox.people.planning import expected_place
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.talk.content import tie_of
from sandbox.talk.sentiment import sentiment
from sandbox.town.conditions import is_within

SIGNED = 2.0 * STATED  # belief strength of a letter: more than hearsay, less than one's own eyes
LOOKS = 0.12  # chance a minute that somebody beside a board reads a new note
DREAD, WEIGHS = 0.6, 0.25  # fear felt, and pressure added, when one's own secret stands on a paper
TONE, LEAST = 0.15, 0.25  # sentiment from which words count as kind or harsh; smallest size of the feeling
MINDS = 0.3  # feeling from which somebody counts as a friend or (negative) a foe
FIRST = 2  # readers of a board who act on a note; later ones only read it


def run_paper(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """A letter: it is read once its receiver is awake and in no talk."""
    _read(step, w, seq, waiting.dealt.to, waiting.dealt, card, SEEN if card.proof else SIGNED)
    return DONE


def run_notice(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """A note: everybody at rest beside the board may read it, each once."""
    minutes = (step.end - step.now) / MINUTE
    likely = 1.0 - (1.0 - LOOKS) ** minutes
    for who, r in w.people.residents.items():
        if who in waiting.by or not r.awake or r.talk or not is_within(area_at(w, who, step.now), waiting.dealt.where):
            continue
        if w.town.spots[who].path or step.chance(who, f"reads the board {waiting.t}").unit() >= likely:
            continue
        _read(step, w, seq, who, waiting.dealt, card, STATED, loud=len(waiting.by) < FIRST)
    if step.now < waiting.until:
        return ""
    return DONE if waiting.by else "nobody came by who would read it"


def run_rumour(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """A rumour: its receiver overhears it once awake and in no talk."""
    who, d = waiting.dealt.to, waiting.dealt
    words = paper_text(w, d)
    rows = beliefs_from_card(w, who, d, CAUGHT, OVERHEARD, step.now)
    at = reach(step, w, seq, who, "heard", f"overheard it in passing: {words}", told=rows, **_about(w, who, d))
    _takes(step, w, who, d, card, at)
    return DONE


def run_news(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """News: everybody hears it, those awake at once, the others when they wake."""
    for who, r in w.people.residents.items():
        if who not in waiting.by and r.awake and not r.talk:
            rows = beliefs_from_card(w, who, waiting.dealt, STATED, PAPER, step.now)
            says = f"heard the news: {paper_text(w, waiting.dealt)}"
            at = reach(step, w, seq, who, "heard", says, told=rows, **_about(w, who, waiting.dealt), poignancy=5)
            _takes(step, w, who, waiting.dealt, card, at, loud=who == _first(w, waiting.dealt))
    return (
        DONE
        if step.now >= waiting.until or len(waiting.by) >= sum(in_town(w, who) for who in w.people.residents)
        else ""
    )


def _first(w: HasDirector, dealt: Dealt) -> str:
    """Who acts on news: whoever feels most, for or against, about whom it names; "" if nobody is named."""
    fact = fact_of(w, dealt)
    whom = slots_of(fact, dealt)[0] if fact is not None else mentioned_person(w, dealt.words)
    others = [who for who in w.cast if who != whom and w.people.residents[who].awake]
    return max(others, key=lambda who: (abs(tie_of(w, who, whom).feeling), who), default="") if whom else ""


def _read(
    step: Step, w: HasDirector, seq: int, who: str, dealt: Dealt, card: DeckCard, strength: float, loud: bool = True
) -> None:
    """Have somebody read a paper, with its beliefs and consequences."""
    rows = beliefs_from_card(w, who, dealt, strength, PAPER, step.now)
    says = f"read {card.thing or card.called}: {paper_text(w, dealt)}"  # the reader takes a forged one for real
    at = reach(step, w, seq, who, "read", says, told=rows, **_about(w, who, dealt), poignancy=7)
    _takes(step, w, who, dealt, card, at, loud)


def _about(w: HasDirector, who: str, dealt: Dealt) -> dict[str, Any]:
    """The event fields `about` (whom the card names, unless it is the reader) and `topic`."""
    fact = fact_of(w, dealt)
    whom = slots_of(fact, dealt)[0] if fact is not None else mentioned_person(w, dealt.words, who)
    topic = gist(fact.stakes) if fact is not None else dealt.words.partition(".")[0][:60]
    return {"about": "" if whom == who else whom, "topic": topic}


def _takes(step: Step, w: HasDirector, who: str, dealt: Dealt, card: DeckCard, at: int, loud: bool = True) -> None:
    """The consequences of a message. loud: the receiver acts on it, and does not merely know it."""
    fact = fact_of(w, dealt)
    if fact is not None and who == fact.a:  # their own secret or deed stands on the paper
        if not dealt.false and (fact.kind in HUSHED or fact.how):
            why = f"somebody knows of it: {gist(fact.stakes)}"
            express(step, w, who, Appraisal("fear", DREAD, why), step.now, at)
            stir(step, w, fact.matter, WEIGHS, "again", at)
        return
    if fact is not None:
        if loud:
            _acts(step, w, who, slots_of(fact, dealt)[0], card, at, gist(fact.stakes))
        return
    tone, whom = sentiment(dealt.words), mentioned_person(w, dealt.words, who)
    if abs(tone) >= TONE:
        fond = tie_of(w, who, whom).feeling if whom else 0.0
        kind = tone > 0
        emotion = ("happy-for" if fond >= 0 else "resentment") if whom and kind else "joy" if kind else "distress"
        express(step, w, who, Appraisal(emotion, max(LEAST, abs(tone)), f"{card.called} said so", whom), step.now, at)
    if loud and whom:
        _acts(step, w, who, whom, card, at, "", kind=tone >= TONE)


def _acts(
    step: Step, w: HasDirector, who: str, whom: str, card: DeckCard, at: int, stakes: str, kind: bool = False
) -> None:
    """Give `who` a pressure about `whom`: the card's first child for harsh words, the last for kind ones."""
    if not card.children or whom == who or not whom:
        return
    if any(p.seq > at and (p.holder, p.about) == (who, whom) for p in w.pressures.open.values()):
        return  # the belief itself has already made a pressure
    child = card.children[-1 if kind else 0]
    bear(step, w, child, (at,), who, whom, stakes=stakes)


# ---- whom it touches


def paper_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Whom it is for."""
    yield Touch(dealt.to, "reads it first", 1.0)


def overhearer_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Within whose hearing it is said."""
    yield Touch(dealt.to, "hears of it first", 1.0)


def passer_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Who usually comes by the board."""
    t = w.now + dealt.later
    for who in w.cast:
        here = is_within(area_at(w, who, w.now), dealt.where)
        usual = expected_place(w, who, t + 30 * MINUTE)
        if here or (usual and is_within(usual, dealt.where)):
            yield Touch(who, "is there now" if here else "is there as a rule", 0.7 if here else 0.5)


def all_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Everybody; those first who have ties to whom it names."""
    whom = mentioned_person(w, paper_text(w, dealt))
    for who in w.cast:
        if who == whom:
            yield Touch(who, "is named in it", 1.0)
        elif whom and abs(tie_of(w, who, whom).feeling) >= MINDS:
            fond = tie_of(w, who, whom).feeling > 0
            yield Touch(who, f"is {'fond of' if fond else 'no friend of'} {w.handbook.name(whom)}", 0.5)


def check_says_something(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless the paper has something to say, and a false one has a matter and somebody to accuse."""
    if not dealt.matter and not dealt.words:
        raise ValueError(f"{card.called} says nothing; give it a matter, or words")
    fact = fact_of(w, dealt)
    if dealt.false and (fact is None or not dealt.whom):
        raise ValueError(f"{card.called} that is false needs a matter, and somebody to blame for it")
    if dealt.false and fact is not None and dealt.whom == fact.a:
        raise ValueError(
            f"that is true: it is {w.handbook.name(dealt.whom)}'s doing; name somebody else, or deal a true card"
        )


def run_wrong_door(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """A letter meant for one is opened by another, who may keep it to themselves."""
    opener, meant = waiting.dealt.to, waiting.dealt.whom
    rows = beliefs_from_card(w, opener, waiting.dealt, SIGNED, PAPER, step.now)
    says = f"opened a letter for {w.handbook.name(meant)}: {paper_text(w, waiting.dealt)}"
    at = reach(step, w, seq, opener, "opened", says, told=rows, about=meant, poignancy=7)
    spawn_pressures(step, w, card, at, meant, opener)
    return DONE


PAPERS = {
    "paper": CardRule(run_paper, paper_touches, check_says_something, needs=("to",),
        ready=is_available, vain="never opened it"),
    "notice": CardRule(run_notice, passer_touches, check_says_something, needs=("where",), by_residents=True),
    "rumour": CardRule(run_rumour, overhearer_touches, check_says_something, needs=("to",), noun="a rumour",
        ready=is_available, vain="was never where it was said"),
    "news": CardRule(run_news, all_touches, check_says_something),
    "wrong_door": CardRule(run_wrong_door, paper_touches, check_says_something, needs=("to", "whom"),
        ready=is_available, vain="never opened it"),
}  # fmt: skip
