"""`sandbox phones`: what crosses between street and feed in a save, and what its residents write about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.judged import CHECK, SHOULD, MeasureTable, check_mark, require_table
from sandbox.cli.moments import day_in_save
from sandbox.cli.options import JSON, SAVE, WholeNumber, help_text
from sandbox.cli.telling import align_columns, reading_bar, say_json, say_text, say_wrapped, wait_for
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.core.clock import Clock
    from sandbox.readers.crossings import CrossedWords, End
    from sandbox.readers.phonestats import Phones, Post
    from sandbox.store.save import Save

WHOLE = 14  # days after which all rules should have run
TOP = 5  # most seen posts that are printed
NOWHERE = "has no feed that its people use: nobody has looked at one"


class _Read(NamedTuple):
    """A save that has been read: title, seed, what was found, the days to show, and sentences for --tell."""

    title: str
    seed: int
    phones: Phones
    days: tuple[int, ...]
    words: CrossedWords | None


@click.command(help=help_text("phones"))
@SAVE
@click.option("--day", type=WholeNumber(1), metavar="N", help="Only that day (1 = the first).")
@click.option("--tell", "as_text", is_flag=True, help="Print what crosses, two sentences each.")
@CHECK
@JSON
def phones(save: str, day: int | None, as_text: bool, check: bool, as_json: bool) -> None:
    """Print how feed and town are connected, or what crossed between them."""
    require_table(check, as_json, as_text)
    if as_text and as_json:
        raise click.UsageError("--tell prints sentences only; leave out --json")
    found = wait_for(_read(save, day, as_text))
    if as_json:
        _json(save, found)
    elif not found.phones.posts and not found.phones.crossings.found:
        say_text(f"{found.title} {NOWHERE}")
    elif as_text:
        _tell(found)
    else:
        _table(found, MeasureTable(check))


async def _read(name: str, day: int | None, tell: bool) -> _Read:
    """Read a save once, and again for the sentences. Raises SaveError, and BadParameter for a day it lacks."""
    from sandbox.readers.crossings import KINDS
    from sandbox.readers.phonestats import Phones
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        world = await save.beginning()
        day_in_save(save, world.clock, day)
        found = Phones(world)
        with reading_bar(save) as moved:
            async for records in save.slices(KINDS, moved):
                found.read(records)
        days = (day,) if day is not None else found.days(save.now)
        words = await _words(save, found, days) if tell else None
        return _Read(world.scenario.title, world.scenario.seed, found, days, words)


async def _words(save: Save, found: Phones, days: tuple[int, ...]) -> CrossedWords:
    """The crossings of these days in sentences. Raises SaveError."""
    from sandbox.readers.crossings import KINDS, CrossedWords
    from sandbox.store.errors import explain_unfitting

    words = CrossedWords(await save.beginning(), {end.seq for x in found.crossed(days) for end in (x.came, x.made)})
    with explain_unfitting(save.path):
        async for records in save.slices(KINDS):
            words.read(records)
    return words


def _json(save: str, found: _Read) -> None:
    from sandbox.readers.phonestats import post_facts

    phones = found.phones
    days = [{"day": n} | phones.of((n,)) | {"rules": phones.rules((n,))} for n in found.days]
    rules, seen = phones.rules(found.days), [post_facts(x) for x in phones.seen(found.days)]
    whole: dict[str, object] = {**phones.of(found.days), "rules": rules, "most_seen": seen}
    crossings = [
        {"way": x.way, "rule": x.rule, "thread": x.thread, "came": x.came._asdict(), "made": x.made._asdict()}
        for x in phones.crossed(found.days)
    ]
    say_json({"save": save, "days": days, "whole": whole, "crossings": crossings})


def _tell(found: _Read) -> None:
    clock = found.phones.clock
    for n, day in enumerate(found.days):
        at = clock.at(clock.midnight(day))
        say_text(f"{chr(10) if n else ''}Day {day}, {at:%A} {at.day} {at:%B}")
        crossed = list(found.phones.crossed((day,)))
        if not crossed:
            say_text("  nothing crossed between street and feed")
        for x in crossed:
            mood = found.words.moods.get(x.made.seq, "") if found.words is not None else ""
            came = f"{mood}." if mood else _end(found, x.came)
            say_wrapped(came, f"{_hour(clock, x.came, day)}  ", " " * 4)
            by = f"{x.rule.replace('_', ' ')}; {x.thread}" if x.rule else x.thread
            say_wrapped(f"{_end(found, x.made)} [{by}]", f"  -> {_hour(clock, x.made, day)}  ", " " * 7)


def _end(found: _Read, end: End) -> str:
    text = (found.words.told if found.words is not None else {}).get(end.seq, f"event {end.seq}")
    return text if text.endswith(("”", '"')) else f"{text}."


def _hour(clock: Clock, end: End, day: int) -> str:
    """ "08:12", or "Tue 08:12" if on another day, or "before" the start."""
    if end.t < 0:
        return "before"
    return clock.hhmm(end.t) if clock.day(end.t) == day else f"{clock.at(end.t):%a} {clock.hhmm(end.t)}"


def _table(found: _Read, judged: MeasureTable) -> None:
    """Print a row for each figure, the rules, and the most seen posts."""
    from sandbox.readers.phonestats import TARGETS

    phones, days = found.phones, found.days
    whole, of = phones.of(days), [phones.of((day,)) for day in days]
    say_text(
        f"{found.title}, seed {found.seed}: "
        f"{count_of(len(days), 'day')}, {count_of(int(whole['posts'] or 0), 'post')}\n"
    )
    rows = []
    for key, target in TARGETS.items():
        due = target.range if key != "rules_fired" or len(days) >= WHOLE else None
        numbers = [x for day in of if (x := day[key]) is not None]
        mean = round(sum(numbers) / len(numbers), 3) if numbers else None
        state = "" if due is None else check_mark(due.holds(whole[key]))
        a_day = [target.value(mean)] if len(days) > 1 else []
        rows.append((target.label, target.value(whole[key]), state, *a_day, target.words() if due else ""))
    head = ["A DAY"] if len(days) > 1 else []
    say_text(judged.table(("MEASURE", "ALL", "", *head, SHOULD), rows, right=(1, 3) if head else (1,)))
    say_text("\nFor threads and matters, ALL is the least of a day, and A DAY is the mean.\n" if head else "")
    ruled = []
    for rule, of_rule in phones.rules(days).items():
        numbers_of = [str(of_rule[key]) for key in ("fired", "first_day", "to_feed", "to_street")]
        shares = (_percent(of_rule["among_rules"]), _percent(of_rule["among_all"]))
        ruled.append((rule.replace("_", " "), *(x.replace("None", "-") for x in numbers_of), *shares))
    names = ("RULE", "RAN", "FIRST DAY", "TO FEED", "TO STREET", "OF RULES", "OF ALL")
    say_text(align_columns(names, ruled, right=range(1, len(names))))
    for post in phones.seen(days)[:TOP]:
        _post(found, post)
    judged.end()


def _percent(x: float | int | None) -> str:
    return "-" if x is None else f"{100 * x:.0f} %"


def _post(found: _Read, post: Post) -> None:
    clock = found.phones.clock
    numbers = [
        f"seen by {len(post.seen)}", count_of(post.likes, "like"), f"{post.dislikes:,} against",
        count_of(post.comments, "comment"), f"passed on {count_of(post.passed, 'time')}",
        f"{count_of(len(post.moved), 'mood')} moved", count_of(len(post.talks), "talk"),
    ]  # fmt: skip
    say_text("")
    say_wrapped(f"{clock.words(post.t)}, {found.phones.name(post.who)}: “{post.text}”")
    say_wrapped(", ".join(numbers), "  ", "  ")
