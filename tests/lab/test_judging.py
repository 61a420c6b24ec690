"""What judges are asked, about which talks, and what their scores are worth."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest

from sandbox.core.clock import Clock
from sandbox.lab.carryover import Talked
from sandbox.lab.experiment import Comparison
from sandbox.lab.judging import (
    CRITERIA,
    BlindCase,
    JudgeCase,
    JudgedTalk,
    JudgeReply,
    Scored,
    Where,
    cases,
    judge_cases,
    match_counts,
    matches,
    meeting_counts,
    rubrics,
)
from sandbox.lab.material import JudgeMaterial
from sandbox.lab.scores import CriterionScore, agreements, judgements, match_verdicts
from sandbox.minds.budget import Spent


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
    assert match_counts(meeting_counts(one), meeting_counts(other)) == {"ann|ben": 2}


def test_continuity_is_judged_of_whole_series_of_two_talks_or_more() -> None:
    one = [talk("ann", "ben"), talk("ben", "ann"), talk("ann", "ben"), talk("ann", "cid")]
    other = [talk("ann", "ben"), talk("ann", "ben"), talk("cid", "ann")]
    (found,) = matches(rubrics()["continuity"], one, other)
    assert (found.id, len(found.one), len(found.other)) == ("ann|ben", 3, 2)


def test_a_talk_without_a_word_is_none() -> None:
    assert meeting_counts([Talked(("ann", "ben"), [])]) == {}


# ---- judging

BOTH = ("on", "off")


def told(*texts: str) -> tuple[JudgedTalk, ...]:
    return tuple(JudgedTalk("Thursday, 09:00", (("Ann Abel", text),)) for text in texts)


def case(match: str = "ann|ben 1", one: str = "on", other: str = "off", seed: int = 1) -> JudgeCase:
    return JudgeCase(Where(*BOTH, seed, match), rubrics()["empathy"], (("Ann Abel", "Ann."),), told(one), told(other))


class Leaning:
    """A judge who gives version A two points more, for standing first."""

    name = "leaning"

    def __init__(self, *said: float | None) -> None:
        self.asked: list[tuple[str, str]] = []
        self._said = said or (5.0, 5.0)

    async def score(self, put: BlindCase) -> JudgeReply:
        self.asked.append((put.a[0].lines[0][1], put.b[0].lines[0][1]))
        x, y = self._said
        return JudgeReply(None if x is None else x + 2.0, y, "first", "second")


def scores(said: list[Scored]) -> CriterionScore:
    """What a judge said of empathy, put together."""
    found = judgements([said[0].judge], [Comparison(*BOTH)], said, lambda name: Spent())
    return found.scores[0]


async def test_each_match_is_judged_both_ways_round_and_the_gap_is_told() -> None:
    scorer = Leaning()
    scored = await judge_cases([scorer], [case()])
    assert scorer.asked == [("on", "off"), ("off", "on")]
    assert [(s.one, s.other) for s in scored] == [(7.0, 5.0), (5.0, 7.0)]
    assert [(s.why_one, s.why_other) for s in scored] == [("first", "second"), ("second", "first")]
    (verdict,) = match_verdicts(scored)
    assert (verdict.one, verdict.other, verdict.gap) == (6.0, 6.0, 2.0)


async def test_scores_out_of_range_are_clipped_and_counted_and_unread_ones_too() -> None:
    clipped = scores(await judge_cases([Leaning(9.5, 3.0)], [case()]))
    assert (clipped.clipped, clipped.unread, clipped.asked) == (2, 0, 2)
    unread = scores(await judge_cases([Leaning(None, None)], [case()]))
    assert (unread.unread, unread.asked, unread.pairs, unread.drawn) == (2, 2, 0, 1)
    assert (unread.one.mean, unread.gap, unread.won) == (None, None, None)


def test_a_pair_that_was_read_one_way_only_counts_for_nothing() -> None:
    where = Where(*BOTH, 1, "ann|ben 1")
    ways = [Scored("a", "empathy", where, False, 9.0, 3.0, 0), Scored("a", "empathy", where, True, None, None, 0)]
    found = scores(ways)
    assert (found.pairs, found.unread, found.difference.estimate.mean) == (0, 1, None)


async def test_what_is_put_in_the_same_words_is_asked_once_and_counts_each_time() -> None:
    scorer = Leaning()
    scored = await judge_cases([scorer], [case("m1", "same", "same"), case("m2", "same", "same")], together=4)
    assert scorer.asked == [("same", "same")]
    assert len(scored) == 4
    assert scores(scored).same == 1.0


def test_a_seed_counts_once_however_many_of_its_pairs_were_judged() -> None:
    def said(seed: int, match: str, one: float) -> list[Scored]:
        where = Where(*BOTH, seed, match)
        return [Scored("a", "empathy", where, swapped, one, 5.0, 0) for swapped in (False, True)]

    found = scores([*said(1, "m1", 9.0), *said(1, "m2", 9.0), *said(1, "m3", 9.0), *said(2, "m1", 3.0)])
    assert found.difference.estimate.mean == pytest.approx(1.0)
    assert (found.difference.estimate.n, found.pairs, found.won) == (2, 4, 0.75)


def test_judges_agree_over_judged_conversations_not_over_means() -> None:
    def said(judge: str, *rows: tuple[float, float]) -> list[Scored]:
        return [
            Scored(judge, "empathy", Where(*BOTH, 1, f"m{i}"), swapped, one, other, 0)
            for i, (one, other) in enumerate(rows)
            for swapped in (False, True)
        ]

    a = said("a", (1, 2), (3, 4), (5, 6))
    b = said("b", (2, 3), (4, 5), (6, 7))
    c = said("c", (6, 5), (4, 3), (2, 1))
    found = {x.judges: (x.rho, x.n) for x in agreements(match_verdicts([*a, *b, *c]))}
    assert found == {
        ("a", "b"): (pytest.approx(1.0), 6),
        ("a", "c"): (pytest.approx(-1.0), 6),
        ("b", "c"): (pytest.approx(-1.0), 6),
    }
    mixed = said("d", (2, 1), (4, 9), (6, 5))
    (one,) = agreements(match_verdicts([*a, *mixed]))
    assert one.rho is not None
    assert abs(one.rho) < 0.9
    assert (one.over_arms, one.arms) == (1.0, 2)  # and says nothing


def test_what_only_one_judge_scored_is_no_ground_for_agreement() -> None:
    where = Where(*BOTH, 1, "m")
    one = [Scored("a", "empathy", where, s, 3.0, 4.0, 0) for s in (False, True)]
    other = [Scored("b", "empathy", where, s, None, None, 0) for s in (False, True)]
    (found,) = agreements(match_verdicts([*one, *other]))
    assert (found.rho, found.n) == (None, 0)


# ---- drawing


def test_at_most_so_many_pairs_are_drawn_the_same_each_time_and_more_hold_the_fewer() -> None:
    names = [f"p{i:02}" for i in range(8)]
    talks = [Talked((a, b), [(a, "hello"), (b, "hello")], 600) for a in names for b in names if a < b]
    people = {name: (f"{name} Abel", "somebody") for name in names}
    heard = {
        (arm, seed): JudgeMaterial(Clock(datetime(2025, 2, 13, 8)), people, talks) for arm in BOTH for seed in (1, 2)
    }
    pair = [Comparison(*BOTH)]
    few, many = cases(pair, heard, 5), cases(pair, heard, 9)
    assert few == cases(pair, heard, 5)
    assert {c.where for c in few if c.rubric.name == "empathy"} < {c.where for c in many}
    of = Counter((c.where.seed, c.rubric.name) for c in few)
    assert of == {(seed, key): 5 for seed in (1, 2) for key in CRITERIA if key != "continuity"}
    drawn = [{c.where.match for c in few if (c.where.seed, c.rubric.name) == key} for key in of]
    assert len({frozenset(x) for x in drawn}) > 5  # not the same pairs everywhere
    assert few[0].one[0].when == "Thursday, 08:10"
    assert few[0].people[0][0] == few[0].one[0].lines[0][0]
    del heard["off", 2]
    assert {c.where.seed for c in cases(pair, heard, 5)} == {1}
