"""Somebody new comes to live in the town, as the world has them or as the player would be them, and is played."""

from __future__ import annotations

import asyncio

import pytest
from byhand import Hand
from lived import founding
from village import build

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Record
from sandbox.director.goal_domain import goal_progress
from sandbox.engine.drivers import run_free
from sandbox.engine.loading import load, read
from sandbox.engine.world import World
from sandbox.people.claim_handlers import came_with, claims_of
from sandbox.people.claim_model import Broken
from sandbox.people.goal_model import GoalAdvanced
from sandbox.people.guest_handlers import Came
from sandbox.people.pressure_model import Began
from sandbox.phones.seeing import account_of
from sandbox.play.model import Arrive, Bid, Play, Settled
from sandbox.play.reading import read as line
from sandbox.readers.breaches import Breaches
from sandbox.readers.weeks import Weeks
from sandbox.store.save import Save
from sandbox.store.session import open_session

ME = "lodger"
NELL = """
name: Nell Rook
age: 31
household: rook
job: tinker
home: Hill House / bedroom
big_five: {openness: 0.5, conscientiousness: 0.1, extraversion: 0.7, agreeableness: 0.4, neuroticism: 0.0}
routine: {wake: "06:30", sleep: "22:00", days: {every: [{at: "12:00", do: lunch, where: Old Bakehouse / shop}]}}
settling:
  why: "for good"
  pressures:
    - {id: kettle, kind: debt, holder: nell, about: finn, intensity: 0.5, stage: 1, wakes: "day 1 10:00",
       due: "day 2 12:00", stakes: "a kettle", cause: "it was lent", known_by: []}
"""
WORLD = "cast: [ada, {id: finn, job: apprentice}]\n"


def village(folder, nell=NELL):
    path = build(folder)
    (path / "personas" / "nell.yaml").write_text(nell, encoding="utf-8")
    world = (path / "world.yaml").read_text("utf-8")
    (path / "world.yaml").write_text(world.replace(WORLD, f"{WORLD}newcomers: [nell]\n"), encoding="utf-8")
    return path


def arrived(path, act, *, until=60, more=0, **arrive):
    """What `act` makes of a session in which somebody has come `until` seconds after the start, and `more` later."""

    async def go():
        async with open_session("larkspur", seed=3, step=600, save=path) as session:
            await run_free(session.engine, until=until)
            hand = Hand(session, ME)
            await hand.do(Arrive(**arrive))
            if more:
                await hand.live(until=session.world.now + more)
            return await act(hand)

    return asyncio.run(go())


async def look(hand):
    return hand.world, hand.records


@pytest.mark.slow
def test_the_lodger_comes_with_forty_coins_a_room_a_debt_a_want_and_a_face_nobody_knows(tmp_path):
    w, records = arrived(tmp_path / "a.db", look)
    assert w.played.who == ME
    assert w.people.residents[ME].purse.coins == 40
    room = list(claims_of(w, ME, "lodges"))
    assert [(c.b, c.where) for c in room] == [("zeno", "Number Nine / box room")]
    began = [r.event for r in records if isinstance(r.event, Began) and r.stamp.actor == ME]
    assert {e.kind for e in began} == {"debt", "ambition"}
    assert next(e.amount for e in began if e.kind == "debt") > 40
    assert not w.people.ties.get(ME)
    assert not any(ME in ties for ties in w.people.ties.values())
    account = account_of(w, ME)
    assert account is not None  # as everybody has
    assert account.name == "Robin Vale"
    x, y = w.map.xy(w.town.spots[ME].tile)
    assert x in (0, w.map.width - 1) or y in (0, w.map.height - 1)


