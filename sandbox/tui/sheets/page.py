"""The sheet of a day's page (headline, changes, moods, company, the best lines said), and that of the alerts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from sandbox.core.clock import DAY
from sandbox.core.text import clean
from sandbox.feed.events import Connected, Deleted, Posted, Quoted, Reacted
from sandbox.feed.packing import CrowdActed
from sandbox.people.model import Woke
from sandbox.phones.model import Crossed, Read
from sandbox.play.model import SawAll
from sandbox.readers.all_stories import kinds_where
from sandbox.readers.biography import played_in
from sandbox.readers.day import Day, Digest
from sandbox.readers.edition import company_words, spirit_words, spoken_words
from sandbox.readers.life import KINDS as LIFE
from sandbox.readers.life import longest_played_spans
from sandbox.store.read import SaveReader
from sandbox.talk.model import Closed, Exchanged
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, Line, as_lines, hung, ink, key_line, outside
from sandbox.tui.view.viewer import Alert
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

FEED = (Posted, Quoted, Deleted, Reacted, Connected, CrowdActed, Read, Crossed)  # the feed events of a page
KINDS = sorted(
    {*LIFE, *kinds_where(lambda story: story.moods), *(e.KIND for e in (Exchanged, Closed, Woke, SawAll, *FEED))}
)
SLICE = 300  # records read before the screen may redraw: a few milliseconds of work


def own_lines(page: Digest, width: int) -> list[Line]:
    """The part of a page that the played person can know: what concerns them, and what the whole town reads."""
    out: list[Line] = []
    for n, text in enumerate(page.you):
        out += [*([] if n else _head(f"You, as {page.played}")), *as_lines(text, width, TEXT)]
    if page.occasion:
        out += [[], *as_lines(f"On the calendar: {page.occasion}.", width, TEXT)]
    out += _head("On the feed") if page.feed else []
    for text in page.feed:
        out += hung([ink("- ", DIM)], text, width)
    return out or as_lines("You had no part in this day.", width, SOFT)


def page_lines(page: Digest, width: int) -> list[Line]:
    """The whole page, wrapped to `width` cells."""
    out = [*as_lines(page.headline, width, GOLD, bold=True), *as_lines(f"{page.lead}.", width, TEXT)]
    if page.quote is not None:
        out += as_lines(f"“{spoken_words(page.quote.text)}” said {page.quote.name}.", width, TEXT)
    for text in (*page.brief, *([f"On the calendar: {page.occasion}"] if page.occasion else [])):
        out += [[], *as_lines(f"{text}.", width, TEXT)]
    for n, text in enumerate(page.you):
        out += [*([] if n else _head(f"You, as {page.played}")), *as_lines(text, width, TEXT)]
    for title, texts in (
        ("What happened", page.incidents),
        ("What is so now", [f"{text}." for text in page.claims]),
        ("What changed", [f"{text}." for text in page.changes]),
        ("On the feed", page.feed),
    ):
        if texts:
            out += _head(title)
        for text in texts:
            out += hung([ink("- ", DIM)], text, width)
    moods = "Moods at the day's end" if page.over else "Moods by now"
    for title, told in ((moods, spirit_words(page)), ("Who with whom", company_words(page))):
        if told:
            out += [*_head(title), *as_lines(" ".join(told), width, TEXT)]
    if page.overheard:
        out += _head("Overheard")
    for quote in page.overheard:
        out += as_lines(f"“{quote.text}”", width, TEXT)
        whose = f"{quote.name} to {quote.listener}" if quote.listener else quote.name
        if quote.place:
            whose += f", {quote.place}"
        out += hung([ink("  ")], whose, width, SOFT)
    if page.saw_all:
        out += [[], *as_lines(f"{page.saw_all}.", width, SOFT)]
    return out


def _head(title: str) -> list[Line]:
    return [[], [ink(title, SOFT, bold=True)]]


class PageSheet(Sheet[TownLayout]):
    """One day's page. does: called once when the sheet closes, to go on to the new day; None: nothing follows."""

    kind = "page"

    def __init__(self, stage: TownLayout, page: Digest, title: str) -> None:
        super().__init__(stage, title)
        self.page = page
        self.does: Callable[[], None] | None = None

    def entries(self, width: int) -> Sequence[Entry]:
        key = first_key("time.pause", self.stage.viewer.keys)
        on: list[Line] = [key_line(key, "on to the new day"), []] if self.does else []
        hint = f"The palette has the days of {self.page.played} as a story: play: your story as Markdown."
        more: list[Line] = [[], *as_lines(hint, width, DIM)] if self.page.you else []
        if self.stage.viewer.knower:
            all_ = first_key("play.see_all", self.stage.viewer.keys)
            rest = f"The rest of the page is of what you cannot know; {all_} (all-knowing view) shows it."
            return [
                Entry([line]) for line in (*on, *own_lines(self.page, width), [], *as_lines(rest, width, DIM), *more)
            ]
        return [Entry([line]) for line in (*on, *page_lines(self.page, width), *more)]

    def closed(self) -> None:
        if self.does is not None:
            does, self.does = self.does, None
            does()


