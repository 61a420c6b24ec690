"""What there is to do for somebody who is played: each thing on the list can be done, and is what it says."""

from __future__ import annotations

import pytest
from byhand import Hand, played

from sandbox.people.claims.model import Claim
from sandbox.people.goals.model import GoalAdvanced, Plan, Todo
from sandbox.people.paying import Paid
from sandbox.play.doings import doings
from sandbox.play.model import Bid, PutBy
from sandbox.play.reading import read
from sandbox.play.system import busy_until
from sandbox.town.rules import tile_at


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
        w.goals.open[p.id] = Plan(Claim("", "owns", me, terms="a boat"), p.last, [Todo("coins", 0)])
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
