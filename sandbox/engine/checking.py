"""What a scenario must hold to be lived, checked before a world is made of one that comes from a save.

A save may come from anywhere. The loader names every fault of a world's files by line; here one short message about the
first is enough, and it must be quick: some milliseconds for a town of 25.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date

import msgspec

from sandbox.core.clock import DAY, DAY_RULES, STEP_MAX, STEP_MIN, parse_start
from sandbox.core.faults import quoted
from sandbox.engine.load_decks import LONGEST, SHORTEST
from sandbox.engine.load_drama import ANYWHERE, BORN, OF_A_KIND, ROLES, SLOT, needs
from sandbox.engine.load_people import HAIR, ID, SKIN
from sandbox.engine.load_plan import SIDE
from sandbox.engine.load_rules import SWITCHES
from sandbox.engine.parameters import tables
from sandbox.engine.scenario import Scenario
from sandbox.people.occ import OCC
from sandbox.people.persona import Persona
from sandbox.people.pressures.deck import ANSWERS, FEATURES, KINDS, LISTENERS, PARTS, Drama, Kind, moves_of
from sandbox.talk.lines import CRITERIA, EVERYDAY, FILLED, MOVES, REGISTERS, LineBook
from sandbox.town.plan import Plan, Rect

CAST, ENTRIES, NAME = 2000, 100_000, 120  # people; entries of any list; characters of a name
UNFOLDED = 20_000  # texts that the slots of one text may unfold into
PLAIN = bytes(c for c in range(0x20, 0x7F) if c != ord("\\"))
FAR = 2**40  # seconds: no hour, pause or number of days of a deck lies beyond


def check_scenario(scenario: Scenario) -> None:
    """Raise ValueError, with a message of one line, if a world of this scenario could not be lived."""
    escaped = msgspec.json.encode(scenario).replace(rb"\\", b"").replace(rb"\"", b"")
    rest = escaped.translate(None, PLAIN)  # what is left is little: control characters as escapes, and foreign letters
    _need(b"\\" not in rest and rest.decode().isprintable(), "a text holds a character that cannot be printed")
    _name(scenario.title, "the title")
    _name(scenario.name, "the name")
    parse_start(scenario.start)
    _within(scenario.step, STEP_MIN, STEP_MAX, "the length of a step")
    _within(scenario.seed, 0, 2**63 - 1, "the seed")
    tables(scenario.parameters)
    areas = _plan(scenario.plan, scenario.parts)
    _deck(scenario)
    _cast(scenario, areas)
    _days(scenario, areas)
    for rule, word in scenario.rules.items():
        _known((rule,), SWITCHES, "rule")
        _known((word,), SWITCHES[rule], f"setting of {rule}")
    _lines(scenario.lines, _drama(scenario.drama))


def _need(fine: object, message: str) -> None:
    if not fine:
        raise ValueError(message)


def _within(x: float, low: float, high: float, what: str) -> None:
    if not low <= x <= high:
        raise ValueError(f"{what} is {x:.6g}, not between {low} and {high}")


def _name(text: str, what: str) -> None:
    if not text.isprintable() or not text.strip() or len(text) > NAME:
        raise ValueError(f"{what} is empty, too long or not printable")


def _known(words: Iterable[str], known: Collection[str], what: str) -> None:
    for word in words:
        if word not in known:
            raise ValueError(f"there is no {what} {quoted(word)}")


def _once(words: Sequence[str], what: str) -> None:
    twice = next((word for word, times in Counter(words).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"the {what} {quoted(twice)} stands there twice")


# ---- the town


def _plan(plan: Plan, parts: tuple[Rect, ...]) -> set[str]:
    """Check the map and its areas; their addresses."""
    rows, height = plan.rows, len(plan.rows)
    width = len(rows[0]) if rows else 0
    _need(width, "the map is empty")
    _need(max(width, height) <= SIDE, f"the map is {width} by {height} tiles; the most is {SIDE} by {SIDE}")
    _need(all(len(row) == width for row in rows), "the rows of the map differ in length")
    _need(all(len(letter) == 1 for letter in plan.legend), "a letter of the legend is not one character")
    _known(sorted(set().union(*rows)), plan.legend, "letter of the map in the legend:")
    for glyph in plan.legend.values():
        _place(glyph.name, "the name of a tile")
    whole = (0, 0, width, height)
    sectors, arenas = _Cover(whole), _Cover(whole)
    floor = {ord(letter): "1" if glyph.walkable else "0" for letter, glyph in plan.legend.items()}
    walkable = [row.translate(floor) for row in rows]
    _once([s.name for s in plan.sectors], "sector")
    out: set[str] = set()
    for sector in plan.sectors:
        _place(sector.name, "the name of a sector")
        sectors.add(sector.rect, whole, sector.name)
        _once([a.name for a in sector.arenas], "arena")
        for arena in sector.arenas:
            _place(arena.name, "the name of an arena")
            arenas.add(arena.rect, sector.rect, arena.name)
            x, y, w, h = arena.rect
            free = any("1" in row[x : x + w] for row in walkable[y : y + h])
            _need(free, f"the arena {quoted(arena.name)} has no tile to stand on")
            out.add(f"{sector.name} / {arena.name}")
    windows = _Cover(whole)
    for part in parts:
        windows.add(part, whole, "a part")
    return out


def _place(text: str, what: str) -> None:
    _name(text, what)
    _need("/" not in text, f'{what} holds a "/"')


class _Cover:
    """Which tiles are taken by rectangles of one kind, which never overlap."""

    def __init__(self, whole: Rect) -> None:
        self._taken = [bytearray(whole[2]) for _ in range(whole[3])]

    def add(self, rect: Rect, outer: Rect, name: str) -> None:
        (x, y, w, h), (ox, oy, ow, oh) = rect, outer
        inside = w > 0 and h > 0 and ox <= x and oy <= y and x + w <= ox + ow and y + h <= oy + oh
        _need(inside, f"{quoted(name)} reaches out of what it lies in")
        full = b"\1" * w
        for row in self._taken[y : y + h]:
            if row.find(1, x, x + w) >= 0:
                raise ValueError(f"{quoted(name)} overlaps another")
            row[x : x + w] = full


# ---- people and days


def _deck(s: Scenario) -> None:
    deck = s.deck
    _need("sleep" in deck.blocks, "the deck has no sleep")
    _need(len(deck.blocks) + len(deck.activities) <= ENTRIES, "the deck is too long")
    for key, block in deck.blocks.items():
        _need(block.key == key, f"the block {quoted(key)} has another key")
    for a in deck.activities:
        _name(a.do, "the name of an activity")
        _known(a.blocks, deck.blocks, "block")
        _need(SHORTEST <= a.minutes[0] <= a.minutes[1] <= LONGEST, f"{quoted(a.do)} takes an odd time")
    _known(deck.feelings, deck.blocks, "block")
    for outcomes in deck.feelings.values():
        for o in (*outcomes.good, *outcomes.bad):
            _known((o.feel,), OCC, "emotion")
            _within(o.size, 0, 1, "the size of an emotion")


def _cast(s: Scenario, areas: set[str]) -> None:
    _within(len(s.cast), 1, CAST, "the number of people")
    ids = [p.id for p in s.cast]
    _once(ids, "person")
    everybody = set(ids)
    blocks = s.deck.blocks
    for p in s.cast:
        _need(ID.match(p.id), f"{quoted(p.id)} is no id")
        _name(p.name, f"the name of {p.id}")
        _known((p.home,), areas, "area")
        _need(not p.work or p.work in areas, f"there is no area {quoted(p.work)}")
        _within(p.age, 0, 120, "an age")
        _known((p.look.hair,), HAIR, "colour of hair")
        _known((p.look.skin,), SKIN, "colour of skin")
        b = p.big_five
        five = (b.openness, b.conscientiousness, b.extraversion, b.agreeableness, b.neuroticism)
        _within(max(five, key=abs), -1, 1, "a trait")
        for opinion in p.opinions.values():
            _within(opinion.stance, -1, 1, "a stance")
        for past in p.history:
            _need(past.with_ in everybody and past.with_ != p.id, f"{p.id} has a history with nobody")
            _within(past.feeling, -1, 1, "a feeling")
            _within(past.closeness, 0, 1, "a closeness")
        _routine(p, areas, blocks)


def _routine(p: Persona, areas: set[str], blocks: Collection[str]) -> None:
    _within(p.routine.wake, 0, DAY, "a time to wake")
    _within(p.routine.sleep, 0, DAY, "a time to sleep")
    for entry in p.routine.days:
        _known((entry.days,), DAY_RULES, "day")
        for slot in entry.slots:
            if not 0 <= slot.at <= DAY or slot.do not in blocks or not _somewhere(slot.where, areas):
                raise ValueError(f"the routine of {p.id} has an unknown hour, block or area")


def _somewhere(where: str, areas: set[str]) -> bool:
    """Whether a place of a routine is known: an area, an object in one, or a word for one's own."""
    return where in areas or where in ("home", "work") or " / ".join(where.split(" / ")[:2]) in areas


