"""A persona: everything about a person that a file says and a day does not change."""

from __future__ import annotations

from typing import Literal

import msgspec

Voice = Literal["plain", "warm", "blunt", "formal", "playful"]


class BigFive(msgspec.Struct, frozen=True):
    """The five traits, each in [-1, 1]."""

    openness: float
    conscientiousness: float
    extraversion: float
    agreeableness: float
    neuroticism: float


class Opinion(msgspec.Struct, frozen=True):
    """stance: -1 against .. 1 for. why completes "because ..."."""

    stance: float
    why: str


class Past(msgspec.Struct, frozen=True, rename={"with_": "with"}):
    """What was before the world starts: feeling in [-1, 1] and closeness in [0, 1] towards a person, and why."""

    with_: str
    feeling: float
    closeness: float
    why: str


class Slot(msgspec.Struct, frozen=True):
    """A block of the usual day. at: seconds after midnight; where: an area's address, "home" or "work"."""

    at: int
    do: str
    where: str


class DaySlots(msgspec.Struct, frozen=True):
    """The blocks of the days that a rule (core.clock.DAY_RULES) covers."""

    days: str
    slots: tuple[Slot, ...]


class Routine(msgspec.Struct, frozen=True):
    """wake and sleep: seconds after midnight. days: the first entry whose rule fits the day wins."""

    wake: int
    sleep: int
    days: tuple[DaySlots, ...]


class Look(msgspec.Struct, frozen=True):
    """Names of colours and build for the screen."""

    hair: str = "brown"
    skin: str = "light"
    build: str = "middling"


class Speech(msgspec.Struct, frozen=True, omit_defaults=True):
    """Habits of speech, without punctuation around them: how somebody greets, begins, calls others, ends and swears.

    asides: whole sentences they come back to when talk is small. calls: a person's id -> what they call them to their
    face, instead of the first name ("Mum").
    """

    openers: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    oaths: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    calls: dict[str, str] = {}


class Persona(msgspec.Struct, frozen=True):
    """A person. home and work are area addresses; work is "" for none. Secrets are known to the player's
    all-seeing view only. purse: coins at the start (None: a week's wage); wage: a week's (None: what the job earns).
    """

    id: str
    name: str
    age: int
    household: str
    job: str
    home: str
    big_five: BigFive
    routine: Routine
    work: str = ""
    traits: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()
    voice: Voice = "plain"
    catchphrase: str = ""
    speech: Speech = Speech()
    look: Look = Look()
    about: str = ""
    concerns: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    opinions: dict[str, Opinion] = {}
    history: tuple[Past, ...] = ()
    purse: int | None = None
    wage: int | None = None

    @property
    def first(self) -> str:
        """The first name."""
        return self.name.split()[0]


DRIFT = 30  # days by which a pressure may come later, at most


class Pressure(msgspec.Struct, frozen=True):
    """Something a person wants, owes, hides or resents (docs/mechanisms.md, Pressures).

    wakes and due: seconds since the world's start. intensity in [0, 1]; stage 0..3; about: a person's id; due is None
    when nothing waits. amount: of a debt in coins, 0 for one that is a thing or a deed. drift: days by which one
    with an hour may come later, hour and all.
    """

    id: str
    kind: str
    holder: str
    about: str
    intensity: float
    stage: int
    wakes: int
    due: int | None
    stakes: str
    known_by: tuple[str, ...]
    thread: str
    cause: str
    amount: int = 0
    drift: int = 0
