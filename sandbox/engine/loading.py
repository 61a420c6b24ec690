"""Reads a world from its text files into a `Scenario`, or reports every fault in them.

A world is a folder: `world.yaml`, `map.txt`, `areas.yaml`, perhaps `pressures.yaml`, `claims.yaml`, `personas/`,
`activities.yaml` and `lines.yaml` that extend the package's, and perhaps tables of users, follows and posts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandbox.core import structs
from sandbox.core.chance import SEED_MAX
from sandbox.core.clock import MINUTE, STEP_MAX, STEP_MIN, parse_start, parse_step
from sandbox.core.faults import Fault, Faults, in_quotes, path_text, safe, suggestion
from sandbox.core.fields import Finding
from sandbox.core.places import data_dir, expand_path, shipped_folder, world_roots
from sandbox.core.room import pause_gc
from sandbox.core.structs import add_faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.conditions import odd
from sandbox.director.script import Cue, Script
from sandbox.engine.checking import known_to, of_aims
from sandbox.engine.load_cards import read_cards
from sandbox.engine.load_decks import read_deck, read_drama, read_lines
from sandbox.engine.load_feed import NOWHERE, read_feed, read_phones
from sandbox.engine.load_people import WorldPeople, folders_text
from sandbox.engine.load_plan import Places, check_reach, read_floor_plan
from sandbox.engine.load_population import Tables
from sandbox.engine.load_rules import WorldRules, read_rules
from sandbox.engine.load_world import read_calendar, read_claims, read_goals, read_money, read_pressures
from sandbox.engine.rules import check_world, sleepless, unpriced_things, useless
from sandbox.engine.rules_claims import never, of_breaches, unheeded
from sandbox.engine.rules_people import nowhere
from sandbox.engine.rules_rounds import befalls_nobody, unused_entries
from sandbox.engine.scenario import Opening, Scenario
from sandbox.engine.scenario_cache import CachedWorld, cache_world, cached_world, world_key
from sandbox.minds.spec import MindSpec, read_mind
from sandbox.people.pressure_deck import DramaDeck, moves_of
from sandbox.phones.deck import PhoneDeck
from sandbox.talk.lines import LineBook, with_own
from sandbox.town.grid import Addresses, TownMap
from sandbox.town.reach import StartTile

START = datetime(2025, 3, 4, 7, 30)
ASKED_LINES = "lines_asked.yaml"  # answers to questions
FACT_LINES = ("lines_facts.yaml",)  # lines that tell or take up a fact of a matter, ordinary talk among them
PRESSED_LINES = (
    "lines_pressed.yaml",
    "lines_answers.yaml",
    "lines_following.yaml",
    "lines_news.yaml",
)  # lines for starting exchanges and for answering them
SHOWDOWN_LINES = ("lines_showdown.yaml",)  # lines of a showdown, where everybody takes sides
FEED_LINES = ("lines_posts.yaml",)  # lines of posts, in a world with a feed
RUMOUR_LINES = ("lines_rumours.yaml", "lines_told.yaml")  # lines in which people talk about one another


class WorldFaults(ValueError):
    """A world cannot be loaded. faults: all errors, by file and line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class WorldReading(NamedTuple):
    """The result of reading a world. scenario: None if there are errors among the faults."""

    scenario: Scenario | None
    faults: Faults


def find_world(name: str | Path) -> Path:
    """The folder of a world, given as a folder with a world.yaml or as a name in one of the roots (`world_roots()`).
    Raises WorldFaults with similar names if there is none.
    """
    text = str(name)
    path = expand_path(text)
    roots = world_roots()
    for candidate in (path, *(root / text for root in roots)):
        try:
            if text and (candidate / "world.yaml").exists():
                return candidate
        except (OSError, ValueError):
            break
    if text and path.is_dir():
        raise WorldFaults([Fault(path_text(path), 0, 0, "holds no world.yaml; add one, or name another folder")])
    known = list_worlds()
    hint = suggestion(path.name, known)
    if not hint:
        hint = f"; known: {', '.join(sorted(known))}" if known else f"; looked in {folders_text(roots) or 'no folder'}"
    raise WorldFaults([Fault("worlds", 0, 0, f"no world {in_quotes(text)}{hint}")])


