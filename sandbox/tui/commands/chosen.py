"""Actions on the chosen person, row, talk or event: open, why, talk, ask, follow, favourite, centre, copy."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from shutil import which
from typing import Any

from textual.app import App

from sandbox.readers import talks
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.town.plan import arena_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.event import open_event
from sandbox.tui.sheets.interview import InterviewScreen, go_to_memory
from sandbox.tui.sheets.play_talk import ActsSheet
from sandbox.tui.sheets.staged_screen import open_theatre
from sandbox.tui.sheets.talk import TalkSheet, open_talk
from sandbox.tui.sheets.why import TIES, WhySheet
from sandbox.tui.view.action import Action, first_key


async def enter(layout: TownLayout) -> None:
    """Open what the cursor of the sheet or pane is on. On the map, first: stage what time stopped for, if that can be
    staged; or, as somebody, show what can be said to the chosen person.
    """
    stop = layout.viewer.stop
    if stop is not None and layout.would_stage(stop) and await open_theatre(layout, stop):
        return
    if layout.on_map and layout.viewer.plays not in ("", layout.viewer.selected) and layout.viewer.selected:
        layout.open_sheet(ActsSheet(layout, layout.viewer.selected))
        return
    await (layout.sheets if layout.sheets.topmost is not None else layout.panes[layout.current]).enter()


async def open_row(layout: TownLayout, row: TimelineRow) -> None:
    """Open the talk a row belongs to, show the place of an occasion, else open the row's event."""
    if row.mark == OCCASION:
        _look_at_occasion(layout, row)
        return
    if row.who:
        layout.choose(row.who[0], look=True)
    if row.talk:
        await open_talk(layout, row.talk, at=0 if row.mark in talks.SPOKEN else row.seq)
    else:
        await open_event(layout, row.seq)


def _look_at_occasion(layout: TownLayout, row: TimelineRow) -> None:
    """Centre the map on the place of an occasion."""
    world = layout.viewer.world
    day = world.clock.day(row.t)
    where = next((o.where for o in world.calendar.on(day) if o.id == row.occasion), "")
    area = world.map.areas.get(arena_of(where))
    if area is None:
        return
    layout.leave_trace()
    layout.viewer.following = False
    if layout.has_class("-one"):
        layout.show_pane(layout.home)
    x, y, width, height = area.arena.rect
    layout.town.stand(x + width / 2, y + height / 2, layout.town.zoom)


async def why(layout: TownLayout) -> None:
    """Explain the tie of an open talk or under the cursor; else the stop; else the chosen person's mood."""
    sheet = layout.sheets.topmost
    if layout.close_kind(WhySheet.kind):
        return
    if isinstance(sheet, TalkSheet) and sheet.story is not None:
        a, b = layout.viewer.eyes.own_first(*sheet.story.who)
        turned = layout.viewer.selected == b and not layout.viewer.knower
        layout.open_sheet(WhySheet(layout, b, TIES, a) if turned else WhySheet(layout, a, TIES, b))
    elif sheet is None and (tie := layout.panes[layout.current].tie) is not None:
        a, b = layout.viewer.eyes.own_first(*tie)
        layout.open_sheet(WhySheet(layout, a, TIES, b))
    elif sheet is None and layout.viewer.stop is not None and layout.led(layout.viewer.stop):
        await _why_stopped(layout, layout.viewer.stop)
    elif who := layout.chosen():
        layout.open_sheet(WhySheet(layout, who))


async def _why_stopped(layout: TownLayout, stop: TimelineRow) -> None:
    """Open the event or the talk of a stop; of an occasion, only say that it is in the calendar."""
    if stop.mark == OCCASION:
        key = first_key("town.next", layout.viewer.keys)
        says = f"It is in the calendar. Choose somebody ({key} in the town) to see why they feel that way."
        layout.notify(says, timeout=5)
    elif stop.talk and stop.mark in talks.SPOKEN:
        story = layout.viewer.story(stop.talk)
        await open_talk(layout, stop.talk, at=story.seq if story is not None else 0)  # there: why it began
    else:
        await open_event(layout, stop.seq)


