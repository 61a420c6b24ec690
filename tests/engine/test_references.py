"""What fields declare that they name: one walk finds each name that there is not, and where it is written."""

from typing import Annotated

import msgspec

from sandbox.core.fields import meta, names
from sandbox.engine.references import KnownNames, sorts_in, unknown_names
from sandbox.engine.rules import names_of_world
from sandbox.engine.rules_drama import names_of
from sandbox.engine.scenario import Scenario
from sandbox.town.grid import Addresses

ELSEWHERE = {"ending", "price", "spark"}  # known to the rules of a kind of pressure, of money, of cards


class Note(msgspec.Struct, frozen=True):
    """to: whom it is for; past: who has had it, and what each thought of it."""

    to: Annotated[str, meta("bo"), names("person")]
    by: Annotated[str, names("person")] = ""
    past: dict[Annotated[str, names("person")], Annotated[tuple[str, ...], names("mood")]] = {}


class Shelf(msgspec.Struct, frozen=True):
    """notes: those on it."""

    notes: tuple[Note, ...] = ()


def test_each_name_that_there_is_not_is_found_where_it_is_written() -> None:
    sound, odd = Note("bo"), Note("boo", past={"an": ("glad", "gald"), "bo": ()})
    known = {"person": KnownNames("person", ("ann", "bo")), "mood": KnownNames("mood", ("glad",))}
    found = unknown_names(Shelf((sound, odd)), known)
    assert [(x.thing, x.field, x.key, x.at_key) for x in found] == [
        (odd, "to", ("boo",), False),
        (odd, "past", ("an",), True),
        (odd, "past", ("an", "gald"), False),
    ]
    assert found[0].message == 'no person "boo"; did you mean "bo"?'
    assert len(unknown_names(odd, {"mood": known["mood"]})) == 1, "names of no known sort are not looked at"


def test_a_name_may_be_left_out_where_a_file_may_leave_it_out() -> None:
    found = unknown_names(Note("", by=""), {"person": KnownNames("person", ("ann",))})
    assert [x.field for x in found] == ["to"]


def test_every_sort_that_a_field_declares_is_known_to_some_rule(larkspur: Scenario) -> None:
    known = names_of_world(larkspur, [p.id for p in larkspur.cast], Addresses.of(larkspur.plan))
    assert sorts_in(Scenario) == {*known, *names_of(larkspur.drama), *ELSEWHERE}
