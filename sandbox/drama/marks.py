"""Marks: lasting impressions that important outcomes leave on those concerned (`marks` in drama.yaml)."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.people.mark_model import DO, HABITS, THEIRS, Marked, MarkRule
from sandbox.people.mood import emotion_vector, shift_mood
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_deck import ending_template, gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run

APART = HOUR  # minimum time between two marks of one person


class MarkCause(NamedTuple):
    """An outcome. kind and how: as in a `MarkRule`; a, b: those concerned, "" for nobody; says: the outcome in words;
    at: the block of the occasion that decided it; age: how long the pressure had existed, in seconds.
    """

    kind: str
    how: str
    a: str
    b: str
    says: str
    at: str = ""
    age: int = 0


def leave_marks(step: Step, w: HasTalk, x: MarkCause, t: int, seq: int) -> None:
    """Mark those an outcome concerns, except anyone marked just before: one affair often has several outcomes. seq: the
    outcome's event.
    """
    most = w.mood_parameters.marks
    rules = [r for r in w.drama.marks if r.kind == x.kind and x.how in r.how and x.age >= r.after and _at(r, x)]
    if not most or not rules or not pressures_run(w) or len(_today(w, t)) >= most:
        return
    for end, who, other in (("a", x.a, x.b), ("b", x.b, x.a)):
        rule = next((r for r in reversed(rules) if end in r.who), None)
        if who and rule is not None and not any(t - m.t < APART for m in w.people.residents[who].mood.marks):
            _mark(step, w, who, other, rule, x.says, t, seq)


def _at(rule: MarkRule, x: MarkCause) -> bool:
    return not rule.at or x.at in rule.at


def _today(w: HasTalk, t: int) -> set[int]:
    """The outcomes that have left a mark on the day of second t."""
    dawn = w.clock.midnight(w.clock.day(t))
    return {m.seq for r in w.people.residents.values() for m in r.mood.marks if m.t >= dawn}


def _mark(step: Step, w: HasTalk, who: str, other: str, rule: MarkRule, says: str, t: int, seq: int) -> None:
    """Mark one person by this rule: shift their mood and give them its habit."""
    t = max(t, step.now, w.last.get(who, 0), w.people.residents[who].mood.t)
    after, applied = shift_mood(mood_of(w, who, t), emotion_vector(rule.emotion, rule.size))
    habit = rule.habit if other or (rule.habit in HABITS[1:] and rule.where != THEIRS) else ""
    do, where = (rule.do, rule.where) if habit == DO else ("", "")
    event = Marked(applied, after, rule.emotion, says, rule.days * DAY, habit, other, do, where, rule.kind)
    step.emit(event, t=t, actor=who, causes=(seq,))


def of_pressure(w: HasTalk, p: ActivePressure, end: str, t: int) -> MarkCause:
    """The outcome that a pressure's ending is, in the deck's words."""
    says = ending_template(w.drama, p.kind, end)
    told = says.format(holder=w.handbook.name(p.holder), about=w.handbook.name(p.about), stakes=gist(p.stakes))
    return MarkCause(p.kind, end, p.holder, p.about, told, age=t - _began(w, p, t))


def _began(w: HasTalk, p: ActivePressure, t: int) -> int:
    """When a pressure began: of the cast's own, when it woke; of others, from the second in their id."""
    if p.id in w.cast_pressures:
        return w.cast_pressures[p.id].wakes
    born = p.id.rsplit(".", 1)[-1].rstrip("_")
    return int(born) if born.isdigit() else t