def test_whoever_one_would_be_has_ones_name_nature_work_home_and_secret(tmp_path):
    made = {
        "name": "Wren Hollow", "nature": "shy, blunt", "hair": "red", "work": "Tansy Bakery / shop",
        "home": "Number Nine / lounge", "secret": "I came to look at Mara's oven, and to copy it",
    }  # fmt: skip
    w, records = arrived(tmp_path / "a.db", look, **made)
    p = w.cast[ME]
    assert (p.name, p.look.hair, p.traits) == ("Wren Hollow", "red", ("shy", "blunt"))
    assert p.big_five.extraversion < 0
    assert p.job == w.cast["mara"].job or p.job in {x.job for x in w.cast.values() if x.work == made["work"]}
    assert [c.where for c in claims_of(w, ME, "employs")] == [made["work"]]
    assert [c.where for c in claims_of(w, ME, "lodges")] == [made["home"]]
    began = {r.event.kind: r.event for r in records if isinstance(r.event, Began) and r.stamp.actor == ME}
    assert {*began} == {"secret"}  # no rent of another room, no wish for work where there is some
    assert began["secret"].about == "mara"
    assert "box_room" not in w.aim_deck  # nor a goal about it
    assert "house_mate" in w.aim_deck


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("made", "told"),
    [
        ({"name": "Mara Smith"}, "there is a Mara in town already"),
        ({"name": "Nils Smith"}, "there is a Nils who may come to town"),
        ({"name": "???"}, "is not a name"),
        ({"nature": "warm, shy, bold, calm"}, "too many"),
        ({"nature": "warmish"}, "did you mean"),
        ({"hair": "green"}, "no colour of hair"),
        ({"home": "The Moon / crater"}, "no place"),
        ({"home": "Market Square / stalls"}, "nothing to lie on"),
        ({"work": "nowhere"}, "no place"),
        ({"who": "nobody"}, "no newcomer"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nobody_comes(tmp_path, made, told):
    async def go():
        async with open_session("larkspur", seed=3, step=600, save=None) as session:
            with pytest.raises(ValueError, match=told):
                session.engine.do(Arrive(**made))
            await session.engine.step()
            return {*session.world.cast}

    assert ME not in asyncio.run(go())


@pytest.mark.slow
def test_what_is_said_of_a_newcomer_has_the_name_and_the_room_that_they_have(tmp_path):
    w, _ = arrived(tmp_path / "a.db", look, name="Wren Hollow")
    assert w.cast[ME].about.startswith("Wren came by the morning bus")
    assert "Robin" not in w.cast[ME].about
    w, records = arrived(tmp_path / "b.db", look, name="Wren Hollow", home="Number Nine / lounge")
    assert "box room" not in w.cast[ME].about
    assert "box room" not in next(r.event.why for r in records if isinstance(r.event, Came))


def test_words_of_the_player_are_no_markup_and_no_escape_code(tmp_path):
    w, records = arrived(tmp_path / "a.db", look, name="[red]Wren\x1b[2J\n Hollow", secret="\x1b]0;x\x07 [b]gold[/b]")
    assert "\x1b" not in w.cast[ME].name
    assert "\n" not in w.cast[ME].name
    assert all("\x1b" not in secret for secret in w.cast[ME].secrets)
    (settled,) = [r.event for r in records if isinstance(r.event, Settled)]
    assert "\x1b" not in settled.name + settled.secret


def test_nobody_comes_twice_or_while_another_is_played(tmp_path):
    async def twice(hand):
        with pytest.raises(ValueError, match="played already"):
            hand.session.engine.do(Arrive())
        return None

    arrived(tmp_path / "a.db", twice)


@pytest.mark.slow
def test_goals_and_hours_are_counted_from_the_day_one_comes(tmp_path):
    w, _ = arrived(tmp_path / "a.db", look, until=DAY + 2 * HOUR)
    assert w.clock.day(w.now) == 2
    debt = w.pressures.open["first_month"]
    assert w.clock.day(debt.due) == w.clock.day(w.cast_pressures["first_month"].due) == 4
    assert {w.clock.day(goal_progress(w, w.aim_deck[aim.id]).by) for aim in w.newcomers[ME].settling.goals} <= {4, 5}


@pytest.mark.slow
def test_a_newcomers_game_is_read_again_as_it_was_and_verifies(tmp_path):
    path = tmp_path / "a.db"
    w, _ = arrived(path, look, more=HOUR, secret="I am no lodger at all")

    async def again():
        async with open_session(path) as session:
            found = session.world
            kept = {*found.cast_pressures} == {*w.cast_pressures}
            assert kept
            assert {*found.aim_deck} == {*w.aim_deck}
            assert found.played.who == ME
            await run_free(session.engine, until=found.now + 60)
            await session.save.settle()
        async with await Save.open(path, read_only=True) as save:
            return await save.verify()

    assert asyncio.run(again()).ok


@pytest.mark.slow
def test_what_is_to_be_done_for_a_want_is_done_by_hand(tmp_path):
    async def practise(hand):
        await hand.do(Bid(by=ME, do="practise", where="home", lasts=HOUR))
        began = hand.world.now
        await hand.live(until=began + 2 * HOUR)
        return [(r.event.step, r.stamp.t - began) for r in hand.of(GoalAdvanced) if r.stamp.actor == ME]

    ((taken, late),) = arrived(tmp_path / "a.db", practise)
    assert taken == "skill"
    assert 0.5 * HOUR < late < HOUR + 10 * MINUTE  # with the hour, and not when they next begin something


@pytest.mark.slow
def test_a_line_tells_who_comes(tmp_path):
    w, _ = arrived(tmp_path / "b.db", look)
    w.played.who = ""
    found = line(w, "arrive as Wren Hollow; nature: shy; home: number nine lounge; secret: nobody knows")
    assert found == Arrive(name="Wren Hollow", nature="shy", home="Number Nine / lounge", secret="nobody knows")
    for wrong in ("arrive Wren", "arrive as Wren; shoes: red", "arrive as Wren; nature:"):
        with pytest.raises(ValueError, match="not understood"):
            line(w, wrong)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("holder: nell, about: finn", "holder: ada, about: finn", 'is not "nell", nor is it about them'),
        ("about: finn", "about: nobody", 'no person of the cast "nobody"'),
        ("home: Hill House / bedroom", "home: Village Green / lane", "nothing to lie on"),
        ("kind: debt", "kind: deby", "debt"),
        ("why:", "whi:", "whi"),
    ],
)
def test_what_is_wrong_with_a_newcomer_is_told_with_its_place(tmp_path, old, new, told):
    faults = read(village(tmp_path, NELL.replace(old, new))).faults
    says = [str(x) for x in (*faults.errors, *faults)]
    assert any(told in x and "nell.yaml" in x for x in says), says


