"""How marks change a day: while a mark is strong, its habit changes the planning question, and the new block says why.
The planner, rules or a model, gets the changed question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Stamp
from sandbox.people.claim_effects import is_barred, parted_of_late
from sandbox.people.claim_handlers import friends
from sandbox.people.handbook import DUTY, Handbook
from sandbox.people.mark_model import AVOID, DECISIONS, DO, HOME, STAY_IN, THEIRS, Marked
from sandbox.people.memory import Memories
from sandbox.people.model import Block, HasPeople
from sandbox.people.mood import MoodMark, enter_mark, strong
from sandbox.people.persona import KINDS
from sandbox.people.planning import REST, SOON, HasWays, PlanChange, expected_place, parlour
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.question_plan import VISIT, PlanDay
from sandbox.people.ties import pair_key
from sandbox.people.wording import mentions_person
from sandbox.town.plan import sector_of


def mark_of(e: Marked, stamp: Stamp) -> MoodMark:
    """The mark an event leaves; its `seq` is that of the outcome that caused the event."""
    return MoodMark(*e.delta, stamp.t, stamp.causes[0], e.why, e.half, e.habit, e.whom, e.do, e.where, e.kind)


def marked(w: HasPeople, e: Marked, stamp: Stamp) -> None:
    if e.whom and e.whom not in w.people.residents:
        raise ValueError(f"there is nobody {e.whom}")
    if not stamp.causes:
        raise ValueError("a mark of nothing")
    enter_mark(w.people.residents[stamp.actor].mood, mark_of(e, stamp), e.after)


HANDLERS: dict[type[Event], Callable[..., None]] = {Marked: marked}
FULL = 20  # poignancy of a memory, a unit of the largest axis of the mark


def remember_mark(memories: Memories, e: Marked, stamp: Stamp) -> None:
    """Remember what was gained or lost. Deeds and decisions are remembered as they happen."""
    if e.kind in KINDS or e.kind in DECISIONS:
        return
    weight = min(10, round(FULL * max(map(abs, e.delta))))
    memories.keep(stamp.actor, stamp, "event", e.why, (e.whom,) * bool(e.whom), weight, e.delta, e.after)


REMEMBER: dict[type[Event], Callable[..., None]] = {Marked: remember_mark}


def new_marks(w: HasPeople, who: str, t: int, span: int) -> Iterator[MoodMark]:
    """Somebody's marks of the `span` seconds before second t whose cause names them; no secret ones."""
    first = w.handbook.name(who)
    marks = w.people.residents[who].mood.marks
    return (m for m in marks if t - m.t < span and m.kind not in HUSHED and mentions_person(m.why, first))


HURT = 12 * HOUR  # how long somebody keeps away from whoever they have lost something to, or with


def strong_of(w: HasPeople, who: str, t: int) -> list[MoodMark]:
    """Somebody's marks whose habit is still in force at second t."""
    return [m for m in w.people.residents[who].mood.marks if m.habit and strong(m, t)]


def shunned(w: HasPeople, t: int) -> set[str]:
    """The pairs (keys) in which one avoids the other at second t."""
    people = w.people.residents.items()
    return {pair_key(who, m.whom) for who, r in people for m in r.mood.marks if m.whom and _turns_from(m, t)}


def is_hurt_by(w: HasPeople, who: str, other: str, t: int) -> bool:
    """Whether somebody has lost something to another so lately that they have no ordinary words for them."""
    return any(m.whom == other and _turns_from(m, t) for m in w.people.residents[who].mood.marks)


def _turns_from(m: MoodMark, t: int) -> bool:
    """Whether somebody with this mark keeps away from the other: by habit, or because it has only just happened."""
    return (m.habit == AVOID and strong(m, t)) or (m.p < 0.0 and t - m.t < HURT)


def habit_words(handbook: Handbook, mark: MoodMark | Marked) -> str:
    """A mark's habit as a predicate of its owner: "keeps out of Yara's way"; "" for no habit."""
    other = handbook.name(mark.whom)
    if mark.habit == AVOID:
        return f"keeps out of {other}'s way"
    if mark.habit == STAY_IN:
        return "stays in"
    return f"finds time to {handbook.infinitive(mark.do)}" if mark.habit == DO else ""


ALONE = -0.3  # extraversion below which one would rather be alone with a loss
SORE = -0.15  # change of pleasure from which a loss is hard to be alone with
FRIEND = 0.3  # least feeling for whoever one goes to with it
EVENING = (80 * MINUTE, 30 * MINUTE)  # start and end, before bedtime, of a habit done at home
FOOD = "food"
MIDDAY = 16 * HOUR  # second of the day until which a meal is lunch, not supper


def apply_habits(w: HasWays, q: PlanDay) -> tuple[PlanDay, list[PlanChange]]:
    """The planning question changed by the habits of somebody's marks, and the list of changes."""
    bent: list[PlanChange] = []
    bends = [(m, {AVOID: _avoid, STAY_IN: _stay_in, DO: _do}[m.habit]) for m in strong_of(w, q.who, q.now)]
    if (sore := _sorest(w, q)) is not None:
        bends.append((sore, _to_a_friend))
    for m, bend in bends:
        before = {*q.usual, *q.occasions}
        q = bend(w, q, m)
        bent += [PlanChange(b, m.seq) for b in (*q.usual, *q.occasions) if b not in before]
    return q, bent


# ---- to be with a friend


def _sorest(w: HasWays, q: PlanDay) -> MoodMark | None:
    """The loss of the last day that is hardest to be alone with; None for those who would rather be."""
    if w.cast[q.who].big_five.extraversion < ALONE:
        return None
    marks = w.people.residents[q.who].mood.marks
    found = (m for m in marks if m.p <= SORE and q.now - m.t < DAY and m.habit != STAY_IN)
    return min(found, key=lambda m: (m.p, m.seq), default=None)


