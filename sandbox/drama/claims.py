"""What comes to be so between people by what they do, what ends by it, and what a broken word does to those it was
given to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandbox.core.protocols import Step
from sandbox.drama.births import bear
from sandbox.drama.marks import Outcome, leave
from sandbox.people.beliefs import Fact, Told
from sandbox.people.claims.apply import EMPLOYS, LODGES, between, claim_words, claims_of, shared
from sandbox.people.claims.model import OPEN, Breach, Breaking, Broken, Claim, Held, Made, Making
from sandbox.people.claims.standing import friends
from sandbox.people.marks.model import BROKEN, MADE
from sandbox.people.planning import parlour
from sandbox.people.pressures.deck import gist
from sandbox.people.ties import pair
from sandbox.talk.model import HasTalk
from sandbox.town.plan import Breaks, Makes


def settle(
    step: Step,
    w: HasTalk,
    makes: Iterable[Making | Makes],
    breaks: Iterable[Breaking | Breaks],
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
        where = m.where or (w.cast[a].work if m.kind == EMPLOYS and a else "")  # one works where one's employer does
        new: Claim | None = Claim("", m.kind, a, b, terms, where)
        if isinstance(m, Making) and m.again:
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
    if made is None or (a and a == b) or not all(getattr(new, end) for end in made.needs):
        return
    known = between(w, a or b, b or a, new.kind) if a or b else claims_of(w, "", new.kind)
    if any((c.terms, c.where) == (new.terms, new.where) and (made.mutual or (c.a, c.b) == (a, b)) for c in known):
        return
    id = f"{new.kind}.{a}.{b}.{t}"
    while id in w.claims.open:
        id += "_"
    if made.one:
        open_ = (c for c in w.claims.open.values() if c.kind == new.kind)
        for claim in tuple(c for c in open_ if getattr(c, made.one) == getattr(new, made.one)):
            end(step, w, claim, why, t, seq, id)
    t = max(t, step.now, w.last.get(a or b, 0))
    event = Made(id, new.kind, a, b, new.terms, new.where, why=why)
    made_by = step.emit(event, t=t, actor=a or b, causes=(seq,))
    leave(step, w, Outcome(new.kind, MADE, a, b, claim_words(w.handbook, made.made, event)), t, made_by)


def end(step: Step, w: HasTalk, claim: Held, why: str, t: int, seq: int, instead: str = "") -> None:
    """A claim is no longer so. instead: the one that takes its place."""
    actor = claim.a or claim.b
    t = max(t, step.now, w.last.get(actor, 0))
    causes = (seq, claim.seq) if claim.seq else (seq,)
    event = Broken(claim.id, claim.kind, claim.a, claim.b, claim.terms, claim.where, why, instead)
    ended = step.emit(event, t=t, actor=actor, causes=causes)
    says = claim_words(w.handbook, w.claim_deck.kinds[claim.kind].broken, event)
    leave(step, w, Outcome(claim.kind, BROKEN, claim.a, claim.b, says), t, ended)


# ---- breach: whoever comes to believe that a deed breaks a claim of theirs has it against whoever broke it


def breached(step: Step, w: HasTalk, seq: int, row: Told, fact: Fact | None, t: int) -> None:
    """What somebody's new belief does to them, if what they believe breaks something that is theirs."""
    if fact is None or not row.strength or not w.claim_parameters.breaches:
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
