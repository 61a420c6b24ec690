"""A save can be read with any SQLite tool: the views say who said, felt and did what."""

import asyncio
import sqlite3
from typing import Any, ClassVar

import pytest

from sandbox.core.events import Event, Record, Stamp
from sandbox.people.model import Chose, Felt, Insight, Reflected
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.store.save import Save
from sandbox.store.views_feed import VIEWS
from sandbox.talk.model import Closed, Exchanged, Opened, Relation, Shift, Utterance
from sandbox.town.model import Walked


class Begun(Event, frozen=True):
    KIND: ClassVar[str] = "founded"
    scenario: dict[str, Any]


EVENTS = (
    ("mara", Walked(3, 4, "NNE", 20, "the oven")),
    ("mara", Chose("knead dough", "work", "Tansy Bakery / kitchen", "oven", 5, 6, 600, 0, True)),
    ("mara", Opened("t1", "bo", "Tansy Bakery / shop", "greet", "bread", 2, ())),
    (
        "mara",
        Exchanged(
            "t1",
            1,
            "greet",
            (
                Utterance("mara", "Morning, Bo.", "greet", "", "", 0.4, ("g1",)),
                Utterance("bo", "Morning!", "greet", "", "mara", 0.5, ()),
            ),
            (Shift("bo", (0.1, 0.0, 0.0), (0.3, 0.2, 0.1), "Mara was kind"),),
        ),
    ),
    ("mara", Closed("t1", ("mara", "bo"), "said good morning", "warm", "bread", (
        Relation("bo", "mara", 0.1, 0.5, 0.02, 0.6, 0.02, "a friendly word"),
    ))),
    ("bo", Felt((0.1, 0.0, 0.0), (0.4, 0.1, 0.0), "joy", "the bread smells good")),
    ("bo", Reflected((), (Insight("Mara is kind.", (1, 2), 6, "mara"),), (0.0, 0.0, 0.0), (0.25, 0.0, 0.0))),
    ("bo", Began("slate", "debt", "mara", 0.6, 1, -1, "six loaves", "Bo forgot the purse", "slate", ("mara",))),
    ("mara", Stirred("slate", "remind", "dodge", "bo", 0.1, 0.7, 1)),
    ("bo", Ended("slate", "repaid", True, "repay", "accept", "mara")),
)  # fmt: skip


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("views") / "a.db"

    async def go():
        founding = Record(Stamp(1, 0, 0, "", ()), Begun({"start": "2025-03-04 07:30"}))
        async with await Save.create(path, founding) as save:
            records = [Record(Stamp(i, 1, 30, who, ()), event) for i, (who, event) in enumerate(EVENTS, 2)]
            await save.write(1, 60, records, bytes)

    asyncio.run(go())
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    found = {name: [dict(r) for r in db.execute(f"SELECT * FROM {name} ORDER BY seq")] for name in VIEWS}
    db.close()
    return found


def test_every_view_gives_something_and_knows_the_time(rows):
    for name in VIEWS:
        assert rows[name], name
        assert all(r["clock"] == "2025-03-04 07:30:30" and r["step"] == 1 and r["t"] == 30 for r in rows[name])


def test_who_said_what(rows):
    assert [(r["who"], r["text"], r["about"], r["valence"]) for r in rows["said"]] == [
        ("mara", "Morning, Bo.", "", 0.4),
        ("bo", "Morning!", "mara", 0.5),
    ]


def test_who_feels_what(rows):
    feeling = rows["feelings"][0]
    assert (feeling["who"], feeling["whom"], feeling["feeling"], feeling["closeness"]) == ("bo", "mara", 0.5, 0.6)
    assert feeling["why"] == "a friendly word"
    assert [(r["who"], r["pleasure"], r["why"]) for r in rows["moods"]] == [
        ("bo", 0.3, "Mara was kind"),
        ("bo", 0.4, "the bread smells good"),
        ("bo", 0.25, "looking back"),
    ]


def test_who_does_what(rows):
    assert [(r["who"], r["do"], r["place"]) for r in rows["acts"]] == [
        ("mara", "knead dough", "Tansy Bakery / kitchen")
    ]
    assert [(r["who"], r["tiles"], r["goal"]) for r in rows["walks"]] == [("mara", 3, "the oven")]
    assert [(r["who"], r["other"], r["talk"]) for r in rows["talks"]] == [("mara", "bo", "t1")]
    assert [(r["talk"], r["tone"]) for r in rows["endings"]] == [("t1", "warm")]
    assert [(r["who"], r["text"], r["about"]) for r in rows["thoughts"]] == [("bo", "Mara is kind.", "mara")]


def test_what_became_of_a_debt(rows):
    assert [(r["what"], r["who"], r["id"], r["how"], r["whom"]) for r in rows["pressures"]] == [
        ("began", "bo", "slate", None, None),
        ("stirred", "mara", "slate", "remind", "bo"),
        ("ended", "bo", "slate", "repaid", "mara"),
    ]
    assert rows["pressures"][0]["stakes"] == "six loaves"
