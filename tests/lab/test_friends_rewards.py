"""The five rewards: each formula by hand, and all of them in [0, 1] whatever happens (seed 000, section 3.3)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.lab.friends import model as r
from sandbox.lab.friends.model import COM, DM, NOT, POST, PUBLIC, GameAct, GameRules
from sandbox.lab.friends.plan import TranscriptLine, rate_transcript, text_evidence, transcripts
from sandbox.lab.friends.scoring import ShownTopics, round_scores, signals
from sandbox.talk.sentiment import sentiment

share = st.floats(0, 1)
count = st.integers(0, 60)
RULES = GameRules()


def test_soc_by_hand() -> None:
    assert r.soc(2, 3, 3, 12, 0.5) == pytest.approx(0.5 * 2 / 3 + 0.5 * 3 / 12)
    assert r.soc(0, 0, 3, 0, 0.5) == 0.0, "nobody wrote to anybody"


def test_inf_by_hand() -> None:
    assert r.inf(2, [1, 1], 4, 0.5) == pytest.approx(0.5 * 2 / 4 + 0.5 * math.log(2) / math.log(4))
    assert r.inf(1, [5], 1, 0.5) == 0.5, "with one topic there is no variety"
    assert r.inf(0, [], 0, 0.5) == 0.0
    assert r.entropy([1, 1, 2]) == pytest.approx(1.5 * math.log(2))


def test_pre_by_hand() -> None:
    assert r.pre(2, 7, 1, 3, 30, 0.5) == pytest.approx(0.5 * 2 / 3 + 0.5 * 6 / 87)
    assert r.pre(1, 0, 29, 3, 30, 1.0) == 0.0, "the formula goes below 0, and is clipped"


def test_coord_by_hand() -> None:
    assert r.coord(2, 40, 1, 2, 0.5) == pytest.approx(0.5 * 2 / 40 + 0.5 * 1 / 2)
    assert r.coord(0, 40, 0, 0, 0.5) == 0.0, "nobody wrote, so nobody is answered"


def test_emo_by_hand() -> None:
    assert r.emo(0.0, 0.0, -1.0) == 0.5, "nobody wrote"
    assert r.emo(1.5, 0.5, -1.0) == pytest.approx(0.5 * (1 + 1.0 / 2.0), abs=1e-6)
    assert r.emo(1.0, 0.0, -1.0) == pytest.approx(1.0, abs=1e-6)
    assert r.emo(0.0, 1.0, -1.0) == pytest.approx(0.0, abs=1e-6)
    assert r.emo(0.0, 1.0, 1.0) == pytest.approx(1.0, abs=1e-6), "a platform on which anger counts as well"
    assert r.emo(1.0, 3.0, 0.0) == pytest.approx(1.0, abs=1e-6)


def test_the_total_is_the_weighted_sum() -> None:
    of = dict(zip(r.REWARDS, (0.1, 0.2, 0.3, 0.4, 0.5), strict=True))
    assert r.weighted_total(of, {r.SOC: 0.5, r.EMO: 0.5}) == pytest.approx(0.3)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), count, count, share)
def test_soc_is_bounded(mine: tuple[int, int], received: int, others: int, b: float) -> None:
    n, sent = mine
    assert 0 <= r.soc(sent, received, n, received + others, b) <= 1 + 1e-12


@given(st.lists(st.integers(1, 9), max_size=40), count, count, share)
def test_inf_is_bounded(shown: list[int], more: int, new: int, b: float) -> None:
    assert 0 <= r.inf(min(new, len(shown)), shown, len(shown) + more, b) <= 1 + 1e-12


@given(st.integers(1, 9), st.integers(0, 9), st.integers(2, 60), share, st.integers(0, 500), st.integers(0, 500))
def test_pre_is_bounded(n: int, posts: int, people: int, b: float, likes: int, dislikes: int) -> None:
    posts = min(posts, n)
    most = posts * (people - 1)
    assert 0 <= r.pre(posts, min(likes, most), min(dislikes, most), n, people, b) <= 1 + 1e-12


@given(count, count, count, count, share)
def test_coord_is_bounded(mentions: int, public: int, replies: int, senders: int, b: float) -> None:
    assert 0 <= r.coord(min(mentions, public), public, min(replies, senders), senders, b) <= 1 + 1e-12


@given(st.floats(0, 100), st.floats(0, 100), st.floats(-50, 50))
def test_emo_is_bounded_whatever_beta(kind: float, harsh: float, b: float) -> None:
    assert 0 <= r.emo(kind, harsh, b) <= 1


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"SOC": 0.5, "EMO": 0.4}, "sum to 0.9; make them sum to 1"),
        ({"SOC": 1.5, "EMO": -0.5}, '"EMO" weighs -0.5; weights must be 0 or more'),
        ({"SOC": 0.5, "EMOS": 0.5}, 'no reward "EMOS"; did you mean "EMO"?'),
        ({"SOC": math.nan}, "weights must be 0 or more"),
        ({}, "sum to 0; make them sum to 1"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights: dict[str, float], told: str) -> None:
    assert told in r.weights_fault(weights)


@pytest.mark.parametrize(
    ("betas", "told"),
    [
        ({**r.BETAS, "SOC": 1.2}, "SOC: 1.2 is out of range; it must be between 0 and 1"),
        ({**r.BETAS, "EMO": math.inf}, "EMO: inf is out of range; it must be a finite number"),
        ({**r.BETAS, "COORDS": 0.5}, 'no reward "COORDS"; did you mean "COORD"?'),
        ({"SOC": 0.5}, "INF is missing; add one, 0.5 for example"),
    ],
)
def test_betas_that_cannot_be_are_refused(betas: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError, match=r"^betas: ") as refused:
        GameRules(betas=betas)
    assert told in str(refused.value)
    assert GameRules(betas={**r.BETAS, "EMO": 3.0}).betas["EMO"] == 3.0


# ---- of a whole round


def act(number: int, kind: str, sender: int, **more: object) -> GameAct:
    return GameAct(number, 2, kind, sender, **more)  # type: ignore[arg-type]


ROUND = [
    act(9, POST, 0, topic="floods", mentions=(1,), text="a"),
    act(10, COM, 1, recipient=0, target=3, topic="storms", sentiment=0.5, text="b"),
    act(11, DM, 2, recipient=0, topic="coal towns", sentiment=-0.25, text="c"),
    act(12, DM, 2, recipient=0, topic="coal towns", sentiment=0.5, text="d"),
    act(13, NOT, 1),
]
BEFORE = [act(3, POST, 0, topic="storms"), act(4, DM, 0, recipient=2, topic="storms"), act(5, DM, 1, recipient=2)]


def test_a_round_is_scored_as_by_hand() -> None:
    shown = ShownTopics([{"storms": 1}, {"storms": 1}, {"storms": 1, "floods": 1}], [0, 1, 2], 2)
    rules = GameRules(actions=3)
    got = round_scores(ROUND, BEFORE, {9: (2, 1), 10: (1, 0)}, shown, rules)
    assert got[0] == pytest.approx(
        [0.5 * 3 / 3, 0.0, 0.5 * 1 / 3 + 0.5 * 1 / 6, 0.0, 0.5 * (1 + 0.75 / 1.25)], abs=1e-6
    )
    assert got[1] == pytest.approx([0.5 * 1 / 3, 0.5 / 2, 0.0, 0.5 * 1 / 2, 0.5])
    assert got[2] == pytest.approx([0.5 * 2 / 3, 0.5 + 0.5, 0.0, 0.5 * 1 / 2, 0.5]), "one of two answered, and once"


def test_signals_have_the_actor_in_the_column() -> None:
    public = [a for a in ROUND if a.kind in PUBLIC]
    votes = np.array([[0, -1], [1, 0], [1, 0]], dtype=np.int8)
    seen = [frozenset({"coal towns"}), frozenset(), frozenset({"floods", "storms"})]
    s = signals(ROUND, public, votes, seen)
    assert s.likes[0].tolist() == [0, 1, 1], "1 and 2 liked the post of 0"
    assert s.dislikes[1].tolist() == [1, 0, 0]
    assert s.sentiment[0, 2] == 0.25
    assert s.messages[0, 2] == 2
    assert s.acted.tolist() == [[False, True, True], [True, False, False], [False, False, False]]
    assert s.new.tolist() == [[False, True, False], [True, False, False], [False, False, False]]


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60)
def test_every_round_there_can_be_is_scored_within_bounds(data: st.DataObject) -> None:
    people, rules = data.draw(st.integers(2, 5)), GameRules(actions=2)
    person = st.integers(0, people - 1)

    def drawn(number: int, sender: int) -> GameAct:
        kind = data.draw(st.sampled_from((POST, COM, DM, NOT)))
        to = data.draw(person.filter(lambda x: x != sender)) if kind in (COM, DM) else -1
        named = (
            (data.draw(person.filter(lambda x: x != sender)),) if kind in PUBLIC and data.draw(st.booleans()) else ()
        )
        return GameAct(number, 2, kind, sender, to, topic="x", mentions=named, sentiment=data.draw(st.floats(-1, 1)))

    rounds = [[drawn(2 * u + i, u) for u in range(people) for i in range(2)] for _ in range(2)]
    votes = {a.number: (data.draw(st.integers(0, people - 1)), 0) for a in rounds[1] if a.kind in PUBLIC}
    shown = ShownTopics([{"x": 1}] * people, [1] * people, 1)
    got = round_scores(rounds[1], rounds[0], votes, shown, rules)
    assert ((got >= 0) & (got <= 1 + 1e-12)).all()


# ---- ties by text


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ([], 0),
        ([(False, "You are a stupid liar and I hate this.")], 0),
        ([(False, "The gauge stands at nine metres.")], 0),
        ([(False, "Thank you, that is a great help.")], 3),
        ([(False, "Thank you, that is a great help."), (True, "I am so glad, dear friend, with love.")], 4),
        ([(False, "Thank you, that is a great help.")] * 2 + [(True, "I am so glad, dear friend, with love.")], 5),
        ([(False, "Thank you, that is a great help."), (True, "What a stupid, awful, hateful lie.")], 0),
    ],
)
def test_a_transcript_is_rated_by_its_words(said: list[tuple[bool, str]], points: int) -> None:
    assert rate_transcript([TranscriptLine(mine, text, sentiment(text)) for mine, text in said]) == points


def test_a_transcript_holds_what_two_wrote_to_each_other_and_no_more() -> None:
    found = transcripts(ROUND)
    assert {pair: [s.text for s in said] for pair, said in found.items()} == {
        (0, 1): ["a", "b"], (1, 0): ["a", "b"], (2, 0): ["c", "d"], (0, 2): ["c", "d"],
    }  # fmt: skip
    assert [s.mine for s in found[0, 1]] == [True, False]
    e = text_evidence({(2, 0): 4, (0, 2): 1}, 3)
    assert (e[0, 2], e[2, 0]) == (0.8, 0.2), "what 2 says of 0 is for the tie that 2's acts move"
