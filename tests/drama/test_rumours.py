"""Rumours: who learns what by a deed, how it is passed on and changed, and what it does."""

from collections.abc import Iterator

import pytest
from lived import Day, again, engine_of, founding, log_of, run
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.events import Record, Stamp
from sandbox.drama.hearsay import follow_hearsay
from sandbox.drama.taking_sides import Showdown
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import FIRSTHAND, OVERHEARD, SAW, SEEN, STATED, BeliefUpdate, Fact, fact_sentence, learns
from sandbox.people.pressure_deck import KINDS, WARN, Effect, Rumours
from sandbox.people.pressure_handlers import fact_of
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Stirred
from sandbox.phones.model import Read
from sandbox.readers.beliefs import known_facts
from sandbox.talk.lines import CRITERIA
from sandbox.talk.model import Exchanged, Talk, Utterance
from sandbox.talk.rumours import (
    TONES,
    denial_content,
    fact_tone,
    garble_fact,
    lie_content,
    mix_up_candidates,
    rumour_content,
    secret_to_cover,
    tellable,
)


def rows_of(records: list[Record]) -> Iterator[tuple[Stamp, str, BeliefUpdate]]:
    """Everything that somebody came to believe: (stamp, fact, row)."""
    for stamp, e in records:
        heard = e.told if isinstance(e, (Exchanged, Showdown, Read)) else ()
        rows = e.learned if isinstance(e, (Stirred, Ended)) else heard
        for row in rows:
            yield stamp, row.fact or f"#{stamp.seq}", row


def stand_by(stage: Stage, *who: str) -> None:
    """Put people awake on one spot, and everybody else far off."""
    w = stage.world
    here = w.town.spots[who[0]]
    for other, r in w.people.residents.items():
        r.awake = other in who
    for other in who[1:]:
        w.town.spots[other] = here


def say(stage: Stage, t: int, me: str, other: str, *rows: BeliefUpdate) -> list[Record]:
    """One tells another something in a talk, and what comes of it."""
    w = stage.world
    w.talk.open["talk"] = Talk("talk", (me, other), t, t, "", "gossip", 3, 1, warmth=[0, 0], words=[0, 0], told=[0, 0])
    lines = tuple(Utterance(who, "", "pass_on", "", "", 0.0, ()) for who in (me, other))
    e = Exchanged("talk", 1, "pass_on", lines, (), told=rows)
    step = stage.step(t)
    seq = step.emit(e, t=t, actor=me)
    follow_hearsay(step, w, Stamp(seq, w.step, t, me, ()), e.told)
    return step.records


# ---- what deeds make people believe


