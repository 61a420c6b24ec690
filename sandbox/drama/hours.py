"""What an hour that has passed does to what was to be settled by it, and how it came to that: read from what its holder
tried, with whom and how that was taken, and only then from what they did instead.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.drama.deal import UNHEARD
from sandbox.people.model import Act, Woke
from sandbox.people.paying import ease, has
from sandbox.people.pressures.apply import key_of
from sandbox.people.pressures.deck import LIE, Effect, ways_of
from sandbox.people.pressures.model import Press
from sandbox.people.pressures.rules import NEAR, NEVER
from sandbox.people.pressures.tries import tried
from sandbox.people.ties import pair
from sandbox.talk.aims import hearers
from sandbox.talk.model import HasTalk

GRACE = 20 * MINUTE  # after its hour in which a pressure may still be met
DUE = frozenset(("debt", "promise"))  # kinds that are kept, or not, by something one does
SLEEP = "sleep"  # the block one is asleep in


def comes_of_hour(step: Step, w: HasTalk, p: Press) -> tuple[Effect, str]:
    """What an hour that has passed does, and how it ends by that, "" for not yet. Who came to settle it and was not let
    has done what they could: whatever comes of it, nobody holds it against them.
    """
    kind = w.drama.kinds[p.kind]
    late = kind.late
    if offered(w, p):
        if kind.offered.end:
            return kind.offered, kind.offered.end
        late = replace(late, target=0.0, children=(), later=0)
    end = late.end if not late.later or p.stage >= 2 else ""
    if end and p.stage >= 2 and kind.ready and _agreed(w, p):
        end = kind.ready
    elif end and kind.luck and step.chance(p.id, "luck").unit() < 0.5:
        end = kind.luck
    return late, end


def offered(w: HasTalk, p: Press) -> bool:
    """Whether the holder came to settle it for this hour, and whom it is about would not have it: they turned them away
    or, as it is open still, said no.
    """
    came = [t for way in ways_of(w.drama, p.id, p.kind) if way.offers for t in _came(p, way.do)]
    return p.due >= 0 and max(came, default=NEVER) > p.due - UNHEARD - NEAR


def _came(p: Press, do: str) -> tuple[int, int]:
    """When its holder last did that, and when they last came for it and were turned away."""
    return p.tried.get(key_of(p.holder, do), NEVER), p.tried.get(key_of(p.holder, do, away=True), NEVER)


def _agreed(w: HasTalk, p: Press) -> bool:
    """Whether what hangs on somebody else has their word: nobody says yes by an hour that passes. Where tries are not
    counted nobody knows.
    """
    if not p.about or not w.pressure_parameters.tries:
        return True
    straight = (tried(w, p.thread, do, p.holder, p.about) for do in _straight(w, p))
    return any(x is not None and x.times > x.away for x in straight)


def _straight(w: HasTalk, p: Press) -> list[str]:
    """What its holder may do about it with whom it is about."""
    ways = ways_of(w.drama, p.id, p.kind)
    return sorted({x.do for x in ways if x.by == "holder" and x.to == "about" and x.do in w.drama.exchanges})


def passed(step: Step, w: HasTalk, p: Press) -> str:
    """How it came to that, as an hour has passed: what its holder did about it with whom it is about, and how that was
    taken. Of a debt or a promise also what they did instead: there was no money, no beginning, nobody to be found, or
    something else to do. "" where there is nothing to tell: what may as well have turned out well or ill came of no
    deed of theirs.
    """
    if w.drama.kinds[p.kind].luck:
        return ""
    name, other = w.handbook.name(p.holder), w.handbook.name(p.about) if p.about else ""
    offers = {way.do for way in ways_of(w.drama, p.id, p.kind) if way.offers}
    straight = [do for do in _straight(w, p) if _theirs(w, p, do)]
    done = [(t, do, n) for do in straight for n, t in enumerate(_came(p, do)) if t > p.due - NEAR]
    if offered(w, p):
        done = [(t, do, n) for do in offers for n, t in enumerate(_came(p, do))]
    elif p.kind in DUE and (why := _short(w, p)):
        return why
    if done:
        _, do, away = max(done)
        if away:
            return f"{other} turned {name} away, who had come {w.drama.exchanges[do].says}"
        return f"{name} {w.drama.exchanges[do].did.format(to=other)}, {_taken(w, p, do, other)}"
    return _instead(step, w, p, name, other) if p.kind in DUE else ""


def _theirs(w: HasTalk, p: Press, do: str) -> bool:
    """Whether it was with whom it is about that the holder last did that, which may be done with others, too."""
    if not any(x.do == do and x.by == "holder" and x.to != "about" for x in ways_of(w.drama, p.id, p.kind)):
        return True
    thread = w.tries.threads.get(p.thread)
    last = {key: done[do].seq for key, done in thread.tried.items() if do in done} if thread is not None else {}
    mine = {key: seq for key, seq in last.items() if p.holder in key.split("|")}
    own = max(_came(p, do)) > p.tried.get(key_of(p.about, do), NEVER)  # and no deed of the other's
    return own and max(mine, key=mine.__getitem__, default="") == pair(p.holder, p.about)


def _taken(w: HasTalk, p: Press, do: str, other: str) -> str:
    """How the other took what the holder did last, a clause, as far as that is known. What ends by a yes was answered
    with a lie where it was answered and goes on.
    """
    done, took = tried(w, p.thread, do, p.holder, p.about), w.drama.exchanges[do].took
    if done is None or (done.away and not done.refused):
        return "and nothing came of it"
    ends = all(x.accept.end for x in ways_of(w.drama, p.id, p.kind) if (x.do, x.by, x.to) == (do, "holder", "about"))
    return f"and {other} {took['refuse' if done.refused else LIE if ends and LIE in took else 'accept']}"


def _short(w: HasTalk, p: Press) -> str:
    """That the holder had not the money, or could not spare it."""
    name, coins = w.handbook.name(p.holder), w.people.residents[p.holder].purse.coins
    if not has(w, p.holder, p.amount):
        return f"{name} had {spelt(coins)} and owed {spelt(p.amount)}"
    if p.amount and ease(w, p.holder, p.amount, p.holder) < 0:
        return f"paying it would have left {name} with {spelt(coins - p.amount)} until pay day"
    return ""


def _instead(step: Step, w: HasTalk, p: Press, name: str, other: str) -> str:
    """What the holder did at that hour who did not come to the other about it."""
    r = w.people.residents[p.holder]
    if _overslept(step, w, p):
        return f"{name} slept through the hour"
    tie = w.people.ties.get(p.holder, {}).get(p.about)
    if tie is not None and tie.last_talk > p.due - NEAR:
        return f"{name} spoke with {other} and did not come to it"
    if other and step.now < p.due + NEAR and p.about in hearers(w, p.holder, p.holder, step.now):
        return f"{name} stood beside {other} and could not find a beginning"
    if other and p.sought >= 0 and p.due - p.sought < NEAR:
        return f"{name} went looking for {other} and did not find them"
    if r.act is None or not r.act.until or _since(r.act) > p.due + GRACE:
        return ""  # what they were doing at that hour is over
    return f"{name} was {w.handbook.doing(r.act.do)} and let the hour go by"


def _overslept(step: Step, w: HasTalk, p: Press) -> bool:
    """Whether the holder woke after the hour, so lately that they have done one thing since at most."""
    if any(isinstance(e, Woke) and at.actor == p.holder and at.t > p.due for at, e in step.happened):
        return True
    r = w.people.residents[p.holder]
    if r.act is None or len(r.acted) < 2 or _since(r.act) <= p.due:
        return False
    before = r.acted[-2]
    found = w.handbook.activities.get(before)
    return before == SLEEP or (found is not None and SLEEP in found.blocks)


def _since(act: Act) -> int:
    """The second an act began."""
    return act.until - act.seconds
