"""What judges are asked, about which talks, and what their scores are worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.lab.agreement import agreements, summaries, verdicts
from sandbox.lab.carryover import Talked
from sandbox.lab.experiment import LabFaults
from sandbox.lab.judging import Scored, judge
from sandbox.lab.pairing import Match, matches, met, numbers
from sandbox.lab.rubrics import CRITERIA, FILE, Rubric, read_rubrics, rubrics


def talk(a: str, b: str, text: str = "hello") -> Talked:
    return Talked((a, b), [(a, text), (b, text)])


# ---- rubrics


def test_there_are_six_rubrics_with_the_ranges_of_the_paper() -> None:
    found = rubrics()
    assert tuple(found) == CRITERIA
    assert {k: (r.lowest, r.highest) for k, r in found.items()} == {
        **dict.fromkeys(CRITERIA[:5], (0, 10)),
        "social_rules": (-10, 0),
    }
    assert {k for k, r in found.items() if r.of == "series"} == {"continuity"}
    for rubric in found.values():
        scores = [score for score, _ in rubric.levels]
        assert scores == sorted(scores)
        assert (scores[0], scores[-1]) == (rubric.lowest, rubric.highest)
        assert rubric.asks.endswith("?")


def test_the_rules_of_spec_are_in_them() -> None:
    found = rubrics()
    assert any("pure transaction" in rule and " 5" in rule for rule in found["empathy"].rules)
    assert any("style never costs" in rule.lower() for rule in found["social_rules"].rules)


def test_faults_of_rubrics_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "rubrics.yaml"
    text = FILE.read_text(encoding="utf-8")
    path.write_text(
        text.replace("  of: talk", "  of: walk", 1).replace("    0: feel", "    11: feel", 1), encoding="utf-8"
    )
    with pytest.raises(LabFaults) as caught:
        read_rubrics(path)
    said = [str(fault) for fault in caught.value.faults]
    assert any('no thing to judge "walk"' in text for text in said)
    assert any("is no score of 0 to 10" in text for text in said)


def test_scores_are_clipped_to_the_range() -> None:
    assert rubrics()["empathy"].clipped(12.0) == 10.0
    assert rubrics()["social_rules"].clipped(2.0) == 0.0
    assert rubrics()["social_rules"].clipped(-3.5) == -3.5


# ---- pairing


def test_the_first_talk_of_two_stands_against_their_first_and_the_rest_is_left_out() -> None:
    one = [talk("ann", "ben", "1"), talk("cid", "ann", "x"), talk("ben", "ann", "2"), talk("ann", "ben", "3")]
    other = [talk("ben", "ann", "a"), talk("ann", "ben", "b"), talk("dot", "eve", "y")]
    found = matches(rubrics()["empathy"], one, other)
    assert [(m.id, m.one[0].lines[0][1], m.other[0].lines[0][1]) for m in found] == [
        ("ann|ben 1", "1", "a"),
        ("ann|ben 2", "2", "b"),
    ]
    assert numbers(met(one), met(other)) == {"ann|ben": 2}


def test_continuity_is_judged_of_whole_series_of_two_talks_or_more() -> None:
    one = [talk("ann", "ben"), talk("ben", "ann"), talk("ann", "ben"), talk("ann", "cid")]
    other = [talk("ann", "ben"), talk("ann", "ben"), talk("cid", "ann")]
    (found,) = matches(rubrics()["continuity"], one, other)
    assert (found.id, len(found.one), len(found.other)) == ("ann|ben", 3, 2)


def test_a_talk_without_a_word_is_none() -> None:
    assert met([Talked(("ann", "ben"), [])]) == {}


# ---- judging


class Leaning:
    """A judge who gives version A two points more, for standing first."""

    name = "leaning"

    def __init__(self, *said: float | None) -> None:
        self.asked: list[tuple[str, str]] = []
        self._said = said or (5.0, 5.0)

    async def score(
        self, rubric: Rubric, a: Sequence[Talked], b: Sequence[Talked]
    ) -> tuple[float | None, float | None]:
        self.asked.append((a[0].lines[0][1], b[0].lines[0][1]))
        x, y = self._said
        return (None if x is None else x + 2.0), y


MATCH = Match("ann|ben", 1, (talk("ann", "ben", "on"),), (talk("ann", "ben", "off"),))


async def test_each_match_is_judged_both_ways_round_and_the_gap_is_told() -> None:
    scorer = Leaning()
    scored = await judge(scorer, rubrics()["empathy"], [MATCH])
    assert scorer.asked == [("on", "off"), ("off", "on")]
    assert [(s.one, s.other) for s in scored] == [(7.0, 5.0), (5.0, 7.0)]
    (verdict,) = verdicts(scored)
    assert (verdict.one, verdict.other, verdict.gap) == (6.0, 6.0, 2.0)


async def test_scores_out_of_range_are_clipped_and_counted_and_unread_ones_too() -> None:
    clipped = await judge(Leaning(9.5, 3.0), rubrics()["empathy"], [MATCH])
    (told,) = summaries(clipped)
    assert (told.clipped, told.unread, told.asked) == (2, 0, 4)
    unread = await judge(Leaning(None, 3.0), rubrics()["empathy"], [MATCH])
    (told,) = summaries(unread)
    assert (told.unread, told.asked, told.gap) == (2, 4, None)
    assert (told.one, told.other) == (3.0, 3.0)


def test_judges_agree_over_judged_conversations_not_over_means() -> None:
    def said(judge: str, *rows: tuple[float, float]) -> list[Scored]:
        return [Scored(judge, "empathy", f"m{i}", False, one, other, 0) for i, (one, other) in enumerate(rows)]

    a = said("a", (1, 2), (3, 4), (5, 6))
    b = said("b", (2, 3), (4, 5), (6, 7))
    c = said("c", (6, 5), (4, 3), (2, 1))
    found = {x.judges: (x.rho, x.n) for x in agreements(verdicts([*a, *b, *c]))}
    assert found == {
        ("a", "b"): (pytest.approx(1.0), 6),
        ("a", "c"): (pytest.approx(-1.0), 6),
        ("b", "c"): (pytest.approx(-1.0), 6),
    }


def test_what_only_one_judge_scored_is_no_ground_for_agreement() -> None:
    one = Scored("a", "empathy", "m", False, 3.0, None, 0)
    other = Scored("b", "empathy", "m", False, 4.0, 5.0, 0)
    (found,) = agreements(verdicts([one, other]))
    assert (found.rho, found.n) == (None, 1)
