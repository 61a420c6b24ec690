"""Nothing is spent unasked: a model that a world or a save names and that costs money waits for the player's word."""

from __future__ import annotations

import re
import sqlite3
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.engine.scenario import Scenario
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.spec import OLLAMA, PLAIN, MindSpec, Model, read_mind
from sandbox.store.choose_mind import FILE, META, MOST, allow, allowed_models, choice_of, withheld_words
from sandbox.store.session import create_save, open_session

PAID = Model("openai/gpt-4o")
HERE = Model("openai/gpt-4o", ("http://127.0.0.1:9/v1",))
LOGS_IN = ("github_copilot/gpt-4o", "chatgpt/gpt-5", "gigachat/GigaChat", "xai/grok", "vertex_ai/gemini", "gpt-4o")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def named(scenario: Scenario, default: Model | None, **people: Model | None) -> Scenario:
    return msgspec.structs.replace(scenario, mind=MindSpec(default, people))


# ---- whose word it is


def test_a_world_names_and_does_not_spend(larkspur: Scenario) -> None:
    spec, withheld = choice_of(named(larkspur, PAID, mara=Model("groq/x"), otis=HERE), ())
    assert spec.models == (HERE,)
    assert spec.people == {"mara": None, "otis": HERE}
    assert withheld == {"": PAID, "mara": Model("groq/x")}


def test_what_runs_on_this_computer_needs_no_word(larkspur: Scenario) -> None:
    for model in (HERE, Model("ollama_chat/llama3.2")):
        assert choice_of(named(larkspur, model), ()) == (MindSpec(model), {})


@pytest.mark.parametrize("given", [["openai/gpt-4o"], ["mara=openai/gpt-4o"]])
def test_the_command_line_is_a_word(larkspur: Scenario, given: list[str]) -> None:
    spec, withheld = choice_of(named(larkspur, PAID), given)
    assert (spec.default, withheld) == (PAID, {})


def test_a_word_on_one_is_none_on_another(larkspur: Scenario) -> None:
    spec, withheld = choice_of(named(larkspur, PAID), ["mara=openai/gpt-4o-mini"])
    assert (spec.default, spec.people) == (None, {"mara": Model("openai/gpt-4o-mini")})
    assert withheld == {"": PAID}
    assert choice_of(named(larkspur, PAID), ["embedded"]) == (MindSpec(), {})


def test_the_settings_are_a_word_on_what_they_name(larkspur: Scenario, home: Path) -> None:
    (home / "settings.yaml").write_text("mind: {budget: {day: {usd: 9}}}\n")
    assert choice_of(named(larkspur, PAID), ()).withheld == {"": PAID}
    (home / "settings.yaml").write_text("mind: {people: {una: openai/gpt-4o}}\n")
    assert choice_of(named(larkspur, PAID), ()).spec.default == PAID
    (home / "settings.yaml").write_text("mind: {people: {una: {model: openai/gpt-4o, at: 'https://a.example/v1'}}}\n")
    assert choice_of(named(larkspur, PAID), ()).withheld == {"": PAID}, "at another address it is another"


def test_a_yes_is_a_word_but_not_for_what_logs_in(larkspur: Scenario) -> None:
    world = named(larkspur, PAID, mara=Model("chatgpt/gpt-5"), otis=Model("groq/x"))
    spec, withheld = choice_of(world, (), "", ["openai/gpt-4o", "chatgpt/gpt-5"])
    assert spec.models == (PAID,)
    assert withheld == {"mara": Model("chatgpt/gpt-5"), "otis": Model("groq/x")}


# ---- what logs in by itself


@pytest.mark.parametrize("name", LOGS_IN)
def test_a_world_may_not_name_what_logs_in_by_itself(larkspur: Scenario, tmp_path: Path, name: str) -> None:
    file = tmp_path / "world.yaml"
    for text in (f"mind: {name}\n", f"mind: {{people: {{mara: '{name}@http://127.0.0.1:9/v1'}}}}\n"):
        file.write_text(text)
        faults = Faults()
        value = MappingReader(open_yaml(file, faults)).get("mind")
        assert read_mind(value, MindSpec()).models == ()
        (fault,) = faults.errors
        assert re.search(r"world\.yaml:1: mind.*may not name.*settings.*--mind", str(fault))
        assert [m.service for m in read_mind(value, MindSpec(), trusted=True).models] == [name.partition("/")[0]]
    assert not Model(name, ("http://127.0.0.1:9/v1",)).private
    assert choice_of(named(larkspur, Model(name, ("http://127.0.0.1:9/v1",))), ()).spec.models == ()
    assert choice_of(larkspur, [name]).spec.default == Model(name), "the player may"


