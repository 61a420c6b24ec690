"""How what is read moves the stances of a crowd: five models, of which a world has one (docs/feed.md, The crowd).

Each is a function over arrays. Models of a whole tick take the stances of all users (`s`), and a row for each reading
of a text that has a stance: who read it, and which stance (`reader`, `x`). They return by how much each user's stance
changes. All stances are those of the tick's beginning, so the order of sittings and readings makes no difference.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.model import UNIT, UNTOLD, CrowdParameters, Feed
from sandbox.feed.packing import COMMENTS, TONES, ActColumns, ActKind
from sandbox.feed.tables import Ints, Longs

Doubles: TypeAlias = NDArray[np.float64]

MOST = 127  # thousandths that `reading` moves a stance in a tick, at most
NARROW = 1e-12  # the least latitude squared: at a latitude of 0 only one's own stance is listened to
# Of each kind of act on a post, whether it is for its stance (1), against it (-1), or neither.
SIDES = np.where(COMMENTS, TONES, 0)
SIDES[[ActKind.LIKE, ActKind.REPOST]], SIDES[ActKind.DISLIKE] = 1, -1


def attraction(own: NDArray[np.integer], told: NDArray[np.integer], c: CrowdParameters) -> Ints:
    """By how much each reading moves its reader by `reading`, in thousandths; a tick's add up (ours). With g = x - s:
    pull g if |g| <= near; + harden sign(s) if x is on the same side and as far out; - push sign(g) if |g| > far.
    own, told: the stances of the reader and the text in thousandths, UNTOLD = none.
    """
    s = own.astype(np.int32)
    x = np.where(told == UNTOLD, s, told)
    gap = x - s
    size = np.abs(gap)
    moved = np.where(size <= c.near * UNIT, np.rint(np.float32(c.pull) * gap), 0)
    if c.harden:
        sides = (np.sign(x) == np.sign(s)) & (np.abs(x) >= np.abs(s)) & (told != UNTOLD)
        moved += np.where(sides, c.harden * UNIT * np.sign(s), 0)
    moved -= np.where(size > c.far * UNIT, c.push * UNIT * np.sign(gap), 0)
    return np.rint(moved).astype(np.int32)


def side_of(total: Doubles) -> Doubles:
    """The side taken in a round, -1, 0 or 1 (seed 001, eq. 1), by rules (ours): the sign of what a stance and the
    round's own acts say together; 0 if that is below 1/3.
    """
    return np.where(3 * np.abs(total) < 1, 0, np.sign(total))


def ema(s: Doubles, side: Doubles, memory: float = 0.8) -> Doubles:
    """Stances from -1 to 1 after a round: s' = a s + (1 - a) c, an exponential moving average of the sides c, each -1,
    0 or 1 (seed 001, eq. 2). memory: a.
    """
    return memory * s + (1 - memory) * side


def degroot(s: Doubles, reader: Longs, x: Doubles, pull: float) -> Doubles:
    """The change by averaging: s' = s + pull (mean of x - s), on any scale (DeGroot 1974). With a pull of 1 whoever
    reads all neighbours and themselves takes D^-1 A s (seed 001, A.4, theorem 1).
    """
    many = np.bincount(reader, minlength=len(s))
    mean = np.bincount(reader, x, len(s)) / np.maximum(many, 1)
    return np.where(many > 0, pull * (mean - s), 0)


def bounded(s: Doubles, reader: Longs, x: Doubles, pull: float, near: float) -> Doubles:
    """The change by averaging over what is near: as `degroot`, of readings with |x - s| <= near (bounded confidence:
    Hegselmann and Krause 2002).
    """
    heard = np.abs(x - s[reader]) <= near
    return degroot(s, reader[heard], x[heard], pull)


def lorenz(s: Doubles, reader: Longs, x: Doubles, strength: float, latitude: float, assimilation: float) -> Doubles:
    """The change of stances from -1 to 1 by the sum over readings of

        strength (1 - s^2) (x - r s) l^2 / (l^2 + (x - s)^2),

    cut off at the ends (Lorenz, Neumann and Schroeder 2021, with motivated cognition of sharpness 2). latitude: l, the
    distance at which half is taken in. assimilation: r; 1: one goes towards x; 0: x is an argument, and reinforces.
    """
    own, width = s[reader], max(latitude * latitude, NARROW)
    gap = x - own
    each = strength * (1 - own * own) * (x - assimilation * own) * (width / (width + gap * gap))
    return np.clip(np.bincount(reader, each, len(s)), -1 - s, 1 - s)


def moved(feed: Feed, c: CrowdParameters, reader: Longs, read: Ints, acts: ActColumns) -> Ints:
    """By how much the stance of each user of a crowd moves in a tick, in thousandths. reader, read: of its readings
    (`Crowd.plan`). acts: what the users do in it.
    """
    stance, count = feed.users.stance[: feed.crowd], feed.crowd
    if c.opinion == "reading":
        return np.clip(np.bincount(reader, read, count), -MOST, MOST).astype(np.int32)
    s, x = stance.astype(np.float64), read.astype(np.float64)
    if c.opinion == "degroot":
        change = degroot(s, reader, x, c.pull)
    elif c.opinion == "bounded":
        change = bounded(s, reader, x, c.pull, c.near * UNIT)
    elif c.opinion == "lorenz":
        change = UNIT * lorenz(s / UNIT, reader, x / UNIT, c.pull, c.near, c.assimilation)
    else:
        there = np.bincount(reader, minlength=count) > 0
        now = s / UNIT
        change = np.where(there, UNIT * (ema(now, side_of(now + said(feed, acts) / UNIT), c.memory) - now), 0)
    return np.rint(change).astype(np.int32)


def said(feed: Feed, acts: ActColumns) -> Doubles:
    """What each user of a crowd says by acts on posts, in thousandths: the sum of the posts' stances, added for a like,
    a repost, a warm comment or one that doubts by 4 at most, taken off for a dislike, a hostile comment or one that
    doubts by 7 or more.
    """
    at = SIDES[acts.act].nonzero()[0]
    told = feed.posts.stance[acts.target[at]]
    side = SIDES[acts.act[at]] * np.where(told == UNTOLD, 0, told)
    return np.bincount(acts.user[at], side, feed.crowd).astype(np.float64)
