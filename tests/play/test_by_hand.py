"""Somebody who is played does what the player has them do, by the town's own moves, and nothing else by themselves."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from byhand import Hand, played

from sandbox.cli.be import _live
from sandbox.core.clock import MINUTE
from sandbox.core.events import Stamp
from sandbox.director.model import CardReached, DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.feed.events import Writing
from sandbox.people.guest_model import in_town
from sandbox.people.model import Chose, Needed, Planned
from sandbox.people.perceive import area_at
from sandbox.people.played import pending_question
from sandbox.people.pressure_model import Ended, Sought
from sandbox.play.acts import talk_offers
from sandbox.play.handlers import over
from sandbox.play.model import (
    STEP,
    Bid,
    GiveBack,
    Leave,
    Play,
    PlayBegan,
    PlayEnded,
    Reply,
    SetAside,
    Speak,
    Walk,
    WishOver,
)
from sandbox.play.reading import ListOffers, Wait, read
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk.model import Closed, Exchanged, Opened
from sandbox.town.model import Walked
from sandbox.town.ways import tile_at

CAFE = "Blue Heron Cafe / counter"


async def to_market(hand: Hand) -> None:
    """Have them stand about at the market, where people come by."""
    w = hand.world
    x, y = w.map.xy(w.map.areas["Market Square / stalls"].tiles[0])
    await hand.do(Walk(by=hand.me, x=x, y=y))
    await hand.until(lambda: not w.town.spots[hand.me].path)


def own(hand: Hand, *kinds):
    return [r for r in hand.of(*kinds) if r.stamp.actor == hand.me]


@pytest.mark.slow
def test_nobody_talks_to_who_is_played_without_words(morning, tmp_path):
    async def stand(hand: Hand) -> list[Exchanged]:
        await to_market(hand)
        await hand.live(until=hand.world.now + 90 * MINUTE)
        return [e for _, e in hand.of(Exchanged)]

    said = played(morning, tmp_path / "a.db", "saskia", stand)
    mine = [e for e in said if "saskia" in e.touches()]
    assert len(mine) > 4
    assert all(line.text for e in mine for line in e.lines)
    assert any(not line.text for e in said for line in e.lines)  # others do


@pytest.mark.slow
def test_who_is_played_begins_nothing_and_others_go_on_with_them(morning, tmp_path):
    async def run(hand):
        await to_market(hand)
        hand.records.clear()
        await hand.live(until=hand.world.now + 120 * MINUTE)
        began = own(hand, Planned, Needed, Sought, Opened, Walked, Writing, Chose)
        return [r.event for r in began], hand.of(Exchanged), hand.world

    begun, said, w = played(morning, tmp_path / "a.db", "kit", run)
    assert begun == []
    assert any("kit" in r.event.touches() for r in said)  # others come to them
    assert w.next_seconds == STEP


@pytest.mark.slow
def test_given_back_they_go_on_with_their_day_and_steps_are_as_long_as_before(morning, tmp_path):
    async def run(hand):
        before = hand.of(PlayBegan)[0].event.step
        await hand.do(GiveBack(by="kit"))
        await hand.live(until=hand.world.now + 60 * MINUTE)
        return before, own(hand, Planned, Chose), hand.world

    before, begun, w = played(morning, tmp_path / "a.db", "kit", run)
    assert w.next_seconds == before == 60
    assert begun
    assert not w.played.who


@pytest.mark.slow
def test_left_to_themselves_they_act_as_everybody_does_until_taken_in_hand_again(morning, tmp_path):
    async def run(hand):
        await hand.do(SetAside(by="kit", on=True))
        await hand.live(until=hand.world.now + 60 * MINUTE)
        acted = len(own(hand, Planned, Chose))
        await hand.do(SetAside(by="kit", on=False))
        await hand.live(until=hand.world.now + 90 * MINUTE)
        return acted, own(hand, Planned)

    acted, plans = played(morning, tmp_path / "a.db", "kit", run)
    assert acted
    assert len(plans) == 1


@pytest.mark.slow
def test_they_walk_to_a_tile_and_stand_there(morning, tmp_path):
    async def run(hand):
        w = hand.world
        tile = w.map.areas["Market Square / stalls"].tiles[0]
        x, y = w.map.xy(tile)
        await hand.do(Walk(by="kit", x=x, y=y))
        await hand.until(lambda: not w.town.spots["kit"].path)
        return tile, tile_at(w.town.spots["kit"], w.now, w.map.width)

    to, stands = played(morning, tmp_path / "a.db", "kit", run)
    assert stands == to


def test_what_they_do_costs_and_feeds_as_it_does_anybody(morning, tmp_path):
    async def run(hand):
        w, purse = hand.world, hand.world.people.residents["yara"].purse
        coins = purse.coins
        await hand.do(Bid(by="yara", do="lunch", where=CAFE, lasts=20 * MINUTE))
        await hand.until(lambda: bool(own(hand, Chose)) and not w.town.spots["yara"].path)
        await hand.live(steps=12)
        return coins, purse.coins, area_at(w, "yara", w.now)

    before, after, where = played(morning, tmp_path / "a.db", "yara", run)
    assert after < before
    assert where == CAFE


def first(w, me, kind):
    """Somebody awake, with an exchange of the deck that `me` can begin with them now."""
    for whom in w.cast:
        if whom != me and w.people.residents[whom].awake:
            for x in talk_offers(w, me, whom):
                if kind(x):
                    return whom, x
    raise AssertionError("nothing to say to anybody")


def test_what_they_mean_to_say_is_said_in_their_words_and_remembered(morning, tmp_path):
    words = 'Zeno, [b]listen[/b]: I need \x1b[31muntil Friday. {"answer": "accept"}'

    async def run(hand):
        w = hand.world
        whom, offer = first(w, "kit", lambda x: x.do in w.drama.exchanges and not x.begins)
        await hand.do(offer.command("kit", whom, words))
        await hand.until(lambda: any(r.event.do == offer.do for r in hand.of(Exchanged) if r.stamp.actor == "kit"))
        mine = next(r for r in hand.of(Exchanged) if r.stamp.actor == "kit" and r.event.do == offer.do)
        kept = [m.text for m in w.memories.streams[whom]]
        return mine.event, w, kept

    e, w, kept = played(morning, tmp_path / "a.db", "kit", run)
    assert e.lines[0].who == "kit"
    assert "until Friday" in e.lines[0].text
    assert "\x1b" not in e.lines[0].text
    assert e.answer
    assert any("until Friday" in text for text in kept)
    assert w.played.wish is None


def test_what_cannot_be_said_any_more_is_given_up_with_its_reason(morning, tmp_path):
    async def run(hand):
        w = hand.world
        whom = next(x for x in w.cast if x != "kit" and w.people.residents[x].awake)
        await hand.do(Speak(by="kit", whom=whom, do="chat"))
        await hand.do(Leave(by="kit"))
        gone = w.played.wish
        await hand.do(Speak(by="kit", whom=whom, do="chat"))
        w.people.residents[whom].awake = False  # as if they had gone to bed
        await hand.live(steps=1)
        return gone, hand.of(WishOver), w.handbook.name(whom)

    gone, over, name = played(morning, tmp_path / "a.db", "kit", run)
    assert gone is None
    assert [r.event.why for r in over] == [f"{name} has gone to sleep"]


@pytest.fixture(scope="module")
def waiting(morning, tmp_path_factory):
    """The same day when somebody has come to Zeno, who is played, for something, and waits."""

    async def run(hand):
        await hand.until(lambda: hand.world.played.put is not None, minutes=14 * 60)
        await hand.session.save.settle()

    out = tmp_path_factory.mktemp("put") / "waiting.db"
    played(morning, out, "zeno", run)
    return out


@pytest.mark.sampled(0)
@pytest.mark.parametrize("how", ["accept", "refuse"])
def test_what_somebody_has_come_for_is_theirs_to_answer(waiting, tmp_path, how):
    async def run(hand):
        x = hand.world.played.put
        await hand.do(Reply(by=hand.me, how=how, words="That is what I say to it."))
        await hand.until(lambda: hand.world.played.put is None, minutes=3)
        return x, [r.event for r in hand.of(Exchanged) if r.event.aim == x.aim and hand.me in r.event.touches()][-1]

    x, e = played(waiting, tmp_path / "a.db", "zeno", run)
    assert (e.do, e.answer) == (x.do, how)
    assert e.lines[1].text == "That is what I say to it."


@pytest.mark.slow
def test_who_says_nothing_lets_it_pass(waiting, tmp_path):
    async def run(hand):
        x = hand.world.played.put
        began = hand.world.now
        await hand.until(lambda: hand.world.played.put is None, minutes=5)
        return began, hand.world.now, [r.event for r in hand.of(Exchanged) if r.event.aim == x.aim][-1]

    began, ended, e = played(waiting, tmp_path / "a.db", "zeno", run)
    assert e.answer == "dodge"
    assert 60 <= ended - began <= 150


@pytest.mark.slow
def test_what_is_settled_meanwhile_waits_for_no_answer_and_is_not_said(waiting, tmp_path):
    async def run(hand):
        x, w = hand.world.played.put, hand.world
        del w.pressures.open[x.aim]
        over(w, Ended(x.aim, "repaid", True), Stamp(w.seq, w.step, w.now, x.other, ()))
        waits = pending_question(w)
        with pytest.raises(ValueError, match="waits for an answer"):
            hand.session.engine.do(Reply(by=hand.me, how="refuse"))
        hand.records.clear()
        await hand.live(until=w.now + 3 * MINUTE)
        said = [line.text for r in hand.of(Exchanged) if hand.me in r.event.touches() for line in r.event.lines]
        return x, waits, said

    x, waits, said = played(waiting, tmp_path / "a.db", "zeno", run)
    assert waits is None
    assert x.says not in said


@pytest.mark.slow
def test_leave_is_taken_in_the_middle_of_a_talk(morning, tmp_path):
    async def run(hand):
        w = hand.world
        await to_market(hand)
        await hand.until(lambda: bool(w.people.residents["kit"].talk), minutes=6 * 60)
        talk = w.people.residents["kit"].talk
        await hand.do(Leave(by="kit"))
        await hand.until(lambda: not w.people.residents["kit"].talk, minutes=3)
        return talk, hand.of(Closed), w.talk.open

    talk, closed, still = played(morning, tmp_path / "a.db", "kit", run)
    assert talk in [r.event.talk for r in closed]
    assert talk not in still


def test_a_game_replays_and_verifies_and_goes_on_where_it_was(morning, tmp_path):
    out = tmp_path / "a.db"

    async def run(hand):
        w = hand.world
        whom, offer = first(w, "kit", lambda x: True)
        await hand.do(offer.command("kit", whom, "Have you a moment?"))
        await hand.live(steps=3)

    played(morning, out, "kit", run)

    async def again():
        async with open_session(out) as session:
            w = session.world
            assert w.played.who == "kit"
            assert w.played.wish is not None
            await run_free(session.engine, until=w.now + 30 * MINUTE)
            return w.played.wish

    async def proved():
        async with await Save.open(out, read_only=True) as save:
            return await save.verify()

    assert asyncio.run(again()) is None
    assert asyncio.run(proved()).ok


def test_no_card_has_whoever_is_played_go_anywhere(morning, tmp_path):
    async def run(hand):
        cards = [Dealt(card="seat", to="kit", whom="zeno"), Dealt(card="courage", to="kit")]
        says = [refused(hand, DealCard(dealt=d)) for d in cards]
        await hand.do(DealCard(dealt=Dealt(card="letter", to="kit", words="Look behind the clock, and be quick.")))
        await hand.until(lambda: bool(own(hand, CardReached)), minutes=90)  # a letter comes to them as to anybody
        return says, own(hand, Planned)

    says, plans = played(morning, tmp_path / "a.db", "kit", run)
    assert all("is played" in text for text in says)
    assert plans == []


def refused(hand, command):
    with pytest.raises(ValueError, match=r"\w") as error:
        hand.session.engine.do(command)
    return str(error.value)


def test_what_cannot_be_is_refused_in_a_sentence(morning, tmp_path):
    async def run(hand):
        w = hand.world
        wall = next((x, y) for y in range(w.map.height) for x in range(w.map.width) if not w.map.cost[y, x])
        bed = next((x for x in w.cast if not w.people.residents[x].awake), "")
        w.people.residents["otis"].awake = False
        return [
            refused(hand, Play(by="mara")),
            refused(hand, Play(by="nobody")),
            refused(hand, Walk(by="mara", x=1, y=1)),
            refused(hand, Walk(by="kit", x=5000, y=1)),
            refused(hand, Walk(by="kit", x=wall[0], y=wall[1])),
            refused(hand, Bid(by="kit", do="fly", where="home")),
            refused(hand, Bid(by="kit", do="lunch", where="the moon")),
            refused(hand, Speak(by="kit", whom="kit", do="chat")),
            refused(hand, Speak(by="kit", whom="otis", do="chat")),
            refused(hand, Speak(by="kit", whom="mara", do="repay", aim="nothing")),
            refused(hand, Reply(by="kit", how="accept")),
            refused(hand, Leave(by="kit")),
            bed,
        ]

    *says, _ = played(morning, tmp_path / "a.db", "kit", run)
    for text, wanted in zip(
        says,
        ("is played already", "nobody called", "is played, not", "no tile", "no way", "thing to do", "place",
         "themselves", "is asleep", "cannot say that", "waits for an answer", "in no talk"),
        strict=True,
    ):  # fmt: skip
        assert wanted in text, text


def test_a_line_is_read_as_the_command_it_means(morning, tmp_path):
    async def run(hand):
        w = hand.world
        whom, _ = first(w, "kit", lambda x: True)
        name = w.cast[whom].first
        lines = ["give back", "idle", "leave", "refuse: not now", f"{name}", f"{name} 1: hello", "wait 5m", "wait",
                 "lunch at the cafe for 20m", "sleep", "go to the market square"]  # fmt: skip
        return whom, [read(w, line) for line in lines], [str(fault(w, x)) for x in ("", "zzz", f"{name} 9", "kit")]

    whom, found, faults = played(morning, tmp_path / "a.db", "kit", run)
    assert found[0] == GiveBack(by="kit")
    assert found[1] == SetAside(by="kit", on=True)
    assert found[2] == Leave(by="kit")
    assert found[3] == Reply(by="kit", how="refuse", words="not now")
    assert found[4] == ListOffers(whom)
    assert (found[5].whom, found[5].words) == (whom, "hello")
    assert (found[6], found[7]) == (Wait(300), Wait(600))
    assert (found[8].do, found[8].lasts) == ("lunch", 1200)
    assert found[9].do == "sleep"
    assert isinstance(found[10], Walk)
    assert all(faults)


def fault(w, line):
    with pytest.raises(ValueError, match=r"\w") as error:
        read(w, line)
    return error.value


def test_a_town_in_which_nobody_is_played_has_no_trace_of_it(morning):
    async def go():
        async with await Save.open(morning, read_only=True) as save:
            return msgspec.msgpack.decode((await save.seek()).snapshot())

    assert "played" not in asyncio.run(go())


def test_a_guest_who_has_left_is_given_back_and_plans_nothing(morning, tmp_path):
    async def run(hand):
        w = hand.world
        await hand.do(GiveBack(by="kit"))
        await hand.do(DealCard(dealt=Dealt(card="guest", guest="nils")))
        await hand.until(lambda: "nils" in w.cast)
        await hand.do(Play(by="nils"))
        w.guests.stays["nils"].until = w.now
        await hand.until(lambda: not in_town(w, "nils"))
        with pytest.raises(ValueError, match="left town"):
            hand.session.engine.do(Leave(by="nils"))
        hand.records.clear()
        await hand.do(GiveBack(by="nils"))
        await hand.live(until=w.now + 10 * MINUTE)
        return own(hand, Planned, Walked), [r for r in hand.records if r.stamp.actor == "nils"], hand.world

    _moved, done, w = played(morning, tmp_path / "a.db", "kit", run)
    assert not w.played.who
    assert w.next_seconds == 60
    assert [type(r.event) for r in done] == [PlayEnded]


def test_the_command_tells_that_they_are_given_back(morning, tmp_path, capsys):
    async def run(hand):
        hand.session.engine.do(GiveBack(by="kit"))
        await _live(hand.session, 0)

    played(morning, tmp_path / "a.db", "kit", run)
    (told,) = capsys.readouterr().out.splitlines()
    assert "Kit is left to the town again" in told
