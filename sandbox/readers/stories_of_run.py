"""Stories of what comes from outside: how a town is run (its beginning, settings, where the embedded mind stood in for
another), the cards a director deals, and the player's goals and bets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import upper
from sandbox.director.bet_offers import BetPlaced, BetSettled
from sandbox.director.goal_domain import GoalChosen, GoalDropped, GoalJudged
from sandbox.director.history import AnnalsOpened
from sandbox.director.model import FORCED, CardOver, CardPlayed, CardReached
from sandbox.engine.domain import Reseeded, StepSet, StoodIn
from sandbox.engine.scenario import Founded
from sandbox.people.beliefs import people_named
from sandbox.readers.facts import NewThing, Outside
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText, ties_from_feelings
from sandbox.society.model import NOBODY, TYPES, Grew
from sandbox.society.saved import SocietyBegan
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan, ConditionEnded

CARD = "&"  # mark of timeline rows: something from outside
FORCE = "by force"  # for a card that changes somebody directly instead of giving them a cause
DONE = "done"  # how a card ends that took effect


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


STOOD_IN = "e"  # mark of timeline rows
QUIET = 1.5  # weight of a row that nobody needs to see


def _stood_in(teller: Teller, e: StoodIn, stamp: Stamp) -> str:
    return f"The embedded mind answered for {teller.name(stamp.actor)}: {e.answers[-1].fault}" if e.answers else ""


def _weigh_stood_in(teller: Teller, e: StoodIn, stamp: Stamp) -> MarkAndWeight | None:
    """One row an hour, since without a reachable mind every step has many."""
    return MarkAndWeight(STOOD_IN, QUIET, once=f"stood in: {e.answers[-1].fault}") if e.answers else None


# ---- the player's goals and bets


def _why(teller: Teller, e: GoalJudged, clock: Clock) -> Sequence[Block]:
    return [WrappedText(e.says), *([WrappedText(f"what stood in the way: {e.why}", "dim")] if e.why else [])]


def _settled(teller: Teller, e: BetSettled, stamp: Stamp) -> str:
    if e.how == "void":
        return f"Your bet is off, and the stake comes back. {e.says}"
    gain = f"won {count_of(e.gain, 'point')}" if e.how == "won" else f"lost {count_of(-e.gain, 'point')}"
    return f"You have {gain} on it. {e.says}"


# ---- a society that is a world by itself


def _grew(teller: Teller, e: Grew, stamp: Stamp) -> str:
    asked = ", ".join(f"{t.source} of {t.target}" for t in e.trials)
    helped = sum(t.grant.accepted for t in e.trials)
    came = f"An agent of type {TYPES[e.newborn]} came. " if e.newborn != NOBODY else ""
    return f"{came}Asked: {asked}; {helped} of {len(e.trials)} gave some"


_row = partial(Story, mark=CARD)

STORIES: dict[type[Event], Story] = {
    Founded: Story(sentence=lambda teller, e, at: "The town began", untold="the timeline begins with it"),
    SocietyBegan: Story(
        sentence=lambda teller, e, at: f"A society began, of {2 * e.parameters.begin} agents",
        untold="the timeline begins with it",
    ),
    Grew: Story(sentence=_grew, untold="a society has no day"),
    StepSet: Story(
        sentence=lambda teller, e, at: f"From the next step on a step lasts {e.seconds} seconds",
        untold="it is the player's own doing",
    ),
    Reseeded: Story(
        sentence=lambda teller, e, at: "From here on chance is another", untold="it is the player's own doing"
    ),
    StoodIn: Story(sentence=_stood_in, weigh=_weigh_stood_in, counts=lambda e: [("stood_in", len(e.answers))]),
    GoalChosen: _row(
        sentence=lambda teller, e, at: f'You follow the goal "{e.title}" now',
        weight="player.chosen",
        sheet=lambda teller, e, clock: [WrappedText(f"until {clock.words(e.by)}", "dim")],
    ),
    GoalDropped: _row(
        sentence=lambda teller, e, at: f'You follow the goal "{e.title}" no longer', weight="player.chosen"
    ),
    GoalJudged: _row(
        sentence=lambda teller, e, at: f'Your goal "{e.title}" is {"won" if e.won else "lost"}',
        weight="player.judged",
        sheet=_why,
        result=True,
        counts=lambda e: [("goals won" if e.won else "goals lost", 1)],
    ),
    BetPlaced: _row(
        sentence=lambda teller, e, at: f"You bet {count_of(e.stake, 'point')} on it. {e.says}",
        weight="player.bet",
        sheet=lambda teller, e, clock: [
            WrappedText(f"at {100 * e.chance:.0f} in a hundred; a point comes back as {e.pays:.2f}"),
            WrappedText(f"decided on {clock.words(e.due)}", "dim"),
        ],
    ),
    BetSettled: _row(
        sentence=_settled,
        weight="player.settled",
        sheet=lambda teller, e, clock: [
            WrappedText(f"how it came out: {e.came}"),
            WrappedText(f"you have {e.tally} points", "dim"),
        ],
        result=True,
    ),
    CardPlayed: _row(
        sentence=lambda teller, e, at: f"{e.says} ({FORCE})" if e.force else e.says,
        weight="card.played",
        about=lambda e: (e.dealt.to, e.dealt.whom),
        sheet=_sheet,
        counts=lambda e: [("cards", 1)],
        outside=lambda e, at: Outside(),
    ),
    CardReached: Story(
        sentence=_reached,
        weigh=_weigh_reached,
        about=lambda e: (e.about, e.loser),
        ties=lambda e: ties_from_feelings(e.feelings),
        thing=lambda drama, e, at: (
            NewThing(e.thing, at.actor, tuple(x for x in (at.actor, e.about, e.loser) if x)) if e.thing else None
        ),
        result=True,
        outside=lambda e, at: Outside((at.actor, e.about, e.loser, *people_named(e.told)), passes=True),
    ),
    AnnalsOpened: Story(
        sentence=lambda teller, e, at: "From here on it is kept how matters end",
        untold="it is for whoever waits for something",
    ),
    CardOver: Story(sentence=_over, weigh=_weigh_over),
    ConditionBegan: Story(
        sentence=lambda teller, e, at: upper(e.says),
        untold="the card that brought it is told",
        about=lambda e: (e.who,),
        sheet=lambda teller, e, clock: [WrappedText(f"until {clock.words(e.until)}", "dim")],
        outside=lambda e, at: Outside(),
    ),
    ConditionEnded: _row(sentence=lambda teller, e, at: upper(e.says), weight="card.ended"),
    OccasionCalled: Story(
        sentence=lambda teller, e, at: f"{e.occasion.title} is called, {teller.handbook.at(e.occasion.where)}",
        untold="the card that brought it is told",
        about=lambda e: e.occasion.who,
        outside=lambda e, at: Outside(),
    ),
}