def _days(s: Scenario, areas: set[str]) -> None:
    everybody = {p.id for p in s.cast}
    _known(s.opening, everybody, "person")
    for o in s.opening.values():
        _need(_somewhere(o.where, areas), f"there is no area {quoted(o.where)}")
        _known((o.do,), s.deck.blocks, "block")
    _need(len(s.calendar) <= ENTRIES and len(s.pressures) <= ENTRIES, "the calendar is too long")
    _once([c.id for c in s.calendar], "occasion")
    for c in s.calendar:
        _name(c.title, "the title of an occasion")
        _need(0 <= c.from_ < c.to <= DAY, f"the occasion {quoted(c.id)} has odd hours")
        _need(_somewhere(c.where, areas), f"there is no area {quoted(c.where)}")
        _known((c.block,), s.deck.blocks, "block")
        _known(c.days, DAY_RULES, "day")
        _known(c.who, everybody, "person")
        if c.on:
            date.fromisoformat(c.on)
    _once([x.id for x in s.pressures], "pressure")
    for x in s.pressures:
        _known((x.kind,), KINDS, "kind of pressure")
        _known((x.holder, *((x.about,) if x.about else ()), *x.known_by), everybody, "person")
        _need(x.about != x.holder, f"the pressure {quoted(x.id)} is about its holder")
        _need(not s.drama.kinds or x.kind in s.drama.kinds, f"the deck has no kind of pressure {quoted(x.kind)}")
        _within(x.intensity, 0, 1, "the intensity of a pressure")
        _within(x.stage, 0, 3, "the stage of a pressure")
        _within(x.wakes, 0, FAR, "the hour of a pressure")
        _within(0 if x.due is None else x.due, 0, FAR, "the hour of a pressure")


