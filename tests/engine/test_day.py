"""A day of Larkspur, looked at: is it a day people could have lived?"""

from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from lived import Day, Glance, founding

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.mark_model import Marked
from sandbox.people.model import Chose, Felt, Noticed, Planned, Reflected, Woke
from sandbox.people.mood import ledger, mood_at
from sandbox.people.ties import pair_key
from sandbox.talk.meeting import HASTE
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked
from sandbox.town.ways import end_of

UGLY = (" ,", " .", ",,", ",.", "..", "!.", "?.", ".!", " at at ")


def sector(day: Day, tile: int) -> str:
    return day.world.map.area_of[tile].split(" / ")[0]


def hours(day: Day, first: int, last: int) -> list[tuple[str, Glance]]:
    """Everybody, each minute between those hours of the night."""
    a, b = (day.world.clock.next_time(0, h * HOUR) for h in (first, last))
    return [(who, g) for who, gs in day.glances.items() for g in gs if a <= g.t <= b]


def test_everybody_can_always_say_what_they_do(day: Day) -> None:
    for who, gs in day.glances.items():
        assert all(g.doing and g.doing == g.doing.strip() for g in gs), who
        assert not any("{" in g.doing or "_" in g.doing for g in gs), who


def test_nobody_awake_is_idle_for_long(day: Day) -> None:
    for who, gs in day.glances.items():
        idle = 0
        for g in gs:
            busy = g.act is not None or g.going is not None or g.talk or not g.awake
            idle = 0 if busy else idle + 1
            assert idle <= 90, f"{who}, {day.at(g.t)}"


def test_nobody_stands_in_a_wall(day: Day) -> None:
    for who, gs in day.glances.items():
        assert all(day.world.map.walkable[g.tile] for g in gs), who


def test_nobody_leaps(day: Day) -> None:
    """Everybody sets out from where they are, and arrives or stops where the walk has brought them."""
    width = day.world.map.width
    at: dict[str, int | None] = dict.fromkeys(day.world.cast)
    pace = day.world.town_parameters.pace * 6 // 5
    for stamp, e in day.of(Placed, Walked, Arrived, Stopped):
        tile = e.y * width + e.x
        before = at[stamp.actor]
        if before is not None and isinstance(e, Walked):
            assert tile == before, f"{stamp.actor}, {day.at(stamp.t)}"
        if isinstance(e, Arrived) and before is not None:
            assert tile == before, f"{stamp.actor}, {day.at(stamp.t)}"
        at[stamp.actor] = end_of(tile, e.path, width) if isinstance(e, Walked) else tile
    for who, gs in day.glances.items():
        for a, b in pairwise(gs):
            (ax, ay), (bx, by) = day.world.map.xy(a.tile), day.world.map.xy(b.tile)
            assert abs(ax - bx) + abs(ay - by) <= pace + 1, f"{who}, {day.at(b.t)}"


def test_every_walk_crosses_ground_one_can_walk_on(day: Day) -> None:
    width = day.world.map.width
    for stamp, e in day.of(Walked):
        tile = e.y * width + e.x
        for n in range(len(e.path) + 1):
            assert day.world.map.walkable[end_of(tile, e.path[:n], width)], f"{stamp.actor}, {day.at(stamp.t)}"


def test_people_do_things_where_their_plan_says(day: Day) -> None:
    for stamp, e in day.of(Chose):
        assert day.world.map.area_of[e.y * day.world.map.width + e.x] == e.where
        assert e.thing == "" or e.thing.startswith(e.where + " / ")
        assert e.seconds >= MINUTE, f"{stamp.actor}, {day.at(stamp.t)}"


