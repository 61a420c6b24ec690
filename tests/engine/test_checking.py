"""A scenario from a save is checked before a world is made of it: what could not be lived is refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from lived import engine_of, run
from parameters import DEFAULTS, RANGES

from benchmarks.scaled_town import copies
from sandbox.cli.calibration import best_time, run_calibration
from sandbox.engine.checking import check_scenario
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario

Change = Callable[[dict[str, Any]], object]


def changed(scenario: Scenario, change: Change) -> Scenario:
    """The scenario as a crafted save would give it."""
    plain = msgspec.json.decode(msgspec.json.encode(scenario))
    change(plain)
    return msgspec.json.decode(msgspec.json.encode(plain), type=Scenario)


def test_what_the_loader_makes_may_be_lived(larkspur: Scenario) -> None:
    check_scenario(larkspur)
    check_scenario(copies(larkspur, 3))
    check_scenario(changed(larkspur, lambda s: None))


def test_the_check_is_quick(larkspur: Scenario) -> None:
    loop = best_time(5, run_calibration)
    assert best_time(5, lambda: check_scenario(larkspur)) < 2 * loop  # 0.4 of the loop, beside which it is timed


def person(**more: object) -> Change:
    return lambda s: s["cast"][0].update(more)


def line(**more: object) -> Change:
    return lambda s: s["lines"]["lines"][0].update(more)


def sector(**more: object) -> Change:
    return lambda s: s["plan"]["sectors"][0].update(more)


def arena(**more: object) -> Change:
    return lambda s: s["plan"]["sectors"][0]["arenas"][0].update(more)


def again(**more: object) -> Change:
    return lambda s: s["plan"]["sectors"].append({**s["plan"]["sectors"][0], **more})


def rows(change: Callable[[list[str]], list[str]]) -> Change:
    return lambda s: s["plan"].update(rows=change(s["plan"]["rows"]))


def fold(s: dict[str, Any]) -> None:
    """Slots that double at each of 25 depths."""
    for i in range(25):
        s["lines"]["slots"][f"deep{i}"] = [{"say": f"{{deep{i + 1}}}{{deep{i + 1}}}"}]
    s["lines"]["slots"]["deep25"] = [{"say": "x"}]


def chain(s: dict[str, Any]) -> None:
    """Slots within slots, thousands deep."""
    s["lines"]["slots"].update(
        {f"deep{i}": [{"say": f"{{deep{i + 1}}}"}] for i in range(20_000)}, deep20000=[{"say": "x"}]
    )


def of_the_deck(*path: str, **more: object) -> Change:
    """Change an entry of the drama deck: children, slight, ..."""

    def change(s: dict[str, Any]) -> None:
        found = s["drama"]
        for key in path:
            found = found[int(key)] if isinstance(found, list) else found[key]
        found.update(more)

    return change


def plain(s: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines without those for what people come with."""
    return [x for x in s["lines"]["lines"] if x["move"] != "confront"]


def cast_pressure(**more: object) -> Change:
    return lambda s: s["pressures"][0].update(more)


def spark(**more: object) -> Change:
    return of_the_deck("sparks", "wrong_letter", **more)


