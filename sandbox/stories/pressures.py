"""Pressures in words: what a matter is about, what somebody did about it, how it went on and how it ended.

Events of a pressure name it by its id only. What it is about stands in the event it began with, so whoever reads a log
keeps the `Matter`s it has met.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import NamedTuple, Protocol

from sandbox.core.events import Record
from sandbox.drama.decided import BY as DECIDED
from sandbox.drama.decided import Decided
from sandbox.people.handbook import Handbook
from sandbox.people.paying import Paid
from sandbox.people.persona import Pressure
from sandbox.people.pressures.deck import Drama, gist
from sandbox.people.pressures.model import Began, Ended, PressureState, Sought, Sparked, Stirred
from sandbox.stories.notable import Notable
from sandbox.stories.phrases import Change, upper

# Marks of rows: what has to do with a pressure, hard words about it, what is told on, love returned, what was decided.
MATTER, HARD, TOLD, LOVE, OUTCOME = "&", "!", "?", "♥", "%"
EVENTS = (Began, Stirred, Ended, Sought, Sparked, Decided)
SOMEBODY = "somebody"
UNWORDED = "settle something with {about} ({stakes})"  # of a kind that the deck has no such words for
SMALL = 0.45  # intensity below which a pressure began as something small: a borrowed umbrella
# What is told by an exchange where a pressure of a kind is no longer the same once more people know of it.
SPREADS = {
    ("leak", "secret"): "what {holder} keeps from {about}",
    ("leak", "crush"): "how {holder} feels about {about}",
    ("confide", "secret"): "what {about} must not know",
    ("confide", "crush"): "how it is with {about}",
}
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


class HasMatters(Protocol):
    """The part of a world that knows what its pressures are about."""

    pressures: PressureState
    cast_pressures: tuple[Pressure, ...]


def of_world(w: HasMatters) -> dict[str, Matter]:
    """The matters of the cast and those that are open, for a log that is not read from its beginning."""
    out = {
        p.id: Matter(p.id, p.kind, p.holder, p.about, p.stakes, p.cause, p.thread, 0, p.intensity)
        for p in w.cast_pressures
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


def matter_of(record: Record) -> str:
    """The id of the pressure an event belongs to, or ""."""
    e = record.event
    if isinstance(e, Paid):
        return e.debt
    return e.id if isinstance(e, (Began, Stirred, Ended, Sought)) else ""


# ---- what it is


def about(handbook: Handbook, m: Matter, template: str, stakes: str = "") -> str:
    """A sentence with {holder}, {about} and {stakes}, its first letter a capital. stakes: "" = the gist of it."""
    whom = handbook.name(m.about) if m.about else SOMEBODY
    return upper(template.format(holder=handbook.name(m.holder), about=whom, stakes=stakes or m.gist))


def wanted(handbook: Handbook, kind: str, about: str, stakes: str) -> str:
    """What the holder of a pressure wanted, after "wanted to": "have it out with Vera over an apology"."""
    found = handbook.drama.kinds.get(kind)
    words = found.wanted if found and found.wanted else UNWORDED
    whom = handbook.name(about) if about else SOMEBODY
    return words.replace("{about}", whom).replace("{stakes}", stakes)


def was(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What it was, told when it may be over: "Mara wanted to have it out with Vera over an apology".

    stakes: what is at stake, "" = the gist of it.
    """
    return f"{handbook.name(m.holder)} wanted to {wanted(handbook, m.kind, m.about, stakes or m.gist)}"


def says(handbook: Handbook, m: Matter, stakes: str = "") -> str:
    """What it is, by its kind: "Mara holds something against Vera: an apology".

    stakes: what is at stake, "" = the gist of it.
    """
    kind = handbook.drama.kinds.get(m.kind)
    return about(handbook, m, kind.says, stakes) if kind else was(handbook, m, stakes)


# ---- what somebody did


def deed(handbook: Handbook, who: str, do: str, to: str, m: Matter | None, answer: str = "") -> str:
    """What somebody did about a matter: "Mara had it out with Vera: an apology for two hundred loaves; Vera gave in".

    do: an exchange. answer: how the other took it; "" leaves that out.
    """
    exchange = handbook.drama.exchanges.get(do)
    other = handbook.name(to)
    did = exchange.did.format(to=other) if exchange else f"came to {other}"
    if m is not None:
        third = next((handbook.name(x) for x in (m.about, m.holder) if x and x not in (who, to)), "")
        if third and m.kind not in ALONE and third not in m.gist and " about " not in did:
            did += f" about {third}"
        did += f": {m.gist}"
    took = exchange.took.get(answer, "") if exchange else ""
    return f"{handbook.name(who)} {did}" + (f"; {other} {took}" if took else "")


def _told(handbook: Handbook, who: str, to: str, how: str, m: Matter | None) -> str:
    """What somebody let another know, as a sentence; "" if it changes nothing that it is known."""
    words = SPREADS.get((how, m.kind)) if m is not None else None
    if m is None or words is None:
        return ""
    whom = "them" if to == m.about else handbook.name(m.about) if m.about else SOMEBODY
    what = words.format(holder=handbook.name(m.holder), about=whom)
    return f"{handbook.name(who)} has told {handbook.name(to)} {what}: {m.gist}"


# ---- events


def sentence(record: Record, handbook: Handbook, matters: Matters = UNKNOWN) -> str:
    """The words of an event of a pressure, without full stop; "" for any other event."""
    e, who = record.event, record.stamp.actor
    m = matters.get(matter_of(record))
    match e:
        case Sparked() | Decided():
            return e.says.removesuffix(".")
        case Began():
            return says(handbook, Matter(e.id, e.kind, who, e.about, e.stakes, e.cause, e.thread))
        case Sought():
            return f"{handbook.name(who)} goes {e.why}" + (f": {m.gist}" if m else "")
        case Ended():
            return _ended(handbook, who, e, m)
        case Stirred():
            return _stirred(handbook, who, e, m)
        case _:
            return ""


