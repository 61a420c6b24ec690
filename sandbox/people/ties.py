"""Ties and feelings: how close people are, how they feel about each other, and one ledger of why.

A tie (closeness, in [0, 1]) follows the update of Learning to Make Friends, with talk and what is seen on the feed as
its signals and a day as its round; where there is drama, one has room for so much of it. A feeling (signed, in [-1, 1])
is moved by the same and does not decay (docs/mechanisms.md, Ties). Both are directed: `of[u][v]` is u towards v.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from sandbox.core.events import Stamp, r6
from sandbox.people.mood import clip

TIES_KEPT = 12  # causes kept in a tie's ledger
REMEMBERED = 0.8  # beta_rec: share of the moving average of likes that is left after a day
GIVES, GONE = 0.5, 0.05  # most share of a tie crowded out in a day; closeness below which it goes at once


Closeness = Annotated[float, msgspec.Meta(ge=0, le=1)]
Feeling = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Delta = Annotated[float, msgspec.Meta(ge=-2, le=2)]


class TieParameters(msgspec.Struct, frozen=True):
    """dmax: most a tie can grow a day. xi: evidence below this does nothing. half_life: days.

    feeling: largest change of a feeling a talk. begin: how much of the closeness that files tell the world begins with.
    strangers: whether those who have never talked are strangers; in a small town they know each other by sight. text:
    whether what a talk speaks for a tie is rated by its words alone, 0 to 5. room: closeness to all together that one
    has room for where there is drama (drama/friend_limit.py); 0 = any.
    """

    dmax: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.2
    xi: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.2
    half_life: Annotated[float, msgspec.Meta(ge=0.1, le=36500)] = 7.0
    feeling: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.3
    begin: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    strangers: bool = True
    text: bool = False
    room: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 5.0


class TieCause(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of the ledger. what: "feeling" or "closeness"; delta as applied; by which event (0 = before the
    world began).
    """

    what: str
    delta: float
    t: int
    seq: int
    why: str


class Tie(msgspec.Struct):
    """closeness as it stood after day `day`; grown: how much it grew that day. feeling; talks had; causes, newest
    last. liked: moving average of the likes a day that the other gives one, as one has seen them, after `liked_day`.
    """

    closeness: Closeness
    feeling: Feeling
    day: int
    grown: Closeness = 0.0
    talks: int = 0
    last_talk: int = -1
    causes: list[TieCause] = []
    liked: Annotated[float, msgspec.Meta(ge=0, le=1_000_000)] = 0.0
    liked_day: int = 0


def enter_tie_cause(tie: Tie, what: str, delta: float, stamp: Stamp, why: str) -> None:
    """Add a change to a tie's ledger. If it is full, the smallest earlier entry is dropped."""
    if delta:
        if len(tie.causes) >= TIES_KEPT:
            del tie.causes[min(range(len(tie.causes)), key=lambda i: (abs(tie.causes[i].delta), i))]
        tie.causes.append(TieCause(what, delta, stamp.t, stamp.seq, why))


def pair_key(a: str, b: str) -> str:
    """The key of a pair, the same in either order: "ann|bo"."""
    return f"{a}|{b}" if a < b else f"{b}|{a}"


def tie_evidence(novelty: float, approval: float, affect: float, reciprocity: float) -> float:
    """How much a round's signals speak for the tie, in (0, 1): 1/(1 + exp(-6(m - .35))) (docs/mechanisms.md, Ties).

    novelty 0 or 1; approval, affect in [-1, 1]; reciprocity in [0, 1].
    """
    m = 0.6 * approval + 0.6 * affect + 0.2 * reciprocity + 0.2 * novelty
    return 1.0 / (1.0 + math.exp(-6.0 * (m - 0.35)))


def tie_growth(closeness: float, e: float, parameters: TieParameters, already: float = 0.0) -> float:
    """An active tie's growth: min(dmax, (1 - A) max(0, e - xi)), less what the pair has grown today."""
    return max(0.0, min(parameters.dmax - already, (1.0 - closeness) * max(0.0, e - parameters.xi)))


def closeness_at(tie: Tie, day: int, parameters: TieParameters) -> float:
    """The tie on a day: each whole day without an active update takes 1 - 2^(-1/h) of it."""
    idle = max(0, day - tie.day - 1)
    return float(tie.closeness * 2.0 ** (-idle / parameters.half_life)) if idle else tie.closeness


def liked_at(tie: Tie, day: int) -> float:
    """The moving average of the other's likes on a day."""
    return float(tie.liked * REMEMBERED ** max(0, day - tie.liked_day))


def like_reciprocity(one: float, other: float) -> float:
    """How alike the likes are that two give each other, from their moving averages, in [0, 1]:
    1 - |a - b|/(a + b); 0 while no like has passed.
    """
    both = one + other
    return 1.0 - abs(one - other) / both if both > 0.0 else 0.0


