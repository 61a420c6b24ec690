"""The embedded mind of one person in the game: a bandit over kinds of action, partners, topics and tones. Beside it the
control, which draws its plans, and the coach.

The bandit knows its plays, its persona and what came of what it did; of the rewards it knows the numbers alone, not
how they are made. What it learns:

- of a round's total, what each kind of action in it is worth (round 1, which is forced, teaches nothing);
- of whoever it wrote to, how warmly they answer by the next round (0 = not at all);
- of the topics and tones of posts, the votes they get; of the tones of messages and comments, the answers;
- of naming others, whether they name it in turn.

A tip of the coach, where it is heeded, takes the place of what the bandit would do; what comes of it is learnt all the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from sandbox.feed.tables import draws
from sandbox.lab.friends.model import (
    COM,
    COORD,
    DM,
    EMO,
    INF,
    NEUTRAL,
    NOT,
    NOTHING,
    POST,
    PRE,
    REWARDS,
    SOC,
    SUPPORTIVE,
    TONES,
    GameAct,
    PlanItem,
)
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.lab.friends.plan import PlayerView, Tip
from sandbox.lab.friends.words import TOPICS, asks_for_mention

Floats = npt.NDArray[np.float64]


class Linear:
    """y = x . theta + noise, theta normal about a first guess. spread, noise: standard deviations."""

    def __init__(self, guess: Floats, spread: float, noise: float, weight: float = 1.0) -> None:
        self.guess, self.noise, self.weight = guess, noise, weight
        self._first: Floats = np.eye(len(guess)) / spread**2
        self._xs: list[Floats] = []
        self._ys: list[float] = []
        self.mean = guess
        self._believed()

    def observe(self, x: Floats, y: float) -> None:
        """Learn from a round: number of actions of each kind, and the resulting reward."""
        self._xs.append(np.asarray(x, dtype=np.float64))
        self._ys.append(y)
        self._believed()

    def _believed(self) -> None:
        """What follows from all rounds, each held against their mean: a good year is nobody's doing."""
        seen = self.weight / self.noise**2
        right: npt.NDArray[Any] = self._first @ self.guess
        precision: npt.NDArray[Any] = self._first
        if self._xs and self.weight > 0.0:
            x, y = np.array(self._xs), np.array(self._ys)
            x, y = x - x.mean(axis=0), y - y.mean()
            precision = precision + seen * (x.T @ x)
            right = right + seen * (x.T @ y)
        self.mean = np.linalg.solve(precision, right)
        self._root = np.linalg.cholesky(np.linalg.inv(precision))

    def drawn(self, z: Floats) -> Floats:
        """A random draw of the worths from current beliefs. z: standard normal numbers."""
        out: Floats = self.mean + self._root @ z
        return out


class MeanBandit:
    """The mean reward of each thing, from observations in [0, 1]. guess: first mean of each, counting as one
    observation.
    """

    def __init__(self, guess: Floats, noise: float, weight: float = 1.0) -> None:
        self.noise, self.weight = noise, weight
        self.sum = guess.astype(np.float64).copy()
        self.n = np.ones(len(guess))

    def observe(self, thing: int, y: float) -> None:
        """Take in what came of having chosen a thing."""
        self.sum[thing] += self.weight * y
        self.n[thing] += self.weight

    @property
    def mean(self) -> Floats:
        """What each is believed to be worth."""
        out: Floats = self.sum / self.n
        return out

    def drawn(self, z: Floats) -> Floats:
        """A random draw of the means: the less often a thing was chosen, the further from its mean."""
        out: Floats = self.mean + self.noise * z / np.sqrt(self.n)
        return out


PLAYS = ("post", "comment", "answer", "letter", "nothing")
KIND_OF = {"post": POST, "comment": COM, "answer": DM, "letter": DM, "nothing": NOT}
WORTH, NOISE = 0.1, 0.08  # spread of what a play may be worth, and of a round's total, before anything is known
IDLE = -0.1  # first guess of what it is worth to do nothing: people have come to take part
LEAN = 0.02  # what the plays of one's best round are worth more, each
FELT = 0.25  # spread of what comes of one choice of a partner, topic or tone
ANSWER, LIKED, BACK = 0.3, 0.3, 0.2  # first guesses: of an answer, of votes, of being named in turn
MANNER, MIRROR, OWN, NEAR, ASKED = 0.2, 0.3, 0.3, 0.3, 0.3  # what tone takes from temper and from what it answers;
# what a topic of one's own is worth more; what a closeness of 1 adds to a partner; what being asked for a name adds
HEED = 0.8  # how often a tip is taken by somebody who is not stubborn at all


