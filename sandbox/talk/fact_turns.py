"""Which fact of a matter a turn is about, and the stance taken to it.

Whoever leads tells a fact that the two have not exchanged, or asks for one; whoever answers takes the same fact up, and
may add one that explains it. The stance is a move of the line book (data/moves.yaml, group `facts`), whose lines hold
the fact; what the turn does to both is still the move that it is made for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandbox.people.matter_model import ASKED, COST, DEED, EXCUSE, FACT_KEYS, OFFER, SETTLES, fact_name
from sandbox.people.matters import Told, fact_forms, have_asked, have_shared, knows_fact, matter_facts
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.lines import EFFECTS
from sandbox.talk.model import HasTalk

CHARGE, ADMIT, STATE, CHECK, WONDER, DEMAND, PROPOSE = (
    "charge", "admit", "state", "check", "wonder", "demand", "propose",
)  # fmt: skip
OWN, EXCUSES, GAINSAY, DOUBT, CONCEDE, LEARN, KNEW = "own", "excuse", "gainsay", "doubt", "concede", "learn", "knew"
TELL, IGNORANT, EVADE, AGREE, REFUSE, SIDE, SOFTEN = (
    "tell", "ignorant", "evade", "agree_to", "refuse_to", "side", "soften",
)  # fmt: skip
ASKS = frozenset((CHECK, WONDER))
EXPLAINED = frozenset((OWN, EXCUSES, KNEW))  # stances that may add a fact
WANTS = frozenset((DEMAND, PROPOSE))
WANTED = frozenset((OFFER, SETTLES))  # facts that are a deed to come
ASKING = frozenset(("ask_straight", "ask_around", "ask_about", "ask_on"))  # moves that ask
ORDINARY = frozenset(("vent", "worry", "ask_about", "ask_on"))  # moves of ordinary talk
UNTOLD = HUSHED | {"guilt"}  # kinds of pressure of which ordinary talk tells no fact
CONFESSING = frozenset(("own_up", "apologise", "confide", "put_off", "beg_off", "share_trouble", "worry"))
FAULTS = frozenset(("guilt", "secret", "debt", "promise"))  # kinds whose deed is confessed by who did it
WRONGS = frozenset(("grudge", "debt", "promise", "suspicion"))  # kinds in which one has wronged the other
USUAL = (DEED, COST, "hour", "place", EXCUSE, SETTLES, OFFER)  # the order in which facts are told
KINDLY = {  # move of an answer in ordinary talk -> as whose it counts
    "comfort": "accept", "complain_back": "accept", "react_gossip": "accept", "bristle": "refuse", "reassure": "refuse",
    "soothe": "refuse", "tell_on": "accept", "answer_about": "accept", "turn_aside": "dodge",
    "dodge": "dodge", "cold_reply": "dodge",
}  # fmt: skip


class FactTurn(NamedTuple):
    """What a turn says of a matter. key: the fact; stance: a move of the group `facts`; more: a fact that is added."""

    matter: str
    key: str
    stance: str
    more: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The facts as an utterance names them."""
        first = fact_name(self.matter, self.key)
        return (
            ASKED + first if self.stance in ASKS else first,
            *((fact_name(self.matter, self.more),) if self.more else ()),
        )


def lead_fact(w: HasTalk, matter: str, move: str, me: str, other: str, first: Iterable[str] = ()) -> FactTurn | None:
    """The fact that somebody leads with over a matter by a move, and their stance to it; None if nothing is left to be
    said of it, or nobody wrote facts of it. first: keys that go before others.
    """
    p = w.pressures.open.get(matter)
    facts = matter_facts(w, p) if p is not None else {}
    if p is None or not facts or (p.kind in UNTOLD and move in ORDINARY):
        return None
    new = [key for key in _ordered(facts, first) if not have_shared(w, p, key, me, other)]
    mine = [key for key in new if knows_fact(w, p, facts[key], me)]
    if move in ASKING:
        unknown = [key for key in new if key not in mine and not have_asked(w, p, key, me, other)]
        sure = [key for key in mine if facts[key].doer != me and not have_asked(w, p, key, me, other)]
        checks, wonders = [(key, CHECK) for key in sure[:1]], [(key, WONDER) for key in unknown[:1]]
        asked = wonders + checks if move == "ask_on" else checks if move == "ask_about" else checks + wonders
        return FactTurn(p.id, *asked[0]) if asked else None
    if not mine:
        return None
    return FactTurn(p.id, mine[0], _lead_stance(p, facts[mine[0]], move, me, other))


def _ordered(facts: Mapping[str, Told], first: Iterable[str]) -> list[str]:
    """The keys there are, in the order in which they are told."""
    return [key for key in dict.fromkeys((*first, *USUAL, *FACT_KEYS)) if key in facts]


def _lead_stance(p: ActivePressure, fact: Told, move: str, me: str, other: str) -> str:
    if fact.key in WANTED:
        return DEMAND if fact.doer == other else PROPOSE if fact.doer == me else STATE
    harsh = EFFECTS[move].valence < 0.0 or move == "remind"
    if fact.doer == me and move in CONFESSING and p.kind in FAULTS:
        return ADMIT
    return CHARGE if (harsh and fact.doer != me) or (harsh and fact.key == COST) else STATE


