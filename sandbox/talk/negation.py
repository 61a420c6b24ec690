"""What reverses a word without saying "not", or says "not" and reverses nothing: read into plain words before a text is
scored, by kinds of phrase and never by the phrase.

- Restriction: "nothing but praise", "no one but friends", "nothing if not polite" deny all the rest: no denial is left.
- Distance: "anything but kind", "far from happy", "hardly a success", "less than honest" deny what follows: "not".
- What cannot be exceeded: "could not be kinder", "never been happier", "no one kinder", "no kinder soul", "couldn't
  agree more", "can't thank you enough", "nothing pleases me more" deny that there is more of it: no denial is left.
  Who is "no kinder", or "never kinder to her than to me", is denied to be so.
- What cannot be helped: "can't help but love it", "cannot but admire her": no denial is left.
- Reproach: in "why can't you be nicer", "couldn't she be kinder" what is asked for is denied to be so.
- Degree: in "no great harm", "not much of a success" the size is no praise: it is left out.
- Little: "did little to help" denies, "a little help" does not.
- Any: what "any" stands before is denied with its clause: "none of it was any good".
- Opinion: in "I don't think he is kind", "wouldn't call him honest" the denial is of what is thought: "not" goes there,
  unless it is that there could be more of it: "I don't think it could be better".

After Huddleston & Pullum 2002, ch. 9 (polarity, negative raising, approximate negators) in a plain form: a kind is a
pattern over words, and reaches the next laden word within a few of it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from string import punctuation

REACH = 4  # words after such a phrase in which what it bears upon is looked for
OPINION = 7  # the same after an opinion, whose clause comes between
NONE = frozenset(("nothing", "none", "nobody", "nowhere", "no-one", "no"))
SAVE = frozenset(("but", "except", "save"))
NEARLY = frozenset(("hardly", "scarcely", "barely"))
CAN = frozenset(("could", "can", "would"))
_LINKS = """
    am are is was were be been being he's she's it's that's i'm we're they're you're feel feels felt look looks
    looked seem seems seemed sound sounds sounded get gets got grow grew become became
"""
LINKS = frozenset(_LINKS.split())  # between who is meant and what is said of them
ASIDE = frozenset(("doubt", "wonder", "matter", "longer"))  # "no doubt" denies nothing of what follows
NOW = frozenset(("now", "today", "tonight", "here", "this", "then"))
_ADVERBS = """
    than off either there when if because since after by from as about
"""
ADVERBS = NOW | frozenset(_ADVERBS.split())
MORE = frozenset(("more", "better", "worse"))
SIZES = frozenset(("great", "big", "huge", "real", "much", "major", "terrible", "particular", "special", "grand"))
_THINK = """
    think thinks thought believe believes believed suppose supposes supposed imagine imagines imagined expect expects
    expected call calls called say says said find finds found consider considers considered feel feels felt
"""
THINK = frozenset(_THINK.split())
MAKE = frozenset(("make", "makes", "made", "give", "gives", "gave"))
WHO = frozenset(("i", "you", "he", "she", "it", "we", "they"))
TURNED = frozenset(("but", "yet"))  # what is said after it is what is meant
BEEN = frozenset(
    ("be", "been", "have", "had", "felt", "feel", "ask", "asked", "seen", "met", "known", "heard", "was", "is")
)
DENIALS = frozenset(("not", "no", "none", "never", "nobody", "nothing", "cannot", "without"))
_HAVE = """
    do does did done have has had is was there's of with made makes see saw
