"""Pressures in the chronicle: every event of one reads as a sentence that names who and what, and weighs what it is."""

from __future__ import annotations

import pytest
from storyworld import Lived, Village

from sandbox.core.events import Event, Record
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.engine.load_decks import read_drama
from sandbox.people.model import Block, Planned
from sandbox.people.pressure_deck import KINDS, DramaDeck
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred, Turned
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.phrases import intent_clause, intent_words, opening, thought_of
from sandbox.readers.pressures import Matter, want_clause, wanted_sentence, world_matters
from sandbox.readers.story import Teller, default_notable
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.talk.model import Closed, Declined, Exchanged, Opened, ScoredRule, Utterance

CAUSE = "Ben sent the order back"
STAKES = "an apology for the loaves, eleven years late"


@pytest.fixture(scope="module")
def drama() -> DramaDeck:
    return read_drama([data_dir() / "drama.yaml"], Faults())


@pytest.fixture
def village(drama: DramaDeck) -> Village:
    return Village(drama)


def began(village: Village, kind: str = "grudge", stakes: str = STAKES, causes: tuple[int, ...] = ()) -> Record:
    """Ann has something with Ben."""
    return village.add(Began("x", kind, "ben", 0.6, 1, -1, stakes, CAUSE, "x", ("cy",)), causes=causes)


def stirred(how: str, answer: str, to: str = "ben", **more: object) -> Stirred:
    return Stirred("x", how, answer, to, 0.1, 0.7, 2, **more)  # type: ignore[arg-type]


def tell(
    village: Village, event: Event, actor: str = "ann", kind: str = "grudge", stakes: str = STAKES
) -> list[TimelineRow]:
    """The rows of an event of a pressure that the log has told of."""
    first = began(village, kind, stakes)
    return Timeline(village.handbook, village.clock).read([first, village.add(event, 60, actor, (first.stamp.seq,))])


def talk(village: Village, do: str = "confront", answer: str = "dodge", aim: str = "x") -> list[Record]:
    """Ann comes to Ben because of a pressure, and what comes of it."""
    lines = (
        Utterance("ann", "You know why I have come.", "confront", "", "", -0.4, ()),
        Utterance("ben", "Not now.", "dodge", "", "", -0.1, ()),
    )
    start = len(village.records)
    village.add(Opened("1.ann.ben", "ben", "Mill / room", do, 2, (ScoredRule("grudge 0.60 x 2.3", 1.4),), "", aim), 60)
    why = (ScoredRule("hard-headed", -0.3),)
    heard = village.add(Exchanged("1.ann.ben", 1, "confront", lines, (), aim, do, answer, why), 60)
    village.add(stirred(do, answer, hostile=do == "confront"), 60, causes=(heard.stamp.seq, 2))
    village.add(Closed("1.ann.ben", ("ann", "ben"), "the loaves", "tense", "", ()), 119)
    return village.records[start:]


# ---- words


def test_every_kind_says_once_what_its_holder_wants(village: Village) -> None:
    """The same words tell what is wanted in an incident, and what it was when it is over."""
    kinds = village.handbook.drama.kinds
    assert set(kinds) == set(KINDS)
    for kind in KINDS:
        m = Matter("x", kind, "ann", "ben", "the loaves", "", "x")
        words = want_clause(village.handbook, kind, m.about, m.stakes)
        assert "the loaves" in words
        assert "{" not in words
        assert wanted_sentence(village.handbook, m) == f"Ann wanted to {words}"


def test_a_deck_of_old_without_such_words_is_still_told(village: Village) -> None:
    m = Matter("x", "debt", "ann", "", "the loaves", "", "x")
    assert (
        wanted_sentence(Village(DramaDeck()).handbook, m) == "Ann wanted to settle something with somebody (the loaves)"
    )


