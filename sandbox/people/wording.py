"""Texts as a person says them: memories without a subject turned into sentences, names into "I" and "you", times into
words, and habits of speech (openings and nicknames) applied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from sandbox.core.clock import HOUR, Clock, part_of_day
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.text import upper
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.people.memory_stream import Memory
from sandbox.people.mood import DEEDS, LACKS, OWN, Sort
from sandbox.people.question_parts import ShownMemory


@cache
def phrases(name: str) -> Mapping[str, tuple[str, ...]]:
    """The templates of a file of `data/` by their keys; "greet.warm" where those of a key are sorted."""
    faults = Faults()
    out: dict[str, tuple[str, ...]] = {}
    for key, value in MappingReader(open_yaml(data_dir() / f"{name}.yaml", faults)).entries():
        if value.is_mapping:
            out |= {f"{key}.{sort}": ways.texts() for sort, ways in value.mapping().entries()}
        else:
            out[key] = value.texts()
    assert not len(faults), "\n".join(map(str, faults))
    return out


_compiled = cache(re.compile)  # for the patterns of names, of which there are more than `re` keeps
Remembered = Memory | ShownMemory  # a memory, whole or as a question shows it
_HEARD_OUT = re.compile(r"heard (.+?) out: (.+?)(?:, who (.+))?$")
SETTLED = "saw it settled: "
_OF_OWNER = re.compile(r"(, who \w+ )them\b")
_FAR = re.compile(
    r"^(\w+(?: \w+)?) ([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)( .+), who "
)  # whoever "who" is stands too far from it
_OWN = {
    "is": "am", "has": "have", "does": "do", "holds": "hold", "wants": "want", "owes": "owe", "means": "mean",
    "lies": "lie", "crosses": "cross", "goes": "go", "takes": "take", "keeps": "keep", "comes": "come",
    "practises": "practise", "leads": "lead", "hopes": "hope", "calls": "call", "plays": "play", "stands": "stand",
    "lives": "live", "works": "work", "belongs": "belong", "suspects": "suspect", "bears": "bear", "likes": "like",
    "fears": "fear", "thinks": "think", "worries": "worry", "says": "say", "knows": "know",
}  # fmt: skip
_AND_ME = re.compile(r"\b([A-Z]\w+(?: [A-Z]\w+)?) and me (have|are|stand|no longer|were|had)\b")
_ME_AND = re.compile(r"\bme and ([A-Z]\w+(?: [A-Z]\w+)?) (have|are|stand|no longer|were|had)\b")
_I_AND = re.compile(r"^I and ([A-Z]\w+(?: [A-Z]\w+)?)")
NAME = "\ue000"  # stands for a name while its sentence is put into another person, so that a pattern serves all names
_DOES, _THEIR = re.compile(rf"{NAME} (\w+)"), re.compile(rf"{NAME}['’]s\b")
_THEIRS = re.compile(rf"{NAME}['’]s(?=$|[,.;:]| now\b)")  # "Mara's" where what is hers has been named before
_MODALS = frozenset(
    ["can", "cannot", "could", "may", "might", "must", "never", "ought", "shall", "should", "will", "would"]
)
_SET_ON = re.compile(r"\b(I|you) (has|have|had) set their heart\b")
_NO_LONGER = re.compile(rf"\b(I|you) no longer ({'|'.join(_OWN)})\b")
_GOES_ON = re.compile(rf"(?:(?<=, )(and )?|(?<= and ))({'|'.join(_OWN)})\b")  # of the sentence's subject


def is_own_deed(m: Remembered) -> bool:
    """Whether a memory of an event is a clause of which its owner is the subject."""
    return m.kind == "event" and m.form != ""


def memory_sentence(m: Remembered, me: str) -> str:
    """A memory as a first-person sentence of its owner, without full stop. me: the owner's name in texts."""
    if m.kind == "thought":
        return upper(m.text)
    if m.form == "hearing" and (came := _HEARD_OUT.match(m.text)):
        who, did, took = came.groups()
        return myself(f"{who} {did}" + (f", and I {took}" if took else ""), me)
    if m.kind == "read" and not m.form:
        return upper(myself(m.text, me))
    if m.form == "outcome":
        return f"It was settled that {myself(m.text[len(SETTLED) :], me)}"
    text = _FAR.sub(r"\1 \2\3, and \2 ", _OF_OWNER.sub(r"\1me", m.text))
    if m.kind == "plan" or m.kind == "chat" or is_own_deed(m):
        does, *rest = myself(text, me).split(" ", 1)
        return " ".join(("I", _OWN.get(does, does), *rest))
    return upper(text)


