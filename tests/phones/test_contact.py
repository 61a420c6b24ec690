"""What is sent to somebody, or made of what they wrote, moves their tie once they see it (phones/reading.py)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from online import NOON, Online, of, pressure

from sandbox.engine.scenario import Scenario
from sandbox.feed.acting import ActingUser
from sandbox.feed.acts_of_posts import create_comment, react_to
from sandbox.feed.events import ReactionAct, WritingDetails
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import REMEMBERED
from sandbox.phones.model import Read, Written
from sandbox.phones.reading import read_answers, relation_after_reading, see_reactions
from sandbox.talk.content import tie_of

MARA, VERA, OTIS = "mara", "vera", "otis"


@pytest.fixture
def town(larkspur: Scenario) -> Online:
    return Online(larkspur, pressure("debt", MARA, OTIS))


def votes(s: Online, act: ReactionAct, who: str, x: Written, t: int = NOON) -> None:
    w, step = s.world, s.at(t)
    account = w.feed.accounts[w.feed.handles[who]]
    step.emit(react_to(ActingUser(w.feed, account.number, t, "", w.means), act, "post", x.number), t=t, actor=who)
    s.kept(step)


def takes_stock(s: Online, who: str, t: int) -> list[Read]:
    step = s.at(t)
    see_reactions(step, s.world, who, s.world.seq)
    return of(s.kept(step), Read)


def test_a_like_brings_its_author_closer_once_they_see_it_and_once_only(town: Online) -> None:
    w, x = town.world, town.post(None, MARA)
    before, back = tie_of(w, MARA, VERA), tie_of(w, VERA, MARA)
    close, feeling, theirs = before.closeness, before.feeling, back.closeness
    votes(town, "like", VERA, x)
    assert (before.closeness, before.feeling) == (close, feeling), "she has not looked"
    (read,) = takes_stock(town, MARA, NOON + 600)
    after = tie_of(w, MARA, VERA)
    assert after.closeness > close
    assert after.feeling > feeling
    assert after.liked == pytest.approx(1 - REMEMBERED)
    assert back.closeness == theirs, "who likes comes no closer by it"
    assert [(r.u, r.v, r.closeness, r.why) for r in read.relations] == [
        (MARA, VERA, after.closeness, "Vera liked what was posted")
    ]
    assert after.causes[-1].seq == town.records[-1].stamp.seq
    assert takes_stock(town, MARA, NOON + 1200) == []


def test_a_like_taken_back_before_it_is_seen_was_none(town: Online) -> None:
    x = town.post(None, MARA)
    votes(town, "like", VERA, x)
    votes(town, "unlike", VERA, x, NOON + 60)
    assert takes_stock(town, MARA, NOON + 600) == []


def test_a_dislike_is_contact_and_no_warmth(town: Online) -> None:
    w, x = town.world, town.post(None, MARA)
    before = tie_of(w, MARA, VERA)
    close, feeling = before.closeness, before.feeling
    votes(town, "dislike", VERA, x)
    takes_stock(town, MARA, NOON + 600)
    after = tie_of(w, MARA, VERA)
    assert after.feeling < feeling
    assert (after.closeness, after.day) == (close, 1), "it neither grows nor fades"


def test_words_under_a_post_count_by_how_they_sound(town: Online) -> None:
    w, x = town.world, town.post(None, MARA)
    warm, cold = tie_of(w, MARA, VERA).feeling, tie_of(w, MARA, OTIS).feeling
    town.comment(VERA, x, "Lovely, all of it.", valence=0.8)
    town.comment(OTIS, x, "Rubbish.", valence=-0.8)
    (read,) = takes_stock(town, MARA, NOON + 600)
    assert {r.v for r in read.relations} == {VERA, OTIS}
    assert tie_of(w, MARA, VERA).feeling > warm
    assert tie_of(w, MARA, OTIS).feeling < cold


def test_a_warm_message_brings_closer_and_a_bitter_one_does_not(town: Online) -> None:
    w = town.world
    close, far = tie_of(w, VERA, MARA).closeness, tie_of(w, OTIS, MARA).closeness
    town.read(VERA, town.message(MARA, VERA, valence=0.8))
    town.read(OTIS, town.message(MARA, OTIS, valence=-0.8))
    assert tie_of(w, VERA, MARA).closeness > close
    assert tie_of(w, OTIS, MARA).closeness == far


def test_only_who_is_named_is_addressed_by_a_post(town: Online) -> None:
    x = town.post(None, MARA, whom=VERA, valence=0.5)
    named = of(town.read(VERA, x), Read)
    others = of(town.read(OTIS, x), Read)
    assert [r.v for e in named for r in e.relations] == [MARA]
    assert not any(e.relations for e in others)


def test_feed_and_talk_share_what_a_tie_may_grow_in_a_day(town: Online) -> None:
    w = town.world
    first = tie_of(w, MARA, VERA).closeness
    for n in range(5):
        t = NOON + 600 * n
        votes(town, "like", VERA, town.post(None, MARA, t), t)
        takes_stock(town, MARA, t + 60)
    assert tie_of(w, MARA, VERA).closeness - first <= w.tie_parameters.dmax + 1e-6
    assert tie_of(w, MARA, VERA).liked > 0.2


def test_what_sours_and_what_warms_by_the_same_words_add_up(town: Online) -> None:
    w, x = town.world, town.message(MARA, VERA, valence=0.5)
    before = tie_of(w, VERA, MARA).feeling
    turned = Turned(VERA, MARA, -0.2, before - 0.2, "has read it")
    found = relation_after_reading(w, VERA, x, NOON, new=False, turned=(turned,))
    assert found is not None
    assert found.feeling_delta > 0
    assert found.feeling == pytest.approx(before - 0.2 + found.feeling_delta)


def test_who_is_answered_under_anothers_post_reads_it_once(town: Online) -> None:
    w, x = town.world, town.post(None, MARA)
    before = tie_of(w, OTIS, VERA).feeling
    step = town.at()
    vera = w.feed.accounts[w.feed.handles[VERA]]
    event = create_comment(ActingUser(w.feed, vera.number, NOON, "", w.means), x.number, "Quite right, Otis.", 0)
    about = WritingDetails(move="answer_back", on=x.number, whom=OTIS, valence=0.8)
    step.emit(replace(event, about=about), t=NOON, actor=VERA)
    town.kept(step)
    for minute in (10, 20):
        step = town.at(NOON + 60 * minute)
        read_answers(step, w, OTIS, w.seq)
        reads = of(town.kept(step), Read)
        assert [(e.kind, e.by, [r.v for r in e.relations]) for e in reads] == (
            [("comment", VERA, [VERA])] if minute == 10 else []
        )
    assert tie_of(w, OTIS, VERA).feeling > before
    assert takes_stock(town, MARA, NOON + 1800), "whose post it is sees it, too"


def test_a_vote_counts_once_however_often_it_is_cast(town: Online) -> None:
    w, x = town.world, town.post(None, MARA)
    votes(town, "like", VERA, x)
    takes_stock(town, MARA, NOON + 600)
    liked = tie_of(w, MARA, VERA).liked
    votes(town, "unlike", VERA, x, NOON + 1200)
    votes(town, "like", VERA, x, NOON + 1260)
    assert takes_stock(town, MARA, NOON + 1800) == []
    assert tie_of(w, MARA, VERA).liked == liked
