"""Who plays the game of friends: personas, their survey, their votes, words and memories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from friends_few import POSTED, WRITTEN

from sandbox.lab.experiment import LabFaults
from sandbox.lab.friends import measures
from sandbox.lab.friends.model import COM, CRITICAL, NOT, POST, REWARDS, SUPPORTIVE, TONES, GameAct, weights_fault
from sandbox.lab.friends.persona import SHIPPED, read_cast_file, shipped_cast
from sandbox.lab.friends.plan import better, conversation, opinion, partners, relationship
from sandbox.lab.friends.scoring import Voters
from sandbox.lab.friends.words import TOPICS, asks_for_mention, compose_text, find_mentions, texts
from sandbox.talk.sentiment import sentiment


def test_votes_lean_towards_the_kind_the_like_minded_and_friends() -> None:
    people = shipped_cast().people
    voters, lots = Voters(people), np.random.default_rng(1).random((30, 400))
    author = 20  # the most worried of all
    acts = {tone: [GameAct(i, 2, POST, author, topic="marches", tone=tone) for i in range(400)] for tone in TONES}
    votes = {tone: voters.votes(own, lots, None) for tone, own in acts.items()}
    assert votes[SUPPORTIVE].sum() > votes[CRITICAL].sum()
    assert not votes[SUPPORTIVE][author].any(), "nobody votes on their own"
    near = [i for i, p in enumerate(people) if p.stance > 0.6 and i != author]
    far = [i for i, p in enumerate(people) if p.stance < 0]
    assert votes[SUPPORTIVE][near].mean() > votes[SUPPORTIVE][far].mean() + 0.1
    ties = np.zeros((30, 30))
    ties[3, author] = 1.0
    closer = voters.votes(acts[SUPPORTIVE], lots, ties)
    assert closer[3].sum() > votes[SUPPORTIVE][3].sum()
    assert (np.delete(closer, 3, axis=0) == np.delete(votes[SUPPORTIVE], 3, axis=0)).all()
    assert (votes[SUPPORTIVE] == 0).mean() > 0.6, "mostly people do not vote"


def test_texts_sound_like_their_tone_on_every_topic() -> None:
    for kind, tone in texts().lines:
        moods = [
            sentiment(compose_text(kind, tone, topic, "Mira", ((i + 0.5) / 4, (j + 0.5) / 2, 0.0, 0.0)))
            for topic in TOPICS for i in range(4) for j in range(2)
        ]  # fmt: skip
        assert min(moods) > 0.4 if tone == SUPPORTIVE else max(moods) < (-0.3 if tone == CRITICAL else 0.41)
    assert len(TOPICS) == 40


def test_who_is_named_is_read_from_the_text() -> None:
    text = compose_text(POST, "neutral", "floods", "", (0.0, 0.0, 0.0, 0.0), "ben", asks=True)
    assert find_mentions(text, {"ann": 0, "ben": 1}) == (1,)
    assert find_mentions("@ben and @ben and @nobody", {"ann": 0, "ben": 1}) == (1,)
    assert asks_for_mention(text)
    assert not asks_for_mention("On floods: nothing.")


def test_memories_are_views_of_the_one_stream() -> None:
    acts = [POSTED, WRITTEN, GameAct(8, 2, COM, 0, 1, 4, "floods", (2,), sentiment=0.6), GameAct(9, 2, NOT, 0)]
    assert [a.number for a in conversation(acts, 0)] == [7, 8]
    assert [a.number for a in relationship(acts, 0, 2)] == [7, 8]
    assert [a.number for a in relationship(acts, 1, 2)] == []
    assert opinion(acts, 0) == {"floods": 0.6}
    assert partners(acts, 0) == (1, 2)
    best = better(better(None, 2, 0.4, acts[2:]), 3, 0.3, [])
    assert (best.round, best.score, dict(best.kinds)) == (2, 0.4, {COM: 1, NOT: 1})


# ---- personas


def test_thirty_varied_people_ship() -> None:
    cast = shipped_cast()
    assert len(cast.people) == 30
    assert all(not weights_fault(p.goals) for p in cast.people)
    assert len({p.role for p in cast.people}) == len({p.about for p in cast.people}) == 30
    assert len({p.camp for p in cast.people}) == 3
    for reward in REWARDS:
        assert sum(p.goals.get(reward, 0) >= 0.3 for p in cast.people) >= 5, "each reward is somebody's goal"
    assert {t for p in cast.people for t in p.interests} == {*TOPICS}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("goals: {SOC: 0.5, COORD: 0.2, EMO: 0.3}", "goals: {SOC: 0.5, COORD: 0.2, EMO: 0.2}",
         "13: people.mira.goals: the weights sum to 0.9; make them sum to 1"),
        ("goals: {SOC: 0.5, COORD: 0.2, EMO: 0.3}", "goals: {SOC: 1.0, COORD: -0.5}",
         "13: people.mira.goals.COORD: -0.5 is out of range; it must be between 0"),
        ("goals: {SOC: 0.5, COORD: 0.2, EMO: 0.3}", "goals: {SOC: 0.5, COORDS: 0.5}",
         '13: people.mira.goals: no reward "COORDS"; did you mean "COORD"?'),
        ("topic: climate change", "topic: climate change\nbetas: {SOC: 1.5}", "betas.SOC: 1.5 is out of range"),
        ("topic: climate change", "topic: climate change\nbetas: {SOCK: 0.5}", 'no reward "SOCK"; did you mean "SOC"?'),
        ("stance: 0.6", "stance: 6", "10: people.mira.stance: 6.0 is out of range"),
        ("interests: [sea levels,", "interests: [sea level,", 'no topic "sea level"; did you mean "sea levels"?'),
        ("  mira:", "  Mira!:", '"Mira!" is not a handle'),
        ("name: Mira Solberg", 'name: "@tarek Solberg"',
         '7: people.mira.name: "@tarek Solberg" has an "@", which would name somebody; leave it out'),
        ("topic: climate change", 'topic: "ice @mira"', 'topic: "ice @mira" has an "@", which would name somebody'),
        ("name: Mira Solberg", "nam: Mira Solberg", 'no key "nam"; did you mean "name"?'),
    ],
)  # fmt: skip
def test_faults_of_a_cast_are_told_with_line_and_mend(tmp_path: Path, was: str, now: str, told: str) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert was in text
    file = tmp_path / "own.yaml"
    file.write_text(text.replace(was, now, 1), encoding="utf-8")
    with pytest.raises(LabFaults) as refused:
        read_cast_file(file)
    assert told in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1 + (told.startswith('"name"')), "one fault is told once"
    assert "own.yaml:" in str(refused.value)


def test_a_cast_of_two_is_too_few(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("topic: tea\npeople: {}\n", encoding="utf-8")
    with pytest.raises(LabFaults, match="0 people are too few; name 3 to 200"):
        read_cast_file(file)


# ---- Mini-IPIP


def test_the_mini_ipip_has_its_key() -> None:
    assert len(measures.ITEMS) == 20
    assert [measures.trait_of(i)[0] for i in range(1, 6)] == ["e", "a", "c", "n", "o"]
    assert len(measures.REVERSED) == 11
    assert sum(measures.trait_of(i) == "openness" for i in measures.REVERSED) == 3
    assert measures.trait_scores([3] * 20) == dict.fromkeys(measures.TRAITS, 3.0)
    keyed = [1 if i in measures.REVERSED else 5 for i in range(1, 21)]
    assert measures.trait_scores(keyed) == dict.fromkeys(measures.TRAITS, 5.0)
    one = [3] * 20
    one[5] = 1  # item 6, "Don't talk a lot."
    assert measures.trait_scores(one)["extraversion"] == 3.5
    with pytest.raises(ValueError, match="item 2: 9 is not an answer; write a number from 1 to 5"):
        measures.trait_scores([1, 9] + [3] * 18)
    with pytest.raises(ValueError, match="19 answers; the Mini-IPIP has 20"):
        measures.trait_scores([3] * 19)
