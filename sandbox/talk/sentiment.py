"""How kind or harsh a text sounds, by its words alone: VADER's compound (Hutto & Gilbert 2014; MIT licence), made for
short texts. It knows words, not irony. Reversals ("nothing but kind") are rewritten first
(`_Denied`, `talk/unreal.py`).

A town scores thousands of texts a day. Most contain only lexicon words, none of what VADER treats specially (negation,
booster, idiom, capitals, exclamation marks); for those the same compound is computed here directly, the rest by VADER.
"""

from __future__ import annotations

import math
from collections.abc import Container
from functools import cache, lru_cache
from string import punctuation
from typing import Any

from sandbox.core.chance import Stream
from sandbox.talk.unreal import (
    AROUND,
    ARTICLES,
    BEGINS,
    DENIALS,
    NEARLY,
    NOW,
    OPINION,
    PREPOSITIONS,
    REACH,
    SAVE,
    THINK,
    WHO,
    Unreal,
    denies,
    word_set,
)

NONE = frozenset(("nothing", "none", "nobody", "nowhere", "no-one", "no"))
CAN = frozenset(("could", "can", "would"))
LINKS = word_set(  # linking verbs, between subject and predicate
    "am are is was were be been being he's she's it's that's i'm we're they're you're feel feels felt look looks "
    "looked seem seems seemed sound sounds sounded get gets got grow grew become became"
)
ASIDE = frozenset(("doubt", "wonder", "matter", "longer"))  # "no doubt" denies nothing of what follows
ADVERBS = NOW | word_set("than off either there when if because since after by from as about")
SIZES = frozenset(("great", "big", "huge", "real", "much", "major", "terrible", "particular", "special", "grand"))
MAKE = frozenset(("make", "makes", "made", "give", "gives", "gave"))
BEEN = word_set("be been have had felt feel ask asked seen met known heard was is")
HAVE = word_set("do does did done have has had is was there's of with made makes see saw")
INVERTS = frozenset(("not", "never", "nor", "neither", "nowhere", "rarely", "seldom"))
MOST = frozenset(("more", "enough"))
NOT_THESE = frozenset(("only", "just", "until", "till", "before", "without"))  # "not until noon did she" says she did
AT = frozenset(("at", "in", "under", "on", "by"))
DID = word_set("do does did has have had am is are was were will would can could shall should")
SUCH = frozenset(("such", "so", "as"))
HOLD = frozenset(("have", "has", "had", "hold", "holds", "held", "got", "having", "i've", "you've", "we've", "they've"))
GRUDGES = frozenset(("objection", "objections", "quarrel", "grudge", "grudges"))
AGAINST = GRUDGES | {"against"}
TRIGGERS = NONE | NEARLY | DENIALS | BEGINS | INVERTS | {"anything", "far", "less", "little"}


def rewrite_denials(text: str, laden: Container[str]) -> str:
    """The text with all phrases rewritten that deny, or seem to. laden: words that have a sentiment."""
    plain = text.lower().replace("’", "'")
    low = [word.strip(AROUND) or word for word in plain.split()]
    if "n't" not in plain and TRIGGERS.isdisjoint(low):
        return text
    words = text.split()
    said = _Denied(words, low, laden)
    for i, word in enumerate(said.low):
        if word is not None and (word in TRIGGERS or word.endswith("n't")):
            said.turn(i)
    kept = [word for word, low in zip(said.words, said.low, strict=True) if low is not None]
    return text if kept == words else " ".join(kept)


