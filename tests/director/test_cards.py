"""Cards are causes: each comes to whom it is for, is known by the log, and replays; what cannot be is refused."""

import asyncio

import msgspec
import pytest
from dealt import chain, opened, play

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.director.card_people import role_words
from sandbox.director.dealing import RULES, likely_touches
from sandbox.director.model import CardOver, CardPlayed, CardReached, DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.feed.events import Posted
from sandbox.people.beliefs import PAPER
from sandbox.people.model import Chose
from sandbox.people.mood import OCC
from sandbox.people.mood_queries import mood_of
from sandbox.people.pressure_beginnings import Role
from sandbox.people.pressure_model import Began, Sought, Sparked
from sandbox.phones.model import Read
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan

FLOUR = "frozen_boxes"  # Esme's rolls come frozen; Mara would like to know
RENT = "two_months"  # Kit owes Zeno two months' rent
DEED = "una_clem"  # Una is sweet on Clem


# ---- papers


def test_a_letter_is_read_believed_and_acted_upon(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="letter", to="mara", matter=FLOUR), minutes=3)
    card = played.of(CardPlayed)[0]
    read = played.of(CardReached)[0]
    assert read.stamp.actor == "mara"
    assert read.stamp.causes == (card.stamp.seq,)
    held = played.world.beliefs.held["mara"][FLOUR]
    assert (held.a, held.source) == ("esme", PAPER)
    assert "flour" in card.event.says
    assert any("read a letter" in m.text for m in played.world.memories.streams["mara"][-40:])
    followed = [r for r in played.of(Began, Sought) if r.stamp.seq in chain(played.records, card.stamp.seq)]
    assert followed, "a baker who reads that her best customer buys elsewhere does something about it"


def test_a_false_letter_has_somebody_hold_it_against_the_wrong_one(morning, tmp_path):
    dealt = Dealt(card="false_letter", to="zeno", matter=FLOUR, whom="noor")
    played = play(morning, tmp_path / "a.db", dealt, minutes=3)
    assert played.world.beliefs.held["zeno"][FLOUR].a == "noor"
    born = [r.event for r in played.of(Began) if r.stamp.actor == "zeno"]
    assert any(e.about == "noor" and e.kind == "grudge" for e in born)
    assert "Noor" in played.of(CardPlayed)[0].event.says


def test_what_somebody_hides_frightens_them_on_paper(morning, tmp_path):
    before = {}

    def look(world):
        before["p"] = mood_of(world, "una", world.now).p
        before["weighs"] = world.pressures.open[DEED].intensity
        return (Dealt(card="letter", to="una", matter=DEED),)

    played = play(morning, tmp_path / "a.db", minutes=2, first=look)
    assert mood_of(played.world, "una", played.world.now).p < before["p"]
    assert played.world.pressures.open[DEED].intensity > before["weighs"]


@pytest.mark.slow
def test_a_letter_through_the_wrong_door_is_known_to_who_opened_it_alone(morning, tmp_path):
    dealt = Dealt(card="wrong_door", to="wilf", whom="yara", words="Meet me by the ferry on Sunday.")
    played = play(morning, tmp_path / "a.db", dealt, minutes=30)
    assert [r.stamp.actor for r in played.of(CardReached)] == ["wilf"]
    assert any(e.kind == "guilt" and e.about == "yara" for _, e in played.of(Began))
    kept = next(m for m in reversed(played.world.memories.streams["wilf"][-40:]) if "opened a letter" in m.text)
    assert (kept.kind, kept.topic) == ("thought", ""), "nobody tells what they should not have read"


@pytest.mark.slow
def test_a_letter_that_is_held_back_comes_at_its_hour(morning, tmp_path):
    dealt = Dealt(card="letter", to="mara", matter=FLOUR, later=HOUR)
    early = play(morning, tmp_path / "a.db", dealt, minutes=50)
    assert not early.of(CardReached)
    assert len(early.world.director.waiting) == 1
    late = play(morning, tmp_path / "b.db", dealt, minutes=90)
    (read,) = late.of(CardReached)
    assert read.stamp.t >= late.of(CardPlayed)[0].stamp.t + HOUR
    assert not late.world.director.waiting


