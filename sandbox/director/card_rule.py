"""What a card rule is, and what rules share: how a card reaches somebody, and what a paper says."""

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

DONE = "done"  # how a card is over that took effect


class Touch(NamedTuple):
    """Somebody whom a card is likely to touch. why: a clause without its subject; much: likelihood, 0 to 1."""

    who: str
    why: str
    much: float


def is_awake(w: HasDirector, who: str) -> bool:
    return w.people.residents[who].awake


Check: TypeAlias = Callable[[HasDirector, Dealt, DeckCard], None]
Run: TypeAlias = Callable[[Step, HasDirector, int, WaitingCard, DeckCard], str]
Touches: TypeAlias = Callable[[HasDirector, Dealt, DeckCard], Iterable[Touch]]


def check_nothing(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """A check that always passes."""


def own_will(w: HasDirector, *who: str) -> None:
    """Raise ValueError if one of these people is played: only the player moves them."""
    for x in who:
        if is_played(w, x):
            name = w.handbook.name(x)
            raise ValueError(f"{name} is played, and goes only where the player sends them; give them back first")


class CardRule(NamedTuple):
    """A sort of card: all that is particular to it.

    run: called each slice while the card waits, returns how it ended ("" = it waits on). ready: whether its receiver
    can get it now, run is called only then; vain: what became of it if they never could, a clause without its
    subject. touches: whom it is likely to touch. check: raises ValueError, with a sentence, if it cannot be dealt.
    needs: arguments that each of its cards requires. force: it changes somebody instead of giving them a cause. noun:
    what its receiver calls it; "": as the card's thing or title. one_room: it brings somebody to one room or open
    place. timed: the player chooses how long it lasts. own_matter: its matter is one of the receiver's own. feeling:
    its words name an emotion. by_residents: people of the town can deal it themselves.
    """

    run: Run
    touches: Touches
    check: Check = check_nothing
    needs: tuple[str, ...] = ()
    force: bool = False
    noun: str = ""
    one_room: bool = False
    timed: bool = False
    own_matter: bool = False
    feeling: bool = False
    by_residents: bool = False
    ready: Callable[[HasDirector, str], bool] | None = None
    vain: str = ""


# ---- what a card says


def fact_of(w: HasDirector, dealt: Dealt) -> Fact | None:
    """The fact that a card is about, None if about none."""
    return find_fact(w, dealt.matter) if dealt.matter else None


def slots_of(fact: Fact, dealt: Dealt) -> Slots:
    """The slots of a fact as the card tells it: true, or for a false card with another culprit and made worse."""
    if not dealt.false:
        return fact.a, fact.b, fact.where, fact.bad
    other = fact.b if fact.b != dealt.whom else ""
    return dealt.whom, other, fact.where, min(WORST, fact.bad + 1)


def paper_text(w: HasDirector, dealt: Dealt) -> str:
    """The text of a paper: the fact as a sentence, or else the words given."""
    fact = fact_of(w, dealt)
    if fact is None:
        return dealt.words
    says = fact_sentence(w, fact, slots_of(fact, dealt)) or gist(fact.stakes)
    return f"{says}. {dealt.words}" if dealt.words else says


def mentioned_person(w: HasDirector, words: str, but: str = "") -> str:
    """The person whom words name first, "" for nobody. but: somebody to skip."""
    at = {who: words.find(name) for who in w.cast if who != but and (name := w.handbook.name(who)) in words}
    return min(at, key=lambda who: at[who], default="")


# ---- how it comes to somebody


def reach(
    step: Step, w: HasDirector, seq: int, who: str, how: How, says: str, causes: tuple[int, ...] = (), **more: Any
) -> int:
    """Emit that a card has reached somebody, and what their new beliefs cause; return the event's number."""
    t = free_moment(step, w, who, more.get("loser", ""))
    event = CardReached(seq, how, says, thing=_brings(w, seq), **more)
    at = step.emit(event, t=t, actor=who, causes=(seq, *causes))
    if event.told:
        stamp = Stamp(at, step.number, t, who, ())
        follow_hearsay(step, w, stamp, event.told)
        follow_new_beliefs(step, w, stamp, event.told)
    return at


def _brings(w: HasDirector, seq: int) -> str:
    """The thing that a card leaves with its first receiver, "" for none."""
    waiting = w.director.waiting.get(seq)
    card = w.card_deck.cards.get(waiting.dealt.card) if waiting is not None and not waiting.by else None
    return card.thing if card is not None and not card.spark else ""


def beliefs_from_card(
    w: HasDirector, who: str, dealt: Dealt, strength: float, source: str, t: int
) -> tuple[BeliefUpdate, ...]:
    """The beliefs that a card's fact gives somebody. None about their own doings, which they know."""
    fact = fact_of(w, dealt)
    if fact is None or not rumours_run(w) or who == fact.a:
        return ()
    row = learns(w, who, fact, slots_of(fact, dealt), strength, source, t)
    return (row,) if row.strength else ()


def stir(step: Step, w: HasDirector, id: str, by: float, how: str, cause: int, due: int | None = None) -> None:
    """Raise the intensity of a pressure by `by`, caused by a card. due: its new due time, if that changes."""
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
    """Create a card's children as pressures between two people. children: names to use instead of the card's own."""
    thread = ""
    made = card.children if children is None else children
    for child in made if actor and target and actor != target else ():
        thread = bear(step, w, child, (cause,), actor, target, thread=thread, stakes=stakes) or thread


# ---- in words


ARTICLES = ("a ", "an ", "the ")


def without_article(name: str) -> str:
    return next((name.removeprefix(x) for x in ARTICLES if name.startswith(x)), name)


def presses(w: HasDirector, p: ActivePressure) -> str:
    """What a pressure makes its holder want, a clause without its subject."""
    wanted = w.drama.kinds[p.kind].wanted
    if not wanted:
        return gist(p.stakes)
    return f"wants to {wanted.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))}"


def card_sentence(w: HasDirector, dealt: Dealt, card: DeckCard) -> str:
    """What happens when a card is dealt, a sentence without full stop."""
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