def closer(tie: Tie, day: int, e: float, parameters: TieParameters) -> tuple[float, float, float]:
    """(closeness after, delta as applied, growth today) of an active update, rounded as events need."""
    now = closeness_at(tie, day, parameters)
    already = tie.grown if tie.day == day else 0.0
    add = tie_growth(now, e, parameters, already)
    after = r6(now + add)
    return after, r6(after - now), r6(already + add)


def crowded_out(fed: Iterable[tuple[int, float, str]], over: float) -> dict[str, float]:
    """Person -> closeness their tie loses because the total exceeds the room, longest without a talk first. fed:
    (second of the last talk, closeness, whom) of each tie that may lose; over: closeness beyond the room.
    """
    out: dict[str, float] = {}
    for _, closeness, whom in sorted(fed):
        if over <= 0.0:
            break
        if closeness > 0.0:
            out[whom] = min(over, closeness * GIVES if closeness >= GONE else closeness)
            over -= out[whom]
    return out


def change_feeling(feeling: float, u: float, parameters: TieParameters) -> tuple[float, float]:
    """(feeling after, delta as applied): w := clip(w + u), |u| <= the parameter."""
    after = r6(clip(feeling + max(-parameters.feeling, min(parameters.feeling, u))))
    return after, r6(after - feeling)


def kind(feeling: float, closeness: float, talks: int) -> str:
    """The kind of a tie for choosing lines: close, friendly, cool, stranger or sour."""
    if feeling <= -0.2:
        return "sour"
    if closeness >= 0.6:
        return "close"
    if closeness >= 0.3 or feeling >= 0.25:
        return "friendly"
    return "stranger" if talks == 0 and closeness < 0.05 else "cool"


# ---- ties as arrays


Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
EPSILON = 1e-6
BLOCK = 16_384  # numbers of a matrix that are worked on at a time: an eighth of a megabyte


class Signals(NamedTuple):
    """What v did towards u in a round. likes, dislikes: of what u wrote; messages: to u, and sentiment: the sum of
    theirs, each in [-1, 1]; new: whether v brought u a topic that u had not met; acted: whether v addressed u or took
    up something of u's at all (zeta).
    """

    likes: Matrix
    dislikes: Matrix
    sentiment: Matrix
    messages: Matrix
    new: Flags
    acted: Flags


