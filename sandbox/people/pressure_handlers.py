"""How events change pressures (HANDLERS), and the memories they leave (REMEMBER)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp
from sandbox.people.beliefs import CLUE, EVENT, KNEW, ROW, SEEN, TRUTH, BeliefUpdate, Fact, HasBeliefs, believe
from sandbox.people.claim_handlers import HasClaims, person
from sandbox.people.handlers import divert, tie
from sandbox.people.matter_model import MatterState
from sandbox.people.memory import Memories
from sandbox.people.needs import feed_from
from sandbox.people.paying import Paid
from sandbox.people.persona import Clue, Pressure, Truth
from sandbox.people.pressure_deck import ABOUT, AWAY, LIE, SECRET, DramaDeck
from sandbox.people.pressure_model import (
    ActivePressure,
    Began,
    Ended,
    PressureParameters,
    PressureState,
    ShowdownState,
    Sought,
    Sparked,
    Stirred,
    Thread,
    Tried,
    TryState,
    Turned,
)
from sandbox.people.ties import enter_tie_cause, pair_key

NOT_YET = -10 * DAY  # `staged` of a new pressure, long enough ago for any first rise
ROWS_KEPT = 1000  # most rows and breaks a day that parameters can allow
VAIN, NO = ("dodge", "refuse", AWAY), "refuse"  # answers that count as a failed attempt, and as a refusal
SENT = 2  # poignancy of having turned somebody away


class HasPressures(HasBeliefs, HasClaims):
    """The part of a world that handlers and rules of pressures use. founding_pressures: the cast's, with their dealt
    times; cast_pressures: these and the ones newcomers brought. cast_clues: pressure -> its own clues; truths: by id,
    facts asked about that are no pressure; clue_places: place -> (pressure or truth, index) of the clues found there.
    """

    pressures: PressureState
    matters: MatterState
    tries: TryState
    showdowns: ShowdownState
    cast_pressures: dict[str, Pressure]
    founding_pressures: dict[str, Pressure]
    truths: dict[str, Truth]
    cast_clues: dict[str, tuple[Clue, ...]]
    clue_places: dict[str, list[tuple[str, int]]]
    pressure_parameters: PressureParameters
    drama: DramaDeck


def check_residents(w: HasPressures, *who: str) -> None:
    """Raise KeyError if one of these ids is not of a resident ("" is allowed)."""
    for x in who:
        if x and x not in w.people.residents:
            raise KeyError(x)


def began(w: HasPressures, e: Began, stamp: Stamp) -> None:
    state = w.pressures
    check_residents(w, stamp.actor, e.about, *e.known_by)
    if e.kind not in w.drama.kinds or e.id in state.open:
        raise ValueError(f"no such pressure can begin: {e.kind} {e.id}")
    if not (e.parent or stamp.causes):
        state.woken[e.id] = stamp.seq
    if e.thread == e.id:
        _forget(w)
    state.open[e.id] = awake(e, stamp.actor, stamp.t, stamp.seq)
    known = {e.id: [who for who in e.known_by if who != e.about]}
    matters = (e.id, e.asks) if e.asks in w.truths else (e.id,)
    for matter in matters if w.pressure_parameters.truth else ():
        truth = w.truths.get(matter)
        known |= {matter: list(truth.known_by)} if truth is not None else {}
        known |= {clue_id(matter, n): list(clue.known_by) for n, clue in enumerate(clues_of(w, matter))}
    facts = {id: fact for id, who in known.items() if who and (fact := find_fact(w, id)) is not None}
    rows = [BeliefUpdate(who, id, f.a, f.b, "", 0, SEEN, KNEW) for id, f in facts.items() for who in known[id]]
    believe(w, rows, facts, stamp)


def awake(e: Began, holder: str, t: int, seq: int) -> ActivePressure:
    """The active pressure that a Began event makes. seq: the event's number, 0 before it is emitted."""
    return ActivePressure(
        e.id, e.kind, holder, e.about, e.intensity, t, e.stage, e.due, e.stakes, e.cause, e.thread,
        list(e.known_by), seq, seq, NOT_YET, {}, amount=e.amount, asks=e.asks or "", dated=t,
        words=e.words or {},
    )  # fmt: skip


