"""docs/policy.md: its twenty lines run as written, and its tables are complete."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sandbox.policy.catalogue import HAND, LEARNERS, PolicyParameters
from sandbox.policy.objectives import OBJECTIVES
from sandbox.policy.views import View

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "policy.md").read_text(encoding="utf-8")


def test_the_twenty_lines_print_what_the_page_says() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (printed,) = re.findall(r"It prints\n\n```\n(.*?)```", PAGE, re.S)
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout == printed


def test_every_learner_objective_key_and_column_is_told() -> None:
    told = set(re.findall(r"`(\w+)(?:\(users\))?`", PAGE))
    assert {*LEARNERS, HAND, *OBJECTIVES, *PolicyParameters.__struct_fields__} <= told
    shown = {name for name in vars(View) if not name.startswith("_")} - {"watched"}
    assert shown <= told
