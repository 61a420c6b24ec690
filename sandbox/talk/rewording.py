"""A text as words that are taken out, or denied, one at a time: what turns of phrase are read with (`talk/negation.py`,
`talk/unreal.py`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from string import punctuation

REACH = 4  # words after such a phrase in which what it bears upon is looked for
SAVE = frozenset(("but", "except", "save"))
OPINION = 7  # the same after an opinion, whose clause comes between
NEARLY = frozenset(("hardly", "scarcely", "barely"))
_THINK = """
    think thinks thought believe believes believed suppose supposes supposed imagine imagines imagined expect expects
    expected call calls called say says said find finds found consider considers considered feel feels felt
"""
THINK = frozenset(_THINK.split())
WHO = frozenset(("i", "you", "he", "she", "it", "we", "they"))
NOW = frozenset(("now", "today", "tonight", "here", "this", "then"))
MORE = frozenset(("more", "better", "worse"))
TURNED = frozenset(("but", "yet"))  # what is said after it is what is meant
DENIALS = frozenset(("not", "no", "none", "never", "nobody", "nothing", "cannot", "without"))
ARTICLES = frozenset(("a", "an", "the", "my", "your", "his", "her", "our", "their"))
PREPOSITIONS = frozenset(("", "of", "in", "to", "and", "or", "for", "with", "at", "on", "who", "that"))
STOPS = (".", ",", ";", ":", "!", "?", "…", "—", "–")
QUOTES = "\"'”’)"


class RewrittenWords:
    """Words as they are rewritten. low: each bare and small, None where it is taken out."""

    def __init__(self, words: list[str], laden: Container[str]) -> None:
        self.words = [*words]
        self.low: list[str | None] = [bare_word(word) for word in words]
        self.laden = laden
        self.settled: set[int] = set()  # where it is said already whether it is so

    def at(self, i: int) -> str:
        """The word at a place, "" where none is or it is taken out."""
        return (self.low[i] or "") if 0 <= i < len(self.low) else ""

    def drop(self, *places: int) -> None:
        """Take out what is at some places."""
        for i in places:
            self.low[i] = None

    def places(self, i: int, reach: int) -> Iterator[int]:
        """The places from one on up to the end of the clause that the word before it is of, so many at most."""
        for k in range(i, min(i + reach, len(self.low))):
            if self.parted(k - 1, k):
                return
            yield k

    def parted(self, i: int, k: int) -> bool:
        """Whether a clause ends between two places."""
        return any(ends_clause(word) for word in self.words[max(i, 0) : k])

    def deny(self, i: int, n: int, reach: int = REACH) -> None:
        """Put "not" right before the laden word that the phrase of n words at i bears upon."""
        if self.parted(i, i + n):
            return
        places = [*self.places(i + n, reach + 1)]
        turned = next((k for k in places if n == 1 and self.at(k) in TURNED), -1)
        places = [k for k in places[:reach] if turned < 0 or k < turned]
        at = next((k for k in places if self.at(k) in self.laden and self.at(k) not in SAVE), -1)
        if at < 0 and turned < 0:
            return
        self.drop(*range(i, i + n))
        if turned >= 0:
            self.drop(*places)
        else:
            self.negate(at)

    def negate(self, at: int) -> None:
        """Put "not" before a word, and before a "more" that goes on from it: "kinder and more honest"."""
        self.settled.add(at)
        self.words[at] = f"not {self.words[at]}"
        if self.at(at + 1) in ("and", "or") and self.at(at + 2) == "more" and not self.parted(at, at + 2):
            self.negate(at + 2)

    def named(self, i: int) -> bool:
        """Whether a word is written as a name is."""
        return 0 <= i < len(self.words) and self.words[i][:1].isupper()

    def than(self, k: int) -> bool:
        """Whether a comparative goes on with a "than" of whom or what; "than today" leaves what it is as it stands."""
        at = next((x for x in self.places(k + 1, 5) if self.at(x) == "than"), None)
        return at is not None and not any(self.at(x) in NOW for x in self.places(at + 1, 4))

    def more(self, k: int) -> bool:
        """Whether a comparative stands there: "kinder", "better", "more generous"; of "less" nothing is the most."""
        word = self.at(k)
        if word == "more":
            return self.at(k + 1) in self.laden
        if word in MORE or not word.endswith("er"):
            return word in MORE
        stems = (word[:-2], word[:-1], f"{word.removesuffix('ier')}y")
        last = self.at(k + 1) in PREPOSITIONS or ends_clause(self.words[k])
        noun = self.at(k - 1) in ARTICLES and last  # "a helper", "a killer of men" are no comparison
        return not noun and any(stem in self.laden for stem in stems)


def bare_word(word: str) -> str:
    """A word small, without the marks around it."""
    return (word.strip(punctuation + "“”‘’…") or word).lower().replace("’", "'")


def denies(word: str | None) -> bool:
    """Whether a word is a plain denial."""
    return bool(word) and (word in DENIALS or str(word).endswith("n't"))


def ends_clause(word: str) -> bool:
    """Whether a clause ends with a word."""
    return word.rstrip(QUOTES).endswith(STOPS)
