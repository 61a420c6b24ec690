"""The recipes of CONTRIBUTING.md, each done as written: in a copy of the package, its files made, its lines added, its
program run, and what that prints compared.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LONGEST = 400  # lines of a file that a newcomer is asked to edit


class Edit(NamedTuple):
    """kind: "diff" for lines in a file there is, else the language of a new one."""

    path: str
    kind: str
    text: str


class Recipe(NamedTuple):
    """most: files that it may edit. program: what shows that it works; prints: what that prints."""

    title: str
    most: int
    edits: tuple[Edit, ...]
    program: str
    prints: str


def fenced(text: str) -> list[tuple[str, str, str]]:
    """(the last path in backticks before it, language, text) of each fence."""
    found = []
    for m in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        named = re.findall(r"`([\w/.]+/[\w.]+)`", text[: m.start()].rpartition("```")[2])
        found.append((named[-1] if named else "", m[1], m[2]))
    return found


def recipes() -> list[Recipe]:
    out = []
    for part in re.split(r"^## Recipe: ", GUIDE, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        *edits, (_, language, program), (_, words, prints) = fenced(re.split(r"^## ", text, flags=re.M)[0])
        assert (language, words) == ("python", "text"), title
        files = re.search(r"\*Files: (\d)", text)
        assert files is not None, f"{title} does not say how many files it takes"
        out.append(Recipe(title, int(files[1]), tuple(Edit(*edit) for edit in edits), program, prints))
    return out


RECIPES = recipes()


def changed(text: str, diff: str) -> str:
    """The text with the lines of a diff: those with a space or a minus must stand in it together, and once."""
    old = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[:1] in " -")
    new = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[:1] in " +")
    assert text.count(old) == 1, f"these lines stand {text.count(old)} times in the file:\n{old}"
    return text.replace(old, new)


def do(recipe: Recipe, root: Path) -> None:
    for path, kind, text in recipe.edits:
        file = root / path
        if kind == "diff":
            file.write_text(changed(file.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            assert not file.exists(), f"{path} is there already"
            file.write_text(text, encoding="utf-8")


def copied(root: Path, done: Iterable[Recipe]) -> Path:
    """A folder with a copy of the package in it, and these recipes done one after the other."""
    for name in ("sandbox", "worlds", "personas"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for recipe in done:
        do(recipe, root)
    return root


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with all recipes done."""
    return copied(tmp_path_factory.mktemp("checkout"), RECIPES)


def run(root: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(root), "SANDBOX_HOME": str(root / "home")}
    done = subprocess.run([sys.executable, *words], cwd=root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.sampled(0)
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.title)
def test_a_recipe_done_as_written_works(recipe: Recipe, copy: Path) -> None:
    (copy / "see.py").write_text(recipe.program, encoding="utf-8")
    assert run(copy, "see.py") == recipe.prints


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.title)
def test_a_recipe_takes_as_few_files_as_it_says_and_none_is_long(recipe: Recipe, copy: Path) -> None:
    files = {edit.path for edit in recipe.edits}
    assert len(files) <= recipe.most
    assert {path: n for path in files if (n := len((copy / path).read_text("utf-8").splitlines())) > LONGEST} == {}


@pytest.mark.slow
def test_what_the_recipes_write_passes_the_checks(copy: Path) -> None:
    files = sorted({edit.path for r in RECIPES for edit in r.edits})
    run(copy, "-m", "ruff", "format", "--check", *files)
    run(copy, "-m", "ruff", "check", *files)
    run(copy, "-m", "mypy", *files)


@pytest.mark.slow
def test_a_save_from_before_a_need_verifies_and_goes_on_as_if_there_were_none(tmp_path: Path) -> None:
    before = copied(tmp_path / "before", ())
    after = copied(tmp_path / "after", [r for r in RECIPES if r.title == "a need"])
    save = tmp_path / "old.db"
    run(before, "-m", "sandbox", "run", "larkspur", "--steps", "120", "--save", str(save))
    told = []
    for root in (before, after):
        mine = shutil.copy(save, root / "mine.db")
        proof = json.loads(run(root, "-m", "sandbox", "replay", mine, "--verify", "--json"))
        went_on = json.loads(run(root, "-m", "sandbox", "run", mine, "--steps", "60", "--json"))
        told.append((proof["digest"], proof["snapshots"], went_on["digest"]))
    assert told[0] == told[1]
    assert told[0][1], "no snapshot was proved"


def test_there_are_the_six_recipes_that_newcomers_ask_for() -> None:
    assert [(r.title, r.most) for r in RECIPES] == [
        ("an event that changes a feeling", 2),
        ("a pane", 2),
        ("a question that both minds answer", 3),
        ("a measure", 1),
        ("a recommender", 1),
        ("a need", 2),
    ]


# ---- hooks and the service that runs .ci/run


def test_the_hooks_are_the_checks_of_make_and_need_no_network() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (repo,) = config["repos"]
    assert repo["repo"] == "local"
    assert {hook["language"] for hook in repo["hooks"]} == {"system"}
    hooks = [hook["entry"].removeprefix(".venv/bin/python ") for hook in repo["hooks"]]
    made = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck:")[2].split("\n\n")[0]
    checks = [line.split("$(PY) ")[1].replace("--check ", "").removesuffix(" .") for line in made.splitlines()[1:]]
    assert len(checks) == 5
    assert [hook.replace(" --force-exclude", "") for hook in hooks][:5] == checks


def test_the_service_runs_what_runs_here() -> None:
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert [step["run"] for step in flow["jobs"]["run"]["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
