"""Rules of the player's commands: whether each is possible, and its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import Again, Command, CommandEvent, Rule
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.core.text import clean, spelt
from sandbox.people.claim_effects import is_barred
from sandbox.people.claim_handlers import closed
from sandbox.people.guest_model import in_town
from sandbox.people.handbook import DUTY
from sandbox.people.model import BESIDE, SEEK, Block, Woke
from sandbox.people.perceive import area_at, in_view
from sandbox.people.planning import expected_place, resolve
from sandbox.people.played import HANDED, SPOKEN, TalkWish
from sandbox.people.purse import MOST_COINS as MOST_COINS
from sandbox.play.acts import HANDS, answers_to, are_talking, no_hand, possible_now
from sandbox.play.arriving import arrive
from sandbox.play.beginnings import beginning_phrase, find_beginning, why_not, wish_of
from sandbox.play.model import (
    LONGEST,
    LOOKS,
    Arrive,
    Aside,
    Begin,
    Bid,
    Bidden,
    GiveBack,
    Hand,
    HasPlay,
    Headed,
    Leave,
    Play,
    PlayBegan,
    PlayEnded,
    Replied,
    Reply,
    SawAll,
    SeeAll,
    SetAside,
    Settled,
    Speak,
    TookLeave,
    Walk,
    Wished,
)
from sandbox.town.model import Stopped
from sandbox.town.ways import tile_at

DAWN, DUSK = 6 * HOUR, 20 * HOUR  # hours between which sleep is a nap
USUAL, ON_DUTY = 30 * MINUTE, 2 * HOUR  # duration where none is given, at leisure and on duty; a night is longer


def play_person(w: HasPlay, c: Play) -> Sequence[CommandEvent]:
    """Start to play somebody. Raises ValueError, with a sentence, if impossible."""
    if not c.by:
        raise ValueError("say whom to play")
    if w.played.who:
        who = w.handbook.name(w.played.who)
        raise ValueError(f"{who} is played already" + ("" if w.played.who == c.by else "; give them back first"))
    return (CommandEvent(PlayBegan(w.next_seconds), c.by),)


def give_back(w: HasPlay, c: GiveBack) -> Sequence[CommandEvent]:
    _check_played(w, c.by)
    return (CommandEvent(PlayEnded(), c.by),)


def set_aside(w: HasPlay, c: SetAside) -> Sequence[CommandEvent]:
    _check_played(w, c.by)
    if w.played.aside == c.on:
        raise ValueError(f"{w.handbook.name(c.by)} is already {'on their own' if c.on else 'in your hands'}")
    return (CommandEvent(Aside(c.on), c.by),)


def walk_to_tile(w: HasPlay, c: Walk) -> Sequence[CommandEvent]:
    """They set out for a tile."""
    free = _free(w, c.by)
    if not (0 <= c.x < w.map.width and 0 <= c.y < w.map.height):
        raise ValueError(f"there is no tile {c.x},{c.y}; the map has {w.map.width} by {w.map.height}")
    if not w.ways.leads(tile_at(w.town.spots[c.by], _moment(w, c.by), w.map.width), c.y * w.map.width + c.x):
        raise ValueError("there is no way there")
    return (*free, CommandEvent(Headed(c.x, c.y), c.by))


def bid(w: HasPlay, c: Bid) -> Sequence[CommandEvent]:
    """They go somewhere and do something."""
    free = _free(w, c.by)
    if c.beside:
        return (*free, CommandEvent(Bidden(_beside(w, c)), c.by))
    todo = [x for x in w.handbook.deck.blocks if x not in (SEEK, BESIDE)]
    if c.do not in todo:
        raise ValueError(f"there is {unknown('thing to do', c.do, todo)}")
    where = resolve(w.cast[c.by], c.where)
    if where not in w.map.areas:
        raise ValueError(f"there is {unknown('place', c.where, w.map.areas)}")
    if closed(w, where):
        raise ValueError(f"{w.handbook.place(where)} is shut; go elsewhere")
    if is_barred(w, c.by, where):
        raise ValueError(f"{w.handbook.name(c.by)} is barred from {w.handbook.place(where)}; go elsewhere")
    if c.do == "work" and where != resolve(w.cast[c.by], "work"):
        raise ValueError(f"{w.handbook.name(c.by)} does not work {w.handbook.at(where)}; ask for work there first")
    if not 0 <= c.lasts <= LONGEST:
        raise ValueError("an activity lasts a day at most; make it shorter")
    t = _moment(w, c.by)
    hour = w.clock.second_of_day(t)
    night = (w.cast[c.by].routine.wake - hour) % DAY if c.do == "sleep" and not DAWN <= hour < DUSK else 0
    usual = night or (ON_DUTY if w.handbook.kind(c.do) == DUTY else USUAL)
    return (*free, CommandEvent(Bidden(Block(t, t + (c.lasts or usual), c.do, where, "as you wish")), c.by))


def _beside(w: HasPlay, c: Bid) -> Block:
    """The block for sitting beside somebody in sight."""
    t, name = _moment(w, c.by), w.handbook.name(c.beside)
    if c.beside not in w.cast or c.beside == c.by or BESIDE not in w.handbook.deck.blocks:
        raise ValueError(f"there is {unknown('person to sit beside', c.beside, [x for x in w.cast if x != c.by])}")
    mine_, theirs = (tile_at(w.town.spots[x], t, w.map.width) for x in (c.by, c.beside))
    seen = in_view(w, mine_, theirs)
    if not seen:
        raise ValueError(f"{name} is not in sight; go where they are first")
    where = area_at(w, c.beside, t)
    if w.town.spots[c.beside].path or not where:
        raise ValueError(f"{name} is walking; wait until they have stopped")
    return Block(t, t + (c.lasts or USUAL), BESIDE, where, f"to sit beside {name}", c.beside)


def speak(w: HasPlay, c: Speak) -> Sequence[CommandEvent]:
    """They say something as soon as possible: at once, or after looking for the other."""
    me, free = _to(w, c.by, c.whom)
    if not possible_now(w, me, c.whom, c.do, c.aim):
        name = w.handbook.name(c.whom)
        raise ValueError(f"you cannot say that to {name} now; look again at what there is to say")
    says = w.drama.exchanges[c.do].says if c.do in w.drama.exchanges else "for a talk"
    return (*free, _means(w, me, TalkWish(c.whom, c.do, c.aim, c.words, 0, 0), says))


def begin_matter(w: HasPlay, c: Begin) -> Sequence[CommandEvent]:
    """They mean to begin something with somebody."""
    me, free = _to(w, c.by, c.whom)
    if find_beginning(w, c.what) is None:
        raise ValueError(f"there is {unknown('beginning', c.what, w.drama.beginnings)}")
    if c.third and c.third not in w.cast:
        raise ValueError(f"there is {unknown('person', c.third, w.cast)}")
    if not 0 <= c.coins <= MOST_COINS:
        raise ValueError(f"{c.coins} is not a sum of coins")
    wish = wish_of(w, me, c.whom, c.what, c.third, c.coins, clean(c.words, SPOKEN))
    if why := why_not(w, me, wish):
        raise ValueError(why)
    return (*free, _means(w, me, wish, f"to {beginning_phrase(w, me, wish)}"))


def hand(w: HasPlay, c: Hand) -> Sequence[CommandEvent]:
    """They mean to hand somebody coins."""
    me, free = _to(w, c.by, c.whom)
    wish = TalkWish(c.whom, c.how, "", "", 0, 0, coins=max(0, min(c.coins, MOST_COINS)))
    if c.coins != wish.coins or not c.coins:
        raise ValueError(f"{c.coins} is not a sum of coins; hand over at least one")
    if why := no_hand(w, me, wish):
        raise ValueError(why)
    return (*free, _means(w, me, wish, f"to {HANDS[c.how].format(amount=spelt(c.coins))}"))


def _to(w: HasPlay, by: str, whom: str) -> tuple[str, tuple[CommandEvent, ...]]:
    """(who speaks, events needed first). Raises ValueError, with a sentence, if they cannot speak to `whom`."""
    me = require_played(w, by)
    if whom not in w.cast:
        raise ValueError(f"there is {unknown('person', whom, w.cast)}")
    name = w.handbook.name(whom)
    if whom == me:
        raise ValueError(f"{name} cannot speak to themselves")
    if not in_town(w, whom):
        raise ValueError(f"{name} has left town")
    if are_talking(w, me, whom):
        return me, ()
    free = _free(w, me)
    if not w.people.residents[whom].awake:
        raise ValueError(f"{name} is asleep; come back when they are up")
    return me, free


def _means(w: HasPlay, me: str, wish: TalkWish, says: str) -> CommandEvent:
    """The event of a wish; if the other is elsewhere, with a block for looking for them."""
    t, whom = _moment(w, me), wish.whom
    block = None
    if not are_talking(w, me, whom) and area_at(w, me, t) != area_at(w, whom, t):
        looks = expected_place(w, whom, t) or w.cast[whom].home
        block = Block(t, t + LOOKS, SEEK, looks, f"to find {w.handbook.name(whom)} {says}", whom)
    words = clean(wish.words, SPOKEN)
    event = Wished(whom, wish.do, wish.aim, words, t + LOOKS, says, block, wish.begin, wish.third, wish.coins)
    return CommandEvent(event, me)


def give_reply(w: HasPlay, c: Reply) -> Sequence[CommandEvent]:
    """They answer what was put to them."""
    me, put = require_played(w, c.by), w.played.put
    if put is None:
        raise ValueError(f"nobody waits for an answer from {w.handbook.name(me)}")
    ways = answers_to(w, put)
    if c.how not in ways:
        raise ValueError(f"there is {unknown('answer', c.how, ways)}")
    return (CommandEvent(Replied(put.talk, c.how, clean(c.words, SPOKEN)), me),)  # type: ignore[arg-type]  # one of those ways


def take_leave(w: HasPlay, c: Leave) -> Sequence[CommandEvent]:
    """They leave the talk and drop their wish."""
    me = require_played(w, c.by)
    if not w.people.residents[me].talk and w.played.wish is None:
        raise ValueError(f"{w.handbook.name(me)} is in no talk, and has nothing they mean to say")
    return (CommandEvent(TookLeave(), me),)


def see_all(w: HasPlay, c: SeeAll) -> Sequence[CommandEvent]:
    """Show everything, or only what they know."""
    _check_played(w, c.by)
    if w.played.sees_all == c.on:
        raise ValueError(f"{'everything' if c.on else 'only what they know'} is shown already")
    return (CommandEvent(SawAll(c.on), c.by),)


def require_played(w: HasPlay, who: str) -> str:
    """The id of the played person. Raises ValueError unless `who` is played and not set aside."""
    _check_played(w, who)
    if w.played.aside:
        raise ValueError(f"{w.handbook.name(who)} is on their own now; take over first")
    return who


def _free(w: HasPlay, who: str) -> tuple[CommandEvent, ...]:
    """Events needed before somebody can go: waking up, or stopping a walk. Raises ValueError if they cannot."""
    me = require_played(w, who)
    r, spot = w.people.residents[me], w.town.spots[me]
    if r.talk:
        talk = w.talk.open[r.talk]
        other = next(x for x in talk.who if x != me)
        raise ValueError(f"{w.handbook.name(me)} is in a talk with {w.handbook.name(other)}; leave it first")
    if not r.awake:
        return (CommandEvent(Woke(), me),)
    if spot.path:
        x, y = w.map.xy(tile_at(spot, _moment(w, me), w.map.width))
        return (CommandEvent(Stopped(x, y), me),)
    return ()


def _moment(w: HasPlay, who: str) -> int:
    """The second at which a command takes effect: the beginning of the next step."""
    return max(w.now, w.last.get(who, 0))


def _check_played(w: HasPlay, who: str) -> None:
    """Raise ValueError unless `who` is played, perhaps set aside."""
    if not w.played.who:
        raise ValueError("nobody is played; say first whom you want to play")
    name = w.handbook.name(w.played.who)
    if not who:
        raise ValueError(f"say whom you mean; {name} is played")
    if who != w.played.who:
        raise ValueError(f"{name} is played, not {w.handbook.name(who)}")


def _wished(e: Wished, stamp: Stamp) -> Command:
    """The command that made a wish, for repeating it."""
    if e.begin:
        return Begin(by=stamp.actor, whom=e.whom, what=e.begin, third=e.third, coins=e.coins, words=e.words)
    if e.do in HANDED:
        return Hand(by=stamp.actor, whom=e.whom, how=e.do, coins=e.coins)
    return Speak(by=stamp.actor, whom=e.whom, do=e.do, aim=e.aim, words=e.words)


CHOSEN = ("who", "name", "hair", "skin", "nature", "home", "job", "work", "secret")  # fields of Arrive and of Settled
COMMANDS: Mapping[type[Command], Rule] = {
    Arrive: arrive, Play: play_person, GiveBack: give_back, SetAside: set_aside, Walk: walk_to_tile, Bid: bid,
    Speak: speak, Begin: begin_matter, Hand: hand, Reply: give_reply, Leave: take_leave, SeeAll: see_all,
}  # fmt: skip
AGAIN: Mapping[type[Event], Again] = {
    Settled: lambda e, at: Arrive(**{field: getattr(e, field) for field in CHOSEN}),
    PlayBegan: lambda e, at: Play(by=at.actor),
    PlayEnded: lambda e, at: GiveBack(by=at.actor),
    Aside: lambda e, at: SetAside(by=at.actor, on=e.on),
    Headed: lambda e, at: Walk(by=at.actor, x=e.x, y=e.y),
    Bidden: lambda e, at: Bid(
        by=at.actor, do=e.block.do, where=e.block.where, lasts=e.block.end - e.block.start, beside=e.block.whom
    ),
    Wished: _wished,
    Replied: lambda e, at: Reply(by=at.actor, how=e.how, words=e.words),
    TookLeave: lambda e, at: Leave(by=at.actor),
    SawAll: lambda e, at: SeeAll(by=at.actor, on=e.on),
}
