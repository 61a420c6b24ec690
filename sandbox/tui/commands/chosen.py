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


async def enter(stage: TownLayout) -> None:
    """Open what the cursor of the sheet or pane is on. On the map, first: stage what time stopped for, if that can be
    staged; or, as somebody, show what can be said to the chosen person.
    """
    stop = stage.viewer.stop
    if stop is not None and stage.would_stage(stop) and await open_theatre(stage, stop):
        return
    if stage.on_map and stage.viewer.plays not in ("", stage.viewer.selected) and stage.viewer.selected:
        stage.open_sheet(ActsSheet(stage, stage.viewer.selected))
        return
    await (stage.sheets if stage.sheets.topmost is not None else stage.panes[stage.current]).enter()


async def open_row(stage: TownLayout, row: TimelineRow) -> None:
    """Open the talk a row belongs to, show the place of an occasion, else open the row's event."""
    if row.mark == OCCASION:
        _look_at_occasion(stage, row)
        return
    if row.who:
        stage.choose(row.who[0], look=True)
    if row.talk:
        await open_talk(stage, row.talk, at=0 if row.mark in talks.SPOKEN else row.seq)
    else:
        await open_event(stage, row.seq)


def _look_at_occasion(stage: TownLayout, row: TimelineRow) -> None:
    """Centre the map on the place of an occasion."""
    world = stage.viewer.world
    day = world.clock.day(row.t)
    where = next((o.where for o in world.calendar.on(day) if o.id == row.occasion), "")
    area = world.map.areas.get(arena_of(where))
    if area is None:
        return
    stage.leave_trace()
    stage.viewer.following = False
    if stage.has_class("-one"):
        stage.show_pane(stage.home)
    x, y, width, height = area.arena.rect
    stage.town.stand(x + width / 2, y + height / 2, stage.town.zoom)


async def why(stage: TownLayout) -> None:
    """Explain the tie of an open talk or under the cursor; else the stop; else the chosen person's mood."""
    sheet = stage.sheets.topmost
    if stage.close_kind(WhySheet.kind):
        return
    if isinstance(sheet, TalkSheet) and sheet.story is not None:
        a, b = stage.viewer.eyes.own_first(*sheet.story.who)
        turned = stage.viewer.selected == b and not stage.viewer.knower
        stage.open_sheet(WhySheet(stage, b, TIES, a) if turned else WhySheet(stage, a, TIES, b))
    elif sheet is None and (tie := stage.panes[stage.current].tie) is not None:
        a, b = stage.viewer.eyes.own_first(*tie)
        stage.open_sheet(WhySheet(stage, a, TIES, b))
    elif sheet is None and stage.viewer.stop is not None and stage.led(stage.viewer.stop):
        await _why_stopped(stage, stage.viewer.stop)
    elif who := stage.chosen():
        stage.open_sheet(WhySheet(stage, who))


async def _why_stopped(stage: TownLayout, stop: TimelineRow) -> None:
    """Open the event or the talk of a stop; of an occasion, only say that it is in the calendar."""
    if stop.mark == OCCASION:
        key = first_key("town.next", stage.viewer.keys)
        says = f"It stands in the calendar. Choose somebody ({key} in the town) to be told why they feel so."
        stage.notify(says, timeout=5, markup=False)
    elif stop.mark in talks.SPOKEN:
        story = stage.viewer.story(stop.talk)
        await open_talk(stage, stop.talk, at=story.seq if story is not None else 0)  # there: why it began
    else:
        await open_event(stage, stop.seq)


async def toggle_talk(stage: TownLayout) -> None:
    """Show or close the talk the chosen person is in, else their last."""
    if not stage.close_kind(TalkSheet.kind) and (who := stage.chosen()):
        await open_talk(stage, stage.viewer.talk_of(who), who)


def open_interview(stage: TownLayout) -> None:
    """Open the interview of the chosen person, or say that it cannot be known."""
    if not (who := stage.chosen()):
        return
    if stage.viewer.hides(who):
        stage.cannot_know()
    else:
        stage.app.push_screen(InterviewScreen(stage, who), partial(go_to_memory, stage))


def toggle_following(stage: TownLayout) -> None:
    """Follow the chosen person with the map, or stop."""
    viewer = stage.viewer
    if stage.chosen():
        viewer.following = not viewer.following
        if viewer.following:
            stage.town.look_if_away(viewer.selected)
        stage.town.pull()


def favourite(stage: TownLayout) -> None:
    """Make the chosen person a favourite, or no longer."""
    if who := stage.chosen():
        stage.viewer.favourites ^= {who}


def centre(stage: TownLayout) -> None:
    """Centre the map on the chosen person."""
    if who := stage.chosen():
        stage.town.look_at(who)


async def copy(stage: TownLayout) -> None:
    """Copy the chosen row, or what is open, to the clipboard, and say where it went."""
    sheet = stage.sheets.topmost
    text = stage.panes[stage.current].taken() if sheet is None else stage.sheets.taken()
    if text:
        where = await to_clipboard(stage.app, text)
        stage.notify(text.splitlines()[0][:60], title=where, timeout=2, markup=False)


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("chosen.open", "enter", "open", "Go in: to person, talk, event or place; at a stop, see it staged.",
           enter, "chosen: open", rank=1),
    Action("chosen.why", "w", "why", "Why time stopped; why of a mood, a tie, a choice: every cause, size, age.",
           why, "chosen: why", rank=1),
    Action("chosen.talk", "t", "talk", "The talk in full: the present one, else the last.",
           toggle_talk, "chosen: talk", rank=1),
    Action("chosen.interview", "i", "ask", "Ask the person something; nothing in the town changes by it.",
           open_interview, "chosen: interview", rank=3),
    Action("chosen.follow", "f", "follow", "Follow the person with the map, or stop.",
           toggle_following, "camera: follow", rank=2),
    Action("chosen.favourite", "asterisk", "", "Favourite: first among people, and alerts of what befalls them.",
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
