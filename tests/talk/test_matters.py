"""What of people's own lives is talked of: what presses them, what is new with them; never to whom it is against."""

from __future__ import annotations

import asyncio

import pytest
from alone import Two, words
from lived import Day
from staged import Stage, pressure

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Stamp
from sandbox.engine.scenario import Scenario
from sandbox.people.asking_life import life
from sandbox.people.beliefs import BeliefUpdate, Fact, believe
from sandbox.people.claim_handlers import live_by_claims
from sandbox.people.claim_model import Made
from sandbox.people.mood import MoodMark
from sandbox.people.pressure_deck import HUSHED, Effect, gist
from sandbox.people.pressure_model import Began
from sandbox.talk import news, subjects
from sandbox.talk.content import Content
from sandbox.talk.model import SPOKEN_OF, Exchanged, spoken_of
from sandbox.talk.news import NEW, SPREADS, TOLD_TO
from sandbox.talk.saying import TalkTurn, say_question, slot_words, utterance
from sandbox.talk.subjects import ASKED, ASKS_AFTER, OPENLY, ordinary_content, ordinary_intents

CHANCE = Chance(3)
KINDS = ("grudge", "rivalry", "suspicion", "worry", "debt", "promise", "ambition", "secret", "crush", "guilt")


def mark(t: int, why: str, p: float = 0.3, seq: int = 7) -> MoodMark:
    return MoodMark(p, 0.0, 0.0, t, seq, why, DAY)


@pytest.fixture
def two(larkspur: Scenario) -> Two:
    return Two(larkspur)


# ---- what presses


@pytest.mark.parametrize("kind", KINDS)
def test_what_presses_is_told_to_anybody_but_whom_it_is_against(larkspur: Scenario, kind: str) -> None:
    stage = Stage(larkspur, pressure(kind))  # Mara's, about Basil
    p, w = stage.wake(), stage.world
    for lead, kinds in OPENLY.items():
        assert (p in subjects.tellable_pressures(w, lead, "mara", "otis")) is (kind in kinds)
        assert subjects.tellable_pressures(w, lead, "mara", "basil") == []
        assert subjects.tellable_pressures(w, lead, "basil", "otis") == []  # it is not his


@pytest.mark.parametrize("kind", KINDS)
def test_who_knows_what_presses_a_friend_asks_after_it(larkspur: Scenario, kind: str) -> None:
    stage = Stage(larkspur, pressure(kind, known_by=("otis", "basil")))
    p, w = stage.wake(), stage.world
    assert (p in subjects.known_of(w, "otis", "mara")) is (kind in ASKED)
    assert subjects.known_of(w, "basil", "mara") == []  # whom it is against
    assert subjects.known_of(w, "kit", "mara") == []  # who knows nothing of it


def test_what_somebody_is_to_do_is_no_topic(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("promise", stakes="to mend the kite"))
    stage.wake()
    assert subjects.tellable_pressures(stage.world, "worry", "mara", "otis") == []


