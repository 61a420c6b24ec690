"""Claims between people: how deeds make and end them, and how people react when a claim of theirs is broken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.drama.marks import appraise_claim
from sandbox.drama.new_pressures import ADULT, MOST, bear, open_of
from sandbox.people.beliefs import BeliefUpdate, Broke, Fact, broken_by
from sandbox.people.claim_effects import GUESTS
from sandbox.people.claim_handlers import (
    BAN,
    COUPLE,
    EMPLOYS,
    LODGES,
    OWNS,
    between,
    claim_clause,
    claim_words,
    claims_of,
    closest_first,
    entails,
    friends,
    shared,
)
from sandbox.people.claim_model import (
    APART,
    BREAKER,
    ENDS,
    FELLOW,
    HOME,
    OFFICE,
    TOLD,
    Breach,
    Breaking,
    Broken,
    Claim,
    Made,
    Making,
    StandingClaim,
)
from sandbox.people.guest_model import in_town
from sandbox.people.planning import guest_room
from sandbox.people.pressure_deck import child_of, gist
from sandbox.people.ties import pair_key
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run, thread_of
from sandbox.town.plan import Breaks, Makes, sector_of

MOVING = 18 * HOUR  # second of the day at which people move
FOND = 0.3  # feeling (-1..1) both must have for the other


async def move_in(step: Step, w: HasTalk) -> None:
    """At the moving hour, let couples who have held their claim long enough move in together, and end what lasts no
    longer.
    """
    t = w.clock.midnight(w.clock.day(step.now)) + MOVING
    if not pressures_run(w) or not step.now <= t < step.end:
        return
    for claim in tuple(c for c in w.claims.open.values() if c.seq):
        kind = w.claim_deck.kinds[claim.kind]
        if kind.lasts and t - claim.t >= kind.lasts * DAY:
            end_claim(step, w, claim, f"{spelt(kind.lasts)} days are over", t, claim.seq)
            continue
        days = kind.moves if len(claim.people) > 1 and LODGES in w.claim_deck.kinds else 0
        if days and t - claim.t >= days * DAY and claim.id in w.claims.open:
            _move(step, w, claim, t)


def _move(step: Step, w: HasTalk, claim: StandingClaim, t: int) -> None:
    """Move one of the two in with the other, if they live apart, are adults, in town and fond enough, and neither has
    just moved. The one with the less established home moves.
    """
    a, b = claim.a, claim.b
    apart = w.cast[a].household != w.cast[b].household
    fond = min(tie_of(w, a, b).feeling, tie_of(w, b, a).feeling) >= FOND
    if not apart or not fond or not (in_town(w, a) and in_town(w, b)) or min(w.cast[a].age, w.cast[b].age) < ADULT:
        return
    guest, host = (a, b) if _settled(w, a) <= _settled(w, b) else (b, a)
    kind, home = w.claim_deck.kinds[claim.kind], w.cast[host].home
    lodging = [c for who in (a, b) for c in claims_of(w, who, LODGES) if c.a == who]
    if any(c.seq and t - c.t < kind.moves * DAY for c in lodging):
        return
    why = claim_clause(w.handbook, kind.says, claim)
    make_claim(step, w, Claim("", LODGES, guest, host, where=_room(w, home)), why, t, claim.seq)


def _room(w: HasTalk, home: str) -> str:
    """Where somebody moving in sleeps: in the home if there is a free bed or one sleeper, else the guest room."""
    sleepers = sum(p.home == home and in_town(w, p.id) for p in w.cast.values())
    return home if sleepers <= 1 or sleepers < len(w.map.areas[home].beds()) else guest_room(w, home)


def _settled(w: HasTalk, who: str) -> tuple[bool, bool, int]:
    """How established somebody's home is, as a sort key: their original home, not a lodging, number of people in it."""
    lodges = any(c.a == who and c.b for c in claims_of(w, who, LODGES))
    return (
        w.cast[who].home == w.files[who].home,
        not lodges,
        sum(p.household == w.cast[who].household and in_town(w, p.id) for p in w.cast.values()),
    )


LETS_BE = 0.2  # feeling (-1..1) for the wrongdoer from which nobody minds what they did to a fellow


