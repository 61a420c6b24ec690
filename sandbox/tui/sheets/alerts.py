"""Alerts: rows that called for attention, the newest first; enter goes there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, as_lines, hung, ink, outside
from sandbox.tui.view.viewer import Alert
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet


class AlertsSheet(Sheet[TownLayout]):
    """The last twenty. Opening it counts as having seen them."""

    kind, title = "alerts", "Alerts"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self._new = stage.viewer.unread
        stage.viewer.unread = 0

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        alerts = viewer.alerts
        if not alerts:
            star, follow = (first_key(f"chosen.{id}", viewer.keys) for id in ("favourite", "follow"))
            text = (
                f"No alerts yet. They come for what befalls a favourite ({star} makes one) or whom you follow "
                f"({follow}), and for whatever the whole town will talk of."
            )
            return [Entry(as_lines(text, width))]
        return [self._entry(alert, i < self._new, width) for i, alert in enumerate(reversed(alerts))]

    def _entry(self, alert: Alert, new: bool, width: int) -> Entry:
        clock, row = self.stage.viewer.world.clock, alert.row
        lines = hung([ink("! " if new else "  ", GOLD, bold=True)], row.text, width, bold=new, most=3)
        lines.append([ink(f"  {clock.words(row.t)}", SOFT), ink(", "), outside(alert.why, DIM)])
        return Entry(lines, partial(self._go, alert), (row.seq, row.text))

    def _go(self, alert: Alert) -> None:
        stage = self.stage
        stage.close_all()
        number = stage.viewer.chronicle.last(alert.row.__eq__)
        if number is None:
            stage.notify("That row is not kept any more.", timeout=3, markup=False)
        else:
            stage.go_to_row(number)
