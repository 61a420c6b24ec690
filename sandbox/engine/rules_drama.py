"""Rules between the entries of a drama deck, and for the slots in its texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sandbox.core.faults import closest_word, in_quotes, suggestion, unknown
from sandbox.core.fields import SLOT, Finding, hanging, slots, unknown_words
from sandbox.engine.references import KnownNames, unknown_names
from sandbox.engine.rules_facts import of_facts
from sandbox.people.beliefs import WORST
from sandbox.people.claim_model import ROLES
from sandbox.people.mark_model import BROKEN, DECISIONS, DO, MADE, WON, MarkRule
from sandbox.people.persona import KINDS, Clue, Pressure
from sandbox.people.pressure_beginnings import BORN, SIDES, Child, Role, Spark
from sandbox.people.pressure_deck import (
    ANSWERS,
    LIE,
    RUMOURED,
    VERDICTS,
    DramaDeck,
    Effect,
    Ending,
    ExchangeKind,
    Kind,
    PressureWay,
    Showing,
    kindness,
)
from sandbox.talk.lines import MOVES

ANYWHERE = ("place", "stakes", "amount")  # slots allowed in a child's words beside its parts
VERBAL = re.compile(r"(?:not |never |always )?(?:having|being|getting)\b|(?:not|never|always) \w+ing\b", re.IGNORECASE)
OF_A_KIND = ("holder", "about", "stakes")
WANTED = ("about", "stakes")  # slots allowed in the words for what somebody wanted
RUMOUR_SLOTS = ("holder", "about", "stakes", "place")
ENDED_SLOTS = ("ending", "stakes", "holder", "about")
FADED, SHOWS = "faded", "shows"
STRAIGHT = ("holder", "about")  # listeners who are directly concerned
NOTHING = (0, 0)  # the amount of a debt of a thing or a deed


def of_drama(deck: DramaDeck) -> Iterator[Finding]:
    """Faults of a deck."""
    yield from unknown_names(deck, names_of(deck))
    for x in deck.exchanges.values():
        yield from _exchange(x)
    for name, c in deck.children.items():
        yield from _child(c, deck, name in deck.beginnings and bool(deck.beginnings[name].sums))
    for name, k in deck.kinds.items():
        yield from _kind(name, k, deck)
    for r in deck.renewal:
        yield from check_children(r, "child", (r.child,), BORN, deck)
        yield from roles(r.roles)
    for spark in deck.sparks.values():
        yield from _spark(spark, deck)
    if deck.mercy:
        yield from check_children(deck, "mercy", (deck.mercy,), BORN, deck)
        if deck.mercy in deck.children and deck.children[deck.mercy].kind in deck.kinds and not kindness(deck):
            mend = "give its kind a way to about that does a `kind` exchange"
            yield Finding(deck, "mercy", f"nothing kind comes of this child; {mend}", of="exchanges")
    yield from _rumours(deck)
    for m in deck.marks:
        yield from _mark(m, deck)
    for name, showing in deck.showdowns.items():
        yield from _showing(name, showing, deck)


def names_of(deck: DramaDeck) -> dict[str, KnownNames]:
    """What the entries of a deck may name in one another, and in its texts."""
    lists = {"child": "children", "exchange": "exchanges", "step": "steps", "kind": "kinds"}
    found = {sort: KnownNames(sort, getattr(deck, of), of, hangs=((deck, of),)) for sort, of in lists.items()}
    found["kind"] = found["kind"]._replace(what="kind of pressure")
    found["move"] = KnownNames("move", MOVES)
    if deck.exchanges:
        found["deed"] = KnownNames("deed", (SHOWS, *deck.exchanges))
    return found


def needs(child: Child) -> set[str]:
    """The parts that a child's holder, subject and texts use."""
    return {child.holder, child.about, *(s for text in (*child.stakes, *child.cause) for s in SLOT.findall(text))}


