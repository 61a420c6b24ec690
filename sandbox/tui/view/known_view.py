"""The town as whoever is played can see it: who is in sight as they look, all others where they were last seen."""

from __future__ import annotations

from sandbox.engine.view import PersonRow, TieRow, View
from sandbox.people.guest_model import in_town
from sandbox.people.impressions import Remains
from sandbox.people.model import SEEK
from sandbox.people.mood import CALM, Cause, Pad
from sandbox.people.mood_words import colour
from sandbox.play.knowing import can_see, hears
from sandbox.town.rules import Spot, tile_at

UNSEEN = "not in sight"
MOMENTS = 8  # of which it is known who was in sight: the screen asks for the last step's, and for one within it


class SightView(View):
    """A view of the same world that tells of others only what can be seen of them. me: who looks.

    One who is out of sight stands where they were last seen, else where they live; they look as nobody in particular.
    """

    def __init__(self, whole: View, me: str) -> None:
        self.world, self.me, self.whole = whole.world, me, whole
        self.version, self.tail, self._trails = whole.version, whole.tail, whole._trails
        self._last: dict[str, Spot] = {}  # where others were last seen, and when
        self._sight: dict[tuple[float, int], frozenset[str]] = {}  # by moment and version, of the latest few

    def fresh(self) -> SightView:
        """Itself, as new as what it looks through."""
        self.version = self.whole.version
        return self

    def over(self, whole: View) -> SightView:
        """The same eyes over another view of the town."""
        other = SightView(whole, self.me)
        other._last = self._last
        return other

    def look(self, t: float) -> frozenset[str]:
        """Who is in sight at t, oneself among them. Where they stand is kept for later."""
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
        """When and where somebody was last seen, None if they were not."""
        spot = self._last.get(who)
        return (spot.t, self.world.handbook.at(self.world.map.area_of[spot.tile])) if spot is not None else None

    # ---- what a view is asked

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
