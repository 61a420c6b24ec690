"""The laboratory from a program of one's own: own measures, rules and minds, and what becomes of those that fail."""

from __future__ import annotations

import asyncio
import math
import re
import runpy
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from sandbox import lab
from sandbox.cli.main import cli
from sandbox.core.chance import Chance
from sandbox.engine.scenario import Scenario
from sandbox.lab import replica
from sandbox.lab.code_digest import fingerprint
from sandbox.lab.custom_minds import CustomMinds
from sandbox.lab.experiment import LabFaults, read_experiment
from sandbox.lab.replica import replicas, run_replica
from sandbox.minds.embedded import EmbeddedMind
from sandbox.talk.question_replies import Accept, Accepted

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
LIMITS = {"pleasure": 0.9}


def shy(question: Accept, chance: object, usual: Any) -> Accepted:
    """Turns away whom the shipped rule would not."""
    answer: Accepted = usual(question, chance)
    return Accepted("refuse", answer.why) if question.pad[0] < LIMITS["pleasure"] else answer


def failing(question: Accept, chance: object) -> Accepted:
    if question.who == "ada":
        raise ValueError("not ada")
    return Accepted("maybe")  # type: ignore[arg-type]


def lengths(m: lab.Material) -> float:
    """Letters of a line."""
    return sum(map(len, m.lines)) / len(m.lines)


def talked(m: lab.Material) -> float:
    return float(len(m.reading.talks))


def leaves(m: lab.Material) -> float:
    raise SystemExit(3)


def raises(m: lab.Material) -> float:
    return 1 / (len(m.lines) * 0)


def nothing_yet(m: lab.Material) -> float:
    return float("nan")


def greedy(m: lab.Material) -> float:
    """Takes for itself what all are given."""
    m.reading.moods[0].clear()
    return m.reading.moods[0][0].p


class Unsaid:
    def __repr__(self) -> str:
        raise RuntimeError("unsaid")


class Kind:
    """A rule that is an object."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, question: Accept, chance: object) -> Accepted:
        return Accepted("accept" if question.pad[0] < self.limit else "deflect")


class Short:
    """A mind that answers too little."""

    def __init__(self, scenario: Scenario) -> None:
        self.inner = EmbeddedMind(Chance(scenario.seed), scenario.lines)

    def reads(self, question: object) -> bool:
        return False

    async def answer(self, questions: Any, step: int, wave: int = 0) -> Any:
        return (await self.inner.answer(questions, step, wave))[1:]


class Same(Short):
    """The mind that ships, brought along."""

    async def answer(self, questions: Any, step: int, wave: int = 0) -> Any:
        return await self.inner.answer(questions, step, wave)


@pytest.fixture
def little(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small experiment, of little to measure, where the test stands."""
    monkeypatch.chdir(small.parent)
    small.write_text(small.read_text() + "metrics: [talks]\n")
    return small


