"""Lines know whether they joke: not where much is at stake, and not more often in a day than suits who speaks."""

from collections.abc import Sequence

import pytest
from lived import Day
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY, HOUR
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.phones.question_write import Write
from sandbox.talk.content import joke_budget, may_joke, stake_of
from sandbox.talk.lines import REGISTERS, BookLine, LineBook, witty_variants
from sandbox.talk.saying import Said, Say
from sandbox.talk.speaker import Speaker

NOON = 5 * HOUR
BOOK = LineBook(
    (
        BookLine("all", "greet", ("Boo.", "Good day.", "Moo."), wit=(0, 2)),
        BookLine("jest", "greet", ("Ha.",), weight=9.0, wit=(0,)),
    ),
    {},
)


def said(book: LineBook, q: Say, times: int = 60) -> set[str]:
    """All that is said of so many tries."""
    speaker = Speaker(book)
    return {speaker.say(q, Chance(n).stream(0, "ann", "say")).text for n in range(times)}


def asked(day: Day) -> Sequence[tuple[Say, Said]]:
    return [(q, a) for q, a in day.heard if isinstance(q, Say) and isinstance(a, Said)]


def test_a_line_that_jokes_is_not_said_where_no_joke_is_called_for() -> None:
    q = Say("ann", moves=("greet",))
    assert said(BOOK, replace(q, wit=False)) == {"Good day."}
    assert "Ha." in said(BOOK, q)


def test_a_move_of_jokes_alone_is_left_unsaid_where_none_may_be() -> None:
    with pytest.raises(KeyError, match="no line for greet"):
        said(LineBook(BOOK.lines[1:], {}), Say("ann", moves=("greet",), wit=False))


def test_the_lines_that_joke_are_named_by_their_variants() -> None:
    assert witty_variants(BOOK.lines) == {"all#0", "all#2", "jest#0"}


def test_what_is_asked_without_wit_is_answered_without(day: Day) -> None:
    found = asked(day)
    barred = [a for q, a in found if not q.wit]
    free = [a for q, a in found if q.wit and not isinstance(q, Write)]
    assert len(barred) > 100
    assert all(day.world.witty.isdisjoint(a.variants) for a in barred)
    assert any(not day.world.witty.isdisjoint(a.variants) for a in free), "who may joke does so now and then"


def test_every_move_of_the_book_has_words_in_each_voice_that_do_not_joke(larkspur: Scenario) -> None:
    open_lines = [x for x in larkspur.lines.lines if not x.when]
    for move in {x.move for x in open_lines}:
        for voice in REGISTERS:
            lines = [x for x in open_lines if x.move == move and (not x.registers or voice in x.registers)]
            assert any(len(x.wit) < len(x.say) for x in lines), (move, voice)


def test_much_is_at_stake_in_what_presses_and_in_a_dark_mood(larkspur: Scenario) -> None:
    town = Stage(larkspur, pressure("grudge"))
    matter = town.wake().id
    w = town.world
    assert stake_of(w, (), 0, matter) >= 0.5
    assert stake_of(w, (), 0, "no such thing") == 0.0
    assert not may_joke(w, "mara", stake_of(w, (), 0, matter), 0)
    assert may_joke(w, "mara", 0.0, 0)


def test_somebody_has_so_many_jokes_a_day(larkspur: Scenario) -> None:
    w = Stage(larkspur).world
    witty = sorted(w.witty)[:9]
    left = joke_budget(w.cast["mara"], 1.0)
    assert 0 < left < len(witty)
    w.memories.spoken.say("mara", "basil", witty[:left], -1, NOON)
    assert not may_joke(w, "mara", 0.0, NOON + 60)
    assert may_joke(w, "mara", 0.0, NOON + DAY), "the next day has its own"
    assert may_joke(w, "basil", 0.0, NOON + 60)


@pytest.mark.parametrize(("times", "usual"), [(0.0, 0), (1.0, 2), (3.0, 6)])
def test_jokes_are_as_many_times_as_the_world_says(larkspur: Scenario, times: float, usual: int) -> None:
    cast = {p.id: p for p in larkspur.cast}
    plain = cast["clem"]
    assert joke_budget(plain, times) == usual
    assert joke_budget(cast["dov"], 1.0) > joke_budget(plain, 1.0), "playful and dry"


def test_a_world_may_let_people_joke_at_anything_or_never() -> None:
    free = Stage(load(find_world("larkspur"), set=["talk.gravity=1.01"])).world
    assert may_joke(free, "mara", 1.0, 0)
    grave = Stage(load(find_world("larkspur"), set=["talk.wit=0"])).world
    assert not may_joke(grave, "mara", 0.0, 0)
