"""Turning points of the played person: noted as they happen, shown once and some time apart, with three stances to
choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.domain import Again, Command, CommandEvent, Rule
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.core.protocols import Step
from sandbox.people.claim_handlers import claim_words, closest_first, superiors
from sandbox.people.claim_model import Broken
from sandbox.people.goal_handlers import rival_claims
from sandbox.people.goal_model import GoalAdvanced
from sandbox.people.guest_model import in_town
from sandbox.people.played import CameToHead, Crisis, What, is_played
from sandbox.people.pressure_deck import SECRET, child_of
from sandbox.people.pressure_handlers import find_fact
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Stirred
from sandbox.people.pressure_rules import pressures_between
from sandbox.play.acts import TalkOffer, every_offer
from sandbox.play.command_rules import speak
from sandbox.play.handlers import wished
from sandbox.play.model import HasPlay, Speak, Stance, StanceTaken, Stand, Wished
from sandbox.talk.pressure_aims import aims

BETWEEN = 10 * MINUTE  # between two turning points
FRESH = 2 * HOUR  # after which one is no longer shown
PATIENCE = 30 * MINUTE  # for which one is held back while nothing can be done about it
NEAR = HOUR  # before a matter is due, from which that is a turning point
KEPT = 200  # keys of those shown that are remembered
ORDER: tuple[What, ...] = ("found", "betrayed", "broken", "losing", "due", "pressed")  # most urgent first
NEWS = ("found", "betrayed", "broken", "losing")  # shown even if nothing can be done about them
PROUD = frozenset(("boast",))  # exchanges that reveal nothing
STANCES: tuple[Stance, ...] = ("let_be", "speak", "expose")


class StanceChoice(NamedTuple):
    """A stance: towards whom, and what is said; why_not: why it cannot be taken, a clause ("" = it can)."""

    stance: Stance
    whom: str = ""
    offer: TalkOffer | None = None
    why_not: str = ""


# ---- what comes to a head


def mine(w: HasPlay, p: ActivePressure, me: str) -> bool:
    """Whether a pressure is somebody's own: they hold it, or it is about them and they know of it."""
    if me == p.holder:
        return True
    knows = w.drama.kinds[p.kind].mutual or me in p.known_by or p.id in w.beliefs.held.get(me, {})
    return me == p.about and knows


def _of(p: ActivePressure, me: str, what: What) -> CameToHead:
    return CameToHead(what, p.id, p.thread, p.about if me == p.holder else p.holder, p.stage)


def _note(w: HasPlay, key: str, stamp: Stamp, e: CameToHead) -> None:
    state = w.played.turning
    state.heads = [x for x in state.heads if stamp.t - x.t < FRESH and x.key != key] + [
        Crisis(key, stamp.t, stamp.seq, e)
    ]


def began(w: HasPlay, e: Began, stamp: Stamp) -> None:
    me, p = w.played.who, w.pressures.open.get(e.id)
    if not me or p is None:
        return
    if me == p.holder and stamp.causes and child_of(e.id) in {x.child for x in w.claim_deck.breaches}:
        _note(w, f"betrayed {e.id}", stamp, _of(p, me, "betrayed"))
    elif p.stage >= 2 and mine(w, p, me):
        _note(w, f"pressed {p.id} {p.stage}", stamp, _of(p, me, "pressed"))


def stirred(w: HasPlay, e: Stirred, stamp: Stamp) -> None:
    me, p = w.played.who, w.pressures.open.get(e.id)
    if not me or p is None or not mine(w, p, me):
        return
    if p.kind == SECRET and me == p.holder and p.about in e.told:
        _note(w, f"found {p.id}", stamp, _of(p, me, "found"))
    elif p.stage >= 2 and p.staged == stamp.t:
        _note(w, f"pressed {p.id} {p.stage}", stamp, _of(p, me, "pressed"))


def ended(w: HasPlay, e: Ended, stamp: Stamp) -> None:
    """Note that a secret of theirs was revealed, not by themselves."""
    me = w.played.who
    fact = find_fact(w, e.id) if me else None
    if fact is not None and fact.kind == SECRET and fact.a == me and e.how == w.drama.kinds[SECRET].found.end:
        _note(w, f"found {e.id}", stamp, CameToHead("found", e.id, fact.matter, fact.b, 3, why=e.why))


