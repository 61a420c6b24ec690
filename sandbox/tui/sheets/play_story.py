"""Writes the played person's story as Markdown beside the saves; offered once, when the seventh played day ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from sandbox.core.faults import path_text
from sandbox.core.places import saves_dir
from sandbox.core.text import clean
from sandbox.engine.engine import JournalFull
from sandbox.readers.biography import LONGEST, DayRange, played_in, story_days, story_of
from sandbox.readers.edition import as_markdown
from sandbox.readers.life import longest
from sandbox.store.errors import SaveError
from sandbox.store.files import appearing
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import AskingSheet
from sandbox.tui.widgets.entries import Deed


async def keep_story(stage: TownLayout) -> None:
    """Write the story of the person played longest, else of the chosen person, and show the path of the file."""
    viewer = stage.viewer
    save, world = viewer.session.save, viewer.world
    try:
        who = longest(await played_in(save, world)) or viewer.selected
        if not who:
            stage.notify("Nobody was played; choose whose story it is to be.", timeout=4, markup=False)
            return
        pieces = await story_of(save, world, who, story_days(DayRange(), world))
        town = viewer.session.path.stem if viewer.session.path is not None else world.scenario.name
        path = _free(re.sub(r"[^\w-]+", "-", f"{town}-{who}"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path, overwrite=False) as file:
            file.write(as_markdown(pieces))
    except (SaveError, JournalFull, OSError) as error:
        stage.notify(clean(str(error), 300), severity="error", timeout=8, markup=False)
    else:
        stage.notify(path_text(path), title=f"the story of {viewer.name(who)}", timeout=8, markup=False)


def _free(stem: str) -> Path:
    """The first path for a story that does not exist yet: `stem.md`, `stem-2.md`, ..."""
    names = (saves_dir() / f"{stem}{f'-{n}' if n > 1 else ''}.md" for n in count(1))
    return next(path for path in names if not path.exists())


async def offer_story(stage: TownLayout) -> None:
    """Offer the story if the day that has just ended was the seventh on which anybody was played. Raises SaveError."""
    viewer = stage.viewer
    world = viewer.world
    found = await played_in(viewer.session.save, world)
    today, day = world.clock.day(world.now), world.clock.day
    days = {d for x in found for d in range(day(x.since), day(x.until) + 1)} - {today}
    if len(days) == LONGEST and stage.is_attached and stage.sheets.topmost is None:
        stage.open_sheet(OfferSheet(stage, viewer.name(longest(found))))


class OfferSheet(AskingSheet):
    """Asks whether to write the story of the week."""

    kind, title = "offer", "Seven days are over"
    start = "Yes"

    def __init__(self, stage: TownLayout, name: str) -> None:
        super().__init__(stage)
        self.name = name

    def says(self) -> Sequence[str]:
        return [f"The week of {self.name} can be told as a story: what happened, what it came of, and what was said."]

    def answers(self) -> Sequence[tuple[str, str, Deed]]:
        return (
            ("Yes", "write it as Markdown, beside the saves", self._yes),
            ("No", "it can be had later, by the palette", self.stage.close_all),
        )

    async def _yes(self) -> None:
        self.stage.close_all()
        await keep_story(self.stage)
