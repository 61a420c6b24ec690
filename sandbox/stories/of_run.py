"""Stories of how a town is run: its beginning, what is set from outside, where another mind answered."""

from __future__ import annotations

from sandbox.core.events import Event, Stamp
from sandbox.engine.domain import Reseeded, StepSet, StoodIn
from sandbox.engine.scenario import Founded
from sandbox.stories.story import Story, Teller, Weighed

STOOD_IN = "e"
QUIET = 1.5  # weight of a row that nobody need see, beside the others of a day


def _stood_in(teller: Teller, e: StoodIn, at: Stamp) -> str:
    return f"The embedded mind answered for {teller.name(at.actor)}: {e.answers[-1].fault}" if e.answers else ""


def _weigh_stood_in(teller: Teller, e: StoodIn, at: Stamp) -> Weighed | None:
    """Where no mind can be reached, each step has many: one an hour."""
    return Weighed(STOOD_IN, QUIET, once=f"stood in: {e.answers[-1].fault}") if e.answers else None


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
}
