"""Somebody who is played makes up their mind about a vote, pins up a note and uses their phone."""

from __future__ import annotations

import pytest
from byhand import Hand, played

from sandbox.core.clock import HOUR, MINUTE
from sandbox.director.model import CardPlayed, CardReached, DealCard, Dealt
from sandbox.drama.outcomes import vote_rules
from sandbox.feed.events import Browsed, Commented, Messaged, Posted, Reacted, Writing
from sandbox.phones.model import Read
from sandbox.play.beginnings import voters, votes
from sandbox.play.model import GiveBack, Lean, PhoneCommand, Pin, SetAside, Walk
from sandbox.play.reading import read


def own(hand: Hand, *kinds):
    return [r.event for r in hand.of(*kinds) if r.stamp.actor == hand.me]


def refused(hand: Hand, command) -> str:
    with pytest.raises(ValueError, match=r"\w") as error:
        hand.session.engine.do(command)
    return str(error.value)


def decision(hand: Hand):
    """The next vote."""
    about = votes(hand.world)[0]
    return next(o.decides for o in hand.world.calendar.deciding if o.decides is not None and o.decides.about == about)


@pytest.mark.parametrize("yes", [True, False])
def test_who_has_a_vote_votes_as_they_have_said_while_they_are_played(morning, tmp_path, yes):
    async def run(hand):
        w, d = hand.world, decision(hand)
        assert "vera" in voters(w, d.about)
        await hand.do(Lean(by="vera", yes=yes))
        said = sum(rule.value for rule in vote_rules(w, d, "vera", w.now))
        stance = w.cast["vera"].opinions[d.about].stance
        await hand.do(GiveBack(by="vera"))
        return said, stance, len(vote_rules(w, d, "vera", w.now))

    said, stance, rules = played(morning, tmp_path / "a.db", "vera", run)
    assert (said > 0) is yes
    assert (stance > 0) is yes
    assert rules > 1  # the town's own again


@pytest.mark.slow
def test_who_is_left_to_themselves_still_votes_as_they_have_said(morning, tmp_path):
    async def run(hand):
        w, d = hand.world, decision(hand)
        await hand.do(Lean(by="vera", yes=True))
        await hand.do(SetAside(by="vera", on=True))
        return [rule.value for rule in vote_rules(w, d, "vera", w.now)]

    assert played(morning, tmp_path / "a.db", "vera", run) == [1.0]


@pytest.mark.slow
def test_a_note_is_read_by_who_comes_by_and_not_by_who_has_pinned_it_up(morning, tmp_path):
    words = "Kit has found [b]a glove[/b] \x1b[31mat the mill."

    async def run(hand):
        w = hand.world
        none = refused(hand, Pin(by="kit", words=words))
        where = next(a for a in w.map.areas.values() if any(x.kind == "notice board" for x in a.things))
        x, y = w.map.xy(where.tiles[0])
        await hand.do(Walk(by="kit", x=x, y=y))
        await hand.until(lambda: not w.town.spots["kit"].path)
        empty = refused(hand, Pin(by="kit", words=" "))
        await hand.do(Pin(by="kit", words=words))
        await hand.live(until=w.now + 120 * MINUTE)
        return none, empty, own(hand, CardPlayed), hand.of(CardReached), where.sector.name

    none, empty, pinned, reached, where = played(morning, tmp_path / "a.db", "kit", run)
    assert "no board" in none
    assert "needs words" in empty
    assert [e.dealt.where for e in pinned] == [where]
    assert pinned[0].says.startswith("Kit")
    assert "\x1b" not in pinned[0].says
    assert reached
    assert all(r.stamp.actor != "kit" for r in reached)


def test_nobody_of_the_town_deals_other_cards(morning, tmp_path):
    async def run(hand):
        return refused(hand, DealCard(by="kit", dealt=Dealt(card="rain")))

    assert "cannot deal cards" in played(morning, tmp_path / "a.db", "kit", run)


