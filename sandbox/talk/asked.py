"""What somebody can truly answer who is asked about a fact: who has done it may admit it, and nobody else."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.people.paying import has
from sandbox.people.pressure_deck import PressureWay, child_of
from sandbox.people.pressure_handlers import doer
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.model import HasTalk, ScoredRule
from sandbox.talk.pressure_aims import payer
from sandbox.talk.question_replies import Responded

PENNILESS = ScoredRule("has not got it", -1.0)
INNOCENT = ScoredRule("has done nothing of the kind", -1.0)


def guilty(w: HasTalk, p: ActivePressure) -> bool | None:
    """Whether it is the doing of whom a pressure is about, what it asks; None if it asks nothing that can be known."""
    known = p.asks and w.pressure_parameters.truth and not is_unrelated(w, p, thread_of(w, p.asks))
    by = doer(w, p.asks) if known else ""
    return by == p.about if by else None


def is_unrelated(w: HasTalk, p: ActivePressure, of: str) -> bool:
    """Whether what a pressure asks has nothing to do with what it is about: it was born of something else that merely
    looked odd. of: the thread of what it asks.
    """
    made = None if p.id in w.cast_pressures else w.drama.children.get(child_of(p.id))
    return made is not None and not made.asks and p.thread != of


def thread_of(w: HasTalk, matter: str) -> str:
    """The thread of a pressure that is open or the cast's. Another that is over is taken to have begun one itself."""
    p = w.pressures.open.get(matter)
    found = p if p is not None else w.cast_pressures.get(matter)
    return found.thread if found is not None else matter


def honest(w: HasTalk, p: ActivePressure, do: str, answer: Responded) -> Responded:
    """An answer as it can be given: nobody owns up to what they have not done, nor lends what they have not got."""
    if answer.how == "accept" and payer(p) == p.about and not has(w, p.about, p.amount):
        return replace(answer, how="refuse", why=(PENNILESS, *answer.why[:3]))
    admits = w.drama.kinds[p.kind].admits
    if not admits or guilty(w, p) is not False:
        return answer
    if not any(x.do == do and x.effect(answer.how).end == admits for x in w.drama.kinds[p.kind].ways):
        return answer
    return replace(answer, how="refuse", why=(INNOCENT, *answer.why[:3]))


def effective_way(w: HasTalk, p: ActivePressure, way: PressureWay, answer: str) -> PressureWay:
    """The way whose effects an answer has: who has done it and speaks of it freely does not clear themselves."""
    kind = w.drama.kinds[p.kind]
    if not kind.clears or way.effect(answer).end != kind.clears or not guilty(w, p):
        return way
    return next((x for x in kind.ways if (x.by, x.to) == (way.by, way.to) and x.accept.end == kind.admits), way)
