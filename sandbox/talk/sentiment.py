"""How kind or harsh a text sounds, by its words alone: VADER's compound (Hutto & Gilbert 2014; MIT licence), made for
short texts. It knows words, not irony. Reversals ("nothing but kind") are rewritten first (`talk/negation.py`).

A town scores thousands of texts a day. Most contain only lexicon words, none of what VADER treats specially (negation,
booster, idiom, capitals, exclamation marks); for those the same compound is computed here directly, the rest by VADER.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from string import punctuation
from typing import Any

from sandbox.core.chance import Stream
from sandbox.talk.negation import read

KEPT = 20_000  # size of the cache
ALPHA = 15.0  # VADER's constant for normalising a sum of valences to (-1, 1)
_ODD = frozenset(["but", "no", "nor", "never", "so", "this", "without", "doubt", "least"])
_IDIOMS = frozenset(["shit", "bomb", "ass", "badass", "bus", "yeah", "kiss", "die", "beating"])


def manner(pleasure: float, chance: Stream) -> float:
    """How somebody in this mood sounds without words, in [-1, 1]. Fitted to 3,200 lines of ordinary talk of two weeks:
    this regression line (correlation .64) with this spread (standard deviation .34).
    """
    return max(-1.0, min(1.0, 0.77 * pleasure - 0.07 + 0.83 * (chance.unit() + chance.unit() - 1.0)))


@lru_cache(maxsize=KEPT)
def sentiment(text: str) -> float:
    """The sentiment of a text, from -1 (harsh) to 1 (kind)."""
    analyzer, special = _vader()
    valence, plain, total, found = analyzer.lexicon.get, text.isascii(), 0.0, False
    text = read(text, analyzer.lexicon)
    for word in text.split():
        bare = word.strip(punctuation)
        if len(bare) <= 2:  # VADER keeps these, as they may be emoticons
            bare = word
        low = bare.lower()
        x = valence(low)
        if x is not None:
            total += x
            found = True
            plain = plain and not bare.isupper()
        plain = plain and low not in special
    if not found and text.isascii():
        return 0.0
    if plain and "!" not in text and text.count("?") < 2 and "n't" not in text:
        return round(total / math.sqrt(total * total + ALPHA), 4)
    return float(analyzer.polarity_scores(text)["compound"])


@cache
def _vader() -> tuple[Any, frozenset[str]]:
    """VADER, and the words that it treats specially."""
    from vaderSentiment import vaderSentiment as vader

    boosters = (words.split()[0] for words in vader.BOOSTER_DICT)
    return vader.SentimentIntensityAnalyzer(), frozenset((*vader.NEGATE, *boosters)) | _ODD | _IDIOMS
