"""Conditions on the town, over claims, beliefs, ties, endings and decisions: the form shared by the player's goals and
by card scripts. Whether one holds: condition_holds.py; what it lacks: unmet_conditions.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.clock import parse_moment
from sandbox.core.fields import Finding, meta, unknown_words
from sandbox.people.beliefs import STRONGEST

FEELING, CLOSENESS = "feeling", "closeness"
OUTCOMES = ("yes", "no", "won", "off")  # how a decision can come out: vote yes or no, contest won, called off
Who = Annotated[str, meta(most=40)]
Word = Annotated[str, meta(most=80)]
Moment = Annotated[str, meta(reads="moment", most=40)]


class ClaimPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open claim. a, b, terms, where: "" matches anything."""

    kind: Annotated[str, meta("couple", most=40)]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address")] = ""


class Believes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody believes a fact. how: instead, a fact about this outcome of it ("row", or an ending). least: strength;
    truly: they have the right people; of: they hold this person responsible; before: since before that moment.
    """

    who: Annotated[str, meta("basil", most=40)]
    fact: Annotated[str, meta("hidden_deed", most=60)]
    how: Word = ""
    least: Annotated[float, meta(low=0, high=STRONGEST)] = 1.0
    truly: bool = False
    of: Who = ""
    before: Moment = ""


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nobody believes a fact, except those in `but` and whoever did it. least: strength from which it counts."""

    fact: Annotated[str, meta("hidden_deed", most=60)]
    but: Annotated[tuple[str, ...], meta(distinct="person of the cast")] = ()
    how: Word = ""
    least: Annotated[float, meta(low=0, high=STRONGEST)] = 1.0


class TiePattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """What u is to v: feeling, -1 to 1, or closeness, 0 to 1. both: v to u as well."""

    u: Annotated[str, meta("zeno", most=40)]
    v: Annotated[str, meta("dov", most=40)]
    of: Annotated[str, meta(options=(FEELING, CLOSENESS), what="side of a tie")] = FEELING
    least: Annotated[float, meta(low=-1, high=1)] = -1.0
    most: Annotated[float, meta(low=-1, high=1)] = 1.0
    both: bool = False


class Matters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Pressures with an id, thread or kind, held by or about somebody; "" matches anything."""

    matter: Annotated[str, meta(most=60)] = ""
    thread: Annotated[str, meta(most=60)] = ""
    kind: Annotated[str, meta(most=40)] = ""
    holder: Who = ""
    about: Who = ""


class EndingPattern(Matters, frozen=True, omit_defaults=True):
    """Such a pressure has ended. how: one of these endings; good: whether it ended well. before, after: ended before or
    after that moment.
    """

    how: tuple[Word, ...] = ()
    good: bool | None = None
    before: Moment = ""
    after: Moment = ""


class DecisionPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """An occasion has decided. how: "yes" or "no" of a vote, "won" of a contest, "off"; winner: who won it. after:
    decided after that moment.
    """

    occasion: Annotated[str, meta("council_vote", most=60)]
    how: Annotated[str, meta(options=OUTCOMES, blank=True, what="outcome")] = ""
    winner: Who = ""
    after: Moment = ""


class Spoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two have spoken kindly since their last quarrel. after: and after that moment."""

    a: Annotated[str, meta("zeno", most=40)]
    b: Annotated[str, meta("dov", most=40)]
    after: Moment = ""


class Predicate(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"all_": "all", "any_": "any", "not_": "not", "open_": "open"},
):
    """A condition: every field that is set must hold. all_: each of these; any_: at least one; not_: this does not
    hold. claim: it is open; believes, nobody_believes; tie; ended: a matter has; open_: one is open; decided: an
    occasion has; spoke; after: that moment is past. says: the author's own words for it.
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
    """All patterns in a condition, nested ones too."""
    for one in every(predicate):
        for x in (one.claim, one.believes, one.nobody_believes, one.tie, one.ended, one.open_, one.decided, one.spoke):
            if x is not None:
                yield x


def every(predicate: Predicate) -> Iterator[Predicate]:
    """A condition and all conditions nested in it."""
    yield predicate
    for inner in (*predicate.all_, *predicate.any_, *([predicate.not_] if predicate.not_ is not None else [])):
        yield from every(inner)


ENDS = ("a", "b", "who", "of", "u", "v", "holder", "about", "winner")  # fields of patterns that name a person


def condition_people(predicate: Predicate) -> tuple[str, ...]:
    """The people whom a condition names, each once."""
    out: dict[str, None] = {}
    for part in condition_parts(predicate):
        for field in ENDS:
            if (who := getattr(part, field, "")) and not (field == "of" and isinstance(part, TiePattern)):
                out[who] = None
        out |= dict.fromkeys(getattr(part, "but", ()))
    return tuple(out)


class Nameable(NamedTuple):
    """What the conditions of a world may name. outcomes: occasion -> how its decision can come out."""

    people: Collection[str]
    claims: Collection[str]
    facts: Collection[str]
    matters: Collection[str]
    threads: Collection[str]
    kinds: Collection[str]
    endings: Collection[str]
    outcomes: dict[str, tuple[str, ...]]


def no_moment(text: str) -> str:
    """What is wrong with a text that should be a moment, "" if nothing."""
    try:
        parse_moment(text)
    except ValueError as error:
        return str(error)
    return ""


def odd(predicate: Predicate, w: Nameable) -> Iterator[Finding]:
    """Faults of a condition: it asks for nothing, or names something that does not exist."""
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