def play_of(a: GameAct) -> str:
    """The play, one of PLAYS, that an act was."""
    if a.kind == DM:
        return "answer" if a.target >= 0 else "letter"
    return {POST: "post", COM: "comment", NOT: "nothing"}[a.kind]


def tone_leanings(p: PlayerPersona) -> Floats:
    """How a persona leans to each of TONES before anything is learnt: the kind to be supportive, the harsh to be
    critical. The control speaks by this, too.
    """
    a = MANNER * p.big_five.agreeableness
    return np.array([a, 0.0, -a])


class Learner:
    """One person. weight: how often each observation counts, 0 = they never learn."""

    def __init__(self, persona: PlayerPersona, who: int, people: int, seed: int, weight: float = 1.0) -> None:
        self.persona, self.who, self.seed, self.weight = persona, who, seed, weight
        guess = np.array([IDLE if play == "nothing" else 0.0 for play in PLAYS])
        self.plays = Linear(guess, WORTH, NOISE, weight)
        own = np.array([LIKED + OWN * (topic in persona.interests) for topic in TOPICS])
        self.partners = MeanBandit(np.full(people, ANSWER), FELT, weight)
        self.topics = MeanBandit(own, FELT, weight)
        self.tones = MeanBandit(ANSWER + tone_leanings(persona), FELT, weight)
        self.names = MeanBandit(np.full(2, BACK), FELT, weight)

    # ---- planning

    def plan(self, view: PlayerView, actions: int, again: int = 0) -> tuple[PlanItem, ...]:
        """The planned actions. again: how often a plan was already requested for this round."""
        bold = 0.5 + self.persona.facets.risk
        lots = Lots(self.seed, self.persona.handle, view.round, again, actions, len(view.handles), bold)
        if view.round == 1:
            return (self._post(view, lots, 0), *[NOTHING] * (actions - 1))
        left = [*view.dms]  # not answered yet
        out: list[PlanItem] = []
        for slot in range(actions):
            item = self._heeded(view, lots, slot, out) or self._own(view, lots, slot, left)
            left = [a for a in left if item.kind != DM or view.handles[a.sender] != item.recipient]
            out.append(item)
        return tuple(out)

    def _heeded(self, view: PlayerView, lots: Lots, slot: int, before: Sequence[PlanItem]) -> PlanItem | None:
        """A tip, if there is one for this place in the plan and they take it."""
        if slot >= len(view.tips) or lots.heed[slot] >= HEED * (1.0 - 0.5 * self.persona.facets.stubbornness):
            return None
        item = view.tips[slot].item
        return None if item in before else item

    def _own(self, view: PlayerView, lots: Lots, slot: int, left: Sequence[GameAct]) -> PlanItem:
        """The bandit's own choice."""
        can = {"post": True, "comment": bool(view.posts), "answer": bool(left), "letter": True, "nothing": True}
        worth = self.plays.drawn(lots.plays[slot])
        if view.best is not None and self.weight > 0.0:
            worth = worth + np.array([LEAN * (view.best.kinds.get(KIND_OF[play], 0) > 0) for play in PLAYS])
        play = max((p for p in PLAYS if can[p]), key=lambda p: worth[PLAYS.index(p)])
        if play == "post":
            return self._post(view, lots, slot)
        if play == "comment":
            return self._comment(view, lots, slot)
        if play == "answer":
            a = max(left, key=lambda a: self._of(view, lots, slot)[a.sender])
            return PlanItem(DM, view.handles[a.sender], a.topic, a.number, tone=self._tone(lots, slot, a))
        return self._letter(view, lots, slot) if play == "letter" else NOTHING

    def _of(self, view: PlayerView, lots: Lots, slot: int) -> Floats:
        """What each partner may be worth: what is believed of them, and how close they are."""
        near = NEAR * (1.5 - self.persona.facets.openness)
        out: Floats = self.partners.drawn(lots.partners[slot]) + near * np.array(view.closeness)
        return out

    def _post(self, view: PlayerView, lots: Lots, slot: int) -> PlanItem:
        topic = TOPICS[int(np.argmax(self.topics.drawn(lots.topics[slot])))]
        wanted = any(asks_for_mention(a.text) for a in view.dms) or any(view.who in a.mentions for a in view.public)
        named = view.round > 1 and self._names(lots, slot, wanted)
        return PlanItem(POST, topic=topic, mention=named, tone=self._tone(lots, slot))

    def _comment(self, view: PlayerView, lots: Lots, slot: int) -> PlanItem:
        of, topics = self._of(view, lots, slot), self.topics.mean
        known = {topic: i for i, topic in enumerate(TOPICS)}
        a = max(view.posts, key=lambda a: of[a.sender] + (topics[known[a.topic]] if a.topic in known else LIKED))
        named = self._names(lots, slot, asks_for_mention(a.text) or view.who in a.mentions)
        return PlanItem(COM, None, a.topic, a.number, named, self._tone(lots, slot, a))

    def _letter(self, view: PlayerView, lots: Lots, slot: int) -> PlanItem:
        of = self._of(view, lots, slot)
        whom = max(view.others, key=lambda i: of[i])
        topic = TOPICS[int(np.argmax(self.topics.drawn(lots.topics[slot])))]
        return PlanItem(DM, view.handles[whom], topic, tone=self._tone(lots, slot))

    def _tone(self, lots: Lots, slot: int, to: GameAct | None = None) -> str:
        """A tone, which mirrors that of the text answered: kindness is met with kindness."""
        like = 0.0 if to is None else MIRROR * to.sentiment
        worth = self.tones.drawn(lots.tones[slot]) + np.array([like, 0.0, -like])
        return TONES[int(np.argmax(worth))]

    def _names(self, lots: Lots, slot: int, wanted: bool) -> bool:
        worth = self.names.drawn(lots.names[slot])
        return bool(worth[1] + ASKED * wanted > worth[0])

    # ---- learning

    def learn_total(self, done: Sequence[GameAct], total: float) -> None:
        """Learn from a round's total reward. done: one's acts in it."""
        if done and done[0].round > 1:
            plays = [play_of(a) for a in done]
            self.plays.observe(np.array([float(plays.count(p)) for p in PLAYS]), total)

    def learn_votes(self, a: GameAct, likes: int, dislikes: int) -> None:
        """What a post of one's own has got: (likes + .3)/(likes + dislikes + 1), in [0, 1]."""
        y = (likes + LIKED) / (likes + dislikes + 1)
        if a.topic in TOPICS:
            self.topics.observe(TOPICS.index(a.topic), y)
        self.tones.observe(TONES.index(a.tone), y)

    def learn_answer(self, a: GameAct, back: Sequence[float]) -> None:
        """What has come back, by the round after, from whom a DM or a comment was to: the sentiments of what they wrote
        to one; none = nothing.
        """
        y = sum(0.5 + 0.5 * s for s in back) / len(back) if back else 0.0
        self.partners.observe(a.recipient, y)
        self.tones.observe(TONES.index(a.tone), y)

    def learn_name(self, named: bool, back: bool) -> None:
        """Whether one was named by the round after. named: one had named them."""
        self.names.observe(int(named), float(back))


