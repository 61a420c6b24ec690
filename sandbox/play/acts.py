"""What a played person can say to another now: about their own matters, about what they have heard, and ordinary talk;
with how it is likely to be taken, why, and who else will mind.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.drama.consequences import PressureDeed, free_moment, move_pressure
from sandbox.drama.new_pressures import bear
from sandbox.people.beliefs import FIRSTHAND, Belief, fact_sentence
from sandbox.people.claim_handlers import claims_of
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.paying import GIFT, PART, has, pay
from sandbox.people.perceive import in_view
from sandbox.people.played import (
    GIVE,
    GOSSIP,
    HANDED,
    LEND,
    PAY,
    SET_RIGHT,
    TOLD_OF,
    TWIST,
    PutTo,
    TalkWish,
    given_key,
    pressure_behind,
)
from sandbox.people.pressure_deck import ANSWERS, LIE, Effect, gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import pressures_between
from sandbox.play.beginnings import beginning_phrase, imagined_pressure, why_not
from sandbox.play.beginnings import possible_wishes as to_begin
from sandbox.play.model import Begin, Handed, HasPlay, Speak
from sandbox.talk import move_rules
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.meeting import accept_question
from sandbox.talk.model import ScoredRule
from sandbox.talk.played_talk import belief_to_tell, to_set_right, worse
from sandbox.talk.pressure_aims import DEBT, aims, ending_pays, hearers
from sandbox.talk.question_replies import Expected, expected_answer, expected_talk
from sandbox.talk.question_wishes import MOODS, Aim, Chosen
from sandbox.talk.rumours import possible_intents, secret_to_cover, tellable
from sandbox.talk.turns import respond_to
from sandbox.town.ways import tile_at

HANDS = {GIVE: "give them {amount}", LEND: "lend them {amount}", PAY: "pay them {amount} of what is owed"}
LOAN = "coins_lent"  # the deck's child that a loan creates
PROUD = -0.3  # feeling below which nobody accepts a gift or a loan
WARMS, MORE, HALF = 0.02, 0.08, 10  # how a gift changes the feeling: minimum, the most above it, coins for half of that
GRATEFUL, TURNED_DOWN = 0.4, 0.3  # sizes of the feelings after a gift, and after refusing one


def oldest_debt(w: HasPlay, me: str, other: str) -> ActivePressure | None:
    """The oldest debt of coins that `me` owes `other`, None if there is none."""
    found = pressures_between(w.pressures, me, other)
    return min((p for p in found if p.kind == DEBT and p.holder == me and p.amount), key=lambda p: p.seq, default=None)


def takes(w: HasPlay, me: str, other: str, how: str) -> bool:
    """Whether somebody accepts coins: what is owed always, a gift or loan unless they detest `me`."""
    return how == PAY or tie_of(w, other, me).feeling >= PROUD


def no_hand(w: HasPlay, me: str, wish: TalkWish) -> str:
    """Why coins cannot be handed over, a clause; "" if they can."""
    name, sum_ = w.handbook.name(wish.whom), spelt(wish.coins)
    if wish.do not in HANDS:
        return f"coins can be given, lent or paid; there is no way to {wish.do} them"
    if w.money is None:
        return "there is no money in this town"
    if not has(w, me, wish.coins):
        return f"you do not have {sum_}; you have {spelt(w.people.residents[me].purse.coins)}"
    if wish.do == PAY:
        debt = oldest_debt(w, me, wish.whom)
        if debt is None:
            return f"you owe {name} no coins"
        return f"you owe {name} only {spelt(debt.amount)}, not {sum_}" if wish.coins > debt.amount else ""
    if wish.do == LEND and LOAN not in w.drama.children:
        return "nobody lends anything in this town"
    if wish.do == LEND and any(p.kind == DEBT for p in pressures_between(w.pressures, me, wish.whom)):
        return f"there is a debt between you and {name} already"
    return ""


def warms(coins: int) -> float:
    """By how much a gift raises the receiver's feeling."""
    return WARMS + MORE * coins / (coins + HALF)


