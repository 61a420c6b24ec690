"""From a small experiment to its reports: what is measured, the same bytes each time, and what is said of failures."""

from __future__ import annotations

import asyncio
import csv
import json
import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sandbox.cli.telling import wrap_entry
from sandbox.core.events import Record, Stamp
from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader
from sandbox.engine.domain import StandIn, StoodIn
from sandbox.engine.load_rules import read_rules
from sandbox.engine.loading import load
from sandbox.lab.experiment import Comparison, Experiment, LabFaults, find_experiment, read_experiment
from sandbox.lab.figures import FIGURES, draw_figures
from sandbox.lab.folder import PLAN, RUNS, TIMING, read_lab_plan
from sandbox.lab.laboratory import report, run_experiment
from sandbox.lab.material import SaveReading, Values, read
from sandbox.lab.measuring import AXES, HOURLY, Measurements, measure_one
from sandbox.lab.metrics import ANY, METRICS
from sandbox.lab.published import CLAIMS, Sign, conclude_claims, with_cause
from sandbox.lab.replica import replicas
from sandbox.lab.report import report_markdown, report_summary
from sandbox.lab.results import CustomMeasure, LabPlan, Results, gather_results
from sandbox.lab.statistics import Estimate
from sandbox.lab.wording import more, wide
from sandbox.people.mood import Pad
from sandbox.store.save import Save
from sandbox.store.session import create_save
from sandbox.talk.model import Exchanged

FILES = {"report.md", "results.json", "replicas.csv", "arms.csv", "comparisons.csv", "lines.csv"}


@pytest.fixture(scope="module")
def experiment(shared: Path) -> Experiment:
    return read_experiment(shared)