def test_what_comes_of_a_doing_is_felt_where_it_is_done(day: Day) -> None:
    """And not on the way there: nobody wins by a whisker before they are at the board."""
    whys = {x.why for found in day.scenario.deck.feelings.values() for x in (*found.good, *found.bad)}
    chosen: dict[str, Chose] = {}
    begun: dict[int, Chose] = {}  # by the event with which it begins: being there, or coming there
    at: dict[str, tuple[int, int] | None] = {}  # where people stand, None while they walk
    felt = []
    for stamp, e in day.all():
        if isinstance(e, Chose):
            chosen[stamp.actor] = e
            if e.there:
                at[stamp.actor], begun[stamp.seq] = (e.x, e.y), e
        elif isinstance(e, Walked):
            at[stamp.actor] = None
        elif isinstance(e, Arrived | Stopped | Placed):
            at[stamp.actor] = e.x, e.y
            if stamp.actor in chosen:
                begun[stamp.seq] = chosen[stamp.actor]
        elif isinstance(e, Felt) and (e.why in whys or e.sort == "rumination"):
            (of,) = (begun[seq] for seq in stamp.causes)
            felt.append((of.there, (of.x, of.y), at[stamp.actor]))
    assert [x for x in felt if x[1] != x[2]] == []
    assert {there for there, *_ in felt} == {True, False}


def test_at_night_the_town_sleeps_and_each_in_their_own_home(day: Day) -> None:
    night = hours(day, 2, 4)
    assert sum(not g.awake for _, g in night) >= 0.97 * len(night)
    for who, g in night:
        if not g.awake:
            assert sector(day, g.tile) == day.world.cast[who].home.split(" / ")[0], f"{who}, {day.at(g.t)}"


def test_everybody_sleeps_at_least_four_hours_and_wakes(day: Day) -> None:
    for who, gs in day.glances.items():
        assert sum(not g.awake for g in gs) >= 240, who
        assert sum(g.awake for g in gs) >= 600, who


def test_a_bed_holds_as_many_sleepers_as_it_takes(day: Day) -> None:
    for t in (2 * HOUR, 4 * HOUR):
        at = day.world.clock.next_time(0, t)
        beds = [g.act.thing for gs in day.glances.values() for g in gs if g.t == at and g.act and not g.awake]
        sleepers = Counter(b for b in beds if b)
        assert sleepers
        assert all(n <= day.world.map.things[b].takes for b, n in sleepers.items())


def test_a_day_has_many_kinds_of_doing_for_everybody(day: Day) -> None:
    did: dict[str, set[str]] = defaultdict(set)
    ate: set[str] = set()
    worked: set[str] = set()
    for stamp, e in day.of(Chose):
        did[stamp.actor].add(e.do)
        if e.block in ("breakfast", "lunch", "supper"):
            ate.add(stamp.actor)
        if e.block in ("work", "study", "market"):
            worked.add(stamp.actor)
    for who in day.world.cast:
        assert len(did[who] - {"sleep"}) >= 5, who
    assert ate == set(day.world.cast)
    assert len(worked) >= 20


def test_the_first_minute_is_lively(day: Day) -> None:
    kinds = Counter(r.event.KIND for step in day.steps[:1] for r in step)
    assert kinds["walked"] >= 5
    assert sum(g[0].awake for g in day.glances.values()) >= 12
    assert any(isinstance(r.event, Exchanged) for step in day.steps[:5] for r in step)


def test_plans_have_no_gaps_and_end_in_sleep(day: Day) -> None:
    for stamp, e in day.of(Planned):
        where = f"{stamp.actor}, {day.at(stamp.t)}"
        assert e.blocks[-1].do == "sleep", where
        assert all(a.end == b.start for a, b in pairwise(e.blocks)), where
        assert all(b.start < b.end for b in e.blocks), where
        assert e.blocks[0].start <= stamp.t + 1, where


# ---- talk


def test_every_talk_closes_by_itself_before_the_cap(day: Day) -> None:
    cap = day.world.talk_parameters.cap
    count: Counter[str] = Counter()
    ended: dict[str, bool] = {}
    for _, e in day.of(Opened, Exchanged, Closed):
        if isinstance(e, Opened):
            ended[e.id] = False
        elif isinstance(e, Exchanged):
            assert not ended[e.talk]
            count[e.talk] += 1
            assert e.n == count[e.talk] < cap
        else:
            assert count[e.talk] >= 1
            ended[e.talk] = True
    assert len(ended) > 100
    still = [id_ for id_, over in ended.items() if not over]
    assert set(still) == set(day.world.talk.open)


def test_no_talk_is_open_in_the_night(day: Day) -> None:
    assert not any(g.talk for _, g in hours(day, 2, 4))


