"""What an experiment's file may say, and how it is told what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.lab.custom_minds import asking
from sandbox.lab.experiment import LabFaults, find_experiment, read_experiment, shipped_experiments
from sandbox.lab.metrics import METRICS
from sandbox.lab.published import CLAIMS, besides, with_cause
from sandbox.lab.replica import replicas
from sandbox.minds.embedded import ASKS, DEFAULT_ASKS
from sandbox.minds.spec import MindSpec


def faults(path: Path, old: str, new: str) -> list[str]:
    """What is said of the file with a text replaced."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LabFaults) as caught:
        read_experiment(path)
    return [f"{fault.line}: {fault.message}" for fault in caught.value.faults]


def test_sentipolis_is_the_papers_experiment_with_the_arms_that_it_lacks() -> None:
    found = read_experiment(find_experiment("sentipolis"))
    assert (found.start, found.step, found.steps) == ("2025-02-13 08:00", 20 * 60, 36)
    assert found.seeds == tuple(range(1, 61))
    assert found.quick == 10
    assert found.expects == {"carry_over": "more"}
    alone = {"feed.on=false", "feed.crowd=0"}
    words = {"talk.quiet=false"}  # what is measured is what they say
    assert {"rules.drama=off", "mood.temperament=false", "mood.dull=0", "memory.threshold=150"} | alone | words == {
        *found.settings
    }
    assert {arm.name: arm.settings for arm in found.arms} == {
        "on": (),
        "off": ("mood.on=false",),
        "no_decay": ("mood.decay=false",),
        "no_fast": ("mood.fast=0",),
        "no_slow": ("mood.slow=0",),
        "no_tags": ("memory.mood=false",),
        "no_person": ("memory.person=false",),
        "drama_on": ("rules.drama=on",),
        "drama_on_emotion_off": ("rules.drama=on", "mood.on=false"),
        "drama_on_no_tags": ("rules.drama=on", "memory.mood=false"),
        "drama_on_no_person": ("rules.drama=on", "memory.person=false"),
        "drama_on_partner_blind": ("rules.drama=on", "memory.blind=true"),
    }
    assert (found.comparisons[0].arm, found.comparisons[0].against) == ("no_person", "off")
    assert found.metrics[0] == "carry_over"
    assert set(found.metrics) == set(METRICS)


def test_each_claim_is_tested_and_each_pair_differs_in_one_thing_but_those_that_cannot() -> None:
    found = read_experiment(find_experiment("sentipolis"))
    settings = {arm.name: (*found.settings, *arm.settings) for arm in found.arms}
    pairs = {(c.arm, c.against): (settings[c.arm], settings[c.against]) for c in found.comparisons}
    for claim in CLAIMS["sentipolis"]:
        assert any(with_cause(claim.without, *both) is not None for both in pairs.values()), claim.key
    assert with_cause("mood.on=false", *pairs["no_person", "off"]) is True
    muddled = {pair for pair, both in pairs.items() if besides(*both)}
    assert muddled == {  # which test no claim
        ("on", "off"),
        ("drama_on", "drama_on_emotion_off"),
        ("drama_on_no_person", "drama_on_emotion_off"),
        ("drama_on", "on"),
    }
    for arms in muddled:
        assert not any(with_cause(claim.without, *pairs[arms]) is not None for claim in CLAIMS["sentipolis"])


