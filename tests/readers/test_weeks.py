"""Measures that need weeks: whether stories repeat themselves, and whether anything comes of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lived import founding
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.drama.taking_sides import Showdown, ShowdownTurn
from sandbox.engine.load_world import read_claims
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, Claim, ClaimDeck, Made, StandingClaim
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, Todo
from sandbox.people.paying import Earned, Paid
from sandbox.people.persona import PastTie, Pressure
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.readers.measures import FORTNIGHT, KEYS, WEEKS, DramaStats, range_words, value, whole_weeks
from sandbox.talk.model import Closed, Exchanged, Opened, Relation, Utterance

Pair = tuple[str, str]
A, B, C, D = "mara", "otis", "una", "vera"
ROOM = "Rowan House / front bedroom"
NOON = 12 * HOUR

OF_WEEKS = (*WEEKS, *FORTNIGHT)


def _of_cast(id: str, kind: str) -> Pressure:
    return Pressure(id, kind, A, B, 0.5, 0, 0, None, "a ladder", (), id, "it fell")


class Log:
    """A town that begins with two ties, ten coins for everybody and three matters, and a log written by hand."""

    def __init__(self, larkspur: Scenario) -> None:
        past = {A: (PastTie(B, 0, 0.8, "neighbours"),), B: (PastTie(A, 0, 0.4, "neighbours"),)}
        cast = tuple(replace(p, purse=10, history=past.get(p.id, ())) for p in larkspur.cast)
        pressures = (_of_cast("loan", "debt"), _of_cast("letter", "secret"), _of_cast("heart", "crush"))
        claims = read_claims(data_dir() / "claims.yaml", data_dir() / "claims.yaml", cast, larkspur.drama, Faults())
        self.scenario = replace(larkspur, cast=cast, pressures=pressures, claims=claims)
        self.world = World.found(founding(self.scenario))
        self.clock = self.world.clock
        self.records: list[Record] = []

    def at(self, day: int, second: int = NOON) -> int:
        return self.clock.midnight(day) + second

    def add(self, t: int, event: Event, actor: str = A, *causes: int) -> int:
        self.records.append(Record(Stamp(len(self.records) + 2, t // 60 + 1, t, actor, causes), event))
        return self.records[-1].stamp.seq

    def talks(self, t: int, aim: str, do: str, two: Pair, *causes: int) -> int:
        """Two have it out, or make it up: the number of what was said."""
        talk = self.add(t, Opened(f"{t}", two[1], "Mill / yard", do, 4, (), aim=aim), two[0], *causes)
        lines = tuple(Utterance(who, "Here.", "pay_back", "", "", 0.1, ()) for who in two)
        return self.add(t + 5, Exchanged(f"{t}", 1, "pay_back", lines, (), aim, do, "accept"), two[0], talk)

    def incident(
        self,
        day: int,
        thread: str,
        do: str = "repay",
        two: Pair = (A, B),
        hour: int = 12,
        before: tuple[str, Pair] | None = None,
    ) -> None:
        """Something begins between two people and ends the same day. before: a deed, and by whom to whom."""
        t = self.at(day, hour * HOUR)
        id = f"{t}"
        last = first = self.add(t, Began(id, "debt", two[1], 0.5, 0, -1, "a ladder", "it fell", thread, ()), two[0])
        if before is not None:
            how, (who, to) = before
            said = self.talks(t, id, how, (who, to), first)
            last = self.add(t + 5, Stirred(id, how, "dodge", to, 0, 0.5, 1), who, said, first)
        said = self.talks(t + 60, id, do, two, last)
        self.add(t + 65, Ended(id, "repaid", True, do, "accept", two[1]), two[0], said, last)

    def close(self, day: int, closeness: float, two: Pair = (A, B)) -> None:
        """A talk after which the one is that close to the other."""
        t = self.at(day)
        self.add(t, Opened(f"{t}", two[1], "Mill / yard", "greet", 4, ()), two[0])
        relations = (Relation(*two, 0.0, 0.1, 0.0, closeness, 0.0, "talked"),)
        self.add(t + 60, Closed(f"{t}", two, "ladders", "plain", "", relations), two[0])

    def read(self) -> DramaStats:
        found = DramaStats(self.world)
        found.read(sorted(self.records, key=lambda record: record.stamp.t))
        return found

    def of(self, key: str, days: Sequence[int] = (1,)) -> float | None:
        return self.read().whole(days, self.at(days[-1] + 1, 0))[key]


@pytest.fixture
def log(larkspur: Scenario) -> Log:
    return Log(larkspur)


# ---- what is told


def test_a_third_matter_of_a_template_is_nothing_new(log: Log) -> None:
    for day in (1, 2, 3):
        log.incident(day, f"small_promise.{A}.{B}.{day}")
    log.incident(3, f"counted_coins.{A}.{B}.9", hour=14)
    assert log.of("new_share", (1, 2)) == 1.0
    assert log.of("new_share", (3,)) == 0.5, "what was told before these days counts"
    assert log.of("new_share", (1, 2, 3)) == 0.75


def test_a_matter_that_goes_on_is_as_new_as_it_was(log: Log) -> None:
    for day in (1, 2, 3):
        log.incident(day, f"small_promise.{A}.{B}.1")
    assert log.of("new_share", (1, 2, 3)) == 1.0


def test_what_the_cast_brought_is_a_template_each_and_counted_apart(log: Log) -> None:
    for thread in ("loan", "letter", "heart"):
        log.incident(1, thread, hour=10 + len(thread))
    assert (log.of("new_share"), log.of("cast_share")) == (1.0, 1.0)
    log.incident(2, f"small_promise.{A}.{B}.1")
    assert log.of("cast_share", (1, 2)) == 0.75
    assert log.of("cast_share", (2,)) == 0.0


def test_rounds_are_counted_by_incidents_whichever_of_their_deeds_it_is(log: Log) -> None:
    for day, do in enumerate(("repay", "keep", "challenge"), 1):
        log.incident(day, "loan", do, before=("remind", (B, A)))
    assert log.of("loop_share", (1, 2)) == 0.0
    assert log.of("loop_share", (3,)) == 1.0


def test_a_deed_of_the_same_two_over_the_same_matter_is_a_loop_from_the_third_time_on(log: Log) -> None:
    for day, two in enumerate(((A, B), (B, A), (A, B), (A, B)), 1):
        log.incident(day, "loan", "confront", two)
    log.incident(5, "loan", "repay")
    log.incident(5, "letter", "confront", hour=14)
    log.incident(6, "loan", "confront", (A, C))
    assert log.of("loop_share", (1, 2)) == 0.0
    assert log.of("loop_share", (3, 4)) == 1.0
    assert log.of("loop_share", (1, 2, 3, 4, 5, 6)) == 0.2857, "another deed, matter or pair is none"


def test_a_matter_is_among_three_when_those_it_concerns_have_come_to_one_another(log: Log) -> None:
    log.incident(1, "loan")
    log.incident(1, "letter", hour=14, before=("confide", (B, D)))
    assert log.of("three_principals") == 0.0, "a friend who listens is not concerned"
    log.incident(2, "loan", "remind", (B, C))
    assert log.of("three_principals", (1, 2)) == 0.5
    assert log.of("three_principals", (2,)) == 0.0, "that day there were only two"


def test_a_showdown_is_among_all_who_spoke_and_counts(log: Log) -> None:
    began = log.add(log.at(1), Began("row", "grudge", B, 0.5, 2, -1, "a ladder", "it fell", "loan", ()), A)
    said = ((A, B), (B, A), (C, B), (D, A))
    turns = tuple(ShowdownTurn(Utterance(who, "Here.", "take_side", "", "", 0.0, ()), to, "peace") for who, to in said)
    scene = Showdown("row", (A, B), "Mill / yard", "a ladder", "peace", "made_up", "it is over", turns)
    shown = log.add(log.at(1) + HOUR, scene, A, began)
    log.add(log.at(1) + HOUR, Ended("row", "made_up", True, "showdown", to=B, hostile=True), A, shown, began)
    assert (log.of("showdowns"), log.of("showdowns", (2,))) == (1, 0)
    assert log.of("three_principals") == 1.0


# ---- what is so


def test_claims_made_or_broken_count_by_whether_a_life_hangs_on_them(log: Log) -> None:
    log.add(log.at(1), Made("c1", "role", D, terms="landlord"))
    log.add(log.at(1), Made("c2", "ally", A, B, "the mill"))
    log.add(log.at(4), Broken("c2", "ally", A, B, "the mill"))
    assert (log.of("hard_claims"), log.of("soft_claims")) == (1, 1)
    assert (log.of("hard_claims", (1, 2, 3, 4)), log.of("soft_claims", (1, 2, 3, 4))) == (1, 2)


@pytest.mark.parametrize(("hours", "counted"), [(47, 1), (48, 2)])
def test_what_is_made_and_broken_within_two_days_counts_once(log: Log, hours: int, counted: int) -> None:
    log.add(log.at(1), Made("c1", "couple", A, B))
    log.add(log.at(1) + hours * HOUR, Broken("c1", "couple", A, B))
    assert log.of("hard_claims", (1, 2, 3, 4)) == counted


def test_what_takes_the_place_of_something_counts_once(log: Log) -> None:
    log.add(log.at(1), Made("c1", "owns", A, terms="the pan"))
    log.add(log.at(3), Broken("c1", "owns", A, terms="the pan", instead="c2"))
    log.add(log.at(3), Made("c2", "owns", B, terms="the pan"))
    assert log.of("hard_claims", (1, 2, 3)) == 2


def test_a_secret_of_the_cast_is_out_when_it_is_told_or_whom_it_was_kept_from_knows(log: Log) -> None:
    began = Began("letter", "secret", B, 0.5, 0, -1, "a letter", "it came", "letter", ())
    log.add(0, began)
    log.add(0, replace(began, id="other", thread="other"))
    log.add(log.at(1), Stirred("letter", "confide", "accept", C, 0, 0.5, 1, (C,)))
    log.add(log.at(1), Ended("other", "told", True, "own_up", "accept", B))
    assert log.of("secrets_out") == 0.0, "a friend who knows is none, and neither is a secret born in play"
    log.add(log.at(2), Stirred("letter", "leak", "accept", B, 0, 0.5, 2, (B,)), C)
    log.add(log.at(3), Ended("letter", "told", True, "own_up", "accept", B))
    assert (log.of("secrets_out", (2,)), log.of("secrets_out", (3,))) == (1.0, 0.0), "it comes out once"


def test_a_secret_that_faded_was_never_out(log: Log) -> None:
    log.add(log.at(1), Ended("letter", "faded", True, turn=False))
    assert log.of("secrets_out") == 0.0


def test_secrets_are_found_out_but_by_the_word_of_who_kept_them(log: Log) -> None:
    log.add(0, Began("other", "secret", B, 0.5, 0, -1, "a letter", "it came", "other", ()))
    log.add(log.at(1), Ended("letter", "told", True, "own_up", "accept", B))
    assert log.of("secrets_found") == 0
    log.add(log.at(2), Ended("other", "found_out", False, "learned", "", A, why="she put two and two together"), B)
    assert (log.of("secrets_found", (2,)), log.of("secrets_found", (3,))) == (1, 0)


@pytest.mark.parametrize(("kind", "left"), [("secret", 0.0), ("grudge", 1.0)])
def test_a_secret_may_lie_untouched(log: Log, kind: str, left: float) -> None:
    log.add(0, Began("letter", kind, B, 0.5, 0, -1, "a letter", "it came", "letter", ()))
    log.add(log.at(4), Made("c1", "couple", A, B))
    assert log.read().whole((4,), 4 * DAY)["untouched_48h"] == left


def test_loves_begin_and_end_with_a_couple_and_those_of_the_cast_are_not_begun(log: Log) -> None:
    log.add(log.at(1), Made("c1", "couple", B, A))
    log.add(log.at(1), Made("c2", "couple", C, D))
    log.add(log.at(2), Broken("c1", "couple", B, A))
    assert (log.of("loves_begun", (1, 2)), log.of("loves_ended", (1, 2))) == (1, 1)
    assert (log.of("loves_begun", (2,)), log.of("loves_ended", (2,))) == (0, 1)


def wants(log: Log, id: str, *steps: int, day: int = 1) -> None:
    """Somebody wants a claim from that day on, and takes a step on each of these."""
    planned = log.add(log.at(day), GoalPlanned(id, Claim("", "role", A, terms=id), (Todo("skill", 0),) * 3))
    for step in steps:
        log.add(log.at(step), GoalAdvanced(id, "skill", "", 0.5, 1, 1), A, planned)


def test_a_plan_has_got_somewhere_with_two_steps_by_its_end_or_that_of_the_span(log: Log) -> None:
    wants(log, "two", 1, 2)
    wants(log, "one", 1)
    log.add(log.at(2), Ended("one", "failed", False))
    assert [log.of("plans_advanced", days) for days in ((1,), (1, 2), (3,))] == [0.0, 0.5, 1.0]


def test_to_come_by_what_was_wanted_is_the_last_step_and_to_let_it_fade_is_none(log: Log) -> None:
    for id, how in (("had", "reached"), ("gone", "faded")):
        wants(log, id, 1)
        log.add(log.at(2), Ended(id, how, True))
    assert log.of("plans_advanced", (1, 2)) == 0.5
    assert log.of("plans_advanced", (3,)) is None


def test_a_life_has_changed_if_home_work_couple_or_office_is_another(log: Log) -> None:
    people = len(log.world.cast)
    log.add(log.at(1), Made("c1", "couple", A, B))
    log.add(log.at(1), Made("c2", "ally", C, D, "the mill"))
    log.add(log.at(1), Broken(f"employs.{D}", "employs", "", D))
    assert log.of("lives_changed") == round(3 / people, 3), "two are a couple, and one has lost her place"
    log.add(log.at(2), Broken(f"lodges.{C}", "lodges", C))
    log.add(log.at(2), Made("c3", "lodges", C, where=ROOM))
    assert log.of("lives_changed", (2,)) == round(4 / people, 3), "since the world began, not since that day"
    log.add(log.at(3), Broken("c1", "couple", A, B))
    assert log.of("lives_changed", (2, 3)) == round(2 / people, 3), "what is as it was has not changed"


# ---- what has moved


def test_ties_that_keep_their_order_go_together_and_those_that_turn_do_not(log: Log) -> None:
    for (u, v), early, late in (((A, B), 0.3, 0.5), ((B, A), 0.4, 0.6), ((C, D), 0.5, 0.7), ((D, C), 0.1, 0.1)):
        log.close(1, early, (u, v))
        log.close(3, late, (u, v))
    assert log.of("ties_correlation", (1, 2, 3)) == 1.0, "a tie below .2 on both days is left out"
    log.close(4, 0.9, (A, B))
    assert (log.of("ties_correlation", (3, 4)) or 0.0) < 0


def test_where_two_weeks_were_lived_the_seventh_day_is_compared_with_the_fourteenth(log: Log) -> None:
    for day, (a, b) in {1: (0.9, 0.2), 7: (0.2, 0.9), 14: (0.3, 0.8), 20: (0.8, 0.3)}.items():
        log.close(day, a, (A, B))
        log.close(day, b, (B, A))
    assert log.of("ties_correlation", range(1, 21)) == 1.0
    assert log.of("ties_correlation", range(1, 8)) == -1.0


def test_ties_that_nobody_feeds_loosen_by_the_end(log: Log) -> None:
    log.close(1, 0.65, (C, D))
    assert log.of("close_pairs_ratio") == 2.0, "one of .8 at the start, and now another"
    log.add(log.at(9), Earned({A: 1}))
    assert log.of("close_pairs_ratio", range(1, 9)) == 0.0
    assert log.of("close_pairs_ratio", (9,)) is None, "there was none as that day began"


def test_purses_are_ranked_and_summed_from_start_to_end(log: Log) -> None:
    assert log.of("purse_correlation") is None, "all have the same"
    log.add(log.at(1), Paid(4, "a debt", 6, B))
    assert log.of("purse_total") == 1.0
    log.add(log.at(2), Paid(6, "a hat", 0))
    people = len(log.world.cast)
    assert log.of("purse_total", (1, 2)) == round((10 * people - 6) / (10 * people), 3)
    assert log.of("purse_correlation", (2,)) == 1.0, "the poorest has become poorer"
    log.add(log.at(3), Earned({A: 100}))
    assert (log.of("purse_correlation", (3,)) or 1.0) < 0.5


def test_where_there_is_nothing_to_measure_of_there_is_no_number(log: Log) -> None:
    bare = replace(log.scenario, claims=ClaimDeck(), pressures=(), rules={"drama": "off"})
    found = DramaStats(World.found(founding(replace(bare, cast=tuple(replace(p, history=()) for p in bare.cast)))))
    found.read([Record(Stamp(2, 1, 0, A, ()), Earned({}))])
    assert {key: found.whole((1,), DAY)[key] for key in OF_WEEKS} == dict.fromkeys(OF_WEEKS)


# ---- weeks


def test_weeks_are_whole_and_counted_from_the_first_day() -> None:
    assert whole_weeks(range(1, 16)) == [(1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14)]
    assert whole_weeks((1,)) == whole_weeks(range(2, 10)) == whole_weeks(()) == []


def test_each_measure_of_weeks_has_a_range_and_words_for_it(log: Log) -> None:
    assert tuple(log.read().whole((1,), DAY)) == (*KEYS, *OF_WEEKS)
    assert range_words("new_share", WEEKS["new_share"].later) == "at least 60 %"
    assert range_words("cast_share", WEEKS["cast_share"].first) == ""
    assert range_words("hard_claims", WEEKS["hard_claims"].first) == "2 to 6"
    assert range_words("purse_correlation", FORTNIGHT["purse_correlation"].first) == "at most 0.8"
    assert (value("loop_share", 0.03), value("purse_total", 1.25)) == ("3 %", "1.25")


def test_a_broken_claim_that_others_know_of_is_minded_or_not(log: Log) -> None:
    log.world.claims.open["pair"] = StandingClaim("pair", "couple", A, B)
    log.world.claims.of = {A: ["pair"], B: ["pair"]}
    for day, minds in ((1, True), (3, False)):
        t = log.at(day)
        heart = log.add(t, Began(f"heart{day}", "crush", C, 0.5, 0, -1, "a ladder", "it fell", f"heart{day}", (D,)), A)
        if minds:
            log.add(t + 60, Began(f"jealous.{B}.{A}.{t}", "grudge", A, 0.5, 0, -1, "it", "it", "x", ()), B, heart)
    assert log.of("breaches_noticed", (3, 4)) is None, "two days have not passed"
    log.incident(6, "loan")
    assert [log.of("breaches_noticed", days) for days in ((1, 2), (3, 4), (1, 2, 3, 4), (5,))] == [1.0, 0.0, 0.5, None]
