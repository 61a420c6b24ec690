"""What pressures urge one person to do with another: aims, their features, and the content of what is then said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.people import pressure_rules
from sandbox.people.claim_handlers import UNBOUND, Bond, binds, claims_of, strongest_bond, superiors
from sandbox.people.claim_handlers import knows as knows_claim
from sandbox.people.goal_handlers import loses, next_step, ways
from sandbox.people.model import SEEK
from sandbox.people.mood_queries import mood_of
from sandbox.people.needs import unmet_needs
from sandbox.people.paying import ease, has
from sandbox.people.planning import block_at
from sandbox.people.pressure_deck import ExchangeKind, PressureWay, child_of, gist
from sandbox.people.pressure_handlers import doer
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import is_exhausted, is_way_unlocked
from sandbox.people.wording import as_told
from sandbox.talk.content import NOTHING, Content, hurry, impression_of, tie_of
from sandbox.talk.model import HasTalk, ScoredRule, Talk
from sandbox.talk.question_replies import Responded
from sandbox.talk.question_wishes import Aim
from sandbox.town.ways import tile_at

EARSHOT = 4  # distance in tiles within which others hear
CHILD, GROWN = 13, 18  # ages: adults (from the second on) confide nothing in children below the first
MUTUAL = 0.35  # feeling from which a declaration may be answered
SOON = 45 * MINUTE  # how near its hour a pressure draws more, and need not wait
DEBT = "debt"  # kind of pressure whose holder owes a sum
Pair = tuple[str, str]
AtStake = tuple[ActivePressure, PressureWay, float, bool]
LOOKED = 40 * MINUTE  # how long a search counts as the reason for coming


def pressures_run(w: HasTalk) -> bool:
    """Whether pressures run: the rules may switch them off, and old saves have no deck."""
    return bool(w.drama.kinds) and w.rules.get("drama") != "off"


def ways_at_stake(w: HasTalk, me: str, other: str, t: int) -> Iterator[AtStake]:
    """What urges `me` to act on `other` now: pressure, way, intensity, and whether they came looking for them to."""
    if not pressures_run(w):
        return
    for p in w.pressures.open.values():
        if me != p.holder and me != p.about and me not in p.known_by:
            continue
        part = part_of(p, me)
        mine = [way for way in ways(w, p, me, other, t) if way.by == part]
        if open_ := [way for way in mine if is_way_open(w, p, way, me, other, part, t)]:
            x = pressure_rules.intensity_at(p, t, w.pressure_parameters)
            came = me == p.holder and p.sought >= 0 and t - p.sought < LOOKED and seeks(w, me, other, t)
            yield from ((p, way, x, came and p.sought_for in ("", way.do)) for way in open_)


def aims(w: HasTalk, me: str, other: str, t: int, at_stake: Iterable[AtStake] | None = None) -> tuple[Aim, ...]:
    """The aims that urge `me` to speak to `other` now. at_stake: the result of `ways_at_stake`, if known."""
    out: list[Aim] = []
    for p, way, x, sought in ways_at_stake(w, me, other, t) if at_stake is None else at_stake:
        due = max(0.0, (p.due - t) / 60.0) if p.due >= 0 else -1.0
        if not out or out[-1].pressure != p.id:
            known = feature_values(w, me, other, t, p)
        exchange, held = w.drama.exchanges[way.do], bound_by(w, way.do, me, other)
        of_it = with_bars(w, exchange, me, other, known)
        out.append(Aim(p.id, p.kind, way.do, x, way.weight, exchange.wish, of_it, due, sought, bool(way.after), held))
    return tuple(out)


def seeks(w: HasTalk, who: str, whom: str, t: int) -> bool:
    """Whether one is currently looking for the other."""
    r = w.people.residents[who]
    return bool(r.plan) and (block := r.plan[block_at(r, t)]).do == SEEK and block.whom == whom


def part_of(p: ActivePressure, who: str) -> str:
    """Somebody's part in a pressure: holder, about, knower or "" (none)."""
    if who == p.holder:
        return "holder"
    if who == p.about:
        return "about"
    return "knower" if who in p.known_by else ""


def known_slots(w: HasTalk, p: ActivePressure, who: str) -> frozenset[str]:
    """The slots of a pressure that somebody knows without being told. Its cause stays hidden from the one it is about,
    as it may be the very secret.
    """
    part = part_of(p, who)
    if part == "about":
        told = w.drama.kinds[p.kind].mutual or who in p.known_by
        return frozenset(("matter", "topic", "third")) if told else frozenset()
    return frozenset(("matter", "topic", "third", "cause")) if part else frozenset()


