"""The system that carries people through their day: wake, plan, cut a block into acts, go there, do it, go on, sleep.

It works in waves: all who have something due are taken together, their questions go to the minds as batches, and each
answer is acted on in a shuffled order. A step of an hour has many waves, a step of ten seconds mostly none.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.protocols import Step, by_lot
from sandbox.people.activities import Activity
from sandbox.people.claims.apply import opens
from sandbox.people.claims.evenings import in_company
from sandbox.people.deciding.cutting import CutBlock, Items
from sandbox.people.deciding.plans import DayPlan, PlanDay
from sandbox.people.guests.model import here
from sandbox.people.marks.habits import kept
from sandbox.people.model import Chose, Cut, HasPeople, Planned, Resident, Woke, take_due
from sandbox.people.moods import mood_of, tag_of
from sandbox.people.planning import Bent, HasWays, block_at, lived, plan_question
from sandbox.people.played import is_played
from sandbox.town.grid import Area, Thing
from sandbox.town.model import Arrived, Stopped, Walked
from sandbox.town.rules import arrival, tile_at

WAVES = 400
BESIDE = 2  # tiles at which one stands by somebody one has looked for
EARLY = 150  # seconds before its time that a block may be begun, when nothing else fits in


class Living:
    """The system. It keeps nothing but caches of what the static map affords."""

    def __init__(self) -> None:
        self._options: dict[tuple[str, str, str, frozenset[str]], tuple[Activity, ...]] = {}
        self._taken: set[int] = set()

    async def __call__(self, step: Step, w: HasWays) -> None:
        """Go on until nobody has anything due in this step."""
        for _ in range(WAVES):
            due = take_due(w.people, step.end)
            if not due:
                return
            await self._wave(step, w, by_lot(step, "turn", due, lambda who: (who, moment(step, w, who))))
        raise RuntimeError(f"step {step.number}: people never come to rest")

    async def _wave(self, step: Step, w: HasWays, due: list[str]) -> None:
        planners, ready = [], []
        for who in due:
            r = w.people.residents[who]
            t = moment(step, w, who)
            spot = w.town.spots[who]
            if spot.path and arrival(spot) <= t:
                x, y = w.map.xy(spot.to)
                step.emit(Arrived(x, y), t=t, actor=who)
                continue
            if not r.awake and r.act is not None:
                step.emit(Woke(), t=t, actor=who)
            over = not r.plan or t >= r.plan[-1].end
            if is_played(w, who) and over:
                continue  # until they are told what to do next
            if over or r.upset:
                planners.append(who)
            ready.append(who)
        if planners:
            await self._plan(step, w, planners)
        await self._cut(step, w, ready)
        self._taken = {s.to if s.path else s.tile for s in w.town.spots.values()}
        for who in ready:
            self._go(step, w, who)
        await step.breathe()

    # ---- planning

    async def _plan(self, step: Step, w: HasWays, planners: list[str]) -> None:
        days = [_framed(w, who, moment(step, w, who)) for who in planners]
        answers: list[DayPlan] = await step.ask([q for q, _ in days])
        for who, (q, bent), answer in zip(planners, days, answers, strict=True):
            r = w.people.residents[who]
            causes = ((r.replan_cause,) if r.replan_cause else ()) + lived(bent, answer.blocks)
            step.emit(Planned(q.day, answer.blocks, q.why, r.upset), t=q.now, actor=who, causes=causes)

    # ---- cutting blocks into acts

    async def _cut(self, step: Step, w: HasWays, ready: list[str]) -> None:
        askers: list[tuple[str, int, int]] = []
        for who in ready:
            r = w.people.residents[who]
            t = moment(step, w, who)
            index = block_at(r, t + EARLY)
            if index != r.block or (r.item >= len(r.items) and not self._resting(r, t)):
                askers.append((who, index, t))
        questions = []
        for who, index, t in askers:
            r = w.people.residents[who]
            block = r.plan[index]
            options = self.options(w, block.do, block.where, w.cast[who].job, opens(w, who, block.where))
            minutes = max(1, (block.end - t) // 60)
            mood = mood_of(w, who, t)
            questions.append(CutBlock(who, index, block.do, block.where, minutes, options, tuple(r.acted), mood, now=t))
        if questions:
            answers: list[Items] = await step.ask(questions)
            for (who, index, t), answer in zip(askers, answers, strict=True):
                step.emit(Cut(index, answer.items), t=t, actor=who)

    @staticmethod
    def _resting(r: Resident, t: int) -> bool:
        return (r.act is not None and r.act.until > t) or r.going is not None

    def options(self, w: HasWays, block: str, where: str, job: str, opened: frozenset[str]) -> tuple[Activity, ...]:
        """The activities of a block that a place and a job allow. opened: terms of claims that open some."""
        key = (block, where, job, opened)
        found = self._options.get(key)
        if found is None:
            area = w.map.areas[where]
            affords = area.affords()
            tags = {*area.arena.tags, area.sector.name}
            found = self._options[key] = tuple(
                a
                for a in w.handbook.deck.activities
                if block in a.blocks
                and (not a.needs or a.needs in affords)
                and (not a.where or tags & set(a.where))
                and (not a.jobs or job in a.jobs)
                and (not a.claim or a.claim in opened)
            )
        return found

    # ---- acting

    def _go(self, step: Step, w: HasWays, who: str) -> None:
        r = w.people.residents[who]
        t = moment(step, w, who)
        if r.going is not None and block_at(r, t + EARLY) == r.block:
            walk(step, w, who, r.going.tile, r.going.where, t)
            return
        block = r.plan[r.block]
        item = r.items[r.item] if r.item < len(r.items) else None
        do = item.do if item else block.do
        seconds = min(item.minutes * 60 if item else block.end - t, block.end - t)
        if do == "sleep" or block.do == "sleep":
            seconds = block.end - t
        seconds = max(60, seconds)
        thing, tile = self._place(step, w, who, do, w.map.areas[block.where], t)
        here = tile_at(w.town.spots[who], t, w.map.width)
        x, y = w.map.xy(tile)
        there = here == tile
        mood = tag_of(w, who, t)
        step.emit(Chose(do, block.do, block.where, thing, x, y, seconds, r.item + 1, there, mood), t=t, actor=who)
        if not there:
            walk(step, w, who, tile, block.where, t)

    def _place(self, step: Step, w: HasWays, who: str, do: str, area: Area, t: int) -> tuple[str, int]:
        """An object and the tile it is used from; else any free tile of the area."""
        need = "sleep" if do == "sleep" else ""
        activity = w.handbook.activities.get(do)
        if activity is not None:
            need = activity.needs
        chance = step.chance(who, "place", t)
        r = w.people.residents[who]
        if need:
            things = area.beds() if need == "sleep" else [x for x in area.things if need in x.affords and x.spots]
            free = [x for x in things if x.address not in w.town.used or w.town.used[x.address].by == who]
            if need == "sleep" and things:
                bed = bed_of(w, who, things, free)
                return bed.address, chance.choice(bed.spots)
            if r.act is not None and any(x.address == r.act.thing for x in free):
                thing = next(x for x in free if x.address == r.act.thing)
                return thing.address, w.town.spots[who].tile
            if free or things:
                thing = chance.choice(free or things)
                return thing.address, chance.choice(thing.spots)
        free_tiles: Sequence[int] = [tile for tile in area.tiles if tile not in self._taken] or area.tiles
        if r.plan[r.block].whom:
            free_tiles = beside(w, r.plan[r.block].whom, free_tiles, step.now)
        tile = chance.choice(free_tiles)
        self._taken.add(tile)
        return "", tile


def _framed(w: HasWays, who: str, t: int) -> tuple[PlanDay, list[Bent]]:
    """The question of somebody's day, as their claims and their marks leave it, and what these have changed in it."""
    q, company = in_company(w, plan_question(w, who, t))
    q, habits = kept(w, q)
    return q, [*company, *habits]


