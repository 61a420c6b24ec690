"""docs/design.md names every package, system and table there is, and no other."""

from __future__ import annotations

import inspect
import re
import sqlite3
from pathlib import Path

import sandbox
from sandbox.engine.registry import REGISTRY
from sandbox.store import schema

PACKAGE = Path(sandbox.__file__).parent
DESIGN = (PACKAGE.parent / "docs" / "design.md").read_text(encoding="utf-8")
TREES = ("sandbox", "tests", "benchmarks")
MADE_UP = {"network.py", "bridge.py", "calm.py"}  # programs of readers of the docs
CODE = re.findall(r"`([^`\n]+)`", DESIGN)


def cells(head: str) -> list[list[str]]:
    """The rows of the table with that first line, cell by cell."""
    lines = DESIGN.partition(f"\n{head}\n")[2].splitlines()[1:]
    rows = lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]
    assert len(rows) > 5
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_package_is_in_the_table_and_no_other() -> None:
    told = [name for row in cells("| package | what lives there | begin with |") for name in re.findall(r"\w+", row[0])]
    assert sorted(told) == sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py"))


def test_every_package_within_a_package_is_named() -> None:
    found = {str(p.parent.relative_to(PACKAGE)) for p in PACKAGE.glob("*/*/__init__.py")}
    named = {text.rstrip("/") for text in CODE if "/" in text} | {
        str(Path(text).parent) for text in CODE if "/" in text
    }
    assert sorted(found - named) == []


def test_every_module_that_a_comment_or_a_page_names_is_there() -> None:
    root = PACKAGE.parent
    there = [path.relative_to(root).as_posix() for name in TREES for path in (root / name).rglob("*.py")]
    pages = [
        *PACKAGE.rglob("*.py"),
        *PACKAGE.rglob("*.yaml"),
        *PACKAGE.glob("*/README.md"),
        *(root / "docs").glob("*.md"),
    ]
    lost = [
        f"{page.relative_to(root)}: {name}"
        for page in pages
        if page.name != "renamed.md"
        for name in re.findall(r"(?<![\w./*{-])([a-z_][\w/]*\.py)\b(?!\w)", page.read_text(encoding="utf-8"))
        if name not in MADE_UP and not any(path == name or path.endswith(f"/{name}") for path in there)
    ]
    assert lost == []


def test_every_path_that_is_named_is_there() -> None:
    places = [PACKAGE, PACKAGE.parent, PACKAGE.parent / "docs", *PACKAGE.glob("*/")]
    named = [text for text in CODE if re.fullmatch(r"[\w.]+/[\w/.*]*", text)]
    lost = [text for text in named if not any(any(place.glob(text.rstrip("/"))) for place in places)]
    assert len(named) > 50
    assert lost == []


def test_every_package_opens_with_a_short_page_whose_paths_are_there() -> None:
    packages = [found.parent for found in PACKAGE.glob("*/__init__.py")]
    texts = {package.name: (package / "README.md").read_text(encoding="utf-8") for package in packages}
    assert {name for name, text in texts.items() if len(text.splitlines()) > 12} == set()
    named = {path for text in texts.values() for path in re.findall(r"`([\w.]+/[\w./]*)`", text)}
    assert len(named) > 3 * len(packages)
    assert [x for x in sorted(named) if not ((PACKAGE / x).exists() or (PACKAGE.parent / x).exists())] == []


def test_the_systems_of_a_step_are_told_in_their_order() -> None:
    told = [row[0].partition("`")[2].partition("`")[0] for row in cells("| system | does | events |")]
    run = [inspect.unwrap(system) for system in REGISTRY.systems()]
    files = [Path(inspect.getfile(s if inspect.isfunction(s) else type(s))) for s in run]
    assert told == [str(file.relative_to(PACKAGE)) for file in files]


def test_the_events_that_systems_make_are_kinds_there_are() -> None:
    told = [
        kind
        for row in cells("| system | does | events |")
        for kind in re.findall(r"\w+", "".join(row[2].split("`")[1::2]))
    ]
    assert len(told) > 20
    assert set(told) <= set(REGISTRY.events)


def test_every_table_of_a_save_is_named_and_no_other() -> None:
    with sqlite3.connect(":memory:") as db:
        schema.install(db)
        made = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    line = re.search(r"Tables: (.*?);", DESIGN, re.S)
    assert line is not None
    assert set(re.findall(r"`(\w+)`", line[1])) == made
