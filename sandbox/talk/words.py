"""What lines ask for and name, in words: moods, ages, places, kin, when it was, what somebody does or means to do."""

from __future__ import annotations

from sandbox.people.mood import Pad
from sandbox.people.mood_words import colour, term
from sandbox.people.perceive import area_at
from sandbox.people.persona import Persona
from sandbox.people.wording import lately
from sandbox.talk.model import HasTalk
from sandbox.town.plan import Arena, sector_of

MOODS = {"joy": "happy", "surprise": "surprised", "disgust": "contempt", "vague": "calm"}
PLACES = (
    ("Square", "market"),
    ("Cafe", "cafe"),
    ("Park", "park"),
    ("Library", "library"),
    ("Clinic", "clinic"),
    ("Hall", "hall"),
    ("Meadow", "meadow"),
)
TAGS = (
    ("worship", "chapel"),
    ("school", "school"),
    ("drink", "bar"),
    ("shop", "shop"),
    ("office", "hall"),
    ("food", "cafe"),
)


def spoken_mood(pad: Pad) -> str:
    """A mood as lines ask for it."""
    if term(pad) == "bored":
        return "bored"
    c = colour(pad)
    return MOODS.get(c, c)


def relation(a: Persona, b: Persona) -> str:
    """What b is to a: family, housemate, child, colleague, elder or neighbour ("" for none of these). Who share a house
    are family if they share the name as well.
    """
    if a.household == b.household:
        return "family" if a.family == b.family else "housemate"
    if b.age < 16 <= a.age:
        return "child"
    if a.work and b.work and sector_of(a.work) == sector_of(b.work):
        return "colleague"
    if b.age >= 65 and a.age < 60:
        return "elder"
    return "neighbour" if sector_of(a.home) == sector_of(b.home) else ""


def age_word(age: int) -> str:
    """An age as lines ask for it."""
    return "child" if age < 13 else "teen" if age < 18 else "adult" if age < 65 else "elder"


def place_word(w: HasTalk, who: str, address: str) -> str:
    """The kind of place lines ask for, as that person sees it."""
    persona = w.cast[who]
    sector = sector_of(address)
    if not address:
        return "street"
    if sector == sector_of(persona.home):
        return "home"
    if persona.work and sector == sector_of(persona.work):
        return "work"
    for word, value in PLACES:
        if word in sector:
            return value
    arena: Arena = w.map.areas[address].arena
    return next((value for tag, value in TAGS if tag in arena.tags), "street")


def when_it_was(w: HasTalk, then: int, now: int) -> str:
    """When something was, as one who talks says it."""
    return lately(w.clock, then, now) or "the other day"


def plan_words(w: HasTalk, who: str, t: int) -> str:
    """What a person means to do next: "have lunch at the cafe"; who is at the place need not name it."""
    r = w.people.residents[who]
    here = area_at(w, who, t)
    for block in r.plan:
        if block.start > t and block.do != "sleep":
            do = w.handbook.infinitive(block.do)
            return do if " at " in do or block.where == here else f"{do} {w.handbook.at(block.where)}"
    return "see to things at home"


def act_words(w: HasTalk, who: str) -> str:
    """What a person is doing: "kneading dough"."""
    r = w.people.residents[who]
    act = r.act or r.going
    return w.handbook.doing(act.do) if act and act.block != "sleep" else "catching my breath"
