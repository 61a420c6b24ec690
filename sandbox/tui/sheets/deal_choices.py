"""The choices for each part of a card, in words, those most related to the rest of the card first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandbox.core.text import join_names, mid_sentence
from sandbox.director.card_rule import fact_of, presses
from sandbox.director.dealing import DEAR, FOE, RULES
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt
from sandbox.engine.world import World
from sandbox.feed.reading import text_of
from sandbox.people.beliefs import current_beliefs, fact_sentence
from sandbox.people.mood import OCC
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.readers.pressures import matter_sentence
from sandbox.talk.content import tie_of
from sandbox.town.plan import sector_of
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.view.viewer import Viewer

POSTS = 40  # that are offered at most, the latest
MATTERS = 60  # that are offered at most
THERE = 3  # people at a place that are named at most


class PartChoice(NamedTuple):
    """One choice for a part. value: as stored in the card; says: its name or sentence; why: how it is related to the
    rest of the card; state: what else the player should know ("asleep").
    """

    value: str | int
    says: str
    why: str = ""
    state: str = ""


# ---- people


def people_choices(viewer: Viewer, dealt: Dealt, part: str) -> list[PartChoice]:
    """Everybody who may be the part `to` or `whom`, those most related to the rest of the card first."""
    w, t = viewer.world, viewer.shown
    other = dealt.whom if part == "to" else dealt.to
    order = {who: i for i, who in enumerate(w.cast)}
    found = []
    for who in w.cast:
        if who == other:
            continue
        much, why = max(_has_to_do(w, who, dealt, other), default=(0.0, ""))
        row = viewer.view.row(who, t)
        state = "" if row.awake else "asleep"
        found.append((much, PartChoice(who, w.cast[who].name, why or row.doing, state or _talks(w, who))))
    found.sort(key=lambda x: (-x[0], order[str(x[1].value)]))
    return [choice for _, choice in found]


def _talks(w: World, who: str) -> str:
    return "in a talk" if w.people.residents[who].talk else ""


def _has_to_do(w: World, who: str, dealt: Dealt, other: str) -> Iterator[tuple[float, str]]:
    """Reasons why somebody is related to the card's matter or to the other person: (strength from 0, a clause)."""
    fact = fact_of(w, dealt)
    if fact is not None:
        if who == fact.a:
            yield 3.0, "it is their doing"
        if who == fact.b:
            yield 2.8, "it is about them"
        if any(b.fact == fact.id for b in current_beliefs(w.beliefs, who, w.now, w.belief_parameters)):
            yield 2.2, "has heard of it"
    if other:
        name = w.handbook.name(other)
        for p in w.pressures.open.values():
            much = 1.0 + intensity_at(p, w.now, w.pressure_parameters)
            if (p.holder, p.about) == (who, other):
                yield much, presses(w, p)
            elif (p.holder, p.about) == (other, who):
                yield much, f"{name} {presses(w, p)}"
        feeling = tie_of(w, who, other).feeling
        if feeling >= DEAR:
            yield feeling, f"is fond of {name}"
        elif feeling <= FOE:
            yield -feeling, f"is no friend of {name}"
    elif fact is None:
        mine = [p for p in w.pressures.open.values() if p.holder == who]
        if mine:
            most = max(mine, key=lambda p: intensity_at(p, w.now, w.pressure_parameters))
            yield intensity_at(most, w.now, w.pressure_parameters), presses(w, most)


# ---- matters


