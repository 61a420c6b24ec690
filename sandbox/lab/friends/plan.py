"""What somebody knows when they plan, what a plan must keep to, and what is done about one that does not. And what has
passed between people: what of it they know, and ties by its words alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from sandbox.core.faults import in_quotes, unknown
from sandbox.lab.friends.model import (
    COM,
    DIRECT,
    DM,
    KINDS,
    NOT,
    NOTHING,
    POST,
    PUBLIC,
    TONES,
    GameAct,
    GameRules,
    PlanItem,
)
from sandbox.lab.friends.words import plain_topic
from sandbox.people.ties import Matrix


class Tip(NamedTuple):
    """What the coach says: one action, for the sake of a reward. line: the same in words."""

    why: str
    item: PlanItem
    line: str


class Best(NamedTuple):
    """Somebody's best round so far: its number, their total, and how many of their actions were of each kind."""

    round: int
    score: float
    kinds: Mapping[str, int]


@dataclass(frozen=True)
class PlayerView:
    """All that somebody may know as they plan round `round`: what was published in the round before, and themselves.

    about: what all of it is about, in words. public: posts and comments of others; dms: to them. seen: topics shown to
    them so far. closeness: to each, in [0, 1]. scores: their rewards of the last round, None in the first. partners:
    with whom they last had to do, the latest first. tips: of the coach, if there is one.
    """

    who: int
    round: int
    handles: tuple[str, ...]
    about: str = ""
    public: tuple[GameAct, ...] = ()
    dms: tuple[GameAct, ...] = ()
    seen: frozenset[str] = frozenset()
    closeness: tuple[float, ...] = ()
    scores: Mapping[str, float] | None = None
    best: Best | None = None
    partners: tuple[int, ...] = ()
    tips: tuple[Tip, ...] = ()

    @property
    def posts(self) -> tuple[GameAct, ...]:
        """What may be commented on."""
        return tuple(a for a in self.public if a.kind == POST)

    @property
    def others(self) -> tuple[int, ...]:
        """Everybody else."""
        return tuple(i for i in range(len(self.handles)) if i != self.who)


class Wrong(NamedTuple):
    """A rule that a plan breaks. item: index of the item, -1 = the whole plan."""

    item: int
    message: str

    def __str__(self) -> str:
        return f"plan item {self.item + 1}: {self.message}" if self.item >= 0 else f"plan: {self.message}"


def wrongs(plan: Sequence[PlanItem], view: PlayerView, rules: GameRules) -> list[Wrong]:
    """All rules that a plan breaks, with what would be valid."""
    out = []
    if len(plan) != rules.actions:
        out.append(Wrong(-1, f"has {len(plan)} items; write exactly {rules.actions}"))
    for i, item in enumerate(plan):
        out += [Wrong(i, message) for message in _wrong(item, view)]
        if view.round == 1 and item.kind != (wanted := NOT if i else POST):
            out.append(Wrong(i, f"kind: {item.kind} in round 1, which takes a POST and then only NOT; write {wanted}"))
        if view.round == 1 and item.mention:
            out.append(Wrong(i, "mention: nobody knows anybody in round 1; write false"))
    return out


def _wrong(item: PlanItem, view: PlayerView) -> Iterator[str]:
    if item.kind not in KINDS:
        yield f"kind: {unknown('kind', item.kind, KINDS)}"
        return
    if item.tone not in TONES:
        yield f"tone: {unknown('tone', item.tone, TONES)}"
    if item.kind == NOT:
        if item.recipient or item.topic or item.target is not None or item.mention or item.asks:
            yield "a NOT carries nothing; leave recipient, topic and target empty, and mention false"
        return
    if not plain_topic(item.topic or ""):
        yield f"topic: a {item.kind} has one; write what it is about"
    if item.kind == DM:
        yield from _wrong_dm(item, view)
        return
    if item.recipient is not None:
        yield f"recipient: a {item.kind} is for everybody; leave it empty"
    if item.kind == POST and item.target is not None:
        yield "target: a POST has none; leave it empty"
    if item.kind == COM and item.target not in (known := [a.number for a in view.posts]):
        yield f"target: no post {item.target}; {_some(known, 'write a POST or a DM')}"


def _wrong_dm(item: PlanItem, view: PlayerView) -> Iterator[str]:
    others = [view.handles[i] for i in view.others]
    if item.recipient not in others:
        yield f"recipient: {unknown('user', item.recipient or '', others)}"
    if item.mention:
        yield "mention: nobody else reads a DM; write false"
    if item.target is not None:
        asked = {a.number: view.handles[a.sender] for a in view.dms}
        if item.target not in asked:
            yield f"target: no message {item.target} of the last round; {_some([*asked], 'leave it empty')}"
        elif asked[item.target] != item.recipient:
            yield (f"recipient: message {item.target} is by {in_quotes(asked[item.target])}, and an answer to it goes "
                   "to them")  # fmt: skip


def _some(numbers: Sequence[int], otherwise: str) -> str:
    return f"choose one of {', '.join(map(str, numbers[:12]))}" if numbers else f"there is none, so {otherwise}"


