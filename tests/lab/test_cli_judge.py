"""`sandbox lab run --judge` and `sandbox lab judge`: two tiny towns, judged over real HTTP on loopback."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from judges import scores, serving, terse, wordy

from sandbox import lab
from sandbox.cli.main import cli
from sandbox.lab.experiment import read_experiment
from sandbox.lab.folder import TIMING
from sandbox.lab.judging import CRITERIA
from sandbox.lab.published import TABLE_4, TABLE_5
from sandbox.lab.replica import replicas
from sandbox.lab.wording import JUDGED
from sandbox.minds.loopback import Request, Scripted, default_answer

Shell = Callable[..., Result]


def run(*args: object) -> Result:
    """`sandbox lab`. An exception that is no exit fails the test."""
    result = CliRunner().invoke(cli, ["lab", *map(str, args)], prog_name="sandbox")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def lived(shared: Path) -> Path:
    """The folder of a small experiment of four hours that was run, with two seeds. Copy it before you change it."""
    shared.write_text(shared.read_text().replace("steps: 4", "steps: 12") + "metrics: [sentiment]\n")
    out = shared.with_name("out")
    assert run("run", shared, "--out", out).exit_code == 0
    return out


@pytest.fixture
def small(lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its file, in a folder of the test's own."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    return Path(shutil.copy(lived.with_name("small.yaml"), tmp_path))


@pytest.fixture
def shell(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run `sandbox lab`, where small.yaml lies."""
    monkeypatch.chdir(tmp_path)
    return run


@pytest.fixture
def out(lived: Path, tmp_path: Path) -> Path:
    """A copy of the folder, where the shell is: with fewer seeds, or judges, it is not lived again."""
    return Path(shutil.copytree(lived, tmp_path / "out"))


def files(out: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in out.iterdir() if p.is_file() and p.name != TIMING}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_a_run_with_two_judges_is_reported_and_neither_rerun_nor_report_asks_again(
    shell: Shell, small: Path, out: Path
) -> None:
    small.write_text(small.read_text() + "beside: sentipolis\n")
    with serving(wordy) as one, serving(terse) as two:
        judges = ["--judge", f"openai/wordy@{one.url}/v1", "--judge", f"openai/terse@{two.url}/v1"]
        done = shell("run", "small.yaml", "--out", "out", *judges, "--judge-pairs", 1)
        assert done.exit_code == 0
        said = "Judged by `openai/wordy`, a language model: whether with and without differ cannot be told"
        assert said in " ".join(done.stdout.split())
        before, asked = files(out), (one.count, two.count)
        assert min(asked) > 0
        assert shell("run", "small.yaml", "--out", "out", *judges, "--judge-pairs", 1).exit_code == 0
        assert shell("report", "out").exit_code == 0
        assert (one.count, two.count) == asked
        assert files(out) == before
    text = (out / "report.md").read_text()
    assert "No judge was asked" not in text
    assert "none is judged" not in text
    assert "said by language models" in text
    assert "### By `openai/terse`" in text
    assert "known biases" in text
    assert "says nothing: over two of them it can only be 1 or -1" in text.replace("\n", " ")
    assert "| Sonnet-4.5 | GPT-5.2 | 5.29 → 7.07 |" in text
    assert {row["judge"] for row in rows(out / "judged.csv")} == {"openai/wordy", "openai/terse"}
    scored = [row for row in rows(out / "judged.csv") if row["pairs"] != "0"]
    assert scored
    for row in scored:
        assert float(row["difference_mean"]) == pytest.approx(
            float(row["one_mean"]) - float(row["other_mean"]), abs=1e-5
        )
    rho = {row["criterion"]: row["rho"] for row in rows(out / "agreement.csv")}
    assert float(rho["empathy"]) == pytest.approx(-1.0)
    said = json.loads((out / "results.json").read_text())["judged"]["said"]
    assert len(said) == len(rows(out / "judgements.csv"))


@pytest.mark.slow
def test_without_judges_nothing_is_judged_and_what_was_is_kept(shell: Shell, out: Path) -> None:
    plain, judged = files(out), {f"{name}.csv" for name in JUDGED}
    assert not judged & {*plain}
    assert json.loads((out / "results.json").read_text())["judged"] is None
    with serving(wordy) as server:
        judge = f"openai/wordy@{server.url}/v1"
        assert shell("judge", "out", "--judge", judge, "--judge-pairs", 1).exit_code == 0
        asked = server.count
        assert judged < {*files(out)}
        assert "sandbox lab judge DIR --judge openai/wordy@" in (out / "report.md").read_text()
        shell("run", "small.yaml", "--out", "out")
        kept = files(out)
        assert kept.pop("judges.jsonl")
        assert kept == plain
        assert shell("judge", "out", "--judge", judge, "--judge-pairs", 1).exit_code == 0
        assert server.count == asked


