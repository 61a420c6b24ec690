"""What must hold of what is asked and of what shows: questions have answers, and clues can be come upon."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandbox.core.faults import in_quotes
from sandbox.core.fields import Finding, duplicates, unknown_words
from sandbox.engine.rules_drama import shown_by
from sandbox.engine.rules_rounds import round_of
from sandbox.engine.scenario import Scenario
from sandbox.people.persona import Clue, Pressure, Truth
from sandbox.people.pressure_deck import SECRET
from sandbox.town.addresses import Addresses

TWO = 2  # clues that can be put together


def of_truth(s: Scenario, cast: Collection[str], places: Addresses) -> Iterator[Finding]:
    """What is odd in questions, facts and clues."""
    holders = {**{x.id: x.holder for x in s.pressures}, **{x.id: x.who for x in s.facts}}
    yield from duplicates(s.facts)
    asked = {x.asks for x in s.pressures}
    for fact in s.facts:
        if any(x.id == fact.id for x in s.pressures):
            yield Finding(fact, "id", f"{in_quotes(fact.id)} is a pressure, too; choose another")
        yield from unknown_words(fact, "who", (fact.who,), cast, "person of the cast")
        yield from unknown_words(fact, "known_by", fact.known_by, cast, "person of the cast")
        if s.drama.kinds and SECRET not in s.drama.kinds:
            yield Finding(
                fact, "", f"the deck (drama.yaml) has no {SECRET}, and a fact is told as one; add it", of="kinds"
            )
        if fact.id not in asked:
            yield Finding(
                fact, "id", "nobody asks about it; name it under `asks` of a pressure, or take it out", level="warning"
            )
    for x in s.pressures:
        yield from _asks(x, s, holders)
    owners: list[Pressure | Truth] = [*s.pressures, *s.facts]
    for owner in owners:
        yield from _clues(owner, s, cast, places)


def _asks(x: Pressure, s: Scenario, holders: dict[str, str]) -> Iterator[Finding]:
    if not x.asks:
        return
    yield from unknown_words(x, "asks", (x.asks,), holders, "pressure or fact")
    kind = s.drama.kinds.get(x.kind)
    if kind is not None and not kind.right.end:
        yield Finding(x, "asks", f"a {x.kind} ends by no answer; give its kind a `right` in drama.yaml, or take it out")
    elif holders.get(x.asks) == x.holder:
        yield Finding(x, "asks", f"{x.holder} knows {in_quotes(x.asks)}: it is their own; ask about something else")
    elif ring := round_of(x.id, {p.id: (p.asks,) for p in s.pressures}):
        yield Finding(x, "asks", f"leads back to itself ({' > '.join([*ring, x.id])}); ask about something that is so")


def _clues(owner: Pressure | Truth, s: Scenario, cast: Collection[str], places: Addresses) -> Iterator[Finding]:
    by = owner.holder if isinstance(owner, Pressure) else owner.who
    kind = s.drama.kinds.get(owner.kind if isinstance(owner, Pressure) else "")
    if isinstance(owner, Pressure) and owner.clues and kind is not None and not kind.found.end:
        yield Finding(owner, "clues", f"a {owner.kind} cannot be found out; give its kind a `found` in drama.yaml")
    elif owner.clues and len(owner.clues) + len(kind.clues if kind is not None else ()) < TWO:
        yield Finding(owner, "clues", "nobody can put one clue together; add a second", level="warning")
    for clue in owner.clues:
        yield from _clue(clue, by, s, cast, places)


def _clue(clue: Clue, by: str, s: Scenario, cast: Collection[str], places: Addresses) -> Iterator[Finding]:
    yield from unknown_words(clue, "known_by", clue.known_by, cast, "person of the cast")
    if by and by in clue.known_by:
        yield Finding(clue, "known_by", f"{by} hides it; name somebody else", (by,))
    if clue.where and (wrong := places.wrong(clue.where, (), False)):
        yield Finding(clue, "where", wrong)
    yield from shown_by(clue, s.drama)
    if not (clue.known_by or clue.where or clue.by):
        hangs = tuple((clue, field) for field in ("known_by", "where", "by"))
        yield Finding(clue, "", "nobody can come upon it; add `known_by`, `where` or `by`", written=True, hangs=hangs)