class Lots:
    """All random numbers of one person's plan of a round, the same whichever are used. bold: how strongly people
    explore, 1 = average.
    """

    def __init__(
        self, seed: int, handle: str, round: int, again: int, actions: int, people: int, bold: float = 1.0
    ) -> None:
        drawn = draws(seed, f"plan {handle}", round, again)
        self.heed = drawn.random(actions)
        self.plays = bold * drawn.standard_normal((actions, len(PLAYS)))
        self.tones = bold * drawn.standard_normal((actions, len(TONES)))
        self.names = bold * drawn.standard_normal((actions, 2))
        self.topics = bold * drawn.standard_normal((actions, len(TOPICS)))
        self.partners = bold * drawn.standard_normal((actions, people))


# ---- the control


def random_plan(
    persona: PlayerPersona, view: PlayerView, seed: int, actions: int, again: int = 0
) -> tuple[PlanItem, ...]:
    """A random valid plan, whatever was said about earlier ones."""
    lots = draws(seed, f"control {persona.handle}", view.round, again)
    chance, tones = lots.random((actions, 5)), lots.standard_normal((actions, len(TONES)))
    if view.round == 1:
        return (_item(POST, persona, view, chance[0], tones[0]), *[NOTHING] * (actions - 1))
    kinds = [POST, COM, DM] if view.posts else [POST, DM]
    return tuple(_item(kinds[int(u[0] * len(kinds))], persona, view, u, z) for u, z in zip(chance, tones, strict=True))


