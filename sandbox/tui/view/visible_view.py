"""What the player may see: the whole town, or only what the played person can know. The only place that decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.events import Record
from sandbox.engine.view import PersonRow, TieRow, View
from sandbox.people.guest_model import in_town
from sandbox.people.impressions import Remains
from sandbox.people.model import SEEK
from sandbox.people.mood import CALM, Cause, Pad
from sandbox.people.mood_words import colour
from sandbox.play.knowing import can_see, hears, knows_of, remembers
from sandbox.play.model import HasPlay
from sandbox.readers import talks
from sandbox.readers.stories_of_claims import CHANGED
from sandbox.readers.stories_of_pressures import OUTCOME
from sandbox.readers.timeline import TimelineRow
from sandbox.town.model import spot_after
from sandbox.town.ways import Spot, tile_at
from sandbox.tui.view.opening import Session
from sandbox.tui.view.timeline_rows import ROOM, Chronicle

UNSEEN = "not in sight"  # what a person never seen is doing
MOMENTS = 8  # cached moments of who was in sight; the screen asks for the last step's end and for one within it


class SightView(View):
    """A view of the same world that shows of others only what `me` can see of them.

    A person out of sight is placed where they were last seen, else where they live, with a neutral mood.
    """

    def __init__(self, whole: View, me: str) -> None:
        self.world, self.me, self.whole = whole.world, me, whole
        self.version, self.tail, self._trails = whole.version, whole.tail, whole._trails
        self._last: dict[str, Spot] = {}  # where and when others were last seen
        self._sight: dict[tuple[float, int], frozenset[str]] = {}  # (t, version of the view) -> who was in sight; cache

    def fresh(self) -> SightView:
        """This view, brought to the version of the whole view."""
        self.version = self.whole.version
        return self

    def over(self, whole: View) -> SightView:
        """A new SightView over another whole view, with the same last sightings."""
        other = SightView(whole, self.me)
        other._last = self._last
        return other

    def look(self, t: float) -> frozenset[str]:
        """Who is in sight at t, `me` included. Notes where they stand."""
        found = self._sight.get((t, self.whole.version))
        if found is None:
            w, mine = self.world, self._tile(self.me, t)
            others = ((who, self._tile(who, t)) for who in w.cast if who != self.me and in_town(w, who))
            seen = {who: tile for who, tile in others if can_see(w, self.me, mine, tile)}
            self._last |= {who: Spot(tile, int(t)) for who, tile in seen.items()}
            found = frozenset((self.me, *seen))
            if len(self._sight) >= MOMENTS:
                self._sight.clear()
            self._sight[t, self.whole.version] = found
        return found

    def _tile(self, who: str, t: float) -> int:
        return tile_at(self.whole.spot(who, t), int(t), self.world.map.width)

    def shows(self, who: str, t: float) -> bool:
        return who in self.look(t)

    def hears(self, who: str, t: float) -> bool:
        return who == self.me or hears(self.world, self.me, self._tile(self.me, t), self._tile(who, t))

    def seen(self, who: str) -> tuple[int, str] | None:
        """When (second) and where somebody was last seen, None if never."""
        spot = self._last.get(who)
        return (spot.t, self.world.handbook.at(self.world.map.area_of[spot.tile])) if spot is not None else None

    # ---- the methods of View, limited

    def spot(self, who: str, t: float) -> Spot:
        if self.shows(who, t):
            return self.whole.spot(who, t)
        home = self.world.map.areas.get(self.world.cast[who].home)
        return self._last.get(who) or Spot(home.tiles[0] if home is not None else self._tile(self.me, t), 0)

    def pad(self, who: str, t: float) -> Pad:
        return self.whole.pad(who, t) if who == self.me else CALM

    def row(self, who: str, t: float) -> PersonRow:
        row = super().row(who, t)
        if who == self.me:
            return row
        if not self.shows(who, t):
            return row._replace(awake=False, talk="")
        return row._replace(mood=colour(self.whole.pad(who, t)))

    def rows(self, t: float) -> list[PersonRow]:
        return [self.row(who, t) for who in self.world.cast if self.shows(who, t)]

    def doing(self, who: str) -> str:
        if who == self.me:
            return super().doing(who)
        w = self.world
        if not in_town(w, who) or not self.shows(who, w.now):
            at = self.seen(who)
            return super().doing(who) if not in_town(w, who) else f"seen {w.clock.hhmm(at[0])}" if at else UNSEEN
        r = w.people.residents[who]
        if not r.awake:
            return "asleep"
        if r.talk in w.talk.open:
            return super().doing(who)
        if w.town.spots[who].path:
            return "walking"
        return w.handbook.doing(r.act.do) if r.act is not None and r.act.block != SEEK else "standing about"

    def place(self, who: str, t: float) -> str:
        if self.shows(who, t) or not in_town(self.world, who):
            return super().place(who, t)
        at = self.seen(who)
        if at is not None:
            return f"last seen {self.world.clock.hhmm(at[0])} {at[1]}"
        tie = self.world.people.ties.get(self.me, {}).get(who)
        met = tie is not None and tie.last_talk >= 0
        return f"you last talked {self.world.clock.words(tie.last_talk)}" if tie and met else "not seen yet"

    def causes(self, who: str, t: float) -> list[Cause]:
        return super().causes(who, t) if who == self.me else []

    def ties(self, who: str) -> list[TieRow]:
        return super().ties(who) if who == self.me else []

    def left(self, who: str, other: str) -> Remains | None:
        return super().left(who, other) if who == self.me else None

    def agenda(self, who: str, t: float) -> list[tuple[str, str, str, str]]:
        return super().agenda(who, t) if who == self.me else []


class PlayerKnowledge:
    """Decides which part of a session the player may see. whole: all rows of the timeline."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.whole = Chronicle()
        self._sight: SightView | None = None
        self._known: KnownRows | None = None

    @property
    def me(self) -> str:
        """The person whose knowledge limits the screen, "" if it shows everything, as a replay does."""
        played = self.session.world.played
        return "" if self.session.replaying or played.sees_all else played.who

    def hides(self, who: str) -> bool:
        """Whether a person's inner state is hidden from the player."""
        return self.me not in ("", who)

    def own_first(self, a: str, b: str) -> tuple[str, str]:
        """The two people, first one who is not hidden, if there is one."""
        return (b, a) if self.hides(a) else (a, b)

    @property
    def view(self) -> View:
        """The view to show: the whole one, or a SightView of `me`."""
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
        """The rows of the timeline that may be shown."""
        me = self.me
        if not me:
            return self.whole
        if self._known is None or self._known.me != me or self._known.whole is not self.whole:
            self._known = KnownRows(self.whole, me)
        return self._known.upto(self.session.world)

    def take(self, records: Sequence[Record], rows: Sequence[TimelineRow]) -> list[TimelineRow]:
        """Take in the rows of a finished step; return those that may be shown."""
        before = self.rows.told
        if self._known is not None and self.me:
            self._known.saw(self.session.world, records, rows)
        self.whole.add(rows)
        return self.rows.since(before)

    def hears(self, who: Iterable[str], t: float) -> bool:
        """Whether `me` can hear any of these people at t."""
        view = self.view
        return any(view.shows(one, t) and view.hears(one, t) for one in who)

    def knows_talk(self, id: str, who: Sequence[str], t: float) -> bool:
        """Whether a talk may be shown: `me` took part, hears it or knows of it. who: its people, as far as known."""
        if not self.me or self.me in who:
            return True
        talk = self.session.world.talk.open.get(id)
        return self.hears(talk.who, t) if talk is not None else self.rows.last(lambda row: row.talk == id) is not None