def list_worlds() -> dict[str, Path]:
    """World name -> folder, from all roots; an earlier root hides the same name in later ones."""
    out: dict[str, Path] = {}
    for root in world_roots():
        for file in sorted(root.glob("*/world.yaml")):
            out.setdefault(file.parent.name, file.parent)
    return out


def load(path: Path, *, seed: int | None = None, step: int | None = None, set: Iterable[str] = ()) -> Scenario:
    """The scenario in a folder. seed and step (seconds) override the file's. set: "key=value" texts. Raises WorldFaults
    with all errors of all files.
    """
    scenario, faults = read(path, seed=seed, step=step, settings=set)
    if scenario is None:
        raise WorldFaults(faults.errors)
    return scenario


@pause_gc()
def read(path: Path, *, seed: int | None = None, step: int | None = None, settings: Iterable[str] = ()) -> WorldReading:
    """Like `load`, but with warnings and notes, and without raising."""
    settings = tuple(settings)
    key = world_key(path, (data_dir(), shipped_folder("personas")), settings)
    found = cached_world(key) if key else None
    if found is None:
        reads = partial(_read, path, tables=Tables(), settings=settings)
        reading = reads(Faults(keeps=False))
        if len(reading.faults):  # to keep all places in files needs more memory than the rest
            reading = reads(Faults())
        if reading.scenario is None:
            return _chosen(None, reading.faults, seed, step)
        tables = reading.scenario.feed is not None and reading.scenario.feed.population is not None
        found = cache_world("" if tables else key, CachedWorld(reading.scenario, tuple(reading.faults)))
    faults = Faults(keeps=False)
    for fault in found.faults:
        faults.add(*fault)
    return _chosen(found.scenario, faults, seed, step)


def _chosen(scenario: Scenario | None, faults: Faults, seed: int | None, step: int | None) -> WorldReading:
    """A reading whose scenario has this seed and step, where they are given."""
    if seed is not None and not 0 <= seed <= SEED_MAX:
        faults.add("--seed", 0, 0, f"{seed} is out of range; it must be between 0 and {SEED_MAX}")
    if step is not None and not STEP_MIN <= step <= STEP_MAX:
        faults.add("--step", 0, 0, f"{step} seconds is outside 10s to 1h")
    if scenario is None or faults.errors:
        return WorldReading(None, faults)
    given = {name: value for name, value in (("seed", seed), ("step", step)) if value is not None}
    return WorldReading(msgspec.structs.replace(scenario, **given), faults)