# ---- drama


def _drama(d: Drama) -> set[str]:
    """Check the deck, and return the moves it makes people say."""
    _need(
        max(len(d.kinds), len(d.exchanges), len(d.children), len(d.renewal), len(d.sparks)) <= ENTRIES,
        "the deck is too long",
    )
    _known(d.kinds, KINDS, "kind of pressure")
    moves = moves_of(d)
    for x in d.exchanges.values():
        _need(set(x.replies) == set(ANSWERS) == set(x.took), "an exchange lacks an answer")
        _weights(x.wish, x.answer)
        _fits(x.did, ("to",))
    _known(moves, MOVES, "move")
    for c in d.children.values():
        _known((c.kind,), d.kinds, "kind of pressure")
        _need(c.stakes and c.cause and 0 <= c.stage <= 2 and 0 <= c.intensity <= 1, "a child of the deck is odd")
        _known((c.holder, c.about), ROLES, "part")
        _within(c.due, 0, FAR, "the hour of a child")
        for text in (*c.stakes, *c.cause):
            _fits(text, (*ROLES, *ANYWHERE))
    for k in d.kinds.values():
        _kind(k, d)
    for r in d.renewal:
        _weights(r.weights)
        _within(r.chance, 0, 1, "a chance")
        _births((r.child,), BORN, d)
    for spark in d.sparks.values():
        _fits(spark.says, spark.roles)
        _within(spark.cooldown, 0, FAR, "the rest of a spark")
        _births(spark.children, [role for role in spark.roles if role in BORN], d)
        before: list[str] = []
        for name, role in spark.roles.items():
            _known(role.towards, before, "role above this one:")
            before.append(name)
    return moves


