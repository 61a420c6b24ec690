"""A study of one's own: what is wrong with it is told, before anything is run or where a run gave no number."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace as replace_

from sandbox.cli import lab_work
from sandbox.cli.main import cli
from sandbox.cli.telling import Moving
from sandbox.lab.experiment import LabFaults
from sandbox.lab.studies import study_results
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.performing import perform
from sandbox.lab.studies.reporting import missing, short
from sandbox.lab.studies.study import (
    Case,
    Claim,
    Effect,
    Found,
    Groups,
    Measure,
    Plot,
    Prose,
    Sample,
    Study,
    Sweep,
    sample,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SEEDS = tuple(range(1, 9))


def run(case: Case, seed: int) -> Found:
    """A run of a coin or two, as its case says."""
    x = seed % 3 + case.settings.get("more", 0.0)
    odd = case.settings.get("odd", {}).get(str(seed), {})
    values = {"x": x, "y": 1.0} | {key: ODD[word] for key, word in odd.items() if key == "x" and word in ODD}
    return Found(
        {key: value for key, value in values.items() if odd.get(key) != "missing"},
        {} if odd.get("line") == "missing" else {"line": [x, ODD.get(odd.get("line", ""), x)] * (1 + seed % 2)},
        {"one": sample([x, x + 1]), "two": sample([x, x + 2])},
    )


ODD: dict[str, Any] = {"nan": float("nan"), "inf": float("inf"), "text": "many", "none": None}

OWN = Study(
    name="own",
    told=Prose("A study of one's own", "Coins.", (), (), ()),
    cases=(Case("base", "as it is", {}), Case("more", "with more", {"more": 1.0})),
    run=run,
    measures=(Measure("x", "heads"), Measure("y", "tails")),
    effects=(Effect("up", "heads, more less base", "x", "more", "base"),),
    claims=(Claim("there are more", "up", 1),),
    first=1,
    seeds=10,
    quick=6,
    sweeps=(Sweep("more", "heads", ((1.0, "up"),)),),
    plots=(Plot("line", "A line", "heads", (("line", "base", "base"), ("line", "more", "more"))),),
    groups=Groups(("base", "more"), "coins", "heads", ("one", "two"), (("all", ("one", "two")),)),
)


def odd(**words: dict[str, str]) -> Study:
    """The study whose case "more" gives, with the seeds s1, s2, ..., something odd for a measure or its curve."""
    settings = {"more": 1.0, "odd": {seed[1:]: what for seed, what in words.items()}}
    return replace(OWN, cases=(OWN.cases[0], Case("more", "odd", settings)))


def told(out: Path) -> str:
    return (out / "report.md").read_text(encoding="utf-8")


# ---- as it is declared


def test_a_study_without_a_fault_is_run_and_reported(tmp_path: Path) -> None:
    made = perform(OWN, SEEDS, (), "own", tmp_path)
    assert [v.word for v in made.verdicts] == ["agrees"]
    assert missing(OWN, made) == []
    text = told(tmp_path)
    assert all((tmp_path / name).is_file() for name in re.findall(r"\]\(([^)]+\.svg)\)", text))
    assert {path.name for path in tmp_path.glob("*.svg")} == {"own-line.svg", "own-sweep-1.svg"}
    assert "## What the paper found" not in text, "a part that has nothing in it is left out"
    own = [run.found.samples["one"] for run in made.runs if run.case == "base" and run.found is not None]
    assert sum(s.n for s in own) == 16
    assert re.search(
        r"^\| all \| 16 \| \d\.\d{3} \[.+?\] \| 16 \| \d\.\d{3} \[.+?\] \| \+\d+\.\d %? ?.*\|$", text, re.M
    )


Change = Callable[[Study], Study]
FAULTS: dict[str, tuple[Change, str]] = {
    "an effect of no case": (
        lambda s: replace(s, effects=(replace(s.effects[0], case="moer"),)),
        'effect "up": no case "moer"; did you mean "more"?',
    ),
    "an effect against no case": (
        lambda s: replace(s, effects=(replace(s.effects[0], against="bas"),)),
        'effect "up": no case "bas"; did you mean "base"?',
    ),
    "an effect of no measure": (
        lambda s: replace(s, effects=(replace(s.effects[0], measure="z"),)),
        'effect "up": no measure "z"; choose from x, y',
    ),
    "an effect of no per cent": (
        lambda s: replace(s, effects=(replace(s.effects[0], percent="z"),)),
        'effect "up": no measure "z"; choose from x, y',
    ),
    "a case against itself": (
        lambda s: replace(s, effects=(replace(s.effects[0], against="more"),)),
        'effect "up" compares case "more" with itself',
    ),
    "a claim of no effect": (
        lambda s: replace(s, claims=(Claim("there are more", "upp", 1),)),
        'claim "there are more": no effect "upp"; did you mean "up"?',
    ),
    "a claim of no sign": (
        lambda s: replace(s, claims=(Claim("there are more", "up", 2),)),
        'claim "there are more" has the sign 2; write 1 or -1',
    ),
    "a sweep of no effect": (
        lambda s: replace(s, sweeps=(Sweep("more", "heads", ((1.0, "up"), (2.0, "up_2"))),)),
        'sweep of "more": no effect "up_2"; did you mean "up"?',
    ),
    "a plot of no case": (
        lambda s: replace(s, plots=(Plot("line", "", "", (("line", "mores", ""),)),)),
        'plot "line": no case "mores"; did you mean "more"?',
    ),
    "groups of no case": (
        lambda s: replace(s, groups=Groups(("mores",), "", "", ("one",), ())),
        'the tables of groups: no case "mores"; did you mean "more"?',
    ),
    "two cases of the same settings": (
        lambda s: replace(s, cases=(*s.cases, Case("again", "", {"more": 1.0}))),
        'cases "more" and "again" have the same settings; change one of them',
    ),
    "settings that are no JSON": (
        lambda s: replace(s, cases=(*s.cases, Case("own", "", {"by": object()}))),
        'the settings of case "own" cannot be kept as JSON',
    ),
    "two cases of a name": (
        lambda s: replace(s, cases=(*s.cases, Case("more", "", {"more": 2.0}))),
        'two cases have the name "more"; give one of them another',
    ),
    "two measures of a name": (
        lambda s: replace(s, measures=(*s.measures, Measure("x", "again"))),
        'two measures have the name "x"',
    ),
    "two effects of a name": (
        lambda s: replace(s, effects=s.effects * 2),
        'two effects have the name "up"',
    ),
    "two plots of a name": (lambda s: replace(s, plots=s.plots * 2), 'two plots have the name "line"'),
    "a case of a name that is none": (
        lambda s: replace(s, cases=(*s.cases, Case("../x", "", {"more": 3.0}))),
        '"../x" is not a name for a case; use letters, digits and _',
    ),
    "a measure called as a column": (
        lambda s: replace(s, measures=(*s.measures, Measure("seed", "seed"))),
        'measure "seed" has the name of a column of runs.csv',
    ),
    "a name that no file may have": (lambda s: replace(s, name="../own"), "cannot have its name"),
    "no case": (lambda s: replace(s, cases=(), effects=(), claims=(), sweeps=(), plots=(), groups=None), "has no case"),
    "no seeds": (lambda s: replace(s, quick=0), "first, seeds and quick must be 1 or more"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_what_a_study_declares_is_told_before_anything_is_run(fault: str, tmp_path: Path) -> None:
    change, says = FAULTS[fault]
    with pytest.raises(LabFaults) as raised:
        perform(change(OWN), SEEDS, (), "own", tmp_path / "out")
    sentences = [f.message for f in raised.value.faults]
    assert len(sentences) == 1
    assert says in sentences[0]
    assert str(raised.value).startswith("study ")
    assert not (tmp_path / "out").exists()


def test_all_faults_of_a_study_are_told_at_once(tmp_path: Path) -> None:
    study = replace(OWN, effects=(), plots=OWN.plots * 2)
    with pytest.raises(LabFaults) as raised:
        perform(study, SEEDS, (), "own", tmp_path / "out")
    assert len(raised.value.faults) == 3, "the claim, the sweep, and the plots"


@pytest.mark.parametrize(
    ("seeds", "cases", "says"),
    [
        (SEEDS, ("mor",), 'cases: no case "mor"; did you mean "more"?'),
        ((1, 1), (), "seeds: seed 1 is listed twice; name each once"),
        ((), (), "seeds: there are no seeds"),
        ((0,), (), "seeds: 0 is out of range"),
    ],
)
def test_cases_and_seeds_there_are_not_are_refused(
    seeds: Sequence[int], cases: Sequence[str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(LabFaults, match=re.escape(says)):
        perform(OWN, seeds, cases, "own", tmp_path / "out")
    assert not (tmp_path / "out").exists()


# ---- as it runs


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("nan", r"gave nan, which is not a finite number up to 1e\+100"),
        ("inf", r"gave inf, which is not a finite number up to 1e\+100"),
        ("text", r"gave str, which is not a finite number up to 1e\+100"),
        ("missing", 'gave no "x"'),
    ],
)
def test_a_measure_that_is_no_number_is_missing_and_told_with_case_seed_and_measure(
    word: str, why: str, tmp_path: Path
) -> None:
    study = odd(s2={"x": word}, s3={"x": word})
    made = perform(study, SEEDS, (), "own", tmp_path)
    (line,) = missing(study, made)
    assert re.fullmatch(
        rf"heads has no value in 2 of 16 runs \(more, seeds 2 to 3\): run \(test_studies_own.py:\d+\) {why}\.", line
    )
    assert f"- {line}" in told(tmp_path)
    assert made.means["more"]["x"].n == 6
    again = perform(study, SEEDS, (), "own", tmp_path)
    assert again.runs == made.runs, "what is kept of a run has its faults, too"


@pytest.mark.slow
def test_what_there_was_nothing_of_to_measure_is_told_in_the_report(tmp_path: Path) -> None:
    study = odd(s2={"x": "none"})
    made = perform(study, SEEDS, (), "own", tmp_path)
    assert missing(study, made) == [], "it is no fault"
    assert "- heads has no value in 1 of 16 runs (more, seed 2): there was nothing to measure." in told(tmp_path)


@pytest.mark.parametrize(
    ("word", "why"), [("nan", "gave nan, which is not a finite"), ("missing", 'gave no curve "line"')]
)
def test_a_curve_that_is_not_there_is_told_and_the_others_are_drawn(word: str, why: str, tmp_path: Path) -> None:
    study = odd(s2={"line": word})
    (line,) = missing(study, perform(study, SEEDS, (), "own", tmp_path))
    assert line.startswith("curve line has no value in 1 of 16 runs (more, seed 2): ")
    assert why in line
    assert (tmp_path / "own-line.svg").is_file()


def fails(case: Case, seed: int) -> Found:
    if case.name == "more":
        raise ValueError("no coin")
    return run(case, seed)


def gives_a_table(case: Case, seed: int) -> Any:
    return {"x": 1.0}


@pytest.mark.parametrize(
    ("by", "count", "why"),
    [
        (fails, 8, "8 runs failed and are not in the numbers below: more, seeds 1 to 8: ValueError: no coin"),
        (
            gives_a_table,
            16,
            r"16 runs failed .*: base, seeds 1 to 8: gives_a_table \(.+\) gave dict, not a Found; more,",
        ),
    ],
)
def test_runs_that_fail_are_told_by_case_and_reason_and_nothing_names_a_figure_there_is_not(
    by: Callable[[Case, int], Found], count: int, why: str, tmp_path: Path
) -> None:
    study = replace(OWN, run=by)
    made = perform(study, SEEDS, (), "own", tmp_path)
    assert sum(bool(r.error) for r in made.runs) == count
    (line,) = missing(study, made)
    assert re.match(why, line)
    assert [v.word for v in made.verdicts] == ["too few seeds"]
    text = told(tmp_path)
    assert f"- {line}" in text
    assert all((tmp_path / name).is_file() for name in re.findall(r"\]\(([^)]+\.svg)\)", text))


@pytest.mark.slow
def test_an_executor_may_run_it(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        made = perform(OWN, SEEDS, (), "own", tmp_path / "one", pool)
    assert made == perform(OWN, SEEDS, (), "own", tmp_path / "two")


@pytest.mark.slow
def test_a_run_is_of_its_case_and_of_the_code_that_runs_it(tmp_path: Path) -> None:
    def other(case: Case, seed: int) -> Found:
        return run(case, seed + 1)

    def files(study: Study) -> set[str]:
        return {r.file for r in perform(study, (1,), (), "own", tmp_path).runs}

    bare = replace(OWN, effects=(), claims=(), sweeps=(), plots=(), groups=None)
    renamed = replace(bare, cases=(replace(OWN.cases[0], name="base2"), OWN.cases[1]))
    assert not files(OWN) & files(replace(OWN, run=other))
    assert len(files(OWN) & files(renamed)) == 1, "of the case that was not changed"


# ---- its folder


@pytest.mark.slow
def test_a_folder_of_another_study_or_of_ones_own_files_is_refused_unless_forced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    perform(OWN, (1,), (), "own", out)
    other = replace(OWN, name="other")
    with pytest.raises(LabFaults, match="out: holds another study, own; name another folder, or give --force"):
        perform(other, (1,), (), "other", out)
    assert "`own`" in told(out)
    perform(other, (1,), (), "other", out, force=True)
    assert "`other`" in told(out)
    assert (out / "study.json").read_text() == "other\n"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["report.md", "results.json", "runs.csv", "study.json", "calls.jsonl", "own-line.svg"])
def test_nothing_of_ones_own_is_written_over_unless_forced(name: str, tmp_path: Path) -> None:
    mine = tmp_path / name
    mine.write_text("")
    with pytest.raises(
        LabFaults, match=f"{name}: is there already, and comes from no study that was run here; .* --force"
    ):
        perform(OWN, (1,), (), "own", tmp_path)
    assert mine.read_text() == ""
    perform(OWN, (1,), (), "own", tmp_path, force=True)


def test_other_files_may_lie_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    perform(OWN, (1,), (), "own", tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


# ---- the command, and the page


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`sandbox lab run own --out out`, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)

    def call(*args: object, study: Study = OWN) -> Result:
        monkeypatch.setitem(STUDIES, "own", study)
        words = ["lab", "run", "own", "--out", "out", "--quick", *map(str, args)]
        result = CliRunner().invoke(cli, words, prog_name="sandbox")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.mark.slow
def test_the_command_says_what_is_missing_and_ends_with_1(shell: Callable[..., Result]) -> None:
    done = shell(study=odd(s2={"x": "nan"}))
    assert done.exit_code == 1
    assert "heads has no value in 1 of 12 runs (more, seed 2)" in done.stderr
    assert done.stdout.startswith("A study of one's own: 12 runs, 0 failed\n- Claim: there are more. Here: ")
    done = shell("--json", study=odd(s2={"x": "nan"}))
    assert [line.split(":")[0] for line in json.loads(done.stdout)["missing"]] == [
        "heads has no value in 1 of 12 runs (more, seed 2)"
    ]


def test_the_command_forces_its_way_into_a_folder_when_it_is_told_to(shell: Callable[..., Result]) -> None:
    Path("out").mkdir()
    Path("out", "report.md").write_text("mine")
    done = shell()
    assert done.exit_code == 2
    assert "is there already, and comes from no study that was run" in " ".join(done.stderr.split())
    assert Path("out", "report.md").read_text() == "mine"
    assert shell("--force").exit_code == 0
    assert Path("out", "report.md").read_text().startswith("# A study of one's own")


def test_the_progress_of_a_study_is_counted_in_runs(
    shell: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    units: list[tuple[str, str]] = []

    class Told(Moving):
        def __init__(self, title: str, unit: str) -> None:
            units.append((title, unit))
            super().__init__(title, unit)

    monkeypatch.setattr("sandbox.cli.telling.Moving", Told)
    assert shell().exit_code == 0
    assert units == [("running", "runs")]
    assert lab_work.COUNTED["judging"] == "questions"


@pytest.mark.slow
def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8").partition("## Studies\n")[2]
    program = tmp_path / "network.py"
    program.write_text(re.findall(r"```py\n(.*?)```", page, re.S)[0], encoding="utf-8")
    done = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": str(ROOT)})  # fmt: skip
    assert done.stdout.startswith("Claim: without a recommender less is passed on. Here: ")
    assert done.stdout.splitlines()[0].endswith("; agrees.")
    assert (tmp_path / "out" / "report.md").is_file()


def test_the_page_says_what_may_become_of_a_claim() -> None:
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8").partition("| said of a claim |")[2]
    source = inspect.getsource(study_results.claim_verdict)
    words = re.findall(r'f?"([a-z][a-z, ]+)', source)
    assert len(words) == 7
    assert all(f"| {word.strip().removesuffix(',')}" in page for word in words), words
    assert all(f"| {word}, as it was built in |" in page for word in ("agrees", "disagrees"))


def test_short_says_first_what_came_of_the_claims(tmp_path: Path) -> None:
    made = perform(OWN, SEEDS, (), "own", tmp_path)
    assert short(made) == [
        "Claim: there are more. Here: heads, more less base +1.000 [+1.000, +1.000], q .008; agrees."
    ]
    assert made.runs[0].found is not None
    assert made.runs[0].found.samples["one"] == Sample(2, 3.0, 5.0)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_a_rule_of_ours_puts_there_is_told_so_whichever_way_it_goes(sign: int, tmp_path: Path) -> None:
    words = []
    for built in ({}, {"built_in": True}, {"built_against": True}):
        made = perform(replace(OWN, claims=(Claim("there are more", "up", sign, **built),)), SEEDS, (), "own", tmp_path)
        words.append(made.verdicts[0].word)
    plain, ours = ("agrees", 1) if sign > 0 else ("disagrees", 2)
    assert words == [f"{plain}, as it was built in" if i == ours else plain for i in range(3)]


def test_the_paper_is_named_where_there_is_one_alone(tmp_path: Path) -> None:
    made = perform(OWN, SEEDS, (), "own", tmp_path / "own")
    after = perform(replace(OWN, told=replace_(OWN.told, paper=("More.",))), SEEDS, (), "own", tmp_path / "paper")
    assert [line.partition(": ")[0] for line in (short(made)[0], short(after)[0])] == ["Claim", "The paper"]
    assert "paper" not in (tmp_path / "own" / "report.md").read_text().lower()
    assert "## What the paper found" in (tmp_path / "paper" / "report.md").read_text()