@pytest.mark.slow
def test_a_newcomer_of_a_small_world_comes_and_owes(tmp_path):
    world = village(tmp_path)
    assert load(world).newcomers[0].persona.id == "nell"

    async def go():
        async with open_session(world, seed=3, step=600, save=None) as session:
            session.engine.do(Arrive())
            await session.engine.step()
            session.engine.world.played.who = "nell"
            await run_free(session.engine, until=5 * HOUR)
            return session.world

    w = asyncio.run(go())
    assert w.pressures.open["kettle"].about == "finn"
    with pytest.raises(ValueError, match="played already"):
        w.registry.acts(w, Play(by="ada"))


@pytest.mark.slow
def test_who_reads_the_log_from_its_beginning_knows_what_a_newcomer_brought(tmp_path):
    w, records = arrived(tmp_path / "a.db", look)
    came = next(r for r in records if isinstance(r.event, Came))
    broken = Broken(
        "zeno_lodger", "lodges", ME, "zeno", "the box room", "Number Nine / box room", "the rent was not paid"
    )
    began = World.found(founding(w.scenario))
    for reader in (Breaches(began), Weeks(began)):
        for event in (came.event, broken):
            if isinstance(reader, Weeks):
                reader.read([Record(came.stamp, event)])
            else:
                reader.read(came.stamp, event)
    assert [c.id for c in came_with(w.claim_deck.kinds, came.event)] == ["zeno_lodger"]
