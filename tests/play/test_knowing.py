"""What somebody who is played can know, and the switch that shows all, which is remembered as used."""

from __future__ import annotations

import asyncio

import pytest
from byhand import played

from sandbox.core.events import Record, Stamp
from sandbox.people.beliefs import HELD
from sandbox.people.model import Felt
from sandbox.people.played import WORDED
from sandbox.people.pressure_model import Began, Sought, Stirred
from sandbox.play.knowing import beliefs_about, can_see, known_pressures, knows_of, memories_about, reaches
from sandbox.play.model import GiveBack, HasPlay, Play, SawAll, SeeAll, SetAside, Speak, Walk
from sandbox.store.session import open_session
from sandbox.talk.model import Closed
from sandbox.town.ways import tile_at


def shown_to(w: HasPlay) -> str:
    """Whose knowledge limits what the screen shows, "" for nobody's."""
    return "" if w.played.sees_all else w.played.who


def at(actor: str, seq: int = 9) -> Stamp:
    return Stamp(seq, 1, 0, actor, ())


def test_one_knows_as_who_is_played_until_all_is_shown_and_that_is_remembered(morning, tmp_path):
    async def run(hand):
        w = hand.world
        assert shown_to(w) == "kit"
        assert w.played.saw_all == -1
        await hand.do(SeeAll(by="kit", on=True))
        first = w.played.saw_all
        assert shown_to(w) == ""
        assert first > 0
        await hand.do(SetAside(by="kit", on=True))
        assert shown_to(w) == ""
        await hand.do(SeeAll(by="kit", on=False))
        assert shown_to(w) == "kit"
        await hand.do(GiveBack(by="kit"))
        await hand.do(Play(by="zeno"))
        assert shown_to(w) == "zeno"
        assert w.played.saw_all == first
        return hand.of(SawAll), w.played

    seen, state = played(morning, tmp_path / "a.db", "kit", run)
    assert [r.event.on for r in seen] == [True, False]

    async def reopened():
        async with open_session(tmp_path / "a.db") as session:
            return session.world.played

    again = asyncio.run(reopened())
    assert (again.saw_all, again.since, again.did) == (state.saw_all, state.since, state.did)


def test_all_is_not_shown_twice_nor_for_somebody_who_is_not_played(morning, tmp_path):
    async def run(hand):
        for command, why in (
            (SeeAll(by="kit", on=False), "shown already"),
            (SeeAll(by="zeno", on=True), "is played, not"),
            (SeeAll(by="", on=True), "say whom you mean"),
        ):
            with pytest.raises(ValueError, match=why):
                hand.session.engine.do(command)
        await hand.do(GiveBack(by="kit"))
        with pytest.raises(ValueError, match="nobody is played"):
            hand.session.engine.do(SeeAll(by="kit", on=True))

    played(morning, tmp_path / "a.db", "kit", run)


def test_what_was_done_by_hand_is_kept_each_once(morning, tmp_path):
    async def run(hand):
        w = hand.world
        x, y = w.map.xy(tile_at(w.town.spots["kit"], w.now, w.map.width))
        await hand.do(Walk(by="kit", x=x, y=y))
        await hand.do(Walk(by="kit", x=x, y=y))
        await hand.do(Speak(by="kit", whom="zeno", do="chat", words="Good morning."))
        return w.played

    state = played(morning, tmp_path / "a.db", "kit", run)
    assert state.did == ["headed", "wished", WORDED]
    assert state.since > 0


@pytest.mark.slow
def test_of_what_goes_on_in_others_nothing_is_known(morning, tmp_path):
    async def run(hand):
        w, beliefs = hand.world, 0
        await hand.live(until=w.now + 3600)
        for record in hand.records:
            stamp, e = record
            if isinstance(e, Felt | Sought) and stamp.actor != "kit":
                assert not knows_of(w, "kit", record, saw=True, heard=True)
            if isinstance(e, Closed) and "kit" not in e.who:
                assert knows_of(w, "kit", record, heard=True)
                assert not knows_of(w, "kit", record)
            if isinstance(e, Began) and stamp.actor != "kit":
                p = w.pressures.open.get(e.id)
                assert p is None or "kit" in (*p.known_by, p.about) or not knows_of(w, "kit", record)
            beliefs += stamp.actor == "kit" and knows_of(w, "kit", record)
        assert beliefs

    played(morning, tmp_path / "a.db", "kit", run)


def test_what_is_told_somebody_is_known_to_them(morning, tmp_path):
    async def run(hand):
        w = hand.world
        told = Stirred("x", "leak", "accept", "kit", 0.1, 0.5, 1, ("kit",))
        assert knows_of(w, "kit", Record(at("zeno"), told))
        assert not knows_of(w, "mara", Record(at("zeno"), told))
        assert knows_of(w, "mara", Record(at("zeno"), told), heard=True)

    played(morning, tmp_path / "a.db", "kit", run)


def test_what_they_believe_of_somebody_has_words_and_a_source(morning, tmp_path):
    async def run(hand):
        w = hand.world
        found = 0
        for me, held in w.beliefs.held.items():
            for who in {x for b in held.values() for x in (b.a, b.b) if x}:
                for one in beliefs_about(w, me, who, w.now):
                    assert one.says
                    assert one.belief.source
                    assert one.belief.strength >= HELD
                    found += 1
        for p in w.pressures.open.values():
            if p.about and p.about not in p.known_by and not w.drama.kinds[p.kind].mutual:
                assert p not in known_pressures(w, p.about, p.holder)
            assert not p.about or p in known_pressures(w, p.holder, p.about)
        return found

    assert played(morning, tmp_path / "a.db", "kit", run)


def test_who_sleeps_sees_nobody_and_who_is_awake_sees_themselves(morning, tmp_path):
    async def run(hand):
        w = hand.world
        tile = tile_at(w.town.spots["kit"], w.now, w.map.width)
        assert can_see(w, "kit", tile, tile)
        assert not can_see(w, "kit", tile, 0)
        w.people.residents["kit"].awake = False
        assert not can_see(w, "kit", tile, tile)
        assert not reaches(w, "kit", "nobody")
        assert all(who in m.about for who in ("mara", "zeno") for m in memories_about(w, "kit", who, 3))

    played(morning, tmp_path / "a.db", "kit", run)
