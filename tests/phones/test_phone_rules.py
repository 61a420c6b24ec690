"""The ten rules that tie street and feed: when each runs, when it does not, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from online import NOON, Online, of, pressure

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.drama.new_pressures import child_of
from sandbox.engine.scenario import Scenario
from sandbox.feed.acting import ActingUser
from sandbox.feed.acts_of_people import connect_to
from sandbox.feed.acts_of_posts import react_to
from sandbox.feed.events import Connected, Deleted
from sandbox.feed.packing import ActColumns, ActKind, pack_acts
from sandbox.people.beliefs import ROW, SAW, SEEN, STATED, Fact, believe, learns
from sandbox.people.model import Felt
from sandbox.people.pressure_handlers import fact_of, happening
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.phones.deck import BEGINS, RULES
from sandbox.phones.ideas import Idea
from sandbox.phones.model import Crossed, Read, Written
from sandbox.phones.reading import see_reactions

BASIL, MARA, KIT, WILF, OTIS = "basil", "mara", "kit", "wilf", "otis"


def born(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(child_of(e.id), r.stamp.actor, e.about) for r in records if isinstance(e := r.event, Began)]


def believes(s: Online, who: str, fact: Fact, a: str, b: str, bad: int = 0, source: str = SAW) -> None:
    """Have somebody believe that of a fact."""
    w = s.world
    row = learns(w, who, fact, (a, b, "", bad), SEEN if source == SAW else STATED, source, NOON - HOUR)
    step = s.at(NOON - HOUR)
    seq = step.emit(Crossed("clip", "street", f"test {who} {fact.id}", "so it was told"), t=NOON - HOUR, actor=who)
    at = next(r.stamp for r in step.records if r.stamp.seq == seq)
    believe(w, [replace(row, fact=fact.id)], {fact.id: fact}, at)


@pytest.fixture
def grudge(larkspur: Scenario) -> Online:
    """Mara holds a grudge against Basil that was refused before."""
    s = Online(larkspur, pressure("grudge", MARA, BASIL, stage=1))
    s.world.pressures.open["grudge"].refused = 2
    return s


# ---- subtweet


def test_who_got_nowhere_with_a_grudge_may_write_of_it_without_a_name(grudge: Online) -> None:
    (idea,) = grudge.ideas(MARA, "subtweet")
    assert (idea.matter, idea.whom, idea.fact) == ("grudge", "", ""), "nothing names him"
    grudge.world.pressures.open["grudge"].refused = 0
    assert grudge.ideas(MARA, "subtweet") == []


def test_who_knows_whom_it_means_minds_and_tells_their_holder(grudge: Online) -> None:
    grudge.world.pressures.open["grudge"].known_by.append(BASIL)
    x = grudge.post(grudge.ideas(MARA, "subtweet")[0], MARA)
    found: list[tuple[str, str, str]] = []
    for minute in range(30):  # one in four does not mind
        grudge.world.phones.fired["subtweet"].pop(f"{BASIL} {x.number}", None)
        heard = grudge.read(BASIL, x, NOON + 60 * minute + 60)
        assert of(heard, Read)[0].meant == BASIL
        found += born(heard)
    assert ("meant", BASIL, MARA) in found


def test_who_knows_of_another_quarrel_takes_it_for_that_and_begins_to_wonder(grudge: Online) -> None:
    row = happening(grudge.world.pressures.open["grudge"], ROW, MARA, OTIS, "", 0, 1)
    believes(grudge, KIT, row, MARA, OTIS)
    grudge.feels(KIT, MARA, 0.3)
    x = grudge.post(grudge.ideas(MARA, "subtweet")[0], MARA)
    meant, found = set(), []
    for minute in range(40):
        grudge.world.phones.fired["subtweet"].pop(f"{KIT} {x.number}", None)
        heard = grudge.read(KIT, x, NOON + 60 * minute + 60)
        meant |= {e.meant for e in of(heard, Read) if e.meant}
        found += born(heard)
    assert meant == {OTIS}
    assert ("who_was_meant", KIT, OTIS) in found


# ---- screenshot


def told(s: Online, matter: str = "secret") -> Written:
    """Mara has written to Wilf what presses her."""
    p = s.world.pressures.open[matter]
    return s.message(MARA, WILF, matter=matter, fact=matter, a=p.holder, b=p.about, topic="a ladder")


def test_a_message_is_shown_by_whom_it_was_trusted_to_once_they_dislike_the_writer(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("secret", MARA, BASIL))
    told(s)
    s.feels(WILF, MARA, 0.6)
    s.feels(WILF, BASIL, 0.1)
    assert s.ideas(WILF, "screenshot") == [], "they like her"
    s.feels(WILF, MARA, -0.4)
    (idea,) = s.ideas(WILF, "screenshot")
    x = s.post(idea, WILF)
    heard = s.read(BASIL, x, NOON + 600)
    assert [(e.id, e.how) for e in of(heard, Ended)] == [("secret", "found_out")], "believed like a thing seen"
    row = of(heard, Read)[0].told[0]
    assert (row.strength, row.a, row.b) == (SEEN, MARA, BASIL)


def test_whose_message_is_shown_holds_it_against_who_showed_it(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("secret", MARA, BASIL))
    told(s)
    s.feels(WILF, MARA, -0.4)
    x = s.post(s.ideas(WILF, "screenshot")[0], WILF)
    standing = s.world.people.residents[MARA].needs.standing
    heard = s.read(MARA, x, NOON + 600)
    assert ("shown_round", MARA, WILF) in born(heard)
    assert s.world.people.residents[MARA].needs.standing < standing


# ---- pile-on


def crowded(s: Online, x: Written, many: int, act: ActKind = ActKind.HOSTILE, t: int = NOON, first: int = 0) -> None:
    """So many strangers do that to a post."""
    users = np.arange(first, first + many)
    acts = ActColumns(users, np.full(many, act, np.uint8), np.full(many, x.number, np.int64))
    step = s.at(t)
    feed = s.world.feed
    step.emit(pack_acts(feed, acts, np.zeros(feed.crowd, np.int32), 60), t=t)
    s.kept(step)


@pytest.fixture
def county(larkspur: Scenario) -> Online:
    return Online(larkspur, pressure("grudge", MARA, BASIL), crowd=1500)


def test_fifteen_of_fifteen_hundred_strangers_are_a_pile_on_and_fourteen_are_none(county: Online) -> None:
    x = county.post(None, MARA, topic="the rolls")
    crowded(county, x, 14)
    assert county.passes(NOON + 60) == []
    y = county.post(None, KIT, topic="the songs")
    crowded(county, y, 15)
    county.feels(WILF, KIT, 0.6)
    standing = county.world.people.residents[KIT].needs.standing
    heard = county.passes(NOON + 120)
    (e,) = [e for e in of(heard, Crossed) if e.pile]
    assert (e.hostile, e.card) == (15, y.number)
    assert county.world.people.residents[KIT].needs.standing < standing
    assert county.world.phones.piles.keys() == {KIT}
    assert {c for c, _, whom in born(heard) if whom == KIT} == {"piled_on"}


@pytest.mark.parametrize(
    ("act", "many"), [(ActKind.LIKE, 30), (ActKind.WARM, 30), (ActKind.LIKE, 15), (ActKind.DISLIKE, 40)]
)
def test_strangers_turn_on_nobody_for_a_post_that_its_author_is_glad_of(
    county: Online, act: ActKind, many: int
) -> None:
    x = county.post(None, MARA, topic="the rolls")
    crowded(county, x, 15)
    crowded(county, x, many, act, first=20)
    glad = many == 30
    assert sum(bool(e.pile) for e in of(county.passes(NOON + 60), Crossed)) == (not glad)
    step = county.at(NOON + HOUR)
    see_reactions(step, county.world, MARA, x.seq)
    assert [a.emotion == "pride" for a in of(county.kept(step), Felt)] == [glad]


def test_ten_are_the_least_however_few_strangers_there_are(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL), crowd=100)
    x = s.post(None, MARA, topic="the rolls")
    crowded(s, x, 9)
    assert s.passes(NOON + 60) == []


def test_it_moves_on_to_the_next_and_ends_where_the_post_is_gone(county: Online) -> None:
    x, y = county.post(None, MARA, topic="the rolls"), county.post(None, KIT, topic="the songs")
    crowded(county, x, 20)
    county.passes(NOON + 60)
    crowded(county, y, 20, t=NOON + 120)
    heard = county.passes(NOON + 120)
    assert [(e.pile, r.stamp.actor) for r in heard if isinstance(e := r.event, Crossed)] == [], "one of them a day"
    later = NOON + DAY + HOUR
    z = county.post(None, OTIS, later - HOUR, topic="the ferry")
    crowded(county, z, 20, t=later)
    heard = county.passes(later + 60)
    assert {(r.stamp.actor, e.pile) for r in heard if isinstance(e := r.event, Crossed)} == {
        (MARA, False),
        (OTIS, True),
    }
    looks = (county.looks(OTIS, later + 60 * minute) for minute in range(2, 200))
    heard = next(heard for heard in looks if of(heard, Deleted))
    (over,) = [r for r in heard if isinstance(r.event, Crossed)]
    assert (over.event.pile, over.stamp.causes[0]) == (False, heard[0].stamp.seq), "the post is gone"


# ---- public apology


def test_an_apology_is_for_what_others_know_of(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("guilt", MARA, BASIL))
    assert s.ideas(MARA, "apology") == []
    fact = fact_of(s.world.pressures.open["guilt"])
    for who in (KIT, WILF):
        believes(s, who, fact, MARA, BASIL)
    (idea,) = s.ideas(MARA, "apology")
    assert (idea.whom, idea.matter) == (BASIL, "guilt")


def sorry(s: Online, fond: float) -> tuple[Written, list[Record]]:
    """Mara's apology to Basil, and what comes of it that he reads it."""
    fact = fact_of(s.world.pressures.open["guilt"])
    for who in (KIT, WILF):
        believes(s, who, fact, MARA, BASIL)
    s.feels(BASIL, MARA, fond)
    x = s.post(s.ideas(MARA, "apology")[0], MARA)
    return x, s.read(BASIL, x, NOON + HOUR)


