"""Inner parts of Textual: one module touches them, knows whether they are as expected, and the screen does without."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from larkspur import Clock, Town, press, screen_of, settle
from test_tui_lean import HEIGHT, WIDTH, Terminal, differing
from textual._compositor import ChopsUpdate, Compositor

import sandbox
from sandbox.cli import doctor
from sandbox.engine.scenario import Scenario
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view import textual_internals
from sandbox.tui.view.textual_internals import DRAWING, PLAIN, faults, why_plain

ROOT = Path(sandbox.__file__).parent
Cells = list[list[tuple[str, object]]]
KEYS = ("j", "w", "escape", "2", "minus", "right")


def test_all_that_is_relied_on_is_in_the_textual_that_is_installed() -> None:
    assert list(faults()) == []


async def lived(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Cells], int, bool]:
    """What the screen holds after each of some keys, what was sent for it (characters), and whether that was lean. The
    terminal shows it at the end.
    """
    app = SandboxApp(Town(scenario), clock=Clock())
    app.viewer.pace.paced.pause()
    terminal = Terminal()
    monkeypatch.setattr(app, "_display", terminal.display)
    seen: list[Cells] = []

    def look() -> None:
        strips = app.screen._compositor.render_strips()
        seen.append([[(char, s.style) for s in strip for char in s.text] for strip in strips])

    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await settle(pilot)
        for key in KEYS:
            await press(pilot, key)
            look()
        assert differing(app, terminal) == []
        return seen, terminal.lean, screen_of(app).line is not None


@pytest.mark.slow
async def test_without_them_every_cell_is_the_same(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    lean, few, was_lean = await lived(scenario, monkeypatch)
    monkeypatch.setenv(DRAWING, PLAIN)
    plain, many, still_lean = await lived(scenario, monkeypatch)
    assert (was_lean, still_lean) == (True, False)
    assert lean == plain
    assert many > few


def wider(self: Compositor, crop: object = None) -> ChopsUpdate | None:
    """A method that takes more than it did."""
    return ORIGINAL(self)


ORIGINAL = Compositor.render_partial_update


async def test_a_part_that_is_another_than_it_was_is_done_without(
    town: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Compositor, "render_partial_update", wider)
    caplog.set_level("INFO", "sandbox.tui.app.app")
    app = SandboxApp(town, clock=Clock())
    app.viewer.pace.paced.pause()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert screen_of(app).line is None
        await press(pilot, "question_mark", "j", "escape", "2", "z", "slash", "m", "escape", "1", "f12")
        assert screen_of(app).current == "town"
    (said,) = caplog.messages
    (check,) = doctor._screen()
    for text in (said, check.found):
        assert f"Textual {textual_internals.version('textual')} has other inner parts" in text
        assert "Compositor.render_partial_update()" in text
    assert check.state == "warn"


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (textual_internals, "ChopsUpdate", object),
        (textual_internals, "LayoutUpdate", object),
        (textual_internals, "Compositor", object),
        (textual_internals.Compositor, "update_widgets", None),
        (textual_internals.Compositor, "render_full_update", lambda self: None),
        (textual_internals.Screen, "_compositor_refresh", lambda self, wholly: None),
        (textual_internals.LayoutUpdate, "render_segments", lambda self, console, options: ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_guard_names_what_is_missing_or_called_otherwise(
    owner: object, name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, value)
    assert any(name in fault for fault in faults())
    assert why_plain()


def test_the_doctor_says_how_the_screen_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = doctor._screen()
    assert (check.state, "only what changes is sent" in check.found) == ("ok", True)
    monkeypatch.setenv(DRAWING, PLAIN)
    (check,) = doctor._screen()
    assert (check.state, check.mend) == ("warn", f"unset {DRAWING}")


def inner(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


TUPLES = frozenset(("_replace", "_asdict", "_fields"))  # which are public for all their underscore


def touched(tree: ast.AST, own: set[str]) -> Iterator[str]:
    """Inner names that a module imports from elsewhere, or uses of what is none of ours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and inner(node.attr) and node.attr not in own | TUPLES:
            yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(("sandbox", "__future__")):
            yield from (part for part in (node.module or "").split(".") if inner(part))
            yield from (alias.name for alias in node.names if inner(alias.name))


def defined(tree: ast.AST) -> Iterator[str]:
    """Inner names that a module gives to what it makes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.attr if node.value.id == "self" else ""
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@pytest.mark.slow
def test_no_other_module_touches_inner_parts_of_a_library() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}
    own = {
        name
        for path, tree in trees.items()
        if path.name != "textual_internals.py"
        for name in defined(tree)
        if inner(name)
    }
    found = {path.name: [*touched(tree, own)] for path, tree in trees.items()}
    assert len(found.pop("textual_internals.py")) > 5
    leaves = {"main.py": ["os._exit"], "parallel_runs.py": ["os._exit"]}  # is no inner part, for all its name
    assert {name: what for name, what in found.items() if what} == leaves
