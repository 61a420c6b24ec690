"""Two people with one first name are told by their whole names, and commands ask which is meant."""

from __future__ import annotations

import re

import pytest
from lived import Day, founding
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.director.reading import read_card
from sandbox.director.script import Cue, dealt_of
from sandbox.engine.rules_people import of_names
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.asking import make_interview
from sandbox.people.handbook import Handbook, find_person
from sandbox.people.interview_question import Recollection
from sandbox.people.interview_rule import answer
from sandbox.people.model import Felt, Woke
from sandbox.people.mood_queries import describe
from sandbox.people.persona import BigFive, Persona, Routine
from sandbox.people.question_mood import describe_mood
from sandbox.people.wording import as_told, mentions_person, myself
from sandbox.play.reading import read
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.talk.model import Declined, Opened

A_GUEST = Persona("", "", 30, "", "", "", BigFive(0, 0, 0, 0, 0), Routine(0, 0, ()))


def shared(day: Day) -> Handbook:
    """Larkspur, where Yara is another Kit."""
    book = day.world.handbook
    cast = {**day.world.cast, "yara": replace(day.world.cast["yara"], name="Kit Sefton")}
    return Handbook(cast, book.deck, day.world.map, book.drama, book.claims)


def test_who_shares_a_first_name_is_told_by_the_whole_one_and_nobody_else_is(day: Day) -> None:
    book, alone = shared(day), day.world.handbook
    assert (book.name("yara"), book.name("kit")) == ("Kit Sefton", day.world.cast["kit"].name)
    assert " " in book.name("kit")
    assert {who for who in book.cast if book.name(who) != alone.name(who)} == {"kit", "yara"}


def test_what_happened_to_either_is_told_of_one(day: Day) -> None:
    teller = Teller(shared(day))
    surname = day.world.cast["kit"].family
    lines = [
        event_sentence(r, teller)
        for r in day.all()
        if isinstance(r.event, (Woke, Declined, Opened, Felt)) and {r.stamp.actor, *r.event.touches()} & {"kit", "yara"}
    ]
    assert len(lines) > 10
    begin = [x for x in lines if re.match(r"Kit\b", x)]
    assert begin
    assert [x for x in begin if not re.match(rf"Kit (?:Sefton|{surname})\b", x)] == []


def test_whoever_may_come_with_a_name_there_is_makes_both_be_told_in_full_before_and_after(day: Day) -> None:
    book = day.world.handbook
    new = replace(book.cast["mara"], id="new", name="Mara Quill")
    book = Handbook({**book.cast}, book.deck, book._town, book.drama, book.claims, (new,))
    assert (book.name("mara"), book.name("new")) == ("Mara Tansy", "Mara Quill")
    book.cast["new"] = new
    assert (book.name("mara"), book.name("new")) == ("Mara Tansy", "Mara Quill")
    book.cast["other"] = replace(new, id="other", name="Otis Quill")
    assert (book.name("otis"), book.name("other")) == ("Otis", "Otis"), "who is there is told as before"


ASKED = r'^"{}" may be Kit \w+ \(kit\) or Kit Sefton \(yara\); say which$'


def test_a_name_that_two_share_asks_which_and_only_an_id_as_it_is_written_settles_it(day: Day) -> None:
    """Of Larkspur, in which Kit's id is that first name, too."""
    book = shared(day)
    for said in ("Kit", "KIT", " Kit "):
        with pytest.raises(ValueError, match=ASKED.format(said.strip())):
            book.meant(said)
    assert book.meant("kit") == "kit"
    assert book.meant("Kit Sefton") == book.meant("kit sefton") == book.meant("yara") == book.meant("YARA") == "yara"
    assert (book.meant("Mara"), book.meant("MARA"), book.meant("nobody")) == ("mara", "mara", "")


