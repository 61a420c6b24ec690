"""Stories of claims: what began to hold between people, and what ended."""

from __future__ import annotations

from dataclasses import replace

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.people.claim_handlers import claim_clause, claim_words
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.handbook import Handbook
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText

CHANGED = "#"  # mark of timeline rows about claims


def news_of(handbook: Handbook, e: ClaimEvent) -> str:
    """What an event made true, or ended, as a clause; "" if the claim is private, or another takes its place."""
    kind = handbook.claims.kinds[e.kind]
    if kind.private or (isinstance(e, Broken) and e.instead):
        return ""
    return claim_clause(handbook, kind.ended(e) if isinstance(e, Broken) else kind.made, e)


def _story(what: str) -> Story:
    """The story of a claim that was made or ended. what: "made" or "broken", part of the key of its weight."""

    def sentence(teller: Teller, e: ClaimEvent, stamp: Stamp) -> str:
        kind = teller.handbook.claims.kinds[e.kind]
        return claim_words(teller.handbook, kind.ended(e) if isinstance(e, Broken) else kind.made, e)

    def weigh(teller: Teller, e: ClaimEvent, stamp: Stamp) -> MarkAndWeight | None:
        kind = teller.handbook.claims.kinds[e.kind]
        if kind.private and isinstance(e, Made):
            return None  # the row about the confidence has said it
        size = "hard" if kind.hard else "soft"
        key = "passed" if isinstance(e, Broken) and e.instead else f"{what}_{size}"
        return MarkAndWeight(CHANGED, teller.notable[f"claim.{key}"], why=e.why)

    def sheet(teller: Teller, e: ClaimEvent, clock: Clock) -> list[Block]:
        stood = [c.since for c in teller.handbook.claims.claims if c.id == e.id and c.since and isinstance(e, Broken)]
        return [*(WrappedText(f"so since {since}") for since in stood), *([WrappedText(e.why, "dim")] if e.why else [])]

    return Story(
        sentence=sentence,
        weigh=weigh,
        sheet=sheet,
        about=lambda e: (x for x in (e.a, e.b) if x),
        aftermath=lambda e: "claims",
    )


STORIES: dict[type[Event], Story] = {
    Made: replace(_story("made"), claims=lambda e: (e,)),
    Broken: replace(_story("broken"), unclaims=lambda e: e.id),
}