def settle_plan(
    ask: Callable[[int, list[Wrong]], Sequence[PlanItem]], view: PlayerView, rules: GameRules
) -> tuple[tuple[PlanItem, ...], int]:
    """A plan that keeps the rules, and how many of its items had to be replaced. ask: (how often before, what was wrong
    with the last one) -> a plan. It is asked once, and again up to `rules.again` times; what is wrong then becomes NOT,
    and in round 1, where a post is forced, the game writes one in its place (ours).
    """
    wrong: list[Wrong] = []
    plan: list[PlanItem] = []
    for again in range(rules.again + 1):
        plan = [*ask(again, wrong)]
        if not (wrong := wrongs(plan, view, rules)):
            return tuple(plan), 0
    bad = {w.item for w in wrong} | set(range(len(plan), rules.actions))
    kept = [NOTHING if i in bad else plan[i] for i in range(rules.actions)]
    if view.round == 1:
        kept = [kept[0] if kept[0].kind == POST else PlanItem(POST, topic=view.about), *[NOTHING] * (rules.actions - 1)]
    return tuple(kept), len([i for i in bad if 0 <= i < rules.actions])


# ---- what has passed between people


def conversation(acts: Sequence[GameAct], who: int) -> list[GameAct]:
    """All that somebody said, or that was addressed to them, in order."""
    return [a for a in acts if a.kind != NOT and (a.sender == who or who in addressees(a))]


def relationship(acts: Sequence[GameAct], who: int, other: int) -> list[GameAct]:
    """All that passed between two people, in order."""
    return [
        a for a in acts if (a.sender == who and other in addressees(a)) or (a.sender == other and who in addressees(a))
    ]


def opinion(acts: Sequence[GameAct], who: int) -> dict[str, float]:
    """Topic -> one stance: the mean sentiment of what somebody said on it, in [-1, 1]. The topic they spoke of last is
    the last.
    """
    said: dict[str, list[float]] = {}
    for a in acts:
        if a.sender == who and a.kind != NOT:
            said[a.topic] = [*said.pop(a.topic, []), a.sentiment]
    return {topic: sum(moods) / len(moods) for topic, moods in said.items()}


def partners(acts: Sequence[GameAct], who: int, most: int = 5) -> tuple[int, ...]:
    """The people somebody last interacted with, latest first, each once."""
    found: dict[int, None] = {}
    for a in reversed(acts):
        for other in addressees(a) if a.sender == who else (a.sender,) if who in addressees(a) else ():
            found.setdefault(other)
        if len(found) >= most:
            break
    return tuple(found)[:most]


def better(best: Best | None, round: int, score: float, done: Sequence[GameAct]) -> Best:
    """Somebody's best round after one more round; the earlier one if equal."""
    if best is not None and best.score >= score:
        return best
    kinds: Mapping[str, int] = Counter(a.kind for a in done)
    return Best(round, score, kinds)


# ---- ties by text: how close somebody would be to another, from what the two wrote in a round. It is a rule of the
# embedded mind, which sees the words, and neither votes, nor tones as they were planned, nor who anybody is.

HIGHEST = 5
STEPS = (0.1, 0.4, 0.7)  # mean sentiment from which a transcript is worth 1, 2 and 3


class TranscriptLine(NamedTuple):
    """A text between two people. mine: it is by who rates. mood: how kind it is, names and handles left out."""

    mine: bool
    text: str
    mood: float


def rate_transcript(transcript: Sequence[TranscriptLine]) -> int:
    """0 (nothing, mixed or hostile) to 5 (warm, both ways, and more than once): by the mean sentiment of the texts,
    with one point more where both wrote and none was harsh, and one where there were three or more.
    """
    moods = [s.mood for s in transcript]
    if not moods:
        return 0
    mean = sum(moods) / len(moods)
    points = sum(mean >= step for step in STEPS)
    if points >= 2 and min(moods) > -STEPS[0]:
        points += len({s.mine for s in transcript}) == 2
        points += len(moods) >= 3
    return min(HIGHEST, points)


def addressees(a: GameAct) -> Iterator[int]:
    """To whom an act is addressed: who gets it or is commented on, and who is named; each once."""
    to = chain([a.recipient] if a.kind in DIRECT else [], a.mentions if a.kind in PUBLIC else [])
    return iter(dict.fromkeys(x for x in to if x not in (-1, a.sender)))


def transcripts(acts: Sequence[GameAct]) -> dict[tuple[int, int], list[TranscriptLine]]:
    """(who rates, whom) -> what the two wrote to each other, in order. A pair that wrote nothing has none."""
    out: dict[tuple[int, int], list[TranscriptLine]] = {}
    for a in acts:
        for to in addressees(a):
            out.setdefault((a.sender, to), []).append(TranscriptLine(True, a.text, a.sentiment))
            out.setdefault((to, a.sender), []).append(TranscriptLine(False, a.text, a.sentiment))
    return out


def text_evidence(ratings: Mapping[tuple[int, int], int], n: int) -> Matrix:
    """Row u, column v: e(v -> u) = what v rates u / 5, in [0, 1]."""
    out = np.zeros((n, n))
    for (v, u), score in ratings.items():
        out[u, v] = score / HIGHEST
    return out