@pytest.mark.slow
def test_a_note_is_read_by_who_comes_by_and_each_reads_it_once(morning, tmp_path):
    dealt = Dealt(card="note", where="Market Square", matter=RENT)
    played = play(morning, tmp_path / "a.db", dealt, minutes=90)
    readers = [r.stamp.actor for r in played.of(CardReached)]
    assert len(readers) >= 2
    assert len(set(readers)) == len(readers)
    assert all(RENT in played.world.beliefs.held[who] for who in readers if who != "kit")


def test_news_reaches_all_who_are_up_at_once_and_the_others_as_they_wake(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="news", matter=RENT), minutes=30)
    awake = {who for who, r in played.world.people.residents.items() if r.awake}
    assert awake <= {r.stamp.actor for r in played.of(CardReached)}


# ---- the town


def test_an_occasion_brings_together_who_is_free(morning, tmp_path):
    dealt = Dealt(card="occasion", where="Blue Heron Cafe", words="Pancakes, twice")
    played = play(morning, tmp_path / "a.db", dealt, minutes=25)
    (called,) = [e for _, e in played.of(OccasionCalled)]
    assert called.occasion.title == "Pancakes, twice"
    assert called.occasion.where.startswith("Blue Heron Cafe / ")
    world = played.world
    here = world.map.areas[called.occasion.where]
    came = [
        who
        for who in called.occasion.who
        if world.town.spots[who].tile in here.tiles and not world.town.spots[who].path
    ]
    assert len(came) >= len(called.occasion.who) / 2
    left_out = [e for _, e in played.of(Began) if e.kind == "grudge"]
    assert left_out, "somebody was not asked, and minds"


# ---- people


def test_an_occasion_waits_until_its_host_is_up(morning, tmp_path):
    def asleep(world):
        world.people.residents["basil"].awake = False
        return [Dealt(card="occasion", to="basil", where="Blue Heron Cafe")]

    played = play(morning, tmp_path / "a.db", first=asleep, minutes=2)
    assert played.of(OccasionCalled) == []
    assert [x.dealt.card for x in played.world.director.waiting.values()] == ["occasion"]


def test_coins_that_are_anothers_change_purses_and_weigh_on_the_finder(morning, tmp_path):
    purses = {}

    def look(world):
        purses.update({who: r.purse.coins for who, r in world.people.residents.items()})
        return (Dealt(card="money_found", to="yara", whom="vera", coins=20),)

    played = play(morning, tmp_path / "a.db", first=look)
    after = {who: r.purse.coins for who, r in played.world.people.residents.items()}
    assert (after["yara"] - purses["yara"], after["vera"] - purses["vera"]) == (20, -20)
    assert any((r.stamp.actor, r.event.kind) == ("yara", "guilt") for r in played.of(Began))


@pytest.mark.slow
def test_who_is_offered_work_wants_it(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="job_offered", to="kit", whom="mara"), minutes=3)
    wanted = [plan.claim for plan in played.world.goals.open.values()]
    assert any((c.kind, c.a, c.b) == ("employs", "mara", "kit") for c in wanted)


def test_a_seat_puts_two_beside_each_other(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="seat", to="yara", whom="vera"), minutes=5)
    world = played.world
    assert {r.stamp.actor for r in played.of(CardReached)} == {"yara", "vera"}
    (x1, y1), (x2, y2) = (world.map.xy(world.town.spots[who].tile) for who in ("yara", "vera"))
    assert max(abs(x1 - x2), abs(y1 - y2)) <= 3


