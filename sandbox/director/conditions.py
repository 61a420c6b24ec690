"""Conditions on the town: what must be so, over claims, beliefs, ties, endings and decisions. Goals of the player and
scripts of cards say them in the same words. Whether one holds: condition_holds.py; what it lacks: unmet_conditions.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.clock import parse_moment
from sandbox.core.fields import Finding, meta, unknown_words
from sandbox.people.beliefs import MOST

FEELING, CLOSENESS = "feeling", "closeness"
OUTCOMES = ("yes", "no", "won", "off")  # of what an occasion decides
Who = Annotated[str, meta(most=40)]
Word = Annotated[str, meta(most=80)]
Moment = Annotated[str, meta(reads="moment", most=40)]


class ClaimPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that stands. a, b, terms, where: "" = whatever it is."""

    kind: Annotated[str, meta("couple", most=40)]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address")] = ""


class Believes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody believes a fact. how: what came of it ("row", or an ending; "" = the fact itself). least: strength.
    truly: as it is; of: that it is the doing of this person. before: since an earlier moment than that.
    """

    who: Annotated[str, meta("basil", most=40)]
    fact: Annotated[str, meta("hidden_deed", most=60)]
    how: Word = ""
    least: Annotated[float, meta(low=0, high=MOST)] = 1.0
    truly: bool = False
    of: Who = ""
    before: Moment = ""


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nobody believes a fact, but those named, and whose doing it is. least: strength from which it counts."""

    fact: Annotated[str, meta("hidden_deed", most=60)]
    but: Annotated[tuple[str, ...], meta(distinct="person of the cast")] = ()
    how: Word = ""
    least: Annotated[float, meta(low=0, high=MOST)] = 1.0


class TiePattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """What u is to v: feeling, from -1 to 1, or closeness, from 0 to 1. both: and v to u."""

    u: Annotated[str, meta("zeno", most=40)]
    v: Annotated[str, meta("dov", most=40)]
    of: Annotated[str, meta(options=(FEELING, CLOSENESS), what="side of a tie")] = FEELING
    least: Annotated[float, meta(low=-1, high=1)] = -1.0
    most: Annotated[float, meta(low=-1, high=1)] = 1.0
    both: bool = False


class Matters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Pressures: of an id, a thread, a kind, of or about somebody; "" = whatever it is."""

    matter: Annotated[str, meta(most=60)] = ""
    thread: Annotated[str, meta(most=60)] = ""
    kind: Annotated[str, meta(most=40)] = ""
    holder: Who = ""
    about: Who = ""


class EndingPattern(Matters, frozen=True, omit_defaults=True):
    """Such a pressure has ended. how: by one of these endings; good: whether well. before, after: at an earlier or
    later moment than that.
    """

    how: tuple[Word, ...] = ()
    good: bool | None = None
    before: Moment = ""
    after: Moment = ""


class DecisionPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """An occasion has decided something. how: "yes" or "no" of a vote, "won" of a contest, "off"; winner: who won it.
    after: at a later moment than that.
    """

    occasion: Annotated[str, meta("council_vote", most=60)]
    how: Annotated[str, meta(options=OUTCOMES, blank=True, what="outcome")] = ""
    winner: Who = ""
    after: Moment = ""


class Spoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two have spoken kindly since they last had words. after: at a later moment than that."""

    a: Annotated[str, meta("zeno", most=40)]
    b: Annotated[str, meta("dov", most=40)]
    after: Moment = ""


class Predicate(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"all_": "all", "any_": "any", "not_": "not", "open_": "open"},
):
    """What must be so: all that it says. all_, any_: of several conditions all, or one at least; not_: one must not.

    claim: it stands. believes: somebody does; nobody_believes: nobody. tie: between two. ended: a matter has; open_:
    one presses. decided: an occasion has. spoke: two have spoken kindly. after: that moment has come. says: what it is
    called where it is told.
    """

    claim: ClaimPattern | None = None
    believes: Believes | None = None
    nobody_believes: Unknown | None = None
    tie: TiePattern | None = None
    ended: EndingPattern | None = None
    open_: Matters | None = None
    decided: DecisionPattern | None = None
    spoke: Spoke | None = None
    after: Moment = ""
    says: Annotated[str, meta(most=160)] = ""
    all_: tuple[Predicate, ...] = ()
    any_: tuple[Predicate, ...] = ()
    not_: Predicate | None = None


