"""The sheet of a day's page (headline, turns, moods, company, the best lines said), the chronicle, the alerts, and the
story of somebody's days as Markdown.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

from sandbox.core.clock import DAY
from sandbox.core.faults import path_text
from sandbox.core.places import saves_dir
from sandbox.core.protocols import JournalFull
from sandbox.core.text import clean
from sandbox.feed.events import Connected, Deleted, Posted, Quoted, Reacted
from sandbox.feed.packing import CrowdActed
from sandbox.people.model import Woke
from sandbox.phones.model import Crossed, Read
from sandbox.play.model import SawAll
from sandbox.readers.all_stories import BEGINNINGS, kinds_where
from sandbox.readers.biography import LONGEST, DayRange, played_in, story_days, story_of
from sandbox.readers.chronicle import ChronicleEntry, chronicle_entries, turns_of
from sandbox.readers.day import Day, Digest
from sandbox.readers.edition import as_markdown, company_words, spirit_words, spoken_words, turn_parts
from sandbox.readers.life import KINDS as LIFE
from sandbox.readers.life import longest, longest_played_spans
from sandbox.readers.told_turns import KINDS as TURNS
from sandbox.store.errors import SaveError
from sandbox.store.files import appearing
from sandbox.store.read import SaveReader
from sandbox.talk.model import Closed, Exchanged
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import go_to_row
from sandbox.tui.sheets.asking import AskingSheet
from sandbox.tui.sheets.town_sheet import ReadSheet, TownSheet, leads
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import Line, as_lines, hung, ink, key_line, outside
from sandbox.tui.view.viewer import Alert
from sandbox.tui.widgets.entries import Entry, group, remark

FEED = (Posted, Quoted, Deleted, Reacted, Connected, CrowdActed, Read, Crossed)  # the feed events of a page
KINDS = sorted(
    {
        *LIFE,
        *TURNS,
        *kinds_where(lambda story: story.moods),
        *(e.KIND for e in (Exchanged, Closed, Woke, SawAll, *FEED)),
    }
)
SLICE = 300  # records read before the screen may redraw: a few milliseconds of work


def own_lines(page: Digest, width: int) -> list[Line]:
    """The part of a page that the played person can know: what concerns them, and what the whole town reads."""
    out: list[Line] = []
    for n, text in enumerate(page.you):
        out += [*([] if n else _head(f"You, as {page.played}")), *as_lines(text, width, "text")]
    if page.occasion:
        out += [[], *as_lines(f"On the calendar: {page.occasion}.", width, "text")]
    out += _head("On the feed") if page.feed else []
    for text in page.feed:
        out += hung([ink("- ", "dim")], text, width)
    return out or as_lines("You had no part in this day.", width)


def page_entries(stage: TownLayout, page: Digest, width: int) -> list[Entry]:
    """The whole page, wrapped to `width` cells. Each turn leads to its event."""
    first = [*as_lines(page.headline, width, "accent", bold=True), *as_lines(f"{page.lead}.", width, "text")]
    if page.quote is not None:
        first += as_lines(f"“{spoken_words(page.quote.text)}” said {page.quote.name}.", width, "text")
    out = [Entry(first, leads(stage, page.top.seq) if page.top is not None else None, "lead")]
    before: list[Line] = []
    for text in (*page.brief, *([f"On the calendar: {page.occasion}"] if page.occasion else [])):
        before += [[], *as_lines(f"{text}.", width, "text")]
    for n, text in enumerate(page.you):
        before += [*([] if n else _head(f"You, as {page.played}")), *as_lines(text, width, "text")]
    out += _plain(before)
    for title, turns in turn_parts(page):
        out += _plain(_head(title))
        out += [Entry(hung([ink("- ", "dim")], x.text, width), leads(stage, x.seq), x.seq) for x in turns]
    return [*out, *_plain(_rest_lines(page, width))]


def _plain(lines: Sequence[Line]) -> list[Entry]:
    """Lines that lead nowhere."""
    return [Entry([line]) for line in lines]


def _rest_lines(page: Digest, width: int) -> list[Line]:
    """What a page tells besides the turns."""
    out: list[Line] = []
    changes = [f"{text}." for text in page.changes]
    for title, texts in (("Who thinks what of whom", changes), ("On the feed", page.feed)):
        if texts:
            out += _head(title)
        for text in texts:
            out += hung([ink("- ", "dim")], text, width)
    moods = "Moods at the day's end" if page.over else "Moods by now"
    for title, told in ((moods, spirit_words(page)), ("Who with whom", company_words(page))):
        if told:
            out += [*_head(title), *as_lines(" ".join(told), width, "text")]
    if page.overheard:
        out += _head("Overheard")
    for quote in page.overheard:
        out += as_lines(f"“{quote.text}”", width, "text")
        whose = f"{quote.name} to {quote.listener}" if quote.listener else quote.name
        if quote.place:
            whose += f", {quote.place}"
        out += hung([ink("  ")], whose, width, "soft")
    if page.saw_all:
        out += [[], *as_lines(f"{page.saw_all}.", width)]
    return out


def _head(title: str) -> list[Line]:
    return [[], [ink(title, "soft", bold=True)]]


class PageSheet(TownSheet):
    """One day's page. does: called once when the sheet closes, to go on to the new day; None: nothing follows."""

    kind = "page"

    def __init__(self, stage: TownLayout, page: Digest, title: str) -> None:
        super().__init__(stage, title)
        self.page = page
        self.does: Callable[[], None] | None = None

    def entries(self, width: int) -> Sequence[Entry]:
        key = first_key("time.pause", self.viewer.keys)
        on: list[Line] = [key_line(key, "on to the new day"), []] if self.does else []
        hint = f"The palette writes the days of {self.page.played} as a story (play: your story as Markdown)."
        more: list[Line] = [[], *as_lines(hint, width, "dim")] if self.page.you else []
        if self.viewer.knower:
            all_ = first_key("play.see_all", self.viewer.keys)
            rest = f"The rest of the page is about what you cannot know; {all_} (all-knowing view) shows it."
            page = _plain([*own_lines(self.page, width), [], *as_lines(rest, width, "dim")])
        else:
            page = page_entries(self.stage, self.page, width)
        return [*_plain(on), *page, *_plain(more)]

    def labels(self) -> Mapping[str, str]:
        return {"time.pause": "go on"} if self.does is not None else {}

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
    found.know(await save.records(BEGINNINGS, 0, after))
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


