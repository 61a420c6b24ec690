"""How pressures are born: out of others, out of ordinary talk, out of what comes from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import UNSET

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Stamp
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.claim_handlers import COUPLE, LODGES, between, claims_of, knows
from sandbox.people.guest_model import in_town
from sandbox.people.paying import LOAN, has, pay
from sandbox.people.perceive import area_at
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import SIDES, Child, Renewal, Role
from sandbox.people.pressure_deck import child_of, heart
from sandbox.people.pressure_model import ActivePressure, Began, Stirred
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.content import tie_of
from sandbox.talk.model import Closed, HasTalk
from sandbox.talk.pressure_aims import feature_values
from sandbox.talk.rumours import HIDDEN

AGAIN = 0.1  # by which a pressure grows that would have been born a second time
KIN = "kin"  # the kind of claim that bars love
LOVE = "crush"  # of which there is one between two, whatever it came of
ADULT, APART = 18, 12  # who may fall in love: from that age, and no more years between them
TOGETHER, HOUSE, HEART = 18, 0.8, 0.35  # years apart, closeness and feeling of a couple
MOST = 5  # open pressures a person may have before nothing small is added
UP = 2 * HOUR  # that people are up before anything falls due
TO_COME = 4 * DAY  # within which what the cast has still to come takes up room
ASLEEP = 0.75  # of an open pressure, that a pressure of the cast takes up before it wakes


class Birth(NamedTuple):
    """A pressure about to be born. made: the child of the deck; parts: who has which part in it; parent: the pressure
    it comes of; thread: that it goes on with, "" = none.
    """

    made: Child
    parts: Mapping[str, str]
    parent: ActivePressure | None
    thread: str

    @property
    def holder(self) -> str:
        """Who would hold it, "" = nobody."""
        return self.parts.get(self.made.holder, "")

    @property
    def about(self) -> str:
        """Whom it would be about, "" = nobody."""
        return self.parts.get(self.made.about, "")


def bear(
    step: Step,
    w: HasTalk,
    child: str,
    causes: tuple[int, ...],
    actor: str,
    target: str,
    parent: ActivePressure | None = None,
    place: str = "",
    since: int = 0,
    amount: int = 0,
    thread: str = "",
    stakes: str = "",
    other: str = "",
    asks: str = "",
) -> str:
    """Bring a child of the deck into the world, or make the one stronger that is there already over the same matter.

    since: when that happened which it comes of. amount: coins of a debt, 0 = as the deck has it. thread: that it goes
    on with, if it has no parent. stakes: what its words call {stakes}, if not those of the parent. other: the third of
    a spark. asks: the fact it asks about, if not what `about` keeps from its holder. The thread that it is of; "" if
    nothing is born.
    """
    parts = {"actor": actor, "target": target, "other": other}
    if parent is not None:
        parts |= {"holder": parent.holder, "about": parent.about}
    birth = Birth(w.drama.children[child], parts, parent, parent.thread if parent is not None else thread)
    made, holder, about = birth.made, birth.holder, birth.about
    if not _can_be_between(w, made, holder, about):
        return ""
    fact = _fact_asked(w, made, holder, about, asks)
    if fact is None:
        return ""
    t = max(step.now, since, w.last.get(holder, 0))
    if (same := _open_already(w, birth)) is not None:
        _strengthen(step, w, same, causes, t)
        return same.thread
    id = f"{child}.{holder}.{about}.{t}"
    chance = step.chance(id, "child")
    low, high = made.amount
    amount = amount or low + step.chance(id, "amount").below(high - low + 1)
    lends = made.lends and w.money is not None
    if lends and not has(w, about, amount):
        return ""
    if lends:
        t = max(t, w.last.get(about, 0))
    words = _words(w, birth, place or w.handbook.at(area_at(w, holder, t)), stakes, amount)
    event = _began(w, birth, _unused_id(w, id), t, words, amount, fact, chance)
    seq = step.emit(event, t=t, actor=holder, causes=causes)
    if lends:
        pay(step, w, about, amount, LOAN, t, seq, holder)
    return event.thread


def _can_be_between(w: HasTalk, made: Child, holder: str, about: str) -> bool:
    """Whether the two it would be of ("" = nobody) are two people in town who can have it."""
    if not holder or not about or holder == about or not pressure_fits(w, made, holder, about):
        return False
    return in_town(w, holder) and in_town(w, about)


def _fact_asked(w: HasTalk, made: Child, holder: str, about: str, given: str) -> str | None:
    """The fact that it asks about, "" for none; None if it needs one to be born and there is none: nobody suspects
    another of nothing. given: which, if not what `about` keeps from its holder.
    """
    if not w.pressure_parameters.truth or not (made.asks or w.drama.kinds[made.kind].wrong.end):
        return ""
    fact = given or hidden_matter(w, holder, about)
    return fact if fact or made.asks else None


def _open_already(w: HasTalk, birth: Birth) -> ActivePressure | None:
    """The open pressure that is of this kind, between these two, over the same matter; of love, over whatever."""
    of = birth.made.kind, birth.holder, birth.about
    alike = (p for p in w.pressures.open.values() if (p.kind, p.holder, p.about) == of)
    return next((p for p in alike if p.thread == birth.thread or p.kind == LOVE), None)


def _strengthen(step: Step, w: HasTalk, p: ActivePressure, causes: tuple[int, ...], t: int) -> None:
    """Make a pressure stronger that would have been born a second time at t."""
    t = max(t, p.t)
    before = intensity_at(p, t, w.pressure_parameters)
    after = round(min(1.0, before + AGAIN), 6)
    again = Stirred(p.id, "again", "", p.about, round(after - before, 6), after, p.stage, due=p.due)
    step.emit(again, t=t, actor=p.holder, causes=(*causes, p.last))


def _words(w: HasTalk, birth: Birth, place: str, stakes: str, amount: int) -> dict[str, str]:
    """What the texts of a child may name -> its words. stakes: those given, "" = those of the parent."""
    parent = birth.parent
    if not stakes and parent is not None:
        stakes = heart(w.drama.children.get(child_of(parent.id)), parent.stakes)
    names = {part: w.handbook.name(birth.parts.get(part, "")) for part in SIDES}
    return {**names, "place": place, "stakes": stakes, "amount": spelt(amount)}


def _unused_id(w: HasTalk, id: str) -> str:
    """This id, made longer until nothing has it: another may be born in the same second, and ids of the cast's
    pressures are free text.
    """
    while id in w.pressures.open or id in w.beliefs.facts or id in w.pressures.woken or id in w.cast_pressures:
        id += "_"
    return id


def _began(
    w: HasTalk, birth: Birth, id: str, t: int, words: Mapping[str, str], amount: int, fact: str, chance: Stream
) -> Began:
    """The event of a birth at t. fact: that it asks about, "" = none."""
    made, holder = birth.made, birth.holder
    others = (who for part in ("actor", "target", "other") if (who := birth.parts[part]) and who != holder)
    return Began(
        id,
        made.kind,
        birth.about,
        made.intensity,
        made.stage,
        due=up(w, holder, next_at_hour(w, t + made.due, made.at)) if made.due else -1,
        stakes=chance.choice(made.stakes).format(**words),
        cause=chance.choice(made.cause).format(**words),
        thread=birth.thread or id,
        known_by=tuple(others) if w.drama.kinds[made.kind].mutual else (),
        parent=birth.parent.id if birth.parent is not None else "",
        amount=amount,
        asks=fact or UNSET,
    )


def hidden_matter(w: HasTalk, who: str, about: str) -> str:
    """What somebody may ask about another: the latest that they hide, if the first does not know of it; "" for none."""
    hidden = [p for p in w.pressures.open.values() if p.holder == about and p.kind in HIDDEN and who not in p.known_by]
    return max(hidden, key=lambda p: p.seq).id if hidden else ""


def next_at_hour(w: HasTalk, due: int, hour: int) -> int:
    """The next moment at an hour of the day (its second; 0: any), from a moment on."""
    return due + (hour - w.clock.second_of_day(due)) % DAY if hour else due


def up(w: HasTalk, who: str, due: int) -> int:
    """When that falls due for somebody: not in their sleep or as they wake, but UP later."""
    routine = w.cast[who].routine
    since, awake = ((x - routine.wake) % DAY for x in (w.clock.second_of_day(due), routine.sleep))
    if UP <= since < awake:
        return due
    return due - since + UP + (DAY if since >= awake else 0)


def definition_of(w: HasTalk, p: ActivePressure) -> Pressure | Child | None:
    """What says what a pressure is, beside its kind: one of the cast itself, else the child of the deck."""
    return w.cast_pressures.get(p.id) or w.drama.children.get(child_of(p.id))


def pressure_fits(w: HasTalk, made: Child, holder: str, about: str) -> bool:
    """Whether these two can have it: love is for grown-ups who are free for it."""
    if made.kind != LOVE:
        return True
    a, b = w.cast[holder], w.cast[about]
    if min(a.age, b.age) < ADULT or abs(a.age - b.age) > APART or family(w, holder, about):
        return False
    if is_in_couple(w, holder, holder) or is_in_couple(w, about, holder):
        return False
    return not any(p.kind == LOVE and p.holder == holder and p.about != about for p in w.pressures.open.values())


def family(w: HasTalk, a: str, b: str) -> bool:
    """Whether two are kin, or share a home: who lodge with somebody, both of them, only share a landlord."""
    if any(between(w, a, b, KIN)):
        return True
    lodgers = all(any(c.a == who and c.b for c in claims_of(w, who, LODGES)) for who in (a, b))
    return w.cast[a].household == w.cast[b].household and not lodgers


def plays(w: HasTalk, who: str, role: Role, others: Mapping[str, str]) -> bool:
    """Whether somebody fits a role beside those who have theirs."""
    return role.suits(w.cast[who]) and all(
        least <= tie_of(w, who, others[x]).feeling <= most for x, (least, most) in role.towards.items()
    )


def is_in_couple(w: HasTalk, who: str, by: str) -> bool:
    """Whether somebody is of a couple, as far as another knows. Where no claims say so: whether they share house and
    heart with a grown-up of about their age.
    """
    if COUPLE in w.claim_deck.kinds:
        return any(knows(w, by, claim) for claim in claims_of(w, who, COUPLE))
    me = w.cast[who]
    for other, tie in w.people.ties.get(who, {}).items():
        p = w.cast[other]
        home = p.household == me.household and p.age >= ADULT and abs(p.age - me.age) < TOGETHER
        if home and tie.closeness >= HOUSE and tie.feeling >= HEART:
            return True
    return False


def renew(step: Step, w: HasTalk, stamp: Stamp, e: Closed) -> None:
    """Let ordinary talk start something small: the less, the more is open already in town and between these two."""
    free = room(w, stamp.t)
    if free <= 0.0:
        return
    free *= room_for_new(w, e.who[0]) * room_for_new(w, e.who[1])
    if free <= 0.0:
        return
    of = {who: feature_values(w, who, other, stamp.t, None) for who, other in (e.who, e.who[::-1])}
    for i, renewal in enumerate(w.drama.renewal):
        if renewal.tone != e.tone:
            continue
        chance = step.chance(e.talk, "renewal", i)
        a, b = e.who if chance.unit() < 0.5 else e.who[::-1]
        made = w.drama.children[renewal.child]
        holder, about = (a, b) if made.holder == "actor" else (b, a)
        likely = renewal.chance + sum(weight * of[holder][name] for name, weight in renewal.weights.items())
        if chance.unit() < likely * free and _may(w, renewal, made, a, b, holder, about):
            bear(step, w, renewal.child, (stamp.seq,), a, b, since=stamp.t)
            return


def _may(w: HasTalk, renewal: Renewal, made: Child, actor: str, target: str, holder: str, about: str) -> bool:
    """Whether two who have talked are such that it can begin between them."""
    parts = {"actor": actor, "target": target}
    return pressure_fits(w, made, holder, about) and all(
        plays(w, parts[x], role, parts) for x, role in renewal.roles.items()
    )


def room(w: HasTalk, t: int) -> float:
    """How much room there is for something new: 1 while nothing is open in town, 0 or less when it is full.

    What the cast has still to come within days counts for most, lest the first days bring everything at once.
    """
    crowd = w.pressure_parameters.crowd * sum(in_town(w, who) for who in w.cast)
    asleep = sum(0 <= c.wakes - t < TO_COME and c.id not in w.pressures.woken for c in w.cast_pressures.values())
    return 1.0 - (len(w.pressures.open) + ASLEEP * asleep) / crowd if crowd else 0.0


def room_for_new(w: HasTalk, who: str) -> float:
    """How much room there is for something new in one life: 3 while nothing is open, soon less, and 0 from MOST on."""
    return 3.0 * max(0.0, 1.0 - open_of(w, who) / MOST) ** 2


def open_of(w: HasTalk, who: str) -> int:
    """How many open pressures somebody holds or is the object of."""
    return sum(who in (p.holder, p.about) for p in w.pressures.open.values())
