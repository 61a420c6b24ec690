"""Logs in which what was written about is an event of its own, after the act."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import asdict, replace
from online import Online

from sandbox.core.events import Record, Stamp, to_row
from sandbox.engine.registry import decode
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.feed.events import Writing
from sandbox.phones.model import kind_and_number
from sandbox.phones.old_log import OldWrote
from sandbox.readers.crossings import Crossings


def as_old(records: list[Record]) -> list[Record]:
    """The records as an earlier version made them, with numbers and causes moved on."""
    out: list[Record] = []
    moved = {}
    for at, e in records:
        seq = out[-1].stamp.seq + 1 if out else at.seq
        act = moved[at.seq] = seq
        causes = tuple(moved.get(cause, cause) for cause in at.causes)
        if not isinstance(e, Writing) or e.about is None:
            out.append(Record(at._replace(seq=seq, causes=causes), e))
            continue
        kind, number = kind_and_number(e)
        about = asdict(replace(e.about, cites=moved.get(e.about.cites, e.about.cites)))
        told = OldWrote(kind, number, **about, mood=e.mood, why=e.reason, variants=e.variants)
        out.append(Record(at._replace(seq=seq, causes=causes), replace(e, about=None, variants=())))
        moved[at.seq] = seq + 1
        out.append(Record(Stamp(seq + 1, at.step, at.t, at.actor, (act,)), told))
    return out


@pytest.fixture
def town(larkspur: Scenario) -> Online:
    """Mara has posted and written to Otis; he has read it and commented."""
    town = Online(larkspur)
    x = town.post(None, "mara", whom="basil", topic="the bread", valence=-0.3, opinion="")
    town.message("mara", "otis", topic="the bread")
    town.read("otis", x)
    town.comment("otis", x, "Indeed.", tone=1, valence=0.4)
    return town


def lived_again(scenario: Scenario, records: list[Record]) -> World:
    world = Online(scenario).world
    for record in records:
        row = to_row(record)
        assert decode(row) == record
        world.apply(decode(row))
    return world


def test_an_old_log_makes_the_same_town(larkspur: Scenario, town: Online) -> None:
    old = as_old(town.records)
    kinds = [record.event.KIND for record in old]
    assert [kind for kind in kinds if kind != "read" and kind != "felt"] == [
        "posted", "wrote", "messaged", "wrote", "commented", "wrote",
    ]  # fmt: skip
    then, now = lived_again(larkspur, old), town.world
    for table in ("written", "comments", "messages"):
        was = [replace(x, seq=0) for x in getattr(then.phones, table).values()]
        assert was == [replace(x, seq=0) for x in getattr(now.phones, table).values()]
        assert was
    for name in ("phones", "waiting", "liked", "cited"):
        assert getattr(then.phones, name) == getattr(now.phones, name)
    assert then.feed.texts == now.feed.texts


def test_what_old_and_new_hold_side_by_side_is_read_alike(town: Online) -> None:
    old, found = as_old(town.records), []
    for records in (town.records, old):
        crossings = Crossings()
        crossings.read(records)
        found.append([(x.way, x.came.kind, x.made.kind, x.rule, x.thread) for x in crossings.found])
    assert found[0] == found[1]


def test_what_does_not_fit_is_refused(town: Online) -> None:
    world = town.world
    post = next(r for r in town.records if isinstance(r.event, Writing))
    for event in (
        OldWrote("post", 10**6, move="post_news"),
        OldWrote("post", 0, move="post_news", on=10**6),
        replace(post.event, about=msgspec.structs.replace(post.event.about, on=10**6)),  # type: ignore[attr-defined]
        replace(post.event, user=world.feed.handles["otis"]),
    ):
        with pytest.raises(ValueError, match=r"there is no|is not mara"):
            world.apply(Record(Stamp(world.seq + 1, 1, 0, "mara", (post.stamp.seq,)), event))
