"""Turning points: what of somebody's own comes to a head is told once, with three stances, each of which is events."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import msgspec
import pytest
from byhand import played
from msgspec.structs import replace

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.events import Record, Stamp
from sandbox.people.claim_model import Broken
from sandbox.people.played import CameToHead, CrisisState, PlayedState, TalkWish
from sandbox.people.pressure_model import Began, Stirred
from sandbox.play.acts import TalkOffer
from sandbox.play.model import SetAside, StanceTaken, Stand
from sandbox.play.reading import read
from sandbox.play.turning import BETWEEN, FRESH, broken, candidates, choices, pending
from sandbox.readers import pressures
from sandbox.readers.all_stories import STORIES
from sandbox.readers.pressures import Matter
from sandbox.readers.stories_of_play import (
    forecast,
    minders,
    outcome_percents,
    stance_words,
    turning_point_headline,
    waiting_point_words,
)
from sandbox.readers.story import Teller
from sandbox.store.save import Save

RENT = "two months' rent"


def rent(w):
    """What Kit owes Zeno."""
    return next(p for p in w.pressures.open.values() if (p.holder, p.about) == ("kit", "zeno") and p.kind == "debt")


async def due(hand, minutes=40):
    """Have the rent fall due soon, and live until that has come to a head."""
    rent(hand.world).due = hand.world.now + minutes * MINUTE
    await hand.until(lambda: pending(hand.world) is not None, minutes=5)
    return pending(hand.world)


def heads(hand):
    return hand.of(CameToHead)


@pytest.mark.slow
def test_what_falls_due_within_the_hour_comes_to_a_head_once(morning, tmp_path):
    async def run(hand):
        point = await due(hand)
        await hand.live(until=hand.world.now + 25 * MINUTE)
        return point, heads(hand), waiting_point_words(hand.world, point), hand.world.clock.hhmm(rent(hand.world).due)

    point, told, text, hour = played(morning, tmp_path / "a.db", "kit", run)
    assert (point.what, point.whom) == ("due", "zeno")
    assert [r.event.matter for r in told].count(point.matter) == 1
    assert RENT in text
    assert f"It is due at {hour}." in text
    assert "It came of this: Kit paid January with a song" in text


@pytest.mark.slow
def test_the_two_it_is_between_each_have_it_and_nobody_else_has(morning, tmp_path):
    async def run(hand):
        rent(hand.world).due = hand.world.now + 40 * MINUTE
        await hand.live(until=hand.world.now + 3 * MINUTE)
        return [r.event.matter for r in heads(hand)], rent(hand.world).id

    found = {who: played(morning, tmp_path / f"{who}.db", who, run) for who in ("kit", "zeno", "vera")}
    assert found["kit"][1] in found["kit"][0]
    assert found["zeno"][1] in found["zeno"][0]
    assert found["vera"][1] not in found["vera"][0]


def test_a_matter_comes_to_a_head_anew_with_each_stage_and_never_two_within_ten_minutes(morning, tmp_path):
    async def run(hand):
        w = hand.world
        for stage in (2, 3):
            p = rent(w)
            stir(w, p, stage)
            await hand.live(until=w.now + 4 * MINUTE)
        await hand.live(until=w.now + 12 * MINUTE)
        return heads(hand), rent(w).id

    told, matter = played(morning, tmp_path / "a.db", "kit", run)
    of_it = [r.event.stage for r in told if r.event.matter == matter and r.event.what == "pressed"]
    assert of_it == sorted(set(of_it))
    assert 3 in of_it
    times = [r.stamp.t for r in told]
    assert all(b - a >= BETWEEN for a, b in pairwise(times))


def stir(w, p, stage):
    """As if it had pressed harder."""
    e = Stirred(p.id, "shows", "", p.about, 0.1, 0.9, stage, due=-1)
    w.apply(Record(Stamp(w.seq, w.step, w.now, p.holder, ()), e))


def test_a_claim_that_is_over_comes_to_a_head_with_why(morning, tmp_path):
    async def run(hand):
        w = hand.world
        e = Broken("x", "ally", "kit", "zeno", "the rent", why="Zeno has gone over to the other side")
        broken(w, e, Stamp(w.seq, w.step, w.now, "kit", ()))
        broken(w, replace(e, id="y", a="vera"), Stamp(w.seq, w.step, w.now, "vera", ()))
        (head,) = [x.e for x in candidates(w, "kit", w.now) if x.e.what == "broken"]
        return head, waiting_point_words(w, head)

    head, text = played(morning, tmp_path / "a.db", "kit", run)
    assert head.whom == "zeno"
    assert text.startswith("Kit and Zeno no longer stand by each other over the rent. It came of this: ")
    assert text.endswith(": Zeno has gone over to the other side.")


def test_a_secret_that_is_out_and_a_breach_they_come_to_believe_come_to_a_head_first(morning, tmp_path):
    async def run(hand):
        w = hand.world
        at = Stamp(w.seq, w.step, w.now, "hettie", (1,))
        breach = next(x.child for x in w.claim_deck.breaches)
        mind = Began(f"{breach}.hettie.mara.1", "grudge", "mara", 0.5, 0, -1, "a word", "it was told", "x", ("hettie",))
        kept = Began(
            "own.hettie.anselm.1", "secret", "anselm", 0.5, 0, -1, "a word kept", "it was late", "y", ("hettie",)
        )
        other = replace(mind, id="cross.hettie.mara.1")
        for e in (other, mind, kept):
            w.apply(Record(at, e))
        w.apply(Record(at, Stirred(kept.id, "leak", "accept", "anselm", 0.1, 0.6, 0, told=("anselm",))))
        return [x.e for x in candidates(w, "hettie", w.now)], mind.id, kept.id

    found, mind, kept = played(morning, tmp_path / "a.db", "hettie", run)
    assert [(e.what, e.matter, e.whom) for e in found[:2]] == [("found", kept, "anselm"), ("betrayed", mind, "mara")]
    assert all(e.what in ("due", "pressed") for e in found[2:])


def test_there_are_three_stances_with_what_to_expect_and_who_will_mind(morning, tmp_path):
    async def run(hand):
        point = await due(hand)
        w = hand.world
        return [
            (c, stance_words(w.handbook, c), forecast(c.offer) if c.offer else "", minders(w.handbook, c, point.whom))
            for c in choices(w, point)
        ]

    (let, *_), (speak, says, likely, _), (expose, _, _, mind) = played(morning, tmp_path / "a.db", "kit", run)
    assert [c.stance for c in (let, speak, expose)] == ["let_be", "speak", "expose"]
    assert says.startswith("go to Zeno, to ")
    assert "%" in likely
    assert expose.whom not in ("kit", "zeno")
    assert any("Zeno" in x for x in mind)


@pytest.mark.parametrize("how", ["let_be", "speak", "expose"])
def test_a_stance_is_one_event_that_a_replay_makes_again(morning, tmp_path, how):
    async def run(hand):
        point = await due(hand)
        w = hand.world
        whom = next(c.whom for c in choices(w, point) if c.stance == how)
        before = msgspec.msgpack.encode(w.played)
        hand.records.clear()
        await hand.do(Stand(by="kit", how=how, words="[b]Listen[/b] \x1b[31mto me."))
        after, w.played = w.played, msgspec.msgpack.decode(before, type=PlayedState)
        for record in hand.of(StanceTaken):
            w.apply(record)
        return point, whom, hand.of(StanceTaken), w.played, after == w.played, pending(w)

    point, whom, taken, state, same, still = played(morning, tmp_path / "a.db", "kit", run)
    (record,) = taken
    assert record.stamp.causes == (state.turning.seq,)
    assert record.event.matter == point.matter
    assert still is None
    assert same
    if how == "let_be":
        assert record.event.wish is None
        assert state.wish is None
    else:
        assert isinstance(state.wish, TalkWish)
        assert state.wish.whom == whom
        assert "\x1b" not in state.wish.words


def test_a_stance_that_cannot_be_says_why(morning, tmp_path):
    async def run(hand):
        w = hand.world
        says = [refused(hand, Stand(by="kit", how="speak"))]
        point = await due(hand)
        says += [refused(hand, Stand(by="kit", how="shout")), refused(hand, Stand(by="zeno", how="let_be"))]
        w.people.residents["zeno"].awake = False
        says.append(refused(hand, Stand(by="kit", how="speak")))
        why = next(c.why_not for c in choices(w, point) if c.stance == "speak")
        await hand.do(SetAside(by="kit", on=True))
        return [*says, refused(hand, Stand(by="kit", how="let_be"))], why, pending(w)

    says, why, left = played(morning, tmp_path / "a.db", "kit", run)
    for text, part in zip(
        says,
        ("nothing waits for a stance", "stance", "not in your hands", "is asleep", "not in your hands"),
        strict=True,
    ):
        assert part in text
    assert "is asleep" in why
    assert left is None


def refused(hand, command):
    with pytest.raises(ValueError, match=r"\w") as error:
        hand.session.engine.do(command)
    return str(error.value)


def test_nobody_waits_for_ever_for_a_stance(morning, tmp_path):
    async def run(hand):
        await due(hand)
        hand.world.played.turning.at -= FRESH
        return pending(hand.world)

    assert played(morning, tmp_path / "a.db", "kit", run) is None
    assert FRESH >= HOUR


def test_stances_are_lines_and_told(morning, tmp_path):
    async def run(hand):
        await due(hand)
        w = hand.world
        lines = [read(w, x) for x in ("let be", "speak up: I am sorry", "Expose")]
        await hand.do(lines[1])
        teller = Teller(w.handbook, pressures.world_matters(w))
        return lines, [STORIES[type(e)].sentence(teller, e, at) for at, e in hand.of(CameToHead, StanceTaken)]

    lines, told = played(morning, tmp_path / "a.db", "kit", run)
    assert [x.how for x in lines] == ["let_be", "speak", "expose"]
    assert lines[1].words == "I am sorry"
    assert told[0].startswith("The hour is near for two months' rent, between Kit and Zeno")
    assert told[1].startswith("Kit means to speak up: to see Zeno to ")


def test_the_hour_of_something_to_do_is_told_as_a_sentence(morning, tmp_path):
    async def run(hand):
        book, e = hand.world.handbook, CameToHead("due", "word", "word", "zeno", 1)
        of = [Matter("word", "promise", "zeno", "kit", x, "", "word") for x in ("to come and hear", "two months' rent")]
        return [turning_point_headline(book, e, "kit", m) for m in of]

    assert played(morning, tmp_path / "a.db", "kit", run) == [
        "The hour is near, between Kit and Zeno: to come and hear",
        "The hour is near for two months' rent, between Kit and Zeno",
    ]


def test_the_command_tells_what_waits_and_the_lines_that_answer_it(morning, tmp_path, capsys):
    from sandbox.cli.be import _around

    async def run(hand):
        await due(hand)
        _around(hand.world)

    played(morning, tmp_path / "a.db", "kit", run)
    told = capsys.readouterr().out
    assert "The hour is near for two months' rent" in told
    assert "let be    do nothing, and go on" in told
    assert "speak up  go to Zeno, to " in told
    assert "who minds: Zeno: it is told of them" in told


def test_where_nobody_is_played_nothing_comes_to_a_head(morning, tmp_path):
    async def run(hand):
        from sandbox.play.model import GiveBack

        rent(hand.world).due = hand.world.now + 40 * MINUTE
        await hand.do(GiveBack(by="kit"))
        hand.records.clear()
        await hand.live(until=hand.world.now + 20 * MINUTE)
        return heads(hand), hand.world.played.turning

    told, state = played(morning, tmp_path / "a.db", "kit", run)
    assert told == []
    assert state == CrisisState()


@pytest.mark.slow
def test_a_day_with_turning_points_and_stances_replays_and_verifies(morning, tmp_path):
    out = tmp_path / "a.db"

    async def run(hand):
        for how in ("let_be", "speak"):  # what is let be goes on to press
            await hand.until(lambda: pending(hand.world) is not None, minutes=14 * 60)
            await hand.do(Stand(by="kit", how=how))
        return len(hand.of(StanceTaken))

    async def proved():
        async with await Save.open(out, read_only=True) as save:
            return await save.verify()

    assert played(morning, out, "kit", run) == 2
    assert asyncio.run(proved()).ok


def test_ways_it_may_be_taken_add_up_to_a_hundred_and_none_is_left_out_that_is_one() -> None:
    chances = {"refuse": 0.045, "accept": 0.505, "dodge": 0.449, "lie": 0.001}
    offer = TalkOffer("tease", "", "tease them", "", chances, (), ())
    assert forecast(offer) == "accept 50 %, dodge 45 %, refuse 5 %"
    assert sum(n for _, n in outcome_percents(chances)) == 100
