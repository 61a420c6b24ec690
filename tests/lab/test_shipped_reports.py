"""The reports that ship are of the experiments in the tree; of those of an earlier engine their index says so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest
from msgspec.structs import replace
from shipped_reports import (
    EARLIER,
    HERE,
    INDEX,
    decided_by,
    differs,
    index,
    is_of_this_engine,
    reported_run,
)

from sandbox.core.places import PACKAGE
from sandbox.lab import code_digest
from sandbox.lab.code_digest import DATA, leans_on, module_digest
from sandbox.lab.experiment import read_experiment, shipped_experiments
from sandbox.lab.facts import asked_rows
from sandbox.lab.measuring import AXES, HOURLY, Measurements
from sandbox.lab.metrics import METRICS
from sandbox.lab.replica import replicas
from sandbox.lab.report import report_markdown
from sandbox.lab.results import LabPlan, gather_results
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.reporting import study_markdown as study_markdown
from sandbox.lab.studies.study_results import StudyRun, study_report

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"
NAMES = (*shipped_experiments(), *STUDIES)
HERD = "sandbox.lab.studies.herd"


@pytest.mark.parametrize("name", NAMES)
def test_a_report_has_the_settings_seeds_and_measures_of_the_experiment_in_the_tree(name: str) -> None:
    assert differs((FOLDER / f"{name}.md").read_text(encoding="utf-8"), name) == []


def test_the_index_says_of_each_report_whether_it_is_of_this_engine() -> None:
    assert (FOLDER / INDEX).read_text(encoding="utf-8") == index(FOLDER), "make reports"
    assert {path.stem for path in FOLDER.glob("*.md")} == {*NAMES, Path(INDEX).stem}


def town() -> str:
    """A report of two arms of the experiment, as this program writes it."""
    e = replace(read_experiment(shipped_experiments()["sentipolis"], ["no_person", "off"]), seeds=(3, 4))
    runs = [(r.arm, r.config) for r in replicas(e)]
    nothing = Measurements(
        dict.fromkeys(METRICS), {}, {key: [0.5] for key in HOURLY}, {axis: [0.0] for axis in AXES}, {"pairs": 0.0}, {}
    )
    return report_markdown(gather_results(LabPlan("sandbox", e, tuple(runs)), {c.name: nothing for _, c in runs}, {}))


def test_what_a_report_of_a_town_says_of_how_it_was_made_is_read_as_it_was_written() -> None:
    text, now = town(), read_experiment(shipped_experiments()["sentipolis"])
    had = reported_run(text, "sentipolis")
    assert asked_rows(replace(now, comparisons=now.comparisons[:1]), (3, 4)).items() <= had.items()
    assert {key: had[key] for key in had if key.startswith("`")} == {
        "`no_person`": "`memory.person=false`",
        "`off`": "`mood.on=false`",
    }
    others = {f"`{arm.name}`" for arm in now.arms if arm.name not in ("no_person", "off")}
    assert {*differs(text, "sentipolis")} == {"seeds", "compared", *others}
    made = text.replace(
        re.findall(r"files of the world \| (`\w+`)", text)[0], f"`{decided_by('sentipolis')['files of the world']}`"
    )
    assert is_of_this_engine(made, "sentipolis")
    assert not is_of_this_engine(made.replace(had["code of the engine"], "`0`"), "sentipolis")


def test_a_report_of_a_study_that_is_as_it_would_be_made_now_is_of_this_engine(tmp_path: Path) -> None:
    study = STUDIES["herd"]
    seeds = study.usual()
    runs = tuple(StudyRun(case.name, seed, "", error="not run") for case in study.cases for seed in seeds)
    made = replace(study_report(study, "sandbox", seeds, runs), code=module_digest(HERD))
    text = study_markdown(study, made, ())
    assert differs(text, "herd") == []
    (tmp_path / "herd.md").write_text(text, encoding="utf-8")
    assert index(tmp_path).endswith(f" | {HERE} |\n")
    older = study_markdown(study, replace(made, code="0" * 20, seeds=seeds[:3]), ())
    (tmp_path / "herd.md").write_text(older, encoding="utf-8")
    assert index(tmp_path).endswith(f" | {EARLIER}; since then changed: seeds |\n")
    for old, new, what in (
        ("`herding=herd`", "`herding=none`", "`herd`"),
        ("| score gained, up |", "| score |", "measure score"),
    ):
        assert what in differs(text.replace(old, new, 1), "herd")


# ---- what decides a study


CACHES = (code_digest._file, code_digest._imported, code_digest.leans_on)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package as far as the study of herds leans on it, in a folder of its own."""
    for path in leans_on(HERD):
        (tmp_path / "sandbox" / path).parent.mkdir(parents=True, exist_ok=True)
        copy(PACKAGE / path, tmp_path / "sandbox" / path)
    monkeypatch.setattr(code_digest, "PACKAGE", tmp_path / "sandbox")
    for known in CACHES:
        known.cache_clear()
    yield tmp_path / "sandbox"
    for known in CACHES:
        known.cache_clear()


def test_a_change_of_the_feed_is_another_study_and_one_of_a_screen_or_of_its_words_is_not(copied: Path) -> None:
    before = module_digest(HERD)
    (copied / "tui").mkdir()
    (copied / "tui" / "app.py").write_text("x = 1\n")
    (copied / "lab" / "studies" / "herd.yaml").write_text("title: Other\n")
    assert module_digest(HERD) == before
    for path in ("feed/recommenders.py", "data/crowd.yaml", "lab/studies/herd.py"):
        whole = (copied / path).read_bytes()
        (copied / path).write_bytes(whole + b"\n")
        assert module_digest(HERD) != before, path
        (copied / path).write_bytes(whole.replace(b"\n", b"\r\n"))  # a checkout of another platform
        assert module_digest(HERD) == before, path


def test_a_study_leans_on_no_town_and_a_town_on_all_that_lives_in_it() -> None:
    for name, study in STUDIES.items():
        files = leans_on(study.run.__module__)
        own, _, _ = name.partition("-")
        crowd = set() if own in ("friends", "glass") else {"feed/recommenders.py", "data/crowd.yaml"}
        assert {f"{study.run.__module__.removeprefix('sandbox.').replace('.', '/')}.py", *crowd} <= {*files}
        package = {"policy": {"policy"}, "glass": {"society"}}.get(own, set())
        assert {path.split("/")[0] for path in files} <= {"core", "data", "feed", "lab", "people", "talk", *package}
        assert module_digest(study.run.__module__) == decided_by(name)["Code of what decides it"]
    assert module_digest("numpy.linalg") == ""


def test_the_data_that_a_study_reads_is_part_of_what_decides_it() -> None:
    named: dict[str, set[str]] = {}
    for path in {path for study in STUDIES.values() for path in leans_on(study.run.__module__) if path.endswith(".py")}:
        module = ".".join(("sandbox", *Path(path).with_suffix("").parts))
        texts = [n.value for n in ast.walk(ast.parse((PACKAGE / path).read_bytes())) if isinstance(n, ast.Constant)]
        files = {x for x in texts if isinstance(x, str) and re.fullmatch(r"[\w/-]+\.(yaml|txt|csv|json|npz|j2)", x)}
        if files - {"settings.yaml"}:  # a user's own
            named[module] = files
    assert named == {module: {Path(one).name for one in data} for module, data in DATA.items()}
