"""The words of a crowd: names, handles, bios, personas, posts and comments, generated when somebody looks.

A user of the crowd is a row of numbers. Texts are derived from these numbers, the seed and `sandbox/data/crowd.yaml`,
so that the same user or post always has the same words and none need be stored.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from sandbox.core.chance import Chance, Stream
from sandbox.core.faults import Faults
from sandbox.core.fields import SLOT
from sandbox.core.places import data_dir
from sandbox.core.text import clean, upper
from sandbox.feed.word_lists import (
    BANDS,
    GENDERS,
    MANY,
    MOODS,
    NAME,
    ONE,
    PERSON,
    POLES,
    PROFESSIONS,
    TONES,
    TOPICS,
    Filling,
    Lists,
    read_lists,
)

BAND = 0.33  # a stance beyond it is for or against, a pleasure beyond it a high or a low mood
SECOND = 0.25  # strength from which the second strongest trait is mentioned too
ADULT, RETIRED = 18, 67  # years
OPENED, TAILED = 0.4, 0.45  # shares of posts with a sentence before, and after
GOSSIP = "gossip"  # the second interest of people with only one
REPLIES = 0.25  # share of comments that do not name their subject
OWN_POST = 0.65  # share of posts with a template of their own topic
OWN_BIO = 0.4  # share of bios that express the strongest trait
HANDLE, BIO, CLAIM, SUBJECT = 24, 160, 160, 120  # letters at most

T = TypeVar("T")
Traits: TypeAlias = tuple[float, float, float, float, float]


class Who(NamedTuple):
    """A user in numbers.

    age: in years. gender: 0 female, 1 male, 2 other. traits: the Big Five in [-1, 1]: openness, conscientiousness,
    extraversion, agreeableness, neuroticism. profession: index in PROFESSIONS. topics: indices in TOPICS, the most
    important first. stance: on that topic, and pleasure: of the mood, both in [-1, 1].
    """

    number: int
    age: int
    gender: int
    traits: Traits
    profession: int
    topics: tuple[int, int]
    stance: float
    pleasure: float


# ---- sentences with slots


class Template(NamedTuple):
    """A text with slots. parts: the text before a slot, the slot, whether it takes "a" or "an", whether a capital."""

    parts: tuple[tuple[str, str, bool, bool], ...]
    end: str


_ENDS = re.compile(r'(?:^|[.!?]"? )"?$')


def _template(text: str) -> Template:
    parts, at = [], 0
    for m in SLOT.finditer(text):
        name = m[1].removeprefix("a ")
        parts.append((text[at : m.start()], name, name != m[1], _ENDS.search(text[: m.start()]) is not None))
        at = m.end()
    return Template(tuple(parts), text[at:])


_VOWEL = re.compile(r"(?!uni|use|eu|one\b)[aeiou]|hour|honest|heir", re.IGNORECASE)


def a(noun: str) -> str:
    """A noun with its article: "an usher", "a welder"."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def _stream(seed: int, author: int, purpose: str, number: int = 0) -> Stream:
    return Chance(seed).stream(0, str(author), f"wording {purpose}", number)


def _next(items: Sequence[T], stream: Stream, number: int) -> T:
    """Item `number` of an endless random order in which each item comes once before any comes again."""
    n = len(items)
    return items[(stream.below(n) + number * stream.choice(_steps(n))) % n]


@cache
def _steps(n: int) -> tuple[int, ...]:
    return tuple(k for k in range(1, max(2, n)) if math.gcd(k, n) == 1)


def _band(x: float) -> int:
    """0, 1 or 2: below, within or above the middle range."""
    return 0 if x < -BAND else 2 if x > BAND else 1


def _poles(traits: Traits) -> list[str]:
    """The strongest trait, and the second if it is strong."""
    order = sorted(range(len(traits)), key=lambda i: -abs(traits[i]))
    return [POLES[i][traits[i] >= 0] for i in order[:2] if i == order[0] or abs(traits[i]) >= SECOND]


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "_", plain.replace("'", "")).strip("_")


