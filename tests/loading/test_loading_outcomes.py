"""What an occasion decides is read from the calendar, and every fault is named with its line and its mend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tinyworld import PRESSURES, WORLD, Tiny
from village import build

from sandbox.engine.checking import check_scenario
from sandbox.engine.loading import read
from sandbox.engine.scenario import Scenario
from sandbox.town.plan import Decision

Build = Callable[..., Tiny]

HEAD = """\
    who: [ann, ben]
    decides:
"""
VOTE = (
    WORLD.replace("days: [tue, sat]", 'on: "2025-03-04"').replace("    who: [ann, ben]\n", HEAD)
    .replace(
        "rules: {drama",
        """\
      kind: vote
      at: 45
      about: the mill
      voters: [ann, ben]
      "yes": "Sold, {yes} to {no}"
      "no": ["Kept, {no} to {yes}", "Kept, said {last}"]
      off: "Nobody came"
      settles: {word: "no"}
      sways: {loan: "yes"}
rules: {drama""",
    )
)  # fmt: skip
CONTEST = WORLD.replace("    who: [ann, ben]\n", HEAD).replace(
    "rules: {drama",
    """\
      kind: contest
      prize: the ham
      entrants: who
      skill: {trait: openness, ann: 0.5}
      says: "{winner} has {prize}"
      off: "Nobody ran"
rules: {drama""",
)
WORD = PRESSURES + PRESSURES.partition("pressures:\n")[2].replace("loan", "word").replace("debt", "promise")
FILES = {"world/world.yaml": VOTE, "world/pressures.yaml": WORD}


def opened(scenario: Scenario) -> Scenario:
    """The scenario as its save gives it, with the parameters that there really are."""
    return msgspec.json.decode(msgspec.json.encode(replace(scenario, parameters={})), type=Scenario)


def decision(tiny: Tiny) -> Decision:
    reading = tiny.read()
    assert reading.scenario is not None, [str(f) for f in reading.faults.errors]
    (occasion,) = reading.scenario.calendar
    assert occasion.decides is not None
    check_scenario(opened(reading.scenario))
    return occasion.decides


def test_a_vote_is_read(tiny_world: Build) -> None:
    d = decision(tiny_world(FILES))
    assert (d.kind, d.about, d.at, d.who, d.least) == ("vote", "the mill", 45 * 60, ("ann", "ben"), 2)
    assert d.says["no"] == ("Kept, {no} to {yes}", "Kept, said {last}")
    assert (d.settles, d.sways) == ({"word": "no"}, {"loan": "yes"})


def test_a_contest_is_read(tiny_world: Build) -> None:
    d = decision(tiny_world({**FILES, "world/world.yaml": CONTEST}))
    assert (d.kind, d.about, d.who, d.trait, d.skill) == (
        "contest",
        "the ham",
        ("ann", "ben"),
        "openness",
        {"ann": 0.5},
    )
    assert d.at == 105 * 60  # half way, unless it says when


FAULTS = [
    (VOTE, "kind: vote", "kind: veto", 'no kind of decision "veto"'),
    (VOTE, "voters: [ann, ben]", "voters: [ann, bem]", 'no person of the cast "bem"; did you mean "ben"?'),
    (VOTE, "about: the mill", "about: the mil", 'nobody has an opinion on "the mil"; did you mean "the mill"?'),
    (VOTE, "about: the mill", "about: cows", "write one under `opinions`"),
    (VOTE, '"Sold, {yes} to {no}"', '"Sold, {yep}"', 'no slot "{yep}"'),
    (VOTE, '      off: "Nobody came"\n', "", '"off" is missing'),
    (VOTE, 'settles: {word: "no"}', 'settles: {ward: "no"}', 'no pressure "ward"; did you mean "word"?'),
    (VOTE, 'settles: {word: "no"}', 'settles: {loan: "no"}', "a debt cannot be settled so"),
    (VOTE, 'settles: {word: "no"}', "settles: {word: ann}", 'no side "ann"'),
    (VOTE, 'on: "2025-03-04"', "days: [tue]", "a vote is taken once"),
    (VOTE, "at: 45", "at: 300", "out of range"),
    (CONTEST, "who: [ann, ben]", "who: [ann]", '"ben" is no entrant'),
    (CONTEST, "entrants: who", "entrants: [ann, cleo]", 'no person of the cast "cleo"'),
    (CONTEST, "trait: openness", "trait: speed", 'no trait "speed"'),
    (CONTEST, "      prize: the ham\n", "", '"prize" is missing'),
]


@pytest.mark.parametrize(("text", "old", "new", "says"), FAULTS)
def test_every_fault_has_its_line_and_a_mend(tiny_world: Build, text: str, old: str, new: str, says: str) -> None:
    assert old in text
    changed = text.replace(old, new, 1)
    if says.startswith('"ben"'):
        changed = changed.replace("ann: 0.5", "ben: 0.5")
    errors = tiny_world({**FILES, "world/world.yaml": changed}).errors()
    found = [fault for fault in errors if says in fault.message]
    assert found, [str(fault) for fault in errors]
    assert found[0].line > 0


def test_a_child_that_the_deck_has_not_is_a_fault(tiny_world: Build) -> None:
    child = 'children: {sour: {kind: debt, holder: actor, about: target, stakes: "a word", cause: "it was so"}}\n'
    kind = 'kinds: {debt: {says: "so", shows: "so", late: {}, ends: {faded: {good: yes, says: "gone"}}}}\n'
    deck = {
        "data/drama.yaml": kind + child,
        "data/lines_pressed.yaml": "lines: []\n",
        "data/lines_answers.yaml": "lines: []\n",
    }
    text = VOTE.replace("      at: 45\n", "      at: 45\n      children: [sore]\n")
    errors = tiny_world({**FILES, **deck, "world/world.yaml": text}).errors()
    assert any('no child "sore"' in fault.message for fault in errors)


def test_whoever_votes_comes(tiny_world: Build) -> None:
    errors = tiny_world({**FILES, "world/world.yaml": VOTE.replace("who: [ann, ben]", "who: [ann]")}).errors()
    assert any('"ben" does not come; add them to "who"' in fault.message for fault in errors)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "duel"},
        {"at": 10**6},
        {"who": ("ann", "zed")},
        {"least": 3},
        {"says": {"yes": ("{x}",), "no": ("",), "off": ("",)}},
        {"says": {"yes": ("",)}},
        {"settles": {"loan": "no"}},
        {"sways": {"word": "perhaps"}},
        {"children": ("sore",)},
    ],
)
def test_a_save_cannot_bring_a_decision_that_would_break_the_town(tiny_world: Build, change: dict[str, object]) -> None:
    reading = tiny_world(FILES).read()
    assert reading.scenario is not None
    (occasion,) = reading.scenario.calendar
    assert occasion.decides is not None
    strange = replace(occasion.decides, **change)
    with pytest.raises(ValueError, match=r"."):
        check_scenario(opened(replace(reading.scenario, calendar=(replace(occasion, decides=strange),))))


@pytest.mark.slow
def test_a_child_that_only_a_decision_or_a_breach_bears_is_born(tmp_path: Path) -> None:
    village = build(tmp_path)
    drama, claims = village / "drama.yaml", village / "claims.yaml"
    claims.write_text(claims.read_text("utf-8").replace("child: caught_out", "child: locked_out"), "utf-8")
    own = "  locked_out: {kind: grudge, holder: actor, about: target, intensity: 0.5, stakes: [a key], cause: [so]}\n"
    text = drama.read_text("utf-8").replace("children:\n  goose_envy", f"children:\n{own}  goose_envy")
    drama.write_text(text, "utf-8")
    assert not read(village).faults.errors
    assert [f.message for f in read(village).faults.at("warning")] == []
    drama.write_text(text.replace("  locked_out:", "  locked_in:"), "utf-8")
    (told,) = [f.message for f in read(village).faults.at("error", "warning")]
    assert 'no child "locked_out"; did you mean "locked_in"?' in told
    claims.write_text(claims.read_text("utf-8").replace("child: locked_out", "child: caught_out"), "utf-8")
    (told,) = [f.message for f in read(village).faults.at("error", "warning")]
    assert "children.locked_in: nothing ever bears this" in told