def test_exchanges_and_intents_have_words_alike(village: Village) -> None:
    handbook = village.handbook
    assert intent_clause(handbook, "share_news") == "who came with news"
    assert intent_clause(handbook, "own_up") == "who came to own up"
    assert intent_clause(handbook, "unheard of") == ""
    assert intent_words(handbook, "chat") == "a chat"
    assert intent_words(handbook, "flirt") == "to come with something more than a good day"
    assert thought_of(handbook, "gossip") == "gossiping"
    assert thought_of(handbook, "repay") == "coming to pay what was owed"
    assert (
        opening(handbook, "ann", "ben", "repay", "ten for bread")
        == "Ann went to Ben to pay what was owed: ten for bread"
    )


def test_every_exchange_fits_every_sentence(village: Village) -> None:
    for do in village.handbook.drama.exchanges:
        for text in (
            intent_clause(village.handbook, do),
            intent_words(village.handbook, do),
            opening(village.handbook, "ann", "ben", do),
        ):
            assert text
            assert "{" not in text


# ---- events


@pytest.mark.parametrize(
    ("event", "text", "mark"),
    [
        (Ended("x", "made_up", True), "Ann and Ben have made it up: an apology for the loaves", "&"),
        (
            Ended("x", "fell_out", False, hostile=True),
            "Ann and Ben have fallen out for good: an apology for the loaves",
            "!",
        ),
        (Ended("x", "faded", True, turn=False), "Ann has let it go with Ben", "&"),
        (
            stirred("confront", "refuse", hostile=True),
            "Ann had it out with Ben: an apology for the loaves; Ben hit back",
            "!",
        ),
        (
            stirred("confront", "refuse", hostile=True, turn=True),
            "Ann had it out with Ben: an apology for the loaves; Ben hit back, and it came to hard words",
            "!",
        ),
        (stirred("late", ""), "Ann has let the hour go by: an apology for the loaves", "&"),
        (stirred("shows", "", "cy"), "Ann looks straight past Ben; Cy noticed", "&"),
        (
            Sought("x", "ben", Block(0, 9, "seek", "Mill", "", "ben"), "to find Ben to have it out"),
            "Ann goes to find Ben to have it out: an apology for the loaves",
            "&",
        ),
    ],
)
def test_a_turn_of_a_pressure_is_a_row_that_says_who_and_what(
    village: Village, event: Event, text: str, mark: str
) -> None:
    (row,) = tell(village, event)
    assert (row.text, row.mark, row.matter) == (text, mark, "x")
    assert row.who[:2] == ("ann", "cy" if isinstance(event, Stirred) and event.how == "shows" else "ben")


def test_what_is_told_of_others_names_them(village: Village) -> None:
    leak = stirred("leak", "refuse", "ben", told=("ben",))
    (row,) = tell(village, leak, actor="cy", kind="secret")
    assert row.text == "Cy has told Ben what Ann keeps from them: an apology for the loaves"
    confided = stirred("confide", "accept", "cy", told=("cy",))
    (row,) = tell(village, confided, kind="crush")
    assert row.text == "Ann has told Cy how it is with Ben: an apology for the loaves"
    assert row.mark == "?"


def test_a_complaint_that_changes_nothing_has_no_row_but_words(village: Village) -> None:
    complained = stirred("complain", "refuse", "cy", told=("cy",))
    assert tell(village, complained) == []
    timeline = Timeline(village.handbook, village.clock)
    timeline.read([village.records[0]])
    says = "Ann complained to Cy about Ben: an apology for the loaves; Cy calmed them"
    assert event_sentence(village.records[1], timeline.teller) == says


def test_what_the_town_begins_with_is_not_told_and_what_is_born_is(village: Village) -> None:
    first = began(village)
    assert Timeline(village.handbook, village.clock).read([first]) == []
    assert (
        event_sentence(first, Teller(village.handbook)) == "Ann holds something against Ben: an apology for the loaves"
    )
    (row,) = Timeline(village.handbook, village.clock).read([began(village, causes=(7,))])
    assert row.text == "Ann holds something against Ben: an apology for the loaves"
    assert row.weight < 2