def further_fact(w: HasTalk, matter: str, move: str, me: str, other: str) -> FactTurn | None:
    """The fact with which somebody goes on after an answer that settled nothing: what it cost, why it was done, and at
    last what would settle it.
    """
    p = w.pressures.open.get(matter)
    facts = matter_facts(w, p) if p is not None else {}
    if p is None or not facts:
        return None
    for key in (COST, "hour", EXCUSE, "place", DEED, OFFER, SETTLES):
        if key not in facts or have_shared(w, p, key, me, other):
            continue
        if knows_fact(w, p, facts[key], me):
            return FactTurn(p.id, key, _lead_stance(p, facts[key], move, me, other))
        if key in (EXCUSE, OFFER) and facts[key].doer in ("", other) and not have_asked(w, p, key, me, other):
            return FactTurn(p.id, key, WONDER)
    return None


def answer_fact(w: HasTalk, said: FactTurn, how: str, me: str, other: str) -> FactTurn | None:
    """How somebody takes up the fact that the other has led with. how: accept, dodge, refuse or lie, of the answer as a
    whole; or a move of ordinary talk. None if the matter is over.
    """
    p = w.pressures.open.get(said.matter)
    facts = matter_facts(w, p) if p is not None else {}
    if p is None or said.key not in facts:
        return None
    fact, how = facts[said.key], KINDLY.get(how, how)
    stance = _answer_stance(w, p, fact, said.stance, how, me, other)
    more = _more(w, p, facts, said.key, stance, me, other)
    if stance == EXCUSES and not more:
        stance = DOUBT
    return FactTurn(p.id, said.key, stance, more)


def _answer_stance(w: HasTalk, p: ActivePressure, fact: Told, led: str, how: str, me: str, other: str) -> str:
    knows = knows_fact(w, p, fact, me)
    if how == "dodge":
        return EVADE
    if led in WANTS:
        return AGREE if how == "accept" else REFUSE
    if led == WONDER:
        return IGNORANT if not knows else TELL if how == "accept" else EVADE
    if fact.doer == me or (led == CHECK and not fact.so and knows):
        if how == "lie" or not fact.so:
            return GAINSAY
        fault = p.kind in FAULTS | WRONGS and fact.key in (DEED, EXCUSE)
        return CONCEDE if not fault else OWN if how == "accept" else EXCUSES
    if led == CHECK:
        return DOUBT if not knows else KNEW if how == "accept" else EVADE
    if me in (p.holder, p.about):
        return DOUBT if how == "refuse" and not knows else CONCEDE
    if p.kind in WRONGS and _suffers(p, fact, other):
        return SIDE if how == "accept" else SOFTEN
    if how == "refuse" and p.kind == "suspicion" and not knows:
        return DOUBT
    return KNEW if knows else LEARN


def _suffers(p: ActivePressure, fact: Told, who: str) -> bool:
    """Whether a fact is what the other did to somebody of a matter in which one wrongs the other, or what it cost."""
    wronged, other = (p.about, p.holder) if p.kind in ("debt", "promise") else (p.holder, p.about)
    return who == wronged and (fact.key == COST or (fact.key == DEED and fact.doer == other))


def _more(w: HasTalk, p: ActivePressure, facts: Mapping[str, Told], key: str, stance: str, me: str, other: str) -> str:
    """A fact that somebody adds to an answer of this stance: the reason they had, what they would do, or another that
    they know; "" for none.
    """
    if stance == EXCUSES or (stance == OWN and key not in WANTED):
        wanted = [k for k in (EXCUSE, OFFER, SETTLES) if k in facts and facts[k].doer == me]
    elif stance == KNEW:
        wanted = [k for k in _ordered(facts, ()) if k not in WANTED and facts[k].doer != other]
    else:
        return ""
    return next(
        (k for k in wanted if k != key and not have_shared(w, p, k, me, other) and knows_fact(w, p, facts[k], me)), ""
    )


class FactWords(NamedTuple):
    """The line criteria and slots of a turn about a fact. theirs: slots that its speaker does not know but was told."""

    context: dict[str, str]
    slots: dict[str, str]
    theirs: frozenset[str]


NO_WORDS = FactWords({}, {}, frozenset())


def fact_context(w: HasTalk, turn: FactTurn, me: str, other: str) -> FactWords:
    """The words of a turn about a fact; none if the matter is over."""
    p = w.pressures.open.get(turn.matter)
    facts = matter_facts(w, p) if p is not None else {}
    if p is None or turn.key not in facts:
        return NO_WORDS
    fact, forms = facts[turn.key], fact_forms(w, p, facts[turn.key], me, other)
    whose = {me: "me", other: "you", "": "it"}.get(fact.doer, "other")
    slots = dict(forms._asdict()) if turn.stance not in (WONDER, IGNORANT) else {}
    if turn.more:
        slots["more"] = fact_forms(w, p, facts[turn.more], me, other).fact
    theirs = frozenset() if knows_fact(w, p, fact, me) else frozenset(forms._fields)
    return FactWords({"fact": turn.key, "of": whose, "follows": "fact"}, slots, theirs)
