"""The facts of a matter as data, and who knows which of them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.fields import meta

DEED, PLACE, HOUR, COST, EXCUSE, OFFER, SETTLES = FACT_KEYS = (
    "deed", "place", "hour", "cost", "excuse", "offer", "settles",
)  # fmt: skip
USUAL_TENSE: dict[str, str] = {
    DEED: "past", PLACE: "past", HOUR: "past", COST: "perfect", EXCUSE: "past", OFFER: "future", SETTLES: "future",
}  # fmt: skip
OWN_AFFAIR = frozenset((EXCUSE, OFFER))  # what at first is known to whoever does it alone
KNOWERS = ("holder", "about", "third", "knowers", "town")  # who can know a fact at first, beside people of the cast
FEWEST, MOST = 3, 6  # facts of a matter that has any
ASKED = "?"  # before the name of a fact that was asked for, not told

FactKey = Annotated[str, meta(options=FACT_KEYS, what="fact")]


class MatterFact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact of a matter. says: a statement (people/fact_forms.py) with {holder}, {about} and people of the cast, of
    a child also {third}, {place}, {stakes}, {amount}; of several, each matter has one. tense: "" = the usual one of its
    key. so: whether it is true. known: who knows it at first, of KNOWERS or of the cast; empty = the usual ones of its
    kind.
    """

    says: Annotated[tuple[Annotated[str, meta(most=160)], ...], meta('"{holder} [take] {about}\'s boat"', stands=True)]
    tense: Annotated[str, meta(options=("past", "present", "perfect", "future"), blank=True, what="tense")] = ""
    so: Annotated[bool, meta(key="true")] = True
    known: Annotated[tuple[Annotated[str, meta(most=40)], ...], meta(distinct="who knows it")] = ()


Facts = dict[FactKey, MatterFact]


class MatterState(msgspec.Struct):
    """known: person -> matter -> keys of facts that they were told, beyond those they know from the start. shared: pair
    -> facts, as "matter/key", that the two have exchanged; "?matter/key" one that was asked for; oldest first.
    """

    known: dict[str, dict[str, list[str]]] = msgspec.field(default_factory=dict)
    shared: dict[str, list[str]] = msgspec.field(default_factory=dict)


def fact_name(matter: str, key: str) -> str:
    """How events name a fact."""
    return f"{matter}/{key}"
