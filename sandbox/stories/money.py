"""Money in words: who paid what, lent, could not pay, or was paid on pay day."""

from __future__ import annotations

from sandbox.core.events import Record
from sandbox.core.text import spelt
from sandbox.people.handbook import Handbook
from sandbox.people.paying import LOAN, PART, Earned, Lacked, Paid
from sandbox.stories.notable import Notable
from sandbox.stories.phrases import Change
from sandbox.stories.pressures import MATTER, UNKNOWN, Matters

COINS = "$"  # mark of a row about money


def sentence(record: Record, handbook: Handbook, matters: Matters = UNKNOWN) -> str:
    """The words of an event of money, without full stop; "" for any other event."""
    e, name = record.event, handbook.name(record.stamp.actor)
    if isinstance(e, Earned):
        return f"Pay day: {len(e.wages)} people have their wages of the week"
    if isinstance(e, Lacked):
        near = f"; {handbook.name(e.seen)} was there" if e.seen else ""
        return f"{name} had not got {spelt(e.price)} for {e.what}{near}"
    if not isinstance(e, Paid):
        return ""
    sum_, to = spelt(e.amount), handbook.name(e.to)
    if not e.to:
        return f"{name} paid {sum_} for {e.what}"
    if e.what == LOAN:
        return f"{name} gave {to} {sum_}, to be paid back"
    m = matters.get(e.debt)
    what = f": {m.gist}" if m is not None else ""
    return f"{name} paid {to} {sum_} of what was owed{what}" if e.what == PART else f"{name} paid {to} {sum_}{what}"


def change(record: Record, handbook: Handbook, notable: Notable, matters: Matters = UNKNOWN) -> Change | None:
    """What is worth a line: pay day, and a part of a debt. That a debt is paid or begins is told by the debt."""
    e = record.event
    if isinstance(e, Earned):
        return Change(COINS, sentence(record, handbook), (), notable["money.payday"])
    if isinstance(e, Paid) and e.what == PART:
        who = (record.stamp.actor, e.to)
        return Change(MATTER, sentence(record, handbook, matters), who, notable["money.part"])
    return None
