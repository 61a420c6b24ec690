"""The embedded mind of one person in the game: a bandit over kinds of action, partners, topics and tones.

It knows its plays, its persona and what came of what it did; of the rewards it knows the numbers alone, not how they
are made. What it learns:

- of a round's total, what each kind of action in it is worth (round 1, which is forced, teaches nothing);
- of whoever it wrote to, how warmly they answer by the next round (0 = not at all);
- of the topics and tones of posts, the votes they get; of the tones of messages and comments, the answers;
- of naming others, whether they name it in turn.

A tip of the coach, where it is heeded, takes the place of what the bandit would do; what comes of it is learnt all the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sandbox.feed.tables import draws
from sandbox.lab.friends.model import COM, DM, NOT, NOTHING, POST, TONES, GameAct, PlanItem
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.lab.friends.plan import PlayerView
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