def hand_over(step: Step, w: HasPlay, me: str, wish: TalkWish) -> None:
    """Hand over coins when the two meet, with all consequences."""
    other, coins = wish.whom, wish.coins
    t = free_moment(step, w, me, other)
    taken = takes(w, me, other, wish.do)
    since = w.played.given.get(given_key(me, other))
    warm = taken and wish.do == GIVE and (since is None or t - since >= DAY)
    why = f"{w.handbook.name(me)} gave them {spelt(coins)}"
    feelings = (feeling_change(w, other, me, warms(coins), why),) if warm else ()
    seq = step.emit(Handed(other, wish.do, coins, taken, feelings), t=t, actor=me, causes=(wish.seq,))
    if not taken:
        name = w.handbook.name(other)
        express(step, w, me, Appraisal("disappointment", TURNED_DOWN, f"{name} would not take it", other), t, seq)
    elif wish.do == GIVE:
        paid = pay(step, w, me, coins, GIFT, t, seq, other)
        express(step, w, other, Appraisal("gratitude", GRATEFUL, why, me, "deed"), t, paid)
    elif wish.do == LEND:
        bear(step, w, LOAN, (seq,), me, other, since=t, amount=coins)
    elif (debt := oldest_debt(w, me, other)) is not None:
        _pays(step, w, me, debt, coins, seq)


def _pays(step: Step, w: HasPlay, me: str, debt: ActivePressure, coins: int, seq: int) -> None:
    """Pay all or part of a debt; paid in full, it ends as its kind says."""
    ways = w.drama.kinds[debt.kind].ways
    whole = [x for x in ways if (x.by, x.to) == ("holder", "about") and ending_pays(w, debt, x.accept.end)]
    if coins == debt.amount and whole:
        paid = Effect(end=whole[0].accept.end)
        move_pressure(step, w, PressureDeed(debt, paid, me, debt.about, whole[0].do, "accept"), seq)
    else:
        pay(step, w, me, coins, PART, free_moment(step, w, me, debt.about), seq, debt.about, debt.id)


MOST, NEWS, BEGUN, ORDINARY = 6, 2, 2, 3  # offers shown, at most; of these heard news, beginnings, ordinary talk
NUMBER = re.compile(r"\b\d{1,7}\b")
REASONS = 3  # rules listed as reasons
INNER = frozenset(  # rules that one can know about somebody only if they are in sight
    (*(name for pair in MOODS for name in pair), "in a hurry", "is busy", "can spare the money", "at work")
)
INTENTS = {
    "chat": "ask how they are", "ask_plans": "ask what they are up to", "compliment": "say something kind",
    "tease": "tease them", "snap": "be short with them", "vent": "tell what annoys you", 
    "worry": "tell what worries you",
    "ask_about": "ask what they care about", "opinion": "say what you think", "mention": "speak of what you read",
    "own_news": "tell what is new with you", "ask_after": "ask after what is new with them",
    "share_news": "tell what you saw", "remember": "speak of old times",
}  # fmt: skip
FIRST = ("ask_after", "own_news", "vent", "worry", "mention", "share_news", "remember", "opinion", "compliment", "chat",
         "ask_about", "tease", "ask_plans", "snap")  # fmt: skip
MET = ("chat", "ask_after", "own_news", "ask_about", "ask_plans", "compliment", "share_news", "mention", "opinion",
       "worry", "vent", "remember", "tease", "snap")  # fmt: skip  # to whom one has hardly met


class Objection(NamedTuple):
    """Somebody else who will mind, and why: a clause without its subject."""

    who: str
    why: str


class TalkOffer(NamedTuple):
    """Something that can be said. do, aim: as in Speak; says: an infinitive without "to"; matter: what it is about, ""
    for ordinary talk. begins: the beginning, if it starts a new matter; third: who else that is about; coins: its sum.
    chances: answer -> probability, None if `me` can hardly tell; why: the strongest rules; minds: who else will mind.
    """

    do: str
    aim: str
    says: str
    matter: str
    chances: dict[str, float] | None
    why: tuple[ScoredRule, ...]
    minds: tuple[Objection, ...]
    begins: str = ""
    third: str = ""
    coins: int = 0

    def command(self, me: str, whom: str, words: str = "") -> Speak | Begin:
        """The command by which `me` says it. words: the player's own, "" for generated ones; a number in them replaces
        the sum.
        """
        if self.begins:
            sum_ = NUMBER.search(words) if self.coins else None
            coins = int(sum_[0]) if sum_ is not None else self.coins
            return Begin(by=me, whom=whom, what=self.begins, third=self.third, coins=coins, words=words)
        return Speak(by=me, whom=whom, do=self.do, aim=self.aim, words=words)


def talk_offers(w: HasPlay, me: str, other: str) -> list[TalkOffer]:
    """What `me` may say to `other` now, limited to MOST: first their strongest matters, then news, then suitable
    beginnings, then ordinary talk. To somebody hardly known, ordinary talk comes first.
    """
    found = every_offer(w, me, other)
    plain = [x for x in found if not x.aim]
    begun = [x for x in found if x.begins]
    of_matters = [x for x in found if x.aim and not x.begins][: MOST - 1 - bool(begun)]
    of_matters += _best(w, begun)[: max(1, min(BEGUN, MOST - 1 - len(of_matters)))]
    if knows_little(w, me, other):
        plain = sorted(plain, key=lambda x: MET.index(x.do))[:ORDINARY]
        return plain + of_matters[: MOST - len(plain)]
    return of_matters + plain[: max(1, min(ORDINARY, MOST - len(of_matters)))]


