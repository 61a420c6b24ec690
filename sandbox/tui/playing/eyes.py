"""Through whose eyes a town is shown: all of it, or what whoever is played can know. The one place the screen asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.events import Record
from sandbox.engine.view import View
from sandbox.play.knowing import knower
from sandbox.stories.timeline import Row
from sandbox.tui.chronicle import Chronicle
from sandbox.tui.playing.known import Known
from sandbox.tui.playing.sights import SightView
from sandbox.tui.session import Session


class Eyes:
    """whole: all rows of the timeline."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.whole = Chronicle()
        self._sight: SightView | None = None
        self._known: Known | None = None

    @property
    def me(self) -> str:
        """Whose knowledge is kept to, "" if all is shown. A replay shows all."""
        return "" if self.session.replaying else knower(self.session.world)

    def hides(self, who: str) -> bool:
        """Whether what goes on in somebody is not to be shown."""
        return self.me not in ("", who)

    def own_first(self, a: str, b: str) -> tuple[str, str]:
        """Two people, beginning with one of whom all may be shown, if there is one."""
        return (b, a) if self.hides(a) else (a, b)

    @property
    def view(self) -> View:
        """What may be asked about the town: of others only what can be seen of them."""
        me, whole = self.me, self.session.view
        if not me:
            return whole
        if self._sight is None or self._sight.me != me:
            self._sight = SightView(whole, me)
        elif self._sight.whole is not whole:
            self._sight = self._sight.over(whole)
        return self._sight.fresh()

    @property
    def rows(self) -> Chronicle:
        """The rows of the timeline that are known."""
        me = self.me
        if not me:
            return self.whole
        if self._known is None or self._known.me != me or self._known.whole is not self.whole:
            self._known = Known(self.whole, me)
        return self._known.upto(self.session.world)

    def take(self, records: Sequence[Record], rows: Sequence[Row]) -> list[Row]:
        """Take in the rows of a finished step; those that are known."""
        before = self.rows.told
        if self._known is not None and self.me:
            self._known.saw(self.session.world, records, rows)
        self.whole.add(rows)
        return self.rows.since(before)

    def hears(self, who: Iterable[str], t: float) -> bool:
        """Whether what these people say to each other can be heard."""
        view = self.view
        return any(view.shows(one, t) and view.hears(one, t) for one in who)

    def knows_talk(self, id: str, who: Sequence[str], t: float) -> bool:
        """Whether a talk may be shown: they had a part in it, hear it, or know of it. who: the two, as far as known."""
        if not self.me or self.me in who:
            return True
        talk = self.session.world.talk.open.get(id)
        return self.hears(talk.who, t) if talk is not None else self.rows.last(lambda row: row.talk == id) is not None
