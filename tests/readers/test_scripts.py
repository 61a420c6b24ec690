"""Talks, showdowns and decisions as scripts: every line in its order, what it means, and what came of it."""

from __future__ import annotations

import pytest
from storyworld import Lived, Village

from sandbox.core.events import Record, Stamp
from sandbox.drama.outcomes import Decided, DecisionPart
from sandbox.drama.taking_sides import Showdown, ShowdownTurn
from sandbox.people.claim_model import Made
from sandbox.people.model import Felt
from sandbox.people.mood import Pad
from sandbox.people.pressure_model import Ended
from sandbox.readers.scripts import consequences_of, main_reasons, mood_colours, of_decision, of_showdown, of_talk
from sandbox.readers.story import Teller
from sandbox.readers.timeline import Timeline
from sandbox.talk.model import Closed, Exchanged, ScoredRule, Utterance
from sandbox.town.plan import CONTEST, VOTE


def line(who: str, text: str, move: str, valence: float = 0.0) -> Utterance:
    return Utterance(who, text, move, "", "", valence, ())


@pytest.fixture
def teller(village: Village) -> Teller:
    return Teller(village.handbook)


def test_a_talk_has_all_its_lines_in_order_and_the_moods_they_left(hour: Lived) -> None:
    timeline = Timeline(hour.world.handbook, hour.world.clock)
    timeline.read(hour.records)
    closed = [r.event.talk for r in hour.records if isinstance(r.event, Closed)]
    assert len(closed) > 3
    worded = 0
    for id in closed:
        story = timeline.talk(id)
        assert story is not None
        script = of_talk(story, timeline.teller, (), ())
        had = [r.event for r in hour.records if isinstance(r.event, Exchanged) and r.event.talk == id]
        assert [beat.text for beat in script.beats] == [u.text for e in had for u in e.lines if u.text]
        assert all(beat.spoken and beat.note and beat.to == story.other(beat.who) for beat in script.beats)
        assert script.outcome
        if any(u.text for u in had[-1].lines):
            worded += 1
            moods = dict(script.moods)
            for beat in script.beats:
                moods.update(beat.moods)
            assert moods == dict(script.after)  # the last lines tell how it left them
    assert worded


def test_the_answer_to_a_pressure_is_named(hour: Lived) -> None:
    timeline = Timeline(hour.world.handbook, hour.world.clock)
    timeline.read(hour.records)
    ids = [r.event.talk for r in hour.records if isinstance(r.event, Exchanged) and r.event.aim]
    stories = [story for id in ids if (story := timeline.talk(id)) is not None and story.deeds]
    assert stories
    deck = hour.world.handbook.drama.exchanges
    for story in stories:
        deed = story.deeds[0]
        notes = [beat.note for beat in of_talk(story, timeline.teller, (), ()).beats]
        assert deck[deed.do].did.format(to=timeline.teller.name(story.other(deed.who))) in notes
        assert deck[deed.do].took[deed.answer] in notes


def test_what_came_of_something_holds_what_came_of_that() -> None:
    ended = Record(Stamp(11, 1, 60, "mara", (10,)), Ended("x", "healed", True, "confront"))
    made = Record(Stamp(12, 1, 60, "mara", (11,)), Made("c", "ally", "mara", "vera"))
    other = Record(Stamp(13, 1, 60, "mara", (9,)), Made("d", "ally", "mara", "vera"))
    assert consequences_of([ended, made, other], [10]) == [ended, made]


def test_moods_before_and_after_what_came_of_it() -> None:
    up = Felt(Pad(0.5, 0.0, 0.0), Pad(0.6, 0.0, 0.3), "joy", "it is over")
    down = Felt(Pad(-1.2, 0.0, 0.0), Pad(-0.6, 0.0, 0.3), "distress", "it is not over")
    records = [Record(Stamp(n, 1, 60, "mara", (9,)), e) for n, e in ((10, up), (11, down))]
    first, last = mood_colours(records)
    assert first["mara"] != last["mara"]
    assert set(first) == set(last) == {"mara"}


def test_a_showdown_says_whose_side_each_is_on(teller: Teller) -> None:
    a, b, c, d = "ada", "bo", "cy", "dee"
    turns = (
        ShowdownTurn(line(a, "You did.", "call_out", -0.6), b, "holder"),
        ShowdownTurn(line(b, "I did not.", "stand_firm", -0.1), a, "about"),
        ShowdownTurn(
            line(c, "He did.", "take_side"), b, "holder", 0.5, (ScoredRule("likes Ada", 0.4), ScoredRule("timid", -0.1))
        ),
        ShowdownTurn(line(d, "Peace.", "calm_down", 0.4), a, "peace"),
    )
    e = Showdown("x", (a, b), "Mill / yard", "the ladder", "peace", "made_up", "they make it up", turns, ("eve",))
    script = of_showdown(e, Stamp(9, 1, 600, a, ()), teller, ())
    assert [beat.text for beat in script.beats] == ["You did.", "I did not.", "He did.", "Peace."]
    assert [beat.side for beat in script.beats] == ["", "", f"for {teller.name(a)}", "for peace"]
    assert script.beats[2].note == f"stands by {teller.name(a)}: likes Ada"
    assert [beat.tone for beat in script.beats] == ["angry", "", "", "joy"]
    assert script.outcome == ("In the end they make it up",)
    assert (script.who, script.there, script.where) == ((a, b, c, d), ("eve",), "Mill / yard")


def test_a_vote_is_told_voter_by_voter(teller: Teller) -> None:
    parts = (
        DecisionPart("ada", True, 0.4, (ScoredRule("likes it", 0.4),)),
        DecisionPart("bo", False, -0.2, (ScoredRule("the cost", -0.3),)),
    )
    e = Decided("vote", VOTE, "The vote", "the sale", "The sale is off, 1 to 1.", parts, ("ada", "bo", "cy"))
    script = of_decision(e, Stamp(9, 1, 600, "", ()), "Hall / chamber", teller, ())
    assert [(beat.who, beat.side, beat.note) for beat in script.beats] == [
        ("ada", "for", "likes it"),
        ("bo", "against", "the cost"),
    ]
    assert not any(beat.spoken for beat in script.beats)  # nobody has said it
    assert script.there == ("cy",)
    assert script.outcome == ("The sale is off, 1 to 1",)


def test_a_contest_is_told_from_the_last_place_to_the_first(teller: Teller) -> None:
    parts = tuple(DecisionPart(who, who == "ada", 0.0, ()) for who in ("ada", "bo", "cy"))
    script = of_decision(Decided("race", CONTEST, "The race", "the pan", "Ada wins.", parts), Stamp(9, 1, 600, "", ()),
                         "", teller, ())  # fmt: skip
    assert [beat.who for beat in script.beats] == ["cy", "bo", "ada"]
    assert script.beats[-1].text.endswith("comes first")


def test_reasons_are_those_that_spoke_for_it() -> None:
    rules = (
        ScoredRule("small", 0.1),
        ScoredRule("against", -0.9),
        ScoredRule("large", 0.6),
        ScoredRule("middling", 0.3),
    )
    assert main_reasons(rules) == "large; middling"
    assert main_reasons(rules, -1.0) == "against"