def moment(step: Step, w: HasWays, who: str) -> int:
    """When somebody does what is due: not before this slice, nor before what has befallen them since."""
    return max(w.people.residents[who].due, step.now, w.last.get(who, 0))


def beside(w: HasPeople, whom: str, tiles: Sequence[int], t: int) -> Sequence[int]:
    """Of these tiles, those next to somebody who is looked for; all of them if that person is elsewhere."""
    width = w.map.width
    x, y = w.map.xy(tile_at(w.town.spots[whom], t, width))
    near = [tile for tile in tiles if abs(tile % width - x) <= BESIDE and abs(tile // width - y) <= BESIDE]
    return near or tiles


def bed_of(w: HasPeople, who: str, beds: list[Thing], free: list[Thing]) -> Thing:
    """The bed one always lies in at home, by order among those who share the room; elsewhere a free one."""
    mates = [p.id for p in w.cast.values() if p.home == w.cast[who].home and here(w, p.id)]
    if beds[0].arena == w.cast[who].home:
        return beds[mates.index(who) % len(beds)]
    return (free or beds)[0]


def walk(step: Step, w: HasWays, who: str, to: int, where: str, t: int) -> None:
    """Set out for a tile of a place, or be there. Raises RuntimeError if no way leads there."""
    here = tile_at(w.town.spots[who], t, w.map.width)
    x, y = w.map.xy(here)
    path = w.ways.path(here, to, step.chance(who, "walk", t))
    if not path:
        if path is None:
            raise RuntimeError(f"{who}: no way from {x},{y} to {w.map.xy(to)}")
        step.emit(Arrived(x, y), t=t, actor=who)
        return
    step.emit(Walked(x, y, path, walk_pace(w, who), where), t=t, actor=who)


def walk_pace(w: HasWays, who: str) -> int:
    """Tiles a minute: the town's pace, slower for the old, faster for the young and the roused."""
    pace = w.town_parameters.pace
    age = w.cast[who].age
    if age >= 70:
        return max(1, pace * 7 // 10)
    return pace * 6 // 5 if age < 16 else pace


def stop(step: Step, w: HasPeople, who: str, t: int) -> None:
    """Break off a walk, if the person is walking."""
    spot = w.town.spots[who]
    if spot.path:
        x, y = w.map.xy(tile_at(spot, t, w.map.width))
        step.emit(Stopped(x, y), t=t, actor=who)
