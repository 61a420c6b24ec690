"""Two runs are compared by what happened in them, whatever numbers their events and cards have."""

from __future__ import annotations

from sandbox.core.events import Event, Record, Stamp
from sandbox.director.model import CardOver, CardPlayed, CardReached, Dealt
from sandbox.engine.domain import StepSet
from sandbox.feed.events import Browsed, Posted, Reacted, WritingDetails
from sandbox.people.model import Felt, Recalled
from sandbox.people.mood import Pad
from sandbox.phones.model import Read
from sandbox.readers.event_diff import CARD, Numbers, difference
from sandbox.town.conditions import ConditionBegan

VECTOR = bytes(32)


class Log:
    """Events of a span, numbered from 100 as they come."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, t: int, actor: str, event: Event, *causes: int) -> int:
        seq = 100 + len(self.records)
        self.records.append(Record(Stamp(seq, t // 60, t, actor, causes), event))
        return seq


def post(number: int, text: str, user: int = 1) -> Posted:
    return Posted(
        number, VECTOR, -1, None, user=user, text=text, about=WritingDetails(move="post_news", cites=7, on=12)
    )


def felt(why: str) -> Felt:
    return Felt(delta=Pad(0.1, 0.0, 0.0), after=Pad(0.1, 0.0, 0.0), emotion="", why=why)


def run(extra: bool, sad: bool = False) -> Log:
    """Bo posts and Ada reads and likes it; extra: Cy has posted before, which nobody reads."""
    log, card = Log(), 40
    if extra:
        log.add(0, "cy", post(card, "Nobody reads this.", 3))
        card += 1
    wrote = log.add(60, "bo", post(card, "Bread."))
    look = log.add(120, "ada", Browsed("refresh", shown=(12, card, card + 1), user=2))
    log.add(120, "ada", Read("post", card, "bo"), look, wrote)
    log.add(120, "ada", Reacted("like", "post", card, user=2), wrote)
    log.add(130, "ada", felt(f"what is said in #{wrote}" if not sad else "a sad tale"), look)
    log.add(140, "ada", Recalled((7, 8) if extra else (6, 7)))
    return log


def test_one_event_more_is_all_that_differs_though_all_numbers_after_it_do() -> None:
    with_it, without = run(extra=True).records, run(extra=False).records
    assert difference(with_it, without)[:2] == ([with_it[0]], [])


def test_what_says_something_else_differs_and_so_does_what_it_came_of() -> None:
    a, b = run(extra=True).records, run(extra=False, sad=True).records
    found = difference(a, b)
    assert [type(r.event) for r in found.a] == [Posted, Felt]
    assert [type(r.event) for r in found.b] == [Felt]


def test_an_event_that_came_of_something_else_is_another_but_alike() -> None:
    a, b = Log(), Log()
    cause = a.add(0, "", StepSet(60))
    of_it = a.add(60, "bo", felt("the same"), cause)
    b.add(60, "bo", felt("the same"))
    found = difference(a.records, b.records)
    assert [r.stamp.seq for r in found.a] == [cause, of_it]
    assert len(found.b) == 1
    assert found.alike_a == {of_it}
    assert found.alike_b == {100}


def test_two_alike_in_one_run_are_not_one_in_the_other() -> None:
    a, b = Log(), Log()
    for log, times in ((a, 2), (b, 1)):
        for _ in range(times):
            log.add(60, "bo", felt("again"))
    assert difference(a.records, b.records)[:2] == ([a.records[1]], [])


def test_a_card_is_found_in_the_other_run_under_the_number_it_has_there() -> None:
    here, there = Numbers(run(extra=True).records), Numbers(run(extra=False).records)
    assert there.number(CARD, here.name(CARD, 41)) == 40  # Bo's
    assert there.number(CARD, here.name(CARD, 42)) == 41  # the next of the crowd
    assert there.number(CARD, here.name(CARD, 12)) == 12
    assert there.number(CARD, here.name(CARD, -1)) == -1
    assert there.number(CARD, here.name(CARD, 40)) is None, "Cy has not posted there"


def dealt(extra: bool) -> list[Record]:
    """Bo posts, and all are shown it; extra: Cy has posted before."""
    log = Log()
    card = 40 + extra
    if extra:
        log.add(0, "cy", post(40, "Nobody reads this.", 3))
    log.add(60, "bo", post(card, "Bread."))
    played = log.add(120, "", CardPlayed(Dealt(card="trend", post=card), "everybody is shown it", False, 0))
    began = log.add(120, "", ConditionBegan("pushed", 900, "one post is shown to all", post=card), played)
    log.add(120, "bo", CardReached(played, "heard", "saw that"), played, began)
    log.add(120, "", CardOver(played, "done"), played)
    return log.records


def test_a_card_that_is_dealt_alike_is_alike_whatever_its_event_and_its_post_are_numbered() -> None:
    with_it, without = dealt(extra=True), dealt(extra=False)
    assert difference(with_it, without)[:2] == ([with_it[0]], [])