def _read(path: Path, faults: Faults, *, tables: Tables, settings: Iterable[str]) -> WorldReading:
    data = data_dir()
    r = MappingReader(open_yaml(path / "world.yaml", faults))
    alone = "cast" not in r and not any((path / name).exists() for name in ("areas.yaml", "map.txt"))
    places = Places(NOWHERE, Addresses.of(NOWHERE), None) if alone else read_floor_plan(path, faults)
    money = read_money(r)
    deck = read_deck(_extended(data, path, "activities.yaml"), faults)
    before = len(faults.errors)
    drama = read_drama(_existing(data, path, "drama.yaml"), faults)
    whole = len(faults.errors) == before
    people = WorldPeople(r, (path / "personas", shipped_folder("personas")), alone, faults)
    start = r.made("start", '"2025-03-04 07:30"', START, lambda v: v.parsed(parse_start))
    people.read_others(start)
    cast = people.cast
    rules = read_rules(r, settings, faults)
    feed = read_feed(r, path, start, rules, cast, tables, faults)
    phones = read_phones(_existing(data, path, "phones.yaml") if cast and feed is not None else [], drama, faults)
    heard = bool(rules.parameters.get("society.type"))
    cards = read_cards(_existing(data, path, "cards.yaml") if cast else [], drama, faults, heard)
    lines = _read_all_lines(data, path, drama, phones, people, faults)
    if alone:
        _check_crowd(r, rules)
    name = safe(path.resolve().name, 80) or "world"
    scenario = structs.read(
        Scenario,
        r,
        usual={"title": name},
        name=name,
        start=f"{start:%Y-%m-%d %H:%M}",
        step=r.made("step", "", MINUTE, lambda v: v.parsed(parse_step)),
        seed=structs.read_field(Scenario, "seed", r),
        plan=places.plan,
        parts=(),
        cast=cast,
        calendar=read_calendar(r, people.ids, not drama.children),
        pressures=(),
        facts=(),
        deck=deck,
        lines=lines,
        drama=drama,
        money=money,
        rules=rules.switches,
        parameters=rules.parameters,
        claims=read_claims(data / "claims.yaml", path / "claims.yaml", cast, drama, faults),
        feed=feed,
        phones=phones,
        cards=cards,
        goals=read_goals(path / "goals.yaml", faults) if cast else (),
        guests=people.guests,
        newcomers=people.newcomers,
        mind=read_mind(r.get("mind"), MindSpec(), people=people.ids) if "mind" in r else None,
    )
    scenario = _complete(scenario, r, path, start, faults)
    _check(scenario, path, places, people.unread, whole, faults)
    scenario = msgspec.structs.replace(scenario, opening=_settled(scenario))
    if places.town is not None:
        check_reach(places.town, path / "map.txt", _starts(scenario, places.town), faults)
    faults.written.clear()  # it holds whole files
    return WorldReading(None if faults.errors else scenario, faults)


def _complete(scenario: Scenario, r: MappingReader, path: Path, start: datetime, faults: Faults) -> Scenario:
    """The scenario with the pressures and facts of its beginning, whose times count from its start."""
    pressures, facts, written = read_pressures(path / "pressures.yaml", start, "start" in r.bad, faults)
    scenario = msgspec.structs.replace(scenario, pressures=pressures, facts=facts)
    for reader in (r, written):
        reader.stands_for(scenario)
    return scenario


def _read_all_lines(
    data: Path, world: Path, drama: DramaDeck, phones: PhoneDeck, people: WorldPeople, faults: Faults
) -> LineBook:
    """The lines of a world: the package's for everything that happens in it, the world's own, and those of each
    person's speech habits.
    """
    pressed = [data / name for name in PRESSED_LINES if drama.exchanges]
    pressed += [data / name for name in FACT_LINES if drama.kinds]
    pressed += [data / name for name in SHOWDOWN_LINES if drama.showdowns]
    # lies are answers, too
    pressed += [data / name for name in RUMOUR_LINES if drama.exchanges or drama.rumours.says]
    pressed += [data / name for name in FEED_LINES if phones.posts]
    first, *extra = _extended(data, world, "lines.yaml")
    lines = read_lines([data / ASKED_LINES, first, *pressed, *extra], moves_of(drama), faults)
    theirs = world / "personas"  # a world with lines of its own only uses the people of its own folder
    return with_own(lines, (p for p in people.everybody if not lines.alone or people.files[p.id].parent == theirs))


def _check_crowd(reader: MappingReader, rules: WorldRules) -> None:
    """Report a world that has neither a town nor a crowd."""
    if not (rules.feed.on or rules.feed.crowd) and "population" not in reader and reader.value is not None:
        reader.value.fault(
            "nobody is there; add a cast and a map, or a crowd: `parameters: {feed.crowd: 1000}`, or tables of users:"
            " `population: {users: users.csv}`"
        )