async def page_of(stage: TownLayout, day: int) -> PageSheet:
    """Make the page of a day from the log, up to now if the day is not over. Raises SaveError."""
    viewer = stage.viewer
    world, save = viewer.world, viewer.session.save
    clock = world.clock
    begins = clock.midnight(day)
    after = await _upto(save, begins, before=True) if begins > 0 else 0
    upto = await _upto(save, begins + DAY) if begins + DAY < world.now else world.seq
    found = Day(world, day, longest_played_spans(await played_in(save, world), begins, begins + DAY))
    records = await save.records(KINDS, after, upto)
    for i in range(0, len(records), SLICE):
        found.read(records[i : i + SLICE])
        await asyncio.sleep(0)
    whole = "" if clock.midnight(day + 1) <= world.now else " so far"
    title = f"{clean(world.scenario.title)}, {clock.words(max(0, begins))[:-6]}, day {day}{whole}"
    return PageSheet(stage, found.done(), title)


async def _upto(save: SaveReader, t: int, before: bool = False) -> int:
    """The number of the last event of the step that contains second t; before: of the step before that."""
    step = max(0, await save.step_at(t) - before)
    return (await save.steps(step, step))[0].last_seq


# ---- alerts


class AlertsSheet(Sheet[TownLayout]):
    """The latest alerts, newest first. Opening the sheet marks all of them as read."""

    kind, title = "alerts", "Alerts"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self._new = stage.viewer.unread
        stage.viewer.unread = 0

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        alerts = viewer.alerts
        if not alerts:
            star, follow = (first_key(f"chosen.{id}", viewer.keys) for id in ("favourite", "follow"))
            text = (
                f"No alerts yet. They come for what befalls a favourite ({star} makes one) or whom you follow "
                f"({follow}), and for whatever the whole town will talk of."
            )
            return [Entry(as_lines(text, width))]
        return [self._entry(alert, i < self._new, width) for i, alert in enumerate(reversed(alerts))]

    def _entry(self, alert: Alert, new: bool, width: int) -> Entry:
        clock, row = self.stage.viewer.world.clock, alert.row
        lines = hung([ink("! " if new else "  ", GOLD, bold=True)], row.text, width, bold=new, most=3)
        lines.append([ink(f"  {clock.words(row.t)}", SOFT), ink(", "), outside(alert.why, DIM)])
        return Entry(lines, partial(self._go, alert), (row.seq, row.text))

    def _go(self, alert: Alert) -> None:
        stage = self.stage
        stage.close_all()
        number = stage.viewer.chronicle.last(alert.row.__eq__)
        if number is None:
            stage.notify("That row is not kept any more.", timeout=3, markup=False)
        else:
            stage.go_to_row(number)
