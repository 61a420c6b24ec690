"""Search for people, places and events by a few letters. Ignores case and accents, and forgives one typo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeAlias
from unicodedata import combining, normalize

from sandbox.engine.world import World
from sandbox.readers.timeline import TimelineRow
from sandbox.town.grid import TownMap
from sandbox.town.plan import Rect, sector_of
from sandbox.tui.view.timeline_rows import ROUTINE
from sandbox.tui.view.viewer import Viewer

PEOPLE, PLACES, EVENTS = 8, 6, 30  # most results of each kind
SLIP = 3  # letters of a query from which it may match inside a word, or a typo is forgiven
SURE = 5  # letters of a query from which even its first letter may be wrong
Rank: TypeAlias = Callable[[str, str], int]


class SearchResult(NamedTuple):
    """A person (who), a place (at: tiles; address) or an event (row, its number). says: a description."""

    score: float
    text: str
    says: str = ""
    who: str = ""
    address: str = ""
    at: tuple[float, float] = (0.0, 0.0)
    row: TimelineRow | None = None
    number: int = -1

    @property
    def kind(self) -> str:
        """person, place or event."""
        return "person" if self.who else "event" if self.row is not None else "place"


def plain_letters(text: str) -> str:
    """Lower-case letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))


def has_one_typo(query: str, word: str) -> bool:
    """Whether the query, but for one wrong, missing or extra letter or two swapped ones, is the beginning of a word."""
    same = 0
    while same < min(len(query), len(word)) and query[same] == word[same]:
        same += 1
    rest, other = query[same:], word[same:]
    if not rest or not other:
        return len(rest) <= 1
    swapped = rest[:2][::-1] == other[:2] and len(rest) > 1
    return (
        other[1:].startswith(rest[1:])
        or other[1:].startswith(rest)
        or other.startswith(rest[1:])
        or (swapped and other[2:].startswith(rest[2:]))
    )


def match_score(query: str, text: str) -> int:
    """How well text matches a query without typos, from 0 (not at all) to 100 (equal). Both in plain letters."""
    if query not in text:
        asked = query.split()
        if len(asked) < 2 or not all(part in text for part in asked):
            return 0
        words = text.split()
        return 70 if all(any(word.startswith(part) for word in words) for part in asked) else 0
    if text.startswith(query):
        return 100 if text == query else 90
    if f" {query}" in text:
        return 80
    return 60 if len(query) >= SLIP else 0


def guess_score(query: str, text: str) -> int:
    """How well text matches a misspelt query: 40 for one typo, 30 if a word has all its letters in order, else 0."""
    if len(query) < SLIP:
        return 0
    words = text.split()
    if len(query) < SURE:
        words = [word for word in words if word[0] == query[0]]
    if any(has_one_typo(query, word) for word in words):
        return 40
    return 30 if any(_hidden(query, word) for word in words) else 0


def _hidden(query: str, word: str) -> bool:
    """Whether a word begins with the query's first letter and has the others in order."""
    letters = iter(word)
    return word[:1] == query[:1] and all(letter in letters for letter in query)


class _Place(NamedTuple):
    names: tuple[str, ...]
    bonus: int
    found: SearchResult


def _middle(rect: Rect) -> tuple[float, float]:
    x, y, width, height = rect
    return x + width / 2, y + height / 2


@lru_cache(2)
def _places(town: TownMap) -> tuple[_Place, ...]:
    """The searchable places: buildings and grounds, rooms, and one thing of each kind in each room."""
    out = []
    for sector in town.plan.sectors:
        called = sector.called.removeprefix("the ")
        names = (plain_letters(called), plain_letters(sector.name)) if called else (plain_letters(sector.name),)
        text = f"{called}, {sector.name}" if called and names[0] not in names[-1] else sector.name
        out.append(_Place(names, 3, SearchResult(0, text, "place", address=sector.name, at=_middle(sector.rect))))
    for area in town.areas.values():
        place = town.place_name(area.address)
        text = f"{area.arena.name}, {place}"
        found = SearchResult(0, text, "place", address=area.address, at=_middle(area.arena.rect))
        out.append(_Place((plain_letters(text),), 0, found))
        kinds = {thing.kind: thing for thing in reversed(area.things)}
        for kind, thing in kinds.items():
            x, y = town.xy(thing.tile)
            whole = f"{kind}, {town.whereabouts(area.address)}"
            found = SearchResult(0, whole, "thing", address=thing.address, at=(x + 0.5, y + 0.5))
            out.append(_Place((plain_letters(kind),), -5, found))
    return tuple(out)


