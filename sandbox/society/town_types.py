"""Who of a town is of type R: the words that a file or a player may name it by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from sandbox.core.faults import in_quotes, unknown
from sandbox.people.persona import Persona

NEW = "new in town"  # the trait of somebody who is a newcomer by their file
OPTIONS = "newcomer, old_family, young, old, trait:WORD, job:WORD, household:NAME, or ids as in ann,ben"


class Somebody(NamedTuple):
    """A person to be typed. came: after the start; middle: the median age of those who were there then."""

    person: Persona
    came: bool
    middle: float

    @property
    def is_new(self) -> bool:
        """Whether they are a newcomer."""
        return self.came or NEW in self.person.traits


WORDS: Mapping[str, Callable[[Somebody], bool]] = {
    "newcomer": lambda x: x.is_new,
    "old_family": lambda x: not x.is_new,
    "young": lambda x: x.person.age < x.middle,
    "old": lambda x: x.person.age >= x.middle,
}
FIELDS: Mapping[str, Callable[[Persona], Sequence[str]]] = {
    "trait": lambda p: p.traits,
    "job": lambda p: (p.job,),
    "household": lambda p: (p.household,),
}


def is_of_type(word: str, of: Somebody) -> bool:
    """Whether somebody is of the type that a word names (OPTIONS)."""
    if word in WORDS:
        return WORDS[word](of)
    field, colon, value = word.partition(":")
    if colon:
        return value.strip().casefold() in (x.casefold() for x in FIELDS[field](of.person))
    return of.person.id in (x.strip() for x in word.split(","))


def middle_age(cast: Iterable[Persona]) -> float:
    """The median age, 0 of nobody."""
    return float(median([p.age for p in cast] or [0]))


def type_fault(word: str, cast: Sequence[Persona], others: Sequence[Persona]) -> str:
    """What is wrong with the name of a type, and the mend; "" if nothing is. cast: who is there at the start; others:
    who may come.
    """
    everybody = [*cast, *others]
    field, colon, value = word.partition(":")
    if not word or word in ("newcomer", "old_family"):
        return ""
    if colon and field in FIELDS:
        known = {x for p in everybody for x in FIELDS[field](p)}
        if value.strip().casefold() not in {x.casefold() for x in known}:
            return f"nobody is of it: {unknown(field, value.strip(), known)}"
    elif word not in WORDS:
        ids = {p.id for p in everybody}
        odd = [x.strip() for x in word.split(",") if x.strip() not in ids]
        if odd and "," in word:
            return f"there is {unknown('person', odd[0], ids)}"
        if odd:
            return f"there is no type {in_quotes(word)}; write {OPTIONS}"
    if len({is_of_type(word, Somebody(p, p not in cast, middle_age(cast))) for p in everybody}) < 2:
        return f"all people would be of one type by {in_quotes(word)}, and it takes two; name others"
    return ""
