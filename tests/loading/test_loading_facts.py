"""The facts of a matter in a file: every one that cannot be said, or known, is named with its line and its mend."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_loading_goals import CAST, FILES
from tinyworld import Tiny

RIGHT = """\
    facts:
      deed: "{holder} [want] {about}'s chair"
      cost: ["it [creak]", "{about} [sit] on the floor since"]
      settles: {says: "{about} [give] {holder} the chair", known: [holder], true: no, tense: present}
"""


def written(facts: str) -> dict[str, str]:
    """The files of a world whose one matter has these facts."""
    return {**FILES, CAST: block(facts)}


def block(facts: str) -> str:
    """The pressure in lines of its own, with its facts."""
    return (
        "pressures:\n  - id: chair\n    kind: ambition\n    holder: ann\n    about: ben\n    intensity: 0.5\n"
        '    stage: 0\n    wakes: "day 1 08:00"\n    known_by: []\n    stakes: the chair\n    cause: it creaks\n'
        "    wants: {kind: role, b: nobody, terms: chair}\n" + facts
    )


def test_facts_are_read_short_as_a_list_and_at_length(tiny_world: Callable[..., Tiny]) -> None:
    reading = tiny_world(written(RIGHT)).read()
    assert reading.scenario is not None, [str(f) for f in reading.faults.errors]
    facts = reading.scenario.pressures[0].facts
    assert [*facts] == ["deed", "cost", "settles"]
    assert facts["deed"].says == ("{holder} [want] {about}'s chair",)
    assert len(facts["cost"].says) == 2
    assert (facts["settles"].known, facts["settles"].so, facts["settles"].tense) == (("holder",), False, "present")


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('"{holder} [want] {about}\'s chair"', '"{holder} wants a chair"', 14, "has no verb in brackets"),
        ("{about}'s chair", "{abot}'s chair", 14, 'no slot "{abot}"; did you mean "about"?'),
        ("{about}'s chair", "{third}'s chair", 14, 'no slot "{third}"'),
        ("      deed:", "      did:", 14, 'no fact "did"'),
        ("      deed:", "      place:", 14, 'no "deed"'),
        (
            '      cost: ["it [creak]", "{about} [sit] on the floor since"]\n',
            "",
            14,
            "holds 2; a matter has from 3 to 6",
        ),
        ('"{about} [give] {holder} the chair"', '"the chair [go] to {holder}"', 16, "is nobody's deed"),
        ("known: [holder]", "known: [holdr]", 16, 'no "holdr" who could know it; did you mean "holder"?'),
        ("known: [holder]", "known: [knowers]", 16, "nobody can know it"),
        ("tense: present", "tense: passed", 16, 'no tense "passed"'),
    ],
)
def test_a_fact_that_cannot_be_said_or_known_is_named_with_its_line(
    tiny_world: Callable[..., Tiny], old: str, new: str, line: int, says: str
) -> None:
    assert old in RIGHT
    faults = tiny_world(written(RIGHT.replace(old, new, 1))).errors()
    assert [(f.line, f.message) for f in faults if says in f.message], [str(f) for f in faults]
    assert line in {f.line for f in faults if says in f.message}, [str(f) for f in faults]