def _best(w: HasPlay, begun: list[TalkOffer]) -> list[TalkOffer]:
    """Each beginning once, the most suitable first: by the deck's weight and the chance of a yes."""
    first = {x.begins: x for x in reversed(begun)}.values()
    chance = {x.begins: x.chances.get("accept", 0.0) if x.chances is not None else 0.0 for x in first}
    return sorted(first, key=lambda x: (-w.drama.beginnings[x.begins].weight * (0.5 + chance[x.begins]), x.begins))


def every_offer(w: HasPlay, me: str, other: str) -> list[TalkOffer]:
    """All that `me` can say to `other` now."""
    t = w.now
    pressing = sorted(aims(w, me, other, t), key=lambda aim: -aim.intensity * aim.weight)
    ways = {(aim.pressure, aim.do): aim for aim in reversed(pressing)}  # the strongest of equal ones
    found = [_of_aim(w, me, other, aim) for aim in pressing if ways[aim.pressure, aim.do] is aim]
    heard = tellable(w, me, other, t)[-NEWS:]
    for b in reversed(heard):
        fact = w.beliefs.facts[b.fact]
        third = b.a if b.a != other else b.b
        says = f"tell them of {w.handbook.name(third)}" if third != other else "warn them of what is said"
        concerned = _concerned(b, me, other, "it is said of them")
        if b.source in FIRSTHAND:
            says = f"tell them how it is with {w.handbook.name(third)}, as you know it" if third != other else says
        offer = TalkOffer(GOSSIP, b.fact, says, fact_sentence(w, fact, b.slots), None, (), concerned)
        found.append(_taken(w, me, other, offer, None))
    for b in to_set_right(w, me, other, t)[-NEWS:]:
        told = fact_sentence(w, w.beliefs.facts[b.fact], b.slots)
        offer = TalkOffer(SET_RIGHT, b.fact, "take back what you told them, and say how it is", told, None, (), ())
        found.append(_taken(w, me, other, offer, None))
    found += [_lie(w, me, other, lie) for b in heard[-1:] if (lie := worse(w, b)) is not None]
    found += [begun_offer(w, me, other, wish) for wish in to_begin(w, me, other)]
    rest = {*possible_intents(w, me, other, t)}
    return found + [
        _taken(w, me, other, TalkOffer(x, "", INTENTS[x], "", None, (), ()), None) for x in FIRST if x in rest
    ]


def _concerned(belief: Belief, me: str, other: str, why: str) -> tuple[Objection, ...]:
    """Who, other than the two, would mind that this is told."""
    return tuple(Objection(who, why) for who in dict.fromkeys((belief.a, belief.b)) if who and who not in (me, other))


def _lie(w: HasPlay, me: str, other: str, twisted: Belief) -> TalkOffer:
    """To tell something, made worse than one believes it to be."""
    says = fact_sentence(w, w.beliefs.facts[twisted.fact], twisted.slots)
    minds = _concerned(twisted, me, other, "it is not so")
    return _taken(w, me, other, TalkOffer(TWIST, twisted.fact, "make it worse than it is", says, None, (), minds), None)


def knows_little(w: HasPlay, me: str, other: str) -> bool:
    """Whether `me` can hardly predict `other`: they have never talked, and are not close."""
    tie = tie_of(w, me, other)
    return tie.talks == 0 and tie.closeness < 0.1


def _of_aim(w: HasPlay, me: str, other: str, aim: Aim) -> TalkOffer:
    p = w.pressures.open[aim.pressure]
    return _pressing(
        w, me, other, p, TalkOffer(aim.do, aim.pressure, exchange_phrase(w, aim.do), gist(p.stakes), None, (), ())
    )


def exchange_phrase(w: HasPlay, do: str) -> str:
    """An exchange of the deck as an infinitive without "to"."""
    says = w.drama.exchanges[do].says
    return says.removeprefix("to ") if says.startswith("to ") else do.replace("_", " ")


def begun_offer(w: HasPlay, me: str, other: str, wish: TalkWish) -> TalkOffer:
    """The offer for a beginning, with how it would be taken. wish: to begin it."""
    p, b = imagined_pressure(w, me, wish, w.now), w.drama.beginnings[wish.begin]
    matter = "" if b.third or b.sums or b.of or b.sways else gist(p.stakes)
    aim = ".".join(filter(None, (wish.begin, wish.third)))
    says = beginning_phrase(w, me, wish)
    return _pressing(
        w, me, other, p, TalkOffer(b.do, aim, says, matter, None, (), (), wish.begin, wish.third, wish.coins)
    )