def myself(text: str, me: str) -> str:
    """A sentence about somebody put into the first person: "Mara owes Otis" becomes "I owe Otis". me: their name in
    texts, first or whole.
    """
    text = _compiled(rf"(?<!\w){_named(me)}(?!\w)").sub(NAME, text)
    text = _DOES.sub(_does, _THEIR.sub("my", _THEIRS.sub("mine", text)))
    text = re.sub(f"^{NAME}", "I", text)
    text = _NO_LONGER.sub(_no_longer, _SET_ON.sub(_own_heart, text))
    if text.startswith("I ") and ", who " not in text:
        text = _GOES_ON.sub(lambda m: (m[1] or "") + _OWN[m[2]], text)
    text = _ME_AND.sub(r"\1 and I \2", _AND_ME.sub(r"\1 and I \2", text.replace(NAME, "me")))
    return _I_AND.sub(r"\1 and I", text)


def _named(name: str, alone: bool = True) -> str:
    """A regex for somebody's name in texts. If that is the whole name, it also matches the first name alone, as used
    before there was a namesake (unless `alone` is False), but not before another surname.
    """
    first, _, more = name.partition(" ")
    if not more or not alone:
        return re.escape(name)
    return rf"(?:{re.escape(name)}|{re.escape(first)}(?! (?!I\b)[A-Z]))"


def _own_heart(m: re.Match[str]) -> str:
    """ "set their heart" with "my" or "your", and the verb to match."""
    return f"{m[1]} {'had' if m[2] == 'had' else 'have'} set {'my' if m[1] == 'I' else 'your'} heart"


def _no_longer(m: re.Match[str]) -> str:
    """ "no longer" with the verb in the first or second person."""
    return f"{m[1]} no longer {'are' if m[1] == 'you' and m[2] == 'is' else _OWN[m[2]]}"


def _does(m: re.Match[str]) -> str:
    """A name and its verb in the first person: "I owe" for "Mara owes"."""
    acts = m[1] in _OWN or m[1] in DEEDS or m[1] in _MODALS or m[1].endswith("ed")
    return f"I {_OWN.get(m[1], m[1])}" if acts else m[0]


# What is no clause though it may hold a verb: "Mara letting off steam", "asking around", "what is said of Mara".
_NAMED = r"[A-Z][\w-]*(?: [A-Z][\w-]*)?"
_THING = re.compile(
    rf"(?:{_NAMED} |somebody )?(?:not )?(?!(?:no|some|any|every)thing|evening|morning)[a-z]+ing\b"
    rf"|{_NAMED} (?:on what|all ears|before everybody)\b"
    rf"|what (?:is said of|stands on|{_NAMED} (?:had read|had to tell|came about|knows))\b"
    r"|(?:a|the) [\w ]+ (?:told|given|asked|kept|passed on)\b|old times remembered\b|small talk\b"
)
_SOMEBODY = re.compile(rf"(?:{_NAMED}|nobody|somebody|everybody|it|one|there|they)(?!['’\w])")
_ABOUT = re.compile(r", about\b|\b(?:who|which|that)\b")  # what follows has verbs of its own
_VERBS = DEEDS | _MODALS | set(_OWN) | {"are", "have", "do"}
REASONLESS = "for no reason"


def lower_first_word(text: str) -> str:
    """A sentence for use inside another: its first word in lower case if it is a common word and no name."""
    return text[:1].lower() + text[1:] if _SMALL.match(text) else text


