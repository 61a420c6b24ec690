"""How pressures begin: out of other pressures, ordinary talk, or outside events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import UNSET

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Stamp
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.claim_handlers import COUPLE, LODGES, between, binds, claims_of, knows
from sandbox.people.claim_model import Breaking, ClaimChanges
from sandbox.people.fact_forms import parse_statement
from sandbox.people.guest_model import in_town
from sandbox.people.paying import LOAN, has, pay
from sandbox.people.perceive import area_at
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import SIDES, Child, Renewal, Role
from sandbox.people.pressure_deck import child_of, heart
from sandbox.people.pressure_model import ActivePressure, Began, Stirred, Turned
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.content import tie_of
from sandbox.talk.model import Closed, HasTalk
from sandbox.talk.pressure_aims import feature_values
from sandbox.talk.rumours import HIDDEN

AGAIN = 0.1  # added to the intensity of a pressure that would have begun a second time
KIN = "kin"  # the kind of claim that bars love
LOVE = "crush"  # at most one between two people, whatever started it
ADULT, APART = 18, 12  # who may fall in love: least age and largest age difference, in years
TOGETHER, HOUSE, HEART = 18, 0.8, 0.35  # of a couple: fewer years apart, and least closeness and feeling
MOST = 5  # open pressures of one person from which nothing small is added
UP = 2 * HOUR  # how long people are up before anything falls due
TO_COME = 4 * DAY  # how soon the cast's pressures must wake to take up room
ASLEEP = 0.75  # share of an open pressure's room taken by one that has yet to wake


class Birth(NamedTuple):
    """A pressure about to begin. made: its child definition in the deck; parts: role -> person; parent: the pressure it
    comes of; thread: the thread it continues, "" = none.
    """

    made: Child
    parts: Mapping[str, str]
    parent: ActivePressure | None
    thread: str

    @property
    def holder(self) -> str:
        """Its holder, "" = nobody."""
        return self.parts.get(self.made.holder, "")

    @property
    def about(self) -> str:
        """Whom it is about, "" = nobody."""
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
    """Begin a pressure from a child definition of the deck, or strengthen the one that exists over the same matter.
    Returns its thread, "" if nothing began. since: when its cause happened; amount: coins of a debt, 0 = drawn from the
    deck's range; thread: the one it continues if it has no parent; stakes: replaces the parent's as {stakes}; other:
    the third role of a spark; asks: the fact it asks about, "" = what `about` hides from its holder.
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
    """Whether these two ("" = nobody) are two different people in town between whom it can exist."""
    if not holder or not about or holder == about or not pressure_fits(w, made, holder, about):
        return False
    return in_town(w, holder) and in_town(w, about)


def _fact_asked(w: HasTalk, made: Child, holder: str, about: str, given: str) -> str | None:
    """The fact that it asks about, "" for none; None if it needs one and there is none: a suspicion must be about
    something. given: the fact, "" = what `about` hides from the holder.
    """
    if not w.pressure_parameters.truth or not (made.asks or w.drama.kinds[made.kind].wrong.end):
        return ""
    fact = given or hidden_matter(w, holder, about)
    return fact if fact or made.asks else None


def _open_already(w: HasTalk, birth: Birth) -> ActivePressure | None:
    """The open pressure of this kind between these two over the same matter; love counts whatever the matter."""
    of = birth.made.kind, birth.holder, birth.about
    alike = (p for p in w.pressures.open.values() if (p.kind, p.holder, p.about) == of)
    return next((p for p in alike if p.thread == birth.thread or p.kind == LOVE), None)


def _strengthen(step: Step, w: HasTalk, p: ActivePressure, causes: tuple[int, ...], t: int) -> None:
    """Strengthen a pressure that would have begun a second time at t."""
    t = max(t, p.t)
    before = intensity_at(p, t, w.pressure_parameters)
    after = round(min(1.0, before + AGAIN), 6)
    again = Stirred(p.id, "again", "", p.about, round(after - before, 6), after, p.stage, due=p.due)
    step.emit(again, t=t, actor=p.holder, causes=(*causes, p.last))


def _words(w: HasTalk, birth: Birth, place: str, stakes: str, amount: int) -> dict[str, str]:
    """The placeholders of a child's texts and their values. stakes: given explicitly, "" = the parent's."""
    parent = birth.parent
    if not stakes and parent is not None:
        stakes = heart(w.drama.children.get(child_of(parent.id)), parent.stakes)
    names = {part: w.handbook.name(birth.parts.get(part, "")) for part in SIDES}
    return {**names, "place": place, "stakes": stakes, "amount": spelt(amount)}


def _unused_id(w: HasTalk, id: str) -> str:
    """This id, extended until it is unique: several may begin in one second, and the cast's ids are free text."""
    while id in w.pressures.open or id in w.beliefs.facts or id in w.pressures.woken or id in w.cast_pressures:
        id += "_"
    return id


def _began(
    w: HasTalk, birth: Birth, id: str, t: int, words: Mapping[str, str], amount: int, fact: str, chance: Stream
) -> Began:
    """The event that begins the pressure at t. fact: the one it asks about, "" = none."""
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
        words=_slots_of_facts(birth, words) or UNSET,
    )


def _slots_of_facts(birth: Birth, words: Mapping[str, str]) -> dict[str, str]:
    """What its facts name beside its two people: the third person, and words of its birth."""
    used = {slot for fact in birth.made.facts.values() for text in fact.says for slot in parse_statement(text).slots}
    third = next((who for who in birth.parts.values() if who and who not in (birth.holder, birth.about)), "")
    found = {**words, "third": third}
    return {slot: found[slot] for slot in ("third", "place", "stakes", "amount") if slot in used and found[slot]}