def test_only_some_arms_may_be_asked_for(small: Path) -> None:
    found = read_experiment(small, ["with"])
    assert [arm.name for arm in found.arms] == ["with"]
    assert found.comparisons == ()
    with pytest.raises(LabFaults, match='--arm: no arm "wihtout"; did you mean "without"'):
        read_experiment(small, ["wihtout"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("step: 20m", "step: 25x", '5: step: "25x" is no step length'),
        ("step: 20m", "step: 7m", "5: step: must divide an hour"),
        ("steps: 4", "steps: 0", "6: steps: 0 is out of range"),
        ("seeds: 2", "seeds: 2.5", '7: seeds: "2.5" is neither a seed nor a range of seeds; write how many (60)'),
        ("seeds: 2", "seeds: [1-5, 4]", "7: seeds: seed 4 is listed twice; name each once"),
        ("seeds: 2", "seeds: 60-1", '7: seeds: "60-1" runs backwards; write 1-60'),
        ("seeds: 2", "quick: 0", "7: quick: 0 is out of range"),
        ("seeds: 2", "expects: {carry_on: more}", 'no metric "carry_on"; did you mean "carry_over"?'),
        ("seeds: 2", "expects: {carry_over: most}", 'no sign "most"; '),
        ("seeds: 2", "sedes: 2", '7: no key "sedes"; did you mean "seeds"?'),
        ("[mood.on=false]", "[mood.no=false]", '11: arms.without[1]: no parameter "mood.no"; did you mean "mood.on"?'),
        ("[mood.on=false]", "[ask.apraise=on]", 'no question "ask.apraise"; did you mean "ask.appraise"?'),
        ("[mood.on=false]", "[ask.appraise=maybe]", 'ask.appraise is on or off, not "maybe"'),
        ("[mood.on=false]", "[mood.on]", '"mood.on" has no value; write key=value'),
        ("[mood.on=false]", "[mood.on=false, rules.emotion=on]", "contradict each other"),
        ("without:", "with out:", "is not a name for an arm"),
        ("[[with, without]]", "[[with, nobody]]", '12: comparisons[1][2]: no arm "nobody"'),
        ("[[with, without]]", "[[with]]", "must name two arms"),
        ("comparisons:", "metrics: [carry_under]\ncomparisons:", 'no metric "carry_under"; did you mean "carry_over"?'),
        ("comparisons:", "expects: {carry_under: more}\ncomparisons:", 'did you mean "carry_over"?'),
        ("comparisons:", "expects: {carry_over: up}\ncomparisons:", 'no sign "up"'),
        ('"2025-02-13 20:00"', "thursday", "is no start"),
        ("world: ", "world: no_such_", "no world"),
    ],
)
def test_a_fault_is_told_with_its_line_and_its_mend(small: Path, old: str, new: str, said: str) -> None:
    assert any(said in fault for fault in faults(small, old, new))


@pytest.mark.slow
def test_it_may_say_which_seeds_which_sign_and_what_models_are_asked(small: Path) -> None:
    text = small.read_text(encoding="utf-8").replace("seeds: 2", "seeds: [5, 1-2]\nexpects: {talks: less}")
    small.write_text(text.replace("[mood.on=false]", "[ask.appraise=off, mood.on=false]"), encoding="utf-8")
    found = read_experiment(small)
    assert found.seeds == (1, 2, 5)
    assert found.expects == {"talks": "less"}
    usual, deaf = (asking(MindSpec(), arm.settings).asks for arm in found.arms)
    assert {*usual} - {*DEFAULT_ASKS} == {"appraise", "describe mood"}
    assert {*deaf} == {*DEFAULT_ASKS, "describe mood"}
    assert asking(MindSpec(), [f"ask.{asks.replace(' ', '_')}=on" for asks in ASKS]).asks == ASKS
    by_model = replicas(found, ["ollama/x"])
    assert len({r.config.asked for r in by_model}) == 2


def test_an_experiment_is_found_by_name_or_by_file(small: Path, tmp_path: Path) -> None:
    assert find_experiment("sentipolis") == shipped_experiments()["sentipolis"]
    assert find_experiment(str(small)) == small
    with pytest.raises(LabFaults, match='no experiment "sentipoli"; did you mean "sentipolis"'):
        find_experiment("sentipoli")
    with pytest.raises(LabFaults, match="no such file"):
        find_experiment(str(tmp_path / "none.yaml"))


def test_without_metrics_all_there_are_are_measured(small: Path) -> None:
    assert read_experiment(small).metrics == tuple(METRICS)


def test_what_is_expected_of_the_first_comparison_is_expected_of_no_other() -> None:
    path = find_experiment("sentipolis")
    assert read_experiment(path, ["no_person", "off", "on"]).expects == {"carry_over": "more"}
    other = read_experiment(path, ["on", "no_decay"])
    assert (other.comparisons[0].arm, other.comparisons[0].against) == ("no_decay", "on")
    assert other.expects == read_experiment(path, ["on"]).expects == {}
