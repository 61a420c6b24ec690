"""What is true of a place at a moment (what it has become, who lives and works there and since when, who has left), and
which things lie on the map: what events brought, whose it is and until when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.core.events import Record
from sandbox.core.text import join_names
from sandbox.engine.world import World
from sandbox.people.claim_handlers import EMPLOYS, LODGES, claim_words, claims_of
from sandbox.people.claim_model import StandingClaim, Use
from sandbox.people.guest_model import in_town
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import DramaDeck
from sandbox.readers.all_stories import STORIES, event_end, kinds_where, matter_begun
from sandbox.town.plan import sector_of


class Here(NamedTuple):
    """One fact about a place. text: words that follow the name of `who` ("" if nobody's); since: when it began, in
    words, "" if it always was so; seq: the event that brought it about, 0 if none.
    """

    who: str
    text: str
    since: str = ""
    seq: int = 0


class Facts(NamedTuple):
    """All facts about a place. now: what it has become; lives, works: who does so there; gone: who no longer does."""

    now: tuple[Here, ...]
    lives: tuple[Here, ...]
    works: tuple[Here, ...]
    gone: tuple[Here, ...]


def since_words(claim: StandingClaim, clock: Clock) -> str:
    """When a claim began: a time, or the world's own words; "" if unknown."""
    when = clock.words(claim.t) if claim.seq else claim.since
    return f"since {when}" if when else ""


def use_of(w: World, address: str) -> Use | None:
    """What claims have made of a room; for a whole plot, that of its first room that has become something."""
    own = (use for place, use in w.uses.items() if address in (place, sector_of(place)))
    return next(own, None)


def of_place(w: World, sector: str) -> Facts:
    """The facts about a building or a plot, as the world stands."""
    cast = [p for p in w.cast.values() if in_town(w, p.id)]
    return Facts(
        tuple(_become(w, sector)),
        tuple(_held(w, p, LODGES, p.home, p.home.partition(" / ")[2]) for p in cast if sector_of(p.home) == sector),
        tuple(_held(w, p, EMPLOYS, p.work, p.job) for p in cast if p.work and sector_of(p.work) == sector),
        tuple(_left(w, sector)),
    )


def dwellers(w: World, sector: str) -> str:
    """Who lives in a place, and who works there, as a clause: "Mara and Basil live here"; "" if nobody does."""
    cast = [p for p in w.cast.values() if in_town(w, p.id)]
    homes = [w.handbook.name(p.id) for p in cast if sector_of(p.home) == sector]
    works = [w.handbook.name(p.id) for p in cast if p.work and sector_of(p.work) == sector]
    parts = [
        f"{join_names(who)} {verb}{'s' * (len(who) == 1)} here"
        for who, verb in ((homes, "live"), (works, "work"))
        if who
    ]
    return ", ".join(parts)


def _become(w: World, sector: str) -> Iterator[Here]:
    for claim in w.claims.open.values():
        if claim.kind not in (LODGES, EMPLOYS) and sector_of(claim.where) == sector:
            words = claim_words(w.handbook, w.claim_deck.kinds[claim.kind].says, claim)
            yield Here(claim.a or claim.b, words, since_words(claim, w.clock), claim.seq)
    use = use_of(w, sector)
    if use is not None:
        yield Here("", use.says)


def _held(w: World, persona: Persona, kind: str, where: str, text: str) -> Here:
    """Somebody lives or works at a place: by a claim if one says so, else by their persona (text)."""
    claim = _claim(w, persona.id, kind)
    if claim is None or claim.where != where:
        return Here(persona.id, text)
    other = next((x for x in claim.people if x != persona.id), "")
    whom = f", {'with' if kind == LODGES else 'for'} {w.handbook.name(other)}" if other else ""
    return Here(persona.id, (claim.terms or text) + whom, since_words(claim, w.clock), claim.seq)


def _left(w: World, sector: str) -> Iterator[Here]:
    """Who lived or worked there when the world began, and no longer does."""
    for who, file in w.files.items():
        p = w.cast[who]
        for kind, verb, was, now in ((LODGES, "lived", file.home, p.home), (EMPLOYS, "worked", file.work, p.work)):
            if was and sector_of(was) == sector != sector_of(now):
                claim = _claim(w, who, kind)
                where = f"; now {'in' if kind == LODGES else 'at'} {w.handbook.place(now)}" if now else ""
                yield Here(
                    who, f"{verb} here{where}", since_words(claim, w.clock) if claim else "", claim.seq if claim else 0
                )


def _claim(w: World, who: str, kind: str) -> StandingClaim | None:
    """The claim by which somebody lodges or is employed, None if there is none."""
    end = "a" if kind == LODGES else "b"
    return next((c for c in claims_of(w, who, kind) if getattr(c, end) == who), None)


# ---- things on the map


LASTS = DAY + 6 * HOUR  # seconds until a thing is gone, whatever it started
ARTICLES = ("a ", "an ", "the ", "some ")
KINDS = kinds_where(lambda story: story.thing or story.begins or story.ends)


class MapThing(NamedTuple):
    """Something that lies on the map: where somebody stood when it came, until LASTS is over or all pressures it
    started have ended. who: its owner; people: everybody it concerns; x, y: its tile; t: the second it came; seq: the
    event that brought it.
    """

    text: str
    who: str
    people: tuple[str, ...]
    x: int
    y: int
    t: int
    seq: int

    @property
    def bare(self) -> str:
        """The thing's name without an article: "trombone"."""
        return next((self.text.removeprefix(a) for a in ARTICLES if self.text.startswith(a)), self.text)


class Things:
    """Which things lie where, at any second of the records taken in. Records must come in order."""

    def __init__(self, drama: DramaDeck) -> None:
        self._drama = drama
        self._came: list[MapThing] = []
        self._gone: dict[int, int] = {}  # event that brought a thing -> second when all it started had ended
        self._open: dict[int, set[str]] = {}  # event that brought a thing -> open pressures that it started

    def clear(self) -> None:
        """Forget all things, since the town was moved to another moment."""
        self._came.clear()
        self._gone.clear()
        self._open.clear()

    def take(self, record: Record, place: Callable[[str, int], tuple[float, float] | None]) -> None:
        """Take in the next record. place: where somebody stood at a second, None if that is not known."""
        stamp, e = record
        thing = STORIES[type(e)].thing
        came = thing(self._drama, e, stamp) if thing is not None else None
        if came is not None and (at := place(came.who, stamp.t)) is not None:
            self._came = [thing for thing in self._came if stamp.t - thing.t < 2 * LASTS]
            self._came.append(MapThing(*came, round(at[0]), round(at[1]), stamp.t, stamp.seq))
        elif (matter := matter_begun(record)) is not None:
            for seq in stamp.causes:
                if any(thing.seq == seq for thing in self._came):
                    self._open.setdefault(seq, set()).add(matter.id)
        elif (over := event_end(e)) is not None:
            for seq, matters in self._open.items():
                if over.id in matters:
                    matters.discard(over.id)
                    if not matters:
                        self._gone[seq] = stamp.t

    def began(self, thing: MapThing) -> tuple[str, ...]:
        """The ids of the open pressures that the event that brought a thing started."""
        return tuple(sorted(self._open.get(thing.seq, ())))

    def at(self, t: float) -> list[MapThing]:
        """The things on the map at second t, the latest last."""
        return [x for x in self.after(t) if x.t <= t]

    def after(self, t: float) -> list[MapThing]:
        """The things on the map at second t, and those that come later."""
        return [x for x in self._came if t < min(x.t + LASTS, self._gone.get(x.seq, x.t + LASTS))]


def latest_thing(things: Iterable[MapThing], who: str) -> MapThing | None:
    """The latest thing that concerns somebody, None if there is none."""
    return next((thing for thing in reversed([*things]) if who in thing.people), None)


def asked_of(thing: MapThing) -> str:
    """A question about the thing."""
    return f"What about the {thing.bare}?"
