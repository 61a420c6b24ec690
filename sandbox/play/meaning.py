"""What a player's own words are likely to mean: which of the things that can be said now they sound like."""

from __future__ import annotations

import re
from functools import cache

from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.text import content_words
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.people.played import SET_RIGHT, TWIST
from sandbox.people.pressure_deck import PASS_ON
from sandbox.play.acts import TalkOffer
from sandbox.play.model import HasPlay
from sandbox.talk import move_rules

FEW = 3  # that are offered where it is not sure
SURE = 1.5  # how much better the best has to fit than the next
LEAST = 0.5  # what fits less is a guess
MATTER = 1.5  # what the words of the matter count, all of them together
WORD = re.compile(r"[a-z']+")


def match_offers(w: HasPlay, found: list[TalkOffer], text: str) -> tuple[list[TalkOffer], bool]:
    """The offers that a text sounds most like, the best first, and whether it is surely the first of them."""
    found = [x for x in found if x.do != TWIST]  # nobody is taken to lie
    said = WORD.findall(text.casefold().replace("’", "'"))
    known = {*content_words(text)}
    thirds = [w.handbook.name(x.third) if x.third else "" for x in found]
    turns = [_fits(x.begins or move_of(w, x), said) for x in found]
    fits = [
        0.0 if x.begins and not turn else turn + _matter(x, third, known)  # a name alone begins nothing
        for x, third, turn in zip(found, thirds, turns, strict=True)
    ]
    scores = [(fit, not x.aim, -n) for n, (x, fit) in enumerate(zip(found, fits, strict=True))]
    order = sorted(range(len(found)), key=lambda n: scores[n], reverse=True)
    best = scores[order[0]][0] if order else 0.0
    next_ = scores[order[1]][0] if len(order) > 1 else 0.0
    return [found[n] for n in order[:FEW]], best >= LEAST and best >= SURE * next_


def move_of(w: HasPlay, offer: TalkOffer) -> str:
    """The move in which something is said."""
    if offer.do in w.drama.exchanges:
        return w.drama.exchanges[offer.do].move
    if offer.do == SET_RIGHT:
        return SET_RIGHT
    return PASS_ON if offer.aim else move_rules.LEADS[offer.do]


def _fits(move: str, said: list[str]) -> float:
    """How much words sound like a move or a beginning: its turns of phrase that are in them, longer ones count more."""
    return float(sum(len(turn) for turn in meanings().get(move, ()) if _holds(said, turn)))


def _holds(said: list[str], turn: tuple[str, ...]) -> bool:
    """Whether the words of a turn of phrase stand there one after another, each at least by its beginning."""
    places = range(len(said) - len(turn) + 1)
    return any(all(map(_begins, said[i : i + len(turn)], turn)) for i in places)


def _begins(word: str, part: str) -> bool:
    return word.startswith(part) if len(part) > 2 else word == part


def _matter(offer: TalkOffer, third: str, known: set[str]) -> float:
    """How many of the words of its matter are there, or of the name of the third it is about."""
    own = {*content_words(third or offer.matter)}
    return MATTER * len(own & known) / len(own) if own else 0.0


@cache
def meanings() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Move, or beginning, -> turns of phrase, each as its words."""
    faults = Faults()
    rows = MappingReader(open_yaml(data_dir() / "meanings.yaml", faults)).entries()
    found = {move: tuple(tuple(WORD.findall(turn)) for turn in value.texts()) for move, value in rows}
    assert not len(faults), "\n".join(map(str, faults))
    return found