# ---- the chronicle


class ChronicleSheet(ReadSheet):
    """The chronicle of the town up to what is shown, the latest day first."""

    kind = "chronicle"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "The chronicle")
        self._found: Sequence[ChronicleEntry] = ()

    async def read(self) -> None:
        viewer = self.viewer
        if not viewer.knower:
            world = viewer.world
            turns = await turns_of(await viewer.session.save.records(TURNS, 0, world.seq), world)
            self._found = chronicle_entries(turns, viewer.world.clock)

    def entries(self, width: int) -> Sequence[Entry]:
        self.keep_up(self.state_key)
        if self.viewer.knower:
            key = first_key("play.see_all", self.viewer.keys)
            return [remark(f"It tells what you cannot know; {key} (all-knowing view) shows it.", width)]
        out: list[Entry] = [Entry([line]) for line in self.waiting(width)]
        clock = self.world.clock
        for day in sorted({x.day for x in self._found}, reverse=True):
            at = clock.at(clock.midnight(day))
            rows = [
                Entry(hung([ink(f"{clock.hhmm(x.t)}  ", "soft")], x.text, width), leads(self.stage, x.seq), x.seq)
                for x in self._found
                if x.day == day
            ]
            out += group(f"Day {day}, {at:%A} {at.day} {at:%B}", rows)
        if self.ready and not out:
            out.append(remark("Nothing has happened yet that a chronicle would keep.", width))
        return out


# ---- alerts


NO_ALERTS = (
    "No alerts yet. They come for what happens to a favourite ({star} makes one) or to the person you follow "
    "({follow}), and for whatever the whole town will talk about."
)


class AlertsSheet(TownSheet):
    """The latest alerts, newest first. What stands on it is read; what was not before is marked."""

    kind, title = "alerts", "Alerts"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        alerts = stage.viewer.alerts
        self._read = alerts[: max(0, len(alerts) - stage.viewer.unread)]

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.viewer
        viewer.unread = 0
        if not viewer.alerts:
            star, follow = (first_key(f"chosen.{id}", viewer.keys) for id in ("favourite", "follow"))
            return [remark(NO_ALERTS.format(star=star, follow=follow), width)]
        return [self._entry(alert, alert not in self._read, width) for alert in reversed(viewer.alerts)]

    def _entry(self, alert: Alert, new: bool, width: int) -> Entry:
        clock, row = self.world.clock, alert.row
        lines = hung([ink("! " if new else "  ", "accent", bold=True)], row.text, width, bold=new, most=3)
        lines.append([ink(f"  {clock.words(row.t)}", "soft"), ink(", "), outside(alert.why, "dim")])
        return Entry(lines, partial(self._go, alert), (row.seq, row.text))

    def _go(self, alert: Alert) -> None:
        stage = self.stage
        stage.close_all()
        number = stage.viewer.chronicle.last(alert.row.__eq__)
        if number is None:
            stage.notify("That row is not kept any more.", timeout=3)
        else:
            go_to_row(stage, number)


# ---- the played person's story as Markdown beside the saves; offered once, when the seventh played day ends


async def keep_story(stage: TownLayout) -> None:
    """Write the story of the person played longest, else of the chosen person, and show the path of the file."""
    viewer = stage.viewer
    save, world = viewer.session.save, viewer.world
    try:
        who = longest(await played_in(save, world)) or viewer.selected
        if not who:
            stage.notify("You played nobody; choose whose story to write.", timeout=4)
            return
        pieces = await story_of(save, world, who, story_days(DayRange(), world))
        town = viewer.session.path.stem if viewer.session.path is not None else world.scenario.name
        path = _free(re.sub(r"[^\w-]+", "-", f"{town}-{who}"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path, overwrite=False) as file:
            file.write(as_markdown(pieces))
    except (SaveError, JournalFull, OSError) as error:
        stage.notify(clean(str(error), 300), severity="error", timeout=8)
    else:
        stage.notify(path_text(path), title=f"the story of {viewer.name(who)}", timeout=8)


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
    yes, no = "write it as Markdown, beside the saves", "not now; the palette can do it later"

    def __init__(self, stage: TownLayout, name: str) -> None:
        super().__init__(stage)
        self.name = name

    def says(self) -> Sequence[str]:
        return [f"The week of {self.name} can be told as a story: what happened, what it came of, and what was said."]

    async def agree(self) -> None:
        self.stage.close_all()
        await keep_story(self.stage)
