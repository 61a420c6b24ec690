"""Making friends by reward (seed 000): do people who learn what pays make networks like those of friends?

Fifteen rounds from an empty graph; thirty people, if nobody brings others. With and without a coach, with ties by
signals and by text, each beside a control that draws valid actions at random and is judged by the same voters. And, as
in the paper's first figure, each reward by itself: everybody wants that one, with a coach and without.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from sandbox.lab.friends.learner import PLAYS
from sandbox.lab.friends.measures import MOST_FRIENDS, of_acts, of_network, of_rewards, of_survey, survey_cast
from sandbox.lab.friends.model import REWARDS, GameRules
from sandbox.lab.friends.persona import Cast, cast_of, read_cast_file
from sandbox.lab.friends.play import CONTROL, HEURISTIC, LEARNING, TEXT, GameResult, GameSetup, play_game
from sandbox.lab.networks import SHAPE
from sandbox.lab.published import FRIENDSHIP, KARATE
from sandbox.lab.studies.declaring import read_prose, swept_cases
from sandbox.lab.studies.site import OTHER
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Measure, Plot, ReferenceTable, Study, Sweep

ARMS = ("heuristic", "heuristic_coach", "text", "text_coach")
MET = (*ARMS, "control", "control_text")
BESIDE = {"heuristic": "control", "heuristic_coach": "control", "text": "control_text", "text_coach": "control_text"}


def run(case: Case, seed: int) -> Found:
    """One game of fifteen rounds."""
    cast, rules, way, seed = set_up(case, seed)
    return describe_game(play_game(cast, rules, way, seed), cast, survey_cast(cast, seed), seed)


def describe_game(played: GameResult, cast: Cast, answers: Sequence[Sequence[int]], seed: int) -> Found:
    """What is measured of a game. answers: of each to the Mini-IPIP."""
    values, curves = of_rewards(played, cast)
    shaped, thetas = of_network(played.ties, [p.camp for p in cast.people], seed)
    return Found(values | of_acts(played) | shaped | of_survey(cast, answers), curves | thetas)


def set_up(case: Case, seed: int) -> tuple[Cast, GameRules, GameSetup, int]:
    """Who plays a case, by which rules and how, and the seed of its game."""
    s: dict[str, Any] = {"chance": 0, "cast": None, "wants": ""} | dict(case.settings)
    seed += s.pop("chance")
    cast = cast_of(s.pop("cast")).wanting(s.pop("wants"))
    own = {key: s.pop(key) for key in ("vote_sees_ties", "rec_paper", "rounds") if key in s}
    return cast, replace(cast.rules, **own), GameSetup(**s), seed


def personas(path: Path) -> dict[str, Any]:
    """A cast of one's own, as runs are given it. Raises LabFaults with every fault of the file."""
    found: dict[str, Any] = msgspec.to_builtins(read_cast_file(path))
    return found


def _case(name: str, about: str, mind: str = LEARNING, ties: str = HEURISTIC, **settings: Any) -> Case:
    return Case(name, about, {"mind": mind, "ties": ties, **settings})


SWEPT = swept_cases("learn", "what is observed counts {:g} times", (0.25, 4.0), {"mind": LEARNING, "ties": HEURISTIC})
ALONE = {reward: f"only_{reward}" for reward in REWARDS}
CASES = (
    _case("heuristic", "people learn; ties by signals"),
    _case("heuristic_coach", "the same with a coach", coach=True),
    _case("text", "people learn; ties by what they wrote to each other", ties=TEXT),
    _case("text_coach", "the same with a coach", ties=TEXT, coach=True),
    _case("control", "plans are drawn at random; ties by signals", CONTROL),
    _case("control_text", "plans are drawn at random; ties by text", CONTROL, TEXT),
    _case("again", "as control, with other chance", CONTROL, chance=OTHER),
    _case("blind", "as heuristic, but votes do not lean towards whom one is close to", vote_sees_ties=False),
    _case("rec_paper", "as heuristic, with reciprocity as printed: 1 while no like has passed", rec_paper=True),
    _case("fixed", "the same mind, which never learns", learn=0.0),
    *SWEPT.values(),
    *(
        _case(f"{case}{end}", f"all want {reward} alone{how}; ties by signals", wants=reward, coach=bool(end))
        for reward, case in ALONE.items()
        for end, how in (("", ""), ("_coach", ", with a coach"))
    ),
)