@pytest.mark.slow
def test_judges_that_come_later_join_those_before(shell: Shell, out: Path) -> None:
    shell("run", "small.yaml", "--out", "out", "--seeds", 1)
    with serving(wordy) as one, serving(terse) as two:
        shell("judge", "out", "--judge", f"openai/wordy@{one.url}/v1", "--judge-pairs", 2)
        asked = one.count
        found = json.loads(shell("judge", "out", "--judge", f"openai/terse@{two.url}/v1", "--json").stdout)
        assert (one.count, two.count) == (asked, asked)
    assert found["plan"]["judging"]["pairs"] == 2
    assert {bill["judge"] for bill in found["judged"]["bills"]} == {"openai/wordy", "openai/terse"}


@pytest.mark.slow
def test_who_made_a_folder_cannot_have_its_talks_or_my_key_sent_anywhere(
    shell: Shell, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    shell("run", "small.yaml", "--out", "out", "--seeds", 1)
    with serving(wordy) as one, serving(lambda request: Scripted("nonsense")) as theirs:
        shell("judge", "out", "--judge", f"openai/theirs@{theirs.url}/v1", "--judge-pairs", 1)
        asked = theirs.count
        calls = (out / "judges.jsonl").read_text().splitlines()
        for left in ([], calls[:1]):  # nothing was said, or a first answer that wants another try
            (out / "judges.jsonl").write_text("".join(f"{line}\n" for line in left))
            assert shell("report", "out").exit_code == 1
            done = shell("judge", "out", "--judge", f"openai/wordy@{one.url}/v1")
            assert "openai/theirs: " in done.stderr
            assert "it was not asked" in done.stderr
        assert theirs.count == asked
        assert one.count > 0


@pytest.mark.slow
def test_a_plan_with_judges_that_there_cannot_be_is_told(shell: Shell, out: Path) -> None:
    plan = out / "plan.json"
    text = plan.read_text()
    for judging in ({"judges": ["no model"]}, {"judges": []}, {"judges": ["a/b"], "pairs": 0}):
        plan.write_text(json.dumps({**json.loads(text), "judging": judging}))
        done = shell("report", "out")
        assert done.exit_code == 2
        assert "is not the plan of an experiment" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_a_judge_that_cannot_be_asked_is_exit_1_and_says_why(shell: Shell, out: Path) -> None:
    with serving(lambda request: Scripted(status=401)) as server:
        done = shell("run", "small.yaml", "--out", "out", "--seeds", 1, "--judge", f"openai/x@{server.url}/v1")
    assert done.exit_code == 1
    assert "never came: openai/x refused the request (401): its name, address or key is wrong" in done.stderr
    text = (out / "report.md").read_text()
    assert "| Empathy | 0 to 10 | – | – | – | – | – | – | 0 of" in text


@pytest.mark.slow
def test_where_nobody_talks_in_words_nothing_is_judged_and_that_is_said(shell: Shell, small: Path) -> None:
    small.write_text(small.read_text().replace("talk.quiet=false", "talk.quiet=true"))
    with serving(wordy) as server:
        done = shell("run", "small.yaml", "--out", "quiet", "--seeds", 1, "--judge", f"openai/x@{server.url}/v1")
        assert server.count == 0
    assert done.exit_code == 1
    assert "nothing was judged: no seed has the same two people talking in words in both arms" in done.stderr
    assert "talk.quiet=false in both" in done.stderr


@pytest.mark.slow
def test_stopped_it_keeps_what_was_said(shell: Shell, out: Path, tmp_path: Path) -> None:

    def stopping(request: Request) -> Scripted:
        if request.n == 3:
            os.kill(os.getpid(), signal.SIGINT)
            return Scripted(delay=5.0)
        return scores(6, 5)

    (tmp_path / "home" / "settings.yaml").parent.mkdir(exist_ok=True)
    (tmp_path / "home" / "settings.yaml").write_text("mind: {together: 1}\n")
    with serving(stopping) as server:
        done = shell("judge", "out", "--judge", f"openai/x@{server.url}/v1")
    assert done.exit_code == 130
    assert "stopped; of the answers, all that are complete are kept in out: the same command goes on" in done.stderr
    lines = (out / "judges.jsonl").read_text().splitlines()
    assert len(lines) == 3
    with serving(lambda request: scores(6, 5)) as server:
        assert shell("judge", "out", "--judge", f"openai/x@{server.url}/v1").exit_code == 0
        total = len((out / "judges.jsonl").read_text().splitlines())
        assert server.count == total - 3


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["run", "small.yaml", "--out", "out", "--judge", "no model"], "is no model; write it as litellm does"),
        (["run", "small.yaml", "--out", "out", "--judge", "ann=openai/x"], "is no model; write it as litellm does"),
        (["run", "small.yaml", "--out", "out", "--judge", "embedded"], "the embedded mind cannot judge"),
        (["run", "small.yaml", "--out", "out", "--judge", "a/b", "--judge", "a/b@http://x:1"], "is named twice"),
        (["run", "small.yaml", "--out", "out", "--judge", "a/b", "--judge-pairs", "0"], "--judge-pairs"),
        (["run", "small.yaml", "--out", "out", "--judge-pairs", "3"], "name a judge with --judge"),
        (["run", "small.yaml", "--out", "out", "--arm", "with", "--judge", "a/b"], "no two arms that could be judged"),
        (["run", "bad.yaml", "--out", "out"], 'bad.yaml:14: judge[1][2]: no arm "wihtout"; did you mean "without"?'),
        (["judge", "out", "--judge", "a/b"], "holds no plan.json"),
        (["judge", "out"], "no judge is named"),
    ],
)
def test_bad_input_is_exit_2_with_place_and_mend(shell: Shell, small: Path, args: list[str], says: str) -> None:
    small.with_name("bad.yaml").write_text(small.read_text() + "judge: [[with, wihtout]]\n")
    done = shell(*args)
    assert done.exit_code == 2, done.output
    assert says in " ".join(done.stderr.split())
    assert not Path("out").exists()


