"""Whether somebody can live in a town: what is wrong with where they would stay and what they would do."""

from __future__ import annotations

from sandbox.core.faults import in_quotes
from sandbox.people.activities import Deck
from sandbox.people.persona import Persona
from sandbox.town.grid import TownMap
from sandbox.town.plan import arena_of

OWN = ("home", "work")  # words for places of one's own


def bed_fault(p: Persona, town: TownMap) -> str:
    """What is wrong with where somebody would sleep, "" if nothing is."""
    area = town.areas.get(p.home)
    if area is None:
        return f"there is no place {in_quotes(p.home)} in which {p.first} could stay; name a room of this town"
    if not area.beds():
        return (
            f"{in_quotes(p.home)}, where {p.first} would stay, has nothing to lie on; name a room with a bed or a sofa"
        )
    return ""


def wrong_life(p: Persona, town: TownMap, deck: Deck) -> str:
    """What is wrong with a life that is not of the world's own files, "" if nothing is."""
    places = {p.work or p.home, *(slot.where for day in p.routine.days for slot in day.slots)} - {*OWN}
    strange = sorted(place for place in places if arena_of(place) not in town.areas)
    odd = sorted({slot.do for day in p.routine.days for slot in day.slots} - deck.blocks.keys())
    if strange:
        return f"there is no place {in_quotes(strange[0])} for the days of {p.first}"
    if odd:
        return f"nobody can {in_quotes(odd[0])} here, as the days of {p.first} have it"
    return bed_fault(p, town)
