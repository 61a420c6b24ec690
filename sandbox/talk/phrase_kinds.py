"""The kind of a noun phrase used in lines: person, thing, deed, sum, place and so on, singular or plural. Lines can
require it (`is`), so that nothing is said of a person that only fits a sum.
"""

from __future__ import annotations

import re
from functools import lru_cache

PERSON, THING, THINGS, DEED, SUM, PLACE, HOUR, EVENT, QUESTION = KINDS = (
    "person", "thing", "things", "deed", "sum", "place", "hour", "event", "question",
)  # fmt: skip
_UNITS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = (
    rf"(?:\d[\d,]*|(?:a|{_UNITS}) hundred(?: and [\w-]+)*|(?:{_TENS})(?:-(?:{_UNITS}))?|(?:a|{_UNITS}) thousand"
    rf"|{_UNITS})"
)
_SUM = re.compile(
    rf"^(?:about |some |all of )?{_NUMBER}(?: coins?)?"
    r"(?=$|,| (?:of(?! (?:us|them|you)\b)|on|owed|in|from|missing|for|more|out|until|that)\b)",
    re.I,
)
_COUNT = re.compile(rf"^(?:the )?(?!one ){_NUMBER} (?!o'clock)", re.I)
_HOUR = re.compile(
    rf"^(?:half past|a quarter (?:to|past)|noon|midnight|{_NUMBER} in the (?:morning|evening|afternoon))\b", re.I
)
_DEED = re.compile(r"^(?:not )?[a-z-]+ing\b")  # case-sensitive: a capital begins a name
_NO_DEED = re.compile(
    r"^(?:string|king|ring|wing|thing|nothing|something|anything|everything|morning|evening|spring|spelling|surprise)\b",
    re.I,
)
_QUESTION = re.compile(
    r"^(?:(?:for|to|of|with|by|from) )?(?:what|where|who|whom|whose|how|why|when|whether|which|whatever|whoever)\b",
    re.I,
)
_PERSON = re.compile(
    r"(?:grand)?(?:father|mother|son|daughter)|man|woman|boy|girl|child|brother|sister|wife|husband|friend|landlord"
    r"|mayor|clerk|doctor|nurse|baker|miller|nephew|niece|uncle|aunt|cousin|neighbour|heir|somebody|someone|nobody"
    r"|everybody|customer|student|teacher|buyer|joiner|poet|sleeper"
)
_EVENT = re.compile(
    r"vote|race|quiz|rehearsal|practice|wedding|birthday|funeral|market|supper|dance|match|contest|concert|night"
    r"|evening|lunch|feast|auction|rescue|day|afternoon"
)
_PLACE = re.compile(r"meadow|square|park|chapel|library|clinic|street|bridge|loft|jetty|lake|river|cafe|town")
_TELLS_MORE = re.compile(
    r"(?<! same) (?:of|that|which|who|whom|whose|with|without|in|on|under|over|for|to|from|at|by|behind|and|about|not"
    r"|but|when|where|into|off|out|half|as|than|between|against|across|above|along|among|around|beside|beyond|during|near"
    rf"|within|through|after|before|beneath|up|down|still|too|so|left|found|{_UNITS}"
    r"|got|made|felt|kept|heard|taken|taught|lent|put|read|missing|\w+(?:[^e]ed|en|ing))\b|[,:;(]"
)
_HEAD = re.compile(
    r"(?:(?:a|an|the|one|some|this|that|his|her|my|[\w-]+['’]s?) )?[\w'’-]+", re.I
)  # the least that belongs to the head
_MANY = re.compile(r"people|police|men|women|children|feet|teeth|geese|mice|cattle")
_ONE = re.compile(r"(?:ss|us|is|yes|ics|news|lens|gas|bus|mas|las|['’]s)$")


@lru_cache(maxsize=4000)
def kind_of(phrase: str) -> str:
    """The kind of a noun phrase, by its words."""
    text = phrase.strip()
    for kind, pattern in ((HOUR, _HOUR), (SUM, _SUM), (QUESTION, _QUESTION)):
        if pattern.match(text):
            return kind
    if _DEED.match(text) and not _NO_DEED.match(text):
        return DEED
    noun = _noun(text)
    if _PERSON.fullmatch(noun):
        return PERSON
    if _EVENT.fullmatch(noun):
        return EVENT
    if _PLACE.fullmatch(noun):
        return PLACE
    return (
        THINGS
        if _COUNT.match(text) or (noun.endswith("s") and not _ONE.search(noun)) or _MANY.fullmatch(noun)
        else THING
    )


def _noun(text: str) -> str:
    """The head noun: the last word before its modifiers begin."""
    head = _HEAD.match(text)
    more = _TELLS_MORE.search(text, head.end() if head is not None else 0)
    words = re.findall(r"[\w'’-]+", text[: more.start()] if more is not None else text)
    return words[-1].casefold() if words else ""
