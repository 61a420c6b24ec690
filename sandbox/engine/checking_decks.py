"""What people do and say in a foreign scenario: the drama deck and the lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sandbox.core.faults import quoted
from sandbox.engine.claims import ENTRIES, FAR, coins, known, need, once, within
from sandbox.engine.drama_words import ANYWHERE, BORN, OF_A_KIND, ROLES, SLOT, WANTED, needs
from sandbox.engine.load_rumours import BORN_OF, RUMOUR_SLOTS, SPOKEN, lacking
from sandbox.people.beliefs import WORST
from sandbox.people.occ import OCC
from sandbox.people.pressures.deck import (
    ANSWERS,
    FEATURES,
    KINDS,
    LIE,
    LISTENERS,
    PARTS,
    Drama,
    Kind,
    kindness,
    moves_of,
)
from sandbox.talk.lines import CRITERIA, EVERYDAY, FILLED, MOVES, REGISTERS, LineBook

UNFOLDED = 20_000  # texts that the slots of one text may unfold into


def check_drama(d: Drama) -> set[str]:
    """Check the deck, and return the moves it makes people say."""
    need(
        max(len(d.kinds), len(d.exchanges), len(d.children), len(d.renewal), len(d.sparks)) <= ENTRIES,
        "the deck is too long",
    )
    known(d.kinds, KINDS, "kind of pressure")
    moves = moves_of(d)
    for x in d.exchanges.values():
        answers = {*ANSWERS, LIE} if x.lie or LIE in x.replies else set(ANSWERS)
        need(set(x.replies) == answers == set(x.took), "an exchange lacks an answer")
        _weights(x.wish, x.answer, x.lie)
        fits(x.did, ("to",))
    known(moves, MOVES, "move")
    for c in d.children.values():
        known((c.kind,), d.kinds, "kind of pressure")
        need(c.stakes and c.cause and 0 <= c.stage <= 2 and 0 <= c.intensity <= 1, "a child of the deck is odd")
        known((c.holder, c.about), ROLES, "part")
        within(c.due, 0, FAR, "the hour of a child")
        coins(c.amount)
        need(c.amount[0] <= c.amount[1], "a child of the deck is odd")
        for text in (*c.stakes, *c.cause):
            fits(text, (*ROLES, *ANYWHERE))
    for k in d.kinds.values():
        _kind(k, d)
    _births((d.mercy,) if d.mercy else (), BORN, d)
    need(not d.mercy or kindness(d), "nothing kind comes of mercy")
    for r in d.renewal:
        _weights(r.weights)
        within(r.chance, 0, 1, "a chance")
        _births((r.child,), BORN, d)
    for spark in d.sparks.values():
        fits(spark.says, spark.roles)
        within(spark.cooldown, 0, FAR, "the rest of a spark")
        _births(spark.children, [role for role in spark.roles if role in BORN], d)
        before: list[str] = []
        for name, role in spark.roles.items():
            known(role.towards, before, "role above this one:")
            before.append(name)
    _rumours(d)
    return moves


def _rumours(d: Drama) -> None:
    for name, texts in d.rumours.says.items():
        known((name,), SPOKEN, "rumour of")
        need(len(texts) == WORST + 1, "a rumour has too many sentences, or too few")
        for text in texts:
            fits(text, RUMOUR_SLOTS)
    need(not lacking(d.rumours.says, d.kinds), "the rumours lack words for a kind of pressure")
    known(d.rumours.bears, BORN_OF, "kind of hearsay")
    _births(d.rumours.bears.values(), BORN, d)
    _weights(d.rumours.lie)


def _kind(k: Kind, d: Drama) -> None:
    need("faded" in k.ends, "a kind of pressure has no ending")
    known((end for end in (k.ready, k.luck) if end), k.ends, "ending")
    for effect in (k.late, *(e for way in k.ways for e in (way.accept, way.dodge, way.refuse, way.lie))):
        known((effect.end,) if effect.end else (), k.ends, "ending")
        _births(effect.children, ROLES, d)
        within(max(effect.by, effect.actor, effect.target, key=abs), -1, 1, "what an answer does")
        within(effect.stage, 0, 3, "a stage")
        within(effect.later, 0, FAR, "an hour")
    for way in k.ways:
        known((way.do,), d.exchanges, "exchange")
        known((way.by,), PARTS, "part")
        known((way.to,), LISTENERS, "listener")
        within(way.weight, -10, 10, "a weight")
    for ending in k.ends.values():
        known((e for e in (ending.holder, ending.about) if e), OCC, "emotion")
        for kind, end in ending.also.items():
            known((kind,), d.kinds, "kind")
            known((end,), d.kinds[kind].ends, "ending")
        fits(ending.says, OF_A_KIND)
    fits(k.says, OF_A_KIND)
    fits(k.wanted, WANTED)
    fits(k.shows, OF_A_KIND)


def _weights(*tables: dict[str, float]) -> None:
    for table in tables:
        known(table, FEATURES, "feature")
        within(max(table.values(), key=abs, default=0.0), -10, 10, "a weight")


def _births(children: Iterable[str], parts: Collection[str], d: Drama) -> None:
    """Children that are born where there are only these parts."""
    for name in children:
        known((name,), d.children, "child")
        known(sorted(needs(d.children[name])), {*parts, *ANYWHERE}, f"part for {name}:")


def fits(text: str, slots: Collection[str]) -> None:
    """A template that `str.format` can fill with these names and nothing else."""
    known(set(SLOT.findall(text)), slots, "slot")
    rest = SLOT.sub("", text)
    need("{" not in rest and "}" not in rest, "a brace of the deck lacks its partner")


# ---- lines


def check_lines(book: LineBook, pressed: Collection[str]) -> None:
    """pressed: the moves that the drama deck makes people say."""
    need(len(book.lines) <= ENTRIES and len(book.slots) <= ENTRIES, "the lines are too many")
    once([line.id for line in book.lines], "line")
    always: dict[str, set[str]] = {move: set() for move in MOVES}
    for line in book.lines:
        if line.move not in always or not line.say:
            raise ValueError(f"the line {quoted(line.id)} is of no move, or says nothing")
        known(line.registers, REGISTERS, "register")
        within(line.weight, 0, 10, "the weight of a line")
        if line.when:
            _when(line.when)
        else:
            always[line.move].update(line.registers or REGISTERS)
    for move, registers in always.items():
        needed = move in EVERYDAY or move in pressed
        need(not needed or len(registers) == len(REGISTERS), f"no line always fits the move {move}")
    for variants in book.slots.values():
        for v in variants:
            _when(v.when)
    slots = {*book.slots, *FILLED}
    known(set(SLOT.findall("\n".join(text for line in book.lines for text in line.say))) - slots, slots, "slot")
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
        need(depth < 30, "slots of lines lie too deep, or in a ring")
        inner = [name for v in book.slots.get(slot, ()) for name in SLOT.findall(v.say)]
        known(inner, {*book.slots, *FILLED}, "slot")
        sizes[slot] = 1 + sum(_unfolds(name, book, sizes, depth + 1) for name in inner)
        need(sizes[slot] <= UNFOLDED, f"the slot {quoted(slot)} unfolds into too much")
    return sizes[slot]
