"""How events change claims, and what claims decide in people's lives: home, workplace and job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import asdict, replace

from sandbox.core.events import Event, Stamp
from sandbox.core.text import upper
from sandbox.people.claim_model import (
    APART,
    AS_EVER,
    CALENDAR,
    ENDS,
    HOME,
    WORK,
    Broken,
    Claim,
    ClaimCondition,
    ClaimDeck,
    ClaimEvent,
    ClaimKind,
    ClaimParameters,
    ClaimState,
    Made,
    StandingClaim,
    Use,
)
from sandbox.people.guest_handlers import Came
from sandbox.people.guest_model import in_town
from sandbox.people.handbook import DUTY, Handbook
from sandbox.people.model import HasPeople
from sandbox.people.mood import MoodMark
from sandbox.people.persona import Persona, Presumed, unspoken
from sandbox.people.played import is_played
from sandbox.people.ties import pair_key
from sandbox.town.conditions import barring_condition
from sandbox.town.plan import sector_of

IDLE = "out of work"  # job title of somebody who has lost their job
LODGES, EMPLOYS = "lodges", "employs"  # kinds of claim: where somebody lives; where somebody works, and their job
COUPLE, BAN = "couple", "ban"  # kinds of claim: who is a couple; who is barred from whose place


class HasClaims(HasPeople):
    """The part of a world that claims use. `cast` holds people with the home and job their claims give them."""

    claims: ClaimState
    claim_deck: ClaimDeck
    claim_parameters: ClaimParameters
    uses: dict[str, Use]  # address -> what the place is now, by a claim
    wedded: Sequence[tuple[str, str]]  # couples by the world's files, where there are no claims that could part them

    def leisure(self, who: str) -> tuple[tuple[str, str], ...]:
        """(block, arena) pairs a person may choose for leisure, without places that are shut."""
        raise NotImplementedError


def beginning(deck: ClaimDeck, cast: Iterable[Persona]) -> ClaimState:
    """The claims a world begins with: the deck's own, and everybody's home and work from their persona files. None if
    the deck has no kinds.
    """
    out = ClaimState()
    for claim in deck.claims:
        _enter(out, StandingClaim(**asdict(claim)))
    for p in cast:
        settle(out, deck, p)
    return out


def by_file(kinds: Mapping[str, ClaimKind], persona: Persona, mine: Sequence[Claim] = ()) -> Iterator[Claim]:
    """Claims for the home and work in somebody's file, unless `mine`, the claims they have, give it already."""
    if LODGES in kinds and not any(c.kind == LODGES and c.a == persona.id for c in mine):
        yield Claim(f"{LODGES}.{persona.id}", LODGES, persona.id, where=persona.home)
    if EMPLOYS in kinds and persona.work and not any(c.kind == EMPLOYS and c.b == persona.id for c in mine):
        yield Claim(f"{EMPLOYS}.{persona.id}", EMPLOYS, b=persona.id, terms=persona.job, where=persona.work)


def came_with(kinds: Mapping[str, ClaimKind], e: Came) -> tuple[Claim, ...]:
    """The claims that a newcomer brings: the event's, and home and work from their file."""
    return (*e.claims, *by_file(kinds, e.persona, e.claims)) if kinds else ()


def settle(state: ClaimState, deck: ClaimDeck, persona: Persona, seq: int = 0, t: int = 0) -> None:
    """Add claims for the home and work in somebody's file. seq, t: the event by which they came, and its second."""
    for claim in by_file(deck.kinds, persona, [state.open[id] for id in state.of.get(persona.id, ())]):
        _enter(state, StandingClaim(**asdict(claim) | {"seq": seq, "t": t}))


def entails(w: HasClaims, kind: str, what: str) -> bool:
    """Whether claims of a kind entail something (ENTAILS) in this world."""
    kinds = w.claim_deck.kinds
    if kind not in kinds or not w.claim_parameters.entails:
        return False
    said = kinds[kind].entails or (() if any(x.entails for x in kinds.values()) else AS_EVER.get(kind, ()))
    return what in said


