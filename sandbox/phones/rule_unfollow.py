"""Unfollow and block: once feelings are bad enough; the other notices, and who is blocked must come in person."""

from __future__ import annotations

from sandbox.core.clock import DAY
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.feed.acting import ActingUser, Refused
from sandbox.feed.acts_of_people import connect_to
from sandbox.people.pressure_rules import pressures_between
from sandbox.phones.model import HasPhones
from sandbox.phones.rule_form import Hooks, record_crossing, ripe, rule_to_begin, start_pressure
from sandbox.phones.seeing import account_of, resident_of
from sandbox.talk.content import tie_of

NAME = "unfollow"
BLOCKS = -0.45  # feeling below which somebody with a grudge blocks
SEEN = DAY  # how long it can be noticed


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """Unfollow or block whom one cannot stand, and notice who has done so to oneself."""
    rule, account = w.phone_deck.rules.get(NAME), account_of(w, me)
    if rule is None or account is None:
        return
    for user in [*account.follows]:
        other = resident_of(w, user)
        if other and tie_of(w, me, other).feeling < rule.least and rule_to_begin(w, NAME, f"{me}>{other}", step.now):
            _lets_go(step, w, me, other, user, cause)
    for p in [*w.pressures.open.values()]:
        number = w.feed.handles.get(p.about, -1) if p.holder == me and p.kind == "grudge" and p.stage >= 2 else -1
        if number < 0 or number in account.blocks or tie_of(w, me, p.about).feeling >= BLOCKS:
            continue
        if rule_to_begin(w, NAME, f"{me} blocks {p.about}", step.now):
            _lets_go(step, w, me, p.about, number, cause)
    for key, (seq, t) in [*w.phones.let_go.items()]:
        by, _, whom = key.partition(">")
        fresh = step.now - SEEN < t < step.now
        if whom == me and fresh and ripe(w, NAME, _seen(w, me, by), step.now):
            _sees(step, w, me, by, seq)


def _lets_go(step: Step, w: HasPhones, me: str, other: str, user: int, cause: int) -> None:
    grudge = max(
        (p for p in pressures_between(w.pressures, me, other) if p.holder == me), key=lambda p: p.stage, default=None
    )
    hard = tie_of(w, me, other).feeling < BLOCKS and grudge is not None and grudge.stage >= 2
    t = free_moment(step, w, me)
    account = account_of(w, me)
    assert account is not None
    on = ActingUser(w.feed, account.number, t, f"cannot stand what {w.handbook.name(other)} writes any more", w.means)
    try:
        event = connect_to(on, "block" if hard else "unfollow", user)
    except Refused:
        return
    since = max((c.seq for c in tie_of(w, me, other).causes if c.delta < 0), default=0)
    seq = step.emit(event, t=t, actor=me, causes=tuple(x for x in (since, cause) if x))
    what = "blocked" if hard else "no longer followed"
    record_crossing(step, w, NAME, "feed", f"{me}>{other}", me, other, what, (seq, since))


def _sees(step: Step, w: HasPhones, me: str, by: str, seq: int) -> None:
    rule = w.phone_deck.rules[NAME]
    if step.chance(me, f"misses {by}").unit() >= rule.chance:
        return
    blocked = _blocked(w, me, by)
    crossed = max((p.last for p in pressures_between(w.pressures, me, by)), default=0)
    what = "blocked" if blocked else "no longer followed"
    seen = record_crossing(step, w, NAME, "street", _seen(w, me, by), me, by, what, (seq, crossed))
    start_pressure(step, w, rule, "blocked" if blocked else "slighted", seen, me, by)


def _blocked(w: HasPhones, me: str, by: str) -> bool:
    mine, theirs = account_of(w, me), account_of(w, by)
    return mine is not None and theirs is not None and theirs.number in mine.blocked_by


def _seen(w: HasPhones, me: str, by: str) -> str:
    """The key of noticing; a block can be noticed after an unfollowing."""
    return f"{me}<{by}" + (" blocked" if _blocked(w, me, by) else "")


HOOKS = Hooks(NAME, looked=looked)
