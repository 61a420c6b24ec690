"""What a matter comes to: some endings are only so where feelings and claims make them so."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.drama.births import written
from sandbox.people.claims.model import Breaking, Changes
from sandbox.people.claims.standing import binds
from sandbox.people.pressures.model import Press, Turned
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk


def changes(w: HasTalk, p: Press, end: str) -> Changes:
    """All that an ending changes: as its kind has it, as this pressure itself does, and what its holder then has."""
    kind, made = w.drama.kinds[p.kind], written(w, p)
    ending = kind.ends[end]
    if made is None:
        return Changes(ending.makes, ending.breaks)
    own = made.ends.get(end, Changes())
    goal = (made.wants,) if end == kind.goal and made.wants.kind else ()
    return Changes((*ending.makes, *own.makes, *goal), (*ending.breaks, *own.breaks))


def comes_to(w: HasTalk, p: Press, end: str, feelings: Iterable[Turned]) -> str:
    """The ending that it is: for good, say, only where one cannot stand the other by now and a claim breaks by it.

    feelings: as they turn with it.
    """
    ending = w.drama.kinds[p.kind].ends[end]
    if not ending.else_:
        return end
    felt = {(f.u, f.v): f.feeling for f in feelings}
    two = ((p.holder, p.about), (p.about, p.holder))
    sour = min(felt.get((u, v), tie_of(w, u, v).feeling) for u, v in two) < ending.below
    return end if sour and any(_there(w, p, x) for x in changes(w, p, end).breaks) else ending.else_


def _there(w: HasTalk, p: Press, x: Breaking) -> bool:
    """Whether the two have such a claim."""
    return {x.a, x.b} <= {"holder", "about"} and binds(w, getattr(p, x.a), getattr(p, x.b), (x.kind,))