def _blocks(n: int) -> Iterator[slice]:
    """The rows of a matrix of n people, a block at a time."""
    rows = max(1, BLOCK // max(1, n))
    return (slice(first, first + rows) for first in range(0, n, rows))


def approval(likes: Matrix, dislikes: Matrix) -> Matrix:
    """(likes - dislikes)/(likes + dislikes), in [-1, 1]; 0 where there was no vote."""
    out = likes - dislikes
    out /= _divisor(likes + dislikes)
    return out


def _divisor(counts: Matrix) -> Matrix:
    """Counts, with 1 where there is none: 0 of nothing is 0. Quicker than to leave such places out."""
    counts += counts == 0
    return counts


def affect(s: Signals) -> Matrix:
    """Mean sentiment of v's messages to u where v sent any and cast no vote, in [-1, 1]; else 0."""
    counts = (s.messages > 0) & (s.likes + s.dislikes == 0)
    out: Matrix = s.sentiment / _divisor(s.messages.copy())
    out *= counts
    return out


def average_likes(before: Matrix, likes: Matrix, memory: float = REMEMBERED) -> Matrix:
    """The moving average L of likes after a round: memory L + (1 - memory) likes."""
    out = memory * before
    for rows in _blocks(len(out)):
        out[rows] += (1.0 - memory) * likes[rows]
    return out


def reciprocity_matrix(there: Matrix, back: Matrix, paper: bool = False) -> Matrix:
    """1 - |L(v->u) - L(u->v)|/(L(v->u) + L(u->v) + eps), in [0, 1], of the moving averages of likes. While no like has
    passed either way 0, or as it is printed 1 (paper).
    """
    both = there + back
    out = np.abs(there - back)
    out /= both + EPSILON
    np.subtract(1.0, out, out=out)
    if not paper:
        out *= both > 0.0
    return out


def _rows(s: Signals, rows: slice) -> Signals:
    whole: Any = [matrix[rows] for matrix in s]
    return Signals(*whole)


def evidence_matrix(s: Signals, liked: Matrix, paper: bool = False) -> Matrix:
    """`tie_evidence` of a round for every pair, in (0, 1). liked: moving averages of likes after the round."""
    out = np.empty_like(liked)
    for rows in _blocks(len(out)):
        part = _rows(s, rows)
        m = out[rows]  # a view: what is done to it is done to `out`
        np.multiply(approval(part.likes, part.dislikes), 0.6, out=m)
        more = affect(part)
        more *= 0.6
        m += more
        more = reciprocity_matrix(liked[rows], liked[:, rows].T, paper)
        more *= 0.2
        m += more
        np.multiply(part.new, 0.2, out=more)
        m += more
        m -= 0.35
        m *= -6.0
        np.exp(m, out=m)
        m += 1.0
        np.divide(1.0, m, out=m)
    return out


def update_ties(ties: Matrix, e: Matrix, acted: Flags, parameters: TieParameters) -> Matrix:
    """All ties after a round: where v acted, A + min(dmax, (1 - A) max(0, e - xi)); else A 2^(-1/h), with the half-life
    in rounds.
    """
    out: Matrix = ties * 2.0 ** (-1.0 / parameters.half_life)
    for rows in _blocks(len(out)):
        grown, left = e[rows] - parameters.xi, 1.0 - ties[rows]
        np.maximum(0.0, grown, out=grown)
        grown *= left
        np.minimum(parameters.dmax, grown, out=grown)
        grown += ties[rows]
        np.copyto(out[rows], grown, where=acted[rows])
    np.fill_diagonal(out, 0.0)
    return out


# ---- what two people are to each other, in a word: rules over how close they are, how each feels about the other, and
# which claims and pressures are between them. Nothing is stored: it follows from these and from the bond until then.


Bond = Literal["couple", "fallen out", "at odds", "crush", "rivals", "family", "friends", "acquainted", "strangers"]
BONDS: tuple[Bond, ...] = get_args(Bond)
WARM: frozenset[Bond] = frozenset(("couple", "family", "friends"))
COLD: frozenset[Bond] = frozenset(("fallen out", "at odds"))
SOUR, COOL, FOND = -0.25, -0.1, 0.4  # limits of feeling: at odds (or below), rivals (or below), friends (or above)
NEAR_FRIENDS, MET = 0.25, 0.05  # mean closeness of friends, and of two who are not strangers
HYSTERESIS = 0.25  # hysteresis: how far past its limit a feeling must go before a bond is lost again
COUPLE, KIN, CRUSH, RIVALRY = "couple", "kin", "crush", "rivalry"  # kinds of claims, and of pressures


class BondSide(NamedTuple):
    """One of two towards the other: closeness in [0, 1], feeling in [-1, 1]."""

    closeness: float
    feeling: float


def bond_name(a: BondSide, b: BondSide, between: Collection[str] = (), was: str = "") -> Bond:
    """The bond of two people. between: kinds of their claims ("couple", "kin") and of the open pressures that one of
    them holds about the other ("crush", "rivalry"). was: their bond until now ("" = none known), which a reader of the
    log keeps: cold bonds stay until somebody feels more than HYSTERESIS above SOUR, friends until one feels more than
    that below FOND or they are hardly closer than strangers; acquainted never turn strangers again. The first rule that
    fits:

    couple: such a claim. fallen out: both dislike each other, and they were warm before or are still near; at odds:
    both dislike each other, and were never near. crush: such a pressure. rivals: such a pressure, and one is cool to
    the other (COOL). family: kin. friends: each likes the other, and they are near. strangers: closeness below
    MET. Else acquainted.
    """
    near, low, high = (a.closeness + b.closeness) / 2, min(a.feeling, b.feeling), max(a.feeling, b.feeling)
    if COUPLE in between:
        return "couple"
    if high <= SOUR + HYSTERESIS * (was in COLD):
        return "fallen out" if was == "fallen out" or was in WARM or near >= NEAR_FRIENDS else "at odds"
    if CRUSH in between:
        return "crush"
    if RIVALRY in between and low <= COOL:
        return "rivals"
    if KIN in between:
        return "family"
    stays = was == "friends"
    if low >= FOND - HYSTERESIS * stays and near >= (MET if stays else NEAR_FRIENDS):
        return "friends"
    return "acquainted" if near >= MET or was not in ("", "strangers") else "strangers"


def circles(bonds: Mapping[tuple[str, str], Bond], least: int = 3) -> list[tuple[str, ...]]:
    """The maximal cliques: groups of at least `least` people who are all warm with each other, largest first. bonds: of
    each pair, in either order. With hundreds of people there may be too many cliques to list.
    """
    import networkx as nx  # not needed by whoever only names two

    warm = nx.Graph(two for two, what in bonds.items() if what in WARM and two[0] != two[1])
    found = (tuple(sorted(group)) for group in nx.find_cliques(warm))
    return sorted((group for group in found if len(group) >= least), key=lambda group: (-len(group), group))


def pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each pair of people, once."""
    own = [*people]
    return ((a, b) for i, a in enumerate(own) for b in own[i + 1 :])