def fact_of(p: ActivePressure) -> Fact:
    """The fact that a pressure exists."""
    return Fact(p.id, p.id, p.kind, "", p.holder, p.about, "", 0, p.stakes, p.cause)


def happening(
    p: ActivePressure, how: str, a: str, b: str, where: str, bad: int, seq: int = 0, good: bool = False
) -> Fact:
    """The fact of an event of a pressure: a row, or an ending. seq: the event's number, 0 before it has one."""
    return Fact(f"{EVENT}{seq or ''}", p.id, p.kind, how, a, b, where, bad, p.stakes, p.cause, good)


# ---- facts by id: pressures, clues and truths


def clue_id(matter: str, n: int) -> str:
    """The id of the fact for clue n (from 0) of a pressure or truth."""
    return f"{matter}/{n}"


def clues_of(w: HasPressures, matter: str) -> tuple[Clue, ...]:
    """The clues of a truth or pressure: its own, and those of its kind while it is open, whose sentences have slots."""
    if matter in w.truths:
        return w.truths[matter].clues
    p = w.pressures.open.get(matter)
    return (*w.cast_clues.get(matter, ()), *(w.drama.kinds[p.kind].clues if p is not None else ()))


def find_fact(w: HasPressures, id: str) -> Fact | None:
    """The fact with this id: one somebody believes, an open pressure, a truth or a clue; None if there is none."""
    if id in w.beliefs.facts:
        return w.beliefs.facts[id]
    if id in w.pressures.open:
        return fact_of(w.pressures.open[id])
    if id in w.truths:
        truth = w.truths[id]
        return Fact(id, id, SECRET, TRUTH, truth.who, "", "", 0, truth.says, "")
    matter, _, n = id.rpartition("/")
    of = find_fact(w, matter) if matter else None
    clues = clues_of(w, matter) if of is not None else ()
    if of is None or not n.isdecimal() or int(n) >= len(clues):
        return None
    own = len(w.cast_clues.get(matter, ())) if matter not in w.truths else len(clues)
    said = clues[int(n)].says
    says = said if int(n) < own else said.format(**w.handbook.both(of.a, of.b), stakes=of.stakes)
    return Fact(id, matter, of.kind, CLUE, of.a, "", "", 0, says, "")


def doer(w: HasPressures, id: str) -> str:
    """The person responsible for a fact, also for a pressure not yet awake; "" if unknown."""
    fact = find_fact(w, id)
    if fact is not None:
        return fact.a
    return w.cast_pressures[id].holder if id in w.cast_pressures else ""


def facts_of(w: HasPressures, rows: Iterable[BeliefUpdate]) -> dict[str, Fact]:
    """The facts that belief updates name, by id."""
    return {row.fact: fact for row in rows if row.fact and (fact := find_fact(w, row.fact)) is not None}


def _learned(w: HasPressures, e: Stirred | Ended, p: ActivePressure, stamp: Stamp) -> None:
    if not e.learned:
        return
    facts = {**facts_of(w, e.learned), p.id: fact_of(p)}
    seen = next((row for row in e.learned if not row.fact), None)
    if seen is not None:
        how, good = (e.how, e.good) if isinstance(e, Ended) else (ROW, False)
        facts[""] = happening(p, how, seen.a, seen.b, seen.where, seen.bad, stamp.seq, good)
    believe(w, e.learned, facts, stamp)