def test_taken_it_is_settled_for_all_who_read_it(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("guilt", MARA, BASIL))
    x, heard = sorry(s, 1.0)
    assert [(e.how, e.by, e.answer) for e in of(heard, Ended)] == [("forgiven", "apologise", "accept")]
    s.feels(KIT, MARA, 0.0)
    before = s.world.people.ties[KIT][MARA].feeling
    s.read(KIT, x, NOON + 2 * HOUR)
    assert s.world.people.ties[KIT][MARA].feeling > before


def test_refused_it_shames_and_weighs_more(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("guilt", MARA, BASIL))
    before = s.world.pressures.open["guilt"].intensity
    _, heard = sorry(s, -1.0)
    assert [e.answer for e in of(heard, Stirred) if e.id == "guilt" and e.answer] == ["refuse"]
    assert s.world.pressures.open["guilt"].intensity > before
    felt = [r for r in heard if r.event.KIND == "felt" and r.stamp.actor == MARA]
    assert felt[-1].event.emotion == "shame"


# ---- a falsehood


def garbled(s: Online, teller: str = KIT) -> Fact:
    """Somebody believes of Otis what was Mara's doing, and is worked up."""
    w = s.world
    fact = happening(w.pressures.open["grudge"], ROW, MARA, BASIL, "", 0, 1)
    believes(s, teller, fact, OTIS, BASIL, source=WILF)
    mood = w.people.residents[teller].mood
    mood.pad, mood.t = mood.pad._replace(a=0.9), NOON
    return fact