def test_an_experiment_says_which_arms_are_judged(small: Path) -> None:
    found = read_experiment(small)
    assert [(c.arm, c.against) for c in found.judged] == [("with", "without")]
    small.write_text(small.read_text() + "judge: [[without, with]]\n")
    found = read_experiment(small)
    assert [(c.arm, c.against) for c in found.judged] == [("without", "with")]
    assert read_experiment(small, ["with"]).judged == ()


def test_the_papers_scores_are_all_there() -> None:
    assert [len(models) for models in TABLE_5.values()] == [3, 3, 3]
    for models in TABLE_5.values():
        for of in models.values():
            assert set(of) == set(CRITERIA) == set(TABLE_4)
    assert TABLE_5["GPT-5.1"]["GPT-5.2"]["continuity"] == (3.169, 6.662)


# ---- towns that a model speaks for


@pytest.mark.slow
def test_a_replica_lives_with_a_language_mind_and_its_config_names_the_model_but_no_key(
    shell: Shell, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with serving(default_answer) as server:
        mind = f"openai/test@{server.url}/v1"
        done = shell("run", "small.yaml", "--out", "out", "--seeds", 1, "--mind", mind)
        assert done.exit_code == 0, done.output
        assert server.count > 0
        config = replicas(read_experiment(small), [mind])[0].config
    assert config.minds == (mind,)
    save = config.save(tmp_path / "out" / "runs")
    assert save.is_file()
    assert config.name != replicas(read_experiment(small), ["openai/other"])[0].config.name
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another")
    assert replicas(read_experiment(small), [mind])[0].config == config
    db = sqlite3.connect(save)
    assert db.execute("SELECT count(*) FROM calls WHERE model = 'openai/test' AND fault = ''").fetchone()[0] > 0
    asked = {kind for (kind,) in db.execute("SELECT DISTINCT question FROM calls")}
    assert {"Appraise", "DescribeMood"} <= asked  # which players' models are not
    db.close()
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or b"sk-very" not in path.read_bytes(), path
    assert f"| minds | {mind} |" in (tmp_path / "out" / "report.md").read_text()
    assert "NO ANSWER CAME" not in done.stdout
    arms = json.loads((tmp_path / "out" / "results.json").read_text())["arms"]
    assert all(arm["answered"] > 0 for arm in arms)
    answers = f"with {arms[0]['answered']} calls answered, {arms[0]['stood_in']:,} stood in"
    assert answers in " ".join(done.stdout.split())


@pytest.mark.slow
def test_a_run_whose_model_never_answers_says_so_before_anything_else(
    shell: Shell, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    small.write_text(small.read_text().replace("steps: 12", "steps: 1").replace("20:00", "08:00"))  # few are asked
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.yaml").write_text("mind: {patience: 1, together: 32}\n")
    with serving(lambda request: Scripted(status=401)) as server:
        done = shell("run", "small.yaml", "--out", "out", "--seeds", 1, "--mind", f"openai/test@{server.url}/v1")
    assert done.stdout.splitlines()[1].startswith("- NO ANSWER CAME FROM THE MODEL")
    text = (tmp_path / "out" / "report.md").read_text()
    assert "## In short\n\n- NO ANSWER CAME FROM THE MODEL" in text
    assert text.count("NO ANSWER CAME FROM THE MODEL") == 2  # once more under What was run
    arm = json.loads((tmp_path / "out" / "results.json").read_text())["arms"][0]
    assert arm["answered"] == 0
    assert arm["stood_in"] > 0


@pytest.mark.slow
def test_a_program_is_warned_of_answers_that_never_came(shell: Shell, out: Path) -> None:
    with (
        serving(lambda request: Scripted(status=401)) as server,
        pytest.warns(UserWarning, match=r"openai/x: [\d,]+ answers never came: openai/x"),
    ):
        lab.run("small.yaml", seeds="1-1", judges=f"openai/x@{server.url}/v1", out="warned")