def test_what_the_deck_has_happen_by_chance_can_be_dealt(morning, tmp_path):
    played = play(morning, tmp_path / "a.db", Dealt(card="trombone", to="otis", whom="anselm"))
    (spark,) = played.of(Sparked)
    assert spark.event.roles == {"actor": "otis", "target": "anselm"}
    assert spark.stamp.causes == (played.of(CardPlayed)[0].stamp.seq,)


@pytest.mark.slow
def test_a_cake_can_stand_between_any_two_grown_ups(morning, tmp_path):
    """Two who are free for it may be in love; of those who are not, one wonders whose it was."""
    free = play(morning, tmp_path / "a.db", Dealt(card="unsigned_cake", to="flora", whom="ivo"))
    kin = play(morning, tmp_path / "b.db", Dealt(card="unsigned_cake", to="mara", whom="jory"))
    assert {"crush", "promise"} <= {e.kind for _, e in free.of(Began)}
    between = [r.event.kind for r in kin.of(Began) if (r.stamp.actor, r.event.about) == ("mara", "jory")]
    assert between == ["worry", "promise"]
    assert kin.of(Sparked)[0].event.roles == {"actor": "mara", "target": "jory"}


def test_who_has_much_on_their_mind_still_makes_something_of_a_letter(morning, tmp_path):
    def most(world):
        held = world.pressures.open.values()
        who = max(world.cast, key=lambda x: sum(x in (p.holder, p.about) for p in held))
        whom = next(x for x in world.cast if not any({p.holder, p.about} == {x, who} for p in held) and x != who)
        return [
            Dealt(card="letter", to=who, words=f"{world.cast[whom].first} is a disgrace, and you are the last to know.")
        ]

    played = play(morning, tmp_path / "a.db", first=most, minutes=30)
    seq = played.of(CardPlayed)[0].stamp.seq
    assert any(r.stamp.seq in chain(played.records, seq) for r in played.of(Began))


# ---- the feed


@pytest.mark.slow
def test_a_trend_is_shown_to_whoever_looks(morning, tmp_path):
    post = {}

    def look(world):
        post["n"] = max(n for n, x in world.phones.written.items() if x.kind == "post")
        return (Dealt(card="trend", post=post["n"]),)

    played = play(morning, tmp_path / "a.db", minutes=60, first=look)
    assert [e.post for _, e in played.of(ConditionBegan)] == [post["n"]]
    shown = {who for who, phone in played.world.phones.phones.items() if post["n"] in phone.read}
    alone = play(morning, tmp_path / "b.db", minutes=60).world
    without = {who for who, phone in alone.phones.phones.items() if post["n"] in phone.read}
    assert len(shown) > len(without)


@pytest.mark.slow
def test_a_post_in_somebodys_name_is_taken_for_theirs(morning, tmp_path):
    words = "Vera waters the soup, and it is a disgrace."
    played = play(morning, tmp_path / "a.db", Dealt(card="false_post", to="kit", words=words), minutes=60)
    (post,) = (e.post for _, e in played.of(Posted) if e.text == words)
    written = played.world.phones.written[post]
    assert (written.author, written.whom) == ("kit", "vera")
    assert any(e.by == "kit" and e.kind == "post" for _, e in played.of(Read))


@pytest.mark.slow
def test_who_is_silenced_neither_reads_nor_writes(morning, tmp_path):
    dealt = Dealt(card="silence", to="una", lasts=2 * HOUR)
    played = play(morning, tmp_path / "a.db", dealt, minutes=110)
    browsed = [
        r for r in played.records if r.event.KIND in ("browsed", "posted", "messaged") and r.stamp.actor == "una"
    ]
    assert not browsed
    alone = play(morning, tmp_path / "b.db", minutes=110)
    assert [r for r in alone.records if r.event.KIND == "browsed" and r.stamp.actor == "una"]


# ---- by force


