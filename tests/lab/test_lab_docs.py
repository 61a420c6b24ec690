"""docs/lab.md names every metric and every key, and its example works."""

from __future__ import annotations

import re
from pathlib import Path

from sandbox.lab.experiment import read_experiment
from sandbox.lab.metrics import METRICS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")


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


def test_the_published_report_is_of_the_experiment_that_ships() -> None:
    text = (ROOT / "docs" / "experiments" / "sentipolis.md").read_text(encoding="utf-8")
    assert "sandbox lab run sentipolis" in text.splitlines()[2]
    drawings = re.findall(r"\]\(([^)]+\.svg)\)", text)
    assert drawings
    for name in drawings:
        assert (ROOT / "docs" / "experiments" / name).is_file(), name
