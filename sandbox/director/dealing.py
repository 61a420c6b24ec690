"""Dealing a card: all sorts of cards and the system that runs them, the command with its checks and price, whom a
card is likely to touch, what became of it, and what those it reached can say of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.domain import CommandEvent
from sandbox.core.events import Record, Stamp
from sandbox.core.faults import in_quotes, unknown
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.director.card_courage import COURAGE
from sandbox.director.card_feed import FEED
from sandbox.director.card_force import FORCE
from sandbox.director.card_papers import PAPERS
from sandbox.director.card_people import PEOPLE
from sandbox.director.card_rule import CardRule, Touch, card_sentence, fact_of, presses, slots_of, without_article
from sandbox.director.card_town import TOWN, lift_conditions
from sandbox.director.deck import PARTS, DeckCard
from sandbox.director.model import (
    COINS,
    FAR,
    HUSHED,
    TEXT,
    CardOver,
    CardPlayed,
    CardReached,
    DealCard,
    Dealt,
    HasDirector,
    ReceivedCard,
    WaitingCard,
)
from sandbox.people.asking import TEXT_LENGTH, recollection
from sandbox.people.beliefs import current_beliefs, fact_sentence
from sandbox.people.guest_model import in_town
from sandbox.people.interview_question import Brought
from sandbox.people.pressure_deck import HUSHED as UNSPOKEN
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_handlers import find_fact
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.people.wording import myself
from sandbox.talk.content import tie_of
from sandbox.town.conditions import is_within

RULES: dict[str, CardRule] = {**PAPERS, **TOWN, **PEOPLE, **COURAGE, **FEED, **FORCE}


# ---- the system of cards


UNKNOWN = "there is no such card any more"


def _run(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Run a card for one slice, if its receiver can get it now. Returns how it ended, "" if it waits on."""
    rule, to = RULES[card.rule], waiting.dealt.to
    if rule.ready is None or rule.ready(w, to):
        return rule.run(step, w, seq, waiting, card)
    return "" if step.now < waiting.until else f"{w.handbook.name(to)} {rule.vain}"


async def direct(step: Step, w: HasDirector) -> None:
    """Run all waiting cards for one slice. Emits no event in a town without cards."""
    if w.conditions.open:
        lift_conditions(step, w)
    for seq, waiting in [*w.director.waiting.items()]:
        if waiting.t >= step.end:
            continue
        card = w.card_deck.cards.get(waiting.dealt.card)
        away = [who for who in (waiting.dealt.to, waiting.dealt.whom) if who and not in_town(w, who)]
        if card is None:
            how = UNKNOWN
        elif away:
            how = f"{w.handbook.name(away[0])} had left town"
        else:
            how = _run(step, w, seq, waiting, card)
        if how:
            step.emit(CardOver(seq, how), causes=(seq,))


EMPTY = Dealt(card="")


def deal_card(w: HasDirector, c: DealCard) -> Sequence[CommandEvent]:
    """The events of dealing a card now. Raises ValueError, with a sentence for the player, if it cannot be dealt."""
    card, d = validate_card(w, c.dealt)
    says = card_sentence(w, d, card)
    if c.by and not RULES[card.rule].by_residents:
        raise ValueError(f"{w.handbook.name(c.by)} can pin up a note, but cannot deal cards")
    if c.by:
        return (CommandEvent(CardPlayed(d, clean(f"{w.handbook.name(c.by)}: {says}", TEXT), card.force), c.by),)
    afford(w, card)
    return (CommandEvent(CardPlayed(d, says, card.force, price(w, card))),)


def validate_card(w: HasDirector, dealt: Dealt) -> tuple[DeckCard, Dealt]:
    """The card, and its arguments completed. Raises ValueError, with a sentence, if it cannot be dealt."""
    card = w.card_deck.cards.get(dealt.card)
    if card is None:
        raise ValueError(f"there is {unknown('card', dealt.card, w.card_deck.cards)}")
    dealt = replace(dealt, words=clean(dealt.words, TEXT), false=dealt.false or card.false)
    if "guest" in card.needs and not dealt.guest:
        dealt = replace(
            dealt, guest=next((id for id in w.invited if not (id in w.guests.stays and in_town(w, id))), "")
        )
    _check_parts(card, dealt)
    _check_people(w, dealt)
    _check_subject(w, dealt)
    _check_limits(dealt)
    if dealt.where and RULES[card.rule].one_room:
        dealt = replace(dealt, where=room_of(w, dealt.where))
    RULES[card.rule].check(w, dealt, card)
    return card, dealt


