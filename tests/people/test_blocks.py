"""Memories kept in blocks beside the log: taken in again they are the same to the bit, or they are not taken in."""

from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.people import memory_blocks
from sandbox.people.impressions import SpeechHistory
from sandbox.people.memory_stream import AT_HAND, Memory, MemoryStream, PendingMemories
from sandbox.people.mood import CALM, Pad

PEOPLE = ("mara", "jory")
KEPT = 1300


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block holds what has been said."""
    monkeypatch.setattr(memory_blocks, "SAYING", 1)


class Town:
    """Two people with a stream each, and what they said."""

    def __init__(self) -> None:
        self.streams = {who: MemoryStream(KEPT) for who in PEOPLE}
        self.spoken = SpeechHistory()
        self.mark = memory_blocks.first_mark(self.streams)
        self.seq = self.now = 0

    def live(self, events: int) -> None:
        for _ in range(events):
            self.seq += 1
            i, who = self.seq, PEOPLE[self.seq % 3 % 2]
            stream, t = self.streams[who], self.now
            delta = Pad(0.000001 * (i % 99), -0.3, 0.0) if i % 3 else CALM
            after = Pad(0.1 + i % 7 / 10, 1 / 3 if i == 50 else 0.25, -0.4)
            other = PEOPLE[who == "mara"]
            stream.add(
                Memory(
                    stream.count, "chat", t, t, f"told {other}: no {i}", (other,), 1 + i % 5, i, delta, after, (i // 9,)
                )
            )
            stream.since += i % 5 + 0.5
            if i % 11 == 0:
                stream.touch([stream.count // 2, stream.count - 3, 2], t)
                stream.since, stream.reflected = 0.0, t
            self.spoken.say(who, other, (f"rain#{i % 40}", f"hello#{i}"), i % 6 - 1, t)
            self.now += 37

    def block(self) -> list[bytes]:
        found = memory_blocks.make_pieces(self.streams, self.spoken, self.mark, self.seq, self.now)
        self.mark = memory_blocks.mark_of(self.streams, self.seq, self.now)
        return found

    def take(self, found: list[list[bytes]]) -> None:
        chain = []
        for pieces in found:
            chain.append((head := memory_blocks.read(pieces, self.streams, self.mark), pieces))
            self.mark = memory_blocks.after(head, len(self.streams))
            self.spoken = (
                SpeechHistory.of(memory_blocks.read_speech(pieces, head, self.streams)) if head.told else self.spoken
            )
        for place, stream in enumerate(self.streams.values()):
            memory_blocks.restore_stream(stream, place, chain, self.streams.keys())

    def all(self) -> Any:
        lives = {who: (s.count, s.since, s.reflected, [*s]) for who, s in self.streams.items()}
        return lives, msgspec.to_builtins(self.spoken.state()), [*self.spoken.heard(self.now + 200_000).items()]


def kept(spans: list[int]) -> tuple[Town, list[list[bytes]]]:
    town, out = Town(), []
    for events in spans:
        town.live(events)
        out.append(town.block())
    return town, out


def taken(found: list[list[bytes]], seq: int = 0, now: int = 0) -> Town:
    town = Town()
    town.take(found)
    town.seq, town.now = seq, now
    return town


@settings(max_examples=5, deadline=None)
@given(st.lists(st.integers(0, 900), min_size=1, max_size=3), st.integers(0, 900))
def test_blocks_taken_one_after_the_other_make_the_same_memories_and_life_goes_on_the_same(
    spans: list[int], more: int
) -> None:
    town, found = kept([*spans, 700])
    again = taken(found, town.seq, town.now)
    assert again.all() == town.all()
    for one in (town, again):
        one.live(more)
    assert again.all() == town.all()
    assert again.block() == town.block()


def test_what_was_forgotten_meanwhile_stays_forgotten() -> None:
    town, found = kept([1800, 900])
    again = taken(found, town.seq, town.now)
    assert len(again.streams["mara"]) < again.streams["mara"].count - 400
    assert again.all() == town.all()


def test_a_block_of_another_place_in_the_log_is_not_taken() -> None:
    _, found = kept([20, 20, 20])
    for order in ([1], [0, 2], [0, 0]):
        with pytest.raises(ValueError, match="does not go on"):
            taken([found[i] for i in order])


SPOILS: dict[str, Any] = {
    "left": st.binary(min_size=4, max_size=80),
    **{
        name: st.binary(max_size=80)
        for name in ("touched", "seconds", "gaps", "last", "weight", "moods", "sizes", "rest")
    },
}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_part_that_holds_anything_else_is_refused(data: st.DataObject) -> None:
    _, found = kept([AT_HAND, 30])
    name = data.draw(st.sampled_from([*SPOILS]))
    part = msgspec.msgpack.decode(found[1][memory_blocks.PARTS], type=memory_blocks.BlockPart)
    spoilt = data.draw(SPOILS[name])
    if spoilt == getattr(part, name):
        return
    found[1][memory_blocks.PARTS] = msgspec.msgpack.encode(msgspec.structs.replace(part, **{name: spoilt}))
    with pytest.raises(ValueError, match=r"."):
        taken(found)


@pytest.mark.parametrize(
    ("name", "spoilt"),
    [("count", -1), ("count", 3), ("left", -1), ("left", 900), ("since", float("nan")), ("reflected", 10**6)],
)
def test_a_head_that_cannot_be_is_refused(name: str, spoilt: float) -> None:
    _, found = kept([20, 20])
    values = msgspec.msgpack.decode(found[1][memory_blocks.HEAD])
    person = values[memory_blocks.BlockHeader.__struct_fields__.index("people")][0]
    person[memory_blocks.StreamState.__struct_fields__.index(name)] = spoilt
    found[1][memory_blocks.HEAD] = msgspec.msgpack.encode(values)
    with pytest.raises(ValueError, match=r"."):
        taken(found)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 900), st.booleans())
def test_a_stream_that_waits_becomes_what_one_that_never_waited_is(more: int, asked: bool) -> None:
    town, found = kept([1100, 700])
    again, chain = Town(), []
    for pieces in found:
        chain.append((head := memory_blocks.read(pieces, again.streams, again.mark), pieces))
        again.mark = memory_blocks.after(head, len(PEOPLE))
    again.spoken = SpeechHistory.of(memory_blocks.read_speech(pieces, head, again.streams))
    for place, one in enumerate(head.people):
        take = partial(memory_blocks.restore_stream, MemoryStream(KEPT), place, chain, {*PEOPLE})
        again.streams[one.who].wait(PendingMemories(take, one.count, one.left, one.since, one.reflected))
    again.seq, again.now = town.seq, town.now
    for one in (town, again):
        one.live(more)
    sizes = [(len(s), s.count, s.since, s.reflected) for s in again.streams.values()]
    assert sizes == [(len(s), s.count, s.since, s.reflected) for s in town.streams.values()]
    if asked:
        assert again.all() == town.all()
    assert again.block() == town.block()
