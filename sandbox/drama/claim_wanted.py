"""Which claim the holder of a pressure wants: what its good end makes, said once."""

from __future__ import annotations

from sandbox.drama.new_pressures import definition_of
from sandbox.people.claim_model import Claim, Making
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.model import HasTalk


def wanted_making(w: HasTalk, p: ActivePressure) -> Making | None:
    """What is wanted, in parts: as the pressure itself says it, else as the ending does that is its kind's goal."""
    kind = w.drama.kinds[p.kind]
    if not kind.goal:
        return None
    made = definition_of(w, p)
    if made is not None and made.wants.kind:
        return made.wants
    ending = made.ends.get(kind.goal) if made is not None else None
    makes = (*(ending.makes if ending is not None else ()), *kind.ends[kind.goal].makes)
    return next(iter(makes), None)


def wanted_claim(w: HasTalk, p: ActivePressure) -> Claim | None:
    """The claim that the holder wants and does not have, without an id; None if there is none, or no plan for it."""
    said = wanted_making(w, p)
    if said is None or said.kind not in w.drama.plans or said.kind not in w.claim_deck.kinds:
        return None
    parts = {"holder": p.holder, "about": p.about}
    terms = said.terms.format(stakes=gist(p.stakes))
    return Claim("", said.kind, parts.get(said.a, ""), parts.get(said.b, ""), terms, said.where)