# ---- of whom and of what it speaks


def condition_parts(predicate: Predicate) -> Iterator[msgspec.Struct]:
    """All that it says, one by one, however deep."""
    for one in every(predicate):
        for x in (one.claim, one.believes, one.nobody_believes, one.tie, one.ended, one.open_, one.decided, one.spoke):
            if x is not None:
                yield x


def every(predicate: Predicate) -> Iterator[Predicate]:
    """It, and all conditions within it."""
    yield predicate
    for inner in (*predicate.all_, *predicate.any_, *([predicate.not_] if predicate.not_ is not None else [])):
        yield from every(inner)


ENDS = ("a", "b", "who", "of", "u", "v", "holder", "about", "winner")  # fields that name somebody


def condition_people(predicate: Predicate) -> tuple[str, ...]:
    """Whom it names, each once."""
    out: dict[str, None] = {}
    for part in condition_parts(predicate):
        for field in ENDS:
            if (who := getattr(part, field, "")) and not (field == "of" and isinstance(part, TiePattern)):
                out[who] = None
        out |= dict.fromkeys(getattr(part, "but", ()))
    return tuple(out)


class Nameable(NamedTuple):
    """What a world has that conditions may name. outcomes: occasion -> how what it decides may come out."""

    people: Collection[str]
    claims: Collection[str]
    facts: Collection[str]
    matters: Collection[str]
    threads: Collection[str]
    kinds: Collection[str]
    endings: Collection[str]
    outcomes: dict[str, tuple[str, ...]]


def no_moment(text: str) -> str:
    """Why a text is no moment, "" if it is one."""
    try:
        parse_moment(text)
    except ValueError as error:
        return str(error)
    return ""


def odd(predicate: Predicate, w: Nameable) -> Iterator[Finding]:
    """What is odd in a condition: it says nothing, or names what there is not."""
    inner = (*predicate.all_, *predicate.any_, *([predicate.not_] if predicate.not_ is not None else []))
    if not predicate.after and not inner and not any(True for _ in condition_parts(predicate)):
        yield Finding(
            predicate, "", "says nothing; give it a part, for example `claim: {kind: couple, a: mara, b: bo}`"
        )
    for x in every(predicate):
        if x.after and (wrong := no_moment(x.after)):
            yield Finding(x, "after", wrong)
    for part in condition_parts(predicate):
        for field in ("before", "after"):
            if (text := getattr(part, field, "")) and (wrong := no_moment(text)):
                yield Finding(part, field, wrong)
        yield from _odd(part, w)


def _odd(part: msgspec.Struct, w: Nameable) -> Iterator[Finding]:
    for field in ENDS:
        if (who := getattr(part, field, "")) and not (field == "of" and isinstance(part, TiePattern)):
            yield from unknown_words(part, field, (who,), w.people, "person of the cast")
    if isinstance(part, Unknown):
        yield from unknown_words(part, "but", part.but, w.people, "person of the cast")
    if isinstance(part, ClaimPattern):
        yield from unknown_words(part, "kind", (part.kind,), w.claims, "kind of claim")
    if isinstance(part, (Believes, Unknown)):
        yield from unknown_words(part, "fact", (part.fact,), w.facts, "fact")
        yield from unknown_words(part, "how", (part.how,) if part.how and w.kinds else (), w.endings, "ending")
    if isinstance(part, Matters):
        if not (part.matter or part.thread or part.kind or part.holder or part.about):
            yield Finding(part, "matter", "is missing; say which matter, for example `matter: two_months`")
        for field, among, what in (
            ("matter", w.matters, "matter"), ("thread", w.threads, "thread"), ("kind", w.kinds, "kind of pressure"),
        ):  # fmt: skip
            word = getattr(part, field)
            yield from unknown_words(part, field, (word,) if word else (), among, what)
    if isinstance(part, EndingPattern):
        yield from unknown_words(part, "how", part.how if w.kinds else (), w.endings, "ending")
    if isinstance(part, TiePattern) and part.least > part.most:
        yield Finding(part, "least", f"{part.least} is more than the most, {part.most}; turn them round")
    if isinstance(part, DecisionPattern):
        yield from unknown_words(part, "occasion", (part.occasion,), w.outcomes, "occasion that decides something")
        hows = w.outcomes.get(part.occasion, OUTCOMES)
        yield from unknown_words(part, "how", (part.how,) if part.how else (), hows, "outcome of it")
