"""Pressures in words: what a matter is about, and what somebody did about it. Its events are told in
`stories_of_pressures.py`.

Events of a pressure name it by its id only. What it is about stands in the event it began with, so whoever reads a log
keeps the `Matter`s it has met.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import AWAY, gist
from sandbox.people.pressure_model import Began

MATTER = "&"  # mark of a row that has to do with a pressure
STAGES = ("simmers", "shows", "acts", "breaks")  # how far a pressure has come
SOMEBODY = "somebody"
UNWORDED = "settle something with {about} ({stakes})"  # of a kind that the deck has no such words for
ALONE = frozenset(("ambition", "rivalry"))  # kinds that one speaks of to a third without the other person


class Matter(NamedTuple):
    """What a pressure is about. about: a person or "". seq: the event it began with, 0 while that is not known.

    size: the intensity it began with, or the earliest that is known, in [0, 1].
    """

    id: str
    kind: str
    holder: str
    about: str
    stakes: str
    cause: str
    thread: str
    seq: int = 0
    size: float = 1.0

    @property
    def gist(self) -> str:
        """What is at stake, up to where it goes into particulars."""
        return gist(self.stakes)


Matters = Mapping[str, Matter]
UNKNOWN: Matters = {}


def world_matters(w: World) -> dict[str, Matter]:
    """The matters of the cast and those that are open, for a log that is not read from its beginning."""
    out = {
        p.id: Matter(p.id, p.kind, p.holder, p.about, p.stakes, p.cause, p.thread, 0, p.intensity)
        for p in w.cast_pressures.values()
    }
    for x in w.pressures.open.values():
        size = out[x.id].size if x.id in out else x.intensity
        out[x.id] = Matter(x.id, x.kind, x.holder, x.about, x.stakes, x.cause, x.thread, x.seq, size)
    return out


def learn(matters: MutableMapping[str, Matter], record: Record) -> None:
    """Keep what a pressure is about that begins."""
    (seq, _, _, holder, _), e = record
    if isinstance(e, Began):
        matters[e.id] = Matter(e.id, e.kind, holder, e.about, e.stakes, e.cause, e.thread, seq, e.intensity)


# ---- what it is


def format_matter(handbook: Handbook, m: Matter, template: str, stakes: str = "") -> str:
    """A sentence with {holder}, {about} and {stakes}, its first letter a capital. stakes: "" = the gist of it."""
    whom = handbook.name(m.about) if m.about else SOMEBODY
    return upper(template.format(holder=handbook.name(m.holder), about=whom, stakes=stakes or m.gist))


def want_clause(handbook: Handbook, kind: str, about: str, stakes: str) -> str:
    """What the holder of a pressure wanted, after "wanted to": "have it out with Vera over an apology"."""
    found = handbook.drama.kinds.get(kind)
    words = found.wanted if found and found.wanted else UNWORDED
    whom = handbook.name(about) if about else SOMEBODY
    return words.replace("{about}", whom).replace("{stakes}", stakes)


def was(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What it was, told when it may be over: "Mara wanted to have it out with Vera over an apology".

    stakes: what is at stake, "" = the gist of it.
    """
    return f"{handbook.name(m.holder)} wanted to {want_clause(handbook, m.kind, m.about, stakes or m.gist)}"


def matter_sentence(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What it is, by its kind: "Mara holds something against Vera: an apology".

    stakes: what is at stake, "" = the gist of it.
    """
    kind = handbook.drama.kinds.get(m.kind)
    return format_matter(handbook, m, kind.says, stakes) if kind else was(handbook, m, stakes)


# ---- what somebody did


def deed_sentence(handbook: Handbook, who: str, do: str, to: str, m: Matter | None, answer: str = "") -> str:
    """What somebody did about a matter: "Mara had it out with Vera: an apology for two hundred loaves; Vera gave in".

    do: an exchange. answer: how the other took it; "" leaves that out, and "away": they heard nothing.
    """
    exchange = handbook.drama.exchanges.get(do)
    other = handbook.name(to)
    did = exchange.did.format(to=other) if exchange else f"came to {other}"
    if answer == AWAY and exchange is not None:
        did = handbook.unheard(do, other) or f"came to {other} {exchange.says}"
    if m is not None:
        third = next((handbook.name(x) for x in (m.about, m.holder) if x and x not in (who, to)), "")
        if third and m.kind not in ALONE and third not in m.gist and " about " not in did:
            did += f" about {third}"
        did += f": {m.gist}"
    took = "would not hear a word" if answer == AWAY else exchange.took.get(answer, "") if exchange else ""
    return f"{handbook.name(who)} {did}" + (f"; {other} {took}" if took else "")
