"""Looking back in three steps: what is asked, what is kept of any answer, and what the parts of moods mean when off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from lived import again, engine_of, founding, log_of, run

from sandbox.core.events import Event, Stamp
from sandbox.core.protocols import Answer, Question
from sandbox.core.text import clean
from sandbox.engine.engine import Engine
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.handlers import RESOLVED, reflected
from sandbox.people.model import Chose, Felt, Insight, Note, Planned, Recalled, Reflected
from sandbox.people.mood import CALM, ledger, mood_at
from sandbox.people.mood_queries import describe
from sandbox.people.planning import notes_of
from sandbox.people.question_mood import describe_mood
from sandbox.people.question_reflection import FindInsights, Focus, Focused, Insights, Reflect, Reflection, Wonder
from sandbox.talk.model import Exchanged

SOON = {"memory.threshold": 25.0}  # poignancy that makes people look back within the hour
STEPS = 100


class Babble:
    """A mind that answers as the embedded one does, but babbles when it looks back."""

    def __init__(self, world: World, babble: dict[type[Question], Answer]) -> None:
        self.mind = EmbeddedMind(world.chance, world.scenario.lines)
        self.babble = babble
        self.heard: list[tuple[Any, Any]] = []

    def reads(self, question: Question) -> bool:
        return self.mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        answers = await self.mind.answer(questions, step, wave)
        out = [self.babble.get(type(q), answer) for q, answer in zip(questions, answers, strict=True)]
        self.heard += zip(questions, out, strict=True)
        return out


def lived(larkspur: Scenario, babble: dict[type[Question], Answer] | None = None, **parameters: Any) -> Engine:
    """Two hours or so of a morning. parameters: with __ for the dot."""
    changed = {**larkspur.parameters, **SOON, **{k.replace("__", "."): v for k, v in parameters.items()}}
    world = World.found(founding(msgspec.structs.replace(larkspur, parameters=changed)))
    return run(engine_of(world.scenario, Babble(world, babble or {}), world), STEPS)


def of(engine: Engine, *kinds: type[Event]) -> list[Any]:
    return [r for r in log_of(engine).all() if isinstance(r.event, kinds)]


@pytest.fixture(scope="module")
def morning(larkspur: Scenario) -> Engine:
    return lived(larkspur)


# ---- the three steps


@pytest.mark.slow
def test_each_look_back_is_asked_in_three_steps(morning: Engine) -> None:
    heard = morning.mind.heard
    looks = of(morning, Reflected)
    assert looks
    for kind in (Focus, Reflect):
        assert len([q for q, _ in heard if isinstance(q, kind)]) == len(looks)
    asked = [q for q, _ in heard if isinstance(q, FindInsights)]
    assert len(asked) == sum(len(r.event.focus) for r in looks)
    assert all(len(q.memories) <= 30 for q in asked)
    assert {q.n for q in asked} == {0, 1, 2}


def test_what_bears_on_a_question_comes_to_mind_and_is_touched(morning: Engine) -> None:
    recalled: dict[tuple[int, str], set[int]] = {}
    for stamp, e in of(morning, Recalled):
        recalled.setdefault((stamp.step, stamp.actor), set()).update(e.ids)
    shown: dict[str, set[int]] = {}
    for q, _ in morning.mind.heard:
        if isinstance(q, FindInsights):
            shown.setdefault(q.who, set()).update(m.id for m in q.memories)
    assert shown
    for who, ids in shown.items():
        assert ids <= set().union(*(found for (_, actor), found in recalled.items() if actor == who))


def test_thoughts_moments_and_notes_are_remembered_with_what_they_rest_on(morning: Engine) -> None:
    thought = noted = 0
    for stamp, e in of(morning, Reflected):
        nodes = [m for m in morning.world.memories.streams[stamp.actor] if m.seq == stamp.seq]
        thoughts = [(m.text, m.evidence, m.poignancy) for m in nodes if m.kind == "thought"]
        assert thoughts == [(i.text, i.evidence, i.poignancy) for i in (*e.insights, *e.moments)]
        plans = [(m.text, m.about, m.topic) for m in nodes if m.kind == "plan"]
        assert plans == [(RESOLVED + n.text, (n.about,), n.topic) for n in e.notes]
        thought, noted = thought + len(thoughts), noted + len(plans)
    assert min(thought, noted) > 0


def test_nobody_thinks_the_same_twice_at_one_time(morning: Engine) -> None:
    looks = of(morning, Reflected)
    assert any(len(e.insights) > 1 for _, e in looks)
    for _, e in looks:
        texts = [i.text for i in e.insights]
        assert len({*texts}) == len(texts)


def test_the_count_starts_anew_after_a_look_back(morning: Engine) -> None:
    last = {r.stamp.actor: r.stamp for r in of(morning, Reflected)}
    assert last
    for who, stamp in last.items():
        stream = morning.world.memories.streams[who]
        since = sum(m.poignancy for m in stream if m.seq > stamp.seq and m.kind not in ("thought", "plan"))
        assert stream.reflected == stamp.t
        assert stream.since == since


def test_a_planner_is_told_of_fresh_notes_until_one_has_talked(morning: Engine) -> None:
    world = morning.world
    told = 0
    for stamp, e in of(morning, Reflected):
        ties = world.people.ties[stamp.actor]
        notes = {n.about: n for n in notes_of(world, stamp.actor, world.now)}
        for note in e.notes:
            settled = note.about in ties and ties[note.about].last_talk > stamp.t
            assert settled or note.about in notes
            told += not settled
        assert not notes_of(world, stamp.actor, world.now + 2 * 86400)
    assert told


def test_a_log_of_before_notes_and_moments_still_reads(morning: Engine) -> None:
    old = msgspec.json.decode('{"focus":["q"],"insights":[],"delta":[0,0,0],"after":[0,0,0]}', type=Reflected)
    assert (old.notes, old.moments) == ((), ())
    records = log_of(morning).all()
    assert again(records) == records


def test_a_look_back_about_nobody_in_the_world_is_refused(morning: Engine) -> None:
    for e in (
        Reflected((), (Insight("x", (), 3, "nobody"),), CALM, CALM),
        Reflected((), (), CALM, CALM, (Note("see Nobody", "nobody"),)),
        Reflected((), (), CALM, CALM, (), (Insight("x", (), 3, "nobody"),)),
    ):
        with pytest.raises(ValueError, match="nobody"):
            reflected(morning.world, e, Stamp(1, 1, 0, "mara", ()))


# ---- any answer is lived with

WILD = "\x1b[31mred\x1b[0m \u202e" + "long " * 200
BAD = Insight(WILD, (-1, 10**9, 0, 0), 99, "nobody")


@pytest.mark.slow
def test_a_mind_may_say_anything(larkspur: Scenario) -> None:
    engine = lived(
        larkspur,
        {
            Focus: Focused(tuple(Wonder(f"{WILD}{n}" if n else "why?", "nobody", WILD) for n in range(9))),
            FindInsights: Insights((*(Insight(f"{n}", (), -5, "mara") for n in range(9)), BAD)),
            Reflect: Reflection("ennui", math.nan, (Note(WILD, "nobody"), Note(WILD, "otis", WILD, (-3,))), (BAD, BAD)),
        },
    )
    looks = of(engine, Reflected)
    assert any(e.insights and e.moments and e.notes for _, e in looks)
    for stamp, e in looks:
        assert len(e.focus) <= 3
        assert len(e.insights) <= 5, "no text twice, though each question was answered with the same"
        assert all(1 <= i.poignancy <= 10 for i in (*e.insights, *e.moments))
        assert all(i.about in ("", "mara") and i.about != stamp.actor for i in (*e.insights, *e.moments))
        assert {n.about for n in e.notes} <= {"otis"} - {stamp.actor}
        assert not any(n.evidence for n in e.notes)
        for text in (*e.focus, *(i.text for i in (*e.insights, *e.moments)), *(n.text for n in e.notes)):
            assert text == clean(text, 240)
        assert e.delta == CALM, "no such emotion"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("said", "felt"), [(7.0, 0.5), (-1.0, 0.0), (0.4, 0.2), (math.nan, 0.0)])
def test_an_intensity_is_kept_within_bounds(larkspur: Scenario, said: float, felt: float) -> None:
    engine = lived(larkspur, {Reflect: Reflection("pride", said)})
    looks = of(engine, Reflected)
    assert looks
    for _, e in looks:
        free = [(d, x) for d, a, x in zip(e.delta, e.after, (0.4, 0.3, 0.3), strict=True) if abs(a) < 1.0]
        assert free
        assert all(d == pytest.approx(felt * x, abs=2e-6) for d, x in free)


def test_a_mind_that_says_nothing_stops_nobody(larkspur: Scenario) -> None:
    engine = lived(larkspur, {Focus: Focused(()), Reflect: Reflection("", 0.0)})
    looks = of(engine, Reflected)
    assert looks
    assert all(e == Reflected((), (), CALM, e.after) for _, e in looks)
    assert not any(isinstance(q, FindInsights) for q, _ in engine.mind.heard)


# ---- the switches


def test_with_moods_off_nothing_moves_is_tagged_or_told(larkspur: Scenario) -> None:
    world = (engine := lived(larkspur, mood__on=False)).world
    assert of(engine, Exchanged)
    assert of(engine, Reflected), "people still look back"
    assert not of(engine, Felt)
    assert not any(e.shifts for _, e in of(engine, Exchanged))
    assert not any(any(e.delta) for _, e in of(engine, Reflected))
    for who, r in world.people.residents.items():
        assert mood_at(r.mood, world.now, world.mood_parameters.half_life) == CALM
        assert not ledger(r.mood, world.now, world.mood_parameters.half_life)
        assert all(m.delta == m.after == CALM for m in world.memories.streams[who])
        assert describe_mood(describe(world, who, world.now)).text == ""


def test_without_tags_moods_move_and_memories_do_not_know(larkspur: Scenario) -> None:
    engine = lived(larkspur, memory__tags=False)
    assert any(any(e.delta) for _, e in of(engine, Felt))
    for stream in engine.world.memories.streams.values():
        assert stream
        assert all(m.delta == m.after == CALM for m in stream)


@pytest.mark.slow
def test_without_the_fast_update_talk_moves_no_mood(larkspur: Scenario) -> None:
    engine = lived(larkspur, mood__fast=0.0)
    shifts = [s for _, e in of(engine, Exchanged) for s in e.shifts]
    assert shifts
    assert not any(any(s.delta) for s in shifts)
    assert any(any(e.delta) for _, e in of(engine, Felt)), "what is no talk moves them as before"
    talks = {r.stamp.seq for r in of(engine, Exchanged)}
    for r in engine.world.people.residents.values():
        told = ledger(r.mood, engine.world.now, engine.world.mood_parameters.half_life)
        assert not talks & {c.seq for c in told}


@pytest.mark.slow
def test_without_the_slow_update_a_look_back_moves_no_mood(larkspur: Scenario, morning: Engine) -> None:
    engine = lived(larkspur, mood__slow=0.0)
    looks = of(engine, Reflected)
    assert looks
    assert any(e.insights for _, e in looks)
    assert not any(any(e.delta) for _, e in looks)
    first, theirs = log_of(engine).all(), log_of(morning).all()
    until = next(i for i, r in enumerate(first) if isinstance(r.event, Reflected))
    assert first[:until] == theirs[:until], "nothing else is any different before"


@pytest.mark.slow
def test_without_decay_moods_stay_and_the_ledgers_are_exact(larkspur: Scenario) -> None:
    world = (engine := lived(larkspur, mood__decay=False)).world
    half_life = world.mood_parameters.half_life
    moved = 0
    for r in world.people.residents.values():
        for t in (world.now, world.now + 10**8):
            now = mood_at(r.mood, t, half_life)
            assert now == pytest.approx(tuple(r.mood.pad), abs=1e-12)
            entries = ledger(r.mood, t, half_life)
            for axis, rest in enumerate(r.mood.rest):
                assert rest + sum((e.p, e.a, e.d)[axis] for e in entries) == pytest.approx(now[axis], abs=1e-9)
        moved += now != r.mood.rest
    assert moved > 20
    again(log_of(engine).all())


def test_a_day_goes_on_the_same_without_moods(larkspur: Scenario) -> None:
    engine = lived(larkspur, mood__on=False)
    assert {r.stamp.actor for r in of(engine, Planned)} == {*engine.world.cast}
    assert len(of(engine, Chose)) > 50
