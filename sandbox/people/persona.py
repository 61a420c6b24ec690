"""A persona: everything about a person that a file says and a day does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from sandbox.core.clock import DAY, DAY_RULES, HOUR, day_matches
from sandbox.core.fields import meta, names
from sandbox.people.claim_model import NO_CLAIM, ClaimChanges, ClaimCondition, Making
from sandbox.people.matter_model import Facts
from sandbox.people.purse import Given, Sum

HAIR = ("black", "brown", "chestnut", "blond", "red", "grey", "white")
SKIN = ("pale", "light", "tan", "brown", "dark")
KINDS = ("debt", "promise", "secret", "crush", "grudge", "guilt", "rivalry", "ambition", "worry", "suspicion")
ALONE = ("secret", "ambition", "worry", "guilt", "promise")  # kinds that may be about nobody
FAR = 2**40  # seconds: no hour of a pressure lies beyond
DRIFT = 30  # days by which a pressure may come later, at most
ID = r"^[a-z][a-z0-9_]{0,39}\Z"
Voice = Literal["plain", "warm", "blunt", "formal", "playful"]
Trait = Annotated[float, meta("0.2", low=-1, high=1)]
Habit = Annotated[str, meta(most=120)]
HalfLife = Annotated[float, meta(low=1, high=525_600)]


class BigFive(msgspec.Struct, frozen=True):
    """The five traits, each in [-1, 1]."""

    openness: Trait
    conscientiousness: Trait
    extraversion: Trait
    agreeableness: Trait
    neuroticism: Trait


class Opinion(msgspec.Struct, frozen=True):
    """stance: -1 against .. 1 for. why completes "because ..."."""

    stance: Annotated[float, meta("0.5", low=-1, high=1)]
    why: Annotated[str, meta('"it is worth it"', most=200)]


class PastTie(msgspec.Struct, frozen=True, rename={"with_": "with"}):
    """What was before the world starts: feeling in [-1, 1] and closeness in [0, 1] towards a person, and why."""

    with_: Annotated[str, meta("bo"), names("person")]
    feeling: Annotated[float, meta("0.2", low=-1, high=1)]
    closeness: Annotated[float, meta("0.5", low=0, high=1)]
    why: Annotated[str, meta('"they share a wall"', most=240)]


class Slot(msgspec.Struct, frozen=True):
    """A block of the usual day. at: seconds after midnight; where: an area's address, "home" or "work"; of: the group
    for which it is, by the terms of its members' claims ("" = none).
    """

    at: Annotated[int, meta('"09:00"', low=0, high=DAY, reads="time")]
    do: Annotated[str, meta("work"), names("block")]
    where: Annotated[str, meta("home", reads="address"), names("place of a day")]
    of: Annotated[str, meta(most=120)] = ""


class DaySlots(msgspec.Struct, frozen=True):
    """The blocks of the days that a rule (core.clock.DAY_RULES) covers."""

    days: Annotated[str, meta(options=DAY_RULES, what="days")]
    slots: tuple[Slot, ...]


class Routine(msgspec.Struct, frozen=True):
    """wake and sleep: seconds after midnight. days: the first entry whose rule fits the day wins."""

    wake: Annotated[int, meta('"07:00"', low=0, high=DAY, reads="time", usual=7 * HOUR)]
    sleep: Annotated[int, meta('"22:30"', low=0, high=DAY, reads="time", usual=22 * HOUR)]
    days: Annotated[tuple[DaySlots, ...], meta('{every: [{at: "09:00", do: work, where: work}]}')]

    def usual(self, weekday: str) -> list[Slot]:
        """The blocks of a weekday, by their hours; none if no rule fits it."""
        slots = next((d.slots for d in self.days if day_matches(d.days, weekday)), ())
        return sorted(slots, key=lambda s: s.at)

    def asleep(self, second: int) -> bool:
        """Whether it has somebody in bed at that second of the day."""
        wake, sleep = self.wake, self.sleep
        return second < wake or second >= sleep if wake < sleep else sleep <= second < wake


class Appearance(msgspec.Struct, frozen=True):
    """Names of colours and build for the screen."""

    hair: Annotated[str, meta(options=HAIR, what="colour of hair")] = "brown"
    skin: Annotated[str, meta(options=SKIN, what="colour of skin")] = "light"
    build: Annotated[str, meta(most=30)] = "middling"


class Speech(msgspec.Struct, frozen=True, omit_defaults=True):
    """Habits of speech, without punctuation around them: how somebody greets, begins, calls others, ends and swears.

    asides: whole sentences they come back to when talk is small. calls: a person's id -> what they call them to their
    face, instead of the first name ("Mum").
    """

    openers: tuple[Habit, ...] = ()
    starts: tuple[Habit, ...] = ()
    addresses: tuple[Habit, ...] = ()
    tags: tuple[Habit, ...] = ()
    oaths: tuple[Habit, ...] = ()
    asides: tuple[Habit, ...] = ()
    calls: dict[str, Habit] = {}


class Presumed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody says only as long as they have a claim. kind, terms: the claim's, or the job of one who works; "" =
    any. says: words of theirs, as they stand under `speech`, `catchphrase` or `own`. about: what is told of them
    without the claim, in place of their own `about`.
    """

    kind: Annotated[str, meta("role", most=40), names("claim")]
    says: Annotated[tuple[Annotated[str, meta(most=300, exact=True)], ...], meta('["speaking as mayor"]')]
    terms: Annotated[str, meta(most=120)] = ""
    about: Annotated[str, meta(most=600)] = ""


