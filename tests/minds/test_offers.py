"""The lines of the book on shelves: none that fits is missed, and none is looked at that cannot."""

from hypothesis import given
from hypothesis import strategies as st

from sandbox.engine.scenario import Scenario
from sandbox.talk.lines import CRITERIA, MOVES, REGISTERS, BookLine, Bucket, criteria_hold, line_criteria

TRAITS = ("blunt", "proud", "generous", "shy", "curious")
facts = st.fixed_dictionaries(
    {key: st.sampled_from((*values, "")) for key, values in CRITERIA.items() if key not in ("trait", "stance", "do")}
    | {"stance": st.sampled_from(("for", "against", "")), "sides": st.sampled_from(("same", "opposed", ""))}
    | {"voice": st.sampled_from(REGISTERS)}
)


@given(facts, st.lists(st.sampled_from(TRAITS), max_size=3), st.sampled_from(MOVES))
def test_shelves_give_the_lines_whose_criteria_hold_in_the_order_of_the_book(
    larkspur: Scenario, now: dict[str, str], traits: list[str], move: str
) -> None:
    bucket, fitting = Bucket(), []
    for line in larkspur.lines.lines:
        if line.move == move:
            bucket.add(line)
            fitting += [line.id] if criteria_hold(line_criteria(line), now, tuple(traits)) else []
    assert [line.id for line in bucket.fitting(now, tuple(traits))] == fitting


def test_a_line_for_two_traits_is_offered_once_to_who_has_both() -> None:
    bucket = Bucket()
    bucket.add(BookLine("a", "greet", ("Oh.",), when={"trait": ("shy", "proud")}))
    assert len(bucket.fitting({}, ("shy", "proud"))) == 1


def test_a_line_that_cannot_be_said_now_is_not_looked_at() -> None:
    class Watched(dict[str, str]):
        asked = 0

        def get(self, key: str, default: object = None) -> object:
            self.asked += 1
            return super().get(key, default)

    bucket = Bucket()
    for place in CRITERIA["place"]:
        for tie in CRITERIA["tie"]:
            bucket.add(BookLine(f"{place}_{tie}", "greet", ("Oh.",), when={"place": (place,), "tie": (tie,)}))
    now = Watched(place="cafe", tie="close")
    assert [line.id for line in bucket.fitting(now, ())] == ["cafe_close"]
    assert now.asked == 1 + len(CRITERIA["tie"])
