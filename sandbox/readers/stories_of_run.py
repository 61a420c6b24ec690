"""Stories of how a town is run (its beginning, settings from outside, where the embedded mind stood in for another),
and of the player's goals and bets.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.plain import count_of
from sandbox.director.bet_offers import BetPlaced, BetSettled
from sandbox.director.goal_domain import GoalChosen, GoalDropped, GoalJudged
from sandbox.engine.domain import Reseeded, StepSet, StoodIn
from sandbox.engine.scenario import Founded
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText

STOOD_IN = "e"  # mark of timeline rows
QUIET = 1.5  # weight of a row that nobody needs to see


def _stood_in(teller: Teller, e: StoodIn, stamp: Stamp) -> str:
    return f"The embedded mind answered for {teller.name(stamp.actor)}: {e.answers[-1].fault}" if e.answers else ""


def _weigh_stood_in(teller: Teller, e: StoodIn, stamp: Stamp) -> MarkAndWeight | None:
    """One row an hour, since without a reachable mind every step has many."""
    return MarkAndWeight(STOOD_IN, QUIET, once=f"stood in: {e.answers[-1].fault}") if e.answers else None


# ---- the player's goals and bets


MARK = "&"  # mark of timeline rows: something from outside


def _judged(teller: Teller, e: GoalJudged, stamp: Stamp) -> str:
    return f'Your goal "{e.title}" is {"won" if e.won else "lost"}'


def _why(teller: Teller, e: GoalJudged, clock: Clock) -> Sequence[Block]:
    return [WrappedText(e.says), *([WrappedText(f"what stood in the way: {e.why}", "dim")] if e.why else [])]


def _odds(teller: Teller, e: BetPlaced, clock: Clock) -> Sequence[Block]:
    return [
        WrappedText(f"at {100 * e.chance:.0f} in a hundred; a point comes back as {e.pays:.2f}"),
        WrappedText(f"decided on {clock.words(e.due)}", "dim"),
    ]


def _settled(teller: Teller, e: BetSettled, stamp: Stamp) -> str:
    if e.how == "void":
        return f"Your bet is off, and the stake comes back. {e.says}"
    gain = f"won {count_of(e.gain, 'point')}" if e.how == "won" else f"lost {count_of(-e.gain, 'point')}"
    return f"You have {gain} on it. {e.says}"


STORIES: dict[type[Event], Story] = {
    Founded: Story(sentence=lambda teller, e, at: "The town began", untold="the timeline begins with it"),
    StepSet: Story(
        sentence=lambda teller, e, at: f"From the next step on a step lasts {e.seconds} seconds",
        untold="it is the player's own doing",
    ),
    Reseeded: Story(
        sentence=lambda teller, e, at: "From here on chance is another", untold="it is the player's own doing"
    ),
    StoodIn: Story(
        sentence=_stood_in,
        weigh=_weigh_stood_in,
        counts=lambda e: [("stood_in", len(e.answers))],
    ),
    GoalChosen: Story(
        sentence=lambda teller, e, at: f'You follow the goal "{e.title}" now',
        mark=MARK,
        weight="player.chosen",
        sheet=lambda teller, e, clock: [WrappedText(f"until {clock.words(e.by)}", "dim")],
    ),
    GoalDropped: Story(
        sentence=lambda teller, e, at: f'You follow the goal "{e.title}" no longer',
        mark=MARK,
        weight="player.chosen",
    ),
    GoalJudged: Story(
        sentence=_judged,
        mark=MARK,
        weight="player.judged",
        sheet=_why,
        result=True,
        counts=lambda e: [("goals won" if e.won else "goals lost", 1)],
    ),
    BetPlaced: Story(
        sentence=lambda teller, e, at: f"You bet {count_of(e.stake, 'point')} on it. {e.says}",
        mark=MARK,
        weight="player.bet",
        sheet=_odds,
    ),
    BetSettled: Story(
        sentence=_settled,
        mark=MARK,
        weight="player.settled",
        sheet=lambda teller, e, clock: [
            WrappedText(f"how it came out: {e.came}"),
            WrappedText(f"you have {e.tally} points", "dim"),
        ],
        result=True,
    ),
}
