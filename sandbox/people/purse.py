"""Money: a purse for everybody, wages on pay day, prices of a dozen things. There is no market.

Sums are whole numbers of the smallest coin. A purse is never below nothing: who cannot pay goes without
(docs/mechanisms.md, Needs and money).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import DAY, DAYS, HOUR, Clock, parse_time
from sandbox.core.fields import meta

MOST_COINS = 10**6  # of a price, a wage, a debt and what a file may put into a purse
SATED = 2 * HOUR  # within which nobody pays for the same thing again
AMPLE, TIGHT = 30, 0.5  # what is left after paying is little up to half of the first, and plenty from 1.5 of it on
DEFAULT = "default"
NAMES = dict(zip(DAYS, ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), strict=True))

Sum = Annotated[int, meta(low=0, high=MOST_COINS)]
Given = Annotated[int, meta(low=0, high=MOST_COINS, given=1)]  # 0: none; a file that has the key gives at least 1
Coins = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Money(msgspec.Struct, frozen=True):
    """What a world says of money. prices: thing -> price. wages: job -> a week's wage, "default" for other jobs.

    day, at: when wages are paid, a day (core.clock.DAYS) and seconds after its midnight.
    """

    prices: Annotated[dict[str, Sum], meta("{coffee: 3, pint: 4}")] = {}
    wages: Annotated[dict[str, Sum], meta(f"{{baker: 60, {DEFAULT}: 40}}")] = {}
    day: Annotated[str, meta(options=DAYS, what="day")] = "fri"
    at: Annotated[int, meta(low=0, high=DAY)] = 12 * HOUR


class Purse(msgspec.Struct):
    """coins: what somebody has. thing, t: what they have last paid for, and when."""

    coins: Coins = 0
    thing: str = ""
    t: int = -DAY


def wage(money: Money, job: str, own: int | None) -> int:
    """What somebody earns in a week. own: what their file says, or None."""
    return own if own is not None else money.wages.get(job, money.wages.get(DEFAULT, 0))


def pay_hour(money: Money, clock: Clock, after: int) -> int:
    """The first second from `after` on that is at the hour of pay day, whatever the day."""
    return after + (money.at - clock.second_of_day(after)) % DAY


def payday(money: Money, clock: Clock, after: int) -> int:
    """The second of the first pay day from `after` on."""
    t = pay_hour(money, clock, after)
    while clock.weekday(t - money.at) != money.day:
        t += DAY
    return t


def spare(left: int) -> float:
    """How easily somebody can spare money, in [-1, 1], by the coins they have left without it."""
    return max(-1.0, min(1.0, left / AMPLE - TIGHT))


def parse_payday(text: str) -> tuple[str, int]:
    """ "friday 16:00" or "fri 16:00" as day and seconds after midnight. Raises ValueError."""
    day, _, hour = text.partition(" ")
    word = next((d for d in DAYS if day.lower() in (d, NAMES[d])), "")
    if not word or not hour:
        raise ValueError(f'"{text}" is no pay day; write it as "friday 16:00"')
    return word, parse_time(hour)
