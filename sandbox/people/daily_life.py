"""The system that runs people's days: wake, plan, cut a block into acts, walk there, act, repeat, sleep.

It works in waves: everybody with something due is taken together, their questions go to the minds as a batch, and the
answers are acted on in shuffled order. A step of an hour has many waves, a step of ten seconds mostly none.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandbox.core.protocols import Step, by_lot
from sandbox.people.claim_handlers import claims_of, opens
from sandbox.people.claim_model import StandingClaim
from sandbox.people.guest_handlers import Left, SetOff
from sandbox.people.guest_model import Stay
from sandbox.people.handbook import Activity
from sandbox.people.mark_habits import apply_habits
from sandbox.people.model import Block, Chose, Cut, HasPeople, Planned, Resident, Woke, take_due
from sandbox.people.mood_queries import mood_of, tag_of
from sandbox.people.planning import (
    EVENING,
    SOON,
    HasWays,
    PlanChange,
    Users,
    block_at,
    expected_place,
    free_spots,
    has_room,
    not_others,
    parlour,
    place_to_sleep,
    plan_causes,
    plan_question,
    users,
    usual_blocks,
)
from sandbox.people.played import is_played
from sandbox.people.question_plan import VISIT, CutBlock, DayPlan, Items, PlanDay
from sandbox.town.grid import Area, Thing
from sandbox.town.model import Arrived, Stopped, Walked
from sandbox.town.plan import sector_of
from sandbox.town.ways import arrival_time, tile_at


def in_company(w: HasWays, q: PlanDay) -> tuple[PlanDay, list[PlanChange]]:
    """The planning question with an evening in company put into the usual day, and the change made (none: []). The two
    people of a claim such as a couple take turns to be guest and host, by even and odd days.
    """
    for claim in claims_of(w, q.who):
        if w.claim_deck.kinds[claim.kind].evenings and len(claim.people) > 1 and _meet(w, claim):
            guest, host = claim.people if q.day % 2 else claim.people[::-1]
            found = _evening(w, q, guest, host)
            if found is not None:
                i, block = found
                bent = [PlanChange(block, claim.seq)] if claim.seq else []
                return replace(q, usual=(*q.usual[:i], block, *q.usual[i + 1 :])), bent
    return q, []


def _meet(w: HasWays, claim: StandingClaim) -> bool:
    """Whether two people need an arranged evening; those who shared a home from the start meet there anyway."""
    a, b = claim.people
    return bool(claim.seq) or w.cast[a].household != w.cast[b].household


def _evening(w: HasWays, q: PlanDay, guest: str, host: str) -> tuple[int, Block] | None:
    """The first evening block that both have free: its index in the usual day of q.who, and the new block."""
    theirs, day = usual_blocks(w, host, q.day), usual_blocks(w, guest, q.day)
    for i, b in enumerate(day):
        j = max((j for j, x in enumerate(theirs) if x.start <= b.start + SOON), default=-1)
        late = b.start >= q.midnight + EVENING and b.start >= q.now
        if not late or j < 0 or not {b.do, theirs[j].do} <= {*q.free}:
            continue
        if expected_place(w, host, b.start + SOON) != theirs[j].where:  # an occasion has them elsewhere
            continue
        home = w.cast[host].home
        where = parlour(w, home) if sector_of(theirs[j].where) == sector_of(home) else theirs[j].where
        if q.who == host:
            why = f"expects {w.handbook.name(guest)} for the evening"
            return j, replace(theirs[j], where=where, why=why)
        do = VISIT if where == parlour(w, home) and w.cast[guest].household != w.cast[host].household else theirs[j].do
        return i, Block(b.start, 0, do, where, f"wants to spend the evening with {w.handbook.name(host)}")
    return None


WAVES = 400  # waves in one step after which people are taken to loop forever
BESIDE = 2  # tiles, on each axis, within which one stands beside somebody one was looking for
EARLY = 150  # seconds before its start that a block may begin, when nothing else fits in


class Living:
    """The system. It keeps only caches: of what the static map affords, and of what is taken in this wave."""

    def __init__(self) -> None:
        self._options: dict[tuple[str, str, str, frozenset[str]], tuple[Activity, ...]] = {}
        self._taken: set[int] = set()
        self._used: Users = {}
        self._floors: dict[str, tuple[int, ...]] = {}

    async def __call__(self, step: Step, w: HasWays) -> None:
        """Run waves until nobody has anything due in this step. Raises RuntimeError after WAVES."""
        for _ in range(WAVES):
            due = take_due(w.people, step.end)
            if not due:
                return
            await self._wave(step, w, by_lot(step, "turn", due, lambda who: (who, action_time(step, w, who))))
        raise RuntimeError(f"step {step.number}: people never come to rest")

    async def _wave(self, step: Step, w: HasWays, due: list[str]) -> None:
        planners, ready = [], []
        for who in due:
            r = w.people.residents[who]
            t = action_time(step, w, who)
            spot = w.town.spots[who]
            if spot.path and arrival_time(spot) <= t:
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
        if ready:
            await self._cut(step, w, ready)
            self._taken = {s.to if s.path else s.tile for s in w.town.spots.values()}
            self._used = users(w)
            for who in ready:
                self._go(step, w, who)
        await step.breathe()

    # ---- planning

    async def _plan(self, step: Step, w: HasWays, planners: list[str]) -> None:
        days = [_framed(w, who, action_time(step, w, who)) for who in planners]
        answers: list[DayPlan] = await step.ask([q for q, _ in days])
        for who, (q, bent), answer in zip(planners, days, answers, strict=True):
            r = w.people.residents[who]
            causes = ((r.replan_cause,) if r.replan_cause else ()) + plan_causes(bent, answer.blocks)
            step.emit(Planned(q.day, answer.blocks, q.why, r.upset), t=q.now, actor=who, causes=causes)

    # ---- cutting blocks into acts

    async def _cut(self, step: Step, w: HasWays, ready: list[str]) -> None:
        askers: list[tuple[str, int, int]] = []
        for who in ready:
            r = w.people.residents[who]
            t = action_time(step, w, who)
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
    def _resting(resident: Resident, t: int) -> bool:
        return (resident.act is not None and resident.act.until > t) or resident.going is not None

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
        t = action_time(step, w, who)
        if r.going is not None and block_at(r, t + EARLY) == r.block:
            walk_to(step, w, who, r.going.tile, r.going.where, t)
            return
        block = r.plan[r.block]
        item = r.items[r.item] if r.item < len(r.items) else None
        do = item.do if item else block.do
        seconds = min(item.minutes * 60 if item else block.end - t, block.end - t)
        if do == "sleep" or block.do == "sleep":
            seconds = block.end - t
        seconds = max(60, seconds)
        do, thing, tile = self._place(step, w, who, do, w.map.areas[block.where], t)
        where = w.map.things[thing].arena if thing else block.where
        here = tile_at(w.town.spots[who], t, w.map.width)
        x, y = w.map.xy(tile)
        there = here == tile
        mood = tag_of(w, who, t)
        step.emit(Chose(do, block.do, where, thing, x, y, seconds, r.item + 1, there, mood), t=t, actor=who)
        for using in self._used.values():
            using.pop(who, None)
        if thing:
            self._used.setdefault(thing, {})[who] = tile
        if not there:
            walk_to(step, w, who, tile, where, t)

    def _place(self, step: Step, w: HasWays, who: str, do: str, area: Area, t: int) -> tuple[str, str, int]:
        """(activity, object, tile to use it from). Without an object ("") any free tile of the area is chosen. If all
        objects for the activity are in use, another activity of the block takes its place.
        """
        chance = step.chance(who, "place", t)
        r = w.people.residents[who]
        need = "sleep" if r.plan[r.block].do == "sleep" else self._need(w, do)
        if need == "sleep":
            bed = place_to_sleep(w, self._used, who, area)
            if bed is not None:
                return do, bed.address, chance.choice(free_spots(self._used, bed, who))
        elif need:
            free = self._free(w, who, area, need)
            if not free:
                do = self._instead(step, w, who, area, do, t)
                need = self._need(w, do)
                free = self._free(w, who, area, need) if need else []
            if r.act is not None and any(x.address == r.act.thing for x in free):
                return do, r.act.thing, w.town.spots[who].tile
            if free:
                thing = chance.choice(free)
                return do, thing.address, chance.choice(free_spots(self._used, thing, who))
        floor = self._floor(area)
        free_tiles: Sequence[int] = [tile for tile in floor if tile not in self._taken] or floor
        if r.plan[r.block].whom:
            free_tiles = tiles_beside(w, r.plan[r.block].whom, free_tiles, step.now)
        tile = chance.choice(free_tiles)
        self._taken.add(tile)
        return do, "", tile

    def _free(self, w: HasWays, who: str, area: Area, need: str) -> list[Thing]:
        """The things of an area that afford `need` and have room for somebody, without other people's beds."""
        things = [x for x in area.things if need in x.affords and has_room(self._used, x, who)]
        return not_others(w, who, area, things) if any("sleep" in x.affords for x in things) else things

    def _instead(self, step: Step, w: HasWays, who: str, area: Area, do: str, t: int) -> str:
        """Another activity of the block, instead of `do`, whose objects are all in use."""
        block = w.people.residents[who].plan[w.people.residents[who].block]
        options = self.options(w, block.do, block.where, w.cast[who].job, opens(w, who, block.where))
        left = [a.do for a in options if a.do != do and (not a.needs or self._free(w, who, area, a.needs))]
        return step.chance(who, "instead", t).choice(left) if left else block.do

    @staticmethod
    def _need(w: HasWays, do: str) -> str:
        """The affordance that an activity needs of an object, "" if it needs no object."""
        activity = w.handbook.activities.get(do)
        return activity.needs if activity is not None else "sleep" if do == "sleep" else ""

    def _floor(self, area: Area) -> Sequence[int]:
        """The tiles of an area without objects; if every tile has one, all walkable tiles."""
        found = self._floors.get(area.address)
        if found is None:
            on = {tile for thing in area.things for tile in thing.spots if thing.tile in thing.spots}
            found = self._floors[area.address] = tuple(x for x in area.tiles if x not in on) or area.tiles
        return found


