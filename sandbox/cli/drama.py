"""`sandbox drama`: print the incidents in a save, or measure how much of a story its days are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.judged import CHECK, OK, SHOULD, MeasureTable, check_mark, require_table
from sandbox.cli.moments import day_in_save
from sandbox.cli.options import JSON, SAVE, WholeNumber, help_text
from sandbox.cli.telling import reading_bar, say_json, say_text, say_wrapped, wait_for
from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.readers.beliefs import Knower, KnownFact
    from sandbox.readers.measures import DramaStats
    from sandbox.readers.numbers import Measures, Range

ALL = "all"  # the value of --knows for all matters


class _Told(NamedTuple):
    """A save that has been read: title, seed, statistics, the second at which it ends, and the days to show."""

    title: str
    seed: int
    drama: DramaStats
    until: int
    days: tuple[int, ...]


@click.command(help=help_text("drama"))
@SAVE
@click.option("--day", type=WholeNumber(1), metavar="N", help="Only that day (1 = the first).")
@click.option("--tell", "as_text", is_flag=True, help="Print the turns of each day, with how they came about.")
@CHECK
@JSON
@click.option("--against", metavar="SAVE2", help="Also measure the share of incidents that another save has, too.")
@click.option("--knows", metavar="MATTER", help='Who knows of a matter (its id, or "all"), and from whom.')
def drama(
    save: str, day: int | None, as_text: bool, check: bool, as_json: bool, against: str | None, knows: str | None
) -> None:
    """Measure a save, or print what happened in it."""
    if knows is not None:
        if as_text or against or check or day is not None:
            raise click.UsageError("--knows shows the end of the save; leave out --day, --tell, --check and --against")
        wait_for(_known(save, knows, as_json))
        return
    require_table(check, as_json, as_text)
    if as_text and (as_json or against):
        raise click.UsageError("--tell prints sentences only; leave out --json and --against")

    from sandbox.readers.measures import whole_weeks

    told = wait_for(_read(save, day))
    other = wait_for(_read(against, None)) if against else None
    if as_json:
        days = [{"day": n, **_measures(told, other, (n,))} for n in told.days]
        weeks = [{"week": week[-1] // len(week), **_measures(told, other, week)} for week in whole_weeks(told.days)]
        say_json({"save": save, "days": days, "weeks": weeks, "whole": _measures(told, other, told.days)})
    elif not told.drama.incidents.born:
        say_text(f"{told.title}: nothing presses anybody in this save, so there are no incidents: its world has no")
        say_text("pressures, none has begun yet, or rules.drama is off")
    elif as_text:
        _tell(told, day)
    else:
        _table(told, other, day, MeasureTable(check))


async def _read(name: str, day: int | None) -> _Told:
    """Read a save once, one run of its log at a time. Raises SaveError, and BadParameter for a day it lacks."""
    from sandbox.readers.measures import EVENTS, DramaStats
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        world = await save.beginning()
        day_in_save(save, world.clock, day)
        drama = DramaStats(world)
        with reading_bar(save) as moved:
            async for records in save.slices(EVENTS, moved):
                drama.read(records)
            drama.incidents.of(drama.incidents.day)
        days = (day,) if day is not None else drama.days(save.now)
        return _Told(world.scenario.title, world.scenario.seed, drama, save.now, days)


def _measures(told: _Told, other: _Told | None, days: tuple[int, ...]) -> Measures:
    """The measures of these days; with another save, also the share of incidents that it has too."""
    from sandbox.readers.measures import SHARED, incident_overlap

    found = told.drama.whole(days, told.until)
    if other is not None:
        mine, others = ([i for day in days for i in x.drama.incidents.of(day).incidents] for x in (told, other))
        found[SHARED] = incident_overlap(mine, others)
    return found


def _tell(told: _Told, day: int | None) -> None:
    """Print the turns of each day, by time, those of a matter together."""
    from sandbox.readers.told_turns import told_groups, told_paragraph

    clock, drama = told.drama.clock, told.drama
    for n, one in enumerate((day,) if day is not None else drama.incidents.days()):
        at = clock.at(clock.midnight(one))
        say_text(f"{chr(10) if n else ''}Day {one}, {at:%A} {at.day} {at:%B}")
        turns = drama.turns.of(one)
        groups = told_groups(turns, len(turns))
        for turn, *others in sorted(groups, key=lambda x: (x[0].t, x[0].seq)):
            text = told_paragraph(turn, drama.handbook, clock, others)
            say_wrapped(text, f"{clock.hhmm(turn.t)}  ", " " * 7)
        if not groups:
            say_text("  nothing happened that can be told")


def _table(told: _Told, other: _Told | None, day: int | None, judged: MeasureTable) -> None:
    """Print a row for each measure: day 1, then the days after it."""
    from sandbox.readers.measures import KEYS, LATER, SHARED, TARGETS, long_measures, range_words, value, whole_weeks

    days = told.days
    whole = _measures(told, other, days)
    incidents = count_of(int(whole["incidents"] or 0), "incident")
    say_text(f"{told.title}, seed {told.seed}: {count_of(len(days), 'day')}, {incidents}\n")
    keys = (*KEYS, SHARED) if other is not None else KEYS
    first, later = days[0], [d for d in days[1:] if d >= LATER]
    of = {d: _measures(told, other, (d,)) for d in days}
    head = ["MEASURE", f"DAY {first}", ""]
    head += [f"DAYS {later[0]}-{later[-1]}" if len(later) > 1 else f"DAY {later[0]}", ""] if later else []
    rows = []
    for key in keys:
        target = TARGETS[key]
        x, range_ = of[first].get(key), target.range(first)
        row = [target.label, value(key, x), _mark(range_, x)]
        if later:
            numbers = [x for d in later if (x := of[d].get(key)) is not None]
            row.append(value(key, round(sum(numbers) / len(numbers), 3) if numbers else None))
            fine = sum(target.later.holds(of[d].get(key)) for d in later) if target.later else len(later)
            judged.missed += fine < len(later)
            row.append(f"{fine} {OK}" if target.later else "")
        then = f"; then {range_words(key, target.later)}" if later and target.later not in (None, range_) else ""
        rows.append([*row, f"{range_words(key, range_)}{then}"])
    say_text(judged.table([*head, SHOULD], rows, right=(1, 3) if later else (1,)))
    if later and len(later) > 1:
        many = ", and on how many of them it is as it should be" if judged.check else ""
        say_text(f"\nFor days {later[0]} to {later[-1]} the table shows the mean{many}.")
    if weeks := whole_weeks(days):
        say_text("")
        _weeks(told, weeks, judged)
    more = [(x.label, x.value, check_mark(x.ok), x.range) for x in long_measures(told.drama, days, whole)]
    if more:
        say_text("")
        say_text(judged.table(("OVER ALL", "HERE", "", SHOULD), more, right=(1,)))
    if day is None:
        left = [d for d in told.drama.incidents.days() if d not in days]
        if left:
            say_text(f"\nDay {left[-1]} ends before 21:00 and is left out; --day {left[-1]} measures it as it is.")
    judged.end()


def _weeks(told: _Told, weeks: list[tuple[int, ...]], judged: MeasureTable) -> None:
    """Print a row for each measure of a week: the first week, and the last if there are more."""
    from sandbox.readers.measures import WEEKS, range_words, value

    shown = weeks[:1] + weeks[1:][-1:]
    found = [_measures(told, None, week) for week in shown]
    rows = []
    for key, target in WEEKS.items():
        ranges = [target.first, *[target.later] * (len(shown) - 1)]
        cells = [cell for r, x in zip(ranges, found, strict=True) for cell in (value(key, x[key]), _mark(r, x[key]))]
        first, *then = dict.fromkeys(range_words(key, r) for r in ranges if r is not None) or [""]
        rows.append([target.label, *cells, "; then ".join([first, *(x.removeprefix("at least ") for x in then)])])
    head = [cell for week in shown for cell in (f"DAYS {week[0]}-{week[-1]}", "")]
    say_text(judged.table(["OF A WEEK", *head, SHOULD], rows, right=(1, 3)[: len(shown)]))


def _mark(range_: Range | None, x: float | None) -> str:
    return "" if range_ is None else check_mark(range_.holds(x))


async def _known(name: str, matter: str, as_json: bool) -> None:
    """Print who knows of a matter, as a tree or as JSON. Raises SaveError, and BadParameter for an unknown matter."""
    from sandbox.readers.beliefs import known_facts
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        world = await save.seek()
    matters = sorted({fact.matter for fact in world.beliefs.facts.values()})
    if matter != ALL and matter not in {*matters, *world.pressures.open}:
        raise click.BadParameter(
            f"nobody believes anything about a matter {in_quotes(matter)}{suggestion(matter, matters)};"
            f' "{ALL}" shows every one',
            param_hint="--knows",
        )
    found = {id: known_facts(world, id, world.now) for id in (matters if matter == ALL else [matter])}
    if as_json:
        say_json({"save": name, "matters": {id: [_fact(world, one) for one in facts] for id, facts in found.items()}})
        return
    if not found:
        say_text("nobody in this save believes anything about other people's matters")
    for id, facts in found.items():
        say_text(f"{id}:")
        for one in facts:
            say_text(f"  {one.says}")
            for knower in one.knowers:
                say_text(_knower(world, knower))
        if not facts:
            say_text("  nobody else knows")


def _knower(w: World, knower: Knower) -> str:
    """One who knows, in a line: "-> Basil, from Una, Tue 4 Mar 09:20, sure (event 812): 'it was Mara'"."""
    from sandbox.readers.beliefs import knower_words, surely

    where = f" {w.handbook.at(knower.where)}" if knower.where and not knower.depth else ""
    text = f": “{knower.says}”" if knower.changed or (not knower.right and not knower.depth) else ""
    arrow = "-> " if knower.depth else ""
    when = w.clock.words(knower.t)
    head = f"{'  ' * (knower.depth + 2)}{arrow}{knower_words(w, knower)}{where}, {when}"
    return f"{head}, {surely(knower.strength)} (event {knower.seq}){text}"


def _fact(w: World, one: KnownFact) -> dict[str, object]:
    knowers = [
        {
            "who": k.who,
            "source": k.source,
            "depth": k.depth,
            "at": w.clock.words(k.t),
            "t": k.t,
            "event": k.seq,
            "strength": round(k.strength, 3),
            "says": k.says,
            "right": k.right,
            "changed": k.changed,
            "lie": k.lie,
        }
        for k in one.knowers
    ]
    return {"fact": one.fact, "says": one.says, "knowers": knowers}
