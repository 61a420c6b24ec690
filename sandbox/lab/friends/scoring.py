"""What a round comes to: the five rewards of everybody, and the signals of all ties. Source: docs/friends.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sandbox.lab.friends import model as r
from sandbox.lab.friends.model import CRITICAL, DIRECT, DM, POST, PUBLIC, SUPPORTIVE, TONES, GameAct, GameRules
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.lab.friends.plan import addressees
from sandbox.people.ties import Matrix, Signals

Votes = npt.NDArray[np.int8]
LIKE, DISLIKE = -3.2, -3.4  # logits of a vote for and against something that leaves one cold
KIND, HARSH = 0.5, -0.7  # what tone adds to the wish to like; the harsh one less for who is harsh themselves
INTEREST, CAMP, CLOSE = 1.0, 2.0, 1.5  # what a topic of one's own, a like mind, and a friend add


class Voters:
    """The thirty as voters."""

    def __init__(self, people: Sequence[PlayerPersona]) -> None:
        self.stance = np.array([p.stance for p in people])
        self.agreeable = np.array([p.big_five.agreeableness for p in people])
        self.interests = [frozenset(p.interests) for p in people]

    def votes(self, acts: Sequence[GameAct], lots: Matrix, ties: Matrix | None) -> Votes:
        """A row for each person, a column for each of some public acts; nobody votes on their own. lots: numbers in
        [0, 1) of that shape, which decide. ties: what votes lean towards, None = they do not see them.
        """
        sender = np.array([a.sender for a in acts], dtype=np.int64)
        tone = np.array([TONES.index(a.tone) for a in acts], dtype=np.int64)
        liking = np.zeros((len(self.stance), len(acts)))
        liking += CAMP * (0.5 - np.abs(self.stance[:, None] - self.stance[sender][None, :]))
        liking += np.where(tone == TONES.index(SUPPORTIVE), KIND, 0.0)[None, :]
        harsh = np.where(tone == TONES.index(CRITICAL), 1.0, 0.0)
        liking += HARSH * (1.0 + self.agreeable)[:, None] * harsh[None, :]
        liking += INTEREST * np.array([[a.topic in own for a in acts] for own in self.interests], dtype=np.float64)
        if ties is not None:
            liking += CLOSE * ties[:, sender]
        like, dislike = _logistic(LIKE + liking), _logistic(DISLIKE - liking)
        out = (lots < like).astype(np.int8) - (lots >= 1.0 - dislike).astype(np.int8)
        out[sender, np.arange(len(acts))] = 0
        return out


def _logistic(x: Matrix) -> Matrix:
    out: Matrix = 1.0 / (1.0 + np.exp(-x))
    return out


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ShownTopics:
    """What was shown to each at planning. topics: how often each topic; new: how many topics for the first time; known:
    K, how many had been published by then.
    """

    topics: Sequence[Mapping[str, int]]
    new: Sequence[int]
    known: int


def round_scores(
    acts: Sequence[GameAct],
    before: Sequence[GameAct],
    votes: Mapping[int, tuple[int, int]],
    shown: ShownTopics,
    rules: GameRules,
) -> Floats:
    """A row for each person, a column for each of REWARDS, of a round. acts: all of the round, NOT too; before: of the
    round before it; votes: number of a public act -> its likes and dislikes.
    """
    n, b = len(shown.new), rules.betas
    direct = [a for a in acts if a.kind in DIRECT]
    public = sum(a.kind in PUBLIC for a in acts)
    sent, received = Counter(a.sender for a in direct), Counter(a.recipient for a in direct)
    posts = Counter(a.sender for a in acts if a.kind == POST)
    named = Counter(u for a in acts for u in a.mentions if a.kind in PUBLIC and u != a.sender)
    likes, dislikes = Counter[int](), Counter[int]()
    kind, harsh = np.zeros(n), np.zeros(n)
    for a in acts:
        if a.kind == POST:
            got = votes.get(a.number, (0, 0))
            likes[a.sender] += got[0]
            dislikes[a.sender] += got[1]
    for a in direct:
        kind[a.recipient] += max(0.0, a.sentiment)
        harsh[a.recipient] += max(0.0, -a.sentiment)
    wrote: list[set[int]] = [set() for _ in range(n)]
    replied: list[set[int]] = [set() for _ in range(n)]
    for a in before:
        if a.kind == DM:
            wrote[a.recipient].add(a.sender)
    for a in acts:
        if a.kind == DM and a.recipient in wrote[a.sender]:
            replied[a.sender].add(a.recipient)
    out = np.zeros((n, len(r.REWARDS)))
    for u in range(n):
        out[u] = (
            r.soc(sent[u], received[u], rules.actions, len(direct), b[r.SOC]),
            r.inf(shown.new[u], shown.topics[u].values(), shown.known, b[r.INF]),
            r.pre(posts[u], likes[u], dislikes[u], rules.actions, n, b[r.PRE]),
            r.coord(named[u], public, len(replied[u]), len(wrote[u]), b[r.COORD]),
            r.emo(float(kind[u]), float(harsh[u]), b[r.EMO]),
        )
    return out


def signals(
    acts: Sequence[GameAct], public: Sequence[GameAct], votes: Votes, seen: Sequence[frozenset[str]]
) -> Signals:
    """What everybody did towards everybody in a round: row u, column v is v towards u. public: the acts that were voted
    on, a column of `votes` each; seen: the topics each had been shown before.
    """
    n = len(seen)
    by = np.zeros((n, len(public)))
    by[[a.sender for a in public], np.arange(len(public))] = 1.0
    likes, dislikes = by @ (votes == 1).T, by @ (votes == -1).T
    sentiment, messages = np.zeros((n, n)), np.zeros((n, n))
    new, acted = np.zeros((n, n), dtype=np.bool_), (likes + dislikes) > 0
    for a in acts:
        if a.kind == DM:
            sentiment[a.recipient, a.sender] += a.sentiment
            messages[a.recipient, a.sender] += 1
            new[a.recipient, a.sender] |= a.topic not in seen[a.recipient]
        for u in addressees(a):
            acted[u, a.sender] = True
    for v, topics in _published(public).items():
        for u in range(n):
            new[u, v] |= not topics <= seen[u]
    np.fill_diagonal(new, False)
    return Signals(likes, dislikes, sentiment, messages, new, acted)


def _published(public: Sequence[GameAct]) -> dict[int, set[str]]:
    out: dict[int, set[str]] = {}
    for a in public:
        out.setdefault(a.sender, set()).add(a.topic)
    return out


def matrix_of(n: int) -> Matrix:
    """Ties of n people before anything has happened."""
    return np.zeros((n, n))
