"""What a drama deck can come to: rounds without end, which are faults; and what can never happen: warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sandbox.core.faults import in_quotes
from sandbox.core.fields import Finding
from sandbox.engine.rules_drama import effects
from sandbox.people.goal_deck import StepMeans
from sandbox.people.persona import Persona
from sandbox.people.pressure_beginnings import Role, Spark
from sandbox.people.pressure_deck import VERDICTS, DramaDeck, Effect


def endless(d: DramaDeck) -> Iterator[Finding]:
    """Nothing may go on for ever by itself: an hour is put off to an end, and leads back to no hour of its own.

    Only what happens by the hour is looked at: an answer needs somebody to give it, and luck breaks a ring.
    """
    for kind in d.kinds.values():
        if kind.late.later and not kind.late.end:
            yield Finding(kind, "", '"late" is put off for ever; give it an "end", or take "later" out', written=True)
    after = {
        name: [c for c in d.kinds[child.kind].late.children if c in d.children]
        if child.due and d.kinds[child.kind].late.end and not d.kinds[child.kind].luck
        else []
        for name, child in d.children.items()
    }
    done: set[str] = set()
    for start in after:
        ring = round_of(start, after)
        if ring and not done & set(ring):
            done |= set(ring)
            words = " > ".join([*ring, ring[0]])
            mend = 'take the "due" of one out, or give its kind a "luck"'
            yield Finding(
                d.children[ring[0]], "", f"comes back to itself when its hour passes ({words}); {mend}", written=True
            )


def round_of(start: str, after: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest way from something back to itself, if there is one. after: what comes after each; what is not
    known leads nowhere.
    """
    seen: set[str] = set()
    ways = [[start]]
    for way in ways:  # grows as it is gone through
        for then in after.get(way[-1], ()):
            if then == start:
                return way
            if then not in seen:
                seen.add(then)
                ways.append([*way, then])
    return []


def unused_entries(d: DramaDeck, also: Collection[str]) -> Iterator[Finding]:
    """Exchanges that nobody does and children that nothing bears. also: children that are born by other files."""
    means = [x for step in d.steps.values() for x in step.by]
    own = [way for ways in d.own.values() for way in ways]
    done = {way.do for kind in d.kinds.values() for way in kind.ways} | {x.do for x in means} | {x.do for x in own}
    bearing: list[Effect | Spark | StepMeans] = [e for kind in d.kinds.values() for e in effects(kind)]
    bearing += [e for way in own for e in way.effects]
    bearing += [s.effect(verdict) for s in d.showdowns.values() for verdict in VERDICTS]
    bearing += [*d.sparks.values(), *means]
    born = {c for x in bearing for c in x.children}
    born |= {r.child for r in d.renewal} | d.beginnings.keys() | {d.mercy, *d.rumours.bears.values(), *also}
    for name, x in d.exchanges.items():
        if name not in done:
            yield Finding(x, "", "nobody ever does this; name it in a way of a kind, or take it out", level="warning")
    for name, c in d.children.items():
        if name not in born:
            yield Finding(c, "", "nothing ever bears this; name it where it comes of, or take it out", level="warning")


def befalls_nobody(d: DramaDeck, people: tuple[Persona, ...]) -> Iterator[Finding]:
    """Sparks that can befall nobody of a cast. What they feel for one another may change."""
    for spark in d.sparks.values():
        lacks = ((role, _lacking(wanted, people)) for role, wanted in spark.roles.items())
        role, lacking = next(((role, text) for role, text in lacks if text), ("", ""))
        if lacking:
            yield Finding(spark, "", f"nobody of the cast can be {role}: {lacking}", level="warning")
        elif not _fill(spark, people, {}):
            words = f"there are not {len(spark.roles)} people of the cast for its roles together"
            yield Finding(spark, "", f"{words}; ask for less of one", level="warning")


def _lacking(wanted: Role, people: Iterable[Persona]) -> str:
    """What nobody has of what a role asks for, with the mend; "" if somebody has it all."""
    if any(wanted.suits(p) for p in people):
        return ""
    if wanted.jobs and not any(p.job in wanted.jobs for p in people):
        return f"nobody is {' or '.join(map(in_quotes, wanted.jobs))}; ask for a job that somebody has"
    if wanted.traits and not any(set(wanted.traits) & set(p.traits) for p in people):
        return f"nobody is {' or '.join(map(in_quotes, wanted.traits))}; ask for a trait that somebody has"
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