def _become(world: World) -> Iterator[_Place]:
    """Places by the name of the use they are put to now."""
    now = {sector_of(place): use.label for place, use in world.uses.items() if use.label}
    for sector in world.map.plan.sectors:
        if label := now.get(sector.name):
            text = f"{label}, {sector.called or sector.name}"
            yield _Place(
                (plain_letters(label),), 3, SearchResult(0, text, "place", address=sector.name, at=_middle(sector.rect))
            )


class Search:
    """Searches one town. Made each time the finder opens."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._names = {
            p.id: (plain_letters(p.name), plain_letters(p.job)) for p in viewer.world.cast.values()
        }  # people and uses as of now
        self._places = (*_places(viewer.world.map), *_become(viewer.world))

    def person(self, who: str, score: float = 0.0) -> SearchResult:
        """A person as a search result."""
        p = self.viewer.world.cast[who]
        doing = self.viewer.view.doing(who)
        return SearchResult(score, p.name, f"{p.job}, {doing}" if p.job else doing, who=who)

    def find(self, text: str) -> list[SearchResult]:
        """The best results: people (by name, job or what they do) and places or things, then events read so far, newest
        first; if none of the former matches, events, then people and places by guess. [] for a blank text.
        """
        query = " ".join(plain_letters(text).split())
        if not query:
            return []
        named = self._named(query, match_score)
        events = self.events(query)
        return [*named, *events] if named else [*events, *self._named(query, guess_score)]

    def _named(self, query: str, rank: Rank) -> list[SearchResult]:
        found = [*self._people(query, rank), *self._some_places(query, rank)]
        return sorted(found, key=lambda found: -found.score)

    def _people(self, query: str, rank: Rank) -> list[SearchResult]:
        ranked = []
        for who, (name, job) in ((who, names) for who, names in self._names.items() if self.viewer.is_known(who)):
            best = max(rank(query, name) + 5.0, 0.8 * rank(query, job))
            if best <= 5.0 and len(query) >= SLIP and query in plain_letters(self.viewer.view.doing(who)):
                best = 50.0
            if best > 5.0:
                ranked.append((best, who))
        ranked.sort(key=lambda found: -found[0])
        return [self.person(who, best) for best, who in ranked[:PEOPLE]]

    def _some_places(self, query: str, rank: Rank) -> list[SearchResult]:
        ranked = []
        for place in self._places:
            best = max([rank(query, name) for name in place.names])
            if best:
                ranked.append((best + place.bonus, place.found))
        ranked.sort(key=lambda found: -found[0])
        return [found._replace(score=best) for best, found in ranked[:PLACES]]

    def events(self, query: str) -> list[SearchResult]:
        """The newest rows up to the moment shown that have all the words."""
        return [SearchResult(0, row.text, row=row, number=n) for n, row in islice(self._rows(query.split()), EVENTS)]

    def _rows(self, words: Sequence[str]) -> Iterator[tuple[int, TimelineRow]]:
        chronicle = self.viewer.chronicle
        rows = chronicle.since(chronicle.first)
        first, *others = sorted(words, key=len, reverse=True)
        for i in range(self.viewer.told - chronicle.first - 1, -1, -1):
            row = rows[i]
            text = plain_letters(row.text)
            if first in text and row.weight > ROUTINE and all(word in text for word in others):
                yield chronicle.first + i, row
