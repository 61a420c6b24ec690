"""The questions a society works at: each needs five snippets, of which an agent holds one (seed 002, B.1).

A snippet says which answers it excludes. With all five only the right answer stays, with any four at least two: so each
excludes a wrong answer that no other does, and with six answers just this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from sandbox.core.faults import Fault, Faults, in_quotes
from sandbox.core.fields import Finding, duplicates, meta, unknown_words
from sandbox.core.structs import add_faults, read
from sandbox.core.textfiles import MappingReader, open_yaml

FILES = {"qa": "items_qa.yaml", "debate": "items_debate.yaml"}
SNIPPETS = 5
FEWEST, MOST = 6, 12  # answers of an item
PAIRS = tuple(f"C{a}-C{b}" for a, b in combinations(range(1, SNIPPETS + 1), 2))
CONFLICTS = {"none": 0, "apparent": 1, "real": 1, "mixed": 2}  # pairs of snippets at odds in each


class ItemFaults(ValueError):
    """A file of items cannot be used. faults: all errors, by file and line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class Snippet(msgspec.Struct, frozen=True):
    """What one agent holds. excludes: the answers it rules out."""

    text: Annotated[str, meta("The mill has no cellar.", most=300, least=1)]
    excludes: Annotated[tuple[str, ...], meta("the mill")]


class Item(msgspec.Struct, frozen=True):
    """A question. gold: the answer that no snippet excludes. false_claim: a sentence for the wrong answer `claims`.
    conflict: whether snippets contradict one another, of a debate: not at all, seemingly, really, or two in each way;
    "" = no debate. at_odds: the pairs that do, what seems before what does.
    """

    name: Annotated[str, meta("lost-key", most=40, least=1)]
    question: Annotated[str, meta("Where is the key?", most=200, least=1)]
    answers: Annotated[tuple[Annotated[str, meta(most=80, least=1)], ...], meta("[the mill, the barn, ...]")]
    snippets: Annotated[tuple[Snippet, ...], meta("[{text: The mill has no cellar., excludes: the mill}, ...]")]
    gold: Annotated[str, meta("the barn", most=80, least=1)]
    claims: Annotated[str, meta("the mill", most=80, least=1)]
    false_claim: Annotated[str, meta("The key is in the mill.", most=300, least=1)]
    conflict: Annotated[str, meta(options=CONFLICTS, blank=True)] = ""
    at_odds: tuple[Annotated[str, meta(options=PAIRS, what="pair")], ...] = ()


@cache
def shipped_items(kind: Literal["qa", "debate"]) -> tuple[Item, ...]:
    """The fifty that ship of a kind."""
    return read_items(Path(__file__).with_name(FILES[kind]))


def read_items(path: Path) -> tuple[Item, ...]:
    """The items in a file. Raises ItemFaults with every fault of it, each with its line and its mend."""
    faults = Faults()
    r = MappingReader(open_yaml(path, faults))
    listed = r.items("items", need="[{name: lost-key, ...}]")
    found = [(read(Item, value.mapping()), value) for value in listed]
    whole = [item for item, value in found if not value.spoilt]
    r.rest()
    if not found and not faults.errors:
        r.key_fault("items", "no items; write at least one")
    add_faults(duplicates(whole, "name"), faults)
    add_faults((odd for item in whole for odd in [*_odd_parts(item)] or _odd_whole(item)), faults)
    if faults.errors:
        raise ItemFaults(faults.errors)
    return tuple(whole)


def left(item: Item, snippets: Iterable[int]) -> tuple[int, ...]:
    """The answers that stay, given some snippets; both by their places from 0."""
    excluded = {answer for i in snippets for answer in item.snippets[i].excludes}
    return tuple(i for i, answer in enumerate(item.answers) if answer not in excluded)


def claimed(item: Item, text: str) -> int | None:
    """The answer that a free text names: its letter alone ("C"), or its words, wherever they stand, without regard to
    case, signs and articles. None if it names none, or several. Negation is not understood.
    """
    letter = re.fullmatch(r"\W*([a-z])\W*", text.casefold())
    if letter is not None and (at := ord(letter[1]) - ord("a")) < len(item.answers):
        return at
    places = {_words(answer): i for i, answer in enumerate(item.answers)}
    options = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))  # a longer name before one that it holds
    found = {places[name] for name in re.findall(rf"(?<!\S)(?:{options})(?!\S)", _words(text))}
    return found.pop() if len(found) == 1 else None


def _words(text: str) -> str:
    return " ".join(word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the"))


def _odd_parts(item: Item) -> Iterator[Finding]:
    if not FEWEST <= len(item.answers) <= MOST:
        yield Finding(item, "answers", f"{len(item.answers)} answers; give {FEWEST} to {MOST}")
    for i, answer in enumerate(item.answers):
        if _words(answer) in ("", *map(_words, item.answers[:i])):
            yield Finding(item, "answers", f"{in_quotes(answer)} says no more than another; word it anew", (answer,))
    if len(item.snippets) != SNIPPETS:
        yield Finding(item, "snippets", f"{len(item.snippets)} snippets; give {SNIPPETS}, one to an agent")
    for field in ("gold", "claims"):
        yield from unknown_words(item, field, [getattr(item, field)], item.answers, "answer", path=())
    for snippet in item.snippets:
        yield from unknown_words(snippet, "excludes", snippet.excludes, item.answers, "answer")
        if item.gold in snippet.excludes:
            yield Finding(snippet, "excludes", f"{in_quotes(item.gold)} is the gold answer; take it out", (item.gold,))
    if item.claims == item.gold:
        yield Finding(item, "claims", f"{in_quotes(item.gold)} is the gold answer; name a wrong one")
    elif (at := claimed(item, item.false_claim)) is None or item.answers[at] != item.claims:
        yield Finding(item, "false_claim", f"does not name {in_quotes(item.claims)} alone; say it in these words")
    if len(item.at_odds) != (pairs := CONFLICTS.get(item.conflict, 0)):
        told = f'at_odds has {len(item.at_odds)} pairs; with conflict "{item.conflict}" name {pairs}'
        yield Finding(item, "at_odds" if item.at_odds else "conflict", told)


def _odd_whole(item: Item) -> Iterator[Finding]:
    """What is wrong with an item's logic."""
    stay = " and ".join(in_quotes(item.answers[i]) for i in left(item, range(SNIPPETS)))
    if stay != in_quotes(item.gold):
        yield Finding(item, "snippets", f"with all of them {stay} stay; let them exclude all but the gold answer")
    for i, snippet in enumerate(item.snippets):
        if len(left(item, {*range(SNIPPETS)} - {i})) == 1:
            told = f"the other four suffice without C{i + 1}; let it exclude an answer that none of them does"
            yield Finding(snippet, "excludes", told)
