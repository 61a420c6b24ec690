"""A world may empty each list of the drama deck: it goes on, and every command about it still has an answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.core.fields import fields
from sandbox.people.pressure_deck import DramaDeck

LISTS = tuple(name for name, f in fields(DramaDeck).items() if isinstance(f.default, dict | tuple))
EACH = [*([name] for name in LISTS), LISTS]


@pytest.mark.sampled(0, slow=3)
@pytest.mark.parametrize("lists", EACH, ids="+".join)
def test_a_world_that_empties_lists_of_the_deck_still_runs(shell: Shell, world: Path, lists: Sequence[str]) -> None:
    (world / "drama.yaml").write_text(f"only: [{', '.join(lists)}]\n")
    (world / "goals.yaml").unlink()  # they ask for kinds of pressure that are no more, which is a fault
    assert shell("worlds", "check", world).code == 0
    lived = shell("run", world, "--seed", 5, "--step", "20m", "--until", "15:30", "--save", "a.db")
    assert lived.code == 0
    assert " talks · " in lived.out
    for command in (["drama"], ["drama", "--tell"], ["talk", "stats"], ["run", "--steps", "3"]):
        done = shell(*command, "a.db")
        assert done.code == 0, (command, done.err)
    found = shell("drama", "a.db", "--json").json["whole"]
    assert (found["incidents"] > 0) == ("kinds" not in lists)
    proof = shell("replay", "a.db", "--verify")
    assert proof.code == 0