def broken(w: HasPlay, e: Broken, stamp: Stamp) -> None:
    me = w.played.who
    if not me or me not in (e.a, e.b) or e.instead:
        return
    says = claim_words(w.handbook, w.claim_deck.kinds[e.kind].ended(e), e)
    whom = e.b if me == e.a else e.a
    _note(w, f"broken {e.id}", stamp, CameToHead("broken", whom=whom, says=says, why=e.why))


def advanced(w: HasPlay, e: GoalAdvanced, stamp: Stamp) -> None:
    """Note that somebody wants what is theirs and is one step away from it, if they know."""
    me, p, plan = w.played.who, w.pressures.open.get(e.id), w.goals.open.get(e.id)
    if not me or p is None or plan is None or p.holder == me or e.left > 1:
        return
    knows = me in p.known_by or p.id in w.beliefs.held.get(me, {})
    lost = next((c for c in rival_claims(w, p, plan.claim) if me in c.people), None)
    if knows and lost is not None:
        says = claim_words(w.handbook, w.claim_deck.kinds[lost.kind].says, lost)
        _note(w, f"losing {p.id} {e.left}", stamp, CameToHead("losing", p.id, p.thread, p.holder, p.stage, says))


def came_to_head(w: HasPlay, e: CameToHead, stamp: Stamp) -> None:
    state = w.played.turning
    state.at, state.seq, state.point = stamp.t, stamp.seq, e
    told = [x.key for x in candidates(w, stamp.actor, stamp.t) if x.e == e]
    state.told = [*state.told, *told][-KEPT:]
    state.heads = [x for x in state.heads if x.key not in told]


def apply_stance_taken(w: HasPlay, e: StanceTaken, stamp: Stamp) -> None:
    w.played.turning.point = None
    if e.wish is not None:
        wished(w, e.wish, stamp)


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Began: began, Stirred: stirred, Ended: ended, Broken: broken, GoalAdvanced: advanced, CameToHead: came_to_head,
    StanceTaken: apply_stance_taken,
}  # fmt: skip


def candidates(w: HasPlay, me: str, t: int) -> list[Crisis]:
    """Turning points that may be shown now, most urgent first: noted ones, and matters almost due."""
    state = w.played.turning
    noted = (x for x in state.heads if t - x.t < FRESH and _stands(w, x.e))
    near = (
        Crisis(f"due {p.id} {p.due}", p.due - NEAR, p.last, _of(p, me, "due"))
        for p in w.pressures.open.values()
        if 0 <= p.due - t <= NEAR and mine(w, p, me) and child_of(p.id) not in w.drama.beginnings
    )
    found = [x for x in (*noted, *near) if x.key not in state.told]
    return sorted(found, key=lambda x: (ORDER.index(x.e.what), x.t, x.key))


def _stands(w: HasPlay, e: CameToHead) -> bool:
    """Whether a turning point is still current."""
    p = w.pressures.open.get(e.matter)
    return e.what in ("found", "broken") or (p is not None and p.stage >= e.stage)


async def come_to_head(step: Step, w: HasPlay) -> None:
    """Show a turning point once something can be done about it; news even if nothing can. Checked once a minute."""
    me = w.played.who
    t = max(step.now, w.last.get(me, 0))
    if not me or not is_played(w, me) or t >= step.end or t // MINUTE == (step.now - 1) // MINUTE:
        return
    r, state = w.people.residents[me], w.played.turning
    if not r.awake or r.talk or w.played.put is not None or 0 <= state.at > t - BETWEEN:
        return
    for head in candidates(w, me, t):
        can = any(c.offer is not None for c in choices(w, head.e))
        if can or (head.e.what in NEWS and t - head.t >= PATIENCE):
            step.emit(head.e, t=t, actor=me, causes=(head.seq,))
            return


def pending(w: HasPlay) -> CameToHead | None:
    """The turning point that waits for the player's stance, None if none does."""
    state = w.played.turning
    fresh = state.point is not None and w.now - state.at < FRESH and _stands(w, state.point)
    return state.point if fresh and not w.played.aside else None


# ---- the stances


def choices(w: HasPlay, e: CameToHead) -> tuple[StanceChoice, ...]:
    """The three stances on a turning point."""
    me = w.played.who
    matters = [*_matters(w, me, e)]
    return (StanceChoice("let_be"), _speak(w, me, e.whom, matters), _expose(w, me, e.whom, matters))


