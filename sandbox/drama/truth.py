"""Discovery: people find clues and draw conclusions; questions are answered, and secrets found out.

A system that runs after the rest of drama, on all new beliefs of this slice, whatever event they come from. Numbers:
docs/mechanisms.md, Truth.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import PressureDeed, free_moment, move_pressure
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
from sandbox.talk.pressure_aims import hearers, is_unrelated, pressures_run, thread_of
from sandbox.talk.rumours import harms
from sandbox.town.plan import arena_of

KNOWN = "learned"  # `how` of an ending by being answered or found out
DEDUCED = 8.0  # strength of a deduced belief
# Intensity of a secret from which its holder may act, and the stage it then reaches.
PRICE, PRICE_STAGE = 0.8, 2
TWO = 2  # clues needed for a conclusion
OPEN, SUSPECTS = 0.2, 0.35  # added chance of a conclusion: for openness, and for who asks about it
# chance per activity there to find a clue: for anyone, for its target, for who asks about it
COMES, LOOKS, SEARCHES = 0.06, 0.25, 0.3
HEARS = 0.25  # chance that a bystander notices the clue in a deed


async def come_to_know(step: Step, w: HasTalk) -> None:
    """Apply the consequences of this slice's new beliefs, and let people find clues."""
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
    """Apply what follows from the beliefs that an event gave people: discoveries and answers."""
    for row in rows:
        fact = w.beliefs.facts.get(row.fact or f"{EVENT}{stamp.seq}")
        if row.strength and fact is not None:
            _settles(step, w, stamp.seq, row, fact, stamp.t)


def _settles(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, fact: Fact, t: int) -> None:
    """Apply what one new belief reveals, answers or adds up to."""
    of = thread_of(w, fact.matter)  # taken before the matter ends
    _found_out(step, w, seq, row, fact)
    asking = [p for p in w.pressures.open.values() if p.holder == row.who and p.seq < seq and is_answer(p, fact)]
    for p in (p for p in asking if p.id in w.pressures.open):  # one answer may end another's matter
        _answered(step, w, p, seq, row, fact, of)
    if fact.how == CLUE:
        _adds_up(step, w, row.who, fact.matter, t)


# ---- what is found out, and what is answered


def _found_out(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, fact: Fact) -> None:
    """End a secret that its target comes to believe: told by its holder, or else found out."""
    p = w.pressures.open.get(fact.id)
    kind = w.drama.kinds[p.kind] if p is not None else None
    if p is None or kind is None or not kind.found.end or row.lie:
        return
    if (row.who, row.a) != (p.about, p.holder) or row.source == KNEW:
        return
    if row.source != p.holder:
        move_pressure(step, w, PressureDeed(p, kind.found, p.about, p.holder, KNOWN, why=_way(w, row, fact)), seq)
    elif kind.admits:
        admitted = PressureDeed(p, Effect(end=kind.admits), p.holder, p.about, KNOWN, why=_way(w, row, fact))
        move_pressure(step, w, admitted, seq)


def is_answer(p: ActivePressure, fact: Fact) -> bool:
    """Whether a fact answers a pressure's question: it is that fact, or how that matter ended."""
    return bool(p.asks) and (fact.id == p.asks or (fact.matter == p.asks and fact.how not in (CLUE, ROW)))


def _answered(step: Step, w: HasTalk, p: ActivePressure, cause: int, row: BeliefUpdate, fact: Fact, of: str) -> None:
    """Apply an answer that the holder of a question believes. A lie told by the one asked is handled where it is told.
    of: the thread of the fact.
    """
    if row.lie and row.source == p.about:
        return
    kind = w.drama.kinds[p.kind]
    effect = kind.right if row.a == p.about else kind.wrong
    if is_unrelated(w, p, of):  # innocence in an unrelated matter clears nobody of this one
        effect = (kind.beside if kind.beside.end else effect) if row.a == p.about else Effect()
    if effect.end:
        if not harms(fact) or fact.b == p.holder:  # only harm, or having been kept in the dark, has consequences
            effect = replace(effect, children=())
        move_pressure(step, w, PressureDeed(p, effect, p.holder, row.a, KNOWN, why=_way(w, row, fact)), cause)


def _asks_what_is_known(step: Step, w: HasTalk, stamp: Stamp, e: Began) -> None:
    """Answer a new question at once, if its holder already believes the answer (the cast's may)."""
    p = w.pressures.open.get(e.id)
    held = w.beliefs.held.get(stamp.actor, {})
    if p is None or not p.asks or stamp.causes:
        return
    for b in [b for b in held.values() if is_answer(p, w.beliefs.facts[b.fact])]:
        row = BeliefUpdate(stamp.actor, b.fact, *b.slots, b.strength, b.source, b.lie)
        if p.id in w.pressures.open and strength_at(b, stamp.t, w.belief_parameters) >= HELD:
            fact = w.beliefs.facts[b.fact]
            _answered(step, w, p, stamp.seq, row, fact, thread_of(w, fact.matter))


