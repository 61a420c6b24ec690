"""What is asked and what shows: questions have answers, and clues can be come upon; every fault is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tinyworld import PRESSURES, Tiny

from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.engine.checking import check_scenario
from sandbox.engine.load_decks import read_drama
from sandbox.engine.scenario import Scenario
from sandbox.people.persona import Clue, Truth

SHIPS = (data_dir() / "drama.yaml").read_text("utf-8")
LOAN = PRESSURES.partition("pressures:\n")[2]
HIDES = LOAN.replace("loan", "flour").replace("debt", "secret").replace("known_by: [ben]", "known_by: []")
RIGHT = (
    PRESSURES
    + HIDES.replace('    due: "day 2 12:00"\n', "")
    + """\
    clues:
      - {says: "Ann has white sleeves", known_by: [ben]}
      - {says: "Ann counts the sacks", where: Mill House / kitchen}
"""
    + LOAN.replace("loan", "doubt").replace("debt", "suspicion").replace("holder: ann", "holder: ben")
    .replace("about: ben", "about: ann").replace("[ben]", "[ann]")
    + """\
    asks: torn_sack
facts:
  - {id: torn_sack, who: ann, says: "Ann tore the sack", known_by: [ben], clues: [{says: "a nail is bent", by: shows}]}
"""
)  # fmt: skip
FILE = "world/pressures.yaml"
PLAIN = """\
  {kind}: &{kind}
    called: {kind}
    says: "{{holder}}"
    shows: "{{holder}}"
    wanted: "{{about}}"
    ends: {{faded: {{good: yes, says: "over"}}, known: {{good: no, says: "known"}}}}
    {more}
"""
DECK = "kinds:\n" + PLAIN.format(kind="debt", more="late: {}")
DECK += PLAIN.format(kind="secret", more="found: {end: known}") + PLAIN.format(
    kind="suspicion", more="right: {end: known}"
)


def world(build: Callable[..., Tiny], text: str = RIGHT) -> Tiny:
    return build({FILE: text, "data/drama.yaml": DECK})


def faults(tiny: Tiny) -> list[str]:
    return [str(f) for f in tiny.read().faults if f.file.endswith("pressures.yaml")]


def test_questions_facts_and_clues_are_read_and_kept(tiny_world: Callable[..., Tiny]) -> None:
    s = world(tiny_world).read().scenario
    assert s is not None
    _, secret, doubt = s.pressures
    assert secret.clues[0] == Clue("Ann has white sleeves", ("ben",))
    assert (doubt.asks, s.facts[0].who) == ("torn_sack", "ann")
    assert msgspec.convert(msgspec.to_builtins(s.facts), tuple[Truth, ...]) == s.facts


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("asks: torn_sack", "asks: torn_sock", 'no pressure or fact "torn_sock"; did you mean "torn_sack"?'),
        ("asks: torn_sack", "asks: doubt", "it is their own; ask about something else"),
        ("    cause: the oven", "    asks: doubt\n    cause: the oven", "a debt ends by no answer"),
        ("who: ann", "who: anne", 'no person of the cast "anne"; did you mean "ann"?'),
        ("id: torn_sack", "id: loan", '"loan" is a pressure, too; choose another'),
        (', known_by: [ben]}\n      - {says: "Ann counts', '}\n      - {says: "Ann counts', "nobody can come upon it"),
        ('white sleeves", known_by: [ben]', 'white sleeves", known_by: [ann]', "ann hides it; name somebody else"),
        ("where: Mill House / kitchen}", "where: Mill House / kitchn}", 'no area "Mill House / kitchn"'),
        ("by: shows", "bye: shows", 'no key "bye"; did you mean "by"?'),
        ("asks: torn_sack", "asks: flour", "nobody asks about it; name it under `asks` of a pressure"),
        ('clues: [{says: "a nail is bent", by: shows}]', 'says: "x"', "says"),
        ("    asks: torn", '    clues: [{says: "a", by: shows}]\n    asks: torn', "a suspicion cannot be found out"),
    ],
)  # fmt: skip
def test_what_leads_nowhere_is_named_with_its_line(
    tiny_world: Callable[..., Tiny], old: str, new: str, says: str
) -> None:
    assert old in RIGHT
    told = faults(world(tiny_world, RIGHT.replace(old, new, 1)))
    found = [f for f in told if says in f]
    assert found, "\n".join(told)
    assert "pressures.yaml:" in found[0]


def test_questions_that_lead_back_to_themselves_are_refused(larkspur: Scenario) -> None:
    a, b = (p for p in larkspur.pressures if p.id in ("last_name", "frozen_rolls"))
    ring = (replace(a, asks=b.id), replace(b, asks=a.id))
    with pytest.raises(ValueError, match="leads back to itself"):
        check_scenario(replace(larkspur, pressures=ring, facts=(), calendar=(), parameters={}))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("right: {end: proved", "right: {end: prooved", 'no ending "prooved" of suspicion; did you mean "proved"?'),
        ("children: [deserved]}\n    wrong", "children: [deservd]}\n    wrong", 'no child "deservd"'),
        ("admits: confirmed", "admits: confrmed", 'no ending "confrmed" of suspicion'),
        ("comes by\", by: shows}", "comes by\", by: shows, known_by: [ann]}", "is for a clue of a world's own"),
        ("when {about} comes by\", by: shows", "when {abuot} comes by\", by: shows", 'no slot "{abuot}"'),
        ("by: confide}\n", "by: confid}\n", 'no deed "confid"; did you mean "confide"?'),
    ],
)  # fmt: skip
def test_a_deck_says_what_is_wrong_with_its_answers(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in SHIPS
    path, found = tmp_path / "drama.yaml", Faults()
    path.write_text(SHIPS.replace(old, new, 1), encoding="utf-8")
    read_drama([path], found)
    assert says in "\n".join(map(str, found.errors))