def nameable(thing: Child | Pressure, texts: Iterable[str]) -> Iterator[Finding]:
    """Stakes must name a thing, since people say them after any verb ("I want ...", "put ... on the table")."""
    for text in texts:
        if (found := VERBAL.match(text)) is not None:
            mend = 'name the thing, as "a walk for nothing" does for "having come for nothing"'
            path = (text,) if isinstance(thing, Child) else ()
            why = f"begins with {in_quotes(found[0])}, which does not go after a verb; {mend}"
            yield Finding(thing, "stakes", why, path, written=True)


def _mark(m: MarkRule, deck: DramaDeck) -> Iterator[Finding]:
    """Faults of a mark, except for its kind of claim (rules_claims)."""
    if m.kind in KINDS and m.kind not in deck.kinds:
        wrong = unknown("kind of pressure", m.kind, deck.kinds)
        yield Finding(m, "kind", wrong, of="kinds", hangs=((deck, "kinds"),))
    ways = deck.kinds[m.kind].ends if m.kind in deck.kinds else (WON,) if m.kind in DECISIONS else (MADE, BROKEN)
    what = "ending" if m.kind in KINDS else "outcome"
    said = unknown_words(m, "how", m.how if m.kind in deck.kinds or m.kind not in KINDS else (), ways, what)
    yield from hanging(said, (deck.kinds.get(m.kind), "ends"))
    for field, example in (("do", "letter"), ("where", "home")):
        if getattr(m, field) and m.habit != DO:
            yield Finding(m, field, "is only for the habit do; take it out")
        elif m.habit == DO and not getattr(m, field):
            yield Finding(m, "habit", f"do needs {in_quotes(field)}; add for example `{field}: {example}`")
    if m.at and m.kind not in DECISIONS:
        yield Finding(m, "at", "only a contest or a vote has an occasion; take it out")
    if m.after and m.kind not in KINDS:
        yield Finding(m, "after", "only a pressure has an age; take it out")


def _exchange(x: ExchangeKind) -> Iterator[Finding]:
    answers = (*ANSWERS, LIE) if x.lie or LIE in x.replies else ANSWERS
    for field, said, example in (("replies", x.replies, "dodge"), ("took", x.took, '"gave in"')):
        yield from unknown_words(x, field, said, answers, "answer", at_key=True)
        meant = {closest_word(other, answers) for other in said.keys() - set(answers)}  # misspellings, reported already
        for answer in answers:
            if not said.get(answer) and answer not in meant:
                yield Finding(x, field, f'"{answer}" is missing; add for example `{answer}: {example}`')
    yield from slots(x, "did", (x.did,), ("to",))
    yield from slots(x, "unheard", (x.unheard,), ("to",))


def _child(c: Child, deck: DramaDeck, chosen: bool) -> Iterator[Finding]:
    """Faults of a child. chosen: whoever begins it chooses the sum."""
    for field, texts in (("stakes", c.stakes), ("cause", c.cause)):
        if not texts:
            yield Finding(c, field, "holds no text; add at least one")
        yield from slots(c, field, texts, (*SIDES, *ANYWHERE))
    yield from nameable(c, c.stakes)
    yield from of_facts(c, ())
    if c.late and not c.due:
        yield Finding(c, "late", "nothing without an hour; add for example `due: 20`", written=True)
    elif c.late and c.kind in deck.kinds:
        yield from ending(c, "late", c.late, c.kind, deck.kinds[c.kind])
    low, high = c.amount
    if low > high:
        yield Finding(c, "amount", f"the least, {low}, is more than the most, {high}; turn them round")
    if c.amount != NOTHING and c.kind != "debt":
        yield Finding(c, "amount", "only a debt has one; take it out", written=True)
    if c.lends and c.amount == NOTHING:
        yield Finding(c, "lends", "nothing without an amount; add for example `amount: [3, 8]`", written=True)
    if "amount" in needs(c) and c.amount == NOTHING and not chosen:
        says = "speaks of {amount} and has none; add for example `amount: [3, 8]`"
        yield Finding(c, "", says, of="beginnings", written=True)
    if c.holder and c.holder == c.about:
        yield Finding(c, "about", "is the holder; name another part", written=True)


