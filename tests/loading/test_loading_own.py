"""What somebody alone says, and the matters of their concerns, are read; every fault has its file, its line and its
mend.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tinyworld import ANN, Tiny

from sandbox.people.persona import Persona
from sandbox.talk.lines import OWN_AGAIN

Build = Callable[..., Tiny]

OWN = """\
concerns:
  - "the leak in the roof"
matters:
  "the leak in the roof": loan
own:
  greet:
    - "You again, {name}."
    - "Back to the {place}, are we."
  small_talk: ["Flour, flour, flour."]
"""
FILE = "world/personas/ann.yaml"


def ann(tiny: Tiny) -> Persona:
    reading = tiny.read()
    assert reading.scenario is not None, [str(f) for f in reading.faults.errors]
    return next(p for p in reading.scenario.cast if p.id == "ann")


def test_they_are_read_and_stand_in_the_book_of_lines(tiny_world: Build) -> None:
    tiny = tiny_world({FILE: ANN + OWN})
    found = ann(tiny)
    assert found.own == {
        "greet": ("You again, {name}.", "Back to the {place}, are we."),
        "small_talk": ("Flour, flour, flour.",),
    }
    assert found.matters == {"the leak in the roof": "loan"}
    reading = tiny.read()
    assert reading.scenario is not None
    lines = {line.id: line for line in reading.scenario.lines.lines if "who" in line.when}
    assert set(lines) == {"ann's greet", "ann's small_talk"}
    assert lines["ann's greet"].when == {"who": ("ann",)}
    assert lines["ann's greet"].cooldown == OWN_AGAIN


def test_who_has_none_is_no_fault(tiny_world: Build) -> None:
    tiny = tiny_world()
    assert tiny.errors() == []
    assert (ann(tiny).own, ann(tiny).matters) == ({}, {})


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  greet:", "  grete:", 'no move "grete"; did you mean "greet"?'),
        ("{name}", "{nmae}", 'no slot "{nmae}"; did you mean "name"?'),
        ("{place}", "{place", "holds a brace without a partner"),
        ('["Flour, flour, flour."]', "[]", "it holds no text; add at least one"),
        ('  "the leak in the roof": loan', '  "the leek in the roof": loan', "no concern"),
    ],
)
def test_every_fault_has_its_file_its_line_and_its_mend(tiny_world: Build, old: str, new: str, says: str) -> None:
    assert old in OWN
    text = ANN + OWN.replace(old, new, 1)
    errors = tiny_world({FILE: text}).errors()
    found = [fault for fault in errors if says in fault.message]
    assert found, [str(fault) for fault in errors]
    assert found[0].file.endswith("ann.yaml")
    at = next(n for n, line in enumerate(text.splitlines(), 1) if new.strip().splitlines()[0] in line)
    assert abs(found[0].line - at) <= 1, str(found[0])