class _Denied(Unreal):
    """Rewrites phrases that reverse a word without "not", or have a "not" that reverses nothing, into plain words
    before a text is scored; by kinds of phrase, never by single phrases. What is unreal without a denial ("failed to be
    kind", "if only he were kind") is handled in `talk/unreal.py`.

    After Huddleston & Pullum 2002, ch. 9 (polarity, negative raising, approximate negators) in a plain form: a kind is
    a pattern over words, and affects the next laden word within a few words.
    """

    def turn(self, i: int) -> None:
        """Rewrite the phrase that begins at a word, if there is one."""
        word, said = self.low[i], self.said
        if ("less" in said and self._less(i)) or ("without" in said and self._without(i)):
            return
        if not AGAINST.isdisjoint(said) and self._against(i):
            return
        if self.unreal(i) or self._inverted(i) or self._only(i) or self._reproach(i) or self._helpless(i):
            return
        if self._beyond(i) or (not MOST.isdisjoint(said) and self._utmost(i)):
            return
        after = self.at(i + 1)
        if (word == "anything" and after in SAVE) or (word, after) in (("far", "from"), ("less", "than")):
            self.deny(i, 2)
        elif word == "far" and (after, self.at(i + 2)) == ("cry", "from"):
            self.deny(i, 3)
        elif word in NEARLY or (word == "little" and self.at(i - 1) in HAVE):
            self.deny(i, 1, 3)
        elif denies(word):
            if not SIZES.isdisjoint(said):
                self._unsized(i)
            if not THINK.isdisjoint(said):
                self._opinion(i)
            if "any" in said:
                self._any(i)

    def _less(self, i: int) -> bool:
        """ "Less kind" is not kind, "no less kind" and "not any less kind" are kind."""
        word = self.at(i)
        if word == "less" and self.at(i - 1) != "or" and not self.parted(i, i + 1) and self.at(i + 1) in self.laden:
            self.drop(i)
            self.negate(i + 1)
            return True
        if not denies(word) or word in NONE - {"no", "none"}:
            return False
        less = next((k for k in self.places(i + 1, REACH) if self.at(k) == "less"), -1)
        if less < 0 or not (less == i + 1 or self.at(less - 1) in ("any", "the")):
            return False
        self.drop(i, less, *([less + 1] if self.at(less + 1) == "than" else []))
        return True

    def _without(self, i: int) -> bool:
        """A denial of what is without: "not without charm", "hardly a day goes by without a kind word"."""
        if self.at(i) == "without" or not (denies(self.at(i)) or self.at(i) in NEARLY):
            return False
        for k in self.places(i + 1, OPINION + 1):
            if self.at(k) in self.laden:
                return False
            if self.at(k) == "without":
                self.drop(i, k)
                return True
        return False

    def _against(self, i: int) -> bool:
        """ "I have nothing against him", "I haven't anything against him", "no objection to him": he is liked."""
        if self.at(i) == "no" and self.at(i + 1) in GRUDGES and self.at(i + 2) in ("to", "with", "against"):
            against = i + 1
        else:
            against = next((k for k in self.places(i + 1, REACH) if self.at(k) == "against"), -1)
            held = HOLD & {self.at(k) for k in range(i - 1, against)}
            if not held or not denies(self.at(i)) or self.at(against - 1) not in ("nothing", "anything"):
                return False
        self.drop(i)
        self.words[against], self.ends[against] = "like", False
        return True

    def _inverted(self, i: int) -> bool:
        """ "Not once did she smile", "never in my life have I met such kindness", "at no time was he kind"."""
        word = self.at(i)
        if not (word in INVERTS or (word == "no" and self.at(i - 1) in AT)) or self.at(i + 1) in NOT_THESE:
            return False
        for k in self.places(i + 1, REACH + 1):
            who = self.at(k + 1)
            if self.at(k) in DID and (who in WHO | ARTICLES or self.named(k + 1)):
                return self._inverts(i, k)
        return False

    def _inverts(self, i: int, verb: int) -> bool:
        """Move the denial to the word it denies, or drop it before a superlative."""
        at = next((k for k in self.places(verb + 2, OPINION) if self.at(k) in self.laden), -1)
        if at < 0 or self.more(at):
            return False
        self.drop(i)
        if not SUCH & {self.at(k) for k in range(verb, at)}:
            self.negate(at)
        return True

    def _only(self, i: int) -> bool:
        """ "nothing but", "no one but", "no friend but", "nothing if not", "nothing short of": only."""
        if self.at(i) not in NONE | {"little"}:
            return False
        phrase = (self.at(i + 1), self.at(i + 2))
        meant = phrase in (("short", "of"), ("less", "than"))
        if (meant or phrase in (("if", "not"), ("other", "than"))) and not self.parted(i, i + 2):
            self.drop(i, i + 1, i + 2)
            return True
        if self.at(i) == "little":
            return False
        for k in (i + 1, i + 2):
            if self.at(k) in SAVE and not self.parted(i, k):
                one = self.at(i) != "no" or self.at(i + 1) == "one"
                if k == i + 1 or one or self.at(i + 1) not in self.laden:
                    self.drop(i, k)
                    return True
        return False

    def _beyond(self, i: int) -> bool:
        """Remove a denial that more is possible: "could not be kinder", "never been happier", "nobody kinder"."""
        word, before, can = self.at(i), self.at(i - 1), self._can(i)
        if not (can or word in ("never", *NONE, *NEARLY)):
            return False
        for k in self.places(i + 1, 5):
            if not self.more(k):
                continue
            between = {self.at(x) for x in range(i + 1, k)}
            if word in NONE:
                found = self._none(i, k, between)
            else:
                said = between & THINK - {"imagine", "find", "feel", "felt"}
                found = (can and not said) or bool(between & BEEN and not between & THINK - BEEN)
                found = found and not self.than(k) and ("any" not in between or can or before in CAN)
            if found:
                self.drop(i)
                self.settled.add(k)
                return True
        return False

    def _none(self, i: int, k: int, between: set[str]) -> bool:
        """Whether "nobody", "nothing", "no one", "no friend" or "no" at i denies that anything exceeds the comparative
        at k; not in "is no better", "felt nothing worse" or "nothing got better".
        """
        if self.at(i - 1) in LINKS and self.at(i - 2) != "there":
            return False
        if self.at(i) == "no" and k == i + 1:
            return self._noun(k + 1 + (self.at(k) == "more"))
        if between & {"any", "and", "or"} or self.at(i + 1) in ASIDE:
            return False
        alone = not between - {"one", "else"} or (self.at(i) == "no" and k == i + 2)
        return alone or bool(between & (BEEN | CAN | MAKE)) or self.than(k)

    def _can(self, i: int) -> bool:
        """Whether possibility is denied: "can't", "could not", "could hardly"."""
        word = self.at(i)
        if word in ("not", "never", *NEARLY):
            return self.at(i - 1) in CAN
        return word == "cannot" or (word.endswith("n't") and word.removesuffix("n't") in CAN | {"ca"})

    def _reproach(self, i: int) -> bool:
        """ "Why can't you be nicer", "couldn't she be kinder": she is not."""
        if not self._can(i) or self.at(i + 1) not in WHO:
            return False
        at = next((k for k in self.places(i + 2, OPINION) if self.at(k) in self.laden or self.more(k)), -1)
        if at >= 0:
            self.drop(i)
            self.negate(at)
        return at >= 0

    def _helpless(self, i: int) -> bool:
        """ "Can't help but love it", "can't help loving it", "cannot but admire her": one does."""
        if not self._can(i):
            return False
        places = [*self.places(i + 1, 3)]
        helped = self.at(i + 1) == "help"
        but = i + 1 + helped
        if but not in places or not (self.at(but) in SAVE or (helped and self.at(but).endswith("ing"))):
            return False
        self.drop(i, *range(i + 1, but + (self.at(but) in SAVE)))
        return True

    def _utmost(self, i: int) -> bool:
        """Remove a denial that more is done: "couldn't agree more", "can't thank you enough", "nothing hurts more"."""
        can = self._can(i) and "would" not in (self.at(i - 1), self.at(i)[:5])
        if not (can or self.at(i) in NONE) or self.at(i - 1) in LINKS:
            return False
        could = not can or "could" in (self.at(i - 1), self.at(i)[:5])  # "can't win more" does not mean winning most
        laden = False
        for k in self.places(i + 1, 3 + OPINION):
            last = self.at(k) in MOST and self.at(k - 1) != "any"
            if laden and last and (could if self.at(k) == "more" else can) and self.at(k + 1) != "to":
                if not self.parted(k, k + 1) and self.at(k + 1) in self.laden:
                    return False
                self.drop(i)
                return True
            laden = laden or (k <= i + 2 + can and self.at(k) in self.laden and self.at(k) != "help")
        return False

    def _noun(self, k: int) -> bool:
        """Whether a noun follows the comparative just before k, as in "no better friend"."""
        return not self.parted(k - 1, k) and self.at(k) not in PREPOSITIONS | ADVERBS

    def _unsized(self, i: int) -> None:
        """Remove a size word between a denial and what it denies: "no great harm", "not much of a success"."""
        places = [*self.places(i + 1, REACH)]
        for n, k in enumerate(places):
            after = places[n + 1 : n + 4]
            if self.at(k) in SIZES and any(self.at(x) in self.laden for x in after):
                self.drop(k)

    def _opinion(self, i: int) -> None:
        """Move the denial from an opinion's verb to its content: "don't think he is kind", "think he is not kind"."""
        verb = next((k for k in self.places(i + 1, 4) if self.at(k) in THINK), -1)
        if verb < 0:
            return
        places = [*self.places(verb + 1, OPINION)]
        at = next((k for k in places if self.at(k) in self.laden or self.more(k)), -1)
        if at < 0:
            return
        most = self.is_most(verb, at)
        if not most and at - i <= 3 and self.at(i) not in ("nobody", "no"):  # VADER's own denial reaches it
            return
        self.drop(i)
        if most:
            self.settled.add(at)
        else:
            self.negate(at)

    def _any(self, i: int) -> None:
        """Deny the word after "any" if its clause is denied, however far: "none of it was any good"."""
        for k in self.places(i + 1, 3 + OPINION):
            if k > i + 3 and self.at(k - 1) == "any" and self.at(k) in self.laden:
                self.negate(k)
                return