def stirred(w: HasPressures, e: Stirred, stamp: Stamp) -> None:
    check_residents(w, e.to, *e.told)
    p = w.pressures.open[e.id]
    due = p.due
    p.intensity, p.t, p.last, p.due = e.intensity, stamp.t, stamp.seq, e.due
    if e.stage != p.stage:
        p.stage, p.staged = e.stage, stamp.t
    p.known_by += e.told
    _learned(w, e, p, stamp)
    if e.due > due and e.answer != AWAY:
        p.dated = stamp.t
    if e.answer:
        p.tried[key_of(stamp.actor, e.how, e.answer == AWAY)] = stamp.t
        if (stamp.actor, e.to) == (p.holder, p.about):
            p.taken[e.how] = stamp.t, e.answer
        if e.answer == NO:
            p.refused += 1
    _tried(w, p, e, stamp, e.how, news=not e.answer and e.due != due)
    _came_of(w, e.feelings, stamp, e.hostile, e.turn, stamp.actor, e.to)
    exchange = w.drama.exchanges.get(e.how)
    if exchange is not None and exchange.kind and e.answer not in ("", AWAY):
        w.pressures.hurt.pop(e.to, None)
    if e.turn:
        _hurt(w.pressures, p.thread, stamp, stamp.actor, e.to)
        _today(w.pressures.breaks, stamp.t)


def key_of(who: str, do: str, away: bool = False) -> str:
    """The key of a try in `ActivePressure.tried`. away: they were turned away before a word was said."""
    return f"{who} {do} {AWAY}" if away else f"{who} {do}"


def ended(w: HasPressures, e: Ended, stamp: Stamp) -> None:
    check_residents(w, e.to)
    p = w.pressures.open.pop(e.id)
    _learned(w, e, p, stamp)
    _tried(w, p, e, stamp, e.by, news=not e.answer and e.turn)
    if p.thread in w.tries.threads:
        w.tries.threads[p.thread].over.append(p.id)
    close_concerns(w, p.id)
    if e.turn and e.answer != LIE:  # a lie that was believed hurts nobody's standing
        ending = w.drama.kinds[p.kind].ends.get(e.how)
        theirs = not e.good and ending is not None and ending.blames == ABOUT and p.about
        needs = w.people.residents[p.about if theirs else p.holder].needs
        feed_from(needs, stamp.t, w.need_parameters, {"outcome": 1 if e.good else -1})
        if e.hostile and not e.good:
            _today(w.pressures.breaks, stamp.t)
        if not e.good:
            _hurt(w.pressures, p.thread, stamp, p.holder, p.about)
    _came_of(w, e.feelings, stamp, e.hostile, e.turn, p.holder, p.about if e.turn else "")


def close_concerns(w: HasPressures, id: str) -> None:
    """Close the concerns in people's files that are about a pressure which has ended."""
    for who, p in w.files.items():
        if id in p.matters.values():
            over = w.people.residents[who].over
            over += [x for x, matter in p.matters.items() if matter == id and x not in over]
            w.cast[who] = person(w, who)


def _tried(w: HasPressures, p: ActivePressure, e: Stirred | Ended, stamp: Stamp, how: str, news: bool) -> None:
    """Record an unsuccessful attempt. news: something happened by itself that resets the pair's earlier attempts."""
    thread = w.tries.threads.get(p.thread)
    if news and thread is not None:
        thread.tried.pop(pair_key(p.holder, p.about), None)
    if e.tries:
        thread = w.tries.threads.setdefault(p.thread, Thread())
        done = thread.tried.setdefault(pair_key(stamp.actor, e.to), {})
        before = done[how].vain if e.tries > 1 and how in done else 0
        done[how] = Tried(e.tries, before + (e.answer in VAIN), e.answer == NO, stamp.seq)


def _forget(w: HasPressures) -> None:
    """Drop the attempts of threads that have no open pressure."""
    live = {p.thread for p in w.pressures.open.values()}
    for thread in w.tries.threads.keys() - live:
        del w.tries.threads[thread]


