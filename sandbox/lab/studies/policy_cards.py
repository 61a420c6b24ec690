"""Do learners that choose cards bring people of unlike stances to answer each other? (seed 001, 3, 4.3 and A.3.)

Three studies share this runner: `policy-cross` holds learners against chance, an oracle and nobody; `policy-crowd`
does so under each model of opinion; `policy-ablation` takes parts of the learners away.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.policy_runs import LENGTHS, OPINIONS, Setup, Trace, policy_measures, read_stances, trace
from sandbox.lab.studies.site import less
from sandbox.lab.studies.study import Case, Found, ReferenceTable


def run(case: Case, seed: int) -> Found:
    """One run, held against chance and the oracle in the same crowd with the same seed."""
    s = msgspec.convert(dict(case.settings), Setup)
    seed += s.chance
    ours = trace(s, seed)
    least, most = ours, ours
    if s.arm and not s.nothing:
        usual = msgspec.structs.replace(s, context="products", hops=1, explore=True, levers=("cards",))
        least, most = (trace(msgspec.structs.replace(usual, arm=arm), seed) for arm in ("random", "oracle"))
    values: dict[str, float | None] = {}
    for n in LENGTHS:
        own = policy_measures(ours, n) if n <= s.rounds else dict.fromkeys(policy_measures(ours, 1))
        low, high = (policy_measures(of, n)["reward"] if n <= s.rounds else None for of in (least, most))
        gained, gain = less(own["reward"], low), less(high, low)
        own["toxicity"] = None if own["toxicity"] is None else 1000 * own["toxicity"]
        own["regret"] = less(high, own["reward"]) if s.arm and not s.nothing else None
        own["share"] = gained / gain if gained is not None and gain else None
        values |= {f"{key}_{n}": x for key, x in own.items()}
    values["unit_stance"], values["unit_sd"] = _on_unit(ours)
    curves = {"stance": ours.stance, "sd": ours.sd, "cross": _shares(ours)}
    return Found(values, curves | ({"reward": ours.reward} if np.isfinite(ours.reward).all() else {}))


def _on_unit(of: Trace) -> tuple[float, float]:
    """Mean and sd of stances after ten rounds on [0, 1], as the paper's table 7 has them."""
    at = min(LENGTHS[0], len(of.stance)) - 1
    return (of.stance[at] + 1) / 2, of.sd[at] / 2


def _shares(of: Trace) -> list[float]:
    """The share of each round's answers that is between opposite sides."""
    return [x / max(n, 1) for x, n in zip(of.cross, of.answers, strict=True)]


TABLE_3 = ReferenceTable(
    "Ten rounds, beside what the paper has (table 3: language models, another crowd; stances on [-1, 1])",
    (("stance_10", "mean stance"), ("sd_10", "its sd"), ("toxicity_10", "toxicity, .001"), ("cross_10", "cross share")),
    (
        ("paper: origin", (".014", ".47", "55.6", ".04")),
        ("paper: epsilon-greedy", (".184", ".42", "42.6", ".14")),
        ("paper: UCB", (".026", ".34", "62.8", ".50")),
        ("paper: PolicySim", (".376", ".48", "38.6", ".56")),
    ),
    tuple(f"{crowd}_{arm}" for crowd in ("talkative", "usual") for arm in ("origin", "epsilon", "linucb", "networks")),
)  # fmt: skip
TABLE_7 = ReferenceTable(
    "Ten rounds, beside what the paper has (table 7: its agents, and two models of opinion; stances on [0, 1])",
    (
        ("reward_10", "reward"),
        ("toxicity_10", "toxicity, .001"),
        ("unit_stance", "mean stance"),
        ("unit_sd", "its sd"),
    ),
    (
        ("paper: PolicySim", (".3661", "39.2", ".5064", ".3141")),
        ("paper: HiSim Hybrid w/ RA", (".1596", "48.7", ".5340", ".1226")),
        ("paper: HiSim Hybrid w/ Lorenz", (".1724", "47.1", ".5296", ".1187")),
    ),
    tuple(f"{opinion}_{arm}" for opinion in OPINIONS for arm in ("linucb", "origin")),
)
CROSS = replace(declared_study("policy-cross", run), stances=read_stances, beside=TABLE_3)
CROWD = replace(declared_study("policy-crowd", run), stances=read_stances, beside=TABLE_7)
ABLATION = replace(declared_study("policy-ablation", run), stances=read_stances)
