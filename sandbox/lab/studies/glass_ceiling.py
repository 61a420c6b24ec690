"""Who ends up heard in a network of agents who ask one another, and does a mean field foresee it? (seed 002, 3 to 5.2.)

Networks are grown by hundreds with grants by chance whose means depend on types. Each run holds them against the mean
field, with the drift that is right and with that which is printed, and says what is left; a utility is fitted to what
was granted, as the paper does, and its means are fed to the drift.
"""

from __future__ import annotations

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits

from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.glass_runs import GlassSetup, Grown, grown, masses, mean_known, network_seeds
from sandbox.lab.studies.site import less
from sandbox.lab.studies.study import Case, Found
from sandbox.society.many import Doubles
from sandbox.society.model import NOBODY, R
from sandbox.society.residuals import innovations, level_errors, level_residuals, white_noise, whiteness
from sandbox.society.standing import (
    agent_influence,
    gini_index,
    largest_share,
    random_arcs,
    strengths,
    tail_ceiling,
    type_standing,
)
from sandbox.society.theory import fixed_point, mean_field, measured_means, printed_drift
from sandbox.society.utility import AskedTrials, contexts, fit_utility

TOP = 0.9  # a tail is above this quantile
DRAWS = 199  # permutations of types, and draws of white noise
DRAWN = 10  # networks whose arcs are looked at
MOMENTS = (1 / 3, 2 / 3, 1.0)  # of a run, at which they are
ARCS = 20  # up to which degrees are counted
FITTED = 40  # networks that teach the utility
LETTERS = 8  # numbers of a context by chance
RANK = 2
THEORY = (
    "forecast", "forecast_asking", "apart", "end", "contraction", "bound", "mse", "bias", "mse_constant", "mse_last",
    "better", "ljung_box", "ljung_box_exact", "max_acf", "max_acf_white", "above_white", "levels_ljung_box",
    "levels_max_acf", "printed_raw", "printed_normalised", "printed_scaled", "mse_printed_raw",
    "mse_printed_normalised", "mse_printed_scaled", "printed_worse", "fit_test", "fit_constant", "fit_pairs",
    "fit_forecast", "mse_fit",
)  # fmt: skip  # what is measured only where all networks grow for as many steps


def run(case: Case, seed: int) -> Found:
    """Networks of one case: how they stand, and what theory makes of them."""
    s = msgspec.convert(dict(case.settings), GlassSetup)
    of = grown(s.growth, s.mu, network_seeds(s, seed))
    values, curves = _arcs(of, seed)
    values |= _standing(of, seed) | dict.fromkeys(THEORY)
    curves |= {
        "asked": of.course[:, 0].mean(axis=(1, 2)).tolist(),
        "asking": of.course[:, 1].mean(axis=(1, 2)).tolist(),
    }
    if not s.agents:
        with threadpool_limits(1):  # products so small are not worth a second thread
            told, forecast = _theory(s, of, seed)
        values |= told
        curves["forecast"], curves["forecast_asking"] = forecast.mean(axis=2).T.tolist()
    return Found(values, curves)


def _standing(of: Grown, seed: int) -> dict[str, float | None]:
    asked, asking, of_r = masses(of)
    count = of.runs.count
    types = type_standing(asked, asking, of_r, count)
    first, second = types.in_prominence.T
    there = np.arange(asked.shape[1]) < count[:, None]
    found = {
        "in_r": mean_known(first), "in_b": mean_known(second), "under": mean_known(second) - 1,
        "lead": mean_known(np.log(first / second)),
        "influence_r": mean_known(types.influence[:, 0]), "influence_b": mean_known(types.influence[:, 1]),
        "influence": mean_known(np.log(types.ratio)), "inverse": mean_known(-np.log(types.ratio)),
        "asked": mean_known(of.runs.theta[0].mean(axis=0)), "asking": mean_known(of.runs.theta[1].mean(axis=0)),
        "agents": mean_known(count),
    }  # fmt: skip
    smooth = of.runs.p.target, of.runs.p.source
    for name, by in (("tail", asked), ("tail_influence", agent_influence(asked, asking, *smooth))):
        tail = tail_ceiling(by, of_r, np.quantile(by[there], [TOP]), count, DRAWS, seed)
        found |= {name: float(tail.of_r[0] - tail.of_b[0]), f"{name}_p": float(tail.p[0])}
    return {**found}


