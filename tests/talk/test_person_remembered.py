"""What the last talks with somebody left is a rule by name, a criterion of lines and a sentence of the brief."""

from collections import defaultdict

import pytest
from lived import Day, a_day, engine_of, founding, run
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.events import Record
from sandbox.engine.briefing import brief
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.lab.published import ALONG
from sandbox.people.impressions import SORE as HURT
from sandbox.people.impressions import USUAL_PLEASURE, Impression
from sandbox.people.mood import MoodParameters, Pad, effective
from sandbox.people.persona import BigFive
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.talk.content import impression_of, partner_of
from sandbox.talk.model import Closed, Exchanged, Opened
from sandbox.talk.move_rules import ReplyFactors, reply_move
from sandbox.talk.question_replies import Accept, Respond, acceptances, responses
from sandbox.talk.question_wishes import BO, Approach, Exchange, choose_approach, exchanges
from sandbox.talk.saying import Say
from sandbox.talk.sentiment import sentiment
from sandbox.talk.speaker import speaker_for

pytestmark = pytest.mark.slow

WARM, SORE = FEATURES["left"]
CHANCE = Chance(7)


def with_left(left: float) -> object:
    return replace(BO, left=left)


def hour(scenario: Scenario, **parameters: float) -> World:
    """Larkspur after an hour and a half."""
    world = World.found(founding(replace(scenario, parameters={**scenario.parameters, **parameters})))
    run(engine_of(scenario, world=world), 90)
    return world


# ---- the rules


def test_one_goes_rather_to_whom_one_was_glad_of() -> None:
    def often(left: float) -> int:
        q = Approach("ann", other=with_left(left), options=("chat",))
        return sum(choose_approach(q, CHANCE.stream(n, "ann", "Approach")).yes for n in range(400))

    assert often(-0.3) < often(0.0) < often(0.3)


@pytest.mark.parametrize(("left", "name"), [(0.3, WARM), (-0.3, SORE)])
def test_it_speaks_by_name_for_what_one_wants(left: float, name: str) -> None:
    q = Exchange("ann", other=with_left(left), options=("chat", "small_talk", "snap"))
    plain = {way.answer.intent: way.score for way in exchanges(replace(q, other=BO))}
    for way in exchanges(q):
        rules = {rule.name: rule.value for rule in way.answer.why}
        assert rules[name] == pytest.approx(way.score - plain[way.answer.intent], abs=0.01)
        assert (rules[name] > 0) == ((left > 0) == (way.answer.intent == "chat"))


@pytest.mark.parametrize(("left", "name"), [(0.3, WARM), (-0.3, SORE)])
def test_it_speaks_by_name_for_how_one_takes_it(left: float, name: str) -> None:
    chance = CHANCE.stream(1, "ann", "Accept")
    accept, _ = acceptances(Accept("ann", other=with_left(left), intent="chat"), chance)
    assert name in {rule.name for rule in accept.answer.why}
    features = {"fond": 0.2, "left": left}
    q = Respond("ann", other="bo", do="remind", kind="debt", intensity=0.6, weights={"fond": 0.5}, features=features)
    assert name in {rule.name for rule in responses(q, CHANCE.stream(1, "ann", "Respond"))[0].answer.why}


