"""Courage: who looks for words goes to say what can be said, again if need be, until the two have spoken."""

import asyncio

import pytest
from dealt import chain, play

from sandbox.core.clock import DAY, MINUTE
from sandbox.director.card_courage import strongest_saying
from sandbox.director.model import CardOver, CardPlayed, CardReached, Dealt
from sandbox.people.pressure_model import Ended, Sought, Stirred
from sandbox.store.save import Save

DEED = "una_clem"  # Una is sweet on Clem


def test_courage_has_somebody_go_and_say_it(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="courage", to="una", matter=DEED), minutes=60)
    seq = played.of(CardPlayed)[0].stamp.seq
    assert any(r.stamp.seq in chain(played.records, seq) for r in played.of(Sought))


@pytest.mark.slow
def test_courage_sends_somebody_again_until_the_two_have_spoken_or_its_time_is_over(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="courage", to="una", matter=DEED), minutes=16 * 60)
    seq = played.of(CardPlayed)[0].stamp.seq
    mine = [r for r in played.of(Sought) if r.stamp.seq in chain(played.records, seq) and r.event.id == DEED]
    assert len(mine) > 1
    over = next(r.stamp.t for r in played.of(CardOver))
    ours = [r for r in played.of(Stirred, Ended) if (r.event.id, r.stamp.actor, r.event.to) == (DEED, "una", "clem")]
    answered = [r.stamp for r in ours if r.event.answer]
    if answered:
        assert answered[0].t <= over <= answered[0].t + 10 * MINUTE
        mine = [r for r in mine if r.stamp.seq not in chain(played.records, answered[0].seq)]
    else:  # the other was not to be found, or not alone: what is to be said does not wait for good
        assert [(r.stamp.t, r.event.how) for r in ours if r.event.due >= 0] == [(over, "courage")]
    assert all(r.stamp.t <= over for r in mine)


def test_courage_goes_on_however_much_comes_to_somebody_meanwhile(morning, tmp_path):
    news = [Dealt(card="news", words=f"It is a quarter to {n}", later=n * MINUTE) for n in range(2, 10)]
    cards = Dealt(card="courage", to="una", matter=DEED), *news
    played = play(morning, tmp_path / "a.db", *cards, minutes=25)
    heard = [r for r in played.of(CardReached) if (r.stamp.actor, r.event.how) == ("una", "heard")]
    assert len(heard) == len(news)
    assert [x.dealt.card for x in played.world.director.waiting.values()] == ["courage"]


def test_where_courage_came_to_nothing_the_matter_is_nearer_its_hour(morning, tmp_path):
    due = {}

    def look(world):
        due["before"] = world.pressures.open[DEED].due
        return [Dealt(card="courage", to="una", matter=DEED, lasts=3 * MINUTE)]

    played = play(morning, tmp_path / "a.db", first=look, minutes=10)
    assert [e.how for _, e in played.of(CardOver)] == ["done"]
    after = played.world.pressures.open[DEED].due
    assert due["before"] == -1 or after < due["before"]
    assert played.world.now < after < played.world.now + DAY


@pytest.mark.parametrize("kind", ["promise", "worry"])
def test_what_comes_to_a_bad_end_at_its_hour_keeps_it(kind, morning, tmp_path):
    """Whoever lends courage means well."""
    before = {}

    def look(world):
        ends = world.drama.kinds[kind].ends
        assert not ends[world.drama.kinds[kind].late.end].good
        before.update({p.id: p.due for p in world.pressures.open.values() if p.kind == kind and p.about in world.cast})
        found = [world.pressures.open[id] for id in before][:3]
        return [Dealt(card="courage", to=p.holder, matter=p.id, lasts=3 * MINUTE) for p in found]

    played = play(morning, tmp_path / "a.db", first=look, minutes=10)
    assert before
    after = {p.id: p.due for p in played.world.pressures.open.values()}
    assert {id: after[id] for id in before if id in after} == {id: due for id, due in before.items() if id in after}


def test_courage_is_for_what_can_be_said_by_now(morning):
    async def look():
        async with await Save.open(morning, read_only=True) as save:
            return await save.seek()

    world = asyncio.run(look())
    found = {who: strongest_saying(world, Dealt(card="courage", to=who)) for who in world.cast}
    assert sum(x is not None for x in found.values()) >= 5
    for who, saying in found.items():
        if saying is not None:
            assert saying.matter.holder == who
            assert saying.whom != who
