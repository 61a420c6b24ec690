"""What must hold in a drama deck between its entries, and what its texts may name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sandbox.core.faults import quoted, suggestion
from sandbox.core.fields import SLOT, Odd, known, slots
from sandbox.people.beliefs import WORST
from sandbox.people.claims.model import ROLES
from sandbox.people.persona import Persona
from sandbox.people.pressures.deck import (
    ANSWERS,
    LIE,
    SPOKEN,
    VERDICTS,
    Child,
    Drama,
    Effect,
    Exchange,
    Kind,
    Role,
    Showing,
    Spark,
    kindness,
)
from sandbox.talk.lines import MOVES

ANYWHERE = ("place", "stakes", "amount")  # what the words of a child may name beside its parts
OF_A_KIND = ("holder", "about", "stakes")
WANTED = ("about", "stakes")  # what the words for what somebody wanted may name
BORN = ("actor", "target")  # the parts there are when ordinary talk or a spark makes a pressure
RUMOUR_SLOTS = ("holder", "about", "stakes", "place")
ENTRY = {"kinds": "kind of pressure", "exchanges": "exchange", "children": "child"}  # of a list, as messages call it
FADED = "faded"
NOTHING = (0, 0)  # the amount of a debt that is a thing or a deed


def of_drama(d: Drama) -> Iterator[Odd]:
    """What is odd in a deck."""
    for x in d.exchanges.values():
        yield from _exchange(x)
    for c in d.children.values():
        yield from _child(c, d)
    for name, k in d.kinds.items():
        yield from _kind(name, k, d)
    for r in d.renewal:
        yield from _births(r, "child", (r.child,), BORN, d)
    for spark in d.sparks.values():
        yield from _spark(spark, d)
    if d.mercy:
        yield from _births(d, "mercy", (d.mercy,), BORN, d)
        if d.mercy in d.children and d.children[d.mercy].kind in d.kinds and not kindness(d):
            mend = "give its kind a way to about that does a `kind` exchange"
            yield Odd(d, "mercy", f"nothing kind comes of this child; {mend}", of="exchanges")
    yield from _rumours(d)
    for name, showing in d.showdowns.items():
        yield from _showing(name, showing, d)


def needs(child: Child) -> set[str]:
    """The parts a child speaks of."""
    return {child.holder, child.about, *(s for text in (*child.stakes, *child.cause) for s in SLOT.findall(text))}


def _exchange(x: Exchange) -> Iterator[Odd]:
    answers = (*ANSWERS, LIE) if x.lie or LIE in x.replies else ANSWERS
    yield from known(x, "move", (x.move,), MOVES, "move")
    for field, said, example in (("replies", x.replies, "dodge"), ("took", x.took, '"gave in"')):
        yield from known(x, field, said, answers, "answer", at_key=True)
        for answer in answers:
            if not said.get(answer):
                near = suggestion(answer, said.keys() - set(answers)) or f"; add for example `{answer}: {example}`"
                yield Odd(x, field, f'"{answer}" is missing{near}')
    for answer, move in x.replies.items():
        yield from known(x, "replies", (move,), MOVES, "move", path=(answer,))
    yield from slots(x, "did", (x.did,), ("to",))


def _child(c: Child, d: Drama) -> Iterator[Odd]:
    if c.kind not in d.kinds:
        yield _missing(c, "kind", c.kind, d, "kinds")
    for field, texts in (("stakes", c.stakes), ("cause", c.cause)):
        if not texts:
            yield Odd(c, field, "holds no text; add at least one")
        yield from slots(c, field, texts, (*ROLES, *ANYWHERE))
    if c.late and not c.due:
        yield Odd(c, "late", "nothing without an hour; add for example `due: 20`", written=True)
    elif c.late and c.kind in d.kinds:
        yield from _ending(c, "late", c.late, c.kind, d.kinds[c.kind])
    low, high = c.amount
    if low > high:
        yield Odd(c, "amount", f"the least, {low}, is more than the most, {high}; turn them round")
    if c.amount != NOTHING and c.kind != "debt":
        yield Odd(c, "amount", "only a debt has one; take it out", written=True)
    if c.lends and c.amount == NOTHING:
        yield Odd(c, "lends", "nothing without an amount; add for example `amount: [3, 8]`", written=True)
    if "amount" in needs(c) and c.amount == NOTHING:
        yield Odd(c, "", "speaks of {amount} and has none; add for example `amount: [3, 8]`", written=True)
    if c.holder and c.holder == c.about:
        yield Odd(c, "about", "is the holder; name another part", written=True)


def _kind(name: str, k: Kind, d: Drama) -> Iterator[Odd]:
    if FADED not in k.ends:
        yield Odd(k, "ends", f'has no "{FADED}"; every pressure may end by being forgotten')
    for field, end in (("ready", k.ready), ("luck", k.luck), ("spent", k.spent)):
        yield from _ending(k, field, end, name, k) if end else ()
    if name == "secret" and k.spent:
        yield Odd(k, "spent", "a secret is never given up; take it out", written=True)
    yield from _effect(k.late, name, k, d)
    for way in k.ways:
        if way.do not in d.exchanges:
            yield _missing(way, "do", way.do, d, "exchanges")
        if way.after and not any(x.do == way.after and x.to != "other" for x in k.ways):
            yield Odd(
                way, "after", f"{name} has no way to do {quoted(way.after)} with holder or about; name one it has"
            )
        for effect in (way.accept, way.dodge, way.refuse, way.lie):
            yield from _effect(effect, name, k, d)
    for e in k.ends.values():
        for kind, end in e.also.items():
            if kind not in d.kinds:
                yield _missing(e, "also", kind, d, "kinds")._replace(at_key=True)
            else:
                yield from _ending(e, "also", end, kind, d.kinds[kind], (kind,))
        yield from slots(e, "says", (e.says,), OF_A_KIND)
    for field, allowed in (("says", OF_A_KIND), ("shows", OF_A_KIND), ("wanted", WANTED)):
        yield from slots(k, field, (getattr(k, field),), allowed)


def _effect(effect: Effect, name: str, k: Kind, d: Drama) -> Iterator[Odd]:
    yield from _ending(effect, "end", effect.end, name, k) if effect.end else ()
    yield from _births(effect, "children", effect.children, ROLES, d)


def _showing(name: str, showing: Showing, d: Drama) -> Iterator[Odd]:
    """A showdown is of a kind that there is, and ends what it is of."""
    kind = d.kinds.get(name)
    if kind is None:
        yield _missing(d, "showdowns", name, d, "kinds")._replace(at_key=True)
        return
    for verdict in VERDICTS:
        effect = showing.effect(verdict)
        if effect.end:
            yield from _effect(effect, name, kind, d)
        else:
            yield Odd(
                showing, verdict, f'"{verdict}" ends nothing; add for example `end: {next(iter(kind.ends), FADED)}`'
            )


def _ending(thing: object, field: str, end: str, name: str, k: Kind, path: tuple[str, ...] = ()) -> Iterator[Odd]:
    if end not in k.ends:
        yield Odd(thing, field, f"no ending {quoted(end)} of {name}{suggestion(end, k.ends)}", path)


def _births(
    thing: object, field: str, names: Iterable[str], parts: Collection[str], d: Drama, path: tuple[str, ...] = ()
) -> Iterator[Odd]:
    """Children that are born where there are only these parts."""
    for name in names:
        child = d.children.get(name)
        if child is None:
            yield _missing(thing, field, name, d, "children", path)
        elif lacks := needs(child) - {*parts, *ANYWHERE}:
            speaks = f"the child {quoted(name)} speaks of {', '.join(sorted(lacks))}; there is none here"
            yield Odd(thing, field, speaks, path or (name,))


def _missing(thing: object, field: str, name: str, d: Drama, of: str, path: tuple[str, ...] = ()) -> Odd:
    """A name that is not in a list of the deck. of: the list."""
    near = f"no {ENTRY[of]} {quoted(name)}{suggestion(name, getattr(d, of))}"
    return Odd(thing, field, near, path or (name,), of=of)


def _spark(spark: Spark, d: Drama) -> Iterator[Odd]:
    if not spark.roles:
        yield Odd(spark, "", "has no roles, so it befalls nobody; add for example `roles: {actor: {}}`", written=True)
    yield from slots(spark, "says", (spark.says,), spark.roles)
    yield from _births(spark, "children", spark.children, [role for role in spark.roles if role in BORN], d)
    before: list[str] = []
    for name, role in spark.roles.items():
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
    for name in (*d.kinds, SPOKEN[-1]) if r.says else ():
        if name not in r.says:
            yield Odd(r, "", f'the rumours have no words for "{name}"; add four sentences to rumours: says')
    for who, child in r.bears.items():
        yield from _births(r, "bears", (child,), BORN, d, (who,))


# ---- rounds without end, and what can never happen: faults of a file, and warnings


def endless(d: Drama) -> Iterator[Odd]:
    """Nothing may go on for ever by itself: an hour is put off to an end, and leads back to no hour of its own.

    Only what happens by the hour is looked at: an answer needs somebody to give it, and luck breaks a ring.
    """
    for kind in d.kinds.values():
        if kind.late.later and not kind.late.end:
            yield Odd(kind, "", '"late" is put off for ever; give it an "end", or take "later" out', written=True)
    after = {
        name: [c for c in d.kinds[child.kind].late.children if c in d.children]
        if child.due and d.kinds[child.kind].late.end and not d.kinds[child.kind].luck
        else []
        for name, child in d.children.items()
    }
    done: set[str] = set()
    for start in after:
        ring = _ring(start, after)
        if ring and not done & set(ring):
            done |= set(ring)
            words = " > ".join([*ring, ring[0]])
            mend = 'take the "due" of one out, or give its kind a "luck"'
            yield Odd(
                d.children[ring[0]], "", f"comes back to itself when its hour passes ({words}); {mend}", written=True
            )


def _ring(start: str, after: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest way from a child back to itself, if there is one."""
    seen: set[str] = set()
    ways = [[start]]
    for way in ways:  # grows as it is gone through
        for child in after[way[-1]]:
            if child == start:
                return way
            if child not in seen:
                seen.add(child)
                ways.append([*way, child])
    return []


