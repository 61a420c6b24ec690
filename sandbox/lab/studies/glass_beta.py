"""Does adding weight to what one type grants the other make a network answer better? (seed 002, 5.4.)

The bias beta is added to what R grants to B, before a step's grants are normalised. Networks grow under it, and then
all talk; whether that helps depends on who is able.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.glass_rumour import networks, places_of
from sandbox.lab.studies.glass_runs import GlassSetup, grown, mean_of, read_items_file, seeds_of
from sandbox.lab.studies.study import Case, Found
from sandbox.society.hearing import READINGS, Talks
from sandbox.society.many import Doubles
from sandbox.society.theory import mean_field


def run(case: Case, seed: int) -> Found:
    """Networks under one beta: the course beside the mean field's, and the share of right answers."""
    s = msgspec.convert(dict(case.settings), GlassSetup)
    seen = grown(s.growth, s.mu, seeds_of(s, seed)).course.mean(axis=3)
    said = mean_field(s.growth, s.mu, len(seen) - 1, seen[0])
    items = s.questions
    gold = places_of(items, "gold")
    rights: dict[str, list[Doubles]] = {reading: [] for reading in READINGS}
    for network, of in networks(s, seed):
        for reading in READINGS:
            answers = Talks(network, items, of, reading).go(s.granter)
            rights[reading].append((answers == gold[:, None]).mean(axis=(1, 2)))
    curves = {reading: np.mean(found, axis=0).tolist() for reading, found in rights.items()}
    values: dict[str, float | None] = {
        "asked": mean_of(seen[-1, 0]), "forecast": mean_of(said[-1, 0]), "apart": mean_of(seen[-1, 0] - said[-1, 0]),
        "mse": mean_of((seen - said)[1:] ** 2), "alone": curves["along"][0],
    }  # fmt: skip
    return Found(values | {f"right_{reading}": curve[-1] for reading, curve in curves.items()}, curves)


BETA = replace(declared_study("glass-beta", run), items=read_items_file)
