"""A world's `claims.yaml`: what is so as it begins; every contradiction is named with file, line and mend."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace
from tinyworld import Tiny

from sandbox.engine.checking import check_scenario
from sandbox.people.claims.apply import beginning
from sandbox.people.claims.model import Claim, ClaimDeck

RIGHT = """\
kinds:
  couple: {says: "{a} and {b} are a couple", made: "{a} has {b}", broken: "{a} left {b}", mutual: yes, hard: yes}
  lodges: {says: "{a} lives in {where}", made: "{a} moved", broken: "{a} left", needs: [a], one: a, hard: yes}
  employs: {says: "{b} is {terms}", made: "{b} began", broken: "{b} left", needs: [b], one: b, hard: yes}
  role: {says: "{a} is {terms}", made: "{a}", broken: "{a} was {terms}", needs: [a], one: terms}
  heir: {says: "{a} gets {terms} of {b}", made: "{a}", broken: "{b}", one: terms}
  confidence: {says: "{a} told {b}: {terms}", made: "{a} told", broken: "{b} told on", private: yes}
claims:
  - {id: pair, kind: couple, a: ann, b: ben, since: "the flood"}
  - {id: roof, kind: lodges, a: ann, b: ben}
  - {id: shop, kind: employs, a: ben, b: ann}
  - {id: chair, kind: role, a: ben, terms: chair}
  - {id: mill, kind: heir, a: ann, b: ben, terms: the mill}
  - {id: whisper, kind: confidence, a: ann, b: ben, terms: the oven leaks, known_by: [ann]}
"""
FILE = "world/claims.yaml"


def test_homes_and_work_are_claims_and_only_the_other_end_is_said(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world({FILE: RIGHT}).read().scenario
    assert s is not None
    begun = beginning(s.claims, s.cast)
    assert (begun.open["roof"].where, begun.open["shop"].terms) == ("Mill House / bedroom", "baker")
    assert sorted(begun.of["ben"]) == ["chair", "employs.ben", "lodges.ben", "mill", "pair", "roof", "shop", "whisper"]
    assert msgspec.convert(msgspec.to_builtins(s.claims), ClaimDeck) == s.claims
    check_scenario(s)


def test_a_world_without_the_file_has_no_claims(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world().read().scenario
    assert s is not None
    assert beginning(s.claims, s.cast).open == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("claims:", "offices: [chiar]\nclaims:", 'offices[1]: no office "chiar"; did you mean "chair"?'),
        ("hard: yes}\n  role", "hard: yes, over: c}\n  role", 'no end "c"; choose from a, b'),
        ("kind: couple, a", "kind: cuople, a", 'claims[1].kind: no kind of claim "cuople"; did you mean "couple"?'),
        ("a: ann, b: ben, since", "a: ann, b: bne, since", 'no person of the cast "bne"; did you mean "ben"?'),
        ("a: ann, b: ben, since", "a: ann, since", "is nobody; a claim of the kind couple needs somebody here"),
        ("b: ben, terms: the mill", "b: ann, terms: the mill", "is the same person as a; name somebody else"),
        (
            "kind: role, a: ben",
            'kind: role, a: ann, terms: chair}\n  - {id: two, kind: role, a: ben',
            'contradicts "chair": there can be one claim of the kind role for "chair"; keep one',
        ),
        (
            "{id: shop, kind: employs, a: ben, b: ann}",
            "{id: home, kind: lodges, a: ann, where: Green / lawn}",
            'contradicts "roof": there can be one claim of the kind lodges for "ann"; keep one',
        ),
        ("lodges, a: ann, b: ben", "lodges, a: ann, where: Green / lawn", '"Mill House / bedroom"; leave it out here'),
        ("lodges, a: ann, b: ben", "lodges, a: ann, where: Gren / lawn", 'no area "Gren / lawn"'),
        (", since:", ", known_by: [ben], since:", "all know of a claim of the kind couple; take it out"),
        (", terms: the mill", "", 'is empty, and "{a} gets {terms} of {b}" tells it; write it'),
        ("id: chair", "id: pair", 'the id "pair" is taken; choose another'),
        ("are a couple", "are a {pair}", 'no slot "{pair}"'),
        ("one: terms}\n  confidence", "one: term}\n  confidence", 'no end "term"; did you mean "terms"?'),
        ("mutual: yes", "mutal: yes", 'no key "mutal"; did you mean "mutual"?'),
        ("claims:", "claims: {}\nclaim:", "claim"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_told_with_its_place(
    tiny_world: Callable[..., Tiny], old: str, new: str, says: str
) -> None:
    assert old in RIGHT
    errors = tiny_world({FILE: RIGHT.replace(old, new, 1)}).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert found[0].file.endswith("claims.yaml")
    assert found[0].line > 0


def test_a_foreign_world_with_such_is_refused(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world({FILE: RIGHT}).read().scenario
    assert s is not None
    wrong = replace(s.claims, claims=(*s.claims.claims, Claim("x", "couple", "ann", "nobody")))
    with pytest.raises(ValueError, match='no person of the cast "nobody"'):
        check_scenario(replace(s, claims=wrong))