def _arcs(of: Grown, seed: int) -> tuple[dict[str, float | None], dict[str, list[float]]]:
    """How unequal agents are in some networks at three moments, beside graphs of as many arcs by lot that weigh as
    much, and the share of agents at whom so many arcs end, or more.
    """
    found: dict[str, float | None] = {}
    curves: dict[str, list[float]] = {}
    last = len(of.source)
    for moment in (round(part * last) for part in MOMENTS):
        rows = []
        for i in range(DRAWN):
            network = of.network(i, moment)
            source, target = network.weights.nonzero()
            weights, agents = network.weights[source, target], len(network.types)
            own = strengths(agents, np.column_stack((source, target)), weights)
            rows.append((own, strengths(agents, random_arcs(agents, len(weights), seed * DRAWN + i), weights)))
        at = "" if moment == last else f"_{round(100 * moment / last)}"
        for k, lots in enumerate(("", "_lots")):
            found[f"gini_degree{lots}{at}"] = mean_known([gini_index(row[k][0]) for row in rows])
            found[f"gini_strength{lots}{at}"] = mean_known([gini_index(row[k][2]) for row in rows])
            found[f"largest{lots}{at}"] = mean_known([largest_share(row[k][2]) for row in rows])
            degrees = np.concatenate([row[k][0] for row in rows])
            curves[f"ccdf{lots}{at}"] = (degrees >= np.arange(1, ARCS + 1)[:, None]).mean(axis=1).tolist()
    for name in ("strength", "degree"):
        found[f"uneven_{name}"] = less(found[f"gini_{name}"], found[f"gini_{name}_lots"])
    return found, curves


def _theory(s: GlassSetup, of: Grown, seed: int) -> tuple[dict[str, float | None], Doubles]:
    """The mean field beside the mean course, by means that are known, printed and fitted, and what is left."""
    p, seen = s.growth, of.course.mean(axis=3)
    steps = len(seen) - 1
    said = mean_field(p, s.mu, steps, seen[0])
    there = (of.source != NOBODY).transpose(0, 2, 1).ravel()
    target, source = (x.transpose(0, 2, 1).ravel()[there].astype(np.int64) for x in (of.target_type, of.source_type))
    given, added = (x.transpose(0, 3, 1, 2).reshape(-1, 3)[there] for x in (of.given, of.added))
    means = measured_means(target, source, given, added, of.source.shape[1])
    mse, bias = level_errors(level_residuals(said, seen))
    left, levels = whiteness(innovations(p, s.mu, seen)), whiteness(level_residuals(said, seen))
    end = fixed_point(p, s.mu)
    q, acf = white_noise(steps, left.rank, DRAWS, seed)
    found: dict[str, float | None] = {
        "forecast": float(said[-1, 0].mean()), "forecast_asking": float(said[-1, 1].mean()),
        "apart": float(seen[-1, 0].mean() - said[-1, 0].mean()),
        "mse": mse, "bias": bias, "mse_constant": _mse(seen, 0.5), "mse_last": _mse(seen, seen[1]),
        "ljung_box": left.p, "ljung_box_exact": float((q >= left.q).mean()), "max_acf": left.max_acf,
        "max_acf_white": float(acf.mean()), "above_white": left.max_acf - float(acf.mean()),
        "levels_ljung_box": levels.p, "levels_max_acf": levels.max_acf,
        "end": float(end.theta[0].mean()), "contraction": end.contraction, "bound": end.bound,
    }  # fmt: skip
    for name, mu in zip(("raw", "normalised", "scaled"), means, strict=True):
        course = mean_field(msgspec.structs.replace(p, beta=0.0), mu, steps, seen[0], printed_drift)
        found[f"printed_{name}"] = float(course[-1, 0].mean())
        found[f"mse_printed_{name}"] = _mse(seen, course)
    found["better"] = min(_mse(seen, 0.5), _mse(seen, seen[1])) - mse
    found["printed_worse"] = _mse(seen, mean_field(p, s.mu, steps, seen[0], printed_drift)) - mse
    return found | _fitted(s, of, seen, seed), said


def _fitted(s: GlassSetup, of: Grown, seen: Doubles, seed: int) -> dict[str, float | None]:
    """A utility fitted to what some networks granted, contexts by chance in the place of texts, and its forecast."""
    runs = min(FITTED, s.networks)
    there = of.source[:, :, :runs] != NOBODY
    step, _, run = there.nonzero()
    by, who = (x[:, :, :runs][there].astype(np.int64) for x in (of.target_type, of.source_type))
    theta = of.course[step, :, :, run]
    words = draws(seed, "contexts").standard_normal((2, len(step), LETTERS))
    target, source = (contexts(text, theta, who == R, constant=True) for text in words)
    given = of.given[:, :, :, :runs].transpose(0, 1, 3, 2)[there]
    fit = fit_utility(AskedTrials(target, source, by, who, given, run), RANK, 2, 20, seed)
    course = mean_field(s.growth, fit.means, len(seen) - 1, seen[0])
    return {
        "fit_test": fit.test, "fit_constant": fit.constant, "fit_pairs": fit.by_pair,
        "fit_forecast": float(course[-1, 0].mean()), "mse_fit": _mse(seen, course),
    }  # fmt: skip


def _mse(seen: Doubles, said: Doubles | float) -> float:
    return float(((seen - said)[1:] ** 2).mean())


CEILING = declared_study("glass-ceiling", run)
