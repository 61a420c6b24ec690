"""The game with a language model in the place of the bandit: it plans, writes, votes, rates and, where that is
wanted, coaches. Rules, rewards and ties are the same; the control still draws its plans, and is voted on by the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np

from sandbox.core.protocols import Question
from sandbox.feed.tables import draws
from sandbox.lab.friends.learner import random_plan, reward_gaps
from sandbox.lab.friends.measures import ITEMS
from sandbox.lab.friends.model import COORD, EMO, INF, NOT, PRE, PUBLIC, REWARDS, SOC, GameAct, PlanItem
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.lab.friends.plan import PlayerView, Wrong, conversation, opinion, relationship, settle_plan, transcripts
from sandbox.lab.friends.play import CONTROL, TEXT, Game
from sandbox.lab.friends.questions import (
    CoachRound,
    Peer,
    PlanRound,
    PlayerProfile,
    RatePeers,
    SeenAct,
    Survey,
    VoteRound,
)
from sandbox.lab.friends.scoring import Votes

COUNTS = {
    SOC: "SOC, being in touch: comments and messages you write, and those you get",
    INF: "INF, new things: topics shown to you that you had not met, and how varied what you are shown is",
    PRE: "PRE, being seen: posts you make, and the likes less the dislikes they get",
    COORD: "COORD, answers: being named in posts and comments, and messaging back who messaged you in the last round",
    EMO: "EMO, kind words: how kind the comments and messages are that you get",
}
SHOWN, TOPICS, LIKED = 30, 20, 5  # posts and topics at most that a plan is told, and posts that a coach is
TOLD, KIND = 6, 0.1  # what is told of each memory at most; mean sentiment from which somebody has been kind
STANCES = ((-0.2, "you doubt that much needs doing"), (0.35, "you stand in between"), (9.0, "you are worried"))
NEAR = ((0.6, "close to you"), (0.3, "a friend"), (0.1, "known to you"))


def _always(plan: Sequence[PlanItem]) -> Callable[[int, Sequence[Wrong]], Sequence[PlanItem]]:
    """Repeat this plan on every request: the model was already asked again, with what was wrong."""
    return lambda again, wrong: plan


class Answerer(Protocol):
    """Whoever answers (`studies.study.ModelPanel`)."""

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        """An answer to each, in order."""


class ModelGame(Game):
    """One game, a round at a time."""

    async def play_round(self, t: int, voice: Answerer) -> None:
        """Plan, act, vote, reweigh."""
        shown, views = self.shown(t)
        acts = await self._planned(t, views, voice)
        votes = await self._votes(t, acts, voice)
        self.over(t, shown, acts, votes, await self._ratings(t, acts, voice))

    async def survey(self, voice: Answerer) -> list[tuple[int, ...]]:
        """What each answers to the Mini-IPIP; () = nothing that could be used."""
        questions = [Survey(self._name("survey", u), player=player(p), items=ITEMS) for u, p in enumerate(self.people)]
        return [a.answers for a in await voice.ask(questions)]

    async def _planned(self, t: int, views: Sequence[PlayerView], voice: Answerer) -> list[GameAct]:
        first, n = len(self.played.acts), self.rules.actions
        if self.way.mind == CONTROL:
            plans = [random_plan(self.people[v.who], v, self.seed, n) for v in views]
            texts: list[tuple[str, ...]] = [("",) * n] * len(views)
        else:
            tips = await self._tips(t, views, voice)
            answers = await voice.ask([self._question(t, v, tips[v.who]) for v in views])
            plans, texts = [], []
            for view, a in zip(views, answers, strict=True):
                plan, replaced = settle_plan(_always(a.items), view, self.rules)
                self.played.replaced += replaced if a.items else 0
                plans.append(plan)
                texts.append(a.texts if a.texts else ("",) * n)
        out = []
        for view, plan, words in zip(views, plans, texts, strict=True):
            lots = draws(self.seed, f"words {self.handles[view.who]}", t).random((n, 5)).tolist()
            at = first + view.who * n
            out += [self.act(at + i, item, view, lots[i], words[i]) for i, item in enumerate(plan)]
        return out

    async def _tips(self, t: int, views: Sequence[PlayerView], voice: Answerer) -> list[tuple[str, ...]]:
        if not self.way.coach or t == 1:
            return [()] * len(views)
        answers = await voice.ask([self._coach(t, v) for v in views])
        self.played.tips += sum(len(a.tips) for a in answers)
        return [a.tips for a in answers]

    def _coach(self, t: int, view: PlayerView) -> CoachRound:
        goals, scores = self.people[view.who].goals, view.scores or {}
        order = [name for name, _ in reward_gaps(scores, goals) if goals.get(name, 0.0) > 0.0]
        liked = sorted(view.posts, key=lambda a: self.votes_of[a.number][1] - self.votes_of[a.number][0])[:LIKED]
        return CoachRound(
            self._name(f"coach {t}", view.who),
            focus=tuple(f"{name}: weight {goals[name]:.2f}, score {scores[name]:.2f}" for name in order),
            rules=tuple(COUNTS[name] for name in order),
            users=self._others(view.who),
            senders=tuple(dict.fromkeys(self.handles[a.sender] for a in view.dms)),
            partners=tuple(self.handles[i] for i in view.partners),
            topics=tuple(sorted(view.seen))[:TOPICS],
            liked=self._seen(liked),
        )

    def _question(self, t: int, view: PlayerView, tips: tuple[str, ...]) -> PlanRound:
        p, scores = self.people[view.who], view.scores or {}
        goals = sorted(p.goals.items(), key=lambda g: -g[1])
        told = [f"{k}: weight {w:.2f}" + (f", score {scores[k]:.2f}" if scores else "") for k, w in goals]
        total = f"round {view.best.round}, {view.best.score:.2f} in all, with " if view.best is not None else ""
        kinds = view.best.kinds.items() if view.best is not None else ()
        lots = draws(self.seed, f"shown {p.handle}", t).permutation(len(view.posts))[:SHOWN]
        return PlanRound(
            self._name(f"plan {t}", view.who), player=player(p), subject=view.about, round=t,
            actions=self.rules.actions, goals=tuple(told), rules=tuple(COUNTS[k] for k, _ in goals),
            users=self._others(view.who), topics=tuple(sorted(view.seen))[:TOPICS],
            posts=self._seen(view.posts[i] for i in sorted(lots)), dms=self._seen(view.dms),
            best=total + ", ".join(f"{n} {kind}" for kind, n in kinds),
            last=tuple(f"{a.kind}: {a.text}" for a in self.last if a.sender == view.who and a.kind != NOT),
            conversation=self._conversation(t, view.who), peers=tuple(self._peer(view.who, i) for i in view.partners),
            opinions=self._opinions(view.who), tips=tips,
        )  # fmt: skip

    def _conversation(self, t: int, u: int) -> tuple[str, ...]:
        """What somebody said and was told before the last round, which is shown separately."""
        before = [a for a in conversation(self.played.acts, u) if a.round < t - 1][-TOLD:]
        return tuple(f"round {a.round}, {self._by(a.sender, u)}, {a.kind}: {a.text}" for a in before)

    def _peer(self, u: int, v: int) -> str:
        """What passed between two people, from the first one's view."""
        acts = relationship(self.played.acts, u, v)
        mine = sum(a.sender == u for a in acts)
        mood = _mood([a.sentiment for a in acts if a.sender == v])
        return f"@{self.handles[v]}: {mine} times from you, {len(acts) - mine} from them{mood}"

    def _opinions(self, u: int) -> tuple[str, ...]:
        """How kindly somebody spoke of topics, the latest first."""
        held = opinion(self.played.acts, u).items()
        return tuple(f"{topic}: {x:+.1f} (from -1, harsh, to 1, kind)" for topic, x in reversed(held))[:TOLD]

    def _by(self, who: int, u: int) -> str:
        return "you" if who == u else f"@{self.handles[who]}"

    async def _votes(self, t: int, acts: Sequence[GameAct], voice: Answerer) -> Votes:
        public = [a for a in acts if a.kind in PUBLIC]
        at, out = {a.number: i for i, a in enumerate(public)}, np.zeros((len(self.people), len(public)), dtype=np.int8)
        asked = []
        for u, p in enumerate(self.people):
            own = tuple(self._seen((a for a in public if a.sender != u), u))
            asked.append(VoteRound(self._name(f"vote {t}", u), player=player(p), shown=own))
        for u, a in enumerate(await voice.ask(asked)):
            out[u, [at[n] for n in a.likes]] = 1
            out[u, [at[n] for n in a.dislikes]] = -1
        return out

    async def _ratings(self, t: int, acts: Sequence[GameAct], voice: Answerer) -> dict[tuple[int, int], int]:
        if self.way.ties != TEXT:
            return {}
        peers: dict[int, list[Peer]] = {}
        for (v, u), said in transcripts(acts).items():
            words = tuple(("you" if s.mine else f"@{self.handles[u]}", s.text) for s in said)
            peers.setdefault(v, []).append(Peer(self.handles[u], words))
        asked = [
            RatePeers(self._name(f"rate {t}", v), player=player(self.people[v]), peers=tuple(of))
            for v, of in sorted(peers.items())
        ]
        answers = zip(sorted(peers), await voice.ask(asked), strict=True)
        return {(v, self.numbers[who]): score for v, a in answers for who, score in a.scores.items()}

    def _seen(self, acts: Iterable[GameAct], by: int | None = None) -> tuple[SeenAct, ...]:
        """Acts as shown to a player. by: the reader, if closeness to the authors is to be shown."""
        return tuple(
            SeenAct(a.number, self.handles[a.sender], a.topic, a.text, "" if by is None else self._near(by, a.sender))
            for a in acts
        )

    def _near(self, u: int, v: int) -> str:
        x = float(self.played.ties[u, v]) if self.rules.vote_sees_ties else 0.0
        return next((words for least, words in NEAR if x >= least), "")

    def _others(self, u: int) -> tuple[str, ...]:
        return tuple(handle for i, handle in enumerate(self.handles) if i != u)

    def _name(self, what: str, u: int) -> str:
        """An identifier of a question: different in any two games of one seed that are played differently."""
        how = [*vars(self.way).values(), self.rules.vote_sees_ties, self.rules.rec_paper]
        return f"{self.seed} {msgspec.json.encode(how).decode()} {what} {self.handles[u]}"


def _mood(moods: Sequence[float]) -> str:
    mean = sum(moods) / len(moods) if moods else 0.0
    return ", who is kind to you" if mean > KIND else ", who is harsh to you" if mean < -KIND else ""


def player(p: PlayerPersona) -> PlayerProfile:
    """A persona as shown to a model."""
    stance = next(words for edge, words in STANCES if p.stance <= edge)
    temper = [f"{trait} {getattr(p.big_five, trait):+.1f}" for trait in p.big_five.__struct_fields__]
    return PlayerProfile(p.handle, p.name, p.role, p.about, p.style, stance, ", ".join(temper) + " (each from -1 to 1)")


assert set(COUNTS) == set(REWARDS)
