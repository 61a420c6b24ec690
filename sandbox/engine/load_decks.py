"""Reading `activities.yaml`: the blocks of a day and the activities they are cut into."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from sandbox.core.faults import Faults, quoted, shown, suggestion
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.engine.load_plan import TAGS, Places
from sandbox.people.activities import Activity, Block, Deck, Outcome, Outcomes
from sandbox.people.needs import NAMES
from sandbox.people.occ import OCC

SHORTEST, LONGEST = 5, 60


def read_deck(files: Iterable[Path], places: Places, faults: Faults, prices: Collection[str] = ()) -> Deck:
    """The deck of all files: later ones replace what earlier ones name, and add the rest.

    prices: things that have one in this world, which its own file may name; what ships names many worlds' things.
    """
    blocks: dict[str, Block] = {}
    activities: dict[str, tuple[Activity, Value]] = {}
    feelings: dict[str, Outcomes] = {}
    files = list(files)
    readers = [Reader(open_yaml(path, faults)) for path in files]
    for i, r in enumerate(readers):
        need = "{lunch: {do: have lunch, doing: having lunch, past: had lunch}}" if i == 0 else ""
        for key, value in r.section("blocks", need=need).entries():
            blocks[key] = _block(key, value, prices if i and prices else None)
    for i, r in enumerate(readers):
        need = "{knead dough: {doing: kneading dough, past: kneaded dough, for: [work]}}" if i == 0 else ""
        for name, value in r.section("activities", need=need).entries():
            activities[name] = _activity(name, value, blocks, prices if i and prices else None), value
        for key, value in r.section("feelings").entries():
            if key not in blocks:
                value.fault(f"no block {quoted(key)}{suggestion(key, blocks)}")
            feelings[key] = _outcomes(value)
        r.rest()
    if blocks and "sleep" not in blocks:
        faults.add(shown(files[0]), 0, 0, 'no block "sleep"; people need one')
    if places.town is not None:
        _remarks(activities, places)
    return Deck(blocks, tuple(a for a, _ in activities.values()), feelings)


def _block(key: str, value: Value, prices: Collection[str] | None) -> Block:
    r = value.mapping()
    block = Block(
        key,
        r.text("do", key, need="have lunch", limit=80),
        r.text("doing", key, need="having lunch", limit=80),
        r.text("past", key, need="had lunch", limit=80),
        r.choice("kind", "", ("leisure", "duty"), "kind of block"),
        _feeds(r.section("feeds")),
        _costs(r.get("costs"), prices),
    )
    r.rest()
    return block


def _feeds(r: Reader) -> dict[str, float]:
    out = {}
    for name, value in r.named(NAMES, "need"):
        if (number := value.number(-1, 1)) is not None:
            out[name] = number
    return out


def _costs(value: Value | None, prices: Collection[str] | None) -> dict[str, str]:
    """A thing, or places with a thing each. prices: what a thing may be; None: anything."""
    if value is None:
        return {}
    places = value.mapping().entries() if value.is_mapping else [("", value)]
    out = {}
    for place, v in places:
        thing = v.text(40) if prices is None else v.choice(prices, "price of this world's money")
        if thing:
            out[place] = thing
    return out


def _outcomes(value: Value) -> Outcomes:
    r = value.mapping()
    found = []
    for key in ("good", "bad"):
        entries = r.get(key)
        found.append(tuple(_outcome(v) for v in entries.values()) if entries is not None else ())
    r.rest()
    return Outcomes(*found)


def _outcome(value: Value) -> Outcome:
    r = value.mapping()
    outcome = Outcome(
        r.choice("feel", "joy", tuple(OCC), "emotion", need="pride"),
        r.number("size", 0.5, 0.0, 1.0),
        r.text("why", need="got it just right", limit=120),
    )
    r.rest()
    return outcome


def _activity(name: str, value: Value, blocks: dict[str, Block], prices: Collection[str] | None) -> Activity:
    r = value.mapping()
    minutes = 10, 30
    span = r.get("minutes")
    if span is not None:
        numbers = [v.integer(SHORTEST, LONGEST) for v in span.values()]
        low, high = numbers if len(numbers) == 2 else (None, None)
        if len(numbers) != 2:
            span.fault(f"has {len(numbers)} entries; write two: [shortest, longest], from {SHORTEST} to {LONGEST}")
        elif low is not None and high is not None and low > high:
            span.fault(f"the shortest, {low}, is more than the longest, {high}; turn them round")
        elif low is not None and high is not None:
            minutes = low, high
    activity = Activity(
        do=r.text("do", name, limit=80),
        doing=r.text("doing", name, need="kneading dough", limit=80),
        past=r.text("past", name, need="kneaded dough", limit=80),
        blocks=r.choices("for", blocks, "block", need="[work]"),
        minutes=minutes,
        needs=r.text("needs", limit=40),
        where=r.texts("where", limit=60),
        jobs=r.texts("jobs", limit=60),
        state=r.text("state", limit=60),
        costs=_costs(r.get("costs"), prices),
    )
    r.rest()
    return activity


def _remarks(activities: dict[str, tuple[Activity, Value]], places: Places) -> None:
    """Notes on what this town can never show: it may be meant, since a deck serves many towns."""
    afforded = {a for g in places.plan.legend.values() for a in g.affords}
    rooms = {*TAGS, *(s.name for s in places.plan.sectors)}
    for activity, value in activities.values():
        if activity.needs and activity.needs not in afforded:
            value.fault(f"nothing in this town affords {quoted(activity.needs)}", "note")
        for place in activity.where:
            if place not in rooms:
                value.fault(f"no tag and no sector of this town is called {quoted(place)}", "note")