def unused(d: Drama) -> Iterator[Odd]:
    """Exchanges that nobody does and children that nothing bears."""
    ways = [way for kind in d.kinds.values() for way in kind.ways]
    done = {way.do for way in ways}
    effects = [kind.late for kind in d.kinds.values()] + [e for w in ways for e in (w.accept, w.dodge, w.refuse, w.lie)]
    effects += [s.effect(verdict) for s in d.showdowns.values() for verdict in VERDICTS]
    born = {c for e in effects for c in e.children} | {c for s in d.sparks.values() for c in s.children}
    born |= {r.child for r in d.renewal} | {d.mercy, *d.rumours.bears.values()}
    for name, x in d.exchanges.items():
        if name not in done:
            yield Odd(x, "", "nobody ever does this; name it in a way of a kind, or take it out", level="warning")
    for name, c in d.children.items():
        if name not in born:
            yield Odd(c, "", "nothing ever bears this; name it where it comes of, or take it out", level="warning")


def befalls_nobody(d: Drama, people: tuple[Persona, ...]) -> Iterator[Odd]:
    """Sparks that can befall nobody of a cast. What they feel for one another may change."""
    for spark in d.sparks.values():
        lacks = ((role, _lacking(wanted, people)) for role, wanted in spark.roles.items())
        role, lacking = next(((role, text) for role, text in lacks if text), ("", ""))
        if lacking:
            yield Odd(spark, "", f"nobody of the cast can be {role}: {lacking}", level="warning")
        elif not _fill(spark, people, {}):
            words = f"there are not {len(spark.roles)} people of the cast for its roles together"
            yield Odd(spark, "", f"{words}; ask for less of one", level="warning")


def _lacking(wanted: Role, people: Iterable[Persona]) -> str:
    """What nobody has of what a role asks for, with the mend; "" if somebody has it all."""
    if any(wanted.suits(p) for p in people):
        return ""
    if wanted.jobs and not any(p.job in wanted.jobs for p in people):
        return f"nobody is {' or '.join(map(quoted, wanted.jobs))}; ask for a job that somebody has"
    if wanted.traits and not any(set(wanted.traits) & set(p.traits) for p in people):
        return f"nobody is {' or '.join(map(quoted, wanted.traits))}; ask for a trait that somebody has"
    if not any(wanted.ages[0] <= p.age <= wanted.ages[1] for p in people):
        return f"nobody is between {wanted.ages[0]} and {wanted.ages[1]}; ask for other ages"
    return "nobody has all that it asks for; ask for less"


def _fill(spark: Spark, people: tuple[Persona, ...], taken: dict[str, str]) -> bool:
    """Whether different people suit the roles that are still open."""
    role = next((role for role in spark.roles if role not in taken), None)
    return role is None or any(
        spark.roles[role].suits(p) and p.id not in taken.values() and _fill(spark, people, {**taken, role: p.id})
        for p in people
    )