def test_a_spark_is_told_in_its_own_words(village: Village) -> None:
    (row,) = village.rows(Sparked("hat", {"actor": "ben", "target": "cy"}, "The wind took Ben's hat."), actor="")
    assert (row.text, row.who) == ("The wind took Ben's hat", ("ben", "cy"))
    assert row.weight >= default_notable().line


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Ended("y", "repaid", True, "repay", "accept", "ben"), "Ann has settled with Ben"),
        (Ended("y", "let_off", True, "let_off", "accept", "ben"), "Ann has let Ben off"),
        (
            Ended("y", "broken", False, "late", "", "ben", (Turned("ben", "ann", -0.2, -0.2, STAKES),)),
            "Ann has broken the promise to Ben: an apology for the loaves",
        ),
        (
            Ended("y", "made_up", True, "apologise", "accept", "ben", (Turned("ann", "ben", 0.1, 0.1, STAKES),)),
            "Ben and Ann have made it up: an apology for the loaves",
        ),
        (Ended("y", "won", True, "decided", "", "ben"), "Ann has got the better of Ben"),
        (Ended("y", "found_out", False, "leak", "accept", "ben"), "Ann told Ben; Ben wanted to hear it all"),
        (stirred("confront", "dodge", hostile=True), "Ann had it out with Ben; Ben would not be drawn"),
        (stirred("late", ""), "Something weighs on Ann"),
        (Ended("y", "won", True), "A matter of Ann's is over"),
    ],
)
def test_a_pressure_that_the_log_never_told_of_has_words_too(village: Village, event: Event, text: str) -> None:
    """A recap reads the last hours only: what ended in them is told by its end, whenever it began."""
    (row,) = village.rows(event)
    assert row.text == text


def test_no_hour_that_passed_is_told_as_a_visit(village: Village) -> None:
    for name, kind in village.handbook.drama.kinds.items():
        for end in {kind.late.end, kind.luck, kind.ready} - {""}:
            (row,) = village.rows(Ended("y", end, False, "late", "", "ben"))
            ending = kind.ends[end].says.format(holder="Ann", about="Ben", stakes="")
            assert row.text == ending[0].upper() + ending[1:], name


def test_looking_for_somebody_is_told_once(village: Village) -> None:
    why = "to find Ben to have it out"
    plan = Planned(1, (Block(0, 9, "seek", "Mill / room", why, "ben"),), why)
    assert village.rows(plan) == []


def test_what_a_rivalry_is_about_fits_whoever_wins_it(drama: DramaDeck) -> None:
    """It is named after the victory, whoever's it is: a thing to be had, and not what it is like to lose it."""
    stakes = [text for child in drama.children.values() if child.kind == "rivalry" for text in child.stakes]
    assert stakes
    assert [text for text in stakes if text.startswith(("being ", "having ", "not "))] == []


def test_something_small_is_not_worth_a_stop(village: Village) -> None:
    small = village.add(Began("x", "debt", "ben", 0.4, 1, -1, "a borrowed umbrella", CAUSE, "x", ("ben",)))
    paid = village.add(Ended("x", "repaid", True, "repay", "accept", "ben"), 60, causes=(small.stamp.seq,))
    (row,) = Timeline(village.handbook, village.clock).read([small, paid])
    assert row.text == "Ann has settled with Ben: a borrowed umbrella"
    assert 3 < row.weight < default_notable().line


def test_weights_follow_what_it_is() -> None:
    table = default_notable()
    keys = ("began", "shows", "talk", "told_on", "good", "faced", "bad", "broke")
    assert [table[f"pressure.{key}"] for key in keys] == sorted(table[f"pressure.{key}"] for key in keys)
    assert table["pressure.talk"] < table.line <= table["pressure.told_on"]
    for most in ("together", "fell_out", "found_out"):
        assert table[f"pressure.{most}"] > table["pressure.bad"]


def test_moods_and_ordinary_talk_stay_below_the_line() -> None:
    table = default_notable()
    best = max(
        value
        for key, value in table.weights.items()
        if key.startswith("mood.") and key not in ("mood.each", "mood.most")
    )
    assert best + table["mood.most"] < table.line
    assert max(table["talk.warm"], table["talk.tense"]) + table["talk.most"] < table.line


# ---- talks


