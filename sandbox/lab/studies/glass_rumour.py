"""How far does a claim go from an agent who is much heard, and from one who is not? (seed 002, 5.3.)

On networks that stand still somebody keeps to a false claim, or to the right answer, while all others hold a snippet
each, hear voices and answer anew, in five rounds; in both readings of who hears whom.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np

from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.glass_runs import GlassSetup, grown, mean_of, read_items_file, seeds_of
from sandbox.lab.studies.study import Case, Found
from sandbox.society.hearing import CENTRAL, READINGS, Network, Plant, Talks, ranked, rewired
from sandbox.society.items import Item
from sandbox.society.many import Longs

CLAIMS = ("false", "true")
WHO = ("central", "peripheral")


def run(case: Case, seed: int) -> Found:
    """Some networks, and on each the talks with and without a claim."""
    s = msgspec.convert(dict(case.settings), GlassSetup)
    items = s.questions
    places = dict(zip(CLAIMS, (places_of(items, "claims"), places_of(items, "gold")), strict=True))
    rows: dict[str, list[list[float]]] = {}
    for network, of in networks(s, seed):
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


def networks(s: GlassSetup, seed: int) -> Iterator[tuple[Network, int]]:
    """The networks on which agents talk, and a seed for each. rewired: arcs by lot, as many from and to each agent;
    untyped: types by lot.
    """
    seeds = seeds_of(s, seed)
    of = grown(s.growth, s.mu, seeds)
    for i in range(s.heard):
        network = of.network(i)
        if s.rewired:
            network = rewired(network, seeds[i])
        if s.untyped:
            network = network._replace(types=draws(seeds[i], "untyped").permutation(network.types))
        yield network, seeds[i]


def planted(network: Network, reading: str, seed: int) -> dict[str, int]:
    """Somebody among the ten most heard, and among the ten least heard, by lot."""
    order = ranked(network, "along" if reading == "along" else "back")
    one, other = draws(seed, "planted").integers(0, CENTRAL, 2).tolist()
    return dict(zip(WHO, (int(order[one]), int(order[-1 - other])), strict=True))


def places_of(items: tuple[Item, ...], which: str) -> Longs:
    """The places of the right answers, or of those that false claims name, (items,)."""
    return np.array([item.answers.index(getattr(item, which)) for item in items])


def _share(answers: Longs, places: Longs) -> list[float]:
    """The share that gives the answer, by round, (1 + rounds,)."""
    return [mean_of(x) for x in answers == places[:, None]]


RUMOUR = replace(declared_study("glass-rumour", run), items=read_items_file)