def _check(
    scenario: Scenario, path: Path, places: Places, unread: Collection[str], whole: bool, faults: Faults
) -> None:
    """Report faults between the parts of a world. unread: as in `check_world`; whole: the drama deck has no fault."""
    own = path_text(path / "activities.yaml")
    odds = [*check_world(scenario, places.addresses, unread)]
    add_faults([odd for odd in odds if odd.level == "error"], faults, lambda odd, file: not whole and odd.of == "kinds")
    add_faults(of_breaches(scenario.claims, scenario.drama), faults)
    add_faults(of_aims(scenario, unread), faults)
    add_faults(unpriced_things(scenario.deck, scenario.money), faults, lambda odd, file: file != own)
    mine = {path_text(path / name) for name in ("drama.yaml", "claims.yaml", "pressures.yaml")}
    inside = path_text(path / "world.yaml").removesuffix("world.yaml")
    if not any(fault.file.startswith(inside) for fault in faults.errors):  # else unused may mean misspelt
        add_faults(_never(scenario, path), faults, lambda odd, file: file not in mine)
        add_faults([odd for odd in odds if odd.level != "error"], faults)
    if places.town is not None:
        away = nowhere((*scenario.guests, *scenario.newcomers), places.town)
        add_faults(
            (*useless(scenario.deck, places.plan), *sleepless(scenario.cast, places.town, scenario.claims), *away),
            faults,
        )


def _never(scenario: Scenario, world: Path) -> Iterator[Finding]:
    """Findings about what can never happen or matter; about unused entries only if the world has decks of its own."""
    decisions = [c.decides for c in scenario.calendar if c.decides is not None]
    if (world / "drama.yaml").exists():
        others = {x.child for x in scenario.claims.breaches} | {child for d in decisions for child in d.children}
        others |= {child for card in scenario.cards.cards.values() for child in card.children}
        yield from unused_entries(scenario.drama, others)
    yield from befalls_nobody(scenario.drama, scenario.cast)
    if (world / "claims.yaml").exists():
        yield from never(scenario.claims, scenario.drama, scenario.pressures, decisions)
        yield from unheeded(scenario)


def _extended(data: Path, world: Path, name: str) -> list[Path]:
    own = world / name
    return [data / name, own] if own.exists() else [data / name]


def _existing(data: Path, world: Path, name: str) -> list[Path]:
    """Like `_extended`, without files that the package lacks."""
    return [file for file in _extended(data, world, name) if file.exists()]


def _settled(scenario: Scenario) -> dict[str, Opening]:
    """The openings with "home" and "work" replaced by addresses."""
    own = {p.id: {"home": p.home, "work": p.work} for p in scenario.cast}
    return {who: Opening(own.get(who, {}).get(o.where, o.where), o.do) for who, o in scenario.opening.items()}


def _starts(scenario: Scenario, town: TownMap) -> list[StartTile]:
    """The tiles where people are, or sleep, when the world starts."""
    out = []
    for person in scenario.cast:
        area = town.areas.get(person.home)
        beds = [t for t in area.things if "sleep" in t.affords] if area else []
        out += [StartTile(s, f"{bed.address}, a bed of {person.name}") for bed in beds for s in bed.spots[:1]]
    for ident, opening in scenario.opening.items():
        area = town.areas.get(opening.where)
        out += [StartTile(t, f"{opening.where}, where {ident} starts") for t in (area.tiles[:1] if area else ())]
    return out


# ---- a script of cards


MOST_STEPS = 1000  # steps, at most


def read_script(path: Path, scenario: Scenario) -> Script:
    """The script in a file, for a world. Raises WorldFaults with all its faults and their lines."""
    faults = Faults()
    r = MappingReader(open_yaml(path, faults))
    values = r.items("steps", need='[{at: "day 1 09:00", deal: "letter to mara: Look at the flour."}]')
    steps = tuple(structs.read(Cue, v.mapping()) for v in values[:MOST_STEPS])
    r.rest()
    if len(values) > MOST_STEPS and r.value is not None:
        r.value.fault(f"holds {len(values)} steps; the most is {MOST_STEPS}")
    known = known_to(scenario)
    for turn, value in zip(steps, values, strict=False):
        if not any(key in value.mapping() for key in ("at", "when")):
            value.fault('has no hour and no condition; add for example `at: "day 1 09:00"`')
        if turn.when is not None:
            add_faults((Finding(turn, "when", o.message) for o in odd(turn.when, known)), faults)
    if faults.errors:
        raise WorldFaults(faults.errors)
    return Script(steps, tuple(v.line for v in values[:MOST_STEPS]))
