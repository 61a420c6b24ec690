"""A right world loads as written; of a wrong one each fault is named with file, line and mend, in one run."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tinyworld import AREAS, FILES, MAP, WORLD, Tiny

from sandbox.engine import loading
from sandbox.engine.loading import WorldFaults, find_world, list_worlds
from sandbox.engine.scenario import Founded, Scenario

Build = Callable[..., Tiny]
W, A, M = "world/world.yaml", "world/areas.yaml", "world/map.txt"
ANN, BEN, P = "world/personas/ann.yaml", "personas/ben.yaml", "world/pressures.yaml"
DECK, LINES = "data/activities.yaml", "data/lines.yaml"


def line_of(name: str, text: str) -> int:
    """The line of a file of the tiny world on which a text stands first."""
    before, found, _ = FILES[name].partition(text)
    assert found, f"{text!r} is not in {name}"
    return before.count("\n") + 1


def test_a_right_world_has_no_fault(tiny_world: Build) -> None:
    scenario, faults = tiny_world().read()
    assert [str(f) for f in faults.at("error", "warning")] == []
    assert scenario is not None


def test_a_world_is_read_as_written(tiny_world: Build) -> None:
    s = tiny_world().read().scenario
    assert s is not None
    assert (s.name, s.title, s.start, s.step, s.seed) == ("world", "Tiny", "2025-03-04 07:30", 1200, 7)
    assert [p.id for p in s.cast] == ["ann", "ben"]
    ann = s.cast[0]
    assert ann.routine.wake == 6 * 3600
    assert ann.routine.days[0].slots[0].where == "work"
    assert ann.big_five.neuroticism == 1
    assert ann.history[0].with_ == "ben"
    assert s.opening["ann"].where == "Mill House / kitchen"
    assert s.calendar[0].from_ == 9 * 3600
    assert (s.pressures[0].wakes, s.pressures[0].due) == (30 * 60, 28 * 3600 + 30 * 60)
    assert s.rules == {"drama": "on"}
    assert s.parameters == {"talk.exchange": 30}
    assert s.plan.sectors[0].roof == "slate"
    assert s.plan.sectors[0].called == "the mill"
    assert [o.feel for o in (*s.deck.feelings["play"].good, *s.deck.feelings["play"].bad)] == ["joy", "shame"]
    assert s.plan.sectors[1].roof == ""
    assert s.plan.rows == tuple(MAP.splitlines())


def test_a_scenario_survives_its_way_through_the_log(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.change(ANN, "feeling: 0.5", "feeling: 0.12345678901")
    s = tiny.read().scenario
    assert s is not None
    founded = Founded(s, {"sandbox": "0"})
    assert msgspec.json.decode(msgspec.json.encode(founded), type=Founded) == founded


CASES = [
    # world.yaml
    (W, "title: Tiny", "titel: Tiny", 'no key "titel"; did you mean "title"?'),
    (W, "seed: 7", "seed: -7", "seed: -7 is out of range"),
    (W, "seed: 7", "seed: seven", 'seed: "seven" is no whole number'),
    (W, "seed: 7", "sede: 7", 'no key "sede"; did you mean "seed"?'),
    (W, "step: 20m", "step: 2h", "step: a step of"),
    (W, "step: 20m", "step: soon", 'step: "soon" is no step length; write it as'),
    (W, "2025-03-04 07:30", "4 March", 'start: "4 March" is no start; write it as'),
    (W, "2025-03-04", "0900-03-04", "is out of range; the year must be between 1900 and 2999"),
    (W, "2025-03-04", "9999-12-31", "is out of range; the year must be between 1900 and 2999"),
    (W, "[ann, ben]", "[ann, bne]", 'cast[2]: no persona "bne"; did you mean "ben"?'),
    (W, "[ann, ben]", "[ann, ben, ann]", 'cast[3]: "ann" stands here twice'),
    (W, "[ann, ben]", "[]", "cast: is empty; name at least one person"),
    (W, "[ann, ben]", "[ann, {id: ben, home: Mil House / bedroom}]", 'did you mean "Mill House / bedroom"?'),
    (W, "cast:", "caste:", 'no key "caste"; did you mean "cast"?'),
    (W, "  ann: {where", "  anne: {where", 'opening: no person "anne"; did you mean "ann"?'),
    (W, "do: work}", "do: wrok}", 'opening.ann.do: no block "wrok"; did you mean "work"?'),
    (W, "kitchen, do", "kitchn, do", 'no area "Mill House / kitchn"; did you mean "Mill House / kitchen"?'),
    (
        W,
        "Mill House / kitchen, do",
        "Mill House, do",
        '"Mill House" is a whole sector; write "Mill House / bedroom"',
    ),
    (W, "Mill House / kitchen, do", "Mill House / kitchen / oven, do", "is an object; an area belongs here"),
    (W, "who: [ann, ben]", "who: [ann, bob]", 'calendar[1].who[2]: no person of the cast "bob"'),
    (W, "days: [tue, sat]", "days: [tues]", 'calendar[1].days[1]: no day "tues"; did you mean "tue"?'),
    (W, "    days: [tue, sat]\n", "", 'calendar[1]: needs either "days" or "on"'),
    (W, "days: [tue, sat]", "on: 2025-3-6", '"2025-3-6" is no date; write it as "2025-03-06"'),
    (W, "from: 09:00", "from: 0900", '"0900" is no time of day; write it as "09:00"'),
    (W, 'to: "12:30"', 'to: "08:30"', "is not later than from"),
    (W, "block: play", "block: plya", 'no block "plya"; did you mean "play"?'),
    (W, "drama: on", "drama: maybe", 'rules.drama: no setting of drama "maybe"; choose from off, on'),
    (W, "drama: on", "darma: on", 'rules: no rule "darma"; did you mean "drama"?'),
    (W, "talk.exchange", "talk.exchnge", 'no parameter "talk.exchnge"; did you mean "talk.exchange"?'),
    (W, "talk.exchange: 30", "talk.exchange: long", '"long" is no whole number'),
    (W, "talk.exchange: 30", "mood.half_life: [1]", "is a list; a number belongs here"),
    # areas.yaml and map.txt
    (A, "kind: tree", "kind: trea", 'no kind of tile "trea"; did you mean "tree"?'),
    (A, '"T": {', '"TT": {', '"TT" is 2 characters; a letter of the map is one'),
    (A, "look: tree}", "look: tree, affords: [climb]}", '"affords" is for objects'),
    (A, "walk: false", "walk: never", '"never" is neither true nor false'),
    (A, "[0, 0, 12, 5]", "[0, 0, 12]", "has 3 entries; write four: [x, y, width, height]"),
    (A, "[12, 0, 4, 6]", "[12, 0, 5, 6]", "reaches outside the map (x 0 to 15, y 0 to 5)"),
    (A, "[6, 1, 5, 3]", "[6, 1, 7, 3]", 'reaches outside "Mill House"'),
    (A, "[6, 1, 5, 3]", "[4, 1, 7, 3]", 'arena "kitchen" overlaps "bedroom" at x 4 to 4, y 1 to 3'),
    (A, "[0, 0, 12, 5]", "[0, 0, 13, 5]", 'sector "Green" overlaps "Mill House"'),
    (A, "[0, 0, 12, 5]", "[0, 0, 0, 5]", "0 is out of range; it must be between 1 and"),
    (
        A,
        "      kitchen:",
        "      bedroom:",
        'the key "bedroom" stands here twice, first in line 15; keep one',
    ),
    (A, "  Green:", "  Mill House:", 'the key "Mill House" stands here twice'),
    (A, "  Green:", "  Gre/en:", 'the name "Gre/en" holds a "/"'),
    (A, "floor: tile", "floor: tiles", 'no floor "tiles"; did you mean "tile"?'),
    (A, "[indoors]", "[indors]", 'no tag "indors"; did you mean "indoors"?'),
    (A, "roof: slate", "roof: slat", 'no roof "slat"; did you mean "slate"?'),
    (A, "rect: [12, 0, 4, 6]\n", "rekt: [12, 0, 4, 6]\n", 'no key "rekt"; did you mean "rect"?'),
    (M, "#b.b.#..O..#....\n", "#b.b.#..O..#...\n", "this row (y 1) is 15 letters long, the others 16; add 1"),
    (M, "#..cc.#", "#..c?.#", 'x 9, y 3: no letter "?" in the legend; add it to the legend of areas.yaml'),
    (M, "+.....+", "+.....#", "x 12, y 0: Green / lawn: no way leads in"),
    # personas
    (ANN, "age: 41", "age: 141", "age: 141 is out of range; it must be between 0 and 120"),
    (ANN, "age: 41", "age: forty", 'age: "forty" is no whole number'),
    (ANN, "age: 41", 'age: "41"', 'age: "41" is text; a whole number belongs here, without quotes'),
    (ANN, "age: 41\n", "", '"age" is missing; add for example `age: 40`'),
    (ANN, "job: baker", "jop: baker", 'no key "jop"; did you mean "job"?'),
    (ANN, "home: Mill House / bedroom", "home: Mil House / bedrom", 'did you mean "Mill House / bedroom"?'),
    (
        ANN,
        "openness: 0.1",
        "openness: 1.1",
        "big_five.openness: 1.1 is out of range; it must be between -1 and 1",
    ),
    (ANN, "openness: 0.1", "openess: 0.1", 'no key "openess"; did you mean "openness"?'),
    (ANN, "openness: 0.1", "openness: .nan", '".nan" is no number'),
    (ANN, "voice: warm", "voice: wram", 'no voice "wram"; did you mean "warm"?'),
    (ANN, "hair: grey", "hair: gray", 'no colour of hair "gray"; did you mean "grey"?'),
    (ANN, "wake: 06:00", "wake: 0600", '"0600" is no time of day; write it as "06:00"'),
    (ANN, "wake: 06:00", "wake: 26:00", '"26:00" is no time of day'),
    (ANN, "at: 08:00", "at: 8", '"8" is no time of day; write it as'),
    (ANN, 'at: "12:00"', 'at: "07:00"', "is not later than the entry before; put the day in order"),
    (ANN, "    every:", "    sun:", "no entry for sat; add"),
    (ANN, "weekdays:", "weekday:", 'no days "weekday"; did you mean "weekdays"?'),
    (ANN, "do: play, where: Green", "do: ply, where: Green", 'no block "ply"; did you mean "play"?'),
    (ANN, "chair 2", "chair 3", 'no object "Mill House / kitchen / chair 3"; did you mean'),
    (ANN, "work: Mill House / kitchen\n", "", '"work" without a place of work'),
    (ANN, "stance: -0.5", "stance: -5", "opinions.the mill.stance: -5.0 is out of range"),
    (ANN, "stance: -0.5", "stance: -0,5", "no key"),
    (ANN, "closeness: 0.9", "closeness: 1.9", "history[1].closeness: 1.9 is out of range"),
    (ANN, "with: ben", "with: bem", 'history[1].with: no person "bem"; did you mean "ben"?'),
    (ANN, "with: ben", "with: ann", "a person has no history with themselves"),
    (ANN, "traits: [kind]", "traits: {kind: 1}", "traits: is no list; write each entry"),
    (ANN, "Ann Miller", '"Ann \\e[2J"', "name: holds the control character U+001B; take it out"),
    (ANN, "Ann Miller", "", "name: is empty; write something"),
    (BEN, "Ben Miller", "Ann Miller", '"Ann Miller" is the name of "ann", too; rename one'),
    # pressures
    (P, "kind: debt", "kind: dept", 'no kind of pressure "dept"; did you mean "debt"?'),
    (P, "holder: ann", "holder: anna", 'no person of the cast "anna"; did you mean "ann"?'),
    (P, "about: ben", "about: bern", 'no person of the cast "bern"; did you mean "ben"?'),
    (P, "about: ben", "about: ann", "is the holder; name somebody else"),
    (P, "intensity: 0.5", "intensity: 5", "5.0 is out of range; it must be between 0 and 1"),
    (P, "day 1 08:00", "08:00", '"08:00" is no moment; write it as "day 1 07:30"'),
    (P, "day 1 08:00", "day 1 06:00", "is before the world starts (07:30 on day 1)"),
    (P, "day 2 12:00", "day 1 07:45", "is not later than wakes"),
    (P, "known_by: [ben]", "known_by: [bob]", 'no person of the cast "bob"'),
    (P, "    stakes", "    steaks", 'no key "steaks"; did you mean "stakes"?'),
    # decks
    (DECK, "for: [work]", "for: [wrk]", 'no block "wrk"; did you mean "work"?'),
    (DECK, "[10, 30]", "[1, 30]", "1 is out of range; it must be between 5 and 60"),
    (DECK, "[10, 30]", "[30, 10]", "the shortest, 30, is more than the longest, 10"),
    (DECK, "feel: joy", "feel: joi", 'no emotion "joi"; did you mean "joy"?'),
    (DECK, "size: 0.7", "size: 7", "7.0 is out of range; it must be between 0.0 and 1.0"),
    (DECK, "  play:\n    good", "  pray:\n    good", 'no block "pray"; did you mean "play"?'),
    (DECK, "    bad: [", "    badly: [", 'no key "badly"'),
    (DECK, "[10, 30]", "[10]", "write two: [shortest, longest]"),
    (DECK, "doing: kneading dough", "doin: kneading dough", 'no key "doin"; did you mean "doing"?'),
    (DECK, "  sleep: {do", "  slep: {do", 'no block "sleep"; people need one'),
    # lines
    (LINES, "move: greet,", "move: gret,", 'lines[1].move: no move "gret"; did you mean "greet"?'),
    (LINES, "move: greet,", "move: greet, register: warmly,", 'no register "warmly"; did you mean "warm"?'),
    (
        LINES,
        "move: greet,",
        "move: greet, when: {hour: morn},",
        'no value of hour "morn"; did you mean "morning"?',
    ),
    (LINES, "move: greet,", "move: greet, when: {our: night},", 'no criterion "our"; did you mean "hour"?'),
    (
        LINES,
        "move: greet,",
        "move: greet, when: {tie: close},",
        'the move "greet" has no line that always fits;',
    ),
    (
        LINES,
        "move: greet,",
        "move: greet, register: warm,",
        "that always fits in register plain, blunt, formal, playful",
    ),
    (LINES, "{opener}greet", "{opner}greet", 'no slot "{opner}"; did you mean "opener"?'),
    (LINES, "{opener}greet", "opener}greet", "holds a brace without a partner; write slots as {name}"),
    (LINES, "id: bye_any", "id: greet_any", 'the id "greet_any" is taken in line 2; choose another'),
    (LINES, "{name}, ", "{opener}, ", 'the slot "opener" comes back to itself (opener > opener)'),
    (LINES, "  opener:", "  name:", 'the slot "name" is filled by the world'),
    (LINES, "tie: close", "tie: close, mud: 1", 'no criterion "mud"; did you mean "mood"?'),
]


@pytest.mark.parametrize(("name", "old", "new", "says"), CASES)
def test_each_fault_is_named_with_its_file(tiny_world: Build, name: str, old: str, new: str, says: str) -> None:
    tiny = tiny_world()
    tiny.change(name, old, new)
    reading = tiny.read()
    said = [str(f) for f in reading.faults.errors]
    assert any(s.startswith(name) and says in s for s in said), said
    assert reading.scenario is None


EXACT = [
    (W, "seed: 7", "seed: x"),
    (W, "block: play", "block: x"),
    (W, "drama: on", "darma: on"),
    (A, "floor: tile", "floor: x"),
    (A, "[0, 0, 12, 5]", "[0, 0, 12]"),
    (M, "#..cc.#", "#..?c.#"),
    (ANN, "age: 41", "age: x"),
    (ANN, "voice: warm", "voce: warm"),
    (ANN, "chair 2", "chair 9"),
    (ANN, "closeness: 0.9", "closeness: x"),
    (P, "kind: debt", "kind: x"),
    (DECK, "for: [work]", "for: [x]"),
    (LINES, "{opener}bye", "{opner}bye"),
]


@pytest.mark.parametrize(("name", "old", "new"), EXACT)
def test_a_fault_names_the_line_it_stands_in(tiny_world: Build, name: str, old: str, new: str) -> None:
    tiny = tiny_world()
    tiny.change(name, old, new)
    assert [(f.file, f.line) for f in tiny.errors()] == [(name, line_of(name, old))]


def test_an_address_fault_reads_as_the_style_says(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.change(ANN, "home: Mill House / bedroom", "home: Mil Huse / bedroom")
    wanted = 'world/personas/ann.yaml:5: home: no area "Mil Huse / bedroom"; did you mean "Mill House / bedroom"?'
    assert wanted in [str(f) for f in tiny.errors()]


def test_all_faults_of_all_files_come_in_one_run_sorted(tiny_world: Build) -> None:
    tiny = tiny_world()
    for name, old, new in (
        (W, "seed: 7", "seed: x"),
        (A, "floor: wood", "floor: wod"),
        (M, "....\n####", "...\n####"),
        (BEN, "voice: blunt", "voice: loud"),
        (P, "kind: debt", "kind: x"),
        (DECK, "[10, 30]", "[10, 300]"),
        (LINES, "move: greet,", "move: x,"),
    ):
        if old in FILES[name]:
            tiny.change(name, old, new)
    tiny.write(ANN, FILES[ANN].replace("age: 41", "age: x").replace("voice: warm", "voice: x"))
    errors = tiny.errors()
    assert {W, A, BEN, ANN, P, DECK, LINES} <= {f.file for f in errors}
    assert len([f for f in errors if f.file == ANN]) == 2
    assert errors == sorted(errors)


def test_one_fault_makes_no_others(tiny_world: Build) -> None:
    for name, old, new in (
        (A, "look: {roof: slate}", "look: {roof: x}"),
        (A, "[6, 1, 5, 3]", "[6, 1, 9, 3]"),
    ):
        tiny = tiny_world()
        tiny.change(name, old, new)
        assert len(tiny.errors()) <= 2, [str(f) for f in tiny.errors()]
    tiny = tiny_world({A: "legend: [\n"})
    assert {f.file for f in tiny.errors()} == {A}


@pytest.mark.parametrize("name", [W, A, M, DECK, LINES])
def test_a_missing_file_is_named(tiny_world: Build, name: str) -> None:
    tiny = tiny_world({name: None})
    assert f"{name}: there is no such file; add it" in [str(f) for f in tiny.errors()]


def test_a_world_without_pressures_is_right(tiny_world: Build) -> None:
    assert tiny_world({P: None}).read().scenario is not None


def test_a_cut_off_room_is_named_by_its_tile(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.write(M, MAP.replace("#....+.....+....", "#....#.....+...."))
    said = [str(f) for f in tiny.errors()]
    mend = "no way leads in; put a door in its wall or clear a way"
    assert said == [f"{M}:2: x 1, y 1: Mill House / bedroom: {mend}"]


def test_an_object_nobody_can_get_to_is_named_by_its_tile(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.write(M, MAP.replace("#b.b.#..O..#", "#b.b.#TOT..#"))
    assert [f.line for f in tiny.errors()] == []
    tiny.write(M, MAP.replace("#b.b.#..O..#", "#b.b.#TOT..#").replace("+.....+", "+.T...+"))
    said = [str(f) for f in tiny.errors()]
    assert f"{M}:2: x 7, y 1: Mill House / kitchen / oven: nobody can get to it; clear a tile beside it" in said


def test_too_few_beds_are_a_warning_only(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.write(M, MAP.replace("#b.b.#", "#b...#"))
    reading = tiny.read()
    assert reading.scenario is not None
    assert [
        '"Mill House / bedroom", the home of 2, has 1 to sleep in' in str(f) for f in reading.faults.at("warning")
    ] == [True]
    tiny.write(M, MAP.replace("#b.b.#", "#....#"))
    assert "affords no sleep" in str(tiny.read().faults.at("warning")[0])


def test_a_need_nothing_affords_is_a_note_only(tiny_world: Build) -> None:
    tiny = tiny_world()
    tiny.change(DECK, "needs: bake", "needs: swim")
    reading = tiny.read()
    assert reading.scenario is not None
    assert 'nothing in this town affords "swim"' in str(reading.faults.at("note")[0])


def test_people_who_exist_but_are_not_in_the_cast_are_left_out(tiny_world: Build) -> None:
    tiny = tiny_world({W: WORLD.replace("[ann, ben]", "[ann]"), P: None})
    s = tiny.read().scenario
    assert s is not None
    assert s.cast[0].history == ()


def test_the_world_goes_before_the_file_of_a_person(tiny_world: Build) -> None:
    cast = "[ann, {id: ben, home: Mill House / kitchen, work: Green / lawn, job: gardener}]"
    tiny = tiny_world({W: WORLD.replace("[ann, ben]\n", cast + "\n", 1)})
    tiny.change(BEN, "home: Mill House", "home: Elsewhere")
    s = tiny.read().scenario
    assert s is not None
    assert (s.cast[1].home, s.cast[1].work, s.cast[1].job) == (
        "Mill House / kitchen",
        "Green / lawn",
        "gardener",
    )


def test_a_world_extends_decks_and_lines(tiny_world: Build) -> None:
    tiny = tiny_world(
        {
            "world/activities.yaml": "activities: {roll: {do: roll dough, doing: a, past: b, for: [work]}}",
            "world/lines.yaml": "lines: [{id: own, move: bye, say: Off with you.}]\nslots: {opener: [hm]}\n",
        }
    )
    s = tiny.read().scenario
    assert s is not None
    assert "roll dough" in [a.do for a in s.deck.activities]
    assert s.lines.lines[-1].id == "own"
    assert [v.say for v in s.lines.slots["opener"]] == ["well, ", "{name}, ", "hm"]


def test_seed_step_and_settings_go_before_the_file(tiny_world: Build) -> None:
    more = {
        "seed": 9,
        "step": 10,
        "settings": ["mood.on=no", "talk.exchange=60", "rules.drama=off"],
    }
    s = tiny_world().read(**more).scenario
    assert s is not None
    assert (s.seed, s.step, s.parameters, s.rules) == (9, 10, {"mood.on": False}, {"drama": "off"})


def test_a_wrong_setting_is_named(tiny_world: Build) -> None:
    tiny = tiny_world()
    faults = tiny.read(settings=["mood.onn=1", "mood.on", "mood.half_life=x", "rules.x=1"], step=5, seed=-1).faults
    assert [str(f) for f in faults.errors] == [
        "--seed: -1 is out of range; it must be between 0 and 9223372036854775807",
        '--set: "mood.on" has no value; write key=value',
        '--set: mood.half_life: "x" is no number',
        '--set: no parameter "mood.onn"; did you mean "mood.on"?',
        '--set: rules.x: no rule "x"; choose from drama, emotion, storyteller',
        "--step: 5 seconds is outside 10s to 1h",
    ]


def test_worlds_are_found_by_folder_and_by_name(tiny_world: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = tiny_world()
    monkeypatch.setattr(loading, "world_roots", lambda: (tiny.root,))
    assert find_world(tiny.path) == tiny.path
    assert find_world("world").resolve() == tiny.path.resolve()
    assert list_worlds() == {"world": tiny.path}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wrold", 'no world "wrold"; did you mean "world"?'),
        ("zzz", "known: world"),
        ("personas", "holds no world.yaml"),
        ("", 'no world ""'),
        ("a\0b", "no world"),
    ],
)
def test_a_world_that_is_not_there_is_named(
    tiny_world: Build, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    tiny = tiny_world()
    monkeypatch.setattr(loading, "world_roots", lambda: (tiny.root,))
    with pytest.raises(WorldFaults, match=r"worlds|personas") as e:
        find_world(name)
    assert says in str(e.value)


def test_personas_are_looked_for_only_where_they_ship(tiny_world: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = tiny_world()
    assert isinstance(tiny.read().scenario, Scenario)
    monkeypatch.setattr(loading, "shipped_folder", lambda kind: tiny.root / "none")
    assert any('no persona "ben"' in str(f) for f in tiny.errors())


def test_an_empty_map_and_too_wide_a_map_are_named(tiny_world: Build) -> None:
    assert "is empty; draw the town" in str(tiny_world({M: "\n\n"}).errors()[0])
    assert "more than 2000 tiles" in "".join(map(str, tiny_world({M: "." * 3000 + "\n"}).errors()))


def test_names_that_differ_in_capitals_only_are_named(tiny_world: Build) -> None:
    tiny = tiny_world({A: AREAS + "  GREEN:\n    rect: [12, 5, 1, 1]\n    arenas: {}\n"})
    assert any('"GREEN" and "Green" differ in capitals only' in str(f) for f in tiny.errors())