def test_what_is_read_on_the_phone_is_taken_in(morning, tmp_path):
    async def run(hand):
        await hand.do(PhoneCommand(by="kit", do="look"))
        while not own(hand, Read) and hand.world.now < 6 * HOUR:  # until somebody of the town has written something
            await hand.live(until=hand.world.now + 20 * MINUTE)
            await hand.do(PhoneCommand(by="kit", do="look"))
        return own(hand, Browsed), own(hand, Read)

    looked, taken_in = played(morning, tmp_path / "a.db", "kit", run)
    assert looked
    assert looked[0].act == "refresh"
    assert taken_in


def test_what_is_written_and_done_on_the_phone_is_theirs(morning, tmp_path):
    async def run(hand):
        await hand.do(PhoneCommand(by="kit", do="look"))
        card = own(hand, Browsed)[0].shown[0]
        for command in (
            PhoneCommand(by="kit", do="post", words="Jory, the bread is lovely."),
            PhoneCommand(by="kit", do="message", whom="jory", words="Come to the market."),
            PhoneCommand(by="kit", do="like", card=card),
            PhoneCommand(by="kit", do="comment", card=card, words="Well said."),
        ):
            await hand.do(command)
        return own(hand, Posted, Messaged, Reacted, Commented)

    done = played(morning, tmp_path / "a.db", "kit", run)
    assert [type(e) for e in done] == [Posted, Messaged, Reacted, Commented]
    assert [e.about.move for e in done if isinstance(e, Writing)] == ["post_news", "note", "chip_in"]
    assert done[0].about.whom == "jory"


def test_what_cannot_be_done_is_refused_in_a_sentence(morning, tmp_path):
    async def run(hand):
        w = hand.world
        says = [
            refused(hand, Lean(by="kit", yes=True)),
            refused(hand, Lean(by="mara", yes=True)),
            refused(hand, PhoneCommand(by="kit", do="dance")),
            refused(hand, PhoneCommand(by="kit", do="like", card=10**8)),
            refused(hand, PhoneCommand(by="kit", do="like", card=-5)),
            refused(hand, PhoneCommand(by="kit", do="post", words=" ")),
            refused(hand, PhoneCommand(by="kit", do="message", whom="nobody", words="Hello")),
            refused(hand, PhoneCommand(by="kit", do="message", words="Hello")),
            refused(hand, PhoneCommand(by="kit", do="message", whom="kit", words="Hello")),
        ]
        w.people.residents["kit"].awake = False
        return [*says, refused(hand, PhoneCommand(by="kit", do="look")), refused(hand, Pin(by="kit", words="Hello"))]

    says = played(morning, tmp_path / "a.db", "kit", run)
    wanted = (
        "no vote", "is played, not", "no act", "post", "number", "", "no person", "no account", "",
        "asleep", "asleep",
    )  # fmt: skip
    for text, part in zip(says, wanted, strict=True):
        assert part in text, text


def test_lines_say_it(morning, tmp_path):
    lines = {
        "vote no": Lean(by="kit", yes=False),
        "vote for": Lean(by="kit", yes=True),
        "pin: A glove is found.": Pin(by="kit", words="A glove is found."),
        "phone": PhoneCommand(by="kit", do="look"),
        "post: Good morning": PhoneCommand(by="kit", do="post", words="Good morning"),
        "message Jory: come": PhoneCommand(by="kit", do="message", whom="jory", words="come"),
        "follow mara": PhoneCommand(by="kit", do="follow", whom="mara"),
        "like 12": PhoneCommand(by="kit", do="like", card=12),
        "comment 12: yes": PhoneCommand(by="kit", do="comment", card=12, words="yes"),
    }

    async def run(hand):
        return [read(hand.world, line) for line in lines]

    assert played(morning, tmp_path / "a.db", "kit", run) == [*lines.values()]
