"""Marks: lasting impressions that important outcomes leave on those concerned (`marks` in drama.yaml), and what the
making or the end of a claim does to everybody it is worth something to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.people.claim_model import Broken, Made
from sandbox.people.claim_worth import MARKS, Stake, stakes_in
from sandbox.people.mark_model import BROKEN, DO, HABITS, MADE, THEIRS, Marked, MarkRule
from sandbox.people.mood import MoodMark, emotion_vector, mark_at, shift_mood
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_deck import ending_template, gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run

APART = HOUR  # two marks of one person within this are of one affair
LEFT = 0.1  # least size of the later of them; it adds to the first only what is more
SIZE = 0.5  # size of a mark, a unit of what the outcome is worth
GAIN, LOSS = "satisfaction", "distress"  # emotions where no rule of the deck has one that fits
MOVED = 0.5  # share of a gain that is left where one had the like before
LEAST = 0.1  # least worth of a change that is felt


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
    """Mark those an outcome concerns, as large as the deck's rules say. seq: the outcome's event."""
    rules = _rules(w, x) if may_mark(w, t) and pressures_run(w) else []
    for end, who, other in (("a", x.a, x.b), ("b", x.b, x.a)):
        rule = next((r for r in reversed(rules) if end in r.who), None)
        if who and rule is not None and not _lately(w, who, t):
            _mark(step, w, who, other, rule, rule.size, x.says, t, seq)


def appraise_claim(step: Step, w: HasTalk, e: Made | Broken, says: str, t: int, seq: int, moved: bool = False) -> None:
    """Let everybody feel what the making or the end of a claim is worth to them. Kinds of which no worth is told leave
    the marks of the deck's rules alone. says: what came of it, in words; seq: its event; moved: whether it replaces
    another of the same person.
    """
    x = MarkCause(e.kind, MADE if isinstance(e, Made) else BROKEN, e.a, e.b, says)
    if w.claim_deck.kinds[e.kind].worth:
        stakes = stakes_in(w, e)
        appraise_outcome(step, w, x, [s._replace(value=MOVED * s.value) for s in stakes] if moved else stakes, t, seq)
    else:
        leave_marks(step, w, x, t, seq)


def appraise_outcome(step: Step, w: HasTalk, x: MarkCause, stakes: Iterable[Stake], t: int, seq: int) -> None:
    """Let people feel what an outcome is worth to them; much of it leaves a mark, with the habit of the deck's rule.
    seq: the outcome's event.
    """
    if not pressures_run(w):
        return
    rules, marks = _rules(w, x), may_mark(w, t)
    for stake in stakes:
        rule, much, lately = _fitting(rules, stake, x.kind), abs(stake.value), _lately(w, stake.who, t)
        if any((m.p > 0.0) != (stake.value > 0.0) and _size(m) >= SIZE * much for m in lately):
            continue  # what they lost with it is more than this gain, or the other way round
        if much >= MARKS and marks:
            size = SIZE * much + (_joy(w, stake.who, x, t) if stake.value < 0.0 else 0.0)
            size = max(LEFT, size - sum(map(_size, lately)))
            _mark(step, w, stake.who, stake.other, rule, size, x.says, t, seq)
        elif much >= LEAST and not lately:
            express(step, w, stake.who, Appraisal(rule.emotion, much, x.says, stake.other), t, seq)


def _joy(w: HasTalk, who: str, x: MarkCause, t: int) -> float:
    """What is left of somebody's joy at getting what they lose now, as a size."""
    if x.how != BROKEN:
        return 0.0
    mine = (m for m in w.people.residents[who].mood.marks if m.kind == x.kind and m.whom in (x.a, x.b, ""))
    return sum(max(map(abs, mark_at(m, t))) for m in mine if m.p > 0.0)


def may_mark(w: HasTalk, t: int) -> bool:
    """Whether one more outcome may leave a mark on the day of second t."""
    most, dawn = w.mood_parameters.marks, w.clock.midnight(w.clock.day(t))
    found = {m.seq for r in w.people.residents.values() for m in r.mood.marks if m.t >= dawn} if most else set()
    return len(found) < most


def _fitting(rules: list[MarkRule], stake: Stake, kind: str) -> MarkRule:
    """The deck's rule for somebody's part in an outcome, if its emotion is as good, or as bad, as what it is worth."""
    for rule in reversed(rules):
        if stake.end in rule.who and (emotion_vector(rule.emotion, 1.0).p > 0.0) == (stake.value > 0.0):
            return rule
    return MarkRule(kind, (), GAIN if stake.value > 0.0 else LOSS, ())


def _rules(w: HasTalk, x: MarkCause) -> list[MarkRule]:
    return [r for r in w.drama.marks if r.kind == x.kind and x.how in r.how and x.age >= r.after and _at(r, x)]


def _at(rule: MarkRule, x: MarkCause) -> bool:
    return not rule.at or x.at in rule.at


def _lately(w: HasTalk, who: str, t: int) -> list[MoodMark]:
    """Somebody's marks of the same hour: one affair often has several outcomes."""
    return [m for m in w.people.residents[who].mood.marks if t - m.t < APART]


def _size(mark: MoodMark) -> float:
    return max(abs(mark.p), abs(mark.a), abs(mark.d))


def _mark(
    step: Step, w: HasTalk, who: str, other: str, rule: MarkRule, size: float, says: str, t: int, seq: int
) -> None:
    """Mark one person, who takes on the rule's habit."""
    t = max(t, step.now, w.last.get(who, 0), w.people.residents[who].mood.t)
    after, applied = shift_mood(mood_of(w, who, t), emotion_vector(rule.emotion, size))
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
