"""What all sheets over the town have in common, and those that read from the log: they open at once and fill in later.
Also how story blocks are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sandbox.core.text import clean
from sandbox.engine.world import World
from sandbox.readers.story import Block, SideBySide, SingleLine, TonedText, WrappedText
from sandbox.store.errors import SaveError
from sandbox.talk.model import ScoredRule
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.view.text_lines import Ink, Line, as_lines, fit, flow, hung, ink, outside, signed_bar, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, EntriesPane, Entry, marked
from sandbox.tui.widgets.sheet_pane import Sheet


class TownSheet(Sheet):
    """A sheet over the panes of a town."""

    stage: TownLayout

    @property
    def viewer(self) -> Viewer:
        """What somebody who watches has before them."""
        return self.stage.viewer

    @property
    def world(self) -> World:
        """The world that is shown."""
        return self.stage.viewer.world

    @property
    def cursor_key(self) -> object:
        """The key of the entry under the cursor; None if there is none, or another sheet lies over this one."""
        chosen = self.stage.sheets.chosen if self.stage.sheets.topmost is self else None
        return chosen.key if chosen is not None else None

    @property
    def state_key(self) -> tuple[object, ...]:
        """A key that changes with each step of the town and with a jump."""
        return self.viewer.view, self.viewer.view.version, self.world.now

    def go_to_person(self, who: str, pane: str = "") -> None:
        """Close all sheets and show somebody on the map. pane: what has the focus then, "" = the same."""
        self.stage.close_all()
        self.stage.go_to_person(who, pane)


class ReadSheet(TownSheet):
    """Subclasses define `read`, and call `keep_up` from `entries`. ready: whether a reading has ended, or failed."""

    whole = True

    def __init__(self, stage: TownLayout, title: str) -> None:
        super().__init__(stage, title)
        self.ready = False
        self._fault = ""
        self._busy = False
        self._upto: object = None

    async def read(self) -> None:
        """Read from the log what the sheet shows. Raises SaveError."""
        raise NotImplementedError

    def keep_up(self, upto: object) -> None:
        """Start `read`, unless it is running or the last run was for the same `upto` (how far the town has come)."""
        if not self._busy and self._upto != upto:
            self._busy, self._upto = True, upto
            self.stage.run_worker(self._reading(), group="reading")

    async def _reading(self) -> None:
        try:
            await self.read()
            self._fault = ""
        except SaveError as error:
            self._fault = str(error)
        finally:
            first, self._busy, self.ready = not self.ready, False, True
            if first and self.stage.sheets.topmost is self:
                self.stage.sheets.begin()
            self.stage.update()

    def waiting(self, width: int) -> list[Line]:
        """A line that says that reading goes on, or why it failed; nothing once it has succeeded."""
        says = self._fault or ("" if self.ready else "reading ...")
        return as_lines(says, width) if says else []


def leads(stage: TownLayout, seq: int) -> Deed | None:
    """What enter does on a cause: go to event `seq`; None if it has no event."""
    # by a message, as importing the sheet of events would be circular
    return (lambda: stage.post_message(EntriesPane.Cause(seq))) if seq > 1 else None


def watch_again_entry(stage: TownLayout, t: int, who: str) -> Entry:
    """An entry that replays on the map what happened at second t. who: the person to look at, "" = nobody."""
    return marked("◀", "watch it again", partial(watch, stage, t, who), "again", "link", "soft")


async def watch(stage: TownLayout, t: int, who: str) -> None:
    """Go to second t in a replay, and look at `who`; a live town is paused and a replay of it opened."""
    if not stage.viewer.replaying:
        await stage.program.rewind(stage.viewer)
        shown = stage.app.screen
        if not isinstance(shown, TownLayout) or not shown.viewer.replaying:
            return  # the replay could not be opened; a notice said so
        stage = shown
    stage.close_all()
    await jump_to(stage, t)
    if stage.viewer.is_known(who):
        stage.call_after_refresh(stage.go_to_person, who)


# ---- story blocks drawn as lines of a given width


RULES = 4  # rules shown of a decision


def lines_of(blocks: Iterable[Block], width: int) -> list[Line]:
    """The lines of all blocks, in order."""
    return [line for block in blocks for line in _lines(block, width)]


def _lines(block: Block, width: int) -> list[Line]:
    if isinstance(block, WrappedText):
        return hung([ink("  ")], block.text, width, block.tone, most=block.most)
    if isinstance(block, SingleLine):
        return [fit(_line(block.pieces), width)]
    if isinstance(block, SideBySide):
        return flow(map(_line, block.parts), width)
    return rule_lines(block.rules, width)


def _line(pieces: Sequence[TonedText]) -> Line:
    """A line of pieces, each cleaned because it may hold outside text; spaces at the ends of a piece stay."""
    out: Line = []
    for text, tone, bold in pieces:
        left = len(text) - len(text.lstrip(" "))
        right = max(left, len(text.rstrip(" ")))
        out.append(ink(text[:left] + clean(text[left:right]) + text[right:], tone, bold))
    return out


def rule_lines(rules: Sequence[ScoredRule], width: int) -> list[Line]:
    """The rules behind a decision, the weightiest first: name, bar, weight."""
    out = []
    room = min(27, max(8, width - 18))
    for rule in sorted(rules, key=lambda r: -abs(r.value))[:RULES]:
        fg: Ink = "warm" if rule.value > 0 else "cool"
        name = to_width([outside(rule.name, "soft")], room - 1)
        out.append([ink("  "), *name, ink(" "), *signed_bar(rule.value, 9, fg), ink(f" {rule.value:+z.2f}", fg)])
    return out