@pytest.mark.parametrize("dealt", [
    Dealt(card="move", to="anselm", where="Riverside Park"),
    Dealt(card="mood", to="anselm", words="anger"),
    Dealt(card="whisper", to="anselm", words="Zeno is lying to me, and it is horrible."),
])  # fmt: skip
def test_force_is_marked_as_such(morning, tmp_path, dealt):
    played = play(morning, tmp_path / "a.db", dealt, minutes=2)
    (card,) = played.of(CardPlayed)
    assert card.event.force
    teller = Teller(played.world.handbook)
    assert all(event_sentence(r, teller).endswith("(by force)") for r in played.of(CardPlayed, CardReached))
    assert played.of(CardReached)


def test_causes_are_not_force(morning):
    async def look():
        async with await Save.open(morning, read_only=True) as save:
            return (await save.seek()).card_deck.cards

    cards = asyncio.run(look())
    assert {card.rule for card in cards.values() if card.force} == {"move", "mood", "whisper"}
    assert {card.rule for card in cards.values()} <= RULES.keys()
    assert "anger" in OCC


# ---- all of them


MANY = (
    Dealt(card="letter", to="mara", matter=FLOUR), Dealt(card="false_letter", to="zeno", matter=FLOUR, whom="noor"),
    Dealt(card="wrong_door", to="wilf", whom="yara", words="Sunday."), Dealt(card="leak", to="quentin", matter=RENT),
    Dealt(card="note", where="Market Square", words="Who has seen my glove?"),
    Dealt(card="rumour", to="hettie", matter=DEED),
    Dealt(card="slander", to="greta", matter=RENT, whom="ivo"), Dealt(card="news", words="The ferry is sold."),
    Dealt(card="rain", lasts=HOUR), Dealt(card="locked_door", where="Library"),
    Dealt(card="occasion", where="Market Square / fountain", words="A song"), Dealt(card="silence", to="una"),
    Dealt(card="money_found", to="yara", coins=20), Dealt(card="job_offered", to="kit", whom="mara"),
    Dealt(card="seat", to="yara", whom="vera"), Dealt(card="courage", to="una"),
    Dealt(card="broken_bus", to="lev", whom="saskia"), Dealt(card="trombone", to="otis", whom="anselm"),
    Dealt(card="photograph", to="basil", whom="dov"), Dealt(card="lost_glove", to="clem", whom="esme"),
    Dealt(card="unsigned_cake", to="flora", whom="ivo"), Dealt(card="trend", post=5),
    Dealt(card="false_post", to="kit", words="It was Vera, and it is a disgrace."),
    Dealt(card="move", to="anselm", where="Riverside Park"), Dealt(card="mood", to="anselm", words="joy"),
    Dealt(card="whisper", to="pip", words="There is a newt in the hat."),
    Dealt(card="letter", to="noor", words="You are loved.", later=30 * MINUTE),
    Dealt(card="note", where="Blue Heron Cafe", matter=RENT), Dealt(card="rumour", to="dov", words="Rufus sings."),
    Dealt(card="blackout", later=20 * MINUTE, lasts=HOUR),
)  # fmt: skip


@pytest.mark.slow
def test_a_game_of_thirty_cards_replays_and_verifies(morning, tmp_path):
    assert len(MANY) == 30
    played = play(morning, tmp_path / "a.db", *MANY, minutes=90)
    assert len(played.of(CardPlayed)) == 30

    async def prove():
        async with await Save.open(played.path, read_only=True) as save:
            report = await save.verify()
            return report, (await save.seek()).snapshot()

    report, snapshot = asyncio.run(prove())
    assert report.ok
    assert snapshot == played.world.snapshot()


def test_all_cards_are_in_that_game(morning):
    async def look():
        async with await Save.open(morning, read_only=True) as save:
            return (await save.seek()).card_deck.cards

    assert {d.card for d in MANY} >= {name for name, card in asyncio.run(look()).items() if card.rule != "guest"}