def matter_choices(w: World, dealt: Dealt) -> list[PartChoice]:
    """Matters a card can be about, MATTERS at most: those of the people it names (pressures, secrets, beliefs), then
    others. First comes what the person it is for does not know (or what is theirs, where the card is about a matter of
    their own), then the strongest.
    """
    who = [x for x in (dealt.to, dealt.whom) if x]
    own = RULES[w.card_deck.cards[dealt.card].rule].own_matter

    def news(p: ActivePressure) -> bool:
        return (p.holder == dealt.to) if own else (p.about == dealt.to and dealt.to not in p.known_by)

    found = sorted(w.pressures.open.values(), key=lambda p: (not news(p), -_weight(w, p), p.id))
    theirs = [p for p in found if not who or p.holder in who or p.about in who]
    out = {p.id: PartChoice(p.id, _says(w, p), w.drama.kinds[p.kind].called if p.kind in w.drama.kinds else p.kind)
           for p in theirs}  # fmt: skip
    for id, truth in w.truths.items():
        if not who or truth.who in who:
            out.setdefault(id, PartChoice(id, truth.says, "secret"))
    for one in who:
        for b in current_beliefs(w.beliefs, one, w.now, w.belief_parameters):
            text = fact_sentence(w, w.beliefs.facts[b.fact], b.slots)
            if text:
                out.setdefault(b.fact, PartChoice(b.fact, text, f"{w.handbook.name(one)} believes"))
    for p in found:
        out.setdefault(p.id, PartChoice(p.id, _says(w, p), "of others"))
    return [*out.values()][:MATTERS]


def _weight(w: World, p: ActivePressure) -> float:
    return intensity_at(p, w.now, w.pressure_parameters) * (p.stage + 1)


def _says(w: World, p: ActivePressure) -> str:
    return matter_sentence(w.handbook, matter_of_pressure(p))


def card_matter_text(w: World, dealt: Dealt) -> str:
    """The matter a card is about, a sentence; "" if it has none, or the matter is over."""
    fact = fact_of(w, dealt)
    if fact is None:
        return ""
    if (p := w.pressures.open.get(dealt.matter)) is not None:
        return _says(w, p)
    return fact_sentence(w, fact, (fact.a, fact.b, fact.where, fact.bad)) or fact.stakes


# ---- places, posts, feelings


def place_choices(viewer: Viewer, card: DeckCard) -> list[PartChoice]:
    """Parts of town and their rooms, with who is there; only rooms for a card that needs one room."""
    w = viewer.world
    there: dict[str, list[str]] = {}
    for row in viewer.view.rows(viewer.shown):
        address = w.map.area_of[int(row.y) * w.map.width + int(row.x)]
        for place in {address, sector_of(address)}:
            there.setdefault(place, []).append(viewer.name(row.id))
    out: list[PartChoice] = []
    last = ""
    for address in sorted(w.map.areas):
        sector = sector_of(address)
        if sector != last and sector not in w.map.areas and not RULES[card.rule].one_room:
            out.append(PartChoice(sector, place_words(w, sector), _there(there.get(sector, ()))))
        last = sector
        out.append(PartChoice(address, place_words(w, address), _there(there.get(address, ()))))
    return out


def place_words(w: World, address: str) -> str:
    """The name of a place; for a room with the house before it: "the bakery: oven room"."""
    place, area = w.handbook.place(address), w.map.areas.get(address)
    return f"{place}: {mid_sentence(area.arena.name)}" if area is not None and sector_of(address) != address else place


def _there(names: Sequence[str]) -> str:
    shown = names if len(names) <= THERE else [*names[: THERE - 1], f"{len(names) - THERE + 1} more"]
    return f"{join_names(shown)} there" if names else ""


def post_choices(w: World) -> list[PartChoice]:
    """The latest posts by residents, then by strangers, POSTS at most."""
    table = w.feed.posts
    own = sorted((card for card in w.phones.written if 0 <= card < table.n), reverse=True)
    rest = (card for card in range(table.n - 1, -1, -1) if card not in w.phones.written)
    out: list[PartChoice] = []
    for card in (*own, *rest):
        if not table.gone.item(card):
            by = w.phones.written.get(card)
            author = w.handbook.name(by.author) if by else "a stranger"
            out.append(PartChoice(card, post_words(w, card), f"by {author}"))
        if len(out) >= POSTS:
            break
    return out


def post_words(w: World, card: int) -> str:
    """The text of a post, "" if it does not exist."""
    posts = w.feed.posts
    return text_of(w.feed, posts.root.item(card), w.means.words) if 0 <= card < posts.n else ""


def emotion_choices() -> list[PartChoice]:
    """The emotions a change of mood can be of, by name."""
    return [PartChoice(name, name) for name in sorted(OCC)]
