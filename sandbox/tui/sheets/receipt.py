"""What a player's act led to: at once the events caused by it, later a comparison with the same span run without it."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec
from textual.worker import Worker

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.lab import receipts
from sandbox.lab.receipts import Luck, Receipt, ReceiptTeller, SpanSide
from sandbox.readers.aftermath import HEADS, Aftermath, AftermathLine, chain_words
from sandbox.store.acts import is_player_act, last_act
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.town_sheet import ReadSheet, leads
from sandbox.tui.view.text_lines import Line, as_lines, hung, ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, heading, marked, remark

T = TypeVar("T")
ASKS = "What came of it, a day later"
MOST = 12  # lines shown of a group
KEPT_NOWHERE = "this town is not saved anywhere"
EMBEDDED = "A language model runs this town, and the embedded mind ran this: much differs for that reason."
LIVES = "running the same time without it, beside the town ..."


class ReceiptSheet(ReadSheet):
    """What one act of the player led to, and what would have happened without it."""

    kind = "receipt"

    def __init__(self, stage: TownLayout, act: Record) -> None:
        super().__init__(stage, "What came of it")
        self.act = act
        self.told: Aftermath | None = None
        self.receipt: Receipt | None = None
        self._since = self._until = self._asked = 0
        self._untwinned = self._failed = ""
        self._model = False
        self._work: Worker[None] | None = None

    async def read(self) -> None:
        viewer = self.viewer
        found = await receipts.read(viewer.session.save, self.act.stamp.seq, DAY, viewer.world)
        telling = ReceiptTeller(found)
        self.told = await asyncio.to_thread(telling.told)
        self._since, self._until, self._asked = found.since, found.until, found.until - found.since
        save = viewer.session.save
        self._model = isinstance(save, Save) and bool(await save.answered())
        self._untwinned = receipts.why_no_twin(found, None, self._model)
        if not isinstance(save, Save):
            self._untwinned = KEPT_NOWHERE
        elif not self._untwinned and self._asked > 0:
            self._live(wanted=False)

    def _live(self, wanted: bool) -> None:
        """Start the run without the act, unless one is under way. wanted: run even if a language model has answered."""
        if self._work is None or self._work.is_finished:
            self._untwinned = self._failed = ""
            self._work = self.stage.run_worker(self._without(wanted), group="receipt", exit_on_error=False)
            self.stage.update()

    async def _without(self, wanted: bool) -> None:
        save = self.viewer.session.save
        assert isinstance(save, Save)
        try:
            self.receipt = await without(save, self.act.stamp.seq, self._asked, wanted)
        except (SaveError, OSError) as error:
            self._failed = str(error)
        self.stage.update()

    def closed(self) -> None:
        """Cancel the run when the sheet closes, which ends its process."""
        if self._work is not None:
            self._work.cancel()

    # ---- what it says

    def hidden(self) -> bool:
        return bool(self.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        self.keep_up(0)
        viewer = self.viewer
        clock, at = viewer.world.clock, self.act.stamp
        told = self.receipt.told if self.receipt is not None else self.told
        out = [remark(f"{clock.words(at.t)}, day {clock.day(at.t)}", width)]
        if told is None:
            return [*out, Entry(self.waiting(width))]
        act = [[], *as_lines(told.act.text, width, "text", bold=True)]
        out.append(Entry(act, leads(self.stage, at.seq), "act"))
        out.append(Entry([[], *as_lines(self._much(told), width)]))
        if told.reached:
            names = ", ".join(f"{viewer.name(x.who)} {self._hour(x.t)}" for x in told.reached)
            out.append(remark(f"It reached {names}.", width))
        for key, lines in told.groups.items():
            out.append(heading(HEADS[key]))
            out += [self._line(key, c, width) for c in lines[:MOST]]
            if len(lines) > MOST:
                out.append(Entry([[ink(f"      and {len(lines) - MOST:,} more", "dim")]]))
        return [*out, heading("Without it"), *self._luck(width), Entry(self.waiting(width))]

    def _much(self, told: Aftermath) -> str:
        clock = self.world.clock
        if self._asked < 0:
            return f"It takes effect {clock.words(self._since)}."
        many = count_of(told.events, "event") if told.events else "Nothing"
        whole = "" if self._asked >= DAY else ", so far: the day after it is not over"
        return f"{many} came of it by {clock.words(self._until)}{whole}."

    def _hour(self, t: int) -> str:
        clock = self.world.clock
        return clock.hhmm(t) if clock.day(t) == clock.day(self.act.stamp.t) else clock.words(t)

    def _line(self, key: str, c: AftermathLine, width: int, numbered: bool = True) -> Entry:
        head = [ink(f"{self._hour(c.t)} ", "dim")]
        lines: list[Line] = hung(head, f"{'= ' if c.anyway else ''}{c.text}", width, "soft", most=4)
        if len(c.way) > 1:
            lines += hung([ink("      ")], chain_words(c.way), width, "dim", most=6)
        return Entry(lines, leads(self.stage, c.seq) if numbered else None, (key, c.seq, c.text))

    def _luck(self, width: int) -> list[Entry]:
        if self.receipt is not None and self.receipt.luck is not None:
            return self._lucky(self.receipt.luck, width)
        if self._failed:
            return [remark(self._failed, width)]
        if self._untwinned:
            out = [remark(f"Not run: {self._untwinned}.", width)]
            says = "run it without the act all the same, with the embedded mind"
            ask = marked("▶", says, partial(self._live, True), "live", "link", "soft")
            return [*out, ask] if self._model else out
        waits = "no time has passed since" if self._asked == 0 else "it has not taken effect yet"
        return [remark(LIVES if self._asked > 0 else waits, width)]

    def _lucky(self, luck: Luck, width: int) -> list[Entry]:
        out = [remark(f"{count_of(luck.came, 'event')} of these would not be there.", width)]
        if any(c.anyway for lines in self._groups() for c in lines):
            out.append(remark("What is marked = happens without it, too.", width))
        if luck.embedded:
            out.append(remark(EMBEDDED, width))
        out += [remark(f"Not done again: {text}.", width) for text in luck.missed]
        out += self._side("Other luck with it", luck.here, width, True)
        return out + self._side("Other luck without it", luck.there, width, False)

    def _groups(self) -> Sequence[Sequence[AftermathLine]]:
        return [*self.receipt.told.groups.values()] if self.receipt is not None else []

    def _side(self, head: str, side: SpanSide, width: int, numbered: bool) -> list[Entry]:
        out = [Entry([[], [ink(f"{head}: ", "accent"), ink(count_of(side.events, "event"), "dim")]])]
        return out + [self._line(head, c, width, numbered) for c in side.heaviest]


async def act_of(viewer: Viewer, record: Record) -> Record | None:
    """The player's act that `record` is; None if it is no player's act. Raises SaveError."""
    return record if await is_player_act(viewer.session.save, record) else None


def receipt_of(stage: TownLayout, act: Record) -> Entry:
    """An entry that opens the receipt of an act."""
    return marked("?", ASKS, lambda: stage.open_sheet(ReceiptSheet(stage, act)), "receipt", "link", "soft")


async def open_last(stage: TownLayout) -> None:
    """Open the receipt of the player's last act; close the receipt if one is open."""
    viewer = stage.viewer
    if stage.close_kind(ReceiptSheet.kind):
        return
    acts = await last_act(viewer.session.save, viewer.world.step)
    if acts is None:
        stage.notify("Nothing has been done by hand in this town yet.", timeout=5)
    else:
        stage.open_sheet(ReceiptSheet(stage, acts.records[-1]))


