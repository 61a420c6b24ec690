"""Other verbs, once a way is shut: say it before everybody, come to terms, go to who has a say, break it off."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import DAY, MINUTE
from sandbox.drama.claims import change_claims
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_handlers import LODGES, between, claims_of, superiors
from sandbox.people.claim_model import Breaking, Broken, Claim, Making
from sandbox.people.model import Block
from sandbox.people.planning import parlour
from sandbox.people.pressure_deck import Effect, PressureWay
from sandbox.people.pressure_model import ActivePressure, Ended, Sought
from sandbox.people.pressure_rules import FOLLOW_UP
from sandbox.people.ties import Tie
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.talk.model import Talk, talk_reception
from sandbox.talk.pressure_aims import CHILD, aims, is_way_open, part_of

NEW = ("expose", "bargain", "appeal", "break_off")
LATER = hours(30)  # when all of it might be thought of
PARTS = {"holder": "about", "about": "holder"}


def stage_of(larkspur: Scenario, *pressures: object, **numbers: object) -> Stage:
    return Stage(larkspur, *pressures, faces=0, rows=1000, turns=0, breaks=1000, **numbers)  # type: ignore[arg-type]


def way_of(stage: Stage, p: ActivePressure, do: str, **more: object) -> PressureWay:
    ways = stage.world.drama.kinds[p.kind].ways
    return next(x for x in ways if x.do == do and all(getattr(x, key) == value for key, value in more.items()))


def may(stage: Stage, p: ActivePressure, do: str, me: str, other: str, t: int = LATER) -> bool:
    w = stage.world
    ways = [x for x in w.drama.kinds[p.kind].ways if x.do == do]
    return any(is_way_open(w, p, x, me, other, part_of(p, me), t) for x in ways)


def in_vain(
    stage: Stage, p: ActivePressure, do: str = "confront", me: str = "", other: str = "", t: int = hours(4)
) -> None:
    """Somebody is turned away with that."""
    stage.move(t, p, Effect(), me or p.holder, other or p.about, do, answer="refuse")


def gather(stage: Stage, *who: str) -> None:
    """They stand together, awake, and nobody else is near."""
    w = stage.world
    away = next(area for area in w.map.areas.values() if len(area.tiles) > 3)
    here = next(area for area in w.map.areas.values() if area.sector != away.sector and len(area.tiles) > 3)
    for x, spot in w.town.spots.items():
        w.town.spots[x] = type(spot)((here if x in who else away).tiles[0], 0)
        w.people.residents[x].awake = True


def feels(stage: Stage, who: str, whom: str, feeling: float) -> None:
    stage.world.people.ties[who][whom] = Tie(0.5, feeling, 0, causes=[])


# ---- only once something was tried in vain


def test_every_other_verb_comes_after_something_tried_in_vain(larkspur: Scenario) -> None:
    ways = [x for kind in larkspur.drama.kinds.values() for x in kind.ways if x.do in NEW]
    assert {x.do for x in ways} == {*NEW}
    assert [x for x in ways if not x.after] == []


@pytest.mark.parametrize(("tries", "open_"), [(2, True), (0, False)])
def test_without_exhaustion_nobody_ever_thinks_of_one(larkspur: Scenario, tries: int, open_: bool) -> None:
    stage = stage_of(larkspur, pressure("grudge", "mara", "jory", stage=2), tries=tries)
    p = stage.wake()
    gather(stage, "mara", "jory", "una")
    assert not any(may(stage, p, do, "mara", "jory") for do in NEW)
    in_vain(stage, p)
    found = {do for do in NEW if may(stage, p, do, "mara", "jory")}
    assert found == ({"expose", "bargain", "break_off"} if open_ else set())
    assert may(stage, p, "appeal", "mara", "wilf") is open_
    assert bool({aim.do for aim in aims(stage.world, "mara", "jory", LATER)} & {*NEW}) is open_


# ---- before others


def test_one_shows_somebody_up_before_others_only_and_they_all_know_it_since(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("grudge", "mara", "vera", stage=1))
    p = stage.wake()
    in_vain(stage, p)
    gather(stage, "mara", "vera")
    assert not may(stage, p, "expose", "mara", "vera")
    gather(stage, "mara", "vera", "una", "otis")
    assert may(stage, p, "expose", "mara", "vera")
    (event,) = stage.move(
        LATER, p, way_of(stage, p, "expose").dodge, "mara", "vera", "expose", answer="dodge", hostile=True
    )
    assert {*event.told} == {"una", "otis", "vera"}
    assert {row.who for row in event.learned if row.fact == p.id} == {"una", "otis", "vera"}


def secret(larkspur: Scenario) -> tuple[Stage, ActivePressure]:
    """Kit keeps something from Esme and has told Jory in trust, who has something against Kit."""
    kept = pressure("secret", "kit", "esme", known_by=("jory",), thread="the float")
    stage = stage_of(larkspur, kept, pressure("grudge", "jory", "kit", stage=1))
    stage.wake()
    step = stage.step(60)
    change_claims(
        step,
        stage.world,
        [Making("confidence", "holder", "target", "the float")],
        [],
        {"holder": "kit", "target": "jory"},
        "",
        "",
        60,
        1,
    )
    return stage, stage.world.pressures.open["secret"]


def test_who_knows_a_secret_and_was_turned_away_over_something_else_may_say_it_before_everybody(
    larkspur: Scenario,
) -> None:
    stage, p = secret(larkspur)
    gather(stage, "jory", "kit", "una")
    assert not may(stage, p, "expose", "jory", "kit"), "there is no cause"
    in_vain(stage, stage.world.pressures.open["grudge"])
    assert may(stage, p, "expose", "jory", "kit")
    ways = [x for x in stage.world.drama.kinds["secret"].ways if x.do == "expose"]
    told = [is_way_open(stage.world, p, x, "jory", "kit", "knower", LATER) for x in ways if x.hears]
    assert told == [False], "whom it is kept from is not there"


def test_a_secret_is_out_when_whom_it_is_kept_from_stands_by_and_what_was_told_in_trust_is_broken(
    larkspur: Scenario,
) -> None:
    stage, p = secret(larkspur)
    in_vain(stage, stage.world.pressures.open["grudge"])
    gather(stage, "jory", "kit", "esme")
    way = way_of(stage, p, "expose", hears=True)
    assert is_way_open(stage.world, p, way, "jory", "kit", "knower", LATER)
    event, *_ = stage.move(LATER, p, way.refuse, "jory", "kit", "expose", answer="refuse", hostile=True)
    assert isinstance(event, Ended)
    assert event.how == "found_out"
    assert not [c for c in between(stage.world, "kit", "jory", "confidence") if c.terms == "the float"]


# ---- terms


def test_who_comes_to_terms_over_money_pays_a_part_and_owes_a_good_turn_for_the_rest(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("debt", "mara", "basil", amount=20))
    p = stage.wake()
    stage.world.people.residents["mara"].purse.coins = 60
    before = stage.world.people.residents["basil"].purse.coins
    events = stage.move(LATER, p, way_of(stage, p, "bargain").accept, "mara", "basil", "bargain", answer="accept")
    assert [(e.how, e.good) for e in events if isinstance(e, Ended)] == [("settled", True)]
    assert before < stage.world.people.residents["basil"].purse.coins < before + 20
    (born,) = stage.world.pressures.open.values()
    assert (born.kind, born.holder, born.about) == ("promise", "mara", "basil")


def test_rivals_who_come_to_terms_stand_by_each_other(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("rivalry", "zeno", "una"))
    p = stage.wake()
    stage.move(LATER, p, way_of(stage, p, "bargain").accept, "zeno", "una", "bargain", answer="accept")
    assert [c.terms for c in between(stage.world, "zeno", "una", "ally")] == ["a ladder"]


# ---- who has a say


def test_who_employs_houses_or_brought_up_somebody_has_a_say_over_them_and_so_have_some_offices(
    larkspur: Scenario,
) -> None:
    w = stage_of(larkspur).world
    kit, jory, mara = superiors(w, "kit"), superiors(w, "jory"), superiors(w, "mara")
    assert {*kit[:2]} == {"esme", "zeno"}
    assert {*jory} == {"mara", "basil", "wilf", "greta", "anselm"}
    assert "jory" not in mara
    assert mara[-2:] == ["greta", "anselm"], "offices come last"


def test_who_got_nowhere_goes_to_who_has_a_say_and_that_one_takes_it_up(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("grudge", "ivo", "kit", stage=1))
    p = stage.wake()
    in_vain(stage, p)
    assert may(stage, p, "appeal", "ivo", "zeno")
    assert not may(stage, p, "appeal", "ivo", "flora"), "who is nothing to it"
    stage.move(LATER, p, way_of(stage, p, "appeal").accept, "ivo", "zeno", "appeal", answer="accept")
    born = next(x for x in stage.world.pressures.open.values() if x.holder == "zeno")
    assert (born.kind, born.about, born.thread) == ("grudge", "kit", p.thread)
    in_vain(stage, born, t=LATER + MINUTE)
    born.stage = 2
    assert may(stage, born, "break_off", "zeno", "kit", LATER + DAY), "the room may be lost by it"


@pytest.mark.parametrize(("fond", "whom"), [("", "zeno"), ("flora", "flora")])
def test_one_goes_looking_for_who_can_help_by_claims_or_by_liking(larkspur: Scenario, fond: str, whom: str) -> None:
    """Ivo has an hour, and nothing is open to him but to go to somebody else about Kit."""
    stage = stage_of(larkspur, pressure("grudge", "ivo", "kit", stage=1))
    p = stage.wake()
    w = stage.world
    in_vain(stage, p)
    do = "enlist" if fond else "appeal"
    w.people.ties["ivo"] = {fond: Tie(0.5, 0.6, 0, causes=[])} if fond else {}
    exchanges = {name: replace(x, seeks=name == do) for name, x in w.drama.exchanges.items()}
    w.drama = replace(w.drama, exchanges=exchanges)
    w.people.residents["ivo"].awake = True
    t = hours(12)
    home = w.cast["ivo"].home
    w.people.residents["ivo"].plan = (
        Block(0, t + hours(9), "walk", home, ""),
        Block(t + hours(9), 2 * DAY, "", "", ""),
    )
    seen = [r.event for n in range(120) for r in stage.press(t + n * MINUTE) if isinstance(r.event, Sought)]
    assert {e.whom for e in seen} == {whom}
    assert w.handbook.name(whom) in seen[0].why


# ---- breaking off, and what comes back


def test_there_must_be_something_to_break_off(larkspur: Scenario) -> None:
    pairs = {("kit", "esme"): True, ("jory", "rufus"): True, ("yara", "pip"): True, ("ivo", "pip"): False}
    for (a, b), open_ in pairs.items():
        stage = stage_of(larkspur, pressure("grudge", a, b, stage=2))
        p = stage.wake()
        in_vain(stage, p)
        assert may(stage, p, "break_off", a, b) is open_, (a, b)


def test_who_is_put_out_sleeps_in_the_parlour_of_a_friend_elsewhere(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("grudge", "zeno", "kit", stage=2))
    p = stage.wake()
    w = stage.world
    w.people.ties["kit"] = {"flora": Tie(0.9, 0.9, 0, causes=[]), "una": Tie(0.5, 0.5, 0, causes=[])}
    stage.move(
        LATER, p, way_of(stage, p, "break_off").accept, "zeno", "kit", "break_off", answer="accept", hostile=True
    )
    assert w.cast["kit"].home == parlour(w, w.cast["una"].home)
    assert not list(between(w, "kit", "zeno", LODGES))


def test_who_breaks_with_another_leaves_what_both_belong_to(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("grudge", "yara", "pip", stage=2))
    p = stage.wake()
    stage.move(
        LATER, p, way_of(stage, p, "break_off").accept, "yara", "pip", "break_off", answer="accept", hostile=True
    )
    w = stage.world
    assert [c.terms for c in claims_of(w, "yara", "member")] == ["the band"]
    assert [c.terms for c in claims_of(w, "pip", "member")] == ["the choir"]


@pytest.mark.parametrize(
    ("who", "other", "kind", "says"),
    [
        ("zeno", "kit", "lodges", "Zeno has given Kit notice, who has left "),
        ("kit", "zeno", "lodges", "Kit has given notice and left "),
        ("kit", "esme", "employs", "Kit has given notice as "),
        ("esme", "kit", "employs", "Esme has given Kit notice as "),
        ("yara", "pip", "member", "Yara has left the choir"),
        ("greta", "dov", "couple", "Greta has left Dov"),
        ("jory", "rufus", "ally", "Jory no longer stands by Rufus over "),
    ],
)
def test_what_is_ended_is_told_in_words_that_fit_what_it_was_and_who_ended_it(
    larkspur: Scenario, who: str, other: str, kind: str, says: str
) -> None:
    stage = stage_of(larkspur, pressure("grudge", who, other, stage=2))
    p = stage.wake()
    stage.move(LATER, p, way_of(stage, p, "break_off").accept, who, other, "break_off", answer="accept", hostile=True)
    told_ = [event_sentence(r, Teller(stage.world.handbook)) for r in stage.records if isinstance(r.event, Broken)]
    assert any(text.startswith(says) for text in told_), (kind, told_)


def test_no_words_of_ending_it_are_lovers_talk_where_it_is_no_love(larkspur: Scenario) -> None:
    x = larkspur.drama.exchanges["break_off"]
    assert {"lodges", "employs", "member", "ally", "couple"} <= {*x.needs}, "one verb for all of these"
    assert not re.search("br[eo]+k.* off|break up|heart|love", " ".join((x.says, x.did, *x.took.values())))
    for name, kind in larkspur.claims.kinds.items():
        words = " ".join((kind.broken, *kind.leaves.values()))
        assert name == "couple" or not re.search("part(ed|ing)|left \\{[ab]\\}", words), name


@pytest.mark.parametrize(("two", "back"), [(("jory", "rufus"), 1), (("jory", "pip"), 0)])
def test_who_makes_peace_stands_by_the_other_again_only_where_they_did(
    larkspur: Scenario, two: tuple[str, str], back: int
) -> None:
    a, b = two
    stage = stage_of(larkspur, pressure("grudge", a, b), pressure("guilt", b, a, id="sorry", thread="amends"))
    p = stage.wake()
    w = stage.world
    terms = [c.terms for c in between(w, a, b, "ally")]
    change_claims(
        stage.step(60), w, (), [Breaking("ally", "holder", "about")], {"holder": a, "about": b}, "", "", 60, 1
    )
    assert not list(between(w, a, b, "ally"))
    stage.move(LATER, p, Effect(end="made_up"), b, a, "apologise", answer="accept")
    assert [c.terms for c in between(w, a, b, "ally")] == terms * back
    again = Stage(larkspur).world
    again.restore(w.snapshot())
    assert again.claims == w.claims


# ---- for good


@pytest.mark.parametrize(
    ("two", "feeling", "how"),
    [
        (("jory", "kit"), -0.2, "fell_out"),  # they stand by each other, and no longer can stand each other
        (("jory", "kit"), 0.2, "parted_in_anger"),
        (("ivo", "pip"), -0.2, "parted_in_anger"),  # there is nothing to break
    ],
)
def test_it_is_for_good_only_where_one_cannot_stand_the_other_and_something_breaks(
    larkspur: Scenario, two: tuple[str, str], feeling: float, how: str
) -> None:
    stage = stage_of(larkspur, pressure("grudge", *two))
    p = stage.wake()
    feels(stage, *two, feeling)
    feels(stage, *two[::-1], 0.5)
    end = Effect(end="fell_out", actor=-0.25)
    ended, *_ = stage.move(hours(1), p, end, *two, "confront", answer="refuse", hostile=True)
    assert isinstance(ended, Ended)
    assert (ended.how, ended.good) == (how, False)
    allied = bool(list(between(stage.world, *two, "ally")))
    assert not allied


# ---- it is dropped


def test_who_has_other_means_left_goes_on_for_a_day_and_no_longer(larkspur: Scenario) -> None:
    stage = stage_of(larkspur, pressure("rivalry", "zeno", "una", stage=1))
    p = stage.wake()
    for do in ("boast", "challenge"):
        in_vain(stage, p, do)
    for other in ("kit", "ivo"):
        for do in ("complain", "boast", "ask_help"):
            in_vain(stage, p, do, other=other)
    stage.world.people.residents["zeno"].awake = True
    ends = [
        (t, r.event.how)
        for t in (p.t + MINUTE, p.t + FOLLOW_UP - MINUTE, p.t + FOLLOW_UP)
        for r in stage.press(t)
        if isinstance(r.event, Ended)
    ]
    assert ends == [(p.t + FOLLOW_UP, "given_up")]


@pytest.mark.parametrize(("tried", "how"), [(True, "given_up"), (False, "faded")])
def test_who_was_turned_away_has_given_up_and_not_stopped_minding(larkspur: Scenario, tried: bool, how: str) -> None:
    stage = stage_of(larkspur, pressure("grudge", stage=1))
    p = stage.wake()
    if tried:
        in_vain(stage, p)
    stage.world.people.residents["mara"].awake = True
    (ended,) = [r.event for r in stage.press(p.t + 4 * DAY) if isinstance(r.event, Ended)]
    assert ended.how == how
    assert bool(ended.why) is tried


# ---- how it is talked of


@pytest.mark.parametrize(
    ("do", "third", "how"),
    [
        ("confront", False, "accept"),
        ("break_off", False, "dodge"),
        ("expose", True, "dodge"),
        ("enlist", True, "accept"),
    ],
)
def test_nobody_is_glad_that_something_is_over_though_they_let_it_be(
    larkspur: Scenario, do: str, third: bool, how: str
) -> None:
    w = stage_of(larkspur).world
    talk = Talk("t", ("ann", "ben"), 0, 0, "", do, 3, 1, do=do, answer="accept", third=third)
    assert talk_reception(w, talk) == how


def test_a_deck_without_claims_has_nobody_with_a_say(larkspur: Scenario) -> None:
    w = Stage(replace(larkspur, claims=type(larkspur.claims)())).world
    assert superiors(w, "kit") == []
    assert not [Claim(x) for x in w.claims.open]


@pytest.mark.parametrize(("me", "told"), [("mara", False), ("thea", True)])
def test_no_child_is_let_in_on_what_presses_grown_people(larkspur: Scenario, me: str, told: bool) -> None:
    stage = stage_of(larkspur, pressure("grudge", me, "basil", stage=2))
    p, w = stage.wake(), stage.world
    assert w.cast["pip"].age < CHILD
    gather(stage, me, "pip", "otis")
    for whom in ("pip", "otis"):
        feels(stage, me, whom, 0.8)
    ways = {x.do for x in w.drama.kinds[p.kind].ways if x.by == "holder" and x.to == "other"}
    assert any(may(stage, p, do, me, "pip") for do in ways) is told
    assert any(may(stage, p, do, me, "otis") for do in ways)
