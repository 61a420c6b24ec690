"""Pressures in words: what one is about, and what somebody did about it. `stories_of_pressures.py` describes the
events.

Later events of a pressure carry only its id. What it is about is in the event that began it, so whoever reads a log
keeps a `Matter` for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import AWAY, gist

MATTER = "&"  # mark of timeline rows about a pressure
STAGES = ("simmers", "shows", "acts", "breaks")  # words for the stages 0 to 3 of a pressure
SOMEBODY = "somebody"
UNWORDED = "settle something with {about} ({stakes})"  # for kinds that the deck has no words for
ALONE = frozenset(("ambition", "rivalry"))  # kinds one mentions to a third person without naming whom they are about


class Matter(NamedTuple):
    """What a pressure is about. about: a person or "". seq: the event that began it, 0 if unknown. size: its intensity
    at that time, or the earliest known, in [0, 1].
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
        """What is at stake, without the particulars."""
        return gist(self.stakes)


Matters = Mapping[str, Matter]
UNKNOWN: Matters = {}


def world_matters(w: World) -> dict[str, Matter]:
    """The matters of the cast and those open in the world, by id; to read a log from the middle."""
    out = {
        p.id: Matter(p.id, p.kind, p.holder, p.about, p.stakes, p.cause, p.thread, 0, p.intensity)
        for p in w.cast_pressures.values()
    }
    for x in w.pressures.open.values():
        size = out[x.id].size if x.id in out else x.intensity
        out[x.id] = Matter(x.id, x.kind, x.holder, x.about, x.stakes, x.cause, x.thread, x.seq, size)
    return out


# ---- what it is


def format_matter(handbook: Handbook, m: Matter, template: str, stakes: str = "") -> str:
    """Fill a template that has {holder}, {about} and {stakes}; first letter upper case. stakes: "" = the gist."""
    whom = handbook.name(m.about) if m.about else SOMEBODY
    return upper(template.format(holder=handbook.name(m.holder), about=whom, stakes=stakes or m.gist))


def want_clause(handbook: Handbook, kind: str, about: str, stakes: str) -> str:
    """What the holder of a pressure wanted, to follow "wanted to": "have it out with Vera over an apology"."""
    found = handbook.drama.kinds.get(kind)
    words = found.wanted if found and found.wanted else UNWORDED
    whom = handbook.name(about) if about else SOMEBODY
    return words.replace("{about}", whom).replace("{stakes}", stakes)


def wanted_sentence(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What a pressure was, in the past tense as it may be over: "Mara wanted to have it out with Vera over an apology".
    stakes: "" = the gist.
    """
    return f"{handbook.name(m.holder)} wanted to {want_clause(handbook, m.kind, m.about, stakes or m.gist)}"


def matter_sentence(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What a pressure is, by its kind: "Mara holds something against Vera: an apology". stakes: "" = the gist."""
    kind = handbook.drama.kinds.get(m.kind)
    return format_matter(handbook, m, kind.says, stakes) if kind else wanted_sentence(handbook, m, stakes)


# ---- what somebody did


def deed_sentence(handbook: Handbook, who: str, do: str, to: str, m: Matter | None, answer: str = "") -> str:
    """What somebody did about a matter: "Mara had it out with Vera: an apology for two hundred loaves; Vera gave in".

    do: an exchange. answer: how the other took it; "" leaves that out, "away" means that they would not listen.
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
