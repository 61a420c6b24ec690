"""Lines that call somebody a name.

What is called toxic here is an insult of our own list in a line that is negative by its sentiment (talk/sentiment.py)
and addresses somebody. It is not the Perspective API and its numbers do not compare with that.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sandbox.talk.sentiment import sentiment

NEGATIVE = -0.05  # VADER's own bound for a negative text
NEAR = 4  # words after the one that addresses somebody
_YOU = re.compile(r"(?:you|your|yours|yourself|you['’](?:re|ve|ll|d))")
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


def insulting(text: str) -> bool:
    """An insult, a negative sentiment and the second person: all three, the insult at most four words after "you"."""
    words = _WORD.findall(text.lower())
    found = [i for i, word in enumerate(words) if word in insults()]
    meant = any(_YOU.fullmatch(word) for i in found for word in words[max(0, i - NEAR) : i])
    return meant and sentiment(text) <= NEGATIVE


@cache
def insults() -> frozenset[str]:
    """The words of `insults.txt`."""
    lines = (Path(__file__).parent / "insults.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
