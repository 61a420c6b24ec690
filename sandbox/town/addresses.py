"""The valid addresses of a town, and messages for invalid ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sandbox.core.faults import in_quotes, suggestion
from sandbox.town.grid import TownMap
from sandbox.town.plan import FloorPlan


class Addresses:
    """names: sector -> names of its arenas, None if unknown. town: if given, objects are checked, too."""

    def __init__(self, names: Mapping[str, Collection[str] | None], town: TownMap | None = None) -> None:
        self._sectors = names
        self._town = town
        self.arenas = {f"{s} / {a}" for s, arenas in names.items() for a in arenas or ()}

    @classmethod
    def of(cls, plan: FloorPlan) -> Addresses:
        """The addresses of a floor plan."""
        return cls({s.name: [a.name for a in s.arenas] for s in plan.sectors})

    def wrong(self, address: str, words: Iterable[str] = (), objects: bool = False) -> str:
        """What is wrong with an address and how to fix it; "" if nothing is, or no area is known at all.

        words: what may stand instead ("home", "work"). objects: whether "Sector / arena / object" is allowed.
        """
        if not self.arenas or address in self.arenas or address in words:
            return ""
        sector, *rest = address.split(" / ")
        if self._sectors.get(sector, ()) is None:
            return ""
        of = list(self._sectors.get(sector) or ())
        if not rest and sector in self._sectors:
            return f"{in_quotes(sector)} is a whole sector" + (
                f"; write {in_quotes(f'{sector} / {of[0]}')}" if of else ""
            )
        arena = " / ".join((sector, *rest[:1]))
        if arena not in self.arenas or len(rest) > 2:
            near = suggestion(arena, (*self.arenas, *words)) or (
                f"; {in_quotes(sector)} has {', '.join(of)}" if of else ""
            )
            return f"no area {in_quotes(arena)}{near}"
        if not objects:
            return f"{in_quotes(address)} is an object; an area belongs here: {in_quotes(arena)}"
        if self._town is not None and address not in self._town.things:
            there = [t.address for t in self._town.areas[arena].things]
            return f"no object {in_quotes(address)}{suggestion(address, there)}"
        return ""