def test_a_name_goes_before_an_id_in_other_letters_than_its_own() -> None:
    people = {"rosa": replace(A_GUEST, id="rosa", name="Otis Bray"), "o": replace(A_GUEST, id="o", name="Rosa Quill")}
    assert (find_person("Rosa", people), find_person("ROSA", people), find_person("o", people)) == ("o", "o", "o")
    with pytest.raises(ValueError, match=r'^"rosa" may be Otis Bray \(rosa\) or Rosa Quill \(o\); say which$'):
        find_person("rosa", people)
    assert (find_person("Otis Bray", people), find_person("rosa quill", people)) == ("rosa", "o")
    people["k"], people["l"] = replace(A_GUEST, id="k", name="Kit"), replace(A_GUEST, id="l", name="Kit Rook")
    with pytest.raises(ValueError, match=r"Kit \(k\) or Kit Rook \(l\)"):
        find_person("Kit", people)
    twins = {id: replace(A_GUEST, id=id, name="Rosa Quill") for id in ("a", "b")}
    with pytest.raises(ValueError, match=r"Rosa Quill \(a\) or Rosa Quill \(b\)"):
        find_person("rosa quill", twins)


@pytest.fixture
def two_kits(larkspur: Scenario) -> World:
    """Larkspur, where Yara is another Kit, two guests are called Kit, too, and Mara is played."""
    cast = tuple(replace(p, name="Kit Sefton") if p.id == "yara" else p for p in larkspur.cast)
    (guest, *_), names = larkspur.guests, {"kit_rook": "Kit Rook", "kit_vane": "Kit Vane"}
    guests = tuple(replace(guest, persona=replace(guest.persona, id=id, name=name)) for id, name in names.items())
    w = World.found(founding(replace(larkspur, cast=cast, guests=guests)))
    w.played.who = "mara"
    return w


@pytest.mark.parametrize(
    "line",
    [
        "as {}",
        "{}",
        "{} 1",
        "{}: how are you?",
        "give {} 5",
        "lend {} 5 coins",
        "borrow 5 from {}",
        "send {} to otis",
        "send otis to {}",
        "begin ask_job with {}",
        "begin ask_job with otis about {}",
        "sit beside {}",
        "message {}: come over",
        "follow {}",
    ],
)
def test_every_line_that_takes_a_person_asks_which(two_kits: World, line: str) -> None:
    assert re.match(ASKED.format("Kit"), refused(two_kits, line.format("Kit")))
    assert "say which" not in refused(two_kits, line.format("kit"))


def refused(w: World, line: str) -> str:
    """Why a line is not understood, "" if it is."""
    try:
        read(w, line)
    except ValueError as error:
        return str(error)
    return ""


def test_every_part_of_a_card_that_takes_a_person_asks_which(two_kits: World) -> None:
    for part in ("to", "with", "from", "against"):
        with pytest.raises(ValueError, match=ASKED.format("Kit")):
            read_card(two_kits, f"letter {part} Kit")
    assert (read_card(two_kits, "letter to kit").to, read_card(two_kits, "letter from yara").whom) == ("kit", "yara")
    for step in (Cue(deal="letter", to="Kit"), Cue(deal="letter", whom="Kit")):
        with pytest.raises(ValueError, match=ASKED.format("Kit")):
            dealt_of(two_kits, step)
    with pytest.raises(ValueError, match=r'^"Kit" may be Kit Rook \(kit_rook\) or Kit Vane \(kit_vane\); say which$'):
        read_card(two_kits, "guest Kit")
    for said in ("kit_vane", "Kit_Vane", '"Kit Vane"'):
        assert read_card(two_kits, f"guest {said}").guest == "kit_vane"


def test_a_world_is_warned_of_a_shared_first_name(day: Day) -> None:
    people = [*shared(day).cast.values()]
    (odd,) = of_names(people)
    assert (odd.level, odd.field) == ("warning", "name")
    assert 'is the first name of "kit", too: both are told by their whole names' in odd.message
    assert [*of_names(day.world.cast.values())] == []


def test_a_question_that_names_one_in_full_is_about_that_one(day: Day) -> None:
    book = shared(day)
    kit = book.name("kit")
    assert book.named(f"What do you think of {kit}?", {}) == (("kit",), ())
    assert book.named("What do you think of Kit Sefton?", {}) == (("yara",), ())
    assert book.named("Kit Sefton, then: is Kit well?", {}) == (("yara",), ())
    people, which = book.named("What do you think of Kit?", {})
    assert ({*people}, {*which}) == ({"kit", "yara"}, {kit, "Kit Sefton"})
    assert book.named("Where is Ma?", {"mara": "Ma"}) == (("mara",), ())


