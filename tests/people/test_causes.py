"""Nothing rests on the words of a cause: rules go by its sort. Only events of before are known by their words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lived import Day, engine_of, founding, log_of, run

import sandbox
from sandbox.core.clock import DAY
from sandbox.core.events import EventRow, Record, Stamp, to_row
from sandbox.engine.registry import BadRow, decode
from sandbox.engine.scenario import Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.people.mark_model import Marked
from sandbox.people.model import Felt, Planned
from sandbox.people.mood import DEEDS, Sort, lacks_subject, sort_of
from sandbox.people.wording import REASONLESS, after_because
from sandbox.readers.all_stories import event_moods
from sandbox.talk.lines import EFFECTS
from sandbox.talk.model import Exchanged

ROOT = Path(sandbox.__file__).parent
MORNING = 285  # steps, in which people are hungry twice, turned away, made late, and go to an occasion


class Numbered(World):
    """A world that keeps a number in place of each reason: in ledgers, in plans, and wherever it asks how long ago
    something was. What is remembered keeps its words, and so do the marks of a life, which people tell as their news.
    """

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.numbers: dict[str, str] = {}

    def apply(self, record: Record) -> None:
        fold = self.memories.fold
        self.memories.fold = lambda _: fold(record)
        told = isinstance(record.event, Marked)
        super().apply(record if told else Record(record.stamp, self._numbered(record.event)))
        self.memories.fold = fold

    def _numbered(self, x: Any) -> Any:
        if type(x) is tuple:
            return tuple(map(self._numbered, x))
        if not isinstance(x, msgspec.Struct):
            return x
        fields = {name: self._numbered(getattr(x, name)) for name in x.__struct_fields__}
        if isinstance(fields.get("why"), str):
            fields["why"] = self.numbers.setdefault(fields["why"], str(len(self.numbers)))
        return type(x)(**fields)


def lived(records: list[Record]) -> list[tuple[str, Stamp]]:
    """Kind, second, actor and causes of each event."""
    return [(r.event.KIND, r.stamp) for r in records]


def numbered(scenario: Scenario, steps: int) -> tuple[Numbered, list[Record]]:
    world = Numbered.found(founding(scenario))
    assert isinstance(world, Numbered)
    return world, log_of(run(engine_of(scenario, world=world), steps)).all()


@pytest.mark.slow
def test_a_morning_in_which_each_reason_is_but_a_number_has_the_same_events(larkspur: Scenario, day: Day) -> None:
    world, records = numbered(larkspur, MORNING)
    assert lived(records) == lived([r for step in day.steps[:MORNING] for r in step])
    people = world.people.residents.values()
    kept = [c.why for r in people for c in r.mood.causes if c.sort != "reflection"]  # that is a thought, no reason
    kept += [b.why for r in people for b in r.plan]
    kept += [c.why for row in world.people.ties.values() for tie in row.values() for c in tie.causes if c.seq]
    assert all(why.isdecimal() for why in kept)
    titles = {doing for who in world.cast for _, doing, _, why in View(world).agenda(who, world.now)}
    assert "choir practice" in titles  # a plan shows by what it is for, whatever its words


@pytest.mark.slow
def test_a_day_in_which_each_reason_is_but_a_number_has_the_same_events(larkspur: Scenario, day: Day) -> None:
    assert lived(numbered(larkspur, DAY // larkspur.step)[1]) == lived(day.all())


# What is answered in an interview, or told of a doing, is words, and nothing rests on them.
TELLS = frozenset(("asking_life.py", "turn_words.py", "wanting.py"))
ASKS = frozenset(("startswith", "endswith", "removeprefix", "removesuffix", "match", "fullmatch"))


def asks(tree: ast.AST) -> Iterator[str]:
    """Where a module asks whether a reason is, or begins with, some words."""
    for x in ast.walk(tree):
        among: list[ast.expr] = []
        if isinstance(x, ast.Compare):
            among = [x.left, *x.comparators]
        elif isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute) and x.func.attr in ASKS:
            among = [x.func.value, *x.args]
        if any(isinstance(one, ast.Attribute) and one.attr == "why" for one in among):
            yield ast.unparse(x)


@pytest.mark.parametrize("package", ["people", "talk", "drama", "town", "engine", "minds", "readers"])
def test_no_module_asks_for_the_words_of_a_reason(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    files = [file for file in files if file.name not in TELLS]
    assert not [f"{file.name}: {found}" for file in files for found in asks(ast.parse(file.read_text("utf-8")))]


# ---- events of before


def before(row: EventRow) -> EventRow:
    """A row as it was written when causes had words only."""
    content = msgspec.json.decode(row.data)
    content.pop("sort", None)
    content.pop("upset", None)
    if "shifts" in content:
        content["shifts"] = [shift[:4] for shift in content["shifts"]]
    return row._replace(v=1, data=msgspec.json.encode(content).decode())


def test_an_event_of_before_says_of_which_sort_its_cause_is(day: Day) -> None:
    later = {"reading", "hindrance"}  # sorts that there were not yet
    sorts = ((getattr(e, "sort", ""), getattr(e, "upset", "")) for _, e in day.of(Felt, Planned, Exchanged))
    old = [Record(*r) for r, of in zip(day.of(Felt, Planned, Exchanged), sorts, strict=True) if not later & {*of}]
    assert [decode(before(to_row(r))) for r in old] == old
    assert len({e.sort for _, e in old if isinstance(e, Felt)}) >= 8
    assert {e.upset for _, e in old if isinstance(e, Planned)} >= {"", "search", "overrun", "conflict", "invitation"}


@pytest.mark.parametrize(
    ("kind", "content"),
    [("felt", {}), ("felt", {"why": 5}), ("planned", {"why": []}), ("exchanged", {"shifts": [[]]}), ("exchanged", {})],
)
def test_an_event_of_before_that_is_none_is_refused(kind: str, content: dict[str, Any]) -> None:
    with pytest.raises(BadRow, match=f"event 9 \\({kind}\\)"):
        decode(EventRow(9, 1, 0, kind, 1, "mara", "[]", msgspec.json.encode(content).decode()))


@pytest.mark.parametrize(
    ("words", "sort"),
    [
        ("got it just right", "deed"),
        ("lost, and not gracefully", "deed"),
        ("praised by Mara", "treatment"),
        ("a kind word from Mara", "event"),
        ("", "event"),
    ],
)
def test_of_words_alone_it_is_told_what_their_clause_is(words: str, sort: str) -> None:
    assert sort_of(words) == sort


@pytest.mark.parametrize(
    ("cause", "sort", "says"),
    [
        ("has kept the promise", "deed", "Jory has kept the promise"),
        ("praised by Bo", "treatment", "Jory was praised by Bo"),
        ("turned away by Mara", "rejection", "Jory was turned away by Mara"),
        ("hungry", "hunger", "Jory is hungry"),
        ("slept well", "sleep", "Jory slept well"),
        ("looking forward to the race", "anticipation", "Jory is looking forward to the race"),
        ("small talk", "small_talk", "of small talk"),
        ("the sight of Mara", "event", "of the sight of Mara"),
        ("Bo lost the key", "event", "Bo lost the key"),
        ("no time from Bo", "event", "of no time from Bo"),
        (
            "Bo letting off steam, about a lamp that was lost",
            "event",
            "of Bo letting off steam, about a lamp that was lost",
        ),
        ("Bo's news", "event", "of Bo's news"),
        ("not wanting to hear it", "event", "of not wanting to hear it"),
        ("what is said of Bo", "event", "of what is said of Bo"),
        ("what Bo feared for Ann has come about", "event", "what Bo feared for Ann has come about"),
        ("nothing came of it", "event", "nothing came of it"),
        ("nobody speaks any more of it", "event", "nobody speaks any more of it"),
        ("a good supper", "event", "of a good supper"),
        ("saw what people make of a post", "reading", "Jory saw what people make of a post"),
        (REASONLESS, "event", "of nothing that anybody knows of"),
    ],
)
def test_behind_because_stands_a_clause_with_its_subject_or_of(cause: str, sort: Sort, says: str) -> None:
    assert after_because(cause, sort, "Jory") == says


VERBS = DEEDS | {"is", "are", "has", "have", "holds", "lives", "works", "stand", "stands"}


def unsaid(text: str, name: str = "Jory") -> bool:
    """Whether words behind "because" are neither "of" and a thing nor a clause that says who does what."""
    first, *rest = text.split()
    if first == "of":
        return rest[0] in ("is", "was", "has", "had", "for", "saw", "came")
    verb = any(x.strip(",") in VERBS or x.strip(",").endswith("ed") for x in rest)
    return not verb or lacks_subject(text) or first in ("is", "was", "are", "am", "has", "have", "no", "not")


def test_no_cause_of_the_day_lacks_its_subject_behind_because(day: Day) -> None:
    """Of all that moved a mood on a lived day, marks of a life as well."""
    whys = {(m.why, m.sort) for r in day.all() for m in event_moods(r) if m.why and m.sort != "reflection"}
    assert len(whys) > 100
    assert {sort for _, sort in whys} >= {"event", "deed", "reading", "rejection", "small_talk", "waking", "sleep"}
    assert [x for x in (after_because(why, sort, "Jory") for why, sort in whys) if unsaid(x)] == []


def test_no_cause_that_talk_and_the_decks_have_lacks_its_subject_behind_because(larkspur: Scenario) -> None:
    """What is said moves a mood as the thing that it is; what people do and how matters end is told in clauses."""
    talk = [x.format(name="Bo") for move in EFFECTS.values() for x in (move.said, move.heard)]
    assert [x for x in talk if not after_because(x, "event", "Jory").startswith("of ")] == []
    names = {"holder": "Ann", "about": "Bo", "stakes": "a ladder"}
    ends = [end.says.format(**names) for kind in larkspur.drama.kinds.values() for end in kind.ends.values()]
    assert [x for x in ends if after_because(x, "event", "Jory") != x] == []
    done = [x.why for found in larkspur.deck.feelings.values() for x in (*found.good, *found.bad)]
    assert len(done) > 50
    assert [x for x in (after_because(why, sort_of(why), "Jory") for why in done) if unsaid(x)] == []
