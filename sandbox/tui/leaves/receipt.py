"""What came of an act of the player: at once what its chain of causes holds, later what would have been without it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from textual.worker import Worker

from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.core.plain import counted
from sandbox.lab import receipts
from sandbox.lab.receipts import Luck, Receipt, Side, Telling
from sandbox.phones.model import Wrote
from sandbox.store.acts import by_hand, last_act
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.stories.aftermath import HEADS, Aftermath, Came
from sandbox.stories.chains import shown
from sandbox.tui import reading
from sandbox.tui.ink import BLUE, DIM, GOLD, SOFT, TEXT, Line, hung, ink, prose
from sandbox.tui.leaves.read import ReadLeaf
from sandbox.tui.leaves.why import leads
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.stage import Stage
from sandbox.tui.twins import without
from sandbox.tui.viewer import Viewer

ASKS = "What came of it, a day later"
MOST = 12  # lines of a group
KEPT_NOWHERE = "this town is kept nowhere"
LIVES = "living the same time without it, beside the town ..."


class ReceiptLeaf(ReadLeaf):
    """The receipt of one act."""

    kind = "receipt"

    def __init__(self, stage: Stage, act: Record) -> None:
        super().__init__(stage, "What came of it")
        self.act = act
        self.told: Aftermath | None = None
        self.receipt: Receipt | None = None
        self._since = self._until = self._asked = 0
        self._untwinned = self._failed = ""
        self._model = False
        self._work: Worker[None] | None = None

    async def read(self) -> None:
        viewer = self.stage.viewer
        found = await receipts.read(viewer.session.save, self.act.stamp.seq, DAY, viewer.world)
        telling = Telling(found)
        self.told = await asyncio.to_thread(telling.told)
        self._since, self._until, self._asked = found.since, found.until, found.until - found.since
        save = viewer.session.save
        self._model = isinstance(save, Save) and bool(await save.answered())
        self._untwinned = receipts.untwinned(found, None, self._model)
        if not isinstance(save, Save):
            self._untwinned = KEPT_NOWHERE
        elif not self._untwinned and self._asked > 0:
            self._live(wanted=False)

    def _live(self, wanted: bool) -> None:
        """Have it lived without the act, unless that goes on already."""
        if self._work is None or self._work.is_finished:
            self._untwinned = self._failed = ""
            self._work = self.stage.run_worker(self._without(wanted), group="receipt", exit_on_error=False)
            self.stage.update()

    async def _without(self, wanted: bool) -> None:
        save = self.stage.viewer.session.save
        assert isinstance(save, Save)
        try:
            self.receipt = await without(save, self.act.stamp.seq, self._asked, wanted)
        except (SaveError, OSError) as error:
            self._failed = str(error)
        self.stage.update()

    def closed(self) -> None:
        """The process ends with the sheet."""
        if self._work is not None:
            self._work.cancel()

    # ---- what it says

    def hidden(self) -> bool:
        return bool(self.stage.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        self.keep_up(0)
        viewer = self.stage.viewer
        clock, at = viewer.world.clock, self.act.stamp
        told = self.receipt.told if self.receipt is not None else self.told
        if told is None:
            return [Entry(prose(f"{clock.words(at.t)}, day {clock.day(at.t)}", width)), Entry(self.waiting(width))]
        out = [
            Entry(prose(f"{clock.words(at.t)}, day {clock.day(at.t)}", width)),
            Entry([[], *prose(told.act.text, width, TEXT, bold=True)], leads(self.stage, at.seq), "act"),
            Entry([[], *prose(self._much(told), width)]),
        ]
        if told.reached:
            names = ", ".join(f"{viewer.name(x.who)} {self._hour(x.t)}" for x in told.reached)
            out.append(Entry(prose(f"It reached {names}.", width)))
        for key, lines in told.groups.items():
            out.append(heading(HEADS[key]))
            out += [self._line(key, c, width) for c in lines[:MOST]]
            if len(lines) > MOST:
                out.append(Entry([[ink(f"      and {len(lines) - MOST:,} more", DIM)]]))
        return [*out, heading("Without it"), *self._luck(width), Entry(self.waiting(width))]

    def _much(self, told: Aftermath) -> str:
        clock = self.stage.viewer.world.clock
        if self._asked < 0:
            return f"It takes effect {clock.words(self._since)}."
        many = counted(told.events, "event") if told.events else "Nothing"
        whole = "" if self._asked >= DAY else ", so far: the day after it is not over"
        return f"{many} came of it by {clock.words(self._until)}{whole}."

    def _hour(self, t: int) -> str:
        clock = self.stage.viewer.world.clock
        return clock.hhmm(t) if clock.day(t) == clock.day(self.act.stamp.t) else clock.words(t)

    def _line(self, key: str, c: Came, width: int, numbered: bool = True) -> Entry:
        head = [ink(f"{self._hour(c.t)} ", DIM)]
        lines: list[Line] = hung(head, f"{'= ' if c.anyway else ''}{c.text}", width, SOFT, most=4)
        if len(c.way) > 1:
            lines += hung([ink("      ")], shown(c.way), width, DIM, most=6)
        return Entry(lines, leads(self.stage, c.seq) if numbered else None, (key, c.seq, c.text))

    def _luck(self, width: int) -> list[Entry]:
        if self.receipt is not None and self.receipt.luck is not None:
            return self._lucky(self.receipt.luck, width)
        if self._failed:
            return [Entry(prose(self._failed, width))]
        if self._untwinned:
            out = [Entry(prose(f"Not lived: {self._untwinned}.", width))]
            ask = [ink("▶ ", BLUE), ink("live it without the act all the same, with the embedded mind", SOFT)]
            return [*out, *([Entry([ask], partial(self._live, True), "live")] if self._model else [])]
        waits = "no time has passed since" if self._asked == 0 else "it has not taken effect yet"
        return [Entry(prose(LIVES if self._asked > 0 else waits, width))]

    def _lucky(self, luck: Luck, width: int) -> list[Entry]:
        out = [Entry(prose(f"{counted(luck.came, 'event')} of these would not be there.", width))]
        if any(c.anyway for lines in self._groups() for c in lines):
            out.append(Entry(prose("What is marked = came about without it, too.", width)))
        if luck.embedded:
            words = (
                "The town is lived with a language model, and this was with the embedded mind: much differs for that."
            )
            out.append(Entry(prose(words, width)))
        out += [Entry(prose(f"Not done again: {text}.", width)) for text in luck.missed]
        out += self._side("Other luck with it", luck.here, width, True)
        return out + self._side("Other luck without it", luck.there, width, False)

    def _groups(self) -> Sequence[Sequence[Came]]:
        return [*self.receipt.told.groups.values()] if self.receipt is not None else []

    def _side(self, head: str, side: Side, width: int, numbered: bool) -> list[Entry]:
        out = [Entry([[], [ink(f"{head}: ", GOLD), ink(counted(side.events, "event"), DIM)]])]
        return out + [self._line(head, c, width, numbered) for c in side.heaviest]


async def act_of(viewer: Viewer, record: Record) -> Record | None:
    """The act by hand that an event is, or says what it is about; None if it is none. Raises SaveError."""
    if isinstance(record.event, Wrote) and record.stamp.causes:
        cause = await reading.event(viewer, record.stamp.causes[0])
        record = cause if cause is not None else record
    return record if await by_hand(viewer.session.save, record) else None


def receipt_of(stage: Stage, act: Record) -> Entry:
    """The entry that asks what came of an act."""
    return Entry([[ink("? ", BLUE), ink(ASKS, SOFT)]], lambda: stage.open_sheet(ReceiptLeaf(stage, act)), "receipt")


async def open_last(stage: Stage) -> None:
    """The receipt of the last act by hand."""
    viewer = stage.viewer
    if stage.close_kind(ReceiptLeaf.kind):
        return
    acts = await last_act(viewer.session.save, viewer.world.step)
    if acts is None:
        stage.notify("Nothing has been done by hand in this town yet.", timeout=5, markup=False)
    else:
        stage.open_sheet(ReceiptLeaf(stage, acts.records[-1]))
