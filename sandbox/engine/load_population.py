"""Reading `population` of a world: the tables its crowd is loaded from (docs/modding.md, A crowd of your own)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from sandbox.core.clock import DAY
from sandbox.core.faults import Fault, Faults, quoted
from sandbox.core.textfiles import Reader
from sandbox.core.vectors import Vectors
from sandbox.engine.load_follows import FOLLOWS, read_follows
from sandbox.engine.load_posts import POSTS, epoch_of, measured, read_posts
from sandbox.engine.load_tables import Table, Told
from sandbox.engine.load_users import COLUMNS, Users, read_users
from sandbox.feed import loaded
from sandbox.feed.loaded import Cards, Population, pack_cards, pack_columns, pack_follows
from sandbox.feed.tables import Small

KEYS = ("users", "follows", "posts")


class Tables:
    """The tables of one world, read once, however often the world is."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[Population | None, list[Fault]]] = {}

    def read(
        self,
        r: Reader,
        folder: Path,
        start: datetime,
        vectors: Vectors,
        topics: Small,
        taken: Collection[str],
        faults: Faults,
    ) -> Population | None:
        """The users that `population` of world.yaml names; None if there are faults. folder: of the world. topics: the
        vectors of the nine topics. taken: handles of others.
        """
        paths = _paths(r, folder, faults)
        if "users" not in paths:
            return None
        key = (*paths.items(), start, *taken)
        if key not in self._known:
            own = Faults()
            self._known[key] = _read(paths, start, vectors, topics, taken, own), list(own)
        found, told = self._known[key]
        for fault in told:
            faults.add(*fault)
        return found


def _paths(r: Reader, folder: Path, faults: Faults) -> dict[str, Path]:
    """Where the tables lie, which must be inside the world's folder."""
    out: dict[str, Path] = {}
    section = r.section("population")
    for key in KEYS:
        value = section.get(key, "users.csv" if key == "users" else "")
        text = None if value is None else value.text(exact=True)
        if value is None or text is None:
            continue
        try:
            whole = (folder / text).resolve()
            inside = whole.is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError):  # a link that leads to itself, a name no file can have
            inside = False
        if inside:
            out[key] = folder / text
        else:
            value.fault(f"{quoted(text)} leads out of the world's folder; put the table into it")
    section.rest()
    return out


def _read(
    paths: dict[str, Path], start: datetime, vectors: Vectors, topics: Small, taken: Collection[str], faults: Faults
) -> Population | None:
    def table(key: str, known: tuple[str, ...], needed: frozenset[str]) -> tuple[Table, Told]:
        told = Told(paths[key])
        return Table(paths[key], known, needed, told), told

    one, told = table("users", COLUMNS, frozenset({"id"}))
    numbers, users = read_users(one, vectors, topics, taken)
    lost = one.lost
    told.close(faults)
    follows: bytes | None = b""
    cards: Cards | None = None
    if "follows" in paths and numbers:
        one, told = table("follows", FOLLOWS, frozenset(FOLLOWS))
        one.unsure = lost
        found = read_follows(one, numbers)
        told.close(faults)
        follows = None if found is None else pack_follows(*found)
    if "posts" in paths and numbers:
        one, told = table("posts", POSTS, frozenset({"author", "time", "text"}))
        one.unsure = lost
        cards = read_posts(one, numbers, start, vectors, topics)
        told.close(faults)
    if users is None or follows is None or len(faults):
        return None
    return _packed(paths["users"], len(numbers), users, follows, cards, start, faults)


def _packed(
    path: Path, count: int, users: Users, follows: bytes, cards: Cards | None, start: datetime, faults: Faults
) -> Population | None:
    columns = users.columns
    if cards is not None and len(cards.t) and not users.timed:
        timed, hours = measured(cards, count, epoch_of(start) % DAY)
        columns = columns._replace(timed=timed, hours=hours)
    posts = b"" if cards is None else pack_cards(cards)
    found = Population(count, pack_columns(columns), users.names, follows, posts)
    size = sum(map(len, (found.columns, found.names, found.follows, found.posts)))
    if size > loaded.MOST_PACKED:
        told = Told(path)
        most = f"{loaded.MOST_PACKED >> 20} MB"
        told.add(
            "size", 0, 0, f"takes {size >> 20} MB in a save with the other tables; the most is {most}; shorten bios"
        )
        told.close(faults)
        return None
    return found
