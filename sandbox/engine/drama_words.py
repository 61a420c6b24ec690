"""What the readers of a drama deck share: its lists as they grow, and the words that its texts may name."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from sandbox.core.faults import suggestion
from sandbox.core.textfiles import Reader, Value
from sandbox.people.pressures.deck import FEATURES, Child, Exchange, Kind, Renewal, Rumours, Spark

ROLES = ("holder", "about", "actor", "target")
ANYWHERE = ("place", "stakes", "amount")  # what the words of a child may name beside its parts
OF_A_KIND = ("holder", "about", "stakes")
WANTED = ("about", "stakes")  # what the words for what somebody wanted may name
BORN = ("actor", "target")  # the parts there are when ordinary talk or a spark makes a pressure
LISTS = ("exchanges", "kinds", "children", "renewal", "sparks", "rumours")
OF = {"exchange": "exchanges", "child": "children", "kind of pressure": "kinds"}  # what is named -> the list it is in
SLOT = re.compile(r"\{([^{}]*)\}")


class Named(NamedTuple):
    """What an entry names: an exchange, a child, a kind of pressure, or an ending of one ("ending of debt"), and where.

    excused: it need not be there, for its list was emptied by a later file.
    """

    what: str
    name: str
    value: Value
    parts: Collection[str]
    excused: bool = False


class Deck:
    """The lists as they are read, and where each entry stands."""

    def __init__(self) -> None:
        self.exchanges: dict[str, Exchange] = {}
        self.kinds: dict[str, Kind] = {}
        self.children: dict[str, Child] = {}
        self.renewal: list[Renewal] = []
        self.sparks: dict[str, Spark] = {}
        self.mercy = ""
        self.at: dict[str, Value] = {}  # entry -> where it is written
        self.rumours = Rumours({}, {}, {})
        self.named: dict[str, list[Named]] = {}  # entry -> what it names; an entry that is replaced names nothing
        self._entry: list[Named] = []

    def entry(self, key: str, value: Value | None = None) -> None:
        """Begin to read an entry."""
        self._entry = self.named[key] = []
        if value is not None:
            self.at[key] = value

    def empty(self, name: str) -> None:
        """Forget a list, with all that its entries name. Whoever names something in it is excused."""
        if name == "rumours":
            self.rumours = Rumours({}, {}, {})
        else:
            getattr(self, name).clear()
        for key, named in self.named.items():
            kept = () if key.partition(" ")[0] == name else named
            self.named[key] = [x._replace(excused=True) if OF.get(x.what) == name else x for x in kept]

    def names(self, what: str, name: str, value: Value, parts: Collection[str] = ()) -> None:
        """The entry names something. parts: whom a child that is named there can be born to."""
        self._entry.append(Named(what, name, value, parts))


def needs(child: Child) -> set[str]:
    """The parts a child speaks of."""
    return {child.holder, child.about, *(s for text in (*child.stakes, *child.cause) for s in SLOT.findall(text))}


def template(r: Reader, key: str, slots: Collection[str], need: str, limit: int) -> str:
    """A text with {slots}."""
    value = r.get(key, need)
    text = value.text(limit) if value is not None else None
    if text is not None and value is not None:
        check_slots(text, slots, value)
    return text or ""


def check_slots(text: str, slots: Collection[str], value: Value) -> None:
    """Write down slots that are none, and braces without a partner."""
    for slot in SLOT.findall(text):
        if slot not in slots:
            known = suggestion(slot, slots) or "; known: " + ", ".join(f"{{{s}}}" for s in slots)
            value.fault(f'no slot "{{{slot}}}"{known}')
    if any(brace in SLOT.sub("", text) for brace in "{}"):
        value.fault("holds a brace without a partner; write slots as {name}")


def weights(r: Reader, key: str) -> dict[str, float]:
    """Features and what each weighs."""
    out = {}
    for name, value in r.section(key).named(FEATURES, "feature"):
        number = value.number(-10, 10)
        if number is not None:
            out[name] = number
    return out