def test_a_talk_says_what_it_was_for_and_its_turn_is_told_at_once(village: Village) -> None:
    timeline = Timeline(village.handbook, village.clock)
    found = timeline.read([began(village), *talk(village)])
    turn, row = found
    assert turn.text == "Ann had it out with Ben: an apology for the loaves; Ben would not be drawn"
    assert (turn.t, turn.talk, turn.matter) == (60, "1.ann.ben", "x")
    assert row.text == "Ann and Ben at the square (2 lines)"
    assert row.weight <= default_notable()["pressure.talk"] < turn.weight
    story = timeline.talk("1.ann.ben")
    assert story is not None
    assert [(d.do, d.answer, d.why[0].name) for d in story.deeds] == [("confront", "dodge", "hard-headed")]


def test_one_deed_is_told_once_and_what_else_was_done_in_the_talk_too(village: Village) -> None:
    """Its end says nothing again that has stopped the town at its turn, and all that has had no row."""
    lines = (Utterance("ann", "And the hat?", "ask_straight", "", "", 0.0, ()),)
    first = [began(village), village.add(Began("h", "worry", "ben", 0.6, 1, -1, "a hat", CAUSE, "h", ()))]
    said = talk(village)
    asked = Exchanged("1.ann.ben", 2, "ask_straight", lines, (), "h", "ask_straight", "dodge", ())
    said.insert(-1, village.add(asked, 90))
    turn, row = Timeline(village.handbook, village.clock).read([*first, *said])
    assert turn.text.startswith("Ann had it out with Ben")
    assert row.text == "Ann asked Ben straight out at the square: a hat; Ben would not say (3 lines)"
    assert row.matter == "h"
    assert row.weight <= default_notable()["pressure.talk"]


def test_a_talk_without_consequence_tells_how_it_was_taken(village: Village) -> None:
    (row,) = Timeline(village.handbook, village.clock).read([began(village), *talk(village, "apologise", "dodge")])
    took = village.handbook.drama.exchanges["apologise"].took["dodge"]
    assert row.text == f"Ann said sorry to Ben at the square: an apology for the loaves; Ben {took} (2 lines)"
    assert row.matter == "x"


def test_who_is_turned_away_is_told_with_what_they_came_for(village: Village) -> None:
    refused = Declined("ben", "refuse", "confront", (ScoredRule("in a hurry", -0.5),), aim="x")
    (row,) = tell(village, refused)
    assert row.text == "Ann turned Ben away, who came to have it out: an apology for the loaves"
    assert row.matter == "x"
    assert row.weight >= default_notable()["declined.pressed"]


# ---- a town


def test_a_log_read_from_the_middle_knows_its_pressures_from_the_world(hour: Lived) -> None:
    matters = world_matters(hour.world)
    assert matters["two_hundred"].seq > 0
    assert matters["crate"].seq == 0  # it sleeps for days
    assert wanted_sentence(hour.world.handbook, matters["two_hundred"]) == (
        "Mara wanted to have it out with Vera over an apology for two hundred loaves"
    )
    late = [r for r in hour.records if r.stamp.t > 600]
    out = Timeline(hour.world.handbook, hour.world.clock, matters=matters).read(late)
    assert len(out) > 10
    assert all("matter of" not in row.text for row in out)


def test_no_event_of_a_pressure_is_without_words(hour: Lived) -> None:
    w = hour.world
    timeline = Timeline(w.handbook, w.clock)
    timeline.read(hour.records)
    pressed = [r for r in hour.records if isinstance(r.event, (Began, Stirred, Ended, Sought, Sparked))]
    assert len(pressed) > 13
    for record in pressed:
        text = event_sentence(record, timeline.teller)
        assert w.handbook.name(record.stamp.actor) in text or isinstance(record.event, (Ended, Stirred, Sparked))
        assert "{" not in text
        assert "pressure" not in text


def test_who_gives_it_up_says_why(village: Village) -> None:
    (*_, row) = tell(village, Ended("x", "given_up", False, turn=False, why="Ben has turned Ann away twice"))
    assert row.text == f"Ann has stopped waiting for Ben to make it good: {STAKES.partition(',')[0]}"
    assert row.why == "Ben has turned Ann away twice"
    assert row.weight > default_notable()["pressure.faded"]