def test_only_who_is_worked_up_puts_about_what_they_have_wrong(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    garbled(s)
    (idea,) = s.ideas(KIT, "falsehood")
    assert idea.says[:2] == (OTIS, BASIL)
    mood = s.world.people.residents[KIT].mood
    mood.pad = mood.pad._replace(a=-0.5)
    assert s.ideas(KIT, "falsehood") == []


def test_echoes_make_it_stronger_and_whom_it_wrongs_takes_the_writer_to_task(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    garbled(s)
    x = s.post(s.ideas(KIT, "falsehood")[0], KIT)
    quiet = of(s.read("yara", x, NOON + 60), Read)[0].told[0].strength
    loud = of(s.read("flora", x, NOON + 120, loud=2.5), Read)[0].told[0].strength
    assert loud > quiet > 0
    heard = s.read(OTIS, x, NOON + 180)
    assert ("put_about", OTIS, KIT) in born(heard)


def test_who_is_put_right_may_take_it_down_and_others_go_on_believing(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    fact = garbled(s)
    x = s.post(s.ideas(KIT, "falsehood")[0], KIT)
    s.read("yara", x, NOON + 60)
    assert not any(of(s.looks(KIT, NOON + 60 * minute), Deleted) for minute in range(2, 20)), "nobody has said a word"
    s.comment(MARA, x, "That was me, as all know.", move="put_right", t=NOON + 1300)
    assert any(of(s.looks(KIT, NOON + 1300 + 60 * minute), Deleted) for minute in range(1, 60))
    assert s.world.beliefs.held["yara"][fact.id].slots[:2] == (OTIS, BASIL)


# ---- provenance


def test_the_one_it_is_about_traces_it_to_who_told_it_first(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    fact = happening(s.world.pressures.open["grudge"], ROW, MARA, BASIL, "", 1, 1)
    believes(s, OTIS, fact, MARA, BASIL, 1)
    believes(s, WILF, fact, MARA, BASIL, 1, source=OTIS)
    believes(s, KIT, fact, MARA, BASIL, 1, source=WILF)
    x = s.post(None, KIT, move="post_rumour", fact=fact.id, matter="grudge", a=MARA, b=BASIL, bad=1, topic="a ladder")
    found: list[tuple[str, str, str]] = []
    causes: set[int] = set()
    for minute in range(1, 20):
        heard = s.read(MARA, x, NOON + 60 * minute)
        found += born(heard)
        causes |= {c for r in heard if isinstance(r.event, Crossed) for c in r.stamp.causes}
    assert [x for x in found if x[1] == MARA] == [("traced_back", MARA, OTIS)]
    held = s.world.beliefs.held
    assert {held[who][fact.id].seq for who in (KIT, WILF, OTIS)} <= causes, "the whole chain can be followed"


# ---- a telling like


def likes(s: Online, who: str, x: Written) -> None:
    step = s.at(NOON + 60)
    account = s.world.feed.accounts[s.world.feed.handles[who]]
    step.emit(
        react_to(ActingUser(s.world.feed, account.number, NOON + 60), "like", "post", x.number), t=NOON + 60, actor=who
    )
    s.kept(step)


def test_a_partner_who_likes_what_a_foe_writes_is_seen_to(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("rivalry", MARA, OTIS))
    x = s.post(None, OTIS, topic="the ferry")
    assert born(s.looks(MARA, NOON + 60)) == []
    likes(s, BASIL, x)
    found = [pair for minute in range(2, 20) for pair in born(s.looks(MARA, NOON + 60 * minute))]
    assert found == [("telling_like", MARA, BASIL)]


def test_a_like_for_a_friend_tells_nothing(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("debt", MARA, OTIS))
    s.feels(MARA, OTIS, 0.5)
    x = s.post(None, OTIS, topic="the ferry")
    likes(s, BASIL, x)
    assert [e for minute in range(2, 20) for e in of(s.looks(MARA, NOON + 60 * minute), Crossed)] == []


# ---- unfollow and block


def follows(s: Online, who: str, whom: str) -> bool:
    w = s.world
    return w.feed.handles[whom] in w.feed.accounts[w.feed.handles[who]].follows


def test_who_falls_below_the_line_is_let_go_of_and_sees_it(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("debt", MARA, OTIS))
    assert follows(s, MARA, BASIL)
    s.feels(MARA, BASIL, -0.15)
    assert of(s.looks(MARA), Connected) == []
    s.feels(MARA, BASIL, -0.3)
    assert [(e.act) for e in of(s.looks(MARA, NOON + 60), Connected)] == ["unfollow"]
    assert not follows(s, MARA, BASIL)
    found = [pair for minute in range(2, 30) for pair in born(s.looks(BASIL, NOON + 60 * minute))]
    assert set(found) <= {("let_go_of", BASIL, MARA)}
    assert [e.whom for e in s.crossings("unfollow") if e.way == "street"] == [MARA], "once"


def test_a_hard_grudge_blocks_and_who_is_blocked_comes_in_person(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL, stage=2))
    s.feels(MARA, BASIL, -0.6)
    assert [e.act for e in of(s.looks(MARA), Connected)] == ["block"]
    heard = [r for minute in range(2, 40) for r in s.looks(BASIL, NOON + 60 * minute)]
    shut = [e for e in of(heard, Began) if child_of(e.id) == "shut_out"]
    assert [(e.about, e.stage) for e in shut] == [(MARA, 1)], "from stage 1 on one goes looking"


def test_a_block_that_somebody_commands_is_seen_like_any_other(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("debt", MARA, OTIS))
    w, step = s.world, s.at(NOON)
    mara = w.feed.accounts[w.feed.handles[MARA]]
    event = connect_to(ActingUser(w.feed, mara.number, NOON, "", w.means), "block", w.feed.handles[BASIL])
    step.emit(event, t=NOON, actor=MARA)
    s.kept(step)
    heard = [r for minute in range(2, 40) for r in s.looks(BASIL, NOON + 60 * minute)]
    assert {child_of(e.id) for e in of(heard, Began)} <= {"shut_out"}
    assert [(e.whom, e.says) for e in of(heard, Crossed)] == [
        (MARA, "Basil has seen what Mara did on the feed: blocked")
    ]
    assert step.records[-1].stamp.seq in next(r.stamp.causes for r in heard if isinstance(r.event, Crossed))


# ---- an appeal for money


@pytest.fixture
def debtor(larkspur: Scenario) -> Online:
    s = Online(
        larkspur, pressure("debt", MARA, BASIL, amount=40, due=NOON + DAY), crowd=1500
    )  # fmt: skip
    s.world.people.residents[MARA].purse.coins = 5
    return s


def test_who_cannot_pay_in_time_asks_everybody(debtor: Online) -> None:
    (idea,) = debtor.ideas(MARA, "appeal")
    assert (idea.whom, idea.slots["topic"]) == (BASIL, "forty")
    debtor.world.people.residents[MARA].purse.coins = 100
    assert idea.topic == "a ladder", "what others speak of is the matter, not the sum of it"
    assert debtor.ideas(MARA, "appeal") == [], "she has it"
    debtor.world.people.residents[MARA].purse.coins = 5
    debtor.world.pressures.open["debt"].due = NOON + 3 * DAY
    assert debtor.ideas(MARA, "appeal") == [], "there is time"


def test_strangers_give_by_how_far_they_believe_it_and_never_more_than_is_owed(debtor: Online) -> None:
    x = debtor.post(debtor.ideas(MARA, "appeal")[0], MARA)
    crowded(debtor, x, 60, ActKind.LIKE)
    assert debtor.passes(NOON + HOUR) == [], "it takes some hours"
    (e,) = of(debtor.passes(NOON + 4 * HOUR), Crossed)
    assert 5 < e.coins < 40
    assert debtor.world.people.residents[MARA].purse.coins == 5 + e.coins
    assert debtor.passes(NOON + 5 * HOUR) == [], "once"


def test_each_of_two_appeals_is_paid_however_late_the_first_is(larkspur: Scenario) -> None:
    debts = (
        pressure("debt", MARA, BASIL, amount=40, due=NOON + DAY),
        pressure("debt", KIT, WILF, id="another", amount=40, due=NOON + DAY),
    )
    s = Online(larkspur, *debts, crowd=1500)
    for me, t in ((MARA, NOON), (KIT, NOON + 30)):
        s.world.people.residents[me].purse.coins = 5
        s.post(s.ideas(me, "appeal", t)[0], me, t)
    s.world.last[MARA] = NOON + 3 * HOUR + 50  # of its slice, the second in which she is paid
    paid = [x.stamp.actor for t in (0, 60) for x in s.passes(NOON + 3 * HOUR + t) if isinstance(x.event, Crossed)]
    assert paid == [MARA, KIT]


def test_who_is_believed_less_gets_less(larkspur: Scenario) -> None:
    given = []
    for standing in (1.0, 0.1):
        s = Online(larkspur, pressure("debt", MARA, BASIL, amount=90, due=NOON + DAY), crowd=1500)
        s.world.people.residents[MARA].purse.coins = 5
        s.world.people.residents[MARA].needs.standing = standing
        s.world.people.residents[MARA].needs.t = NOON
        x = s.post(s.ideas(MARA, "appeal")[0], MARA)
        crowded(s, x, 100, ActKind.LIKE)
        given.append(of(s.passes(NOON + 4 * HOUR), Crossed)[0].coins)
    assert given[0] > given[1] > 0


def test_the_creditor_is_shamed(debtor: Online) -> None:
    x = debtor.post(debtor.ideas(MARA, "appeal")[0], MARA)
    standing = debtor.world.people.residents[BASIL].needs.standing
    heard = debtor.read(BASIL, x, NOON + 600)
    assert ("made_a_miser", BASIL, MARA) in born(heard)
    assert debtor.world.people.residents[BASIL].needs.standing < standing


# ---- a clip of a row


def row(s: Online, *witnesses: str) -> Fact:
    fact = happening(s.world.pressures.open["grudge"], ROW, MARA, BASIL, "", 0, 1)
    for who in witnesses:
        believes(s, who, fact, MARA, BASIL)
    return fact


def test_a_row_before_three_of_whom_one_is_outgoing_is_filmed(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    row(s, KIT, WILF)
    assert s.ideas(KIT, "clip") == [], "there were two"
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    row(s, KIT, WILF, OTIS)
    assert s.world.cast[KIT].big_five.extraversion > 0.05
    (idea,) = s.ideas(KIT, "clip")
    assert idea.proof
    shy = next(w for w in s.world.cast if s.world.cast[w].big_five.extraversion < 0)
    believes(s, shy, s.world.beliefs.facts["#1"], MARA, BASIL)
    assert s.ideas(shy, "clip") == []


def test_it_raises_the_matter_and_whoever_is_on_it_minds(larkspur: Scenario) -> None:
    s = Online(larkspur, pressure("grudge", MARA, BASIL))
    fact = row(s, KIT, WILF, OTIS)
    before = s.world.pressures.open["grudge"]
    stage, intensity = before.stage, before.intensity
    x = s.post(s.ideas(KIT, "clip")[0], KIT)
    p = s.world.pressures.open["grudge"]
    assert (p.stage, p.intensity > intensity) == (stage + 1, True)
    assert ("filmed", BASIL, KIT) in born(s.read(BASIL, x, NOON + 600))
    assert of(s.read("yara", x, NOON + 700), Read)[0].told[0].strength == SEEN
    assert fact.id in s.world.beliefs.held["yara"]


# ---- of all


def test_every_rule_of_the_deck_has_numbers_and_its_children_are_there(larkspur: Scenario) -> None:
    deck = larkspur.phones
    assert tuple(deck.rules) == RULES
    named = {child for rule in deck.rules.values() for child in rule.children.values()}
    assert named <= larkspur.drama.children.keys()


def test_no_rule_begins_more_often_in_a_day_than_it_may(grudge: Online) -> None:
    grudge.post(grudge.ideas(MARA, "subtweet")[0], MARA)
    grudge.world.phones.begun["subtweet"] = [NOON, NOON]
    grudge.world.phones.fired["subtweet"].clear()
    assert grudge.ideas(MARA, "subtweet") == []
    assert BEGINS["subtweet"] == "feed"


@pytest.mark.parametrize("setting", [{"phones.rules": False}, {"phones.looks": 0}])
def test_without_rules_nothing_crosses_by_one(larkspur: Scenario, setting: dict[str, object]) -> None:
    off = replace(larkspur, parameters={**larkspur.parameters, **setting})
    s = Online(off, pressure("grudge", MARA, BASIL, stage=1))
    s.world.pressures.open["grudge"].refused = 2
    if "phones.rules" in setting:
        assert s.ideas(MARA, "subtweet") == []


def test_a_rule_about_a_matter_that_is_over_does_nothing(grudge: Online) -> None:
    x = grudge.post(grudge.ideas(MARA, "subtweet")[0], MARA)
    del grudge.world.pressures.open["grudge"]
    heard = grudge.read(BASIL, x, NOON + 60)
    assert of(heard, Crossed) == []


def test_the_same_events_make_the_same_state(grudge: Online) -> None:
    from lived import again

    x = grudge.post(grudge.ideas(MARA, "subtweet")[0], MARA)
    grudge.read(BASIL, x, NOON + 60)
    assert [r.event for r in again(grudge.records)] == [r.event for r in grudge.records]


def test_idea_says_what_it_is(grudge: Online) -> None:
    (idea,) = grudge.ideas(MARA, "subtweet")
    assert isinstance(idea, Idea)
    assert idea.cites == grudge.world.pressures.open["grudge"].last
