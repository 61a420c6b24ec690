"""Rules for lines: their slots exist and do not recurse, and every move has something to say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sandbox.core.fields import SLOT, Finding, duplicates, hanging, slots, unknown_words
from sandbox.people.persona import Persona
from sandbox.talk.lines import CRITERIA, EVERYDAY, FILLED, MOVES, REGISTERS, BookLine, LineBook

UNFOLDED = 20_000  # texts that one text's slots may expand into, at most
_ALLOWED = {key: frozenset(words).issuperset if words else len for key, words in CRITERIA.items()}
DEEPEST = 30  # nesting of slots, at most


def of_lines(book: LineBook, pressed: Collection[str], astray: Iterable[BookLine] = ()) -> Iterator[Finding]:
    """Faults of a book. pressed: moves that the drama deck needs beside the everyday ones. astray: lines left out of
    the book because of other faults.
    """
    yield from duplicates(book.lines)
    for line in book.lines:
        if not line.say:
            yield Finding(line, "say", '"say" holds no text; add at least one')
        if line.when and not _fits(line.when):
            yield from _when(line, line.when)
    filled = {*book.slots, *FILLED}
    for name, variants in book.slots.items():
        for v in variants:
            yield from _when(v, v.when)
        yield from slots(book, "slots", (v.say for v in variants), filled, (name,))
        if name in FILLED:
            yield Finding(
                book, "slots", f'the slot "{name}" is filled by the world; choose another name', (name,), written=True
            )
    every = "\n".join(text for line in book.lines for text in line.say)
    if any(slots(book, "lines", (every,), filled)):  # one check of everything is fast
        astray = (*book.lines, *astray)
    for line in astray:
        yield from hanging(slots(line, "say", line.say, filled), (book, "slots"))
    yield from _always(book, {*EVERYDAY, *pressed})
    yield from _unfold(book)


def of_own(persona: Persona) -> Iterator[Finding]:
    """Faults of a person's own lines and of the topics of their concerns."""
    for move, say in persona.own.items():
        if not say:
            yield Finding(persona, "own", "it holds no text; add at least one", (move,))
        yield from slots(persona, "own", say, FILLED, (move,))
    yield from unknown_words(persona, "matters", persona.matters, persona.concerns, "concern", at_key=True)


def _fits(when: Mapping[str, Collection[str]]) -> bool:
    """Whether criteria are valid; fast, since there are thousands."""
    return all(key in CRITERIA and values and _ALLOWED[key](values) for key, values in when.items())


def _when(thing: object, when: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    for key, values in when.items():
        allowed = CRITERIA.get(key)
        if allowed is None:
            yield from unknown_words(thing, "when", (key,), CRITERIA, "criterion")
        elif not values:
            yield Finding(thing, "when", f"the criterion {key} has no value", (key,))
        elif allowed and not set(values) <= set(allowed):
            for odd in unknown_words(thing, "when", values, allowed, f"value of {key}"):
                yield odd._replace(key=(key, *odd.key))


def _always(book: LineBook, needed: Collection[str]) -> Iterator[Finding]:
    """Every move has, for every register, a line without criteria, so that something can always be said; and one that
    does not joke, for where much is at stake.
    """
    have: dict[str, set[str]] = {move: set() for move in MOVES if move in needed}
    for line in book.lines:
        if not line.when and line.move in have and len(line.wit) < len(line.say):
            have[line.move].update(line.registers or REGISTERS)
    for move, registers in have.items():
        lack = [r for r in REGISTERS if r not in registers]
        if lack:
            whom = "" if len(lack) == len(REGISTERS) else f" in register {', '.join(lack)}"
            mend = f'add one with "move: {move}", without "when" and not all "wit"'
            yield Finding(book, "", f'the move "{move}" has no line that always fits{whom}; {mend}')


def _unfold(book: LineBook) -> Iterator[Finding]:
    """Slots that contain themselves, reported once a cycle, or that expand too far."""
    uses = {name: [s for v in vs for s in SLOT.findall(v.say) if s in book.slots] for name, vs in book.slots.items()}
    sizes: dict[str, int] = {}
    for start in uses:
        path: list[str] = []
        ways = [iter((start,))]
        while ways:
            name = next(ways[-1], None)
            if name is None:
                ways.pop()
                if path:
                    done = path.pop()
                    sizes[done] = 1 + sum(sizes.get(s, 0) for s in uses[done])
                    if sizes[done] > UNFOLDED:
                        mend = "unfolds into too much; use fewer slots within slots"
                        yield Finding(book, "slots", f'the slot "{done}" {mend}', (done,))
                        return
            elif name in path:
                ring = " > ".join([*path[path.index(name) :], name])
                mend = f'the slot "{name}" comes back to itself ({ring}); break the ring'
                yield Finding(book, "slots", mend, (path[-1],))
                sizes.setdefault(name, 0)
            elif len(path) > DEEPEST:
                mend = "lies too deep in others; use fewer slots within slots"
                yield Finding(book, "slots", f'the slot "{name}" {mend}', (name,))
                return
            elif name not in sizes:
                path.append(name)
                ways.append(iter(dict.fromkeys(uses[name])))