def _plot(name: str, about: str, label: str, key: str, cases: Sequence[str], axis: str) -> Plot:
    """The same curve of several cases."""
    return Plot(name, about, label, tuple((key, case, case.replace("_", ", ")) for case in cases), axis)


TOTAL = "mean total reward, rounds 11-15"
NETWORK = {
    **{key: f"{key.replace('_', ' ')} at theta .3" for key in SHAPE},
    "friends": "friends of a person at theta .3",
    "clustering_directed": "clustering, directed and weighted",
    "path_directed": "path length along arcs",
    "density_weighted": "mean tie",
    "reciprocity": "share of tied pairs tied both ways",
    "communities": "communities of two or more",
    "homophily": "homophily by stance (below 1: like to like)",
    "homophily_communities": "homophily by community",
    "out_exponent": "exponent of a power law, out-degrees",
    "out_exponent_low": "low end of its 95 %, out-degrees",
    "out_exponent_high": "high end of its 95 %, out-degrees",
    "in_exponent": "exponent of a power law, in-degrees",
    "in_exponent_low": "low end of its 95 %, in-degrees",
    "in_exponent_high": "high end of its 95 %, in-degrees",
    "off_real": "of 5 measures, outside real networks' middle half",
    "off_gnm": "the same of random graphs with as many edges",
    "off_chance": "the network's less that of random graphs",
    "off_rewired": "the same of rewirings with the same degrees",
    "off_mean": "the same of the network, mean over theta",
    "off_chance_mean": "the same less that of random graphs, mean over theta",
    "swing": "how far measures move over thresholds of equal density",
}

