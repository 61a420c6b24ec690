"""What is measured of a game: rewards over its rounds, what people did, and the network that came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sandbox.core.chance import Chance, Stream
from sandbox.lab.friends.learner import PLAYS, play_of
from sandbox.lab.friends.model import COORD, EMO, INF, NOT, PUBLIC, REWARDS
from sandbox.lab.friends.persona import Cast
from sandbox.lab.friends.play import GameResult
from sandbox.lab.networks import DIGITS, SHAPE, THETAS, Report, cut, graph_shape, network_report, undirected
from sandbox.lab.published import FRIENDSHIP
from sandbox.lab.rewiring import at_random, rewire
from sandbox.people.persona import BigFive
from sandbox.people.ties import Flags, Matrix

TRAITS = ("extraversion", "agreeableness", "conscientiousness", "neuroticism", "openness")
ITEMS = (
    "Am the life of the party.", "Sympathize with others' feelings.", "Get chores done right away.",
    "Have frequent mood swings.", "Have a vivid imagination.",
    "Don't talk a lot.", "Am not interested in other people's problems.",
    "Often forget to put things back in their proper place.", "Am relaxed most of the time.",
    "Am not interested in abstract ideas.",
    "Talk to a lot of different people at parties.", "Feel others' emotions.", "Like order.", "Get upset easily.",
    "Have difficulty understanding abstract ideas.",
    "Keep in the background.", "Am not really interested in others.", "Make a mess of things.", "Seldom feel blue.",
    "Do not have a good imagination.",
)  # fmt: skip
LOWEST, HIGHEST = 1, 5  # very inaccurate .. very accurate
REVERSED = frozenset((*range(6, 11), *range(15, 21)))
SLIP = 0.7  # standard deviation of an answer, in points


def trait_of(item: int) -> str:
    """The trait that an item, 1 to 20, belongs to."""
    return TRAITS[(item - 1) % len(TRAITS)]


def trait_scores(answers: Sequence[int]) -> dict[str, float]:
    """Trait -> mean of its four items, 1 to 5, those keyed the other way round as 6 - x. Raises ValueError for anything
    but twenty answers from 1 to 5.
    """
    if len(answers) != len(ITEMS):
        raise ValueError(f"{len(answers)} answers; the Mini-IPIP has {len(ITEMS)}")
    sums = dict.fromkeys(TRAITS, 0.0)
    for item, x in enumerate(answers, 1):
        if not LOWEST <= x <= HIGHEST:
            raise ValueError(f"item {item}: {x} is not an answer; write a number from {LOWEST} to {HIGHEST}")
        sums[trait_of(item)] += 6 - x if item in REVERSED else x
    return {trait: total / 4 for trait, total in sums.items()}


def survey_answers(traits: BigFive, chance: Stream) -> tuple[int, ...]:
    """The answers of somebody with these traits: the middle plus twice the trait, with noise."""
    out = []
    for item in range(1, len(ITEMS) + 1):
        trait = getattr(traits, trait_of(item))
        x = 3.0 + 2.0 * (-trait if item in REVERSED else trait) + SLIP * chance.normal()
        out.append(max(LOWEST, min(HIGHEST, round(x))))
    return tuple(out)


def expected_traits(traits: BigFive) -> dict[str, float]:
    """The expected trait scores of a persona, on the scale of the answers, 1 to 5."""
    return {trait: 3.0 + 2.0 * getattr(traits, trait) for trait in TRAITS}


Values = dict[str, float | None]
LATE, EARLY, FIRST = 5, slice(1, 5), slice(1, 3)  # the last so many rounds; rounds 2 to 5; rounds 2 and 3
RISING = 2  # slopes begin with round 3: round 1 is forced, and in round 2 every topic is new
DENSITIES = tuple(round(0.05 * i, 2) for i in range(1, 9))  # shares of pairs that are tied: a sweep of equal density
BESIDE = 5  # random networks of each sort beside one
KEPT = (
    *SHAPE, "clustering_directed", "path_directed", "density_weighted", "reciprocity", "communities", "homophily",
    "homophily_communities", "out_exponent", "out_exponent_low", "out_exponent_high", "in_exponent",
    "in_exponent_low", "in_exponent_high",
)  # fmt: skip
MOST_FRIENDS = 20  # as far as shares of people with so many friends are kept


def slope(curve: Sequence[float], first: int = RISING) -> float | None:
    """The least-squares slope of a curve from a place on, a round; None of fewer than two places."""
    y = np.array(curve[first:], dtype=np.float64)
    if len(y) < 2:
        return None
    x = np.arange(len(y)) - (len(y) - 1) / 2
    return float((x @ y) / (x @ x))


def of_rewards(played: GameResult, cast: Cast) -> tuple[Values, dict[str, list[float]]]:
    """Measures of the rewards, and their mean over people, round by round."""
    per, totals = np.array(played.scores), np.array(played.totals)  # rounds x people (x rewards)
    curves = {"total": totals.mean(axis=1).tolist()}
    curves |= {name: per[:, :, i].mean(axis=1).tolist() for i, name in enumerate(REWARDS)}
    values: Values = {}
    for name, curve in curves.items():
        values[f"{name}_late"] = float(np.mean(curve[-LATE:]))
        values[f"{name}_early"] = float(np.mean(curve[EARLY])) if len(curve) > 1 else None
        values[f"{name}_slope"] = slope(curve)
    for i, name in enumerate(REWARDS):
        weights = np.array([p.goals.get(name, 0.0) for p in cast.people])
        late = per[-LATE:, :, i].mean(axis=0)
        values[f"{name}_wanted"] = float(late @ weights / weights.sum()) if weights.sum() > 0.0 else None
    slopes = {name: values[f"{name}_slope"] or 0.0 for name in REWARDS}
    first = {name: float(np.mean(curves[name][FIRST])) for name in REWARDS}
    late_of = {name: float(np.mean(curves[name][-LATE:])) for name in REWARDS}
    values["INF_ease"] = slopes[INF] - _others(slopes, INF)
    values["COORD_ease"] = slopes[COORD] - _others(slopes, COORD)
    values["EMO_first"] = first[EMO] - _others(first, EMO)
    values["COORD_least"] = late_of[COORD] - min(x for name, x in late_of.items() if name != COORD)
    return values, curves


def _others(of: dict[str, float], but: str) -> float:
    return sum(x for name, x in of.items() if name != but) / (len(of) - 1)


def of_acts(played: GameResult) -> Values:
    """What people did in the last rounds, as shares of all actions, and how they voted, as shares of what was shown."""
    last = max(a.round for a in played.acts)
    late = [a for a in played.acts if a.round > last - LATE]
    plays = Counter(map(play_of, late))
    values: Values = {f"share_{play}": plays[play] / len(late) for play in PLAYS}
    people = len(played.totals[0])
    shown = sum(a.kind in PUBLIC for a in played.acts) * (people - 1)
    values["likes"] = played.likes / shown if shown else None
    values["dislikes"] = played.dislikes / shown if shown else None
    values["topics"] = float(len({a.topic for a in late if a.kind != NOT}))
    values["replaced"] = float(played.replaced)
    values["tips"] = float(played.tips)
    return values


def off(found: Report) -> int:
    """How many of the five measures of SHAPE lie outside the middle half of real friendship networks; a missing one
    counts as outside.
    """
    return sum((x := found[key]) is None or not low <= x <= high for key, (_, low, high) in FRIENDSHIP.items())


def swing(ties: Matrix) -> float | None:
    """How far the measures of SHAPE move with the threshold, where thresholds are those at which shares of pairs are
    tied (DENSITIES), so that how strong ties are in all does not count: the mean of their standard deviations, each as
    a part of the middle half of real networks; density, which is given, left out. None if fewer pairs are tied at all.
    """
    both = undirected(ties)
    most = float(both.max())
    weights = np.round(both / most, DIGITS) if most > 0.0 else both
    strongest = np.sort(weights[np.triu_indices(len(weights), 1)])[::-1]
    counts = [max(1, round(share * len(strongest))) for share in DENSITIES]
    if strongest[counts[-1] - 1] <= 0.0:
        return None
    shapes = [graph_shape(cut(weights, strongest[count - 1])) for count in counts]
    found = []
    for key, (_, low, high) in FRIENDSHIP.items():
        known = [x for one in shapes if (x := one[key]) is not None]
        if key != "density" and len(known) > 1:
            found.append(float(np.std(known)) / (high - low))
    return float(np.mean(found)) if found else None


def off_random(n: int, edges: int, seed: int) -> float:
    """The mean of `off` for random graphs with as many people and edges."""
    return float(np.mean([off(graph_shape(at_random(n, edges, seed + i))) for i in range(BESIDE)]))


def off_chance(graph: Flags, seed: int) -> float:
    """`off` of a graph, minus that of random graphs with as many edges."""
    n, edges = len(graph), int(graph.sum()) // 2
    if edges in (0, n * (n - 1) // 2):
        return 0.0  # there is only one such graph
    return off(graph_shape(graph)) - off_random(n, edges, seed)


def of_network(ties: Matrix, camps: Sequence[str], seed: int) -> tuple[Values, dict[str, list[float]]]:
    """Measures of the network at the end, at theta .3, and what they are at other thetas."""
    found = network_report(ties, groups=camps)
    values: Values = {key: found[key] for key in KEPT}
    graph, both = cut(undirected(ties)), undirected(ties)
    n, edges = len(graph), int(graph.sum()) // 2
    sweep = [graph_shape(cut(both, theta)) for theta in THETAS]
    values["friends"] = 2.0 * edges / n
    values["off_real"] = float(off(found))
    values["off_mean"] = float(np.mean([off(one) for one in sweep]))
    values["swing"] = swing(ties)
    values["off_gnm"] = off_random(n, edges, seed)
    values["off_chance"] = off_chance(graph, seed)
    values["off_chance_mean"] = float(np.mean([off_chance(cut(both, theta), seed) for theta in THETAS]))
    values["off_rewired"] = float(np.mean([off(graph_shape(rewire(graph, seed + i))) for i in range(BESIDE)]))
    curves = {f"theta_{key}": _known([one[key] for one in sweep]) for key in SHAPE}
    degrees = graph.sum(axis=1)
    curves["friends_share"] = [float((degrees >= k).mean()) for k in range(1, MOST_FRIENDS + 1)]
    return values, curves


def _known(row: Sequence[float | None]) -> list[float]:
    """The numbers of a row before its first None."""
    out: list[float] = []
    for x in row:
        if x is None:
            break
        out.append(float(x))
    return out


def survey_cast(cast: Cast, seed: int) -> list[tuple[int, ...]]:
    """What each answers to the Mini-IPIP, by the embedded mind's rule."""
    chance = Chance(seed)
    return [survey_answers(p.big_five, chance.stream(0, p.handle, "mini-ipip")) for p in cast.people]


def of_survey(cast: Cast, answers: Sequence[Sequence[int]]) -> Values:
    """The Mini-IPIP, given to all before the game: how its scores go with what personas say (Pearson's r over people,
    of each trait and of all together), and how many points they lie apart. Who gave no answer is left out.
    """
    known = [(trait_scores(a), expected_traits(p.big_five)) for p, a in zip(cast.people, answers, strict=True) if a]
    if len(known) < 2:
        return dict.fromkeys((*(f"ipip_{trait}" for trait in TRAITS), "ipip_r", "ipip_gap"))
    x, y = (np.array([[pair[i][trait] for trait in TRAITS] for pair in known]) for i in (0, 1))
    values: Values = {f"ipip_{trait}": _r(x[:, i], y[:, i]) for i, trait in enumerate(TRAITS)}
    return values | {"ipip_r": _r(x.ravel(), y.ravel()), "ipip_gap": float(np.abs(x - y).mean())}


def _r(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float | None:
    return float(np.corrcoef(x, y)[0, 1]) if x.std() > 0 and y.std() > 0 else None
