"""How a mark comes to be, and how a habit is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandbox.core.events import Event, Stamp
from sandbox.people.handbook import Handbook
from sandbox.people.mark_model import AVOID, DO, STAY_IN, Marked
from sandbox.people.model import HasPeople
from sandbox.people.mood import MoodMark, enter_mark, strong
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.ties import pair_key
from sandbox.people.wording import mentions_person


def mark_of(e: Marked, at: Stamp) -> MoodMark:
    """The mark an event leaves; its number is that of the outcome."""
    return MoodMark(*e.delta, at.t, at.causes[0], e.why, e.half, e.habit, e.whom, e.do, e.where, e.kind)


def marked(w: HasPeople, e: Marked, at: Stamp) -> None:
    if e.whom and e.whom not in w.people.residents:
        raise ValueError(f"there is nobody {e.whom}")
    if not at.causes:
        raise ValueError("a mark of nothing")
    enter_mark(w.people.residents[at.actor].mood, mark_of(e, at), e.after)


HANDLERS: dict[type[Event], Callable[..., None]] = {Marked: marked}


def new_marks(w: HasPeople, who: str, t: int, span: int) -> Iterator[MoodMark]:
    """What has left a mark on somebody in the `span` seconds before second t and is about them; none that they hide."""
    first = w.handbook.name(who)
    marks = w.people.residents[who].mood.marks
    return (m for m in marks if t - m.t < span and m.kind not in HUSHED and mentions_person(m.why, first))


def strong_of(w: HasPeople, who: str, t: int) -> list[MoodMark]:
    """Somebody's marks with a habit that lasts still at second t."""
    return [m for m in w.people.residents[who].mood.marks if m.habit and strong(m, t)]


def shunned(w: HasPeople, t: int) -> set[str]:
    """The pairs of which one keeps out of the other's way at second t."""
    marks = ((who, m) for who, r in w.people.residents.items() for m in r.mood.marks)
    return {pair_key(who, m.whom) for who, m in marks if m.habit == AVOID and strong(m, t)}


def habit_words(handbook: Handbook, mark: MoodMark | Marked) -> str:
    """What somebody does since, completing their name: "keeps out of Yara's way"; "" if they do as they did."""
    other = handbook.name(mark.whom)
    if mark.habit == AVOID:
        return f"keeps out of {other}'s way"
    if mark.habit == STAY_IN:
        return "stays in"
    return f"finds time to {handbook.infinitive(mark.do)}" if mark.habit == DO else ""