def claims_of(w: HasClaims, who: str, kind: str = "") -> Iterator[StandingClaim]:
    """The claims of somebody, the oldest first. kind: "" = any."""
    found = w.claims.open
    for id in w.claims.of.get(who, ()):
        claim = found[id]
        if not kind or claim.kind == kind:
            yield claim


def new_claims(w: HasClaims, who: str, t: int, span: int) -> list[StandingClaim]:
    """Somebody's claims that events made in the `span` seconds before second t."""
    return [c for c in claims_of(w, who) if c.seq and t - c.t < span]


def gone(w: HasClaims, who: str, mark: MoodMark) -> bool:
    """Whether a mark comes from a claim they were glad of and no longer have."""
    kind = mark.kind in w.claim_deck.kinds
    return kind and mark.p > 0.0 and not any(c.seq == mark.seq for c in claims_of(w, who, mark.kind))


def between(w: HasClaims, a: str, b: str, kind: str = "") -> Iterator[StandingClaim]:
    """The claims between two people, whichever way round."""
    return (claim for claim in claims_of(w, a, kind) if b in (claim.a, claim.b))


def stands(w: HasClaims, x: ClaimCondition) -> bool:
    """Whether a claim that meets the condition stands."""
    found = between(w, x.a, x.b, x.kind) if x.b else claims_of(w, x.a, x.kind)
    return any(x.terms in ("", claim.terms) for claim in found)


def shared(w: HasClaims, a: str, b: str, kind: str = "") -> Iterator[StandingClaim]:
    """The claims of a to something that b belongs to as well: same kind and terms, no second person."""
    theirs = {(c.kind, c.terms) for c in claims_of(w, b, kind) if c.people == (b,) and c.terms}
    return (c for c in claims_of(w, a, kind) if c.people == (a,) and (c.kind, c.terms) in theirs)


def knows(w: HasClaims, who: str, claim: Claim) -> bool:
    """Whether somebody knows of a claim."""
    return not w.claim_deck.kinds[claim.kind].private or who in claim.people or who in claim.known_by


def claim_clause(handbook: Handbook, sentence: str, claim: Claim | ClaimEvent) -> str:
    """A kind's sentence filled in for this claim, to stand inside another sentence."""
    of = handbook.room if getattr(claim, "within", False) else handbook.place
    where = of(claim.where) if claim.where else ""
    return sentence.format(a=handbook.name(claim.a), b=handbook.name(claim.b), terms=claim.terms, where=where)


def claim_words(handbook: Handbook, sentence: str, claim: Claim | ClaimEvent) -> str:
    """A kind's sentence filled in for this claim, with a capital."""
    told = claim_clause(handbook, sentence, claim)
    return upper(told)


def person(w: HasClaims, who: str) -> Persona:
    """Somebody as they are now: their file, with home, household, work and job by their claims, opinions as they have
    shifted, and only the concerns that are not over.
    """
    p, r = w.files[who], w.people.residents[who]
    if r.over:
        p = replace(p, concerns=tuple(x for x in p.concerns if x not in r.over))
    if leanings := r.leanings:
        stands = {x: replace(held, stance=leanings.get(x, held.stance)) for x, held in p.opinions.items()}
        p = replace(p, opinions=stands)
    if p.presumes and w.claim_deck.kinds and w.claim_parameters.entails:
        p = unspoken(p, [x for x in p.presumes if not _presumed(w, who, x)])
    home = next((c for c in claims_of(w, who, LODGES) if c.a == who), None) if entails(w, LODGES, HOME) else None
    if home is not None and home.where and home.where != p.home:
        p = replace(p, home=home.where, household=_household(w, home))
    if entails(w, EMPLOYS, WORK):
        work = next((c for c in claims_of(w, who, EMPLOYS) if c.b == who), None)
        if work is None:
            p = replace(p, work="", job=IDLE, wage=0) if p.work else p
        elif not p.work:
            p = replace(p, work=work.where, job=work.terms or p.job, wage=None)
        elif (work.where, work.terms) != (p.work, p.job):
            p = replace(p, work=work.where or p.work, job=work.terms or p.job)
    return p