def change_claims(
    step: Step,
    w: HasTalk,
    makes: Collection[Making | Makes],
    breaks: Iterable[Breaking | Breaks],
    parts: Mapping[str, str],
    stakes: str,
    why: str,
    t: int,
    seq: int,
    by: str = "",
) -> None:
    """Make and break the claims that an event changes. parts: role in the event -> person; why: the event as a clause;
    by: whose deed breaks the claims, "" for nobody.
    """
    two = (parts.get("holder", ""), parts.get("about", ""))
    theirs = {claim.id: claim for who in two if who for claim in claims_of(w, who)}
    theirs |= {c.id: c for c in w.claims.open.values() if any(m.kind == c.kind for m in makes)}
    for x in breaks:
        a, b = parts[x.a], parts.get(x.b, "")
        found = (*between(w, a, b, x.kind), *shared(w, a, b, x.kind)) if b else claims_of(w, a, x.kind)
        for claim in tuple(found) if a else ():
            end_claim(step, w, claim, why, t, seq, by=by)
            if claim.kind == LODGES and not any(m.kind == LODGES for m in makes):
                _taken_in(step, w, claim, why, t, seq, must=entails(w, LODGES, HOME))
    for m in makes:
        a, b = parts[m.a], parts.get(m.b, "")
        terms = m.terms.format(stakes=gist(stakes))
        where = m.where or (w.cast[a].work if m.kind == EMPLOYS and a else "")  # one works where one's employer does
        if m.kind == LODGES and a and b and not where:
            where = guest_room(w, w.cast[b].home)
        if m.kind == BAN and not where:
            where = _for_guests(w, b)
        new: Claim | None = Claim("", m.kind, a, b, terms, where) if where or m.kind != BAN else None
        if isinstance(m, Making) and m.again:
            new = w.claims.was.get(pair_key(a, b), {}).get(m.kind)
        if new is not None:
            make_claim(step, w, new, why, t, seq)
    _lost(step, w, theirs.values(), two, t, seq)


def _for_guests(w: HasTalk, who: str) -> str:
    """Where somebody works for themselves, if it is open to guests, whom they can bar from it; else ""."""
    own = (c.where for c in claims_of(w, who, EMPLOYS) if c.b == who and not c.a and c.where)
    return next((where for where in own if {*w.map.areas[where].arena.tags} & GUESTS), "")


def _taken_in(step: Step, w: HasTalk, left: StandingClaim, why: str, t: int, seq: int, must: bool = False) -> None:
    """Lodge somebody who was put out with the friend they like best, in another part of town, and where nobody lives
    from whom they have parted. must: without a friend who can, with anybody.
    """
    sectors = {sector_of(w.cast[left.a].home)}
    sectors |= {sector_of(w.cast[x].home) for x in w.cast if COUPLE in w.claims.was.get(pair_key(left.a, x), {})}
    all_ = closest_first(w, left.a, (who for who in w.cast if who != left.a and in_town(w, who)))
    homes = (w.cast[who].home for who in (*friends(w, left.a, 0.0), *(all_ if must else ())))
    home = next((home for home in homes if sector_of(home) not in sectors), "")
    if home:
        make_claim(step, w, Claim("", LODGES, left.a, where=guest_room(w, home)), why, t, seq)


def make_claim(step: Step, w: HasTalk, new: Claim, why: str, t: int, seq: int) -> None:
    """Make a claim, unless it exists. Where its kind allows only one, the earlier one ends. new: without an id."""
    made, a, b = w.claim_deck.kinds.get(new.kind), new.a, new.b
    if made is None or (a and a == b) or not all(getattr(new, end) for end in made.needs):
        return
    known = between(w, a or b, b or a, new.kind) if a or b else claims_of(w, "", new.kind)
    if any((c.terms, c.where) == (new.terms, new.where) and (made.mutual or (c.a, c.b) == (a, b)) for c in known):
        return
    id = f"{new.kind}.{a}.{b}.{t}"
    while id in w.claims.open:
        id += "_"
    within, moved, before = False, False, ""
    if made.one:
        open_ = (c for c in w.claims.open.values() if c.kind == new.kind)
        for claim in tuple(c for c in open_ if getattr(c, made.one) == getattr(new, made.one)):
            within = new.kind == LODGES and bool(new.where) and sector_of(claim.where) == sector_of(new.where)
            within |= new.kind == EMPLOYS and (claim.terms, claim.where) == (new.terms, new.where)  # another employer
            before = claim.a
            to = a if made.one == "terms" and a != claim.a else ""
            end_claim(step, w, claim, why, t, seq, id, within=within, to=to)
            moved |= made.one in ENDS
    t = max(t, step.now, w.last.get(a or b, 0))
    event = Made(id, new.kind, a, b, new.terms, new.where, why=why, within=within)
    made_by = step.emit(event, t=t, actor=a or b, causes=(seq,))
    if not within:
        appraise_claim(step, w, event, claim_words(w.handbook, made.made, event), t, made_by, moved)
    if entails(w, new.kind, OFFICE):
        _take_office(step, w, event, before, t, made_by)


