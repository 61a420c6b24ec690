"""Copies of a town side by side, joined by roads, or more people in one town; for measuring how cost grows with the
number of people.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.engine.scenario import Opening, Scenario
from sandbox.people.persona import DaySlots, Persona
from sandbox.town.plan import Arena, FloorPlan, Occasion, Rect, Sector

ROAD = 2


def copies(scenario: Scenario, n: int, columns: int = 8) -> Scenario:
    """A scenario of n >= 1 copies, `columns` in a row, with a road around each.

    Person `mara` of copy 3 is `mara_3`, place "Chapel / nave" is "Chapel 3 / nave". Nobody knows
    the people of another copy.
    """
    plan = scenario.plan
    road = next(letter for letter, glyph in plan.legend.items() if glyph.kind == "ground" and glyph.look == "road")
    width, height = len(plan.rows[0]), len(plan.rows)
    columns = min(columns, n)
    rows_of_towns = -(-n // columns)
    rows: list[str] = []
    for _ in range(rows_of_towns):
        rows += [road * ((width + ROAD) * columns + ROAD)] * ROAD
        rows += [(road * ROAD + row) * columns + road * ROAD for row in plan.rows]
    rows += [road * ((width + ROAD) * columns + ROAD)] * ROAD
    across, down = width + ROAD, height + ROAD
    towns = [_Town(k + 1, ROAD + across * (k % columns), ROAD + down * (k // columns)) for k in range(n)]
    return replace(
        scenario,
        name=f"{scenario.name} x {n}",
        plan=FloorPlan(tuple(rows), plan.legend, tuple(t.sector(s) for t in towns for s in plan.sectors)),
        cast=tuple(t.person(p) for t in towns for p in scenario.cast),
        opening={t.id(who): Opening(t.place(o.where), o.do) for t in towns for who, o in scenario.opening.items()},
        calendar=tuple(t.occasion(o) for t in towns for o in scenario.calendar),
        pressures=(),
        facts=(),
        guests=(),
        newcomers=(),
        goals=(),
        claims=replace(scenario.claims, claims=(), uses=(), offices=(), titles={}),
        parts=tuple((t.x, t.y, width, height) for t in towns),
    )


def multiply_people(scenario: Scenario, n: int) -> Scenario:
    """The same town with n >= 1 times the people. Person `mara` of the third set is `mara_3`, first name "Mara3"; each
    set has a past with its own people, and only the first has pressures and occasions.
    """
    more = tuple(_again(p, lot) for lot in range(2, n + 1) for p in scenario.cast)
    return replace(scenario, cast=(*scenario.cast, *more))


def _again(persona: Persona, number: int) -> Persona:
    """A copy of a person, who knows the copies with the same number."""
    first, _, last = persona.name.partition(" ")
    return replace(
        persona,
        id=f"{persona.id}_{number}",
        name=f"{first}{number} {last}".strip(),
        household=f"{persona.household} {number}",
        speech=replace(persona.speech, calls={f"{who}_{number}": said for who, said in persona.speech.calls.items()}),
        history=tuple(replace(past, with_=f"{past.with_}_{number}") for past in persona.history),
    )


class _Town:
    """One copy of the town: its number, and the position of its top left corner."""

    def __init__(self, number: int, x: int, y: int) -> None:
        self.number, self.x, self.y = number, x, y

    def id(self, who: str) -> str:
        return f"{who}_{self.number}"

    def place(self, address: str) -> str:
        if not address or address in ("home", "work"):
            return address
        sector, slash, rest = address.partition(" / ")
        return f"{sector} {self.number}{slash}{rest}"

    def _rect(self, rect: Rect) -> Rect:
        x, y, w, h = rect
        return x + self.x, y + self.y, w, h

    def sector(self, s: Sector) -> Sector:
        arenas = tuple(Arena(a.name, self._rect(a.rect), a.floor, a.tags) for a in s.arenas)
        return replace(s, name=f"{s.name} {self.number}", rect=self._rect(s.rect), arenas=arenas)

    def person(self, p: Persona) -> Persona:
        days = tuple(
            DaySlots(d.days, tuple(replace(s, where=self.place(s.where)) for s in d.slots)) for d in p.routine.days
        )
        home, work = self.place(p.home), self.place(p.work)
        return replace(_again(p, self.number), home=home, work=work, routine=replace(p.routine, days=days))

    def occasion(self, o: Occasion) -> Occasion:
        who = tuple(self.id(w) for w in o.who)
        return replace(o, id=f"{o.id}_{self.number}", where=self.place(o.where), who=who, decides=None)