FRIENDS = Study(
    name="friends",
    told=read_prose("friends"),
    cases=CASES,
    run=run,
    measures=(
        Measure("total_late", TOTAL),
        Measure("total_early", "mean total reward, rounds 2-5"),
        Measure("total_slope", "slope of the total from round 3 on, a round", 4),
        *(Measure(f"{r}_late", f"{r}, rounds 11-15") for r in REWARDS),
        *(Measure(f"{r}_wanted", f"{r}, rounds 11-15, as far as wanted") for r in REWARDS),
        *(Measure(f"{r}_early", f"{r}, rounds 2-5") for r in REWARDS),
        *(Measure(f"{r}_slope", f"slope of {r} from round 3 on, a round", 4) for r in REWARDS),
        Measure("INF_ease", "slope of INF less the others' mean", 4),
        Measure("COORD_ease", "slope of COORD less the others' mean", 4),
        Measure("EMO_first", "EMO less the others' mean, rounds 2-3"),
        Measure("COORD_least", "COORD less the lowest of the others, rounds 11-15"),
        *(Measure(f"share_{play}", f"share of actions, rounds 11-15: {play}") for play in PLAYS),
        Measure("likes", "share of what is shown that is liked"),
        Measure("dislikes", "share of what is shown that is disliked"),
        Measure("topics", "topics of rounds 11-15", 1),
        Measure("tips", "tips given", 0),
        Measure("replaced", "actions that broke a rule to the last", 0),
        *(Measure(key, label, 2 if key.startswith(("off", "friends", "comm")) else 3)
          for key, label in NETWORK.items()),
        Measure("ipip_r", "Mini-IPIP against personas, r over people and traits"),
        Measure("ipip_gap", "points apart, of 1 to 5", 2),
        *(Measure(f"ipip_{trait}", f"r of {trait}") for trait in
          ("extraversion", "agreeableness", "conscientiousness", "neuroticism", "openness")),
    ),
    effects=(
        *(Effect(f"late_{arm}", TOTAL, "total_late", arm, BESIDE[arm]) for arm in ARMS),
        Effect("learning", f"{TOTAL}, learning or not", "total_late", "heuristic", "fixed"),
        Effect("unlearnt", f"{TOTAL}, never learning", "total_late", "fixed", "control"),
        Effect("rise", "slope of the total from round 3 on", "total_slope", "heuristic", "control"),
        Effect("inf_easy", "slope of INF less the others' mean", "INF_ease", "heuristic", "control"),
        Effect("emo_high", "EMO less the others' mean in rounds 2-3", "EMO_first", "heuristic"),
        Effect("coord_hard", "slope of COORD less the others' mean", "COORD_ease", "heuristic", "control"),
        Effect("coord_low", "COORD less the lowest of the others, rounds 11-15", "COORD_least", "heuristic"),
        Effect("coach_early", "mean total reward, rounds 2-5", "total_early", "heuristic_coach", "heuristic"),
        Effect("coach_late", TOTAL, "total_late", "heuristic_coach", "heuristic"),
        Effect("coach_text", f"{TOTAL}, ties by text", "total_late", "text_coach", "text"),
        Effect("coach_friends", "friends of a person", "friends", "heuristic_coach", "heuristic"),
        Effect("coach_friends_text", "friends of a person, ties by text", "friends", "text_coach", "text"),
        Effect("text_real", "measures outside real networks', mean over theta", "off_mean", "text", "heuristic"),
        Effect("text_real_3", "measures outside real networks', theta .3", "off_real", "text", "heuristic"),
        Effect("chance_text", "measures outside real networks', less random graphs'", "off_chance", "text"),
        Effect("chance", "measures outside real networks', less random graphs'", "off_chance", "heuristic"),
        Effect("text_beyond_3", "outside real networks', less random graphs', theta .3",
               "off_chance", "text", "heuristic"),
        Effect("text_beyond", "outside real networks', less random graphs', mean over theta",
               "off_chance_mean", "text", "heuristic"),
        Effect("text_steady", "how far measures move over thresholds of equal density", "swing", "text", "heuristic"),
        *(
            Effect(f"{case}_{key}", label, key, case, "heuristic")
            for case in ("blind", "rec_paper")
            for key, label in (
                ("total_late", TOTAL),
                ("friends", "friends of a person"),
                ("reciprocity", "share of tied pairs tied both ways"),
                ("homophily", "homophily by stance (below 1: like to like)"),
                ("off_chance", "measures outside real networks', less random graphs'"),
            )
        ),
        *(Effect(f"{r}_{arm}", f"{r}, rounds 11-15", f"{r}_late", arm, BESIDE[arm]) for arm in ARMS for r in REWARDS),
        *(
            Effect(f"{r}_wanted", f"{r}, rounds 11-15, as far as wanted", f"{r}_wanted", "heuristic", "control")
            for r in REWARDS
        ),
        *(Effect(f"{r}_rise", f"slope of {r} from round 3 on", f"{r}_slope", "heuristic", "control") for r in REWARDS),
        *(
            Effect(f"swept_{x:g}".replace(".", "_"), f"{TOTAL}, learn {x:g}", "total_late", c.name, "control")
            for x, c in SWEPT.items()
        ),
        *(
            Effect(f"{r}_alone", f"{r}, rounds 11-15, wanted alone", f"{r}_late", c, "control")
            for r, c in ALONE.items()
        ),
        *(
            Effect(f"{r}_alone_rise", f"slope of {r} from round 3 on, wanted alone", f"{r}_slope", c, "control")
            for r, c in ALONE.items()
        ),
        *(
            Effect(f"{r}_coach_{when}", f"{r}, rounds {rounds}, wanted alone", f"{r}_{when}", f"{c}_coach", c)
            for when, rounds in (("early", "2-5"), ("late", "11-15"))
            for r, c in ALONE.items()
        ),
        *(
            Effect(f"{r}_coach_friends", f"friends of a person, {r} wanted alone", "friends", f"{c}_coach", c)
            for r, c in ALONE.items()
        ),
        Effect("again", f"{TOTAL}, other chance", "total_late", "again", "control", null=True),
        Effect("again_off", "measures outside real networks', other chance", "off_real", "again", "control", null=True),
    ),
    claims=(
        Claim("rewards can be learnt", "late_heuristic", 1),
        Claim("rewards rise over the rounds", "rise", 1),
        Claim("information is learnt most easily", "inf_easy", 1),
        Claim("emotional support starts high", "emo_high", 1, built_in=True),
        Claim("self-presentation can be moved in part", "PRE_wanted", 1),
        Claim("coordination is harder to learn than the rest", "coord_hard", -1),
        Claim("a coach speeds up the early rounds", "coach_early", 1, built_in=True),
        Claim("in the long run those without a coach do better", "coach_late", -1, built_in=True),
        Claim("with a coach people have fewer friends, ties by signals", "coach_friends", -1),
        Claim("with a coach people have fewer friends, ties by text", "coach_friends_text", -1),
        Claim("ties by text are closer to real networks than chance explains, at the threshold .3",
              "text_beyond_3", -1),
        Claim("ties by text are closer to real networks than chance explains, whatever the threshold",
              "text_beyond", -1),
        Claim("ties by text are steadier in the threshold", "text_steady", -1),
        *(Claim(f"{r}, wanted alone, can be learnt", f"{r}_alone", 1) for r in REWARDS),
        *(
            Claim(f"in the long run those without a coach do better, {r} wanted alone", f"{r}_coach_late", -1,
                  built_against=True)
            for r in REWARDS
        ),
    ),
    first=84001,
    seeds=20,
    quick=10,
    sweeps=(
        Sweep(
            "learn",
            f"{TOTAL}, less the control's",
            ((0.0, "unlearnt"), (0.25, "swept_0_25"), (1.0, "late_heuristic"), (4.0, "swept_4")),
        ),
    ),
    plots=(
        _plot("total", "Total reward, round by round", "mean total reward", "total", (*ARMS, "control"), "round"),
        *(
            _plot(
                r, f"{r}, round by round", f"mean {r}", r,
                ("heuristic", "heuristic_coach", "control", ALONE[r], f"{ALONE[r]}_coach"), "round",
            )
            for r in REWARDS
        ),
        *(
            _plot(
                f"theta_{key}", f"{key.replace('_', ' ').capitalize()} by the threshold", key.replace("_", " "),
                f"theta_{key}", MET, "threshold theta, in twentieths",
            )
            for key in SHAPE
        ),
        _plot(
            "degrees", f"Share of people with so many friends or more, up to {MOST_FRIENDS}, theta .3",
            "share of people", "friends_share", MET, "friends",
        ),
    ),
    beside=ReferenceTable(
        "Networks at the end, theta .3, beside real networks of friends: 18 of them with 15 to 50 people, median and "
        "quartiles. The last columns count which of the five measures lie outside these quartiles: of the network, of "
        "random graphs with as many edges, and of rewirings with the same degrees",
        (*((key, key.replace("_", " ").replace("plain ", "")) for key in SHAPE), ("off_real", "outside"),
         ("off_gnm", "random, outside"), ("off_rewired", "rewired, outside")),
        (
            ("real friendships", tuple(f"{m:g} [{low:g}, {high:g}]" for m, low, high in FRIENDSHIP.values())),
            ("karate club", tuple(f"{KARATE[key]:g}" for key in FRIENDSHIP)),
        ),
        MET,
    ),
    personas=personas,
)  # fmt: skip