def test_who_is_sore_is_colder_in_what_they_reply() -> None:
    mind = ReplyFactors(0.3, 0.4, Pad(0.1, 0.0, 0.0), BigFive(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0)

    def cold(left: float) -> int:
        found = [
            reply_move("small_talk", mind._replace(left=left), CHANCE.stream(n, "ann", "reply")) for n in range(300)
        ]
        return sum(move in ("cold_reply", "turn_aside") for move in found)

    assert cold(0.3) == cold(0.0) == cold(HURT / 2) == 0
    assert 0 < cold(-0.2) < cold(-0.4)


def test_a_line_too_warm_or_too_cold_for_its_speaker_loses(larkspur: Scenario) -> None:
    book = speaker_for(larkspur.lines)

    def kindly(pleasure: float, left: float) -> float:
        q = Say("ann", moves=("small_talk",), slots={"name": "Bo", "place": "x"}, pad=(pleasure, 0.1, 0.0), left=left)
        said = [book.say(q, CHANCE.stream(n, "ann", "Say")).text for n in range(150)]
        return sum(map(sentiment, said)) / len(said)

    assert kindly(-0.5, 0.0) < kindly(0.3, 0.0) < kindly(0.9, 0.0)
    assert kindly(0.3, -0.3) < kindly(0.3, 0.3)


# ---- a day of it


def test_lines_that_remember_are_said_by_who_has_something_to_remember(spoken: Day) -> None:
    asked = {(q.who, q.now): q for q, _ in spoken.heard if isinstance(q, Say)}
    said: dict[str, int] = defaultdict(int)
    for stamp, e in spoken.of(Exchanged):
        for line in (x for x in e.lines if x.text):
            q = asked[line.who, stamp.t]
            for variant in line.variants:
                for key in ("left", "went"):
                    for how in ("warm", "sore"):
                        if f"_{key}_{how}" in variant:
                            assert q.context[key] == how
                            said[key + how] += 1
            assert ("left" in q.context) == (e.n == 1)
    assert min(said[key + how] for key in ("left", "went") for how in ("warm", "sore")) > 0


def test_the_rule_is_told_where_it_decided_something(day: Day, spoken: Day) -> None:
    seen = set()
    for lived in (day, spoken):
        told = {rule.name for _, e in lived.of(Opened) for rule in e.why}
        replied = {rule.name for _, e in lived.of(Exchanged) if not e.aim for rule in e.why}
        assert told & {WARM, SORE}
        assert replied
        assert replied <= {WARM, SORE}
        seen |= told | replied | {rule.name for _, e in lived.of(Exchanged) if e.aim for rule in e.why}
    assert {WARM, SORE} <= seen


def test_an_ordinary_talk_moves_a_feeling_a_little_and_one_with_a_turn_more(day: Day) -> None:
    turned = {e.talk for _, e in day.of(Exchanged) if e.answer}
    ordinary = [abs(r.feeling_delta) for _, e in day.of(Closed) if e.talk not in turned for r in e.relations]
    assert max(ordinary) <= 0.05
    others = [abs(r.feeling_delta) for _, e in day.of(Closed) if e.talk in turned for r in e.relations]
    assert 0.05 < max(others) <= 0.3


def test_what_is_left_is_what_the_log_says(larkspur: Scenario) -> None:
    """Of two and a half hours, in which many have talked with each other once."""
    records: list[Record] = []
    engine = engine_of(larkspur)
    engine.watchers.append(records.extend)
    run(engine, 150)
    given: dict[tuple[str, str], float] = defaultdict(float)
    for _, e in records:
        for s in e.shifts if isinstance(e, Exchanged) else ():
            given[e.talk, s.who] += s.delta.p
    closed = [(e, pair) for _, e in records if isinstance(e, Closed) for pair in (e.who, e.who[::-1])]
    first: dict[str, tuple[str, float]] = {}
    for e, (me, other) in closed:
        first.setdefault(me, (other, given[e.talk, me]))
    found = engine.world.memories.spoken.impressions
    assert set(found.usual) == set(first)
    assert set(found.left) == {pair for _, pair in closed}
    once = [pair for pair in found.left if sum(x == pair for _, x in closed) == 1 and first[pair[0]][0] == pair[1]]
    assert once
    for me, other in once:
        gave = first[me][1]
        assert found.left[me, other].value == pytest.approx(gave if gave < 0 else max(0.0, gave - USUAL_PLEASURE))


# ---- its switches


def carried(w: World) -> tuple[bool, bool]:
    """Whether any memory has the mood it was made in, and whether any talk has left anything."""
    tagged = any(any(m.after) for stream in w.memories.streams.values() for m in stream)
    return tagged, w.memories.spoken.impressions.left != {}


def test_each_switch_takes_away_one_thing_and_the_old_one_both(larkspur: Scenario) -> None:
    alone, old, both = {"memory.mood": False}, {"memory.tags": False}, {"memory.mood": False, "memory.person": False}
    assert carried(hour(larkspur, **{"memory.person": False})) == (True, False)
    assert carried(hour(larkspur, **alone)) == (False, True)
    before, now = hour(larkspur, **old), hour(larkspur, **both)
    assert carried(before) == carried(now) == (False, False)
    assert before.snapshot() == now.snapshot()  # what was lived by the old word lives on as it did


def test_without_person_or_moods_nothing_is_left(larkspur: Scenario) -> None:
    for off in ({"memory.person": False}, {"mood.on": False}):
        w = hour(larkspur, **off)
        assert w.memories.spoken.impressions.left == {}
        assert not any(View(w).left(me, other) for me in w.cast for other in w.cast)
        assert w.talk.last


def test_what_the_laboratory_holds_to_be_gone_along_with_a_setting_is_gone(larkspur: Scenario) -> None:
    still = hour(larkspur, **{"mood.fast": 0.0}).memories.spoken.impressions
    assert {x.value for x in still.left.values()} == {0.0}
    for off in (MoodParameters(on=False), MoodParameters(decay=False)):
        assert effective(off).marks == 0
    names = {text.partition("=")[0]: text for along in ALONG.values() for text in along}
    assert {name: REGISTRY.parameters[name].default for name in names} == {
        "memory.mood": True,
        "memory.person": True,
        "mood.marks": 1000,
        "needs.low": 0.3,
    }


@pytest.mark.slow
def test_whoever_is_blind_takes_the_other_for_somebody_else(larkspur: Scenario) -> None:
    w = hour(larkspur, **{"memory.blind": True})
    found = w.memories.spoken.impressions
    me = next(who for who in w.cast if len(found.partners(who)) > 2)
    other, *others = found.partners(me)
    found.left = {(me, x): Impression(0.1 * (i + 1), w.now) for i, x in enumerate((other, *others))}
    left = impression_of(w, me, other, w.now)
    assert left in {found.left[me, x].value for x in others}
    assert left == impression_of(w, me, other, w.now)
    stranger = next(who for who in w.cast if who != me and (me, who) not in found.left)
    assert impression_of(w, me, stranger, w.now) == 0.0


# ---- what a mind that reads is told


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("left", "words"), [(0.3, "warm towards them"), (-0.3, "sore at them"), (0.02, "")])
def test_the_brief_says_how_it_left_one_and_when(larkspur: Scenario, left: float, words: str) -> None:
    w = hour(larkspur)
    me, other = next(pair for pair in w.memories.spoken.impressions.left)
    w.memories.spoken.impressions.left[me, other] = Impression(left, w.now, left)
    told = brief(w, Approach(me, other=partner_of(w, me, other, w.now)), "", w.now)[0]
    last = [part for part in told.other.split(". ") if part.startswith("Last time you talked")]
    assert [part.endswith(f"it left you {words}.") for part in last] == ([True] if words else [])
    assert not any(ch.isdigit() for part in last for ch in part)


@pytest.mark.slow
def test_memories_in_a_brief_have_their_time_and_how_one_felt(larkspur: Scenario) -> None:
    for tags in (True, False):
        w = hour(larkspur, **{"memory.mood": tags})
        me, other = next((m, o) for m in w.cast for o in w.cast if o in w.people.ties.get(m, {}) and w.talk.last)
        told = brief(w, Approach(me, other=partner_of(w, me, other, w.now)), "", w.now)[0].memories
        assert told
        assert all(text.endswith(")") for text in told)
        assert any("; you were " in text for text in told) == tags


@pytest.mark.slow
def test_a_day_without_it_has_no_word_of_it(larkspur: Scenario) -> None:
    settled = replace(larkspur, parameters={**larkspur.parameters, "memory.person": False}, step=600)
    lived = a_day(settled)
    assert not {WARM, SORE} & {rule.name for _, e in lived.of(Opened) for rule in e.why}
    assert not any("left_" in v or "went_" in v for _, e in lived.of(Exchanged) for x in e.lines for v in x.variants)
