"""Broken claims: of whom and by whom, what comes of it, and who tells whom whose claim it was."""

from __future__ import annotations

import pytest
from lived import again
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.events import Event
from sandbox.drama.claims import breaches_by, react_to_breach
from sandbox.drama.new_pressures import MOST, child_of
from sandbox.engine.scenario import Scenario
from sandbox.people.beliefs import ROW, SAW, SEEN, STATED, BeliefUpdate, Fact, broken_by, learns
from sandbox.people.claim_model import Breach, Broken, Claim, ClaimChanges, Making
from sandbox.people.mark_model import Marked
from sandbox.people.model import Felt
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_handlers import fact_of, happening
from sandbox.people.pressure_model import Began, Stirred
from sandbox.people.ties import Tie
from sandbox.talk.rumours import lead_content, owes_telling, tellable

A, B, C, D = "ann", "ben", "cai", "dee"
CLAIMS = (
    Claim("pair", "couple", A, B),
    Claim("child", "kin", A, C, "mother"),
    Claim("job", "employs", A, B, "baker"),
    Claim("trust", "confidence", A, B, "the oven"),
    Claim("own_chair", "role", B, terms="mayor"),
    *(Claim(f"seat_{who}", "member", who, terms="the council") for who in (A, B)),
)


def of(who: str, kind: str) -> list[Claim]:
    return [c for c in CLAIMS if who in c.people and kind in ("", c.kind)]


def breaker(x: Breach, me: str, a: str, b: str, how: str = "", bad: int = 0, source: str = "") -> str:
    """Who has broken something of theirs, as they believe it; "" for nobody."""
    fact = Fact("f", "f", "grudge", how, a, b, "", bad, "what became of the oven, and why", "")
    return next((found.breaker for found in broken_by((x,), of, me, fact, (a, b, "", bad), source)), "")


def breach(claim: str, **more: object) -> Breach:
    return replace(Breach(claim, "slight", "it", "grudge"), **more)


@pytest.mark.parametrize(
    ("x", "believed", "who"),
    [
        (breach("couple"), (A, B, D), B),
        (breach("couple"), (A, D, B), B),
        (breach("couple"), (A, A, B), ""),  # it is between the two themselves
        (breach("couple"), (A, C, D), ""),
        (breach("couple"), (D, A, B), ""),
        (breach("couple", by="a"), (A, D, B), ""),
        (breach("couple", by="b"), (A, D, B), B),
        (breach("couple", own=True, by="a"), (A, B, A), B),
        (breach("couple", own=True, by="a"), (A, B, D), ""),
        (breach("employs", holds="a"), (A, B, D), B),
        (breach("employs", holds="a"), (B, A, D), ""),  # who works for somebody does not look after them
        (breach("kin", with_="third", by="a"), (A, D, C), D),
        (breach("kin", with_="third", by="a"), (A, C, D), ""),
        (breach("kin", with_="third", by="a"), (A, B, C), ""),  # who is something to both takes neither side
        (breach("member", with_="fellow", office="role"), (A, B, D), B),
        (breach("member", with_="fellow", office="role"), (B, A, D), ""),  # ann has no office
        (breach("member", with_="fellow", office="role"), (D, B, C), ""),
        (breach("confidence", by="told", holds="a"), (A, A, D), B),
        (breach("confidence", by="told", holds="a"), (B, B, D), ""),  # ben has told nobody anything
        (breach("confidence", by="told", holds="a"), (C, A, D), ""),
    ],
)
def test_a_deed_breaks_a_claim_of_somebody(x: Breach, believed: tuple[str, str, str], who: str) -> None:
    assert breaker(x, *believed) == who


def test_it_must_be_as_bad_and_have_come_out_so() -> None:
    row = breach("couple", how=("row",), bad=2)
    assert [breaker(row, A, B, D, ROW, bad) for bad in (1, 2, 3)] == ["", B, B]
    assert breaker(row, A, B, D, "", 3) == ""


def test_who_hears_it_from_the_one_they_told_has_no_cause() -> None:
    x = breach("confidence", by="told", holds="a")
    assert [breaker(x, A, A, D, source=source) for source in (D, B)] == [B, ""]


# ---- in town


def believes(s: Stage, who: str, fact: Fact, bad: int = 0, source: str = SAW, t: int = 600) -> list[Event]:
    """What comes of it that somebody comes to believe that."""
    step = s.step(t)
    row = BeliefUpdate(who, fact.id, fact.a, fact.b, "", bad, STATED if source != SAW else SEEN, source)
    react_to_breach(step, s.world, s.world.seq, row, fact, t)
    s.records += step.records
    return [r.event for r in step.records]


def test_trust_that_came_round_is_over_and_minded_in_the_matter_it_is_about(larkspur: Scenario) -> None:
    s = Stage(
        larkspur, pressure("secret", "jory", "quentin", stakes="where Jory was at midnight, and why", thread="bike")
    )
    p = s.wake()
    assert believes(s, "jory", fact_of(p), source="una", t=500) == [], "Kit has told nobody"
    rows = tuple(
        BeliefUpdate(who, p.id, "jory", "quentin", "", 0, STATED, of) for who, of in (("kit", "jory"), ("una", "kit"))
    )
    step = s.step(540)
    step.emit(Stirred(p.id, "leak", "", "una", 0.0, 0.6, 0, learned=rows), t=540, actor="kit")
    s.records += step.records
    gone, *felt, born = believes(s, "jory", fact_of(p), source="una")
    assert felt
    assert all(isinstance(e, Felt | Marked) for e in felt), "it is worth something to be kept, and to be trusted"
    assert isinstance(gone, Broken)
    assert (gone.kind, gone.a, gone.b, gone.why) == ("confidence", "jory", "kit", "it has come round again")
    assert isinstance(born, Began)
    assert (child_of(born.id), born.about, born.thread) == ("trust_broken", "kit", "bike")
    broke, began = (next(r for r in s.records if r.event is e) for e in (gone, born))
    assert broke.stamp.seq in began.stamp.causes, "which says who was told, where nobody else does"
    assert believes(s, "jory", fact_of(p), source="una", t=700) == []
    assert [r.event for r in again(s.records)] == [r.event for r in s.records]


