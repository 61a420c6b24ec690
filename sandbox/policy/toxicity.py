"""How toxic a comment is, in [0, 1]: by a lexicon, or by a scorer of one's own. The scale is that of seed 001, by which
a comment from .25 on is worth nothing: a plain disagreement stays below .1, and an insult is above .25
(spec/policy.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.places import data_dir
from sandbox.feed.model import HOSTILE, HOT, Feed
from sandbox.feed.tables import Floats
from sandbox.feed.word_lists import TONES
from sandbox.feed.wording import default_wording
from sandbox.talk.sentiment import sentiment

Scorer = Callable[[Sequence[str]], Sequence[float]]
BITTER = 0.09  # of a text that is wholly bitter and insults nobody
INSULT, ANOTHER = 0.3, 0.1  # of the first insult in it, and of each other
STIRRED = 0.3  # what a hostile comment on a post of full heat adds
WORD = re.compile(r"[a-z][a-z'-]*")


@cache
def insults() -> frozenset[str]:
    """Words that insult whoever they are said to."""
    lines = (data_dir() / "insults.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def lexicon(texts: Sequence[str]) -> list[float]:
    """How toxic each text is, by its words."""
    found = []
    for text in texts:
        count = sum(word in insults() for word in WORD.findall(text.lower()))
        bitter = BITTER * max(0.0, -sentiment(text))
        found.append(min(1.0, bitter + (INSULT + ANOTHER * (count - 1) if count else 0.0)))
    return found


class CommentToxicity:
    """Scores comments of a feed. Texts by accounts are scored one by one; those of the crowd by tone, whose value is
    the mean over the lines it is made from, worked out once; and a hostile comment on a heated post by its heat as
    well.
    """

    def __init__(self, scorer: Scorer = lexicon) -> None:
        self.scorer = scorer
        self._tones: Floats | None = None

    def of(self, feed: Feed, comments: NDArray[np.integer]) -> Floats:
        """How toxic comments are, by number."""
        table = feed.comments
        if not len(comments):
            return np.zeros(0, np.float32)
        if self._tones is None:
            self._tones = np.array([np.mean(self.scorer(lines)) for lines in lines_by_tone()], np.float32)
        tone = table.tone[comments]
        found: Floats = self._tones[tone + 1]
        heat = feed.posts.heat[table.post[comments]] * np.float32(STIRRED / HOT)
        found = np.minimum(found + np.where(tone == HOSTILE, heat, np.float32(0)), np.float32(1))
        own = (table.author[comments] >= feed.crowd).nonzero()[0]
        if len(own):
            found[own] = self.checked([feed.comment_texts[number] for number in comments[own].tolist()])
        return found

    def checked(self, texts: Sequence[str]) -> Any:
        """The scores of texts. Raises ValueError if the scorer gives others than one number in [0, 1] for each."""
        scores = np.asarray(self.scorer(texts), np.float32)
        if scores.shape != (len(texts),) or not ((scores >= 0) & (scores <= 1)).all():
            raise ValueError(f"a scorer of toxicity gives a number from 0 to 1 for each text, not {scores[:5]}")
        return scores


@cache
def lines_by_tone() -> tuple[tuple[str, ...], ...]:
    """The lines that the crowd's comments are made from: hostile, neutral, warm."""
    wording = default_wording()
    return tuple(tuple(wording.lines(f"replies.{tone}")) for tone in TONES)