def _to_a_friend(w: HasWays, q: PlanDay, mark: MoodMark) -> PlanDay:
    """Go in the first free hour where the closest friend will be, unless the two have talked since."""
    ties = w.people.ties.get(q.who, {})
    friend = next((x for x in friends(w, q.who, FRIEND) if x != mark.whom and not is_hurt_by(w, q.who, x, q.now)), "")
    if not friend or VISIT not in w.handbook.deck.blocks or ties[friend].last_talk > mark.t:
        return q

    def place(b: Block) -> str:
        there = expected_place(w, friend, b.start + SOON) or _home(w, friend)
        return "" if is_barred(w, q.who, there) else there

    return _instead(q, mark, VISIT, place)


# ---- to keep out of somebody's way


def _avoid(w: HasWays, q: PlanDay, mark: MoodMark) -> PlanDay:
    """No visits to the avoided person, and no block where they are expected, except duties."""
    q = replace(
        q,
        friends=tuple(f for f in q.friends if f.who != mark.whom),
        notes=tuple(n for n in q.notes if n.about != mark.whom),
        usual=tuple(_elsewhere(w, q, b, mark) if _meets(w, q, b, mark.whom) else b for b in q.usual),
    )
    return _away(w, q, mark, mark.whom)


def _meets(w: HasWays, q: PlanDay, block: Block, whom: str) -> bool:
    """Whether a block would bring one where `whom` is expected or lives; never at one's own home or work."""
    p = w.cast[q.who]
    if block.why or block.do in q.bound or sector_of(block.where) in (sector_of(p.home), sector_of(p.work)):
        return False
    return sector_of(block.where) in (
        sector_of(expected_place(w, whom, block.start + SOON)),
        sector_of(w.cast[whom].home),
    )


def _elsewhere(w: HasWays, q: PlanDay, block: Block, mark: MoodMark) -> Block:
    """The same block in another place where it is possible; else at home, as rest unless it is a meal."""
    theirs = sector_of(block.where)
    places = (where for do, where in q.leisure if do == block.do and sector_of(where) != theirs)
    where = next(places, "") if block.do in q.free else ""
    if where:
        return replace(block, where=where, why=mark.why)
    return replace(block, do=block.do if _feeds(w, block.do) else REST, where=_home(w, q.who), why=mark.why)


# ---- to stay in


def _stay_in(w: HasWays, q: PlanDay, mark: MoodMark) -> PlanDay:
    """Replace the first occasion, or else the first free hour out of the house, by rest at home."""
    stayed = _away(w, q, mark)
    if stayed is not q:
        return stayed
    home = _home(w, q.who)
    return _instead(q, mark, REST, lambda b: home if sector_of(b.where) != sector_of(home) else "")


def _away(w: HasWays, q: PlanDay, mark: MoodMark, whom: str = "") -> PlanDay:
    """Replace the first occasion that is no duty by time at home. whom: only one that this person attends, "" = any."""
    for o in w.calendar.of(q.who, q.day):
        if o.decides is not None or w.handbook.kind(o.block) == DUTY or (whom and whom not in o.who):
            continue
        for i, b in enumerate(q.occasions):
            if (b.start, b.do) == (q.midnight + o.from_, o.block) and b.end > q.now:
                do = REST if not _feeds(w, b.do) else "lunch" if o.from_ < MIDDAY else "supper"
                do = do if do in w.handbook.deck.blocks else REST
                instead = replace(b, do=do, where=_home(w, q.who), why=mark.why)
                return replace(q, occasions=(*q.occasions[:i], instead, *q.occasions[i + 1 :]))
    return q


# ---- to make time for something


def _do(w: HasWays, q: PlanDay, mark: MoodMark) -> PlanDay:
    """Add the block `mark.do` once a day: in the evening at home, else in the first free hour."""
    plan = w.people.residents[q.who].plan
    if mark.do not in w.handbook.deck.blocks or any(b.do == mark.do and b.start < q.now for b in plan):
        return q
    if mark.where == HOME:
        start, end = (q.sleep - before for before in EVENING)
        if start < q.now or any(o.start < end and start < o.end for o in q.occasions):
            return q
        return replace(q, occasions=(*q.occasions, Block(start, end, mark.do, _home(w, q.who), mark.why)))
    if mark.where == THEIRS and parted_of_late(w, q.who, mark.whom, q.now):
        return q
    if mark.where == THEIRS:
        return _instead(q, mark, mark.do, lambda b: expected_place(w, mark.whom, b.start + SOON) or _home(w, mark.whom))
    tagged = [(do != mark.do, where) for do, where in q.leisure if mark.where in w.map.areas[where].arena.tags]
    place = min(tagged)[1] if tagged else _home(w, q.who)  # one where that is usually done, if there is one
    return _instead(q, mark, mark.do, lambda b: place)


# ---- what they share


def _instead(q: PlanDay, mark: MoodMark, do: str, where: Callable[[Block], str]) -> PlanDay:
    """Replace the first free block still to come by `do`. where: gives the place for a block, "" to skip it."""
    for i, b in enumerate(q.usual):
        place = where(b) if b.do in q.free and not b.why and b.start >= q.now else ""
        if place:
            return replace(q, usual=(*q.usual[:i], Block(b.start, 0, do, place, mark.why), *q.usual[i + 1 :]))
    return q


def _home(w: HasWays, who: str) -> str:
    return parlour(w, w.cast[who].home)


def _feeds(w: HasWays, do: str) -> bool:
    block = w.handbook.deck.blocks.get(do)
    return block is not None and FOOD in block.feeds
