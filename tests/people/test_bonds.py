"""What two people are to each other, by rules over numbers and claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.ties import BONDS, COOL, FOND, NEAR_FRIENDS, SOUR, BondSide, bond_name, circles, pairs

sides = st.builds(BondSide, st.floats(0, 1), st.floats(-1, 1))
claims = st.frozensets(st.sampled_from(("couple", "kin", "crush", "rivalry", "employs")))
names = st.sampled_from(("", *BONDS))


@pytest.mark.parametrize(
    ("a", "b", "between", "was", "name"),
    [
        ((0.0, 0.0), (0.0, 0.0), (), "", "strangers"),
        ((0.1, 0.0), (0.0, 0.0), (), "", "acquainted"),
        ((0.0, 0.0), (0.0, 0.0), (), "acquainted", "acquainted"),
        ((0.3, 0.5), (0.3, 0.45), (), "", "friends"),
        ((0.3, 0.5), (0.3, 0.3), (), "", "acquainted"),
        ((0.1, 0.9), (0.1, 0.9), (), "", "acquainted"),
        ((0.0, -0.4), (0.1, -0.3), (), "", "at odds"),
        ((0.5, -0.4), (0.4, -0.3), (), "", "fallen out"),
        ((0.0, -0.4), (0.1, -0.3), (), "friends", "fallen out"),
        ((0.0, -0.4), (0.0, 0.4), (), "", "strangers"),
        ((0.5, -0.4), (0.4, -0.3), ("couple",), "", "couple"),
        ((0.5, 0.6), (0.4, 0.0), ("crush",), "friends", "crush"),
        ((0.5, 0.6), (0.5, 0.6), ("rivalry",), "friends", "friends"),
        ((0.2, -0.2), (0.2, 0.1), ("rivalry",), "", "rivals"),
        ((0.0, 0.0), (0.0, 0.0), ("kin",), "", "family"),
        ((0.5, -0.4), (0.4, -0.3), ("kin",), "family", "fallen out"),
    ],
)
def test_a_name_is_the_first_rule_that_fits(
    a: tuple[float, float], b: tuple[float, float], between: tuple[str, ...], was: str, name: str
) -> None:
    assert bond_name(BondSide(*a), BondSide(*b), between, was) == name


@given(sides, sides, claims, names)
def test_it_is_the_same_from_either_side(a: BondSide, b: BondSide, between: frozenset[str], was: str) -> None:
    assert bond_name(a, b, between, was) == bond_name(b, a, between, was)


@given(sides, sides, claims, names)
def test_what_has_just_been_found_is_found_again(a: BondSide, b: BondSide, between: frozenset[str], was: str) -> None:
    now = bond_name(a, b, between, was)
    assert bond_name(a, b, between, now) == now


def test_friends_stay_so_until_it_is_plain_that_they_are_not() -> None:
    def named(feeling: float, near: float, was: str) -> str:
        return bond_name(BondSide(near, feeling), BondSide(near, feeling), (), was)

    assert named(FOND - 0.1, NEAR_FRIENDS - 0.1, "friends") == "friends"
    assert named(FOND - 0.1, NEAR_FRIENDS - 0.1, "acquainted") == "acquainted"
    assert named(FOND - 0.3, NEAR_FRIENDS, "friends") == "acquainted"
    assert named(SOUR + 0.1, 0.0, "at odds") == "at odds"
    assert named(COOL + 0.2, 0.0, "at odds") == "acquainted"


def test_circles_are_the_largest_groups_in_which_all_are_warm_with_all() -> None:
    warm = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "e"), ("c", "e"), ("b", "d"), ("a", "d"), ("e", "f")]
    bonds = dict.fromkeys(warm, "friends") | {("a", "f"): "at odds"}
    assert circles(bonds) == [("a", "b", "c", "d"), ("c", "d", "e")]  # type: ignore[arg-type]
    assert circles(bonds, least=2)[-1] == ("e", "f")  # type: ignore[arg-type]
    assert circles({}) == []


@given(st.sets(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"))))
def test_circles_are_whole_and_none_is_inside_another(edges: set[tuple[str, str]]) -> None:
    bonds = {(a, b): "friends" for a, b in edges if a != b}
    found = circles(bonds)  # type: ignore[arg-type]
    near = {frozenset(two) for two in bonds}
    for group in found:
        assert all(frozenset(two) in near for two in pairs(group))
        assert not any(set(group) < set(other) for other in found)
    three = {(a, b, c) for a, b in pairs("abcdefg") for c in "abcdefg" if c > b
             if {frozenset((a, b)), frozenset((b, c)), frozenset((a, c))} <= near}  # fmt: skip
    assert all(any(set(t) <= set(group) for group in found) for t in three)