def _item(kind: str, persona: PlayerPersona, view: PlayerView, u: Floats, z: Floats) -> PlanItem:
    tone = TONES[int(np.argmax(tone_leanings(persona) + FELT * z))]
    topic, named = TOPICS[int(u[1] * len(TOPICS))], view.round > 1 and bool(u[2] < 0.5)
    if kind == POST:
        return PlanItem(POST, topic=topic, mention=named, tone=tone)
    if kind == COM:
        a = view.posts[int(u[3] * len(view.posts))]
        return PlanItem(COM, None, a.topic, a.number, named, tone)
    if view.dms and u[4] < 0.5:
        a = view.dms[int(u[3] * len(view.dms))]
        return PlanItem(DM, view.handles[a.sender], a.topic, a.number, tone=tone)
    return PlanItem(DM, view.handles[view.others[int(u[3] * len(view.others))]], topic, tone=tone)


# ---- the coach: before somebody plans, three to five tips of one line each, for the rewards furthest below their
# weights. It is told what the paper's coach is told (people, who wrote last, recent partners, topics seen), and of the
# rewards what a player may read in the rules: that a post counts for PRE, and so on.

FEWEST, MOST = 3, 5


def reward_gaps(scores: Mapping[str, float], weights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Each reward with its weight minus its score, largest first; equal ones in the order of REWARDS."""
    found = [(name, weights.get(name, 0.0) - scores[name]) for name in REWARDS]
    return sorted(found, key=lambda g: -g[1])


def tips(
    view: PlayerView, weights: Mapping[str, float], liked: Sequence[tuple[int, GameAct]], seed: int
) -> tuple[Tip, ...]:
    """What the coach says; nothing before there is a score. liked: posts of others that are shown, each with its likes
    less dislikes.
    """
    if view.scores is None:
        return ()
    order = [name for name, _ in reward_gaps(view.scores, weights) if weights.get(name, 0.0) > 0.0]
    lots = draws(seed, f"coach {view.handles[view.who]}", view.round)
    fresh = [topic for topic in TOPICS if topic not in view.seen] or [*TOPICS]
    fresh = [fresh[i] for i in lots.permutation(len(fresh))]
    best = [a for _, a in sorted(liked, key=lambda x: (-x[0], x[1].number))]
    strangers = [view.others[i] for i in lots.permutation(len(view.others))]
    people = [*dict.fromkeys((*view.partners, *strangers))]
    per = [list(_for(name, view, best, people, fresh)) for name in order]
    found: list[Tip] = []
    for tip in chain.from_iterable(zip_longest(*per)):
        if tip is not None and not any(_same(tip.item, other.item) for other in found):
            found.append(tip)
    most = min(MOST, max(FEWEST, len(order) + 1))
    return tuple(found[:most])


def _same(a: PlanItem, b: PlanItem) -> bool:
    """Whether two tips are the same apart from manner: same recipient of a message, same post to comment on."""
    if a.kind != b.kind or a.kind == POST:
        return a == b
    return a.recipient == b.recipient if a.kind == DM else a.target == b.target


def _for(
    name: str, view: PlayerView, best: Sequence[GameAct], people: Sequence[int], fresh: Sequence[str]
) -> Iterator[Tip]:
    """Tips for one reward, the best first."""
    tone = SUPPORTIVE if name in (EMO, PRE, SOC) else NEUTRAL
    answers = [PlanItem(DM, view.handles[a.sender], a.topic, a.number, tone=tone) for a in view.dms]
    topics = [*dict.fromkeys([a.topic for a in best] if name == PRE else []), *fresh]
    posts = [PlanItem(POST, topic=topic, tone=tone) for topic in topics[:3]]
    comments = [PlanItem(COM, None, a.topic, a.number, name == COORD, tone, name == COORD) for a in best[:3]]
    letters = [PlanItem(DM, view.handles[i], fresh[k % len(fresh)], tone=tone) for k, i in enumerate(people[:3])]
    ways = {
        SOC: [*answers, *comments, *letters],
        INF: [*posts, *comments],
        PRE: posts,
        COORD: [*answers, *comments, *letters],
        EMO: [*answers, *letters, *comments],
    }
    return (Tip(name, item, _line(name, item, view, best)) for item in ways[name])


def _line(name: str, item: PlanItem, view: PlayerView, best: Sequence[GameAct]) -> str:
    """The tip in words: what, to whom, on what, in which tone, and whether to ask to be named."""
    if item.kind == POST:
        what = f"post on {item.topic}, which is new to you" if item.topic not in view.seen else f"post on {item.topic}"
    elif item.kind == COM:
        by = next(view.handles[a.sender] for a in best if a.number == item.target)
        what = f"comment on the liked post of @{by} on {item.topic}"
    else:
        what = f"{'answer' if item.target is not None else 'write to'} @{item.recipient} on {item.topic}"
    asks = ", and ask to be named" if item.asks else ""
    return f"For {name}: {what}, in a {item.tone} tone{asks}."
