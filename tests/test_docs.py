"""The promises of the documents: examples work, tables are complete, links lead somewhere, commands exist."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import get_args

import click
import msgspec
import pytest
from click.testing import CliRunner
from msgspec import inspect
from parameters import DEFAULTS, RANGES
from village import build, copied, sections

from sandbox.cli.main import cli
from sandbox.core.clock import DAY_RULES
from sandbox.core.fields import fields
from sandbox.engine import load_rules
from sandbox.engine.loading import read
from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import Limit, Limits
from sandbox.minds.spec import MindSpec, Model
from sandbox.people import persona, pressure_deck
from sandbox.people.mood import OCC
from sandbox.store.views_feed import VIEWS
from sandbox.talk import lines
from sandbox.town import plan

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))
MODDING = (ROOT / "docs" / "modding.md").read_text(encoding="utf-8")
SAVES = (ROOT / "docs" / "saves.md").read_text(encoding="utf-8")


def words(text: str) -> set[str]:
    """All words that stand in `code`, examples in fences apart."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {w for code in re.findall(r"`([^`]+)`", text) for w in re.findall(r"[\w.-]+", code)}


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """The village of docs/modding.md as files."""
    return build(tmp_path)


def test_the_village_of_the_guide_is_right(village: Path) -> None:
    scenario, faults = read(village)
    assert not faults.at("error", "warning")
    assert scenario is not None
    assert [p.id for p in scenario.cast] == ["ada", "finn"]
    assert any("score the loaves" in a.do for a in scenario.deck.activities)
    assert any(line.id == "green_greet_early" for line in scenario.lines.lines)
    assert scenario.drama.sparks["goose_show"].children == ("goose_envy",)
    assert [way.do for way in scenario.drama.kinds["ambition"].ways] == ["borrow"]
    assert "debt" in scenario.drama.kinds
    claims = scenario.claims
    assert ({c.id for c in claims.claims}, claims.kinds["keeps"].one) == ({"bakehouse", "boy"}, "terms")
    assert "caught_out" in {x.child for x in claims.breaches}


def test_the_village_checks_and_runs_after_every_heading_that_has_files_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert {title: len(files) for title, files in sections().items()}["A whole village"] == 9
    for title in sections():
        copied(tmp_path, title)
        check = CliRunner().invoke(cli, ["worlds", "check", "green"])
        assert (check.exit_code, check.output.count("\n")) == (0, 1), check.output  # not a warning, either
        run = CliRunner().invoke(cli, ["run", "green", "--steps", "2"])
        assert run.exit_code == 0, run.output


def test_the_village_of_the_guide_lives_and_the_program_of_the_other_proves_it(village: Path, tmp_path: Path) -> None:
    save, program = tmp_path / "green.db", tmp_path / "prove.py"
    command = [sys.executable, "-m", "sandbox", "run", str(village), "--steps", "620", "--json", "--save", str(save)]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    told = json.loads(run.stdout)
    assert told["events"] > 50
    with closing(sqlite3.connect(save)) as log:  # at half past four somebody keeps the bench
        (made,) = log.execute("select json_extract(data, '$.terms') from events where kind = 'claim_made'").fetchone()
    assert made == "the bench"
    program.write_text(re.findall(r"```python\n(.*?)```", SAVES, re.S)[0], encoding="utf-8")
    proved = subprocess.run([sys.executable, program, save], check=True, capture_output=True, text=True)
    assert proved.stdout.strip() == told["digest"]


def test_the_program_that_computes_a_digest_asks_for_the_events_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, connect = list[str](), sqlite3.connect

    def traced(*given: str) -> sqlite3.Connection:
        save = connect(*given)
        save.set_trace_callback(asked.append)
        return save

    program, save = tmp_path / "digest.py", ROOT / "saves" / "larkspur-day.db"
    program.write_text(re.findall(r"```python\n(.*?)```", SAVES, re.S)[0], encoding="utf-8")
    monkeypatch.setattr(sqlite3, "connect", traced)
    monkeypatch.setattr(sys, "argv", [str(program), str(save)])
    runpy.run_path(str(program))
    assert len([said for said in asked if "FROM events" in said]) == 1
    with closing(connect(save)) as db:
        (last,) = db.execute("SELECT digest FROM steps ORDER BY step DESC LIMIT 1").fetchone()
    assert capsys.readouterr().out.strip() == last.hex()


@pytest.mark.parametrize(
    "known",
    [
        DEFAULTS,
        DAY_RULES,
        get_args(plan.TileKind),
        plan.FLOORS,
        plan.TAGS,
        plan.ROOFS,
        get_args(persona.Voice),
        persona.HAIR,
        persona.SKIN,
        persona.BigFive.__struct_fields__,
        list(OCC),
        pressure_deck.KINDS,
        load_rules.SWITCHES,
        [s for switch in load_rules.SWITCHES.values() for s in switch],
        lines.MOVES,
        lines.REGISTERS,
        lines.FILLED,
        lines.CRITERIA,
        [v for values in lines.CRITERIA.values() for v in values],
    ],
    ids=lambda known: next(iter(known)),
)
def test_the_guide_names_every_word_there_is(known: object) -> None:
    assert isinstance(known, (dict, list, tuple))
    assert sorted(set(known) - words(MODDING)) == []


def declared(kind: object, within: frozenset[type] = frozenset()) -> set[type[msgspec.Struct]]:
    """The structs that a type is made of. within: those it is a part of, and may be again."""
    if isinstance(kind, inspect.StructType):
        if kind.cls in within:
            return set()
        within |= {kind.cls}
    inner = [getattr(kind, name) for name in ("type", "item_type", "key_type", "value_type") if hasattr(kind, name)]
    inner += [x for name in ("types", "item_types") for x in getattr(kind, name, ())]
    inner += [f.type for f in kind.fields] if isinstance(kind, inspect.StructType) else []
    own = {kind.cls} if isinstance(kind, inspect.StructType) else set()
    return own.union(*(declared(x, within) for x in inner))


def test_the_guide_names_every_key_that_is_read() -> None:
    asked = re.compile(r'\.(?:get|texts?|integer|number|flag|time|choices?|items|section)\(\s*"(\w+)"')
    keys = {
        k for path in (ROOT / "sandbox" / "engine").glob("load*.py") for k in asked.findall(path.read_text("utf-8"))
    }
    for struct in declared(inspect.type_info(Scenario)) - {MindSpec, Model, Limits, Limit}:
        keys |= {f.key for f in fields(struct).values()}
    assert len(keys) > 150
    assert sorted(keys - words(MODDING) - {"deck", "parts", "persona", "phones", "rows"}) == [], (
        "those are files, and no keys of any"
    )


def test_the_guide_names_the_defaults_and_ranges() -> None:
    told = re.findall(r"^\| `(\w+\.\w+)` \| (\S+) \| ([\w. -]+) \|", MODDING, re.M)
    assert {key: default for key, default, _ in told} == {key: str(v).lower() or '""' for key, v in DEFAULTS.items()}
    numbers = {key: where for key, _, where in told if key in RANGES}
    assert numbers == {key: f"{low} to {high}" for key, (low, high) in RANGES.items()}


def test_the_views_of_a_save_are_told() -> None:
    assert set(VIEWS) <= set(re.findall(r"^\| `(\w+)` \|", SAVES, re.M))


@pytest.mark.parametrize("page", DOCS, ids=lambda p: p.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_files_named_in_the_design_exist() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    names = re.findall(r"`((?:sandbox/)?\w+/[\w/]+\.(?:py|yaml))`", text)
    assert len(names) > 20
    for name in names:
        path = name.removeprefix("sandbox/")
        assert (ROOT / "sandbox" / path).exists() or (ROOT / path).exists(), name


def commands() -> list[str]:
    """The commands that the README shows, without their remarks."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [line.split("#")[0].strip() for line in re.findall(r"^sandbox .*$", text, re.M)]


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_readme_are_understood(line: str) -> None:
    _, name, *rest = shlex.split(line)
    command: click.Command = getattr(import_module(f"sandbox.cli.{name}"), name)
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), rest.pop(0))
        assert found is not None
        command = found
    command.make_context(name, rest).close()


def test_every_page_the_code_names_ships_and_has_the_section_it_names() -> None:
    cited = 0
    for path in sorted((*ROOT.glob("sandbox/**/*.py"), *ROOT.glob("tests/**/*.py"))):
        text = " ".join(path.read_text(encoding="utf-8").replace("#", " ").split())
        for page, section in re.findall(r"\b((?:docs|spec)/[a-z_/]+\.md)(?:, ([A-Z][a-z]+(?: [a-z]+)*))?", text):
            assert (ROOT / page).is_file(), f"{path.name} names {page}"
            cited += bool(section)
            titles = re.findall(r"^## (.+)$", (ROOT / page).read_text(encoding="utf-8"), re.M)
            assert not section or any(section.startswith(title) for title in titles), f"{path.name}: {page}, {section}"
    assert cited > 20