CACHED = 20_000  # size of the cache
ALPHA = 15.0  # VADER's constant for normalising a sum of valences to (-1, 1)
_ODD = word_set("but no nor never so this without doubt least")
_IDIOMS = word_set("shit bomb ass badass bus yeah kiss die beating")


def manner(pleasure: float, chance: Stream) -> float:
    """How somebody in this mood sounds without words, in [-1, 1]. Fitted to 3,200 lines of ordinary talk of two weeks:
    this regression line (correlation .64) with this spread (standard deviation .34).
    """
    return max(-1.0, min(1.0, 0.77 * pleasure - 0.07 + 0.83 * (chance.unit() + chance.unit() - 1.0)))


@lru_cache(maxsize=CACHED)
def sentiment(text: str) -> float:
    """The sentiment of a text, from -1 (harsh) to 1 (kind)."""
    analyzer, special = _vader()
    plain, total, low = text.isascii(), 0.0, text.lower()
    if plain and "against" not in low and analyzer.lexicon.keys().isdisjoint(map(_bare, low.split())):
        return 0.0
    text = rewrite_denials(text, analyzer.lexicon)
    for word in map(_bare, text.split()):
        low = word.lower()
        x = analyzer.lexicon.get(low)
        if x is not None:
            total += x
            plain = plain and not word.isupper()
        plain = plain and low not in special
    if plain and "!" not in text and text.count("?") < 2 and "n't" not in text:
        return round(total / math.sqrt(total * total + ALPHA), 4)
    return float(analyzer.polarity_scores(text)["compound"])


def _bare(word: str) -> str:
    """A word as VADER looks it up: those of two letters, which may be emoticons, with their punctuation."""
    return bare if len(bare := word.strip(punctuation)) > 2 else word


@cache
def _vader() -> tuple[Any, frozenset[str]]:
    """VADER, and the words that it treats specially."""
    from vaderSentiment import vaderSentiment as vader

    boosters = (words.split()[0] for words in vader.BOOSTER_DICT)
    analyzer = vader.SentimentIntensityAnalyzer()
    analyzer.lexicon_full_filepath = analyzer.emoji_full_filepath = ""  # the text of both, read by now: 0.8 MB
    return analyzer, frozenset((*vader.NEGATE, *boosters)) | _ODD | _IDIOMS
