"""What must hold of the goals of a world: hours to come, and conditions on what the world has."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandbox.core.clock import Clock, parse_start
from sandbox.core.fields import Finding, duplicates
from sandbox.director.conditions import Nameable, no_moment, odd
from sandbox.engine.scenario import Scenario
from sandbox.people.beliefs import ROW
from sandbox.play.newcomers import Newcomer
from sandbox.town.plan import OUTCOMES

OFF = "off"


def known_to(s: Scenario, *came: Newcomer, unread: Collection[str] = ()) -> Nameable:
    """What conditions may name in a world. came: who lives in it then, beside the cast. unread: as of `of_world`."""
    pressures = (*s.pressures, *(p for n in came for p in n.settling.pressures))
    matters = {p.id for p in pressures}
    clues = {f"{p.id}/{n}" for p in pressures for n in range(len(p.clues))}
    clues |= {f"{f.id}/{n}" for f in s.facts for n in range(len(f.clues))}
    endings = {end for kind in s.drama.kinds.values() for end in kind.ends}
    threads = {p.thread or p.id for p in pressures}
    return Nameable(
        {*unread, *(p.id for p in (*s.cast, *(n.persona for n in came)))},
        s.claims.kinds,
        {*matters, *clues, *(f.id for f in s.facts)},
        matters,
        threads,
        s.drama.kinds,
        {*endings, ROW},
        {o.id: (*OUTCOMES[o.decides.kind], OFF) for o in s.calendar if o.decides is not None},
    )


def of_aims(s: Scenario, unread: Collection[str] = ()) -> Iterator[Finding]:
    """What is odd in the goals of a world. unread: as of `of_world`."""
    decks = [(s.goals, known_to(s, unread=unread) if s.goals else None)]
    decks += [(n.settling.goals, known_to(s, n)) for n in s.newcomers if n.settling.goals]
    yield from duplicates([aim for aims, _ in decks for aim in aims])
    hinges: list[tuple[object, str]] = [
        (x, "id") for x in (*s.pressures, *(x for n in s.newcomers for x in n.settling.pressures))
    ]
    hinges += [(s, "pressures"), *((n.settling, "pressures") for n in s.newcomers)]
    clock = Clock(parse_start(s.start))
    for aim, known in ((aim, known) for aims, known in decks for aim in aims):
        wrong = no_moment(aim.by)
        if wrong:
            yield Finding(aim, "by", wrong)
        elif clock.moment(aim.by) <= 0:
            yield Finding(
                aim, "by", f"{aim.by} is before the world starts ({clock.hhmm(0)} on day 1); choose a later one"
            )
        if known is not None:
            for one in odd(aim.wants, known):
                yield one._replace(hangs=(*hinges,)) if one.field in ("matter", "thread", "fact") else one
