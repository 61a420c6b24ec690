"""What somebody from outside asks a person, and all that the person has to answer it from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.text import upper
from sandbox.people.persona import Persona
from sandbox.people.question_mood import DescribeMood
from sandbox.people.question_parts import ShownMemory
from sandbox.people.wording import lower_first_word, memory_sentence

TELLS = 3  # poignancy from which something is told before what happened more often


class Recollection(ShownMemory, frozen=True):
    """A memory that a question brought to mind. when: in words ("this morning"); day: 0 = today, 1 = yesterday ..."""

    when: str = ""
    day: int = 0


class Brought(msgspec.Struct, frozen=True):
    """Something from outside that has come to you within a day. name: what it is to you ("letter"); told: the memory of
    it; believed: what you hold to be so of what it said, doubted: that you hold nothing of it; wants: what it has you
    want, that completes "I mean to". hushed: you keep it to yourself, and the rest is left out.
    """

    name: str
    told: Recollection | None = None
    believed: str = ""
    doubted: bool = False
    wants: str = ""
    hushed: bool = False


class Interview(Question, frozen=True):
    """Somebody from outside asks you something; nothing in the town changes by it. ask: the question. memories: what
    it brings to mind; believes: what one believes of others, the most fitting first; feelings: name -> what one feels
    for them, in words.

    felt: the question how one feels. about: ids of those the question names, and topic: the matter one has an opinion
    on, "" = none. heard: for each belief, the name of who told it, "" if one saw or knew it. pressed: what presses
    most, in one's own words; matter: what one holds or believes of the thing one is asked about, "" = nothing. ahead,
    tomorrow: what one means to do, each "do what where". name: what one is told by in texts, "" for the first name;
    names: id -> that of others. brought: what has come to one from outside, the latest first. life: what there is to
    tell of one's own life (people/asking_life.py). own: it names whoever is asked, too; which: the whole names of those
    who may be meant by a first name in it.
    """

    ask: str = ""
    persona: Persona | None = None
    mood: str = ""
    memories: tuple[Recollection, ...] = ()
    believes: tuple[str, ...] = ()
    feelings: dict[str, str] = {}
    plan: str = ""
    felt: DescribeMood | None = None
    about: tuple[str, ...] = ()
    topic: str = ""
    heard: tuple[str, ...] = ()
    pressed: str = ""
    ahead: tuple[str, ...] = ()
    tomorrow: tuple[str, ...] = ()
    names: dict[str, str] = {}
    brought: tuple[Brought, ...] = ()
    matter: str = ""
    life: dict[str, tuple[str, ...]] = {}
    name: str = ""
    own: bool = False
    which: tuple[str, ...] = ()


class Interviewed(Answer, frozen=True):
    """What they say to it. memories: ids of those it rests on."""

    text: str
    memories: tuple[int, ...] = ()


class AnswerWriter:
    """A question being answered: what was asked, and by what chance the words are chosen."""

    def __init__(self, q: Interview, chance: Stream) -> None:
        assert q.persona is not None
        self.q, self.chance, self.p = q, chance, q.persona
        self.name = q.name or q.persona.first
        self.low = f" {q.ask.lower()} "

    def one(self, ways: Sequence[str], **slots: str) -> str:
        """One of these ways to say it. A slot with a capital begins a sentence."""
        slots |= {name.capitalize(): upper(text) for name, text in slots.items()}
        return self.chance.choice(ways).format(**slots)

    def memory(self, ways: Sequence[str], m: Recollection) -> str:
        """A memory, in one of these ways."""
        return self.one(ways, memory=self.said(m), when=m.when)

    def said(self, m: Recollection) -> str:
        """A memory as a clause inside a sentence."""
        return lower_first_word(memory_sentence(m, self.name))

    @property
    def job(self) -> str:
        """What they are by their work."""
        return self.p.job or "nobody's servant"

    @property
    def deeds(self) -> list[Recollection]:
        """What happened, that weighs most first; the question's own order else."""
        return sorted((m for m in self.q.memories if m.kind != "thought"), key=lambda m: -(m.poignancy >= TELLS))

    @property
    def whom(self) -> str:
        """The name of the first person the question is about, "" if it is about nobody."""
        return self.q.names.get(self.q.about[0], "") if self.q.about else ""
