"""The game of friends as a whole: the same seed is the same game, and ties are moved by who acts."""

from __future__ import annotations

import numpy as np
import pytest
from friends_few import RULES, VIEW, few
from msgspec.structs import replace

from sandbox.lab.friends.model import DM, GameAct, GameRules, PlanItem
from sandbox.lab.friends.persona import Cast
from sandbox.lab.friends.play import CONTROL, TEXT, Game, GameSetup, play_game
from sandbox.lab.friends.words import remove_names


@pytest.mark.parametrize("way", [GameSetup(), GameSetup(ties=TEXT, coach=True), GameSetup(mind=CONTROL)], ids=str)
def test_the_same_seed_is_the_same_game_to_the_last_bit(way: GameSetup) -> None:
    one, two, other = (play_game(few(), GameRules(rounds=6), way, seed) for seed in (5, 5, 6))
    assert one.acts == two.acts
    assert (np.array(one.scores) == np.array(two.scores)).all()
    assert (one.ties == two.ties).all()
    assert one.acts != other.acts
    assert ((one.ties >= 0) & (one.ties <= 1)).all()
    assert not one.ties.diagonal().any()


def test_who_alone_acts_on_others_is_in_the_column() -> None:
    """Direction: of the matrix, row u column v is what v does towards u (docs/friends.md)."""
    game = Game(few(4), GameRules(rounds=3, vote_sees_ties=False), GameSetup(ties=TEXT), 1)
    warm = "Thank you, dear friend, that is a great help and a joy."
    acts = [GameAct(u, 2, DM, 0, u, topic="floods", text=warm, sentiment=0.9) for u in (1, 2, 3)]
    game._reweigh(acts, [], np.zeros((4, 0), dtype=np.int8), game.ratings(acts))
    ties = game.played.ties
    assert (ties[1:, 0] > 0).all()
    assert not ties[0].any(), "nobody did anything towards 0"
    assert not ties[1:, 1:].any()


def test_a_tie_by_text_moves_only_where_somebody_acted() -> None:
    game = Game(few(4), GameRules(rounds=3), GameSetup(ties=TEXT), 1)
    acts = [GameAct(0, 2, DM, 0, 1, topic="floods", text="Thank you, dear friend.", sentiment=0.8)]
    game._reweigh(acts, [], np.zeros((4, 0), dtype=np.int8), game.ratings(acts))
    assert game.played.ties[1, 0] > 0
    assert game.played.ties[0, 1] == 0, "1 rates 0 too, and has done nothing"


@pytest.mark.parametrize("way", [GameSetup(), GameSetup(ties=TEXT), GameSetup(mind=CONTROL, ties=TEXT)], ids=str)
def test_a_name_is_no_word_that_sounds_kind_or_harsh(way: GameSetup) -> None:
    cast, games = few(), []
    for name in ("Anna", "Greet", "Love", "Grim Death", "NOT", "But"):
        people = (replace(cast.people[0], name=name), *cast.people[1:])
        games.append(play_game(Cast(cast.topic, people), GameRules(rounds=8), way, 3))
    assert any("Greet" in a.text for a in games[1].acts)
    for other in games[1:]:
        assert (np.array(other.scores) == np.array(games[0].scores)).all()
        assert (other.ties == games[0].ties).all()
        assert [a.sentiment for a in other.acts] == [a.sentiment for a in games[0].acts]


def test_names_and_handles_are_taken_out_of_the_words_of_others() -> None:
    assert remove_names("Love, I love @joy and @grace, Ann-Love!", {"Love", "Ann"}) == "nn, I love nn and nn, nn-nn!"
    game = Game(
        Cast("floods", tuple(replace(p, name=f"Love {i}") for i, p in enumerate(few().people))), RULES, GameSetup(), 1
    )
    act = game.act(1, PlanItem(DM, game.handles[1], "floods"), VIEW, (0.0,) * 5, "Love, the gauge is at nine metres.")
    assert act.sentiment == 0.0
