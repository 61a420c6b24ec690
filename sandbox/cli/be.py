"""`sandbox be`: play a person of a save by hand, one line at a time, without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from sandbox.cli.moments import world_at_end
from sandbox.cli.options import SAVE, blame, require_save
from sandbox.cli.telling import say_text, say_wrapped, wait_for, warn

if TYPE_CHECKING:
    from sandbox.core.domain import Command
    from sandbox.core.events import Record
    from sandbox.engine.world import World
    from sandbox.play.reading import Wait
    from sandbox.store.session import Session

QUIET = 60  # seconds of town time to wait when nothing more is going on


@click.command()
@SAVE
@click.argument("line", metavar="[LINE]", required=False)
def be(save: str, line: str | None) -> None:
    """Play somebody in a save: have them walk, speak and do things, under the same rules as everybody.

    LINE is first `as PERSON`, or `arrive` to play somebody new. After that it is one of these: a person (lists what
    there is to say to them, how they are likely to take it, and why); a person and a number (say that, perhaps with
    your own words after a colon), or the words of that list with a name for "them" (`ask esme for work`); `accept`,
    `dodge`, `refuse` or `lie` (answer somebody who waits for it); `let be`, `speak up` or `expose` (deal with what has
    come to a head); `give`, `lend` or `pay PERSON 5`; `borrow 5 from PERSON`; `send PERSON to PERSON`; `begin WHAT with
    PERSON` (start a new matter); `sit beside PERSON`; `put by` (save the coins that something you want takes); `vote
    yes` or `no`; `pin: WORDS` (a note, where there is a board); `phone` (look at it); `post: WORDS`; `message PERSON:
    WORDS`; `follow PERSON`; `like`, `repost` or `comment NUMBER: WORDS`; `leave` (the talk); `go to PLACE`; something
    from a day's plan (`lunch at the cafe for 30m`); `wait 10m`; `idle` (let them act on their own) and `take over`;
    `give back` (stop playing them). Without LINE, the command prints where they are, who is near, and what presses
    them.

    A line runs steps of ten seconds until it is done, somebody waits for an answer, or something has come to a head. A
    talk, a walk or a search runs for half an hour at most, an activity or a wait until its end.

    \b
    Examples:
      sandbox be day.db "as kit"
      sandbox be day.db "arrive as Wren Hollow; nature: shy, blunt"
      sandbox be day.db zeno
      sandbox be day.db "zeno 1: I need until Friday."
      sandbox be day.db "go to the bakery"
    """
    if line is None:
        wait_for(_look(save))
    else:
        wait_for(_done(save, line))


async def _look(name: str) -> None:
    """Print where the played person is, what presses them, and what there is to do."""
    world = await world_at_end(name)
    _around(world)
    _matters(world)
    _doings(world)


async def _done(name: str, line: str) -> None:
    """Carry out one line in the save, and print what came of it."""
    from sandbox.play.acts_without_talk import LOOK
    from sandbox.play.model import PhoneCommand
    from sandbox.play.reading import ListOffers, Wait, read
    from sandbox.store.session import open_session

    require_save(name)
    async with open_session(name, watched=True) as session:
        warn(session.notice)
        world = session.world
        with blame("LINE"):
            meant = read(world, line)
            if isinstance(meant, ListOffers):
                _offered(world, meant.whom)
                return
            if not isinstance(meant, Wait):
                session.engine.do(meant)
        await _live(session, meant)
        if isinstance(meant, PhoneCommand) and meant.do == LOOK:
            _on_phone(world)
        _around(world)


async def _live(session: Session, meant: Command | Wait) -> None:
    """Run steps until the command is done, somebody waits for an answer, or something has come to a head."""
    from sandbox.people.played import is_played, pending_question
    from sandbox.play.reading import Wait
    from sandbox.play.system import comes_to_head, goes_on, has_said

    world = session.world
    command, wait = (None, meant.seconds) if isinstance(meant, Wait) else (meant, 0)
    began = idle = world.now
    while True:
        before = world.played.who
        records = await session.engine.step()
        me = world.played.who
        _tell(world, me or before, records)
        asked = pending_question(world) is not None
        if not me or not is_played(world, me) or asked or comes_to_head(records) or has_said(command, me, records):
            return
        if goes_on(world, began):
            idle = world.now
        if world.now - began >= max(wait, QUIET) and world.now - idle >= QUIET:
            return


def _tell(world: World, me: str, records: Sequence[Record]) -> None:
    """Print what happened to the played person, and what was said to them. me: their id, now or before the step."""
    from sandbox.core.text import upper
    from sandbox.readers.all_stories import STORIES
    from sandbox.readers.pressures import world_matters
    from sandbox.readers.stories_of_feed import owners
    from sandbox.readers.stories_of_phones import events_behind
    from sandbox.readers.story import Teller

    teller = Teller(world.handbook, world_matters(world), lately=events_behind(records), users=owners(world))
    for record in records:
        at, e = record.stamp, record.event
        if me not in (at.actor, *e.touches()):
            continue
        hour = world.clock.hhmm(at.t)
        story = STORIES[type(e)]
        if story.talk(e) and (said := story.speech(e, at)):
            for turn in said:
                for x in turn.lines:
                    say_text(f"{hour}  {world.handbook.name(x.who)}: {x.text}")
                if turn.why:
                    say_text(f"       because: {', '.join(rule.name for rule in turn.why[:3])}")
            continue
        row = story.weighed(teller, e, at)
        own = e.ON_FEED and at.actor == me
        says = upper(story.sentence(teller, e, at))
        if own or (row is not None and row.weight >= teller.notable["told"]):
            say_text(f"{hour}  {says}.")


def _around(world: World) -> None:
    """Print where the played person is, who is near, and what waits for an answer."""
    from sandbox.people.perceive import area_at
    from sandbox.people.played import pending_question
    from sandbox.play.acts import answers_to
    from sandbox.talk.pressure_aims import hearers

    me, book = world.played.who, world.handbook
    if not me:
        say_text('Nobody is played yet; begin with `sandbox be SAVE "as PERSON"`.')
        return
    where = area_at(world, me, world.now)
    place = book.at(where) if where else "out of doors"
    near = [x for x in hearers(world, me, me, world.now, reach=8) if x != me]
    coins = world.people.residents[me].purse.coins if world.money is not None else 0
    purse = f", with {coins} coins" if coins else ""
    say_text(f"\n{world.clock.words(world.now)}: you are {book.name(me)}, {place}{purse}.")
    say_text(f"Near you: {', '.join(book.name(x) for x in near) or 'nobody'}.")
    if (put := pending_question(world)) is not None:
        says, ways = world.drama.exchanges[put.do].says, ", ".join(answers_to(world, put))
        say_text(f"{book.name(put.other)} has come {says}, and waits ({ways}): {put.says}")
    _turning(world)


def _turning(world: World) -> None:
    """Print what has come to a head for the played person, and the stances they can take."""
    from sandbox.play.turning import choices, pending
    from sandbox.readers.stories_of_play import TITLES, forecast, minders, stance_words, waiting_point_words

    if (point := pending(world)) is None:
        return
    say_text("")
    say_wrapped(waiting_point_words(world, point))
    for choice in choices(world, point):
        says = f"not possible: {choice.why_not}" if choice.why_not else stance_words(world.handbook, choice)
        say_text(f"  {TITLES[choice.stance]:8}  {says}")
        if choice.offer is not None:
            say_text(f"            {forecast(choice.offer)}")
            if minds := minders(world.handbook, choice, point.whom):
                say_text(f"            who minds: {'; '.join(minds)}")


def _matters(world: World) -> None:
    """Print what presses the played person, when it is due, and the next step towards it."""
    from sandbox.drama.goals import step_slots
    from sandbox.people.goal_handlers import next_step
    from sandbox.people.pressure_rules import of
    from sandbox.readers.pressures import matter_sentence, world_matters
    from sandbox.talk.pressure_aims import known_slots as knows_of

    me, known = world.played.who, world_matters(world)
    for p in of(world.pressures, me) if me else ():
        if "matter" not in knows_of(world, p, me):
            continue
        due = f", until {world.clock.words(p.due)}" if p.due >= 0 else ""
        say_text(f"- {matter_sentence(world.handbook, known[p.id])}{due}.")
        todo = next_step(world, p, world.now) if p.holder == me else None
        if todo is not None:
            say_text(f"  first {world.drama.steps[todo.step].says.format(**step_slots(world, p, todo))}")


def _doings(world: World) -> None:
    """Print what there is to do, here and elsewhere."""
    from sandbox.play.activities_offered import doings

    for head, rows in doings(world, world.played.who) if world.played.who else ():
        say_wrapped(f"{head}: {', '.join(x.says for x in rows)}.")


def _on_phone(world: World) -> None:
    """Print the posts that the played person has seen on their phone, with their numbers."""
    from sandbox.core.plain import count_of
    from sandbox.play.acts_without_talk import on_phone

    for x in on_phone(world, world.played.who):
        told = f"{count_of(x.likes, 'like')}, {count_of(x.comments, 'comment')}"
        say_text(f"  {x.number:>6}  {x.writer_name}: {x.text}  ({told})")


def _offered(world: World, whom: str) -> None:
    """Print what there is to say to somebody, and how they are likely to take it."""
    from sandbox.play.activities_offered import from_time_words, later_offers
    from sandbox.play.acts import talk_offers
    from sandbox.readers.stories_of_play import forecast

    me, book = world.played.who, world.handbook
    found = talk_offers(world, me, whom)
    say_text(f"To {book.name(whom)} you can:")
    for n, x in enumerate(found, 1):
        say_text(f"  {n}  {x.says}" + (f": {x.matter}" if x.matter else ""))
        say_text(f"     {forecast(x)}")
        if x.minds:
            say_text("     " + "; ".join(f"{book.name(m.who)}: {m.why}" for m in x.minds[:3]))
    for soon in later_offers(world, me, whom):
        say_text(
            f"Later: {soon.says}"
            + (f": {soon.matter}" if soon.matter else "")
            + f", {from_time_words(world.clock, soon.at)}."
        )
