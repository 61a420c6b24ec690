"""A card in a line of text, as a person types it: `letter to mara about frozen_boxes: look at the flour`.

CARD, then in any order: to PERSON, with PERSON (also beside, from, of, against), about MATTER, at PLACE, in 2h or
tomorrow 09:00 (when it takes effect), for 3h (how long it holds), 30 coins, post 17, the name of a guest. What follows
the first ": " are its words. A matter is an id, or some words of it in quotes; a place of several words may stand in
quotes, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE, parse_when
from sandbox.core.faults import in_quotes, suggestion, unknown
from sandbox.core.text import clean, content_words
from sandbox.director.model import COINS, TEXT, Dealt, HasDirector
from sandbox.people.beliefs import fact_sentence
from sandbox.people.handbook import find_person
from sandbox.people.pressure_handlers import find_fact

WORDS = re.compile(r":(?:\s+|$)")  # ends the arguments; what follows is the card's words
PART = re.compile(r'"([^"]*)"|(\S+)')
SPAN = re.compile(r"(\d{1,4}) ?(m|min|h|d)$")
LETTERS = 2000  # letters of a line, at most; the rest is ignored
WITH = ("with", "beside", "from", "of", "against", "blaming")
KEYS = ("to", "about", "at", "in", "for", "post", "tomorrow", "day", *WITH)
SAID = {
    "to": "to whom",
    "whom": "with whom (or from, of, against)",
    "matter": "what it is about",
    "where": "where",
    "later": "when it takes effect",
    "lasts": "for how long",
    "post": "the post",
    "coins": "the sum of coins",
    "guest": "the guest",
}  # names in the error for an argument given twice
BEGINS = {  # the word that a part begins with -> the part
    "to": "to", "about": "matter", "at": "where", "in": "where", "for": "lasts", "post": "post",
    **dict.fromkeys(WITH, "whom"),
}  # fmt: skip
FEW = 6  # matters suggested where none fits


class CardMatter(NamedTuple):
    """A matter that a card can be about. says: a sentence."""

    id: str
    says: str


def card_matters(w: HasDirector) -> list[CardMatter]:
    """All that a card can be about now: open pressures, the world's own facts, and facts about quarrels and endings."""
    found = [*w.pressures.open, *w.truths, *(id for id in w.beliefs.facts if id.startswith("#"))]
    out = []
    for id in dict.fromkeys(found):
        fact = find_fact(w, id)
        if fact is not None:
            out.append(CardMatter(id, fact_sentence(w, fact, (fact.a, fact.b, fact.where, fact.bad)) or fact.stakes))
    return out


def read_card(w: HasDirector, text: str) -> Dealt:
    """Parse a line into a card. Raises ValueError, with a sentence, for what it cannot parse."""
    head, *rest = WORDS.split(text[:LETTERS], maxsplit=1)
    name, parts = _card(w, head)
    return replace(_parts(w, name, parts), words=clean(rest[0] if rest else "", TEXT))


def _card(w: HasDirector, head: str) -> tuple[str, list[str]]:
    """The name of the card at the beginning of a line, and the words after it."""
    given = [a or b for a, b in PART.findall(head)]
    while given and given[0].casefold() in ("a", "an", "the", "some"):
        del given[0]
    names = {name.replace("_", " "): name for name in w.card_deck.cards}
    names |= {re.sub(r"^(an?|the) ", "", card.called).casefold(): name for name, card in w.card_deck.cards.items()}
    for n in range(len(given), 0, -1):
        found = names.get(" ".join(given[:n]).replace("_", " ").casefold())
        if found is not None:
            return found, given[n:]
    if not given:
        raise ValueError("say which card, for example `letter to mara about frozen_boxes`")
    near = suggestion(" ".join(given[:2]), names) or suggestion(given[0], names) or "; `sandbox do SAVE` lists them"
    raise ValueError(f"there is no card {in_quotes(given[0])}{near}")


def _parts(w: HasDirector, name: str, given: list[str]) -> Dealt:
    """Parse a card's arguments. given: the words between its name and its text."""
    out: dict[str, Any] = {}
    i = 0
    while i < len(given):
        part, i = _next(w, given, i)
        for field in part:
            if field in out:
                raise ValueError(f"{SAID[field]} is given twice; say it once")
        out |= part
    return Dealt(card=name, **out)


def _next(w: HasDirector, given: list[str], i: int) -> tuple[Mapping[str, Any], int]:
    """Parse the argument at word i: (its fields, the index of the next argument)."""
    key = given[i].casefold()
    if _counts(given, i):
        return {"coins": parse_coins(given[i])}, i + 2
    if guest := find_person(given[i], {id: g.persona for id, g in w.invited.items()}):
        return {"guest": guest}, i + 1
    if key not in KEYS:
        raise ValueError(f"{in_quotes(given[i])} is not understood; a part begins with {', '.join(KEYS)}")
    j = i + 1
    while j < len(given) and (j == i + 1 or given[j].casefold() not in KEYS) and not _counts(given, j):
        j += 1
    value = " ".join(given[i + 1 : j])
    if not value and key != "tomorrow":
        raise ValueError(f"something is missing after {in_quotes(key)}")
    return _part(w, key, value), j


