"""Somebody comes to town while it lives, is one of its people, and goes again."""

import asyncio
import re

import msgspec
import pytest
from lived import Log, again, engine_of, founding, log_of, run
from msgspec.structs import replace
from village import build

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.director.dealing import likely_touches
from sandbox.director.model import CardOver, CardPlayed, DealCard, Dealt
from sandbox.engine.engine import Running
from sandbox.engine.loading import load, read
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.people import memory_blocks
from sandbox.people.daily_life import leave_town
from sandbox.people.guest_handlers import Came, Left, SetOff
from sandbox.people.guest_model import in_town
from sandbox.people.memory import Memories
from sandbox.people.model import Noticed
from sandbox.people.pressure_model import Began
from sandbox.phones.model import Phone
from sandbox.readers.bonds import Bonds
from sandbox.readers.day import make_digest
from sandbox.readers.tables import MemoryTable
from sandbox.readers.tielines import TieLines
from sandbox.store.branch import branch
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk.model import Closed, Opened
from sandbox.town.conditions import ConditionBegan

NELL = """
name: Nell Rook
age: 31
household: rook
job: tinker
home: Hill House / bedroom
big_five: {openness: 0.5, conscientiousness: 0.1, extraversion: 0.7, agreeableness: 0.4, neuroticism: 0.0}
routine:
  wake: "06:30"
  sleep: "22:00"
  days:
    every:
      - {at: "07:00", do: walk, where: Village Green / lane}
      - {at: "12:00", do: lunch, where: Old Bakehouse / shop}
      - {at: "13:00", do: walk, where: Village Green / lane}
      - {at: "18:30", do: supper, where: home}
opinions:
  sourdough: {stance: -0.3, why: "it bites back"}
history:
  - {with: finn, feeling: 0.5, closeness: 0.4, why: "they learnt to swim in the same pond"}
visit:
  to: finn
  why: "with a barrow of kettles"
  matter: "the pond, and who it was that cried for help"
  nights: 1
  regards:
    - {with: finn, feeling: 0.4, closeness: 0.3, why: "she pulled him out"}
    - {with: ada, feeling: -0.2, closeness: 0.1, why: "she haggled over a kettle"}
"""
WORLD, ARRIVES = "cast: [ada, {id: finn, job: apprentice}]\n", 10
GUEST = Dealt(card="guest", guest="nell")


