"""How kind or harsh a text sounds, by its words alone: VADER's compound (Hutto & Gilbert 2014; MIT licence), made for
short texts. It knows words, not irony. What it takes for its opposite ("nothing but kind") is read before it is scored
(`talk/negation.py`).

A town asks thousands of times a day. Most texts hold nothing of what VADER looks at beside its lexicon (a negation, a
booster, an idiom, capitals, marks of exclamation): of those the compound is a sum that is worked out here, and the very
same; all others are VADER's.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from string import punctuation
from typing import Any

from sandbox.core.chance import Stream
from sandbox.talk.negation import read

KEPT = 20_000  # texts whose sentiment is kept
ALPHA = 15.0  # VADER's: what makes a sum of valences a number in (-1, 1)
_ODD = frozenset(["but", "no", "nor", "never", "so", "this", "without", "doubt", "least"])
_IDIOMS = frozenset(["shit", "bomb", "ass", "badass", "bus", "yeah", "kiss", "die", "beating"])


def manner(pleasure: float, chance: Stream) -> float:
    """How somebody in such a mood sounds, whatever they say, in [-1, 1]: as words do, of which 3,200 lines of ordinary
    talk in two weeks lie about this line (correlation .64) with this spread (standard deviation .34).
    """
    return max(-1.0, min(1.0, 0.77 * pleasure - 0.07 + 0.83 * (chance.unit() + chance.unit() - 1.0)))


@lru_cache(maxsize=KEPT)
def sentiment(text: str) -> float:
    """From -1, harsh, to 1, kind."""
    analyzer, special = _vader()
    valence, plain, total, found = analyzer.lexicon.get, text.isascii(), 0.0, False
    text = read(text, analyzer.lexicon)
    for word in text.split():
        bare = word.strip(punctuation)
        if len(bare) <= 2:  # VADER leaves what may be made of marks
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
    """VADER, and the words for which it does more than look them up."""
    from vaderSentiment import vaderSentiment as vader

    boosters = (words.split()[0] for words in vader.BOOSTER_DICT)
    return vader.SentimentIntensityAnalyzer(), frozenset((*vader.NEGATE, *boosters)) | _ODD | _IDIOMS
