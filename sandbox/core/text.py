"""Text as numbers, and as something safe to print.

`vector` hashes words and letter trigrams into 256 whole numbers (docs/mechanisms.md, Memory); `clean` removes what a
terminal could take for a command.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import is_joiner

DIMENSIONS = 256
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP = frozenset(
    _WORD.findall(
        "a an and are as at be been but by for from had has have he her hers him his i in is it its me my of on "
        "or our she so that the their them they this to us was we were will with you your"
    )
)


@lru_cache(65536)
def _bucket(token: str) -> int:
    return blake2b(token.encode(), digest_size=1).digest()[0]


def content_words(text: str) -> list[str]:
    """The words of a text that carry meaning, in lower case, in order."""
    return [w for w in _WORD.findall(text.lower()) if w not in _STOP]


@lru_cache(16384)
def word_cells(word: str) -> bytes:
    """The cells of a vector that a word adds 1 to: one thrice, and one for each of its trigrams."""
    padded = f"^{word}$"
    return bytes((*[_bucket(word)] * 3, *(_bucket(padded[i : i + 3]) for i in range(len(padded) - 2))))


def vector(text: str) -> NDArray[np.float32]:
    """256 whole numbers in [0, 127]: a word counts 3, a letter trigram 1. Products of two are exact."""
    return np.minimum(cell_counts(b"".join(map(word_cells, content_words(text)))), 127).astype(np.float32)


def cell_counts(cells: bytes) -> NDArray[np.intp]:
    """How much is added to each cell of a vector by adding 1 to these cells."""
    return np.bincount(np.frombuffer(cells, np.uint8), minlength=DIMENSIONS)


_ONES = [
    "nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelt(n: int) -> str:
    """A whole number in words up to 999, "sixty-two", and in digits above. 0 is "nothing"."""
    if not 0 <= n < 1000:
        return str(n)
    if n >= 100:
        rest = f" and {spelt(n % 100)}" if n % 100 else ""
        return f"{_ONES[n // 100]} hundred{rest}"
    if n < len(_ONES):
        return _ONES[n]
    return _TENS[n // 10 - 2] + (f"-{_ONES[n % 10]}" if n % 10 else "")


def often(n: int) -> str:
    """How many times, in words: "once", "twice", "three times"."""
    return {1: "once", 2: "twice"}.get(n) or f"{spelt(n)} times"


def join_names(names: Sequence[str]) -> str:
    """ "Mara", "Mara and Bo", "Mara, Bo and Tom"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def percents(parts: Mapping[str, float]) -> dict[str, int]:
    """Shares of a whole in whole percents with the same total: those with the largest remainder are rounded up
    (Hare-Niemeyer).
    """
    found = {key: int(100 * x + 1e-9) for key, x in parts.items()}
    left = round(100 * sum(parts.values())) - sum(found.values())
    for key in sorted(parts, key=lambda key: found[key] - 100 * parts[key])[:left]:
        found[key] += 1
    return found


def upper(text: str) -> str:
    """The text with its first letter a capital."""
    return text[:1].upper() + text[1:]


_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
_PROPER = {*_DAYS.split(), *_MONTHS.split(), "Advent", "Christmas", "Easter", "Whitsun"}  # they keep their capital


def mid_sentence(title: str) -> str:
    """A title as written within a sentence: "Quiz night" becomes "quiz night", "Ash Wednesday" stays."""
    first, _, rest = title.partition(" ")
    small = first in ("The", "A", "An") or (rest == rest.lower() and first != first.upper() and first not in _PROPER)
    return title[:1].lower() + title[1:] if small else title


_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")


def clean(text: str, limit: int = 400) -> str:
    """Text from outside, made safe for a terminal: one line of at most `limit` characters, without escapes and control
    or format characters, except joiners within words.
    """
    if len(text) <= limit and text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    text = _ESCAPE.sub("", text[: limit * 4])
    out = "".join(
        " " if ch in "\n\r\t" else ch
        for at, ch in enumerate(text)
        if ch in "\n\r\t" or unicodedata.category(ch)[0] != "C" or is_joiner(text, at)
    )
    out = " ".join(out.split())
    return out if len(out) <= limit else out[: limit - 1] + "…"
