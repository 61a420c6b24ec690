"""The rows of the timeline that whoever is played can know: what they had a part in, perceived or were told, and what
all the town hears of.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.events import Record
from sandbox.play.knowing import knows_of, remembers
from sandbox.play.model import HasPlay
from sandbox.stories import talks
from sandbox.stories.of_claims import CHANGED
from sandbox.stories.of_pressures import OUTCOME
from sandbox.stories.timeline import Row
from sandbox.talk.model import Closed
from sandbox.tui.chronicle import ROOM, Chronicle
from sandbox.tui.playing.sights import SightView

LATELY = 120  # seconds back to which it is known where people stood
SPOKEN = (talks.TALK, talks.ROW, talks.TENDER, talks.GOSSIP)  # marks of rows that tell a talk, not what it changed
PUBLIC = (OUTCOME, CHANGED)


class Known:
    """Of a chronicle, the rows that one person can know, kept up to date. whole: all rows; me: who it is."""

    def __init__(self, whole: Chronicle, me: str) -> None:
        self.whole, self.me = whole, me
        self.rows = Chronicle(whole.kept)
        self.rows.first = ROOM
        self._from = self._upto = whole.told
        self._judged: dict[Row, bool] = {}  # whether a row that was lived to see came to them

    def saw(self, w: HasPlay, view: SightView, records: Sequence[Record], rows: Sequence[Row]) -> None:
        """Take in a finished step, of which these rows tell."""
        by_seq = {record.stamp.seq: record for record in records}
        for row in rows:
            record = by_seq.get(row.seq) if row.who else None
            if record is not None and record.stamp.t >= w.now - LATELY:
                self._judged[row] = self._perceived(w, view, record, row)

    def _perceived(self, w: HasPlay, view: SightView, record: Record, row: Row) -> bool:
        at = record.stamp
        if isinstance(record.event, Closed) and row.mark not in SPOKEN:
            return row.who[0] == self.me  # what a talk has changed in somebody
        actor = at.actor or row.who[0]
        saw = actor in view.look(at.t) if actor in w.cast else False
        return knows_of(w, self.me, record, saw, saw and view.hears(actor, at.t))

    def upto(self, w: HasPlay) -> Chronicle:
        """The rows known by now."""
        whole, rows = self.whole, self.rows
        if whole.first < self._from:
            older = whole.since(whole.first)[: self._from - whole.first]
            rows.add_before([row for row in older if self._knows(w, row)])
        self._from = whole.first
        if whole.told > self._upto:
            rows.add(row for row in whole.since(self._upto) if self._knows(w, row))
            self._upto = whole.told
        return rows

    def _knows(self, w: HasPlay, row: Row) -> bool:
        """Whether a row is known: it came to them as it happened, else they can be taken to know it."""
        judged = self._judged.pop(row, None)
        if judged is not None:
            return judged or remembers(w, self.me, row.seq)
        if not row.who or row.occasion or row.mark in PUBLIC:
            return True
        own = row.who[0] == self.me or (self.me in row.who and row.mark in SPOKEN)
        return own or remembers(w, self.me, row.seq)
