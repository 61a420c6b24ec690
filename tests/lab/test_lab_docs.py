"""docs/lab.md names every metric, every key and every question, and its example works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

from sandbox.core.chance import Stream
from sandbox.lab.experiment import read_experiment
from sandbox.lab.metrics import METRICS
from sandbox.minds.embedded import QUESTIONS
from sandbox.talk.question_replies import Accept, Accepted
from sandbox.talk.question_wishes import Partner

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
RULES = PAGE.partition("### Rules\n")[2].partition("\n## ")[0]


def test_the_page_names_every_metric() -> None:
    table = PAGE.partition("## What is measured")[2]
    named = {w for row in re.findall(r"^\| (`.+?`) \|", table, re.M) for w in re.findall(r"`(\w+)`", row)}
    assert named == set(METRICS)


def test_the_page_names_every_key_of_an_experiment_and_its_example_is_right(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    path = tmp_path / "mine.yaml"
    path.write_text(example, encoding="utf-8")
    found = read_experiment(path)
    assert found.comparisons[0].arm == "touchy"
    source = (ROOT / "sandbox" / "lab" / "experiment.py").read_text(encoding="utf-8")
    keys = set(re.findall(r'\br\.(?:text|texts|integer|get|items|section|choices)\("(\w+)"', source))
    assert len(keys) > 10
    assert keys <= set(re.findall(r"\b(\w+)\b", PAGE))


def test_the_page_names_every_question_a_rule_can_answer_with_its_answer_and_where_both_are() -> None:
    rows = re.findall(r"^\| (`.+?) \| .+? \| (`.+?) \| `([\w.]+)` \|$", RULES, re.M)
    named = [
        (question, answer, module)
        for questions, answers, module in rows
        for question, answer in zip(re.findall(r"\w+", questions), re.findall(r"\w+", answers), strict=True)
    ]
    assert sorted(named) == sorted((q.question.__name__, q.answer.__name__, q.question.__module__) for q in QUESTIONS)


def test_the_page_names_all_that_the_rule_of_its_program_is_given() -> None:
    named = {*re.findall(r"\b(\w+)\b", RULES)}
    methods = {name for name in vars(Stream) if not name.startswith("_")}
    assert {*Accept.__struct_fields__, *Partner.__struct_fields__, *methods} - {"n", "brief"} <= named
    assert all(f'"{how}"' in RULES for how in get_args(get_type_hints(Accepted)["how"]))


def test_the_published_report_is_of_the_experiment_that_ships() -> None:
    text = (ROOT / "docs" / "experiments" / "sentipolis.md").read_text(encoding="utf-8")
    assert "sandbox lab run sentipolis" in text.splitlines()[2]
    drawings = re.findall(r"\]\(([^)]+\.svg)\)", text)
    assert drawings
    for name in drawings:
        assert (ROOT / "docs" / "experiments" / name).is_file(), name