def _presumed(w: HasClaims, who: str, x: Presumed) -> bool:
    """Whether somebody has the claim that words of theirs presume."""
    found = (c for c in claims_of(w, who, x.kind) if x.kind != EMPLOYS or c.b == who)
    return any(x.terms in ("", c.terms) for c in found)


def opens(w: HasClaims, who: str, where: str) -> frozenset[str]:
    """The terms of claims, of a person or of a place's use, that open special activities."""
    special = w.handbook.special
    if not special:
        return special
    use = w.uses.get(where)
    return special & {*(c.terms for c in claims_of(w, who)), *((use.terms,) if use is not None else ())}


def closed(w: HasClaims, where: str) -> bool:
    """Whether a place is shut, by a claim or by a condition, so that nobody plans to be there."""
    use = w.uses.get(where)
    return (use is not None and use.shut) or (bool(w.conditions.open) and barring_condition(w, where) is not None)


def _household(w: HasClaims, home: StandingClaim) -> str:
    """The household one joins in a new home: that of the people who live in its sector, else one's own."""
    sector = sector_of(home.where)
    files = w.files.values()
    hosts = (p.household for p in files if p.id != home.a and in_town(w, p.id) and sector_of(p.home) == sector)
    return next(hosts, home.a)


def live_by_claims(w: HasClaims) -> None:
    """Derive the cast and the uses of places from the claims that stand."""
    for who in w.files:
        w.cast[who] = person(w, who)
    _use(w)


def _use(w: HasClaims) -> None:
    """Derive the uses of places; of two claims about one place, the later wins."""
    uses = w.claim_deck.uses
    found = [use for c in w.claims.open.values() for use in uses if use.terms == c.terms] if uses else []
    w.uses = {address: use for use in found for address in use.places}


# ---- events


def made(w: HasClaims, e: Made, stamp: Stamp) -> None:
    kind = w.claim_deck.kinds[e.kind]
    if e.id in w.claims.open or not {x for x in (e.a, e.b) if x} <= w.cast.keys():
        raise ValueError(f"no such claim can be made: {e.kind} {e.id}")
    if not all(getattr(e, end) for end in kind.needs) or (e.a and e.a == e.b):
        raise ValueError(f"a claim of nobody: {e.kind} {e.id}")
    if e.where and e.where not in w.map.areas:
        raise ValueError(f"a claim about no place: {e.kind} {e.id}")
    claim = StandingClaim(e.id, e.kind, e.a, e.b, e.terms, e.where, seq=stamp.seq, t=stamp.t, within=e.within)
    _enter(w.claims, claim)
    if kind.mutual:
        w.claims.was.get(pair_key(e.a, e.b), {}).pop(e.kind, None)
    _changed(w, claim, stamp.t)


def came(w: HasClaims, e: Came, stamp: Stamp) -> None:
    for claim in e.claims if w.claim_deck.kinds else ():
        if claim.kind not in w.claim_deck.kinds or not {*claim.people} <= w.files.keys() or claim.id in w.claims.open:
            raise ValueError(f"{stamp.actor} cannot come with a claim of other people or of another kind")
        _enter(w.claims, StandingClaim(**asdict(claim) | {"seq": stamp.seq, "t": stamp.t}))
    settle(w.claims, w.claim_deck, e.persona, stamp.seq, stamp.t)
    w.cast[stamp.actor] = person(w, stamp.actor)


def broken(w: HasClaims, e: Broken, stamp: Stamp) -> None:
    claim = w.claims.open.pop(e.id)
    for who in claim.of:
        w.claims.of[who].remove(e.id)
    if w.claim_deck.kinds[claim.kind].mutual:
        w.claims.was.setdefault(pair_key(claim.a, claim.b), {})[claim.kind] = replace(claim, t=stamp.t)
    _changed(w, claim, stamp.t)
    if not e.within and any(entails(w, claim.kind, x) for x in (WORK, APART, CALENDAR)):
        for who in claim.people:
            _upset(w, who, claim_clause(w.handbook, w.claim_deck.kinds[claim.kind].ended(e), claim), stamp.seq)


