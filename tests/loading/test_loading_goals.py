"""Plans and wanted claims in a world's files: what cannot be planned for is named with file, line and mend."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tinyworld import Tiny

from sandbox.engine.checking import check_scenario
from sandbox.people.pressure_deck import DramaDeck

DRAMA = """\
exchanges:
  ask:
    move: ask_help
    replies: {accept: grant, dodge: dodge, refuse: begrudge}
    wish: {base: 0.5}
    answer: {base: -0.1, loses: -0.5}
    says: "to ask for help"
    did: "asked {to} for help"
    took: {accept: "helped", dodge: "would not say", refuse: "refused"}
kinds:
  ambition:
    called: ambition
    says: "{holder} wants {stakes}"
    shows: "{holder} is up to something"
    wanted: "have {stakes}"
    ways: [{do: ask, accept: {end: reached}, refuse: {by: -0.1}}]
    late: {end: faded}
    goal: reached
    ends: {reached: {good: yes, says: "{holder} has it"}, faded: {good: no, says: "{holder} has given it up"}}
children:
  dream: {kind: ambition, holder: actor, about: target, wants: {kind: role, b: nobody, terms: "{stakes}"},
    stakes: [the chair], cause: ["{actor} saw it"]}
renewal: [{tone: warm, child: dream}]
plans:
  role: [word, voice]
steps:
  word: {says: "have {whom} put in a word", done: "{whom} put in a word", by: [{do: ask, to: friend}]}
  voice: {says: "have {whom} on their side", done: "{whom} is on their side", first: [word], by: [{do: ask, to: near}]}
"""
PRESSURES = """\
pressures:
  - {id: chair, kind: ambition, holder: ann, about: ben, intensity: 0.5, stage: 0, wakes: "day 1 08:00", known_by: [],
     stakes: the chair, cause: it creaks, wants: {kind: role, b: nobody, terms: chair}}
"""
CLAIMS = """\
kinds:
  role: {says: "{a} is {terms}", made: "{a} is {terms} now", broken: "{a} was {terms}", needs: [a], one: terms}
claims: []
"""
DECK, CAST = "data/drama.yaml", "world/pressures.yaml"
FILES = {
    DECK: DRAMA,
    CAST: PRESSURES,
    "world/claims.yaml": CLAIMS,
    **{
        f"data/lines_{x}.yaml": "lines: []\n"
        for x in ("pressed", "answers", "following", "news", "facts", "rumours", "told")
    },
}


def test_plans_and_what_is_wanted_are_read_and_kept(tiny_world: Callable[..., Tiny]) -> None:
    reading = tiny_world(FILES).read()
    s = reading.scenario
    assert s is not None, [str(f) for f in reading.faults.errors]
    assert s.drama.plans == {"role": ("word", "voice")}
    assert [(x.do, x.to) for x in s.drama.steps["voice"].by] == [("ask", "near")]
    assert [s.pressures[0].wants.terms, s.drama.children["dream"].wants.terms] == ["chair", "{stakes}"]
    assert msgspec.convert(msgspec.to_builtins(s.drama), DramaDeck) == s.drama
    check_scenario(s)


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (DECK, "goal: reached", "goal: reachd", 'no ending "reachd" of ambition; did you mean "reached"?'),
        (DECK, "role: [word, voice]", "role: [word, vioce]", 'no step "vioce"; did you mean "voice"?'),
        (DECK, "role: [word, voice]", "role: [word]", "role has 1 step; a plan has 2 or more"),
        (DECK, "role: [word", "roel: [word", 'no kind of claim "roel"; did you mean "role"?'),
        (DECK, "by: [{do: ask, to: friend}]", "first: [voice], by: [{do: ask, to: friend}]", "comes before itself (w"),
        (DECK, ", by: [{do: ask, to: friend}]", "", "has no way to take it; add for example"),
        (DECK, "{do: ask, to: friend}", "{to: friend}", 'needs either "do" or "block"; for example `do: ask_help`'),
        (DECK, "{do: ask, to: friend}", "{do: asks, to: friend}", 'no exchange "asks"; did you mean "ask"?'),
        (DECK, "{do: ask, to: friend}", "{block: plya}", 'no block of the day "plya"; did you mean "play"?'),
        (DECK, "to: friend", "to: freind", 'no listener "freind"; did you mean "friend"?'),
        (DECK, "first: [word]", "first: [wrod]", 'no step "wrod"; did you mean "word"?'),
        (DECK, "have {whom} put", "have {who} put", 'no slot "{who}"; did you mean "whom"?'),
        (DECK, "wants: {kind: role,", "wants: {kind: heir,", 'no plan leads to "heir"; add one to plans'),
        (DECK, "    goal: reached\n", "", "ambition has no ending that is its goal; give the kind one"),
        (CAST, "wants: {kind: role", "wants: {kind: roel", 'no kind of claim "roel"; did you mean "role"?'),
        (CAST, "b: nobody", "b: target", "nobody acts where a thing is wanted; write holder or about"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_for_is_told_with_its_place(
    tiny_world: Callable[..., Tiny], file: str, old: str, new: str, says: str
) -> None:
    assert old in FILES[file]
    errors = tiny_world({**FILES, file: FILES[file].replace(old, new, 1)}).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert found[0].file.endswith(file.partition("/")[2])
    assert found[0].line > 0


def test_a_world_may_empty_the_plans_and_what_ships_does_without(tiny_world: Callable[..., Tiny]) -> None:
    tiny = tiny_world({**FILES, CAST: "pressures: []\n", "world/drama.yaml": "only: [plans, steps]\n"})
    assert tiny.errors() == []