def _matters(w: HasPlay, me: str, e: CameToHead) -> Iterator[str]:
    """The pressures concerned: its own, then those of its thread; for news also others between the two."""
    found = (
        pressures_between(w.pressures, me, e.whom)
        if e.whom
        else (p for p in w.pressures.open.values() if p.id == e.matter)
    )
    own = [p for p in found if mine(w, p, me) and (e.what in NEWS or e.thread == p.thread or e.matter == p.id)]
    yield from (p.id for p in sorted(own, key=lambda p: (p.id != e.matter, p.thread != e.thread)))


def _absent(w: HasPlay, whom: str) -> str:
    """Why somebody cannot be spoken to, a clause; "" if they can."""
    name = w.handbook.name(whom)
    if not in_town(w, whom):
        return f"{name} has left town"
    return "" if w.people.residents[whom].awake else f"{name} is asleep"


def _speak(w: HasPlay, me: str, whom: str, matters: Collection[str]) -> StanceChoice:
    if not whom:
        return StanceChoice("speak", why_not="there is nobody to have it out with")
    if why := _absent(w, whom):
        return StanceChoice("speak", whom, why_not=why)
    public = _before_all(w)
    offer = _strongest(w, me, whom, matters, lambda do: do not in public)
    name = w.handbook.name(whom)
    why = "" if offer is not None else f"you have said all there is to say about it to {name}, or it is too soon"
    return StanceChoice("speak", whom, offer, why)


def _expose(w: HasPlay, me: str, whom: str, matters: Collection[str]) -> StanceChoice:
    """Complain to a superior, else confront them in public, else tell the closest person."""
    others = [x for x in w.cast if x not in (me, whom) and not _absent(w, x)]
    bosses = [x for x in (superiors(w, whom) if whom else ()) if x in others]
    near = [x for x in closest_first(w, me, others) if x not in bosses]
    there = [whom] if whom and not _absent(w, whom) else []
    public = _before_all(w)
    for x in (*bosses, *there, *near):
        fits = public.__contains__ if x == whom else lambda do: do not in PROUD
        if (offer := _strongest(w, me, x, matters, fits)) is not None:
            return StanceChoice("expose", x, offer)
    return StanceChoice("expose", why_not="there is nobody yet to take it to")


def _before_all(w: HasPlay) -> frozenset[str]:
    """Exchanges that are said in public."""
    return frozenset(do for do, x in w.drama.exchanges.items() if x.public)


def _strongest(
    w: HasPlay, me: str, other: str, matters: Collection[str], fits: Callable[[str], bool]
) -> TalkOffer | None:
    """The strongest offer to another about these matters, the first matter first."""
    able = {x.pressure for x in aims(w, me, other, w.now) if x.pressure in matters and fits(x.do)}
    if not able:
        return None
    matter = next(x for x in matters if x in able)
    return next((x for x in every_offer(w, me, other) if x.aim == matter and fits(x.do)), None)


def stand(w: HasPlay, c: Stand) -> Sequence[CommandEvent]:
    """They let it be, or mean to say what the stance is. Raises ValueError, with a sentence, if impossible."""
    name = w.handbook.name(c.by) if c.by else "nobody"
    if not c.by or not is_played(w, c.by):
        raise ValueError(f"{name} is not in your hands")
    point = pending(w)
    if point is None:
        raise ValueError(f"nothing waits for a stance from {name}")
    choice = next((x for x in choices(w, point) if x.stance == c.how), None)
    if choice is None:
        raise ValueError(f"there is {unknown('stance', c.how, STANCES)}")
    causes = (w.played.turning.seq,)
    if choice.stance == "let_be":
        return (CommandEvent(StanceTaken("let_be", point.matter, point.whom), c.by, causes),)
    if choice.offer is None:
        raise ValueError(choice.why_not)
    said = Speak(by=c.by, whom=choice.whom, do=choice.offer.do, aim=choice.offer.aim, words=c.words)
    *first, (wish, _, _) = speak(w, said)
    assert isinstance(wish, Wished)
    return (*first, CommandEvent(StanceTaken(choice.stance, point.matter, point.whom, wish), c.by, causes))


COMMANDS: Mapping[type[Command], Rule] = {Stand: stand}
AGAIN: Mapping[type[Event], Again] = {
    StanceTaken: lambda e, at: Stand(by=at.actor, how=e.stance, words=e.wish.words if e.wish is not None else "")
}
