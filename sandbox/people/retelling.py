"""Memories as their owner would say them: a memory has no subject, and says "who" of its owner where others came."""

from __future__ import annotations

import re
from typing import Protocol

# First words of a clause that lacks its subject, beside those in -ed.
DEEDS = frozenset((
    "was", "were", "had", "has", "did", "could", "got", "found", "came", "went", "won", "struck", "saw", "sat", "made",
    "lost", "learnt", "knew", "gave", "woke", "told", "said", "spoke", "paid", "let", "heard", "felt", "forgot", "fell",
    "took", "kept", "left", "caught", "met", "ran", "slept", "thought", "broke", "burnt", "spilt", "stood", "read",
    "wrote", "understood", "ate", "drank", "put", "swept", "drew", "held", "hid", "sang", "cut", "built", "chose",
    "brought", "set", "rang", "lit", "swung", "need",
))  # fmt: skip
_LACKS = re.compile(r"(hungry|lonely|tired|bored|short of |always |looking forward |turned away )")
_HEARD_OUT = re.compile(r"heard (.+?) out: (.+?)(?:, who (.+))?$")
SETTLED = "saw it settled: "
_OF_OWNER = re.compile(r"(, who \w+ )them\b")
_FAR = re.compile(r"^(\w+(?: \w+)?) ([A-Z][\w'’-]*)( .+), who ")  # whoever "who" is stands too far from it
_TURNED = re.compile(r"turned away by ")
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
    def topic(self) -> str: ...


def deed(m: Remembered) -> bool:
    """Whether a memory of an event is a clause of which its owner is the subject."""
    first = m.text.split(maxsplit=1)[0].rstrip(",") if m.text else ""
    own = bool(m.topic) or first in DEEDS or (first.islower() and first.endswith("ed"))
    return m.kind == "event" and own and not _TURNED.match(m.text)


def quoted(m: Remembered) -> bool:
    """Whether a memory is what was said, word for word."""
    return m.kind == "chat" and m.text.startswith("told ") and ": " in m.text


def retold(m: Remembered, me: str) -> str:
    """A memory as a sentence of its owner, whose first name is `me`, without full stop."""
    if m.kind == "thought":
        return m.text[:1].upper() + m.text[1:]
    came = _HEARD_OUT.match(m.text)
    if came is not None:
        who, did, took = came.groups()
        return myself(f"{who} {did}" + (f", and I {took}" if took else ""), me)
    if m.text.startswith(SETTLED):
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


def clause(cause: str) -> str:
    """A cause of a mood as a clause of one's own: "I slept well", "the sight of Mara"."""
    first = cause.split(maxsplit=1)[0] if cause else ""
    if _LACKS.match(cause):
        return f"I am {cause}" if not cause.startswith("turned") else f"I was {cause}"
    own = first in DEEDS or (first.islower() and first.endswith("ed"))
    return f"I {cause}" if own else cause
