"""Making friends by reward (seed 000): do people who learn what pays make networks like those of friends?

Fifteen rounds from an empty graph; thirty people, if nobody brings others. With and without a coach, with ties by
signals and by text, each beside a control that draws valid actions at random and is judged by the same voters. And, as
in the paper's first figure, each reward by itself: everybody wants that one, with a coach and without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sandbox.lab.friends.measures import of_acts, of_network, of_rewards, of_survey, survey_cast
from sandbox.lab.friends.model import GameRules
from sandbox.lab.friends.persona import Cast, cast_of, read_cast_file
from sandbox.lab.friends.play import GameResult, GameSetup, play_game
from sandbox.lab.networks import SHAPE
from sandbox.lab.published import FRIENDSHIP, KARATE
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.study import Case, Found, ReferenceTable

MET = ("heuristic", "heuristic_coach", "text", "text_coach", "control", "control_text")  # cases beside real networks


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
    return cast, msgspec.structs.replace(cast.rules, **own), GameSetup(**s), seed


def personas(path: Path) -> dict[str, Any]:
    """A cast of one's own, as runs are given it. Raises LabFaults with every fault of the file."""
    found: dict[str, Any] = msgspec.to_builtins(read_cast_file(path))
    return found


BESIDE = ReferenceTable(
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
)  # fmt: skip
FRIENDS = replace(declared_study("friends", run), personas=personas, beside=BESIDE)
