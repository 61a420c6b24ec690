"""Stories of what a director did: the card dealt, whom it reached, and the conditions it set."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import upper
from sandbox.director.history import AnnalsOpened
from sandbox.director.model import FORCED, CardOver, CardPlayed, CardReached
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText, ties_from_feelings
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan, ConditionEnded

CARD = "&"  # mark of timeline rows: something from outside
FORCE = "by force"  # for a card that changes somebody directly instead of giving them a cause
DONE = "done"  # how a card ends that took effect


def _played(teller: Teller, e: CardPlayed, stamp: Stamp) -> str:
    return f"{e.says} ({FORCE})" if e.force else e.says


def _sheet(teller: Teller, e: CardPlayed, clock: Clock) -> Sequence[Block]:
    d, out = e.dealt, [WrappedText("You have dealt this card" + (f", {FORCE}" if e.force else ""))]
    if d.later:
        out.append(WrappedText(f"it takes effect {count_of(d.later // 60, 'minute')} later", "dim"))
    if d.false:
        out.append(WrappedText(f"it is not so: it was not {teller.name(d.whom)}", "dim"))
    if e.price:
        out.append(WrappedText(f"it took {e.price} of your influence", "dim"))
    return out


def _reached(teller: Teller, e: CardReached, stamp: Stamp) -> str:
    says = f"{teller.name(stamp.actor)} {e.says}"
    return f"{says} ({FORCE})" if e.how in FORCED else says


def _weigh_reached(teller: Teller, e: CardReached, stamp: Stamp) -> MarkAndWeight | None:
    """A card that reaches many people makes one row; one that hinders somebody's day makes none."""
    if e.how == "hindered":
        return None
    return MarkAndWeight(CARD, teller.notable["card.reached"], once=f"card {e.card} {e.how}")


def _over(teller: Teller, e: CardOver, stamp: Stamp) -> str:
    return "A card has done what it does" if e.how == DONE else f"A card has come to nothing: {e.how}"


def _weigh_over(teller: Teller, e: CardOver, stamp: Stamp) -> MarkAndWeight | None:
    return None if e.how == DONE else MarkAndWeight(CARD, teller.notable["card.vain"])


STORIES: dict[type[Event], Story] = {
    CardPlayed: Story(
        sentence=_played,
        mark=CARD,
        weight="card.played",
        about=lambda e: (who for who in (e.dealt.to, e.dealt.whom) if who),
        sheet=_sheet,
        counts=lambda e: [("cards", 1)],
    ),
    CardReached: Story(
        sentence=_reached,
        weigh=_weigh_reached,
        about=lambda e: (who for who in (e.about, e.loser) if who),
        ties=lambda e: ties_from_feelings(e.feelings),
        result=True,
    ),
    AnnalsOpened: Story(
        sentence=lambda teller, e, at: "From here on it is kept how matters end",
        untold="it is for whoever waits for something",
    ),
    CardOver: Story(sentence=_over, weigh=_weigh_over),
    ConditionBegan: Story(
        sentence=lambda teller, e, at: upper(e.says),
        untold="the card that brought it is told",
        about=lambda e: (e.who,) if e.who else (),
        sheet=lambda teller, e, clock: [WrappedText(f"until {clock.words(e.until)}", "dim")],
    ),
    ConditionEnded: Story(sentence=lambda teller, e, at: upper(e.says), mark=CARD, weight="card.ended"),
    OccasionCalled: Story(
        sentence=lambda teller, e, at: f"{e.occasion.title} is called, {teller.handbook.at(e.occasion.where)}",
        untold="the card that brought it is told",
        about=lambda e: e.occasion.who,
    ),
}
