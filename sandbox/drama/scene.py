"""How a showdown is played: when one starts, what is said turn by turn, and how it ends. A system. Choosing sides:
taking_sides.py; the effects of a verdict are in the drama deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.core.text import join_names, spelt
from sandbox.drama.claims import change_claims, react_to_breach
from sandbox.drama.consequences import (
    PressureDeed,
    end_pressure,
    free_moment,
    move_pressure,
    pressure_sentence,
    turned_by,
)
from sandbox.drama.hearsay import expose_lie
from sandbox.drama.new_pressures import comes_to
from sandbox.drama.taking_sides import (
    ABOUT,
    BROKEN,
    HOLDER,
    PEACE,
    SHOWDOWN,
    WEEK,
    Showdown,
    ShowdownTurn,
    SideChoice,
    caller_of,
    came_of,
    decide_showdown,
    has_stake,
    opponent,
    side,
    side_rules,
    sided_with,
    stands_by,
    sum_rules,
    yields,
)
from sandbox.people import pressure_deck
from sandbox.people.beliefs import SAW, SEEN, learns
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.perceive import area_at
from sandbox.people.planning import resolve
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure, Ended, Turned
from sandbox.people.pressure_rules import awaits_occasion, count_last_day, intensity_at, may_break, may_take_turn
from sandbox.talk import saying
from sandbox.talk.content import feeling_change
from sandbox.talk.model import HasTalk, ScoredRule, Talk
from sandbox.talk.pressure_aims import aim_content, ending_pays, hearers, pressures_run
from sandbox.talk.saying import Said

LOOKS = 10 * MINUTE  # how often it is checked
SPREAD = 0.6  # least gap, as a share of the even spacing over a week
RIPE = 2  # least stage of a matter
REACH, CROWD, SIDES = 8, 5, (2, 4)  # tiles words carry, who must be there, and how many of them take sides
HOT = 15 * MINUTE  # how long after a confrontation it may still grow into a showdown
LIKELY = {"hot": 0.6, "occasion": 0.2, "": 0.07}  # chance per check, by trigger
STOOD, SPOKE, TOOK = 0.12, -0.12, -0.05  # change in feeling: for a supporter, for an opponent, theirs for the foe
FELT = {True: ("satisfaction", 0.4), False: ("resentment", 0.4)}  # emotion and strength, by being in the right
FELT_ALL = {PEACE: ("relief", 0.5), BROKEN: ("distress", 0.5)}
LAST = {
    HOLDER: pressure_deck.CLIMB_DOWN,
    ABOUT: pressure_deck.CLIMB_DOWN,
    PEACE: pressure_deck.SHAKE_HANDS,
    BROKEN: pressure_deck.WALK_OFF,
}


# ---- when one starts


async def show(step: Step, w: HasTalk) -> None:
    """Start a showdown if some matter is ready for one, the strongest first."""
    if (
        not pressures_run(w)
        or not w.drama.showdowns
        or step.now % LOOKS >= step.end - step.now
        or not _due(w, step.now)
    ):
        return
    ripe = [p for p in w.pressures.open.values() if _ripe(w, p, step.now)]
    ripe.sort(key=lambda p: (-intensity_at(p, step.now, w.pressure_parameters), p.id))
    for p in ripe:
        caller = caller_of(w.drama.showdowns[p.kind], p)
        there = _there(w, p, caller, step.now)
        how = _comes(w, p, caller, step.now) if len(there) + 2 >= CROWD else None
        if how is None or step.chance(p.id, SHOWDOWN).unit() >= LIKELY[how]:
            continue
        involved = [who for who in there if not w.people.residents[who].talk and has_stake(w, p, who, step.now)]
        t = free_moment(step, w, p.holder, p.about, *involved)
        if len(involved) >= SIDES[0] and t < step.end:
            await _scene(step, w, p, caller, involved, there, t)
            return


def _due(w: HasTalk, t: int) -> bool:
    """Whether the town may have another showdown: none on the first day, a limited number a week, spaced out, and
    within the limits for rows and breaks.
    """
    q, state = w.pressure_parameters, w.pressures
    last = [at for at in w.showdowns.held.values() if t - at < WEEK]
    if t < DAY or len(last) >= q.showdowns or not may_break(state, t, q) or count_last_day(state.rows, t) >= q.rows:
        return False
    return not last or t - max(last) >= max(DAY, SPREAD * WEEK / q.showdowns)


def _ripe(w: HasTalk, p: ActivePressure, t: int) -> bool:
    """Whether a matter can become a showdown: strong enough, and both are present and free. Nobody is called to account
    for what is not due yet.
    """
    if p.stage < RIPE or p.kind not in w.drama.showdowns or not p.about or p.thread in w.showdowns.held:
        return False
    if p.due > t and caller_of(w.drama.showdowns[p.kind], p) == p.about:
        return False
    two, people, spots = (p.holder, p.about), w.people.residents, w.town.spots
    if not all(people[who].awake and not people[who].talk and not spots[who].path for who in two):
        return False
    q = w.pressure_parameters
    if intensity_at(p, t, q) < q.seek or area_at(w, p.holder, t) != area_at(w, p.about, t) or awaits_occasion(w, p, t):
        return False
    return all(may_take_turn(w.pressures, who, t, q) for who in two)


def _there(w: HasTalk, p: ActivePressure, caller: str, t: int) -> list[str]:
    """The bystanders; none if the other of the two is out of earshot."""
    near = hearers(w, caller, caller, t, REACH)
    if opponent(p, caller) not in near:
        return []
    return [who for who in near if who not in (p.holder, p.about) and not w.town.spots[who].path]


def _comes(w: HasTalk, p: ActivePressure, caller: str, t: int) -> str | None:
    """What would trigger a showdown here: "hot" (a recent row), "occasion", or "" (a public place); None if it cannot
    be.
    """
    hostile = [do for do, x in w.drama.exchanges.items() if x.hostile]
    if any(0 <= t - p.tried.get(f"{who} {do}", -HOUR) < HOT for who in (p.holder, p.about) for do in hostile):
        return "hot"
    area, day = area_at(w, caller, t), w.clock.day(t)
    for o in w.calendar.on(day):
        if o.from_ <= w.clock.second_of_day(t) < o.to and resolve(w.cast[caller], o.where) == area:
            return "occasion"
    return "" if area in w.map.areas and "home" not in w.map.areas[area].arena.tags else None


# ---- the scene


async def _scene(
    step: Step, w: HasTalk, p: ActivePressure, caller: str, involved: Sequence[str], near: Sequence[str], t: int
) -> None:
    """Play the showdown and apply its consequences."""
    other = opponent(p, caller)
    where = area_at(w, caller, t)
    play = _Play(step, w, p, caller, where, t)
    await play.say(caller, other, pressure_deck.CALL_OUT, _of(p, caller))
    await play.say(other, caller, pressure_deck.STAND_FIRM, _of(p, other))
    first = {who: abs(sum_rules(side_rules(w, p, caller, who, t))) for who in involved}
    sides: list[SideChoice] = []
    for who in sorted(involved, key=lambda who: (-first[who], who))[: SIDES[1]]:
        why = side_rules(w, p, caller, who, t, sides)
        sides.append(side(who, why, w.cast[who].big_five.agreeableness, step.chance(who, SHOWDOWN)))
        await play.sided(sides[-1])
        if len(sides) == SIDES[0]:
            await play.bristles(other, sides)
    how, last, why_last = decide_showdown(w, p, sides, t)
    await play.say(last, opponent(p, last), LAST[how], _of(p, last), sum_rules(why_last), why_last)
    won = p.holder if how == HOLDER else p.about if how == ABOUT else caller
    effect = w.drama.showdowns[p.kind].effect(how)
    end = comes_to(w, p, effect.end, turned_by(w, p, effect, won, opponent(p, won), SHOWDOWN))
    ending = w.drama.kinds[p.kind].ends[end]
    there = tuple(who for who in near if who not in {s.who for s in sides})
    fact = came_of(w, p, end, where)
    witnesses = (*(s.who for s in sides), *there)
    told = tuple(learns(w, who, fact, (fact.a, fact.b, where, fact.bad), SEEN, SAW, t) for who in witnesses)
    event = Showdown(
        p.id, (p.holder, p.about), where, gist(p.stakes), how, end, pressure_sentence(w, ending.says, p),
        tuple(play.turns), there, told=told, feelings=tuple(_feelings(w, p, sides)),
    )  # fmt: skip
    seq = step.emit(event, t=t, actor=caller, causes=(p.last,))
    fact = came_of(w, p, end, where, seq)
    for row in told:
        expose_lie(step, w, seq, row, p, t)
        react_to_breach(step, w, seq, row, fact, t)
    deed = PressureDeed(p, effect, won, opponent(p, won), SHOWDOWN, hostile=True, why=_told(w, event, caller))
    move_pressure(step, w, deed, seq)
    _sided(step, w, p, event, sides, seq)
    for s in sides:
        emotion, size = FELT_ALL.get(how) or FELT[s.side in (how, PEACE)]
        express(step, w, s.who, Appraisal(emotion, size, event.says), t, seq)


def _of(p: ActivePressure, who: str) -> str:
    """The side of one of the two: their own."""
    return HOLDER if who == p.holder else ABOUT


class _Play:
    """What is said in a showdown, turn by turn."""

    def __init__(self, step: Step, w: HasTalk, p: ActivePressure, caller: str, where: str, t: int) -> None:
        self._step, self._w, self._p, self._caller = step, w, p, caller
        self._talk = Talk(f"{t}.{p.id}", (caller, opponent(p, caller)), t, t, where, SHOWDOWN, 2 * SIDES[1], p.seq)
        self._just: Said | None = None
        self.turns: list[ShowdownTurn] = []

    async def say(
        self, who: str, to: str, move: str, side: str, score: float = 0.0, why: tuple[ScoredRule, ...] = ()
    ) -> None:
        """Add a turn in which `who` speaks to `to`."""
        w, n = self._w, len(self.turns)
        self._talk.exchanges = n // 2
        content = aim_content(w, self._p.id, who, to)
        turn = saying.TalkTurn(self._talk, who, to, [move], content, aim=self._p.id)
        asked = saying.say_question(self._step, w, turn, n % 2, self._just)
        said_before = tuple((x.line.who, x.line.text) for x in self.turns)
        echoes = {key: self._talk.at for x in self.turns for key in x.line.variants}
        asked = replace(asked, n=n, before=said_before, avoid={**asked.avoid, **echoes})
        found: list[Said] = await self._step.ask([asked])
        self._just = found[0]
        self.turns.append(ShowdownTurn(saying.utterance(w, turn, found[0]), to, side, score, why))

    async def sided(self, s: SideChoice) -> None:
        """Let somebody take a side against the other, or ask the caller for peace."""
        p = self._p
        if s.side == PEACE:
            await self.say(s.who, self._caller, pressure_deck.CALM_DOWN, PEACE, s.score, s.why)
        else:
            await self.say(s.who, sided_with(p, s)[1], pressure_deck.TAKE_SIDE, s.side, s.score, s.why)

    async def bristles(self, who: str, sides: Sequence[SideChoice]) -> None:
        """Let the accused hit back, if all sides so far are against them and they are not ready to give way."""
        mine = _of(self._p, who)
        against = [s.who for s in sides if s.side not in (mine, PEACE)]
        why = yields(self._w, self._p, who, "", sides, self._talk.at)
        if len(against) == len(sides) and sum_rules(why) < 0:
            await self.say(who, against[-1], pressure_deck.HIT_BACK, mine, sum_rules(why), why)


def _feelings(w: HasTalk, p: ActivePressure, sides: Iterable[SideChoice]) -> Iterable[Turned]:
    matter = gist(p.stakes)
    for s in sides:
        if s.side == PEACE:
            continue
        friend, foe = sided_with(p, s)
        name = w.handbook.name(s.who)
        yield feeling_change(w, friend, s.who, STOOD, f"{name} stood by them before everybody: {matter}")
        yield feeling_change(w, foe, s.who, SPOKE, f"{name} spoke against them before everybody: {matter}")
        yield feeling_change(w, s.who, foe, TOOK, f"took {w.handbook.name(friend)}'s side: {matter}")


def _told(w: HasTalk, e: Showdown, caller: str) -> str:
    """How it came to the end, in clauses: "Vera called Greta to account before nine others; Otis stood by Vera"."""
    name = w.handbook.name
    others = spelt(len(e.there) + len(e.speakers) - 2)
    stood = [(who, e.stood_by(mine)) for who, mine in zip(e.two, (HOLDER, ABOUT), strict=True)]
    parts = [f"{join_names([name(x) for x in friends])} stood by {name(who)}" for who, friends in stood if friends]
    sides = "; ".join(parts) or f"{join_names([name(x) for x in e.stood_by(PEACE)])} asked for peace"
    return f"{name(caller)} called {name(e.two[e.two[0] == caller])} to account before {others} others; {sides}"


def _sided(step: Step, w: HasTalk, p: ActivePressure, e: Showdown, sides: Sequence[SideChoice], seq: int) -> None:
    """Apply what taking sides does to claims, and what the verdict does to other pressures of the thread between the
    speakers. The first who stood by one of the two unasked becomes their friend.
    """
    changes = w.drama.showdowns[p.kind].sides
    made: set[str] = set()
    for s in (s for s in sides if s.side != PEACE):
        friend, foe = sided_with(p, s)
        parts = {"actor": s.who, "target": friend, "holder": friend, "about": foe}
        why = f"{w.handbook.name(s.who)} stood by {w.handbook.name(friend)} before everybody"
        new = friend not in made and not stands_by(w, s.who, friend)
        change_claims(step, w, changes.makes if new else (), changes.breaks, parts, p.stakes, why, step.now, seq)
        made |= {friend} if new else set()
    if e.verdict == BROKEN:
        return
    side_of = {p.holder: HOLDER, p.about: ABOUT} | {s.who: s.side for s in sides}
    for x in tuple(x for x in w.pressures.open.values() if x.thread == p.thread and x.kind in w.drama.showdowns):
        if not {x.holder, x.about} <= side_of.keys():
            continue
        how = e.verdict if e.verdict == PEACE else HOLDER if side_of[x.holder] == e.verdict else ABOUT
        end = comes_to(w, x, w.drama.showdowns[x.kind].effect(how).end, ())
        if not ending_pays(w, x, end):
            t = max(free_moment(step, w, x.holder, x.about), x.t)
            good = w.drama.kinds[x.kind].ends[end].good
            end_pressure(step, w, x, Ended(x.id, end, good, SHOWDOWN, turn=False), t, seq)
