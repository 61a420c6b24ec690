"""What happens when a pressure's due hour has passed, and why it came to that: first by what its holder tried, with
whom and with what answer, only then by what they did instead.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.goal_handlers import SUPPORT, means_of, wanting
from sandbox.people.model import CurrentAct, Woke
from sandbox.people.paying import ease, has
from sandbox.people.pressure_deck import ABOUT, ANSWERS, AWAY, Effect, gist, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import HOUR_NEAR, last_try
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers

GRACE = 20 * MINUTE  # how long after its hour a pressure can still be met
DUE = frozenset(("debt", "promise"))  # kinds that are kept or broken by a deed of the holder
YES = ANSWERS[0]
NEVER = "never came to {to} with it"
SLEEP = "sleep"  # the block in which one is asleep


def comes_of_hour(step: Step, w: HasTalk, p: ActivePressure) -> tuple[Effect, str]:
    """The effect of a passed hour, and the ending it brings ("" for none yet). A holder who came to settle it and was
    turned down has done what they could: nobody holds it against them.
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
    """Whether the holder tried to settle it since the current hour was set, and the one it is about sent them away or
    said no (it is still open, so no attempt was accepted).
    """
    return p.due >= 0 and any(t > p.dated for t, _, _ in _came(w, p, _offers(w, p)))


def _offers(w: HasTalk, p: ActivePressure) -> set[str]:
    """The exchanges by which the holder can offer to settle it."""
    return {way.do for way in ways_of(w.drama, p.id, p.kind) if way.offers}


def _straight(w: HasTalk, p: ActivePressure) -> set[str]:
    """The exchanges by which the holder can act on it with the one it is about."""
    return {x.do for x in ways_of(w.drama, p.id, p.kind) if x.by == "holder" and x.to == ABOUT}


def _came(w: HasTalk, p: ActivePressure, deeds: Set[str]) -> list[tuple[int, str, str]]:
    """For each of these exchanges the holder has tried with the one it is about: when last, which, and the answer."""
    return [(t, do, answer) for do, (t, answer) in p.taken.items() if do in deeds and do in w.drama.exchanges]


def _agreed(w: HasTalk, p: ActivePressure) -> bool:
    """Whether the person it depends on last said yes; true if it depends on nobody. Time passing gives no consent."""
    return not p.about or max(_came(w, p, _straight(w, p)), default=(0, "", ""))[-1] == YES


def overdue_reason(step: Step, w: HasTalk, p: ActivePressure) -> str:
    """Why it ended as its hour passed: what the holder did about it and the answer. For a debt or promise only since
    the hour was set, and also what prevented it: no money, no chance to speak, nobody found, or another activity. ""
    where there is nothing to say, as with a matter of luck.
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
    """What the holder did with the one it is about, and the answer, as a clause."""
    exchange = w.drama.exchanges[do]
    if answer == AWAY:
        return f"{other} turned {name} away, who had come {exchange.says}"
    took = exchange.took.get(answer)
    return f"{name} {exchange.did.format(to=other)}, and {f'{other} {took}' if took else 'nothing came of it'}"


def _hung(w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """Why a matter that depends on somebody's consent ended so: by their last word, if it came in time. If they were
    never asked, say so, and what was missing before that.
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
    """A clause that the holder lacked the money or could not spare it; "" if neither."""
    name, coins = w.handbook.name(p.holder), w.people.residents[p.holder].purse.coins
    if not has(w, p.holder, p.amount):
        return f"{name} had {spelt(coins)} and owed {spelt(p.amount)}"
    if p.amount and ease(w, p.holder, p.amount, p.holder) < 0:
        return f"paying it would have left {name} with {spelt(coins - p.amount)} until pay day"
    return ""


def _instead(step: Step, w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """What the holder, who did not come to the other about it, did at that hour."""
    r = w.people.residents[p.holder]
    tie = w.people.ties.get(p.holder, {}).get(p.about)
    if tie is not None and tie.last_talk > p.due - HOUR_NEAR:
        return f"{name} spoke with {other} and did not come to it"
    if other and step.now < p.due + HOUR_NEAR and p.about in hearers(w, p.holder, p.holder, step.now):
        return f"{name} stood beside {other} and could not find a beginning"
    if other and p.sought >= 0 and p.due - p.sought < HOUR_NEAR:
        return f"{name} went looking for {other} and did not find them"
    if _overslept(step, w, p):
        return f"{name} slept through the hour"
    if r.act is None or not r.act.until or _since(r.act) > p.due + GRACE:
        return ""  # they have begun something else since that hour
    return f"{name} was {w.handbook.doing(r.act.do)} and let the hour go by"


def _overslept(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """Whether the holder woke after the hour and has begun at most one activity since."""
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