def clause(cause: str, sort: Sort, who: str = "I") -> str:
    """A cause of somebody's mood as a clause that says who: "I slept well", "Lev is hungry", "the sight of Mara"."""
    if sort in LACKS or sort in ("want", "anticipation"):
        return f"{who} {'am' if who == 'I' else 'is'} {cause}"
    return f"{who} was {cause}" if sort in ("rejection", "treatment") else f"{who} {cause}" if sort in OWN else cause


def after_because(cause: str, sort: Sort, who: str) -> str:
    """A cause of somebody's mood in words that follow "because": a clause with its subject, or "of" and what it was."""
    if cause == REASONLESS:
        return "of nothing that anybody knows of"
    return f"of {cause}" if sort == "small_talk" or (sort == "event" and _thing(cause)) else clause(cause, sort, who)


def _thing(cause: str) -> bool:
    """Whether an event is told by what it was, not in a clause: "no time from Bo", "Mara's news, about the race"."""
    if _THING.match(cause):
        return True
    words = _ABOUT.split(cause, maxsplit=1)[0].replace(",", "").split()
    verb = any(word in _VERBS or (word.islower() and word.endswith("ed")) for word in words[1:])
    return not verb and _SOMEBODY.match(cause) is None


def lately(clock: Clock, then: int, now: int) -> str:
    """When something of today or yesterday was, in words; "" for earlier."""
    if now - then < HOUR // 2:
        return "just now"
    days = clock.day(now) - clock.day(then)
    if not days:
        part = part_of_day(clock.second_of_day(then))
        return {"midday": "around midday", "night": "in the small hours"}.get(part, f"this {part}")
    return "yesterday" if days == 1 else ""


def since_phrase(clock: Clock, then: int, now: int) -> str:
    """Since when something is so, after "since": "this morning", "yesterday", "Sunday", "Sun 16 Mar"."""
    days, at = clock.day(now) - clock.day(then), clock.at(then)
    if not days:
        part = part_of_day(clock.second_of_day(then))
        return "noon" if part == "midday" else f"this {part}"
    return "yesterday" if days == 1 else f"{at:%A}" if days < 7 else f"{at:%a} {at.day} {at:%b}"


# ---- what one of two tells the other

