"""Stories of who comes to town while it lives, and goes again."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.people.guests.apply import Came, Left, SetOff
from sandbox.stories.story import Block, Said, Story, Teller, Tied

DEAR = 0.5  # feeling, for or against, from which it concerns somebody that one has come
ROAD = "@"  # mark of rows: somebody from outside


def _came(teller: Teller, e: Came, at: Stamp) -> str:
    return f"{e.persona.name} has come to town" + (f" {e.why}" if e.why else "")


def _sheet(teller: Teller, e: Came, clock: Clock) -> Sequence[Block]:
    out = [Said(e.persona.about)] if e.persona.about else []
    out.append(Said(f"stays {teller.handbook.at(e.persona.home)}", "dim"))
    if e.until >= 0:
        out.append(Said(f"until {clock.words(e.until)}", "dim"))
    return out


def _ties(e: Came) -> list[Tied]:
    """What they bring from before, and how others stand to them."""
    me = e.persona.id
    mine = [Tied(me, x.with_, "feeling", x.feeling, x.feeling, x.why) for x in e.persona.history]
    return [*mine, *(Tied(x.with_, me, "feeling", x.feeling, x.feeling, x.why) for x in e.regards)]


STORIES: dict[type[Event], Story] = {
    Came: Story(
        sentence=_came,
        mark=ROAD,
        weight="guest.came",
        sheet=_sheet,
        result=True,
        ties=_ties,
        about=lambda e: (x.with_ for x in e.regards if abs(x.feeling) >= DEAR),
        counts=lambda e: [("guests", 1)],
    ),
    SetOff: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} set out to leave town", untold="the map shows it"
    ),
    Left: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} has left town", mark=ROAD, weight="guest.left"
    ),
}