def _kind(name: str, k: Kind, deck: DramaDeck) -> Iterator[Finding]:
    if FADED not in k.ends:
        yield Finding(k, "ends", f'no ending "{FADED}" of {name}; every pressure may end by being forgotten')
    yield from unknown_names(k, endings_of(name, k))
    if name == "secret" and k.spent:
        yield Finding(k, "spent", "a secret is never given up; take it out", written=True)
    for effect in effects(k):
        yield from check_children(effect, "children", effect.children, ROLES, deck)
    for clue in k.clues:
        yield from _clue(clue, deck)
    for way in k.ways:
        yield from _way(way, name, k, deck)
    for e in k.ends.values():
        yield from _end(e, name, k, deck)
    for field, allowed in (("says", OF_A_KIND), ("shows", OF_A_KIND), ("wanted", WANTED)):
        yield from slots(k, field, (getattr(k, field),), allowed)


def _clue(clue: Clue, deck: DramaDeck) -> Iterator[Finding]:
    """Faults of a clue of a kind."""
    yield from slots(clue, "says", (clue.says,), OF_A_KIND)
    if clue.known_by or clue.where:
        yield Finding(clue, "known_by" if clue.known_by else "where", "is for a clue of a world's own; take it out")


def _way(way: PressureWay, name: str, k: Kind, deck: DramaDeck) -> Iterator[Finding]:
    """Faults of a way of a kind."""
    if way.after and way.by == "knower":
        straight = {x.do for other in deck.kinds.values() for x in other.ways if x.to in STRAIGHT}
        yield from unknown_words(way, "after", (way.after,), straight, "exchange that is done with holder or about")
    elif way.after and not _opens(way, k.ways):
        before = f"{name} has no way to do {in_quotes(way.after)} with holder or about"
        yield Finding(way, "after", f"{before} that can be tried before this; name one it has")
    if way.hears and (way.by, way.to) != ("knower", "holder"):
        mend = "only a knower who speaks to holder can do so before whom it is about; take it out"
        yield Finding(way, "hears", mend, written=True)


def _end(e: Ending, name: str, k: Kind, deck: DramaDeck) -> Iterator[Finding]:
    """Faults of an ending of a kind."""
    for kind, end in e.also.items():
        if kind in deck.kinds:
            yield from ending(e, "also", end, kind, deck.kinds[kind], (kind,))
    yield from slots(e, "says", (e.says,), OF_A_KIND)
    if e.else_:
        if e.else_ in k.ends and k.ends[e.else_].else_:
            yield Finding(e, "else_", f"{in_quotes(e.else_)} has an else of its own; name an ending without one")
        if not e.breaks:
            yield Finding(e, "else_", "breaks nothing, so it never comes to this; say what it breaks, or take it out")
    elif e.below:
        yield Finding(e, "below", "nothing without another ending; add for example `else: faded`", written=True)


def effects(k: Kind) -> Iterator[Effect]:
    """All effects on a pressure of a kind, except in a showdown."""
    yield from (k.late, k.offered, k.right, k.wrong, k.beside, k.found)
    for way in k.ways:
        yield from way.effects


def _opens(way: PressureWay, ways: Sequence[PressureWay]) -> bool:
    """Whether the deed that a way comes after can happen first, without needing that way itself."""
    rest = [x for x in ways if x is not way]
    before = (x for x in rest if x.do == way.after and x.by != "knower" and x.to in STRAIGHT)
    return any(not x.after or _opens(x, rest) for x in before)


def _showing(name: str, showing: Showing, deck: DramaDeck) -> Iterator[Finding]:
    """A showdown belongs to an existing kind, and each verdict ends it."""
    kind = deck.kinds.get(name)
    if kind is None:
        return
    yield from unknown_names(showing, endings_of(name, kind))
    for verdict in VERDICTS:
        effect = showing.effect(verdict)
        yield from check_children(effect, "children", effect.children, ROLES, deck)
        if not effect.end:
            yield Finding(
                showing, verdict, f'"{verdict}" ends nothing; add for example `end: {next(iter(kind.ends), FADED)}`'
            )


