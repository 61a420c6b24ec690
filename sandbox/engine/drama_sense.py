"""What a drama deck may not hold although every word of it is right: rounds without end, and what can never happen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandbox.core.faults import quoted
from sandbox.core.textfiles import Value
from sandbox.people.persona import Persona
from sandbox.people.pressures.deck import Drama, Role, Spark

Places = Mapping[str, Value]  # "children slight" -> where it is written


def check_ends(d: Drama, at: Places) -> None:
    """Nothing may go on for ever by itself: an hour is put off to an end, and leads back to no hour of its own.

    Only what happens by the hour is looked at: an answer needs somebody to give it, and luck breaks a ring.
    """
    for name, kind in d.kinds.items():
        if kind.late.later and not kind.late.end:
            _fault(at, f"kinds {name}", '"late" is put off for ever; give it an "end", or take "later" out')
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
            _fault(at, f"children {ring[0]}", f"comes back to itself when its hour passes ({words}); {mend}")


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


def check_used(d: Drama, at: Places) -> None:
    """Warn of exchanges that nobody does and children that nothing bears, where a world has written them."""
    ways = [way for kind in d.kinds.values() for way in kind.ways]
    done = {way.do for way in ways}
    effects = [kind.late for kind in d.kinds.values()] + [e for w in ways for e in (w.accept, w.dodge, w.refuse, w.lie)]
    born = {c for e in effects for c in e.children} | {c for s in d.sparks.values() for c in s.children}
    born |= {r.child for r in d.renewal} | {d.mercy, *d.rumours.bears.values()}
    for name in [x for x in d.exchanges if x not in done]:
        _fault(at, f"exchanges {name}", "nobody ever does this; name it in a way of a kind, or take it out", "warning")
    for name in [x for x in d.children if x not in born]:
        _fault(at, f"children {name}", "nothing ever bears this; name it where it comes of, or take it out", "warning")


def check_roles(d: Drama, cast: Iterable[Persona], at: Places) -> None:
    """Warn of sparks of a world that can befall nobody of its cast. What they feel for one another may change."""
    people = tuple(cast)
    for name, spark in d.sparks.items():
        for role, wanted in spark.roles.items():
            lacking = _lacking(wanted, people)
            if lacking:
                _fault(at, f"sparks {name}", f"nobody of the cast can be {role}: {lacking}", "warning")
                break
        else:
            if not _fill(spark, people, {}):
                words = f"there are not {len(spark.roles)} people of the cast for its roles together"
                _fault(at, f"sparks {name}", f"{words}; ask for less of one", "warning")


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


def _fault(at: Places, key: str, message: str, level: str = "error") -> None:
    if key in at:
        at[key].fault(message, "warning" if level == "warning" else "error")
