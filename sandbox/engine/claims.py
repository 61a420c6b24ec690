"""What a foreign scenario is asked, word by word. Each raises ValueError with a message of one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sandbox.core.faults import quoted
from sandbox.people.purse import MOST

ENTRIES, NAME = 100_000, 120  # most entries of any list; most characters of a name
FAR = 2**40  # seconds: no hour, pause or number of days of a deck lies beyond


def need(fine: object, message: str) -> None:
    """Raise ValueError with this message unless it is fine."""
    if not fine:
        raise ValueError(message)


def within(x: float, low: float, high: float, what: str) -> None:
    """A number lies in a range."""
    if not low <= x <= high:
        raise ValueError(f"{what} is {x:.6g}, not between {low} and {high}")


def coins(sums: Iterable[int]) -> None:
    """Sums of money are such as a file may give."""
    for x in sums:
        within(x, 0, MOST, "a sum of money")


def named(text: str, what: str) -> None:
    """A name can be printed, and is not too long."""
    if not text.isprintable() or not text.strip() or len(text) > NAME:
        raise ValueError(f"{what} is empty, too long or not printable")


def known(words: Iterable[str], among: Collection[str], what: str) -> None:
    """All words are known ones."""
    for word in words:
        if word not in among:
            raise ValueError(f"there is no {what} {quoted(word)}")


def once(words: Sequence[str], what: str) -> None:
    """No word stands there twice."""
    twice = next((word for word, times in Counter(words).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"the {what} {quoted(twice)} stands there twice")
