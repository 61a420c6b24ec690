"""Reading `personas/<id>.yaml`: who the people of a world are."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple, cast, get_args

from sandbox.core.clock import DAY_RULES, DAYS, day_matches
from sandbox.core.faults import Faults, quoted
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.engine.load_plan import Places
from sandbox.people.activities import Block
from sandbox.people.persona import BigFive, DaySlots, Look, Opinion, Past, Persona, Routine, Slot, Speech, Voice
from sandbox.people.purse import MOST

ID = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
HABITS = ("openers", "starts", "addresses", "tags", "oaths", "asides")
VOICES: tuple[str, ...] = get_args(Voice)
HAIR = ("black", "brown", "chestnut", "blond", "red", "grey", "white")
SKIN = ("pale", "light", "tan", "brown", "dark")


class Entry(NamedTuple):
    """One of the cast: where the world names it, its file, and what the world says instead of the file."""

    id: str
    value: Value
    path: Path
    home: str | None
    work: str | None
    job: str | None


class Setting(NamedTuple):
    """What a persona's words are checked against.

    people: all ids that have a file; cast: those of this world.
    """

    places: Places
    blocks: Mapping[str, Block]
    people: Collection[str]
    cast: Collection[str]


def read_person(entry: Entry, setting: Setting, faults: Faults) -> tuple[Persona, Value] | None:
    """A person and the place of the name, or None if there is nothing to read."""
    root = open_yaml(entry.path, faults)
    if root is None:
        return None
    r = Reader(root)
    if r.value is None:
        return None
    name = r.text("name", entry.id, need="Mara Tansy", limit=40)
    home = _area(r, "home", "Rowan House / front bedroom", entry.home, setting)
    work = _area(r, "work", "", entry.work, setting)
    five = r.section("big_five", need="{openness: 0, conscientiousness: 0, ...}")
    job = r.text("job", "", need="baker", limit=60)
    big_five = BigFive(*(five.number(t, 0.0, -1, 1, need="0.2") for t in BigFive.__struct_fields__))
    five.rest()
    look = r.section("look")
    usual = Look()
    person = Persona(
        id=entry.id,
        name=name,
        age=r.integer("age", 30, 0, 120, need="40"),
        household=r.text("household", entry.id, need="tansy", limit=40),
        job=job if entry.job is None else entry.job,
        home=home,
        big_five=big_five,
        routine=_routine(r.section("routine", need='{wake: "07:00", sleep: "22:30", days: ...}'), setting, bool(work)),
        work=work,
        traits=r.texts("traits", limit=60),
        values=r.texts("values", limit=80),
        likes=r.texts("likes", limit=120),
        dislikes=r.texts("dislikes", limit=120),
        voice=cast(Voice, r.choice("voice", "plain", VOICES, "voice")),
        catchphrase=r.text("catchphrase", limit=120),
        speech=_speech(r.section("speech")),
        look=Look(
            look.choice("hair", usual.hair, HAIR, "colour of hair"),
            look.choice("skin", usual.skin, SKIN, "colour of skin"),
            look.text("build", usual.build, limit=30),
        ),
        about=r.text("about", limit=600),
        concerns=r.texts("concerns", limit=160),
        secrets=r.texts("secrets", limit=300),
        opinions=_opinions(r),
        history=_history(r, entry.id, setting),
        purse=_coins(r, "purse"),
        wage=_coins(r, "wage"),
    )
    look.rest()
    r.rest()
    return person, r.get("name") or root


def _coins(r: Reader, key: str) -> int | None:
    value = r.get(key)
    return value.integer(0, MOST) if value is not None else None


def _speech(r: Reader) -> Speech:
    """Habits of speech: words only, since lines put them between their own and none may open a question."""

    def words(value: Value) -> str:
        text = value.text(120) or ""
        if odd := next((c for c in "{}?" if c in text), ""):
            value.fault(f'a habit of speech holds no "{odd}"; take it out')
        return text

    said = {key: tuple(filter(None, map(words, r.items(key, single=True)))) for key in HABITS}
    calls = {who: words(value) for who, value in r.section("calls").entries()}
    r.rest()
    return Speech(**said, calls={who: name for who, name in calls.items() if name})


def _area(r: Reader, key: str, need: str, instead: str | None, setting: Setting) -> str:
    """An address of the file, unless the world says another (then the file's may be of another town)."""
    value = r.get(key, need="" if instead is not None else need)
    if instead is not None:
        return instead
    return (setting.places.check(value) or "") if value is not None else ""


def _routine(r: Reader, setting: Setting, works: bool) -> Routine:
    wake = r.time("wake", 7 * 3600, need='"07:00"')
    sleep = r.time("sleep", 22 * 3600, need='"22:30"')
    section = r.section("days", need='{every: [{at: "09:00", do: work, where: work}]}')
    days = []
    for rule, value in section.entries():
        if rule not in DAY_RULES:
            section.key_fault(rule, f"no days {quoted(rule)}; write one of {', '.join(DAY_RULES)}")
            continue
        days.append(DaySlots(rule, _slots(value, setting, works)))
    bare = [d for d in DAYS if not any(day_matches(entry.days, d) for entry in days)]
    if days and bare:
        section.fault(f'no entry for {", ".join(bare)}; add "every"')
    r.rest()
    return Routine(wake, sleep, tuple(days))


def _slots(value: Value, setting: Setting, works: bool) -> tuple[Slot, ...]:
    out: list[Slot] = []
    before = -1
    for v in value.values():
        r = v.mapping()
        at_value = r.get("at", need='"09:00"')
        at = at_value.time() if at_value is not None else None
        do = r.choice("do", "", setting.blocks, "block", need="work") if setting.blocks else r.text("do")
        where_value = r.get("where", need="home")
        where = setting.places.check(where_value, ("home", "work"), objects=True) if where_value is not None else None
        if where == "work" and where_value is not None and not works:
            where_value.fault('"work" without a place of work; add `work:` to the person, or write an area')
        if at is not None and at_value is not None:
            if at <= before:
                at_value.fault("is not later than the entry before; put the day in order")
            before = max(before, at)
        r.rest()
        if at is not None and do and where is not None:
            out.append(Slot(at, do, where))
    return tuple(out)


def _opinions(r: Reader) -> dict[str, Opinion]:
    out: dict[str, Opinion] = {}
    for topic, value in r.section("opinions").entries():
        o = value.mapping()
        stance = o.number("stance", 0.0, -1, 1, need="0.5")
        out[topic] = Opinion(stance, o.text("why", need='"it is worth it"', limit=200))
        o.rest()
    return out


def _history(r: Reader, me: str, setting: Setting) -> tuple[Past, ...]:
    """What was, with people of this cast. A person who exists and is not in the cast is left out."""
    out: dict[str, Past] = {}
    for value in r.items("history"):
        h = value.mapping()
        with_ = h.choice("with", "", setting.people, "person", need="bo")
        past = Past(
            with_,
            h.number("feeling", 0.0, -1, 1, need="0.2"),
            h.number("closeness", 0.0, 0, 1, need="0.5"),
            h.text("why", need='"they share a wall"', limit=240),
        )
        h.rest()
        if with_ == me:
            value.fault("a person has no history with themselves; name somebody else")
        elif with_ in out:
            value.fault(f"{quoted(with_)} stands here twice; keep one")
        elif with_ and with_ not in setting.cast:
            value.fault(f"{quoted(with_)} is not in this world's cast; left out", "note")
        elif with_:
            out[with_] = past
    return tuple(out.values())
