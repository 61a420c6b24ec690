"""Stories of claims: what came to be so between people, and what is so no longer."""

from __future__ import annotations

from sandbox.core.events import Event, Stamp
from sandbox.people.claims.model import Broken, Made
from sandbox.stories.story import Block, Said, Story, Teller, Weighed

MADE, BROKEN = "+", "-"  # marks of rows


def told(teller: Teller, sentence: str, e: Made | Broken) -> str:
    """A sentence of a kind of claim about this one."""
    where = teller.handbook.place(e.where) if isinstance(e, Made) and e.where else ""
    return sentence.format(a=teller.name(e.a), b=teller.name(e.b), terms=e.terms, where=where)


def _sentence(teller: Teller, e: Made | Broken, at: Stamp) -> str:
    kind = teller.handbook.claims.kinds[e.kind]
    return told(teller, kind.made if isinstance(e, Made) else kind.broken, e)


def _weigh(teller: Teller, e: Made | Broken, at: Stamp) -> Weighed:
    kind = teller.handbook.claims.kinds[e.kind]
    size = "hard" if kind.hard else "soft"
    mark, what = (MADE, "made") if isinstance(e, Made) else (BROKEN, "broken")
    return Weighed(mark, teller.notable[f"claim.{what}_{size}"], why=e.why)


def _sheet(teller: Teller, e: Made | Broken, clock: object) -> list[Block]:
    return [Said(e.why, "dim")] if e.why else []


def _about(e: Made | Broken) -> tuple[str, ...]:
    return tuple(who for who in (e.a, e.b) if who)


STORIES: dict[type[Event], Story] = {
    kind: Story(sentence=_sentence, weigh=_weigh, sheet=_sheet, about=_about) for kind in (Made, Broken)
}
