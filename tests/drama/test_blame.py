"""Whose doing it is that a matter ends as it does, and whether what is told of it is what happened."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from lived import again, founding
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.events import Record
from sandbox.drama.consequences import draw_consequences, turned_by
from sandbox.drama.pressure_clock import GRACE, overdue_reason
from sandbox.drama.truth import come_to_know
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.asking import make_interview
from sandbox.people.claim_model import Claim
from sandbox.people.goal_model import GoalPlan, Todo
from sandbox.people.interview_rule import answer
from sandbox.people.model import CurrentAct, Felt
from sandbox.people.paying import Paid
from sandbox.people.persona import Clue
from sandbox.people.pressure_deck import AWAY, Effect, ways_of
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Stirred
from sandbox.people.pressure_rules import given_up
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.pressures import world_matters
from sandbox.readers.story import Teller
from sandbox.talk.model import Declined
from sandbox.talk.pressure_aims import hearers, is_way_open
from sandbox.town.ways import Spot

AT = 12 * HOUR  # an hour to keep something by


def declined(
    stage: Stage, p: ActivePressure, do: str, t: int, how: str = "deflect", me: str = "", other: str = ""
) -> list[Record]:
    """Somebody, or the holder, comes for that, and the other does not go into a talk."""
    me, other = me or p.holder, other or p.about
    step = stage.step(t)
    step.emit(Declined(me, how, do, (), aim=p.id), t=t, actor=other)
    asyncio.run(draw_consequences(step, stage.world))
    stage.records += step.records
    return [r for r in step.records if not isinstance(r.event, Declined)]


def only(records: Sequence[Record], kind: type) -> list:
    return [r.event for r in records if isinstance(r.event, kind)]


def promised(larkspur: Scenario, **more: object) -> tuple[Stage, ActivePressure]:
    """Mara has promised Basil a ladder by noon, who is in another house."""
    stage = Stage(larkspur, pressure("promise", due=AT, stage=1, **more))
    p = stage.wake()
    stage.world.town.spots["basil"] = Spot(stage.world.bed_tile("otis"), 0)
    stage.world.people.residents["mara"].awake = True
    return stage, p


def hour_passes(stage: Stage, p: ActivePressure) -> list[Record]:
    return stage.press(p.due + GRACE)


# ---- an offer that is refused


@pytest.mark.parametrize("how", ["deflect", "refuse"])
def test_a_promise_turned_away_is_not_broken_by_who_came_to_keep_it(larkspur: Scenario, how: str) -> None:
    """Whoever has no time is come to again, and their hour may pass; of who does not want it that is the end."""
    stage, p = promised(larkspur)
    records = declined(stage, p, "keep", AT - HOUR, how=how)
    assert bool(only(records, Ended)) is (how == "refuse")
    records = records if how == "refuse" else hour_passes(stage, p)
    (ended,) = only(records, Ended)
    why = "Basil turned Mara away, who had come to keep a promise"
    assert (ended.how, ended.why, ended.answer) == ("turned_back", *(("", AWAY) if how == "refuse" else (why, "")))
    assert not [f for f in ended.feelings if f.u == "basil"], "he bears her nothing: he did not let her"
    (grudge,) = only(records, Began)
    assert (grudge.kind, grudge.id.split(".")[1], grudge.about) == ("grudge", "mara", "basil")
    assert "would not have it" in grudge.cause
    teller = Teller(stage.world.handbook, world_matters(stage.world))
    (row,) = (r for r in records if r.event is ended)
    assert event_sentence(row, teller).startswith("Basil would not let Mara keep the promise")


def test_one_that_nobody_came_to_keep_is_broken_as_ever(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.how == "broken"
    assert [f.u for f in ended.feelings] == ["basil"]


def test_whose_doing_a_bad_end_is_loses_standing_by_it(larkspur: Scenario) -> None:
    for turned in (True, False):
        stage, p = promised(larkspur)
        if turned:
            declined(stage, p, "keep", AT - HOUR)
        before = {who: r.needs.standing for who, r in stage.world.people.residents.items()}
        hour_passes(stage, p)
        after = {who: r.needs.standing for who, r in stage.world.people.residents.items()}
        worse = {who for who in ("mara", "basil") if after[who] < before[who] - 0.05}
        assert worse == ({"basil"} if turned else {"mara"})


def test_who_was_turned_away_comes_again_within_the_hour(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    (way,) = (x for x in larkspur.drama.kinds["promise"].ways if x.do == "keep")
    declined(stage, p, "keep", AT - 5 * MINUTE)
    open_ = [t for t in range(AT, p.due, 5 * MINUTE) if is_way_open(stage.world, p, way, "mara", "basil", "holder", t)]
    assert open_
    assert min(open_) - AT < HOUR


def test_a_refusal_in_words_turns_the_blame_as_well(larkspur: Scenario) -> None:
    (way,) = (x for x in larkspur.drama.kinds["promise"].ways if x.do == "keep")
    stage, p = promised(larkspur)
    ended, *rest = stage.move(AT, p, way.refuse, "mara", "basil", "keep", answer="refuse")
    assert isinstance(ended, Ended)
    assert ended.how == "turned_back"
    assert [e.about for e in rest if isinstance(e, Began)] == ["basil"]


@pytest.mark.parametrize("before", [1, 3, 4, 10])
def test_an_offer_refused_hours_before_its_hour_was_made_for_it(larkspur: Scenario, before: int) -> None:
    stage = Stage(larkspur, pressure("debt", due=AT, stage=2, amount=7))
    p = stage.wake()
    stage.world.people.residents["mara"].purse.coins = 2000
    stage.world.people.residents["mara"].awake = True
    stage.move(AT - before * HOUR, p, Effect(by=0.05), "mara", "basil", "repay", answer="refuse")
    records = hour_passes(stage, p)
    (ended,) = only(records, Ended)
    assert (ended.how, ended.why) == ("untaken", "Mara brought Basil what was owed, and Basil would not take it")
    assert not [e for e in only(records, Began) if e.about == "mara"]


def test_an_offer_of_before_its_hour_was_put_off_was_made_for_another(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", due=AT, stage=2, amount=7))
    p = stage.wake()
    stage.world.people.residents["mara"].purse.coins = 2000
    stage.world.people.residents["mara"].awake = True
    stage.move(AT - 5 * HOUR, p, Effect(), "mara", "basil", "repay", answer="refuse")
    stage.move(AT - 4 * HOUR, p, Effect(later=3 * HOUR), "mara", "basil", "put_off", answer="accept")
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.how == "defaulted"
    assert "Mara" in ended.why
    assert "more time" not in ended.why, "that is how the hour came to be, not how it was missed"


def test_what_only_has_to_be_handed_over_is_left_with_who_will_not_talk(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", due=AT, stage=1, amount=7))
    p = stage.wake()
    mara, basil = (stage.world.people.residents[who].purse for who in ("mara", "basil"))
    mara.coins, had = 20, basil.coins
    records = declined(stage, p, "repay", AT - HOUR)
    (ended,), (paid,) = only(records, Ended), only(records, Paid)
    assert (ended.how, ended.good, ended.by, ended.answer) == ("repaid", True, "repay", AWAY)
    assert (paid.amount, paid.to, mara.coins, basil.coins) == (7, "basil", 13, had + 7)
    assert not stage.world.pressures.open
    texts = [stage.world.memories.streams[who][-1].text for who in ("mara", "basil")]
    assert any("left with Basil what was owed, without a word" in m.text for m in stage.world.memories.streams["mara"])
    assert any(
        "had no word for Mara, and Mara left with me what was owed" in m.text
        for m in stage.world.memories.streams["basil"]
    ), texts


def test_money_that_is_refused_in_words_is_no_default(larkspur: Scenario) -> None:
    (way,) = (x for x in larkspur.drama.kinds["debt"].ways if x.do == "repay")
    stage = Stage(larkspur, pressure("debt", due=AT, stage=1, amount=7))
    p = stage.wake()
    stage.world.people.residents["mara"].purse.coins = 20
    stage.move(AT - HOUR, p, way.refuse, "mara", "basil", "repay", answer="refuse")
    stage.world.people.residents["mara"].awake = True
    (ended,) = only(hour_passes(stage, p), Ended)
    assert (ended.how, ended.why) == ("untaken", "Mara brought Basil what was owed, and Basil would not take it")


def test_a_deck_without_such_words_blames_nobody_either(larkspur: Scenario) -> None:
    promise = larkspur.drama.kinds["promise"]
    deck = replace(larkspur.drama, kinds={**larkspur.drama.kinds, "promise": replace(promise, offered=Effect())})
    stage, p = promised(replace(larkspur, drama=deck))
    declined(stage, p, "keep", AT - HOUR)
    records = hour_passes(stage, p)
    (ended,) = only(records, Ended)
    assert "Basil turned Mara away" in ended.why
    assert not ended.feelings
    assert not only(records, Began)


@pytest.mark.parametrize(("kind", "do"), [("worry", "ask_straight"), ("rivalry", "challenge")])
def test_what_turns_out_well_or_ill_by_itself_came_of_no_visit(larkspur: Scenario, kind: str, do: str) -> None:
    """That Basil had no time for Mara is no reason for what she feared for him to come about, nor not to."""
    stage = Stage(larkspur, pressure(kind, due=AT, stage=1))
    p = stage.wake()
    stage.world.town.spots["basil"] = Spot(stage.world.bed_tile("otis"), 0)
    stage.world.people.residents["mara"].awake = True
    declined(stage, p, do, AT - HOUR)
    records = hour_passes(stage, p)
    (ended,) = only(records, Ended)
    assert ended.why == ""
    row = next(r for r in records if r.event is ended)
    assert "away" not in event_sentence(row, Teller(stage.world.handbook, world_matters(stage.world)))


def test_what_hung_on_the_word_of_who_turned_its_holder_away_failed_by_that(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("ambition", due=AT, stage=1))
    p = stage.wake()
    stage.world.town.spots["basil"] = Spot(stage.world.bed_tile("otis"), 0)
    stage.world.people.residents["mara"].awake = True
    declined(stage, p, "ask_help", AT - HOUR)
    (ended,) = only(hour_passes(stage, p), Ended)
    assert (ended.how, ended.why) == ("failed", "Basil turned Mara away, who had come to ask for help")


# ---- whether it came to words


@pytest.mark.parametrize("do", ["keep", "confront", "be_kind", "confide"])
def test_words_tell_whether_it_came_to_words(larkspur: Scenario, do: str) -> None:
    kind = {"keep": "promise", "confront": "grudge", "be_kind": "worry", "confide": "secret"}[do]
    stage = Stage(larkspur, pressure(kind, due=AT if do == "keep" else None, stage=2 if do == "be_kind" else 1))
    p = stage.wake()
    other = "una" if do == "confide" else "basil"
    records = declined(stage, p, do, AT - HOUR, other=other)
    (row,) = (r for r in records if isinstance(r.event, Stirred))
    assert row.event.answer == AWAY
    exchange, name = larkspur.drama.exchanges[do], stage.world.handbook.name(other)
    teller = Teller(stage.world.handbook, world_matters(stage.world))
    did = exchange.did.format(to=name)
    for text in (
        event_sentence(row, teller),
        *(m.text for who in ("mara", other) for m in stage.world.memories.streams[who]),
    ):
        assert did not in text
        assert f"{exchange.did.format(to='me')}, who" not in text
    assert f"came to {name} {exchange.says}" in event_sentence(row, teller)


def test_asked_who_was_turned_away_says_so(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    declined(stage, p, "keep", AT - HOUR, how="refuse")
    w = stage.world
    question = make_interview(w, "mara", "What happened with Basil today?", AT)
    said = answer(question, w.chance.stream(1, "mara", "interview")).text
    assert "kept the promise" not in said
    assert any("turned away" in m.text for m in question.memories)


def test_a_deed_of_which_no_word_was_said_shows_and_soothes_nothing(larkspur: Scenario) -> None:
    clue = Clue("{holder} was heard to say it", by="confide")
    secret = pressure("secret", stage=1, clues=(clue,))
    stage = Stage(larkspur, secret)
    p = stage.wake()
    step = stage.step(AT)
    step.emit(Declined("mara", "deflect", "confide", (), aim=p.id), t=AT, actor="una")
    asyncio.run(draw_consequences(step, stage.world))
    before = len(step.records)
    asyncio.run(come_to_know(step, stage.world))
    assert len(step.records) == before
    stage = Stage(larkspur, pressure("worry", stage=2))
    p = stage.wake()
    stage.world.pressures.hurt["basil"] = [(0, 1, "x")]
    declined(stage, p, "be_kind", AT)
    assert "basil" in stage.world.pressures.hurt, "nobody has been kind yet"


def test_a_deck_may_say_what_comes_of_it_that_somebody_is_turned_away(larkspur: Scenario) -> None:
    """Also where that is no end: else it is felt as if the other had dodged it."""
    kind = larkspur.drama.kinds["grudge"]
    deltas = []
    for away in (Effect(), Effect(by=0.3)):
        ways = tuple(replace(x, away=away) if x.do == "confront" else x for x in kind.ways)
        deck = replace(larkspur.drama, kinds={**larkspur.drama.kinds, "grudge": replace(kind, ways=ways)})
        stage = Stage(replace(larkspur, drama=deck), pressure("grudge", stage=1, intensity=0.5))
        p = stage.wake()
        (row,) = (r for r in declined(stage, p, "confront", AT) if isinstance(r.event, Stirred))
        deltas.append(row.event.delta)
    assert deltas == [next(x.dodge.by for x in kind.ways if x.do == "confront"), 0.3]


SHUT = [("grudge", "confront", "not_heard"), ("grudge", "bargain", "no_terms"), ("guilt", "ask_pardon", "given_up")]


@pytest.mark.parametrize(("kind", "do", "end"), SHUT)
def test_only_who_does_not_want_to_hear_ends_it_by_a_closed_door(
    larkspur: Scenario, kind: str, do: str, end: str
) -> None:
    """Who has no time has shut no door; and nobody feels anything for whom they have not heard."""
    for how, ends in (("refuse", [end]), ("deflect", [])):
        stage = Stage(larkspur, pressure(kind, stage=2, intensity=0.5))
        records = declined(stage, stage.wake(), do, AT, how=how)
        assert [e.how for e in only(records, Ended)] == ends
        assert not [f for r in records if isinstance(r.event, Ended) for f in r.event.feelings if f.u == "basil"]


@pytest.mark.parametrize(("kind", "do", "end"), [("grudge", "bargain", "no_terms"), ("guilt", "apologise", "given_up")])
def test_a_flat_no_stands(larkspur: Scenario, kind: str, do: str, end: str) -> None:
    stage = Stage(larkspur, pressure(kind, stage=1, intensity=0.5))
    p = stage.wake()
    way = max((x for x in larkspur.drama.kinds[kind].ways if x.do == do and x.stage <= 1), key=lambda x: x.stage)
    assert (way.by, way.refuse.end) == ("holder", end)
    ended, *_ = stage.move(AT, p, way.refuse, "mara", "basil", do, answer="refuse")
    assert isinstance(ended, Ended)
    assert (ended.how, ended.good, ended.turn) == (end, False, True)


def test_a_closed_door_is_told_of_who_closed_it(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    both = turned_by(stage.world, p, Effect(actor=-0.1, target=-0.1), "mara", "basil", "keep", AWAY)
    assert {f.u: f.why for f in both} == {
        "mara": "Basil would not hear a word: a ladder",
        "basil": "Mara came to keep a promise: a ladder",
    }
    (left,) = turned_by(stage.world, p, Effect(target=-0.1), "mara", "basil", "repay", AWAY)
    assert left.why == "Mara left with them what was owed, without a word: a ladder"


def test_who_hears_nothing_takes_nothing_ill(larkspur: Scenario) -> None:
    """No feeling of whom somebody came to moves by words that were not said, nothing breaks by them, and a closed door
    takes no load off anybody, or as good as none off who came to say sorry.
    """
    for kind, deck in larkspur.drama.kinds.items():
        for way in deck.ways:
            if (way.by, way.to) != ("holder", "about") or way.away.end:
                continue
            stage = Stage(larkspur, pressure(kind, stage=max(way.stage, 0), due=AT))
            p = stage.wake()
            for r in declined(stage, p, way.do, AT - HOUR):
                if isinstance(r.event, Stirred):
                    assert not [f for f in r.event.feelings if f.u == "basil"], (kind, way.do)
                    assert not r.event.turn, (kind, way.do)
                    assert r.event.delta >= -0.05, (kind, way.do)


# ---- what an hour that has passed is told by


def test_what_was_tried_by_the_hour_is_told_and_not_what_one_did_meanwhile(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", due=AT, stage=2, amount=7))
    p = stage.wake()
    stage.world.people.residents["mara"].purse.coins = 2000
    stage.world.people.residents["mara"].awake = True
    stage.move(AT - HOUR, p, Effect(), "mara", "basil", "put_off", answer="refuse")
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.why == "Mara asked Basil for more time, and Basil refused"


def test_who_met_the_other_is_not_said_to_have_looked_in_vain(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    p.sought, p.sought_for = AT - HOUR, "keep"
    stage.world.people.ties["mara"]["basil"].last_talk = AT - HOUR + MINUTE
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.why == "Mara spoke with Basil and did not come to it"
    stage, p = promised(larkspur)
    p.sought, p.sought_for = AT - HOUR, "keep"
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.why == "Mara went looking for Basil and did not find them"


def test_who_went_looking_before_they_slept_has_not_slept_through_it(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    mara = stage.world.people.residents["mara"]
    mara.act, mara.acted = CurrentAct("sweep", "chores", "", "", 0, 600, p.due + GRACE + 600), ["sleep", "sweep"]
    for sought, why in (
        (AT - HOUR, "Mara went looking for Basil and did not find them"),
        (-1, "Mara slept through the hour"),
    ):
        p.sought, p.sought_for = sought, "keep"
        assert overdue_reason(stage.step(p.due + GRACE), stage.world, p) == why


@pytest.mark.parametrize("child", ["broken_word", "unpaid", "let_down"])
def test_a_grudge_tells_no_deed_that_nobody_need_have_done(larkspur: Scenario, child: str) -> None:
    """They are born of a vote, an empty purse, a plain no as well as of an hour that somebody let go by."""
    for cause in larkspur.drama.children[child].cause:
        assert not [x for x in ("hour", "walked", "waited", "better things") if x in cause]


def test_who_gives_up_need_not_have_asked(larkspur: Scenario) -> None:
    """What is shut between two may have been tried by the other of them."""
    for kind in ("grudge", "guilt"):
        assert "asking" not in larkspur.drama.kinds[kind].ends["given_up"].says


def test_nobody_has_said_yes_by_an_hour_that_passes(larkspur: Scenario) -> None:
    for agreed in (False, True):
        stage = Stage(larkspur, pressure("ambition", due=AT, stage=2))
        p = stage.wake()
        stage.world.people.residents["mara"].awake = True
        if agreed:
            stage.move(AT - 5 * HOUR, p, Effect(), "mara", "basil", "ask_help", answer="accept")
        (ended,) = only(hour_passes(stage, p), Ended)
        assert ended.how == ("reached" if agreed else "failed")


@pytest.mark.parametrize(
    ("answers", "how", "why"),
    [
        (("dodge", "accept"), "reached", "Mara asked Basil for help, and Basil agreed to help"),
        (("accept", "refuse"), "failed", "Mara asked Basil for help, and Basil refused"),
        (("accept", AWAY), "failed", "Basil turned Mara away, who had come to ask for help"),
        (("lie",), "failed", "Mara asked Basil for help, and nothing came of it"),
    ],
)
def test_the_last_answer_is_what_counts(larkspur: Scenario, answers: tuple[str, ...], how: str, why: str) -> None:
    stage = Stage(larkspur, pressure("ambition", due=AT, stage=2))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    for n, answer_ in enumerate(answers):
        stage.move(AT - (5 - n) * HOUR, p, Effect(), "mara", "basil", "ask_help", answer=answer_)
    (ended,) = only(hour_passes(stage, p), Ended)
    assert (ended.how, ended.why) == (how, why)


def test_a_yes_stands_though_the_hour_is_put_off(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("ambition", due=AT, stage=2))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    stage.move(AT - 5 * HOUR, p, Effect(), "mara", "basil", "ask_help", answer="accept")
    stage.move(AT - 4 * HOUR, p, Effect(later=HOUR), "mara", "basil", "late")
    assert p.due == AT + HOUR
    (ended,) = only(hour_passes(stage, p), Ended)
    assert (ended.how, ended.why) == ("reached", "Mara asked Basil for help, and Basil agreed to help")


def test_what_was_done_with_a_third_is_not_told_of_whom_it_is_about(larkspur: Scenario) -> None:
    late = "Mara asked Basil for help, and Basil agreed to help, and there was too little time left"
    for to, why in (("basil", late), ("wilf", "Mara never came to Basil with it")):
        stage = Stage(larkspur, pressure("ambition", due=AT, stage=1))
        p = stage.wake()
        stage.world.people.residents["mara"].awake = True
        stage.move(AT - HOUR, p, Effect(), "mara", to, "ask_help", answer="accept")
        (ended,) = only(hour_passes(stage, p), Ended)
        assert ended.why == why


@pytest.mark.parametrize(
    ("step", "answers", "why"),
    [
        ("coins", ("accept", "accept"), "Mara had yet to have forty put by, and never came to Basil with it"),
        ("a_hand", ("dodge",), "Mara had yet to be shown by Wilf how it is done, and had asked in vain"),
        ("a_hand", ("dodge", "refuse"), "Mara had yet to be shown by Wilf how it is done, and Wilf said no"),
        ("skill", (), "Mara had yet to practise, and never came to Basil with it"),
    ],
)
def test_what_was_missed_is_told_by_what_was_wanting(
    larkspur: Scenario, step: str, answers: tuple[str, ...], why: str
) -> None:
    """However many have said yes to something else: no hour was let go by."""
    stage = Stage(larkspur, pressure("ambition", due=AT, stage=2))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    whom = "" if step == "skill" else "wilf"
    todo = Todo(step, 0, whom)
    stage.world.goals.open[p.id] = GoalPlan(Claim("", "feat", "mara", "", "a ladder"), 1, [todo])
    for who in ("una", "otis"):
        stage.move(AT - 6 * HOUR, p, Effect(), "mara", who, "ask_help", answer="accept")
    for n, said in enumerate(answers):
        stage.move(AT - (5 - n) * HOUR, p, Effect(), "mara", "wilf", "ask_help", answer=said)
    (ended,) = only(hour_passes(stage, p), Ended)
    assert (ended.how, ended.why) == ("failed", why)


def test_a_step_that_no_way_leads_to_any_more_is_wanting_without_anybody(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("ambition", due=AT, stage=2))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    stage.world.people.ties["mara"].clear()  # she knows nobody to ask
    stage.world.claims.of.clear()
    stage.world.claims.open.clear()
    stage.world.goals.open[p.id] = GoalPlan(Claim("", "confidence", "mara", "basil"), 1)
    (ended,) = only(hour_passes(stage, p), Ended)
    assert ended.why == "Mara had yet to learn from somebody where to begin, and never came to Basil with it"


def test_who_was_lied_to_was_not_told_the_truth(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("suspicion", due=AT, stage=2))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    stage.move(AT - HOUR, p, Effect(), "mara", "basil", "accuse", answer="lie")
    assert overdue_reason(stage.step(AT), stage.world, p) == "Mara accused Basil, and Basil laid it at another door"


@pytest.mark.parametrize("do", ["ask_fair", "accuse"])
def test_a_lie_that_is_believed_costs_nobody_standing_and_is_no_bad_turn(larkspur: Scenario, do: str) -> None:
    stage = Stage(larkspur, pressure("suspicion", stage=3))
    p, w = stage.wake(), stage.world
    way = next(x for x in larkspur.drama.kinds["suspicion"].ways if x.do == do and x.lie.end == "fobbed_off")
    people = {who: w.people.residents[who] for who in ("mara", "basil")}
    before = {who: r.needs.standing for who, r in people.items()}
    ended, *_ = stage.move(AT, p, way.lie, "mara", "basil", do, answer="lie")
    assert isinstance(ended, Ended)
    assert ended.how == "fobbed_off"
    assert {who: r.needs.standing for who, r in people.items()} == before
    assert not w.pressures.hurt


def test_who_believes_a_lie_feels_and_remembers_none_and_nobody_near_knows_of_it(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("suspicion", stage=1))
    p, w = stage.wake(), stage.world
    for who in ("mara", "basil", "wilf"):
        w.people.residents[who].awake = True
        w.town.spots[who] = w.town.spots["basil"]
    assert "wilf" in hearers(w, "mara", "basil", AT)
    way = next(x for x in larkspur.drama.kinds["suspicion"].ways if x.do == "ask_fair")
    ended, *rest = stage.move(AT, p, way.lie, "mara", "basil", "ask_fair", answer="lie")
    assert (ended.how, ended.learned) == ("fobbed_off", ())
    assert {e.why for e in rest if isinstance(e, Felt)} == {
        "Basil has cleared it up with Mara",
        "has lied to Mara, and Mara believed it",
    }
    assert not [m.text for m in w.memories.streams["mara"] if "lie" in m.text]
    assert [m.text for m in w.memories.streams["basil"] if "told a lie" in m.text]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((AWAY, AWAY), "Basil has turned Mara away four times"),
        (("dodge", "dodge"), "Mara has been to Basil four times, and nothing has come of it"),
        (("dodge", "refuse"), "Mara has been to Basil four times, and Basil would have none of it"),
    ],
)
def test_who_gives_up_says_whether_it_came_to_words(larkspur: Scenario, answers: tuple[str, ...], why: str) -> None:
    stage = Stage(larkspur, pressure("guilt", stage=1))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    t = AT
    for do in ("apologise", "ask_pardon"):
        for answer_ in answers:
            stage.move(t, p, Effect(), "mara", "basil", do, answer=answer_)
            t += HOUR
    assert given_up(stage.world, p, stage.world.handbook, t, alone=False)[0] == why


def test_nobody_owns_up_to_what_the_other_has_known_from_the_first(larkspur: Scenario) -> None:
    """Of a promise broken, or a word said to the face, pardon is asked for; what was hidden is owned up to."""
    drama = larkspur.drama
    asked: dict[str, set[str]] = {"own_up": set(), "ask_pardon": set()}
    for name in (name for name, x in drama.children.items() if x.kind == "guilt"):
        (do,) = {x.do for x in ways_of(drama, f"{name}.mara.basil.1", "guilt")} & asked.keys()
        asked[do].add(name)
    assert asked["own_up"] >= {"caught", "gate_guilt", "found_purse"}
    assert asked["ask_pardon"] >= {"bad_conscience", "ashamed", "left_behind", "sharp_tongue", "too_loud"}
    assert drama.exchanges["ask_pardon"].move == "apologise"


def test_whoever_was_come_to_is_not_said_to_have_been_turned_away(larkspur: Scenario) -> None:
    """Basil came to Mara twice, and it was she who said no: her grudge is none for which she went to him."""
    stage = Stage(larkspur, pressure("grudge", stage=1, about="basil"))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    for n, answer_ in enumerate(("dodge", "refuse")):
        stage.move(AT + n * HOUR, p, Effect(), "basil", "mara", "confront", answer=answer_)
    why, _ = given_up(stage.world, p, stage.world.handbook, AT + 9 * HOUR, alone=False)
    assert why == "it has come to nothing between Mara and Basil twice"


def test_what_was_tried_before_a_matter_began_anew_is_told_of_nobody(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", stage=1))
    p = stage.wake()
    stage.world.people.residents["mara"].awake = True
    stage.move(AT, p, Effect(), "mara", "basil", "confront", answer="refuse")
    assert given_up(stage.world, p, stage.world.handbook, AT + HOUR, alone=False)[0].startswith(
        "Mara has been to Basil"
    )
    p.tried.clear()
    why, _ = given_up(stage.world, p, stage.world.handbook, AT + HOUR, alone=False)
    assert why == "it has come to nothing between Mara and Basil once"


# ---- saves


def test_what_was_turned_away_is_in_a_snapshot_and_comes_back_by_its_events(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    declined(stage, p, "keep", AT - HOUR)
    fresh = World.found(founding(stage.world.scenario))
    fresh.restore(stage.world.snapshot())
    assert fresh.pressures.open[p.id] == p
    assert p.tried == {"mara keep away": AT - HOUR}
    assert (p.dated, p.taken) == (0, {"keep": (AT - HOUR, AWAY)}), "put off for who came in vain, it is the same hour"
    assert [r.event for r in again(stage.records)] == [r.event for r in stage.records]


def test_a_dodge_of_a_save_of_old_that_came_of_a_closed_door_is_told_as_one(larkspur: Scenario) -> None:
    stage, p = promised(larkspur)
    step = stage.step(AT)
    seq = step.emit(Declined("mara", "refuse", "keep", (), aim=p.id), t=AT, actor="basil")
    step.emit(
        Stirred(p.id, "keep", "dodge", "basil", 0.0, 0.6, 1, due=AT + hours(2)), t=AT, actor="mara", causes=(seq,)
    )
    teller = Teller(stage.world.handbook, world_matters(stage.world))
    for record in step.records:
        teller.lately[record.stamp.seq] = record.event
    assert (
        event_sentence(step.records[-1], teller)
        == "Mara came to Basil to keep a promise: a ladder; Basil would not hear a word"
    )
