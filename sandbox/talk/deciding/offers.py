"""What can be said as a move: the lines of the book on shelves, so that finding those that fit costs what they are."""

from __future__ import annotations

import re
from typing import NamedTuple

from sandbox.talk.lines import FILLED, Line

SLOT = re.compile(r"\{(\w+)\}")
SIDES = ("same", "opposed")
VOICED = 1.3  # what a line of one's own voice is worth
FITTING = {"after": 5.0, "do": 5.0, "age": 5.0, "mood": 1.4, "tie": 1.0}  # what a criterion is worth that holds
FITS = 0.55  # and any other
COOLING = 2.0  # what a line loses while any of its variants is younger than its cooldown
SUBJECT, NAMED = frozenset(("matter", "cause", "topic", "recall")), 1.2  # what a line gains that names what it is about
When = tuple[tuple[str, tuple[str, ...]], ...]  # criterion -> allowed values, all of which must hold
Worth = tuple[tuple[float, ...], ...]


class LineVariant(NamedTuple):
    """One variant of one line. needs: filled slots it cannot do without."""

    key: str
    text: str
    needs: tuple[str, ...]


class Offer(NamedTuple):
    """A line, ready to be tried. line: its id. when: what is still open once it has been found on its shelf.

    needs: what any of its choices needs. keys, scores and cooled go with choices: what each is worth to begin with, in
    an answer and where it leads, and the same while one of them is younger than the cooldown.
    """

    line: str
    when: When
    cooldown: int
    needs: frozenset[str]
    choices: tuple[LineVariant, ...]
    keys: tuple[str, ...]
    scores: Worth
    cooled: Worth


class Bucket:
    """The lines of a move by their place in the book: those anybody can say at any time, and the others on shelves,
    each under the criterion that leaves least open.
    """

    def __init__(self) -> None:
        self._count = 0
        self._common: dict[int, Offer] = {}
        self._shelves: dict[str, dict[str, dict[int, Offer]]] = {}

    def add(self, offer: Offer) -> None:
        """Put a line behind the others."""
        self._count += 1
        if not offer.when:
            self._common[self._count] = offer
            return
        key, allowed = first = min(offer.when, key=lambda criterion: len(criterion[1]))
        offer = offer._replace(when=tuple(x for x in offer.when if x is not first))
        shelves = self._shelves.setdefault(key, {})
        for value in allowed:
            shelves.setdefault(value, {})[self._count] = offer

    def fitting(self, facts: dict[str, str], traits: tuple[str, ...]) -> list[Offer]:
        """The lines whose criteria all hold, in the order of the book. Costs what they are, not what the book is."""
        found = self._common.copy()
        for key, shelves in self._shelves.items():
            for value in traits if key == "trait" else (facts.get(key, ""),):
                if value in shelves:
                    found.update(shelves[value])
        offers = [found[place] for place in sorted(found)]
        return [x for x in offers if not x.when or holds(x.when, facts, traits)]


def offered(line: Line, deep: dict[str, set[str]]) -> Offer:
    """A line made ready. deep: the filled slots that each grammar slot cannot do without."""
    base = sum(FITTING.get(key, FITS) for key in line.when) + line.weight
    base += VOICED if line.registers else 0.0
    choices = []
    for i, text in enumerate(line.say):
        names = set(SLOT.findall(text))
        needs = {n for n in names if n in FILLED}.union(*(deep[n] for n in names & set(deep)))
        choices.append(LineVariant(f"{line.id}#{i}", text, tuple(sorted(needs))))
    named = [
        [NAMED * ("recall" in c.needs) for c in choices],
        [NAMED * (not SUBJECT.isdisjoint(c.needs)) for c in choices],
    ]
    return Offer(
        line.id,
        ((("voice", line.registers),) if line.registers else ()) + criteria(line.when),
        line.cooldown,
        frozenset(n for c in choices for n in c.needs),
        tuple(choices),
        tuple(c.key for c in choices),
        tuple(tuple(base + gain for gain in side) for side in named),
        tuple(tuple(base - COOLING + gain for gain in side) for side in named),
    )


def criteria(when: dict[str, tuple[str, ...]]) -> When:
    """What a book says of a line or a way, as it is looked up: whose side one is on is not what one is for."""
    return tuple(("sides" if k == "stance" and v[0] in SIDES else k, v) for k, v in when.items())


def holds(when: When, facts: dict[str, str], traits: tuple[str, ...]) -> bool:
    """Whether all criteria hold of these facts and somebody's traits."""
    for key, allowed in when:
        if not any(t in allowed for t in traits) if key == "trait" else facts.get(key) not in allowed:
            return False
    return True
