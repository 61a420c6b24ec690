"""`sandbox story`: what happened to one person of a save, as a story, on the terminal or as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import SAVE, blame, check_force, parse_with
from sandbox.cli.telling import reading_bar, say_text, wait_for
from sandbox.core.faults import in_quotes, path_text
from sandbox.core.places import expand_path

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
@click.option("--md", metavar="FILE", help="Write it as Markdown.")
@click.option("--force", is_flag=True, help="Replace the file of --md if it exists.")
def story(save: str, whose: str | None, days: tuple[int, int], md: str | None, force: bool) -> None:
    """Print the story of one person: their incidents, day by day, with what each came of and what it led to.

    Each incident is a paragraph or two with what was said at its turn. Then come turning points with the stance that
    was taken, what the player had them do, what was said about them, ties, coins and lasting marks; and at the end how
    things stand. Without --days, the last week is printed; a week that began in a morning touches eight days.

    \b
    Examples:
      sandbox story week.db                      of whoever was played longest
      sandbox story week.db --of mara --days 1-3
      sandbox story week.db --of mara --md mara.md
    """
    from sandbox.readers.biography import DayRange
    from sandbox.readers.edition import as_markdown, as_page
    from sandbox.store.files import appearing

    check_force(force, md, "--md")
    found = wait_for(_read(save, whose, DayRange(*days)))
    if md is None:
        say_text(as_page(found))
        return
    path = expand_path(md)
    with appearing(path, force) as file:
        file.write(as_markdown(found))
    say_text(f"written to {path_text(path)}")


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
