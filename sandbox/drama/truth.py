"""What people come to know: they come upon clues and put two and two together; what is asked is answered, and what is
kept from somebody is found out.

A system that runs after all others of the drama: it reads what people have come to believe in this slice, by whatever
event. Numbers: docs/mechanisms.md, Truth.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment, move_pressure
from sandbox.people.beliefs import (
    CAUGHT,
    CLUE,
    EVENT,
    HELD,
    INFERRED,
    KNEW,
    OVERHEARD,
    PAPER,
    ROW,
    SAW,
    SEEN,
    Belief,
    BeliefUpdate,
    Fact,
    current_beliefs,
    fact_sentence,
    learns,
    strength_at,
)
from sandbox.people.model import Chose, Woke
from sandbox.people.pressure_deck import AWAY, SECRET, Effect, gist
from sandbox.people.pressure_handlers import clue_id, clues_of, find_fact
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Stirred
from sandbox.people.pressure_rules import intensity_at, next_stage
from sandbox.talk.model import Exchanged, HasTalk
from sandbox.talk.pressure_aims import hearers, pressures_run
from sandbox.talk.replying import is_unrelated, thread_of
from sandbox.talk.rumours import harms
from sandbox.town.plan import arena_of

KNOWN = "learned"  # by what a pressure ends that is answered or found out
DEDUCED = 8.0  # strength of what somebody has put together
# How much a secret weighs before its holder does something, and the stage at which they may.
PRICE, PRICE_STAGE = 0.8, 2
TWO = 2  # clues that are put together
OPEN, SUSPECTS = 0.2, 0.35  # how much more likely the curious put two and two together, and who asks about it
# chance that one comes upon what shows in a place, at each thing done there; whom it is kept from; who asks about it
COMES, LOOKS, SEARCHES = 0.06, 0.25, 0.3
HEARS = 0.25  # chance that somebody near notices what a deed shows


async def come_to_know(step: Step, w: HasTalk) -> None:
    """Draw the consequences of what people have come to believe in this slice, and let them come upon more."""
    if not pressures_run(w) or not w.pressure_parameters.truth:
        return
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now:
            continue
        if isinstance(e, Exchanged):
            follow_new_beliefs(step, w, stamp, e.told)
        elif isinstance(e, Stirred | Ended):
            follow_new_beliefs(step, w, stamp, e.learned)
            if isinstance(e, Stirred) and e.answer not in ("", AWAY):
                _noticed(step, w, stamp, e)
        elif isinstance(e, Began):
            _asks_what_is_known(step, w, stamp, e)
        elif isinstance(e, Chose) and e.there:
            _come_upon(step, w, stamp, e)
        elif isinstance(e, Woke):
            _weighs(step, w, stamp)
            for matter in dict.fromkeys(c.matter for c, _ in _clues(w, stamp.actor, stamp.t)):
                _adds_up(step, w, stamp.actor, matter, stamp.t)


def follow_new_beliefs(step: Step, w: HasTalk, stamp: Stamp, rows: Iterable[BeliefUpdate]) -> None:
    """Draw what follows from what people have come to believe by an event: what is found out, and what is answered."""
    for row in rows:
        fact = w.beliefs.facts.get(row.fact or f"{EVENT}{stamp.seq}")
        if row.strength and fact is not None:
            _settles(step, w, stamp.seq, row, fact, stamp.t)


def _settles(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, fact: Fact, t: int) -> None:
    """What a new belief settles."""
    of = thread_of(w, fact.matter)  # before what is found out is over
    _found_out(step, w, seq, row, fact)
    asking = [p for p in w.pressures.open.values() if p.holder == row.who and p.seq < seq and is_answer(p, fact)]
    for p in (p for p in asking if p.id in w.pressures.open):  # one answer may end another's matter
        _answered(step, w, p, (seq,), row, fact, of)
    if fact.how == CLUE:
        _adds_up(step, w, row.who, fact.matter, t)


# ---- what is found out, and what is answered


def _found_out(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, fact: Fact) -> None:
    """Whom a thing is kept from comes to believe it: it is found out or, by the word of who keeps it, told."""
    p = w.pressures.open.get(fact.id)
    kind = w.drama.kinds[p.kind] if p is not None else None
    if p is None or kind is None or not kind.found.end or row.lie:
        return
    if (row.who, row.a) != (p.about, p.holder) or row.source == KNEW:
        return
    if row.source != p.holder:
        move_pressure(step, w, p, kind.found, (seq,), p.about, p.holder, KNOWN, why=_way(w, row, fact))
    elif kind.admits:
        move_pressure(step, w, p, Effect(end=kind.admits), (seq,), p.holder, p.about, KNOWN, why=_way(w, row, fact))


def is_answer(p: ActivePressure, fact: Fact) -> bool:
    """Whether a fact is what a pressure asks: it is that fact itself, or how the matter came to its end."""
    return bool(p.asks) and (fact.id == p.asks or (fact.matter == p.asks and fact.how not in (CLUE, ROW)))


def _answered(
    step: Step, w: HasTalk, p: ActivePressure, causes: tuple[int, ...], row: BeliefUpdate, fact: Fact, of: str
) -> None:
    """Somebody believes an answer. What a lie does of the one it is asked of stands in the way it was told. of: the
    thread of the fact.
    """
    if row.lie and row.source == p.about:
        return
    kind = w.drama.kinds[p.kind]
    effect = kind.right if row.a == p.about else kind.wrong
    if is_unrelated(w, p, of):  # who has not done that either is not cleared of the other
        effect = (kind.beside if kind.beside.end else effect) if row.a == p.about else Effect()
    if effect.end:
        if not harms(fact) or fact.b == p.holder:  # being kept in the dark has consequences of its own
            effect = replace(effect, children=())
        move_pressure(step, w, p, effect, causes, p.holder, row.a, KNOWN, why=_way(w, row, fact))


def _asks_what_is_known(step: Step, w: HasTalk, stamp: Stamp, e: Began) -> None:
    """Who asks what they believe already, as the cast may, is answered at once."""
    p = w.pressures.open.get(e.id)
    held = w.beliefs.held.get(stamp.actor, {})
    if p is None or not p.asks or stamp.causes:
        return
    for b in [b for b in held.values() if is_answer(p, w.beliefs.facts[b.fact])]:
        row = BeliefUpdate(stamp.actor, b.fact, *b.slots, b.strength, b.source, b.lie)
        if p.id in w.pressures.open and strength_at(b, stamp.t, w.belief_parameters) >= HELD:
            fact = w.beliefs.facts[b.fact]
            _answered(step, w, p, (stamp.seq,), row, fact, thread_of(w, fact.matter))


def _way(w: HasTalk, row: BeliefUpdate, fact: Fact) -> str:
    """How somebody has come to know a thing, and what it is: a clause."""
    me, says = w.handbook.name(row.who), fact_sentence(w, fact, row.slots)
    if fact.kind == SECRET and not fact.how:
        says = f"what {w.handbook.name(row.a)} has kept quiet, {gist(fact.stakes)}"
    how = {
        INFERRED: f"{me} has put two and two together",
        OVERHEARD: f"{me} overheard it",
        SAW: f"{me} saw it",
        KNEW: f"{me} knew it",
        PAPER: f"{me} read it on a paper without a name",
    }
    return f"{how.get(row.source) or f'{me} had it from {w.handbook.name(row.source)}'}: {says}"


def _weighs(step: Step, w: HasTalk, stamp: Stamp) -> None:
    """Who wakes with something to hide that has come to weigh so much is a step nearer to doing something about it."""
    for p in [p for p in w.pressures.open.values() if p.holder == stamp.actor and p.kind == SECRET]:
        x = intensity_at(p, stamp.t, w.pressure_parameters)
        stage = next_stage(p, PRICE_STAGE, stamp.t, w.pressure_parameters)
        if x >= PRICE and stage > p.stage:
            e = Stirred(p.id, "again", "", p.about, r6(x - p.intensity), r6(x), stage, due=p.due)
            step.emit(e, t=max(free_moment(step, w, p.holder), p.t), actor=p.holder, causes=(p.last,))


# ---- evidence


def _clues(w: HasTalk, who: str, t: int) -> list[tuple[Fact, Belief]]:
    """The clues that somebody believes, in the order in which they came to them."""
    found = ((w.beliefs.facts[b.fact], b) for b in current_beliefs(w.beliefs, who, t, w.belief_parameters))
    return [(fact, b) for fact, b in found if fact.how == CLUE]


def _adds_up(step: Step, w: HasTalk, who: str, matter: str, t: int) -> None:
    """Somebody may put two clues together that speak of the same person: once a day for each matter."""
    p, fact = _told_of(w, who, matter), find_fact(w, matter)
    if p is None or fact is None or not _in_the_dark(w, who, fact, t):
        return
    mine = [(clue, b) for clue, b in _clues(w, who, t) if clue.matter == matter]
    of = next((b.a for _, b in mine if sum(x.a == b.a for _, x in mine) >= TWO), "")
    q = w.pressure_parameters
    likely = q.infers + OPEN * w.cast[who].big_five.openness + SUSPECTS * suspects(w, who, matter, of)
    chance = w.chance.stream(0, matter, f"{who} adds up", w.clock.day(t))
    if not of or not q.infers or chance.unit() >= likely:
        return
    two = [(clue, b) for clue, b in mine if b.a == of][-TWO:]
    t = max(free_moment(step, w, who), p.t, t)
    row = learns(w, who, fact, (of, fact.b, "", 0), DEDUCED, INFERRED, t)
    if row.strength:
        says = ", and ".join(fact_sentence(w, clue, b.slots) for clue, b in two)
        told = (who,) if of == fact.a and matter == p.id and who != p.about else ()
        causes = tuple(dict.fromkeys((*(b.seq for _, b in two), p.last)))
        seq = _stir(step, w, p, INFERRED, who, row, says, t, causes, told)
        _settles(step, w, seq, row, fact, t)


def suspects(w: HasTalk, who: str, matter: str, whom: str = "") -> bool:
    """Whether somebody asks about a matter, or suspects that person of anything."""
    mine = (p for p in w.pressures.open.values() if p.holder == who and p.asks)
    return any(p.asks == matter or (whom and p.about == whom) for p in mine)


def _told_of(w: HasTalk, who: str, matter: str) -> ActivePressure | None:
    """The pressure of which it is told that somebody has learned of a matter: itself or, of a fact of the world's own,
    the one that asks about it.
    """
    if matter not in w.truths:
        return w.pressures.open.get(matter)
    return next((p for p in w.pressures.open.values() if (p.holder, p.asks) == (who, matter)), None)


def _in_the_dark(w: HasTalk, who: str, fact: Fact, t: int) -> bool:
    """Whether somebody neither hides a matter nor believes anything of it."""
    p, b = w.pressures.open.get(fact.id), w.beliefs.held.get(who, {}).get(fact.id)
    if who == fact.a or (p is not None and who in p.known_by):
        return False
    return b is None or strength_at(b, t, w.belief_parameters) < HELD


def _stir(
    step: Step, w: HasTalk, p: ActivePressure, how: str, who: str, row: BeliefUpdate, says: str, t: int,
    causes: tuple[int, ...], told: tuple[str, ...] = (),
) -> int:  # fmt: skip
    """Tell of a pressure that somebody has learned something of it: its holder does not know. The event's number."""
    x = r6(intensity_at(p, t, w.pressure_parameters))
    new = tuple(who for who in told if who not in (p.holder, *p.known_by))
    e = Stirred(p.id, how, "", row.a, 0.0, x, p.stage, new, p.due, learned=(row,), says=says)
    return step.emit(e, t=t, actor=who, causes=causes)


