"""Which mind a sitting lives by: world, settings, command line, and what a save remembers of it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandbox.engine.checking import check_scenario
from sandbox.engine.loading import WorldFaults, find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import Limit, Limits
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.spec import MindSpec, Model
from sandbox.store.choose_mind import choice_of, minds_to_note
from sandbox.store.session import open_session

LOCAL = "openai/some@http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def larkspur() -> Scenario:
    return load(find_world("larkspur"))


def with_mind(scenario: Scenario, **what: object) -> Scenario:
    return msgspec.structs.replace(scenario, mind=MindSpec(**what))  # type: ignore[arg-type]


def test_nothing_said_is_the_embedded_mind(larkspur: Scenario) -> None:
    assert choice_of(larkspur, ()) == (MindSpec(), {})


def test_settings_go_before_the_world_and_the_command_line_before_both(larkspur: Scenario, home: Path) -> None:
    world = with_mind(larkspur, default=Model("ollama/world"), people={"mara": Model("ollama/own")})
    assert choice_of(world, ()).spec.default == Model("ollama/world")
    (home / "settings.yaml").write_text("theme: paper\nmind: {model: openai/mine, key: MY_KEY}\n")
    spec = choice_of(world, ()).spec
    assert spec.default == Model("openai/mine", key="MY_KEY")
    assert spec.people == {"mara": Model("ollama/own")}
    spec = choice_of(world, ["ollama/said", "otis=embedded"]).spec
    assert spec.default == Model("ollama/said")
    assert spec.people == {"otis": None}


def test_a_fault_of_the_settings_names_file_line_and_mend(larkspur: Scenario, home: Path) -> None:
    (home / "settings.yaml").write_text("theme: nowhere\nmind:\n  model: openai/mine\n  at: ftp://x\n")
    with pytest.raises(WorldFaults, match=r"settings\.yaml:[234]: mind.*http") as told:
        choice_of(larkspur, ())
    assert len(told.value.faults) == 1, "what is wrong with the look is the screen's to tell"


def test_nobody_there_is_named_with_a_mend(larkspur: Scenario) -> None:
    with pytest.raises(WorldFaults, match=r'--mind: nobody is called "mera"; did you mean "Vera"') as told:
        choice_of(larkspur, ["mera=ollama/x", "Zzyzx Q=embedded"])
    assert len(told.value.faults) == 2
    with pytest.raises(ValueError, match="is no model"):
        choice_of(larkspur, ["=ollama/x"])


@pytest.mark.parametrize("name", ["mara", "Mara", "MARA", "Mara Quill"])
def test_a_mind_is_for_somebody_by_id_or_name_now_and_when_the_save_is_opened_again(
    larkspur: Scenario, name: str
) -> None:
    name = name.replace("Mara Quill", next(p.name for p in larkspur.cast if p.id == "mara"))
    given = [f"{name}={LOCAL}"]
    for choice in (choice_of(larkspur, given), choice_of(larkspur, (), minds_to_note(given))):
        assert choice.spec.people == {"mara": Model("openai/some", ("http://127.0.0.1:9/v1",))}
        assert choice.withheld == {}


def test_a_name_of_two_asks_which_and_what_a_save_kept_of_an_id_stays(larkspur: Scenario) -> None:
    names = {"mara": "Bo Rill", "otis": "Mara Marsh"}
    cast = tuple(msgspec.structs.replace(p, name=names.get(p.id, p.name)) for p in larkspur.cast)
    crossed = msgspec.structs.replace(larkspur, cast=cast)
    with pytest.raises(WorldFaults, match=r"may be .*; say which"):
        choice_of(crossed, ["mara=embedded"])
    assert choice_of(crossed, ["Mara Marsh=embedded"]).spec.people == {"otis": None}
    assert choice_of(crossed, (), minds_to_note(["mara=embedded"])).spec.people == {"mara": None}


def test_a_save_goes_on_with_the_mind_it_was_begun_with_but_sends_nothing_away(larkspur: Scenario) -> None:
    kept = minds_to_note([LOCAL, "mara=openai/x@https://far.example/v1", "otis=embedded"])
    assert "far.example" not in kept
    assert choice_of(larkspur, (), kept).spec.default == Model("openai/some", ("http://127.0.0.1:9/v1",))
    assert choice_of(larkspur, (), kept).spec.people == {"otis": None}
    assert choice_of(larkspur, ["embedded"], kept).spec.default is None
    foreign = '["openai/x@https://far.example/v1", "openai/gpt-4o", "ollama/fine", "chatgpt/x@http://127.0.0.1"]'
    assert choice_of(larkspur, (), foreign).spec.models == (Model("ollama/fine"),)
    for odd in ("", "{", "[1]", '"x"', '["//"]'):
        assert choice_of(larkspur, (), odd).spec == MindSpec()


@pytest.mark.parametrize(
    "mind",
    [
        MindSpec(Model("openai/x", ("https://far.example/v1",))),
        MindSpec(Model("openai/x", ("http://127.0.0.1:1/v1",), "OPENAI_API_KEY")),
        MindSpec(people={"nobody": None}),
        MindSpec(limits=Limits(Limit(usd=500.0))),
        MindSpec(limits=Limits(Limit())),
        MindSpec(Model("x\x1b[2J")),
        MindSpec(asks=("anything",)),
        MindSpec(together=10**6),
    ],
)
def test_a_save_from_elsewhere_cannot_take_keys_or_money_away(larkspur: Scenario, mind: MindSpec) -> None:
    strange = msgspec.json.encode(msgspec.structs.replace(larkspur, mind=mind))
    with pytest.raises(ValueError, match=r"\w"):
        check_scenario(msgspec.json.decode(strange, type=Scenario))


@pytest.mark.slow
def test_a_world_says_its_minds_in_its_file(tmp_path: Path) -> None:
    import shutil

    world = tmp_path / "mine"
    shutil.copytree(find_world("larkspur"), world)
    text = (world / "world.yaml").read_text()
    (world / "world.yaml").write_text(text + f"\nmind: {{model: '{LOCAL}', people: {{mara: embedded}}}}\n")
    scenario = load(world)
    assert scenario.mind is not None
    assert scenario.mind.people == {"mara": None}
    check_scenario(scenario)
    (world / "world.yaml").write_text(text + "\nmind: {model: openai/x, at: https://far.example/v1}\n")
    with pytest.raises(WorldFaults, match=r"world\.yaml:\d+: mind.*settings"):
        load(world)


@pytest.mark.slow
async def test_a_sitting_says_whether_a_model_thinks(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with open_session("larkspur", save=path) as session:
        assert session.thinking is None
        assert isinstance(session.engine.mind, EmbeddedMind)
    async with open_session(path, minds=[LOCAL]) as session:
        assert session.thinking is not None
    async with open_session(path) as session:
        assert session.thinking is not None, "what was said of it before holds on"
    async with open_session(path, minds=["embedded"]) as session:
        assert session.thinking is None