def _enter(state: ClaimState, claim: StandingClaim) -> None:
    state.open[claim.id] = claim
    for who in claim.of:
        state.of.setdefault(who, []).append(claim.id)


def _changed(w: HasClaims, claim: StandingClaim, t: int) -> None:
    for who in claim.people:
        before, w.cast[who] = w.cast[who].home, person(w, who)
        _moved(w, who, before, t)
    _use(w)


def _upset(w: HasClaims, who: str, why: str, seq: int) -> None:
    """Have somebody who is up think their day over, once they have done what they are about."""
    r = w.people.residents[who]
    if r.awake and r.plan and not r.upset and not is_played(w, who):
        r.upset, r.replan, r.replan_cause = "hindrance", why, seq


def _moved(w: HasClaims, who: str, before: str, t: int) -> None:
    """Move the rest of somebody's planned day from their old home to the new one, except work."""
    r, home, left = w.people.residents[who], w.cast[who].home, sector_of(before)
    if home != before:
        stay = (b.start <= t or sector_of(b.where) != left or w.handbook.kind(b.do) == DUTY for b in r.plan)
        r.plan = tuple(b if stays else replace(b, where=home) for b, stays in zip(r.plan, stay, strict=True))


HANDLERS: dict[type[Event], Callable[..., None]] = {Came: came, Made: made, Broken: broken}


# ---- who has authority over somebody, and on whom somebody can count


ALLY, ROLE = "ally", "role"  # kinds of claim: who are allies; who holds an office
MEMBER, OWNS = "member", "owns"  # kinds of claim: who belongs to a group; who owns a thing


class Bond(NamedTuple):
    """The relation of one person to another by a claim. claim: its kind, "" for none; end: the other's end of it, ""
    if it is mutual or shared.
    """

    claim: str = ""
    end: str = ""


UNBOUND = Bond()


def superiors(w: HasClaims, who: str) -> list[str]:
    """The people in town with authority over somebody: first by a claim (employer, landlord, parent), then the holders
    of offices with authority over everybody.
    """
    kinds = w.claim_deck.kinds
    near = (getattr(c, over) for c in claims_of(w, who) if (over := kinds[c.kind].over))
    offices = (c.a for c in w.claims.open.values() if c.kind == ROLE and c.terms in w.claim_deck.offices)
    return [x for x in dict.fromkeys((*near, *offices)) if x and x != who and in_town(w, x)]


def binds(w: HasClaims, a: str, b: str, kinds: tuple[str, ...]) -> bool:
    """Whether there is a claim of one of these kinds between two people, or one that they share."""
    return any(c.kind in kinds for c in (*between(w, a, b), *shared(w, a, b)))


def strongest_bond(w: HasClaims, me: str, other: str, kinds: tuple[str, ...]) -> Bond:
    """The relation of these kinds between me and another; of several, the kind that the deck lists first."""
    found = {c.kind: c for c in (*shared(w, me, other), *between(w, me, other)) if c.kind in kinds}
    for name, kind in w.claim_deck.kinds.items():
        if name in found:
            claim = found[name]
            one_sided = not kind.mutual and other in claim.people
            return Bond(name, ENDS[me == claim.b] if one_sided else "")
    return UNBOUND


def closest_first(w: HasClaims, who: str, of: Iterable[str]) -> list[str]:
    """People in the order in which somebody turns to them for help: allies first, then by feeling."""
    allies, ties = {x for c in claims_of(w, who, ALLY) for x in c.people}, w.people.ties.get(who, {})
    return sorted(of, key=lambda x: (x not in allies, -ties[x].feeling if x in ties else 0.0, x))


def friends(w: HasClaims, who: str, least: float) -> list[str]:
    """The people in town for whom somebody feels at least `least`, in the order they turn to them."""
    fond = (x for x, tie in w.people.ties.get(who, {}).items() if tie.feeling >= least and in_town(w, x))
    return closest_first(w, who, fond)