def hidden_matter(w: HasTalk, who: str, about: str) -> str:
    """The latest matter that `about` hides and `who` does not know of; "" for none."""
    hidden = [p for p in w.pressures.open.values() if p.holder == about and p.kind in HIDDEN and who not in p.known_by]
    return max(hidden, key=lambda p: p.seq).id if hidden else ""


def next_at_hour(w: HasTalk, due: int, hour: int) -> int:
    """The first moment from `due` on at this second of the day (0: any)."""
    return due + (hour - w.clock.second_of_day(due)) % DAY if hour else due


def up(w: HasTalk, who: str, due: int) -> int:
    """The due time, moved out of somebody's sleep and to at least UP after waking."""
    routine = w.cast[who].routine
    since, awake = ((x - routine.wake) % DAY for x in (w.clock.second_of_day(due), routine.sleep))
    if UP <= since < awake:
        return due
    return due - since + UP + (DAY if since >= awake else 0)


def definition_of(w: HasTalk, p: ActivePressure) -> Pressure | Child | None:
    """The definition of a pressure beside its kind: the cast's own, else the deck's child; None if neither."""
    return w.cast_pressures.get(p.id) or w.drama.children.get(child_of(p.id))


def pressure_fits(w: HasTalk, made: Child, holder: str, about: str) -> bool:
    """Whether these two can have it; love is only for single adults of similar age who are not family."""
    if made.kind != LOVE:
        return True
    a, b = w.cast[holder], w.cast[about]
    if min(a.age, b.age) < ADULT or abs(a.age - b.age) > APART or family(w, holder, about):
        return False
    if is_in_couple(w, holder, holder) or is_in_couple(w, about, holder):
        return False
    return not any(p.kind == LOVE and p.holder == holder and p.about != about for p in w.pressures.open.values())


def family(w: HasTalk, a: str, b: str) -> bool:
    """Whether two are kin or share a home; two lodgers share only a landlord."""
    if any(between(w, a, b, KIN)):
        return True
    lodgers = all(any(c.a == who and c.b for c in claims_of(w, who, LODGES)) for who in (a, b))
    return w.cast[a].household == w.cast[b].household and not lodgers


def plays(w: HasTalk, who: str, role: Role, others: Mapping[str, str]) -> bool:
    """Whether somebody fits a role, given who has the other roles."""
    return role.suits(w.cast[who]) and all(
        least <= tie_of(w, who, others[x]).feeling <= most for x, (least, most) in role.towards.items()
    )


def is_in_couple(w: HasTalk, who: str, by: str) -> bool:
    """Whether somebody is in a couple, as far as `by` knows. Where the deck has no such claim, judged by a close tie to
    an adult of similar age in the same household.
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
    """Let ordinary talk start something small; less likely the more is open in town and with these two."""
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
    """Whether it can begin between these two after their talk."""
    parts = {"actor": actor, "target": target}
    return pressure_fits(w, made, holder, about) and all(
        plays(w, parts[x], role, parts) for x, role in renewal.roles.items()
    )


def room(w: HasTalk, t: int) -> float:
    """How much room the town has for new pressures: 1 with none open, 0 or less when full. Most of the cast's upcoming
    pressures count too, or the first days would bring everything at once.
    """
    crowd = w.pressure_parameters.crowd * sum(in_town(w, who) for who in w.cast)
    asleep = sum(0 <= c.wakes - t < TO_COME and c.id not in w.pressures.woken for c in w.cast_pressures.values())
    return 1.0 - (len(w.pressures.open) + ASLEEP * asleep) / crowd if crowd else 0.0


def room_for_new(w: HasTalk, who: str) -> float:
    """How much room one person has for new pressures: 3 with none open, falling quickly to 0 at MOST."""
    return 3.0 * max(0.0, 1.0 - open_of(w, who) / MOST) ** 2


def open_of(w: HasTalk, who: str) -> int:
    """How many open pressures somebody holds or is the object of."""
    return sum(who in (p.holder, p.about) for p in w.pressures.open.values())


# ---- endings


def ending_changes(w: HasTalk, p: ActivePressure, end: str) -> ClaimChanges:
    """All claims that an ending changes: by its kind, by this pressure's definition, and by its goal."""
    kind, made = w.drama.kinds[p.kind], definition_of(w, p)
    ending = kind.ends[end]
    if made is None:
        return ClaimChanges(ending.makes, ending.breaks)
    own = made.ends.get(end, ClaimChanges())
    goal = (made.wants,) if end == kind.goal and made.wants.kind else ()
    return ClaimChanges((*ending.makes, *own.makes, *goal), (*ending.breaks, *own.breaks))


def comes_to(w: HasTalk, p: ActivePressure, end: str, feelings: Iterable[Turned]) -> str:
    """The ending that really happens: the milder `else_`, unless feelings are bad enough and a claim breaks by it.
    feelings: as they are after it.
    """
    ending = w.drama.kinds[p.kind].ends[end]
    if not ending.else_:
        return end
    felt = {(f.u, f.v): f.feeling for f in feelings}
    two = ((p.holder, p.about), (p.about, p.holder))
    sour = min(felt.get((u, v), tie_of(w, u, v).feeling) for u, v in two) < ending.below
    return end if sour and any(_there(w, p, x) for x in ending_changes(w, p, end).breaks) else ending.else_


def _there(w: HasTalk, p: ActivePressure, x: Breaking) -> bool:
    """Whether the two have a claim of this kind."""
    return {x.a, x.b} <= {"holder", "about"} and binds(w, getattr(p, x.a), getattr(p, x.b), (x.kind,))
