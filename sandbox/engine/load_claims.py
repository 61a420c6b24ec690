"""Reads claims (what is so between people when a world begins), their kinds and breaches: `claims.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from sandbox.core.faults import Faults
from sandbox.core.structs import read, read_field
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.people.beliefs import ROW
from sandbox.people.claim_handlers import EMPLOYS, LODGES
from sandbox.people.claim_model import OPEN, Breach, Claim, ClaimDeck, ClaimKind, Use
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import DramaDeck


def read_claims(ships: Path, own: Path, cast: Sequence[Persona], drama: DramaDeck, faults: Faults) -> ClaimDeck:
    """Kinds and breaches of the package and of a world, and the world's claims. Without the file there are none."""
    if not own.exists():
        return ClaimDeck()
    kinds: dict[str, ClaimKind] = {}
    breaches: tuple[Breach, ...] = ()
    claims: tuple[Claim, ...] = ()
    uses: tuple[Use, ...] = ()
    offices: tuple[str, ...] = ()
    readers = [MappingReader(open_yaml(path, faults)) for path in (ships, own) if path.exists()]
    for r in readers:
        kinds |= read_field(ClaimDeck, "kinds", r)
        found = read_field(ClaimDeck, "breaches", r)
        breaches += tuple(x for x in found if r is readers[-1] or _has(drama, x))  # a world may have an empty deck
        claims += tuple(read(Claim, v.mapping()) for v in r.items("claims"))
        uses += read_field(ClaimDeck, "uses", r)
        offices += read_field(ClaimDeck, "offices", r)
        r.rest()
    people = {p.id: p for p in cast}
    deck = ClaimDeck(kinds, breaches, tuple(_whole(c, people, faults) for c in claims), uses, offices)
    for r in readers:
        r.stands_for(deck)
    return deck


def _has(drama: DramaDeck, breach: Breach) -> bool:
    """Whether a drama deck has all that a breach refers to."""
    kind = drama.kinds.get(breach.fact)
    known = not breach.fact or (kind is not None and {*breach.how} <= {OPEN, ROW, *kind.ends})
    return known and breach.child in drama.children


def _whole(claim: Claim, people: dict[str, Persona], faults: Faults) -> Claim:
    """A claim completed with the home and work from a person's file."""
    p = people.get(claim.a if claim.kind == LODGES else claim.b if claim.kind == EMPLOYS else "")
    if p is None:
        for r in faults.written.get(id(claim), (claim, ()))[1] if claim.kind in (LODGES, EMPLOYS) else ():
            r.bad |= {"where", "terms"}  # those stay unknown
        return claim
    home = claim.kind == LODGES
    new = replace(
        claim, where=claim.where or (p.home if home else p.work), terms=claim.terms if home else claim.terms or p.job
    )
    if faults.keeps:
        faults.written[id(new)] = new, faults.written.get(id(claim), (claim, ()))[1]
    return new
