"""What a played person does without a talk: decide how to vote, save coins, pin up a note, use the phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.core.domain import Again, Command, CommandEvent, Rule
from sandbox.core.events import Event
from sandbox.core.faults import in_quotes, unknown
from sandbox.core.protocols import Step
from sandbox.core.text import clean, spelt
from sandbox.director.dealing import deal_card
from sandbox.director.model import TEXT, DealCard, Dealt
from sandbox.feed.cards import Card, cards_for
from sandbox.feed.commands import OnFeed
from sandbox.feed.reading import visible_cards
from sandbox.people.goal_handlers import next_step
from sandbox.people.paying import has
from sandbox.people.perceive import area_at
from sandbox.people.pressure_rules import of
from sandbox.phones.acting import run_on_feed
from sandbox.phones.seeing import account_of
from sandbox.phones.system import look_at
from sandbox.play.beginnings import voters, votes
from sandbox.play.command_rules import require_played
from sandbox.play.model import HasPlay, Lean, Leaned, PhoneCommand, Pin, PutBy, Saving, TookPhone
from sandbox.town.conditions import offline
from sandbox.town.grid import Area

NOTE = "note"  # the card for a note on a board
BOARD, BROWSE = "board", "browse"  # ending of a board's name, and the activity that it affords
SEEN = 8  # recent cards of a phone that are shown
LOOK = "look"  # to look at the phone, which is no action of the platform
ON_CARD = {"like": "like_post", "repost": "repost", "comment": "create_comment"}  # command -> action on a card


def lean(w: HasPlay, c: Lean) -> Sequence[CommandEvent]:
    """They make up their mind on a vote."""
    me = require_played(w, c.by)
    found = [x for x in votes(w) if me in voters(w, x)]
    if not found:
        raise ValueError(f"{w.handbook.name(me)} has no vote in any coming decision")
    if c.opinion and c.opinion not in found:
        raise ValueError(f"there is {unknown('vote', c.opinion, found)}")
    return (CommandEvent(Leaned(c.opinion or found[0], c.yes), me),)


def put_by(w: HasPlay, c: PutBy) -> Sequence[CommandEvent]:
    """They save the coins for the next step of something they want."""
    me = require_played(w, c.by)
    found = to_save(w, me)
    if not found or (c.matter and c.matter not in found):
        raise ValueError("nothing that you want takes coins now")
    matter = c.matter or next(iter(found))
    if not has(w, me, found[matter]):
        raise ValueError(f"you do not have {spelt(found[matter])}")
    return (CommandEvent(Saving(matter), me),)


def to_save(w: HasPlay, me: str) -> dict[str, int]:
    """Pressure -> coins that its next step takes, for those of somebody's pressures that need any."""
    found = {p.id: next_step(w, p, w.now) for p in of(w.pressures, me) if p.holder == me}
    coins = {id: w.drama.steps[todo.step].coins for id, todo in found.items() if todo is not None}
    return {id: sum_ for id, sum_ in coins.items() if sum_ and w.money is not None}


def board(w: HasPlay, me: str) -> str:
    """The place with a board where somebody stands: out of doors the whole place, else the room; "" if none."""
    at = w.map.areas.get(area_at(w, me, max(w.now, w.last.get(me, 0))))
    if at is None:
        return ""
    here = [
        x for x in w.map.areas.values() if x is at or (x.sector is at.sector and not _indoors(x) and not _indoors(at))
    ]
    if not any(x.kind.endswith(BOARD) and BROWSE in x.affords for area in here for x in area.things):
        return ""
    return at.address if _indoors(at) else at.sector.name


def _indoors(area: Area) -> bool:
    return "indoors" in area.arena.tags


def pin(w: HasPlay, c: Pin) -> Sequence[CommandEvent]:
    """They pin up a note that passers-by may read."""
    me, words, where = require_played(w, c.by), clean(c.words, TEXT), board(w, c.by)
    if not w.people.residents[me].awake:
        raise ValueError(f"{w.handbook.name(me)} is asleep; wait for the morning")
    if not where:
        raise ValueError("there is no board here to pin a note to; go where there is one")
    if not words.strip():
        raise ValueError("a note needs words")
    if NOTE not in w.card_deck.cards:
        raise ValueError("nobody pins up notes in this town")
    return deal_card(w, DealCard(by=me, dealt=Dealt(card=NOTE, where=where, words=words)))


def no_phone(w: HasPlay, me: str) -> str:
    """Why somebody cannot use their phone, a clause; "" if they can."""
    name = w.handbook.name(me)
    if not (w.feed.on or w.feed.crowd):
        return "this town has no feed"
    if account_of(w, me) is None:
        return f"{name} has no account on the feed"
    if not w.people.residents[me].awake:
        return f"{name} is asleep"
    return "nothing can be read or written on the feed just now" if offline(w, me) else ""


def phone(w: HasPlay, c: PhoneCommand) -> Sequence[CommandEvent]:
    """They look at their phone, or post, write or react there."""
    me, words = require_played(w, c.by), c.words
    if why := no_phone(w, me):
        raise ValueError(why)
    if c.do == LOOK:
        return (CommandEvent(TookPhone(), me),)
    if c.whom and c.whom not in w.cast:
        raise ValueError(f"there is {unknown('person', c.whom, w.cast)}")
    other = c.whom.lower()
    if c.do in ("message", "follow") and other not in w.feed.handles:
        raise ValueError(f"{w.handbook.name(c.whom) or 'nobody'} has no account on the feed")
    if c.do == "post":
        return run_on_feed(w, OnFeed(by=me, action="create_post", arguments={"text": words}))
    if c.do == "message":
        return run_on_feed(w, OnFeed(by=me, action="send_message", arguments={"other": other, "text": words}))
    if c.do == "follow":
        return run_on_feed(w, OnFeed(by=me, action="follow", arguments={"other": other}))
    if c.do not in ON_CARD:
        raise ValueError(f"there is no act {in_quotes(c.do)} on a phone")
    arguments: dict[str, str | int | float] = {"post": c.card}
    if c.do == "comment":
        arguments["text"] = words
    return run_on_feed(w, OnFeed(by=me, action=ON_CARD[c.do], arguments=arguments))


def on_phone(w: HasPlay, me: str) -> list[Card]:
    """The cards that somebody saw last and may still see, the latest first."""
    account, phone = account_of(w, me), w.phones.phones.get(me)
    if account is None or phone is None:
        return []
    found = visible_cards(w.feed, account.number, reversed([*phone.read]), w.means.words)
    return cards_for(w.feed, account.number, found[:SEEN], w.means.words)


async def show_player_phone(step: Step, w: HasPlay) -> None:
    """Show the played person what anybody would see who takes out their phone now."""
    if not w.played.who:
        return
    for stamp, e in tuple(step.happened):
        if isinstance(e, TookPhone) and stamp.t >= step.now and not no_phone(w, stamp.actor):
            look_at(step, w, stamp.actor)


COMMANDS: Mapping[type[Command], Rule] = {Lean: lean, PutBy: put_by, Pin: pin, PhoneCommand: phone}
AGAIN: Mapping[type[Event], Again] = {
    Leaned: lambda e, at: Lean(by=at.actor, opinion=e.opinion, yes=e.yes),
    Saving: lambda e, at: PutBy(by=at.actor, matter=e.matter),
    TookPhone: lambda e, at: PhoneCommand(by=at.actor, do=LOOK),
}
