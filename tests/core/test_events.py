import hashlib
import math
from typing import ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.events import ZERO, BadNumber, Event, EventRow, Record, Stamp, chain_digest, check_numbers, r6, to_row


class Inner(msgspec.Struct, frozen=True, array_like=True):
    x: float


class Sample(Event, frozen=True):
    KIND: ClassVar[str] = "sample"
    VERSION: ClassVar[int] = 3
    number: float = 0.0
    many: tuple[tuple[float, ...], ...] = ()
    named: dict[str, list[float]] = {}
    inner: tuple[Inner, ...] = ()
    text: str = ""


BAD = [math.nan, math.inf, -math.inf, 0.1234567, 1e-7, 1 / 3]


@pytest.mark.parametrize("x", BAD)
def test_a_bad_number_is_refused_wherever_it_hides(x: float) -> None:
    for event in (
        Sample(number=x),
        Sample(many=((0.5,), (0.5, x))),
        Sample(named={"a": [0.5], "b": [x]}),
        Sample(inner=(Inner(0.5), Inner(x))),
    ):
        with pytest.raises(BadNumber, match="sample"):
            check_numbers(event)


@given(st.floats(-1000, 1000))
def test_rounded_numbers_pass_and_come_back_equal(x: float) -> None:
    event = Sample(number=r6(x), many=((r6(x),),))
    check_numbers(event)
    assert msgspec.json.decode(msgspec.json.encode(event), type=Sample) == event


def test_minus_zero_becomes_zero() -> None:
    for x in (-0.0, -1e-9, -4.9e-7):
        assert math.copysign(1.0, r6(x)) == 1.0
    assert b"-" not in msgspec.json.encode(Sample(number=r6(-0.0)))


def test_an_event_with_fields_it_does_not_know_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"number":1.0,"more":2}', type=Sample)


def test_a_row_holds_stamp_and_content() -> None:
    record = Record(Stamp(7, 2, 61, "mara", (3, 5)), Sample(number=0.5, text="Käse"))
    row = to_row(record)
    assert row[:7] == (7, 2, 61, "sample", 3, "mara", "[3,5]")
    assert row.data == '{"number":0.5,"many":[],"named":{},"inner":[],"text":"Käse"}'


def test_the_chain_can_be_reckoned_by_hand() -> None:
    row = EventRow(1, 0, 0, "a", 1, "", "[]", '{"x":1}')
    text = b'0\n[1,0,0,"a",1,"","[]","{\\"x\\":1}"]'
    first = hashlib.sha256(ZERO + text).digest()
    assert chain_digest(ZERO, 0, [row]) == first
    assert chain_digest(first, 1, []) == hashlib.sha256(first + b"1").digest()


@given(st.integers(0, 7), st.booleans())
def test_any_change_of_a_row_changes_the_digest(column: int, order: bool) -> None:
    rows = [EventRow(1, 0, 0, "a", 1, "x", "[]", "{}"), EventRow(2, 0, 0, "b", 1, "x", "[]", "{}")]
    other = list(rows)
    if order:
        other.reverse()
    else:
        value = rows[0][column]
        fields = list(rows[0])
        fields[column] = value + 1 if isinstance(value, int) else value + " "
        other[0] = EventRow(*fields)
    assert chain_digest(ZERO, 1, rows) != chain_digest(ZERO, 1, other)
