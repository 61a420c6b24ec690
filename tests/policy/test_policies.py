"""What a policy is given and may decide; one that fails is named, counted and replaced for the round."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.feed.model import CrowdParameters
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.policy import model
from sandbox.policy.choice import Choice
from sandbox.policy.context import Context
from sandbox.policy.contract import Policy, check_policy
from sandbox.policy.files import load_policy
from sandbox.policy.learned import BANDITS, policy_of
from sandbox.policy.model import LEARNERS, PolicyParameters
from sandbox.policy.objectives import ACTS, OBJECTIVES, CrossStance, Misinformation, OwnMisinformation
from sandbox.policy.seat import Seat
from sandbox.policy.seen import Act, Answers, Seen
from sandbox.policy.toxicity import CommentToxicity, lexicon
from sandbox.policy.views import PlatformView

LIVELY = CrowdParameters(activity=0.3, posts=0.3, like=-0.4, dislike=-2, comment=-1.5, repost=-1.5, follow=-2.5)


def site(policy: Policy, ticks: int = 5, seed: int = 4, **more: Any) -> Platform:
    made = Platform(
        "x", seed=seed, parameters=FeedParameters(crowd=300), crowd=LIVELY, threads=1, policy=policy, **more
    )
    for _ in range(ticks):
        made.tick()
    return made


def policy(choose: Callable[[PlatformView], Any], learn: Callable[[Seen], None] = lambda seen: None) -> Policy:
    class Mine(Policy):
        name = "mine"

        def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
            return choose(view)  # type: ignore[no-any-return]

        def learn(self, seen: Seen) -> None:
            learn(seen)

    return Mine()


def one_arm(view: PlatformView, score: float = 1.0) -> Choice:
    if not view.able.any():
        return Choice()
    row, at = np.argwhere(view.able)[0]
    return Choice.of_arms([view.readers[row]], view.posts.number[at], score)


def fault_of(made: Platform) -> str:
    assert made.feed.steering is not None
    return made.feed.steering.event.fault  # type: ignore[attr-defined, no-any-return]


HEAVY = {"neural", "networks"}  # learners that train networks


@pytest.mark.parametrize("learner", [pytest.param(x, marks=[pytest.mark.slow] * (x in HEAVY)) for x in LEARNERS])
@pytest.mark.parametrize("levers", ["cards", "exposure", "mix", "cards exposure mix"])
def test_what_ships_keeps_the_promises_of_a_policy(learner: str, levers: str) -> None:
    for objective in OBJECTIVES if levers == "cards exposure mix" else ["misinformation"]:
        chosen = {name: name in levers.split() for name in ("cards", "exposure", "mix")}
        check_policy(partial(policy_of, PolicyParameters(learner, objective, **chosen)))


@pytest.mark.parametrize(
    ("choose", "why"),
    [
        (lambda view: None, "NoneType, not a Choice"),
        (lambda view: Choice(users=np.ones((2, 2), int)), r"users has the shape \(2, 2\)"),
        (lambda view: Choice(users=view.readers[:2], cards=view.posts.number[:1]), "2 users and 1 cards and 0 scores"),
        (lambda view: Choice.of_arms(view.readers[:1], view.posts.number[:1], np.nan), "not all finite"),
        (lambda view: Choice.of_arms(["ada"], view.posts.number[:1], 1.0), "not numbers"),
        (lambda view: Choice.of_arms([10**6], view.posts.number[:1], 1.0), "1000000 is no reader"),
        (lambda view: Choice.of_arms(view.readers[:1], 10**6, 1.0), "1000000 is none that may be chosen"),
        (lambda view: twice(view), "two arms are equal"),
        (lambda view: Choice(mix=(0.5, 0.6, 0.1)), "sum to 1"),
        (lambda view: Choice(mix=(1.5, -0.5, 0.0)), "sum to 1"),
        (lambda view: Choice(silenced=np.arange(31), levels=np.zeros(31)), "31 authors are silenced, and 30 of 300"),
        (lambda view: Choice(silenced=np.array([3, 3]), levels=np.zeros(2)), "silenced twice"),
        (lambda view: Choice(silenced=np.array([-1]), levels=np.zeros(1)), "user -1 does not exist"),
        (lambda view: Choice(silenced=np.array([3]), levels=np.array([1.5])), "from 0 to 1"),
        (lambda view: 1 // 0, "ZeroDivisionError"),
        (lambda view: view.stance.fill(0), "read-only"),
        (lambda view: view.able.fill(True), "read-only"),
    ],
)
def test_a_policy_that_fails_is_named_counted_and_replaced_for_the_round(choose: Any, why: str) -> None:
    made = site(policy(choose))
    assert made.feed.steering is not None
    assert made.feed.steering.event.policy == "mine"  # type: ignore[attr-defined]
    import re

    assert re.search(why, fault_of(made)), fault_of(made)
    assert not len(made.feed.steering.users)
    assert made.feed.steering.level is None
    assert made.feed.steering.mix is None
    assert isinstance(made.seat, Seat)
    assert made.seat.faults >= 4
    assert made.feed.posts.n > 0
    with pytest.raises(AssertionError, match="fails in round"):
        check_policy(lambda: policy(choose))


def twice(view: PlatformView) -> Choice:
    arm = one_arm(view)
    return Choice.of_arms(np.repeat(arm.users, 2), np.repeat(arm.cards, 2), 1.0) if len(arm.users) else 1 // 0  # type: ignore[return-value]


def test_a_policy_that_fails_in_learning_is_replaced_for_the_next_round_only() -> None:
    rounds = []

    def learn(seen: Seen) -> None:
        rounds.append(seen)
        if len(rounds) == 2:
            raise RuntimeError("\x1b[2Jlost [red]count")

    made = site(policy(one_arm, learn), ticks=3)
    assert "lost" in fault_of(made)
    assert "\x1b" not in fault_of(made)
    made.tick()
    assert fault_of(made) == ""
    assert made.feed.steering is not None
    assert len(made.feed.steering.users) == 1


def test_one_that_decides_by_chance_of_its_own_is_told() -> None:
    mixes = iter([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)] * 20)

    def make() -> Policy:
        mix = next(mixes)
        return policy(lambda view: Choice(mix))

    with pytest.raises(AssertionError, match="decides otherwise in round"):
        check_policy(make)


def test_what_is_no_policy_is_refused_with_a_mend() -> None:
    for wrong in (Policy, object(), "linucb"):
        with pytest.raises(ValueError, match=r"inherits sandbox\.policy\.contract\.Policy"):
            Platform("x", policy=wrong)  # type: ignore[arg-type]


def test_a_slow_policy_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    made = Platform("x", seed=1, parameters=FeedParameters(crowd=50), threads=1)
    seat = Seat(policy(lambda view: Choice()), made.feed, 1, told=told.append)
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr("sandbox.policy.seat.perf_counter", lambda: next(clock))
    for number in (1, 2):
        seat.steer(number, 0, lambda: np.zeros(0, np.int64))
    assert len(told) == 1
    assert "mine took 2.0 seconds" in told[0]


def test_it_learns_what_came_of_each_arm() -> None:
    seen: list[Seen] = []
    made = Platform("x", seed=4, parameters=FeedParameters(crowd=300), crowd=LIVELY, threads=1)
    made.seat = Seat(policy(one_arm, seen.append), made.feed, 4)
    for _ in range(12):
        made.tick()
    last = seen[-1]
    user, card = int(last.users[0]), int(last.cards[0])
    assert last.senders.tolist() == [made.feed.posts.author[card]]
    pairs = {Act.LIKE: made.feed.liked, Act.DISLIKE: made.feed.disliked, Act.REPOST: made.feed.reposted}
    for bit, done in pairs.items():
        assert bool(last.acts[0] & bit) == bool(done.has(np.array([user]), np.array([card]))[0])
    assert any(one.acts.any() for one in seen)
    assert all(len(one.answers.by) for one in seen[3:])


def test_a_reader_is_not_given_a_card_a_second_time() -> None:
    given: list[tuple[int, int]] = []

    class Watching(type(policy_of(PolicyParameters("random")))):  # type: ignore[misc]
        def learn(self, seen: Seen) -> None:
            given.extend(zip(seen.users.tolist(), seen.cards.tolist(), strict=True))

    made = policy_of(PolicyParameters("random"))
    made.__class__ = Watching
    site(made, ticks=12)
    assert len(given) == len(set(given)) > 500


# ---- objectives


def seen(**given: Any) -> Seen:
    nothing: Any = Answers(*[cast(Any, np.zeros(0, np.float32))] * 6)
    usual: dict[str, Any] = {name: np.zeros(0, np.float32) for name in Seen._fields}
    return Seen(**{**usual, "answers": nothing, "mix": None, "active": 10, **given})


def test_the_worth_of_several_acts_is_that_of_the_worthiest() -> None:
    assert ACTS[0] == ACTS[Act.UNFOLLOW] == 0
    assert ACTS[Act.LIKE | Act.REPOST] == 1
    assert ACTS[Act.LIKE | Act.COMMENT] == np.float32(0.6)
    assert ACTS[Act.DISLIKE] == np.float32(0.1)


def test_cross_stance_is_equation_nine_with_a_minus() -> None:
    arms = seen(
        acts=np.array([Act.REPOST, Act.LIKE, Act.COMMENT, Act.COMMENT, 0]),
        sender_before=np.array([1.0, 0.5, -1, -1, 1]),
        receiver_before=np.array([-1.0, 0.5, 1, 1, -1]),
        toxicity=np.array([0, 0, 0.1, 0.25, 0]),
    )
    assert CrossStance().of_arms(arms).tolist() == pytest.approx([1, 0, 0.6 * 0.6, 0, 0])
    assert CrossStance(mu=1).of_arms(arms)[3] == pytest.approx(0.6 * 0.75)


STANCE = st.floats(-1, 1)
ARM = st.tuples(STANCE, STANCE, st.integers(0, 127), st.floats(0, 1))


@given(st.lists(ARM, min_size=1), st.sampled_from([CrossStance(), CrossStance(1), OBJECTIVES["engagement"]()]))
def test_turning_every_stance_around_leaves_every_reward_as_it_was(arms: list[Any], objective: Any) -> None:
    sender, reader, acts, toxicity = map(np.array, zip(*arms, strict=True))
    rewards = []
    for sign in (1, -1):
        answers = Answers(cast(Any, None), cast(Any, None), acts, toxicity, sign * reader, sign * sender)
        came = seen(
            sender_before=sign * sender, receiver_before=sign * reader, acts=acts, toxicity=toxicity, answers=answers
        )
        rewards.append((objective.of_arms(came).tolist(), objective.of_mix(came)))
    assert rewards[0] == rewards[1]
    assert all(0 <= reward <= 1 for reward in [*rewards[0][0], rewards[0][1]])


def test_an_author_is_paid_for_whom_their_cards_freed_and_charged_for_whom_they_infected() -> None:
    came = seen(infected=np.array([0, 3, 1, 9]), freed=np.array([0, 0, 2, 0]))
    assert Misinformation().of_exposure(came).tolist() == pytest.approx([0.5, 0, 2 / 3, 0])


def test_the_printed_reward_is_blind_to_what_exposure_does() -> None:
    came = seen(
        authors=np.array([0, 1]), infected=np.array([9, 0]), freed=np.array([0, 9]),
        believed=np.array([True, False]), believe=np.array([True, False]),
    )  # fmt: skip
    assert OwnMisinformation().of_exposure(came).tolist() == [0.5, 0.5]


# ---- toxicity


def test_a_plain_disagreement_is_below_a_tenth_and_an_insult_above_a_quarter() -> None:
    plain = ["I don't think that is right.", "This is wrong, and a bad idea.", "I hate this plan. It is terrible."]
    venom = ["You are a moron.", "What a liar he is.", "Only an idiot would say that."]
    assert max(lexicon(plain)) < 0.1
    assert min(lexicon(venom)) > 0.25


def test_the_tones_of_the_crowd_are_told_apart_and_worked_out_once() -> None:
    asked: list[int] = []

    def scorer(texts: Any) -> Any:
        asked.append(len(texts))
        return lexicon(texts)

    made = Platform("x", seed=4, parameters=FeedParameters(crowd=300), crowd=LIVELY, threads=1)
    for _ in range(6):
        made.tick()
    toxicity = CommentToxicity(scorer)
    tone = made.feed.comments.tone[: made.feed.comments.n]
    for _ in range(2):
        found = toxicity.of(made.feed, np.arange(made.feed.comments.n))
    assert len(asked) == 3  # one for each tone
    means = [found[tone == each].mean() for each in (-1, 0, 1)]
    assert means[0] > means[1] >= means[2]
    assert np.unique(found).size <= 3


def test_a_scorer_that_gives_other_than_numbers_is_refused() -> None:
    made = Platform("x", seed=4)
    ada, bo = made.sign_up("ada", "Ada"), made.sign_up("bo", "Bo")
    made.create_comment(bo, made.create_post(ada, "Rain."), "So it is.")
    with pytest.raises(ValueError, match="a number from 0 to 1 for each text"):
        CommentToxicity(lambda texts: [2.0] * len(texts)).of(made.feed, np.array([0]))


# ---- files


def test_a_policy_of_ones_own_comes_out_of_a_file(tmp_path: Any) -> None:
    file = tmp_path / "calm.py"
    head = "from sandbox.policy.contract import Policy\nfrom sandbox.policy.choice import Choice\n"
    file.write_text(
        f"{head}class Calm(Policy):\n    name = 'calm'\n    def choose(self, view, draw):\n        return Choice()\n"
    )
    assert load_policy(str(file)).name == "calm"
    assert load_policy(f"{file}:Calm").name == "calm"
    with pytest.raises(ValueError, match='no policy "Clam"; did you mean "Calm"'):
        load_policy(f"{file}:Clam")
    file.write_text(f"{head}x = 1 +\n")
    with pytest.raises(ValueError, match=r"calm.py: SyntaxError: .* \(line 3\)"):
        load_policy(str(file))
    file.write_text(f"{head}raise KeyError('x')\n")
    with pytest.raises(ValueError, match=r"calm.py: KeyError: 'x' \(line 3\)"):
        load_policy(str(file))
    file.write_text(head)
    with pytest.raises(ValueError, match="holds 0 policies; write a class"):
        load_policy(str(file))
    with pytest.raises(ValueError, match='did you mean "linucb"'):
        load_policy("linucbe")


# ---- contexts


def test_contexts_are_as_wide_as_they_say_and_hops_mix_in_those_one_follows() -> None:
    views: list[PlatformView] = []

    def look(view: PlatformView) -> Choice:
        views.append(view)
        return Choice()

    made = site(policy(look), ticks=4)
    view = views[-1]
    for context in (Context(), Context(0, stances=False, products=False), Context(2), Context(1, products=False)):
        assert context.arms(view).shape == (len(view.readers) * len(view.posts.number), context.of_arms)
        assert context.exposures(view).shape == (len(view.authors) * 5, context.of_exposures)
    alone, mixed = (Context(hops).users(view, view.readers) for hops in (0, 1))
    first, others = view.followed(view.readers)
    stance = view.stance
    for i, reader in enumerate(view.readers.tolist()):
        own = others[first[i] : first[i + 1]]
        wanted = stance[reader] if not len(own) else 0.5 * stance[reader] + 0.5 * stance[own].mean()
        assert mixed[i, 32] == pytest.approx(wanted, abs=1e-6)
        assert alone[i, 32] == pytest.approx(stance[reader])
    assert made.feed.posts.n


def test_the_names_in_files_are_those_there_are() -> None:
    assert tuple(BANDITS) == model.LEARNERS
    assert {*OBJECTIVES} == {*model.OBJECTIVES}