def _way(w: HasTalk, row: BeliefUpdate, fact: Fact) -> str:
    """How somebody learned something, and what, as a clause."""
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
    """Raise the stage of heavy secrets as their holder wakes."""
    for p in [p for p in w.pressures.open.values() if p.holder == stamp.actor and p.kind == SECRET]:
        x = intensity_at(p, stamp.t, w.pressure_parameters)
        stage = next_stage(p, PRICE_STAGE, stamp.t, w.pressure_parameters)
        if x >= PRICE and stage > p.stage:
            e = Stirred(p.id, "again", "", p.about, r6(x - p.intensity), r6(x), stage, due=p.due)
            step.emit(e, t=max(free_moment(step, w, p.holder), p.t), actor=p.holder, causes=(p.last,))


# ---- evidence


def _clues(w: HasTalk, who: str, t: int) -> list[tuple[Fact, Belief]]:
    """The clues that somebody believes, in the order they got them."""
    found = ((w.beliefs.facts[b.fact], b) for b in current_beliefs(w.beliefs, who, t, w.belief_parameters))
    return [(fact, b) for fact, b in found if fact.how == CLUE]


def _adds_up(step: Step, w: HasTalk, who: str, matter: str, t: int) -> None:
    """By chance, once a day per matter, let somebody conclude from two clues to the same person."""
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
    """Whether somebody asks about a matter, or suspects this person of anything."""
    mine = (p for p in w.pressures.open.values() if p.holder == who and p.asks)
    return any(p.asks == matter or (whom and p.about == whom) for p in mine)


def _told_of(w: HasTalk, who: str, matter: str) -> ActivePressure | None:
    """The pressure whose events record that somebody learned of a matter: the matter's own or, for a fact of the world,
    that of whoever asks about it.
    """
    if matter not in w.truths:
        return w.pressures.open.get(matter)
    return next((p for p in w.pressures.open.values() if (p.holder, p.asks) == (who, matter)), None)


def _in_the_dark(w: HasTalk, who: str, fact: Fact, t: int) -> bool:
    """Whether somebody neither hides a matter nor believes anything about it."""
    p, b = w.pressures.open.get(fact.id), w.beliefs.held.get(who, {}).get(fact.id)
    if who == fact.a or (p is not None and who in p.known_by):
        return False
    return b is None or strength_at(b, t, w.belief_parameters) < HELD


def _stir(
    step: Step, w: HasTalk, p: ActivePressure, how: str, who: str, row: BeliefUpdate, says: str, t: int,
    causes: tuple[int, ...], told: tuple[str, ...] = (),
) -> int:  # fmt: skip
    """Record on a pressure that somebody has learned something of it, unknown to its holder. Returns the event's
    number.
    """
    x = r6(intensity_at(p, t, w.pressure_parameters))
    new = tuple(who for who in told if who not in (p.holder, *p.known_by))
    e = Stirred(p.id, how, "", row.a, 0.0, x, p.stage, new, p.due, learned=(row,), says=says)
    return step.emit(e, t=t, actor=who, causes=causes)


def _gets(step: Step, w: HasTalk, matter: str, n: int, who: str, strength: float, source: str, cause: int) -> None:
    """Give somebody a clue, unless they have it already."""
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
    """By chance, let somebody who acts in a place find the clues there."""
    place = arena_of(e.where)
    for matter, n in w.clue_places.get(place, ()):
        p = _told_of(w, stamp.actor, matter)
        if p is None or _seen_today(w, clue_id(matter, n), stamp.t):
            continue
        likely = SEARCHES if suspects(w, stamp.actor, matter) else LOOKS if stamp.actor == p.about else COMES
        if step.chance(stamp.actor, f"comes upon {clue_id(matter, n)}", stamp.t).unit() < likely:
            _gets(step, w, matter, n, stamp.actor, SEEN, SAW, 0)


def _seen_today(w: HasTalk, clue: str, t: int) -> bool:
    """Whether somebody has found this clue today; it is then out of sight until the morning."""
    found = (held[clue] for held in w.beliefs.held.values() if clue in held)
    return any(b.source == SAW and w.clock.day(b.since) == w.clock.day(t) for b in found)


def _noticed(step: Step, w: HasTalk, stamp: Stamp, e: Stirred) -> None:
    """By chance, let bystanders notice the clues that a deed reveals."""
    for n, clue in enumerate(clues_of(w, e.id)):
        if clue.by == e.how:
            for who in hearers(w, stamp.actor, e.to, free_moment(step, w, stamp.actor, e.to)):
                if step.chance(e.id, f"{who} hears {n}").unit() < HEARS:
                    _gets(step, w, e.id, n, who, CAUGHT, OVERHEARD, stamp.seq)
                    break
