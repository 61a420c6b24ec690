"""Story turns: a pressure ends or breaks, a secret reaches somebody who matters, or feelings change much.

Pure functions of an event. A changed plan is the one turn that needs more than one event; `readers/incidents.py` finds
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from sandbox.core.events import Event
from sandbox.people.pressure_model import Ended, Stirred
from sandbox.talk.model import Closed

MUCH = 0.15  # change of closeness or feeling in one event that makes it a turn
SECRET, LEAK = "secret", "leak"
GOOD, BAD, NEUTRAL = "good", "bad", "neutral"
How = Literal["ended", "broke", "known", "felt", "planned"]  # "known": a secret becomes known
WEIGHT: dict[How, int] = {"planned": 0, "felt": 1, "known": 2, "broke": 3, "ended": 3}  # which turn represents a day
ROW, BETRAYAL = "row", "betrayal"


class StoryTurn(NamedTuple):
    """A turn of the story. tone: good, bad or neutral."""

    tone: str
    how: How


def find_turn(e: Event, kind: str, about: str) -> StoryTurn | None:
    """The turn that an event of a thread is, if any. kind, about: of the pressure it touches ("" if none)."""
    if isinstance(e, Ended):
        return StoryTurn(GOOD if e.good else BAD, "ended") if e.turn else None
    if isinstance(e, Stirred):
        if e.turn:
            return StoryTurn(BAD, "broke")
        if kind == SECRET and e.told and (e.how == LEAK or about in e.told):
            return StoryTurn(BAD if e.how == LEAK else NEUTRAL, "known")
        return _felt(f.delta for f in e.feelings)
    if isinstance(e, Closed):
        return _felt(x for r in e.relations for x in (r.feeling_delta, r.closeness_delta))
    return None


def quarrel(e: Event, kind: str) -> str:
    """ "row": a confrontation not given in to, or a break; "betrayal": a secret leaked or taken badly; else ""."""
    if not isinstance(e, (Stirred, Ended)):
        return ""
    bad = e.turn and (isinstance(e, Stirred) or not e.good)
    if kind == SECRET and (bad or (isinstance(e, Stirred) and e.how == LEAK and e.told)):
        return BETRAYAL
    return ROW if (e.hostile and e.answer != "accept") or (bad and isinstance(e, Stirred)) else ""


def _felt(deltas: Iterable[float]) -> StoryTurn | None:
    moved = list(deltas)
    if not any(abs(x) >= MUCH for x in moved):
        return None
    return StoryTurn(GOOD if sum(moved) > 0.0 else BAD, "felt")