def _kind(k: Kind, d: Drama) -> None:
    _need("faded" in k.ends, "a kind of pressure has no ending")
    _known((end for end in (k.ready, k.luck) if end), k.ends, "ending")
    for effect in (k.late, *(e for way in k.ways for e in (way.accept, way.dodge, way.refuse))):
        _known((effect.end,) if effect.end else (), k.ends, "ending")
        _births(effect.children, ROLES, d)
        _within(max(effect.by, effect.actor, effect.target, key=abs), -1, 1, "what an answer does")
        _within(effect.stage, 0, 3, "a stage")
        _within(effect.later, 0, FAR, "an hour")
    for way in k.ways:
        _known((way.do,), d.exchanges, "exchange")
        _known((way.by,), PARTS, "part")
        _known((way.to,), LISTENERS, "listener")
        _within(way.weight, -10, 10, "a weight")
    for ending in k.ends.values():
        _known((e for e in (ending.holder, ending.about) if e), OCC, "emotion")
        _fits(ending.says, OF_A_KIND)
    _fits(k.says, OF_A_KIND)
    _fits(k.shows, OF_A_KIND)


def _weights(*tables: dict[str, float]) -> None:
    for table in tables:
        _known(table, FEATURES, "feature")
        _within(max(table.values(), key=abs, default=0.0), -10, 10, "a weight")


def _births(children: Iterable[str], parts: Collection[str], d: Drama) -> None:
    """Children that are born where there are only these parts."""
    for name in children:
        _known((name,), d.children, "child")
        _known(sorted(needs(d.children[name])), {*parts, *ANYWHERE}, f"part for {name}:")


def _fits(text: str, slots: Collection[str]) -> None:
    """A template that `str.format` can fill with these names and nothing else."""
    _known(set(SLOT.findall(text)), slots, "slot")
    rest = SLOT.sub("", text)
    _need("{" not in rest and "}" not in rest, "a brace of the deck lacks its partner")


# ---- lines


def _lines(book: LineBook, pressed: Collection[str]) -> None:
    """pressed: the moves that the drama deck makes people say."""
    _need(len(book.lines) <= ENTRIES and len(book.slots) <= ENTRIES, "the lines are too many")
    _once([line.id for line in book.lines], "line")
    always: dict[str, set[str]] = {move: set() for move in MOVES}
    for line in book.lines:
        if line.move not in always or not line.say:
            raise ValueError(f"the line {quoted(line.id)} is of no move, or says nothing")
        _known(line.registers, REGISTERS, "register")
        _within(line.weight, 0, 10, "the weight of a line")
        if line.when:
            _when(line.when)
        else:
            always[line.move].update(line.registers or REGISTERS)
    for move, registers in always.items():
        needed = move in EVERYDAY or move in pressed
        _need(not needed or len(registers) == len(REGISTERS), f"no line always fits the move {move}")
    for variants in book.slots.values():
        for v in variants:
            _when(v.when)
    known = {*book.slots, *FILLED}
    _known(set(SLOT.findall("\n".join(text for line in book.lines for text in line.say))) - known, known, "slot")
    check_slots(book)


def check_slots(book: LineBook) -> None:
    """Raise ValueError if slots within slots come back to themselves, or could fill a book."""
    sizes: dict[str, int] = {}
    for slot in book.slots:
        _unfolds(slot, book, sizes, 0)


def _when(when: dict[str, tuple[str, ...]]) -> None:
    for key, values in when.items():
        allowed = CRITERIA.get(key)
        if allowed is None or not values or (allowed and not set(values) <= set(allowed)):
            raise ValueError(f"the criterion {quoted(key)} of a line is odd")


def _unfolds(slot: str, book: LineBook, sizes: dict[str, int], depth: int) -> int:
    """How many texts a slot can unfold into, counted with those it holds."""
    if slot in FILLED:
        return 1
    if slot not in sizes:
        _need(depth < 30, "slots of lines lie too deep, or in a ring")
        inner = [name for v in book.slots.get(slot, ()) for name in SLOT.findall(v.say)]
        _known(inner, {*book.slots, *FILLED}, "slot")
        sizes[slot] = 1 + sum(_unfolds(name, book, sizes, depth + 1) for name in inner)
        _need(sizes[slot] <= UNFOLDED, f"the slot {quoted(slot)} unfolds into too much")
    return sizes[slot]