def test_a_row_is_taken_home_by_those_who_stood_by(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge"))
    p = stage.wake()
    stand_by(stage, "mara", "basil", "una", "wilf")
    (e,) = stage.move(hours(1), p, Effect(by=0.1), "mara", "basil", "confront", answer="refuse", hostile=True)
    assert isinstance(e, Stirred)
    assert {(row.who, row.source, row.strength) for row in e.learned} == {("una", SAW, SEEN), ("wilf", SAW, SEEN)}
    (one,) = known_facts(stage.world, "grudge", hours(1))
    assert one.says.startswith("Mara and Basil had it out")
    assert [k.right for k in one.knowers] == [True, True]


def test_who_is_told_has_it_from_the_one_who_told(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("secret"))
    p = stage.wake()
    stand_by(stage, "mara", "una")
    stage.move(hours(1), p, Effect(tells=True), "mara", "una", "confide", answer="accept")
    b = stage.world.beliefs.held["una"]["secret"]
    assert (b.source, b.strength, b.slots) == ("mara", STATED, ("mara", "basil", "", 0))


@pytest.mark.slow
def test_what_is_told_in_confidence_may_be_overheard_by_somebody_near(larkspur: Scenario) -> None:
    caught = 0
    for seed in range(40):
        stage = Stage(replace(larkspur, seed=seed), pressure("secret"))
        p = stage.wake()
        stand_by(stage, "mara", "una", "wilf")
        stage.move(hours(1), p, Effect(tells=True), "mara", "una", "confide", answer="accept")
        b = stage.world.beliefs.held.get("wilf", {}).get("secret")
        assert b is None or (b.source == OVERHEARD and "wilf" in p.known_by)
        caught += b is not None
    assert 0 < caught < 20


def test_those_whom_the_cast_lets_know_know_from_the_start(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("secret", known_by=("kit",)))
    stage.wake()
    assert stage.world.beliefs.held["kit"]["secret"].source == "knew"


# ---- passing it on


def with_belief(
    larkspur: Scenario, kind: str = "grudge", seed: int = 0, **more: object
) -> tuple[Stage, ActivePressure]:
    """Una has seen what presses Mara towards Basil."""
    stage = Stage(replace(larkspur, seed=seed), pressure(kind, known_by=("una",), **more))
    return stage, stage.wake()


def test_it_is_told_once_to_each_and_never_to_whom_one_has_it_from(larkspur: Scenario) -> None:
    stage, _ = with_belief(larkspur)
    w = stage.world
    (b,) = tellable(w, "una", "wilf", hours(1))
    say(stage, hours(1), "una", "wilf", learns(w, "wilf", w.beliefs.facts[b.fact], b.slots, STATED, "una", hours(1)))
    assert tellable(w, "una", "wilf", hours(2)) == []
    assert tellable(w, "wilf", "una", hours(2)) == []
    assert [x.fact for x in tellable(w, "wilf", "kit", hours(2))] == ["grudge"]
    fact = w.beliefs.facts[b.fact]
    say(stage, hours(2), "wilf", "kit", learns(w, "kit", fact, b.slots, STATED, "wilf", hours(2)))
    say(stage, hours(3), "una", "kit", learns(w, "kit", fact, b.slots, STATED, "una", hours(3)))
    assert tellable(w, "kit", "una", hours(4)) == []  # who told it has it, whoever told it before
    assert [x.fact for x in tellable(w, "kit", "flora", hours(4))] == ["grudge"]


def test_nobody_is_told_what_is_kept_from_them(larkspur: Scenario) -> None:
    stage, _ = with_belief(larkspur, "secret", about="basil")
    assert tellable(stage.world, "una", "otis", hours(1))
    stage, _ = with_belief(larkspur, "secret", about="otis")
    assert tellable(stage.world, "una", "otis", hours(1)) == []


def test_what_changes_on_the_way_is_one_slot_and_never_the_two_who_talk(larkspur: Scenario) -> None:
    stage, _ = with_belief(larkspur)
    w = stage.world
    b = w.beliefs.held["una"]["grudge"]
    fact = w.beliefs.facts["grudge"]
    seen, at_first_hand = set(), set()
    for n in range(300):
        for source, of in (("kit", seen), (SAW, at_first_hand), ("mara", at_first_hand)):
            heard = replace(b, source=source)
            slots = garble_fact(w, fact, heard, "una", "wilf", hours(1), w.chance.stream(n, "una", "test"))
            assert sum(x != y for x, y in zip(slots, b.slots, strict=True)) <= 1
            assert not {"una", "wilf"} & {*slots[:2]}
            of.add(slots)
    assert b.slots in seen
    assert {slots[:2] for slots in at_first_hand} == {b.slots[:2]}, "who was there takes nobody for another"
    assert any(slots[3] == 1 for slots in seen)
    assert (
        set()
        < {slots[0] for slots in seen} - {"mara"}
        <= set(mix_up_candidates(w, fact, "mara", {"basil", "una", "wilf"}))
    )


def test_the_words_said_and_what_is_believed_are_the_same(larkspur: Scenario) -> None:
    stage, _ = with_belief(larkspur)
    w = stage.world
    found = rumour_content(
        w, w.beliefs.held["una"]["grudge"], "una", "wilf", hours(1), w.chance.stream(0, "una", "test")
    )
    assert found.told is not None
    assert found.tone == "row"
    say(stage, hours(1), "una", "wilf", found.told)
    (one,) = known_facts(w, "grudge", hours(1))
    assert [(k.who, k.depth, k.source) for k in one.knowers] == [("una", 0, "knew"), ("wilf", 1, "una")]
    fact = w.beliefs.facts["grudge"]
    assert found.slots["rumour"] == fact_sentence(w, fact, found.told.slots, "una")  # in Una's words
    assert one.knowers[1].says == fact_sentence(w, fact, found.told.slots)


@pytest.mark.parametrize(
    ("kind", "how", "good", "expected"),
    [
        ("debt", "", False, "owed"),
        ("debt", "repaid", True, "good"),
        ("debt", "defaulted", False, "bad"),
        ("crush", "", False, "love"),
        ("crush", "together", True, "good"),
        ("grudge", "", False, "row"),
        ("worry", "row", False, "row"),
    ],
)
def test_whoever_hears_it_knows_what_sort_of_news_it_is(kind: str, how: str, good: bool, expected: str) -> None:
    fact = Fact("x", "x", kind, how, "mara", "basil", "", 0, "a ladder", "the ladder broke", good)
    assert fact_tone(fact) == expected


def test_every_kind_of_pressure_is_some_sort_of_news() -> None:
    assert set(TONES) == set(KINDS)
    assert {*TONES.values(), "good", "bad"} == set(CRITERIA["told"])


def test_love_is_not_laid_at_a_childs_door(larkspur: Scenario) -> None:
    stage, _ = with_belief(larkspur, "crush")
    w = stage.world
    fact = w.beliefs.facts["crush"]
    for who in ("mara", "basil"):
        others = mix_up_candidates(w, fact, who, set())
        assert others
        assert all(w.cast[x].age >= 18 for x in others)


# ---- what hearing it does


@pytest.mark.slow
def test_a_false_rumour_makes_a_false_suspicion(larkspur: Scenario) -> None:
    born = []
    for seed in range(30):
        stage, p = with_belief(larkspur, "secret", seed)
        row = learns(stage.world, "wilf", fact_of(p), ("dov", "basil", "", 1), STATED, "una", hours(1))
        born += [
            (r.stamp.actor, r.event) for r in say(stage, hours(1), "una", "wilf", row) if isinstance(r.event, Began)
        ]
    assert born
    assert {(who, e.kind, e.about) for who, e in born} <= {("wilf", "suspicion", "dov"), ("wilf", "worry", "dov")}


def test_who_hears_the_truth_of_a_secret_is_one_more_who_knows(larkspur: Scenario) -> None:
    stage, p = with_belief(larkspur, "secret")
    row = learns(stage.world, "wilf", fact_of(p), ("mara", "basil", "", 0), STATED, "una", hours(1))
    say(stage, hours(1), "una", "wilf", row)
    assert p.known_by == ["una", "wilf"]
    wrong = learns(stage.world, "kit", fact_of(p), ("dov", "basil", "", 0), STATED, "una", hours(2))
    say(stage, hours(2), "una", "kit", wrong)
    assert p.known_by == ["una", "wilf"]


def test_a_lie_is_told_by_whoever_hides_something_and_costs_when_it_comes_out(larkspur: Scenario) -> None:
    stage, p = with_belief(larkspur, "secret")
    w = stage.world
    suspicion = replace(p, id="doubt", kind="suspicion", holder="wilf", about="mara")
    assert secret_to_cover(w, suspicion, "ask_straight", "mara", "wilf") is p
    assert secret_to_cover(w, suspicion, "confront", "mara", "wilf") is None
    lie = lie_content(w, p, "mara", "wilf", hours(1), w.chance.stream(0, "mara", "test"))
    assert lie is not None
    assert lie.told is not None
    assert lie.told.lie
    assert "mara" not in lie.told.slots
    say(stage, hours(1), "mara", "wilf", lie.told)
    assert w.beliefs.held["wilf"]["secret"].slots == lie.told.slots
    truth = learns(w, "wilf", fact_of(p), ("mara", "basil", "", 0), STATED, "una", hours(9))
    assert truth.exposes == "mara"
    born = [r for r in say(stage, hours(9), "una", "wilf", truth) if isinstance(r.event, Began)]
    assert [(r.stamp.actor, r.event.kind, r.event.about) for r in born if r.event.id.startswith("lied_to")] == [
        ("wilf", "grudge", "mara")
    ]


def test_only_whom_it_is_true_of_denies_it(larkspur: Scenario) -> None:
    stage, p = with_belief(larkspur, "secret")
    w = stage.world
    told = learns(w, "mara", fact_of(p), ("mara", "basil", "", 0), STATED, "una", hours(1))
    content = rumour_content(
        w, w.beliefs.held["una"]["secret"], "una", "mara", hours(1), w.chance.stream(0, "una", "test")
    )
    heard = content._replace(move=WARN, told=told)
    streams = [w.chance.stream(n, "mara", "test") for n in range(60)]
    lies = [denial_content(w, heard, "mara", "una", hours(1), s) for s in streams]
    assert any(lies)
    wrong = heard._replace(told=replace(told, a="mara", b="wilf"))
    assert denial_content(w, wrong, "mara", "una", hours(1), streams[0]) is None


# ---- a whole day


def from_the_start(s: Scenario, e: Began) -> Iterator[tuple[str, str, str]]:
    """(fact, who knows it, whose doing it is) of what shows of a pressure, or of the truth that it asks about."""
    hides = [(x.id, x.holder, x.clues) for x in s.pressures if x.id == e.id]
    for x in (x for x in s.facts if x.id == e.asks):
        hides.append((x.id, x.who, x.clues))
        yield from ((x.id, who, x.who) for who in x.known_by)
    for id, by, clues in hides:
        yield from ((f"{id}/{n}", who, by) for n, clue in enumerate(clues) for who in clue.known_by)


def test_every_belief_of_a_day_can_be_followed_to_somebody_who_was_there(day: Day) -> None:
    held: dict[tuple[str, str], BeliefUpdate] = {}
    told = 0
    for record in day.all():
        e = record.event
        if isinstance(e, Began):
            for who in e.known_by:
                held[e.id, who] = BeliefUpdate(who, e.id, record.stamp.actor, e.about, "", 0, SEEN, "knew")
            for fact, who, by in from_the_start(day.scenario, e):
                held[fact, who] = BeliefUpdate(who, fact, by, "", "", 0, SEEN, "knew")
        for stamp, fact, row in rows_of([record]):
            if row.source not in FIRSTHAND:
                told += 1
                involved = row.source in (row.a, row.b) or row.lie or not isinstance(e, Exchanged)
                assert involved or (fact, row.source) in held
                assert row.source in (stamp.actor, getattr(e, "to", ""), getattr(e, "by", ""), *e.touches())
            if row.strength:
                held[fact, row.who] = row
    assert told > 20
    for who, beliefs in day.world.beliefs.held.items():
        for b in beliefs.values():
            assert held[b.fact, who].slots == b.slots


@pytest.mark.slow
def test_a_replay_ends_with_the_same_beliefs(day: Day, larkspur: Scenario) -> None:
    w = World.found(founding(larkspur), remember=False)
    for record in again(day.all()):
        w.apply(record)
    assert w.beliefs == day.world.beliefs
    assert w.beliefs.held


@pytest.mark.parametrize("off", ["rules", "deck"])
def test_without_drama_or_words_nobody_believes_anything(larkspur: Scenario, off: str) -> None:
    scenario = replace(larkspur, step=60)
    if off == "rules":
        scenario = replace(scenario, rules={**scenario.rules, "drama": "off"}, pressures=())
    else:
        scenario = replace(scenario, drama=replace(scenario.drama, rumours=Rumours()))
    engine = run(engine_of(scenario), 90)
    assert not list(rows_of(log_of(engine).all()))
