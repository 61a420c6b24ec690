"""Rain, blackouts and locks: whose day they cross, as long as they hold, and whom they bring together."""

import asyncio

import pytest
from dealt import opened, play

from sandbox.core.clock import HOUR, MINUTE
from sandbox.director.dealing import likely_touches
from sandbox.director.model import CardPlayed, CardReached, DealCard, Dealt
from sandbox.people.claim_handlers import closed
from sandbox.people.model import Planned
from sandbox.people.pressure_model import Began
from sandbox.talk.model import Closed, Opened
from sandbox.town.conditions import ConditionBegan, ConditionEnded


@pytest.mark.slow
def test_rain_drives_people_under_roofs_and_ends(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="rain", lasts=HOUR), minutes=70)
    world = played.world
    assert [e.kind for _, e in played.of(ConditionBegan)] == ["rain"]
    hindered = {r.stamp.actor for r in played.of(CardReached)}
    replanned = {r.stamp.actor for r in played.of(Planned) if r.event.upset == "hindrance"}
    assert len(hindered) >= 5
    assert hindered <= replanned | {r.stamp.actor for r in played.of(Planned)}
    (ended,) = played.of(ConditionEnded)
    assert ended.stamp.t >= played.of(CardPlayed)[0].stamp.t + HOUR
    assert not world.conditions.open


@pytest.mark.slow
def test_rain_brings_two_together_who_then_have_something_between_them(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="rain", lasts=2 * HOUR), minutes=110)
    cast = played.world.cast
    met = [r for r in played.of(CardReached) if r.event.how == "met"]
    twos = [(r.stamp.actor, r.event.about) for r in met]
    assert 1 <= len(twos) <= 2
    assert len({who for two in twos for who in two}) == 2 * len(twos), "nobody meets two of them"
    for a, b in twos:
        assert cast[a].household != cast[b].household
        assert min(cast[a].age, cast[b].age) >= 16
    born = {(r.stamp.actor, r.event.about): r.stamp.causes for r in played.of(Began)}
    assert all(r.stamp.seq in born[two] for r, two in zip(met, twos, strict=True))


@pytest.mark.slow
def test_whom_rain_catches_later_is_told_then_and_nobody_twice(morning, tmp_path):
    """Whoever is in a talk when it begins is told once they have done."""
    outside = set()

    def look(world):
        outside.update(t.who for t in likely_touches(world, Dealt(card="rain")))
        return ()

    dry = play(morning, tmp_path / "dry.db", first=look, minutes=60)
    start = dry.records[0].stamp.t
    done = {r.event.talk: r.stamp.t for r in dry.of(Closed)}
    talks = [(r.stamp.t, done.get(r.event.id, 0)) for r in dry.of(Opened) if {r.stamp.actor, r.event.other} & outside]
    begins, ends = max(talks, key=lambda two: two[1] - two[0])
    assert ends > begins + MINUTE
    rain = Dealt(card="rain", lasts=2 * HOUR, later=begins + MINUTE - start)
    played = play(morning, tmp_path / "a.db", rain, minutes=110)
    crossed = [(r.stamp.actor, r.stamp.t) for r in played.of(CardReached) if r.event.how == "hindered"]
    began = played.of(ConditionBegan)[0].stamp.t
    assert len(crossed) == len({who for who, _ in crossed})
    assert any(t > began + MINUTE for _, t in crossed)
    assert len({e.says for _, e in played.of(CardReached)}) >= len(crossed) / 3, "each says what they missed, and where"


def test_each_of_two_that_hold_at_once_catches_those_whose_day_it_crosses_itself(morning, tmp_path):
    both = Dealt(card="rain", lasts=HOUR), Dealt(card="locked_door", where="Library", lasts=HOUR)
    played = play(morning, tmp_path / "a.db", *both, minutes=20)
    says = {e.dealt.card: [] for _, e in played.of(CardPlayed)}
    names = {r.stamp.seq: r.event.dealt.card for r in played.of(CardPlayed)}
    for _, e in played.of(CardReached):
        if e.how == "hindered":
            says[names[e.card]].append(e.says)
    assert says["rain"]
    assert not any("library" in x for x in says["rain"])
    assert says["locked_door"]
    assert all("library" in x for x in says["locked_door"])


@pytest.mark.slow
def test_nobody_feels_along_a_wall_on_the_square_for_a_match(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="blackout", later=90 * MINUTE, lasts=HOUR), minutes=140)
    met = [e.says for _, e in played.of(CardReached) if e.how == "met"]
    assert met
    assert not any("at the square" in x or "at the park" in x for x in met)


def test_no_child_gives_the_last_match(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="blackout", lasts=HOUR), minutes=50)
    met = [r for r in played.of(CardReached) if r.event.how == "met"]
    assert met
    ages = [played.world.cast[who].age for r in met for who in (r.stamp.actor, r.event.about)]
    assert min(ages) >= 16
    assert {played.world.cast[r.stamp.actor].age for r in played.of(CardReached) if r.event.how == "hindered"} & {
        *range(16)
    }, "though it crosses a child's day as any"


def test_who_stands_before_a_locked_door_blames_one_who_has_to_do_with_it(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="locked_door", where="Tansy Bakery"), minutes=60)
    crossed = {r.stamp.actor for r in played.of(CardReached) if r.event.how == "hindered"}
    staff = {who for who, p in played.world.cast.items() if p.work.startswith("Tansy Bakery")}
    held = [(r.stamp.actor, r.event.about) for r in played.of(Began) if r.event.id.startswith("the_key.")]
    assert held
    assert all(a in crossed and b in crossed | staff for a, b in held)


def test_a_locked_door_shuts_one_place_alone(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="locked_door", where="Library"), minutes=5)
    assert closed(played.world, "Library / reading room")
    assert not closed(played.world, "Tansy Bakery / shop")
    for stamp, e in played.of(Planned):
        ahead = [b for b in e.blocks if b.start > stamp.t and b.start < stamp.t + 2 * HOUR]
        assert not any(b.where.startswith("Library") for b in ahead)


def test_what_holds_already_does_not_begin_again(morning, tmp_path):
    async def twice():
        async with opened(morning, tmp_path / "a.db") as session:
            session.engine.do(DealCard(dealt=Dealt(card="rain")))
            await session.engine.step()
            with pytest.raises(ValueError, match="holds already, until"):
                session.engine.do(DealCard(dealt=Dealt(card="rain")))

    asyncio.run(twice())