async def toggle_talk(layout: TownLayout) -> None:
    """Show or close the talk the chosen person is in, else their last."""
    if not layout.close_kind(TalkSheet.kind) and (who := layout.chosen()):
        await open_talk(layout, layout.viewer.talk_of(who), who)


def open_interview(layout: TownLayout) -> None:
    """Open the interview of the chosen person, or say that it cannot be known."""
    if not (who := layout.chosen()):
        return
    if layout.viewer.hides(who):
        layout.cannot_know()
    else:
        layout.app.push_screen(InterviewScreen(layout, who), partial(go_to_memory, layout))


def toggle_following(layout: TownLayout) -> None:
    """Follow the chosen person with the map, or stop."""
    viewer = layout.viewer
    if layout.chosen():
        viewer.following = not viewer.following
        if viewer.following:
            layout.town.look_if_away(viewer.selected)
        layout.town.pull()


def favourite(layout: TownLayout) -> None:
    """Make the chosen person a favourite, or no longer."""
    if who := layout.chosen():
        layout.viewer.favourites ^= {who}


def centre(layout: TownLayout) -> None:
    """Centre the map on the chosen person."""
    if who := layout.chosen():
        layout.town.look_at(who)


async def copy(layout: TownLayout) -> None:
    """Copy the chosen row, or what is open, to the clipboard, and say where it went."""
    sheet = layout.sheets.topmost
    text = layout.panes[layout.current].taken() if sheet is None else layout.sheets.taken()
    if text:
        where = await to_clipboard(layout.app, text)
        layout.notify(text.splitlines()[0][:60], title=where, timeout=2)


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("chosen.open", "enter", "open", "Go in: to person, talk, event or place; at a stop, see it staged.",
           enter, "chosen: open", rank=1),
    Action("chosen.why", "w", "why", "Why time stopped; what caused a mood, a tie or a choice, how much, and when.",
           why, "chosen: why", rank=1),
    Action("chosen.talk", "t", "talk", "The talk in full: the present one, else the last.",
           toggle_talk, "chosen: talk", rank=1),
    Action("chosen.interview", "i", "ask", "Ask the person something; it changes nothing in the town.",
           open_interview, "chosen: interview", rank=3),
    Action("chosen.follow", "f", "follow", "Follow the person with the map, or stop.",
           toggle_following, "camera: follow", rank=2),
    Action("chosen.favourite", "asterisk", "", "Favourite: first among people, with alerts of what happens to them.",
           favourite, "chosen: favourite"),
    Action("chosen.centre", "c", "", "Centre the map on the person.", centre, "camera: centre"),
    Action("chosen.copy", "y", "", "Copy the chosen row, or what is open, as text.", copy, "chosen: copy"),
)


# ---- copying


SENT, LOADED = "sent to the terminal", "copied to tmux and sent to the terminal"
PATIENCE = 2.0  # seconds to wait for tmux
LOADS = (("load-buffer", "-w", "-"), ("load-buffer", "-"))  # -w, from tmux 3.2: pass it to the terminal too


async def to_clipboard(app: App[Any], text: str) -> str:
    """Send a text to the terminal's clipboard, and to tmux if one runs; return in words where it went."""
    app.copy_to_clipboard(text)
    return LOADED if await _load(text) else SENT


async def _load(text: str) -> bool:
    """Load a text into the newest buffer of the surrounding tmux; return whether that worked."""
    tmux = which("tmux") if os.environ.get("TMUX") else None
    if tmux is None:
        return False
    for command in LOADS:
        try:
            async with asyncio.timeout(PATIENCE):
                if await _run(tmux, *command, given=text.encode("utf-8", "replace")):
                    return True
        except (OSError, TimeoutError):
            return False
    return False


async def _run(*command: str, given: bytes) -> bool:
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=quiet, stderr=quiet)
    try:
        await process.communicate(given)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode == 0