def _ended(handbook: Handbook, who: str, e: Ended, known: Matter | None) -> str:
    m = known or _unmet(handbook.drama, who, e)
    kind = handbook.drama.kinds.get(m.kind) if m else None
    ending = kind.ends.get(e.how) if kind else None
    if m is None or ending is None:
        return deed(handbook, who, e.by, e.to, m, e.answer) if e.to else f"A matter of {handbook.name(who)}'s is over"
    text = about(handbook, m, ending.says)
    return f"{text}: {m.gist}" if e.turn and m.gist else text


def _unmet(drama: Drama, who: str, e: Ended) -> Matter | None:
    """The matter that ended, by its end alone, for whoever has not read how it began; None if that could be another's.

    Most endings are those of one kind only, and say by what was done, or let go by, whose matter it was.
    """
    kinds = [name for name, kind in drama.kinds.items() if e.how in kind.ends]
    if len(kinds) != 1 or not e.to:
        return None
    ways = drama.kinds[kinds[0]].ways
    parts = {(way.by, way.to) for way in ways if way.do == e.by and e.how in way.endings}
    parts = parts if e.by in drama.exchanges else {("holder", "about")}
    if parts == {("holder", "about")}:
        holder, about = who, e.to
    elif parts == {("about", "holder")}:
        holder, about = e.to, who
    else:
        return None
    stakes = next((f.why for f in e.feelings if f.u == who or e.by not in drama.exchanges), "")
    return Matter(e.id, kinds[0], holder, about, stakes, "", "")


def _stirred(handbook: Handbook, who: str, e: Stirred, m: Matter | None) -> str:
    name = handbook.name(who)
    kind = handbook.drama.kinds.get(m.kind) if m else None
    if e.answer:
        told = _told(handbook, who, e.to, e.how, m) if e.to in e.told else ""
        text = told or deed(handbook, who, e.how, e.to, m, e.answer)
        return f"{text}, and it came to hard words" if e.turn else text
    if e.how == "shows":
        showed = about(handbook, m, kind.shows) if m and kind else f"Something is up with {name}"
        return f"{showed}; {handbook.name(e.to)} noticed"
    if m is None:
        return f"Something weighs on {name}"
    if e.how == "heard":
        return f"{name} has told {handbook.name(e.to)} something that goes round: {says(handbook, m)}"
    if e.how == "again":
        return f"{says(handbook, m)}, and now more than before"
    return f"{name} has let the hour go by: {m.gist}"


def change(record: Record, handbook: Handbook, notable: Notable, matters: Matters = UNKNOWN) -> Change | None:
    """What an event of a pressure is worth in the chronicle; None if it is worth no line, or is of another kind.

    What was said about it without consequence is told by its talk, and what the town begins with is no event.
    """
    mark, weight = _weighed(record, notable, matters)
    if not weight:
        return None
    return Change(mark, sentence(record, handbook, matters), concerned(record, matters), weight)


def _weighed(record: Record, notable: Notable, matters: Matters) -> tuple[str, float]:
    """Mark and weight of an event of a pressure; ("", 0) if it is not worth a line."""
    e = record.event
    if isinstance(e, Sparked):
        return MATTER, notable["pressure.spark"]
    if isinstance(e, Decided):
        return OUTCOME, notable[f"outcome.{e.how}"]
    if isinstance(e, Sought):
        return MATTER, notable["pressure.seeks"]
    if isinstance(e, Began):
        return (MATTER, notable["pressure.began"]) if record.stamp.causes else ("", 0.0)
    if isinstance(e, Ended):
        if not e.turn:
            return MATTER, notable["pressure.faded"]
        mark = LOVE if e.how == "together" else HARD if e.hostile and not e.good else MATTER
        weight = notable.get(f"pressure.{e.how}", "pressure.good" if e.good else "pressure.bad")
        m = matters.get(e.id)
        less = e.by == DECIDED or (m is not None and m.size < SMALL)  # what decided it has a row of its own
        return mark, max(0.1, weight - notable["pressure.small"]) if less else weight
    return _of_stir(e, matters.get(e.id), notable) if isinstance(e, Stirred) else ("", 0.0)


def _of_stir(e: Stirred, m: Matter | None, notable: Notable) -> tuple[str, float]:
    if e.turn:
        return HARD, notable["pressure.broke"]
    if e.hostile:
        return HARD, notable["pressure.faced"]
    if e.how == "declare":
        return LOVE, notable["pressure.declared"]
    if e.to in e.told and m is not None and (e.how, m.kind) in SPREADS:
        return TOLD, notable["pressure.told_on"]
    if e.how in ("late", "missed"):
        return MATTER, notable["pressure.late"]
    return (MATTER, notable["pressure.shows"]) if e.how == "shows" else ("", 0.0)


def concerned(record: Record, matters: Matters = UNKNOWN) -> tuple[str, ...]:
    """Whom an event of a pressure has to do with, whoever did it first."""
    e = record.event
    m = matters.get(matter_of(record))
    who = [record.stamp.actor]
    if isinstance(e, Sparked):
        who += e.roles.values()
    elif isinstance(e, Decided):
        who += (p.who for p in e.parts)
    elif isinstance(e, Began):
        who.append(e.about)
    elif isinstance(e, Sought):
        who.append(e.whom)
    elif isinstance(e, (Stirred, Ended)):
        who.append(e.to)
    if m is not None:
        who += (m.holder, m.about)
    return tuple(x for x in dict.fromkeys(who) if x)