def knows_pressure(w: HasTalk, aim: str, who: str) -> bool:
    """Whether somebody knows what a pressure ("" = none) is about without being told."""
    p = w.pressures.open.get(aim)
    return p is not None and "matter" in known_slots(w, p, who)


def is_way_open(w: HasTalk, p: ActivePressure, way: PressureWay, me: str, other: str, part: str, t: int) -> bool:
    """Whether a way is possible now: by part, listener, stage, pauses, failed attempts, hearers and brakes."""
    if way.by != part or not way.stage <= p.stage <= way.until or not listens(w, p, way, me, other):
        return False
    kind = w.drama.kinds[p.kind]
    if part == "about" and not (kind.mutual or p.about in p.known_by or p.stage >= 2):
        return False
    if not pressure_rules.timely(p, way, t) or not is_way_unlocked(w, p, way, me, other):
        return False
    if way.to == "other" and not _lets_in(w, p, way, me, other, part):
        return False
    if pressure_rules.is_too_soon(p, way, me, t) or pressure_rules.preempts_occasion(w, p, way, t):
        return False
    if is_exhausted(w, p.thread, way.do, me, other):
        return False
    if part == "holder" and ending_pays(w, p, way.accept.end) and not has(w, me, p.amount):
        return False
    exchange = w.drama.exchanges[way.do]
    if exchange.needs and not binds(w, me, other, exchange.needs):
        return False
    return _fits_hearers(w, p, way, me, other, t) and not _is_braked(w, p, way, me, other, t)


def _lets_in(w: HasTalk, p: ActivePressure, way: PressureWay, me: str, other: str, part: str) -> bool:
    """Whether somebody would confide in a third: one they like, who does not know yet; adults not in a child."""
    if (part == "knower" and other in p.known_by) or tie_of(w, me, other).feeling < way.fond:
        return False
    return w.cast[other].age >= CHILD or w.cast[me].age < GROWN


def _fits_hearers(w: HasTalk, p: ActivePressure, way: PressureWay, me: str, other: str, t: int) -> bool:
    """Whether the bystanders suit a way: none, some, or the one it is about."""
    wants_some = w.drama.exchanges[way.do].public or way.hears
    if not wants_some and not way.alone:
        return True
    near = hearers(w, me, other, t)
    if (way.alone and near) or (wants_some and not near):
        return False
    return not way.hears or p.about in near


def _is_braked(w: HasTalk, p: ActivePressure, way: PressureWay, me: str, other: str, t: int) -> bool:
    """Whether limits on recent rows and turns forbid a way."""
    q, state, hostile = w.pressure_parameters, w.pressures, w.drama.exchanges[way.do].hostile
    if hostile and not pressure_rules.may_face(state, me, other, t, q):
        return True
    bad = hostile and pressure_rules.can_end_badly(w.drama.kinds[p.kind], way)
    if bad and not pressure_rules.may_break(state, t, q):
        return True
    at_its_hour = p.due >= 0 and abs(p.due - t) < SOON and not hostile
    if not any(e.end or e.stage >= 3 for e in (way.accept, way.dodge, way.refuse)) or at_its_hour:
        return False
    rests = t - p.staged >= q.ladder * MINUTE
    concerned = (me, other, p.holder, p.about)
    return not rests or not all(pressure_rules.may_take_turn(state, who, t, q) for who in concerned)


def bound_by(w: HasTalk, do: str, me: str, other: str) -> Bond:
    """The strongest claim between the two that an exchange needs, and may end; UNBOUND if it needs none."""
    exchange = w.drama.exchanges.get(do)
    return strongest_bond(w, me, other, exchange.needs) if exchange is not None and exchange.needs else UNBOUND


def listens(w: HasTalk, p: ActivePressure, way: PressureWay, me: str, other: str) -> bool:
    """Whether `other` is the one a way is directed to."""
    if way.to in ("holder", "about"):
        return other == (p.holder if way.to == "holder" else p.about)
    third = other not in (p.holder, p.about)
    return third and (way.to == "other" or other in superiors(w, p.holder if me == p.about else p.about))


def ending_pays(w: HasTalk, p: ActivePressure, end: str) -> bool:
    """Whether an ending ("" = none) means that the holder pays money."""
    return bool(end and p.amount and w.money is not None and w.drama.kinds[p.kind].ends[end].pays)


