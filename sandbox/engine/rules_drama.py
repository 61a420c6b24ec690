"""What must hold in a drama deck between its entries, and what its texts may name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sandbox.core.faults import nearest, quoted, suggestion
from sandbox.core.fields import SLOT, Odd, hanging, known, slots
from sandbox.people.beliefs import WORST
from sandbox.people.claims.model import ROLES
from sandbox.people.marks.model import BROKEN, DECISIONS, DO, MADE, WON, MarkRule
from sandbox.people.persona import KINDS, Clue, Pressure
from sandbox.people.pressures.beginnings import BORN, SIDES, Child, Role, Spark
from sandbox.people.pressures.deck import (
    ANSWERS,
    LIE,
    SPOKEN,
    VERDICTS,
    Drama,
    Effect,
    Exchange,
    Kind,
    Showing,
    Way,
    kindness,
)
from sandbox.talk.lines import MOVES

ANYWHERE = ("place", "stakes", "amount")  # what the words of a child may name beside its parts
VERBAL = re.compile(r"(?:not |never |always )?(?:having|being|getting)\b|(?:not|never|always) \w+ing\b", re.IGNORECASE)
OF_A_KIND = ("holder", "about", "stakes")
WANTED = ("about", "stakes")  # what the words for what somebody wanted may name
RUMOUR_SLOTS = ("holder", "about", "stakes", "place")
ENDED_SLOTS = ("ending", "stakes", "holder", "about")
ENTRY = {  # of a list, as messages call it
    "kinds": "kind of pressure",
    "exchanges": "exchange",
    "children": "child",
    "steps": "step",
}
FADED, SHOWS = "faded", "shows"
STRAIGHT = ("holder", "about")  # listeners whom it is about
NOTHING = (0, 0)  # the amount of a debt that is a thing or a deed


def of_drama(d: Drama) -> Iterator[Odd]:
    """What is odd in a deck."""
    for x in d.exchanges.values():
        yield from _exchange(x)
    for name, c in d.children.items():
        yield from _child(c, d, name in d.beginnings and bool(d.beginnings[name].sums))
    for name, k in d.kinds.items():
        yield from _kind(name, k, d)
    for r in d.renewal:
        yield from births(r, "child", (r.child,), BORN, d)
        yield from roles(r.roles)
    for spark in d.sparks.values():
        yield from _spark(spark, d)
    if d.mercy:
        yield from births(d, "mercy", (d.mercy,), BORN, d)
        if d.mercy in d.children and d.children[d.mercy].kind in d.kinds and not kindness(d):
            mend = "give its kind a way to about that does a `kind` exchange"
            yield Odd(d, "mercy", f"nothing kind comes of this child; {mend}", of="exchanges")
    yield from _rumours(d)
    for m in d.marks:
        yield from _mark(m, d)
    for name, showing in d.showdowns.items():
        yield from _showing(name, showing, d)


def needs(child: Child) -> set[str]:
    """The parts a child speaks of."""
    return {child.holder, child.about, *(s for text in (*child.stakes, *child.cause) for s in SLOT.findall(text))}


def nameable(thing: Child | Pressure, texts: Iterable[str]) -> Iterator[Odd]:
    """Stakes that name no thing: people say them after any verb ("I want ...", "put ... on the table")."""
    for text in texts:
        if (found := VERBAL.match(text)) is not None:
            mend = 'name the thing, as "a walk for nothing" does for "having come for nothing"'
            path = (text,) if isinstance(thing, Child) else ()
            yield Odd(thing, "stakes", f"begins with {quoted(found[0])}, which does not go after a verb; {mend}", path,
                      written=True)  # fmt: skip


def _mark(m: MarkRule, d: Drama) -> Iterator[Odd]:
    """What is odd in a mark, but for the kind of claim that it may be of (rules_claims)."""
    if m.kind in KINDS and m.kind not in d.kinds:
        yield missing(m, "kind", m.kind, d, "kinds")
    ways = d.kinds[m.kind].ends if m.kind in d.kinds else (WON,) if m.kind in DECISIONS else (MADE, BROKEN)
    what = "ending" if m.kind in KINDS else "outcome"
    said = known(m, "how", m.how if m.kind in d.kinds or m.kind not in KINDS else (), ways, what)
    yield from hanging(said, (d.kinds.get(m.kind), "ends"))
    for field, example in (("do", "letter"), ("where", "home")):
        if getattr(m, field) and m.habit != DO:
            yield Odd(m, field, "is only for the habit do; take it out")
        elif m.habit == DO and not getattr(m, field):
            yield Odd(m, "habit", f"do needs {quoted(field)}; add for example `{field}: {example}`")
    if m.at and m.kind not in DECISIONS:
        yield Odd(m, "at", "only a contest or a vote has an occasion; take it out")
    if m.after and m.kind not in KINDS:
        yield Odd(m, "after", "only a pressure has an age; take it out")


def _exchange(x: Exchange) -> Iterator[Odd]:
    answers = (*ANSWERS, LIE) if x.lie or LIE in x.replies else ANSWERS
    yield from known(x, "move", (x.move,), MOVES, "move")
    for field, said, example in (("replies", x.replies, "dodge"), ("took", x.took, '"gave in"')):
        yield from known(x, field, said, answers, "answer", at_key=True)
        meant = {nearest(other, answers) for other in said.keys() - set(answers)}  # which is told
        for answer in answers:
            if not said.get(answer) and answer not in meant:
                yield Odd(x, field, f'"{answer}" is missing; add for example `{answer}: {example}`')
    for answer, move in x.replies.items():
        yield from known(x, "replies", (move,), MOVES, "move", path=(answer,))
    yield from slots(x, "did", (x.did,), ("to",))
    yield from slots(x, "unheard", (x.unheard,), ("to",))


def _child(c: Child, d: Drama, chosen: bool) -> Iterator[Odd]:
    """chosen: whoever begins it chooses a sum."""
    if c.kind not in d.kinds:
        yield missing(c, "kind", c.kind, d, "kinds")
    for field, texts in (("stakes", c.stakes), ("cause", c.cause)):
        if not texts:
            yield Odd(c, field, "holds no text; add at least one")
        yield from slots(c, field, texts, (*SIDES, *ANYWHERE))
    yield from nameable(c, c.stakes)
    if c.late and not c.due:
        yield Odd(c, "late", "nothing without an hour; add for example `due: 20`", written=True)
    elif c.late and c.kind in d.kinds:
        yield from ending(c, "late", c.late, c.kind, d.kinds[c.kind])
    low, high = c.amount
    if low > high:
        yield Odd(c, "amount", f"the least, {low}, is more than the most, {high}; turn them round")
    if c.amount != NOTHING and c.kind != "debt":
        yield Odd(c, "amount", "only a debt has one; take it out", written=True)
    if c.lends and c.amount == NOTHING:
        yield Odd(c, "lends", "nothing without an amount; add for example `amount: [3, 8]`", written=True)
    if "amount" in needs(c) and c.amount == NOTHING and not chosen:
        says = "speaks of {amount} and has none; add for example `amount: [3, 8]`"
        yield Odd(c, "", says, of="beginnings", written=True)
    if c.holder and c.holder == c.about:
        yield Odd(c, "about", "is the holder; name another part", written=True)


def _kind(name: str, k: Kind, d: Drama) -> Iterator[Odd]:
    if FADED not in k.ends:
        yield Odd(k, "ends", f'no ending "{FADED}" of {name}; every pressure may end by being forgotten')
    for field, end in (("ready", k.ready), ("luck", k.luck), ("spent", k.spent), ("goal", k.goal)):
        yield from ending(k, field, end, name, k) if end else ()
    if name == "secret" and k.spent:
        yield Odd(k, "spent", "a secret is never given up; take it out", written=True)
    for effect in effects(k):
        yield from _effect(effect, name, k, d)
    for field, end in (("admits", k.admits), ("clears", k.clears)):
        yield from ending(k, field, end, name, k) if end else ()
    for clue in k.clues:
        yield from slots(clue, "says", (clue.says,), OF_A_KIND)
        yield from shown_by(clue, d)
        if clue.known_by or clue.where:
            yield Odd(clue, "known_by" if clue.known_by else "where", "is for a clue of a world's own; take it out")
    for way in k.ways:
        if way.do not in d.exchanges:
            yield missing(way, "do", way.do, d, "exchanges")
        if way.after and way.by == "knower":
            straight = {x.do for other in d.kinds.values() for x in other.ways if x.to in STRAIGHT}
            yield from known(way, "after", (way.after,), straight, "exchange that is done with holder or about")
        elif way.after and not _opens(way, k.ways):
            before = f"{name} has no way to do {quoted(way.after)} with holder or about"
            yield Odd(way, "after", f"{before} that can be tried before this; name one it has")
        if way.hears and (way.by, way.to) != ("knower", "holder"):
            mend = "only a knower who speaks to holder can do so before whom it is about; take it out"
            yield Odd(way, "hears", mend, written=True)
    for e in k.ends.values():
        for kind, end in e.also.items():
            if kind not in d.kinds:
                yield missing(e, "also", kind, d, "kinds")._replace(at_key=True)
            else:
                yield from ending(e, "also", end, kind, d.kinds[kind], (kind,))
        yield from slots(e, "says", (e.says,), OF_A_KIND)
        if e.else_:
            yield from ending(e, "else_", e.else_, name, k)
            if e.else_ in k.ends and k.ends[e.else_].else_:
                yield Odd(e, "else_", f"{quoted(e.else_)} has an else of its own; name an ending without one")
            if not e.breaks:
                yield Odd(e, "else_", "breaks nothing, so it never comes to this; say what it breaks, or take it out")
        elif e.below:
            yield Odd(e, "below", "nothing without another ending; add for example `else: faded`", written=True)
    for field, allowed in (("says", OF_A_KIND), ("shows", OF_A_KIND), ("wanted", WANTED)):
        yield from slots(k, field, (getattr(k, field),), allowed)


def effects(k: Kind) -> Iterator[Effect]:
    """All that may befall a pressure of a kind, but in a showdown."""
    yield from (k.late, k.offered, k.right, k.wrong, k.beside, k.found)
    for way in k.ways:
        yield from way.effects


def shown_by(clue: Clue, d: Drama) -> Iterator[Odd]:
    """The deed that lets others notice a clue is one that there is."""
    if clue.by and d.exchanges:
        yield from known(clue, "by", (clue.by,), (SHOWS, *d.exchanges), "deed")


def _opens(way: Way, ways: Sequence[Way]) -> bool:
    """Whether something leads to what is done only after something else: that can be tried in vain without it."""
    rest = [x for x in ways if x is not way]
    before = (x for x in rest if x.do == way.after and x.by != "knower" and x.to in STRAIGHT)
    return any(not x.after or _opens(x, rest) for x in before)


def _effect(effect: Effect, name: str, k: Kind, d: Drama) -> Iterator[Odd]:
    yield from ending(effect, "end", effect.end, name, k) if effect.end else ()
    yield from births(effect, "children", effect.children, ROLES, d)


def _showing(name: str, showing: Showing, d: Drama) -> Iterator[Odd]:
    """A showdown is of a kind that there is, and ends what it is of."""
    kind = d.kinds.get(name)
    if kind is None:
        yield missing(d, "showdowns", name, d, "kinds")._replace(at_key=True)
        return
    for verdict in VERDICTS:
        effect = showing.effect(verdict)
        if effect.end:
            yield from _effect(effect, name, kind, d)
        else:
            yield Odd(
                showing, verdict, f'"{verdict}" ends nothing; add for example `end: {next(iter(kind.ends), FADED)}`'
            )


def ending(thing: object, field: str, end: str, name: str, k: Kind, path: tuple[str, ...] = ()) -> Iterator[Odd]:
    if end not in k.ends:
        said = f"no ending {quoted(end)} of {name}{suggestion(end, k.ends)}"
        yield Odd(thing, field, said, path, of="ends", hangs=((k, "ends"),))


def births(
    thing: object, field: str, names: Iterable[str], parts: Collection[str], d: Drama, path: tuple[str, ...] = ()
) -> Iterator[Odd]:
    """Children that are born where there are only these parts."""
    for name in names:
        child = d.children.get(name)
        if child is None:
            yield missing(thing, field, name, d, "children", path)
        else:
            yield from speaks(thing, field, name, child, {*parts, *ANYWHERE}, path)


def speaks(
    thing: object, field: str, name: str, child: Child, parts: Collection[str], path: tuple[str, ...] = ()
) -> Iterator[Odd]:
    """A child that speaks of more than the parts there are where it is born."""
    if lacks := needs(child) - {*parts}:
        words = f"the child {quoted(name)} speaks of {', '.join(sorted(lacks))}; there is none here"
        yield Odd(thing, field, words, path or (name,), hangs=((child, ""),))


def missing(thing: object, field: str, name: str, d: Drama, of: str, path: tuple[str, ...] = ()) -> Odd:
    """A name that is not in a list of the deck. of: the list."""
    near = f"no {ENTRY[of]} {quoted(name)}{suggestion(name, getattr(d, of))}"
    return Odd(thing, field, near, path or (name,), of=of, hangs=((d, of),))


def _spark(spark: Spark, d: Drama) -> Iterator[Odd]:
    if not spark.roles:
        mend = "has no roles, so it befalls nobody; add for example `roles: {actor: {}}`"
        yield Odd(spark, "", mend, written=True, hangs=((spark, "roles"),))
    yield from hanging(slots(spark, "says", (spark.says,), spark.roles), (spark, "roles"))
    yield from hanging(births(spark, "children", spark.children, spark.roles, d), (spark, "roles"))
    yield from hanging(roles(spark.roles), (spark, "roles"))


def roles(roles: Mapping[str, Role]) -> Iterator[Odd]:
    """A role asks for feelings towards those before it."""
    before: list[str] = []
    for name, role in roles.items():
        for other in role.towards:
            if other not in before:
                yield Odd(role, "towards", f"no role {quoted(other)} above this one", (other,), at_key=True)
        before.append(name)


def _rumours(d: Drama) -> Iterator[Odd]:
    r = d.rumours
    for name, texts in r.says.items():
        if len(texts) != WORST + 1:
            mend = f"write {WORST + 1} sentences, from how it is to the worst that is made of it"
            yield Odd(r, "says", mend, (name,))
        yield from slots(r, "says", texts, RUMOUR_SLOTS, (name,))
    for name, levels in r.also.items():
        if len(levels) > len(r.says.get(name, ())):
            yield Odd(
                r, "also", f'has more than there are sentences of "{name}" in says; take out what is too much', (name,)
            )
        yield from slots(r, "also", (text for ways in levels for text in ways), RUMOUR_SLOTS, (name,))
    ends = {name for kind in d.kinds.values() for name in kind.ends}
    if {*KINDS} <= d.kinds.keys():  # else what ships may name endings of kinds that a world does without
        odds = known(r, "ended", r.ended, {*d.kinds, *ends}, "kind of pressure or ending", at_key=True)
        yield from hanging(odds, *((kind, "ends") for kind in d.kinds.values()))
    for name, texts in r.ended.items():
        if not texts:
            yield Odd(r, "ended", 'it holds no text; add for example "{ending}, over {stakes}"', (name,))
        yield from slots(r, "ended", texts, ENDED_SLOTS, (name,))
    for name in (*d.kinds, SPOKEN[-1]) if r.says else ():
        if name not in r.says:
            yield Odd(r, "", f'the rumours have no words for "{name}"; add four sentences to rumours: says')
    for who, child in r.bears.items():
        yield from births(r, "bears", (child,), BORN, d, (who,))
