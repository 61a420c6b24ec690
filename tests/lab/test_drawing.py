"""Figures of studies and experiments: an arm has one colour, no legend lies on a curve, panels have title and n."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sandbox.lab import figures
from sandbox.lab.figures import COLOURS, DASHES, curve_styles, of_seeds
from sandbox.lab.studies import reporting
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.study import Found, Study
from sandbox.lab.studies.study_results import Report, StudyRun, study_report

STEPS, SEEDS = 15, (1, 2, 3, 4, 5, 6, 7)
FRIENDS = STUDIES["friends"]
ONE = replace(STUDIES["herd"], plots=STUDIES["herd"].plots[:1], sweeps=())
FEW = {"herd": STUDIES["herd"], "friends": replace(FRIENDS, plots=(*FRIENDS.plots[:2], FRIENDS.plots[-1]))}


def made_up(study: Study, lacking: int = 0) -> Report:
    """A report of runs that nobody has run, with all there is. lacking: how many of the first case failed."""
    chance = np.random.default_rng(1)
    keys = dict.fromkeys(key for plot in study.plots for key, *_ in plot.curves)
    runs = []
    for i, case in enumerate(study.cases):
        for seed in SEEDS:
            values: dict[str, float | None] = {m.key: float(chance.normal()) for m in study.measures}
            curves = {k: (chance.normal(0.1 * i, 0.05, STEPS)).cumsum().tolist() for k in keys}
            failed = i == 0 and seed <= lacking
            found = None if failed else Found(values, curves)
            runs.append(StudyRun(case.name, seed, "x", found, "was eaten" if failed else ""))
    return study_report(study, "sandbox", SEEDS, tuple(runs))


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.fixture(scope="module")
def sheets() -> dict[str, list[Any]]:
    """All sheets of each study, drawn once."""
    found: dict[str, list[Any]] = {}
    for name, study in FEW.items():
        found[name] = []

        def kept(sheet: Any, own: list[Any] = found[name]) -> str:
            sheet.canvas.draw()
            own.append(sheet)
            return "drawn"

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reporting, "sheet_svg", kept)
            reporting.figures(study, made_up(study))
    return found


@pytest.mark.parametrize("name", ["herd", "friends"])
def test_an_arm_has_the_same_look_in_every_figure_and_no_other_has_it(name: str, sheets: dict[str, list[Any]]) -> None:
    seen: dict[str, set[tuple[str, str]]] = {}
    for sheet in sheets[name]:
        for at in sheet.axes:
            for line in at.get_lines():
                if not line.get_label().startswith("_"):
                    seen.setdefault(line.get_label(), set()).add((line.get_color(), str(line._dash_pattern)))
    assert len(seen) >= 3
    assert all(len(own) == 1 for own in seen.values())
    assert len({look for own in seen.values() for look in own}) == len(seen)


@pytest.mark.parametrize("name", ["herd", "friends"])
def test_no_legend_lies_on_a_panel_and_each_panel_has_title_and_n(name: str, sheets: dict[str, list[Any]]) -> None:
    study = FEW[name]
    assert len(sheets[name]) == len(study.plots) + len(study.sweeps)
    for sheet in sheets[name]:
        for at in sheet.axes:
            assert at.get_legend() is None
            (title, n) = at.get_title(loc="left").rsplit("\n", 1)
            assert len(title) > 3
            assert n == "n = 7 seeds"
            for legend in sheet.legends:
                assert not legend.get_window_extent().overlaps(at.get_tightbbox())
                width = sheet.get_size_inches()[0] * sheet.dpi
                assert legend.get_window_extent().x0 >= 0
                assert legend.get_window_extent().x1 <= width, "it is not cut off"
    assert sum(len(sheet.legends) for sheet in sheets[name]) == len(study.plots)


def test_a_case_that_failed_more_often_is_told_by_name() -> None:
    drawn = reporting.figures(STUDIES["herd"], made_up(STUDIES["herd"], lacking=2))
    assert "n = 5 seeds" in texts(drawn["herd-human.svg"])
    assert "n = 7 seeds" in texts(drawn["herd-herd.svg"])
    assert of_seeds({"a": 7, "b": 5}) == "n = 7 (a), 5 (b)"
    assert of_seeds({"a": 7, "b": 7}) == "n = 7 seeds"


def test_fewer_seeds_than_make_an_interval_have_a_line_and_no_band() -> None:
    study = ONE
    report = made_up(study)
    few = reporting.figures(
        study, study_report(study, "sandbox", SEEDS[:5], tuple(r for r in report.runs if r.seed <= 5))
    )
    assert "FillBetween" not in few["herd-herd.svg"]
    assert few["herd-herd.svg"].count("PolyCollection") == 0
    assert reporting.figures(study, report)["herd-herd.svg"].count("PolyCollection") == 3


def test_looks_differ_as_far_as_there_are_colours_and_dashes() -> None:
    names = [f"arm {i}" for i in range(len(COLOURS) * len(DASHES))]
    found = curve_styles(names)
    assert len({(look.colour, str(look.dash)) for look in found.values()}) == len(names)
    assert len({look.colour for look in [*found.values()][: len(COLOURS)]}) == len(COLOURS)
    assert curve_styles(["a", "b", "a"]) == curve_styles(["a", "b"])


def test_a_figure_is_the_same_to_the_byte() -> None:
    study = ONE
    assert reporting.figures(study, made_up(study)) == reporting.figures(study, made_up(study))
    assert figures.STYLE["svg.hashsalt"]


def test_the_title_of_a_panel_stays_over_it() -> None:
    with figures.drawing_sheet(1, 4, 2.7, 2.2, shared=True) as (sheet, axes):
        for at in axes.flat:
            figures.title_panel(at, "drama_on_without_tags against drama_on_emotion_off", {"a": 6, "b": 6})
        sheet.canvas.draw()
        ends = [at._left_title.get_window_extent() for at in axes.flat]
        assert all(a.x1 < b.x0 for a, b in pairwise(ends))
        assert ends[-1].x1 <= sheet.get_size_inches()[0] * sheet.dpi
