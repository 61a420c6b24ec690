"""What presses somebody: the open pressures they hold or are the object of, and how much trouble they make."""

from __future__ import annotations

from sandbox.people.pressures.model import Press
from sandbox.people.pressures.rules import intensity_at, of
from sandbox.stories.pressures import Matter
from sandbox.tui.viewer import Viewer


def matter_of(p: Press) -> Matter:
    """What an open pressure is about."""
    return Matter(p.id, p.kind, p.holder, p.about, p.stakes, p.cause, p.thread, p.seq)


def strength(viewer: Viewer, p: Press, t: float) -> float:
    """Its intensity at second t, in [0, 1]."""
    return intensity_at(p, int(t), viewer.world.pressure_parameters)


def weight(viewer: Viewer, p: Press, t: float) -> float:
    """How much it matters now, in [0, 4]: intensity, more with each stage."""
    return strength(viewer, p, t) * (p.stage + 1)


def pressing(viewer: Viewer, who: str, t: float) -> list[Press]:
    """The open pressures of somebody, what matters most first."""
    found = of(viewer.world.pressures, who)
    return sorted(found, key=lambda p: (-weight(viewer, p, t), p.id))


def felt(viewer: Viewer, who: str, t: float) -> Press | None:
    """What presses somebody most that they know of: what they hold goes before what others have with them."""
    kinds = viewer.world.drama.kinds
    mine = [p for p in pressing(viewer, who, t) if p.holder == who]
    others = [
        p
        for p in pressing(viewer, who, t)
        if p.holder != who and (who in p.known_by or (p.kind in kinds and kinds[p.kind].mutual))
    ]
    return next(iter((*mine, *others)), None)


def purse_words(viewer: Viewer, who: str) -> str:
    """Somebody's coins, and what they owe and are owed of it: "19, owes 120"; "" in a world without money."""
    w = viewer.world
    if w.money is None:
        return ""
    owes = sum(p.amount for p in of(w.pressures, who) if p.holder == who)
    owed = sum(p.amount for p in of(w.pressures, who) if p.holder != who)
    out = [str(w.people.residents[who].purse.coins)]
    out += [f"owes {owes:,}"] if owes else []
    return ", ".join(out + ([f"is owed {owed:,}"] if owed else []))


def trouble(viewer: Viewer, who: str, t: float) -> float:
    """The sum of intensity times stage over somebody's open pressures."""
    return sum(strength(viewer, p, t) * p.stage for p in of(viewer.world.pressures, who))
