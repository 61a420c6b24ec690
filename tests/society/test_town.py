"""Who asks whom for help in a town: nothing without a type; rounds of one unit; refusals count nothing; beta and a card
move shares; the same events make the same network.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import again, engine_of, founding, log_of, restored, run
from msgspec.structs import replace
from town_asks import ADVICE, HAND, QUIET, Asked, scenario

from sandbox.core.chance import Stream
from sandbox.core.clock import HOUR
from sandbox.director.dealing import deal_card
from sandbox.director.model import CardOver, DealCard, Dealt
from sandbox.engine.loading import WorldFaults, find_world, load
from sandbox.engine.world import World
from sandbox.people.persona import Persona
from sandbox.play.model import Arrive
from sandbox.society.growth import Growth
from sandbox.society.model import Grant, Grew, GrowthParameters, Proposal, Trial
from sandbox.society.theory import mean_field
from sandbox.society.town import as_trial, beta_in_force, granted, help_asked, round_weights
from sandbox.society.town_forecast import forecast_share, mean_grants
from sandbox.society.town_model import HelpRound, PendingAsk, SocietyParameters
from sandbox.society.town_types import Somebody, is_of_type, type_fault
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.town.conditions import DEFERENCE, ConditionBegan, ConditionEnded

YOUNG = "society.type=young"
SHARES = st.floats(0, 1, allow_nan=False)
TRIALS = st.lists(st.tuples(st.booleans(), st.booleans(), st.tuples(SHARES, SHARES, SHARES)), min_size=1, max_size=8)


def lived(town: Asked) -> Asked:
    """Two rounds in which the young and the old are asked, and one asks in vain."""
    for who, other, answer in (
        ("mara", "kit", "accept"), ("kit", "zeno", "refuse"), ("vera", "kit", "accept"),
        ("jory", "dov", "dodge"), ("greta", "dov", "accept"), ("otis", "thea", "accept"),
    ):  # fmt: skip
        town.ask(who, other, answer)
    asyncio.run(town.rounds())
    return town


# ---- off


def test_without_a_type_a_town_lives_as_if_there_were_no_such_thing() -> None:
    off, other = (engine_of(scenario(*more)) for more in ((), ("society.beta=2", "society.trials=1")))
    for engine in (off, other):
        run(engine, 12)
        assert engine.world.turn_to is None
        assert b"society" not in engine.world.snapshot()
    assert log_of(off).rows() == log_of(other).rows()
    assert "deference" not in off.world.card_deck.cards


@pytest.mark.parametrize(
    ("type", "mend"),
    [
        ("yuong", "write newcomer, old_family, young, old, trait:WORD"),
        ("colour:red", "write newcomer, old_family, young"),
        ("job:bakr", 'no job "bakr"; did you mean "baker"?'),
        ("mara,bo", 'there is no person "bo"'),
        ("household:nowhere", 'nobody is of it: no household "nowhere"'),
        ("trait:", "nobody is of it"),
    ],
)
def test_a_type_that_nobody_can_be_of_is_refused_with_the_mend(type: str, mend: str) -> None:
    assert mend in type_fault(type, scenario().cast, ())


def test_it_is_refused_as_a_world_is_loaded() -> None:
    with pytest.raises(WorldFaults) as faults:
        load(find_world("larkspur"), set=(*QUIET, "society.type=yuong"))
    assert 'parameters: there is no type "yuong"; write newcomer' in str(faults.value)
    with pytest.raises(WorldFaults, match='no use of beta "most"; choose from all, granted'):
        load(find_world("larkspur"), set=(*QUIET, "society.beta_on=most"))
    assert not World(load(find_world("larkspur"), set=(*QUIET, "society.type="))).society.members


def test_a_type_of_everybody_or_of_nobody_is_refused() -> None:
    few = scenario().cast[:3]
    assert "takes two" in type_fault(",".join(p.id for p in few), few, ())
    assert type_fault(",".join(p.id for p in few[:2]), few, ()) == ""
    alike = [replace(p, age=40) for p in few]
    assert "takes two" in type_fault("young", alike, ())


def test_types_are_of_age_coming_traits_trades_and_names() -> None:
    people = {p.id: p for p in (*scenario().cast, *(n.persona for n in scenario().newcomers))}
    ages = sorted(p.age for p in scenario().cast)
    middle = ages[len(ages) // 2]

    def of(word: str, who: str, came: bool = False) -> bool:
        person: Persona = people[who]
        return is_of_type(word, Somebody(person, came, middle))

    assert (of("young", "pip"), of("young", "wilf"), of("old", "wilf")) == (True, False, True)
    assert (of("newcomer", "mara"), of("newcomer", "mara", came=True), of("newcomer", "lodger")) == (False, True, True)
    assert of("old_family", "mara")
    assert (of("job:Baker", "mara"), of("trait:kind", "flora"), of("household:pell", "vera")) == (True, True, True)
    assert (of("mara, kit", "kit"), of("mara, kit", "dov")) == (True, False)


# ---- what is asked, granted and credited


def test_the_deck_says_which_exchanges_ask_for_help() -> None:
    w = Asked().world
    assert [help_asked(w, do) for do in (HAND, ADVICE, "put_off", "appeal")] == ["hand", "advice", "loan", "word"]
    assert [help_asked(w, do) for do in ("confront", "repay", "be_kind", "nothing")] == ["", "", "", ""]


def ask(answer: str, words: int = 20, rounds: int = 2, valence: float = 0.5) -> PendingAsk:
    return PendingAsk(1, 0, "ann", "ben", HAND, "", answer, words, valence, "", "", rounds)


def test_a_grant_is_the_words_exchanges_and_warmth_of_the_answer_and_a_refusal_is_all_zero() -> None:
    assert granted(ask("accept")) == (0.2, 0.5, 0.75)
    assert granted(ask("refuse")) == (0.0, 0.0, 0.0)
    efforts = [granted(ask(answer))[2] for answer in ("accept", "dodge", "lie", "refuse")]
    assert efforts == sorted(efforts, reverse=True)
    assert granted(ask("accept", 900, 9, 1.0)) == (1.0, 1.0, 1.0)


def test_a_talk_makes_an_ask_and_three_of_them_a_round_of_one_unit() -> None:
    town = Asked(YOUNG)
    town.ask("mara", "kit", words=10, more=1)
    town.ask("kit", "zeno", "refuse")
    asyncio.run(town.rounds())
    assert town.world.society.number == 0  # two of three
    town.ask("jory", "dov", do=ADVICE)
    asyncio.run(town.rounds())
    s = town.world.society
    (event,) = [r.event for r in town.records if isinstance(r.event, HelpRound)]
    people = [*s.members]
    assert [(people[x.trial.source], people[x.trial.target]) for x in event.trials] == [
        ("mara", "kit"), ("kit", "zeno"), ("jory", "dov"),
    ]  # fmt: skip
    assert event.trials[0].trial.grant.given == (0.2, 0.5, 0.75)  # 20 words, two exchanges
    assert not event.trials[1].trial.grant.accepted
    assert np.sum([m.asked for m in s.members.values()], axis=0) == pytest.approx([1, 1, 1])
    assert s.members["zeno"].asked == [0, 0, 0]
    assert [(x.source, x.given) for x in s.members["zeno"].asks] == [("kit", (0, 0, 0))]


def test_a_round_of_refusals_adds_nothing() -> None:
    town = Asked(YOUNG)
    for other in ("kit", "zeno", "dov"):
        town.ask("mara", other, "refuse")
    asyncio.run(town.rounds())
    assert (town.world.society.number, town.world.society.share) == (1, None)


@given(TRIALS, st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from(["all", "granted"]))
def test_a_round_adds_what_a_step_of_the_protocol_adds(
    trials: list[tuple[bool, bool, tuple[float, float, float]]], beta: float, beta_on: str
) -> None:
    p = SocietyParameters(type="young", beta_on=beta_on)  # type: ignore[arg-type]
    given_ = np.array([x[2] for x in trials])
    added = round_weights(p, beta, [x[:2] for x in trials], given_)
    many = (len(trials),) * 3
    growth = Growth(GrowthParameters(begin=20, trials=many, beta=beta, beta_on=beta_on))  # type: ignore[arg-type]
    before = {pair: weight.copy() for pair, weight in growth.arcs.items()}
    ends = [((0 if r else 20) + 2 * m, (0 if r2 else 20) + 2 * m + 1) for m, (r, r2, _) in enumerate(trials)]
    growth.apply(
        Grew(1, 3, -1, tuple(Trial(a, b, Proposal(), Grant(x[2])) for (a, b), x in zip(ends, trials, strict=True)))
    )
    assert added == pytest.approx(np.array([growth.arcs[pair] - before[pair] for pair in ends]), abs=1e-12)
    whole = added.sum(axis=0)
    assert all(x == pytest.approx(1) or x == 0 for x in whole.tolist())


def test_beta_moves_the_share_of_type_r() -> None:
    shares = [lived(Asked(YOUNG, f"society.beta={beta}")).world.society.share for beta in (0, 1, 4)]
    assert shares[0] is not None
    assert shares == sorted(shares)  # type: ignore[type-var]
    assert len({*shares}) == 3


def test_somebody_who_comes_is_numbered_last_and_typed() -> None:
    engine = engine_of(scenario("society.type=newcomer"))
    engine.do(Arrive())
    run(engine, 1)
    members = engine.world.society.members
    assert [*members][-1] == "lodger"
    assert [who for who, m in members.items() if m.of_r] == ["lodger"]


# ---- whom they turn to


def test_people_turn_to_others_by_lot_and_by_standing() -> None:
    town = lived(Asked(YOUNG)).world
    assert town.turn_to is not None

    class Lots:
        def __init__(self, n: int) -> None:
            self.n = n

        def chance(self, agent: str, purpose: str, n: int = 0) -> Stream:
            return town.chance.stream(self.n, agent, purpose, n)

    chosen = [town.turn_to(Lots(n), "mara", ["kit", "una"]) for n in range(400)]  # type: ignore[arg-type]
    weigh = town.society.members["kit"].mass + 1.5
    assert chosen.count("kit") / 400 == pytest.approx(weigh / (weigh + 1.5), abs=0.07)
    assert town.turn_to(Lots(0), "mara", []) == ""  # type: ignore[arg-type]


# ---- the card


def test_a_card_raises_beta_for_a_while_and_it_ends() -> None:
    engine = engine_of(scenario(YOUNG, "society.beta=0.25", "society.lift=2"))
    engine.do(DealCard(dealt=Dealt(card="deference", lasts=HOUR)))
    run(engine, 1)
    assert beta_in_force(engine.world) == 2.25
    run(engine, 61)
    assert beta_in_force(engine.world) == 0.25
    kinds = [type(r.event) for r in log_of(engine).all()]
    assert [kinds.count(kind) for kind in (ConditionBegan, ConditionEnded, CardOver)] == [1, 1, 1]
    assert [r.event.how for r in log_of(engine).all() if isinstance(r.event, CardOver)] == ["done"]


def test_a_round_of_meanwhile_says_its_beta_and_what_it_is_due_to() -> None:
    town = Asked(YOUNG, "society.lift=2")
    lived(town)
    began = town.emit(ConditionBegan(DEFERENCE, HOUR, "it counts for more"))
    lived(town)
    town.emit(ConditionEnded(began, "it does not"))
    lived(town)
    rounds = [r for r in town.records if isinstance(r.event, HelpRound)]
    assert [r.event.beta for r in rounds] == [0, 0, 2, 2, 0, 0]
    assert [began in r.stamp.causes for r in rounds] == [False, False, True, True, False, False]


def test_the_card_can_be_dealt_once_at_a_time_and_only_where_it_counts() -> None:
    with pytest.raises(ValueError, match='no card "deference"'):
        deal_card(Asked().world, DealCard(dealt=Dealt(card="deference")))
    engine = engine_of(scenario(YOUNG))
    engine.do(DealCard(dealt=Dealt(card="deference")))
    run(engine, 1)
    with pytest.raises(ValueError, match="holds already"):
        engine.do(DealCard(dealt=Dealt(card="deference")))


# ---- the same events make the same network


def test_a_replay_and_a_snapshot_make_the_same_network() -> None:
    town = lived(Asked(YOUNG))
    town.ask("mara", "kit")  # waits for its round
    world = World.found(founding(scenario(YOUNG)))
    for record in again(town.records):
        world.apply(record)
    assert world.society == town.world.society
    back = restored(World.found(founding(scenario(YOUNG))), world.snapshot(), ())
    assert back.society == world.society


def test_a_round_that_does_not_follow_is_refused() -> None:
    town = lived(Asked(YOUNG))
    with pytest.raises(ValueError, match="does not follow"):
        town.emit(HelpRound(1, 0.0, ()))


def test_a_round_of_other_asks_than_those_that_are_over_is_refused() -> None:
    town = lived(Asked(YOUNG))
    town.ask("mara", "kit")
    (ask,) = town.world.society.done
    number = town.world.society.number + 1
    numbers = {who: i for i, who in enumerate(town.world.society.members)}
    one = as_trial(ask, numbers)
    for odd in (replace(one, asked="pip"), replace(one, asker="nobody"), replace(one, t=one.t + 1)):
        with pytest.raises(ValueError, match="not of the asks"):
            town.emit(HelpRound(number, 0.0, (odd,)), causes=(ask.seq,))
    with pytest.raises(ValueError, match="not of the asks"):
        town.emit(HelpRound(number, 0.0, (one,)), causes=(ask.seq - 1,))
    town.emit(HelpRound(number, 0.0, (one,)), causes=(ask.seq,))
    assert town.world.society.members["kit"].asks[-1].source == "mara"


def test_a_snapshot_of_another_town_is_refused() -> None:
    snapshot = lived(Asked(YOUNG)).world.snapshot()
    with pytest.raises(ValueError, match="without one"):
        Asked().world.restore(snapshot)


@pytest.mark.slow
def test_a_save_with_it_on_verifies_goes_on_and_branches(tmp_path: Path) -> None:
    async def go() -> None:
        save = tmp_path / "on.db"
        async with open_session("larkspur", seed=5, save=save, set=(*QUIET, YOUNG, "society.trials=1")) as session:
            for _ in range(420):
                await session.engine.step()
            before = session.world.society
            assert before.number > 1
        async with await Save.open(save, read_only=True) as opened:
            assert (await opened.verify()).ok
        await branch(save, 150, tmp_path / "branch.db")
        async with open_session(tmp_path / "branch.db") as session:
            assert session.world.society.number < before.number
            for _ in range(270):
                await session.engine.step()
            assert session.world.society == before

    asyncio.run(go())


# ---- the forecast


def test_the_forecast_is_the_protocols_own_mean_field_where_both_types_are_as_many() -> None:
    """Beside `mean_field`, which begins with arcs of almost no weight: the same course."""
    town = lived(Asked("society.type=" + ",".join(p.id for p in scenario().cast[:12])))
    s, p = town.world.society, town.world.society_parameters
    del s.members[[*s.members][-1]]
    growth = GrowthParameters(0, 0, begin=12, begin_weight=1e-9, target=p.target, source=p.source)
    whole = mean_field(growth, mean_grants(s.pairs), 15)[1:, 0].mean(axis=1)
    assert forecast_share(s, p, 15) == pytest.approx(whole.tolist(), abs=1e-4)


def test_later_rounds_taken_together_make_the_same_course(monkeypatch: pytest.MonkeyPatch) -> None:
    town = lived(Asked(YOUNG, "society.beta=1"))
    s, p = town.world.society, town.world.society_parameters
    several = forecast_share(s, p, 300)
    monkeypatch.setattr("sandbox.society.town_forecast.FEW", 10**9)
    assert several == pytest.approx(forecast_share(s, p, 300), abs=5e-3)
