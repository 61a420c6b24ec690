"""Whether changes of a life are felt as what they are, and told: measured over a log written by hand."""

from __future__ import annotations

import pytest
from lived import founding

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, Made
from sandbox.people.model import Felt
from sandbox.people.mood import Pad
from sandbox.readers.claim_feelings import ClaimFeelings
from sandbox.readers.staying import Spirits
from sandbox.talk.model import Exchanged, Utterance

NOON = 5 * HOUR  # of day 1, in seconds of the world
PARTED = Broken("mara_basil", "couple", "mara", "basil")


class Log:
    def __init__(self, scenario: Scenario) -> None:
        self.world = World.found(founding(scenario))
        self.spirits = Spirits(self.world)
        self.reader = ClaimFeelings(self.world, self.spirits)
        self.seq = 100

    def add(self, t: int, e: Event, who: str = "mara") -> int:
        self.seq += 1
        record = Record(Stamp(self.seq, t // 60 + 1, t, who, ()), e)
        self.reader.watch(record)
        self.spirits.read(record)
        if isinstance(e, Made | Broken):
            made = isinstance(e, Made)
            self.reader.changed(e, record.stamp, made, getattr(e, "by", ""), getattr(e, "instead", ""))
        elif isinstance(e, Exchanged):
            self.reader.spoken(e, record.stamp)
        return self.seq

    def feel(self, t: int, p: float, who: str = "mara") -> None:
        after = Pad(*(x + y for x, y in zip(self.spirits.at(who, t), (p, 0.0, 0.0), strict=True)))
        self.add(t, Felt(Pad(p, 0.0, 0.0), after, "distress", "so it is"), who)

    def tell(self, t: int, seq: int, to: str, words: str, who: str = "mara") -> None:
        lines = (Utterance(who, words, "my_news", "", "", 0.0, ()), Utterance(to, "oh", "react_news", "", "", 0.0, ()))
        self.add(t, Exchanged("t", 1, "my_news", lines, (), over=f"#{seq}"), who)

    def of(self, key: str) -> float | int | None:
        self.add(self.world.now + 10 * DAY, Felt(Pad(0.0, 0.0, 0.0), Pad(0.0, 0.0, 0.0), "joy", "a day"), "kit")
        return self.reader.of(range(1, 9))[key]


@pytest.fixture
def log(larkspur: Scenario) -> Log:
    return Log(larkspur)


@pytest.mark.parametrize(("mara", "basil", "share"), [(-0.3, -0.3, 1.0), (-0.3, 0.3, 0.5), (0.0, 0.3, 0.0)])
def test_a_loss_counts_as_felt_if_pleasure_falls_right_after(log: Log, mara: float, basil: float, share: float) -> None:
    log.add(NOON, PARTED)
    log.feel(NOON, mara)
    log.feel(NOON, basil, "basil")
    assert log.of("claims_felt") == share


def test_what_moved_somebody_in_the_same_second_belongs_to_it(log: Log) -> None:
    log.feel(NOON, -0.3)
    log.add(NOON, Broken("x", "role", "mara", "", "mayor"))
    assert log.of("claims_felt") == 1.0


def test_who_ended_it_and_who_changed_rooms_or_jobs_is_left_out(log: Log) -> None:
    log.add(NOON, Broken("x", "ally", "mara", "basil", by="mara"))
    log.feel(NOON, 0.3)
    log.feel(NOON, -0.3, "basil")
    log.add(NOON + HOUR, Broken("a", "employs", "", "mara", "baker", instead="b"))
    log.add(NOON + HOUR, Made("b", "employs", "", "mara", "clerk"))
    log.add(NOON + HOUR, Made("c", "lodges", "mara", "", where="Rowan House / kitchen", within=True))
    assert log.of("claims_felt") == 1.0


def test_a_settee_after_a_loss_is_no_gain(log: Log) -> None:
    log.add(NOON, Broken("x", "lodges", "mara", "zeno"))
    log.feel(NOON, -0.3)
    log.add(NOON + MINUTE // 2, Made("y", "lodges", "mara", "", where="Rowan House / kitchen"))
    assert log.of("claims_felt") == 1.0


def test_a_life_is_told_if_two_hear_of_it_within_a_day_in_different_words(log: Log) -> None:
    seq = log.add(NOON, Broken("x", "role", "mara", "", "mayor"))
    log.tell(NOON + HOUR, seq, "otis", "I am mayor no longer")
    assert log.reader.of((1,))["claims_told"] is None, "there is time yet"
    log.tell(NOON + 2 * HOUR, seq, "otis", "As I said, I am mayor no longer")
    log.tell(NOON + DAY + HOUR, seq, "kit", "They have another mayor")
    assert log.of("claims_told") == 0.0, "one heard it twice, and another too late"
    log.tell(NOON + 3 * HOUR, seq, "una", "I am mayor no longer")
    assert log.of("claims_told") == 0.0, "in the same words"
    log.tell(NOON + 4 * HOUR, seq, "dov", "The chain is off my neck")
    assert log.of("claims_told") == 1.0


def test_where_nothing_changed_there_is_nothing_to_measure(log: Log) -> None:
    assert log.of("claims_felt") is None
    assert log.reader.of((1,))["claims_told"] is None
