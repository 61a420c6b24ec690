"""Rewrites statements that something is not so, made without a negation, into ones with "not"; by kinds of phrase, as
`sentiment.py` does those with one: what could be better or should have been, what is wished, failed at or doubted, the
last thing somebody would do, and everything but what is named.
"""

from __future__ import annotations

from collections.abc import Container
from string import punctuation


def word_set(words: str) -> frozenset[str]:
    """Words that are written with spaces between."""
    return frozenset(words.split())


REACH = 4  # words after a phrase that are searched for the word it affects
SAVE = frozenset(("but", "except", "save"))
OPINION = 7  # words searched after an opinion, whose clause comes between
NEARLY = frozenset(("hardly", "scarcely", "barely"))
THINK = word_set(
    "think thinks thought believe believes believed suppose supposes supposed imagine imagines imagined expect expects "
    "expected call calls called say says said find finds found consider considers considered feel feels felt"
)
WHO = frozenset(("i", "you", "he", "she", "it", "we", "they"))
NOW = frozenset(("now", "today", "tonight", "here", "this", "then"))
MORE = frozenset(("more", "better", "worse"))
TURNED = frozenset(("but", "yet"))  # what follows is what is meant
DENIALS = frozenset(("not", "no", "none", "never", "nobody", "nothing", "cannot", "without"))
ARTICLES = frozenset(("a", "an", "the", "my", "your", "his", "her", "our", "their"))
PREPOSITIONS = frozenset(("", "of", "in", "to", "and", "or", "for", "with", "at", "on", "who", "that"))
STOPS = (".", ",", ";", ":", "!", "?", "…", "—", "–")
QUOTES = "\"'”’)"
AROUND = punctuation + "“”‘’…"  # what may stand about a word


class RewrittenWords:
    """Words being rewritten. low: each in lower case, bare, None if removed; said: all these; ends: whether each ends a
    clause.
    """

    def __init__(self, words: list[str], low: list[str], laden: Container[str]) -> None:
        self.words = [*words]
        self.low: list[str | None] = [*low]
        self.said = frozenset(low)
        self.ends = [not word[-1].isalpha() and word.rstrip(QUOTES).endswith(STOPS) for word in words]
        self.laden = laden
        self.settled: set[int] = set()  # places already decided

    def at(self, i: int) -> str:
        """The word at a place; "" if there is none or it was removed."""
        return (self.low[i] or "") if 0 <= i < len(self.low) else ""

    def drop(self, *places: int) -> None:
        """Remove the words at these places."""
        for i in places:
            self.low[i] = None

    def places(self, i: int, reach: int) -> range:
        """Up to `reach` places from i on, within the clause of the word before i."""
        before, end = max(i - 1, 0), min(i + reach, len(self.low))
        return range(i, self.ends.index(True, before) + 1 if True in self.ends[before : end - 1] else end)

    def parted(self, i: int, k: int) -> bool:
        """Whether a clause ends between two places."""
        return True in self.ends[max(i, 0) : k]

    def deny(self, i: int, n: int, reach: int = REACH) -> None:
        """Replace the phrase of n words at i by "not" before the laden word it affects."""
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
        """Put "not" before a word, and before a coordinated "more": "kinder and more honest"."""
        self.settled.add(at)
        self.words[at] = f"not {self.words[at]}"
        if self.at(at + 1) in ("and", "or") and self.at(at + 2) == "more" and not self.parted(at, at + 2):
            self.negate(at + 2)

    def named(self, i: int) -> bool:
        """Whether a word is capitalised like a name."""
        return 0 <= i < len(self.words) and self.words[i][:1].isupper()

    def than(self, k: int) -> bool:
        """Whether "than" follows a comparative; a time ("than today") does not count."""
        at = next((x for x in self.places(k + 1, 5) if self.at(x) == "than"), None)
        return at is not None and not any(self.at(x) in NOW for x in self.places(at + 1, 4))

    def more(self, k: int) -> bool:
        """Whether a comparative is at k: "kinder", "better", "more generous"; "less" does not count."""
        word = self.at(k)
        if word == "more":
            return self.at(k + 1) in self.laden
        if word in MORE or not word.endswith("er"):
            return word in MORE
        stems = (word[:-2], word[:-1], f"{word.removesuffix('ier')}y")
        last = self.at(k + 1) in PREPOSITIONS or self.ends[k]
        noun = self.at(k - 1) in ARTICLES and last  # "a helper", "a killer of men" are no comparison
        return not noun and any(stem in self.laden for stem in stems)


def denies(word: str | None) -> bool:
    """Whether a word is a plain negation."""
    return bool(word) and (word in DENIALS or str(word).endswith("n't"))


