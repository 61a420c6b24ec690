"""Reading `activities.yaml`: the blocks of a day and the activities they are cut into."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sandbox.core.faults import Faults
from sandbox.core.structs import read
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.people.activities import Activity, Block, Deck, Outcomes


def read_deck(files: Iterable[Path], faults: Faults) -> Deck:
    """The deck of all files: later ones replace what earlier ones name, and add the rest."""
    blocks: dict[str, Block] = {}
    activities: dict[str, Activity] = {}
    feelings: dict[str, Outcomes] = {}
    readers = [Reader(open_yaml(path, faults)) for path in files]
    for i, r in enumerate(readers):
        need = "{lunch: {do: have lunch, doing: having lunch, past: had lunch}}" if i == 0 else ""
        for key, value in r.section("blocks", need=need).entries():
            blocks[key] = read(Block, value.mapping(), key=key)
        need = "{knead dough: {doing: kneading dough, past: kneaded dough, for: [work]}}" if i == 0 else ""
        for name, value in r.section("activities", need=need).entries():
            activities[name] = read(Activity, value.mapping(), name)
        for key, value in r.section("feelings").entries():
            feelings[key] = read(Outcomes, value.mapping())
        r.rest()
    deck = Deck(blocks, tuple(activities.values()), feelings)
    for r in readers:
        r.stands_for(deck)
    return deck
