"""The templates of interviews and of looking back are all there, and all of use."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import sandbox.people
from sandbox.people.persona import Voice
from sandbox.people.wording import phrases

PEOPLE = Path(sandbox.people.__path__[0])
USERS = {
    "interview": ("interview_rule", "interview_question", "asking_life"),
    "reflection": ("question_reflection",),
}


@pytest.mark.parametrize("name", USERS)
def test_each_key_is_named_in_the_code(name: str) -> None:
    code = "".join((PEOPLE / f"{user}.py").read_text(encoding="utf-8") for user in USERS[name])
    named = {key.partition(".")[0] for key in re.findall(r"""["']([a-z_]+(?:\.[\w{} ]*)?)""", code)}
    assert {key.partition(".")[0] for key in phrases(name)} <= named
    assert all(phrases(name).values())


def test_every_voice_has_its_words() -> None:
    for key in ("greet", "evade", "unknown", "how_i_am"):
        assert {f"{key}.{voice}" for voice in get_args(Voice)} <= phrases("interview").keys()
