"""What people learn about one another's matters from what happens in front of them, and what follows from hearsay."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.core.events import Stamp
from sandbox.core.protocols import Step
from sandbox.drama.claims import react_to_breach
from sandbox.drama.new_pressures import MOST, bear, open_of, room
from sandbox.people.beliefs import (
    CAUGHT,
    CLUE,
    GARBLED,
    OVERHEARD,
    ROW,
    SAW,
    SEEN,
    STATED,
    TRUTH,
    WORST,
    BeliefUpdate,
    Fact,
    Slots,
    learns,
)
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.perceive import area_at
from sandbox.people.pressure_deck import HUSHED, child_of, gist, heart
from sandbox.people.pressure_handlers import clue_id, clues_of, fact_of, find_fact, happening
from sandbox.people.pressure_model import ActivePressure, Stirred
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers
from sandbox.talk.rumours import garble_fact, harms, rumours_run

WITNESSES = 4  # at most who see a row or an ending
CATCHES, CURIOUS = 0.1, 0.1  # chance that a bystander overhears a confidence; more for the curious
DEAR, FOE = 0.35, -0.25  # feelings from which hearsay about somebody hurts, or pleases
# Chance that hearsay starts a pressure, by whom it is about.
BEARS = {"self": 0.5, "dear": 0.2, "other": 0.06, CLUE: 0.15}
FELT = 0.35  # strength (0..1) of the emotion
SHOWS = "shows"  # `how` of a pressure's event when it, or a clue to it, shows
HEARD = "heard"  # `how` of a pressure's event when somebody else hears of it


def eavesdropper(step: Step, w: HasTalk, p: ActivePressure, me: str, other: str, t: int) -> str:
    """Who overhears what one tells another in confidence; "" for nobody."""
    if not rumours_run(w):
        return ""
    ends = w.pressure_parameters.truth and w.drama.kinds[p.kind].found.end  # when the one it is about learns of it
    known = () if ends else (p.about,)
    for who in hearers(w, me, other, t):
        likely = CATCHES + CURIOUS * max(0.0, w.cast[who].big_five.openness)
        if who not in (p.holder, *known, *p.known_by) and step.chance(p.id, f"caught by {who}").unit() < likely:
            return who
    return ""


def learn_by_telling(step: Step, w: HasTalk, p: ActivePressure, me: str, other: str, t: int) -> BeliefUpdate:
    """What somebody believes after being told of a pressure. Who knows it only second-hand may exaggerate it."""
    fact = fact_of(p)
    true: Slots = (fact.a, fact.b, "", 0)
    mine = w.beliefs.held.get(me, {}).get(p.id)
    if mine is None or me in (p.holder, p.about):
        return learns(w, other, fact, true, STATED, me, t)
    said = garble_fact(w, fact, mine, me, other, t, step.chance(p.id, "told on"))
    worse: Slots = (fact.a, fact.b, "", min(WORST, said[3]))  # whom it is about is never in doubt to one who was told
    return learns(w, other, fact, worse, STATED if worse == mine.slots else GARBLED, me, t)


def learn_by_overhearing(w: HasTalk, p: ActivePressure, who: str, t: int) -> BeliefUpdate:
    """What somebody believes after overhearing a confidence."""
    fact = fact_of(p)
    return learns(w, who, fact, (fact.a, fact.b, "", 0), CAUGHT, OVERHEARD, t)


def visible_clue(w: HasTalk, p: ActivePressure) -> Fact | None:
    """The clue that a pressure reveals when it shows; None if it shows itself outright."""
    clues = clues_of(w, p.id) if w.pressure_parameters.truth else ()
    n = next((n for n, clue in enumerate(clues) if clue.by == SHOWS), None)
    return find_fact(w, clue_id(p.id, n)) if n is not None else None


def learn_by_noticing(w: HasTalk, p: ActivePressure, who: str, t: int) -> tuple[BeliefUpdate, ...]:
    """What somebody believes after noticing that something is up: a clue to it, or the pressure itself."""
    fact = fact_of(p)
    clue = visible_clue(w, p)
    if clue is not None:
        return (learns(w, who, clue, (clue.a, "", "", 0), SEEN, SAW, t),) if rumours_run(w) else ()
    return (learns(w, who, fact, (fact.a, fact.b, "", 0), SEEN, SAW, t),) if rumours_run(w) else ()


def learn_by_seeing(
    w: HasTalk, p: ActivePressure, me: str, other: str, heard: list[str], t: int, bad: int, end: str, good: bool
) -> list[BeliefUpdate]:
    """What bystanders believe after seeing a row, or the end of a matter (end: "" = a row)."""
    where = area_at(w, me, t)
    a, b = (p.holder, p.about) if end else (me, other)
    fact = happening(p, end or ROW, a, b, where, bad, good=good)
    near = [who for who in heard if who not in (a, b)][:WITNESSES]
    return [learns(w, who, fact, (a, b, where, bad), SEEN, SAW, t) for who in near]


def learn_by_admission(w: HasTalk, p: ActivePressure, near: list[str], t: int) -> list[BeliefUpdate]:
    """What the holder and those nearby believe after somebody owned up to what a pressure asks about."""
    fact = find_fact(w, p.asks)
    if fact is None:
        return []
    true: Slots = (fact.a, fact.b, "", 0)
    heard = [(p.holder, p.about), *((who, OVERHEARD) for who in near if who not in (p.holder, p.about))]
    return [learns(w, who, fact, true, STATED, source, t) for who, source in heard[: 1 + WITNESSES]]


# ---- consequences


def follow_hearsay(step: Step, w: HasTalk, stamp: Stamp, rows: Iterable[BeliefUpdate]) -> None:
    """Apply the consequences of what an event has told people about others, or about themselves."""
    for row in rows:
        fact = w.beliefs.facts.get(row.fact)  # None if a later event of this slice made it be forgotten
        if row.strength and fact is not None:
            p = w.pressures.open.get(fact.matter)
            _knows(step, w, stamp, row, fact, p)
            expose_lie(step, w, stamp.seq, row, p, stamp.t)
            react_to_breach(step, w, stamp.seq, row, fact, stamp.t)
            _takes(step, w, stamp, row, fact)


def expose_lie(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, p: ActivePressure | None, t: int) -> None:
    """If a lie is exposed, start the pressure of the one who believed it."""
    child = w.drama.rumours.bears.get("lie", "")
    if row.exposes and child:
        bear(step, w, child, (seq,), row.who, row.exposes, p, since=t, stakes=_stakes(w, row))


def _knows(step: Step, w: HasTalk, stamp: Stamp, row: BeliefUpdate, fact: Fact, p: ActivePressure | None) -> None:
    """Add a listener who heard the truth about a hidden matter to those who know of it."""
    if (
        p is None
        or fact.how
        or (p.kind not in HUSHED and row.who != p.about)
        or row.lie
        or (row.a, row.b) != (fact.a, fact.b)
    ):
        return
    knowers = (p.holder, *p.known_by)
    if row.who in knowers or row.source not in knowers:
        return
    t = max(stamp.t, p.t, w.last.get(row.source, 0))
    x = round(intensity_at(p, t, w.pressure_parameters), 6)
    event = Stirred(p.id, HEARD, "", row.who, 0.0, x, p.stage, (row.who,), p.due)
    step.emit(event, t=t, actor=row.source, causes=(stamp.seq, p.last))


def _takes(step: Step, w: HasTalk, stamp: Stamp, row: BeliefUpdate, fact: Fact) -> None:
    """The listener's reaction: an emotion and, by chance, a new pressure of their own."""
    me, bad = row.who, harms(fact)
    known = fact.matter not in w.pressures.open or fact.matter in w.beliefs.held.get(row.who, {})
    if fact.how == TRUTH or (fact.how == CLUE and known):
        return
    feeling = tie_of(w, me, row.a).feeling
    mine = w.beliefs.held.get(row.source, {}).get(row.fact)
    target, emotion = row.a, ""
    if me in (row.a, row.b):
        what, emotion = "self", "resentment" if bad else "hope"
        target = mine.source if mine is not None and mine.source in w.cast else ""
    elif feeling >= DEAR:
        what, emotion = "dear", "pity" if bad else "happy-for"
    else:
        what = "other"
        emotion = "gloating" if bad and feeling <= FOE else ""
    if emotion:
        why = f"what is said of {'them' if what == 'self' else w.handbook.name(row.a)}"
        express(step, w, me, Appraisal(emotion, FELT, why, row.source), stamp.t, stamp.seq)
    what = CLUE if fact.how == CLUE else what
    child = w.drama.rumours.bears.get(what, "")
    guesses = not fact.how and bool(w.drama.kinds[fact.kind].wrong.end)  # a mere suspicion gives no ground for another
    if not (bad and child and target) or guesses or target == me or open_of(w, me) >= MOST:
        return
    likely = BEARS[what] * (1.0 if what == "self" else room(w, stamp.t))
    if step.chance(me, "hearsay", stamp.t).unit() < likely:
        causes = (stamp.seq,) if mine is None else (stamp.seq, mine.seq)
        p = w.pressures.open.get(fact.matter)
        thread = p.thread if p is not None else ""
        asks = fact.matter if fact.how == CLUE else fact.id
        bear(step, w, child, causes, me, target, since=stamp.t, thread=thread, stakes=_stakes(w, row), asks=asks)


def _stakes(w: HasTalk, row: BeliefUpdate) -> str:
    """What a rumour is about, in the words its children use."""
    fact = w.beliefs.facts.get(row.fact)
    return gist(heart(w.drama.children.get(child_of(fact.matter)), fact.stakes)) if fact is not None else ""
