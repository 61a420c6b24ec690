"""The game: people plan on what was published in the round before, act, vote, and their ties move. Seed 000, 3.2.

All chance is named by seed, handle and round, so that the same case with the same seed is the same to the last bit, and
two cases with one seed have the same numbers wherever they ask for the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sandbox.core.plain import count_of, shown_as
from sandbox.feed.tables import draws
from sandbox.lab.friends.learner import Learner, random_plan, tips
from sandbox.lab.friends.model import (
    COM,
    DM,
    NOBODY,
    NOT,
    POST,
    PUBLIC,
    REWARDS,
    GameAct,
    GameRules,
    PlanItem,
    weighted_total,
)
from sandbox.lab.friends.persona import Cast
from sandbox.lab.friends.plan import (
    Best,
    PlayerView,
    Wrong,
    addressees,
    better,
    partners,
    rate_transcript,
    settle_plan,
    text_evidence,
    transcripts,
)
from sandbox.lab.friends.scoring import Floats, ShownTopics, Voters, Votes, matrix_of, round_scores, signals
from sandbox.lab.friends.words import NAMELESS, asks_for_mention, compose_text, find_mentions, plain_topic, remove_names
from sandbox.people.ties import Matrix, average_likes, evidence_matrix, update_ties
from sandbox.talk.sentiment import sentiment

LEARNING, CONTROL, MODEL = "learning", "control", "model"
HEURISTIC, TEXT = "heuristic", "text"
LATELY = 3  # rounds back that partners are looked for


@dataclass(frozen=True)
class GameSetup:
    """How a game is played. mind: LEARNING, CONTROL or MODEL (`model_play.py`). ties: HEURISTIC, by signals, or TEXT,
    by what was written. coach: whether there is one. learn: how often each observation counts, 0 = nothing is learnt.
    """

    mind: str = LEARNING
    ties: str = HEURISTIC
    coach: bool = False
    learn: float = 1.0


@dataclass
class GameResult:
    """What came of a game. acts: all, NOT too. scores: rounds x people x REWARDS; totals: rounds x people. ties: at the
    end. votes: likes and dislikes in all. replaced: planned actions that broke a rule to the last. tips: heard.
    """

    acts: list[GameAct] = field(default_factory=list)
    scores: list[Floats] = field(default_factory=list)
    totals: list[Floats] = field(default_factory=list)
    ties: Matrix = field(default_factory=lambda: matrix_of(0))
    likes: int = 0
    dislikes: int = 0
    replaced: int = 0
    tips: int = 0

    def __repr__(self) -> str:
        what = f"{count_of(len(self.totals), 'round')}, {count_of(len(self.acts), 'act')}"
        return shown_as(self, what, ".acts, .scores, .totals, .ties")


class Game:
    """One game, a round at a time."""

    def __init__(self, cast: Cast, rules: GameRules, way: GameSetup, seed: int) -> None:
        self.cast, self.rules, self.way, self.seed = cast, rules, way, seed
        self.people, self.handles = cast.people, cast.handles
        n = len(self.people)
        self.numbers = {handle: i for i, handle in enumerate(self.handles)}
        self.names = frozenset(word for p in self.people for word in p.name.split())
        self.learners = [Learner(p, i, n, seed, way.learn) for i, p in enumerate(self.people)]
        self.voters = Voters(self.people)
        self.played = GameResult(ties=matrix_of(n))
        self.liked = matrix_of(n)
        self.last: list[GameAct] = []
        self.seen: list[frozenset[str]] = [frozenset()] * n
        self.best: list[Best | None] = [None] * n
        self.topics: set[str] = set()  # published so far
        self.votes_of: dict[int, tuple[int, int]] = {}

    def round(self, t: int) -> None:
        """Plan, act, vote, reweigh; and learn from it."""
        shown, views = self.shown(t)
        acts = [a for view in views for a in self._acts(self._coached(view))]
        public = [a for a in acts if a.kind in PUBLIC]
        seen_ties = self.played.ties if self.rules.vote_sees_ties else None
        votes = self.voters.votes(public, self._lots(public, t), seen_ties)
        self.over(t, shown, acts, votes, self.ratings(acts))

    def ratings(self, acts: Sequence[GameAct]) -> dict[tuple[int, int], int]:
        """(who rates, whom) -> 0 to 5, where ties are by text; nothing where they are not."""
        if self.way.ties != TEXT:
            return {}
        return {pair: rate_transcript(said) for pair, said in transcripts(acts).items()}

    def over(
        self, t: int, shown: ShownTopics, acts: list[GameAct], votes: Votes, ratings: Mapping[tuple[int, int], int]
    ) -> None:
        """Finish a round: rewards, ties, learning and memory. votes: a row per person, a column per public act."""
        public = [a for a in acts if a.kind in PUBLIC]
        likes, dislikes = (votes == 1).sum(axis=0), (votes == -1).sum(axis=0)
        self.votes_of = {a.number: (int(likes[i]), int(dislikes[i])) for i, a in enumerate(public)}
        self.played.likes += int(likes.sum())
        self.played.dislikes += int(dislikes.sum())
        got = round_scores(acts, self.last, self.votes_of, shown, self.rules)
        rows = zip(got.tolist(), self.people, strict=True)
        totals = np.array([weighted_total(dict(zip(REWARDS, row, strict=True)), p.goals) for row, p in rows])
        self._reweigh(acts, public, votes, ratings)
        self._learn(t, acts, totals)
        self.played.acts += acts
        self.played.scores.append(got)
        self.played.totals.append(totals)
        self.topics |= {a.topic for a in acts if a.kind != NOT}
        self.last = acts

    # ---- plan and act

    def shown(self, t: int) -> tuple[ShownTopics, list[PlayerView]]:
        """What everybody is shown for planning, with all they have seen so far."""
        topics, new, views = [], [], []
        public = [a for a in self.last if a.kind in PUBLIC]
        recent = [a for a in self.played.acts if a.round >= t - LATELY]
        for u in range(len(self.people)):
            own = tuple(a for a in public if a.sender != u)
            dms = tuple(a for a in self.last if a.kind == DM and a.recipient == u)
            count = Counter(a.topic for a in (*own, *dms))
            topics.append(count)
            new.append(len(count.keys() - self.seen[u]))
            self.seen[u] |= count.keys()
            before = self.played.scores[-1][u].tolist() if self.played.scores else None
            view = PlayerView(
                u, t, self.handles, self.cast.topic, own, dms, self.seen[u], tuple(self.played.ties[u].tolist()),
                None if before is None else dict(zip(REWARDS, before, strict=True)), self.best[u],
                partners(recent, u),
            )  # fmt: skip
            views.append(view)
        return ShownTopics(topics, new, len(self.topics)), views

    def _coached(self, view: PlayerView) -> PlayerView:
        if not self.way.coach:
            return view
        liked = [(self.votes_of[a.number][0] - self.votes_of[a.number][1], a) for a in view.posts]
        said = tips(view, self.people[view.who].goals, liked, self.seed)
        self.played.tips += len(said)
        return PlayerView(**{**view.__dict__, "tips": said})

    def _acts(self, view: PlayerView) -> list[GameAct]:
        """The acts that carry out somebody's plan."""

        def ask(again: int, wrong: Sequence[Wrong]) -> Sequence[PlanItem]:
            if self.way.mind == CONTROL:
                return random_plan(self.people[view.who], view, self.seed, self.rules.actions, again)
            return self.learners[view.who].plan(view, self.rules.actions, again)

        plan, replaced = settle_plan(ask, view, self.rules)
        self.played.replaced += replaced
        lots = draws(self.seed, f"words {self.handles[view.who]}", view.round).random((self.rules.actions, 5)).tolist()
        first = len(self.played.acts) + view.who * self.rules.actions
        return [self.act(first + i, item, view, lots[i]) for i, item in enumerate(plan)]

    def act(self, number: int, item: PlanItem, view: PlayerView, lots: Sequence[float], words: str = "") -> GameAct:
        """A planned action as it is carried out. words: of whoever has written them; "" = lines of ours, by lot."""
        if item.kind == NOT:
            return GameAct(number, view.round, NOT, view.who)
        to = NOBODY
        if item.kind == DM:
            to = self.numbers[item.recipient or ""]
        elif item.kind == COM:
            to = next(a.sender for a in view.posts if a.number == item.target)
        topic, text, bare = plain_topic(item.topic or ""), words, remove_names(words, self.names)
        if not text:
            named = "" if not item.mention else self.handles[to if item.kind == COM else self._named(view, lots[4])]
            name = self.people[to].name.split()[0] if to != NOBODY else ""
            text = compose_text(item.kind, item.tone, topic, name, lots, named, item.asks)
            bare = compose_text(item.kind, item.tone, topic, NAMELESS, lots, NAMELESS if named else "", item.asks)
        named_in = tuple(i for i in find_mentions(text, self.numbers) if i != view.who) if item.kind in PUBLIC else ()
        return GameAct(
            number, view.round, item.kind, view.who, to, -1 if item.target is None else item.target, topic,
            named_in, item.tone, text, sentiment(bare),
        )  # fmt: skip

    def _named(self, view: PlayerView, lot: float) -> int:
        """Who is mentioned in a post: whoever asked for it, else whoever mentioned one, else a recent partner, else
        anybody.
        """
        asking = [a.sender for a in (*view.dms, *view.public) if view.who in addressees(a) and asks_for_mention(a.text)]
        naming = [a.sender for a in view.public if view.who in a.mentions]
        some = asking or naming or view.partners or view.others
        return some[int(lot * len(some))]

    # ---- vote, reweigh, learn

    def _lots(self, public: Sequence[GameAct], t: int) -> Matrix:
        """A random number for each voter and public act, the same in every case for the same author's same action."""
        n, actions = len(self.people), self.rules.actions
        all_ = draws(self.seed, "votes", t).random((n, n * actions))
        first = len(self.played.acts)
        return np.asarray(all_[:, [a.number - first for a in public]])

    def _reweigh(
        self, acts: Sequence[GameAct], public: Sequence[GameAct], votes: Votes, ratings: Mapping[tuple[int, int], int]
    ) -> None:
        s = signals(acts, public, votes, self.seen)
        self.liked = average_likes(self.liked, s.likes, self.rules.memory)
        if self.way.ties == TEXT:
            e = text_evidence(ratings, len(self.people))
        else:
            e = evidence_matrix(s, self.liked, self.rules.rec_paper)
        self.played.ties = update_ties(self.played.ties, e, s.acted, self.rules.ties)

    def _learn(self, t: int, acts: Sequence[GameAct], totals: Floats) -> None:
        towards: dict[tuple[int, int], list[GameAct]] = {}
        for a in acts:
            for to in addressees(a):
                towards.setdefault((a.sender, to), []).append(a)
        named = {u for a in acts for u in a.mentions}
        for u, learner in enumerate(self.learners):
            own = [a for a in acts if a.sender == u]
            self.best[u] = better(self.best[u], t, float(totals[u]), own) if t > 1 else None
            if self.way.mind != LEARNING:
                continue
            learner.learn_total(own, float(totals[u]))
            for a in own:
                if a.kind == POST:
                    learner.learn_votes(a, *self.votes_of[a.number])
            for a in self.last:
                if a.sender == u and a.recipient != NOBODY:
                    back = towards.get((a.recipient, u), ())
                    learner.learn_answer(a, [b.sentiment for b in back])
                if a.sender == u and a.kind in PUBLIC:
                    learner.learn_name(bool(a.mentions), u in named)


def play_game(cast: Cast, rules: GameRules, way: GameSetup, seed: int) -> GameResult:
    """Play a whole game; deterministic for equal input."""
    game = Game(cast, rules, way, seed)
    for t in range(1, rules.rounds + 1):
        game.round(t)
    return game.played
