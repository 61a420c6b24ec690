"""The form of a rule, and what rules share: how a card comes to somebody, and what a paper says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from sandbox.core.clock import HOUR
from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.director.deck import DeckCard
from sandbox.director.model import TEXT, CardReached, Dealt, HasDirector, How, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.drama.hearsay import follow_hearsay
from sandbox.drama.new_pressures import bear
from sandbox.drama.truth import follow_new_beliefs
from sandbox.feed.reading import text_of
from sandbox.people.beliefs import WORST, BeliefUpdate, Fact, Slots, fact_sentence, learns
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_handlers import find_fact
from sandbox.people.pressure_model import ActivePressure, Stirred
from sandbox.people.pressure_rules import intensity_at, next_stage
from sandbox.talk.rumours import rumours_run

DONE = "done"  # what became of a card that has done what it does


class Touch(NamedTuple):
    """Somebody whom a card is likely to touch. why: a clause that lacks its subject; much: from 0 to 1."""

    who: str
    why: str
    much: float


Check: TypeAlias = Callable[[HasDirector, Dealt, DeckCard], None]
Run: TypeAlias = Callable[[Step, HasDirector, int, WaitingCard, DeckCard], str]
Touches: TypeAlias = Callable[[HasDirector, Dealt, DeckCard], Iterable[Touch]]


def check_nothing(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Nothing stands against it."""


def own_will(w: HasDirector, *who: str) -> None:
    """Raise ValueError if one of these is played: nobody but the player has them go anywhere."""
    for x in who:
        if is_played(w, x):
            name = w.handbook.name(x)
            raise ValueError(f"{name} is played, and goes where the player likes; give them back first")


class CardRule(NamedTuple):
    """A rule of cards. run: what it does in a slice in which it waits: how that is over ("" = it goes on waiting).
    touches: whom it reaches first. check: raises ValueError, in a sentence, where it cannot be.
    """

    run: Run
    touches: Touches
    check: Check = check_nothing


# ---- what a card says


def fact_of(w: HasDirector, dealt: Dealt) -> Fact | None:
    """The fact that a card is about."""
    return find_fact(w, dealt.matter) if dealt.matter else None


def slots_of(fact: Fact, dealt: Dealt) -> Slots:
    """What a card says of a fact: how it is, or, of a false one, of somebody else and worse."""
    if not dealt.false:
        return fact.a, fact.b, fact.where, fact.bad
    other = fact.b if fact.b != dealt.whom else ""
    return dealt.whom, other, fact.where, min(WORST, fact.bad + 1)


def paper_text(w: HasDirector, dealt: Dealt) -> str:
    """What stands on a paper: the matter as a sentence, or the words that were given."""
    fact = fact_of(w, dealt)
    if fact is None:
        return dealt.words
    says = fact_sentence(w, fact, slots_of(fact, dealt)) or gist(fact.stakes)
    return f"{says}. {dealt.words}" if dealt.words else says


def mentioned_person(w: HasDirector, words: str, but: str = "") -> str:
    """Whom words name first, "" for nobody. but: somebody who is not meant."""
    at = {who: words.find(name) for who in w.cast if who != but and (name := w.handbook.name(who)) in words}
    return min(at, key=lambda who: at[who], default="")


# ---- how it comes to somebody


def reach(
    step: Step, w: HasDirector, seq: int, who: str, how: How, says: str, causes: tuple[int, ...] = (), **more: Any
) -> int:
    """A card comes to somebody; the event's number. What they have come to believe has its consequences."""
    t = free_moment(step, w, who, more.get("loser", ""))
    event = CardReached(seq, how, says, thing=_brings(w, seq), **more)
    at = step.emit(event, t=t, actor=who, causes=(seq, *causes))
    if event.told:
        stamp = Stamp(at, step.number, t, who, ())
        follow_hearsay(step, w, stamp, event.told)
        follow_new_beliefs(step, w, stamp, event.told)
    return at


def _brings(w: HasDirector, seq: int) -> str:
    """What a card leaves with whom it comes to first, "" for nothing."""
    waiting = w.director.waiting.get(seq)
    card = w.card_deck.cards.get(waiting.dealt.card) if waiting is not None and not waiting.by else None
    return card.thing if card is not None and not card.spark else ""


def beliefs_from_card(
    w: HasDirector, who: str, dealt: Dealt, strength: float, source: str, t: int
) -> tuple[BeliefUpdate, ...]:
    """What somebody comes to believe by a card about a matter. One's own doings one knows."""
    fact = fact_of(w, dealt)
    if fact is None or not rumours_run(w) or who == fact.a:
        return ()
    row = learns(w, who, fact, slots_of(fact, dealt), strength, source, t)
    return (row,) if row.strength else ()


def stir(step: Step, w: HasDirector, id: str, by: float, how: str, cause: int, due: int | None = None) -> None:
    """A pressure weighs more since a card has come to its holder. due: its hour from now on, if it is another."""
    p = w.pressures.open.get(id)
    if p is None:
        return
    q = w.pressure_parameters
    t = max(free_moment(step, w, p.holder), p.t)
    before = intensity_at(p, t, q)
    after = r6(min(1.0, before + by))
    stage = next_stage(p, min(2, p.stage + 1), t, q)
    event = Stirred(p.id, how, "", p.about, r6(after - before), after, stage, due=p.due if due is None else due)
    step.emit(event, t=t, actor=p.holder, causes=(cause, p.last))


def spawn_pressures(
    step: Step,
    w: HasDirector,
    card: DeckCard,
    cause: int,
    actor: str,
    target: str,
    stakes: str = "",
    children: tuple[str, ...] | None = None,
) -> None:
    """What is born of a card between two people. children: which of the deck, if not those of the card."""
    thread = ""
    made = card.children if children is None else children
    for child in made if actor and target and actor != target else ():
        thread = bear(step, w, child, (cause,), actor, target, thread=thread, stakes=stakes) or thread


# ---- in words


def presses(w: HasDirector, p: ActivePressure) -> str:
    """What a pressure has its holder want, a clause that lacks its subject."""
    wanted = w.drama.kinds[p.kind].wanted
    if not wanted:
        return gist(p.stakes)
    return f"wants to {wanted.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))}"


def card_sentence(w: HasDirector, dealt: Dealt, card: DeckCard) -> str:
    """What happens as a card is dealt, a sentence without full stop."""
    said = paper_text(w, dealt)
    post = text_of(w.feed, dealt.post, w.means.words) if 0 <= dealt.post < w.feed.posts.n else ""
    parts = {
        "to": w.handbook.name(dealt.to), "whom": w.handbook.name(dealt.whom), "coins": str(dealt.coins), "matter": said,
        "hours": str((dealt.lasts or card.lasts) // HOUR),
        "guest": w.invited[dealt.guest].persona.name if dealt.guest in w.invited else "",
        "words": dealt.words if fact_of(w, dealt) is None else said, "post": post,
        "where": w.handbook.place(dealt.where) if dealt.where else "the whole town",
    }  # fmt: skip
    return clean(card.says.format(**parts), TEXT).rstrip(".")