@pytest.mark.slow
def test_the_program_of_the_page_runs_as_it_stands(little: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    little.with_name("mine.yaml").write_text(little.read_text().replace("with", "usual"))
    little.with_name("program.py").write_text(program)
    runpy.run_path("program.py", run_name="__main__")
    said = capsys.readouterr().out
    for arm in ("usual", "gloomy"):
        for seed in (401, 402):
            assert re.search(rf"\('{arm}', {seed}, 0\.\d+\)", said)
    assert "| asked |" in Path("out", "report.md").read_text()


@pytest.mark.slow
def test_own_measures_reach_tables_comparisons_and_report_and_are_kept(little: Path) -> None:
    pretty = lab.Metric("length", "letters\nof a line", lengths, 1, True, (0, math.inf))
    made = lab.run(little, seeds=[7], measures={"letters": pretty}, out="out")
    assert made.plan.experiment.metrics == ("talks", "letters")
    kept = made.plan.measures["letters"]
    assert (kept.built_in, kept.can_be) == (True, (0.0, 1e100))  # JSON has no infinity
    assert all(row.values["letters"] == round(row.values["letters"] or 0.0, 6) > 5 for row in made.rows)
    assert made.compared[0].metrics["letters"].estimate.n == 1
    tables = [Path("out", name).read_text() for name in ("replicas.csv", "arms.csv", "comparisons.csv")]
    assert all("letters" in text for text in tables)
    report = Path("out", "report.md").read_text()
    assert "| length | " in report
    assert "- *length*: letters of a line" in report
    again = CliRunner().invoke(cli, ["lab", "report", "out"])  # of a program that does not have the measure
    assert again.exit_code == 0, again.output
    assert Path("out", "report.md").read_text() == report
    Path("out", "results.json").unlink()
    lost = CliRunner().invoke(cli, ["lab", "report", "out"])
    assert lost.exit_code == 1
    assert "test_library:lengths is a measure of the program that ran this; run that program again" in lost.stderr


@pytest.mark.slow
def test_a_measure_that_raises_or_gives_no_number_is_named_counted_and_harms_no_other(little: Path) -> None:
    wrong: Any = {
        "raises": raises,
        "leaves": leaves,
        "nan": nothing_yet,
        "shape": lambda m: [1, 2],
        "huge": lambda m: 10**400,
        "vast": lambda m: 1e300,
        "unsaid": lambda m: Unsaid(),
        "greedy": greedy,
        "letters": lengths,
    }
    with pytest.warns(UserWarning, match="has no value") as caught:
        made = lab.run(little, seeds=[7], measures=wrong, out="out")
    said = [str(w.message) for w in caught]
    assert [row.values["raises"] for row in made.rows] == [None, None]
    assert all(row.values["letters"] and row.values["talks"] for row in made.rows)
    report = Path("out", "report.md").read_text()
    for key, why in (
        ("raises", r"raises raised ZeroDivisionError: .* \(test_library.py:\d+\)"),
        ("leaves", r"leaves raised SystemExit: 3 \(test_library.py:\d+\)"),
        ("nan", r"nothing_yet \(test_library.py:\d+\) gave nan, which is not a finite number up to 1e\+100"),
        ("huge", r".*<lambda> raised OverflowError: .*"),
        ("shape", r".*<lambda> \(test_library.py:\d+\) gave list, which is not a finite number up to 1e\+100"),
        ("vast", r".*<lambda> \(test_library.py:\d+\) gave 1e\+300, which is not a finite number up to 1e\+100"),
        ("unsaid", r".*<lambda> \(test_library.py:\d+\) gave Unsaid, which is not a finite number up to 1e\+100"),
        ("greedy", r"greedy raised IndexError: .* \(test_library.py:\d+\)"),
    ):
        line = rf"{key} has no value in 2 of 2 replicas \(with, seed 7; without, seed 7\): {why}"
        assert any(re.fullmatch(line, text) for text in said), said
        assert re.search(rf"- A MEASURE FAILED: {line}", report.partition("## What was run")[0])


@pytest.mark.slow
def test_a_rule_of_ones_own_answers_and_enters_the_name_of_a_save(little: Path) -> None:
    arms = ["with", lab.Arm("shy", rules={"Accept": shy})]
    made = lab.run(little, seeds=[7], arms=arms, measures={"no": lambda m: m.reading.counts["declined"]}, out="out")
    usual, own = made.rows
    assert (own.values["no"] or 0) > (usual.values["no"] or 0)
    assert own.values["talks"] == 0
    assert own.save != usual.save
    assert [(c.arm, c.against) for c in made.compared] == [("shy", "with")]
    assert f"Accept by `{fingerprint(shy)}`" in Path("out", "report.md").read_text()


@pytest.mark.slow
def test_an_arm_without_rules_has_those_of_all(little: Path) -> None:
    arms = [lab.Arm("usual", rules=None), lab.Arm("shy", rules={"Accept": shy})]
    usual, own = lab.run(little, seeds=[7], arms=arms, out="out").plan.runs
    assert (usual[1].own, own[1].own) == ({}, {"Accept": fingerprint(shy)})


def test_settings_of_an_arm_are_told_every_fault_they_have(little: Path) -> None:
    with pytest.raises(LabFaults) as caught:
        lab.run(little, arms=[lab.Arm("a", ["ask.apraise=on", "mood.fst=0"])], out="out")
    assert [fault.message.partition(";")[0] for fault in caught.value.faults] == [
        'no question "ask.apraise"',
        'no parameter "mood.fst"',
    ]


@pytest.mark.slow
def test_a_rule_that_raises_or_gives_no_answer_fails_its_replica_and_no_other(little: Path) -> None:
    with pytest.warns(UserWarning, match=r"failing, seed 7 \(\w+\.db\): Accept of \w+ at step \d+: the rule failing"):
        made = lab.run(little, seeds=[7], arms=["with", lab.Arm("failing", rules={"Accept": failing})], out="out")
    whole, failed = made.rows
    assert not whole.error
    said = (
        r"raised ValueError: not ada \(test_library.py:\d+\)|\(test_library.py:\d+\): Accept was answered with no way"
    )
    assert re.search(said, failed.error)
    assert failed.error in Path("out", "report.md").read_text()


@pytest.mark.slow
def test_the_name_of_a_save_changes_with_what_a_rule_leans_on(little: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = read_experiment(little, ["with"])
    config = replicas(experiment, own={"with": CustomMinds({"Accept": shy})})[0].config
    assert config.own == {"Accept": fingerprint(shy)}
    assert msgspec.structs.replace(config, own={}) == replicas(experiment)[0].config
    assert (
        "rules: Accept: is not what it was when the experiment began" in run_replica(config, str(little.parent)).error
    )

    def closed(limit: Any) -> Any:
        return lambda question, chance, usual: usual(question, chance) if limit else None

    assert fingerprint(closed(0.5)) == fingerprint(closed(0.5)) != fingerprint(closed(0.6))
    assert len({fingerprint(shy), *(fingerprint(partial(shy, usual=n)) for n in (1, 2))}) == 3
    assert fingerprint(Kind(0.5)) == fingerprint(Kind(0.5)) != fingerprint(Kind(0.6)) != fingerprint(Kind(0.6).__call__)
    assert fingerprint(Kind(0.5).__call__) != fingerprint(Kind(0.6).__call__)
    for one, other in ((np.zeros(2), np.ones(2)), (re.compile("a"), re.compile("b")), (Random(1), Random(2))):
        assert fingerprint(closed(one)) == fingerprint(closed(deepcopy(one))) != fingerprint(closed(other))
    before = fingerprint(shy), fingerprint(Same)
    monkeypatch.setitem(LIMITS, "pleasure", 0.8)
    assert fingerprint(shy) != before[0]
    monkeypatch.setattr(Same, "reads", lambda self, question: True)
    assert fingerprint(Same) != before[1]


@pytest.mark.slow
def test_a_rule_that_keeps_something_between_its_calls_is_named(little: Path) -> None:
    met: list[str] = []

    def counting(question: Accept, chance: object, usual: Any) -> Any:
        met.append(question.who)
        return usual(question, chance)

    with pytest.warns(
        UserWarning,
        match="rules: Accept: is not what it was when the experiment began; rules and minds must keep nothing",
    ):
        made = lab.run(little, seeds=2, arms="with", rules={"Accept": counting}, out="out")
    assert [bool(row.error) for row in made.rows] == [False, True]


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """A process that knows what this module has."""
    with ProcessPoolExecutor(1) as pool:
        yield pool


@pytest.mark.slow
def test_processes_live_it_as_it_is_lived_here(little: Path, pool: ProcessPoolExecutor) -> None:
    given: Any = {"seeds": [7], "arms": ["with"], "rules": {"Accept": shy}, "measures": {"letters": lengths}}
    here = lab.run(little, **given | {"measures": {}}, out="here")
    there = lab.run(little, **given | {"measures": {}}, executor=pool, out="there")
    assert [(r.save, r.values) for r in here.rows] == [(r.save, r.values) for r in there.rows]


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"measures": {"letters": lengths, "odd": lambda m: 1.0}}, "measures: odd"),
        ({"rules": {"Accept": lambda question, chance: Accepted("accept")}}, "rules: Accept"),
        ({"arms": [lab.Arm("odd", rules={"Accept": lambda question, chance: Accepted("accept")})]}, "rules: Accept"),
        ({"mind": lambda scenario: Same(scenario)}, "mind: test_library:<lambda>"),
    ],
)
def test_what_cannot_be_sent_is_told_before_anything_is_lived_and_a_thread_takes_it(
    little: Path, pool: ProcessPoolExecutor, given: Any, named: str
) -> None:
    with pytest.raises(LabFaults, match=f"{named}: cannot be sent to the executor .*; define it with def at the top"):
        lab.run(little, seeds=1, executor=pool, out="out", **given)
    assert not Path("out").exists()
    with ThreadPoolExecutor(1) as thread:
        assert not any(row.error for row in lab.run(little, seeds=1, executor=thread, out="out", **given).rows)


