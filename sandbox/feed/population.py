"""Drawing a crowd: attributes of its users, as columns, each drawn independently (seed 003, D.2).

Names, bios and words are not drawn: they are generated when somebody looks (`wording.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.core.text import join_names, upper
from sandbox.core.vectors import DIMENSIONS, LENGTH
from sandbox.feed.graph import TOPICS, generate
from sandbox.feed.loaded_tables import (
    UNSAID,
    UNSAID_SMALL,
    UNSAID_STANCE,
    LoadedCards,
    LoadedUsers,
    Names,
    Population,
    roots_of,
    unpack_cards,
    unpack_columns,
    unpack_follows,
)
from sandbox.feed.model import (
    NO_PROFILES,
    NOBODY,
    POST,
    REPOST,
    UNIT,
    Account,
    CrowdParameters,
    Feed,
    Graph,
    Profiles,
    norms,
)
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.tables import Bytes, Small, draws
from sandbox.people.persona import Persona

PROFESSIONS = 13
BIO = 400  # letters
TRAITS = 5
# Shares of users by age (16 to 79; years within a band are equally likely), and by gender: female, male, other.
AGES = ((16, 25, 0.24), (25, 35, 0.30), (35, 45, 0.20), (45, 55, 0.13), (55, 65, 0.08), (65, 80, 0.05))
GENDERS = (0.48, 0.50, 0.02)
TRAIT_SPREAD = 0.4  # standard deviation of each of the Big Five, normally distributed and cut at -1 and 1
PLEASURE = (0.1, 0.25)  # mean and standard deviation of moods
LIKED = 0.1  # feeling from which residents follow each other from the start
OWN = 0.35  # share of a user's interests that no topic explains
BLOCK = 4096  # users drawn at once
# Chance of a sitting in each hour of the day for four daily rhythms, relative to a user's mean.
HOURS = np.array(
    [  # tenths of the mean, from midnight on
        [2, 1, 1, 1, 1, 3, 8, 12, 11, 8, 7, 8, 13, 11, 8, 8, 9, 12, 16, 19, 22, 23, 16, 6],
        [1, 1, 1, 1, 3, 10, 20, 22, 16, 12, 10, 10, 14, 11, 9, 9, 11, 13, 14, 14, 12, 8, 3, 1],
        [3, 2, 1, 1, 1, 2, 5, 10, 18, 19, 16, 15, 18, 17, 15, 14, 15, 13, 10, 9, 10, 11, 9, 6],
        [20, 16, 12, 8, 4, 2, 2, 3, 4, 5, 6, 7, 9, 9, 9, 10, 11, 12, 13, 15, 17, 20, 23, 23],
    ]
)  # fmt: skip
WAYS = (0.4, 0.2, 0.25, 0.15)  # shares of users with each rhythm


class Drawn(NamedTuple):
    """A crowd at the start. vector: interests, (n, 32). stance: thousandths. pleasure: hundredths. hours: (24, n),
    chance of a sitting in 3 minutes, in 255ths.
    """

    profiles: Profiles
    vector: Small
    stance: NDArray[np.int16]
    pleasure: Small
    hours: Bytes


def draw_crowd(
    seed: int, count: int, topics: Small, parameters: CrowdParameters, known: LoadedUsers | None = None
) -> Drawn:
    """Draw a crowd of `count` users. topics: the vectors of the nine topics. known: attributes of the first, from
    tables.

    Each block has its own random stream: in a larger crowd the first users are the same.
    """
    stances, own = (parameters.mean, parameters.spread), topics.tobytes()
    blocks = [_block(seed, i, own, stances, parameters.activity) for i in range(-(-count // BLOCK))]
    if not blocks:
        return Drawn(
            NO_PROFILES,
            np.zeros((0, DIMENSIONS), np.int8),
            np.zeros(0, np.int16),
            np.zeros(0, np.int8),
            np.zeros((24, 0), np.uint8),
        )

    def joined(columns: Iterable[NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([*columns])[:count]

    drawn = Drawn(
        Profiles(*map(joined, zip(*(b.profiles for b in blocks), strict=True))),
        joined(b.vector for b in blocks),
        joined(b.stance for b in blocks),
        joined(b.pleasure for b in blocks),
        np.concatenate([b.hours for b in blocks], axis=1)[:, :count],
    )
    if known is not None:
        _say(drawn, known, topics, draws(seed, "interests"))
    return drawn


def _say(drawn: Drawn, known: LoadedUsers, topics: Small, draw: np.random.Generator) -> None:
    """Overwrite drawn attributes by those from tables. Topics without a bio change the interests."""
    who, n = drawn.profiles, len(known.age)
    for column, said, nothing in (
        (who.age, known.age, UNSAID),
        (who.gender, known.gender, UNSAID),
        (who.traits, known.traits, UNSAID_SMALL),
        (who.profession, known.profession, UNSAID),
        (who.topics, known.topics, UNSAID),
        (drawn.stance, known.stance, UNSAID_STANCE),
        (drawn.pleasure, known.pleasure, UNSAID_SMALL),
    ):
        np.copyto(column[:n], said, where=said != nothing)
    own = np.flatnonzero((known.topics != UNSAID).any(axis=1) & ~known.rated)
    drawn.vector[own] = _interests(who.topics[own], topics, draw)
    drawn.vector[:n][known.rated] = known.vector
    drawn.hours[:, :n][:, known.timed] = known.hours.T


@lru_cache(maxsize=16)  # a replay's jumps, and a study's cases of one seed, begin with the same crowd
def _block(seed: int, number: int, topics: bytes, stances: tuple[float, float], activity: float) -> Drawn:
    about = np.frombuffer(topics, np.int8).reshape(-1, DIMENSIONS)
    draw = draws(seed, "crowd drawn", 0, number)
    band = draw.choice(len(AGES), BLOCK, p=[share for *_, share in AGES])
    low, high = (np.array([row[i] for row in AGES])[band] for i in (0, 1))
    own = draw.integers(0, TOPICS, (BLOCK, 2), np.uint8)
    return Drawn(
        Profiles(
            (low + draw.random(BLOCK) * (high - low)).astype(np.uint8),
            draw.choice(len(GENDERS), BLOCK, p=GENDERS).astype(np.uint8),
            np.rint(100 * np.clip(draw.normal(0, TRAIT_SPREAD, (BLOCK, TRAITS)), -1, 1)).astype(np.int8),
            draw.integers(0, PROFESSIONS, BLOCK, np.uint8),
            own,
        ),
        _interests(own, about, draw),
        np.rint(UNIT * np.clip(draw.normal(*stances, BLOCK), -1, 1)).astype(np.int16),
        np.rint(100 * np.clip(draw.normal(*PLEASURE, BLOCK), -1, 1)).astype(np.int8),
        _hours(draw, activity),
    )


def _interests(own: Bytes, topics: Small, draw: np.random.Generator) -> Small:
    """Vectors of users: of their two topics, (n, 2), plus a random part of their own."""
    both = topics[own[:, 0]].astype(np.float32) + topics[own[:, 1]]
    return scale_vectors(
        (1 - OWN) * scale_vectors(both) + OWN * scale_vectors(draw.integers(-127, 128, both.shape, np.int8))
    )


def scale_vectors(rows: NDArray[np.floating] | Small) -> Small:
    """Rows scaled to a length of about 127 and rounded to whole numbers; a row of 0 stays 0."""
    lengths = norms(rows)[..., None]
    found: Small = np.rint(np.asarray(rows, np.float32) * (LENGTH / np.maximum(lengths, 1e-6))).astype(np.int8)
    return found


def _hours(draw: np.random.Generator, activity: float) -> Bytes:
    """(24, users): chance of a sitting in 3 minutes, in 255ths. activity: its mean over users and hours."""
    way = draw.choice(len(WAYS), BLOCK, p=WAYS)
    level = draw.gamma(2.0, 0.5, BLOCK)  # some are nearly always online, many hardly ever; the mean is 1
    table = HOURS / HOURS.mean(axis=1, keepdims=True) * activity * 255
    out = np.empty((24, BLOCK), np.uint8)
    for hour in range(24):
        out[hour] = np.clip(table[way, hour] * level + 0.5, 0, 255)
    return out


def create_feed(
    parameters: FeedParameters,
    c: CrowdParameters,
    seed: int,
    epoch: int,
    topics: Small,
    people: Sequence[tuple[Persona, Small]] = (),
    loaded: Population | None = None,
) -> Feed:
    """A feed with its crowd, before anything has happened. people: who has an account from the start, with the vector
    of their file; they already have followers in the crowd. loaded: the first users of the crowd, and their earlier
    posts. Raises ValueError if it is invalid, or holds more users than the crowd.
    """
    feed = Feed(parameters.kind, epoch, topics, parameters.on)
    count = feed.crowd = parameters.crowd
    known = None if loaded is None else unpack_columns(loaded)
    if loaded is not None and loaded.count > count:
        raise ValueError(f"its population has {loaded.count} users, and its crowd {count}")
    drawn = draw_crowd(seed, count, topics, c, known)
    feed.profiles, feed.hours = drawn.profiles, drawn.hours
    feed.users.add(count + len(people))
    crowd, everybody = slice(0, count), slice(0, feed.users.n)
    feed.users.vector[crowd], feed.users.stance[crowd] = drawn.vector, drawn.stance
    feed.users.pleasure[crowd], feed.users.newest[everybody] = drawn.pleasure, NOBODY
    leaders = []
    for number, (person, row) in enumerate(people, count):
        feed.accounts[number] = Account(number, person.id, person.name, bio(person), 0, row)
        feed.handles[person.id.casefold()] = number
        feed.users.vector[number] = row
        leaders.append((number, topics_of_vector(row, topics)))
    befriend(feed, [person for person, _ in people])
    follows = None if loaded is None else unpack_follows(loaded)
    if follows is None:
        feed.graph = generate(parameters.graph, seed, drawn.profiles.topics, c, leaders)
    else:
        first = np.zeros(count + 1, np.int64)  # drawn users follow nobody
        np.cumsum(np.append(follows[0], np.zeros(count - len(follows[0]), np.int64)), out=first[1:])
        feed.graph = Graph(first, follows[1])
    feed.users.fans[everybody] = np.bincount(feed.graph.followees, minlength=feed.users.n)
    for account in feed.accounts.values():
        feed.users.fans[[*account.follows]] += 1
    if loaded is not None:
        feed.loaded_names = Names(loaded)
        cards = unpack_cards(loaded)
        if cards is not None:
            put_cards(feed, cards)
    return feed


def befriend(feed: Feed, people: Sequence[Persona]) -> None:
    """Make people follow those whom their files say they like."""
    for person in people:
        account = feed.accounts[feed.handles[person.id.casefold()]]
        liked = (h.with_ for h in person.history if h.feeling >= LIKED)
        account.follows.update((feed.handles[who.casefold()], None) for who in liked if who.casefold() in feed.handles)


def put_cards(feed: Feed, cards: LoadedCards) -> None:
    """Add the initial cards to a new feed."""
    posts, count = feed.posts, len(cards.t)
    if not count:
        return
    posts.add(count)
    new, numbers, root = slice(0, count), np.arange(count, dtype=np.int32), roots_of(cards.via)
    own = np.flatnonzero(cards.via < 0).astype(np.int32)
    posts.author[new], posts.t[new], posts.via[new] = cards.author, cards.t, cards.via
    posts.kind[new] = np.where(cards.via < 0, POST, REPOST)
    posts.root[new] = posts.of[new] = root
    posts.likes[new], posts.dislikes[new], posts.last[new] = cards.likes, cards.dislikes, NOBODY
    posts.topic[new], posts.stance[new] = cards.topic[root], cards.stance[root]
    feed.vectors.add(len(own))
    feed.vectors.row[: len(own)] = cards.vector
    rows = np.zeros(count, np.int32)
    rows[own] = np.arange(len(own))
    posts.vector[new] = rows[root]
    again = np.flatnonzero(cards.via >= 0)
    np.add.at(posts.reposts, root[again], 1)
    feed.reposted.add(cards.author[again], root[again])
    order = np.argsort(cards.author, kind="stable")
    author, sorted_ = cards.author[order], numbers[order]
    same = np.append(False, author[1:] == author[:-1])
    posts.earlier[sorted_] = np.where(same, np.append(NOBODY, sorted_[:-1]), NOBODY)
    last = np.append(~same[1:], True)
    feed.users.newest[author[last]] = sorted_[last]
    feed.roots.add(len(own))
    feed.roots.card[: len(own)], feed.roots.t[: len(own)] = own, cards.t[own]
    feed.texts.update(zip(own.tolist(), cards.texts, strict=True))


def topics_of_vector(row: Small, topics: Small) -> list[int]:
    """The two topics nearest to an interest vector."""
    return [int(i) for i in topics_of_vectors(row[None], topics)[0]]


def topics_of_vectors(rows: Small, topics: Small) -> Bytes:
    """The two topics nearest to each vector, (n, 2)."""
    likeness = rows.astype(np.float32) @ topics.astype(np.float32).T / np.maximum(norms(topics), 1)
    return np.argsort(-likeness, axis=1, kind="stable")[:, :2].astype(np.uint8)


def bio(person: Persona) -> str:
    """The bio of a resident: their work, and what they like; only what is public."""
    likes = f" Likes {join_names(person.likes)}." if person.likes else ""
    return f"{upper(person.job)}.{likes}"[:BIO]
