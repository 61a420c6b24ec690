"""What comes to be so between people by what they do, what ends by it, and what a broken word does to those it was
given to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandbox.core.protocols import Step
from sandbox.drama.births import bear
from sandbox.people.beliefs import Fact, Told
from sandbox.people.claims.apply import LODGES, between, claims_of, shared
from sandbox.people.claims.model import OPEN, Breach, Breaking, Broken, Claim, Held, Made, Making
from sandbox.people.claims.standing import friends
from sandbox.people.planning import parlour
from sandbox.people.pressures.deck import gist
from sandbox.people.ties import pair
from sandbox.talk.model import HasTalk


def settle(
    step: Step,
    w: HasTalk,
    makes: Iterable[Making],
    breaks: Iterable[Breaking],
    parts: Mapping[str, str],
    stakes: str,
    why: str,
    t: int,
    seq: int,
) -> None:
    """Make and break what comes of an event. parts: who is who in it; why: what it was, a clause."""
    for x in breaks:
        a, b = parts[x.a], parts.get(x.b, "")
        found = (*between(w, a, b, x.kind), *shared(w, a, b, x.kind)) if b else claims_of(w, a, x.kind)
        for claim in tuple(found) if a else ():
            end(step, w, claim, why, t, seq)
            if claim.kind == LODGES and not any(m.kind == LODGES for m in makes):
                _taken_in(step, w, claim, why, t, seq)
    for m in makes:
        a, b = parts[m.a], parts.get(m.b, "")
        terms = m.terms.format(stakes=gist(stakes))
        new: Claim | None = Claim("", m.kind, a, b, terms, m.where)
        if m.again:
            new = w.claims.was.get(pair(a, b), {}).get(m.kind)
        if new is not None:
            make(step, w, new, why, t, seq)


def _taken_in(step: Step, w: HasTalk, left: Held, why: str, t: int, seq: int) -> None:
    """Who is put out sleeps in the parlour of whom they like best, somewhere else."""
    sector = w.cast[left.a].home.partition(" / ")[0]
    homes = (w.cast[who].home for who in friends(w, left.a, 0.0))
    home = next((home for home in homes if home.partition(" / ")[0] != sector), "")
    if home:
        make(step, w, Claim("", LODGES, left.a, where=parlour(w, home)), why, t, seq)


def make(step: Step, w: HasTalk, new: Claim, why: str, t: int, seq: int) -> None:
    """A claim comes to be, unless it is so already; of what there is one, the one before ends. new: without an id."""
    made, a, b = w.claim_deck.kinds.get(new.kind), new.a, new.b
    if made is None or a == b or not all(getattr(new, end) for end in made.needs):
        return
    known = between(w, a or b, b or a, new.kind)
    if any((c.terms, c.where) == (new.terms, new.where) and (made.mutual or (c.a, c.b) == (a, b)) for c in known):
        return
    if made.one:
        open_ = (c for c in w.claims.open.values() if c.kind == new.kind)
        for claim in tuple(c for c in open_ if getattr(c, made.one) == getattr(new, made.one)):
            end(step, w, claim, why, t, seq)
    t = max(t, step.now, w.last.get(a or b, 0))
    id = f"{new.kind}.{a}.{b}.{t}"
    while id in w.claims.open:
        id += "_"
    step.emit(Made(id, new.kind, a, b, new.terms, new.where, why=why), t=t, actor=a or b, causes=(seq,))


def end(step: Step, w: HasTalk, claim: Held, why: str, t: int, seq: int) -> None:
    """A claim is no longer so."""
    actor = claim.a or claim.b
    t = max(t, step.now, w.last.get(actor, 0))
    causes = (seq, claim.seq) if claim.seq else (seq,)
    step.emit(
        Broken(claim.id, claim.kind, claim.a, claim.b, claim.terms, claim.where, why), t=t, actor=actor, causes=causes
    )


# ---- breach: whoever comes to believe that a deed breaks a claim of theirs has it against whoever broke it


def breached(step: Step, w: HasTalk, seq: int, row: Told, fact: Fact | None, t: int) -> None:
    """What somebody's new belief does to them, if what they believe breaks something that is theirs."""
    if fact is None or not row.strength:
        return
    for x in w.claim_deck.breaches:
        if x.fact != fact.kind or (fact.how or OPEN) not in x.how:
            continue
        for breaker, third in _breakers(x, row):
            claim = next((c for c in between(w, row.who, breaker, x.claim)), None)
            if claim is not None and third and third != row.who and breaker != row.who:
                names = {"breaker": w.handbook.name(breaker), "third": w.handbook.name(third)}
                causes = (seq, claim.seq) if claim.seq else (seq,)
                bear(step, w, x.child, causes, row.who, breaker, since=t, stakes=x.stakes.format(**names))
                return


def _breakers(x: Breach, row: Told) -> Iterable[tuple[str, str]]:
    """Who broke it, and with whom, as somebody believes it was."""
    ways = {"a": ((row.a, row.b),), "b": ((row.b, row.a),), "either": ((row.a, row.b), (row.b, row.a))}
    return ways[x.by]
