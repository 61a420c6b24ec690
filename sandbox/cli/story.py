"""`sandbox story`: what happened to one person of a save, in a week of it, or since its first day, on the terminal or
as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import SAVE, blame, check_force, parse_with
from sandbox.cli.telling import reading_bar, say_json, say_text, wait_for
from sandbox.core.faults import in_quotes, path_text
from sandbox.core.places import expand_path
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.readers.biography import DayRange
    from sandbox.readers.edition import StoryPiece


def parse_days(text: str) -> tuple[int, int]:
    """Parse "3" or "1-7" into the first and the last day, "" into (0, 0). Raises ValueError."""
    if not text.strip():
        return 0, 0
    found = re.fullmatch(r"\s*(\d{1,5})\s*(?:-\s*(\d{1,5}))?\s*", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found is not None else (0, 0)
    if not 1 <= first <= last:
        raise ValueError(f"{in_quotes(text)} are not days; write 3, or 1-7")
    return first, last


@click.command()
@SAVE
@click.option("--of", "whose", metavar="PERSON", help="Whose story it is. Default: whoever was played longest.")
@click.option("--days", metavar="N-M", default="", callback=parse_with(parse_days), help="Only those days: 3, or 1-7.")
@click.option("--week", type=click.IntRange(1, 10_000), metavar="N", help="The page of a week instead (1 = the first).")
@click.option("--chronicle", is_flag=True, help="A chronicle of the town instead, from day one.")
@click.option("--md", metavar="FILE", help="Write it as Markdown.")
@click.option("--json", "as_json", is_flag=True, help="With --chronicle: print one JSON object for a script.")
@click.option("--force", is_flag=True, help="Replace the file of --md if it exists.")
def story(
    save: str, whose: str | None, days: tuple[int, int], week: int | None, chronicle: bool, md: str | None,
    as_json: bool, force: bool,
) -> None:  # fmt: skip
    """Print the story of one person, the page of a week, or the chronicle of a town.

    The story of a person has a chapter for all that came of one beginning: what was wanted, what was done and answered,
    what it cost or gave, and what is left of it; then what was small, what the player had them do, and how things
    stand. Without --days, the last week is told; a week that began in a morning touches eight days.

    The page of a week tells its weightiest threads, who gained and who lost most, and its numbers. The chronicle has a
    line or two for each weighty turn since day one, with its hour and event: `sandbox replay SAVE --at "day 3 12:40"`
    shows that moment.

    \b
    Examples:
      sandbox story week.db                      of whoever was played longest
      sandbox story week.db --of mara --days 1-3
      sandbox story week.db --of mara --md mara.md
      sandbox story week.db --week 1
      sandbox story week.db --chronicle --json
    """
    from sandbox.readers.biography import DayRange
    from sandbox.readers.edition import as_markdown, as_page
    from sandbox.store.files import appearing

    check_force(force, md, "--md")
    if (chronicle or week is not None) and (whose is not None or days != (0, 0)):
        raise click.UsageError("--of and --days are for the story of a person, not for --week or --chronicle")
    if chronicle and week is not None:
        raise click.UsageError("--week and --chronicle are two pages; ask for one")
    if as_json and (not chronicle or md is not None):
        raise click.UsageError("--json is for --chronicle, and without --md")
    if as_json:
        say_json(wait_for(_entries(save)))
        return
    town = chronicle or week is not None
    found = wait_for(_of_town(save, week) if town else _read(save, whose, DayRange(*days)))
    if md is None:
        say_text(as_page(found))
        return
    path = expand_path(md)
    with appearing(path, force) as file:
        file.write(as_markdown(found))
    say_text(f"written to {path_text(path)}")


async def _of_town(name: str, week: int | None) -> list[StoryPiece]:
    """The page of a week, or the chronicle for None. Raises SaveError, and BadParameter for a week the save lacks."""
    from sandbox.readers import chronicle
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        world = await save.seek()
        require_people(world.scenario, path_text(save.path))
        weeks = chronicle.count_weeks(world)
        if week is not None and week > weeks:
            raise click.BadParameter(f"the save has {count_of(weeks, 'week')}", param_hint="--week")
        with reading_bar(save) as moved:
            turns = await chronicle.read_turns(save, world, moved)
    return chronicle.week_page(turns, world, week) if week is not None else chronicle.chronicle(turns, world)


async def _entries(name: str) -> dict[str, object]:
    """The chronicle as JSON. Raises SaveError."""
    from sandbox.readers.chronicle import chronicle_entries, read_turns
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        world = await save.seek()
        require_people(world.scenario, path_text(save.path))
        with reading_bar(save) as moved:
            turns = await read_turns(save, world, moved)
    rows = [
        {"day": x.day, "at": x.at, "t": x.t, "event": x.seq, "who": x.who, "weight": x.weight, "text": x.text}
        for x in chronicle_entries(turns, world.clock)
    ]
    return {"save": name, "turns": rows}


async def _read(name: str, whose: str | None, days: DayRange) -> list[StoryPiece]:
    """The story of a person. Raises SaveError, and BadParameter for an unknown person or days the save lacks."""
    from sandbox.director.reading import parse_person
    from sandbox.readers.biography import played_in, story_days, story_of
    from sandbox.readers.life import longest
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        world = await save.seek()
        require_people(world.scenario, path_text(save.path))
        with blame("--of"):
            who = parse_person(world, whose) if whose is not None else longest(await played_in(save, world))
        if not who:
            raise click.BadParameter("nobody was played in this save; say whose story it is", param_hint="--of")
        with blame("--days"):
            told = story_days(days, world)
        with reading_bar(save) as moved:
            return await story_of(save, world, who, told, moved)
