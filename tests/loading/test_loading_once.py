"""One cause is one fault, however many places it shows in; and faults of all kinds are told in one round."""

from __future__ import annotations

from pathlib import Path

import pytest
from village import build

from sandbox.core.faults import Fault
from sandbox.engine.loading import read

pytestmark = pytest.mark.slow

Change = tuple[str, str, str]  # a file, what stands there, and what is put in its place


def told(tmp_path: Path, *changes: Change) -> list[Fault]:
    """Faults and warnings of the village with some of its words changed, by names of files alone."""
    folder = build(tmp_path)
    for name, old, new in changes:
        text = (folder / name).read_text("utf-8")
        assert text.count(old), (name, old)
        (folder / name).write_text(text.replace(old, new), "utf-8")
    found = read(folder).faults.at("error", "warning")
    return [fault._replace(file=fault.file.partition("worlds/green/")[2]) for fault in found]


def test_a_misspelt_name_of_the_cast_is_one_fault(tmp_path: Path) -> None:
    (fault,) = told(tmp_path, ("world.yaml", "cast: [ada,", "cast: [adda,"))
    assert (fault.file, fault.line) == ("world.yaml", 6)
    assert fault.message.startswith('cast[1]: no persona "adda"; did you mean "ada"?')


@pytest.mark.sampled(6, slow=30)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("world.yaml", "cast:", "casst:"),
        ("areas.yaml", "legend:", "legnd:"),
        ("areas.yaml", "  Hill House:\n", "  Hil House:\n"),
        ("areas.yaml", "kind: object", "kind: objct"),
        ("drama.yaml", "children: [goose_envy]", "children: [gose_envy]"),
        ("drama.yaml", "accept:", "accpt:"),
        ("personas/ada.yaml", "age:", "aage:"),
        ("personas/ada.yaml", "work:", "wok:"),
        ("personas/ada.yaml", "every:", "evry:"),
        ("areas.yaml", '"+":', '"++":'),
        ("lines.yaml", "slots:", "slts:"),
        ("drama.yaml", "exchanges:", "exchnges:"),
        ("drama.yaml", "roles: {actor", "roes: {actor"),
        ("drama.yaml", "roles: {actor", "roles: {acor"),
        ("drama.yaml", "holder: actor", "holer: actor"),
        ("drama.yaml", "reached:", "reahed:"),
        ("drama.yaml", "ends:", "ens:"),
        ("claims.yaml", "kinds:", "kids:"),
        ("claims.yaml", "needs:", "neds:"),
        ("claims.yaml", "b: finn", "b: fin"),
        ("world.yaml", "calendar:", "caledar:"),
        ("world.yaml", "days:", "das:"),
        ("world.yaml", "terms:", "tems:"),
        ("pressures.yaml", "known_by:", "knwn_by:"),
        ("pressures.yaml", "pressures:", "presures:"),
        ("pressures.yaml", "id:", "idd:"),
        ("world.yaml", "start:", "strt:"),
    ],
)
def test_so_is_a_misspelt_key_or_value_on_which_others_hang(tmp_path: Path, name: str, old: str, new: str) -> None:
    folder = build(tmp_path)
    text = (folder / name).read_text("utf-8")
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    assert len(read(folder).faults.at("error", "warning")) == 1


def test_a_file_of_a_person_that_is_called_otherwise_is_one_fault(tmp_path: Path) -> None:
    folder = build(tmp_path)
    (folder / "personas" / "ada.yaml").rename(folder / "personas" / "aada.yaml")
    assert len(read(folder).faults.at("error", "warning")) == 1


def test_somebody_who_is_named_and_of_no_cast_is_a_fault_beside_that(tmp_path: Path) -> None:
    nell = ("pressures.yaml", "known_by: [ada]", "known_by: [nell]")
    faults = told(tmp_path, ("world.yaml", "cast: [ada,", "cast: [adda,"), nell)
    assert [fault.file for fault in faults] == ["pressures.yaml", "world.yaml"]


def test_what_is_not_there_is_told_once_with_the_places_that_name_it(tmp_path: Path) -> None:
    (fault,) = told(tmp_path, ("areas.yaml", "Village Green:", "Village Gren:"))
    assert (fault.file, fault.line) == ("claims.yaml", 14)
    assert 'no area "Village Green / lane"; did you mean "Village Gren / lane"? (also in ' in fault.message
    for place in ("personas/ada.yaml:24", "personas/finn.yaml:14", "world.yaml:12"):
        assert place in fault.message