def test_who_worries_aloud_speaks_of_what_presses_and_says_so_in_the_log(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", stakes="twelve on the bakery slate, before the month is out"))
    p, w = stage.wake(), stage.world
    found = [ordinary_content(w, "worry", "mara", "otis", 60, [], CHANCE.stream(1, "mara", "x", n)) for n in range(40)]
    over = [x for x in found if x is not None and x.over == p.id]
    assert 20 < len(over) < 40
    assert {x.slots["topic"] for x in over} == {"twelve on the bakery slate"}
    assert {x.kind for x in over} == {"concern"}


def test_a_matter_with_the_name_of_who_speaks_or_listens_in_it_is_told_as_theirs(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", stakes="a word about Mara that Basil had no business saying"))
    p, w = stage.wake(), stage.world
    topic = gist(p.stakes)
    assert subjects.can_name(w, p, "mara", "otis")
    assert slot_words(w, "mara", "otis", "topic", topic) == "a word about me that Basil had no business saying"
    assert slot_words(w, "otis", "mara", "topic", topic) == "a word about you that Basil had no business saying"
    p.stakes = "what Mara thinks of her own bread"
    assert not subjects.can_name(w, p, "mara", "otis")
    assert subjects.can_name(w, p, "kit", "otis")
    for n in range(40):
        found = ordinary_content(w, "vent", "mara", "otis", 60, [], CHANCE.stream(1, "mara", "x", n))
        assert found is None or found.over != p.id


# ---- concerns of a file


KIT = "a lasagne with a name on it"


def test_a_concern_ends_with_the_matter_that_it_is_about(larkspur: Scenario) -> None:
    assert {p.id: p.matters for p in larkspur.cast}["kit"][KIT] == "lasagne"
    stage = Stage(larkspur, pressure("guilt", "kit", "dov", id="lasagne"))
    w = stage.world
    assert KIT in subjects.open_concerns(w, "kit", "otis")  # before it presses
    p = stage.wake()
    assert KIT in subjects.open_concerns(w, "kit", "otis")
    stage.move(60, p, Effect(end="forgiven"), "kit", "dov", "accept")
    assert p.id not in w.pressures.open
    assert KIT not in subjects.open_concerns(w, "kit", "otis")
    assert set(subjects.open_concerns(w, "kit", "otis")) == set(w.files["kit"].concerns) - {KIT}
    assert KIT not in w.cast["kit"].concerns  # nobody wakes with it either, or is told to a model to mind it
    live_by_claims(w)  # as it is when the state is opened again
    assert KIT not in w.cast["kit"].concerns


def test_a_concern_is_not_told_to_who_has_a_part_in_it(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("guilt", "kit", "dov", id="lasagne"))
    w = stage.world
    for _ in ("before it presses", "since it does"):
        assert KIT in subjects.open_concerns(w, "kit", "otis")
        assert KIT not in subjects.open_concerns(w, "kit", "dov")
        stage.wake()
    for n in range(40):
        chance = CHANCE.stream(1, "kit", "x", n)
        for lead, me, other in (("vent", "kit", "dov"), ("worry", "kit", "dov"), ("ask_about", "dov", "kit")):
            found = ordinary_content(w, lead, me, other, 60, [], chance)
            assert found is None or found.topic != KIT


def test_a_world_whose_matters_are_others_keeps_its_concerns(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    assert subjects.open_concerns(stage.world, "kit", "otis") == list(stage.world.files["kit"].concerns)


@pytest.mark.parametrize("name", ["day", "spoken"])
def test_in_a_day_nobody_speaks_of_a_matter_to_whom_it_is_against(name: str, request: pytest.FixtureRequest) -> None:
    lived: Day = request.getfixturevalue(name)
    two_of = {e.id: {stamp.actor, e.about} for stamp, e in lived.of(Began)}
    over = [e for _, e in lived.of(Exchanged) if e.over in two_of]
    assert len(over) > 10
    assert [e for e in over if {line.who for line in e.lines} == two_of[e.over]] == []


# ---- news


def fresh(two: Two, me: str, other: str) -> list[str]:
    """What is new with somebody that they can tell another, as they would."""
    w, t = two.world, two.world.now
    return [news.news_text(w, x, me, other) for x in news.untold_news(w, me, other, t, own=True)]


def asked(two: Two, me: str, other: str) -> list[str]:
    """What is new with another that somebody can ask after, as they would."""
    w, t = two.world, two.world.now
    return [news.news_text(w, x, me, other) for x in news.untold_news(w, me, other, t, own=False)]


def test_news_are_told_once_to_each(two: Two) -> None:
    two.world.people.residents["mara"].mood.marks.append(mark(0, "Mara won the ham"))
    assert fresh(two, "mara", "basil") == fresh(two, "mara", "otis") == ["I won the ham"]
    two.begin("own_news", quiet=False)
    e = two.exchange()
    assert (e.lead, e.over, e.lines[1].move) == ("my_news", "#7", "glad_for")
    assert "I won the ham" in e.lines[0].text
    assert fresh(two, "mara", "basil") == []
    assert fresh(two, "mara", "otis") == ["I won the ham"]


def test_both_speak_of_a_matter_as_theirs_and_the_log_has_it_by_names(larkspur: Scenario) -> None:
    two = Two(larkspur)
    talk = two.begin("vent", quiet=False)
    topic = "a word about Mara that Kit had no business saying"
    spoken = {}
    for n in range(60):
        for me, other in (talk.who, talk.who[::-1]):
            turn = TalkTurn(talk, me, other, ["vent"], Content(topic, "concern", slots={"topic": topic}))
            (said,) = asyncio.run(two.mind.answer([say_question(two.step(), two.world, turn, 0)], n))
            if utterance(two.world, turn, said).topic:
                assert utterance(two.world, turn, said).topic == topic
                spoken[me] = said.text
    assert "a word about me that Kit had no business saying" in spoken["mara"]
    assert "a word about you that Kit had no business saying" in spoken["basil"]


def test_somebody_tells_their_news_to_a_few_and_then_it_has_gone_round(two: Two) -> None:
    two.world.people.residents["mara"].mood.marks.append(mark(0, "Mara won the ham"))
    for n, other in enumerate(["basil", "otis", "kit", "dov", "noor"]):
        assert bool(fresh(two, "mara", other)) is (n < TOLD_TO)
        two.world.talk.spoken_of[f"mara {other}"] = ["#7"]


def test_what_is_no_longer_so_is_no_news(two: Two) -> None:
    w = two.world
    w.people.residents["mara"].mood.marks += [
        MoodMark(0.4, 0.0, 0.0, 0, 7, "Mara and Kit have become a couple", DAY, kind="couple"),
        MoodMark(-0.4, 0.0, 0.0, 0, 8, "Mara and Kit have parted", DAY, kind="couple"),
    ]
    assert fresh(two, "mara", "otis") == ["Kit and I have parted"]
    assert [x for x in life(w, "mara", (), w.now)["changed"] if "become a couple" in x] == []


def test_bad_news_are_met_with_sympathy(two: Two) -> None:
    two.world.people.residents["mara"].mood.marks.append(mark(0, "Mara was turned down by Kit", -0.4))
    two.begin("own_news", quiet=False)
    e = two.exchange()
    assert "I was turned down by Kit" in e.lines[0].text
    assert e.lines[1].move == "sorry_for"
    after = two.exchange()
    assert (after.lead, after.lines[0].who, after.lines[1].move) == ("ask_on", "basil", "tell_on")
    assert len(words(after)) == 2
    assert not words(two.exchange())  # and nobody comes to something else aloud


def test_good_news_of_who_could_not_be_happier_are_good_all_the_same(two: Two) -> None:
    marks = two.world.people.residents["mara"].mood.marks
    marks += [
        MoodMark(0.0, -0.2, 0.4, 0, 7, "Mara won the ham", DAY),
        MoodMark(0.0, 0.1, -0.4, 0, 8, "Mara lost the ham", DAY),
    ]
    assert [(x.says, x.good) for x in news.news_to_tell(two.world, "mara", "otis", 0)] == [
        ("Mara won the ham", True),
        ("Mara lost the ham", False),
    ]


@pytest.mark.parametrize("kind", sorted(HUSHED))
def test_what_one_hides_is_no_news_and_what_is_hidden_from_one_neither(two: Two, kind: str) -> None:
    w = two.world
    w.people.residents["mara"].mood.marks.append(
        MoodMark(-0.4, 0.0, 0.0, 0, 7, "Mara has stopped hoping for Kit", DAY, kind=kind)
    )
    assert fresh(two, "mara", "otis") == []
    fact = Fact("#9", "x", kind, next(iter(w.drama.kinds[kind].ends)), "mara", "kit", "", 0, "a ladder", "")
    believe(
        w, [BeliefUpdate("otis", "#9", "mara", "kit", "", 0, 20.0, "saw")], {"#9": fact}, Stamp(9, 1, 0, "otis", ())
    )
    assert asked(two, "otis", "mara") == []


def test_one_outcome_is_told_once_whatever_it_has_left(two: Two) -> None:
    lodges(two)
    w = two.world
    seq = w.claims.open["moved"].seq
    w.people.residents["mara"].mood.marks.append(mark(0, "Mara lives in a box room now", seq=seq))
    assert {x.id for x in news.news_to_tell(w, "mara", "otis", 0)} == {f"#{seq}"}
    two.begin("own_news", quiet=False)
    talk = two.talk
    spoken_of(w, talk, f"#{seq}")
    assert fresh(two, "mara", "basil") == []
    assert asked(two, "basil", "mara") == []


def test_when_another_has_had_news_one_need_not_know(two: Two) -> None:
    w = two.world
    fact = Fact("#9", "x", "debt", "repaid", "mara", "kit", "", 0, "a ladder", "")
    believe(
        w, [BeliefUpdate("otis", "#9", "mara", "kit", "", 0, 20.0, "saw")], {"#9": fact}, Stamp(9, 1, 0, "otis", ())
    )
    (found,) = news.news_to_ask(w, "otis", "mara", 0)
    assert (found.id, found.t) == ("#9", -1), "when it was is not known"


def test_news_are_of_these_days_and_the_latest_come_first(two: Two) -> None:
    marks = two.world.people.residents["mara"].mood.marks
    marks += [mark(0, "Mara won the ham"), mark(HOUR, "Mara lost the ham", -0.3)]
    two.world.now = 2 * HOUR
    assert fresh(two, "mara", "otis") == ["I lost the ham", "I won the ham"]
    two.world.now = NEW
    assert fresh(two, "mara", "otis") == ["I lost the ham"]


def test_news_in_which_the_other_has_a_part_are_no_news_to_them(two: Two) -> None:
    two.world.people.residents["mara"].mood.marks.append(mark(0, "Mara was turned down by Basil", -0.4))
    assert fresh(two, "mara", "basil") == []
    assert "own_news" not in ordinary_intents(two.world, "mara", "basil", 0)
    assert fresh(two, "mara", "otis") == ["I was turned down by Basil"]
    assert "own_news" in ordinary_intents(two.world, "mara", "otis", 0)


def test_what_cannot_be_said_of_oneself_is_no_news(two: Two) -> None:
    two.world.people.residents["mara"].mood.marks.append(mark(0, "the meadow was sold"))
    assert fresh(two, "mara", "otis") == []


def lodges(two: Two) -> None:
    """Mara has moved in with Flora."""
    room = next(x for x in two.world.map.areas if x.startswith(two.world.files["flora"].home))
    step = two.step()
    step.emit(Made("moved", "lodges", "mara", "flora", "", room), t=step.now, actor="mara", causes=(1,))


def test_a_claim_that_was_made_is_told_and_asked_after_as_who_it_is_about_would_say_it(two: Two) -> None:
    lodges(two)
    assert asked(two, "otis", "mara") == []  # who has not heard of it
    two.world.now = SPREADS
    (mine,), (yours,) = fresh(two, "mara", "otis"), asked(two, "otis", "mara")
    assert mine.startswith("I live in ")
    assert yours == mine.replace("I live", "you live")
    assert asked(two, "flora", "mara") == []  # who has a part in it asks nothing


@pytest.mark.parametrize(("p", "at", "told"), [(-0.4, 0, False), (0.3, 0, True), (-0.4, 2 * HOUR, True)])
def test_a_new_room_is_good_news_and_none_to_who_has_just_lost_an_old_one(
    two: Two, p: float, at: int, told: bool
) -> None:
    """Then the loss is the news."""
    lodges(two)
    w = two.world
    w.people.residents["mara"].mood.marks.append(mark(at, "Mara was put out of a room by Zeno", p))
    assert [x.good for x in news.news_to_tell(w, "mara", "otis", 0) if "lives in" in x.says] == [True] * told
    assert [x.good for x in news.news_to_ask(w, "otis", "mara", SPREADS) if "lives in" in x.says] == [True] * told
    assert any("put out" in x.says and x.good is (p > 0) for x in news.news_to_tell(w, "mara", "otis", 0))


def test_what_was_so_when_the_town_began_is_no_news(two: Two) -> None:
    assert any(two.world.claims.open)
    assert [fresh(two, me, "otis") for me in two.world.cast if me != "otis"] == [[]] * (len(two.world.cast) - 1)


def test_one_asks_after_the_news_of_who_is_near_alone(two: Two) -> None:
    lodges(two)
    tie = two.world.people.ties["otis"]["mara"]
    for closeness in (ASKS_AFTER / 2, 0.9):
        tie.closeness = closeness
        assert ("ask_after" in ordinary_intents(two.world, "otis", "mara", SPREADS)) is (closeness > ASKS_AFTER)


def test_what_has_been_spoken_of_holds_for_both_and_the_oldest_is_forgotten(two: Two) -> None:
    talk, said = two.begin("own_news"), two.world.talk.spoken_of
    for n in range(SPOKEN_OF + 1):
        spoken_of(two.world, talk, f"mark #{n}")
    spoken_of(two.world, talk, "mark #9")
    assert said["mara basil"] == said["basil mara"] == [f"mark #{n}" for n in range(1, SPOKEN_OF + 1)]
