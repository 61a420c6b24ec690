"""A save from anywhere: what it says reaches the screen as text; what is wrong with it is one line and exit code 2."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clishell import Shell, read

from sandbox.cli import telling
from sandbox.store.schema import from_stored

ESCAPE = "\x1b[2J\x1b]0;x\x07\x9b31m\u202e"
ACTIVE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
READERS = [
    ["run", "--steps", "2"],
    ["run", "--steps", "2", "--save", "b.db"],
    ["play"],
    ["replay"],
    ["saves", "info"],
    ["export", "--what", "moods"],
]


def edit(save: Path, *statements: str) -> None:
    db = sqlite3.connect(save)
    with db:
        for one in statements:
            db.execute(one)
    db.close()


def craft(save: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the scenario of a save, and leave the rest."""
    db = sqlite3.connect(save)
    with db:
        data = json.loads(from_stored(db.execute("SELECT * FROM events WHERE seq = 1"))[0][7])
        change(data["scenario"])
        db.execute("UPDATE events SET data = ? WHERE seq = 1", (json.dumps(data),))
    db.close()


SCENARIOS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "step": (lambda s: s.update(step=0), "Expected `int` >= 10 - at `$.scenario.step`"),
    "start": (lambda s: s.update(start="junk"), "is no start"),
    "areas": (lambda s: s["plan"].update(sectors=[]), "$.scenario.plan.sectors"),
    "names": (
        lambda s: [p.update(name=" ") for p in s["cast"]],
        "Expected `str` that is not empty - at `$.scenario.cast[0].name`",
    ),
    "hair": (lambda s: s["cast"][0]["look"].update(hair="green"), "that is one of black, brown, chestnut, blond,"),
    "title": (lambda s: s.update(title=ESCAPE), "cannot be printed"),
    "lines": (lambda s: s["lines"].update(lines=[]), "has no line that always fits"),
    "parameter": (lambda s: s.update(parameters={"mood.half_life": 0}), "half_life"),
    "map": (lambda s: s["plan"].update(rows=["." * 3000] * 3000), "3000 by 3000"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_world_that_could_not_be_lived_is_told_in_a_line(shell: Shell, save: Path, name: str) -> None:
    change, says = SCENARIOS[name]
    craft(save, change)
    for command in READERS:
        done = shell(*command, save)
        if command == ["saves", "info"] and name != "start":  # tells what it holds, lived or not
            assert done.code == 0, done.err
            assert "(larkspur), seed " in done.out
            continue
        assert done.code == 2, command
        told = done.err.splitlines()[-1]
        assert says in told
        assert "no world that can be lived" in told or command == ["saves", "info"]
        assert not ACTIVE.search(done.err)
        assert not Path("b.db").exists()
    proof = shell("replay", save, "--verify")
    assert proof.code == 1
    assert "step 0 differs" in proof.out


@pytest.mark.parametrize("odd", ["t = 999999999999999", "t = 'abc'", "last_seq = 'abc'", "digest = 7"])
def test_an_odd_step_is_told_in_a_line(shell: Shell, save: Path, odd: str) -> None:
    edit(save, f"UPDATE steps SET {odd} WHERE step = 60")
    for command in (*READERS, ["export"]):
        done = shell(*command, save)
        assert done.code == 2, command
        assert "holds an odd step" in done.err.splitlines()[-1]
    assert "holds an odd step" in shell("saves", "list", save.parent).err
    assert shell("replay", save, "--verify").code == 1


STEP_OF_NOTHING = (
    "INSERT INTO events SELECT max(seq) + 1, 60, 3599, 'step_set', 1, '', '[]', '{\"seconds\":0}' FROM events",
    "UPDATE steps SET last_seq = (SELECT max(seq) FROM events) WHERE step = 60",
)


@pytest.mark.parametrize(
    "odd",
    [
        ("UPDATE events SET causes = X'ff' WHERE seq = 50",),
        ("UPDATE events SET t = 'x' WHERE seq = 50",),
        ("UPDATE events SET data = X'7b7d' WHERE seq = 50",),
        STEP_OF_NOTHING,
    ],
    ids=["causes", "t", "data", "step_set"],
)
def test_an_event_that_cannot_be_read_is_told_in_a_line(shell: Shell, save: Path, odd: tuple[str, ...]) -> None:
    edit(save, "DELETE FROM snapshots", *odd)
    for command in (["run", "--steps", "2"], ["replay"], *([["export"]] if odd != STEP_OF_NOTHING else [])):
        done = shell(*command, save)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
    assert shell("replay", save, "--verify").code == 1


def test_data_that_is_no_json_is_not_exported_as_if_it_were(shell: Shell, save: Path) -> None:
    edit(save, "UPDATE events SET data = '{}' || char(10) || '{' WHERE seq = 50")
    done = shell("export", save)
    assert done.code == 2
    assert "cannot be read" in done.err


def speak_in_escapes(save: Path) -> None:
    """Put commands for a terminal into all that people say, and into the notes on the save."""
    db = sqlite3.connect(save)
    with db:
        for seq, data in db.execute("SELECT seq, data FROM events WHERE typeof(data) = 'text'").fetchall():
            event = json.loads(data)
            for key in ("topic", "gist"):
                if isinstance(event.get(key), str):
                    event[key] += ESCAPE
            if "lines" in event:
                lines = [[x + ESCAPE if isinstance(x, str) and " " in x else x for x in one] for one in event["lines"]]
                event["lines"] = lines
            db.execute("UPDATE events SET data = ? WHERE seq = ?", (json.dumps(event, ensure_ascii=False), seq))
        db.execute("DELETE FROM snapshots")
        db.execute("UPDATE meta SET value = ? WHERE key IN ('title', 'uid', 'created')", (f"x[/y]{ESCAPE}",))
    db.close()


COMMANDS = [
    ["replay"],
    ["run", "--steps", "2"],
    ["saves", "info"],
    ["saves", "info", "--json"],
    ["saves", "list"],
    ["saves", "list", "--json"],
    ["export"],
    ["export", "--format", "csv"],
    *(["export", "--format", form, "--what", what] for form in ("csv", "jsonl") for what in ("talk", "memories")),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_word_of_a_save_is_a_command_to_the_terminal(shell: Shell, save: Path, command: list[str]) -> None:
    speak_in_escapes(save)
    done = shell(*command, save.parent if "list" in command else save)
    assert done.code == 0, done.err
    assert len(done.out) > 100
    assert not ACTIVE.search(done.out + done.err)


def test_kinds_and_actors_are_cleaned_in_an_export(shell: Shell, save: Path) -> None:
    edit(save, "UPDATE events SET kind = 'k' || char(27) || '[2J', actor = char(155) || '2J' WHERE seq = 50")
    lines, table = shell("export", save), shell("export", save, "--format", "csv")
    assert (lines.code, table.code) == (0, 0)
    assert not ACTIVE.search(lines.out + table.out)
    row = json.loads(lines.out.splitlines()[49])
    assert (row["kind"], row["actor"]) == ("k\x1b[2J", "\x9b2J")
    csv.field_size_limit(1 << 24)
    assert list(csv.reader(io.StringIO(table.out)))[50][3] == "k<U+001B>[2J"
    edit(save, "DELETE FROM snapshots")  # else what goes on from one reads no earlier event
    for command in ("replay", "run"):
        told = shell(command, save)
        assert told.code == 2
        assert not ACTIVE.search(told.err)


def test_where_nothing_is_odd_an_export_says_what_is_stored(shell: Shell, save: Path) -> None:
    rows = [json.loads(line) for line in shell("export", save).out.splitlines()]
    kept = from_stored(read(save, "SELECT * FROM events ORDER BY seq"))
    assert [(r["seq"], r["kind"], r["causes"], r["data"]) for r in rows] == [
        (seq, kind, json.loads(causes), json.loads(data)) for seq, _, _, kind, _, _, causes, data in kept
    ]


def test_a_title_that_looks_like_markup_breaks_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with telling.progress_bar(f"Larkspur [/x] [bold]{ESCAPE}", "steps") as moved:
        moved(1, 2)
    assert "\x1b]0;" not in screen.getvalue()


@pytest.mark.sampled(0, slow=1)
@pytest.mark.parametrize(("step", "steps"), [("10s", 9360), ("20m", 80), ("1h", 27)])
def test_days_are_told_again_over_two_nights(shell: Shell, world: Path, step: str, steps: int) -> None:
    """From before one midnight until after the next, where nothing may happen in the steps after midnight."""
    for asks in ("pressures.yaml", "goals.yaml"):  # goals ask what became of what pressures and votes decide
        (world / asks).unlink()
    text = (world / "world.yaml").read_text()
    text = re.sub(r"^    decides:.*\n(?:      .*\n)+", "", text, flags=re.M)  # which speaks of those pressures
    claims, doings = world / "claims.yaml", world / "activities.yaml"  # what is so, and done, by what is decided
    claims.write_text(re.sub(r"^uses:\n(?:  .*\n)+", "", claims.read_text(), flags=re.M))
    doings.write_text(re.sub(r"^  [^\n{]+: \{[^}]*claim: [^}]*\}\n", "", doings.read_text(), flags=re.M))
    (world / "world.yaml").write_text(re.sub(r"^start: .*$", 'start: "2025-03-04 22:30"', text, flags=re.M))
    assert shell("run", world, "--step", step, "--steps", steps, "--save", "n.db", "--json").code == 0
    done = shell("replay", "n.db")
    assert done.code == 0, done.err
    assert re.findall(r"Tuesday 4 March|Wednesday 5 March|Thursday 6 March", done.out)[0] == "Tuesday 4 March"
    assert "Wednesday 5 March" in done.out


def test_a_save_without_its_first_event_is_told_so(shell: Shell, save: Path) -> None:
    db = sqlite3.connect(save)
    with db:
        db.execute("DELETE FROM events WHERE seq = 1")
    db.close()
    done = shell("saves", "info", save)
    assert (done.code, done.out) == (2, "")
    assert "lacks its first event" in done.err