class Temper(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long moods last with somebody. half_life: minutes until half of one is gone; None: as the world says
    (`mood.half_life`).
    """

    half_life: HalfLife | None = None


class Persona(msgspec.Struct, frozen=True):
    """A person. home and work are area addresses; work is "" for none. Secrets are known to the player's
    all-seeing view only. purse: coins at the start (None: a week's wage); wage: a week's (None: what the job earns).
    mood: how long theirs last, left out where the file says nothing. matters: concern -> the pressure that it is about,
    with which it goes. own: move -> lines that nobody else says. pronoun: what stands for their name in a sentence.
    presumes: words that go with a claim.
    """

    id: Annotated[str, msgspec.Meta(pattern=ID)]
    name: Annotated[str, meta("Mara Tansy", most=40, least=1)]
    age: Annotated[int, meta("40", low=0, high=120, usual=30)]
    household: Annotated[str, meta("tansy", most=40)]
    job: Annotated[str, meta("baker", most=60)]
    home: Annotated[str, meta("Rowan House / front bedroom", reads="address"), names("area")]
    big_five: Annotated[BigFive, meta("{openness: 0, conscientiousness: 0, ...}")]
    routine: Annotated[Routine, meta('{wake: "07:00", sleep: "22:30", days: ...}')]
    work: Annotated[str, meta(reads="address"), names("area")] = ""
    traits: tuple[Annotated[str, meta(most=60)], ...] = ()
    values: tuple[Annotated[str, meta(most=80)], ...] = ()
    likes: tuple[Annotated[str, meta(most=120)], ...] = ()
    dislikes: tuple[Annotated[str, meta(most=120)], ...] = ()
    voice: Voice = "plain"
    catchphrase: Annotated[str, meta(most=120)] = ""
    speech: Speech = Speech()
    look: Appearance = Appearance()
    about: Annotated[str, meta(most=600)] = ""
    concerns: tuple[Annotated[str, meta(most=160)], ...] = ()
    matters: dict[Annotated[str, meta(most=160)], Annotated[str, meta(most=60)]] = {}
    secrets: tuple[Annotated[str, meta(most=300)], ...] = ()
    opinions: dict[str, Opinion] = {}
    own: dict[Annotated[str, meta(most=40), names("move")], tuple[Annotated[str, meta(most=300, exact=True)], ...]] = {}
    history: tuple[PastTie, ...] = ()
    purse: Sum | None = None
    wage: Sum | None = None
    mood: Temper | msgspec.UnsetType = msgspec.UNSET
    pronoun: Annotated[str, meta(options=("she", "he", "they"), what="pronoun", usual="they")] = "they"
    presumes: tuple[Presumed, ...] = ()

    @property
    def first(self) -> str:
        """The first name."""
        return self.name.split()[0]

    @property
    def family(self) -> str:
        """The last name: who bears the same are kin."""
        return self.name.split()[-1]


HABITS = ("openers", "starts", "addresses", "tags", "oaths", "asides")  # of speech, that may presume a claim


def unspoken(p: Persona, lost: Sequence[Presumed]) -> Persona:
    """Somebody without words that presume a claim they do not have. lost: these words."""
    gone = {words for x in lost for words in x.says}
    if not gone:
        return p
    kept = {key: tuple(x for x in getattr(p.speech, key) if x not in gone) for key in HABITS}
    return replace(
        p,
        speech=replace(p.speech, **kept),
        catchphrase="" if p.catchphrase in gone else p.catchphrase,
        own={move: tuple(x for x in say if x not in gone) for move, say in p.own.items()},
        about=next((x.about for x in lost if x.about), p.about),
    )


class Clue(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that shows of what is hidden. says: a sentence without full stop; of a kind of pressure with {holder},
    {about} and {stakes}.

    known_by: who knows it from the start. where: a place in which whoever spends time may come upon it. by: what is
    done about the matter that lets those near notice it: an exchange, or "shows".
    """

    says: Annotated[str, meta('"Quentin was late on Monday, with cobwebs on his sleeve"', most=200)]
    known_by: Annotated[tuple[str, ...], meta(distinct="person of the cast"), names("resident")] = ()
    where: Annotated[str, meta(reads="address"), names("area")] = ""
    by: Annotated[str, meta(most=40), names("deed")] = ""


class Truth(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that somebody asks about and that is no pressure. who: whose doing it is; says: how it is, a sentence."""

    id: Annotated[str, meta("who_wrote", most=60)]
    who: Annotated[str, meta("mara"), names("resident")]
    says: Annotated[str, meta('"Mara wrote the letter"', most=200)]
    known_by: Annotated[tuple[str, ...], meta(distinct="person of the cast"), names("resident")] = ()
    clues: tuple[Clue, ...] = ()


class Pressure(msgspec.Struct, frozen=True):
    """Something a person wants, owes, hides or resents (docs/mechanisms.md, Pressures).

    wakes and due: seconds since the world's start. intensity in [0, 1]; stage 0..3; about: a person's id; due is None
    when nothing waits. amount: of a debt in coins, 0 for one that is a thing or a deed. drift: days by which one
    with an hour may come later, hour and all. ends: ending -> the claims that it makes and breaks, beside those of its
    kind. hangs_on: claims that must all stand as it wakes; it waits for them until it would be due. asks: the fact
    that its holder wants to know, the id of a pressure or of a truth. clues: what shows of it. wants: the claim that
    its holder wants, if neither its kind nor `ends` says it. facts: what there is to know of it.
    """

    id: Annotated[str, meta("oven_loan", most=60)]
    kind: Annotated[str, meta("debt", options=KINDS, what="kind of pressure")]
    holder: Annotated[str, meta("mara"), names("resident")]
    about: Annotated[str, meta(given=1), names("resident")]
    intensity: Annotated[float, meta("0.5", low=0, high=1)]
    stage: Annotated[int, meta(low=0, high=3)]
    wakes: Annotated[int, meta('"day 1 07:30"', low=0, high=FAR)]
    due: Annotated[int, meta(low=0, high=FAR)] | None
    stakes: Annotated[str, meta('"the oven, and with it the shop"', most=240)]
    known_by: Annotated[tuple[str, ...], meta(distinct="person of the cast"), names("resident")]
    thread: Annotated[str, meta(most=60)]
    cause: Annotated[str, meta('"the oven broke in January"', most=240)]
    amount: Given = 0
    drift: Annotated[int, meta(low=0, high=DRIFT)] = 0
    ends: dict[Annotated[str, meta(most=40)], ClaimChanges] = {}
    hangs_on: Annotated[tuple[ClaimCondition, ...], meta(key="if")] = ()
    asks: Annotated[str, meta(most=60), names("pressure or fact")] = ""
    clues: tuple[Clue, ...] = ()
    wants: Making = NO_CLAIM
    facts: Facts = {}
