"""Memories as their owner would say them: a memory has no subject, and says "who" of its owner where others came."""

from __future__ import annotations

import re
from typing import Protocol

from sandbox.people.causes import DEEDS, NEEDS, OWN, Sort
from sandbox.people.shelf import Form

_HEARD_OUT = re.compile(r"heard (.+?) out: (.+?)(?:, who (.+))?$")
SETTLED = "saw it settled: "
_OF_OWNER = re.compile(r"(, who \w+ )them\b")
_FAR = re.compile(r"^(\w+(?: \w+)?) ([A-Z][\w'’-]*)( .+), who ")  # whoever "who" is stands too far from it
_OWN = {
    "is": "am", "has": "have", "does": "do", "holds": "hold", "wants": "want", "owes": "owe", "means": "mean",
    "lies": "lie", "crosses": "cross", "practises": "practise",
}  # fmt: skip


class Remembered(Protocol):
    """A memory, whole or as a question shows it."""

    @property
    def kind(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def form(self) -> Form: ...


def deed(m: Remembered) -> bool:
    """Whether a memory of an event is a clause of which its owner is the subject."""
    return m.kind == "event" and m.form != ""


def retold(m: Remembered, me: str) -> str:
    """A memory as a sentence of its owner, whose first name is `me`, without full stop."""
    if m.kind == "thought":
        return m.text[:1].upper() + m.text[1:]
    if m.form == "hearing" and (came := _HEARD_OUT.match(m.text)):
        who, did, took = came.groups()
        return myself(f"{who} {did}" + (f", and I {took}" if took else ""), me)
    if m.form == "outcome":
        return f"It was settled that {myself(m.text[len(SETTLED) :], me)}"
    text = _FAR.sub(r"\1 \2\3, and \2 ", _OF_OWNER.sub(r"\1me", m.text))
    if m.kind == "plan" or m.kind == "chat" or deed(m):
        return f"I {myself(text, me)}"
    return text[:1].upper() + text[1:]


def myself(text: str, me: str) -> str:
    """A sentence about somebody as they say it themselves: "Mara owes Otis" is "I owe Otis" from Mara."""
    name = re.escape(me)
    text = re.sub(rf"(?<!\w){name}['’]s(?!\w)", "my", text)
    text = re.sub(rf"(?<!\w){name} (\w+)", _does, text)
    text = re.sub(rf"^{name}(?!\w)", "I", text)
    text = re.sub(r"^(I have set )their heart", r"\1my heart", text)
    return re.sub(rf"(?<!\w){name}(?!\w)", "me", text)


def _does(m: re.Match[str]) -> str:
    """What one does oneself: "I owe" for "Mara owes"."""
    acts = m[1] in _OWN or m[1] in DEEDS or m[1].endswith("ed")
    return f"I {_OWN.get(m[1], m[1])}" if acts else m[0]


def within(text: str) -> str:
    """A sentence as it stands inside another: a pronoun or an article at its head becomes small."""
    first = text.partition(" ")[0]
    small = first in ("The", "A", "An", "My", "There", "One", "Time", "Whatever", "If", "It")
    return text[:1].lower() + text[1:] if small else text


def clause(cause: str, sort: Sort) -> str:
    """A cause of a mood as a clause of one's own: "I slept well", "the sight of Mara"."""
    if sort in NEEDS or sort in ("want", "anticipation"):
        return f"I am {cause}"
    return f"I was {cause}" if sort in ("rejection", "treatment") else f"I {cause}" if sort in OWN else cause
