"""An event in words: when and where, what it did to a mood, what it came from and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.events import Record
from sandbox.people.mood import Pad
from sandbox.people.mood_words import MARKS, colour
from sandbox.play.knowing import knows_of
from sandbox.readers.all_stories import STORIES, event_matter, event_moods, event_people, event_sentence, event_talk
from sandbox.readers.phrases import before
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.receipt import act_of, receipt_of
from sandbox.tui.sheets.talk import open_talk
from sandbox.tui.sheets.town_sheet import ReadSheet, leads, lines_of, watch_again_entry
from sandbox.tui.sheets.why import knows_entry
from sandbox.tui.view import log_queries
from sandbox.tui.view.person_words import axis_lines
from sandbox.tui.view.text_lines import Line, as_lines, fit, hung, ink, of_mood, outside
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, group, heading, remark

SHORT = 6  # lines: details of at most so many stand before the causes, longer ones after the results


def detail_lines(viewer: Viewer, record: Record, width: int) -> list[Line]:
    """An event's details beyond its sentence: a plan's blocks, the rules of a refusal, what a pressure is about."""
    e, timeline = record.event, viewer.timeline
    return lines_of(STORIES[type(e)].sheet(timeline.teller, e, timeline.clock), width)


def feeling_lines(record: Record, width: int) -> list[Line]:
    """How an event changed its actor's mood: before, after, and each axis as a bar; no lines if it did not."""
    m = next((m for m in event_moods(record) if m.who == record.stamp.actor and any(m.delta)), None)
    if m is None:
        return []
    was, now = colour(before(m.after, m.delta)), colour(Pad(*m.after))
    to = [ink("  to  ", "dim"), ink(f"{MARKS[now]} {now}", of_mood(now))]
    out: list[Line] = [[ink(f"{MARKS[was]} {was}", of_mood(was)), *to]]
    return out + axis_lines(m.delta, min(21, max(9, width - 17)))


def knows_event(viewer: Viewer, record: Record) -> bool:
    """Whether an event may be shown: every one, unless only what the played person knows is to be shown."""
    me, seq = viewer.knower, record.stamp.seq
    if not me or knows_of(viewer.world, me, record):
        return True
    return viewer.chronicle.last(lambda row: row.seq == seq) is not None


class EventSheet(ReadSheet):
    """The sheet of one event that is not part of a talk."""

    kind = "event"

    def __init__(self, stage: TownLayout, record: Record) -> None:
        super().__init__(stage, "What happened")
        self.record = record
        self._where: str | None = None
        self._causes: Sequence[Record] = ()
        self._results: Sequence[Record] = ()
        self._act: Record | None = None

    async def read(self) -> None:
        viewer, stamp = self.viewer, self.record.stamp
        found = [await log_queries.event(viewer, seq) for seq in stamp.causes]
        self._causes = [record for record in found if record is not None and knows_event(viewer, record)]
        self._results = [r for r in await log_queries.event_results(viewer, stamp.seq) if knows_event(viewer, r)]
        self._act = await act_of(viewer, self.record)
        await log_queries.learn_matters(viewer, map(event_matter, (self.record, *self._causes, *self._results)))
        if stamp.actor:
            self._where = await log_queries.actor_place(viewer, self.record)

    def hidden(self) -> bool:
        return not knows_event(self.viewer, self.record)

    def entries(self, width: int) -> Sequence[Entry]:
        self.keep_up(0)
        viewer, record = self.viewer, self.record
        world, teller = viewer.world, viewer.timeline.teller
        t, says = record.stamp.t, event_sentence(record, teller)
        # the feeling of whoever did it may have no other words than the deed
        results = [r for r in self._results if not says.startswith(event_sentence(r, teller))]
        where = f", {world.handbook.at(self._where)}" if self._where is not None else ""
        out = [
            remark(f"{world.clock.words(t)}, day {world.clock.day(t)}{where}", width),
            Entry([[], *as_lines(says, width, "text", bold=True)]),
        ]
        inner = viewer.knower in ("", record.stamp.actor)
        feelings = feeling_lines(record, width) if inner else []
        details = detail_lines(viewer, record, width) if inner else []
        short = len(details) <= SHORT
        out += [Entry([[], *lines]) for lines in (feelings, details if short else []) if lines]
        out += self._list("It came from", self._causes, width)
        out += self._list("What came of it", results, width)
        out += [] if short else [Entry([[], [ink("In full", "accent")], *details])]
        out.append(heading("Who", bold=False))
        out += [self._person(who, width) for who in event_people(record, teller, aside=True)]
        out.append(Entry([[]]))
        matter = event_matter(record)
        asks = matter in teller.matters and world.drama.rumours.says and not viewer.knower
        out += [knows_entry(self.stage, matter)] if asks else []
        out += [receipt_of(self.stage, self._act)] if self._act is not None else []
        out += [watch_again_entry(self.stage, t, record.stamp.actor), Entry(self.waiting(width))]
        return out

    def _list(self, head: str, records: Sequence[Record], width: int) -> list[Entry]:
        world, teller = self.world, self.viewer.timeline.teller
        out = []
        for record in records:
            hour = [ink(f"{world.clock.hhmm(record.stamp.t)} ", "dim")]
            lines = hung(hour, event_sentence(record, teller), width, "soft", most=3)
            out.append(Entry(lines, leads(self.stage, record.stamp.seq), (head, record.stamp.seq)))
        return group(head, out, bold=False)

    def _person(self, who: str, width: int) -> Entry:
        viewer = self.viewer
        if not viewer.is_known(who):
            return Entry([[ink("  "), outside(viewer.name(who), "soft"), ink("  not in town yet", "dim")]])
        row = viewer.view.row(who, viewer.shown)
        words = [outside(row.name, of_mood(row.mood), bold=True), ink("  now ", "dim"), outside(row.doing, "soft")]
        return Entry([fit([ink("  "), *words], width)], partial(self.go_to_person, who, "person"), ("who", who))


async def open_event(stage: TownLayout, seq: int) -> None:
    """Show an event: in the talk it belongs to, with the cursor on it, else on a sheet of its own."""
    record = await log_queries.event(stage.viewer, seq)
    if record is None:
        stage.notify("That was before the world began." if seq <= 1 else "That event is not in the log.")
    elif id := event_talk(record.event):
        await open_talk(stage, id, at=seq)
    else:
        stage.open_sheet(EventSheet(stage, record))
