"""Lines that insult somebody.

Toxic here means: an insult of our own list in a line of negative sentiment (talk/sentiment.py) that addresses somebody.
It is not the Perspective API, and the numbers are not comparable.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sandbox.talk.sentiment import sentiment

NEGATIVE = -0.05  # VADER's threshold of a negative text
NEAR = 4  # words after the word of address within which an insult counts
_YOU = re.compile(r"(?:you|your|yours|yourself|you['’](?:re|ve|ll|d))")
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


def insulting(text: str) -> bool:
    """Whether a line has an insult, negative sentiment and the second person, the insult at most four words after
    "you".
    """
    words = _WORD.findall(text.lower())
    found = [i for i, word in enumerate(words) if word in insults()]
    meant = any(_YOU.fullmatch(word) for i in found for word in words[max(0, i - NEAR) : i])
    return meant and sentiment(text) <= NEGATIVE


@cache
def insults() -> frozenset[str]:
    """The words of `insults.txt`."""
    lines = (Path(__file__).parent / "insults.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