def _base36(n: int) -> str:
    digits = ""
    while n or not digits:
        n, digit = divmod(n, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def number_of(handle: str) -> int:
    """The number that a drawn user's handle ends in, -1 if it ends in none."""
    end = handle.rpartition("_")[2]
    return int(end, 36) if 0 < len(end) < 6 and end.isascii() and end.isalnum() else -1


_SINGULAR = ("ss", "us", "is", "news")


def _many(subject: str) -> bool:
    """Whether an unknown subject is plural, judging by its words."""
    head = re.split(r" (?:of|at|in|on|for|from|to|by|with|under|over|about)\b", subject)[0].lower()
    return " and " in head or (head.endswith("s") and not head.endswith(_SINGULAR))


class Wording:
    """Makes the words of users and posts from lists. topic: index in TOPICS.

    author, number: of a user, and of a post or comment within the feed. Consecutive posts differ in subject, and those
    of one author also in their sentences. A text is one line, with capital and full stop.
    """

    def __init__(self, lists: Lists) -> None:
        """lists: as `read_lists` returns them, by path: "comments.warm"."""
        self._lists = lists
        self._slots = {path[6:]: texts for path, texts in lists.items() if path.startswith("slots.")}
        self._made = {path: tuple(map(_template, texts)) for path, texts in lists.items() if path[:6] != "names."}
        self._subjects = [
            [ONE | {"subject": text} for text in lists[f"topics.{key}.subjects.one"]]
            + [MANY | {"subject": text} for text in lists[f"topics.{key}.subjects.many"]]
            for key in TOPICS
        ]
        self._known = {x["subject"]: x for subjects in self._subjects for x in subjects}
        self._own = {
            (i, band, mood): self._of(i, f"posts.{band}.any") + self._of(i, f"posts.{band}.{mood}")
            for i, band, mood in product(range(len(TOPICS)), BANDS, MOODS)
        }
        # Topics that use only their own templates: shared endings would not fit.
        self._apart = {i for i, key in enumerate(TOPICS) if f"topics.{key}.tails.{MOODS[0]}" in lists}

    def _of(self, topic: int, path: str) -> tuple[Template, ...]:
        """A topic's own templates under a path, or, if it has none, the shared ones."""
        return self._made.get(f"topics.{TOPICS[topic]}.{path}") or self._made[path]

    def _fill(self, template: Template, given: dict[str, str], stream: Stream) -> str:
        """Fill the slots of a text. given: fillings so far, to which drawn ones are added."""
        out: list[str] = []
        for before, slot, article, capital in template.parts:
            word = given.get(slot)
            if word is None:
                word = given[slot] = stream.choice(self._slots[slot])
            if article:
                word = a(word)
            out += before, upper(word) if capital else word
        out.append(template.end)
        return "".join(out)

    # ---- who somebody is

    def _names(self, who: Who, seed: int) -> tuple[str, str]:
        stream = _stream(seed, who.number, "name")
        return stream.choice(self._lists[f"names.{GENDERS[who.gender]}"]), stream.choice(self._lists["names.last"])

    def _town(self, author: int, seed: int) -> str:
        return _stream(seed, author, "town").choice(self._lists["towns"])

    def _about(self, who: Who, seed: int) -> dict[str, str]:
        """The fillings for slots of bios and personas."""
        job = _stream(seed, who.number, "job").choice(
            self._lists["young" if who.age < ADULT else f"jobs.{PROFESSIONS[who.profession]}"]
        )
        first, second = (self._lists[f"topics.{TOPICS[i]}.title"][0] for i in who.topics)
        return {
            **PERSON[who.gender],
            "first": self._names(who, seed)[0],
            "job": f"retired {job}" if who.age >= RETIRED else job,
            "town": self._town(who.number, seed),
            "age": str(who.age),
            "topic": first,
            "topic2": second if second != first else GOSSIP,
            "mbti": self.mbti(who.traits),
        }

    @staticmethod
    def mbti(traits: Traits) -> str:
        """The four MBTI letters that these traits mostly go with ("INFP"); neuroticism has none (McCrae and Costa
        1989).
        """
        openness, order, outgoing, kindness, _ = traits
        letters = ("IE", outgoing), ("SN", openness), ("TF", kindness), ("PJ", order)
        return "".join(pair[x >= 0] for pair, x in letters)

    def name(self, who: Who, seed: int) -> str:
        """First name and surname; not unique."""
        return " ".join(self._names(who, seed))

    def handle(self, who: Who, seed: int) -> str:
        """A unique handle: [a-z0-9_], at most 24, ending in the user's number in base 36."""
        end = f"_{_base36(who.number)}"
        room = HANDLE - len(end)
        stream = _stream(seed, who.number, "handle")
        first, last = self._names(who, seed)
        words = {
            "first": first,
            "last": last,
            "town": self._town(who.number, seed),
            "job": self._about(who, seed)["job"],
        }
        words["word"] = stream.choice(self._lists["handles.words"])
        slugs = {slot: _slug(word) for slot, word in words.items()}
        for _ in range(4):  # many are too long, and cutting rarely looks good
            body = self._fill(stream.choice(self._made["handles.patterns"]), dict(slugs), stream).lower()
            if len(body) <= room:
                return body + end
        return (slugs["first"] or slugs["word"])[:room].rstrip("_") + end

    def bio(self, who: Who, seed: int) -> str:
        """A user's own description, of at most 160 letters."""
        stream = _stream(seed, who.number, "bio")
        about, text = self._about(who, seed), ""
        for _ in range(4):
            pole = _poles(who.traits)[0] if stream.unit() < OWN_BIO else "any"
            text = self._fill(stream.choice(self._made[f"bios.{pole}"]), dict(about), stream)
            if len(text) <= BIO:
                return text
        return clean(text, BIO)

    def persona(self, who: Who, seed: int) -> str:
        """A description of a user in three or four sentences: who they are, one or two traits, their view on their
        topic.
        """
        stream = _stream(seed, who.number, "persona")
        about = self._about(who, seed)
        lists = ["opening", *_poles(who.traits), BANDS[_band(who.stance)]]
        return " ".join(self._fill(stream.choice(self._made[f"personas.{path}"]), about, stream) for path in lists)

    # ---- what somebody writes

    def _subject(self, topic: int, number: int, seed: int) -> Filling:
        return _next(self._subjects[topic], Chance(seed).stream(0, "", "wording subject", topic), number)

    def subject(self, topic: int, number: int, seed: int) -> str:
        """The subject of a post, independent of author and opinion: "the night bus"."""
        return self._subject(topic, number, seed)["subject"]

    def post(self, topic: int, stance: float, pleasure: float, author: int, number: int, seed: int) -> str:
        """A post on a topic. stance: of the post, pleasure: of its author's mood, both in [-1, 1]."""
        band, mood = BANDS[_band(stance)], MOODS[_band(pleasure)]
        stream = _stream(seed, author, "post", number)
        own = stream.unit() < OWN_POST or topic in self._apart
        pool = self._own[topic, band, mood] if own else self._made[f"posts.{band}.{mood}"]
        given = {**self._subject(topic, number, seed), "town": self._town(author, seed)}
        text = self._fill(_next(pool, _stream(seed, author, "posts", topic), number), given, stream)
        before, after = stream.unit() < OPENED, stream.unit() < TAILED
        if before:
            text = f"{self._fill(stream.choice(self._of(topic, f'openers.{mood}')), given, stream)} {text}"
        if after:
            text = f"{text} {self._fill(stream.choice(self._of(topic, f'tails.{mood}')), given, stream)}"
        return text

    def comment(self, topic: int, tone: int, author: int, number: int, seed: int, subject: str = "") -> str:
        """An answer to a post. tone: -1 hostile, 0 neutral, 1 warm. subject: of the post; "" = unknown."""
        subject = clean(subject, SUBJECT).rstrip(" .!?")
        plain = topic not in self._apart and _stream(seed, author, "reply", number).unit() < REPLIES
        if not subject or plain:
            return self._answer(self._made[f"replies.{TONES[tone + 1]}"], {}, f"replies {tone}", author, number, seed)
        words = self._known.get(subject) or (MANY if _many(subject) else ONE) | {"subject": subject}
        return self._answer(
            self._of(topic, f"comments.{TONES[tone + 1]}"), words, f"comments {tone}", author, number, seed
        )

    def doubt(self, degree: int, claim: str, author: int, number: int, seed: int) -> str:
        """An answer to a post that states a false fact. degree: of doubt, from 1 (believes it) to 10 (rejects it)."""
        claim = upper(clean(claim, CLAIM).replace('"', "'"))
        claim += "" if claim.endswith((".", "!", "?", "…")) else "."
        return self._answer(self._made[f"doubts.{degree}"], {"claim": claim}, f"doubts {degree}", author, number, seed)

    def _answer(
        self, pool: Sequence[Template], words: Filling, purpose: str, author: int, number: int, seed: int
    ) -> str:
        given = {**words, "town": self._town(author, seed)}
        return self._fill(
            _next(pool, _stream(seed, author, purpose), number), given, _stream(seed, author, "answer", number)
        )

    def lines(self, path: str) -> Sequence[str]:
        """A list as it is written, with its slots: "replies.warm"."""
        return self._lists[path]

    def topic_text(self, topic: int) -> str:
        """The text from which a topic's vector is made."""
        at = f"topics.{TOPICS[topic]}."
        return " ".join((*self._lists[f"{at}title"], *self._lists[f"{at}words"]))


def read_wording(files: Iterable[Path], faults: Faults) -> Wording | None:
    """The words of all files, or None with the reasons in `faults`. The first file must have all lists; later ones
    extend them, and replace a topic with the same key.
    """
    lists = read_lists(files, faults)
    return None if lists is None else Wording(lists)


@cache
def default_wording() -> Wording:
    """The words that ship."""
    faults = Faults()
    found = read_wording([data_dir() / NAME], faults)
    assert found is not None, "\n".join(map(str, faults))
    return found