@pytest.mark.slow
def test_two_who_talk_are_near_awake_and_in_one_talk(day: Day) -> None:
    p = day.world.talk_parameters
    talking: set[str] = set()
    world = World.found(founding(day.scenario), remember=False)
    for stamp, e in day.all():
        world.apply(Record(stamp, e))
        if isinstance(e, Closed):
            talking -= set(e.who)
        if not isinstance(e, Opened):
            continue
        both = (stamp.actor, e.other)
        assert not talking & set(both)
        talking |= set(both)
        assert all(world.people.residents[who].awake for who in both)
        assert not any(world.town.spots[who].path for who in both), f"{e.id}: they walk on"
        (ax, ay), (bx, by) = (world.map.xy(world.town.spots[who].tile) for who in both)
        assert max(abs(ax - bx), abs(ay - by)) <= p.reach, f"{e.id}, {day.at(stamp.t)}"


def test_the_same_two_wait_before_they_talk_again(day: Day) -> None:
    last: dict[str, int] = {}
    for stamp, e in day.of(Opened, Closed, Declined):
        if isinstance(e, Closed):
            last[pair_key(*e.who)] = stamp.t
        elif isinstance(e, Declined):
            last[pair_key(stamp.actor, e.other)] = stamp.t
        else:
            before = last.get(pair_key(stamp.actor, e.other))
            least = 1.0 - HASTE  # what presses cannot wait as long
            assert before is None or stamp.t - before >= day.world.talk_parameters.cooldown * 60 * least


def test_being_turned_away_is_remembered(day: Day) -> None:
    refused = day.of(Declined)
    assert refused
    for stamp, e in refused:
        nodes = [m for m in day.world.memories.streams[e.other] if m.seq == stamp.seq]
        assert [m.about for m in nodes] == [(stamp.actor,)]
        assert day.world.handbook.name(stamp.actor) in nodes[0].text


def test_a_line_said_and_answered_is_in_the_hearers_memory(day: Day) -> None:
    worded = [(stamp, e) for stamp, e in day.of(Exchanged) if all(line.text for line in e.lines)]
    assert len(worded) > 100
    for stamp, e in worded:
        for line in e.lines:
            hearer = next(x.who for x in e.lines if x.who != line.who)
            texts = [m.text for m in day.world.memories.streams[hearer] if m.seq == stamp.seq]
            assert any(line.text in text for text in texts)


def test_what_is_said_is_well_formed(day: Day) -> None:
    for stamp, e in day.of(Exchanged):
        for line in e.lines:
            where = f"event {stamp.seq}: {line.text!r}"
            assert line.text or not line.variants, where
            if not line.text:
                continue
            assert not set("{}_") & set(line.text), where
            assert "  " not in line.text, where
            assert line.text == line.text.strip(), where
            assert line.text[0].isupper() or not line.text[0].isalpha(), where
            assert line.text[-1] in ".!?…\"'", where
            assert not any(bad in line.text for bad in UGLY), where


def test_most_questions_are_answered(day: Day) -> None:
    answers = {
        "how_are_you": {"answer_well", "answer_fine", "answer_low", "cold_reply"},
        "ask_plans": {"tell_plans"},
        "ask_about": {"answer_about", "dodge"},
    }
    asked = [(stamp, e) for stamp, e in day.of(Exchanged) if e.lead in answers]
    assert len(asked) > 50
    for stamp, e in asked:
        assert e.lines[1].move in answers[e.lead], stamp.seq


# ---- moods and ties


def test_a_ledger_of_a_day_adds_up_for_everybody(day: Day) -> None:
    half = day.world.mood_parameters.half_life
    for who, r in day.world.people.residents.items():
        for t in (r.mood.t, day.world.now):
            now = mood_at(r.mood, t, half)
            entries = ledger(r.mood, t, half)
            for axis, (x, rest) in enumerate(zip(now, r.mood.rest, strict=True)):
                assert rest + sum((e.p, e.a, e.d)[axis] for e in entries) == pytest.approx(x, abs=1e-9), who


