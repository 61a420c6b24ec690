"""A save is of the code, the rules and the files that it was lived by: with others, it is lived anew."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path

import pytest

import sandbox
from sandbox.drama import needs
from sandbox.engine.engine import Engine
from sandbox.engine.registry import Registry
from sandbox.lab import code_digest
from sandbox.lab.experiment import LabFaults, read_experiment
from sandbox.lab.parallel_runs import run_many, workers
from sandbox.lab.replica import Config, replicas
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people import domain, memory_columns, mood, mood_events
from sandbox.talk import move_rules, turns

Patch = Callable[[pytest.MonkeyPatch], object]


async def nothing(*_: object) -> None:
    """A system that does nothing."""


def other(*_: object, **__: object) -> None:
    return None


RULES: dict[str, Patch] = {
    "a system": lambda m: m.setattr(needs, "need", nothing),
    "a system where it is listed": lambda m: m.setattr(domain, "feel", nothing),
    "the list of systems": lambda m: m.setattr(Registry, "systems", other),
    "a rule": lambda m: m.setattr(move_rules, "length", other),
    "a rule that another has imported": lambda m: m.setattr(turns, "run_exchanges", nothing),
    "a rule with a cache": lambda m: m.setattr(memory_columns, "_query", other),
    "a rule from within": lambda m: m.setattr(mood_events.feel, "__code__", nothing.__code__),
    "a method": lambda m: m.setattr(Engine, "step", nothing),
    "an answer": lambda m: m.setattr(EmbeddedMind, "answer", nothing),
    "a number": lambda m: m.setattr(move_rules, "STAY", 0.75),
    "a number of the same size": lambda m: m.setattr(move_rules, "RETURN", "0.4"),
    "a type": lambda m: m.setattr(mood, "Mood", type("Mood", (), {"__module__": "elsewhere"})),
}


def test_nothing_is_taken_for_replaced_where_nothing_was() -> None:
    for found in pkgutil.walk_packages(sandbox.__path__, "sandbox."):
        if found.name.split(".")[1] not in code_digest.READERS and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    assert code_digest.patched_code() == ""
    assert code_digest.code() == code_digest.on_disk()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_replaced_in_the_process_is_other_code(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_digest.code()
    with monkeypatch.context() as patched:
        RULES[rule](patched)
        first = code_digest.code()
        assert first != before
        assert code_digest.code() == first
    assert code_digest.code() == before


def test_a_readers_own_functions_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_digest.code()
    monkeypatch.setattr("sandbox.lab.measuring.measure_one", other)
    monkeypatch.setattr("sandbox.readers.day.make_digest", other)
    assert code_digest.code() == before


def config(small: Path) -> Config:
    return replicas(read_experiment(small, ["with"]))[0].config


@pytest.mark.slow
def test_with_another_rule_the_save_of_the_old_one_is_not_taken(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = config(small)
    run_many([old], tmp_path / "runs")
    assert run_many([config(small)], tmp_path / "runs")[old.name].skipped
    monkeypatch.setattr(move_rules, "length", lambda *args, **more: 1)
    new = config(small)
    assert new.name != old.name
    (found,) = run_many([new], tmp_path / "runs").values()
    assert (found.skipped, found.error) == (False, "")
    with workers(jobs=2) as pool:  # what was replaced here is not replaced there
        (told,) = run_many([new], tmp_path / "there", pool).values()
    assert "this worker has another version or other code" in told.error


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["world.yaml", "lines.yaml", "personas/ada.yaml"])
def test_a_file_of_the_world_changed_while_the_program_runs_is_another_save(
    village: Path, small: Path, name: str
) -> None:
    old = config(small)
    assert config(small) == old
    path = village / name
    text = path.read_text(encoding="utf-8")
    changed = {
        "world.yaml": ("title: ", "title: New "),
        "lines.yaml": (".", "!"),
        "personas/ada.yaml": ("name: Ada", "name: Adah"),
    }
    assert changed[name][0] in text
    path.write_text(text.replace(*changed[name], 1), encoding="utf-8")
    assert config(small).name != old.name


@pytest.mark.slow
def test_a_file_of_the_package_changed_while_the_program_runs_is_told(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has been read of it, and what not, nobody can tell any more."""
    package = tmp_path / "package"
    (package / "data").mkdir(parents=True)
    (package / "tui").mkdir()
    (package / "data" / "deck.yaml").write_text("a: 1")
    monkeypatch.setattr(code_digest, "PACKAGE", package)
    monkeypatch.setattr(code_digest, "BEGAN", code_digest.on_disk())
    old = config(small)
    (package / "tui" / "screen.py").write_text("the screen decides nothing")
    (package / "data" / "README.md").write_text("and no page does")
    assert config(small) == old
    (package / "data" / "deck.yaml").write_text("a: 2")
    with pytest.raises(LabFaults, match="own files have changed since it was started; start it again"):
        config(small)
    monkeypatch.setattr(code_digest, "BEGAN", code_digest.on_disk())  # as a program started now has it
    assert config(small).name != old.name