def test_of_many_places_the_first_are_told(tmp_path: Path) -> None:
    (fault,) = told(
        tmp_path, ("personas/ada.yaml", "do: work", "do: wrok"), ("personas/finn.yaml", "do: work", "do: wrok")
    )
    assert fault.message.count("personas/") == 2
    lanes = "".join(f"  - {{terms: t{i}, places: [Village Lane / lane], says: a bench}}\n" for i in range(9))
    changed = told(tmp_path, ("claims.yaml", "uses:\n", f"uses:\n{lanes}"))
    (fault,) = [fault for fault in changed if "no area" in fault.message]
    assert fault.message.endswith(" and 4 more places)")


KINDS: list[tuple[Change, str]] = [
    (("lines.yaml", "{oven_mood}", "{oven_moo}"), 'no slot "{oven_moo}"; did you mean "oven_mood"?'),
    (("lines.yaml", "move: greet", "move: gret"), 'no move "gret"'),
    (("lines.yaml", "register: blunt", "register: blnt"), 'no register "blnt"'),
    (("lines.yaml", '"sulking"', '"sulking {foo}"'), 'no slot "{foo}"'),
    (("world.yaml", "cast: [ada,", "cast: [adda,"), 'no persona "adda"'),
    (("world.yaml", "{winner} has", "{winer} has"), 'no slot "{winer}"'),
    (("world.yaml", "talk.cooldown", "talk.cooldwn"), 'no parameter "talk.cooldwn"'),
    (("claims.yaml", "kind: employs", "kind: emplois"), 'no kind of claim "emplois"'),
    (("claims.yaml", "child: caught_out", "child: cought_out"), 'no child "cought_out"'),
    (("drama.yaml", "{holder} keeps looking", "{holdr} keeps looking"), 'no slot "{holdr}"'),
    (("drama.yaml", "do: borrow", "do: borow"), 'no exchange "borow"'),
    (("pressures.yaml", "kind: secret", "kind: secrt"), 'no kind of pressure "secrt"'),
    (("pressures.yaml", "holder: finn, about: ada", "holder: fin, about: ada"), 'no person of the cast "fin"'),
    (("personas/finn.yaml", "home: Hill House", "home: Hill Hous"), 'no area "Hill Hous / bedroom"'),
    (("personas/finn.yaml", "age: 19", "age: old"), '"old" is no whole number'),
    (("activities.yaml", "for: [work]", "for: [wrok]"), 'no block "wrok"'),
    (("areas.yaml", "roof: slate", "roof: slat"), 'no roof "slat"'),
]


def test_faults_of_all_kinds_are_told_in_one_round(tmp_path: Path) -> None:
    faults = told(tmp_path, *(change for change, _ in KINDS))
    lacking = [words for _, words in KINDS if not any(words in fault.message for fault in faults)]
    assert lacking == []


APART: dict[str, tuple[list[Change], int]] = {
    "the same slot in texts that may name other things": (
        [("drama.yaml", 'says: "The goose of {target}', 'says: "The goose of {who}'),
         ("world.yaml", "{winner} has the", "{who} has the"), ("lines.yaml", "{oven_mood}", "{who}")], 3),
    "a place of a claim, and somebody who knows of a pressure": (
        [("claims.yaml", "{id: bakehouse, kind: keeps, a: ada", "{id: bakehouse, kind: keeps, a: nobdy"),
         ("pressures.yaml", "known_by: [ada]", "known_by: [nell]")], 2),
    "a key that is none beside one that is lacking": (
        [("claims.yaml", "terms: the bakehouse, since:", "snce:")], 2),
    "a slot of a child that a spark bears": (
        [("drama.yaml", "{actor} has seen how", "{third} has seen how")], 1),
    "an ending that there is not, in two places": (
        [("drama.yaml", "{end: reached,", "{end: rechd,"), ("drama.yaml", "{end: failed", "{end: rechd")], 1),
}  # fmt: skip


@pytest.mark.parametrize("what", APART)
def test_what_has_causes_of_its_own_is_told_in_the_same_round(tmp_path: Path, what: str) -> None:
    changes, many = APART[what]
    assert len(told(tmp_path, *changes)) == many


@pytest.mark.slow
@pytest.mark.parametrize(("change", "words"), KINDS, ids=[words for _, words in KINDS])
def test_each_of_them_alone_is_one_fault(tmp_path: Path, change: Change, words: str) -> None:
    (fault,) = [fault for fault in told(tmp_path, change) if fault.level == "error"]
    assert words in fault.message