def test_who_is_loved_by_a_third_has_broken_nothing(larkspur: Scenario) -> None:
    for loves, loved, minded in (("mara", "otis", True), ("otis", "mara", False)):
        s = Stage(larkspur, pressure("crush", loves, loved))
        found = believes(s, "basil", fact_of(s.wake()), source="una")
        assert [e.about for e in found if isinstance(e, Began)] == ["mara"] * minded


def test_what_is_heard_once_more_is_not_minded_once_more(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("crush", "mara", "otis"))
    fact = fact_of(s.wake())
    for t, times in ((600, 1), (1200, 0)):
        step = s.step(t)
        row = learns(s.world, "basil", fact, ("mara", "otis", "", 0), STATED, "una", t)
        seq = step.emit(Stirred("crush", "leak", "", "basil", 0.0, 0.5, 0, learned=(row,)), t=t, actor="una")
        react_to_breach(step, s.world, seq, row, fact, t)
        assert sum(isinstance(r.event, Began) for r in step.records) == times


def test_that_somebody_minds_a_breach_is_none_to_whoever_broke_it(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("grudge", "basil", "otis"))
    events = believes(s, "otis", fact_of(s.wake()), source="una")
    (gone,) = (e for e in events if isinstance(e, Broken))
    (born,) = (e for e in events if isinstance(e, Began))
    assert (gone.kind, child_of(born.id), born.about) == ("ally", "turned_on", "basil")
    assert (gone.why, born.stakes) == ("Basil has turned against Otis", "how Basil has turned against Otis")
    table = s.world.claim_deck.breaches
    assert any(x.own for x in breaches_by(table, "grudge"))
    assert not any(x.own for x in breaches_by(table, born.id))


def test_who_knows_what_breaks_a_claim_of_the_other_speaks_of_that_first(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("crush", "mara", "otis"), pressure("worry", "clem", "dov", id="idle"))
    s.wake()
    w, t = s.world, 4000
    crush, idle = (fact_of(p) for p in w.pressures.open.values())
    rows = tuple(BeliefUpdate("una", x.id, x.a, x.b, "", 0, SEEN, SAW) for x in (crush, idle))
    step = s.step(t)
    step.emit(Stirred("crush", "shows", "", "una", 0.0, 0.5, 0, learned=rows[:1]), t=t, actor="mara")
    step.emit(Stirred("idle", "shows", "", "una", 0.0, 0.5, 0, learned=rows[1:]), t=t, actor="clem")
    w.people.ties["una"] = {x: Tie(0.5, 0.5, 0) for x in ("basil", "wilf")}
    owes = [owes_telling(w, "una", other, tellable(w, "una", other, t)) for other in ("basil", "wilf")]
    assert owes == [True, False]
    for n in range(20):
        said = lead_content(w, "gossip", "una", "basil", t, [], step.chance("una", "gossip", n))
        assert said is not None
        assert said.told is not None
        assert said.told.fact == "crush"


def test_whoever_owned_what_another_has_won_minds_it(larkspur: Scenario) -> None:
    won = ClaimChanges((Making("holds", "holder", "nobody", "the dented pan"),))
    s = Stage(larkspur, pressure("rivalry", "rufus", "jory", ends={"won": won}))
    events = s.move(3600, s.wake(), Effect(end="won"), "rufus", "jory", "challenge", answer="dodge")
    (born,) = (e for e in events if isinstance(e, Began) and child_of(e.id) == "taken_from")
    assert (born.about, born.stakes) == ("rufus", "the dented pan, and whose it was")
    assert "jory" in born.id


def test_one_of_those_who_serve_with_somebody_takes_up_what_they_did(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("secret", "quentin", "greta"))
    p = s.wake()
    fact = happening(p, "told_badly", "quentin", "greta", "", 0, 99)
    born = [e for who in ("wilf", "mara", "dov") for e in believes(s, who, fact)]
    assert [(child_of(e.id), e.about) for e in born if isinstance(e, Began)] == [("scandal", "quentin")]


def test_who_has_enough_of_their_own_does_not_take_up_what_was_done_to_kin(larkspur: Scenario) -> None:
    others = [p.id for p in larkspur.cast if p.id not in ("lev", "dov", "thea")]
    busy = [pressure("worry", "lev", x, id=f"w{i}") for i, x in enumerate(others[:MOST])]
    row = Fact("#9", "grudge", "grudge", ROW, "dov", "thea", "", 2, "a ladder", "")
    for cast, born in (((), ["for_ones_own"]), (busy, [])):
        s = Stage(larkspur, pressure("grudge", "dov", "thea"), *cast)
        s.wake()
        assert [child_of(e.id) for e in believes(s, "lev", row, 2) if isinstance(e, Began)] == born


def test_what_ships_is_minded_by_whoever_had_the_claim_and_of_every_sort(larkspur: Scenario) -> None:
    table = larkspur.claims.breaches
    made = [larkspur.drama.children[x.child] for x in table]
    assert {(child.holder, child.about) for child in made} == {("actor", "target")}
    assert {x.claim for x in table} >= {"couple", "confidence", "ally", "owns", "employs", "member", "kin"}
