"""Stories of money: who paid what, lent, could not pay, or was paid on pay day."""

from __future__ import annotations

from sandbox.core.events import Event, Stamp
from sandbox.core.text import spelt
from sandbox.people.paying import GIFT, LOAN, PART, Earned, Lacked, Paid
from sandbox.readers.pressures import MATTER
from sandbox.readers.stories_of_pressures import matter_blocks
from sandbox.readers.story import MarkAndWeight, Story, Teller

COINS = "$"  # mark of timeline rows about money


def _paid(teller: Teller, e: Paid, stamp: Stamp) -> str:
    name, sum_, to = teller.name(stamp.actor), spelt(e.amount), teller.name(e.to)
    if not e.to:
        return f"{name} paid {sum_} for {e.what}"
    if e.what == LOAN:
        return f"{name} gave {to} {sum_}, to be paid back"
    if e.what == GIFT:
        return f"{name} gave {to} {sum_}"
    m = teller.matters.get(e.debt)
    what = f": {m.gist}" if m is not None else ""
    return f"{name} paid {to} {sum_} of what was owed{what}" if e.what == PART else f"{name} paid {to} {sum_}{what}"


def _weigh_paid(teller: Teller, e: Paid, stamp: Stamp) -> MarkAndWeight | None:
    """Only part payments make a row; that a debt begins or is settled is in the rows of the debt."""
    return MarkAndWeight(MATTER, teller.notable["money.part"]) if e.what == PART else None


def _lacked(teller: Teller, e: Lacked, stamp: Stamp) -> str:
    near = f"; {teller.name(e.seen)} was there" if e.seen else ""
    return f"{teller.name(stamp.actor)} had not got {spelt(e.price)} for {e.what}{near}"


STORIES: dict[type[Event], Story] = {
    Paid: Story(
        sentence=_paid,
        weigh=_weigh_paid,
        sheet=lambda teller, e, clock: matter_blocks(teller, e.debt),
        matter=lambda e: e.debt,
    ),
    Lacked: Story(sentence=_lacked, untold="what comes of it is told: a loan, a feeling"),
    Earned: Story(
        sentence=lambda teller, e, at: f"Pay day: {len(e.wages)} people have their wages of the week",
        mark=COINS,
        weight="money.payday",
    ),
}