CASES: dict[str, tuple[Change, str]] = {
    "no title": (lambda s: s.update(title=" "), "at `$.title`"),
    "an escape in the title": (lambda s: s.update(title="\x1b[2J"), "cannot be printed"),
    "an escape in a line": (line(say=["\x9b2J"]), "cannot be printed"),
    "writing turned round": (person(about="\u202etxt"), "cannot be printed"),
    "no step": (lambda s: s.update(step=0), "Expected `int` >= 10 - at `$.step`"),
    "a long step": (lambda s: s.update(step=10**12), "Expected `int` <= 3600 - at `$.step`"),
    "no seed": (lambda s: s.update(seed=-1), "Expected `int` >= 0 - at `$.seed`"),
    "no start": (lambda s: s.update(start="junk"), "is no start"),
    "an early start": (lambda s: s.update(start="0900-03-04 07:30"), "between 1900 and 2999"),
    "a late start": (lambda s: s.update(start="9999-12-31 07:30"), "between 1900 and 2999"),
    "a parameter that is none": (lambda s: s.update(parameters={"mood.x": 1}), 'no parameter "mood.x"'),
    "a word for a number": (lambda s: s.update(parameters={"mood.half_life": "x"}), "Expected `float`"),
    "a number out of range": (lambda s: s.update(parameters={"talk.reach": 0}), ">= 1"),
    "no map": (rows(lambda r: []), "the map is empty"),
    "a huge map": (rows(lambda r: ["." * 3000] * 3000), "3000 by 3000 tiles"),
    "a ragged map": (rows(lambda r: [r[0][:-1], *r[1:]]), "differ in length"),
    "a strange letter": (rows(lambda r: ["\u2603" + r[0][1:], *r[1:]]), "letter of the map"),
    "a legend of words": (lambda s: s["plan"]["legend"].update(ab=s["plan"]["legend"]["."]), "one character"),
    "no areas": (lambda s: s["plan"].update(sectors=[]), "length >= 1 - at `$.plan.sectors`"),
    "a rect outside the map": (sector(rect=[0, 0, 1000, 5]), "reaches outside the map"),
    "an empty rect": (sector(rect=[0, 0, 0, 0]), "Expected `int` >= 1 - at `$.plan.sectors[0].rect[2]`"),
    "a rect before the map": (sector(rect=[-5, 0, 9, 9]), "Expected `int` >= 0 - at `$.plan.sectors[0].rect[0]`"),
    "an arena outside its sector": (arena(rect=[0, 0, 2, 2]), "reaches outside"),
    "sectors that overlap": (again(name="X"), "overlaps"),
    "a sector twice": (again(), 'the name "Market Square" is taken'),
    "a slash in a name": (sector(name="a / b"), 'holds a "/"'),
    "a room of walls": (rows(lambda r: ["#" * len(x) for x in r]), "no tile to stand on"),
    "a part outside the map": (lambda s: s.update(parts=[[0, 0, 999, 9]]), "reaches out"),
    "nobody": (lambda s: s.update(cast=[]), 'opening: no person "mara"'),
    "a person twice": (lambda s: s["cast"].append(s["cast"][0]), 'the id "mara" is taken'),
    "no name": (person(name=" "), "at `$.cast[0].name`"),
    "an odd id": (person(id="../x"), "at `$.cast[0].id`"),
    "no home": (person(home="Nowhere / hall"), 'no area "Nowhere / hall"'),
    "no such work": (person(work="Nowhere / hall"), "no area"),
    "an odd colour": (person(look={"hair": "see-through", "skin": "light", "build": "x"}), "black|brown|"),
    "a huge trait": (
        lambda s: s["cast"][0]["big_five"].update(openness=-1e300),
        "Expected `float` >= -1.0 - at `$.cast[0].big_five.openness`",
    ),
    "an unknown friend": (
        person(history=[{"with": "odd_one", "feeling": 0, "closeness": 0, "why": ""}]),
        'cast[0].history[0].with: no person "odd_one"',
    ),
    "an odd hour": (
        lambda s: s["cast"][0]["routine"].update(wake=-1),
        "Expected `int` >= 0 - at `$.cast[0].routine.wake`",
    ),
    "an unknown block": (
        lambda s: s["cast"][0]["routine"]["days"][0]["slots"][0].update(do="x"),
        'cast[0].routine.days[0].slots[0].do: no block "x"',
    ),
    "an unknown day": (lambda s: s["cast"][0]["routine"]["days"][0].update(days="x"), "mon|tue|wed"),
    "an opening of nobody": (lambda s: s.update(opening={"odd_one": {"where": "home", "do": "work"}}), "no person"),
    "an opening nowhere": (lambda s: s.update(opening={"mara": {"where": "x / y", "do": "work"}}), "no area"),
    "an occasion nowhere": (lambda s: s["calendar"][0].update(where="x / y"), "no area"),
    "an occasion of no length": (lambda s: s["calendar"][0].update(to=0), "is not later than from"),
    "no sleep": (lambda s: s["deck"].update(blocks={}, activities=[], feelings={}), 'no block "sleep"'),
    "an act of no length": (
        lambda s: s["deck"]["activities"][0].update(minutes=[0, 0]),
        "Expected `int` >= 5 - at `$.deck.activities[0].minutes[0]`",
    ),
    "an unknown emotion": (
        lambda s: s["deck"].update(feelings={"work": {"good": [{"feel": "zzz", "size": 1, "why": ""}]}}),
        "admiration|anger|",
    ),
    "no lines": (lambda s: s["lines"].update(lines=[]), 'the move "greet" has no line that always fits'),
    "a line of no move": (line(move="zzz"), "Invalid enum value 'zzz'"),
    "a line that says nothing": (line(say=[]), "holds no text"),
    "an empty criterion": (line(when={"stance": []}), "criterion"),
    "an unknown slot": (line(say=["{zzz}"]), 'no slot "{zzz}"'),
    "slots in a ring": (lambda s: s["lines"]["slots"].update(a=[{"say": "{b}"}], b=[{"say": "{a}"}]), "ring"),
    "slots without an end": (fold, "unfolds into too much"),
    "slots without a bottom": (chain, "lies too deep"),
    "sparks without number": (lambda s: s["drama"].update(renewal=s["drama"]["renewal"][:1] * 100_001), "<= 100000"),
    "a word with a line end": (person(voice="plain\n"), "plain"),
    "an unknown rule": (lambda s: s.update(rules={"weather": "on"}), 'no rule "weather"'),
    "an unknown storyteller": (lambda s: s.update(rules={"storyteller": "wild"}), 'no setting of storyteller "wild"'),
    "a pressure of no kind": (cast_pressure(kind="hope"), "debt|promise|"),
    "a pressure of nobody": (cast_pressure(holder="odd_one"), 'no person of the cast "odd_one"'),
    "a pressure known to nobody": (cast_pressure(known_by=["odd_one"]), 'no person of the cast "odd_one"'),
    "a pressure about oneself": (
        lambda s: s["pressures"][0].update(about=s["pressures"][0]["holder"]),
        "is the holder",
    ),
    "a huge pressure": (cast_pressure(intensity=1e300), "Expected `float` <= 1.0 - at `$.pressures[0].intensity`"),
    "an endless pressure": (cast_pressure(due=2**62), "Expected `int` <= 1099511627776 - at `$.pressures[0].due`"),
    "a kind the deck lacks": (lambda s: s["drama"]["kinds"].pop("promise"), "has no promise"),
    "a kind without an end": (
        lambda s: s["drama"]["kinds"]["suspicion"]["ends"].pop("faded"),
        'drama.kinds.suspicion.ends: no ending "faded"',
    ),
    "a late ending that is none": (of_the_deck("kinds", "debt", late={"end": "won"}), 'no ending "won"'),
    "a lucky ending that is none": (of_the_deck("kinds", "debt", luck="won"), 'no ending "won"'),
    "a child that is none": (of_the_deck("kinds", "debt", late={"children": ["odd_one"]}), 'no child "odd_one"'),
    "a huge effect": (of_the_deck("kinds", "debt", late={"by": -1e300}), "Expected `float` >= -1.0"),
    "a huge feeling": (of_the_deck("kinds", "debt", "ways", "0", "accept", target=1e300), "Expected `float` <= 1.0"),
    "a stage beyond": (of_the_deck("kinds", "debt", late={"stage": 9}), "Expected `int` <= 3"),
    "an endless delay": (of_the_deck("kinds", "debt", late={"later": 2**62}), "Expected `int` <= 3600000"),
    "an exchange that is none": (of_the_deck("kinds", "debt", "ways", "0", do="odd"), 'no exchange "odd"'),
    "a deed of nobody": (of_the_deck("kinds", "debt", "ways", "0", by="odd"), "holder|about|knower"),
    "a heavy way": (of_the_deck("kinds", "debt", "ways", "0", weight=1e300), "Expected `float` <= 10.0"),
    "an answer that lacks": (
        of_the_deck("exchanges", "confront", replies={"accept": "dodge"}),
        'drama.exchanges.confront.replies: "dodge" is missing',
    ),
    "an odd feature": (of_the_deck("exchanges", "confront", wish={"odd": 1}), "base|fond|"),
    "a heavy feature": (of_the_deck("exchanges", "confront", wish={"base": 1e300}), "Expected `float` <= 10.0"),
    "a move that is none": (of_the_deck("exchanges", "confront", move="odd"), 'no move "odd"'),
    "a sentence that looks inside": (of_the_deck("kinds", "debt", says="{holder.__class__}"), "no slot"),
    "a sentence that fills the screen": (of_the_deck("exchanges", "confront", did="{to:>99999999}"), "no slot"),
    "an ending without a partner": (
        of_the_deck("kinds", "debt", "ends", "faded", says="{holder"),
        "a brace without a partner",
    ),
    "a brace twice": (of_the_deck("kinds", "debt", shows="{{holder}}"), "a brace without a partner"),
    "a child of two minds": (of_the_deck("children", "slight", holder="odd"), "holder|about|actor|target"),
    "a huge child": (of_the_deck("children", "slight", intensity=1e300), "Expected `float` <= 1.0"),
    "a child without a cause": (
        of_the_deck("children", "slight", cause=[]),
        "drama.children.slight.cause: holds no text",
    ),
    "an endless child": (of_the_deck("children", "slight", due=2**62), "Expected `int` <= 3600000"),
    "a child that speaks of nobody": (
        of_the_deck("children", "slight", cause=["{holder}"]),
        'the child "slight" speaks of holder',
    ),
    "a talk that starts nothing": (of_the_deck("renewal", "0", child="odd"), 'no child "odd"'),
    "a talk that weighs too much": (of_the_deck("renewal", "0", weights={"base": -1e300}), "Expected `float` >= -10.0"),
    "a spark of nobody": (spark(roles={}, says="x"), 'the child "letter_read" speaks of actor'),
    "a spark that names nobody": (spark(says="{odd}"), 'no slot "{odd}"'),
    "a spark between strangers": (
        spark(roles={"actor": {"towards": {"target": [0, 1]}}, "target": {}}),
        'no role "target" above this one',
    ),
    "moves that no line fits": (
        lambda s: s["lines"].update(lines=plain(s)),
        'the move "confront" has no line that always fits',
    ),
}