@pytest.fixture(scope="module")
def lived(experiment: Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, once it was run. Copy it before you change it."""
    out = tmp_path_factory.mktemp("lived") / "out"
    _, outcomes = run_experiment(experiment, replicas(experiment), "sandbox lab run small", out)
    assert not any(o.error or o.skipped for o in outcomes.values())
    return out


@pytest.fixture
def out(lived: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(lived, tmp_path / "out"))


def numbers(value: Any) -> list[float]:
    """All numbers in a JSON value."""
    if isinstance(value, dict):
        return [x for v in value.values() for x in numbers(v)]
    if isinstance(value, list):
        return [x for v in value for x in numbers(v)]
    return [value] if isinstance(value, int | float) else []


def files(out: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in out.iterdir() if p.is_file() and p.name != TIMING}


# ---- reading and measuring


@pytest.mark.slow
def test_a_save_is_read_at_the_end_of_each_hour_and_each_step(experiment: Experiment, lived: Path) -> None:
    with_, without = (r.config.save(lived / RUNS) for r in replicas(experiment) if r.config.seed == 1)

    async def reading(path: Path) -> tuple[SaveReading, list[str]]:
        async with await Save.open(path, read_only=True) as save:
            said = await save.records((Exchanged.KIND,), 0, save.last_seq)
            lines = [line for r in said for line in r.event.lines]  # type: ignore[attr-defined]
            return await read(save), [line.text for line in lines if line.text]

    seen, said = asyncio.run(reading(with_))
    assert len(seen.hours) == 2  # the start, and the end of the first of 80 minutes
    assert seen.hours[0]["ada", "finn"] == 0.3  # as her file says
    assert len(seen.moods) == 5
    assert len(said) > 3
    assert [text for talk in seen.talks for _, text in talk.lines] == said
    still, _ = asyncio.run(reading(without))
    assert {pad for pads in still.moods for pad in pads} == {Pad(0.0, 0.0, 0.0)}


def test_a_replica_has_every_metric_and_where_moods_are_off_they_are_0(experiment: Experiment, lived: Path) -> None:
    for replica in replicas(experiment):
        if replica.config.seed > 1:
            continue
        save = str(replica.config.save(lived / RUNS))
        found = measure_one(save)
        assert set(METRICS) <= set(found.values)
        assert all(x is None or math.isfinite(x) for x in found.values.values())
        assert {len(line) for key, line in found.hourly.items() if key in HOURLY} == {2}
        assert {len(found.moods[axis]) for axis in AXES} == {5}
        assert measure_one(save) == found
        if replica.arm == "without":
            assert [found.values[key] or 0.0 for key, m in METRICS.items() if m.built_in] == [0.0] * 5


def test_answers_that_the_embedded_mind_gave_instead_are_counted(village: Path) -> None:
    async def stood_in() -> int:
        async with await create_save(load(village, step=1200)) as save:
            event = StoodIn((StandIn("say", "late"), StandIn("plan", "over budget")))
            await save.write(1, 1200, [Record(Stamp(2, 1, 0, "ada", ()), event)], lambda: b"")
            return (await read(save)).counts["stood_in"]

    assert asyncio.run(stood_in()) == 2


# ---- reports


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes_but_for_wall_times(
    experiment: Experiment, lived: Path, out: Path, tmp_path: Path
) -> None:
    made, _ = run_experiment(experiment, replicas(experiment), "sandbox lab run small", tmp_path / "two")
    before = files(lived)
    assert {*before} == FILES | {PLAN} | {f"small-{figure.line}.svg" for figure in FIGURES}
    assert files(tmp_path / "two") == before
    for name in before.keys() - {PLAN}:
        (out / name).unlink()
    found, again = run_experiment(experiment, replicas(experiment), "sandbox lab run small", out)
    assert all(o.skipped for o in again.values())
    assert msgspec.structs.replace(found, figures=()) == msgspec.structs.replace(made, figures=())
    assert files(out) == before
    assert set(json.loads((out / TIMING).read_text())) == {"lived_s", "reported_s", "replicas"}


@pytest.mark.slow
def test_results_hold_finite_numbers_and_the_report_and_tables_say_them(experiment: Experiment, out: Path) -> None:
    experiment = msgspec.structs.replace(experiment, seeds=(1, 2, 3, 4, 5, 6))
    made, _ = run_experiment(experiment, replicas(experiment), "sandbox lab run small", out)
    found = json.loads((out / "results.json").read_text(), parse_constant=lambda x: pytest.fail(x))
    assert all(math.isfinite(x) for x in numbers(found))
    assert [arm["whole"] for arm in found["arms"]] == [6, 6]
    text = (out / "report.md").read_text()
    assert "Made by `sandbox lab run small`." in text.splitlines()[2]
    assert "none is judged" in text
    assert "**" not in text or "leaves 0 out" in text
    lines = made.arm("with").metrics["lines"]
    assert f"{lines.mean:.1f} [{lines.low:.1f}, {lines.high:.1f}]" in text
    with (out / "arms.csv").open() as file:
        rows = {(row["arm"], row["metric"]): row for row in csv.DictReader(file)}
    assert float(rows["with", "lines"]["mean"]) == lines.mean
    with (out / "replicas.csv").open() as file:
        assert [(row["arm"], row["seed"]) for row in csv.DictReader(file)] == [
            (arm, str(seed)) for arm in ("with", "without") for seed in range(1, 7)
        ]
    assert {Path(path) for path in made.figures} == {*out.glob("*.svg")}
    assert len(made.figures) > 3
    for name, table in made.tables.items():
        with (out / f"{name}.csv").open() as file:
            lines = [*csv.reader(file)]
        assert lines[0] == [*table]
        assert lines[1:] == [["" if x is None else str(x) for x in row] for row in zip(*table.values(), strict=True)]
    for svg in out.glob("*.svg"):
        drawing = svg.read_text()
        assert "<text" in drawing  # text as text
        assert "<dc:date>" not in drawing
        assert "20:00" in drawing
        assert "with against without" in drawing
        assert "n = 6 seeds" in drawing


@pytest.mark.slow
def test_a_failed_replica_is_told_in_the_report_and_the_others_count(experiment: Experiment, out: Path) -> None:
    some = replicas(experiment)
    some[1] = some[1]._replace(config=msgspec.structs.replace(some[1].config, content="of other files"))
    made, outcomes = run_experiment(experiment, some, "sandbox lab run small", out)
    assert sum(bool(o.error) for o in outcomes.values()) == 1
    assert [arm.whole for arm in made.arms] == [1, 2]
    text = (out / "report.md").read_text()
    assert "`with`, seed 2" in text
    assert "the world's files have changed since" in text


@pytest.mark.slow
def test_a_save_that_was_lost_or_broken_is_told_and_not_measured(experiment: Experiment, out: Path) -> None:
    some = replicas(experiment)
    some[0].config.save(out / RUNS).unlink()
    some[1].config.save(out / RUNS).write_bytes(b"gone")
    made = report(read_lab_plan(out), out)
    assert [row.error for row in made.rows[:3]] == ["its save is missing or incomplete"] * 2 + [""]
    said = (out / "report.md").read_text()
    assert "Missing, and not in the numbers below: 2 of 4 replicas. `sandbox lab run small` runs only" in said


@pytest.mark.slow
def test_the_report_of_an_experiment_of_ones_own_has_nothing_of_a_paper(experiment: Experiment, out: Path) -> None:
    experiment = msgspec.structs.replace(experiment, seeds=(1,), metrics=("lines", "talks"))
    run_experiment(experiment, replicas(experiment), "sandbox lab run small", out)
    text = (out / "report.md").read_text()
    for word in ("entipolis", "paper", "GPT", "VADER", "Figures", "changed by mood", "1 seeds"):
        assert word not in text
    assert "with 1 seed (1). Whether they differ cannot be told: that takes 6 seeds." in text
    assert "not shown" not in text
    assert not [*out.glob("*.svg")]  # nor are those of before left


def test_a_folder_without_a_plan_or_with_a_broken_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabFaults, match=r"holds no plan\.json; name the --out"):
        read_lab_plan(tmp_path)
    (tmp_path / PLAN).write_text('{"command": 3}')
    with pytest.raises(LabFaults, match="is not the plan of an experiment"):
        read_lab_plan(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"name": "small"', '"name": "../small"'),
        ('"carry_over"', '"carry_under"'),
        ('"against": "without"', '"against": "x"'),
    ],
)
def test_a_plan_that_was_tampered_with_is_told(lived: Path, tmp_path: Path, old: str, new: str) -> None:
    text = (lived / PLAN).read_text()
    assert old in text
    (tmp_path / PLAN).write_text(text.replace(old, new))
    with pytest.raises(LabFaults, match="is not the plan of an experiment"):
        read_lab_plan(tmp_path)


def sentipolis(seeds: int, arms: dict[str, Callable[[int], Values]], own: Any = None, **changed: Any) -> Results:
    """Results of some arms of sentipolis, with values as given of each seed and nothing else to measure."""
    experiment = msgspec.structs.replace(
        read_experiment(find_experiment("sentipolis"), [*arms]), seeds=tuple(range(1, seeds + 1)), **changed
    )
    runs = replicas(experiment)
    found: dict[str, Measurements | str] = {}
    for r in runs:
        values = dict.fromkeys(METRICS, None) | arms[r.arm](r.config.seed)
        still = {axis: [0.0, 0.0] for axis in AXES}
        hourly: dict[str, list[float | None]] = {key: [0.5, None] for key in HOURLY}
        met = {"ann|ben": r.config.seed}
        found[r.config.name] = Measurements(values, {"reciprocity": 0.7}, hourly, still, {"pairs": 20.0}, met)
    plan = LabPlan("sandbox lab run sentipolis", experiment, tuple((r.arm, r.config) for r in runs), own=own or {})
    return gather_results(plan, found, {})


@pytest.mark.slow
def test_a_measure_of_a_programs_own_is_told_after_the_program_has_ended() -> None:
    made = sentipolis(
        9,
        {"on": lambda s: {"asked": s % 3 + 5.0}, "off": lambda s: {"asked": 1.0}},
        metrics=("carry_over", "asked"),
        own={"asked": CustomMeasure("lines that ask", "how many ask something", 1, "asked mine.py", can_be=(0.0, 6.0))},
    )
    text = report_markdown(made)
    assert re.search(r"reach beyond what the measure can be, .* \*lines that ask\* in `on`\.", text)
    assert "| lines that ask | +5.0 [+4.3, +5.7] | +500 % |" in text
    assert "- *lines that ask*: how many ask something" in text


def carrying(seeds: int, more: Callable[[int], float], **changed: Any) -> Results:
    """Of on and off, with so much more carry-over of each seed."""
    both = (Comparison("on", "off"),)
    arms: dict[str, Callable[[int], Values]] = {
        "on": lambda s: {"carry_over": more(s)},
        "off": lambda _: {"carry_over": 0.0},
    }
    return sentipolis(seeds, arms, comparisons=both, **changed)


def much(seed: int) -> float:
    return (0.3, 0.4, 0.35)[seed % 3]


def but_one(seed: int) -> float:
    return (-0.01, 0.2, 0.3, 0.35, 0.4, 0.5, 0.65)[(seed - 1) % 7]


def wavering(seed: int) -> float:
    return (0.3, -0.4, 0.35, -0.3)[seed % 4]


def less(seed: int) -> float:
    return -much(seed)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("seeds", "more", "expects", "said"),
    [
        (5, much, {}, "with 5 seeds (1 to 5). Whether they differ cannot be told: that takes 6 seeds."),
        (6, but_one, {}, "flipped signs give as much by chance too often: no difference was shown."),
        (
            6,
            much,
            {},
            "a finding takes 60 seeds. The interval leaves 0 out: there is a difference in this trial.",
        ),
        (6, wavering, {}, "no difference was shown, nor that there is none."),
        (60, much, {}, "p < .001. The interval leaves 0 out: there is a difference."),
        (60, much, {"carry_over": "more"}, "there is a difference, and it is the one expected."),
        (60, less, {"carry_over": "more"}, "there is a difference, AND IT IS THE OPPOSITE OF THE ONE EXPECTED."),
        (60, wavering, {"carry_over": "more"}, "no difference was shown, nor that there is none."),
    ],
)
def test_the_headline_says_what_the_numbers_carry_and_no_more(
    seeds: int, more: Callable[[int], float], expects: dict[str, Sign], said: str
) -> None:
    made = carrying(seeds, more, expects=expects)
    (line,) = [line for line in report_summary(made) if line.startswith("Carry-over, ")]
    way = ", more expected" if expects else ""
    assert line.startswith(f"Carry-over, on minus off{way}: ")
    assert f"(1 to {seeds})" in line
    assert said in line
    assert ("trial" in line) == (6 <= seeds < 60)
    assert ("half width" in line) == (seeds >= 6)
    assert report_markdown(made).count(line) == 2  # in short, and where it is from


@pytest.mark.slow
def test_a_report_stands_beside_the_paper_and_says_what_there_is_nothing_of(tmp_path: Path) -> None:
    made = carrying(6, much)
    text = report_markdown(msgspec.structs.replace(made, figures=tuple(draw_figures(made, tmp_path))))
    assert "| `on` |" in text
    assert "| GPT-5.2 | 0.456 | 0.878 | 0.229 | 0.752 | – | 0.381 |" in text
    assert "- r has no value in 12 of 12 replicas (on, seeds 1 to 6; off, seeds 1 to 6): there was nothing" in text
    assert "21 pairs of talks of `on` and `off`" in text  # 1 + 2 + ... + 6
    assert "5 pairs of series" in text
    for part in text.split("\n\n"):
        assert part.startswith(("|", "-")) or "\n" not in part.strip(), part  # one line a paragraph


@pytest.mark.slow
def test_many_measures_are_each_held_to_more_than_one_alone() -> None:
    chance = np.random.default_rng(1)
    keys = [key for key in METRICS if key != "carry_over" and not METRICS[key].built_in]
    noise = {(arm, s): {k: float(x) for k, x in zip(keys, chance.normal(size=len(keys)).round(3), strict=True)}
             for arm in ("on", "off") for s in range(1, 21)}  # fmt: skip
    plain = sentipolis(
        20, {"on": lambda s: noise["on", s] | {"talks": s * 3.0}, "off": lambda s: noise["off", s] | {"talks": 1.0 * s}}
    )
    found = plain.compared[0].metrics
    assert found["carry_over"].q is None  # named before anybody looked
    assert found["talks"].shown
    assert sum(d.estimate.clear for d in found.values()) > sum(d.shown for d in found.values())
    assert all(d.q >= d.p for d in found.values() if d.q is not None and d.p is not None)
    (line,) = [line for line in report_summary(plain) if "further measure" in line]
    assert "differs with a q of .05 or less; the report has them" in line
    text = report_markdown(plain)
    assert "| the largest first | difference | as a share of what `off` has |\n| --- | --- | --- |\n| talks |" in text
    assert "the q does not tell it from chance: " in text


@pytest.mark.slow
def test_a_claim_is_as_claimed_or_the_opposite_or_not_shown_whichever_arm_stands_first() -> None:
    def values(q: float, r: float) -> Callable[[int], Values]:
        return lambda s: {"modularity": q + s % 3 / 100, "weighted_reciprocity": r + s % 2 / 100, "nmi": s % 5 / 10}

    arms = {"on": values(0.3, 0.8), "no_tags": lambda s: values(0.2, 0.9)(s + 1), "no_slow": values(0.3, 0.8)}
    turned = tuple(Comparison("on", arm) for arm in ("no_tags", "no_slow"))
    for comparisons, sign in ((None, ("less", "less")), (turned, ("more", "more"))):
        made = sentipolis(10, arms, **({"comparisons": comparisons} if comparisons else {}))
        of = {(t.claim, t.metric): t for t in made.claims}
        found = of["tags_communities", "modularity"]
        assert (found.expected, found.found) == (sign[0], "as claimed")
        assert of["tags_reciprocity", "weighted_reciprocity"].found == "the opposite"
        same = of["slow_reciprocity", "weighted_reciprocity"]
        assert (same.expected, same.found, same.difference.q) == (sign[1], "not shown", None)
        assert {t.claim.partition("_")[0] for t in made.claims} == {"slow", "tags"}  # and no other has its arm here
        text = report_markdown(made)
        assert "| **as claimed** |" in text
        assert "| **the opposite** |" in text
        assert "| `mood.on=false` | not tested |" in text
        (line,) = [line for line in report_summary(made) if "of what causes what" in line]
        assert f"test 6 of the paper's 10 claims of what causes what, in {len(made.claims)} tests." in line
        assert "In part as claimed: tags_communities. In part the opposite: tags_reciprocity. Not shown: slow_" in line
        assert "1 cannot be told." in text  # of which there is nothing here
        assert made.tables["claims"]["found"].count("the opposite") == 1
        assert made.tables["claims"]["conclusion"].count("in part the opposite") == 4


def ended(**by: float) -> Callable[[int], Values]:
    return lambda s: {key: x + s % 3 / 100 for key, x in by.items()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("nmi", "r_w", "made", "so", "told"),
    [
        (0.2, 0.2, 0.2, "as claimed", "**As claimed**, by 3 tests."),
        (0.2, 0.2, 0.0, "in part as claimed", "by 3 tests: 2 as claimed, 1 not shown."),
        (0.2, -0.2, 0.0, "mixed", "**Mixed**, by 3 tests: 1 as claimed, 1 the opposite, 1 not shown."),
        (-0.2, 0.0, 0.0, "in part the opposite", "by 3 tests: 1 the opposite, 2 not shown."),
        (-0.2, -0.2, -0.2, "the opposite", "**The opposite**, by 3 tests."),
        (0.0, 0.0, 0.0, "not shown", "**Not shown**, by 3 tests."),
    ],
)
def test_all_tests_of_a_claim_come_to_one_conclusion(nmi: float, r_w: float, made: float, so: str, told: str) -> None:
    arms = {
        "on": ended(nmi=0.5 + nmi, weighted_reciprocity=0.5 + r_w, made_weighted_reciprocity=0.5 + made),
        "no_tags": ended(nmi=0.5, weighted_reciprocity=0.5, made_weighted_reciprocity=0.5),
    }
    keys = ("carry_over", "nmi", "weighted_reciprocity", "made_weighted_reciprocity")
    few, many = (sentipolis(n, arms, comparisons=(Comparison("on", "no_tags"),), metrics=keys) for n in (5, 10))
    assert conclude_claims(many.claims)["tags_reciprocity"] == so
    assert told in report_markdown(many)
    assert f"{so[:1].upper()}{so[1:]}: tags_reciprocity." in "".join(report_summary(many))
    assert conclude_claims(few.claims)["tags_reciprocity"] == "cannot be told"
    assert "Cannot be told: tags_continuity, tags_reciprocity. A test takes 6 seeds" in "".join(report_summary(few))


@pytest.mark.slow
def test_a_further_measure_is_told_with_its_q_wherever_it_stands() -> None:
    arms = {
        "on": lambda s: {"carry_over": much(s), "carry_over_all": but_one(s), "talks": s % 2, "lines": s % 3},
        "off": lambda s: {"carry_over": 0.0, "carry_over_all": 0.0, "talks": 0.5, "lines": 1.0},
    }
    text = report_markdown(sentipolis(7, arms, comparisons=(Comparison("on", "off"),)))
    (line,) = [line for line in text.splitlines() if line.startswith("- Carry-over, all lines, on minus off")]
    assert "p .031, q .094 among all further measures. This is a trial" in line
    assert "The interval leaves 0 out, and the q does not tell it from chance: no difference was shown." in line


@pytest.mark.slow
def test_what_is_0_by_construction_is_never_bold() -> None:
    arms = {"on": lambda s: {"intensity": much(s), "talks": much(s)}, "off": lambda s: {"intensity": 0.0, "talks": 0.0}}
    text = report_markdown(sentipolis(9, arms, comparisons=(Comparison("on", "off"),)))
    assert "| intensity of mood | +0.350 [" in text
    assert "| talks | **+0.3 [" in text


@pytest.mark.slow
def test_an_interval_that_reaches_beyond_what_its_measure_can_be_is_told_and_not_cut() -> None:
    one = {"on": lambda s: {"quarrels": float(s == 1), "density": 0.5 + s / 100}, "off": lambda s: {"quarrels": s % 2}}
    text = report_markdown(sentipolis(6, one, comparisons=(Comparison("on", "off"),)))
    assert (
        "beyond what the measure can be, which happens with few seeds or a skewed measure: *quarrels* in `on`, `off`."
        in text
    )
    assert "| quarrels | 0.2 [-0.3, 1.5] |" in text
    assert "reach beyond" not in report_markdown(carrying(6, much))


def test_of_every_measure_is_known_what_it_can_be() -> None:
    assert [key for key, found in METRICS.items() if found.can_be == ANY] == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("lines", "said"), [(40.0, True), (-40.0, False), (0.0, False)])
def test_what_more_talk_does_by_itself_is_said_where_a_claim_is_tested_by_it(lines: float, said: bool) -> None:
    arms: dict[str, Callable[[int], Values]] = {
        "no_person": lambda s: {
            "made_modularity": 0.2 - 0.01 * (s % 3),
            "modularity": 0.3,
            "lines": 900.0 + lines + s % 2,
        },
        "off": lambda _: {"made_modularity": 0.3, "modularity": 0.3, "lines": 900.0},
    }
    text = " ".join(report_markdown(sentipolis(10, arms, comparisons=(Comparison("no_person", "off"),))).split())
    assert ("In `no_person` - `off` one arm also has more lines than the other" in text) is said


@pytest.mark.slow
def test_how_large_a_difference_on_the_network_at_the_end_was_is_told() -> None:
    arms: dict[str, Callable[[int], Values]] = {
        "no_person": lambda s: {"modularity": 0.304 + 0.001 * (s % 2)}, "off": lambda _: {"modularity": 0.3}
    }  # fmt: skip
    text = " ".join(report_markdown(sentipolis(10, arms, comparisons=(Comparison("no_person", "off"),))).split())
    assert "mostly the cast's, the largest difference that a test has shown is 0.004" in text


def test_arms_that_differ_in_more_than_one_cause_test_no_claim() -> None:
    assert with_cause("mood.slow=0", ["mood.slow=0"], []) is False
    assert with_cause("mood.slow=0", ["rules.drama=on"], ["rules.drama=on", "mood.slow=0"]) is True
    assert with_cause("mood.slow=0", ["mood.slow=0", "rules.drama=on"], []) is None
    assert with_cause("mood.slow=0", [], []) is None


def test_arms_that_differ_in_what_goes_along_with_a_setting_test_no_claim() -> None:
    off, quiet = "mood.on=false", "rules.drama=off"
    assert with_cause(off, [quiet], [quiet, off]) is None  # nor do talks leave anything there
    assert with_cause(off, [quiet, "memory.person=false"], [quiet, off]) is True
    assert with_cause(off, ["memory.person=false"], [off]) is None  # in drama outcomes mark moods, and needs are felt
    assert with_cause("memory.mood=false", [], ["memory.tags=false"]) is None
    assert with_cause("mood.decay=false", [quiet], [quiet, "mood.decay=false"]) is True
    assert with_cause("mood.slow=0", [quiet], [quiet, "rules.drama=on", "mood.slow=0"]) is None


def test_what_a_rule_of_ours_puts_there_is_told_as_built_in_on_the_first_page() -> None:
    arms: dict[str, Callable[[int], Values]] = {
        "no_person": lambda s: {"carry_over": much(s)}, "off": lambda _: {"carry_over": 0.0}
    }  # fmt: skip
    made = sentipolis(60, arms, metrics=("carry_over",))
    assert conclude_claims(made.claims) == {"continuity": "as claimed, as it was built in"}
    first = report_markdown(made).partition("## What was run")[0]
    assert "the one expected. It is built in, not found: the embedded mind chooses lines by the mood, " in first
    assert "As claimed, as it was built in: continuity." in first
    assert "**As claimed, as it was built in**, by 1 test." in report_markdown(made)
    assert made.tables["claims"]["conclusion"] == ["as claimed, as it was built in"]
    arms["no_person"] = lambda s: {"carry_over": wavering(s)}
    none = sentipolis(60, arms, metrics=("carry_over",))
    assert conclude_claims(none.claims) == {"continuity": "not shown"}
    assert "built in" not in report_markdown(none).partition("## What was run")[0]


def test_a_headline_says_what_its_arms_differ_in_beside_what_their_settings_say() -> None:
    (line,) = [line for line in report_summary(carrying(60, much)) if line.startswith("Carry-over, ")]
    assert line.endswith(
        "by `memory.person=false`, which goes along with those: which of these causes the difference is unknown."
    )


def test_every_claim_is_of_what_is_measured_and_of_a_setting_there_is() -> None:
    for claim in CLAIMS["sentipolis"]:
        assert {*claim.measures} <= {*METRICS}
        faults = Faults()
        read_rules(MappingReader(None), (claim.without,), faults)
        assert not faults.errors


@pytest.mark.slow
def test_the_end_of_a_run_is_a_page_however_many_measures_and_claims_there_are() -> None:
    def values(start: int) -> Callable[[int], Values]:
        return lambda s: {key: i + start + s % 3 / 100 for i, key in enumerate(METRICS)}

    names = ("on", "off", "no_slow", "no_decay", "no_tags")
    made = sentipolis(6, {name: values(i) for i, name in enumerate(names)})
    lines = [line for entry in report_summary(made) for line in wrap_entry(entry).splitlines()]
    assert 8 < len(lines) < 20
    assert " ".join(lines).count("seeds to show a single one)") == 2  # of the measures, of the tests of claims
    assert all(line[:2] in ("- ", "  ") and len(line) <= 80 for line in lines)


def test_a_command_to_copy_and_an_interval_stay_on_one_line() -> None:
    command = "`sandbox lab run sentipolis --seeds 1-60 --arm drama_on --arm drama_on_emotion_off --out out`"
    assert wrap_entry(f"Missing, and not in the numbers below: 2 of 4 replicas. {command} goes on.") == (
        f"- Missing, and not in the numbers below: 2 of 4 replicas.\n  {command}\n  goes on."
    )
    few = wrap_entry(
        "Carry-over, drama_on minus drama_on_emotion_off, more expected: +0.329 [+0.292, +0.365], p < .001."
    )
    assert few.splitlines()[1] == "  [+0.292, +0.365], p < .001."
    assert wrap_entry(f"{'x' * 67} p .031, q .094.").splitlines() == [f"- {'x' * 67} p .031,", "  q .094."]


def test_columns_that_a_page_has_no_room_for_stand_in_a_table_of_their_own() -> None:
    rows = [("talks", [str(i) for i in range(8)])]
    assert wide([f"arm{i}" for i in range(8)], rows).split("\n\n") == [
        "|  | arm0 | arm1 | arm2 | arm3 |\n| --- | --- | --- | --- | --- |\n| talks | 0 | 1 | 2 | 3 |",
        "|  | arm4 | arm5 | arm6 | arm7 |\n| --- | --- | --- | --- | --- |\n| talks | 4 | 5 | 6 | 7 |",
    ]


def test_a_difference_shows_enough_decimals_to_be_seen() -> None:
    assert more(Estimate(0.0123, -0.01, 0.03, 9)) == "+0.012 [-0.010, +0.030]"
    assert more(Estimate(-0.00024, -0.0005, -0.00004, 9)) == "-0.00024 [-0.00050, -0.00004]"
    assert more(Estimate(0.00002, -0.00004, 0.00005, 9)) == "+0.000 [+0.000, +0.000]"
    assert more(Estimate(1.25, None, None, 1), 1) == "+1.2"
    assert more(Estimate(None, None, None, 0)) == "–"


@pytest.mark.long
def test_the_whole_experiment_gives_what_its_report_is_made_of(tmp_path: Path) -> None:
    experiment = msgspec.structs.replace(read_experiment(find_experiment("sentipolis")), seeds=(1, 2, 3, 4, 5, 6))
    made, outcomes = run_experiment(experiment, replicas(experiment), "sandbox lab run sentipolis", tmp_path)
    assert not any(o.error for o in outcomes.values())
    on, off = made.arm("on"), made.arm("off")
    assert on.pairs > 200
    assert off.pairs > 200
    assert made.compared[0].metrics["pleasure_range"].estimate.clear
    assert off.metrics["intensity"].mean == 0.0
    assert 0.5 < (on.start["reciprocity"].mean or 0.0) < 1.0