def is_given(dealt: Dealt, part: str) -> bool:
    """Whether a card is given that part."""
    return bool(getattr(dealt, part) != getattr(EMPTY, part))


def _check_parts(card: DeckCard, dealt: Dealt) -> None:
    """Raise ValueError if a card is given what it does not take, or lacks what it needs."""
    for part in PARTS:
        given = is_given(dealt, part)
        if given and part not in (*card.needs, *card.may):
            raise ValueError(f"{card.called} takes no {PARTS[part].removeprefix('a ')}; {_takes(card)}")
        if part in card.needs and not given:
            raise ValueError(f"{card.called} needs {PARTS[part]}; {_takes(card)}")


def _check_people(w: HasDirector, dealt: Dealt) -> None:
    """Raise ValueError if a person named is unknown or out of town, or is named twice."""
    for who in (dealt.to, dealt.whom):
        if who and who not in w.cast:
            raise ValueError(f"there is {unknown('person', who, w.cast)}")
        if who and not in_town(w, who):
            raise ValueError(f"{w.handbook.name(who)} has left town; name somebody who is here")
    if dealt.to and dealt.to == dealt.whom:
        raise ValueError(f"{w.handbook.name(dealt.to)} cannot be both; name two people")


def _check_subject(w: HasDirector, dealt: Dealt) -> None:
    """Raise ValueError if the matter or the place named is unknown."""
    if dealt.matter and find_fact(w, dealt.matter) is None:
        raise ValueError(f"there is no matter {in_quotes(dealt.matter)} now; choose one that is open")
    if dealt.where and not any(is_within(x, dealt.where) for x in w.map.areas):
        raise ValueError(f"there is {unknown('place', dealt.where, w.map.areas)}")


def _check_limits(dealt: Dealt) -> None:
    """Raise ValueError if it starts too late, lasts too long or brings too many coins."""
    if dealt.later > FAR or dealt.later < 0:
        raise ValueError(f"a card waits {FAR // 86400} days at most; deal it later")
    if dealt.lasts > FAR or dealt.lasts < 0:
        raise ValueError(f"a card lasts {FAR // 86400} days at most; make it shorter")
    if not 0 <= dealt.coins <= COINS:
        raise ValueError(f"a card brings {COINS} coins at most; name fewer")


def room_of(w: HasDirector, where: str) -> str:
    """The room or open place of a building where people gather: the one with the most seats."""
    if where in w.map.areas:
        return where
    found = [a for a in w.map.areas.values() if is_within(a.address, where)]
    return max(found, key=lambda a: (sum("sit" in x.affords for x in a.things), len(a.tiles), a.address)).address


def _takes(card: DeckCard) -> str:
    takes = [*(PARTS[x] for x in card.needs), *(f"perhaps {PARTS[x]}" for x in card.may)]
    return f"it takes {', '.join(takes) or 'nothing'}"


def price(w: HasDirector, card: DeckCard) -> int:
    """The influence that a card costs; 0 where influence is not counted."""
    return card.price if w.director_parameters.influence else 0


def influence_left(w: HasDirector) -> int | None:
    """The influence left for today; None where influence is not counted."""
    most = w.director_parameters.influence
    return max(0, most - w.director.spent.get(w.clock.day(w.now), 0)) if most else None


def afford(w: HasDirector, card: DeckCard) -> None:
    """Raise ValueError if too little influence is left today for a card."""
    rest = influence_left(w)
    if rest is not None and card.price > rest:
        raise ValueError(
            f"{card.called} costs {card.price} of your influence, and {rest} is left today; wait for a new day"
        )


# ---- whom a card is likely to touch, and why


MOST = 8  # people listed, at most
DEAR, FOE = 0.4, -0.3  # feelings from which somebody counts as fond of another, or glad of their harm
LIKELY = 0.15  # likelihood below which nobody is listed


def likely_touches(w: HasDirector, dealt: Dealt) -> list[Touch]:
    """Whom a card is likely to touch, the likeliest first: by its rule, then by ties to its people and its matter.

    Raises ValueError, with a sentence, if the card cannot be dealt.
    """
    card, dealt = validate_card(w, dealt)
    out: dict[str, Touch] = {}
    for t in (*RULES[card.rule].touches(w, dealt, card), *_beyond(w, dealt)):
        if t.who and t.much >= LIKELY and (in_town(w, t.who) or t.who == dealt.guest):
            known = out.get(t.who)
            if known is None:
                out[t.who] = t
            elif t.why not in known.why and known.why.count(";") < 2:
                out[t.who] = Touch(t.who, f"{known.why}; {t.why}", max(known.much, t.much))
    order = {who: i for i, who in enumerate(w.cast)}
    return sorted(out.values(), key=lambda t: (-t.much, order[t.who]))[:MOST]


