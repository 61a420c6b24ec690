"""What there is to do for somebody who is played: each thing on the list can be done, and is what it says."""

from __future__ import annotations

import pytest
from byhand import Hand, played

from sandbox.people.claim_model import Claim
from sandbox.people.goal_model import GoalAdvanced, GoalPlan, Todo
from sandbox.people.paying import Paid
from sandbox.play.activities_offered import doings
from sandbox.play.acts import every_offer
from sandbox.play.model import Bid, PutBy, Speak
from sandbox.play.reading import match_offers, read
from sandbox.play.system import busy_until, has_said
from sandbox.talk.model import Exchanged
from sandbox.town.ways import tile_at


def rows(hand: Hand) -> list:
    return [x for _, found in doings(hand.world, hand.me) for x in found]


def test_all_that_is_listed_can_be_done(morning, tmp_path):
    async def run(hand):
        said = [x.says for x in rows(hand)]
        for doing in rows(hand):
            assert hand.world.registry.acts(hand.world, doing.command), doing.says
        return said

    said = played(morning, tmp_path / "a.db", "kit", run)
    assert len(said) > 10
    assert len(said) == len({*said})


def test_one_sits_beside_somebody_in_sight(morning, tmp_path):
    async def run(hand):
        w = hand.world
        found = [x for x in rows(hand) if isinstance(x.command, Bid) and x.command.beside]
        whom = found[0].command.beside
        assert read(w, f"sit beside {whom}") == found[0].command
        await hand.do(found[0].command)
        await hand.until(lambda: w.people.residents[hand.me].act is not None and not w.town.spots[hand.me].path, 15)
        width = w.map.width
        (x, y), (u, v) = (w.map.xy(tile_at(w.town.spots[who], w.now, width)) for who in (hand.me, whom))
        return found[0].says, w.handbook.name(whom), max(abs(x - u), abs(y - v)), busy_until(w) - w.now

    says, name, away, left = played(morning, tmp_path / "a.db", "rufus", run)
    assert says == f"sit beside {name}"
    assert away <= 2
    assert left > 600


@pytest.mark.parametrize("line", ["sit beside kit", "sit beside nobody at all"])
def test_nobody_sits_beside_themselves_or_nobody(morning, tmp_path, line):
    async def run(hand):
        with pytest.raises(ValueError, match=r"\w") as error:
            hand.session.engine.do(read(hand.world, line))
        return str(error.value)

    assert "person" in played(morning, tmp_path / "a.db", "kit", run)


def test_coins_for_what_one_wants_leave_the_purse_as_one_says_so_and_not_before(morning, tmp_path):
    async def run(hand):
        w, me = hand.world, hand.me
        p = next(x for x in w.pressures.open.values() if x.holder == me and w.drama.kinds[x.kind].goal)
        w.goals.open[p.id] = GoalPlan(Claim("", "owns", me, terms="a boat"), p.last, [Todo("coins", 0)])
        purse = w.people.residents[me].purse
        purse.coins = w.drama.steps["coins"].coins + 100
        before = purse.coins
        await hand.live(steps=6)
        kept = purse.coins
        row = next(x for x in rows(hand) if isinstance(x.command, PutBy))
        hand.records.clear()
        await hand.do(row.command, steps=2)
        paid, took = [r.event for r in hand.of(Paid)], hand.of(GoalAdvanced)
        again = [x for x in rows(hand) if isinstance(x.command, PutBy)]
        with pytest.raises(ValueError, match="nothing that you want"):
            hand.session.engine.do(PutBy(by=me))
        return before, kept, purse.coins, row.says, paid, took, again

    before, kept, after, says, paid, took, again = played(morning, tmp_path / "a.db", "jory", run)
    assert kept == before
    assert before - after == 40 == paid[0].amount
    assert says.startswith("put forty by for ")
    assert len(took) == 1
    assert not again


def test_nobody_works_where_they_have_no_work_and_things_are_done_until_an_hour(morning, tmp_path):
    async def run(hand):
        w = hand.world
        with pytest.raises(ValueError, match="does not work"):
            hand.session.engine.do(read(w, "work at the bakery"))
        home = read(w, "go home")
        slept = read(w, "sleep until 22:30")
        with pytest.raises(ValueError, match="no hour"):
            read(w, "sleep until 25:00")
        return home, w.cast["kit"].home, slept.lasts, w.clock.next_time(w.now, 22 * 3600 + 30 * 60) - w.now, w.map

    home, address, lasts, until, town = played(morning, tmp_path / "a.db", "kit", run)
    assert town.areas[address].tiles.count(home.y * town.width + home.x) == 1
    assert lasts == until


@pytest.mark.slow
def test_who_is_played_has_the_word_again_once_it_is_said_and_leads_no_talk_by_themselves(morning, tmp_path):
    async def run(hand):
        w, me = hand.world, hand.me
        for other in [x for x in w.cast if x != me and w.people.residents[x].awake]:
            command, said = Speak(by=me, whom=other, do="chat"), False
            hand.records.clear()
            if w.people.residents[me].talk or not w.people.residents[other].awake:
                await hand.until(lambda: not w.people.residents[me].talk)
                continue
            await hand.do(command)
            while not (said := has_said(command, me, hand.records)) and w.played.wish is not None:
                hand.records.clear()
                await hand.live(steps=1)
            if said:
                break
        assert said
        talk = w.people.residents[me].talk
        hand.records.clear()
        await hand.until(lambda: not w.people.residents[me].talk)
        return talk, [r.stamp.actor for r in hand.of(Exchanged) if r.event.talk == talk], me

    talk, leads, me = played(morning, tmp_path / "a.db", "kit", run)
    assert talk  # they stand there still
    assert leads
    assert me not in leads


def test_a_name_alone_is_taken_for_nothing_to_begin(morning, tmp_path):
    async def run(hand):
        found = every_offer(hand.world, hand.me, "jory")
        assert any(x.begins == "send" for x in found)
        likely, sure = match_offers(hand.world, found, "The bicycle of Rufus has wheels.")
        return sure and likely[0].begins

    assert not played(morning, tmp_path / "a.db", "kit", run)
