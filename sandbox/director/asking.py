"""What somebody can be asked about the cards that have reached them within a day, and what they answer from."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import DAY
from sandbox.core.text import clean
from sandbox.director.card_rule import without_article
from sandbox.director.card_rules import RULES
from sandbox.director.deck import DeckCard
from sandbox.director.model import HUSHED, HasDirector, ReceivedCard
from sandbox.people.asking import LONG, recollection
from sandbox.people.beliefs import current_beliefs, fact_sentence
from sandbox.people.interview_question import Brought
from sandbox.people.pressure_deck import HUSHED as UNSPOKEN
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.people.wording import myself

MUTED = "a shut account"
ASKED = 2  # cards offered as questions, at most


def card_questions(w: HasDirector, who: str, t: int) -> list[str]:
    """Questions to somebody about the cards that have reached them within a day, the latest first."""
    names = dict.fromkeys(card_noun(w.card_deck.cards[c.name]) for c in came_to(w, who, t))
    return [f"What about the {name}?" for name in [*names][:ASKED]]


def came_to(w: HasDirector, who: str, t: int) -> list[ReceivedCard]:
    """The cards that have reached somebody in the day before t, the latest first, each once."""
    lately = (c for c in reversed(w.director.came.get(who, ())) if 0 <= t - c.t < DAY and c.name in w.card_deck.cards)
    found: dict[int, ReceivedCard] = {}
    for c in lately:
        found.setdefault(c.card, c)
    return [*found.values()]


def card_noun(card: DeckCard) -> str:
    """What the receiver calls a card, without an article."""
    return without_article(MUTED if card.condition == "muted" else RULES[card.rule].noun or card.thing or card.called)


def card_replies(w: HasDirector, who: str, t: int) -> tuple[Brought, ...]:
    """All that somebody can say about the cards of `came_to`."""
    return tuple(_brought(w, who, c, t) for c in came_to(w, who, t))


def _brought(w: HasDirector, who: str, received: ReceivedCard, t: int) -> Brought:
    card = w.card_deck.cards[received.name]
    name = card_noun(card)
    if received.how in HUSHED:
        return Brought(name, hushed=True)
    stream = w.memories.streams[who]
    memory = next((m for m in reversed(stream) if m.seq == received.seq), None)
    believed = _believed(w, who, received.facts, t)
    wants = _wants(w, who, received, card, t)
    told = recollection(w, memory, t) if memory is not None else None
    return Brought(name, told, believed, doubted=bool(received.facts) and not believed, wants=wants)


def _believed(w: HasDirector, who: str, facts: Sequence[str], t: int) -> str:
    """What they believe of the facts that a card told them, in their own words; "" if none of them."""
    for b in current_beliefs(w.beliefs, who, t, w.belief_parameters):
        if b.fact in facts:
            return myself(clean(fact_sentence(w, w.beliefs.facts[b.fact], b.slots), LONG), w.handbook.name(who))
    return ""


def _wants(w: HasDirector, who: str, received: ReceivedCard, card: DeckCard, t: int) -> str:
    """What they want because of a card, completing "I mean to": the strongest pressure that it caused or stirred; "" if
    there is none, or none that people speak of.
    """
    kinds = {w.drama.children[x].kind for x in card.children if x in w.drama.children}
    mine = [
        p
        for p in w.pressures.open.values()
        if p.holder == who and p.kind not in UNSPOKEN and _of_it(p, received, kinds)
    ]
    p = max(mine, key=lambda p: (intensity_at(p, t, w.pressure_parameters), p.id), default=None)
    kind = w.drama.kinds.get(p.kind) if p is not None else None
    if p is None or kind is None or not kind.wanted:
        return ""
    wanted = kind.wanted.format(**w.handbook.both(who, p.about), stakes=gist(p.stakes))
    return myself(clean(wanted, LONG), w.handbook.name(who))


def _of_it(p: ActivePressure, received: ReceivedCard, kinds: set[str]) -> bool:
    """Whether a pressure began, or was stirred, after a card reached its holder."""
    if received.matter and p.id == received.matter:
        return p.last > received.seq
    return p.kind in kinds and (p.seq > received.seq or p.last > received.seq)