def _framed(w: HasWays, who: str, t: int) -> tuple[PlanDay, list[PlanChange]]:
    """The planning question after claims and marks have changed it, and the list of these changes."""
    q, company = in_company(w, plan_question(w, who, t))
    q, habits = apply_habits(w, q)
    return q, [*company, *habits]


def action_time(step: Step, w: HasWays, who: str) -> int:
    """The second at which somebody does what is due: not before this step, nor before their last event."""
    return max(w.people.residents[who].due, step.now, w.last.get(who, 0))


def tiles_beside(w: HasPeople, whom: str, tiles: Sequence[int], t: int) -> Sequence[int]:
    """Those of `tiles` within BESIDE of the person `whom`; all of them if there are none."""
    width = w.map.width
    x, y = w.map.xy(tile_at(w.town.spots[whom], t, width))
    near = [tile for tile in tiles if abs(tile % width - x) <= BESIDE and abs(tile // width - y) <= BESIDE]
    return near or tiles


def walk_to(step: Step, w: HasWays, who: str, to: int, where: str, t: int) -> None:
    """Emit a walk to tile `to` in area `where`, or the arrival if already there. Raises RuntimeError without a path."""
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
    """Tiles a minute: the town's pace, slower from age 70, faster below 16."""
    pace = w.town_parameters.pace
    age = w.cast[who].age
    if age >= 70:
        return max(1, pace * 7 // 10)
    return pace * 6 // 5 if age < 16 else pace


def stop(step: Step, w: HasPeople, who: str, t: int) -> None:
    """Stop somebody where they are, if they are walking."""
    spot = w.town.spots[who]
    if spot.path:
        x, y = w.map.xy(tile_at(spot, t, w.map.width))
        step.emit(Stopped(x, y), t=t, actor=who)


# ---- guests whose time is over walk to where they came in, and are gone


async def leave_town(step: Step, w: HasWays) -> None:
    """Let guests whose time is over leave in this step. Without guests it emits nothing."""
    for who, stay in w.guests.stays.items():
        if stay.left < 0 <= stay.until <= step.now:
            _leave(step, w, who, stay)


def _leave(step: Step, w: HasWays, who: str, stay: Stay) -> None:
    """Send a guest off once they are awake and not in a talk, or let them leave if they are at the way out."""
    r, spot = w.people.residents[who], w.town.spots[who]
    if r.talk or not r.awake:
        return
    t = max(step.now, w.last.get(who, 0))
    if stay.off >= 0 and spot.path and spot.to == stay.way:
        gone = max(t, arrival_time(spot))
        if gone < step.end:
            _gone(step, w, who, stay, gone)
        return
    here = tile_at(spot, t, w.map.width)
    x, y = w.map.xy(here)
    path = w.ways.path(here, stay.way, step.chance(who, "leave", t))
    if not path:
        _gone(step, w, who, stay, t)
        return
    stop(step, w, who, t)
    step.emit(SetOff(x, y, path, walk_pace(w, who), ""), t=t, actor=who, causes=(stay.seq,))


def _gone(step: Step, w: HasWays, who: str, stay: Stay, t: int) -> None:
    step.emit(Left(*w.map.xy(stay.way)), t=t, actor=who, causes=(stay.seq,))
