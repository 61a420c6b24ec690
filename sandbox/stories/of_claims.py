"""Stories of claims: what came to be so between people, and what is so no longer."""

from __future__ import annotations

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.people.claims.model import Broken, Claim, Made
from sandbox.people.handbook import Handbook
from sandbox.stories.story import Block, Said, Story, Teller, Weighed

MADE = BROKEN = "#"  # mark of rows: what is so has changed


def claim_words(handbook: Handbook, sentence: str, claim: Claim | Made | Broken) -> str:
    """A sentence of a kind of claim about this one."""
    where = handbook.place(claim.where) if claim.where else ""
    told = sentence.format(a=handbook.name(claim.a), b=handbook.name(claim.b), terms=claim.terms, where=where)
    return told[:1].upper() + told[1:]


def _sentence(teller: Teller, e: Made | Broken, at: Stamp) -> str:
    kind = teller.handbook.claims.kinds[e.kind]
    return claim_words(teller.handbook, kind.made if isinstance(e, Made) else kind.broken, e)


def _weigh(teller: Teller, e: Made | Broken, at: Stamp) -> Weighed:
    size = "hard" if teller.handbook.claims.kinds[e.kind].hard else "soft"
    mark, what = (MADE, "made") if isinstance(e, Made) else (BROKEN, "broken")
    return Weighed(mark, teller.notable[f"claim.{what}_{size}"], why=e.why)


def _sheet(teller: Teller, e: Made | Broken, clock: Clock) -> list[Block]:
    return [Said(e.why, "dim")] if e.why else []


STORIES: dict[type[Event], Story] = {
    kind: Story(sentence=_sentence, weigh=_weigh, sheet=_sheet, about=lambda e: (x for x in (e.a, e.b) if x))
    for kind in (Made, Broken)
}
