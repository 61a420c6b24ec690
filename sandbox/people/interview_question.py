"""The interview question: what somebody from outside asks a person, with everything the answer may draw on."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import QuestionSpec, nobody, text_fault
from sandbox.core.text import upper
from sandbox.people.persona import Persona
from sandbox.people.question_mood import DescribeMood
from sandbox.people.question_parts import ANN, ShownMemory
from sandbox.people.wording import lower_first_word, memory_sentence, phrases

INTERVIEW_WORDS = "interview"  # the file of what is said in an answer
TELLS = 3  # poignancy from which a memory is told before routine ones


class Recollection(ShownMemory, frozen=True):
    """A memory that a question brought to mind. when: in words ("this morning"); day: 0 = today, 1 = yesterday ..."""

    when: str = ""
    day: int = 0


class Brought(msgspec.Struct, frozen=True):
    """Something from outside that reached the person within a day. name: what it is ("letter"); told: the memory of it;
    believed: what they believe of its content; doubted: they believe none of it; wants: what it makes them want,
    completing "I mean to". hushed: they keep it secret, and the other fields are empty.
    """

    name: str
    told: Recollection | None = None
    believed: str = ""
    doubted: bool = False
    wants: str = ""
    hushed: bool = False


class Interview(Question, frozen=True):
    """Somebody from outside asks a person something; the town does not change. ask: the question. memories: what it
    brings to mind; believes: sentences the person believes, the most fitting first; feelings: name -> feeling in words.

    felt: the question how the person feels. about: ids of people the question names; topic: the opinion it touches, ""
    = none. heard: for each belief, the name of who told it, "" if firsthand. pressed: their most intense pressure, in
    their words; matter: what they know of the thing asked about, "" = nothing; facts: which facts of
    it they know. ahead, tomorrow: plans, each "do what
    where". name: the person's name in texts, "" for the first name; names: id -> name of others. brought: what came
    from outside, the latest first. life: heading -> facts of their life (people/asking_life.py). own: the question
    names the person asked; which: whole names of those an ambiguous first name in it may mean.
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
    facts: tuple[str, ...] = ()
    life: dict[str, tuple[str, ...]] = {}
    name: str = ""
    own: bool = False
    which: tuple[str, ...] = ()


class Interviewed(Answer, frozen=True):
    """The answer. memories: ids of the memories it is based on."""

    text: str
    memories: tuple[int, ...] = ()


class AnswerWriter:
    """An interview being answered: the question `q`, the persona `p`, and the chance that picks the wording."""

    def __init__(self, q: Interview, chance: Stream) -> None:
        assert q.persona is not None
        self.q, self.chance, self.p = q, chance, q.persona
        self.name = q.name or q.persona.first
        self.low = f" {q.ask.lower()} "

    def one(self, key: str, **slots: str) -> str:
        """One of the templates under a key, filled in. A slot written with a capital, {Name}, gets a capital letter."""
        slots |= {name.capitalize(): upper(text) for name, text in slots.items()}
        return self.chance.choice(phrases(INTERVIEW_WORDS)[key]).format(**slots)

    def feeling(self) -> list[str]:
        """What one feels about the person the question is about, as a sentence; none if there is none for it."""
        key = f"of_them.{self.q.feelings.get(self.whom, '')}"
        return [self.one(key, name=self.whom)] if key in phrases(INTERVIEW_WORDS) else []

    def memory(self, key: str, m: Recollection) -> str:
        """A memory in one of the templates under a key, with {memory} and {when}."""
        return self.one(key, memory=self.said(m), when=m.when)

    def said(self, m: Recollection) -> str:
        """A memory as a clause inside a sentence."""
        return lower_first_word(memory_sentence(m, self.name))

    @property
    def job(self) -> str:
        """The person's job, or a phrase for none."""
        return self.p.job or "nobody's servant"

    @property
    def deeds(self) -> list[Recollection]:
        """The memories that are no thoughts: those from poignancy TELLS first, otherwise in the question's order."""
        return sorted((m for m in self.q.memories if m.kind != "thought"), key=lambda m: -(m.poignancy >= TELLS))

    @property
    def whom(self) -> str:
        """The name of the first person the question is about, "" if it is about nobody."""
        return self.q.names.get(self.q.about[0], "") if self.q.about else ""


# ---- the question


def _fault(q: Interview, a: Interviewed) -> str:
    unseen = set(a.memories) - {m.id for m in q.memories}
    return text_fault(a.text, 1200) or ("a memory that was not shown" if unseen else "")


_RECALLED = Recollection(5, "event", "saw Bo wheeling a barrow", ("bo",), 5, 0.3, "barrow", when="this morning")
_SAMPLE = Interview(
    "ann",
    ask="What do you think of Bo?",
    persona=ANN,
    mood="Ann feels calm.",
    memories=(_RECALLED,),
    feelings={"Bo": "likes Bo"},
    felt=DescribeMood("ann", persona=ANN, labels=("Neutral", "Neutral", "Neutral")),
    about=("bo",),
    plan="work at the bakery",
    ahead=("work at the bakery",),
    names={"bo": "Bo"},
)


def interview_spec(rule: Callable[[Interview, Stream], Interviewed]) -> QuestionSpec:
    """The spec of an interview, answered by that rule."""
    return QuestionSpec(
        question=Interview, answer=Interviewed, name="Interview", rule=rule, fault=_fault, samples=(_SAMPLE,),
        concerns=nobody, taken=False, asks="interview", asked=True,
    )  # fmt: skip
