"""What is done with the chosen person, row, talk or event: open, why, talk, follow, favourite, centre, copy."""

from __future__ import annotations

from inspect import isawaitable

from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.talk import open_talk
from sandbox.tui.leaves.why import WhyLeaf


class Chosen(Hand):
    """`chosen.*`"""

    async def open(self) -> None:
        """Go in: what lies under the cursor of a list, a cursor or the person on the map."""
        stage = self.stage
        if stage.sheet.leaf is not None:
            await self._enter(stage.sheet)
        elif stage.current == "timeline":
            await self._open_row()
        elif stage.current in ("person", "people"):
            await self._enter(stage.person if stage.current == "person" else stage.people)
        elif not stage.town.enter_look() and stage.chosen():
            stage.show_pane("person")

    async def _enter(self, pane: object) -> None:
        from sandbox.tui.panes.entries import EntriesPane

        assert isinstance(pane, EntriesPane)
        entry = pane.chosen
        if entry is not None and entry.does is not None:
            done = entry.does()
            if isawaitable(done):
                await done

    async def _open_row(self) -> None:
        stage = self.stage
        row = stage.timeline.chosen
        if row is None:
            return
        if row.who:
            stage.choose(row.who[0], look=True)
        if row.talk:
            await open_talk(stage, row.talk)
        elif row.who:
            stage.show_pane("person")

    def why(self) -> None:
        stage = self.stage
        if stage.sheet.kind == "why":
            stage.close_sheet()
        elif who := stage.chosen():
            stage.open_sheet(WhyLeaf(stage, who))

    async def talk(self) -> None:
        stage = self.stage
        if stage.sheet.kind == "talk":
            stage.close_sheet()
        elif who := stage.chosen():
            await open_talk(stage, self.viewer.talk_of(who), who)

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
        stage = self.stage
        text = ""
        if stage.sheet.leaf is not None:
            text = stage.sheet.copied()
        elif stage.current == "timeline" and stage.timeline.chosen is not None:
            row = stage.timeline.chosen
            text = f"{self.viewer.world.clock.words(row.t)} {row.text}"
        elif stage.current == "people":
            text = stage.people.copied()
        elif stage.chosen():
            text = stage.person.copied_all()
        if text:
            stage.app.copy_to_clipboard(text)
            stage.notify(text.splitlines()[0][:60], title="copied", timeout=2, markup=False)