_SMALL = re.compile(  # a word that begins small inside a sentence
    r"(?:A|After|All|Always|An|And|Anybody|At|Because|Before|But|Even|Every|Everybody|Everything|For|From|He|Her|Here|His|How"
    r"|If|In|It|Maybe|My|Need|Never|Next|No|Nobody|Not|Nothing|Now|On|Once|One|Our|People|Perhaps|She|Should|So|Some|Somebody"
    r"|Something|Sometimes|That|The|Their|Then|There|These|They|Things|This|Those|Time|To|Today|Tomorrow|We|What|Whatever"
    r"|When|Where|Whether|Who|Why|With|Without|Yesterday|You|Your)\b(?!['’])"
)
ME = ("I", "me", "my", "mine", (("is", "am"), ("has", "have"), ("does", "do")))
YOU = ("you", "you", "your", "yours", (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do")))
_SUBJECT_NAME = re.compile(  # of somebody who does something
    rf"^{NAME}|(?<=\band ){NAME}|{NAME}"
    r"(?= (?:\w+ed|did|gave|got|had|let|said|told|took|was|came|went|kept|made|saw|found|left|lost|won|put|sat|felt"
    r"|wrote|thought|knew|meant|can|could|may|might|must|should|will|would)\b)"
)
_OBJECT_NAME = re.compile(  # of somebody to whom something is done, or who is owed or promised something
    rf"(?:(?<=\bowes )|(?<=\bowe )|(?<=\bpromised )){NAME}|(?<=\w ){NAME}"
    r"(?=$|[,.;:]| (?:a|an|about|again|and|as|at|before|by|for|from|how|if|in|now|of|on|once|over|that|the|to|twice"
    r"|what|where|whether|who|with|\w+ing)\b)"
)
_PRONOUN = re.compile(r"\b(he|she|his|her|hers|him|himself|herself)\b")


@lru_cache(1024)
def as_told(text: str, me: str, other: str) -> str:
    """A cause or stakes as `me` says it to `other`: "I" and "you" for their names. Unchanged if that fails, or if the
    text has a pronoun such as "he" that would lose its referent.
    """
    alone = me.partition(" ")[0] != other.partition(" ")[0]  # else nobody knows which of the two it is
    named = [
        (_named(name, alone), *words) for name, words in ((me, ME), (other, YOU)) if _names(text, _named(name, alone))
    ]
    if named and _PRONOUN.search(text):
        return text
    told = text
    for name, subject, object_, their, theirs, verbs in named:
        told = _THEIR.sub(their, _THEIRS.sub(theirs, _compiled(rf"\b{name}\b").sub(NAME, told)))
        does = {verb: f"{subject} {own}" for verb, own in (*_OWN.items(), *verbs)}
        told = _DOES.sub(lambda m, does=does: does.get(m[1], m[0]), told)  # type: ignore[misc]
        told = _OBJECT_NAME.sub(object_, _SUBJECT_NAME.sub(subject, told))
        if NAME in told:
            return text
    told = _NO_LONGER.sub(_no_longer, _SET_ON.sub(_own_heart, told))
    own = {**_OWN, "is": "are"} if told.startswith("you ") else _OWN
    return _GOES_ON.sub(lambda m: (m[1] or "") + own[m[2]], told) if told.startswith(("I ", "you ")) else told


def object_told(text: str, me: str, other: str) -> str:
    """As `as_told`, for a noun phrase: "me" and "you" for their names."""
    return as_told(f"about {text}", me, other).removeprefix("about ")


def mentions_person(text: str, name: str) -> bool:
    """Whether a text names somebody. name: their name in texts; its first word alone counts, too."""
    return name.partition(" ")[0] in text and _names(text, _named(name))


def _names(text: str, named: str) -> bool:
    return _compiled(rf"\b{named}\b").search(text) is not None


# ---- habits of speech

_LOWERED = """
    a all and any anybody anything as at because but by can can't could did do does doesn't don't even every
    everybody everything few for from give had has have he he's her here here's his how how's i i'd i'll i'm
    i've if in is isn't it it'd it'll it's keep last leave let let's like look's make many maybe me mine most
    much my next nobody none not nothing of on once one only our out perhaps people put she she's should so some
    somebody something sometimes take tell that that'd that'll that's the their them there there'd there'll
    there's these they they'd they'll they're they've this those two was we we'd we'll we're we've were what
    what's when where which while who who's whoever with won't would you you'd you'll you're you've your yours
"""
LOWERED = frozenset(_LOWERED.split())  # first words that may stand inside a sentence
_FIRST = re.compile(r"[\w'’-]+")


_SUBJECT = re.compile(r"(?:I|we|you|it|that|there|they|he|she|nobody|somebody|everybody)\b", re.I)  # of a clause


def close_aside(phrase: str) -> str:
    """A phrase with a comma added if it ends in an aside (not a list), so that the sentence can go on."""
    _, comma, aside = phrase.rpartition(", ")
    listed = " and " in aside or " or " in aside
    return f"{phrase}," if comma and (not listed or aside.startswith(("and ", "or "))) else phrase


def add_opening(text: str, start: str) -> str:
    """A text with a habitual opening put before it, if its first word may stand inside a sentence; else unchanged."""
    first = _FIRST.match(text)
    if first is None or first[0].lower().replace("’", "'") not in LOWERED:
        return text
    if first[0] == "And" and start.endswith(" and"):
        return start + text.removeprefix("And")
    if start.endswith((" and", " but")) and not _SUBJECT.match(text):
        return text
    rest = text if first[0] == "I" or first[0][:2] in ("I'", "I’") else text[0].lower() + text[1:]
    return punctuate_opening(start) + rest


def punctuate_opening(start: str) -> str:
    """An opening with the space, and comma if needed, that follow it: "not being funny, but " needs no comma."""
    return f"{start} " if start.endswith((" but", " and")) or start in ("but", "and") else f"{start}, "


def use_nicknames(text: str, calls: Mapping[str, str]) -> str:
    """A text with names replaced by the speaker's nicknames. calls: name -> nickname."""
    for name, call in calls.items():
        text = _compiled(rf"\b{re.escape(name)}\b").sub(call, text)
    return text
