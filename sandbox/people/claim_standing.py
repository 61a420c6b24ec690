"""Who has a say over somebody, and on whom somebody can count: by their claims first, then by liking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.people.claim_handlers import HasClaims, between, claims_of, shared
from sandbox.people.claim_model import ENDS
from sandbox.people.guest_model import in_town

ALLY, ROLE = "ally", "role"  # kinds: who stands by one, and who holds an office


class Bond(NamedTuple):
    """What there is between somebody and another. claim: its kind, "" for nothing; end: which end of it is theirs, ""
    where it is the same from both, or both belong to something.
    """

    claim: str = ""
    end: str = ""


UNBOUND = Bond()


def superiors(w: HasClaims, who: str) -> list[str]:
    """Those with a say over somebody: first who employs, houses or brought them up, then who holds an office that has
    a say over everybody. Nobody who has left town.
    """
    kinds = w.claim_deck.kinds
    near = (getattr(c, over) for c in claims_of(w, who) if (over := kinds[c.kind].over))
    offices = (c.a for c in w.claims.open.values() if c.kind == ROLE and c.terms in w.claim_deck.offices)
    return [x for x in dict.fromkeys((*near, *offices)) if x and x != who and in_town(w, x)]


def binds(w: HasClaims, a: str, b: str, kinds: tuple[str, ...]) -> bool:
    """Whether there is a claim of one of these kinds between two people, or one that they share."""
    return any(c.kind in kinds for c in (*between(w, a, b), *shared(w, a, b)))


def strongest_bond(w: HasClaims, me: str, other: str, kinds: tuple[str, ...]) -> Bond:
    """What there is of these kinds between me and another; of several what changes a life most."""
    found = {c.kind: c for c in (*shared(w, me, other), *between(w, me, other)) if c.kind in kinds}
    for name, kind in w.claim_deck.kinds.items():
        if name in found:
            claim = found[name]
            one_sided = not kind.mutual and other in claim.people
            return Bond(name, ENDS[me == claim.b] if one_sided else "")
    return UNBOUND


def closest_first(w: HasClaims, who: str, of: Iterable[str]) -> list[str]:
    """People in the order in which somebody turns to them: who stands by them first, then by liking."""
    allies, ties = {x for c in claims_of(w, who, ALLY) for x in c.people}, w.people.ties.get(who, {})
    return sorted(of, key=lambda x: (x not in allies, -ties[x].feeling if x in ties else 0.0, x))


def friends(w: HasClaims, who: str, least: float) -> list[str]:
    """Whom somebody feels at least so much for, in the order in which they turn to them."""
    fond = (x for x, tie in w.people.ties.get(who, {}).items() if tie.feeling >= least and in_town(w, x))
    return closest_first(w, who, fond)