def of_oneself(w: HasTalk, me: str, t: int) -> dict[str, float]:
    """The features of a wish or answer that lie in the person: traits and mood."""
    traits, pad = w.cast[me].big_five, mood_of(w, me, t)
    return {
        "agreeable": traits.agreeableness,
        "outgoing": traits.extraversion,
        "nervous": traits.neuroticism,
        "orderly": traits.conscientiousness,
        "curious": traits.openness,
        "pleased": pad.p,
        "roused": pad.a,
        "bold": pad.d,
    }


def feature_values(w: HasTalk, me: str, other: str, t: int, p: ActivePressure | None) -> dict[str, float]:
    """The features of a wish or answer of `me` towards `other` (people/pressure_beginnings.py)."""
    tie = tie_of(w, me, other)
    owing = 0.0
    if p is not None:
        debtor = p.holder if p.kind in ("debt", "promise", "guilt", "secret") else p.about
        owing = float(me == debtor)
    plan = w.goals.open.get(p.id) if p is not None else None
    dear = any(x.holder == me and x.about == other and x.kind == "crush" for x in w.pressures.open.values())
    return {
        "base": 1.0,
        "fond": tie.feeling,
        "left": impression_of(w, me, other, t),
        "close": 2.0 * tie.closeness - 0.6,
        **of_oneself(w, me, t),
        "watched": min(1.0, len(hearers(w, me, other, t)) / 3.0),
        "hurried": float(hurry(w, me, t)),
        "pressed": pressure_rules.intensity_at(p, t, w.pressure_parameters) if p is not None else 0.0,
        "owing": owing,
        "asked": min(1.0, p.refused / 3.0) if p is not None else 0.0,
        "worn": min(1.0, len(unmet_needs(w.people.residents[me].needs, t, w.need_parameters)) / 2.0),
        "dear": 1.0 if dear else min(0.0, tie.feeling - MUTUAL),
        "loses": float(plan is not None and p is not None and me != p.holder and loses(w, me, p, plan.claim)),
        "flush": ease(w, me, p.amount, payer(p)) if p is not None and me in (p.holder, p.about) else 0.0,
    }


def payer(p: ActivePressure) -> str:
    """Who would pay the sum of a pressure: the debtor, or who is asked for money."""
    return p.holder if p.kind == DEBT else p.about


def with_bars(w: HasTalk, exchange: ExchangeKind, me: str, other: str, known: dict[str, float]) -> dict[str, float]:
    """The features, with "barred" if `me` knows of a claim of either with somebody else that bars the exchange."""
    if not exchange.bars:
        return known
    either = (c for who in (me, other) for c in claims_of(w, who) if c.kind in exchange.bars)
    return {**known, "barred": float(any(not {me, other} >= {*c.people} and knows_claim(w, me, c) for c in either))}