@pytest.mark.slow
def test_the_report_names_the_call_that_gives_it_with_all_that_decides_it(little: Path) -> None:
    arms = ["with", lab.Arm("shy", "mood.fast=0.5", {"Accept": shy})]
    lab.run(little, seeds=[7], arms=arms, measures={"talked": talked}, mind=["embedded"], out="out")
    shown = "['with', lab.Arm('shy', 'mood.fast=0.5', {'Accept': test_library:shy})]"
    more = "mind=['embedded'], measures={'talked': test_library:talked}"
    said = f"lab.run('small.yaml', seeds='7-7', arms={shown}, {more}, out=DIR)"
    assert f"\nMade by `{said}`.\n" in Path("out", "report.md").read_text()


@pytest.mark.slow
def test_a_program_is_warned_that_a_report_was_kept_beside_the_new_one(little: Path) -> None:
    lab.run(little, seeds=2, arms=["with"], out="out")
    with pytest.warns(UserWarning, match=r"than this run, and is kept in out/earlier-1, .*; it was made by `lab.run\("):
        lab.run(little, seeds=1, arms=["with"], out="out")


@pytest.mark.slow
def test_a_mind_of_ones_own_lives_it_and_one_that_fails_is_told(little: Path) -> None:
    given: Any = {"seeds": [7], "arms": ["with"]}
    usual = lab.run(little, **given, out="usual").rows[0]
    assert lab.run(little, **given, mind=[], out="usual").rows[0] == usual  # nobody named, whatever the settings say
    same = lab.run(little, **given, mind=Same, executor=ThreadPoolExecutor(1), out="same").rows[0]
    assert same.values == usual.values
    assert same.save != usual.save
    with pytest.warns(UserWarning, match=r"with, seed 7 .*: \w+ of \w+ at step 1: the mind Short gave \d+ answers to"):
        lab.run(little, **given, mind=Short, out="short")


