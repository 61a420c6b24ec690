"""The word lists of a crowd: the content of `crowd.yaml`, read from files, and validated if it comes from a save."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sandbox.core.faults import Faults, is_printable
from sandbox.core.fields import SLOT, slots
from sandbox.core.textfiles import MappingReader, Value, open_yaml

NAME = "crowd.yaml"
TOPICS = (
    "politics", "urban_legends", "business", "war", "technology", "entertainment", "disasters", "health", "education",
)  # fmt: skip
PROFESSIONS = (
    "farming", "building", "arts", "trade", "teaching", "money", "service", "health", "hospitality", "care",
    "computing", "making", "transport",
)  # fmt: skip
GENDERS = ("female", "male", "neutral")
# Character by the sign of each of the Big Five: openness, conscientiousness and so on, low and high.
POLES = (
    ("settled", "curious"),
    ("easygoing", "orderly"),
    ("quiet", "outgoing"),
    ("blunt", "kind"),
    ("calm", "anxious"),
)
BANDS, MOODS, TONES = ("against", "torn", "for"), ("low", "level", "high"), ("hostile", "neutral", "warm")
SCORES = range(1, 11)
TEMPLATE = 200  # letters of a text at most
MOST = 5000  # texts of a list at most

Filling: TypeAlias = Mapping[str, str]  # slot -> what fills it
Lists: TypeAlias = Mapping[str, tuple[str, ...]]  # by path: "comments.warm"


# The keys of a file, with the slots allowed in the texts at each path.


def _split(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


ONE = _split("is=is was=was has=has does=does isnt=isn't wasnt=wasn't doesnt=doesn't it=it them=it its=its s=s es=es")
ONE |= {"it_is": "it's", "it_has": "it's", "this": "this", "that": "that"}
MANY = _split(
    "is=are was=were has=have does=do isnt=aren't wasnt=weren't doesnt=don't it=they them=them its=their s= es="
)
MANY |= {"it_is": "they're", "it_has": "they've", "this": "these", "that": "those"}
PRONOUNS = ({"they": "she", "them": "her", "their": "her"}, {"they": "he", "them": "him", "their": "his"})
PERSON: tuple[Filling, ...] = (
    ONE | PRONOUNS[0],
    ONE | PRONOUNS[1],
    MANY | {"they": "they", "their": "their"},
)  # by gender

_PLAIN: frozenset[str] = frozenset()
_SAID = frozenset({*ONE, "town", "subject"})
_BIO = frozenset({"job", "topic", "topic2", "town", "age", "first", "mbti"})
_PERSONA = _BIO | {*ONE, *PRONOUNS[0]}
_BY_MOOD = dict.fromkeys(MOODS, _SAID)
_POSTS = dict.fromkeys(BANDS, _BY_MOOD)
_POSTS_OF_ONE = {band: {"any": _SAID, **_BY_MOOD} for band in BANDS}
_COMMENTS = dict.fromkeys(TONES, _SAID)
_REPLIES = dict.fromkeys(TONES, frozenset(("town",)))
_EACH = [pole for pair in POLES for pole in pair]
_TOPIC = {"title": _PLAIN, "words": _PLAIN, "subjects": dict.fromkeys(("one", "many"), _PLAIN), "posts": _POSTS_OF_ONE}
_OWN = {"openers": _BY_MOOD, "tails": _BY_MOOD, "comments": _COMMENTS}  # lists a topic may have of its own
_WHOLE: dict[str, Any] = {
    "towns": _PLAIN,
    "names": dict.fromkeys((*GENDERS, "last"), _PLAIN),
    "handles": {"patterns": frozenset(("first", "last", "town", "job", "word")), "words": _PLAIN},
    "jobs": dict.fromkeys(PROFESSIONS, _PLAIN),
    "young": _PLAIN,
    "openers": _BY_MOOD,
    "tails": _BY_MOOD,
    "posts": _POSTS,
    "comments": _COMMENTS,
    "replies": _REPLIES,
    "doubts": dict.fromkeys(map(str, SCORES), frozenset(("claim", "town"))),
    "bios": dict.fromkeys(("any", *_EACH), _BIO),
    "personas": dict.fromkeys(("opening", *_EACH, *BANDS), _PERSONA),
}


def read_lists(files: Iterable[Path], faults: Faults) -> dict[str, tuple[str, ...]] | None:
    """Read the lists of all files, or None with the reasons in `faults`.

    The first file must have all lists; later ones extend them, and replace a topic with the same key.
    """
    before = len(faults.errors)
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    lists: dict[str, tuple[str, ...]] = {}
    for r in readers:
        for name, value in r.section("slots").entries():
            lists[f"slots.{name}"] = (*lists.get(f"slots.{name}", ()), *_texts(value, _PLAIN, ()))
    free = [path.removeprefix("slots.") for path in lists]
    for i, r in enumerate(readers):
        _gather(r, _WHOLE, "", i == 0, free, lists)
        topics = r.section("topics", need=f"{{{TOPICS[0]}: {{title: local politics}}}}" if i == 0 else "")
        for key in TOPICS:
            path = f"topics.{key}."
            found = topics.get(key, "{title: a title, words: [some], subjects: {}, posts: {}}" if i == 0 else "")
            if found is not None:
                lists = {name: texts for name, texts in lists.items() if not name.startswith(path)}
                topic = found.mapping()
                own = {name: inner for name, inner in _OWN.items() if name in topic}
                _gather(topic, _TOPIC | own, path, True, free, lists)
                topic.rest()
        topics.rest()
        r.rest()
    return lists if len(faults.errors) == before and readers else None


def _gather(
    reader: MappingReader,
    shape: Mapping[str, Any],
    path: str,
    whole: bool,
    free: Collection[str],
    out: dict[str, tuple[str, ...]],
) -> None:
    """Add the lists of a mapping to `out`. whole: all are required. free: slots that any text may have."""
    for key, inner in shape.items():
        if isinstance(inner, dict):
            section = reader.section(key, need=f"{{{next(iter(inner))}: [some text]}}" if whole else "")
            _gather(section, inner, f"{path}{key}.", whole, free, out)
            section.rest()
        elif (value := reader.get(key, "[some text]" if whole else "")) is not None:
            out[path + key] = (*out.get(path + key, ()), *_texts(value, inner, free))


def _texts(value: Value, known: Collection[str], free: Collection[str]) -> tuple[str, ...]:
    """The texts of a list, which must not be empty; unknown slots are faults."""
    items = value.values(single=True)
    if not items and value.is_list:
        value.fault("is an empty list; write at least one text")
    known = {*known, *free} if known else known
    out = []
    for item in items:
        text = item.text(TEMPLATE)
        for odd in slots(None, "", [SLOT.sub(_bare, text)] if text else [], known):
            item.fault(odd.message)
        out.append(text or "")
    return tuple(out)


def _bare(slot: re.Match[str]) -> str:
    return f"{{{slot[1].removeprefix('a ')}}}"


def check_lists(lists: Lists) -> None:
    """Raise ValueError, with a sentence, if these lists, which may come from anywhere, cannot be used."""
    free = {path.removeprefix("slots.") for path in lists if path.startswith("slots.")}
    wanted = dict(_flat(_WHOLE, ""))
    optional: dict[str, frozenset[str]] = {f"slots.{name}": _PLAIN for name in free}
    for key in TOPICS:
        wanted |= dict(_flat(_TOPIC, f"topics.{key}."))
        optional |= dict(_flat(_OWN, f"topics.{key}."))
    for path, known in (wanted | optional).items():
        texts = lists.get(path, ())
        if not texts and path in wanted:
            raise ValueError(f"the words of its crowd lack {path}")
        if len(texts) > MOST or any(len(text) > TEMPLATE or not is_printable(text) for text in texts):
            raise ValueError(f"the words of its crowd cannot be shown: {path}")
        used = {slot.removeprefix("a ") for text in texts for slot in SLOT.findall(text)} if known else set()
        if used - known - free:
            raise ValueError(f"the words of its crowd have slots that nothing fills: {path}")
    if unknown := lists.keys() - wanted.keys() - optional.keys():
        raise ValueError(f"the words of its crowd have lists that nobody knows: {min(unknown)}")


def _flat(shape: Mapping[str, Any], path: str) -> list[tuple[str, frozenset[str]]]:
    out: list[tuple[str, frozenset[str]]] = []
    for key, inner in shape.items():
        out += _flat(inner, f"{path}{key}.") if isinstance(inner, dict) else [(path + key, inner)]
    return out