def endings_of(name: str, k: Kind, of: str = "ends") -> dict[str, KnownNames]:
    """The endings of a kind of pressure. of: the list that a finding is about."""

    def wrong(end: str) -> str:
        return "" if end in k.ends else f"no ending {in_quotes(end)} of {name}{suggestion(end, k.ends)}"

    return {"ending": KnownNames("ending", of=of, hangs=((k, "ends"),), wrong=wrong)}


def ending(thing: object, field: str, end: str, name: str, k: Kind, path: tuple[str, ...] = ()) -> Iterator[Finding]:
    """An ending that the kind of pressure lacks."""
    if said := endings_of(name, k)["ending"].fault(end):
        yield Finding(thing, field, said, path, of="ends", hangs=((k, "ends"),))


def check_children(
    thing: object, field: str, names: Iterable[str], parts: Collection[str], deck: DramaDeck, path: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Children are created only where all parts that they use exist. parts: those that exist there."""
    for name in names:
        if name in deck.children:
            yield from speaks(thing, field, name, deck.children[name], {*parts, *ANYWHERE}, path)


def speaks(
    thing: object, field: str, name: str, child: Child, parts: Collection[str], path: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """A child uses a part that does not exist where it is created."""
    if lacks := needs(child) - {*parts}:
        words = f"the child {in_quotes(name)} speaks of {', '.join(sorted(lacks))}; there is none here"
        yield Finding(thing, field, words, path or (name,), hangs=((child, ""),))


def _spark(spark: Spark, deck: DramaDeck) -> Iterator[Finding]:
    if not spark.roles:
        mend = "has no roles, so it befalls nobody; add for example `roles: {actor: {}}`"
        yield Finding(spark, "", mend, written=True, hangs=((spark, "roles"),))
    yield from hanging(slots(spark, "says", (spark.says,), spark.roles), (spark, "roles"))
    yield from hanging(check_children(spark, "children", spark.children, spark.roles, deck), (spark, "roles"))
    yield from hanging(roles(spark.roles), (spark, "roles"))


def roles(roles: Mapping[str, Role]) -> Iterator[Finding]:
    """A role's feelings are towards roles before it."""
    before: list[str] = []
    for name, role in roles.items():
        for other in role.towards:
            if other not in before:
                yield Finding(role, "towards", f"no role {in_quotes(other)} above this one", (other,), at_key=True)
        before.append(name)


def _rumours(deck: DramaDeck) -> Iterator[Finding]:
    r = deck.rumours
    for name, texts in r.says.items():
        if len(texts) != WORST + 1:
            mend = f"write {WORST + 1} sentences, from how it is to the worst that is made of it"
            yield Finding(r, "says", mend, (name,))
        yield from slots(r, "says", texts, RUMOUR_SLOTS, (name,))
    for name, levels in r.also.items():
        if len(levels) > len(r.says.get(name, ())):
            yield Finding(
                r, "also", f'has more than there are sentences of "{name}" in says; take out what is too much', (name,)
            )
        yield from slots(r, "also", (text for ways in levels for text in ways), RUMOUR_SLOTS, (name,))
    ends = {name for kind in deck.kinds.values() for name in kind.ends}
    if {*KINDS} <= deck.kinds.keys():  # without a kind, the package's entries may name its endings
        odds = unknown_words(r, "ended", r.ended, {*deck.kinds, *ends}, "kind of pressure or ending", at_key=True)
        yield from hanging(odds, *((kind, "ends") for kind in deck.kinds.values()))
    for name, texts in r.ended.items():
        if not texts:
            yield Finding(r, "ended", 'it holds no text; add for example "{ending}, over {stakes}"', (name,))
        yield from slots(r, "ended", texts, ENDED_SLOTS, (name,))
    for name in (*deck.kinds, RUMOURED[-1]) if r.says else ():
        if name not in r.says:
            yield Finding(r, "", f'the rumours have no words for "{name}"; add four sentences to rumours: says')
    for who, child in r.bears.items():
        yield from check_children(r, "bears", (child,), BORN, deck, (who,))
