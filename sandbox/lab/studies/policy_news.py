"""What news that all are shown does to a crowd's stances, with and without a recommender (seed 001, 4.2.2)."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from sandbox.feed.model import UNIT
from sandbox.feed.steering import pack_steered
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.policy_runs import Setup, crowd_platform, read_stances
from sandbox.lab.studies.study import Case, Found

ALWAYS = 255  # chance of a sitting in a round, in 255ths: in the paper all take part in each round
TRIGGERS = {0: -1.0, 4: 1.0, 7: 1.0}  # round -> stance of its news, as in the paper: one against, then two for
SECOND = 4  # round of the news that turns the first


class NewsSetup(Setup, frozen=True, forbid_unknown_fields=True):
    """The settings of a case. recommender: `mix` or `none`. news: whether there is any."""

    crowd: str = "talkative"
    rounds: int = 10
    recommender: str = "mix"
    news: bool = True


def run(case: Case, seed: int) -> Found:
    """One run of ten rounds, in three of which everybody reads the news first."""
    s = msgspec.convert(dict(case.settings), NewsSetup)
    seed += s.chance
    site = crowd_platform(s, seed, {"recommender": s.recommender})
    site.feed.hours[:] = ALWAYS
    source = site.sign_up("news", "The news")
    crowd = site.feed.users.stance
    stance, sd = [float(crowd[: s.users].mean() / UNIT)], [float(crowd[: s.users].std() / UNIT)]
    for number in range(s.rounds):
        pins: tuple[int, ...] = ()
        if s.news and number in TRIGGERS:
            pins = (site.create_post(source, f"The news of round {number}.", TRIGGERS[number]),)
        site.steer(pack_steered(site.step, "", None, pins=pins))  # until the next round
        site.tick()
        now = site.feed.users.stance[: s.users] / UNIT
        stance.append(float(now.mean()))
        sd.append(float(now.std()))
    moved = np.diff(stance)  # in each round
    values: dict[str, float | None] = {
        "fall": stance[SECOND] - stance[0],
        "first": stance[1] - stance[0],
        "rise": stance[-1] - stance[SECOND],
        "pace": -float(moved[0]) - float(np.mean([moved[number] for number in TRIGGERS if number])),
        "sd_start": sd[0],
        "sd_end": sd[-1],
        "sd_change": sd[-1] - sd[0],
    }
    return Found(values, {"stance": stance[1:], "sd": sd[1:]})


NEWS = replace(declared_study("policy-news", run), stances=read_stances)
