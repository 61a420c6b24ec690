"""`sandbox ties`: the people of a save as a network, compared with real ones and with chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandbox.cli.moments import day_in_save
from sandbox.cli.options import JSON, SAVE, Number, WholeNumber, help_text
from sandbox.cli.telling import align_columns, progress_bar, reading_bar, say_json, say_text, say_wrapped, wait_for
from sandbox.core.clock import DAY
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.core.clock import Clock
    from sandbox.engine.world import World
    from sandbox.lab.networks import Report
    from sandbox.lab.rewiring import Spread
    from sandbox.people.handbook import Handbook
    from sandbox.people.ties import Flags
    from sandbox.readers.bonds import Became, Bonds
    from sandbox.readers.tielines import Liking

TOLD = 3  # how many of the most and the least liked are printed
FEWEST, EDGES = 20, 500  # fewest random networks; above so many ties their number is reduced
MOST = 80  # most people among whom circles are looked for
LIKED, DISLIKED = "MOST LIKED", "MOST DISLIKED"
WEEK, LATEST = 7, 40  # days whose changed bonds are printed, and how many of these at most
SWEPT = ("edges", "density", "clustering", "largest_component", "path_length", "plain_modularity")


class _Read(NamedTuple):
    """A save that has been read. t: the second that is shown; before, then: the reports of the beginning and of t;
    graph: who is tied to whom at t; swept: reports at all thresholds; liked, disliked: all people, the most so first;
    bonds: what each two are to each other.
    """

    title: str
    seed: int
    handbook: Handbook
    clock: Clock
    t: int
    before: Report
    then: Report
    graph: Flags
    swept: list[Report]
    liked: list[Liking]
    disliked: list[Liking]
    bonds: Bonds

    @property
    def circles(self) -> list[tuple[str, ...]]:
        """Groups in which all are warm with all; none in a large town, where looking takes too long."""
        return self.bonds.circles() if len(self.disliked) <= MOST else []

    @property
    def became(self) -> list[Became]:
        """The bonds that changed in the last week, for a day or longer."""
        return self.bonds.lasting(self.t - WEEK * DAY, self.t)


@click.command(help=help_text("ties"))
@SAVE
@click.option(
    "--day", type=WholeNumber(1), metavar="N", help="At the end of that day (1 = the first). Default: the last."
)
@click.option(
    "--theta",
    type=Number(0.01, 1.0),
    default=0.3,
    show_default=True,
    metavar="X",
    help="The closeness from which two people are tied.",
)
@JSON
def ties(save: str, day: int | None, theta: float, as_json: bool) -> None:
    """Show how people are tied, and what these ties make."""
    found = wait_for(_read(save, day, theta))
    rewired, random = _chance(found.graph)
    if as_json:
        _json(save, found, theta, rewired, random)
    else:
        _table(found, theta, rewired, random)


async def _read(name: str, day: int | None, theta: float) -> _Read:
    """Read a save once. Raises SaveError, and BadParameter for a day it lacks."""
    from sandbox.readers.bonds import KINDS, Bonds
    from sandbox.store.errors import SaveError
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        world = await save.beginning()
        clock = world.clock
        last = day_in_save(save, clock, day)
        if len(world.cast) < 2:
            raise SaveError(
                save.path, "has fewer than two people, so there are no ties", "name a save with two people or more"
            )
        bonds, t = Bonds(world), min(save.now, clock.midnight(last + 1) - 1)
        with reading_bar(save) as moved:
            async for records in save.slices(KINDS, moved):
                bonds.read(r for r in records if r.stamp.t <= t)
            return _looked(world, bonds, t, theta)


def _looked(world: World, bonds: Bonds, t: int, theta: float) -> _Read:
    """All that the command shows. world: as it began; t: the second to show."""
    from sandbox.lab.networks import cut, matrix, network_report, sweep, undirected
    from sandbox.readers.tielines import BEFORE, rank_likings

    people, lines = [*world.cast], bonds.lines
    began, then = (matrix(people, {two: s.closeness for two, s in lines.at(at).items()}) for at in (BEFORE, t))
    homes = [world.cast[who].household for who in people]
    return _Read(
        world.scenario.title,
        world.scenario.seed,
        world.handbook,
        world.clock,
        t,
        network_report(began, theta, homes),
        network_report(then, theta, homes),
        cut(undirected(then), theta),
        sweep(then),
        rank_likings(lines, people, t, 1.0),
        rank_likings(lines, people, t, -1.0),
        bonds,
    )


def _chance(graph: Flags) -> tuple[dict[str, Spread | None], ...]:
    """The measures of random networks with the same degrees, and with as many ties; fewer networks for a large one."""
    from sandbox.lab.rewiring import TIMES, random_ones, rewirings, spreads

    times = min(TIMES, max(FEWEST, TIMES * EDGES // max(1, int(graph.sum()) // 2)))
    with progress_bar("chance", "networks") as moved:
        done = 0

        def counted_in(one: Report) -> Report:
            nonlocal done
            done += 1
            moved(done, 2 * times)
            return one

        found = [map(counted_in, of(graph, times=times)) for of in (rewirings, random_ones)]
        return tuple(spreads(of) for of in found)


def _json(
    save: str, found: _Read, theta: float, rewired: dict[str, Spread | None], random: dict[str, Spread | None]
) -> None:
    from sandbox.lab.published import FRIENDSHIP

    def plain(of: NamedTuple | None) -> dict[str, Any] | None:
        return None if of is None else of._asdict()

    def likings(of: list[Liking]) -> list[dict[str, Any]]:
        return [{**one._asdict(), "began": plain(one.began), "moved": plain(one.moved)} for one in of]

    say_json(
        {
            "save": save,
            "day": found.clock.day(found.t),
            "t": found.t,
            "theta": theta,
            "began": found.before,
            "then": found.then,
            "real": {key: dict(zip(("median", "first", "third"), row, strict=True)) for key, row in FRIENDSHIP.items()},
            "rewired": {key: plain(one) for key, one in rewired.items()},
            "random": {key: plain(one) for key, one in random.items()},
            "sweep": found.swept,
            "liked": likings(found.liked),
            "disliked": likings(found.disliked),
            "bonds": [{"a": a, "b": b, "bond": name} for (a, b), name in found.bonds.all().items()],
            "circles": found.circles,
            "became": [one._asdict() for one in found.became],
        }
    )


def _table(found: _Read, theta: float, rewired: dict[str, Spread | None], random: dict[str, Spread | None]) -> None:
    from sandbox.lab.networks import MEASURES, measure_text
    from sandbox.lab.published import FRIENDSHIP

    before, then = found.before, found.then
    day = f"DAY {found.clock.day(found.t)}"
    say_text(
        f"{found.title}, seed {found.seed}: {then['people'] or 0:g} people,"
        f" {count_of(int(then['edges'] or 0), 'tie')} of {theta:g} or more, {found.clock.words(found.t)}\n"
    )
    rows = [
        (_label(key), measure_text(before[key]), measure_text(then[key]), f"{middle:.3f} {low:.3f}-{high:.3f}",
         *(_range(chance[key]) for chance in (rewired, random)))
        for key, (middle, low, high) in FRIENDSHIP.items()
    ]  # fmt: skip
    say_text(align_columns(("MEASURE", "DAY 0", day, "REAL NETWORKS", "REWIRED", "RANDOM"), rows, right=(1, 2)))
    out = [key for key in FRIENDSHIP if _outside(then[key], rewired[key])]
    names = ", ".join(map(_label, out)) or "nothing"
    say_text(f"\nOutside the range of rewirings: {names}.\n")
    rest = [key for key in MEASURES if key not in (*FRIENDSHIP, "people") and not key.endswith(("_low", "_high"))]
    others = [(_label(key), _told(before, key), _told(then, key)) for key in rest]
    say_text(align_columns(("", "DAY 0", day), others, right=(1, 2)))
    say_text("")
    swept = [(f"{row['theta']:.2f}", *(measure_text(row[key]) for key in SWEPT)) for row in found.swept]
    say_text(align_columns(("THETA", *(_label(key).upper() for key in SWEPT)), swept, right=range(7)))
    _likings(LIKED, found.liked[:TOLD], found)
    _likings(DISLIKED, found.disliked[:TOLD], found)
    _bonds(found)


def _label(key: str) -> str:
    return {
        "largest_component": "largest part",
        "plain_modularity": "modularity",
        "modularity": "modularity, weights",
    }.get(key, key.replace("_", " "))


def _told(report: Report, key: str) -> str:
    """A measure, with its interval if it has one."""
    from sandbox.lab.networks import measure_text

    text, low, high = measure_text(report[key]), report.get(f"{key}_low"), report.get(f"{key}_high")
    return text if low is None or high is None else f"{text} {low:.3f}-{high:.3f}"


def _range(of: Spread | None) -> str:
    return "-" if of is None else f"{of.low:.3f}-{of.high:.3f}"


def _outside(x: float | None, of: Spread | None) -> bool:
    return x is not None and of is not None and not of.low - 1e-9 <= x <= of.high + 1e-9


def _likings(title: str, of: list[Liking], found: _Read) -> None:
    """Print these people, each with who likes (or dislikes) them most, and why."""
    say_text(f"\n{title}")
    name, clock = found.handbook.name, found.clock
    for one in of:
        what = "like" if title == LIKED else "dislike"
        text = f"{name(one.who)}: {count_of(one.many, what)} {one.summed:+.2f} (mean of all {one.mean:+.2f}); most by"
        text += f" {name(one.by)} {one.feeling:+.2f}:"
        if one.began is not None:
            text += f" {one.began.delta:+.2f} before the world began{f' ({one.began.why})' if one.began.why else ''}"
        if one.moved is not None:
            since = f" ({one.moved.why})" if one.moved.why else ""
            text += f"{', then' if one.began is not None else ''} most of all {one.moved.delta:+.2f}{since}"
            text += f" {clock.words(one.moved.t)}, event {one.moved.seq}"
        say_wrapped(text, "  ", "    ")


def _bonds(found: _Read) -> None:
    """Print how many pairs have which bond, the largest circles, and bonds that changed lately, with the reason."""
    from collections import Counter

    from sandbox.people.ties import BONDS, COLD, WARM

    name, clock = found.handbook.name, found.clock
    many = Counter(found.bonds.all().values())
    say_text(f"\nPAIRS\n  {', '.join(f'{bond} {many[bond]}' for bond in BONDS if many[bond])}")
    for who in found.bonds.people if len(found.bonds.people) <= MOST else ():
        own = [(b if a == who else a, bond) for (a, b), bond in found.bonds.all().items() if who in (a, b)]
        told = {bond: [name(x) for x, y in own if y == bond] for bond in BONDS if bond in WARM | COLD}
        kinds = (f"{bond} {', '.join(them)}" for bond, them in told.items() if them)
        text = f"{name(who)}: {'; '.join(kinds) or 'nobody'}"
        say_wrapped(text, "  ", "    ")
    for circle in found.circles[:TOLD]:
        say_text(f"  all warm with all: {', '.join(map(name, circle))}")
    became = found.became
    say_text(
        f"\nBECAME, IN THE LAST {WEEK} DAYS, FOR A DAY OR LONGER: {count_of(len({x[1:3] for x in became}), 'pair')}"
    )
    weighty = sorted(became, key=lambda x: (not {x.was, x.now} & {"couple", *COLD}, -x.t))[:LATEST]
    for x in sorted(weighty, key=lambda x: x.t):
        why = f" ({x.why})" if x.why else ""
        text = f"{clock.words(x.t)} {name(x.a)} and {name(x.b)}: {x.was} > {x.now}{why}, event {x.seq}"
        say_wrapped(text, "  ", "    ")
    if len(became) > len(weighty):
        say_text(f"  and {len(became) - len(weighty)} more; --json has them all")