def _take_office(step: Step, w: HasTalk, e: Made, before: str, t: int, seq: int) -> None:
    """The job that an office is named after, and those who work for it, pass to its new holder. before: the old one."""
    where = next((p.work for p in w.files.values() if p.job == _job(e) and p.work), "")
    if not where:
        return
    for job in [c for c in w.claims.open.values() if c.kind == EMPLOYS and c.terms == _job(e) and c.b != e.a]:
        end_claim(step, w, job, e.why, t, seq)
    make_claim(step, w, Claim("", EMPLOYS, "", e.a, _job(e), where), e.why, t, seq)
    for c in [c for c in claims_of(w, before, EMPLOYS) if c.a == before and sector_of(c.where) == sector_of(where)]:
        make_claim(step, w, Claim("", EMPLOYS, e.a, c.b, c.terms, c.where), e.why, t, seq)


def _job(office: Claim | Made) -> str:
    """The job that an office is named after: an editor of the Gazette works as editor."""
    return office.terms.partition(" of ")[0]


def end_claim(
    step: Step,
    w: HasTalk,
    claim: StandingClaim,
    why: str,
    t: int,
    seq: int,
    instead: str = "",
    by: str = "",
    within: bool = False,
    to: str = "",
) -> int:
    """End a claim and return the number of that event. instead: id of the claim that replaces it; by: whose word was
    broken; within: whether the replacement is in the same house; to: who has what it was about now.
    """
    actor = claim.a or claim.b
    t = max(t, step.now, w.last.get(actor, 0))
    causes = (seq, claim.seq) if claim.seq else (seq,)
    event = Broken(claim.id, claim.kind, claim.a, claim.b, claim.terms, claim.where, why, within, instead, by, to)
    ended = step.emit(event, t=t, actor=actor, causes=causes)
    kind = w.claim_deck.kinds[claim.kind]
    if not instead or kind.one not in ENDS:  # who has another home or place at once has lost none
        appraise_claim(step, w, event, claim_words(w.handbook, kind.ended(event), event), t, ended)
    if kind.moves and len(claim.people) > 1:  # whoever had moved in for it moves out
        for home in tuple(between(w, claim.a, claim.b, LODGES)):
            end_claim(step, w, home, why, t, ended)
            _taken_in(step, w, home, why, t, ended, must=entails(w, claim.kind, APART))
    if entails(w, claim.kind, APART):
        _part(step, w, claim, why, t, ended)
    if not instead and entails(w, claim.kind, OFFICE):
        for job in [c for c in claims_of(w, claim.a, EMPLOYS) if c.b == claim.a and c.terms == _job(claim)]:
            end_claim(step, w, job, why, t, ended)
    return ended


def _part(step: Step, w: HasTalk, claim: StandingClaim, why: str, t: int, seq: int) -> None:
    """Move one of two who have parted out of the house they share: the one whose it is less, else the second."""
    house = sector_of(w.cast[claim.a].home)
    if house != sector_of(w.cast[claim.b].home):
        return
    goes = min(claim.people, key=lambda who: (_keeps(w, who, house), who == claim.a))
    lodging = next((c for c in claims_of(w, goes, LODGES) if c.a == goes), None)
    if lodging is not None:
        _taken_in(step, w, lodging, why, t, seq, must=True)