def earshot(w: HasTalk, a: int, b: int, reach: int = EARSHOT) -> bool:
    """Whether words on one tile are heard on another. reach: in tiles."""
    width, area_of = w.map.width, w.map.area_of
    return abs(a // width - b // width) <= reach and abs(a % width - b % width) <= reach and area_of[a] == area_of[b]


def hearers(w: HasTalk, a: str, b: str, t: int, reach: int = EARSHOT) -> list[str]:
    """Who else is awake within earshot of a, in cast order. reach: in tiles."""
    width, spots = w.map.width, w.town.spots
    here = tile_at(spots[a], t, width)
    out = []
    for who in w.town.near(here, reach, width):
        spot = spots[who]
        tile = tile_at(spot, t, width) if spot.path else spot.tile
        if who not in (a, b) and w.people.residents[who].awake and earshot(w, here, tile, reach):
            out.append(who)
    return out


def pressure_pulls(w: HasTalk, t: int, pairs: Collection[Pair]) -> tuple[dict[Pair, float], bool]:
    """How strongly a pressure draws the two of each pair together, in [0, 1] and more as its hour comes near; and
    whether any draws anybody to anybody.
    """
    out: dict[Pair, float] = {}
    draws, plans, near = False, w.goals.open, {who for pair in pairs for who in pair}
    for id, p in w.pressures.open.items() if pressures_run(w) else ():
        if draws and p.holder not in near:
            continue
        step = next_step(w, p, t) if id in plans else None
        whom = step.whom if step is not None and step.whom else p.about
        draws = draws or bool(whom)
        for key in ((p.holder, whom), (whom, p.holder)):
            if key in pairs:
                x = pressure_rules.intensity_at(p, t, w.pressure_parameters)
                if p.due >= 0 and p.due - t < SOON:
                    x = min(1.0, x + 0.4)
                out[key] = max(out.get(key, 0.0), x)
    return out, draws


def came_for(w: HasTalk, talk: Talk, me: str, other: str, t: int) -> tuple[str, str]:
    """(pressure, exchange) that one came looking for the other for, if not yet raised in this talk; else ("", "")."""
    if talk.aim or not seeks(w, me, other, t):
        return "", ""
    sought = [(p.id, way) for p, way, _, came in ways_at_stake(w, me, other, t) if came]
    found = [(way.weight, id, way.do) for id, way in sought if w.drama.exchanges[way.do].seeks]
    return max(found, key=lambda x: x[0], default=(0.0, "", ""))[1:]


def matter_told(w: HasTalk, p: ActivePressure, me: str, other: str) -> dict[str, str]:
    """The stakes and cause of a pressure, as one of two says them to the other."""
    mine, yours = w.handbook.name(me), w.handbook.name(other)
    return {"matter": as_told(gist(p.stakes), mine, yours), "cause": as_told(p.cause, mine, yours)}


def aim_content(w: HasTalk, aim: str, me: str, other: str) -> Content:
    """The content of a turn that raises a pressure. NOTHING if it has ended."""
    p = w.pressures.open.get(aim)
    if p is None:
        return NOTHING
    third = p.about if p.about not in (me, other) else p.holder if p.holder not in (me, other) else ""
    slots = matter_told(w, p, me, other)
    slots["topic"] = slots["matter"]
    if third:
        slots["third"] = w.handbook.name(third)
    else:
        del slots["cause"]
    return Content(gist(p.stakes), "pressure", third, slots=slots)


def matter_content(w: HasTalk, aim: str, me: str, other: str, said: str = "") -> Content:
    """The content of a follow-up on a pressure, even if it has ended. said: words not to be repeated."""
    found = aim_content(w, aim, me, other)
    if found is NOTHING:
        return Content(kind="pressure")
    just = said.casefold()
    slots = {k: v for k, v in found.slots.items() if k not in ("matter", "cause") or v.casefold() not in just}
    return found._replace(slots=slots, theirs=frozenset(slots) - known_slots(w, w.pressures.open[aim], me))


# ---- how what somebody came for can be answered, by the truth


PENNILESS = ScoredRule("has not got it", -1.0)
INNOCENT = ScoredRule("has done nothing of the kind", -1.0)


def guilty(w: HasTalk, p: ActivePressure) -> bool | None:
    """Whether the one a pressure is about did what it asks about; None if that cannot be known."""
    known = p.asks and w.pressure_parameters.truth and not is_unrelated(w, p, thread_of(w, p.asks))
    by = doer(w, p.asks) if known else ""
    return by == p.about if by else None


def is_unrelated(w: HasTalk, p: ActivePressure, of: str) -> bool:
    """Whether what a pressure asks about is a different affair from the one it arose from, which merely looked odd. of:
    the thread of what it asks about.
    """
    made = None if p.id in w.cast_pressures else w.drama.children.get(child_of(p.id))
    return made is not None and not made.asks and p.thread != of


def thread_of(w: HasTalk, matter: str) -> str:
    """The thread of an open or cast pressure; an ended one is taken to have begun its own."""
    p = w.pressures.open.get(matter)
    found = p if p is not None else w.cast_pressures.get(matter)
    return found.thread if found is not None else matter


def honest(w: HasTalk, p: ActivePressure, do: str, answer: Responded) -> Responded:
    """An answer as it can be given: nobody admits what they have not done, or lends what they do not have."""
    if answer.how == "accept" and payer(p) == p.about and not has(w, p.about, p.amount):
        return replace(answer, how="refuse", why=(PENNILESS, *answer.why[:3]))
    admits = w.drama.kinds[p.kind].admits
    if not admits or guilty(w, p) is not False:
        return answer
    if not any(x.do == do and x.effect(answer.how).end == admits for x in w.drama.kinds[p.kind].ways):
        return answer
    return replace(answer, how="refuse", why=(INNOCENT, *answer.why[:3]))


def effective_way(w: HasTalk, p: ActivePressure, way: PressureWay, answer: str) -> PressureWay:
    """The way whose effects an answer has: a guilty person who answers openly does not clear themselves."""
    kind = w.drama.kinds[p.kind]
    if not kind.clears or way.effect(answer).end != kind.clears or not guilty(w, p):
        return way
    return next((x for x in kind.ways if (x.by, x.to) == (way.by, way.to) and x.accept.end == kind.admits), way)
