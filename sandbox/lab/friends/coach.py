"""The coach: before somebody plans, three to five tips of one line each, for the rewards furthest below their weights.

The embedded mind's rule. It is told what the paper's coach is told (people, who wrote last, recent partners, topics
seen), and of the rewards what a player may read in the rules: that a post counts for PRE, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest

import numpy as np

from sandbox.feed.tables import draws
from sandbox.lab.friends.learner import FELT, Floats, tone_leanings
from sandbox.lab.friends.model import (
    COM,
    COORD,
    DM,
    EMO,
    INF,
    NEUTRAL,
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
from sandbox.lab.friends.words import TOPICS


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