def _pressing(w: HasPlay, me: str, other: str, p: ActivePressure, offer: TalkOffer) -> TalkOffer:
    """An offer completed with how it is taken and who minds. p: the pressure behind it, real or imagined."""
    exchange = w.drama.exchanges[offer.do]
    answer = expected_answer(respond_to(w, p, offer.do, me, other, w.now))
    minds = [Objection(who, "it is about them") for who in (p.holder, p.about) if who and who not in (me, other)]
    near = hearers(w, me, other, w.now) if exchange.hostile or exchange.public else []
    minds += [Objection(who, "will hear it") for who in near]
    for c in (c for who in (me, other) for c in claims_of(w, who) if c.kind in exchange.bars):
        minds += [Objection(who, f"is a {c.kind} of one of you") for who in c.people if who not in (me, other)]
    unique = tuple({m.who: m for m in reversed(minds)}.values())[::-1]
    return _taken(w, me, other, offer._replace(minds=unique), answer)


def _taken(w: HasPlay, me: str, other: str, offer: TalkOffer, answer: Expected | None) -> TalkOffer:
    """An offer with its chances: first that they start a talk, then of each answer."""
    talking = are_talking(w, me, other)
    wish = Chosen(offer.do, (), "", pressure_behind(offer.do, offer.aim))
    talk = Expected({}, ()) if talking else expected_talk(accept_question(w, me, other, w.now, wish))
    goes = 1.0 if talking else talk.chances["accept"]
    chances = {k: v for k, v in talk.chances.items() if k != "accept"}
    for how, chance in (answer.chances if answer is not None else {"accept": 1.0}).items():
        chances[how] = chances.get(how, 0.0) + goes * chance
    found = answer.why + (talk.why if answer is None or goes < 0.9 else ()) if answer is not None else talk.why
    why = tuple(sorted(found, key=lambda r: -abs(r.value))[:REASONS])
    if not _in_sight(w, me, other):
        why = tuple(rule for rule in why if rule.name not in INNER)
    if knows_little(w, me, other):
        return offer._replace(why=why[:1])
    return offer._replace(chances=chances, why=why)


def _in_sight(w: HasPlay, me: str, other: str) -> bool:
    a, b = (tile_at(w.town.spots[x], max(w.now, w.last.get(x, 0)), w.map.width) for x in (me, other))
    return in_view(w, a, b)


def are_talking(w: HasPlay, me: str, other: str) -> bool:
    """Whether the two are in a talk with each other."""
    talk = w.people.residents[me].talk
    return bool(talk) and talk == w.people.residents[other].talk


def answers_to(w: HasPlay, put: PutTo) -> tuple[str, ...]:
    """The possible answers to what was put to somebody; "lie" only if there is something to hide."""
    p, me = w.pressures.open.get(put.aim), w.played.who
    hides = p is not None and w.drama.exchanges[put.do].lie and secret_to_cover(w, p, put.do, me, put.other) is not None
    return (*ANSWERS, LIE) if hides else ANSWERS


def can_start_talk(w: HasPlay, me: str, other: str) -> bool:
    """Whether the two could start a talk: near, in sight of each other, awake, and in no other talk."""
    a, b = w.people.residents[me], w.people.residents[other]
    if are_talking(w, me, other):
        return True
    t = max(w.now, w.last.get(me, 0))
    near = hearers(w, me, me, t, w.talk_parameters.reach)
    seen = w.ways.sees(*(tile_at(w.town.spots[x], t, w.map.width) for x in (me, other)))
    return other in near and seen and a.awake and not a.talk and not b.talk


def why_unsaid(w: HasPlay, me: str, wish: TalkWish) -> str:
    """Why a wish can no longer be said or handed over; "" if it can."""
    if wish.do in HANDED:
        return no_hand(w, me, wish)
    if wish.begin and wish.aim not in w.pressures.open:
        return why_not(w, me, wish)
    can = possible_now(w, me, wish.whom, wish.do, wish.aim)
    return "" if can else f"it can no longer be said to {w.handbook.name(wish.whom)}"


def possible_now(w: HasPlay, me: str, other: str, do: str, aim: str) -> bool:
    """Whether `me` can say that to `other` now."""
    if do in TOLD_OF and aim:
        return belief_to_tell(w, me, other, w.now, do, aim) is not None
    if aim:
        return any((x.pressure, x.do) == (aim, do) for x in aims(w, me, other, w.now))
    return do in move_rules.LEADS
