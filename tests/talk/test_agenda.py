"""How a conversation runs, and what its moves do to people (docs/mechanisms.md, Talk)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day

from sandbox.core.chance import Chance, Stream
from sandbox.people import pressure_deck
from sandbox.people.mood import OCC, Pad
from sandbox.people.persona import BigFive
from sandbox.talk.lines import EFFECTS, FOLLOWED, MOVES, WRITTEN
from sandbox.talk.model import Exchanged
from sandbox.talk.move_rules import (
    LEADS,
    QUESTIONS,
    ReplyFactors,
    closing,
    follow_up,
    length,
    parting_tone,
    reply_move,
)
from sandbox.talk.question_effects import SOURED, listener_emotion, talk_tone
from sandbox.talk.saying import Say

SAID = tuple(move for move in MOVES if move not in WRITTEN)

signed, share = st.floats(-1, 1), st.floats(0, 1)
moods, traits = st.builds(Pad, signed, signed, signed), st.builds(BigFive, signed, signed, signed, signed, signed)
minds = st.builds(ReplyFactors, signed, share, moods, traits, signed, share)
streams = st.integers(0, 10**6).map(lambda n: Chance(1).stream(1, "mara", "reply", n))
DODGES = {"dodge", "turn_aside", "cold_reply", "snap"}
ANSWERS = {
    "how_are_you": {"answer_well", "answer_fine", "answer_low"},
    "ask_plans": {"tell_plans"},
    "ask_about": {"answer_about"},
    "ask_on": {"tell_on"},
    "ask_after": {"tell_after"},
}
REACTIONS = {
    "vent": {"comfort", "complain_back", "reassure"},
    "worry": {"comfort", "reassure"},
    "opinion": {"agree", "disagree"},
    "share_news": {"react_news"},
    "gossip": {"react_gossip"},
    "compliment": {"thank"},
    "comfort": {"thank"},
    "tease": {"tease_back"},
    "remember": {"remember"},
    "mention_post": {"of_my_post"},
    "small_talk": {"small_talk_back"},
    "my_news": {"glad_for", "sorry_for"},
    "snap": set(),
}


def test_who_speaks_is_told_which_turn_of_the_talk_it_is_and_what_it_answers(day: Day) -> None:
    asked = {(q.who, q.now): q for q, _ in day.heard if isinstance(q, Say)}
    worded = [(stamp, e) for stamp, e in day.of(Exchanged) if e.lines[0].text]
    assert worded
    for stamp, e in worded:
        lead, *reply = (asked[line.who, stamp.t] for line in e.lines if line.text)
        assert [lead.turn, *(q.turn for q in reply)] == [2 * e.n - 2, 2 * e.n - 1][: 1 + len(reply)]
        assert [lead.just, *(q.just for q in reply)] == ["", e.lines[0].text][: 1 + len(reply)]


def test_every_lead_has_a_fitting_reply_named_here() -> None:
    assert set(ANSWERS) == QUESTIONS
    assert set(ANSWERS) | set(REACTIONS) == {*LEADS.values(), "comfort", "ask_on"}


@pytest.mark.parametrize("lead", sorted(ANSWERS))
@given(minds, streams)
def test_a_question_is_answered_or_visibly_dodged(lead: str, mind: ReplyFactors, chance: Stream) -> None:
    assert reply_move(lead, mind, chance) in ANSWERS[lead] | DODGES


@pytest.mark.parametrize("lead", sorted(REACTIONS))
@given(minds, streams)
def test_a_move_gets_a_reaction_that_fits_it(lead: str, mind: ReplyFactors, chance: Stream) -> None:
    assert reply_move(lead, mind, chance) in REACTIONS[lead] | DODGES


@given(minds, streams)
def test_nobody_turns_from_good_news_of_a_friend(mind: ReplyFactors, chance: Stream) -> None:
    assert reply_move("pass_on", mind._replace(feeling=0.5, left=0.0, third=0.9, glad=True), chance) == "react_gossip"


@given(minds, streams)
def test_news_of_the_other_gladden_or_grieve_as_they_are_good_or_bad_for_them(
    mind: ReplyFactors, chance: Stream
) -> None:
    friend = mind._replace(feeling=0.5, left=0.0)
    assert reply_move("my_news", friend._replace(glad=True), chance) == "glad_for"
    assert reply_move("my_news", friend._replace(glad=False), chance) == "sorry_for"


@given(minds, streams)
def test_who_feels_well_and_likes_the_other_does_not_brush_off_a_friend(mind: ReplyFactors, chance: Stream) -> None:
    warm = mind._replace(feeling=0.5, closeness=0.5, mood=mind.mood._replace(p=0.4), third=0.0, left=0.0)
    for lead in ANSWERS:
        assert reply_move(lead, warm, chance) not in DODGES


@given(signed, share, signed, st.booleans(), st.integers(3, 12), streams)
def test_a_talk_is_meant_to_have_two_exchanges_up_to_one_below_the_cap(
    extraversion: float, closeness: float, arousal: float, hurry: bool, cap: int, chance: Stream
) -> None:
    n = length(extraversion, closeness, arousal, hurry, cap, chance)
    assert 2 <= n <= cap - 1
    assert not hurry or n == 2


@given(st.integers(2, 12), st.integers(3, 12), st.lists(signed, min_size=12, max_size=12))
def test_the_goodbye_comes_before_the_cap(meant: int, cap: int, tones: list[float]) -> None:
    had = 1
    while not closing(had, meant, cap, tones[had - 1]):
        had += 1
        assert had < cap
    assert had + 1 <= max(2, min(meant, cap))


def test_a_talk_that_turns_sour_is_cut_short() -> None:
    assert closing(1, 7, 8, -0.7)
    assert not closing(1, 7, 8, 0.2)


# ---- appraisal


def test_every_move_that_can_be_said_is_appraised() -> None:
    assert set(EFFECTS) == set(SAID)


@pytest.mark.parametrize("move", SAID)
def test_an_appraisal_names_known_emotions_within_bounds(move: str) -> None:
    e = EFFECTS[move]
    for emotion, intensity in (e.speaker, e.listener):
        assert emotion == "" or emotion in OCC
        assert 0.0 <= intensity <= 1.0
        assert bool(emotion) == bool(intensity)
    assert -1.0 <= e.valence <= 1.0


@given(st.sampled_from(SAID), signed)
def test_what_the_listener_feels_is_known_and_bounded(move: str, feeling: float) -> None:
    emotion, intensity = listener_emotion(move, feeling)
    assert emotion == "" or emotion in OCC
    assert 0.0 <= intensity <= 1.0


def test_kind_words_from_the_disliked_do_not_please() -> None:
    assert listener_emotion("how_are_you", -0.6)[0] == "resentment"
    assert listener_emotion("tease", -0.1)[0] == "anger"
    assert listener_emotion("compliment", 0.5)[1] > listener_emotion("compliment", 0.0)[1]
    assert set(SOURED) | set(SOURED.values()) <= set(OCC)


@given(signed, signed)
def test_a_talk_has_a_tone_and_one_blow_makes_it_hostile_unless_it_was_very_warm(warmth: float, worst: float) -> None:
    found = talk_tone(warmth, worst)
    assert found in ("warm", "plain", "tense", "hostile")
    assert (found == "hostile") == (worst <= -0.8 and warmth < 0.2)
    if warmth < 0.0:
        assert found in ("tense", "hostile")


@given(st.booleans(), st.floats(0, 0.999))
def test_a_talk_stays_with_what_somebody_came_for_unless_it_was_refused(third: bool, x: float) -> None:
    move, turned = follow_up("pay_back", "accept", third, False, False, x)
    assert move in FOLLOWED
    assert turned == third  # of a third, whoever listened asks on; else the one who came is glad
    for how in ("refuse", "dodge"):
        assert follow_up("pay_back", how, third, False, False, x) == ("", False)


@given(st.floats(0, 0.999))
def test_bad_news_are_asked_on_about_whatever_chance_says_and_good_ones_are_not(x: float) -> None:
    assert follow_up("my_news", "", False, True, False, x) == ("ask_on", True)
    assert follow_up("my_news", "", False, False, False, x) == ("", False)


@given(st.sampled_from(["vent", "worry", "share_news", "gossip"]), st.floats(0, 1, exclude_max=True))
def test_who_was_turned_away_or_turned_aside_does_not_stay_with_it(beat: str, x: float) -> None:
    assert follow_up(beat, "", False, False, True, x) == ("", False)
    assert follow_up(beat, "", False, False, False, 0.0) != ("", False)


def test_people_part_as_it_went() -> None:
    assert parting_tone("accept", hostile=True, third=False) == "good"
    assert parting_tone("refuse", hostile=True, third=False) == "row"
    assert parting_tone("refuse", hostile=False, third=False) == "bad"
    assert (
        parting_tone("refuse", hostile=False, third=True) == parting_tone("dodge", hostile=True, third=False) == "open"
    )


@pytest.mark.parametrize("answer", ["", *pressure_deck.ANSWERS, pressure_deck.LIE])
def test_every_answer_is_read_back_from_the_log(answer: str) -> None:
    said = Exchanged("1.mara.basil", 1, "accuse", (), (), aim="secret", do="accuse", answer=answer)
    assert msgspec.json.decode(msgspec.json.encode(said), type=Exchanged) == said
