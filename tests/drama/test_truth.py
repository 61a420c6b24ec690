"""Truth: clues are come upon and put together, what is asked is answered, and what is hidden is found out."""

from __future__ import annotations

import asyncio

import pytest
from lived import again
from msgspec.structs import replace
from staged import Stage, hours, pressure
from test_outcomes import FOR, VOTES, result, settle, staged

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.drama.consequences import PressureDeed, move_pressure
from sandbox.drama.new_pressures import bear
from sandbox.drama.truth import KNOWN, come_to_know
from sandbox.engine.scenario import Scenario
from sandbox.people.beliefs import INFERRED, KNEW, STATED, BeliefUpdate
from sandbox.people.domain import dealt
from sandbox.people.model import Chose, Woke
from sandbox.people.persona import Clue, Pressure, Truth
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_handlers import clue_id, clues_of, find_fact
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.people.pressure_rules import intensity_at
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.talk.pressure_aims import effective_way, guilty, honest
from sandbox.talk.question_replies import Responded
from sandbox.talk.rumours import answer_content, tellable

CLUES = (
    Clue("Basil has sand in his boots", known_by=("una",)),
    Clue("the good spade of Basil is wet", where="Mill Meadow / old mill"),
)
SECRET = pressure("secret", "basil", "mara", stakes="what lies under the wheel, and since when", clues=CLUES)


def asks(holder: str = "mara", about: str = "basil", what: str = "secret", kind: str = "suspicion") -> Pressure:
    return pressure(kind, holder, about, asks=what, thread="asks")


def town(larkspur: Scenario, *pressures: Pressure, facts: tuple[Truth, ...] = (), **numbers: object) -> Stage:
    stage = Stage(replace(larkspur, facts=facts), *pressures, **numbers)
    stage.wake()
    return stage


def comes_to_believe(s: Stage, t: int, *rows: BeliefUpdate) -> list[Record]:
    """They have learned that by some event about the first matter; what comes of it, in the same minute."""
    step, p = s.step(t), next(iter(s.world.pressures.open.values()))
    step.emit(
        Stirred(p.id, "shows", "", p.about, 0.0, p.intensity, p.stage, due=p.due, learned=rows), t=t, actor=p.holder
    )
    asyncio.run(come_to_know(step, s.world))
    return step.records[1:]


def row(
    who: str, fact: str, a: str = "basil", b: str = "mara", source: str = "wilf", lie: bool = False
) -> BeliefUpdate:
    return BeliefUpdate(who, fact, a, b, "", 0, STATED, source, lie)


def clue(who: str, n: int, a: str = "basil") -> BeliefUpdate:
    return row(who, f"secret/{n}", a, "")


def ends(records: list[Record]) -> list[tuple[str, str]]:
    return [(r.event.id, r.event.how) for r in records if isinstance(r.event, Ended)]


def born(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(r.event.id.split(".")[0], r.stamp.actor, r.event.about) for r in records if isinstance(r.event, Began)]


# ---- what is asked is answered


def test_who_believes_that_it_was_so_suspects_no_more_and_has_it_against_them(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks())
    heard = comes_to_believe(s, 3600, row("mara", "secret", b="kit"))
    assert (ends(heard), born(heard)) == ([("suspicion", "proved")], [("deserved", "mara", "basil")])
    assert heard[0].event.why == "Mara had it from Wilf: what Basil has kept quiet, what lies under the wheel"
    assert s.world.pressures.open["secret"].last in heard[0].stamp.causes, "the event that told her"
    assert [r.event for r in again(heard)] == [r.event for r in heard]


def test_who_learns_that_it_was_somebody_else_clears_the_one_and_turns_to_the_other(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks(about="otis"))
    heard = comes_to_believe(s, 3600, row("mara", "secret", b="kit"))
    assert (ends(heard), born(heard)) == ([("suspicion", "mistaken")], [("deserved", "mara", "basil")])


def test_an_answer_ends_it_whether_true_or_not(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks(about="otis"))
    heard = comes_to_believe(s, 3600, row("mara", "secret", a="otis", b="kit", lie=True))
    assert ends(heard) == [("suspicion", "proved")]


def test_a_lie_of_whoever_is_asked_is_left_to_what_it_does(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks())
    assert ends(comes_to_believe(s, 3600, row("mara", "secret", "otis", "kit", source="basil", lie=True))) == []