def _gets(step: Step, w: HasTalk, matter: str, n: int, who: str, strength: float, source: str, cause: int) -> None:
    """Somebody comes upon a clue, unless they have it already."""
    p, clue, fact = _told_of(w, who, matter), find_fact(w, clue_id(matter, n)), find_fact(w, matter)
    t = free_moment(step, w, who)
    if p is None or clue is None or fact is None or not _in_the_dark(w, who, fact, t):
        return
    if clue.id in w.beliefs.held.get(who, {}):
        return
    t = max(t, p.t)
    row = learns(w, who, clue, (clue.a, "", "", 0), strength, source, t)
    causes = tuple(dict.fromkeys((cause, p.last))) if cause else (p.last,)
    seq = _stir(step, w, p, CLUE, who, row, clue.stakes, t, causes)
    _settles(step, w, seq, row, clue, t)


def _come_upon(step: Step, w: HasTalk, stamp: Stamp, e: Chose) -> None:
    """Whoever does something in a place may come upon what shows there."""
    place = arena_of(e.where)
    for matter, n in w.clue_places.get(place, ()):
        p = _told_of(w, stamp.actor, matter)
        if p is None or _seen_today(w, clue_id(matter, n), stamp.t):
            continue
        likely = SEARCHES if suspects(w, stamp.actor, matter) else LOOKS if stamp.actor == p.about else COMES
        if step.chance(stamp.actor, f"comes upon {clue_id(matter, n)}", stamp.t).unit() < likely:
            _gets(step, w, matter, n, stamp.actor, SEEN, SAW, 0)


def _seen_today(w: HasTalk, clue: str, t: int) -> bool:
    """Whether somebody has come upon a clue today: then it is put straight again until the morning."""
    found = (held[clue] for held in w.beliefs.held.values() if clue in held)
    return any(b.source == SAW and w.clock.day(b.since) == w.clock.day(t) for b in found)


def _noticed(step: Step, w: HasTalk, stamp: Stamp, e: Stirred) -> None:
    """Those near may notice what a deed about a matter shows of it."""
    for n, clue in enumerate(clues_of(w, e.id)):
        if clue.by == e.how:
            for who in hearers(w, stamp.actor, e.to, free_moment(step, w, stamp.actor, e.to)):
                if step.chance(e.id, f"{who} hears {n}").unit() < HEARS:
                    _gets(step, w, e.id, n, who, CAUGHT, OVERHEARD, stamp.seq)
                    break
