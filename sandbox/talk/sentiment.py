"""How kind or harsh a text sounds, by its words alone: VADER's compound (Hutto & Gilbert 2014; MIT licence), made for
short texts. It knows words, not irony.
"""

from __future__ import annotations

from functools import cache, lru_cache
from string import punctuation
from typing import Any

KEPT = 20_000  # texts whose sentiment is kept


@lru_cache(maxsize=KEPT)
def sentiment(text: str) -> float:
    """From -1, harsh, to 1, kind. Of a text without a word of its lexicon VADER says 0: that is seen at once."""
    analyzer = _analyzer()
    known = analyzer.lexicon
    if not any(word in known or word.strip(punctuation) in known for word in text.lower().split()):
        return 0.0
    return float(analyzer.polarity_scores(text)["compound"])


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()
