"""Stories of where people are: the map shows them, so that the timeline tells none."""

from __future__ import annotations

from sandbox.core.events import Event
from sandbox.stories.story import Story
from sandbox.town.model import Arrived, Placed, Stopped, Walked

SHOWN = "the map shows it"

STORIES: dict[type[Event], Story] = {
    Placed: Story(sentence=lambda teller, e, at: f"{teller.name(at.actor)} was there", untold=SHOWN),
    Walked: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} set out for {teller.handbook.place(e.to)}",
        untold=SHOWN,
        counts=lambda e: [("walks", 1)],
    ),
    Arrived: Story(sentence=lambda teller, e, at: f"{teller.name(at.actor)} arrived", untold=SHOWN),
    Stopped: Story(sentence=lambda teller, e, at: f"{teller.name(at.actor)} stopped on the way", untold=SHOWN),
}