def test_what_a_world_may_name_only_wants_a_key() -> None:
    """What is installed does nothing by itself for these services: this fails where a newer one does."""
    spec = find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "llms"
    by_itself = re.compile(
        r"webbrowser|device_?code|Authenticator\b|makedirs\(|\.mkdir\(|subprocess|google\.auth|boto3|credential_process"
    )
    looked = {service for service in PLAIN if (folder / service).is_dir()}
    assert len(looked) > 15
    for service in sorted(looked):
        for file in (folder / service).rglob("*.py"):
            assert not by_itself.search(file.read_text(encoding="utf-8")), f"{service}: {file.name}"
    for service in ("chatgpt", "github_copilot", "xai"):
        texts = [file.read_text(encoding="utf-8") for file in (folder / service).rglob("*.py")]
        assert any(map(by_itself.search, texts)), f"{service} would not have been found"
        assert service not in PLAIN
    assert set(OLLAMA) <= PLAIN


# ---- what is remembered


def test_a_yes_is_kept_with_the_player_by_save(home: Path) -> None:
    allow("one", ["openai/a"])
    allow("two", ["openai/b"])
    allow("one", ["openai/c", "openai/a"])
    assert (allowed_models("one"), allowed_models("two"), allowed_models("three")) == (
        ("openai/a", "openai/c"),
        ("openai/b",),
        (),
    )
    for n in range(MOST):
        allow(f"n{n}", ["openai/a"]) if n > MOST - 3 else None
    assert [p.name for p in home.iterdir()] == [FILE]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"one": 3}', '{"": ["openai/a"]}', "\xff"])
def test_a_file_that_is_none_allows_nothing_and_can_be_written_anew(home: Path, text: str) -> None:
    (home / FILE).write_bytes(text.encode("latin-1"))
    assert allowed_models("") == allowed_models("one") == ()
    allow("one", ["openai/a"])
    assert allowed_models("one") == ("openai/a",)


async def kept(scenario: Scenario, path: Path) -> Path:
    """A save of a world in which a model that costs money is to answer for Mara."""
    async with await create_save(named(scenario, None, mara=PAID), path):
        return path


async def test_a_sitting_asks_what_was_allowed_its_save_and_no_other(larkspur: Scenario, tmp_path: Path) -> None:
    path, other = await kept(larkspur, tmp_path / "a.db"), await kept(larkspur, tmp_path / "b.db")
    async with open_session(path) as session:
        assert isinstance(session.engine.mind, EmbeddedMind)
        assert session.withheld == {"mara": PAID}
        assert "a.db) names openai/gpt-4o for mara" in session.notice
        allow((await session.save.info()).uid, ["openai/gpt-4o"])
    async with open_session(path) as session:
        assert session.thinking is not None
        assert session.thinking.models == {"mara": "openai/gpt-4o"}
        assert (session.withheld, session.notice) == ({}, "")
    async with open_session(other) as session:
        assert session.thinking is None


async def test_a_save_cannot_say_of_itself_what_was_allowed(larkspur: Scenario, tmp_path: Path) -> None:
    path = await kept(larkspur, tmp_path / "a.db")
    db = sqlite3.connect(path)
    for key in (META, "allowed", "withheld"):
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, '["openai/gpt-4o", "mara=openai/gpt-4o"]'))
    db.commit()
    db.close()
    async with open_session(path) as session:
        assert isinstance(session.engine.mind, EmbeddedMind)
        assert session.withheld


def test_the_line_says_how_to_allow_it(home: Path) -> None:
    line = withheld_words({"": PAID, "mara": Model("groq/x")}, "the world paid")
    assert "--mind openai/gpt-4o --mind mara=groq/x" in line
    assert "settings.yaml" in line
    assert "\n" not in line


def test_a_world_that_names_one_is_read_with_a_warning(tmp_path: Path) -> None:
    file, faults = tmp_path / "world.yaml", Faults()
    file.write_text("title: x\nmind:\n  people:\n    mara: openai/gpt-4o\n    otis: ollama_chat/llama3.2\n")
    assert len(read_mind(MappingReader(open_yaml(file, faults)).get("mind"), MindSpec()).models) == 2
    (warning,) = faults
    assert re.search(r"world\.yaml:4: warning: mind.*openai/gpt-4o.*money", str(warning))
