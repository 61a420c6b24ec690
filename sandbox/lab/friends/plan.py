"""What somebody knows when they plan, what a plan must keep to, and what is done about one that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sandbox.core.faults import in_quotes, unknown
from sandbox.lab.friends.model import COM, DM, KINDS, NOT, NOTHING, POST, TONES, GameAct, GameRules, PlanItem
from sandbox.lab.friends.words import plain_topic


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
            out.append(
                Wrong(i, f"kind: {item.kind} in round 1; it begins with a POST and NOT after it, so write {wanted}")
            )
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
        yield f"recipient: a {item.kind} is for all; leave it empty"
    if item.kind == POST and item.target is not None:
        yield "target: a POST is on nothing; leave it empty"
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
