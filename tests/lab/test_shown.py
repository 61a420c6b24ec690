"""What a program is handed shows itself in a line: of what kind it is, what it holds, and how to see more."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from test_drawing import made_up

from sandbox.core.plain import some
from sandbox.engine.loading import find_world, load
from sandbox.engine.world import World
from sandbox.feed import FeedParameters, Platform
from sandbox.lab.code_digest import _written
from sandbox.lab.experiment import Experiment, find_experiment, read_experiment
from sandbox.lab.friends.persona import shipped_cast
from sandbox.lab.friends.play import GameSetup, play_game
from sandbox.lab.material import Material
from sandbox.lab.measuring import Measurements
from sandbox.lab.replica import replicas
from sandbox.lab.results import LabPlan, Results, gather_results
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.study import Case, Study

LONGEST = 240


def experiment() -> Experiment:
    return msgspec.structs.replace(read_experiment(find_experiment("sentipolis")), seeds=(1, 2, 3, 4, 5, 6))


def results_of(asked: Experiment) -> Results:
    """Results of replicas that nobody has lived, of which one failed."""
    todo = replicas(asked)
    zero: dict[str, float | None] = dict.fromkeys(asked.metrics, 0.25)
    moods = {axis: [0.1] * 50 for axis in ("pleasure", "arousal", "dominance")}
    hours: dict[str, list[float | None]] = {
        key: [0.1] * 24 for key in ("reciprocity", "modularity", "density", "made_reciprocity", "made_modularity")
    }
    carried: dict[str, float | None] = {"correlation": 0.1, "shuffled": 0.1, "pairs": 3.0}
    found: dict[str, Measurements | str] = {
        r.config.name: Measurements(zero, {"density": 0.1}, hours, moods, carried, {}) for r in todo
    }
    found[todo[0].config.name] = "it failed"
    plan = LabPlan("sandbox lab run", asked, tuple((r.arm, r.config) for r in todo))
    return gather_results(plan, found, {"numpy": "2"})


def values() -> dict[str, Any]:
    asked = experiment()
    made = results_of(asked)
    report = made_up(STUDIES["herd"])
    scenario = load(find_world("larkspur"))
    site = Platform("x", parameters=FeedParameters(crowd=300))
    cast = shipped_cast()
    one = report.runs[0]
    assert one.found is not None
    found = [made, made.plan, asked, made.rows[0], made.rows[1], made.arms[0], made.compared[0]]
    found += [made.arms[0].lines["density"], Material(Path("a.db")), report, one, one.found, STUDIES["friends"]]
    found += [STUDIES["friends"].told, STUDIES["friends"].minds, scenario, World(scenario), site, site.feed, cast]
    found += [play_game(cast, msgspec.structs.replace(cast.rules, rounds=1), GameSetup(), 1)]
    return {type(value).__name__: value for value in found}


@pytest.fixture(scope="module")
def handed() -> dict[str, Any]:
    return values()


def test_it_is_a_line_that_says_what_it_is_and_how_to_see_more(handed: dict[str, Any]) -> None:
    assert len(handed) > 15
    for name, value in handed.items():
        said = repr(value)
        assert said.isprintable(), said
        assert len(said) <= LONGEST, said
        assert re.fullmatch(rf"<{name}: .+; .+>", said), said
        assert " at 0x" not in said


def test_what_it_says_to_ask_for_is_there(handed: dict[str, Any]) -> None:
    for name, value in handed.items():
        asked = re.findall(r"(?<![\w)\]])\.([a-z_]+)", repr(value).rpartition("; ")[2])
        lacking = [word for word in asked if not hasattr(type(value), word) and word not in dir(value)]
        assert not [w for w in lacking if w not in ("md", "short")], (name, lacking)


def test_results_say_how_many_replicas_were_measured(handed: dict[str, Any]) -> None:
    asked = experiment()
    n = len(asked.arms) * len(asked.seeds)
    assert repr(handed["Results"]).startswith(
        f"<Results: sentipolis: {some(a.name for a in asked.arms)}; {n - 1} of {n} "
    )
    assert repr(handed["Experiment"]).startswith("<Experiment: sentipolis: ")


def test_names_from_elsewhere_do_not_act_on_the_terminal() -> None:
    study = replace(STUDIES["herd"], name="a\x1b[31m", cases=(Case("b\u202e", "", {}),))
    assert repr(study).isprintable()


def test_what_decides_is_told_apart_by_all_of_it_and_not_by_how_it_shows() -> None:
    """A cast or a study that shows alike is not taken for the same (`lab.code_digest`)."""
    cast = shipped_cast()
    assert _written((cast,)) != _written((cast.wanting("PRE"),))
    assert repr(cast) == repr(cast.wanting("PRE"))
    herd: Study = STUDIES["herd"]
    assert _written((herd.measures, 1)) != _written((herd.measures[1:], 1))
    assert _written((replace(herd, first=2),)) != _written((herd,))


def test_some_of_many_names_leaves_no_single_one_out() -> None:
    assert some("abcd") == "a, b, c, d"
    assert some("abcde") == "a, b, c, d, e"
    assert some("abcdef") == "a, b, c, d and 2 more"
    assert some([]) == ""