def _came_of(
    w: HasPressures, feelings: tuple[Turned, ...], stamp: Stamp, hostile: bool, turn: bool, a: str, b: str
) -> None:
    turn_feelings(w, feelings, stamp)
    state = w.pressures
    if hostile and b:
        state.faced[pair_key(a, b)] = stamp.t
        _today(state.rows, stamp.t)
    if turn:
        state.last_turn = stamp.t
        for who in (a, b):
            if who:
                state.turned[who] = stamp.t


def turn_feelings(w: HasPressures, feelings: Iterable[Turned], stamp: Stamp) -> None:
    """Apply an event's changes of feelings and add them to the ties' ledgers."""
    for f in feelings:
        check_residents(w, f.u, f.v)
        found = tie(w.people, f.u, f.v)
        found.feeling = f.feeling
        enter_tie_cause(found, "feeling", f.delta, stamp, f.why)


def _hurt(state: PressureState, thread: str, stamp: Stamp, *who: str) -> None:
    """Record a bad turn for these people, and drop those older than a day."""
    for x in who:
        if x:
            recent = [blow for blow in state.hurt.get(x, ())[-ROWS_KEPT:] if stamp.t - blow[0] < DAY]
            state.hurt[x] = [*recent, (stamp.t, stamp.seq, thread)]


def _today(times: list[int], t: int) -> None:
    """Add second t to the list, and drop those older than a day or beyond ROWS_KEPT."""
    times[:] = [x for x in times[-ROWS_KEPT:] if t - x < DAY]
    times.append(t)


def paid(w: HasPressures, e: Paid, stamp: Stamp) -> None:
    p = w.pressures.open.get(e.debt)
    if p is not None:
        if e.amount > p.amount:
            raise ValueError(f"more is paid than is owed: {e.amount} of {p.amount}")
        p.amount -= e.amount


def sought(w: HasPressures, e: Sought, stamp: Stamp) -> None:
    p = w.pressures.open[e.id]
    divert(w, stamp.actor, e.block, e.why, "search", stamp)
    p.sought, p.sought_for = stamp.t, e.do


def sparked(w: HasPressures, e: Sparked, stamp: Stamp) -> None:
    w.pressures.sparks[e.id] = w.pressures.sparked = stamp.t
    w.pressures.befallen.update(dict.fromkeys(e.roles.values(), stamp.t))


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Began: began,
    Stirred: stirred,
    Ended: ended,
    Sought: sought,
    Sparked: sparked,
    Paid: paid,
}


def remember_stirred(memories: Memories, e: Stirred, stamp: Stamp) -> None:
    if not e.answer:
        if e.how == "shows":
            text = f"noticed that something is up with {memories.lexicon.name(stamp.actor)}"
            memories.keep(e.to, stamp, "event", text, (stamp.actor,), 3, form="deed")
        return
    _remember_deed(memories, stamp, e.how, e.answer, e.to, 6 if e.hostile or e.turn else 4)


def remember_ended(memories: Memories, e: Ended, stamp: Stamp) -> None:
    if e.answer:
        _remember_deed(memories, stamp, e.by, e.answer, e.to, 7)


def _remember_deed(memories: Memories, stamp: Stamp, do: str, answer: str, to: str, weight: int) -> None:
    me, other = memories.lexicon.name(stamp.actor), memories.lexicon.name(to)
    known = "" if answer == LIE else answer  # who is lied to believes it
    memories.keep(stamp.actor, stamp, "event", memories.lexicon.deed(do, known, other), (to,), weight, form="deed")
    if answer == AWAY:
        stays = weight if memories.lexicon.unheard(do, me) else SENT
        memories.keep(to, stamp, "event", memories.lexicon.sent_away(do, me), (stamp.actor,), stays, form="deed")
        return
    heard = f"heard {me} out: {memories.lexicon.deed(do, answer, 'me')}"
    memories.keep(to, stamp, "event", heard, (stamp.actor,), weight, form="hearing")


REMEMBER: dict[type[Event], Callable[..., None]] = {Stirred: remember_stirred, Ended: remember_ended}
