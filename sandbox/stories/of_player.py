"""Stories of what the player is after: goals that are followed, and how they came out."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.director.goals.model import GoalChosen, GoalDropped, GoalJudged
from sandbox.stories.story import Block, Said, Story, Teller

MARK = "&"  # of rows: something from outside


def _judged(teller: Teller, e: GoalJudged, at: Stamp) -> str:
    return f'Your goal "{e.title}" is {"won" if e.won else "lost"}'


def _why(teller: Teller, e: GoalJudged, clock: Clock) -> Sequence[Block]:
    return [Said(e.says), *([Said(f"what stood in the way: {e.why}", "dim")] if e.why else [])]


STORIES: dict[type[Event], Story] = {
    GoalChosen: Story(
        sentence=lambda teller, e, at: f'You follow the goal "{e.title}" now',
        mark=MARK,
        weight="player.chosen",
        sheet=lambda teller, e, clock: [Said(f"until {clock.words(e.by)}", "dim")],
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
}