MODALS = frozenset(("could", "might", "should", "would"))
PERFECT = frozenset(f"{modal}'ve" for modal in MODALS)
DEGREES = word_set(  # between "could" and the comparative of what is
    "easily always well certainly also really quite so a lot much bit far little rather somewhat even slightly good "
    "deal great be do"
)
AFTER = frozenset(("to", "with", "about", "towards", "toward", "at", "for", "and", "but", "though"))
THEY = frozenset(("he", "she", "they", "you", "people"))  # of whom "should be kinder" is a reproach
TOLD = frozenset(("told", "tell", "heard", "sworn", "wished", "known"))
WISHES = frozenset(("wish", "wishes", "wished"))
UNREAL = MODALS | {"were", "was", "had", "did"}
FAILS = word_set(
    "fail fails failed failing neglect neglects neglected forget forgets forgot refuse refuses refused refusing "
    "decline declines declined cease ceases ceased omit omits omitted"
)
CLAUSES = frozenset(("how", "what", "why", "who", "whom", "whose", "when", "where", "which"))
OPENS = CLAUSES | {"that", "if", "whether"}
SURE = frozenset(("sure", "certain", "convinced", "persuaded"))
DOUBTS = frozenset(("doubt", "doubts", "doubted", "doubtful", "unlikely"))
_DOUBTERS = "do does did very much seriously really rather would to must still who we'd i'd strongly always sometimes"
DOUBTERS = WHO | word_set(_DOUBTERS)  # before a doubt that is a verb
UNDONE = FAILS | DOUBTS
DOUBTED = frozenset(("that", "if", "whether", "about", "of", "to"))
THINGS = frozenset(("thing", "word"))
PEOPLE = frozenset(("person", "man", "woman", "one", "people", "soul"))
IS = frozenset(("is", "was", "am", "are", "were", "be", "been"))
MEANT = frozenset(("want", "wants", "wanted", "mean", "means", "meant", "intended", "would", "mind"))
EXPECTED = frozenset(("would", "could", "expect", "expected"))
BEGINS = MODALS | PERFECT | WISHES | FAILS | SURE | DOUBTS | {"only", "last", "everything"}