def village(folder, nell=NELL, guests="[nell]"):
    path = build(folder)
    (path / "personas" / "nell.yaml").write_text(nell, encoding="utf-8")
    world = (path / "world.yaml").read_text("utf-8")
    assert WORLD in world
    (path / "world.yaml").write_text(world.replace(WORLD, f"{WORLD}guests: {guests}\n"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def green(tmp_path_factory):
    return load(village(tmp_path_factory.mktemp("green")), step=600)


@pytest.fixture(scope="module")
def visit(green):
    """The records of a visit of one night, lived to the evening of the next day."""
    engine = engine_of(green)
    run(engine, ARRIVES)
    engine.do(DealCard(GUEST))
    run(engine, 210 - ARRIVES)
    return log_of(engine).all()


def of(records, *kinds):
    return [r for r in records if isinstance(r.event, kinds)]


def world_at(green, records, upto):
    """The world after those of the records that come before a second, each applied as a replay does."""
    world = World.found(founding(green))
    for record in again(records)[1:]:
        if record.stamp.t < upto:
            world.apply(record)
    world.now = upto
    return world


# ---- coming, and going


@pytest.mark.slow
def test_a_guest_comes_in_by_the_edge_of_the_map_within_ten_minutes_of_the_card(green, visit):
    (card,), (came,) = of(visit, CardPlayed), of(visit, Came)
    assert 0 <= came.stamp.t - card.stamp.t <= 10 * MINUTE
    assert card.stamp.seq in came.stamp.causes
    e = came.event
    assert e.x in (0, green.map.width - 1) or e.y in (0, green.map.height - 1)
    assert e.persona.name == "Nell Rook"
    assert [r.event.how for r in of(visit, CardOver)] == ["done"]


def test_what_a_card_brings_lies_in_the_chain_of_causes(visit):
    came = of(visit, Came)[0]
    by_seq = {r.stamp.seq: r for r in visit}

    def comes_of(seq):
        return seq == came.stamp.seq or any(comes_of(x) for x in by_seq[seq].stamp.causes if x > 1)

    born = [r for r in of(visit, Began) if {r.stamp.actor, r.event.about} == {"nell", "finn"} and comes_of(r.stamp.seq)]
    assert {r.stamp.actor for r in born} == {"nell", "finn"}
    assert "the pond, and who it was that cried for help" in [r.event.stakes for r in born]


def test_a_guest_is_seen_and_talks_stays_a_night_and_leaves_by_the_way_they_came(visit):
    came, left = of(visit, Came)[0], of(visit, Left)[0]
    assert any(s.who == "nell" for r in of(visit, Noticed) for s in r.event.seen)
    assert any("nell" in r.event.who for r in of(visit, Closed))
    assert (left.event.x, left.event.y) == (came.event.x, came.event.y)
    assert came.event.until <= left.stamp.t < came.event.until + HOUR
    assert came.stamp.seq in left.stamp.causes


def test_nobody_has_to_do_with_a_guest_who_has_left(visit):
    left = of(visit, Left)[0].stamp
    after = [r for r in visit if r.stamp.seq > left.seq]
    assert len(after) > 20
    assert not [r for r in after if r.stamp.actor == "nell"]
    assert not [r for r in of(after, Opened) if r.event.other == "nell"]
    assert not [s for r in of(after, Noticed) for s in r.event.seen if s.who == "nell"]
    assert not [r for r in of(after, Began) if r.event.about == "nell"]


def test_who_has_left_is_known_by_name_and_shown_as_gone(green, visit):
    world = world_at(green, visit, 3 * DAY)
    view = View(world)
    assert world.handbook.name("nell") == "Nell"
    assert view.doing("nell") == "left on Wednesday"
    assert view.row("nell", world.now).where == "out of town"
    assert "nell" not in [row.id for row in view.rows(world.now)]
    assert world.people.ties["ada"]["nell"].feeling != 0.0
    assert world.memories.streams["nell"].count > 10


def test_memories_are_the_same_whether_they_were_kept_before_a_namesake_came_or_read_after(green, visit):
    (nell,) = green.guests
    nell = replace(nell, persona=replace(nell.persona, name="Ada Rook"))
    first = founding(replace(green, guests=(nell,)))
    records = [first, *again(visit)[1:]]
    at = next(i for i, r in enumerate(records) if isinstance(r.event, Came))
    records[at] = records[at]._replace(event=replace(records[at].event, persona=nell.persona))
    live, read_after = World.found(first), World.found(first, remember=False)
    for record in records[1:]:
        live.apply(record)
        read_after.apply(record)
    log = Log()
    log.steps.append(records)
    asyncio.run(read_after.memories.catch_up(log, records[-1].stamp.seq))
    kept, found = (
        {who: [m.text for m in stream] for who, stream in w.memories.streams.items()} for w in (live, read_after)
    )
    assert kept == found
    assert any("Ada Rill" in text for text in kept["finn"][:20])


def test_a_town_to_which_nobody_comes_is_the_same_with_guests_and_without(green):
    alone = replace(green, guests=())
    a, b = (log_of(run(engine_of(scenario), 60)).rows()[1:] for scenario in (green, alone))
    assert a == b


# ---- the same after a jump, a resume, a replay and a branch


def test_a_snapshot_of_any_time_of_a_visit_gives_the_same_world(green, visit):
    came, left = of(visit, Came)[0].stamp.t, of(visit, Left)[0].stamp.t
    for t in (came, came + 600, came + 6 * HOUR, left, left + 600):
        lived = world_at(green, visit, t)
        other = World.found(founding(green))
        other.restore(lived.snapshot())
        assert other.snapshot() == lived.snapshot()
        assert list(other.cast) == list(lived.cast)
        assert other.cast == lived.cast
        assert other.calendar.on(1) == lived.calendar.on(1)
        assert other.claims == lived.claims


def test_a_snapshot_may_name_a_guest_wherever_it_names_people(green):
    world = arrived(green)
    step_of(world, 1200).emit(ConditionBegan("muted", DAY, "Sol is kept off the feed", "", "sol"), t=1200)
    world.phones.phones["sol"] = Phone()
    world.now = 1800
    other = World.found(founding(green))
    other.restore(world.snapshot())
    assert other.snapshot() == world.snapshot()


@pytest.mark.slow
def test_a_save_with_a_visit_is_proved_gone_on_with_and_branched(tmp_path):
    path = village(tmp_path)

    async def go():
        async with open_session(str(path), save=tmp_path / "a.db", step=600) as session:
            for n in range(205):
                if n == ARRIVES:
                    session.engine.do(DealCard(GUEST))
                await session.engine.step()
        async with await Save.open(tmp_path / "a.db", read_only=True) as save:
            assert (await save.verify()).ok
            digests = [x.digest for x in await save.steps()]
            kinds = [r.stamp.step for r in await save.records(["came", "left"], 0, save.last_seq)]
            assert len(kinds) == 2
            came, left = kinds
            for step in (came - 1, came, came + 30, left, left + 3):
                async for world, _ in relive(save, step):
                    last = world
                assert last.snapshot() == (await save.seek(step)).snapshot()
        for step in (came - 1, came + 40, left):  # a branch, and as it were a kill after that step
            out = tmp_path / f"b{step}.db"
            await branch(tmp_path / "a.db", step, out)
            async with open_session(out) as session:
                while session.world.step < 204:
                    await session.engine.step()
            async with await Save.open(out, read_only=True) as save:
                assert (await save.verify()).ok
                if step >= came:  # before it nobody was dealt
                    assert [x.digest for x in await save.steps()] == digests[: 204 + 1]

    asyncio.run(go())


def test_a_snapshot_with_a_guest_of_another_world_is_refused_and_changes_nothing(green, visit):
    lived = world_at(green, visit, of(visit, Came)[0].stamp.t + 600)
    whole = msgspec.msgpack.decode(lived.snapshot())
    spoils = {
        "another name": lambda s: s["guests"]["stays"]["nell"]["persona"].update(id="ada"),
        "no bed": lambda s: s["guests"]["stays"]["nell"]["persona"].update(home="Village Green / lane"),
        "nobody": lambda s: s["guests"].update(stays={}),
        "not yet": lambda s: s["guests"]["stays"]["nell"].update(came=10**9),
    }
    for spoil in spoils.values():
        found = msgspec.msgpack.decode(msgspec.msgpack.encode(whole))
        spoil(found)
        world = World.found(founding(green))
        before = world.snapshot()
        with pytest.raises(ValueError, match="no snapshot of this world"):
            world.restore(msgspec.msgpack.encode(found))
        assert world.snapshot() == before
        assert list(world.cast) == ["ada", "finn"]


# ---- what is refused


def refused(engine, dealt):
    with pytest.raises(ValueError, match=r".") as found:
        engine.do(DealCard(dealt))
    return str(found.value)


@pytest.mark.slow
def test_a_guest_comes_once_at_a_time(green):
    engine = engine_of(green)
    run(engine, ARRIVES)
    assert "there is no guest" in refused(engine, Dealt(card="guest", guest="ada"))
    engine.do(DealCard(GUEST))
    run(engine, 2)
    assert refused(engine, GUEST) == "Nell is here already, until Wed 5 Mar 10:00; name another guest"
    run(engine, 170)
    assert "Nell has left town" in refused(engine, Dealt(card="letter", to="nell", words="Come back"))
    engine.do(DealCard(GUEST))
    run(engine, 90)
    assert len(of(log_of(engine).all(), Came)) == 2


def test_a_card_that_waits_for_who_has_left_comes_to_nobody(green):
    engine = engine_of(green)
    run(engine, ARRIVES)
    engine.do(DealCard(GUEST))
    run(engine, 2)
    engine.do(DealCard(Dealt(card="letter", to="nell", words="Come back", later=36 * HOUR)))
    run(engine, 230)
    over = [r.event.how for r in of(log_of(engine).all(), CardOver)]
    assert "Nell had left town" in over


def test_it_is_told_beforehand_whom_a_guest_touches(green):
    world = World.found(founding(green))
    told = {touch.who: touch.why for touch in likely_touches(world, GUEST)}
    assert told["finn"] == "Nell comes to see them"


@pytest.mark.parametrize(
    ("nell", "guests", "says"),
    [
        (NELL, "[ada]", r'world.yaml:\d+: .*"ada" is of the cast, and lives here; take them out of one of the two'),
        (NELL, "[nora]", r"world.yaml:\d+: .*nora"),
        (
            NELL.replace("home: Hill House / bedroom", "home: Village Green / lane"),
            "[nell]",
            r'nell.yaml:\d+: .*"Village Green / lane", where Nell would stay, has nothing to lie on; name a room with',
        ),
        (
            NELL.replace("home: Hill House / bedroom", "home: Mill / attic"),
            "[nell]",
            r'nell.yaml:\d+: .*no area "Mill / attic"',
        ),
        (NELL.replace("to: finn", "to: fin"), "[nell]", r'nell.yaml:\d+: .*"fin"; did you mean "finn"'),
        (NELL.replace("nights: 1", "nights: 90"), "[nell]", r"nell.yaml:\d+: .*between 1 and 14"),
    ],
)
def test_a_bad_guest_is_told_by_file_and_line(tmp_path, nell, guests, says):
    found = read(village(tmp_path, nell, guests))
    assert found.scenario is None
    errors = [str(fault) for fault in found.faults.errors]
    assert any(re.search(says, error) for error in errors), errors


# ---- one step at a time


class Silent:
    async def answer(self, questions, step, wave=0):
        raise AssertionError("nobody is asked")


def step_of(world, t):
    world.now, world.step = t, world.step + 1
    return Running(world, Silent())


def arrived(green, until=HOUR, **more):
    """The town at half past six with a made-up person in it, who leaves after an hour."""
    world = World.found(founding(green))
    persona = replace(green.guests[0].persona, id="sol", name="Sol Finch", history=(), **more)
    step = step_of(world, 600)
    step.emit(Came(0, 6, persona, until), t=600, actor="sol")
    return world


def test_a_made_up_person_can_come_who_is_in_no_file(green):
    world = arrived(green)
    assert in_town(world, "sol")
    assert world.cast["sol"].home == "Hill House / bedroom"
    assert [c.where for c in world.claims.open.values() if c.a == "sol"] == ["Hill House / bedroom"]
    assert world.people.residents["sol"].due == 600


@pytest.mark.parametrize(
    "more",
    [{"id": "ada"}, {"home": "Village Green / lane"}, {"work": "Nowhere / at all"}],
)
def test_nobody_comes_who_cannot_live_here(green, more):
    world = World.found(founding(green))
    persona = replace(green.guests[0].persona, **{"id": "sol", **more})
    with pytest.raises(ValueError, match=r"cannot come|nothing to lie on|there is no place"):
        step_of(world, 600).emit(Came(0, 6, persona), t=600, actor=persona.id)
    assert list(world.people.residents) == ["ada", "finn"]


def test_a_guest_in_a_talk_at_the_hour_of_leaving_goes_once_it_is_over(green):
    world = arrived(green)
    step_of(world, HOUR).emit(Opened("x", "ada", "", "small_talk", 3, ()), t=HOUR, actor="sol")
    step = step_of(world, HOUR + 60)
    asyncio.run(leave_town(step, world))
    assert step.records == []
    world.people.residents["sol"].talk = world.people.residents["ada"].talk = ""
    step = step_of(world, HOUR + 120)
    asyncio.run(leave_town(step, world))
    assert [type(r.event) for r in step.records][-1] in (SetOff, Left)
    for n in range(12):
        asyncio.run(leave_town(step_of(world, HOUR + 180 + 60 * n), world))
    assert not in_town(world, "sol")
    assert not world.people.residents["sol"].awake


def test_what_presses_about_somebody_who_has_left_rests_until_they_come_again(green):
    world = arrived(green, -1)
    step = step_of(world, 1200)
    step.emit(Began("owed", "debt", "sol", 0.7, 1, 2 * HOUR, "a kettle", "it leaked", "owed", ()), t=1200, actor="ada")
    step.emit(Left(0, 6), t=1260, actor="sol")
    assert "owed" not in world.pressures.open
    assert world.resting.pressures["owed"].press.about == "sol"
    other = World.found(founding(green))
    world.now = 1800
    other.restore(world.snapshot())
    assert other.resting == world.resting
    persona = world.guests.stays["sol"].persona
    step_of(world, 1260 + DAY).emit(Came(0, 6, persona), t=1260 + DAY, actor="sol")
    assert world.pressures.open["owed"].due == 2 * HOUR + DAY
    assert world.resting.pressures == {}


@pytest.mark.slow
def test_who_comes_again_has_their_memories_and_ties(green):
    world = World.found(founding(green))
    engine = engine_of(green, world=world)
    run(engine, ARRIVES)
    engine.do(DealCard(GUEST))
    run(engine, 180)
    before = world.memories.streams["nell"].count
    engine.do(DealCard(GUEST))
    run(engine, 100)
    assert in_town(world, "nell")
    assert world.memories.streams["nell"].count > before
    assert "finn" in world.people.ties["nell"]


# ---- readers


def test_readers_of_the_log_know_who_has_come(green, visit):
    beginning = World.found(founding(green))
    ties, bonds, table = TieLines(beginning), Bonds(beginning), MemoryTable(beginning)
    ties.read(visit)
    bonds.read(visit)
    rows = [row for r in visit for row in table.feed(r)]
    assert ties.line("nell", "finn")[0].why == "they learnt to swim in the same pond"
    assert bonds.of("finn", "nell")
    assert {row[2] for row in rows} == {"ada", "finn", "nell"}
    page = make_digest(visit, beginning)
    assert page.people == 2
    came = of(visit, Came)[0].stamp.t
    assert make_digest([r for r in visit if r.stamp.t < came + 6 * HOUR], beginning).people == 3


def test_what_is_kept_of_memories_before_and_after_somebody_came_makes_them_again(green, visit):
    came = of(visit, Came)[0].stamp.t
    world = World.found(founding(green))
    kept = []
    for record in again(visit)[1:]:
        if len(kept) < 1 and record.stamp.t >= came:
            kept.append(world.memories.block(came)[1])
        world.apply(record)
    kept.append(world.memories.block(3 * DAY)[1])
    streams = Memories(world.cast, world.handbook, {}).streams
    mark, chain = memory_blocks.first_mark(streams), []
    for pieces in kept:
        chain.append((head := memory_blocks.read(pieces, streams, mark), pieces))
        mark = memory_blocks.after(head, len(streams))
    for place, stream in enumerate(streams.values()):
        memory_blocks.restore_stream(stream, place, chain, streams.keys())
    for who, stream in world.memories.streams.items():
        assert [m.text for m in streams[who]] == [m.text for m in stream]
    assert len(streams["nell"])