@pytest.mark.sampled(40, slow=999)
@pytest.mark.parametrize("name", CASES)
def test_what_could_not_be_lived_is_refused_in_a_line(larkspur: Scenario, name: str) -> None:
    change, says = CASES[name]
    with pytest.raises(ValueError, match=r".") as caught:
        check_scenario(changed(larkspur, change))
    assert says in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_every_number_has_a_range_that_holds_its_default() -> None:
    numbers = {k: v for k, v in DEFAULTS.items() if not isinstance(v, (bool, str))}
    assert numbers.keys() == RANGES.keys()
    for key, value in numbers.items():
        low, high = RANGES[key]
        assert low is not None
        assert high is not None
        assert low <= value <= high


@pytest.mark.parametrize("key", RANGES)
def test_out_of_its_range_a_number_is_refused(key: str) -> None:
    low, high = RANGES[key]
    kind = type(DEFAULTS[key])
    for bound, beyond in ((low, -1), (high, 1)):
        REGISTRY.tuned({key: kind(bound)})
        with pytest.raises(ValueError, match=key.partition(".")[0]):
            REGISTRY.tuned({key: kind(bound + beyond)})


@pytest.mark.sampled(2, slow=30)
@pytest.mark.parametrize(
    ("key", "end"),
    [
        pytest.param(key, end, marks=[pytest.mark.long] if (key, end) == ("feed.crowd", 1) else [])  # of a million
        for key in RANGES
        for end in (0, 1)
    ],
)
def test_a_town_lives_at_the_ends_of_every_range(larkspur: Scenario, key: str, end: int) -> None:
    value = type(DEFAULTS[key])(RANGES[key][end])
    run(engine_of(msgspec.structs.replace(larkspur, parameters={key: value}, step=600)), 20)


@pytest.mark.parametrize("end", [0, pytest.param(1, marks=pytest.mark.long)])
def test_a_town_lives_with_all_numbers_at_one_end(larkspur: Scenario, end: int) -> None:
    parameters = {key: type(DEFAULTS[key])(ends[end]) for key, ends in RANGES.items()}
    run(engine_of(msgspec.structs.replace(larkspur, parameters=parameters, step=600)), 20)