def test_a_worry_that_asks_ends_when_it_is_answered(larkspur: Scenario) -> None:
    fact = Truth("heart", "wilf", "Wilf's heart is tired")
    s = town(larkspur, asks("noor", "wilf", "heart", "worry"), facts=(fact,))
    heard = comes_to_believe(s, 3600, row("noor", "heart", "wilf", "", "flora"))
    assert ends(heard) == [("worry", "understood")]
    assert heard[0].event.why == "Noor had it from Flora: Wilf's heart is tired"


def test_whoever_hears_somebody_own_up_to_another_has_their_answer(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks("mara"))
    w, p = s.world, s.world.pressures.open["secret"]
    for who, r in w.people.residents.items():
        r.awake = who in ("basil", "kit", "mara")
    for who in ("kit", "mara"):
        w.town.spots[who] = w.town.spots["basil"]
    step = s.step(3600)
    move_pressure(step, w, PressureDeed(p, Effect(end="told"), "basil", "kit", "own_up", "accept"))
    asyncio.run(come_to_know(step, w))
    assert ends(step.records) == [("secret", "told"), ("suspicion", "proved")]


def test_who_wakes_to_a_question_knowing_the_answer_has_it_at_once(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit", known_by=("mara",)), replace(asks(about="otis"), wakes=7200))
    step = s.step(7200)
    step.emit(
        Began("suspicion", "suspicion", "otis", 0.6, 0, -1, "it", "it", "asks", (), asks="secret"), t=7200, actor="mara"
    )
    asyncio.run(come_to_know(step, s.world))
    assert ends(step.records) == [("suspicion", "mistaken")]


def test_the_same_town_without_truth_is_answered_by_nothing(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks(), truth=False)
    assert "una" not in s.world.beliefs.held
    assert comes_to_believe(s, 3600, row("mara", "secret", b="kit")) == []


# ---- what is hidden is found out


def test_whom_it_is_kept_from_finds_out_by_believing_it(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET)
    heard = comes_to_believe(s, 3600, row("mara", "secret"))
    assert ends(heard) == [("secret", "found_out")]
    assert born(heard) == [("left_to_guess", "mara", "basil"), ("caught", "basil", "mara")]
    assert heard[0].event.by == KNOWN


def test_who_admits_it_to_the_one_it_was_kept_from_has_told_it(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, asks())
    w, p = s.world, s.world.pressures.open["suspicion"]
    way = next(x for x in w.drama.kinds["suspicion"].ways if x.accept.end == "confirmed")
    step = s.step(3600)
    move_pressure(step, w, PressureDeed(p, way.accept, "mara", "basil", "accuse", "accept"))
    asyncio.run(come_to_know(step, w))
    assert ends(step.records) == [("suspicion", "confirmed"), ("secret", "told")]
    assert "left_to_guess" not in {child for child, _, _ in born(step.records)}


@pytest.mark.parametrize("told_so", [{"a": "otis"}, {"lie": True}])
def test_a_tale_of_somebody_else_and_a_lie_are_no_finding_out(larkspur: Scenario, told_so: dict[str, object]) -> None:
    assert comes_to_believe(town(larkspur, SECRET), 3600, row("mara", "secret", **told_so)) == []  # type: ignore[arg-type]


def test_two_clues_are_put_together_and_the_timeline_says_which(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, infers=1.0)
    heard = comes_to_believe(s, 3600, clue("una", 1))  # the other she has from the start
    (found,) = [r for r in heard if isinstance(r.event, Stirred)]
    assert (found.event.how, found.event.told, found.event.learned[0].source) == (INFERRED, ("una",), INFERRED)
    words = "Una has put two and two together: Basil has sand in his boots, and the good spade of Basil is wet"
    assert event_sentence(found, Teller(s.world.handbook)) == words
    assert "una" in s.world.pressures.open["secret"].known_by
    assert {b.seq for b in s.world.beliefs.held["una"].values() if b.source != INFERRED} <= {*found.stamp.causes}


def test_whom_it_is_kept_from_finds_out_by_two_clues(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, infers=1.0)
    heard = comes_to_believe(s, 3600, clue("mara", 0), clue("mara", 1))
    assert ends(heard) == [("secret", "found_out")]
    (out,) = [r.event for r in heard if isinstance(r.event, Ended)]
    assert out.why == "Mara has put two and two together: what Basil has kept quiet, what lies under the wheel"


def test_clues_that_speak_of_two_people_are_not_put_together(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, infers=1.0)
    assert comes_to_believe(s, 3600, clue("una", 1, "otis")) == []


def test_who_does_not_see_it_may_sleep_on_it_once_a_day(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, infers=1.0)
    s.world.pressure_parameters = replace(s.world.pressure_parameters, infers=0.0)
    assert comes_to_believe(s, 3600, clue("una", 1)) == []
    s.world.pressure_parameters = replace(s.world.pressure_parameters, infers=1.0)
    step = s.step(DAY)
    step.emit(Woke(), t=DAY, actor="una")
    asyncio.run(come_to_know(step, s.world))
    assert [r.event.how for r in step.records[1:]] == [INFERRED]


def test_whoever_spends_time_in_a_place_may_come_upon_what_shows_there(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, asks("otis"))
    found = []
    for minute in range(200):
        step, t = s.step(hours(1) + 60 * minute), hours(1) + 60 * minute
        step.emit(Chose("sit", "rest", "Mill Meadow / old mill / bench", "", 6, 69, 60, 0, True), t=t, actor="otis")
        asyncio.run(come_to_know(step, s.world))
        found += [r for r in step.records if isinstance(r.event, Stirred)]
    assert [event_sentence(r, Teller(s.world.handbook)) for r in found] == [
        "Otis has come upon something: the good spade of Basil is wet"
    ]
    assert found[0].event.stage == s.world.pressures.open["secret"].stage == 0, "Basil does not know of it"


def test_clues_are_known_from_the_start_and_passed_on_at_any_time(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET)
    w = s.world
    assert w.beliefs.held["una"]["secret/0"].source == KNEW
    assert "secret/0" in {b.fact for b in tellable(w, "una", "otis", 9 * DAY)}
    assert "secret/0" in {b.fact for b in tellable(w, "una", "mara", 9 * DAY)}, "she does not know what it shows"
    assert "secret/0" not in {b.fact for b in tellable(w, "una", "basil", 9 * DAY)}


def test_a_secret_that_shows_gives_a_clue_and_not_itself(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET)
    n = next(n for n, x in enumerate(clues_of(s.world, "secret")) if x.by == "shows")
    fact = find_fact(s.world, clue_id("secret", n))
    assert fact is not None
    assert fact.stakes == "Basil stops talking when Mara comes by"
    w = s.world
    for who, r in w.people.residents.items():
        r.awake = who in ("basil", "wilf")
    w.town.spots["wilf"] = w.town.spots["basil"]
    shown = [r.event for k in range(600) for r in s.press(hours(1) + 60 * k) if isinstance(r.event, Stirred)]
    assert [(e.how, e.told, e.learned[0].fact) for e in shown] == [("shows", (), fact.id)]


def test_one_of_those_near_may_notice_what_a_deed_shows(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET)
    w, p = s.world, s.world.pressures.open["secret"]
    near = ("una", "wilf", "greta", "otis", "vera")
    for who, r in w.people.residents.items():
        r.awake = who in ("basil", "kit", *near)
    for who in ("kit", *near):
        w.town.spots[who] = w.town.spots["basil"]
    heard = []
    for k in range(8):
        step = s.step(hours(1 + k))
        move_pressure(step, w, PressureDeed(p, Effect(by=0.01), "basil", "kit", "confide", "accept"))
        asyncio.run(come_to_know(step, w))
        heard.append([r for r in step.records if isinstance(r.event, Stirred) and r.event.how == "clue"])
    assert max(map(len, heard)) == 1
    assert {r.event.says for found in heard for r in found} == {"Basil was heard to say that Mara must not know"}


def test_who_hides_what_has_come_to_weigh_is_a_stage_nearer_to_owning_up(larkspur: Scenario) -> None:
    for much, stage in ((0.7, 0), (0.9, 1)):
        s = town(larkspur, replace(SECRET, intensity=much))
        step = s.step(hours(3))
        step.emit(Woke(), t=hours(3), actor="basil")
        asyncio.run(come_to_know(step, s.world))
        assert s.world.pressures.open["secret"].stage == stage


# ---- what is said of it is true


def test_nobody_owns_up_to_what_they_have_not_done(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks(about="otis"))
    w, p = s.world, s.world.pressures.open["suspicion"]
    assert guilty(w, p) is False
    yes = Responded("accept", ())
    denied = honest(w, p, "accuse", yes)
    assert (denied.how, denied.why[0].name) == ("refuse", "has done nothing of the kind")
    assert honest(w, p, "ask_fair", yes) is yes


def test_who_has_done_it_and_speaks_of_it_freely_owns_up(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"), asks())
    w, p = s.world, s.world.pressures.open["suspicion"]
    fair = next(x for x in w.drama.kinds["suspicion"].ways if x.do == "ask_fair")
    way = effective_way(w, p, fair, "accept")
    assert (guilty(w, p), way.do, way.accept.end) == (True, "accuse", "confirmed")
    events = s.move(3600, p, way.accept, "mara", "basil", "ask_fair", answer="accept")
    rows = events[0].learned  # type: ignore[attr-defined]
    assert [(x.who, x.a, x.source) for x in rows if x.fact == "secret"] == [("mara", "basil", "basil")]


def test_who_is_asked_tells_what_bears_on_the_question(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET, asks("otis", "greta"))
    content = answer_content(s.world, s.world.pressures.open["suspicion"], "una", "otis", 3600)
    assert content is not None
    assert content.slots["rumour"] == "Basil has sand in his boots"
    assert content.slots["third"] == "Basil"


# ---- what is born


def test_nobody_suspects_another_of_nothing(larkspur: Scenario) -> None:
    s = town(larkspur, replace(SECRET, about="kit"))
    step = s.step(3600)
    for actor in ("basil", "otis"):
        bear(step, s.world, "curiosity", (1,), actor, "mara", since=3600)
    (e,) = [r.event for r in step.records if isinstance(r.event, Began)]
    assert (e.about, e.asks) == ("basil", "secret")


# ---- secrets last, and what hangs on an hour is played


def test_a_secret_weighs_more_with_time_and_does_not_fade(larkspur: Scenario) -> None:
    s = town(larkspur, SECRET)
    w, p = s.world, s.world.pressures.open["secret"]
    assert intensity_at(p, 5 * DAY, w.pressure_parameters) == pytest.approx(0.6 + 0.05 * 4.5)
    s.press(20 * DAY)
    assert "secret" in w.pressures.open
    for without in ({"truth": False}, {"grows": 0.0}):
        assert intensity_at(p, 5 * DAY, replace(w.pressure_parameters, **without)) < 0.2


def test_what_an_occasion_hangs_on_wakes_in_time() -> None:
    late = replace(SECRET, wakes=9 * DAY)
    assert [p.wakes for p in dealt([late], Chance(4), 4, {"secret": 2 * DAY})] == [2 * DAY]


@pytest.mark.parametrize(("side", "pulls"), [("no", -0.9), ("yes", 0.9)])
def test_what_a_voter_believes_draws_them(larkspur: Scenario, side: str, pulls: float) -> None:
    d = replace(VOTES, beliefs={"secret": side})
    stage = staged(larkspur, d, replace(SECRET, known_by=("wilf", "greta")), stances=FOR)
    parts = {p.who: {rule.name: rule.value for rule in p.why} for p in result(settle(stage)).parts}
    assert {who for who, why in parts.items() if "believes it: what lies under the wheel" in why} == {"wilf", "greta"}
    assert parts["greta"]["believes it: what lies under the wheel"] == pytest.approx(pulls)


@pytest.mark.parametrize(
    ("child", "thread", "end"), [("judge_second", "", "something_else"), ("cake_guess", "it", "proved")]
)
def test_a_suspicion_that_was_born_is_proved_by_nothing_that_is_beside_it(
    larkspur: Scenario, child: str, thread: str, end: str
) -> None:
    s = town(larkspur, replace(SECRET, about="kit", thread="it"))
    step = s.step(3600)
    parts = ("mara", "wilf", "basil") if child == "judge_second" else ("mara", "basil", "")
    made = s.world.drama.children[child]
    holder = dict(zip(("actor", "target", "other"), parts, strict=True))[made.holder]
    bear(step, s.world, child, (1,), parts[0], parts[1], other=parts[2], thread=thread)
    born = next(p for p in s.world.pressures.open.values() if p.id.startswith(child))
    assert (born.holder, born.about, born.asks) == (holder, "basil", "secret")
    assert guilty(s.world, born) is (None if end != "proved" else True), "owning up to it tells nothing of the other"
    heard = comes_to_believe(s, 7200, row(holder, "secret", b="kit"))
    assert ends(heard) == [(born.id, end)]
    ended = next(r for r in heard if isinstance(r.event, Ended))
    says = event_sentence(ended, Teller(s.world.handbook))
    assert ("Basil has been hiding something else" in says) == (end != "proved"), says