# ---- the rows of the timeline that the played person can know


PUBLIC = (OUTCOME, CHANGED)  # marks of rows that everybody knows


class KnownRows:
    """The rows of a chronicle that one person can know, kept up to date. whole: all rows; me: that person."""

    def __init__(self, whole: Chronicle, me: str) -> None:
        self.whole, self.me = whole, me
        self.rows = Chronicle(whole.kept)
        self.rows.first = ROOM
        self._from = self._upto = whole.told
        self._spots: dict[str, Spot] = {}  # the last walk of each person in the steps taken in
        self._judged: dict[TimelineRow, bool] = {}  # row -> whether `me` perceived its event as it happened

    def saw(self, w: HasPlay, records: Sequence[Record], rows: Sequence[TimelineRow]) -> None:
        """Take in the records of finished steps and the rows made of them."""
        told: dict[int, list[TimelineRow]] = {}
        for row in rows:
            if row.who and not row.occasion:
                told.setdefault(row.seq, []).append(row)
        for record in records:
            if (spot := spot_after(record, w.map.width)) is not None:
                self._spots[record.stamp.actor] = spot
            for row in told.get(record.stamp.seq, ()):
                self._judged[row] = self._perceived(w, record, row)

    def _perceived(self, w: HasPlay, record: Record, row: TimelineRow) -> bool:
        at = record.stamp
        if row.of_talk:
            return row.who[0] == self.me
        mine, theirs = (self._tile(w, who, at.t) for who in (self.me, at.actor or row.who[0]))
        if mine is None or theirs is None:
            return knows_of(w, self.me, record)
        return knows_of(w, self.me, record, can_see(w, self.me, mine, theirs), hears(w, self.me, mine, theirs))

    def _tile(self, w: HasPlay, who: str, t: int) -> int | None:
        """The tile somebody was on at second t; None if the steps taken in do not tell."""
        now = w.town.spots.get(who)
        spot = now if now is not None and now.t <= t else self._spots.get(who)
        return tile_at(spot, t, w.map.width) if spot is not None else None

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

    def _knows(self, w: HasPlay, row: TimelineRow) -> bool:
        """Whether `me` knows a row: perceived it then, or remembers it, or it is public or their own."""
        judged = self._judged.pop(row, None)
        if judged is not None:
            return judged or remembers(w, self.me, row.seq)
        if not row.who or row.occasion or row.mark in PUBLIC:
            return True
        own = row.who[0] == self.me or (self.me in row.who and row.mark in talks.SPOKEN)
        return own or remembers(w, self.me, row.seq)