def test_a_mood_moves_by_what_its_events_say(day: Day) -> None:
    world = day.world
    half, limit = world.mood_parameters.half_life, world.mood_parameters.limit
    now = {who: (r.mood.rest, 0) for who, r in world.people.residents.items()}
    marks: dict[str, list[tuple[int, Marked]]] = {who: [] for who in now}

    def rest(who: str, t: int) -> list[float]:
        left = [[x * 2.0 ** (-(t - at) / m.half) for x in m.delta] for at, m in marks[who]]
        nature = world.people.residents[who].mood.rest
        return [max(-1.0, min(1.0, sum(axis))) for axis in zip(nature, *left, strict=True)]

    for stamp, e in day.of(Felt, Reflected, Exchanged, Marked):
        changes = e.shifts if isinstance(e, Exchanged) else [e]
        for change in changes:
            who = change.who if isinstance(e, Exchanged) else stamp.actor
            pad, t = now[who]
            k = 2.0 ** (-(stamp.t - t) / (half * 60))
            rests = zip(rest(who, t), rest(who, stamp.t), strict=True)
            for (was, r), x, d, a in zip(rests, pad, change.delta, change.after, strict=True):
                assert a == pytest.approx(r + (x - was) * k + d, abs=2e-6), f"{who}, event {stamp.seq}"
                assert -1 <= a <= 1
                assert not isinstance(e, Exchanged) or abs(d) <= limit + 1e-6
            if any(change.delta) or not isinstance(e, Reflected):
                now[who] = (change.after, stamp.t)
            if isinstance(e, Marked):
                marks[who].append((stamp.t, e))
    for who, r in world.people.residents.items():
        assert tuple(r.mood.pad) == tuple(now[who][0])


def test_ties_of_a_day_keep_their_bounds(day: Day) -> None:
    p = day.world.tie_parameters
    for stamp, e in day.of(Closed):
        for r in e.relations:
            assert {r.u, r.v} == set(e.who)
            assert -1 <= r.feeling <= 1
            assert 0 <= r.closeness <= 1
            assert abs(r.feeling_delta) <= p.feeling + 1e-6
            assert 0 <= r.closeness_delta <= r.grown + 1e-6 <= p.dmax + 1e-5, stamp.seq


def test_people_look_back_two_to_four_times_a_day(day: Day) -> None:
    count = Counter(stamp.actor for stamp, _ in day.of(Reflected))
    ranked = sorted(count.get(who, 0) for who in day.world.cast)
    assert 1 <= ranked[len(ranked) // 2] <= 4
    assert any(e.insights for _, e in day.of(Reflected))
    for stamp, e in day.of(Reflected):
        nodes = day.world.memories.streams[stamp.actor]
        for insight in e.insights:
            assert insight.evidence
            assert all(0 <= i < len(nodes) and nodes[i].seq < stamp.seq for i in insight.evidence)


def test_sights_are_of_people_in_view_and_not_told_twice(day: Day) -> None:
    last: dict[str, list[str]] = defaultdict(list)
    for stamp, e in day.of(Noticed):
        assert stamp.actor not in {s.who for s in e.seen}
        assert len(e.seen) <= day.world.town_parameters.bandwidth
        for s in e.seen:
            key = f"{s.who}|{s.do}"
            assert key not in last[stamp.actor][-day.world.memory_parameters.retention :]
        last[stamp.actor] += [f"{s.who}|{s.do}" for s in e.seen]


def test_a_memory_that_served_was_touched_then(day: Day) -> None:
    from sandbox.people.model import Recalled

    touched: dict[tuple[str, int], int] = {}
    for stamp, e in day.of(Recalled):
        for i in e.ids:
            touched[stamp.actor, i] = stamp.t
    assert touched
    for who, stream in day.world.memories.streams.items():
        for m in stream:
            assert m.last == touched.get((who, m.id), m.t)


def test_who_sleeps_past_midnight_wakes_and_plans_a_new_day(day: Day) -> None:
    woken = {stamp.actor for stamp, _ in day.of(Woke) if stamp.t > 12 * HOUR}
    planned = {stamp.actor for stamp, e in day.of(Planned) if stamp.t > 12 * HOUR and e.day == 2}
    assert len(woken) >= 10
    assert woken == planned
