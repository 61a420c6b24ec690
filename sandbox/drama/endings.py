"""What a matter comes to: some endings are only so where feelings and claims make them so."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.drama.new_pressures import definition_of
from sandbox.people.claim_model import Breaking, ClaimChanges
from sandbox.people.claim_standing import binds
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk


def ending_changes(w: HasTalk, p: ActivePressure, end: str) -> ClaimChanges:
    """All that an ending changes: as its kind has it, as this pressure itself does, and what its holder then has."""
    kind, made = w.drama.kinds[p.kind], definition_of(w, p)
    ending = kind.ends[end]
    if made is None:
        return ClaimChanges(ending.makes, ending.breaks)
    own = made.ends.get(end, ClaimChanges())
    goal = (made.wants,) if end == kind.goal and made.wants.kind else ()
    return ClaimChanges((*ending.makes, *own.makes, *goal), (*ending.breaks, *own.breaks))


def comes_to(w: HasTalk, p: ActivePressure, end: str, feelings: Iterable[Turned]) -> str:
    """The ending that it is: for good, say, only where one cannot stand the other by now and a claim breaks by it.

    feelings: as they turn with it.
    """
    ending = w.drama.kinds[p.kind].ends[end]
    if not ending.else_:
        return end
    felt = {(f.u, f.v): f.feeling for f in feelings}
    two = ((p.holder, p.about), (p.about, p.holder))
    sour = min(felt.get((u, v), tie_of(w, u, v).feeling) for u, v in two) < ending.below
    return end if sour and any(_there(w, p, x) for x in ending_changes(w, p, end).breaks) else ending.else_


def _there(w: HasTalk, p: ActivePressure, x: Breaking) -> bool:
    """Whether the two have such a claim."""
    return {x.a, x.b} <= {"holder", "about"} and binds(w, getattr(p, x.a), getattr(p, x.b), (x.kind,))