"""
HAVE = frozenset(_HAVE.split())
ARTICLES = frozenset(("a", "an", "the", "my", "your", "his", "her", "our", "their"))
TRIGGERS = NONE | NEARLY | DENIALS | {"anything", "far", "less", "little"}
_TURNS = re.compile(rf"\b(?:{'|'.join(sorted(TRIGGERS))})\b|n['’]t\b", re.IGNORECASE)
PREPOSITIONS = frozenset(("", "of", "in", "to", "and", "or", "for", "with", "at", "on", "who", "that"))
STOPS = (".", ",", ";", ":", "!", "?", "…", "—", "–")
QUOTES = "\"'”’)"


def turns(text: str) -> bool:
    """Whether a text has a word with which such a phrase may begin."""
    return _TURNS.search(text) is not None


def read(text: str, laden: Container[str]) -> str:
    """The text in words that say without a turn what it says with one. laden: words that have a sentiment."""
    words = text.split()
    said = _Said(words, laden)
    for i, word in enumerate(said.low):
        if word is not None:
            said.turn(i)
    kept = [word for word, low in zip(said.words, said.low, strict=True) if low is not None]
    return text if kept == words else " ".join(kept)


class _Said:
    """Words as they are rewritten. low: each bare and small, None where it is taken out."""

    def __init__(self, words: list[str], laden: Container[str]) -> None:
        self.words = [*words]
        self.low: list[str | None] = [bare(word) for word in words]
        self.laden = laden

    def turn(self, i: int) -> None:
        """Rewrite what begins at a word, if it is such a phrase."""
        word = self.low[i]
        if self._only(i) or self._reproach(i) or self._helpless(i) or self._beyond(i) or self._utmost(i):
            return
        after = self._at(i + 1)
        if (word == "anything" and after in SAVE) or (word, after) in (("far", "from"), ("less", "than")):
            self._deny(i, 2)
        elif word == "far" and (after, self._at(i + 2)) == ("cry", "from"):
            self._deny(i, 3)
        elif word in NEARLY or (word == "little" and self._at(i - 1) in HAVE):
            self._deny(i, 1, 3)
        elif denies(word):
            self._unsized(i)
            self._opinion(i)
            self._any(i)

    def _at(self, i: int) -> str:
        return (self.low[i] or "") if 0 <= i < len(self.low) else ""

    def _drop(self, *places: int) -> None:
        for i in places:
            self.low[i] = None

    def _next(self, i: int, reach: int) -> Iterator[int]:
        """The places from one on up to the end of the clause that the word before it is of, so many at most."""
        for k in range(i, min(i + reach, len(self.low))):
            if self._parted(k - 1, k):
                return
            yield k

    def _parted(self, i: int, k: int) -> bool:
        """Whether a clause ends between two places."""
        return any(ends(word) for word in self.words[max(i, 0) : k])

    def _deny(self, i: int, n: int, reach: int = REACH) -> None:
        """Put "not" right before the laden word that the phrase of n words at i bears upon."""
        if self._parted(i, i + n):
            return
        places = [*self._next(i + n, reach + 1)]
        turned = next((k for k in places if n == 1 and self._at(k) in TURNED), -1)
        places = [k for k in places[:reach] if turned < 0 or k < turned]
        at = next((k for k in places if self._at(k) in self.laden and self._at(k) not in SAVE), -1)
        if at < 0 and turned < 0:
            return
        self._drop(*range(i, i + n))
        if turned >= 0:
            self._drop(*places)
        else:
            self._not(at)

    def _not(self, at: int) -> None:
        self.words[at] = f"not {self.words[at]}"

    def _only(self, i: int) -> bool:
        """ "nothing but", "no one but", "no friend but", "nothing if not", "nothing short of": only."""
        if self._at(i) not in NONE | {"little"}:
            return False
        phrase = (self._at(i + 1), self._at(i + 2))
        meant = phrase in (("short", "of"), ("less", "than"))
        if (meant or phrase in (("if", "not"), ("other", "than"))) and not self._parted(i, i + 2):
            self._drop(i, i + 1, i + 2)
            return True
        if self._at(i) == "little":
            return False
        for k in (i + 1, i + 2):
            if self._at(k) in SAVE and not self._parted(i, k):
                one = self._at(i) != "no" or self._at(i + 1) == "one"
                if k == i + 1 or one or self._at(i + 1) not in self.laden:
                    self._drop(i, k)
                    return True
        return False

    def _beyond(self, i: int) -> bool:
        """A denial that there is more of it: "could not be kinder", "never been happier", "nobody kinder"."""
        word, before, can = self._at(i), self._at(i - 1), self._can(i)
        if not (can or word in ("never", *NONE, *NEARLY)):
            return False
        for k in self._next(i + 1, 5):
            if not self._more(k):
                continue
            between = {self._at(x) for x in range(i + 1, k)}
            if word in NONE:
                found = self._none(i, k, between)
            else:
                said = between & THINK - {"imagine", "find", "feel", "felt"}
                found = (can and not said) or bool(between & BEEN and not between & THINK - BEEN)
                found = found and not self._than(k) and ("any" not in between or can or before in CAN)
            if found:
                self._drop(i)
                return True
        return False

    def _none(self, i: int, k: int, between: set[str]) -> bool:
        """Whether "nobody", "nothing", "no one", "no friend", "no" at i has nothing go beyond the comparative at k: not
        where it says what somebody is ("is no better", "felt nothing worse"), nor what has become of it ("nothing got
        better").
        """
        if self._at(i - 1) in LINKS and self._at(i - 2) != "there":
            return False
        if self._at(i) == "no" and k == i + 1:
            return self._noun(k + 1 + (self._at(k) == "more"))
        if between & {"any", "and", "or"} or self._at(i + 1) in ASIDE:
            return False
        alone = not between - {"one", "else"} or (self._at(i) == "no" and k == i + 2)
        return alone or bool(between & (BEEN | CAN | MAKE)) or self._than(k)

    def _can(self, i: int) -> bool:
        """Whether it is denied that something can be: "can't", "could not", "could hardly"."""
        word = self._at(i)
        if word in ("not", "never", *NEARLY):
            return self._at(i - 1) in CAN
        return word == "cannot" or (word.endswith("n't") and word.removesuffix("n't") in CAN | {"ca"})

    def _reproach(self, i: int) -> bool:
        """ "Why can't you be nicer", "couldn't she be kinder": she is not."""
        if not self._can(i) or self._at(i + 1) not in WHO:
            return False
        at = next((k for k in self._next(i + 2, OPINION) if self._at(k) in self.laden or self._more(k)), -1)
        if at >= 0:
            self._drop(i)
            self._not(at)
        return at >= 0

    def _helpless(self, i: int) -> bool:
        """ "Can't help but love it", "can't help loving it", "cannot but admire her": one does."""
        if not self._can(i):
            return False
        places = [*self._next(i + 1, 3)]
        helped = self._at(i + 1) == "help"
        but = i + 1 + helped
        if but not in places or not (self._at(but) in SAVE or (helped and self._at(but).endswith("ing"))):
            return False
        self._drop(i, *range(i + 1, but + (self._at(but) in SAVE)))
        return True

    def _utmost(self, i: int) -> bool:
        """A denial that anybody does it more: "couldn't agree more", "can't thank you enough", "nothing hurts more"."""
        can = self._can(i) and "would" not in (self._at(i - 1), self._at(i)[:5])
        if not (can or self._at(i) in NONE) or self._at(i - 1) in LINKS:
            return False
        could = not can or "could" in (self._at(i - 1), self._at(i)[:5])  # who "can't win more" is not said to win most
        laden = False
        for k in self._next(i + 1, 3 + OPINION):
            last = self._at(k) in ("more", "enough") and self._at(k - 1) != "any"
            if laden and last and (could if self._at(k) == "more" else can) and self._at(k + 1) != "to":
                if not self._parted(k, k + 1) and self._at(k + 1) in self.laden:
                    return False
                self._drop(i)
                return True
            laden = laden or (k <= i + 2 + can and self._at(k) in self.laden and self._at(k) != "help")
        return False

    def _noun(self, k: int) -> bool:
        """Whether what a comparative right before it is said of stands there, as in "no better friend"."""
        return not self._parted(k - 1, k) and self._at(k) not in PREPOSITIONS | ADVERBS

    def _than(self, k: int) -> bool:
        """Whether a comparative goes on with a "than" of whom or what; "than today" leaves what it is as it stands."""
        at = next((x for x in self._next(k + 1, 5) if self._at(x) == "than"), None)
        return at is not None and not any(self._at(x) in NOW for x in self._next(at + 1, 4))

    def _more(self, k: int) -> bool:
        """Whether a comparative stands there: "kinder", "better", "more generous"; of "less" nothing is the most."""
        word = self._at(k)
        if word == "more":
            return self._at(k + 1) in self.laden
        if word in MORE or not word.endswith("er"):
            return word in MORE
        stems = (word[:-2], word[:-1], f"{word.removesuffix('ier')}y")
        last = self._at(k + 1) in PREPOSITIONS or ends(self.words[k])
        noun = self._at(k - 1) in ARTICLES and last  # "a helper", "a killer of men" are no comparison
        return not noun and any(stem in self.laden for stem in stems)

    def _unsized(self, i: int) -> None:
        """Take out a size between a denial and what it denies: "no great harm", "not much of a success"."""
        places = [*self._next(i + 1, REACH)]
        for n, k in enumerate(places):
            after = places[n + 1 : n + 4]
            if self._at(k) in SIZES and any(self._at(x) in self.laden for x in after):
                self._drop(k)

    def _opinion(self, i: int) -> None:
        """Put the denial of an opinion where the opinion is: "don't think he is kind" as "think he is not kind"."""
        verb = next((k for k in self._next(i + 1, 4) if self._at(k) in THINK), -1)
        if verb < 0:
            return
        places = [*self._next(verb + 1, OPINION)]
        at = next((k for k in places if self._at(k) in self.laden or self._more(k)), -1)
        if at < 0:
            return
        most = self._more(at) and {"could", "ever"} & {self._at(k) for k in places if k < at} and not self._than(at)
        if not most and at - i <= 3 and self._at(i) not in ("nobody", "no"):  # near enough to be denied as it stands
            return
        self._drop(i)
        if not most:
            self._not(at)

    def _any(self, i: int) -> None:
        """What "any" stands before is denied by a denial of its clause, however far: "none of it was any good"."""
        for k in self._next(i + 1, 3 + OPINION):
            if k > i + 3 and self._at(k - 1) == "any" and self._at(k) in self.laden:
                self._not(k)
                return


def bare(word: str) -> str:
    """A word small, without the marks around it."""
    return (word.strip(punctuation + "“”‘’…") or word).lower().replace("’", "'")


def denies(word: str | None) -> bool:
    """Whether a word is a plain denial."""
    return bool(word) and (word in DENIALS or str(word).endswith("n't"))


def ends(word: str) -> bool:
    """Whether a clause ends with a word."""
    return word.rstrip(QUOTES).endswith(STOPS)