def test_whoever_is_asked_of_a_first_name_that_several_have_asks_which(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    w = day.world
    book = shared(day)
    monkeypatch.setattr(w, "handbook", book)
    kit = book.name("kit")
    for who, text, asks in (
        ("mara", "What do you think of Kit?", True),
        ("mara", "What have you heard of Kit?", True),
        ("kit", "Do you like Kit?", True),
        ("mara", f"What do you think of {kit}?", False),
        ("kit", "What do you think of Kit Sefton?", False),
        ("kit", "Who are you?", False),
    ):
        q = replace(make_interview(w, who, text, w.now), persona=book.cast[who])
        said = answer(q, Chance(1).stream(1, who, "x")).text
        mine = "me" if who == "kit" else kit
        assert any(x in said for x in (f"{mine} or Kit Sefton", f"Kit Sefton or {mine}")) is asks, said
        if asks:
            assert "?" in said or "which" in said


def test_who_is_named_in_part_of_a_word_is_not_named(day: Day) -> None:
    """Of Kit, "Kitchen" is nobody."""
    w = day.world
    for text, own in (("What have you heard of Otis, Kit?", True), ("What of the Kitchen and Otis?", False)):
        assert make_interview(w, "kit", text, w.now).own is own


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Ada Rill owes Otis money", "I owe Otis money"),
        ("Ada owes Otis money", "I owe Otis money"),
        ("Ada Rook owes Otis money", "Ada Rook owes Otis money"),
        ("Otis owes Ada Rill the grass", "Otis owes me the grass"),
        ("Otis keeps Ada Rill's cart, and Ada's barrow", "Otis keeps my cart, and my barrow"),
        ("Ada Rill and Ada Rook are a couple", "Ada Rook and I are a couple"),
        ("it is so that Ada Rill and Otis Bray have a plan", "it is so that Otis Bray and I have a plan"),
    ],
)
def test_one_says_i_for_the_whole_name_and_for_the_first_and_never_for_a_namesakes(text: str, own: str) -> None:
    assert myself(text, "Ada Rill") == own


def test_news_of_before_there_was_a_namesake_is_known_as_ones_own() -> None:
    assert mentions_person("Ada won the cup", "Ada Rill")
    assert mentions_person("Ada Rill won the cup", "Ada Rill")
    assert not mentions_person("Ada Rook won the cup", "Ada Rill")
    assert as_told("Ada won the cup", "Ada Rill", "Otis") == "I won the cup"
    assert as_told("Otis owes Ada Rill money", "Otis", "Ada Rill") == "I owe you money"
    assert as_told("Ada Rill owes Ada Rook money", "Ada Rill", "Ada Rook") == "I owe you money"
    assert as_told("Ada won the cup", "Ada Rill", "Ada Rook") == "Ada won the cup", "which of the two?"


def test_who_shares_a_first_name_answers_with_i_and_is_described_by_the_name_they_are_told_by(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, book = day.world, shared(day)
    monkeypatch.setattr(world, "handbook", book)
    kit, t = book.name("kit"), world.now
    q = describe(world, "kit", t)
    assert describe_mood(q).text.startswith(f"{kit} feels ")
    asked = make_interview(world, "kit", "What did you do today?", t)
    seen = Recollection(1, "event", f"saw Otis, who thanked {kit}", ("otis",), 9, 0.3, "thanks", form="deed")
    text = answer(replace(asked, memories=(seen,)), world.chance.stream(1, "kit", "test")).text
    assert "thanked me" in text
    assert book.name("kit").split()[-1] not in text
    owes = answer(
        replace(asked, ask="What do you owe?", life={"owes": (f"{kit} owes Otis money",)}),
        world.chance.stream(1, "kit", "test"),
    )
    assert "I owe Otis money" in owes.text
