"""Conditions in words: what must be so, a clause or a sentence without full stop."""

from __future__ import annotations

from sandbox.director.condition_holds import HasHistory
from sandbox.director.conditions import (
    CLOSENESS,
    ClaimPattern,
    DecisionPattern,
    EndingPattern,
    Matters,
    Predicate,
    TiePattern,
)
from sandbox.director.unmet_conditions import fact_words, short_name_list
from sandbox.people.claim_handlers import claim_clause
from sandbox.people.claim_model import Claim
from sandbox.people.pressure_deck import gist

ANYBODY = "somebody"


def condition_words(w: HasHistory, predicate: Predicate) -> str:
    """What a condition asks for: its author's words, or what its parts say."""
    if predicate.says:
        return predicate.says
    name, out = w.handbook.name, []
    if predicate.claim is not None:
        out.append(_claim(w, predicate.claim))
    if predicate.believes is not None:
        out.append(f"{name(predicate.believes.who)} knows of it: {fact_words(w, predicate.believes.fact)}")
    if predicate.nobody_believes is not None:
        but = (
            f"nobody but {short_name_list(w, predicate.nobody_believes.but)}"
            if predicate.nobody_believes.but
            else "nobody"
        )
        out.append(f"{but} knows of it: {fact_words(w, predicate.nobody_believes.fact)}")
    if predicate.tie is not None:
        out.append(_tie(w, predicate.tie))
    if predicate.ended is not None:
        out.append(_over(w, predicate.ended))
    if predicate.open_ is not None:
        out.append(f"it is open still: {matter_words(w, predicate.open_)}")
    if predicate.decided is not None:
        out.append(_decided(w, predicate.decided))
    if predicate.spoke is not None:
        out.append(f"{name(predicate.spoke.a)} and {name(predicate.spoke.b)} have spoken kindly")
    if predicate.after:
        out.append(f"it is {w.clock.words(w.clock.moment(predicate.after))} or later")
    out += [condition_words(w, x) for x in predicate.all_]
    if predicate.any_:
        out.append(" or ".join(condition_words(w, x) for x in predicate.any_))
    if predicate.not_ is not None:
        out.append(f"it is not so that {condition_words(w, predicate.not_)}")
    return "; ".join(out)


def _claim(w: HasHistory, x: ClaimPattern) -> str:
    kind = w.claim_deck.kinds.get(x.kind)
    if kind is None:
        return x.kind
    ends = (x.a or ANYBODY, x.b or ANYBODY)
    where = x.where or next((c.where for c in w.claims.open.values() if c.kind == x.kind and c.a == x.a), "")
    return claim_clause(w.handbook, kind.says, Claim("", x.kind, *ends, x.terms or "something", where))


def _tie(w: HasHistory, x: TiePattern) -> str:
    u, v = w.handbook.name(x.u), w.handbook.name(x.v)
    what = "closeness to" if x.of == CLOSENESS else "feeling for"
    low, high = (0.0 if x.of == CLOSENESS else -1.0), 1.0
    bound = f"{x.least:.2f} at least" if x.least > low else ""
    bound += (" and " if bound and x.most < high else "") + (f"{x.most:.2f} at most" if x.most < high else "")
    return f"{u}'s {what} {v} is {bound or 'whatever it is'}" + (", and the other way round" if x.both else "")


def matter_words(w: HasHistory, x: Matters) -> str:
    """What a matter is about."""
    cast = w.cast_pressures.get(x.matter)
    if cast is not None:
        return gist(cast.stakes)
    two = [w.handbook.name(who) for who in (x.holder, x.about) if who]
    return " and ".join(filter(None, (x.thread and f"the matter {x.thread}", x.kind and f"a {x.kind}", *two)))


def _over(w: HasHistory, x: EndingPattern) -> str:
    how = " or ".join(_how(w, x, end) for end in x.how)
    well = {True: "has ended well", False: "has ended badly", None: "is over"}[x.good]
    return f"{matter_words(w, x)}: {how}" if how else f"{matter_words(w, x)} {well}"


def _how(w: HasHistory, x: EndingPattern, end: str) -> str:
    cast = w.cast_pressures.get(x.matter)
    kind = w.drama.kinds.get(cast.kind if cast is not None else x.kind)
    if kind is None or end not in kind.ends:
        return end.replace("_", " ")
    holder, about = (cast.holder, cast.about) if cast is not None else (x.holder, x.about)
    both = w.handbook.both(holder or ANYBODY, about)
    return kind.ends[end].says.format(**both, stakes=gist(cast.stakes) if cast is not None else "it")


def _decided(w: HasHistory, x: DecisionPattern) -> str:
    title = next((o.title for o in w.calendar.deciding if o.id == x.occasion), x.occasion)
    how = {"yes": "is carried", "no": "is lost", "off": "is called off"}.get(x.how, "is decided")
    return f"{title} is won by {w.handbook.name(x.winner)}" if x.winner else f"{title} {how}"
