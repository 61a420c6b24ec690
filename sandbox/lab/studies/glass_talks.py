"""What comes of talks on networks that stand still, in both readings of who hears whom (seed 002, 5.3 and 5.4).

`glass-rumour`: somebody who is much heard, or is not, keeps to a false claim or to the right answer. `glass-beta`:
nobody claims anything, but networks have grown with weight added to what one type grants the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np

from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.glass_runs import GlassSetup, grown, mean_known, network_seeds, read_items_file
from sandbox.lab.studies.study import Case, Found
from sandbox.society.hearing import CENTRAL, READINGS, Plant, StillNetwork, Talks, ranked, rewired
from sandbox.society.items import Item
from sandbox.society.many import Doubles, Longs
from sandbox.society.theory import mean_field

CLAIMS = ("false", "true")
WHO = ("central", "peripheral")


def run_claims(case: Case, seed: int) -> Found:
    """Some networks, and on each the talks with and without a claim."""
    s = msgspec.convert(dict(case.settings), GlassSetup)
    items = s.questions
    places = dict(zip(CLAIMS, (places_of(items, "claims"), places_of(items, "gold")), strict=True))
    rows: dict[str, list[list[float]]] = {}
    for network, of in heard_networks(s, seed):
        for reading in READINGS:
            quiet = Talks(network, items, of, reading).go(s.granter)
            for claim, held in places.items():
                rows.setdefault(f"{claim}_{reading}_quiet", []).append(_share(quiet, held))
                for who, agent in planted(network, reading, of).items():
                    told = Talks(network, items, of, reading, Plant(agent, held)).go(s.granter)
                    rows.setdefault(f"{claim}_{reading}_{who}", []).append(_share(told, held))
    curves = {key: np.mean(found, axis=0).tolist() for key, found in rows.items()}
    values: dict[str, float | None] = {key: curve[-1] for key, curve in curves.items()}
    for reading in READINGS:
        for claim in CLAIMS:
            central, other, quiet = (curves[f"{claim}_{reading}_{who}"][-1] for who in (*WHO, "quiet"))
            values[f"{claim}_{reading}_reach"] = central - quiet
            values[f"{claim}_{reading}_gap"] = central - other
    return Found(values, curves)


def run_beta(case: Case, seed: int) -> Found:
    """Networks under one beta: the course beside the mean field's, and the share of right answers."""
    s = msgspec.convert(dict(case.settings), GlassSetup)
    seen = grown(s.growth, s.mu, network_seeds(s, seed)).course.mean(axis=3)
    said = mean_field(s.growth, s.mu, len(seen) - 1, seen[0])
    items = s.questions
    gold = places_of(items, "gold")
    rights: dict[str, list[Doubles]] = {reading: [] for reading in READINGS}
    for network, of in heard_networks(s, seed):
        for reading in READINGS:
            answers = Talks(network, items, of, reading).go(s.granter)
            rights[reading].append((answers == gold[:, None]).mean(axis=(1, 2)))
    curves = {reading: np.mean(found, axis=0).tolist() for reading, found in rights.items()}
    values: dict[str, float | None] = {
        "asked": mean_known(seen[-1, 0]), "forecast": mean_known(said[-1, 0]),
        "apart": mean_known(seen[-1, 0] - said[-1, 0]), "mse": mean_known((seen - said)[1:] ** 2),
        "alone": curves["along"][0],
    }  # fmt: skip
    return Found(values | {f"right_{reading}": curve[-1] for reading, curve in curves.items()}, curves)


def heard_networks(s: GlassSetup, seed: int) -> Iterator[tuple[StillNetwork, int]]:
    """The networks on which agents talk, and a seed for each. rewired: arcs by lot, as many from and to each agent;
    untyped: types by lot.
    """
    seeds = network_seeds(s, seed)
    of = grown(s.growth, s.mu, seeds)
    for i in range(s.heard):
        network = of.network(i)
        if s.rewired:
            network = rewired(network, seeds[i])
        if s.untyped:
            network = network._replace(types=draws(seeds[i], "untyped").permutation(network.types))
        yield network, seeds[i]


def planted(network: StillNetwork, reading: str, seed: int) -> dict[str, int]:
    """Somebody among the ten most heard, and among the ten least heard, by lot; among few, of each half."""
    order = ranked(network, "along" if reading == "along" else "back")
    one, other = draws(seed, "planted").integers(0, min(CENTRAL, len(order) // 2), 2).tolist()
    return dict(zip(WHO, (int(order[one]), int(order[-1 - other])), strict=True))


def places_of(items: tuple[Item, ...], which: str) -> Longs:
    """The places of the right answers, or of those that false claims name, (items,)."""
    return np.array([item.answers.index(getattr(item, which)) for item in items])


def _share(answers: Longs, places: Longs) -> list[float]:
    """The share that gives the answer, by round, (1 + rounds,)."""
    return [mean_known(x) for x in answers == places[:, None]]


RUMOUR = replace(declared_study("glass-rumour", run_claims), items=read_items_file)
BETA = replace(declared_study("glass-beta", run_beta), items=read_items_file)
