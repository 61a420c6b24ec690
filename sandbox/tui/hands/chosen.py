"""What is done with the chosen person, row, talk or event: open, why, talk, follow, favourite, centre, copy."""

from __future__ import annotations

from functools import partial

from sandbox.stories import talks
from sandbox.stories.timeline import OCCASION, Row
from sandbox.tui import actions
from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.event import open_event
from sandbox.tui.leaves.interview import InterviewScreen, went
from sandbox.tui.leaves.talk import TalkLeaf, open_talk
from sandbox.tui.leaves.why import TIES, WhyLeaf
from sandbox.tui.panes.entries import EntriesPane
from sandbox.tui.panes.person import card_lines

SPOKEN = (talks.TALK, talks.ROW, talks.TENDER, talks.GOSSIP)  # marks of rows that tell a talk, not what it changed
CARD = 300  # cells of a line of a person's card as text


class Chosen(Hand):
    """`chosen.*`"""

    async def open(self) -> None:
        """Go in: what lies under the cursor of a list, a cursor or the person on the map."""
        stage = self.stage
        lists: dict[str, EntriesPane] = {"person": stage.person, "people": stage.people}
        if stage.sheet.leaf is not None:
            await self._enter(stage.sheet)
        elif stage.current == "timeline":
            await self._open_row(stage.timeline.chosen)
        elif stage.current in lists:
            await self._enter(lists[stage.current])
        elif not stage.town.enter_look() and stage.chosen():
            stage.show_pane("person")

    async def _enter(self, pane: EntriesPane) -> None:
        if pane.chosen is not None:
            await pane.chosen.enter()

    async def _open_row(self, row: Row | None) -> None:
        """The talk a row belongs to, the place of an occasion, else the event."""
        if row is None:
            return
        if row.mark == OCCASION:
            self._look_at_occasion(row)
            return
        if row.who:
            self.stage.choose(row.who[0], look=True)
        if row.talk:
            await open_talk(self.stage, row.talk, at=0 if row.mark in SPOKEN else row.seq)
        else:
            await open_event(self.stage, row.seq)

    def _look_at_occasion(self, row: Row) -> None:
        """Centre the map on where an occasion is."""
        stage, world = self.stage, self.viewer.world
        day = world.clock.day(row.t)
        where = next((o.where for o in world.calendar.on(day) if o.id == row.occasion), "")
        area = world.map.areas.get(" / ".join(where.split(" / ")[:2]))
        if area is None:
            return
        stage.leave_trace()
        self.viewer.following = False
        if stage.has_class("-one"):
            stage.show_pane("town")
        x, y, width, height = area.arena.rect
        stage.town.stand(x + width / 2, y + height / 2, stage.town.zoom)

    async def why(self) -> None:
        """Why time stopped; then, and else, why the chosen person feels so; over a talk, what the two are tied by."""
        stage = self.stage
        leaf = stage.sheet.leaf
        if stage.sheet.kind == WhyLeaf.kind:
            stage.close_sheet()
        elif isinstance(leaf, TalkLeaf) and leaf.story is not None:
            a, b = leaf.story.who
            stage.open_sheet(WhyLeaf(stage, b, TIES, a) if stage.viewer.selected == b else WhyLeaf(stage, a, TIES, b))
        elif leaf is None and stage.viewer.stop is not None and self._led(stage.viewer.stop):
            await self._why_stopped(stage.viewer.stop)
        elif who := stage.chosen():
            stage.open_sheet(WhyLeaf(stage, who))

    def _led(self, stop: Row) -> bool:
        """Whether `why` means the stop: unless somebody was chosen whom it is not about."""
        viewer = self.stage.viewer
        own = viewer.selected and viewer.selected != viewer.led
        return not own if stop.mark == OCCASION else not viewer.selected or viewer.selected in stop.who

    async def _why_stopped(self, stop: Row) -> None:
        """The event of a stop, with what it came from; of a talk, the talk. An occasion comes from the calendar."""
        if stop.mark == OCCASION:
            key = actions.first_key("town.next", self.stage.footer.keymap)
            says = f"It stands in the calendar. Choose somebody ({key} in the town) to be told why they feel so."
            self.stage.notify(says, timeout=5, markup=False)
        elif stop.mark in SPOKEN:
            story = self.viewer.story(stop.talk)
            await open_talk(self.stage, stop.talk, at=story.seq if story is not None else 0)  # why it began
        else:
            await open_event(self.stage, stop.seq)

    async def talk(self) -> None:
        stage = self.stage
        if stage.sheet.kind == TalkLeaf.kind:
            stage.close_sheet()
        elif who := stage.chosen():
            await open_talk(stage, self.viewer.talk_of(who), who)

    def interview(self) -> None:
        """Ask the person something."""
        stage = self.stage
        if who := stage.chosen():
            stage.app.push_screen(InterviewScreen(stage, who), partial(went, stage))

    def follow(self) -> None:
        stage, viewer = self.stage, self.viewer
        if stage.chosen():
            viewer.following = not viewer.following
            if viewer.following:
                stage.town.look_if_away(viewer.selected)
            stage.town.pull()

    def favourite(self) -> None:
        if who := self.stage.chosen():
            self.viewer.favourites ^= {who}

    def centre(self) -> None:
        if who := self.stage.chosen():
            self.stage.town.look_at(who)

    def copy(self) -> None:
        """Put the chosen row, or what is open, into the clipboard of the terminal."""
        if text := self._text():
            self.stage.app.copy_to_clipboard(text)
            self.stage.notify(text.splitlines()[0][:60], title="copied", timeout=2, markup=False)

    def _text(self) -> str:
        """What `copy` takes."""
        stage, viewer = self.stage, self.viewer
        if stage.sheet.leaf is not None:
            return stage.sheet.leaf.plain() or stage.sheet.copied()
        if stage.current == "timeline":
            row = stage.timeline.chosen
            return f"{viewer.world.clock.words(row.t)} {row.text}" if row is not None else ""
        if stage.current == "people":
            return stage.people.copied()
        row = viewer.stop
        if not viewer.selected:
            return "" if row is None else f"{viewer.world.clock.words(row.t)} {row.text}"
        if stage.current == "person":
            return stage.person.copied_all()
        lines = card_lines(viewer, viewer.selected, viewer.shown, CARD)
        return "\n".join("".join(s.text for s in line).rstrip() for line in lines)
