"""What an hour that has passed does to what was to be settled by it, and how it came to that: read from what its holder
tried, with whom and how that was taken, and only then from what they did instead.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.goal_handlers import SUPPORT, means_of
from sandbox.people.goal_planner import wanting
from sandbox.people.model import CurrentAct, Woke
from sandbox.people.paying import ease, has
from sandbox.people.pressure_attempts import last_try
from sandbox.people.pressure_deck import ABOUT, ANSWERS, AWAY, Effect, gist, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import NEAR
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers

GRACE = 20 * MINUTE  # after its hour in which a pressure may still be met
DUE = frozenset(("debt", "promise"))  # kinds that are kept, or not, by something one does
YES = ANSWERS[0]
NEVER = "never came to {to} with it"
SLEEP = "sleep"  # the block one is asleep in


def comes_of_hour(step: Step, w: HasTalk, p: ActivePressure) -> tuple[Effect, str]:
    """What an hour that has passed does, and how it ends by that, "" for not yet. Who came to settle it and was not let
    has done what they could: whatever comes of it, nobody holds it against them.
    """
    kind = w.drama.kinds[p.kind]
    late = kind.late
    if was_turned_down(w, p):
        if kind.offered.end:
            return kind.offered, kind.offered.end
        late = replace(late, target=0.0, children=(), later=0)
    end = late.end if not late.later or p.stage >= SUPPORT else ""
    if end and p.stage >= SUPPORT and kind.ready and _agreed(w, p):
        end = kind.ready
    elif end and kind.luck and step.chance(p.id, "luck").unit() < 0.5:
        end = kind.luck
    return late, end


def was_turned_down(w: HasTalk, p: ActivePressure) -> bool:
    """Whether the holder came to settle it since its hour stands, and whom it is about would not have it: they turned
    them away or, as it is open still, said no.
    """
    return p.due >= 0 and any(t > p.dated for t, _, _ in _came(w, p, _offers(w, p)))


def _offers(w: HasTalk, p: ActivePressure) -> set[str]:
    return {way.do for way in ways_of(w.drama, p.id, p.kind) if way.offers}


def _straight(w: HasTalk, p: ActivePressure) -> set[str]:
    """What its holder may do about it with whom it is about."""
    return {x.do for x in ways_of(w.drama, p.id, p.kind) if x.by == "holder" and x.to == ABOUT}


def _came(w: HasTalk, p: ActivePressure, deeds: Set[str]) -> list[tuple[int, str, str]]:
    """When its holder last did each of these with whom it is about, what, and how that was taken."""
    return [(t, do, answer) for do, (t, answer) in p.taken.items() if do in deeds and do in w.drama.exchanges]


def _agreed(w: HasTalk, p: ActivePressure) -> bool:
    """Whether what hangs on somebody else has their word, as they last said: nobody says yes by an hour that passes."""
    return not p.about or max(_came(w, p, _straight(w, p)), default=(0, "", ""))[-1] == YES


def overdue_reason(step: Step, w: HasTalk, p: ActivePressure) -> str:
    """How it came to that, as an hour has passed: what its holder did about it with whom it is about, and how that was
    taken. Of a debt or a promise only since its hour stands, and also what they did instead: there was no money, no
    beginning, nobody to be found, or something else to do. "" where there is nothing to tell: what may as well have
    turned out well or ill came of no deed of theirs.
    """
    if w.drama.kinds[p.kind].luck:
        return ""
    name, other = w.handbook.name(p.holder), w.handbook.name(p.about) if p.about else ""
    if w.drama.kinds[p.kind].ready:
        return _hung(w, p, name, other)
    kept = p.kind in DUE
    if was_turned_down(w, p):
        done = _came(w, p, _offers(w, p))
    elif kept and (why := _short(w, p)):
        return why
    else:
        done = [x for x in _came(w, p, _straight(w, p)) if x[0] > p.dated or not kept]
    if done:
        return _told(w, name, other, *max(done)[1:])
    return _instead(step, w, p, name, other) if kept else f"{name} {NEVER.format(to=other)}" if other else ""


def _told(w: HasTalk, name: str, other: str, do: str, answer: str) -> str:
    """What its holder did with whom it is about, and how that was taken."""
    exchange = w.drama.exchanges[do]
    if answer == AWAY:
        return f"{other} turned {name} away, who had come {exchange.says}"
    took = exchange.took.get(answer)
    return f"{name} {exchange.did.format(to=other)}, and {f'{other} {took}' if took else 'nothing came of it'}"


def _hung(w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """How it came to that with what hangs on somebody's word: by that word, as it was given last, if it was in time. Of
    who was never asked for it that is told, and what was wanting before.
    """
    if done := _came(w, p, _straight(w, p)):
        _, do, answer = max(done)
        late = answer == YES and p.stage < SUPPORT
        return _told(w, name, other, do, answer) + (", and there was too little time left" if late else "")
    never = NEVER.format(to=other) if other else ""
    todo = wanting(w, p)
    if todo is None:
        return f"{name} {never}" if never else ""
    whom = w.handbook.name(todo.whom) if todo.whom else "somebody"
    says = w.drama.steps[todo.step].says.format(holder=name, about=other, whom=whom, stakes=gist(p.stakes))
    yet = f"{name} had yet to {says}"
    before = last_try(w, p.thread, means_of(w, todo).do, p.holder, todo.whom) if todo.whom else None
    if before is not None and before.vain:
        return f"{yet}, and {f'{whom} said no' if before.refused else 'had asked in vain'}"
    return f"{yet}, and {never}" if never else yet


def _short(w: HasTalk, p: ActivePressure) -> str:
    """That the holder had not the money, or could not spare it."""
    name, coins = w.handbook.name(p.holder), w.people.residents[p.holder].purse.coins
    if not has(w, p.holder, p.amount):
        return f"{name} had {spelt(coins)} and owed {spelt(p.amount)}"
    if p.amount and ease(w, p.holder, p.amount, p.holder) < 0:
        return f"paying it would have left {name} with {spelt(coins - p.amount)} until pay day"
    return ""


def _instead(step: Step, w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """What the holder did at that hour who did not come to the other about it."""
    r = w.people.residents[p.holder]
    tie = w.people.ties.get(p.holder, {}).get(p.about)
    if tie is not None and tie.last_talk > p.due - NEAR:
        return f"{name} spoke with {other} and did not come to it"
    if other and step.now < p.due + NEAR and p.about in hearers(w, p.holder, p.holder, step.now):
        return f"{name} stood beside {other} and could not find a beginning"
    if other and p.sought >= 0 and p.due - p.sought < NEAR:
        return f"{name} went looking for {other} and did not find them"
    if _overslept(step, w, p):
        return f"{name} slept through the hour"
    if r.act is None or not r.act.until or _since(r.act) > p.due + GRACE:
        return ""  # what they were doing at that hour is over
    return f"{name} was {w.handbook.doing(r.act.do)} and let the hour go by"


def _overslept(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """Whether the holder woke after the hour, so lately that they have done one thing since at most."""
    if any(isinstance(e, Woke) and at.actor == p.holder and at.t > p.due for at, e in step.happened):
        return True
    r = w.people.residents[p.holder]
    if r.act is None or len(r.acted) < 2 or _since(r.act) <= p.due:
        return False
    before = r.acted[-2]
    found = w.handbook.activities.get(before)
    return before == SLEEP or (found is not None and SLEEP in found.blocks)


def _since(act: CurrentAct) -> int:
    """The second an act began."""
    return act.until - act.seconds