def _counts(given: list[str], i: int) -> bool:
    """Whether a number of coins begins at word i, valid or not."""
    amount = re.fullmatch(r"[-+]?[\d.,]+", given[i]) is not None
    return amount and i + 1 < len(given) and re.fullmatch("coins?", given[i + 1].casefold()) is not None


def parse_coins(text: str) -> int:
    """ "30" or "1,500" as a number of coins. Raises ValueError."""
    amount = int(text.replace(",", "")) if re.fullmatch(r"\d{1,9}|\d{1,3}(,\d{3}){1,2}", text) else 0
    if not 1 <= amount <= COINS:
        raise ValueError(f"say coins from 1 to {COINS:,}, not {in_quotes(text)}")
    return amount


def _part(w: HasDirector, key: str, value: str) -> Mapping[str, Any]:
    """The part of a card that begins with that word, read."""
    if key in ("tomorrow", "day"):
        return {"later": until(w, f"{key} {value}")}
    if key == "at" and re.fullmatch(r"\d{1,2}:\d{2}", value):
        return {"later": until(w, value)}
    part = "later" if key == "in" and SPAN.match(value) else BEGINS[key]
    return {part: READS[part](w, value)}


def parse_post(text: str) -> int:
    """The number of a post. Raises ValueError."""
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"a post is a number, not {in_quotes(text)}")
    return int(text)


def parse_person(w: HasDirector, text: str) -> str:
    """The person with an id or a name. Raises ValueError if none, or several."""
    found = w.handbook.meant(text)
    if found:
        return found
    raise ValueError(f"there is {unknown('person', text, [p.first for p in w.cast.values()])}")


def parse_place(w: HasDirector, text: str) -> str:
    """The address meant by an address, a part of one, or a common name."""
    low = " ".join(text.casefold().replace(",", " ").split()).removeprefix("the ")
    sectors = dict.fromkeys(x.partition(" / ")[0] for x in w.map.areas)
    names = {x.casefold().replace(" / ", sep): x for sep in (" ", " / ") for x in (*sectors, *w.map.areas)}
    if low in names:
        return names[low]
    called = {w.map.place_name(x).casefold().removeprefix("the "): x for x in sectors}
    if low in called:
        return called[low]
    rooms = [x for x in w.map.areas if x.casefold().endswith(f" / {low}")]
    if len(rooms) == 1:
        return rooms[0]
    if rooms:
        raise ValueError(f"there are several places called {in_quotes(text)}: {', '.join(rooms[:4])}")
    raise ValueError(f"there is {unknown('place', text, [*sectors, *called])}")


def matter(w: HasDirector, text: str) -> str:
    """The matter with an id, or the only one that has those words."""
    if find_fact(w, text) is not None:
        return text
    known, wanted = card_matters(w), {*content_words(text)}
    best = max((len(wanted & {*content_words(f"{k.id} {k.says}")}) for k in known), default=0)
    found = [k for k in known if best and len(wanted & {*content_words(f"{k.id} {k.says}")}) == best]
    if len(found) == 1:
        return found[0].id
    if found and best:
        raise ValueError(f"{in_quotes(text)} could be several matters: {_listed(k.id for k in found)}")
    near = suggestion(text, [k.id for k in known]) or f"; choose from {_listed(k.id for k in known)}"
    raise ValueError(f"there is no matter {in_quotes(text)}{near}")


def _listed(ids: Iterable[str]) -> str:
    ids = [*ids]
    return ", ".join(ids[:FEW]) + (f" and {len(ids) - FEW} more" if len(ids) > FEW else "")


def parse_span(text: str) -> int:
    """ "30m", "2h" or "1d" in seconds."""
    found = SPAN.match(text.strip())
    if found is None:
        raise ValueError(f'{in_quotes(text)} is no span of time; write it as "30m", "2h" or "1d"')
    return int(found[1]) * {"m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY}[found[2]]


def until(w: HasDirector, text: str) -> int:
    """Seconds from now to "14:30" (the next one), "tomorrow 09:00" or "day 3 09:00"."""
    clock = w.clock
    t = parse_when(clean(text, 60)).seen_from(clock, w.now)
    if t < w.now:
        raise ValueError(f"{clock.words(t)} is past; it is {clock.words(w.now)} now")
    return t - w.now


# How each part is read from text; a ValueError says in a sentence why it cannot be.
READS: Mapping[str, Callable[[HasDirector, str], str | int]] = {
    "to": parse_person, "whom": parse_person, "matter": matter, "where": parse_place,
    "later": lambda w, text: parse_span(text), "lasts": lambda w, text: parse_span(text),
    "post": lambda w, text: parse_post(text),
}  # fmt: skip