@pytest.mark.slow
def test_a_save_is_gone_on_with_where_cards_wait(morning, tmp_path):
    """Closed and opened again, what waits takes effect all the same, to the event."""
    dealt = Dealt(card="letter", to="mara", matter=FLOUR, later=20 * MINUTE)
    whole = play(morning, tmp_path / "a.db", dealt, Dealt(card="rain", lasts=HOUR), minutes=80)
    play(morning, tmp_path / "b.db", dealt, Dealt(card="rain", lasts=HOUR), minutes=10)

    async def on():
        async with open_session(tmp_path / "b.db") as session:
            await run_free(session.engine, until=session.world.now + 70 * MINUTE)
            return session.world.snapshot(), session.save.digest

    async def digest():
        async with await Save.open(whole.path, read_only=True) as save:
            return save.digest

    snapshot, there = asyncio.run(on())
    assert snapshot == whole.world.snapshot()
    assert there == asyncio.run(digest())


# ---- what nobody can perceive


def bare(records):
    """Events without their numbers: what they say, when, and whose."""
    out = []
    for stamp, e in records:
        text = msgspec.json.encode(e).decode()
        out.append((stamp.t, stamp.actor, e.KIND, len(stamp.causes), text))
    return out


@pytest.mark.slow
def test_an_act_that_nobody_perceives_changes_no_other_event(morning, tmp_path):
    """A note in a room where nobody comes before it is taken down."""
    alone = play(morning, tmp_path / "b.db", minutes=45)
    people = alone.world.people.residents.values()
    seen = {e.where for _, e in alone.of(Chose)} | {r.act.where for r in people if r.act is not None}
    where = next(a for a in alone.world.map.areas if a.endswith("bedroom") and a not in seen)
    unseen = Dealt(card="note", where=where, words="Vera is a thief and a disgrace.", lasts=40 * MINUTE)
    played = play(morning, tmp_path / "a.db", unseen, minutes=45)
    assert [e.how for _, e in played.of(CardOver)] == ["nobody came by who would read it"]
    assert not played.of(CardReached)
    rest = [r for r in played.records if not isinstance(r.event, CardPlayed | CardOver)]
    late, early = bare(rest), bare(alone.records)
    assert [x[:4] for x in late] == [x[:4] for x in early]
    numbers = {r.stamp.seq: x.stamp.seq for r, x in zip(rest, alone.records, strict=True)}
    for r, x in zip(rest, alone.records, strict=True):
        assert tuple(numbers.get(c, c) for c in r.stamp.causes) == x.stamp.causes
        said, same = (msgspec.json.decode(msgspec.json.encode(e)) for e in (r.event, x.event))
        assert renumbered(said, numbers) == same


