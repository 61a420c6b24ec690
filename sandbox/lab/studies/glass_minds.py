"""Societies in which a language model speaks for each agent: they grow, and may then talk (seed 002, 5 and B; the
paper's set-ups are commands of docs/society.md).
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import declared_minds
from sandbox.lab.studies.glass_ceiling import CEILING
from sandbox.lab.studies.glass_prompts import REASONS, SILENT, reason
from sandbox.lab.studies.glass_runs import read_items_file
from sandbox.lab.studies.glass_talks import BETA, RUMOUR, planted
from sandbox.lab.studies.study import Case, Found, ModelPanel
from sandbox.society.growth import Growth
from sandbox.society.hearing import Plant, Talks
from sandbox.society.items import Item, shipped_items
from sandbox.society.minded import REFUSED, MindedAgents
from sandbox.society.model import GrowthParameters, R
from sandbox.society.questions import PAIRS
from sandbox.society.standing import type_standing

FEWEST = 6  # agents of a network
KINDS = (REFUSED, *dict.fromkeys(REASONS.values()), SILENT)


class MindedSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a case. roles: of R, whose pair PAIRS has; "" = none. swapped: R and B change roles. debate: its
    items, and each answers alone before they ask. rounds: of talk once the network stands still. claim: `gold` or
    `claims` of the item, kept to by somebody `central` or `peripheral` (who); "" = none. items: in the place of
    those that ship.
    """

    roles: str = ""
    swapped: bool = False
    debate: bool = False
    beta: float = 0.0
    rounds: int = 0
    claim: str = ""
    who: str = "central"
    items: tuple[Item, ...] = ()


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One network of as many agents as there may be readers, and how it stands; then rounds of talk, in which who is
    asked is heard.
    """
    s = msgspec.convert(dict(case.settings), MindedSetup)
    items = s.items or shipped_items("debate" if s.debate else "qa")
    item = items[int(draws(seed, "item").integers(0, len(items)))]
    parameters = GrowthParameters(beta=s.beta, steps=0, agents=max(FEWEST, voice.users))
    growth = Growth(parameters, seed=seed)
    roles = next(pair for pair in PAIRS if s.roles in pair)
    models = (voice.models.get("R", ""), voice.models.get("B", ""))
    agents = MindedAgents(growth, item, voice, roles[::-1] if s.swapped else roles, models, s.debate, reason)
    await agents.grow()
    values = _standing(growth) | {kind.replace(" ", "_"): float(agents.rejected[kind]) for kind in KINDS}
    curves: dict[str, list[float]] = {}
    if s.rounds:
        curves = await _talks(s, agents, item, seed)
        values |= {f"{key}_end": curve[-1] for key, curve in curves.items()} | {"alone": curves["right"][0]}
    return Found(values, curves)


async def _talks(s: MindedSetup, agents: MindedAgents, item: Item, seed: int) -> dict[str, list[float]]:
    """The shares of right answers, and of those that the false claim names, by round, the first alone."""
    network, plant = agents.growth.network(), None
    if s.claim:
        place = item.answers.index(getattr(item, s.claim))
        plant = Plant(planted(network, "back", seed)[s.who], np.array([place]))
    talks = Talks(network, [item], seed, "back", plant, agents.holds)
    found: dict[str, list[float]] = {"right": [], "false": []}
    for _ in range(1 + s.rounds):
        await agents.talk(talks)
        for key, answer in (("right", item.gold), ("false", item.claims)):
            found[key].append(float((talks.answers == item.answers.index(answer)).mean()))
    return found


def _standing(growth: Growth) -> dict[str, float | None]:
    count, of_r = growth.agents, growth.types
    asked, asking = (side.mass[:count, 0] for side in (growth.runs.asked, growth.runs.asking))
    types = type_standing(asked, asking, of_r)
    with np.errstate(divide="ignore", invalid="ignore"):
        lead, influence = np.log(types.in_prominence[0, R] / types.in_prominence[0, 1 - R]), np.log(types.ratio[0])
    told = {"lead": float(lead), "influence": float(influence)}
    share = {"asked": float(growth.theta[0].mean()), "asking": float(growth.theta[1].mean())}
    known: dict[str, float | None] = {key: x if np.isfinite(x) else None for key, x in told.items()}
    return known | share | {"agents": float(count), "steps": float(growth.runs.number)}


CEILING_MINDS, RUMOUR_MINDS, BETA_MINDS = (
    declared_minds(study, run_minds) for study in (replace(CEILING, items=read_items_file), RUMOUR, BETA)
)