def _beyond(w: HasDirector, dealt: Dealt) -> Iterator[Touch]:
    """Whom a card touches beyond its rule: people tied to its matter, and those with pressures between its people."""
    fact = fact_of(w, dealt)
    if fact is not None:
        yield from _of_matter(w, dealt)
        accused = slots_of(fact, dealt)[0]
        if accused != fact.a:
            yield Touch(accused, "is said to have done it", 0.9)
            yield from _friends(w, accused, dealt)
    for one, other in ((dealt.to, dealt.whom), (dealt.whom, dealt.to)):
        for p in w.pressures.open.values() if one and other else ():
            if (p.holder, p.about) == (one, other):
                yield Touch(one, presses(w, p), 0.4 + 0.6 * intensity_at(p, w.now, w.pressure_parameters))
    if fact is None and dealt.to and not dealt.whom:
        mine = [p for p in w.pressures.open.values() if p.holder == dealt.to]
        most = max(mine, key=lambda p: intensity_at(p, w.now, w.pressure_parameters), default=None)
        if most is not None:
            yield Touch(dealt.to, presses(w, most), 0.5)


def _of_matter(w: HasDirector, dealt: Dealt) -> Iterator[Touch]:
    """Whoever holds the matter, is its subject, asks about it, or believes something of it."""
    fact = fact_of(w, dealt)
    assert fact is not None
    p = w.pressures.open.get(fact.matter)
    if p is not None:
        yield Touch(p.holder, presses(w, p), 0.9)
        if p.about and p.about not in p.known_by:
            yield Touch(p.about, f"does not know it yet: {gist(p.stakes)}", 0.8)
        elif p.about:
            yield Touch(p.about, f"it is about them: {gist(p.stakes)}", 0.7)
    elif fact.a:
        yield Touch(fact.a, "it is their doing", 0.8)
    for x in w.pressures.open.values():
        if x.asks in (fact.id, fact.matter):
            yield Touch(x.holder, f"asks about it: {gist(x.stakes)}", 0.8)
    for who in w.cast:
        if any(b.fact == fact.id for b in current_beliefs(w.beliefs, who, w.now, w.belief_parameters)):
            yield Touch(who, "has heard of it", 0.3)
    yield from _friends(w, fact.a, dealt)


def _friends(w: HasDirector, whom: str, dealt: Dealt) -> Iterator[Touch]:
    """Who has strong feelings, for or against, for the person whom the card speaks of."""
    for who in w.cast:
        f = tie_of(w, who, whom).feeling
        if who in (whom, dealt.to):
            continue
        if f >= DEAR:
            yield Touch(who, f"is fond of {w.handbook.name(whom)}", 0.2 + 0.2 * f)
        elif f <= FOE:
            yield Touch(who, f"would be glad to hear it of {w.handbook.name(whom)}", 0.2 - 0.2 * f)


# ---- what became of what was dealt


class CardFate(NamedTuple):
    """What became of a card. at, played: the event that dealt it; reached: whom it reached, each once; over: how it
    ended, None if it has not.
    """

    at: Stamp
    played: CardPlayed
    reached: tuple[str, ...] = ()
    over: str | None = None


FATE_KINDS = (CardPlayed.KIND, CardReached.KIND, CardOver.KIND)


def card_fates(records: Iterable[Record]) -> list[CardFate]:
    """What became of the cards that these records deal, in order."""
    found: dict[int, CardFate] = {}
    for at, e in records:
        if isinstance(e, CardPlayed):
            found[at.seq] = CardFate(at, e)
        elif isinstance(e, CardReached) and e.card in found:
            one = found[e.card]
            found[e.card] = one._replace(reached=tuple(dict.fromkeys((*one.reached, at.actor))))
        elif isinstance(e, CardOver) and e.card in found:
            found[e.card] = found[e.card]._replace(over=e.how)
    return [*found.values()]


# ---- what somebody can be asked about the cards that have reached them


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
            return myself(clean(fact_sentence(w, w.beliefs.facts[b.fact], b.slots), TEXT_LENGTH), w.handbook.name(who))
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
    return myself(clean(wanted, TEXT_LENGTH), w.handbook.name(who))


def _of_it(p: ActivePressure, received: ReceivedCard, kinds: set[str]) -> bool:
    """Whether a pressure began, or was stirred, after a card reached its holder."""
    if received.matter and p.id == received.matter:
        return p.last > received.seq
    return p.kind in kinds and (p.seq > received.seq or p.last > received.seq)
