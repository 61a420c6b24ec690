"""Mercy: whoever has had a bad day is soon visited by somebody who likes them, and comes to be kind."""

from __future__ import annotations

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.drama.births import bear
from sandbox.drama.deal import moment
from sandbox.drama.model import HasDrama
from sandbox.drama.seeking import believed, free, go, leaves
from sandbox.people.perceive import area_at
from sandbox.people.planning import block_at
from sandbox.people.pressures.deck import kindness
from sandbox.people.pressures.model import Press
from sandbox.talk.content import busy, tie_of

WITHIN = 3 * HOUR  # of the last bad turn: so soon somebody comes
SPARED = HOUR  # so long nobody leaves a duty for it
LIKES = 0.2  # feeling from which somebody comes


def mercy(step: Step, w: HasDrama) -> None:
    """Send a friend to whoever has had their share of bad turns, unless one is on the way."""
    do = kindness(w.drama)
    enough = w.pressure_parameters.mercy
    if not do or not enough:
        return
    sought: set[str] | None = None  # by anybody now; asked for when first needed, and anew once somebody has gone
    for who, blows in tuple(w.pressures.hurt.items()):
        recent = [blow for blow in blows if step.now - blow[0] < DAY]
        if len(recent) < enough or step.now - recent[-1][0] >= WITHIN or not free(w, who):
            continue
        sought = _sought(w, step.now) if sought is None else sought
        if who in sought:
            continue
        late = step.now - recent[-1][0] >= SPARED
        friend = _friend(step, w, who, late)
        if not friend:
            continue
        if _thought(w, friend, who) is None:
            causes = tuple(seq for _, seq, _ in recent[-enough:])
            bear(step, w, w.drama.mercy, causes, friend, who, since=recent[-1][0], thread=recent[-1][2])
        p = _thought(w, friend, who)
        if p is not None:
            go(step, w, p, do, _where(step, w, friend, who))
            sought = None


def _sought(w: HasDrama, t: int) -> set[str]:
    """Whom somebody is just looking for."""
    return {r.plan[block_at(r, t)].whom for r in w.people.residents.values() if r.plan}


def _friend(step: Step, w: HasDrama, who: str, late: bool) -> str:
    """Who comes: of those who like them and can come now, one who already means to, else who likes them best.

    Early on, nobody leaves a duty for it, and nobody else comes while one means to. "" if nobody can.
    """
    stage = w.drama.children[w.drama.mercy].stage
    fond = [(x, _thought(w, x, who)) for x in w.cast if x != who and tie_of(w, x, who).feeling >= LIKES]
    mean_to = [x for x, p in fond if p is not None and p.stage >= stage]
    if late or not mean_to:
        mean_to += sorted((x for x, p in fond if p is None), key=lambda x: -tie_of(w, x, who).feeling)
    for x in mean_to:
        can = free(w, x) and (late or not busy(w, x)) and leaves(step, w, x, moment(step, w, x))
        if can and _where(step, w, x, who):
            return x
    return ""


def _where(step: Step, w: HasDrama, friend: str, who: str) -> str:
    """Where the friend looks: right there if they are in one place, else where others think that person is."""
    here = area_at(w, friend, step.now)
    return here if here and here == area_at(w, who, step.now) else believed(w, who, step.now)


def _thought(w: HasDrama, friend: str, who: str) -> Press | None:
    """What the friend has on their mind about somebody already, of the kind that mercy makes."""
    kind = w.drama.children[w.drama.mercy].kind
    return next((p for p in w.pressures.open.values() if (p.kind, p.holder, p.about) == (kind, friend, who)), None)
