"""The facts of an open matter: which there are, who knows which, which two have exchanged, and how they are said.

A matter of the cast has the facts of its file, any other those of its child in the deck (people/matter_model.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

from sandbox.people.fact_forms import Forms, Telling, forms_of, parse_statement
from sandbox.people.matter_model import ASKED, COST, DEED, OWN_AFFAIR, USUAL_TENSE, MatterFact, fact_name
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import Child
from sandbox.people.pressure_deck import child_of, one_way
from sandbox.people.pressure_handlers import HasPressures
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import pair_key

TWO_SIDED = frozenset(("debt", "promise", "rivalry", "grudge"))  # kinds whose facts both of the two know
MATTERS, SHARED = 40, 60  # most matters of which somebody remembers what they were told; most facts, of a pair


class Told(NamedTuple):
    """A fact of one matter. says: its statement, in `tense`; so: whether it is true; doer: who does it, "" for a
    thing or several; known: who knows it from the start, None = everybody.
    """

    key: str
    says: str
    tense: str
    so: bool
    doer: str
    known: frozenset[str] | None

    def knows(self, who: str) -> bool:
        """Whether somebody knows it from the start."""
        return self.known is None or who in self.known


def matter_facts(w: HasPressures, p: ActivePressure) -> dict[str, Told]:
    """The facts of a matter by key, in the order of its file; without those that name somebody or something that it
    has not. None if nobody wrote any.
    """
    if w.pressure_parameters.facts == "off":
        return {}
    made = w.cast_pressures.get(p.id) or w.drama.children.get(child_of(p.id))
    if made is not None and w.pressure_parameters.facts == "shuffled":
        made = _another(w, p, made)
    return {key: told for key, fact in made.facts.items() if (told := _told(w, p, made, key, fact))} if made else {}


def _another(w: HasPressures, p: ActivePressure, made: Pressure | Child) -> Pressure | Child:
    """Another matter of the same kind, of the cast or of the deck, always the same for a matter."""
    alike: list[Pressure | Child] = (
        [*w.cast_pressures.values()] if p.id in w.cast_pressures else [*w.drama.children.values()]
    )
    others = [x for x in alike if x.kind == made.kind and x.facts and x is not made]
    return others[crc32(p.id.encode()) % len(others)] if others else made


def _told(w: HasPressures, p: ActivePressure, made: object, key: str, fact: MatterFact) -> Told | None:
    says = one_way(fact.says, f"{p.id} {key}")
    statement, people = parse_statement(says), _people(w, p)
    if any(slot not in people and not p.words.get(slot) for slot in statement.slots):
        return None
    doer = people.get(statement.doer, "")
    knowers = made.known_by if isinstance(made, Pressure) else p.known_by
    return Told(key, says, fact.tense or USUAL_TENSE[key], fact.so, doer, _known(p, key, fact, doer, people, knowers))


def _people(w: HasPressures, p: ActivePressure) -> dict[str, str]:
    """Slot -> person: the two, the third, and everybody of the cast by their id."""
    third = p.words.get("third", "")
    return {
        **{who: who for who in w.cast}, "holder": p.holder, **({"about": p.about} if p.about else {}),
        **({"third": third} if third else {}),
    }  # fmt: skip


def _known(
    p: ActivePressure, key: str, fact: MatterFact, doer: str, people: dict[str, str], knowers: Iterable[str]
) -> frozenset[str] | None:
    """Who knows a fact from the start."""
    if "town" in fact.known:
        return None
    if fact.known:
        named = {people[x] for x in fact.known if x in people}
        return frozenset(named | ({*knowers} if "knowers" in fact.known else set()))
    if key in OWN_AFFAIR and doer:
        return frozenset((doer,))
    both = p.kind in TWO_SIDED and not (key == COST and doer == p.holder)  # what it costs one, the other has to be told
    return frozenset({p.holder, *knowers} - {p.about} | ({p.about} if both else set()))


def knows_fact(w: HasPressures, p: ActivePressure, told: Told, who: str) -> bool:
    """Whether somebody knows a fact of a matter: from the start, by having been told, or, of the deed, as one of those
    who know of the matter.
    """
    if told.knows(who) or told.key in w.matters.known.get(who, {}).get(p.id, ()):
        return True
    return told.key == DEED and who in p.known_by


def facts_known_to(w: HasPressures, p: ActivePressure, who: str) -> dict[str, Told]:
    """What somebody knows of a matter."""
    return {key: told for key, told in matter_facts(w, p).items() if knows_fact(w, p, told, who)}


def have_shared(w: HasPressures, p: ActivePressure, key: str, a: str, b: str) -> bool:
    """Whether two have exchanged a fact: one has told it to the other."""
    return fact_name(p.id, key) in w.matters.shared.get(pair_key(a, b), ())


def have_asked(w: HasPressures, p: ActivePressure, key: str, a: str, b: str) -> bool:
    """Whether one of two has asked the other for a fact."""
    return ASKED + fact_name(p.id, key) in w.matters.shared.get(pair_key(a, b), ())


def left_to_say(w: HasPressures, matter: str, a: str, b: str) -> int:
    """How many facts of an open matter either of two could still tell the other."""
    p = w.pressures.open.get(matter)
    if p is None:
        return 0
    return sum(
        not have_shared(w, p, key, a, b) and (knows_fact(w, p, fact, a) or knows_fact(w, p, fact, b))
        for key, fact in matter_facts(w, p).items()
    )


def note_told(w: HasPressures, teller: str, hearer: str, facts: Iterable[str]) -> None:
    """Note that somebody has told another these facts, or asked for those that begin with ASKED."""
    said = w.matters.shared.setdefault(pair_key(teller, hearer), [])
    for name in facts:
        if name not in said:
            said.append(name)
        if name.startswith(ASKED):
            continue
        matter, _, key = name.rpartition("/")
        of = w.matters.known.setdefault(hearer, {})
        if key not in of.setdefault(matter, []):
            of[matter].append(key)
        if len(of) > MATTERS:
            del of[next(iter(of))]
    del said[:-SHARED]


def fact_forms(w: HasPressures, p: ActivePressure, told: Told, me: str, other: str) -> Forms:
    """A fact in all its forms, as `me` says it to `other`."""
    people = {
        slot: (who, w.handbook.name(who), w.cast[who].pronoun)
        for slot, who in _people(w, p).items()
        if slot in parse_statement(told.says).slots
    }
    return forms_of(
        told.says, told.tense, Telling(me, other, people, p.words, me in w.cast and w.cast[me].voice == "formal")
    )