def test_nothing_of_it_is_imported_before_it_is_asked_for() -> None:
    program = "import sys; from sandbox import lab; print([m for m in sys.modules if m.startswith('sandbox.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['sandbox.core', 'sandbox.lab']\n"


def test_an_experiment_that_no_file_could_describe_is_refused(little: Path) -> None:
    found = read_experiment(little)
    for change, said in (
        ({"metrics": ("takls",)}, "one that does not exist"),
        ({"seeds": (2, 2)}, "seed 2 is listed twice"),
        ({"step": 7}, "do not divide an hour"),
    ):
        with pytest.raises(LabFaults, match=f"experiment: .*{said}"):
            lab.run(msgspec.structs.replace(found, **change), out="out")


@pytest.mark.slow
async def test_a_notebook_whose_loop_runs_may_run_it_and_is_told_how_far_it_is(
    little: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, done = list[str](), list[tuple[str, int, int]]()

    async def slow(engine: Any, steps: int) -> None:
        while not heard:
            await asyncio.sleep(0.01)
        await real(engine, steps=steps)

    real = replica.run_free
    monkeypatch.setattr(replica, "run_free", slow)
    monkeypatch.setattr(replica, "NOTED", 0.01)
    monkeypatch.setattr("sandbox.lab.parallel_runs.LOOK", 0.01)
    moved: Any = lambda *said: done.append(said)  # noqa: E731
    assert lab.run(little, seeds=[7], arms=["with"], moved=moved, noted=heard.append, out="out").rows[0].error == ""
    assert heard[0] == "beginning"
    assert done == [("living", 0, 1), ("living", 1, 1), ("measuring", 0, 1), ("measuring", 1, 1)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seeds": "9-1"}, 'seeds: "9-1" runs backwards; write 1-9'),
        ({"seeds": 1.5}, "seeds: takes no float; write how many"),
        ({"seeds": "abc"}, 'seeds: "abc" is neither a seed nor a range of seeds; write how many'),
        ({"arms": []}, "arms: there are none"),
        ({"arms": 5}, "arms: takes no int; give a list of names of arms"),
        ({"arms": ["with", 5]}, "arms: takes no list with int in it; give a list of names of arms"),
        ({"arms": {"with", "without"}}, "arms: takes no set; give a list of names of arms"),
        ({"arms": [lab.Arm("a", {"mood.fast=0"})]}, "arms: a: settings: takes no set; write KEY=VALUE"),  # type: ignore[arg-type]
        ({"mind": {"embedded"}}, "mind: takes no set; write it as --mind takes it"),
        ({"judges": {"openai/x"}}, "judges: takes no set; write them as --judge takes them"),
        ({"arms": [lab.Arm("a", 5)]}, "arms: a: settings: takes no int; write KEY=VALUE"),  # type: ignore[arg-type]
        ({"arms": [lab.Arm("a", rules=[shy])]}, 'arms: a: rules: takes no list; give {"Accept":'),  # type: ignore[arg-type]
        ({"arms": [lab.Arm(5)]}, 'arms: "5" is not a name for another arm'),  # type: ignore[arg-type]
        ({"measures": [lengths]}, 'measures: takes no list; give {"name": a function of a lab.Material}'),
        ({"rules": [shy]}, 'rules: takes no list; give {"Accept":'),
        ({"mind": 5}, "mind: takes no int; write it as --mind takes it"),
        ({"mind": "no model"}, "mind: "),
        ({"judges": 5}, "judges: takes no int; write them as --judge takes them"),
        ({"executor": object()}, "executor: takes no object; give one of concurrent.futures"),
        ({"out": 5}, "out: takes no int; name a folder"),
        ({"out": ""}, "out: is empty; name a folder"),
        ({"moved": 5}, "moved: takes no int; give a function"),
        ({"arms": [lab.Arm("a b")]}, 'arms: "a b" is not a name for another arm'),
        ({"arms": [lab.Arm("a", ["mood.fst=0"])]}, 'arms: a: no parameter "mood.fst"; did you mean "mood.fast"?'),
        (
            {"arms": [lab.Arm("a", ["ask.apraise=on"])]},
            'arms: a: no question "ask.apraise"; did you mean "ask.appraise"?',
        ),
        ({"arms": [lab.Arm("a", ["ask.appraise=maybe"])]}, 'arms: a: ask.appraise is on or off, not "maybe"'),
        ({"measures": {"talks": lengths}}, 'measures: "talks" is not a name for a measure'),
        ({"measures": {"seed": lengths}}, 'measures: "seed" is not a name for a measure'),
        ({"measures": {"carry_over_pairs": lengths}}, 'measures: "carry_over_pairs" is not a name for a measure'),
        ({"measures": {5: lengths}}, 'measures: "5" is not a name for a measure'),
        ({"measures": {"x": lab.Metric("x", "", lengths, -1)}}, "measures: x: its label, about, decimals, "),
        ({"measures": {"x": lab.Metric("x", "", lengths, can_be=1)}}, "measures: x: its label, about, decimals, "),  # type: ignore[arg-type]
        ({"measures": {"x": lab.Metric("x", "", lengths, can_be=(1, 0))}}, "measures: x: its can_be: 1.0 to 0.0 is no"),
        (
            {"measures": {"x": lab.Metric("x", "", lengths, can_be=(0, float("nan")))}},
            "measures: x: its can_be: 0.0 to nan is not a range; write (least, most)",
        ),
        ({"measures": {"x": lab.Metric("x", "", 3)}}, "measures: x: int is not a function of a Material"),  # type: ignore[arg-type]
        ({"arms": "wiht"}, 'arms: no arm "wiht"; did you mean "with"?'),
        ({"measures": {"x": 3}}, "measures: x: int is not a function of a Material"),
        ({"judges": ["no judge"]}, "judges: 'no judge' is no model"),
        ({"arms": ["with"], "judges": ["openai/x"]}, "judges: Small compares no two arms that could be judged"),
        ({"rules": {"Acept": shy}}, 'rules: no question "Acept"; did you mean "Accept"?'),
        ({"rules": {"Accept": 3}}, "rules: Accept: int is not a function of a question and a stream"),
        (
            {"rules": {"Accept": shy}, "mind": Same},
            "rules: change the embedded mind, which a mind of your own replaces",
        ),
    ],
)
def test_what_cannot_be_asked_for_is_refused_before_anything_is_lived(little: Path, given: Any, said: str) -> None:
    with warnings.catch_warnings(), pytest.raises(LabFaults) as caught:
        lab.run(little, **{"out": "out"} | given)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    assert not Path("out").exists()