def renumbered(value, numbers):
    """A value with the numbers of events in it as they are without the card."""
    if isinstance(value, dict):
        return {k: numbers.get(v, v) if k in ("cites",) else renumbered(v, numbers) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [renumbered(v, numbers) for v in value]
    if isinstance(value, str) and value.startswith("#") and value[1:].isdecimal():
        return f"#{numbers.get(int(value[1:]), int(value[1:]))}"
    return value


# ---- whom it touches


@pytest.mark.slow
def test_whom_a_card_is_likely_to_touch_is_told_before_and_is_true(morning, tmp_path):
    async def look():
        async with opened(morning, tmp_path / "a.db") as session:
            before = session.world.snapshot()
            found = likely_touches(session.world, Dealt(card="letter", to="mara", matter=FLOUR))
            assert session.world.snapshot() == before, "to ask changes nothing"
            return found

    found = asyncio.run(look())
    assert found[0].who == "mara"
    assert "esme" in [t.who for t in found]
    assert len(found) <= 8
    assert all(t.why and 0 < t.much <= 1 for t in found)
    played = play(morning, tmp_path / "b.db", Dealt(card="letter", to="mara", matter=FLOUR), minutes=10 * 60)
    mine = chain(played.records, played.of(CardPlayed)[0].stamp.seq)
    met = {r.stamp.actor for r in played.records if r.stamp.seq in mine} - {""}
    assert {"mara", "esme"} <= met


# ---- what cannot be


@pytest.mark.parametrize(("dealt", "says"), [
    (Dealt(card="lettre", to="mara"), "no card"),
    (Dealt(card="letter"), "needs somebody"),
    (Dealt(card="letter", to="mara"), "says nothing"),
    (Dealt(card="letter", to="nobody", words="x"), "no person"),
    (Dealt(card="letter", to="mara", matter="no_such"), "choose one that is open"),
    (Dealt(card="letter", to="mara", words="x", coins=5), "takes no"),
    (Dealt(card="seat", to="mara", whom="mara"), "cannot be both"),
    (Dealt(card="note", where="Atlantis", words="x"), "no place"),
    (Dealt(card="false_letter", to="mara", matter=FLOUR, whom="esme"), "that is true"),
    (Dealt(card="money_found", to="mara", coins=0), "needs coins"),
    (Dealt(card="job_offered", to="pip", whom="mara"), "too young"),
    (Dealt(card="job_offered", to="jory", whom="mara"), "works there already"),
    (Dealt(card="unsigned_cake", to="rufus", whom="ivo"), "who is 17; name somebody from 18 on"),
    (Dealt(card="courage", to="anselm", matter=RENT), "nothing to say"),
    (Dealt(card="trend", post=10**6), "no post"),
    (Dealt(card="mood", to="mara", words="wobbly"), "no emotion"),
    (Dealt(card="letter", to="mara", words="x", later=15 * DAY), "14 days at most"),
    (Dealt(card="rain", lasts=15 * DAY), "14 days at most"),
    (Dealt(card="money_found", to="mara", coins=10_001), "10000 coins at most"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(morning, tmp_path, dealt, says):
    with pytest.raises(ValueError, match=says) as told:
        play(morning, tmp_path / "a.db", dealt)
    assert len(str(told.value)) < 300
    assert "\n" not in str(told.value)


def test_free_text_of_any_length_and_form_is_only_words(morning, tmp_path):
    """Escapes and markup are taken out or stay letters; what is too long is cut."""
    text = "\x1b[31m[bold]" + "A" * 5000 + "\u202e"
    played = play(morning, tmp_path / "a.db", Dealt(card="note", where="Market Square", words=text))
    says = played.of(CardPlayed)[0].event.says
    assert says.isprintable()
    assert len(says) <= 400
    assert "\x1b" not in says
    assert "\u202e" not in says


@pytest.mark.slow
def test_influence_is_spent_and_comes_back_with_the_day(tmp_path):
    async def spend():
        async with open_session("larkspur", seed=9, set=["director.influence=2"], save=tmp_path / "a.db") as session:
            world, engine = session.world, session.engine
            await run_free(engine, until=HOUR)
            engine.do(DealCard(dealt=Dealt(card="blackout", lasts=HOUR)))  # two
            await engine.step()
            assert world.director.spent == {1: 2}
            with pytest.raises(ValueError, match="influence"):
                engine.do(DealCard(dealt=Dealt(card="rumour", to="dov", words="Rufus sings.")))
            await run_free(engine, until=18 * HOUR)
            engine.do(DealCard(dealt=Dealt(card="rumour", to="dov", words="Rufus sings.")))

    asyncio.run(spend())


@pytest.mark.parametrize(("role", "words"), [
    (Role(), "somebody"),
    (Role(ages=(18, 200)), "somebody from 18 on"),
    (Role(("smith", "cook"), ("shy",), (18, 30)), "somebody from 18 to 30, a smith or cook, who is shy"),
])  # fmt: skip
def test_whom_a_role_asks_for_is_said_with_ages_work_and_nature(role, words):
    assert role_words(role) == words