class Unreal(RewrittenWords):
    """Words in which statements of what is not so, without a negation, are rewritten."""

    def unreal(self, i: int) -> bool:
        """Rewrite the phrase that begins at a word; returns whether there is one."""
        word, after = self.at(i), self.at(i + 1)
        if word in MODALS or word in PERFECT:
            return self._compared(i)
        if word in WISHES or word == "only":
            return self._wished(i - (word == "only"))
        if word in FAILS:
            return self._failed(i)
        if word in DOUBTS:
            return self._doubted(i)
        if word == "last":
            return self._last(i)
        if word == "everything" and after in SAVE and self.at(i + 2) not in ARTICLES:
            self.deny(i, 2, 2)
            return True
        undone = not UNDONE.isdisjoint(self.said) and self._undone(i)
        return undone or (not SURE.isdisjoint(self.said) and self._unsure(i))

    def _denied(self, i: int) -> bool:
        """Whether a word denies, or nearly so ("hardly")."""
        return denies(self.at(i)) or self.at(i) in NEARLY

    def _laden(self, i: int, reach: int, stops: frozenset[str] = frozenset()) -> int:
        """The first place of a laden word or comparative in the clause from i on, before any stop word; -1: none."""
        for k in self.places(i, reach):
            if self.at(k) in stops:
                return -1
            if self.at(k) in self.laden or self.more(k):
                return k
        return -1

    def _compared(self, i: int) -> bool:
        """ "Could be worse", "could have been better": it is not."""
        have = next((k for k in self.places(i + 1, 2) if self.at(k) == "have"), i)
        perfect = self.at(i) in PERFECT or have > i
        at = next((k for k in self.places(i + 1, OPINION) if self.more(k)), -1)
        if at < 0 or at in self.settled or any(self._denied(x) for x in range(i - 4, at)):
            return False
        between = {self.at(x) for x in range(i + 1, at)}
        if perfect:
            found = not between & (THINK | TOLD | self._laden_of(between)) or "known" in between
            found = found and self.at(at - 1) != "the" and self.at(have + 1) not in ARTICLES and at > have + 1
        else:
            found = bool(between & {"be", "do"}) and between <= DEGREES and self._ended(i, at, "do" in between)
        if found:
            self.negate(at)
        return found

    def _laden_of(self, words: set[str]) -> set[str]:
        """Those of some words that have a sentiment."""
        return {word for word in words if word in self.laden and word not in DEGREES}

    def _ended(self, i: int, at: int, does: bool) -> bool:
        """Whether a comparison concerns the present, not the future: only whom it is said of may follow."""
        modal, subject, after = self.at(i), self.at(i - 1), self.at(at + 1)
        if not (modal == "could" or (modal == "should" and subject in THEY)):
            return False
        if self.parted(at, at + 1) or not after or (does and after == "than"):
            return True
        return after in AFTER and not (after == "to" and subject not in THEY)

    def _wished(self, i: int) -> bool:
        """ "If only he were kind", "I wish she had been honest": not so."""
        only = self.at(i) == "if"
        if not only and self.at(i) not in WISHES:
            return False
        start = i + 1 + (only or self.at(i + 1) == "that")
        before = self.at(i - 1)
        if self.parted(i, start) or (not only and (before in ARTICLES or before in self.laden)):
            return False
        verb = next((k for k in self.places(start, REACH + 1) if self._past(k, start)), -1)
        if verb < 0 or self.at(start) == "to" or (self.at(start), self.at(verb)) == ("i", "could"):
            return False
        if not only and self._laden_of({self.at(k) for k in range(start, verb)}):
            return False
        at = self._laden(start if only else verb, OPINION)
        if at < 0:
            return False
        denial = next((k for k in range(verb, at) if self._denied(k)), -1)
        self.drop(*range(i, start), *([denial] if denial >= 0 else []))
        if denial < 0:
            self.negate(at)
        return True

    def _past(self, k: int, start: int) -> bool:
        """Whether an unreal past verb is at k, after its subject."""
        word = self.at(k)
        if word.endswith("'d"):
            return True
        return k > start and (word.removesuffix("n't") in UNREAL or (word.endswith("ed") and word in self.laden))

    def _failed(self, i: int) -> bool:
        """ "Failed to be kind", "refused to help"."""
        if self.at(i + 1) != "to" or self.parted(i, i + 2) or self.at(i + 2) in ARTICLES:
            return False
        at = self._laden(i + 2, REACH, OPENS)
        if at >= 0:
            self.drop(i)
            self.negate(at)
        return at >= 0

    def _doubted(self, i: int) -> bool:
        """ "I doubt he is honest", "doubts about her kindness", "unlikely to be kind"."""
        before, after = self.at(i - 1), self.at(i + 1)
        verb = before in DOUBTERS or self.at(i) in ("doubtful", "unlikely") or self.named(i - 1)
        at = self._laden(i + 1, OPINION) if (verb or after in DOUBTED) and not self.parted(i, i + 1) else -1
        if at >= 0:
            self.drop(i)
            self.unless_most(i, at)
        return at >= 0

    def unless_most(self, i: int, at: int) -> None:
        """Deny the word, unless it is denied that more is possible: "I doubt that it could be better"."""
        if self.is_most(i, at):
            self.settled.add(at)
        else:
            self.negate(at)

    def is_most(self, i: int, at: int) -> bool:
        """Whether a clause says that more is possible: "it could be better"."""
        could = {"could", "ever"} & {self.at(k) for k in range(i, at)}
        return bool(could) and self.more(at) and not self.than(at)

    def _undone(self, i: int) -> bool:
        """Remove a denied failure or doubt: "never fails to please", "no doubt he is kind"."""
        if not self._denied(i):
            return False
        for k in self.places(i + 1, 3):
            if (self.at(k) in FAILS and self.at(k + 1) == "to") or self.at(k) in DOUBTS:
                self.drop(i, k)
                return True
        return False

    def _unsure(self, i: int) -> bool:
        """ "Not so sure he is honest", "far from certain that she is kind"."""
        if self.at(i) == "no" or not (self._denied(i) or (self.at(i), self.at(i + 1)) == ("far", "from")):
            return False
        sure = next((k for k in self.places(i + 1, REACH) if self.at(k) in SURE), -1)
        if sure < 0 or self.parted(sure, sure + 1) or self.at(sure + 1) in CLAUSES:
            return False
        at = self._laden(sure + 1, OPINION)
        if at >= 0:
            self.drop(i, sure)
            self.unless_most(i, at)
        return at >= 0

    def _last(self, i: int) -> bool:
        """ "The last thing he is is honest", "the last person who would lie", "honest is the last thing he is"."""
        noun = self.at(i + 1)
        if noun in PEOPLE:
            start = next((k + 1 for k in self.places(i + 2, REACH) if self._would(k, EXPECTED)), -1)
            at = self._laden(start, OPINION) if start >= 0 else -1
        elif noun in THINGS:
            at = self._last_thing(i)
        else:
            return False
        if at >= 0:
            self.negate(at)
        return at >= 0

    def _last_thing(self, i: int) -> int:
        """The place of what somebody least is or wants; -1: none."""
        meant = -1
        for k in range(i + 2, min(i + 2 + OPINION, len(self.low))):
            if meant >= 0 and self.at(k) in IS and (self.at(meant) not in IS or meant == k - 1):
                return self._laden(k + 1, REACH)
            if self._would(k, MEANT) or self.at(k) in IS:
                meant = k
            if self.parted(k, k + 1) and not self.words[k].endswith(","):
                break
        what = i - 3 if self.at(i - 1) == "the" and self.at(i - 2) in IS and not self.parted(i - 3, i) else -1
        return what if meant >= 0 and self.at(what) in self.laden else -1

    def _would(self, k: int, words: frozenset[str]) -> bool:
        return self.at(k) in words or self.at(k).endswith("'d")
