"""What somebody can truly answer who is asked about a fact: who has done it may admit it, and nobody else."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.people.paying import has
from sandbox.people.pressures.apply import doer
from sandbox.people.pressures.deck import Way
from sandbox.people.pressures.model import Press
from sandbox.talk.aims import payer
from sandbox.talk.deciding.replies import Responded
from sandbox.talk.model import HasTalk, Rule

PENNILESS = Rule("has not got it", -1.0)
INNOCENT = Rule("has done nothing of the kind", -1.0)


def guilty(w: HasTalk, p: Press) -> bool | None:
    """Whether it is the doing of whom a pressure is about, what it asks; None if it asks nothing that can be known."""
    by = doer(w, p.asks) if p.asks and w.pressure_parameters.truth else ""
    return by == p.about if by else None


def honest(w: HasTalk, p: Press, do: str, answer: Responded) -> Responded:
    """An answer as it can be given: nobody owns up to what they have not done, nor lends what they have not got."""
    if answer.how == "accept" and payer(p) == p.about and not has(w, p.about, p.amount):
        return replace(answer, how="refuse", why=(PENNILESS, *answer.why[:3]))
    admits = w.drama.kinds[p.kind].admits
    if not admits or guilty(w, p) is not False:
        return answer
    if not any(x.do == do and x.effect(answer.how).end == admits for x in w.drama.kinds[p.kind].ways):
        return answer
    return replace(answer, how="refuse", why=(INNOCENT, *answer.why[:3]))


def owned(w: HasTalk, p: Press, way: Way, answer: str) -> Way:
    """The way whose effects an answer has: who has done it and speaks of it freely does not clear themselves."""
    kind = w.drama.kinds[p.kind]
    if not kind.clears or way.effect(answer).end != kind.clears or not guilty(w, p):
        return way
    return next((x for x in kind.ways if (x.by, x.to) == (way.by, way.to) and x.accept.end == kind.admits), way)
