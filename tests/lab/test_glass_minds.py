"""Societies in which a language model speaks for each agent, over real HTTP on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from judges import serving

from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.glass_minds import KINDS, MindedSetup
from sandbox.lab.studies.minds import StudyModels
from sandbox.lab.studies.performing import perform
from sandbox.lab.studies.study import Found
from sandbox.minds import client
from sandbox.minds.loopback import Request, Scripted
from sandbox.minds.spec import Model
from sandbox.society.items import shipped_items


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(client, "PAUSE", 0.001)


PITCH = {"pitch": "Work with me: I know who was away.", "tokens": 60, "rounds": 3, "effort": 0.5}
GRANT = {"accepted": True, "tokens": 40, "rounds": 2, "effort": 0.25}


def asks(request: Request) -> str:
    assert request.schema is not None
    return next(key for key in ("pitch", "accepted", "answer") if key in request.schema["properties"])


def told(request: Request) -> str:
    text: str = request.messages[1]["content"]
    return text


def agents(**changes: Any) -> Callable[[Request], Scripted]:
    """AnswersItems by what is asked; changes: in place of an answer."""

    def script(request: Request) -> Scripted:
        asked = asks(request)
        given = {"pitch": PITCH, "accepted": GRANT, "answer": {"why": "So.", "answer": "b"}}[asked]
        said = changes.get(asked, given)
        return Scripted(said if isinstance(said, str) else json.dumps(said))

    return script


def lived(
    script: Callable[[Request], Scripted], out: Path, study: str = "glass-ceiling", case: str = "same", users: int = 12
) -> tuple[Found, list[Request]]:
    with serving(script) as server:
        models = [Model(name, (f"{server.url}/v1",)) for name in ("openai/m", "openai/n")]
        by = StudyModels(models[0], (), users, {"B": models[1]})
        made = perform(STUDIES[study], (3,), (case,), "C", out, by=by)
        (run,) = made.runs
        assert run.error == ""
        assert run.found is not None
        return run.found, server.asked


def test_twelve_agents_grow_without_a_lost_step_and_the_same_answers_ask_nobody_again(tmp_path: Path) -> None:
    found, asked = lived(agents(), tmp_path)
    assert found.values["agents"] == 12
    steps = found.values["steps"]
    assert steps is not None
    assert steps >= 8
    trials = [asks(request) for request in asked]
    assert trials.count("pitch") == trials.count("accepted") == 3 * steps
    assert sum(found.values[kind.replace(" ", "_")] or 0 for kind in KINDS) == 0
    assert {h.model for h in found.heard} == {"openai/m", "openai/n"}, "type B has a model of its own"
    again, none = lived(lambda request: pytest.fail("asked again"), tmp_path)
    assert again == found
    assert not none


def test_who_asks_is_told_what_they_hold_and_who_is_asked_reads_the_pitch(tmp_path: Path) -> None:
    _, asked = lived(agents(), tmp_path, case="explainer")
    pitches = [told(request) for request in asked if asks(request) == "pitch"]
    grants = [told(request) for request in asked if asks(request) == "accepted"]
    snippets = [snippet.text for item in shipped_items("qa") for snippet in item.snippets]
    for text in (*pitches, *grants):
        known = text.split("turn")[0] if text in pitches else text
        assert "explainer: you lay open" in known or "verifier: you check" in known
        assert sum(snippet in text for snippet in snippets) == (1 if text in pitches else 2) or (
            text in grants and text.count(next(s for s in snippets if s in text)) == 2
        ), "one holds one snippet, and is shown that of who asks"
    assert all(
        "I know who was away" in text and "60 tokens" in text and "its model: openai/" in text for text in grants
    )


REFUSAL = {"accepted": False, "tokens": 0, "rounds": 0, "effort": 0}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (REFUSAL, "turned_down"),
        (GRANT | {"effort": 100}, "out_of_range"),
        (GRANT | {"tokens": -1}, "out_of_range"),
        ('{"accepted": true, "tokens": NaN, "rounds": 1, "effort": NaN}', "other_form"),
        ({"accepted": True, "tokens": 5}, "other_form"),
        (REFUSAL | {"tokens": 9}, "other_form"),
        ("I would be glad to work with them, for they seem kind.", "no_JSON"),
        ("", "no_JSON"),
        ('{"accepted": true, "tokens": 40, "rou', "too_long"),
    ],
)
def test_what_is_no_grant_is_asked_again_then_counted_and_grants_nothing(
    answer: Any, kind: str, tmp_path: Path
) -> None:
    found, asked = lived(agents(accepted=answer), tmp_path, users=6)
    steps = found.values["steps"] or 0
    assert found.values[kind] == 3 * steps
    assert found.values["agents"] == 6
    assert found.values["asked"] == pytest.approx(0.5), "nothing was added"
    tries = [asks(request) for request in asked].count("accepted")
    assert tries == 3 * steps if answer == REFUSAL else tries > 3 * steps


def test_without_a_pitch_nobody_is_asked_for_a_grant(tmp_path: Path) -> None:
    found, asked = lived(agents(pitch=PITCH | {"pitch": " "}), tmp_path, users=6)
    assert found.values["no_words"] == 3 * (found.values["steps"] or 0)
    assert {asks(request) for request in asked} == {"pitch"}


def test_in_a_debate_each_answers_alone_before_they_turn_to_anybody(tmp_path: Path) -> None:
    _, asked = lived(agents(), tmp_path, case="proponent", users=8)
    alone = [told(request) for request in asked if asks(request) == "answer"]
    assert len(alone) == 8
    assert not any("You think so far" in text or "says:" in text for text in alone)
    assert all("You think so far" in told(request) for request in asked if asks(request) == "pitch")


@pytest.mark.slow
def test_a_claim_is_kept_to_and_heard_and_answers_follow_what_is_read(tmp_path: Path) -> None:
    def follows(request: Request) -> Scripted:
        if asks(request) != "answer":
            return agents()(request)
        lines = told(request).split("\n")
        voice = next((line for line in lines if line.startswith("Agent ") and " says: " in line), "")
        letters = {line[3:]: line[0] for line in lines if line[1:3] == ": "}
        said = voice.split(" says: ")[1].split(", and goes by")[0] if voice else ""
        return Scripted(json.dumps({"why": "So.", "answer": letters.get(said, "a")}))

    loud, _ = lived(follows, tmp_path / "a", "glass-rumour", "false_central", 10)
    quiet, _ = lived(follows, tmp_path / "b", "glass-rumour", "quiet", 10)
    assert loud.curves["false"][0] >= 0.1, "whoever is planted says it from the first"
    assert (loud.values["false_end"] or 0) > (quiet.values["false_end"] or 0)
    assert loud.values["alone"] is not None


@pytest.mark.slow
def test_a_model_that_dies_ends_the_run_which_the_same_command_takes_up(tmp_path: Path) -> None:
    count = 0

    def dies(request: Request) -> Scripted:
        nonlocal count
        count += 1
        return agents()(request) if count <= 20 else Scripted("", status=500)

    with serving(dies) as server:
        model = Model("openai/m", (f"{server.url}/v1",))
        made = perform(STUDIES["glass-ceiling"], (3,), ("same",), "C", tmp_path, by=StudyModels(model, (), 12))
    assert "no answer came from openai/m" in made.runs[0].error
    with serving(agents()) as server:
        model = Model("openai/m", (f"{server.url}/v1",))
        made = perform(STUDIES["glass-ceiling"], (3,), ("same",), "C", tmp_path, by=StudyModels(model, (), 12))
        assert made.runs[0].found is not None
        assert made.runs[0].found.values["agents"] == 12
        assert len(server.asked) < 6 * (made.runs[0].found.values["steps"] or 0), "what was answered is kept"


@pytest.mark.parametrize("name", [name for name in STUDIES if name.startswith("glass-")])
def test_a_quick_run_by_a_model_sets_nothing_that_such_a_run_does_not_know(name: str) -> None:
    own = STUDIES[name].with_minds()
    for case in own.cases:
        msgspec.convert({**case.settings, **own.quicker}, MindedSetup)