# ---- running the span without the act, in a low-priority process so that the screen stays smooth


MEND = "`sandbox receipt SAVE` in another terminal may say more"


async def without(save: Save, seq: int, asked: int, wanted: bool) -> Receipt:
    """The receipt of act `seq`, with the `asked` seconds after it run again without it. wanted: run even if a language
    model has answered. Cancelling ends the process. Raises SaveError.
    """
    words = [str(seq), "--hours", repr(asked / HOUR), *(["--twin"] if wanted else [])]
    return await run_beside(save, words, Receipt, f"without event {seq}")


async def run_beside(save: Save, words: Sequence[str], kind: type[T], how: str) -> T:
    """What `sandbox receipt` gives with these words, in a process of its own. A town in memory is copied to disk first.
    how: what is run, for a fault. Cancelling ends the process. Raises SaveError.
    """
    if save.writes:
        await save.settle()  # the other process reads what is on disk
    if not save.in_memory:
        return await _lived(save.path, words, kind, how)
    with TemporaryDirectory(prefix="sandbox-receipt-") as folder:
        copied = await branch(save, save.last_step, Path(folder) / "town.db")
        return await _lived(copied, words, kind, how)


async def _lived(path: Path, words: Sequence[str], kind: type[T], how: str) -> T:
    command = [sys.executable, "-m", "sandbox", "receipt", str(path.resolve()), *words, "--json", "--gently"]
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        told = clean(err.decode("utf-8", "replace").strip().rpartition("\n")[2], 200)
        raise SaveError(path, f"could not be run {how} ({told or 'the process was ended'})", MEND)
    try:
        return msgspec.json.decode(out, type=kind)
    except msgspec.MsgspecError as error:
        raise SaveError(path, f"could not be run {how} ({clean(str(error), 200)})", MEND) from error
