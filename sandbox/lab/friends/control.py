"""The control: valid plans drawn at random. It has the same first round, texts, temper and voters as those who learn.

A place in a plan is POST, COM or DM, evenly among those that are possible; a COM is on any post, evenly; a DM answers a
message, if there is one, as often as it goes to somebody else, evenly (which is kinder to the control than to draw
among all people); a topic is any of the forty; to name somebody is as likely as not; the tone is drawn by the persona's
manner, as a learner's is before anything is learnt.
"""

from __future__ import annotations

import numpy as np

from sandbox.feed.chance import draws
from sandbox.lab.friends.bandit import Floats
from sandbox.lab.friends.learner import FELT, tone_leanings
from sandbox.lab.friends.model import COM, DM, NOTHING, POST, TONES, PlanItem
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.lab.friends.plan import PlayerView
from sandbox.lab.friends.words import TOPICS


def random_plan(
    persona: PlayerPersona, view: PlayerView, seed: int, actions: int, again: int = 0
) -> tuple[PlanItem, ...]:
    """A valid plan, whatever came of any before."""
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