def _keeps(w: HasTalk, who: str, house: str) -> tuple[bool, bool, bool]:
    """How far a house is somebody's, as a sort key: by property or work, as of old, without a landlord."""
    own = any(c.a == who and c.where and sector_of(c.where) == house for c in claims_of(w, who, OWNS))
    lodges = any(c.a == who and c.b for c in claims_of(w, who, LODGES))
    return own or sector_of(w.cast[who].work) == house, sector_of(w.files[who].home) == house, not lodges


# ---- breach: whoever comes to believe that a deed breaks a claim of theirs has it against whoever broke it


def react_to_breach(step: Step, w: HasTalk, seq: int, row: BeliefUpdate, fact: Fact | None, t: int) -> None:
    """Let somebody react to a new belief, if what they believe breaks a claim of theirs. Hearing again what they
    believed before has no effect.
    """
    if fact is None or not row.strength or not w.claim_parameters.breaches:
        return
    held = w.beliefs.held.get(row.who, {}).get(fact.id)
    if held is not None and held.seq != seq:
        return
    of, table = partial(claims_of, w), breaches_by(w.claim_deck.breaches, fact.matter)
    for found in broken_by(table, of, row.who, fact, row.slots, row.source):
        if found.breach.by == TOLD and not _spoke(w, found.breaker, fact):
            continue
        if found.breach.with_ == BREAKER or _moves(w, found, row.who, fact.matter):
            _minds(step, w, found, row.who, seq, t, thread_of(w, fact.matter))
            return


def _spoke(w: HasTalk, who: str, fact: Fact) -> bool:
    """Whether somebody has told anyone about it; what spread through others, or was seen, is not their doing."""
    held = w.beliefs.held.get(who, {}).get(fact.id)
    return held is not None and bool(held.told)


def breaches_by(table: Sequence[Breach], matter: str) -> Sequence[Breach]:
    """The breaches that a matter can be. Somebody's anger over a breach is no breach against the one who caused it."""
    minded = child_of(matter) in {x.child for x in table}
    return [x for x in table if not x.own] if minded else table


def _moves(w: HasTalk, found: Broke, me: str, matter: str) -> bool:
    """Whether a wrong done to others makes somebody act: they have room for another pressure and, unless the wronged
    are their kin, are not fond of the wrongdoer, and nobody else has taken it up.
    """
    if open_of(w, me) >= MOST:
        return False
    if found.breach.with_ != FELLOW:
        return True
    thread = thread_of(w, matter)
    of_it = (p for p in w.pressures.open.values() if p.about == found.breaker and p.thread == thread and p.holder != me)
    taken_up = any(child_of(p.id) == found.breach.child for p in of_it)
    return not taken_up and tie_of(w, me, found.breaker).feeling < LETS_BE


def _minds(step: Step, w: HasTalk, found: Broke, me: str, seq: int, t: int, thread: str) -> None:
    """End the broken claim if the breach ends it, and start the pressure of the one it was owed to."""
    x, claim = found.breach, found.claim
    now = w.claims.open.get(claim.id)
    causes = (seq, now.seq) if now is not None and now.seq else (seq,)
    words = {"breaker": w.handbook.name(found.breaker), "third": w.handbook.name(found.third), "terms": claim.terms}
    if x.ends and now is not None:
        causes = (*causes, end_claim(step, w, now, x.ends.format(**words), t, seq))
    bear(step, w, x.child, causes, me, found.breaker, since=t, thread=thread, stakes=x.stakes.format(**words))


def _lost(step: Step, w: HasTalk, theirs: Iterable[StandingClaim], two: tuple[str, str], t: int, seq: int) -> None:
    """React to claims that were lost to another: by a deed between the two, or by a vote or a contest, which whoever is
    fond of the other does not mind.
    """
    if not w.claim_parameters.breaches:
        return
    for claim in (c for c in theirs if c.id not in w.claims.open and c.a and c.terms):
        alike = (c.a for c in w.claims.open.values() if (c.kind, c.terms) == (claim.kind, claim.terms))
        breaker = next((who for who in alike if who and who != claim.a), "")
        minds = {claim.a, breaker} == {*two} or (
            open_of(w, claim.a) < MOST and breaker and tie_of(w, claim.a, breaker).feeling < LETS_BE
        )
        if breaker and minds:
            for x in (x for x in w.claim_deck.breaches if not x.fact and x.claim == claim.kind):
                _minds(step, w, Broke(x, claim, breaker, ""), claim.a, seq, t, "")
