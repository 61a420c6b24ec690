"""Alerts: rows that called for attention, the newest first; enter goes there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.tui.action import first_key
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, Line, ink, outside, wrap
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage
from sandbox.tui.viewer import Alert

INDENT = 2


class AlertsLeaf(Leaf):
    """The last twenty. Opening it counts as having seen them."""

    kind = "alerts"

    def __init__(self, stage: Stage) -> None:
        super().__init__("Alerts")
        self.stage = stage
        self._new = stage.viewer.unread
        stage.viewer.unread = 0
        self._keys = stage.viewer.keys

    def entries(self, width: int) -> Sequence[Entry]:
        alerts = self.stage.viewer.alerts
        if not alerts:
            star, follow = (first_key(f"chosen.{id}", self._keys) for id in ("favourite", "follow"))
            text = (
                f"No alerts yet. They come for what befalls a favourite ({star} makes one) or whom you follow "
                f"({follow}), and for whatever the whole town will talk of."
            )
            return [Entry([[ink(part, SOFT)] for part in wrap(text, width)])]
        return [self._entry(alert, i < self._new, width) for i, alert in enumerate(reversed(alerts))]

    def _entry(self, alert: Alert, new: bool, width: int) -> Entry:
        clock, row = self.stage.viewer.world.clock, alert.row
        parts = wrap(row.text, max(10, width - INDENT), 3)
        lines: list[Line] = [[ink("! " if new else "  ", GOLD, bold=True), outside(parts[0], TEXT, bold=new)]]
        lines += [[ink(" " * INDENT), outside(part, TEXT, bold=new)] for part in parts[1:]]
        lines.append([ink(" " * INDENT), ink(clock.words(row.t), SOFT), ink(", "), outside(alert.why, DIM)])
        return Entry(lines, partial(self._go, alert), (row.seq, row.text))

    def _go(self, alert: Alert) -> None:
        stage = self.stage
        stage.close_all()
        number = stage.viewer.chronicle.last(alert.row.__eq__)
        if number is None:
            stage.notify("That row is not kept any more.", timeout=3, markup=False)
        else:
            stage.go_to_row(number)
